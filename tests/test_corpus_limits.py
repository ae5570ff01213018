"""Long loops: no recursion, and no more memory than the adjoint reads."""

import math
import tracemalloc

import pytest

from s2sad import grad


def long_loop(x, n):
    for _ in range(n):
        x = x + 0.0001 * math.sin(x)
    return x


def long_while(x, n):
    k = 0
    while True:
        k += 1
        if k > n:
            break
        if k % 7 == 0:
            continue
        x = x * (1.0 - 0.0001 * x)
    return x


def long_with_helper(x, n):
    def step(y, k):
        return y - 0.0001 * y * y if k % 2 else y * 1.00001

    for k in range(n):
        x = step(x, k)
    return x


def logistic(x, n):
    for _ in range(n):
        x = 3.2 * x * (1.0 - x)
    return x


def linear(x, n):
    total = 0.0
    for k in range(n):
        total = total + k * x
    return total / n


@pytest.mark.parametrize("function", [long_loop, long_while, long_with_helper])
def test_twenty_thousand_trips(function):
    h = 1e-5
    expected = (function(0.5 + h, 20_000) - function(0.5 - h, 20_000)) / (2 * h)
    assert grad(function)(0.5, 20_000) == pytest.approx(expected, rel=1e-6)


def test_second_derivative_of_a_long_loop():
    h = 1e-4
    derivative = grad(long_loop)
    expected = (derivative(0.5 + h, 20_000) - derivative(0.5 - h, 20_000)) / (2 * h)
    assert grad(derivative)(0.5, 20_000) == pytest.approx(expected, rel=1e-5)


def peak(function, *arguments):
    derivative = grad(function)
    derivative(*arguments[:-1], 10)
    tracemalloc.start()
    try:
        derivative(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_logistic_step_saves_one_float():
    # a float is 24 bytes, its place in a list 8, and a list that grows keeps an eighth in reserve (and a copy while it moves)
    assert peak(logistic, 0.3, 100_000) < 100_000 * 44


def test_a_linear_loop_saves_nothing():
    assert peak(linear, 0.3, 100_000) < 20_000


def test_recursion_as_deep_as_the_primals():
    def down(x, n):
        return x if n == 0 else 0.999 * down(x, n - 1) + 0.001 * x * x

    h = 1e-6
    expected = (down(0.5 + h, 200) - down(0.5 - h, 200)) / (2 * h)
    assert grad(down)(0.5, 200) == pytest.approx(expected, rel=1e-8)


def test_wide_expressions_and_many_statements():
    import linecache

    lines = ["def wide(x):", "    y = x"] + [f"    y = y * 0.99 + x * {k}.0" for k in range(300)]
    lines += ["    return y + " + " + ".join(f"{k} * x" for k in range(200))]
    text = "\n".join(lines) + "\n"
    linecache.cache["<wide>"] = (len(text), None, text.splitlines(keepends=True), "<wide>")
    space = {"__name__": "wide"}
    exec(compile(text, "<wide>", "exec"), space)
    expected = space["wide"](2.0) - space["wide"](1.0)
    assert grad(space["wide"])(0.7) == pytest.approx(expected, rel=1e-10)
