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
    assert "float64" not in grad(lambda x, y, n: np.sum(x / n * y)).source(np.ones(2), np.ones(2), 2)
    assert "float64" not in grad(lambda x: np.var(x - np.mean(x))).source(np.ones(2))
    assert "float64" not in grad(lambda x, dt, dx: np.sum((x * (dt / dx)) ** 2)).source(np.ones(2), 0.1, 0.5)


def test_division_of_numbers_of_python_is_as_it_was():
    assert "np" not in grad(lambda x, n: x / n).source(1.0, 2)


def divided_by_product_of_numbers(x, n):
    return np.sum(x / (n * n))


def divided_and_squared(x, n):
    return np.sum((x / n) ** 2)


def divided_twice(x, n):
    return np.sum(x[:, None] / n + x / n)


def array_divided_in_place(x, n):
    y = x * 1.0
    y /= n
    return np.sum(y)


def part_divided_in_place(x, n):
    y = x * 1.0
    y[1:] /= n
    y[0] /= n
    return np.sum(y * y)


def divided_out(x, n):
    y = np.empty_like(x)
    np.divide(x, n, out=y)
    return np.sum(y)


def mean_of_quotients(x, n):
    return np.mean(x / n)


def product_with_quotient(x, n):
    return np.dot(x / n, x)


def divided_in_no_trip(x, n):
    y = x * 1.0
    for _ in range(int(n)):
        y /= n
    return np.sum(y)


ARRAYS = [
    array_divided,
    divided_by_product_of_numbers,
    divided_and_squared,
    divided_twice,
    array_divided_in_place,
    part_divided_in_place,
    divided_out,
    mean_of_quotients,
    product_with_quotient,
    divided_in_no_trip,
]


@pytest.mark.parametrize("function", ARRAYS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("argnums", ["x", "n", ("x", "n")])
def test_arrays_divided_by_a_number_of_python(function, dtype, argnums):
    """Finite numbers divided by 0 are infinite, and so is the derivative. Elsewhere it is that of the quotient."""
    x = np.array([1.0, 3.0], dtype)
    for n in (0, 0.0):
        gradient = grad(function, argnums=argnums)(x, n)
        x_bar = gradient[0] if isinstance(gradient, tuple) else gradient
        if argnums != "n":
            assert x_bar.dtype == dtype
            assert np.all(np.isinf(x_bar)) or function is divided_in_no_trip
    step = 1e-4
    x, n = x.astype(float), 2.0
    if argnums == "n" and function is not divided_in_no_trip:
        differences = (function(x, n + step) - function(x, n - step)) / (2 * step)
        assert np.isclose(grad(function, argnums="n")(x, n), differences, rtol=1e-6)
    if argnums == "x":
        differences = [(function(x + h, n) - function(x - h, n)) / (2 * step) for h in np.eye(2) * step]
        assert np.allclose(grad(function)(x, n), differences, rtol=1e-6)


@pytest.mark.parametrize("base", [0.0, 2.0, np.float64(0.0), np.float64(2.0)])
def test_powers_of_a_number_that_may_be_zero(base):
    """The partial derivative is an array, or 0 where the base is 0: also for exponents of another precision."""
    x = np.array([1.0, 2.0], np.float32)
    for function in (lambda x, n: np.sum(n**x), lambda x, n: np.sum(np.power(n, x))):
        gradient = grad(function)(x, base)
        assert gradient.dtype == np.float32
        assert np.allclose(gradient, base**x * np.log(base) if base else 0.0, rtol=1e-6)
