"""Effects that stand at no call of their own: in the condition of a loop, in what a class does by itself."""

import numpy as np

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def multiply(values, x):
    values[0] *= x
    return values[0]


class Newton:
    def __init__(self, a):
        self.x = 1.0
        self.a = a

    def step(self):
        d = (self.x**2 - self.a) / (2 * self.x)
        self.x -= d
        return abs(d) > 1e-12

    @property
    def more(self):
        self.x = self.x * self.a
        return self.x < 5


# -- conditions of loops ------------------------------------------------------------------------------------------------


def while_a_step_goes_on(x):
    iteration = Newton(x)
    while iteration.step():
        pass
    return iteration.x


add(while_a_step_goes_on, 1.3, derivative=lambda x: 0.5 / x**0.5)


def while_a_property_changes_the_object(x):
    iteration = Newton(x)
    while iteration.more:
        pass
    return iteration.x


add(while_a_property_changes_the_object, 1.3)


def while_a_list_is_changed(x):
    values = [x]
    trips = 0
    while multiply(values, x) < 5:
        trips += 1
    return values[0] * trips


add(while_a_list_is_changed, 1.3)


def while_a_variable_is_changed(x):
    total = x

    def tick():
        nonlocal total
        total *= x
        return total

    while tick() < 5:
        pass
    return total


add(while_a_variable_is_changed, 1.3)


def while_setdefault(x):
    table = {"a": x}
    while table.setdefault("b", x * x) > 5:
        pass
    return sum(table.values())


add(while_setdefault, 1.3)


def while_pop(x):
    values = [x, 2 * x, 3 * x, x]
    while values.pop() != 3 * x:
        pass
    return sum(values) * x


add(while_pop, 1.3)


def while_appended(x):
    values = [x]
    while values.append(x * values[-1]) or values[-1] < 5:
        pass
    return sum(values)


add(while_appended, 1.3)


def while_any_in_a_loop_of_its_own(x):
    values = [x]
    while any(multiply(values, x) < 4 for _ in range(2)):
        pass
    return values[0]


add(while_any_in_a_loop_of_its_own, 1.3)


def while_in_another_loop_and_with_exits(x):
    values = [x]
    total = 0.0
    for k in range(3):
        while multiply(values, x) < 3 + k:
            total += values[0]
            if total > 20:
                return total
        else:
            total *= x
        while k and multiply(values, 2 * x) < 50 * k:
            if values[0] > 30:
                break
            if values[0] > 10:
                continue
            total += values[0]
    return total + values[0]


add(while_in_another_loop_and_with_exits, 1.3)


def grow(values, x):
    trips = 0
    while multiply(values, x) < 5:
        trips += 1
    return trips


def while_in_a_helper(x):
    values = [x]
    return grow(values, x) * values[0]


add(while_in_a_helper, 1.3)


def while_an_array_is_needed_as_it_was(x):
    weights = np.array([1.0, 2.0])
    total = 0.0

    def next_weight():
        weights[:] += 1.0
        return weights[0]

    while next_weight() < 5:
        total += (x * weights).sum() * x
    return total + weights[0] * x


add(while_an_array_is_needed_as_it_was, 1.3, derivative=lambda x: 2 * x * 21 + 5)
