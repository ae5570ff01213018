"""Containers outside of the function, changed by it and by those that it calls: globals, closures, attributes of objects.

Each program leaves them as it found them, so that every call begins alike.
"""

import math

from tests.corpus import neighbour
from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)

STACK = []
PAIR = [1.0, 2.0]
TABLE = {"scale": 0.5, "sum": 0.0}
KNOWN = {}


class Meter:
    """Adds up what it is shown."""

    def __init__(self):
        self.total = 0.0
        self.factor = 0.5
        self.seen = []

    def show(self, value):
        self.total = self.total + self.factor * value
        self.seen.append(value)

    def reset(self):
        self.total = 0.0
        self.seen.clear()


METER = Meter()


# A list that several functions use


def push(value):
    STACK.append(value)
    STACK[0] = STACK[0] * value


def top():
    return STACK[-1]


def pushed_on_a_global_list(x):
    push(x)
    push(math.sin(x))
    result = STACK[0] * top()
    STACK.clear()
    return result


add(pushed_on_a_global_list, 0.7)


def set_first(value):
    PAIR[0] = value


def one_callee_writes_another_reads(x):
    set_first(x * x)
    set_first(first_of_pair() * x)
    result = first_of_pair() * PAIR[1]
    PAIR[0] = 1.0
    return result


def first_of_pair():
    return PAIR[0]


add(one_callee_writes_another_reads, 0.7)


def written_by_itself(x):
    PAIR[0] = x * x
    result = PAIR[0] * PAIR[1] * x
    PAIR[0] = 1.0
    return result


add(written_by_itself, 0.7)


def halve_until_small(x):
    if abs(x) > 0.1:
        STACK.append(x * x)
        halve_until_small(x / 2)
        STACK[0] = STACK[0] + x * STACK[-1]


def changed_in_recursion(x):
    STACK.append(x)
    halve_until_small(x)
    result = STACK[0] + math.fsum(STACK)
    STACK.clear()
    return result


add(changed_in_recursion, 0.7)


# Dicts: a table of numbers, and what is known already


def account(value):
    TABLE["sum"] = TABLE["sum"] + TABLE["scale"] * value
    TABLE["scale"] = TABLE["scale"] * value


def summed_in_a_global_dict(x, y):
    for factor in (x, y, x * y):
        account(factor)
    result = TABLE["sum"]
    TABLE["sum"] = 0.0
    TABLE["scale"] = 0.5
    return result


add(summed_in_a_global_dict, (0.7, 1.2), argnums=(0, 1))


def chain(n, x):
    if n in KNOWN:
        return KNOWN[n]
    result = x if n < 2 else chain(n - 1, x) * chain(n - 2, x) + x
    KNOWN[n] = result
    return result


def remembered_in_a_global_dict(x):
    result = chain(6, x)
    KNOWN.clear()
    return result


add(remembered_in_a_global_dict, 0.7)


# An object


def shown_to_a_global_object(x):
    METER.show(x)
    METER.show(x * x)
    result = METER.total * METER.seen[0]
    METER.reset()
    return result


add(shown_to_a_global_object, 0.7)


# What a closure captured


def make_counter():
    best = [0.0]
    visits = [0]

    def visit(value):
        visits[0] += 1
        best[0] = max(best[0], value) * 1.5

    def run(x):
        visit(x)
        visit(x * x)
        visit(math.exp(x))
        result = best[0] * visits[0]
        best[0] = 0.0
        visits[0] = 0
        return result

    return run


add(make_counter(), 0.7, 1.3, name="captured_by_two_closures")


# A list of another module


def in_a_list_of_another_module(x):
    neighbour.note(x)
    neighbour.note(x * x)
    return neighbour.sum_of_notes() * x


add(in_a_list_of_another_module, 0.7)


def list_of_another_module_by_its_name(x):
    neighbour.note(x * x)
    neighbour.NOTES.append(x)
    return neighbour.sum_of_notes()


add(list_of_another_module_by_its_name, 0.7)
