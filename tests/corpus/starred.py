"""Starred arguments of calls, whose number is known or not."""

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)


def weighted(*values):
    total = 0.0
    for k, value in enumerate(values):
        total += value * value * k
    return total / len(values) if values else 0.0


def scaled(factor, *values):
    return factor * sum(values)


def product(a, b):
    return a * b * b


def optional(a, b=2.0, *, c=1.0):
    return a * b + c


def list_of_any_length(x, n):
    values = [x * k for k in range(n)]
    return weighted(*values) + x


add(list_of_any_length, at(1.5, 4), at(1.5, 1), at(1.5, 0))


def given_list(x, xs):
    return scaled(x, *xs) + weighted(*xs) * x + weighted(*[v * x for v in xs])


add(given_list, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def nested_function(x, xs):
    def inner(*values):
        total = 1.0
        for value in values:
            total *= value * x
        return total

    return inner(*[v * x for v in xs]) + inner(*map(lambda v: v + x, xs))


add(nested_function, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def displays(x):
    pair = [x, 2.0 * x]
    named = {"a": x, "b": x * x}
    return product(*pair) + product(**named) + weighted(*[x, 1.0], x) + optional(x, **{"c": x}) + optional(*(x,), **{"b": x})


add(displays, 1.5)


def pairs_of_a_list(x):
    points = [(x * k, 1.0 + k) for k in range(3)]
    rows = [[x, 1.0], [2.0, x]]
    return sum(product(*point) for point in points) + sum(a * b for a, b in zip(*rows))


add(pairs_of_a_list, 1.5)


def changed_by_the_callee(*values):
    last = values[-1]
    return last * values[0] * len(values)


def the_list_is_copied(x):
    values = [x * k for k in range(1, 4)]
    first = changed_by_the_callee(*values)
    values[0] = 7.0
    return first + values[0] * x


add(the_list_is_copied, 1.5)
