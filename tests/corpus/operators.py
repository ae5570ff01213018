"""Operators of users' classes: of named tuples, of classes derived from one another, which of two operands is asked."""

import functools
import operator
from typing import NamedTuple

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


class Point(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __abs__(self):
        return (self @ self) ** 0.5

    def __eq__(self, other):
        return self.x == other.x

    def __lt__(self, other):
        return self.y < other.y

    def __contains__(self, number):
        return self.x < number < self.y

    def __call__(self, t):
        return self.x * t + self.y

    def __sub__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return Point(self.x - other.x, self.y - other.y)

    def __radd__(self, number):
        return Point(number + self.x, self.y)


class Shifted(Point):
    def __rsub__(self, other):
        return Point(other.x * self.x, 5.0)


ORIGIN = Point(0.5, 2.0)

# --- Named tuples -----------------------------------------------------------------------------------------------------


def sum_of_points(x):
    p = Point(x, 2.0) + Point(x * x, x)
    return p.x * p.y


add(sum_of_points, 1.3, derivative=lambda x: (1 + 2 * x) * (2 + x) + x + x * x)


def scaled_points(x):
    p = 3 * Point(x, x * x) * x
    return p.x * p.y + (-p).y + abs(p) + p @ Point(x, 1.0)


add(scaled_points, 1.3)


def points_updated_in_a_loop(x):
    p = Point(x, 1.0)
    for k in range(5):
        if p.x > 3:
            p *= 0.5
        else:
            p += Point(x, k) * x
    return p @ p


add(points_updated_in_a_loop, 1.3)


def questions_to_points(x):
    total = x
    if Point(x, 1.0) == Point(x, 2.0):
        total *= x
    if Point(x, 1.0) < Point(x - 1, 2.0):
        total += x**3
    if 1.5 in Point(x, 2.0):
        total *= 1 + x
    return total


add(questions_to_points, 1.3)


def point_as_function(x):
    p = Point(x, 3.0)
    return p(x * x) * x + p.__add__(p).x + Point.__mul__(p, x).y


add(point_as_function, 1.3)


def global_point(x):
    return (ORIGIN + Point(x, x)).x * (Point(x, 1.0) + ORIGIN).y * ORIGIN.y


add(global_point, 1.3)


def number_and_point(x):
    return (x + Point(x, 2.0)).x * (2.0 + Point(x, x)).y


add(number_and_point, 1.3)


def reduced_points(x):
    points = [Point(x, 1.0), Point(2.0, x), Point(x, x * x)]
    return functools.reduce(operator.add, points) @ sum(points, Point(0.0, x))


add(reduced_points, 1.3)


def points_in_containers(x):
    points = {"a": Point(x, 1.0), "b": Point(1.0, x)}
    points["a"] += points["b"]
    points["b"] *= x
    ordered = sorted(points.values(), key=lambda p: p.x)
    return ordered[0] @ ordered[1] * ordered[1].x


add(points_in_containers, 1.3)


def points_of_arguments(pair):
    return (pair[0] + pair[1] * 2.0) @ pair[0]


add(points_of_arguments, ((Point(1.3, 0.5), Point(0.2, 2.0)),))


def plain_joins(x):
    """Tuples without operators of their own are joined and repeated."""
    pair = (x, x * x) + (2.0,) * 2
    return pair[1] * pair[3] * len(pair)


add(plain_joins, 1.3)

# --- Which operand is asked -------------------------------------------------------------------------------------------


class Length:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(self.value + other.value)

    def __mul__(self, other):
        return Length(self.value * other) if not isinstance(other, (Length, Height)) else NotImplemented

    def __rmul__(self, other):
        return self * other

    def __radd__(self, other):
        return Length(10.0 * self.value + other)

    def __lt__(self, other):
        return NotImplemented if isinstance(other, Height) else self.value < other.value


class Height:
    def __init__(self, value):
        self.value = value

    def __rmul__(self, other):
        return Length(self.value * self.value * other.value)

    def __gt__(self, other):
        return self.value > 2 * other.value


class Special(Length):
    def __radd__(self, other):
        return Special(100.0 * self.value * other.value)


class Same(Length):
    pass


def derived_class_is_asked_first(x):
    return (Length(x) + Special(x * x)).value


add(derived_class_is_asked_first, 1.3, derivative=lambda x: 300 * x * x)


def derived_class_without_method_of_its_own(x):
    return (Length(x) + Same(x * x)).value


add(derived_class_without_method_of_its_own, 1.3, derivative=lambda x: 1 + 2 * x)


def derived_first(x):
    return (Special(x) + Length(x * x)).value


add(derived_first, 1.3, derivative=lambda x: 1 + 2 * x)


def other_operand_is_asked(x):
    return (Length(x) * Height(3 * x)).value


add(other_operand_is_asked, 1.3, derivative=lambda x: 27 * x * x)


def other_operand_compares(x):
    return x**3 if Length(x) < Height(2.5 * x) else x


add(other_operand_compares, 1.3, derivative=lambda x: 3 * x * x)


def updated_by_other_operand(x):
    length = Length(x)
    length *= Height(2.0)
    length += Special(x)
    return length.value


add(updated_by_other_operand, 1.3, derivative=lambda x: 800 * x)


def derived_named_tuple_is_asked_first(x):
    p = Point(x, 1.0) - Shifted(x * x, 2.0)
    return p.x * p.y


add(derived_named_tuple_is_asked_first, 1.3, derivative=lambda x: 15 * x * x)


class Power:
    def __init__(self, x):
        self.x = x

    def __pow__(self, n):
        return Power(self.x**n)

    def __rpow__(self, base):
        return Power(base * self.x)


def powers_of_objects(x):
    return pow(Power(x), 3).x + (Power(x) ** 2).x + pow(2.0, Power(x * x)).x


add(powers_of_objects, 1.3, derivative=lambda x: 3 * x * x + 6 * x)


# --- Least and greatest of what are no numbers ------------------------------------------------------------------------


class Ranked:
    def __init__(self, rank, value):
        self.rank = rank
        self.value = value

    def __lt__(self, other):
        return self.rank < other.rank

    def __gt__(self, other):
        return self.rank > other.rank

    def __iter__(self):
        return iter((self.rank, self.value))


def least_of_objects(x):
    return min(Ranked(2, x), Ranked(1, x * x)).value * max(Ranked(2, x), Ranked(1, 3 * x), key=lambda one: one.value).value


add(least_of_objects, 1.3, derivative=lambda x: 9 * x * x)


def greatest_of_tuples(x):
    best = (0.0, -1)
    for k in range(6):
        best = max(best, (k * x - k * k * x * x / 4, k))
    return best[0] * best[1] + min((x, "a"), (x * x, "b"))[0] + max([x, 2.0], [x * x, x])[1]


add(greatest_of_tuples, 1.3)


def greatest_list_is_the_list(x):
    low, high = [x], [x * x]
    found = max(low, high)
    found.append(x)
    return sum(high) * len(high) + sum(low)


add(greatest_list_is_the_list, 1.3, derivative=lambda x: 4 * x + 3)

# --- Methods of base classes with starred arguments -------------------------------------------------------------------


class Law:
    def __init__(self, x, k=1.0):
        self.x = x * k

    def energy(self, t, c=0.0):
        return self.x * t + c


class Doubled(Law):
    def __init__(self, x, **options):
        super().__init__(x, **options)

    def energy(self, *args, **options):
        return 2 * super().energy(*args, **options)


class Mapped(Doubled):
    def __init__(self, *args, extra=1.0, **options):
        super().__init__(*args, **options)
        self.extra = extra * self.x

    def energy(self, t):
        energy = super().energy
        return sum(map(energy, [t, 2.0])) + energy(t, c=self.extra)


def starred_to_super(x):
    return Doubled(x, k=2.0).energy(x) + Doubled(x).energy(x, c=x) + Mapped(x, extra=x, k=3.0).energy(x * x)


add(starred_to_super, 1.3)
