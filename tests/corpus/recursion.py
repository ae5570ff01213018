"""Nested functions that call themselves, and what they remember between calls."""

import bisect
import math

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)


def remembered_numbers(x, n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        r = x if k < 2 else fib(k - 1) * x + fib(k - 2)
        memo[k] = r
        return r

    return fib(n)


add(remembered_numbers, (1.5, 5), (1.5, 1))


def paths_on_a_grid(costs):
    best = {}

    def cost(i, j):
        if (i, j) not in best:
            here = costs[i][j] ** 2
            if i == 0 and j == 0:
                best[i, j] = here
            elif i == 0:
                best[i, j] = here + cost(i, j - 1)
            elif j == 0:
                best[i, j] = here + cost(i - 1, j)
            else:
                best[i, j] = here + min(cost(i - 1, j), cost(i, j - 1)) * here
        return best[i, j]

    return cost(len(costs) - 1, len(costs[0]) - 1)


add(paths_on_a_grid, at([[1.0, 0.5, 2.0], [0.3, 1.5, 0.7], [1.2, 0.9, 1.1]]))


def bernstein(points, t):
    def point(i, degree):
        if degree == 0:
            return points[i]
        return (1 - t) * point(i, degree - 1) + t * point(i + 1, degree - 1)

    return point(0, len(points) - 1) ** 2


add(bernstein, at([1.0, 2.0, -0.5, 0.3], 0.3), argnums=(0, 1))


def with_a_default(x, n):
    def walk(k, factor=2.0):
        return x * factor if k == 0 else walk(k - 1) + walk(k - 1, factor * x)

    return walk(n)


add(with_a_default, (0.7, 3))


def inside_another(x, n):
    def outer(k, y):
        def inner(m):
            return y * x if m == 0 else inner(m - 1) * y

        return inner(k) if k == 0 else inner(k) + outer(k - 1, y * x)

    return outer(n, x)


add(inside_another, (0.7, 3))


def got_or_computed(x, n):
    memo = {0: 1.0, 1: x}

    def legendre(k):
        known = memo.get(k)
        if known is None:
            known = ((2 * k - 1) * x * legendre(k - 1) - (k - 1) * legendre(k - 2)) / k
            memo[k] = known
        return known

    return legendre(n)


add(got_or_computed, (0.7, 5))


def kept_in_a_list(x, n):
    memo = [None] * (n + 1)

    def step(k):
        if memo[k] is None:
            memo[k] = x if k < 2 else step(k - 1) * step(k - 2) + x
        return memo[k]

    return step(n)


add(kept_in_a_list, (0.7, 5))


def appended_within(tree):
    found = []

    def walk(node):
        for child in node["children"]:
            walk(child)
        found.append(node["value"] ** 2)

    walk(tree)
    return sum(k * v for k, v in enumerate(found))


add(appended_within, at({"value": 1.5, "children": [{"value": 0.5, "children": []}, {"value": 2.0, "children": []}]}))


def in_a_loop(x, n):
    total = 0.0
    for i in range(n):

        def walk(k):
            return x + i if k == 0 else walk(k - 1) * x

        total += walk(i)
    return total


add(in_a_loop, (0.7, 3))


def given_to_others(x, y, n):
    """Functions that are handed to code that calls them as it likes."""

    def scaled(t):
        return t * y

    def product(k):
        return y if k == 0 else k * product(k - 1)

    def sum_of_two(k):
        return scaled(product(k)) + 1

    place = bisect.bisect_left([0, 1, 2, 3], 5.5, key=sum_of_two)
    place += bisect.bisect_left([0, 1, 2, 3], 4.5, key=product)
    return x**place * product(2)


add(given_to_others, (1.5, 2.0, 3), argnums=(0, 1))


def two_that_call_themselves(x, n):
    def up(k):
        return x if k == 0 else math.sin(up(k - 1)) + k

    def down(k):
        return up(k) if k == 0 else down(k - 1) * up(k - 1) * 0.5

    return down(n) + up(n)


add(two_that_call_themselves, (0.7, 3))


def counted_calls(x, n):
    calls = 0.0

    def walk(k):
        nonlocal calls
        calls += x
        return calls if k == 0 else walk(k - 1) * calls

    return walk(n) + calls


add(counted_calls, (0.7, 3))


def each_other(x, n):
    def even(k):
        return x if k == 0 else odd(k - 1) * x

    def odd(k):
        return 1.0 if k == 0 else even(k - 1) + math.sin(x * k)

    return even(n) * odd(n)


add(each_other, (0.7, 4))


def tried_first(x, n):
    memo = {}

    def catalan(k):
        try:
            return memo[k]
        except KeyError:
            total = 1.0 if k == 0 else 0.0
            for i in range(k):
                total += catalan(i) * catalan(k - 1 - i) * x
            memo[k] = total
            return total

    return catalan(n)


add(tried_first, (0.7, 4))


def one_in_each_branch(x, flag):
    if flag:

        def walk(k):
            return x if k == 0 else walk(k - 1) * x
    else:

        def walk(k):
            return 1.0 if k == 0 else walk(k - 1) + x * x

    return walk(3)


add(one_in_each_branch, (0.7, True), (0.7, False))


def handed_on(x, n):
    def tree(k):
        if k == 0:
            return x
        return sum(map(tree, range(k))) * x

    return tree(n)


add(handed_on, (0.7, 3))


def lists_from_below(x, n):
    def powers(k):
        if k == 0:
            return [x]
        below = powers(k - 1)
        return [v * below[-1] for v in below] + [x * k]

    return sum(k * v for k, v in enumerate(powers(n), 1))


add(lists_from_below, (0.7, 3))


def mixed_from_below(x, n):
    """Lists of a list and a number, of which the number is known first."""
    found = []

    def walk(k):
        if k == 0:
            return [x]
        below = walk(k - 1)
        found.append([below, k * x])
        return [v * x for v in below] + [x * k]

    last = walk(n)
    return sum(sum(below) * weight for below, weight in found) * last[0]


add(mixed_from_below, (0.7, 3))
