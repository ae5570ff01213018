"""Sums of lists, tuples and generators of arrays as additions."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad

A = np.array([0.7, -1.3, 2.1])
M = np.arange(6.0).reshape(2, 3) / 3 - 0.4
W = np.array([1.0, -2.0, 0.5])


def rolled(u):
    return np.sum(sum(np.roll(u, s) * s for s in (1, -1, 2)) ** 2)


def rolled_with_condition(u):
    for _ in range(2):
        u = u + 0.1 * sum(np.roll(np.roll(u, i), j) * j for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return np.sum(u * u * W)


def listed(u):
    return np.sum(sum([u, 2 * u, u * u]) ** 3)


def listed_twice(u):
    parts = [u, u, u * u]
    return np.sum(sum(parts) * parts[1])


def comprehended(u, n=3):
    return np.sum(sum([u**k for k in range(n)]) ** 2)


def in_a_tuple(u):
    return np.sum(sum((u, u * u, 2.0, u[0])) ** 2)


def started_with_number(u):
    return np.sum(sum([u * k for k in range(3)], u[0]) ** 2)


def started_with_array(u):
    first = u * u
    return np.sum(sum([u, u * W], first) ** 2)


def started_late(u):
    parts = [u * u, u * W]
    first = np.sin(u)
    return np.sum(sum(parts, first) ** 2)


def started_with_the_argument(u, n=0):
    return np.sum(sum([u * k for k in range(n)], u) ** 2)


def broadcast(u):
    return np.sum(sum([M + 0.0, M * u, u * 1.0]) ** 2)


def broadcast_rows_and_columns(u):
    return np.sum(sum([u[:, None], u[None, :] * 2.0, np.outer(u, u)]) ** 2 * (W - 0.3))


def ones_along_axes(u):
    parts = []
    for k in range(3):
        parts.append(u[: (1 if k == 1 else 3)] * (k + 1.0))
    return np.sum(sum(parts) ** 2)


def changed_before(u):
    v = u * u
    parts = [u * 2, v]
    v[0] = u[1] * 3
    return np.sum(sum(parts) ** 2)


def changed_after(u):
    v = u * u
    parts = [u * 2, v]
    total = sum(parts)
    v[0] = u[1] * 3
    parts[0] *= u
    return np.sum(total**2) + v @ parts[0]


def changed_on_the_way(u):
    parts = []
    scratch = np.zeros(3)
    for k in range(3):
        scratch[k] = u[k] ** 2
        parts.append(scratch)
    return np.sum(sum(parts) * u)


def copies_on_the_way(u):
    parts = []
    scratch = np.zeros(3)
    for k in range(3):
        scratch[k] += u[k] ** 2
        parts.append(scratch.copy())
    return np.sum(sum(parts) ** 2 * u)


def result_changed(u):
    total = sum([u, u * u])
    total[1] *= u[0]
    total += u
    return np.sum(total**2)


def result_changed_after_one(u):
    v = u * 1.0
    total = sum([v])
    total *= u
    return total @ v


def list_changed_later(u):
    parts = [u, u * u]
    first = sum(parts)
    parts.append(u**3)
    parts[0] = u * 4
    second = sum(parts)
    parts.pop()
    return np.sum(first * second) + np.sum(sum(parts) ** 2)


def in_branches(u):
    parts = [u * 1.0]
    for k in range(4):
        if k == 3:
            break
        if u[k % 3] > 0:
            parts.append(u**2 * k)
        else:
            parts.append(np.sin(u))
    return np.sum(sum(parts) ** 2)


def views(u):
    v = u * u
    return np.sum(sum(v[k : k + 2] for k in range(2)) ** 2)


def of_rows(u):
    return np.sum(sum(np.outer(u, u)) ** 2) + np.sum(sum(row * row for row in np.outer(u, W)) ** 2)


def helper(u, k):
    return np.roll(u, k) ** 2


def of_a_helper(u):
    return np.sum(sum(helper(u, k) for k in range(3)) * u)


def in_an_inner_function(u):
    def total(parts):
        return sum(parts)

    return np.sum(total([u, u * u]) ** 2) + np.sum(total([u * W]) ** 2)


def of_a_whole(u):
    return sum([u, u * u]).sum()


def of_a_broadcast_whole(u):
    return sum([u[0] * np.ones(1), u * u, M * u]).sum()


def map_of_arrays(u):
    return np.sum(sum(map(lambda k: u * k, (1.0, 2.0))) ** 2)


def values_of_a_dict(u):
    parts = {"a": u, "b": u * u}
    return np.sum(sum(parts.values()) ** 2)


def held_elsewhere_too(u):
    parts, others = [], []
    for k in range(3):
        part = u**2 * k
        parts.append(part)
        others.append(part)
    others[1] *= u
    return np.sum(sum(parts) * others[2] + others[1] ** 2)


def kept_by_a_closure(u):
    last = u

    def step(k):
        nonlocal last
        last = last * u + k
        return last

    total = sum([step(k) for k in range(3)])
    last *= 2.0
    return np.sum(total**2 * last)


def carried_on(u):
    state = u * 1.0
    parts = []
    for k in range(3):
        state = np.sin(state) * u + k
        parts.append(state)
    return np.sum(sum(parts) ** 2) + state @ u


def result_of_another_sum(u):
    inner = [sum(u**k * j for j in range(1, 3)) for k in range(1, 4)]
    return np.sum(sum(inner) ** 2)


def one_of_two(u):
    parts = []
    for k in range(3):
        part = u[:2] * k if u[k] > 0 else np.roll(u, k)[1:]
        parts.append(part)
        parts.append(np.ones(2) * 2)
    return np.sum(sum(parts) ** 2)


def view_of_a_changed_array(u):
    v = u * u
    parts = []
    for k in range(3):
        parts.append(v[:2])
        v[k] = u[0]
    return np.sum(sum(parts) ** 2)


def may_be_missing(u):
    best = None
    parts = []
    for k in range(3):
        if u[k] > 0:
            best = u * k + u**2
        if best is not None:
            parts.append(best)
    return np.sum(sum(parts) ** 2)


def convolved(u):
    v = np.concatenate([u, u**2])
    return np.sum(sum(v[k : k + 4] * u[k] for k in range(3)) ** 2)


def in_while(u):
    parts = []
    k = 0
    while k < 3:
        parts.append(np.exp(u * 0.1) * k)
        k += 1
    return np.sum(sum(parts) ** 2)


def two_lists_share(u):
    first, second = [], []
    for k in range(3):
        part = u**2 + k
        first.append(part)
        second.append(part)
    return np.sum(sum(first) * sum(second, u * 1.0))


FUNCTIONS = [
    *(held_elsewhere_too, kept_by_a_closure, carried_on, result_of_another_sum, one_of_two, view_of_a_changed_array),
    *(may_be_missing, convolved, in_while, two_lists_share),
    *(rolled, rolled_with_condition, listed, listed_twice, comprehended, in_a_tuple, started_with_number, started_with_array),
    *(started_late, started_with_the_argument, broadcast, broadcast_rows_and_columns, ones_along_axes, changed_before),
    *(changed_after, changed_on_the_way, copies_on_the_way, result_changed, result_changed_after_one, list_changed_later),
    *(in_branches, views, of_rows, of_a_helper, in_an_inner_function, of_a_whole, of_a_broadcast_whole, map_of_arrays),
    values_of_a_dict,
]


def differences(function, x):
    """Central differences, extrapolated."""
    found = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        unit = np.zeros_like(x)
        unit[index] = 1.0
        slopes = [(function(x + h * unit) - function(x - h * unit)) / (2 * h) for h in (2e-3, 1e-3, 5e-4)]
        better = [(4 * slopes[1] - slopes[0]) / 3, (4 * slopes[2] - slopes[1]) / 3]
        found[index] = (16 * better[1] - better[0]) / 15
    return found


@pytest.mark.parametrize("function", FUNCTIONS)
def test_first_and_second_derivatives(function) -> None:
    x = A.copy()
    value, gradient = value_and_grad(function)(x)
    expected = function(A.copy())
    assert np.asarray(value).tobytes() == np.asarray(expected).tobytes()
    assert type(value) is type(expected)
    assert (x == A).all()
    assert gradient == pytest.approx(differences(function, A), rel=1e-8, abs=1e-8)

    def along(u):
        return np.dot(grad(function)(u), W)

    assert grad(along)(A) == pytest.approx(differences(along, A), rel=1e-8, abs=1e-8)


def test_of_nothing() -> None:
    def of_nothing(u, n):
        return np.sum(sum([u * k for k in range(n)]) ** 2) + u[0]

    assert value_and_grad(of_nothing)(A, 0)[0] == A[0]
    assert grad(of_nothing)(A, 0).tolist() == [1.0, 0.0, 0.0]
    assert grad(started_with_the_argument)(A, 0) == pytest.approx(2 * A, rel=1e-15)
    assert grad(started_with_the_argument)(A, 3) == pytest.approx(2 * 16 * A, rel=1e-15)


def test_single_precision() -> None:
    gradient = grad(listed)(A.astype(np.float32))
    assert gradient.dtype == np.float32
    assert gradient == pytest.approx(3 * (3 * A + A * A) ** 2 * (3 + 2 * A), rel=1e-5)


def test_the_sum_is_taken_once() -> None:
    for function in (rolled, listed, comprehended, in_a_tuple):
        text = grad(function).source(A)
        assert text.count("def ") == 1
        assert text.count(" sum(") == 1
        assert "unbroadcast" not in text.replace("import", "") or function is in_a_tuple


@pytest.mark.parametrize("function", [rolled, broadcast_rows_and_columns, list_changed_later, changed_on_the_way, in_branches])
def test_in_a_function_that_is_called(function) -> None:
    def called_thrice(u):
        total = 0.0
        for k in range(3):
            total = total * 0.5 + function(u * (1.0 + k))
        return total

    assert grad(called_thrice)(A) == pytest.approx(differences(called_thrice, A), rel=1e-8)


def test_elements_have_no_adjoints_of_their_own() -> None:
    for function in (rolled, comprehended, of_a_helper, convolved, in_while, two_lists_share):
        text = grad(function).source(A)
        assert "items_bar" not in text
        assert "zeros_like_u_saved" not in text
    assert "_saved" not in grad(rolled_with_condition).source(A)
