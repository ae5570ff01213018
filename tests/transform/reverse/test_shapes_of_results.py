"""Adjoints of what functions return, of shapes that nobody knows beforehand: a caller gives each in the shape of the result, and
the reverse half rests on it."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad

X = np.arange(6.0).reshape(2, 3) + 0.5


def turned(y):
    n = len(y) - 1
    return np.concatenate([y[n:] * y[n:], y[:n]])


def handed_through(y):
    return y


def one_or_other(y, k):
    if k:
        return np.concatenate([y[k:], y[:k]]) * y
    return y * 2.0


def ending_early(y, k):
    for i in range(3):
        y = turned(y)
        if i == k:
            return np.concatenate([y, y])
    return y


def of_numbers(x, ks):
    total = 0.0
    for k in ks:
        z = turned(x[k:])
        total += np.mean(turned(z)) + np.sum(turned(z * z)) + np.median(turned(z))
    return total


def of_means(x, ks):
    total = 0.0
    for k in ks:
        z = turned(np.concatenate([x[k:], x[:k]]))
        total += np.sum(np.mean(z, axis=0, keepdims=True) ** 2) + np.sum(np.mean(turned(z), axis=1) ** 3)
        total += np.sum(turned(np.expand_dims(np.mean(z, axis=0), 0)))
    return total


def centred(x, ks):
    z = x
    for _ in ks:
        z = turned(z - np.mean(z, axis=0, keepdims=True))
        z = turned(z / np.sqrt(np.sum(z * z, axis=1, keepdims=True)))
    return np.sum(np.mean(z, axis=0) ** 2)


def broadcast_after(x, ks):
    z = x
    for k in ks:
        row = turned(np.sum(z, axis=0, keepdims=True))
        z = turned(z[k:] * row)
    return np.sum(z)


def through_all(x, ks):
    z = x
    for k in ks:
        z = one_or_other(handed_through(z), k) + ending_early(z[:1], 0)
    return np.sum(ending_early(z, 1)) + np.sum(ending_early(z, 7))


PROGRAMS = (of_numbers, of_means, centred, broadcast_after, through_all)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("ks", [[0, 1, 1], [1, 0], []], ids=str)
def test_gradients_agree_with_differences(f, ks):
    assert check_grads(f, (X, ks), argnums=0).ok


def oscillator(y, k, m):
    n = len(m)

    def rates(y):
        return np.concatenate([y[n:], -(k @ y[:n]) / m])

    for _ in range(3):
        y = y + 0.1 * rates(y + 0.05 * rates(y))
    return np.sum(y * y)


def test_a_result_is_not_made_again_for_its_shape():
    arguments = (np.arange(4.0), np.array([[2.0, -1.0], [-1.0, 2.0]]), np.array([1.0, 2.0]))
    gradient = grad(oscillator, argnums=(0, 1, 2))
    source = gradient.source(*arguments)
    code = [line.partition("#")[0] for line in source.splitlines()]
    assert sum("np.concatenate" in line for line in code) == 1  # in the function itself
    assert "broadcast_like" not in source
    assert check_grads(oscillator, arguments, argnums=(0, 1, 2)).ok
