"""What a trip hands on to the next is not computed again where the next one's start is saved."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import check_grads, grad

RNG = np.random.default_rng(7)
W, H = RNG.normal(size=(3, 3)) / 2, RNG.normal(size=3)


def code(f, *args, argnums=0):
    """The generated text without comments."""
    return "\n".join(line.partition("#")[0] for line in grad(f, argnums).source(*args).splitlines())


def recurrent(h, w, n):
    for _ in range(n):
        h = np.tanh(w @ h)
    return np.sum(h)


def of_numbers(h, w, n):
    y = h[0]
    for _ in range(n):
        y = math.exp(-y * y)
    return y


def nested(h, w, n):
    total = 0.0
    for k in range(n):
        for _ in range(k):
            h = np.tanh(w @ h)
            total += h[0]
        h = h * h
    return total + np.sum(h)


def with_two_ways(h, w, n):
    for k in range(n):
        if k % 2:
            h = np.tanh(w @ h)
        else:
            h = np.exp(-h * h)
    return np.sum(h)


def that_goes_on(h, w, n):
    for k in range(n):
        if k == 1:
            h = 0.5 * h
            continue
        h = np.tanh(w @ h)
    return np.sum(h)


def that_stops(h, w, n):
    for k in range(n):
        h = np.tanh(w @ h)
        if k == 2:
            break
    return np.sum(h)


def while_on_data(h, w, n):
    while np.sum(h * h) > 0.01 and n > 0:
        h = np.tanh(w @ h)
        n -= 1
    return np.sum(h)


def two_that_swap(h, w, n):
    g = h
    for _ in range(n):
        g, h = np.tanh(w @ h), g * h
    return np.sum(g * h)


def in_a_helper(h, w, n):
    return recurrent(h * h, w, n)


def changed_afterwards(h, w, n):
    for _ in range(n):
        h = np.tanh(w @ h)
    h[0] = 1.0
    return np.sum(h)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize(
    "f",
    [
        recurrent,
        of_numbers,
        nested,
        with_two_ways,
        that_goes_on,
        that_stops,
        while_on_data,
        two_that_swap,
        in_a_helper,
        changed_afterwards,
    ],
)
def test_loops(f, n) -> None:
    args = (H + 0.3, W, n)
    if n == 0 and f is of_numbers:
        check_grads(f, args, argnums=0)
        return
    check_grads(f, args, argnums=(0, 1) if f is not of_numbers else 0)


def test_what_is_handed_on_is_computed_once() -> None:
    text = code(recurrent, H, W, 3)
    assert text.count("np.tanh") == 1
    assert text.count("append") == 1
    text = code(of_numbers, H, W, 3)
    assert text.count("math.exp") == 1
    assert text.count("append") == 1


def test_what_takes_effort_is_kept_where_something_is_kept_anyway() -> None:
    def f(x, n):
        for _ in range(n):
            x = x * (1 + x * x) ** -1.5
        return np.sum(x)

    text = code(f, H, 3)
    assert text.count("append") == 2
    assert text.count("** -1.5") == 1
    check_grads(f, (H, 3))
