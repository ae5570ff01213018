"""Effects that stand at no call of their own: in the condition of a loop, in what a class does by itself."""

import math

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


# -- iteration over objects ------------------------------------------------------------------------------------------------


class Powers:
    def __init__(self, x, count):
        self.x = self.y = x
        self.count = count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        self.y *= self.x
        return self.y


class Held:
    def __init__(self, x):
        self.powers = Powers(x, 2)

    def __iter__(self):
        return self.powers


class Long:
    def __init__(self, x):
        self.x = x
        self.k = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.k += 1
        if self.k > 4:
            raise StopIteration()
        elif self.k == 2:
            self.x *= 3
        else:
            self.x *= self.x
        for i in range(2):
            self.x += i
        return [self.k, self.x]


def loop_for_its_effect(x):
    powers = Powers(x, 3)
    for _ in powers:
        pass
    return powers.y


add(loop_for_its_effect, 1.3, derivative=lambda x: 4 * x**3)


def loop_over_what_iter_gives(x):
    held = Held(x)
    total = 0.0
    for y in held:
        total += y * x
    return total * held.powers.y


add(loop_over_what_iter_gives, 1.3)


def loop_over_steps_with_branches(x):
    steps = Long(x)
    total = 0.0
    for k, y in steps:
        total += k * y * x
    else:
        total *= x
    return total + steps.x


add(loop_over_steps_with_branches, 0.7)


def loop_that_breaks(x):
    powers = Powers(x, 30)
    total = 0.0
    for y in powers:
        if y > 4:
            break
        total += y
    return total * powers.y


add(loop_that_breaks, 1.3)


def unpacked_object(x):
    powers = Powers(x, 3)
    a, b, c = powers
    return powers.y * a + b * c


add(unpacked_object, 1.3, derivative=lambda x: 6 * x**5 + 7 * x**6)


def comprehension_over_an_object(x):
    return sum([y * y for y in Powers(x, 3)]) + sum(Powers(x, 2))


add(comprehension_over_an_object, 1.3)


def steps_one_by_one(x):
    powers = Powers(x, 3)
    next(powers)
    next(iter(powers))
    return powers.y


add(steps_one_by_one, 1.3, derivative=lambda x: 3 * x**2)


class Polynomial:
    """Its coefficients are its elements."""

    def __init__(self, coefficients):
        self.coefficients = list(coefficients)

    def __iter__(self):
        return iter(self.coefficients)

    def __call__(self, x):
        return sum(c * x**k for k, c in enumerate(self))

    def __mul__(self, other):
        product = [0.0] * (len(self.coefficients) + len(other.coefficients) - 1)
        for i, a in enumerate(self):
            for j, b in enumerate(other):
                product[i + j] += a * b
        return Polynomial(product)


def polynomials(x):
    one = Polynomial([x, 1.0, 2.0 * x])
    both = one * one
    return both(x) * one(0.5) + max(both) - min(one) + sum(map(math.sin, one))


add(polynomials, 0.7)


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __iter__(self):
        return iter((self.x, self.y))

    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self, other)])


def sum_of_vectors(x):
    total = sum([Vector(x, 2.0), Vector(x * x, x)], Vector(1.0, x))
    a, b = total
    *_, last = total
    return a * b + math.hypot(*total) + sum(v * k for k, v in enumerate(total, 1)) * last


add(sum_of_vectors, 0.7)


class Doubled:
    """What it goes over is computed when that begins."""

    def __init__(self, values):
        self.values = values
        self.times = 0

    def __iter__(self):
        self.times += 1
        doubled = [2 * v * self.times for v in self.values]
        return iter(doubled)


def computed_when_a_loop_begins(x):
    doubled = Doubled([x, x * x])
    total = 0.0
    for v in doubled:
        total = total * x + v
        doubled.values[0] = 5.0
    for v in doubled:
        if v > 30:
            break
        total += v
    else:
        total *= 3
    return total * doubled.times


add(computed_when_a_loop_begins, 0.7, 3.0)


class Table:
    def __init__(self, x):
        self.rows = {"a": x, "bb": x * x}

    def __iter__(self):
        return iter(self.rows.items())


class Backwards:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return reversed(self.values)


class Pairs(Backwards):
    def __iter__(self):
        return zip(self.values, self.values[1:])


class Scaled(Backwards):
    def __iter__(self):
        return (2 * v for v in self.values)


class Handing(Backwards):
    def __iter__(self):
        return self.values.__iter__()


def views_and_iterators(x):
    total = 0.0
    for name, v in Table(x):
        total = total * x + v * len(name)
    for v in Backwards([x, 3.0 * x, x * x]):
        total = total * x + v
    for a, b in Pairs([x, 3.0 * x, x * x]):
        total += a * b
    for v in Scaled([x, 2.0]):
        total = total * x + v
    return total + sum(Handing([x, x**3]))


add(views_and_iterators, 0.7)


def longer_while_it_is_gone_over(x):
    values = [x]
    total = 0.0
    for v in Handing(values):
        if len(values) < 4:
            values.append(v * x)
        total = total + v
    return total


add(longer_while_it_is_gone_over, 0.7, derivative=lambda x: 1 + 2 * x + 3 * x**2 + 4 * x**3)


# -- tests, comparisons and conversions ----------------------------------------------------------------------------------------


class Counted:
    """Each question is noted, by a factor of its own."""

    def __init__(self, x):
        self.x = x

    def __bool__(self):
        self.x *= 2
        return True

    def __eq__(self, other):
        self.x *= 3
        return True

    def __hash__(self):
        self.x *= 5
        return 1

    def __str__(self):
        self.x *= 7
        return "counted"

    def __lt__(self, other):
        self.x *= 11
        return True

    def __contains__(self, other):
        self.x *= 13
        return True


class Sized:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        self.x *= 2
        return 3


def questions_of_truth(x, some):
    o = Counted(x)
    maybe = o if some else None
    if o:
        pass
    if not o:
        return x
    y = o or 3
    while y is None:
        pass
    z = 1.0 if o else 2.0
    assert o
    if maybe:
        z += 1.0
    return o.x * o.x * z


add(questions_of_truth, (1.3, True), derivative=lambda x, some: 2 * x * 2**12 * 2)


def test_by_length(x):
    o = Sized(x)
    trips = 0
    while o and trips < 2:
        trips += 1
    return o.x * bool(o)


add(test_by_length, 1.3, derivative=lambda x: 8.0)


def questions_of_an_object(x):
    o = Counted(x)
    o == 3
    o != 3
    hash(o)
    str(o)
    Counted(2.0) > o
    3 in o
    return o.x * o.x


add(questions_of_an_object, 1.3, derivative=lambda x: 2 * x * (3 * 3 * 5 * 7 * 11 * 13) ** 2)
