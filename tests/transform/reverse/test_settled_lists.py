"""Elements of lists that are made anew in each trip, and of rows of lists, are read again where nothing sets them later."""

from __future__ import annotations

import math
import random
import time

import pytest

from s2sad import check_grads, grad

X = [1.0 + 0.3 * math.sin(i) for i in range(4)]
ROWS = [[0.5 + 0.1 * math.cos(i + 2 * j) for j in range(4)] for i in range(4)]


def code(function, *args):
    """The generated text without comments."""
    return "\n".join(line.partition("#")[0] for line in grad(function).source(*args).splitlines())


def warped(x):
    n = len(x)
    d = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            d[i][j] = (x[i - 1] - 0.5 * x[j - 1]) ** 2 + min(d[i - 1][j], d[i][j - 1], d[i - 1][j - 1])
    return d[n][n]


def rows_made_by_appending(x):
    d = []
    for i in range(len(x)):
        row = [1.0] * (i + 1)
        for j in range(i):
            row[j] = math.sin(x[i] * x[j])
        d.append(row)
    for i in range(1, len(x)):
        for j in range(i):
            d[i][j] = d[i][j] * d[i - 1][j] if j < i - 1 else d[i][j]
    return sum(d[len(x) - 1])


def three_deep(x):
    n = len(x)
    cube = [[[0.0] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                before = cube[i - 1][j][k] * cube[i][j - 1][k] if i > 0 and j > 0 else 0.5
                cube[i][j][k] = math.sin(before + x[k])
    return cube[n - 1][n - 1][1]


def eliminated(x):
    """Gaussian elimination on copies of the rows: of the numbers, only the factors are saved."""
    a = [[x[(i + j) % len(x)] + 5.0 * (i == j) for j in range(len(x))] for i in range(len(x))]
    a = [row[:] for row in a]
    b = x[:]
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            m = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= m * a[k][j]
            b[i] -= m * b[k]
    return b[n - 1] / a[n - 1][n - 1]


def rows_from_a_function(x):
    def start(first):
        row = [0.0] * len(x)
        row[0] = first
        return row

    d = [start(x[i]) for i in range(len(x))]
    for i in range(1, len(x)):
        for j in range(1, len(x)):
            d[i][j] = math.sin(d[i - 1][j] + d[i][j - 1]) * d[i - 1][j - 1]
    return d[3][3]


@pytest.mark.parametrize(
    ("function", "saved"),
    [(warped, 0), (rows_made_by_appending, 2), (three_deep, 2), (eliminated, 3)],
)
def test_nothing_is_saved_of_rows(function, saved) -> None:
    check_grads(function, (X,))
    assert code(function, X).count("_saved = []") == saved


def propagated(x):
    """A vector that each step makes anew."""
    v = [1.0] * len(x)
    for _ in range(3):
        new = []
        for i in range(len(x)):
            s = 0.0
            for j in range(len(x)):
                s += x[j] * v[i] * v[j]
            new.append(math.sin(s))
        v = new
    return v[0]


def propagated_while(x):
    v = x[:]
    k = 0
    while k < 3:
        w = [0.0] * len(x)
        for i in range(1, len(x)):
            w[i] = w[i - 1] + v[i] * v[i - 1]
        v = w
        k += 1
    return v[2] * v[3]


@pytest.mark.parametrize("function", [propagated, propagated_while])
def test_of_a_list_that_a_trip_finds_the_list_is_saved(function) -> None:
    check_grads(function, (X,))
    text = code(function, X)
    assert "v_saved.append(v)" in text
    assert "v_i_saved" not in text
    assert text.count("_bar_saved = []") == 1  # what a trip hands on is what the next finds


# --- what is written again, or is one row under two names --------------------------------------------------------------------


def one_row_twice(x):
    row = [x[0]] * 4
    d = [row, row, x[:], row]
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[1][1] + d[2][3] * d[3][2]


def multiplied_rows(x):
    d = [[x[0]] * 4] * 4
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1] + 0.1 * x[j]
    return d[1][1] + d[2][3]


def rows_change_places(x):
    d = [[x[i] * x[j] for j in range(4)] for i in range(4)]
    for i in range(1, 4):
        d[i - 1], d[i] = d[i], d[i - 1]
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[3][3] * d[0][1]


def row_is_replaced(x):
    d = [[x[i] * x[j] for j in range(4)] for i in range(4)]
    for i in range(1, 4):
        d[i] = d[i - 1]
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[3][3] * d[0][1]


def row_under_another_name(x):
    d = [[x[i] * x[j] for j in range(4)] for i in range(4)]
    first = d[0]
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
            first[j] = math.sin(first[j]) * d[i][j]
    return d[3][3] * d[0][1]


def row_kept_outside(x):
    kept = []
    d = []
    for i in range(4):
        row = [x[i]] * 4
        d.append(row)
        kept.append(row)
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
            kept[i - 1][j] = kept[i][j] * kept[i - 1][j - 1]
    return d[3][3] * d[0][1]


def row_appended_twice(x):
    d = []
    for i in range(2):
        row = [x[i]] * 4
        d.append(row)
        d.append(row)
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[3][3] * d[0][1]


def row_made_once_for_all_trips(x):
    d = []
    row = [x[0]] * 4
    for _ in range(4):
        d.append(row)
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[3][3] * d[0][1]


def rows_of_a_function_are_one(x):
    def rows(a):
        row = [a] * 4
        return [row, row[:], row, row]

    d = rows(x[0])
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[2][2] * d[0][1]


def function_keeps_what_it_gives(x):
    kept = []

    def start(a):
        row = [a] * 4
        kept.append(row)
        return row

    d = [start(x[i]) for i in range(4)]
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
            kept[i - 1][j] *= d[i][j]
    return d[2][2] * d[0][1]


def function_gives_what_it_is_given(x):
    def start(a, row):
        return row if a > 1 else [a] * 4

    row = [x[1]] * 4
    d = [start(x[i], row) for i in range(4)]
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[2][2] * d[0][1]


def function_remembers(x):
    memo = {}

    def start(a):
        if 0 not in memo:
            memo[0] = [a] * 4
        return memo[0]

    d = [start(x[i]) for i in range(4)]
    for i in range(1, 4):
        for j in range(1, 4):
            d[i][j] = d[i - 1][j] * d[i][j - 1]
    return d[2][2] * d[0][1]


def from_below(x):
    d = [[x[i] * x[j] for j in range(4)] for i in range(4)]
    for i in range(3):
        for j in range(3):
            d[i][j] = d[i + 1][j] * d[i][j + 1]
            d[i + 1][j + 1] = d[i][j] * d[i + 1][j + 1]
    return d[2][2] * d[0][1]


def old_list_is_changed(x):
    v = x[:]
    for k in range(3):
        w = [0.0] * 4
        for i in range(1, 4):
            w[i] = v[i] * v[i - 1]
            v[i] = w[i] * v[0] + w[i - 1]
        if k != 1:
            v = w
    return v[2] * v[3]


def list_before_last(x):
    u, v = x[:], x[:]
    for _ in range(3):
        w = [0.0] * 4
        for i in range(1, 4):
            w[i] = v[i] * u[i - 1]
            u[i] = math.sin(u[i] * v[i])
        u, v = v, w
    return u[2] * v[3]


def appended_to_what_was_found(x):
    v = x[:]
    for _ in range(3):
        w = v
        for i in range(1, 4):
            w.append(v[i] * v[i - 1])
            w[i] = w[-1] * v[0]
        v = w
    return v[2] * v[-1]


@pytest.mark.parametrize(
    "function",
    [
        one_row_twice,
        multiplied_rows,
        rows_change_places,
        row_is_replaced,
        row_under_another_name,
        row_kept_outside,
        row_appended_twice,
        row_made_once_for_all_trips,
        rows_from_a_function,
        rows_of_a_function_are_one,
        function_keeps_what_it_gives,
        function_gives_what_it_is_given,
        function_remembers,
        from_below,
        old_list_is_changed,
        list_before_last,
        appended_to_what_was_found,
    ],
)
def test_what_is_written_again_is_as_it_was(function) -> None:
    check_grads(function, (X,))


# --- what is done besides ----------------------------------------------------------------------------------------------------


class WrongInput(Exception):
    pass


def checked(x):
    if not x:
        raise WrongInput("no numbers")
    if x[0] < 0:
        raise ValueError(f"{x[0]} is negative")
    h = [a * a for a in x]
    total = 0.0
    for i in range(1, len(x)):
        total += x[i] * h[i] * h[i - 1]
    return total


def timed(x):
    start = time.perf_counter()
    h = [a * a for a in x]
    total = 0.0
    for i in range(1, len(x)):
        total += h[i] * h[i - 1]
    return total if time.perf_counter() >= start else 0.0


def test_exceptions_and_clocks_change_no_lists() -> None:
    check_grads(checked, (X,))
    assert "_saved = []" not in code(checked, X)
    check_grads(timed, (X,))
    assert "h_i_saved" not in code(timed, X)


def test_what_is_given_to_something_unknown_may_be_changed_by_it() -> None:
    def reordered(x):
        h = [a * a for a in x]
        counts = [3.0, 1.0, 2.0, 0.5]
        total = 0.0
        for i in range(1, len(x)):
            total += h[i] * h[i - 1] * counts[i]
            random.Random(i).shuffle(counts)
        return total

    check_grads(reordered, (X,))


def smoothed(rows):
    for i in range(1, len(rows)):
        for j in range(1, len(rows)):
            rows[i][j] = math.sin(rows[i - 1][j]) * rows[i][j - 1]
    return rows[2][3] * rows[3][3]


def test_rows_of_the_caller_may_be_one_list() -> None:
    check_grads(smoothed, (ROWS,))

    def with_one_row(x):
        row = [x, 0.5 * x, x * x, 0.1 + x]
        return smoothed([row, row, [x] * 4, row])

    check_grads(with_one_row, (0.7,))


def test_products_are_added_without_a_name_between() -> None:
    def product(rows, v):
        total = 0.0
        for i in range(len(v)):
            s = 0.0
            for j in range(len(v)):
                s += rows[i][j] * v[j]
            total += s * s
        return total

    text = grad(product, argnums=(0, 1)).source(ROWS, X)
    assert "rows_bar[i][j] += s_bar * v[j]" in text
    assert "v_bar[j] += s_bar * rows[i][j]" in text
    check_grads(product, (ROWS, X), argnums=(0, 1))
