"""Scratch buffers: what they held before they are filled again is neither saved nor put back, unless somebody reads it."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad, value_and_grad

U = 1.0 + 0.3 * np.sin(np.arange(12.0))


def refilled(u, n):
    work = np.empty_like(u)
    total = 0.0
    for k in range(n):
        work[:] = u * k
        work *= u
        total += np.sum(work)
    return total


def refilled_with_a_number(u, n):
    work = np.empty_like(u)
    total = 0.0
    for k in range(n):
        work[...] = k
        work *= u
        work *= u
        total += np.sum(np.sin(work))
    return total


def refilled_through_a_view(u, n):
    work = np.zeros_like(u)
    total = 0.0
    for k in range(n):
        v = work[2:]
        v[:] = u[2:] * k
        v *= u[2:]
        total += np.sum(work * work)
    return total


def refilled_in_part(u, n):
    work = np.ones_like(u)
    total = 0.0
    for k in range(n):
        work[1:] = u[1:] * k
        work *= u
        total += np.sum(work)
    return total


def refilled_now_and_then(u, n):
    work = np.ones_like(u)
    total = 0.0
    for k in range(n):
        if k % 2 == 0:
            work[:] = u * (k + 1)
        work *= u
        total += np.sum(np.sin(work))
    return total


def read_before_it_is_refilled(u, n):
    work = np.ones_like(u)
    total = 0.0
    for k in range(n):
        total += np.sum(work * u)
        work[:] = u * (k + 1)
        work *= u
    return total


def of_another_precision(u, n):
    work = np.empty(len(u), dtype="float32")
    total = 0.0
    for k in range(n):
        work[:] = u * k
        work *= 0.5
        total += np.sum(work) * u[0]
    return total


def two_that_change_places(u, n):
    a, b = np.empty_like(u), np.ones_like(u)
    total = 0.0
    for k in range(n):
        a[:] = u * (k + 1)
        a *= b
        a, b = b, a
        total += np.sum(a * b)
    return total


def one_of_two(u, n):
    a, b = np.ones_like(u), np.ones_like(u)
    total = 0.0
    for k in range(n):
        work = a if k % 2 else b
        work[:] = u * (k + 1)
        work *= u
        total += np.sum(a * b)
    return total


def filled_in_an_inner_loop(u, n):
    work = np.empty_like(u)
    total = 0.0
    for k in range(n):
        work[:] = u
        for _ in range(k):
            work *= np.sin(u)
        total += np.sum(work * work)
    return total


def filled_by_rows(u, n):
    work = np.zeros((3, 4))
    total = 0.0
    for k in range(n):
        work[:] = (u * k).reshape(3, 4)
        work[1] *= work[0]
        work *= work
        total += np.sum(work[::2])
    return total


def kept_in_a_list(u, n):
    work = np.ones_like(u)
    kept = [work]
    for k in range(n):
        work[:] = u * (k + 1)
        work *= kept[0]
    return np.sum(kept[0])


def broadcast_into(u, n):
    work = np.empty((2, len(u)))
    total = 0.0
    for k in range(n):
        work[:] = u * k
        work *= u
        total += np.sum(work[0] * work[1])
    return total


ALL = [
    refilled,
    refilled_with_a_number,
    refilled_through_a_view,
    refilled_in_part,
    refilled_now_and_then,
    read_before_it_is_refilled,
    two_that_change_places,
    one_of_two,
    filled_in_an_inner_loop,
    filled_by_rows,
    kept_in_a_list,
    broadcast_into,
]


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("f", ALL)
def test_gradients(f, n) -> None:
    check_grads(f, (U, n))
    value, _ = value_and_grad(f)(U, n)
    assert value == f(U, n)


def test_single_precision() -> None:
    np.testing.assert_allclose(grad(of_another_precision)(U, 4)[1:], 0.5 * 6 * U[0] * np.ones(11), rtol=1e-6)


def test_nothing_is_saved() -> None:
    assert "append" not in grad(refilled).source(U, 3)


def permuted(x, n):
    x = x.copy().reshape(3, 4)
    for _ in range(n):
        x[[0, 1, 2]] = x[[2, 0, 1]]
        x[1] *= 2.0
    return np.sum(x[0] * x[2])


def permuted_back(x, n):
    x = x.copy()
    for _ in range(n):
        x[[0, -1]] = x[[-1, 0]]
        x[[1, 1]] = x[[3, 4]]
        x[[2, 5]] *= x[0]
    return np.sum(x * x)


def rotated(x, n):
    a, b, c = x.copy(), np.zeros_like(x), np.zeros_like(x)
    for k in range(n):
        c[1:] = a[:-1] * (k + 1)
        c[0] = b[0]
        a, b, c = b, c, a
    return np.sum(a) + np.sum(b * b) + np.sum(c)


def rotated_in_a_loop(x, n):
    a, b = x.copy(), np.zeros_like(x)
    total = 0.0
    for _ in range(n):
        for _ in range(3):
            b[1:] = 0.5 * a[:-1]
            a, b = b, a
        total += a[0] + b[-1]
        a[0] = x[0]
    return total + np.sum(a)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("f", [permuted, permuted_back, rotated, rotated_in_a_loop])
def test_what_changes_places(f, n) -> None:
    check_grads(f, (U, n))


@pytest.mark.parametrize("f", [permuted, rotated])
def test_what_changes_places_is_not_saved(f) -> None:
    assert "append" not in grad(f).source(U, 3)
