"""Where NumPy's numbers are divided by a number of Python that is 0, the primal gives inf or nan, and so does its derivative."""

import numpy as np
import pytest

from s2sad import grad

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def mean_by_hand(x):
    return np.sum(x) / len(x)


def mean_of_squares(x):
    n = len(x)
    s = np.sum(x * x)
    return s / n


@pytest.mark.parametrize("function", [mean_by_hand, mean_of_squares])
def test_a_mean_of_nothing_has_an_empty_gradient(function):
    empty = np.zeros(0)
    assert np.isnan(function(empty))
    assert grad(function)(empty).shape == (0,)
    assert grad(lambda x: np.sum(grad(function)(x)))(empty).shape == (0,)
    x = np.array([1.0, 3.0])
    assert np.allclose(grad(mean_by_hand)(x), [0.5, 0.5])
    assert np.allclose(grad(mean_of_squares)(x), x)


def sum_divided(x, n):
    return np.sum(x) / n


def element_divided(x, n):
    return x[0] / n + x[1] / n


def divided_in_a_loop(x, n):
    s = 0.0
    for element in x:
        s += element / n
    return s


def divided_in_place(x, n):
    s = np.sum(x)
    s /= n
    return s


def divided_by_product(x, n):
    return np.sum(x) / (2 * n)


def array_divided(x, n):
    return np.sum(x / n)


def stored(x, n):
    y = np.zeros(2)
    y[0] = x[0] / n
    y[1] = x[1] / n
    return y[0] + y[1]


DIVIDED = [sum_divided, element_divided, divided_in_a_loop, divided_in_place, array_divided, stored]


@pytest.mark.parametrize("n", [0, 0.0, 2, 4.0])
@pytest.mark.parametrize("function", DIVIDED)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_divided_by_a_number_of_python(function, n, dtype):
    """The derivative is 1 / n, infinite for 0."""
    x = np.array([1.0, 3.0], dtype)
    gradient = grad(function)(x, n)
    assert gradient.dtype == dtype
    assert np.array_equal(gradient, np.full(2, np.divide(1.0, n)))


@pytest.mark.parametrize("function", [sum_divided, element_divided, divided_in_a_loop, divided_in_place])
def test_with_respect_to_the_divisor(function):
    x = np.array([1.0, 3.0])
    assert grad(function, argnums="n")(x, 0.0) == -np.inf
    assert np.isclose(grad(function, argnums="n")(x, 2.0), -1.0)
    assert np.isclose(grad(lambda n: grad(function, argnums="n")(x, n))(2.0), 1.0)


def test_half_as_much_for_twice_the_divisor():
    assert np.array_equal(grad(divided_by_product)(np.array([1.0, 3.0]), 0), [np.inf, np.inf])


def test_division_by_literals_is_as_it_was():
    assert "float64" not in grad(lambda x: np.sum(x) / 4).source(np.ones(2))
    assert "float64" not in grad(lambda x, n: np.sum(x / n * x)).source(np.ones(2), 2)


def test_division_of_numbers_of_python_is_as_it_was():
    assert "np" not in grad(lambda x, n: x / n).source(1.0, 2)
