"""Nested functions that call each other: by name, by way of others, in branches and loops."""

import bisect
import functools
import math

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def three_in_a_circle(x, n):
    def first(k):
        return x if k <= 0 else second(k - 1) * x

    def second(k):
        return 1.0 if k <= 0 else math.sin(third(k - 1)) + x

    def third(k):
        return x * x if k <= 0 else first(k - 1) * second(k - 1)

    return first(n) + third(n)


add(three_in_a_circle, (0.7, 4))


def pair_with_memo(x, n):
    memo = {}

    def even(k):
        if k not in memo:
            memo[k] = x if k == 0 else odd(k - 1) * x
        return memo[k]

    def odd(k):
        return 1.0 if k == 0 else even(k - 1) * even(k - 1) + x

    return even(n) + odd(n)


add(pair_with_memo, (0.7, 4))


def pair_with_defaults(x, n):
    def even(k, factor=2.0):
        return x * factor if k == 0 else odd(k - 1) + odd(k - 1, factor * x)

    def odd(k, factor=x):
        return x if k == 0 else even(k - 1) * even(k - 1, factor * x)

    return even(n) + odd(n, 0.5)


add(pair_with_defaults, (0.7, 3))


def later_variable(x, n):
    def even(k):
        return x if k == 0 else odd(k - 1) * x

    y = x * x

    def odd(k):
        return y if k == 0 else even(k - 1) + y

    z = y * even(n)
    return z * odd(n)


add(later_variable, (0.7, 4))


def pairs_in_turn(x, n):
    def left(k):
        if k == 0:
            return x, 1.0
        a, b = right(k - 1)
        return a * x, b + a

    def right(k):
        if k == 0:
            return x * x, x
        a, b = left(k - 1)
        return b, a * b

    a, b = left(n)
    c, d = right(n)
    return a * d + b * c


add(pairs_in_turn, (0.7, 4))


def lists_in_turn(x, n):
    def left(k):
        if k == 0:
            return [x, 1.0]
        return [v * x for v in right(k - 1)]

    def right(k):
        if k == 0:
            return [x * x, 2.0]
        below = left(k - 1)
        return [below[1] * x, below[0] + below[1]]

    a = left(n)
    b = right(n)
    return a[0] * b[1] + a[1]


add(lists_in_turn, (0.7, 3))


def records_of_dicts(x, n):
    def make(k):
        if k == 0:
            return {"v": x, "w": 1.0}
        below = other(k - 1)
        return {"v": below["v"] * x, "w": below["w"] + below["v"]}

    def other(k):
        if k == 0:
            return {"v": 1.0, "w": x}
        below = make(k - 1)
        return {"v": below["w"], "w": below["v"] * below["w"]}

    a = make(n)
    return a["v"] * a["w"]


add(records_of_dicts, (0.7, 4))


def chosen_by_index(x, n):
    def one(k):
        return x if k == 0 else one(k - 1) * x + k

    def two(k):
        return x * x if k == 0 else two(k - 1) + math.sin(x)

    functions = [one, two]
    return sum(functions[i % 2](i) for i in range(n))


add(chosen_by_index, (0.7, 4))


def chosen_inside(x, n):
    def one(k):
        step = one if k % 2 else two
        return x if k <= 0 else step(k - 1) * x

    def two(k):
        step = two if k % 3 else one
        return x * x if k <= 0 else step(k - 1) + x

    return one(n) + two(n)


add(chosen_inside, (0.7, 4))


def in_one_branch(x, n):
    if n > 2:

        def walk(k):
            return x if k == 0 else walk(k - 1) * x

        return walk(n)
    return x * x


add(in_one_branch, (0.7, 4), (0.7, 1))


def pair_in_a_loop(x, n):
    total = 0.0
    for i in range(n):

        def even(k):
            return x + i if k == 0 else odd(k - 1) * x

        def odd(k):
            return 1.0 + i * x if k == 0 else even(k - 1) + x

        total += even(i) * odd(i)
    return total


add(pair_in_a_loop, (0.7, 3))


def defaults_in_a_loop(x, n):
    total = 0.0
    for i in range(n):

        def walk(k, start=x * i):
            return start if k == 0 else walk(k - 1) * x + 1

        total += walk(i)
    return total


add(defaults_in_a_loop, (0.7, 3))


def after_the_loop(x, n):
    for i in range(n):

        def walk(k):
            return x + i if k == 0 else walk(k - 1) * x

    return walk(2)


add(after_the_loop, (0.7, 3))


def two_lambdas(x, n):
    even = lambda k: x if k == 0 else odd(k - 1) * x
    odd = lambda k: 1.0 if k == 0 else even(k - 1) + math.sin(x * k)
    return even(n) * odd(n)


add(two_lambdas, (0.7, 4))


def inner_pair(x, n):
    def outer(k, y):
        def even(m):
            return y if m == 0 else odd(m - 1) * x

        def odd(m):
            return x if m == 0 else even(m - 1) + y

        return even(k) if k == 0 else odd(k) * outer(k - 1, y * x)

    return outer(n, x)


add(inner_pair, (0.7, 3))


def pair_that_counts(x, n):
    calls = 0.0

    def even(k):
        nonlocal calls
        calls += x
        return calls if k == 0 else odd(k - 1) * calls

    def odd(k):
        nonlocal calls
        calls = calls * x + 1.0
        return x if k == 0 else even(k - 1) + calls

    return even(n) + calls


add(pair_that_counts, (0.7, 3))


def given_as_argument(x, n):
    def walk(again, k):
        return x if k == 0 else again(again, k - 1) * x

    return walk(walk, n)


add(given_as_argument, (0.7, 4))


def through_sum(x, n):
    def tree(k):
        return x if k == 0 else sum(tree(i) for i in range(k)) * x

    return tree(n)


add(through_sum, (0.7, 3))


def through_comprehension(x, n):
    def tree(k):
        if k == 0:
            return x
        parts = [tree(i) * (i + 1) for i in range(k)]
        return parts[-1] * x + parts[0]

    return tree(n)


add(through_comprehension, (0.7, 3))


def through_reduce(x, n):
    def tree(k):
        if k == 0:
            return x
        return functools.reduce(lambda a, b: a * tree(b) + x, range(k), 1.0)

    return tree(n)


add(through_reduce, (0.7, 3))


def through_sorted_and_active(x, n):
    def walk(k):
        return x if k == 0 else walk(k - 1) * x

    def size(k):
        return 1 if k == 0 else size(k - 1) + 2

    order = sorted(range(n), key=lambda k: -size(k))
    return sum(walk(k) * (i + 1) for i, k in enumerate(order))


add(through_sorted_and_active, (0.7, 4))


def through_any(x, n):
    def has(k):
        return k == 0 or any(has(i) for i in range(k - 1))

    def walk(k):
        return x if not has(k) else (x * x if k == 0 else walk(k - 1) * x)

    return walk(n)


add(through_any, (0.7, 3))


def pairs_from_below(x, n):
    def both(k):
        if k == 0:
            return x, 1.0
        a, b = both(k - 1)
        return a * x + b, a - b * x

    a, b = both(n)
    return a * b


add(pairs_from_below, (0.7, 4))


def pair_through_map(x, n):
    def tree(k):
        return x if k == 0 else sum(map(leaf, range(k))) * x

    def leaf(k):
        return x * x if k == 0 else tree(k - 1) + x

    return tree(n)


add(pair_through_map, (0.7, 3))


def pair_to_others(x, y, n):
    def even(k):
        return 1 if k == 0 else odd(k - 1) + y

    def odd(k):
        return 2 if k == 0 else even(k - 1) * 2

    place = bisect.bisect_left([0, 1, 2, 3], 2.5, key=even)
    place += bisect.bisect_left([0, 1, 2, 3], 3.5, key=odd)
    return x**place * even(2)


add(pair_to_others, (1.5, 1.0, 3), argnums=(0, 1))


def pair_with_defaults_to_others(x, y, n):
    def even(k, one=y):
        return one if k == 0 else odd(k - 1) + y

    def odd(k, *, two=2 * y):
        return two if k == 0 else even(k - 1) * 2

    place = bisect.bisect_left([0, 1, 2, 3], 2.5, key=even)
    place += bisect.bisect_left([0, 1, 2, 3], 3.5, key=odd)
    return x**place * even(2)


add(pair_with_defaults_to_others, (1.5, 1.0, 3), argnums=(0, 1))


def three_to_others(x, n):
    total = x
    for i in range(n):

        def first(k):
            return i if k == 0 else second(k - 1)

        def second(k):
            return k if k == 0 else third(k - 1) + 1

        def third(k):
            return first(k) + third(k - 1) if k > 0 else i

        total = total * x + bisect.bisect_left([0, 1, 2, 3], 2.5, key=first)
    return total


add(three_to_others, (1.5, 3))


def loop_to_others(x, n):
    total = x
    for i in range(n):

        def product(k):
            return i if k == 0 else k * product(k - 1) + 1

        total = total * x + bisect.bisect_left([0, 1, 2, 3], 2.5, key=product)
    return total


add(loop_to_others, (1.5, 3))


def pair_in_each_branch(x, flag):
    if flag:

        def even(k):
            return x if k == 0 else odd(k - 1) * x

        def odd(k):
            return x * x if k == 0 else even(k - 1) + x
    else:

        def even(k):
            return 1.0 if k == 0 else odd(k - 1) + x * x

        def odd(k):
            return x if k == 0 else even(k - 1) * even(k - 1)

    return even(3) * odd(2)


add(pair_in_each_branch, (0.7, True), (0.7, False))


def left_early(x, flag):
    if flag:

        def walk(k):
            return x if k == 0 else walk(k - 1) * x

        return walk(3)

    def walk(k):
        return 1.0 if k == 0 else walk(k - 1) + x * x

    return walk(2) * x


add(left_early, (0.7, True), (0.7, False))


def even_of(y, k):
    return y if k == 0 else odd_of(y * y, k - 1) + 1.0


def odd_of(y, k):
    return 1.0 if k == 0 else math.sin(even_of(y + 1.0, k - 1)) * y


def pair_of_the_module(x, n):
    return even_of(x, n) + odd_of(x * x, n)


add(pair_of_the_module, (0.7, 4))


def lists_that_grow(x, n):
    def evens(k):
        if k == 0:
            return [x, 1.0]
        below = odds(k - 1)
        below.append(below[0] * x)
        return below

    def odds(k):
        if k == 0:
            return [x * x]
        return [v * x for v in evens(k - 1)]

    return sum(k * v for k, v in enumerate(evens(n), 1)) * odds(n)[-1]


add(lists_that_grow, (0.7, 3))


def rows(y, k):
    return [y] if k == 0 else [v * y for v in columns(y, k - 1)] + [y * k]


def columns(y, k):
    return [y * y] if k == 0 else [v + u * y for v, u in zip(rows(y, k - 1), rows(y + 1.0, k - 1))]


def lists_of_the_module(x, n):
    return sum(k * v for k, v in enumerate(rows(x, n), 1))


add(lists_of_the_module, (0.7, 3))


def through_a_dict(x, n):
    def double(k):
        return x if k == 0 else table["square"](k - 1) * 2.0

    def square(k):
        return 1.0 + x if k == 0 else table["double"](k - 1) ** 2

    table = {"double": double, "square": square}
    return table["double"](n) + table["square"](n)


add(through_a_dict, (0.7, 3))


def first_of_two(z, x, k):
    return z if k == 0 else functools.partial(second_of_two, z * x)(x, k - 1) + x


def second_of_two(z, x, k):
    return x if k == 0 else functools.partial(first_of_two, z + x)(x, k - 1) * z


def through_partial(x, n):
    return first_of_two(x * x, x, n) * x


add(through_partial, (0.7, 4))


def expression(tokens, x, at):
    value, at = product(tokens, x, at)
    while at < len(tokens) and tokens[at] == "+":
        other, at = product(tokens, x, at + 1)
        value = value + other
    return value, at


def product(tokens, x, at):
    value, at = factor(tokens, x, at)
    while at < len(tokens) and tokens[at] == "*":
        other, at = factor(tokens, x, at + 1)
        value = value * other
    return value, at


def factor(tokens, x, at):
    if tokens[at] == "(":
        value, at = expression(tokens, x, at + 1)
        return value, at + 1
    return (x if tokens[at] == "x" else float(tokens[at])), at + 1


def calculator(x, tokens):
    value, _ = expression(tokens, x, 0)
    return value


add(calculator, (0.7, "(x+2)*x*(x+(x*x))"))
