"""Lists of lists whose rows change places, are replaced, or are one: which shadow stands where must be known in both sweeps."""

import math

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def rows_rotated(x, n):
    rows = [[x * (i + 1), x + j0] for i, j0 in enumerate((0.5, 1.5, 2.5))]
    s = 0.0
    for t in range(n):
        rows[t % 3][0] *= rows[(t + 1) % 3][1]
        first = rows.pop(0)
        rows.append(first)
        rows[0][1] += math.sin(rows[2][0]) * x
        s += rows[1][0] * rows[1][1]
    return s


add(rows_rotated, (0.7, 7), (0.7, 1))


def one_row_twice(x, n):
    row = [x, 2 * x]
    rows = [row, [x * x, 1.0], row]
    for t in range(n):
        rows[0][1] = rows[2][0] * rows[1][0] * 0.3
        rows[1] = rows[t % 3]
        rows[2][0] += rows[1][1] * x
        rows[2] = [rows[0][0] * 0.5, x]
    return rows[0][0] + rows[1][1] * rows[2][0]


add(one_row_twice, (0.7, 5))


def rows_replaced(x, n):
    rows = [[x, 1.0] for _ in range(3)]
    for t in range(n):
        i = t % 3
        old = rows[i]
        old[0] *= 1.1
        rows[i] = [old[0] * rows[(i + 1) % 3][1], old[1] + x]
        rows[i][1] *= rows[i][0]
        if rows[i][1] > 2.0:
            rows[i], rows[0] = rows[0], rows[i]
            rows[0][0] -= 0.5 * x
    return sum(r[0] * r[1] for r in rows)


add(rows_replaced, (0.7, 7))


def three_levels(x, n):
    cube = [[[x * i * j + k for k in range(2)] for j in range(2)] for i in range(2)]
    for t in range(n):
        cube[t % 2][0][1] *= cube[1][t % 2][0] * 0.5
        cube[0], cube[1] = cube[1], cube[0]
        cube[1][0], cube[1][1] = cube[1][1], cube[1][0]
        cube[0][1][0] += cube[1][0][1]
    return cube[0][0][0] * cube[1][1][1] + cube[0][1][0]


add(three_levels, (0.7, 5))


def lists_that_change_keys(x, n):
    d = {"a": [x, 1.0], "b": [x * x, 2.0]}
    for t in range(n):
        key = "ab"[t % 2]
        other = "ba"[t % 2]
        d[key][0] += d[other][1] * x
        d[key], d[other] = d[other], d[key]
        d[key][1] *= 1.0 + 0.1 * d[key][0]
    return d["a"][0] * d["b"][1]


add(lists_that_change_keys, (0.7, 5))


def move(rows, i, x):
    rows[i][0] *= x
    rows[i], rows[0] = rows[0], rows[i]
    return rows[i][1]


def rows_moved_by_a_helper(x, n):
    rows = [[x, 1.0], [2.0 * x, x], [x * x, 0.5]]
    s = 0.0
    for t in range(n):
        s += move(rows, t % 3, x) * rows[0][0]
        rows[1][1] += s * 0.1
    return s


add(rows_moved_by_a_helper, (0.7, 5))


def turn(rows, depth, x):
    if depth == 0:
        return rows[0][0] * rows[1][1]
    rows[depth % 2][0] += x * rows[(depth + 1) % 2][1]
    rows[0], rows[1] = rows[1], rows[0]
    result = turn(rows, depth - 1, x)
    rows[0][1] *= result
    return result + rows[0][1]


def rows_moved_by_recursion(x, n):
    return turn([[x, 1.0], [0.5 * x, x]], n, x)


add(rows_moved_by_recursion, (0.7, 4))


def rows_moved_before_a_break(x, n):
    rows = [[x + i, x * i] for i in range(4)]
    for t in range(n):
        r = rows[t % 4]
        for j in range(4):
            if rows[j][0] > 3.0:
                rows[j], rows[0] = rows[0], rows[j]
                break
            rows[j][0] += r[1] * 0.2
            r[1] -= 0.1 * rows[j][0]
        else:
            rows[1][1] *= 1.5
            continue
        rows[2][0] *= 0.9
    return sum(a * b for a, b in rows)


add(rows_moved_before_a_break, (0.7, 6), (1.9, 6))


def table_made_anew(x, n):
    m = [[x * (i + j) for j in range(3)] for i in range(3)]
    for _ in range(n):
        m = [[sum(m[i][k] * m[k][j] for k in range(3)) * 0.1 for j in range(3)] for i in range(3)]
        m[0], m[2] = m[2], m[0]
        m[1][1] += x
    return m[0][0] + m[1][1] * m[2][2]


add(table_made_anew, (0.7, 2))


def table_by_parts(x, y, n):
    table = [[0.0] * n for _ in range(n)]
    table[0][0] = x
    for i in range(1, n):
        table[i][0] = table[i - 1][0] * y + x / i
        for j in range(1, i + 1):
            table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (4**j - 1)
            table[i - j][0] -= 0.1 * table[i][j] * table[i - 1][j - 1]
    return table[n - 1][n - 1] * table[0][0]


add(table_by_parts, (0.7, 1.3, 5), argnums=(0, 1))


def elements_that_may_be_one(v, places, c):
    for i, j in places:
        v[i] -= c * v[j]
        v[j] = v[i] * v[j] - v[i]
        v[i] += v[j] / c - v[-1] * v[i]
    return v[0] * v[1] + v[2]


add(
    elements_that_may_be_one,
    ([1.0, 0.6, -0.4], ((0, 1), (1, 1), (2, 0), (-1, 2), (1, -2)), 0.3),
    argnums=(0, 2),
)


def rows_that_may_be_one(m, places, c):
    for i, j, k in places:
        m[i][k] -= c * m[j][0]
        m[j][k] = m[i][0] * m[j][1] - m[i][k]
        m[i][1] += m[j][0] / c
    return m[0][0] * m[1][1] + m[0][1]


add(
    rows_that_may_be_one,
    ([[1.0, 0.6], [-0.4, 0.3]], ((0, 1, 0), (1, 1, 1), (1, 0, -1), (-1, 1, 0)), 0.3),
    argnums=(0, 2),
)
