"""``with np.errstate(...)``: what it says of floating-point errors goes for the adjoints too; the class is called as it is."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest

from s2sad import grad, value_and_grad

pytestmark = pytest.mark.filterwarnings("error")


def ratio_where_finite(x, y):
    with np.errstate(divide="ignore", invalid="ignore"):
        r = x / y
        r[~np.isfinite(r)] = 0.0
    return (r * r).sum()


def test_adjoints_warn_no_more_than_the_program() -> None:
    x, y = np.array([1.0, 0.0, 2.0]), np.array([4.0, 1.0, 0.0])
    value, gradient = value_and_grad(ratio_where_finite)(x, y)
    assert value == ratio_where_finite(x, y)
    np.testing.assert_allclose(gradient[:2], [2 / 16, 0.0])
    assert np.isnan(gradient[2])  # zero times infinity, as for every function that is stored to after a division by zero


def test_the_text_enters_the_context_in_both_sweeps() -> None:
    text = grad(ratio_where_finite).source(np.ones(3), np.ones(3))
    assert text.count('with np.errstate(divide="ignore", invalid="ignore"):') == 2
    assert "1 / y" not in text


def logs(x, y):
    total = 0.0
    for i in range(3):
        with np.errstate(all="ignore"):
            a = np.log(x) * y[i]
            total += np.where(np.isfinite(a), a, 0.0).sum()
    return total


def test_in_a_loop_and_twice() -> None:
    x, y = np.array([1.5, 0.5, 2.0]), np.array([1.0, 3.0, -0.5])
    weights = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(grad(logs)(x, y), y.sum() / x)
    np.testing.assert_allclose(grad(logs, 1)(x, y), np.full(3, np.log(x).sum()))
    second = grad(lambda x: (grad(logs)(x, y) * weights).sum())(x)
    np.testing.assert_allclose(second, -y.sum() * weights / x**2)


def returned(x, flag):
    with np.errstate(over="ignore"):
        if flag:
            return np.exp(x).sum()
        y = x * x
    return y.sum()


@pytest.mark.parametrize("flag", [True, False])
def test_a_return_inside(flag: bool) -> None:
    x = np.array([0.5, 1.0])
    np.testing.assert_allclose(grad(returned)(x, flag), np.exp(x) if flag else 2 * x)


def test_errors_that_are_asked_for_are_raised() -> None:
    def strict(x):
        with np.errstate(divide="raise"):
            return (1.0 / x).sum()

    np.testing.assert_allclose(grad(strict)(np.array([2.0])), [-0.25])
    with pytest.raises(FloatingPointError):
        value_and_grad(strict)(np.array([0.0]))


def test_other_contexts_of_the_library_are_called_as_they_are() -> None:
    def quiet(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y = x * x
        with contextlib.nullcontext():
            z = y * x
        return z.sum()

    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(grad(quiet)(x), 3 * x * x)
    assert "__init__" not in grad(quiet).source(x)
