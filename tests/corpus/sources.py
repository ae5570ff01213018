# ruff: noqa: E501
"""Item 1: where functions come from."""

import functools
import math
from math import sin as sine
from math import tanh

from tests.corpus import neighbour
from tests.corpus.neighbour import scaled
from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)

#: `neighbour` has globals of the same names and other values.
GAIN = 2.0


def shape(x):
    return math.sin(x) * GAIN


def across_modules(x):
    return scaled(x) + shape(x) * neighbour.GAIN + neighbour.shape(GAIN * x)


add(across_modules, 0.7, -1.2)


def imported_names(x):
    return sine(x) * tanh(x) + neighbour.nested.deeper(x)


add(imported_names, 0.7)


def make_nested(factor):
    def outer(x):
        def inner(y):
            return y * y * factor

        return inner(x) + inner(factor * x)

    return outer


add(make_nested(3.0), 1.5, name="nested_function", derivative=lambda x: 2 * 3 * x + 2 * 27 * x)

two, three = (lambda x: x**2), (lambda x: x**3)
add(two, 1.5, name="first_lambda_on_a_line", derivative=lambda x: 2 * x)
add(three, 1.5, name="second_lambda_on_a_line", derivative=lambda x: 3 * x * x)

# fmt: off
triple = (lambda x: x * 2.0, lambda x: x * 3.0, lambda x, y=lambda z: z * 4.0: y(x) * x)
for place, slope in enumerate((2.0, 3.0)):
    add(triple[place], 0.5, name=f"lambda_{place}_of_three", derivative=lambda x, slope=slope: slope)
add(triple[2], 0.5, name="lambda_with_a_lambda_inside", derivative=lambda x: 8 * x)
# fmt: on

table = {
    "square": lambda x: (
        # a comment within
        x * x
    ),
    "sine": lambda x: math.sin(x),
}
add(table["square"], 1.5, name="lambda_over_several_lines", derivative=lambda x: 2 * x)
add(table["sine"], 1.5, name="lambda_in_a_dict", derivative=math.cos)


class Spring:
    """Methods, properties, static and class methods, a callable instance."""

    stiffest = 9.0

    def __init__(self, k):
        self.k = k

    @property
    def half(self):
        return 0.5 * self.k

    def energy(self, x):
        return self.half * x**2 + self._bump(x)

    def _bump(self, x):
        return self.k * math.sin(x)

    @staticmethod
    def static(x):
        return x * x * x

    @classmethod
    def classy(cls, x):
        return cls.stiffest * x * x

    def __call__(self, x, scale=1.0):
        return self.energy(x) * scale


class Damped(Spring):
    def energy(self, x):
        return super().energy(x) * 0.5 + x


add(Spring(3.0).energy, 0.7, name="bound_method", derivative=lambda x: 3 * x + 3 * math.cos(x))
add(
    Spring(3.0),
    0.7,
    at(0.7, scale=2.0),
    name="callable_object",
    derivative=lambda x, scale=1.0: scale * (3 * x + 3 * math.cos(x)),
)
add(Spring.static, 0.7, name="static_method", derivative=lambda x: 3 * x * x)
add(Spring.classy, 0.7, name="class_method", derivative=lambda x: 18 * x)
add(Damped(3.0).energy, 0.7, name="overridden_method_with_super", derivative=lambda x: 1.5 * x + 1.5 * math.cos(x) + 1)


def powers(x, y, n=2, *, scale=1.0):
    return scale * x**n * y


add(functools.partial(powers, y=3.0), 1.5, name="partial_keyword", derivative=lambda x: 6 * x)
add(functools.partial(powers, 2.0), 1.5, name="partial_first_argument", derivative=lambda y: 4.0)
add(
    functools.partial(functools.partial(powers, n=3), scale=0.5),
    (1.5, 2.0),
    name="partial_of_partial",
    derivative=lambda x, y: 3 * x * x,
)


def halved(function):
    @functools.wraps(function)
    def inner(*arguments, **keywords):
        return 0.5 * function(*arguments, **keywords)

    return inner


@halved
def decorated(x):
    return x**3


add(decorated, 2.0, derivative=lambda x: 1.5 * x * x)


@halved
@halved
def decorated_twice(x, n=2):
    """Docstring kept."""
    return x**n


add(decorated_twice, 2.0, at(2.0, n=3), derivative=lambda x, n=2: 0.25 * n * x ** (n - 1))


def doubled_argument(factor):
    def decorate(function):
        def inner(x):
            return function(factor * x)

        return inner

    return decorate


@doubled_argument(2.0)
def decorated_with_arguments(x):
    return math.sin(x)


add(decorated_with_arguments, 0.4, name="decorated_with_arguments", derivative=lambda x: 2 * math.cos(2 * x))


def calls_decorated(x):
    return decorated(x) + decorated_with_arguments(x)


add(calls_decorated, 0.4, derivative=lambda x: 1.5 * x * x + 2 * math.cos(2 * x))


class Model:
    def __init__(self, weights):
        self.weights = weights
        self.activation = math.tanh

    def predict(self, x):
        for weight in self.weights:
            x = self.activation(weight * x)
        return x


def uses_objects(x, model, springs):
    return model.predict(x) + sum(spring.energy(x) for spring in springs) + springs[0](x)


add(uses_objects, (0.7, Model([1.5, 0.4]), [Spring(1.0), Damped(2.0)]), smooth=False,
    derivative=lambda x, model, springs: (1 - math.tanh(0.4 * math.tanh(1.5 * x)) ** 2) * 0.4 * (1 - math.tanh(1.5 * x) ** 2) * 1.5
    + (x + math.cos(x)) * 2 + (x + math.cos(x) + 1))  # fmt: skip
