"""Tuples of arrays that containers keep, given to functions that have a rule: adjoints reach the arrays."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad


def kept_in_a_list(w, x):
    kept = []
    h = np.ones(1)
    for _ in range(3):
        pair = (h, x)
        kept.append(pair)
        h = w * np.concatenate(pair)[:1]
    total = 0.0
    for pair in kept[::-1]:
        total += np.sum(np.concatenate(pair) ** 2)
    return total * h[0]


def of_a_list_in_a_loop(w, x):
    h = np.ones(1)
    for _ in range(3):
        h = w * np.concatenate([h, x])[:1] + h * h
    return h[0]


def stacked_in_a_loop(w, x):
    h = x
    for _ in range(3):
        h = (np.vstack([h, w * x * h]) * w).sum(0)
    return h.prod()


def by_index(w, x):
    kept = [(np.ones(1) * w, x), (x * w, x)]
    return np.sum(np.hstack(kept[1]) ** 2) + np.sum(np.stack(arrays=kept[0], axis=1) ** 3)


def _pair(w, x):
    return w * x, np.ones(2) * w * w


def of_a_helper(w, x):
    pair = _pair(w, x)
    return np.sum(np.concatenate(pair) * np.concatenate(pair)[::-1])


def chosen(w, x):
    a, b = w * x, w * w * x
    pair = (a, b) if w > 1 else (b, a)
    return np.concatenate(pair) @ np.array([1.0, 3.0])


def carried(w, x):
    pair = (x, x)
    for _ in range(3):
        both = np.concatenate(pair)
        pair = (w * both[:1], pair[0] * both[1:])
    return np.concatenate(pair) @ np.array([1.0, 3.0])


def in_a_dict(w, x):
    kept = {"a": (w * x, x), "b": (x, w * w * x)}
    total = 0.0
    for key in kept:
        total += np.sum(np.vstack(kept[key]) ** 3)
    return total


def nested(w, x):
    kept = [((w * x, x * w * w), x)]
    pair, _ = kept[0]
    return np.sum(np.concatenate(pair) ** 2)


def written_through(w, x):
    a, b = w * x, x.copy()
    kept = [(a, b)]
    before = np.concatenate(kept[0])
    a *= w
    b += a
    return before @ np.concatenate(kept[0]) + np.sum(kept[0][1] ** 2)


PROGRAMS = [
    kept_in_a_list,
    of_a_list_in_a_loop,
    stacked_in_a_loop,
    by_index,
    of_a_helper,
    chosen,
    carried,
    in_a_dict,
    nested,
    written_through,
]


def slope(function, w, x):
    """By differences of fourth order."""
    h = 1e-3
    return (8 * (function(w + h, x) - function(w - h, x)) - (function(w + 2 * h, x) - function(w - 2 * h, x))) / (12 * h)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_first_and_second_derivatives(function):
    x = np.array([0.7])
    value, gradient = value_and_grad(function)(1.3, x)
    assert value == function(1.3, x)
    assert gradient == pytest.approx(slope(function, 1.3, x), rel=1e-8)
    first = grad(function)
    assert grad(first)(1.3, x) == pytest.approx(slope(first, 1.3, x), rel=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_by_the_array(function):
    x, h = np.array([0.7]), 1e-3
    ends = [function(1.3, x + s * h) for s in (2, 1, -1, -2)]
    expected = (-ends[0] + 8 * ends[1] - 8 * ends[2] + ends[3]) / (12 * h)
    np.testing.assert_allclose(grad(function, argnums="x")(1.3, x), [expected], rtol=1e-7, atol=1e-9)
