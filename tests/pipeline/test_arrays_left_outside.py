"""Arrays in containers outside, which the reverse sweep puts back and leaves at last as the program left them: also twice over.

Gradients are compared with differences of the program, second derivatives with differences of the gradient.
"""

from __future__ import annotations

import types

import numpy as np
import pytest

from s2sad import grad

X = np.array([0.7, 1.3, -0.4])

ROWS = [np.zeros(3), np.ones(3)]


def rows_of_a_list(x):
    ROWS[0][:] = x * x
    for row in ROWS:
        row *= x
    ROWS[0], ROWS[1] = ROWS[1], ROWS[0]
    result = np.sum(ROWS[0] * ROWS[1] * ROWS[1])
    ROWS[0], ROWS[1] = ROWS[1], ROWS[0]
    ROWS[1][:] = 1.0
    return result


TABLE = {"u": np.ones(3), "pair": (np.ones(3), 2.0), "rows": [[np.ones(3)], [np.ones(3)]], "rate": 0.5}


def nested_containers(x):
    TABLE["u"] *= x
    TABLE["pair"][0][1:] = TABLE["u"][:-1] * x[1:]
    for rows in TABLE["rows"]:
        for row in rows:
            row *= np.sin(TABLE["u"]) * TABLE["rate"]
    TABLE["rate"] = TABLE["rate"] * x[0]
    result = np.sum(TABLE["pair"][0] ** 2) * TABLE["rate"] + np.sum(TABLE["rows"][1][0] * TABLE["rows"][0][0])
    TABLE["u"][:] = 1.0
    TABLE["pair"][0][:] = 1.0
    TABLE["rows"][0][0][:] = 1.0
    TABLE["rows"][1][0][:] = 1.0
    TABLE["rate"] = 0.5
    return result


class Model:
    def __init__(self):
        self.weights = np.ones(3)
        self.layers = [np.ones(3), np.ones(3)]

    def forward(self, x):
        self.weights *= x
        for layer in self.layers:
            layer *= self.weights
            self.weights += np.cos(layer)

    def reset(self):
        self.weights[:] = 1.0
        for layer in self.layers:
            layer[:] = 1.0


MODEL = Model()


def arrays_of_an_object(x):
    MODEL.forward(x)
    MODEL.forward(x * x)
    result = np.sum(MODEL.weights * MODEL.layers[1])
    MODEL.reset()
    return result


def taken_by_get(x):
    d = {"w": x * 2.0, "b": x[0]}
    d["w"] *= x
    w = d.get("w")
    w *= 2.0
    d["b"] = d.get("b", 1.0) * x[1]
    return np.sum(w * w) * d.get("b") + d.get("b", np.sin(x[0]))


def central_gradient(f, x, h=1e-3):
    """The gradient by differences of the sixth order."""
    found = np.zeros(x.shape)
    for k in range(len(x)):
        unit = h * np.eye(len(x))[k]
        one, two, three = (f(x + m * unit) - f(x - m * unit) for m in (1, 2, 3))
        found[k] = (45 * one - 9 * two + three) / (60 * h)
    return found


@pytest.mark.parametrize("f", [rows_of_a_list, nested_containers, arrays_of_an_object, taken_by_get])
def test_derivatives(f) -> None:
    first = grad(f)
    second = grad(lambda x: np.sum(first(x)))
    np.testing.assert_allclose(first(X), central_gradient(f, X), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(second(X), central_gradient(lambda x: np.sum(first(x)), X), rtol=1e-7, atol=1e-7)


STATE: dict[str, object] = {"u": np.ones(3)}
HOLDER = types.SimpleNamespace(u=np.ones(3))


def takes_a_key_out(x, n):
    STATE["u"] *= x
    u = STATE["u"]
    STATE["v"] = u
    u *= u
    if n > 0:
        STATE.pop("v")
    result = np.sum(u * u)
    u[:] = x
    return result


def adds_an_array_in_one_branch(x, n):
    STATE["u"] *= x
    if n > 0:
        STATE["w"] = x * x
        STATE["w"] *= STATE["u"]
    u = STATE["u"]
    u *= u
    result = np.sum(u * u)
    u[:] = x
    return result


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("f", [takes_a_key_out, adds_an_array_in_one_branch])
def test_what_may_be_missing(f, n) -> None:
    def fresh(x):
        STATE.clear()
        STATE["u"] = np.ones(3)
        return f(x, n)

    want = central_gradient(fresh, X)
    fresh(X)
    left = {key: np.copy(value) for key, value in STATE.items()}
    STATE.clear()
    STATE["u"] = np.ones(3)
    np.testing.assert_allclose(grad(f)(X, n), want, rtol=1e-7, atol=1e-7)
    assert left.keys() == STATE.keys()
    for key, value in left.items():
        np.testing.assert_array_equal(STATE[key], value)
