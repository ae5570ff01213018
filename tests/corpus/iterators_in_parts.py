"""Iterators that are read in several places, or in a loop that does not make them: each reader goes on where the last one was."""

import itertools

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)


def header_then_rest(xs):
    numbers = iter(xs)
    first = next(numbers)
    second = next(numbers, 1.0)
    return first * sum(numbers) * second


add(header_then_rest, [1.5, -2.0, 3.0, 0.5], [2.0])


def two_at_a_time(x, xs):
    numbers = iter(xs)
    total = 0.0
    for a in numbers:
        b = next(numbers, x)
        total += a * b * total + a / b
    return total


add(two_at_a_time, at(0.5, [1.5, -2.0, 3.0, 0.5, 0.7]), at(0.5, [1.5, -2.0]), argnums=(0, 1))


def stopped_and_gone_on(x, xs):
    scaled = map(lambda v: v * x, xs)
    total = 0.0
    for v in scaled:
        if v > 1.0:
            total *= v
            break
        total += v * v
    for v in scaled:
        total = total * x + v
    return total + sum(scaled)


add(stopped_and_gone_on, at(0.5, [1.5, -2.0, 3.0, 0.5, 0.7]), at(0.5, [0.1, 0.2]), argnums=(0, 1))


def in_a_while_loop(x, xs):
    values = (v + x for v in xs if v > 0)
    total = x
    while True:
        v = next(values, None)
        if v is None:
            break
        total = total * v + x
    return total


add(in_a_while_loop, at(0.5, [1.5, -2.0, 3.0, 0.5]), argnums=(0, 1))


def taken_by_rows(x, xs, n):
    values = iter([v * x for v in xs])
    rows = [[next(values) for _ in range(n)] for _ in range(n)]
    return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0] + len(list(values))


add(taken_by_rows, at(0.5, [1.5, -2.0, 3.0, 0.5, 9.0], 2), argnums=(0, 1))


def stops(x, xs):
    values = (v * x for v in xs)
    total = 0.0
    try:
        while total < 100.0:
            total += next(values) * x
    except StopIteration:
        total *= 2.0
    return total


add(stops, at(0.5, [1.5, -2.0, 3.0]), limit="a list of active numbers that is taken from inside `try`")


def in_branches(x, xs, flag):
    pairs = itertools.pairwise(xs)
    if flag:
        a, b = next(pairs)
        total = a * b * x
    else:
        total = x
    for a, b in pairs:
        total += a * a * b
    return total


add(in_branches, at(0.5, [1.5, -2.0, 3.0], True), at(0.5, [1.5, -2.0, 3.0], False), argnums=(0, 1))


def running(x, xs):
    sums = itertools.accumulate(xs)
    start = next(sums)
    return sum(s * start for s in sums) * x


add(running, at(0.5, [1.5, -2.0, 3.0]), argnums=(0, 1))


def merged(xs, ys):
    left, right = iter(xs), iter(ys)
    total, weight = 0.0, 1.0
    a, b = next(left, None), next(right, None)
    while a is not None or b is not None:
        if b is None or (a is not None and a <= b):
            total += weight * a
            a = next(left, None)
        else:
            total += weight * b * b
            b = next(right, None)
        weight *= 0.5
    return total


add(merged, at([1.5, 2.0, 3.0], [0.5, 2.5]), argnums=(0, 1))


def ones_in_each_trip(x, n):
    total = 0.0
    for k in range(1, n):
        powers = (x * j + k for j in range(k))
        first = next(powers)
        for p in powers:
            total += p * first * k
    return total


add(ones_in_each_trip, (0.5, 4))


def every_other(x, d):
    items = iter(d.values())
    total = next(items) * x
    for v in items:
        total *= v
        total += next(items, x)
    return total


add(every_other, at(0.5, {"a": 1.5, "b": 2.0, "c": 0.7}), argnums=(0, 1))


def bound_late(x, xs):
    factor = 1.0
    scaled = map(lambda v: v * factor, xs)
    first = next(scaled)
    factor = x
    return first + sum(scaled)


add(bound_late, at(0.5, [1.5, 2.0, 0.7]), limit="elements that are computed with what a variable holds later")


def bound_late_in_an_expression(x, xs):
    factor = 1.0
    scaled = (v * factor for v in xs)
    first = next(scaled)
    factor = x
    return first + sum(scaled)


add(bound_late_in_an_expression, at(0.5, [1.5, 2.0, 0.7]), limit="elements that are computed with what a variable holds later")


def changed_meanwhile(x, xs):
    ys = [x, x * x]
    values = iter(ys)
    first = next(values)
    ys.append(first * 3.0)
    ys[1] = first
    return first + sum(values)


add(changed_meanwhile, at(0.5, [1.5, 2.0, 0.7]), limit="a list that changes while its iterator is read")


def changed_by_helper(x, xs):
    ys = [x, x * x]
    values = (y * x for y in ys)
    total = 0.0
    for v in values:
        grow(ys, v)
        total += v
        if total > 3.0:
            break
    return total * next(values)


def grow(ys, v):
    ys.append(v)


add(changed_by_helper, at(0.9, [1.5, 2.0, 0.7]), limit="a list that changes while its iterator is read")


def raising(x, xs):
    values = (x / v for v in xs)
    return next(values) * next(values)


add(raising, at(0.9, [1.5, 2.0, 0.0]), limit="elements that must not be computed too early")


def printing(x, xs):
    values = map(lambda v: print(end="") or v * x, xs)
    return next(values) * next(values)


add(printing, at(0.9, [1.5, 2.0, 0.0]), limit="elements that must not be computed too early")
