"""Operators of the user's classes with an array as the other operand, and iterators that are used at once."""

import numpy as np
import pytest

from s2sad import check_grads, grad
from s2sad.errors import MissingRuleError, UnsupportedSyntaxError

X = np.array([0.5, 0.9, 1.7])


class Field:
    def __init__(self, values):
        self.values = values

    def __add__(self, other):
        return Field(self.values + (other.values if isinstance(other, Field) else other))

    def __mul__(self, other):
        return Field(self.values * other)

    __rmul__ = __mul__

    def __matmul__(self, matrix):
        return Field(matrix @ self.values)

    def __isub__(self, other):
        self.values = self.values - other
        return self

    def __lt__(self, other):
        return np.sum(self.values) < np.sum(other)


class LeftAlone(Field):
    __array_ufunc__ = None

    def __radd__(self, other):
        return LeftAlone(other * 2 + self.values)


class WithPriority(Field):
    __array_priority__ = 10

    def __radd__(self, other):
        return WithPriority(other * 2 + self.values)


def added(x):
    return np.sum((Field(x) + x).values ** 2)


def multiplied(x):
    return np.sum((Field(x) * x + Field(x)).values ** 2) + np.sum((x[1] * Field(x)).values)


def transformed(x):
    return np.sum((Field(x) @ np.outer(x, x)).values)


def in_place(x):
    field = Field(x * 1.0)
    field -= x**2
    field -= x
    return np.sum(field.values**2)


def in_a_loop(x):
    field = Field(x)
    for k in range(3):
        field = field + x[::-1] * k
    return np.sum(field.values**2) * (2.0 if field < x else 1.0)


def array_first(x):
    return np.sum((x + LeftAlone(x)).values ** 2) + np.sum((x + WithPriority(x)).values ** 3)


def columns(x):
    return np.sum(np.c_[np.outer(x, x), x] ** 2) + np.sum(np.c_[x, np.outer(x, x), x * 2][:, ::2] ** 3)


def rows(x):
    return np.sum(np.r_[np.outer(x, x), x[None]] ** 2) + np.sum(np.r_[x, 0.0, x[0]] ** 2)


def backpropagation(w):
    """Each epoch makes the list of activations that it goes over backwards."""
    x = np.array([0.1, 0.2, 0.3])
    for _ in range(2):
        activations = [x]
        for _ in range(2):
            activations.append(np.tanh(w * activations[-1]))
        delta, gradient = activations[-1] - 1.0, np.zeros(3)
        for activation in reversed(activations):
            delta = delta * (1 - activation**2)
            gradient = gradient + delta * activation
        w = w - 0.1 * gradient
    return np.sum(w)


@pytest.mark.parametrize(
    "program", [added, multiplied, transformed, in_place, in_a_loop, array_first, columns, rows, backpropagation]
)
def test_the_gradient_is_the_one_of_differences(program):
    check_grads(program, (X,))


def test_an_array_that_comes_first_and_asks_elements_is_refused():
    class WithReflected(Field):
        def __radd__(self, other):
            return other + self.values

    with pytest.raises(MissingRuleError, match="an array and an object of class"):
        grad(lambda x: np.sum(x + WithReflected(x)))(X)


def grown_afterwards(x):
    history = [x]
    for _ in range(3):
        history.append(history[-1] * x)
    total = 0.0
    for item in reversed(history):
        total = total * 2 + item
    history.append(total)
    return history[-1] + history[0]


def listed_at_once(x):
    total, items = 0.0, [x, x * x]
    for _ in range(3):
        backwards = list(reversed(items))
        items.append(backwards[0] * x)
        total += sum(reversed(items))
        items.pop(0)
    return total + items[0]


def changed_while_gone_over(x):
    items, total = [x, 2 * x, 3 * x], 0.0
    for item in reversed(items):
        items[0] = items[0] * item
        total = total * x + item
    return total


def grown_before(x):
    items, total = [x, 2 * x], 0.0
    backwards = reversed(items)
    items.append(x**3)
    for item in backwards:
        total = total * x + item
    return total


@pytest.mark.parametrize("program", [grown_afterwards, listed_at_once, changed_while_gone_over])
def test_a_list_that_changes_after_it_was_gone_over_backwards(program):
    check_grads(program, (1.1,))


def test_a_list_that_grows_before_is_refused():
    with pytest.raises(UnsupportedSyntaxError, match="changes after `reversed`"):
        grad(grown_before)(1.1)
