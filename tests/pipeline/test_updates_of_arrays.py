"""Functions that change an array in place, in every form of their arguments: gradients against differences."""

import numpy as np
import pytest

from s2sad import value_and_grad

X = np.array([0.3, -0.4, 0.7, 1.1, -0.9])
M = np.linspace(-1.0, 1.3, 12).reshape(3, 4) ** 3 + 0.1
RAMP = np.arange(5.0)


def where_of_a_quotient(x):
    y = np.zeros(5)
    np.divide(1.0, x, out=y, where=x > 0)
    return np.sum(y * y)


def where_that_broadcasts(x):
    y = np.ones((3, 5))
    np.add(x, x[:3, None], out=y, where=np.array([True, False, True])[:, None])
    return np.sum(y**2 * RAMP)


def where_of_an_operand(x):
    y = x * 1.0
    np.multiply(y, y, out=y, where=y > 0.5)
    return np.sum(y**2 * RAMP)


def where_without_a_keyword(x):
    y = np.zeros(5)
    np.sqrt(x, y, where=x > 0)
    return np.sum(y**3)


def where_is_a_list(x):
    y = np.zeros((5, 5))
    np.multiply(x, 2.0, out=y[1], where=[True, False, True, True, False])
    return np.sum(y**3)


def where_in_a_loop(x):
    y = np.zeros(5)
    for _ in range(3):
        np.exp(y * x, out=y, where=x < 0.5)
    return np.sum(y)


def where_of_what_is_returned(x):
    y = np.ones(5)
    r = np.log(x, out=(y,), where=x > 0.5)
    return np.sum(r * y)


def placed(x):
    y = x * 1.0
    np.place(y, y > 0.2, [x[0]])
    np.place(y, [True, False, True, False, False], x * 2)
    return np.sum(y**2 * RAMP)


def put_by_mask(x):
    y = x * 1.0
    np.putmask(y, y > 0.2, x[:2] * 3)
    np.putmask(y, y < 0, 5.0)
    return np.sum(y**2 * RAMP)


def put_with_modes(x):
    y = M * 1.0
    np.put(y, [0, -1, 20, 3], x[:2], mode="wrap")
    np.put(y, [5, 100], x[1] * 2, mode="clip")
    y.put(2, x[2])
    return np.sum(y**2 * np.arange(12.0).reshape(3, 4))


def put_along_axes(x):
    y = M * 1.0
    np.put_along_axis(y, np.array([[0, 2]] * 3), x[:2] ** 2, 1)
    np.put_along_axis(y, np.array([[0, 1, 1, 2]]), x[0], axis=0)
    return np.sum(y**2 * np.arange(12.0).reshape(3, 4))


def multiplied_and_divided_at(x):
    y = M * x[0]
    np.multiply.at(y, (np.array([0, 1, 0]), np.array([1, 1, 1])), x[:3])
    np.divide.at(y, np.array([0, 0, 2]), x[1:])
    np.multiply.at(y, 2, x[0])
    return np.sum(y**2)


def extremes_at(x):
    y = x * 1.0
    np.maximum.at(y, [0, 0, 1], x[2] * x[3])
    np.minimum.at(y, slice(1, 4), x[:3])
    np.negative.at(y, np.array([True, False, True, True, False]))
    np.negative.at(y, [4, 4, 4])
    return np.sum(y**3 * np.arange(1.0, 6.0))


def multiplied_by_a_matrix(x):
    b = np.outer(x, x)
    c = b
    for _ in range(2):
        b @= np.outer(x, x**2) + np.eye(5)
    b[0] = 0.0
    return np.sum(b * c)


def a_row_of_a_product(x):
    a = x[:, None] * x
    a[2] = x[1]
    return np.sum(a * a * x)


def an_element_of_a_quotient(x):
    a = x / (2.0 + x[:, None])
    a[2, 1] = 3.0
    return np.sum(a * a * x[:, None])


def a_view_of_a_product(x):
    a = x[:, None] * x
    row = a[1:][0]
    row.fill(x[1])
    return np.sum(a * x * a)


def a_product_in_place(x):
    a = x[:, None] * x
    b = a * a
    a += x
    return np.sum(a * a * x) + np.sum(b * a)


@pytest.mark.parametrize(
    "function",
    [
        *(a_row_of_a_product, an_element_of_a_quotient, a_view_of_a_product, a_product_in_place),
        *(where_of_a_quotient, where_that_broadcasts, where_of_an_operand, where_without_a_keyword, where_is_a_list),
        *(where_in_a_loop, where_of_what_is_returned, placed, put_by_mask, put_with_modes, put_along_axes),
        *(multiplied_and_divided_at, extremes_at, multiplied_by_a_matrix),
    ],
)
def test_updates(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = np.zeros(5)
    for i in range(5):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = step * 1e-3 * np.eye(5)[i]
            expected[i] += weight * (function(X + change) - function(X - change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)
