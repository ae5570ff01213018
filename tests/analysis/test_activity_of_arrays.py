"""Which arrays carry a derivative: values flow like numbers, memory as a whole, whichever name it is written through."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analysis.test_activity import active_names
from tests.analysis.test_array_types import compiled

V = np.array([1.0, 2.0, 3.0])
PARAMETERS = ("v", "w", "x", "i", "a", "n")


def arguments() -> tuple[object, ...]:
    return V.copy(), V + 1, np.outer(V, V), np.array([2, 0]), 1.5, 2


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # values
        ("y = v * 2; z = w + 1; return y", "v y"),
        ("y = v + w; return y.sum()", "v y"),
        ("k = v.shape; m = v.ndim; y = v * m; return y", "v y"),
        ("k = len(v); y = v * k; z = np.zeros(k); return y", "v y"),
        ("m = v > 0; y = np.where(m, v, 0.0); return y", "v y"),
        ("y = v[1:]; z = y[0]; return z", "v y z"),
        ("y = x[0]; z = y * v; return z", "v z"),
        ("y = v[i]; return y.sum()", "v y"),
        ("y = x.T; return v @ y", "v"),
        ("y = v.astype(int); z = w * y; return z", ""),
        ("t = 0.0; [t for e in w]; return v.sum()", "v"),
        ("y = np.stack([v, w]); return y[0]", "v y"),
        ("y = np.array([a, v[0]]); return y", "v y"),
        ("y, z = v[:2]; return y", "v y"),
        # memory
        ("w[0] = v[0]; y = w * 2; return y", "v w y"),
        ("y = w[1:]; y[:] = v[1:]; return w.sum()", "v w y"),
        ("y = w; w[:] = v; return y.sum()", "v w"),
        ("y = x.T; y[0] = v; z = x[1]; return z", "v x y z"),
        ("y = x.reshape(-1); y[:3] = v; return x", "v x y"),
        ("y = np.zeros(3); y[:] = v; return y", "v y"),
        ("y = np.zeros(3); y[:] = w; return v * y", "v"),
        ("y = np.zeros(3, dtype=int); y[:] = v; return w * y", ""),
        ("y = w.copy(); y[0] = v[0]; return w.sum() + y.sum()", "v y"),
        ("y = w.copy(); y += v; return y", "v y"),
        ("y = w.copy(); y -= v; return y", "v y"),
        ("y = w.copy(); y /= v; return y", "v y"),
        ("y = w.copy(); y **= v; return y", "v y"),
        ("y = x.copy(); y @= x; z = y * v; return z", "v z"),
        ("y = np.zeros(3); np.add(v, w, out=y); return y", "v y"),
        ("y = np.zeros(3); np.add(v, w, y); return y", "v y"),
        ("y = np.zeros(3); np.sum(x * v, axis=0, out=y); return y", "v y"),
        ("y = np.zeros(3); (x * v).sum(axis=0, out=y); return y", "v y"),
        ("y = np.zeros(3); w.dot(x, out=y); return v * y", "v"),
        ("y = np.zeros(3); np.copyto(y, v); return y", "v y"),
        ("y = np.zeros(3); np.put(y, i, v[0]); return y", "v y"),
        ("y = np.zeros(3); np.add.at(y, i, v[:2]); return y", "v y"),
        ("y = np.zeros(3); np.add.at(y, i, w[:2]); return y * v", "v"),
        ("y = np.zeros(3); y.fill(v[0]); return y", "v y"),
        ("y = v.copy(); y.sort(); return y", "v y"),
        ("y = np.zeros(3); np.fill_diagonal(x, v); z = x @ w; return z", "v x z"),
        ("y = {'k': w}; y['k'][0] = v[0]; return w.sum()", "v w y"),
    ],
)
def test_active_names(program: str, expected: str) -> None:
    function = compiled(PARAMETERS, program.split("; "))
    assert active_names(function, arguments()) == set(expected.split())
