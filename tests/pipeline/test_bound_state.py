"""What is bound (`self` of a method, arguments of a partial) is outside of the call: what a function does to it is seen after."""

import functools

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError


class Counter:
    def __init__(self):
        self.n, self.log = 0, []

    def __call__(self, x):
        self.n += 1
        return x * self.n

    def scaled(self, x, k=1.0):
        self.n += 1
        return x * self.n * k

    def logged(self, *xs):
        self.log.append(xs[0])
        return xs[0] * len(self.log)


def thrice(derivative, *args, **kwargs):
    return [derivative(2.0, *args, **kwargs) for _ in range(3)]


COUNTED = [(2.0, 1.0), (4.0, 2.0), (6.0, 3.0)]


def test_objects_and_methods():
    called, scaled, logged = Counter(), Counter(), Counter()
    assert thrice(value_and_grad(called)) == COUNTED
    assert thrice(value_and_grad(scaled.scaled)) == COUNTED
    assert thrice(value_and_grad(scaled.scaled), k=0.5) == [(4.0, 2.0), (5.0, 2.5), (6.0, 3.0)]
    assert thrice(value_and_grad(scaled.scaled, (0, 1)), 1.0) == [(2.0 * n, (float(n), 2.0 * n)) for n in (7, 8, 9)]
    assert thrice(value_and_grad(logged.logged)) == COUNTED
    assert (called.n, scaled.n, logged.log) == (3, 9, [2.0, 2.0, 2.0])
    assert "n += 1" in value_and_grad(called).source(2.0)
    assert called.n == 3


def test_a_derivative_of_a_derivative():
    counter, other = Counter(), Counter()
    assert thrice(grad(grad(counter))) == [0.0, 0.0, 0.0]
    assert thrice(value_and_grad(lambda x: grad(other.scaled)(x) * x)) == COUNTED
    assert counter.n == other.n == 3


def append_and_scale(held, x, k=1.0):
    held.append(1.0)
    return x * len(held) * k


def add_and_scale(x, *, held):
    held[0] += x
    return x * held[0]


def test_partials():
    first, second, third = [], [], []
    assert thrice(value_and_grad(functools.partial(append_and_scale, first))) == COUNTED
    assert thrice(value_and_grad(functools.partial(append_and_scale, second, k=2.0))) == [(4.0, 2.0), (8.0, 4.0), (12.0, 6.0)]
    array = np.zeros(1)
    values = thrice(value_and_grad(functools.partial(add_and_scale, held=array)))  # x * (held + x)
    assert values == [(4.0, 4.0), (8.0, 6.0), (12.0, 8.0)]
    given = np.zeros(1)  # an argument of the call is not changed
    assert thrice(value_and_grad(functools.partial(add_and_scale, held=array)), held=given) == [(4.0, 4.0)] * 3
    assert (first, second, third, array[0], given[0]) == ([1.0] * 3, [1.0] * 3, [], 6.0, 0.0)


def test_what_is_bound_among_starred_arguments_is_refused():
    def f(*args):
        args[0].append(1.0)
        return args[1] * len(args[0])

    with pytest.raises(
        NonDifferentiableError, match=r"changes what is bound to 'args'.*lambda x(.|\n)*def f\(\*args\):\n {11}\^\^\^\^$"
    ):
        value_and_grad(functools.partial(f, []))(2.0)


class Meter:
    def __init__(self):
        self.total = 3.0

    def add(self, x):
        self.total += x
        return self.total * x


def test_an_object_that_holds_what_its_method_is_called_with():
    """(total + x) x has the derivative total + 2 x, and the total grows from call to call."""
    meter = Meter()
    derivative = value_and_grad(meter.add)
    assert [derivative(2.0) for _ in range(3)] == [(10.0, 7.0), (14.0, 9.0), (18.0, 11.0)]
    assert meter.total == 9.0
    meter.total = 1
    assert derivative(2.0) == (6.0, 5.0)
    other = Meter()
    add = other.add
    assert grad(lambda x: add(x) * x)(2.0) == 2 * 3.0 * 2.0 + 3 * 2.0**2
    assert other.total == 5.0
