"""Parts of an array of zeros are added where the array would be."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad
from s2sad.analysis import array_creation, array_reductions  # noqa: F401 - declare what NumPy's functions do
from s2sad.transform.add_parts import add_parts
from tests.transform.before_after import check_pass, check_unchanged

U = 1.0 + 0.3 * np.sin(np.arange(9.0))


def burgers(u, n):
    u = u.copy()
    for _ in range(n):
        flux = 0.5 * u * u
        u[1:-1] = u[1:-1] - 0.1 * (flux[2:] - flux[:-2])
    return np.sum(u * u)


def upwind(u, n):
    u = u.copy()
    for _ in range(n):
        f = np.sin(u)
        u[1:] -= 0.1 * (f[1:] - f[:-1])
    return np.sum(u * u)


def with_steps(u, n):
    u = u.copy()
    for _ in range(n):
        f = u * u
        u[1:-1:2] += 0.1 * (f[2::2] * f[:-2:2])
    return np.sum(u * u)


def three_parts(u, n):
    u = u.copy()
    for _ in range(n):
        f = u * u
        u[1:-1] += 0.1 * (f[2:] - 2 * f[1:-1] + f[:-2])
    return np.sum(u * u)


def from_the_end(u, n):
    for _ in range(n):
        f = u * u
        u = u + 0.1 * f[::-1]
        u = u * np.concatenate((f[1:], f[:1]))
    return np.sum(u)


def with_numbers(u, n):
    u = u.copy()
    for _ in range(n):
        f = np.exp(-u)
        u += 0.1 * (np.sum(f[2:]) + f[0])
    return np.sum(u * u)


def on_a_grid(u, n):
    u = u.reshape(3, 3).copy()
    for _ in range(n):
        f = u * u
        u[1:, :] = u[1:, :] - 0.1 * (f[1:, :] - f[:-1, :])
        u[:, 1:] = u[:, 1:] - 0.1 * (f[:, 1:] - f[:, :-1])
    return np.sum(u * u)


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("f", [burgers, upwind, with_steps, three_parts, from_the_end, with_numbers, on_a_grid])
def test_gradients(f, n) -> None:
    check_grads(f, (U, n))


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_short_arrays(size) -> None:
    check_grads(burgers, (U[:size], 2))


def test_burgers_makes_no_zeros() -> None:
    assert "zeros_like" not in grad(burgers).source(U, 3)


START = "function f(u: vec, w: vec2, a: inner):\n  z: vec ~= np.zeros_like(u)\n  t: none ~= setitem(z, slice(1, -1), a)\n  "


def test_a_part() -> None:
    check_pass(
        add_parts,
        f"{START}p: vec ~= mul(z, u)\n  r: vec2 ~= iadd(w, p)\n  return w\n",
        """
        function f(u, w, a):
          t = slice(1, -1)
          t_2 ~= getitem(u, t)
          t_3 ~= mul(a, t_2)
          t_4 ~= getitem(w, t)
          t_5 ~= add(t_4, t_3)
          t_6 ~= setitem(w, t, t_5)
          return w
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "p: vec ~= mul(z, u)\n  r: vec2 ~= iadd(w, p)\n  return make_tuple(w, z)",  # it is needed itself
        "p: vec ~= mul(z, u)\n  r: vec2 ~= iadd(w, p)\n  return make_tuple(w, p)",
        "p: vec ~= mul(z, u)\n  s: vec ~= imul(u, 2.0)\n  r: vec2 ~= iadd(w, p)\n  return w",  # the factor changes
        "p: vec ~= mul(z, u)\n  s: inner ~= imul(a, 2.0)\n  r: vec2 ~= iadd(w, p)\n  return w",  # the part changes
        "v: none ~= setitem(z, 0, 1.0)\n  p: vec ~= mul(z, u)\n  r: vec2 ~= iadd(w, p)\n  return w",  # it is set again
        "p: vec ~= mul(z, w)\n  r: vec2 ~= iadd(w, p)\n  return w",  # the factor is what is added to
        "p: vec ~= mul(z, 2.0)\n  r: vec2 ~= iadd(w, p)\n  return w",
    ],
)
def test_arrays_of_zeros_that_are_needed(text) -> None:
    check_unchanged(add_parts, f"{START}{text}\n")
