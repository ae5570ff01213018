"""A function returns an array and a view of it, in which nothing depends on its arguments yet; the caller changes one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sad import grad

Array = np.ndarray

POINT = np.arange(1.0, 7.0) / 5


def array_and_part(a: Array) -> tuple[Array, Array, Array]:
    z = np.zeros(6)
    return z, z[1:], a * 2


def changed_as_a_whole(a: Array) -> float:
    u, v, w = array_and_part(a)
    u += a * w
    return np.sum(v * v)


def by_name(a: Array) -> tuple[dict[str, Array], Array]:
    z = np.zeros((2, 3))
    return {"rows": z, "columns": z.T}, a * 2


def changed_in_a_dict(a: Array) -> float:
    arrays, w = by_name(a)
    arrays["rows"] += (a * w).reshape(2, 3)
    return np.sum(arrays["columns"] ** 2)


def copied_into_a_part(a: Array) -> tuple[Array, Any]:
    b = a * a
    np.copyto(b[1:], a[:-1])
    return b, b[2]


def array_and_element(a: Array) -> float:
    b, element = copied_into_a_part(a)
    return np.sum(b * a) * element


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (changed_as_a_whole, 16 * POINT**3 * (np.arange(6) > 0)),  # sum of (2 a²)² without the first
        (changed_in_a_dict, 16 * POINT**3),
    ],
)
def test_the_array_and_its_view_have_one_adjoint(function: Callable[[Array], float], expected: Array) -> None:
    np.testing.assert_allclose(grad(function)(POINT), expected, rtol=1e-13)


def test_second_derivatives_through_adjoints_that_a_function_returns() -> None:
    """The function is (a0³ + a0 a1 + a1 a2 + …) a1."""
    a = POINT
    hessian = np.zeros((6, 6))
    hessian[0, 0] = 6 * a[0] * a[1]
    for i in range(2, 5):  # the term a_i a_(i+1) a_1
        for j, k, other in ((i, i + 1, 1), (i, 1, i + 1), (i + 1, 1, i)):
            hessian[j, k] += a[other]
            hessian[k, j] += a[other]
    # the terms in which a1 stands twice: a0 a1², a1² a2
    for i in (0, 2):
        hessian[1, 1] += 2 * a[i]
        hessian[i, 1] += 2 * a[1]
        hessian[1, i] += 2 * a[1]
    hessian[0, 1] += 3 * a[0] ** 2
    hessian[1, 0] += 3 * a[0] ** 2

    def total(x: Array) -> float:
        return np.sum(grad(array_and_element)(x))

    np.testing.assert_allclose(grad(total)(POINT), hessian.sum(axis=0), rtol=1e-13)
