"""Parts of an array that have no element in common: what is set to zero in the one stays zero while the other is in use."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad
from s2sad.ir.nodes import Constant, Value
from s2sad.ir.types import INT
from s2sad.transform.element_places import are_apart
from s2sad.transform.rewrite import operand_key

X = np.array([0.5, -1.0, 2.0, 1.5, 0.3, -0.7])
#: Below zero, in between, at the ends and beyond them.
CUTS = [-8, -6, -2, 0, 1, 3, 6, 9]


def exchanged(x, cuts):
    y = x.copy()
    for k in cuts:
        head = y[:k].copy()
        tail = y[k:].copy()
        y[:k] = 2.0 * head
        y[k:] = tail * tail
    return np.sum(y * y)


def mixed(x, cuts):
    y = x.copy()
    for k in cuts:
        low, high = np.sum(y[:k]), np.sum(y[k:])
        y[k:] = y[k:] * low
        y[:k] = y[:k] - 0.3 * high
    return np.sum(y * y)


def between_three(x, cuts):
    y = x.copy()
    for k in cuts:
        m = k + 2
        first, second = y[:k] * y[:k], np.sin(y[k:m])
        y[k:m] = second + np.sum(first)
        y[:k] = first * 0.1
        y[m:] = np.sum(y[k:m]) * y[m:]
    return np.sum(y * y)


def one_within_the_other(x, cuts):
    y = x.copy()
    for k in cuts:
        whole, part = y[k:] * 2.0, y[k : k + 2] * y[k : k + 2]
        y[k:] = whole
        y[k : k + 2] = part
    return np.sum(y * y)


def both_ways(x, cuts):
    y = x.copy()
    for k in cuts:
        m = 6 - k
        there, back = y[k:m] * 3.0, y[m:k] * 0.5
        y[k:m] = there * there
        y[m:k] = back + np.sum(there)
    return np.sum(y * y)


def seen_through_another_name(x, cuts):
    y = x.copy()
    z = y[1:]
    for k in cuts:
        a, b = z[:k] * 2.0, y[k:] * y[k:]
        z[:k] = a
        y[k:] = b
    return np.sum(y * y) + np.sum(z)


def elements(x, cuts):
    y = x.copy()
    for _ in cuts:
        a, b, c = y[0], y[1], y[-1]
        y[0] = a * b
        y[1] = b - c
        y[-1] = np.sin(c)
    return np.sum(y * y)


PROGRAMS = (exchanged, mixed, between_three, one_within_the_other, both_ways, seen_through_another_name, elements)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("k", CUTS)
def test_gradients_agree_with_differences(f, k):
    assert check_grads(f, (X, [k, 3]), argnums=0).ok


@pytest.mark.parametrize("f", [between_three, elements])
def test_one_element_may_be_all_there_are(f):
    assert check_grads(f, (X[:2], [1, 1]), argnums=0).ok


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("bound", [None, *CUTS])
def test_slices_that_meet_have_no_element_in_common(cut, bound):
    k, other = Value("k", INT), Constant(bound)
    keys = [(operand_key(Constant(slice)), tuple(map(operand_key, part))) for part in ((other, k), (k, other))]
    keys = [(function, (*bounds, operand_key(Constant(None)))) for function, bounds in keys]
    assert are_apart(*keys)
    first, second = (set(range(6)[part]) for part in (slice(bound, cut), slice(cut, bound)))
    assert not first & second


def test_parts_are_set_once():
    source = grad(exchanged).source(X, [1, 2])
    _, reverse = source.split("# reverse sweep")
    assert "0.0" not in reverse
    assert ".copy()" not in reverse
    assert "+=" not in reverse
