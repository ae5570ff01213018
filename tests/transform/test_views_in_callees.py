"""Functions that change an array through a view of it and return the array: the adjoint goes through the same view."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from s2sad import grad

VIEWS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "flipud": np.flipud,
    "fliplr": np.fliplr,
    "flipped_axis": lambda b: np.flip(b, 0),
    "rot90": np.rot90,
    "transpose": np.transpose,
    "transpose_method": lambda b: b.transpose(),
    "transpose_attribute": lambda b: b.T,
    "swapaxes": lambda b: np.swapaxes(b, 0, 1),
    "moveaxis": lambda b: np.moveaxis(b, 0, 1),
    "expand_dims": lambda b: np.expand_dims(b, 0)[0],
    "squeeze": np.squeeze,
    "reshape": lambda b: np.reshape(b, (2, 8)),
    "flip": np.flip,
    "ravel": lambda b: np.ravel(b)[2:6],
    "atleast_2d": np.atleast_2d,
    "split": lambda b: np.split(b, 2)[1],
    "reversed_slice": lambda b: b[::-1],
    "ellipsis": lambda b: b[..., 1:],
}

POINT = np.arange(1.0, 17.0).reshape(4, 4) / 7


def _factors(view: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """What the elements are multiplied by where the first row of the view is doubled."""
    factors = np.ones((4, 4))
    view(factors)[0] = 2.0
    return factors


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_changed_in_a_function_that_is_called(name: str) -> None:
    view = VIEWS[name]

    def doubled(a: np.ndarray) -> np.ndarray:
        b = a * a
        v = view(b)
        v[0] *= 2.0
        return b

    def total(a: np.ndarray) -> float:
        return np.sum(doubled(a))

    np.testing.assert_allclose(grad(total)(POINT), 2 * _factors(view) * POINT, rtol=1e-13)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_overwritten_in_a_function_that_is_called(name: str) -> None:
    view = VIEWS[name]

    def cleared(a: np.ndarray) -> np.ndarray:
        b = a * a
        v = view(b)
        first = v[0] * 1.0
        v[0] = 0.0
        b += np.sum(first)
        return b

    def total(a: np.ndarray) -> float:
        return np.sum(cleared(a))

    np.testing.assert_allclose(grad(total)(POINT), 2 * np.where(_factors(view) == 2.0, 16.0, 1.0) * POINT, rtol=1e-13)
