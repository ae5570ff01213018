"""Rules of covariances and correlations of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.rules.declare import vjp_rule

Array = Any


def _is_turned(z: Array, m: Array, rowvar: Any) -> bool:
    """Whether the variables stand in columns. NumPy before 2.2 takes a single row for one variable all the same, and gives one
    number then."""
    return not (rowvar or m.ndim == 1 or (np.ndim(z) == 0 and m.shape[0] == 1))


def _centered(rows: Array) -> Array:
    return rows - np.mean(rows, 1, keepdims=True)


def _symmetric(z_bar: Array, count: int) -> Array:
    """The adjoint of a matrix of products, with its transpose; that of one variable has no axes."""
    both = np.reshape(z_bar, (count, count))
    return both + both.T


@vjp_rule(
    np.cov,
    samples=(
        *(
            "A(3, 4)",
            "A(5)",
            "A(4, 3), rowvar=False",
            "A(3, 4), bias=True",
            "A(3, 4), ddof=2",
            "A(1, 4)",
            "A(4, 1), rowvar=False",
        ),
        *("A(4, 1), rowvar=False", "A(4), A(4)", "A(2, 4), A(4)", "A(4), y=A(2, 4), bias=True"),
    ),
    note="without weights",
)
def covariance(z_bar: Array, z: Array, m: Array, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None) -> Array:
    if y is not None and not rowvar:
        raise NotImplementedError("np.cov() of two arrays has a derivative where the variables are rows")
    is_turned = _is_turned(z, m, rowvar)
    first = np.atleast_2d(m.T if is_turned else m)
    rows = first if y is None else np.concatenate((first, np.atleast_2d(y)))
    less = ddof if ddof is not None else 0 if bias else 1
    rows_bar = _symmetric(z_bar, rows.shape[0]) @ _centered(rows) / (rows.shape[1] - less)
    if y is not None:
        return np.reshape(rows_bar[: first.shape[0]], m.shape), np.reshape(rows_bar[first.shape[0] :], y.shape)
    return (rows_bar.T if is_turned else np.reshape(rows_bar, m.shape)), None


@vjp_rule(np.corrcoef, samples=("A(3, 4)", "A(4, 3), rowvar=False", "A(1, 4)"))
def correlation(z_bar: Array, z: Array, x: Array, y: Any = None, rowvar: Any = True) -> Array:
    if y is not None:
        raise NotImplementedError("np.corrcoef() has a derivative for one array; put the variables into one, np.stack((x, y))")
    is_turned = _is_turned(z, x, rowvar)
    rows = _centered(np.atleast_2d(x.T if is_turned else x))
    norms = np.sqrt(np.sum(rows * rows, 1, keepdims=True))
    parts = rows / norms
    parts_bar = _symmetric(z_bar, rows.shape[0]) @ parts
    rows_bar = (parts_bar - parts * np.sum(parts_bar * parts, 1, keepdims=True)) / norms
    return rows_bar.T if is_turned else np.reshape(rows_bar, x.shape)
