"""What a loop does when it is left is reversed once, not in each trip."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import check_grads, grad, value_and_grad

XS, YS = [0.0, 1.0, 2.0, 3.5], [1.0, 2.0, 5.0, 4.0]


def interpolated(xs, ys, x):
    for i in range(len(xs) - 1):
        if xs[i] <= x <= xs[i + 1]:
            t = (x - xs[i]) / (xs[i + 1] - xs[i])
            return ys[i] * (1 - t) + ys[i + 1] * t
    return 0.0


def found_with_break(xs, ys, x):
    result = x * x
    for i in range(len(xs)):
        if xs[i] > x:
            result = result * ys[i] + xs[i - 1]
            break
    return result * x


def not_found(xs, ys, x):
    for i in range(len(xs)):
        if xs[i] > 100.0:
            x = x * ys[i]
            break
    else:
        x = math.sin(x)
    return x * ys[0]


def never_run(xs, ys, x):
    for i in range(0):
        if xs[i] > x:
            x = x * ys[i]
            break
    return x * x


def index_used_after(xs, ys, x):
    for i in range(len(xs)):
        if xs[i] > x:
            x = x * ys[i]
            break
    return x * ys[i] * (i + 1)


def searched_in_each_trip(xs, ys, x):
    total = 0.0
    for k in range(5):
        point = x * (0.2 + 0.3 * k)
        for i in range(len(xs) - 1):
            if point < xs[i + 1]:
                total += ys[i] * point + point**2 * xs[i]
                break
        else:
            total += math.cos(point)
    return total


def until_large(xs, ys, x):
    while True:
        x = x * ys[1]
        if x > 50.0:
            x = math.sqrt(x) * ys[2]
            break
    return x * xs[1]


def until_large_but_not_long(xs, ys, x):
    n = 0
    while n < 3:
        x = x * ys[1]
        n += 1
        if x > 5.0:
            x = math.log(x) + n * ys[2]
            break
    return x * x


def computed_in_the_last_trip(xs, ys, x):
    t = 0.0
    for k in range(20):
        new = x + ys[0] * 0.1
        if new > 2.0:
            t = k + (2.0 - x) / (new - x)
            break
        x = new
    return t * t


def two_ways_out(xs, ys, x):
    for i in range(len(xs)):
        if xs[i] > 3.0:
            x = x + ys[0]
            break
        if xs[i] > x:
            x = x * ys[i]
            break
        x = x * 1.1
    return x * x


def way_out_deep_inside(xs, ys, x):
    for i in range(len(xs)):
        if xs[i] > 0.5:
            d = xs[i] - 0.25
            if d > x * 0.4:
                e = d * d
                x = x * ys[i] + e * i
                break
    return x * x


def stored_on_the_way_out(xs, ys, x):
    kept = [0.0, x]
    for i in range(len(xs)):
        if xs[i] > x:
            kept[0] = ys[i] * x
            kept.append(kept[0] * kept[1])
            break
    return sum(kept)


PROGRAMS = [
    interpolated,
    found_with_break,
    not_found,
    never_run,
    index_used_after,
    searched_in_each_trip,
    until_large,
    until_large_but_not_long,
    computed_in_the_last_trip,
    two_ways_out,
    way_out_deep_inside,
    stored_on_the_way_out,
]


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("x", [0.3, 1.2, 2.9])
def test_gradients(function, x) -> None:
    assert value_and_grad(function)(XS, YS, x)[0] == function(XS, YS, x)
    check_grads(function, (XS, YS, x), argnums=(0, 1, 2))


@pytest.mark.parametrize("function", PROGRAMS)
def test_second_derivatives(function) -> None:
    check_grads(grad(function, argnums=2), (XS, YS, 1.2), argnums=2)


def test_a_search_has_nothing_to_reverse() -> None:
    for function in (interpolated, found_with_break, not_found, way_out_deep_inside):
        forward, reverse = grad(function, argnums=(1, 2)).source(XS, YS, 1.2).split("# reverse sweep")
        assert "_saved" not in forward
        assert "for " not in reverse
    assert "last_trip" not in grad(until_large, argnums=2).source(XS, YS, 1.2)


def test_what_is_done_is_done_in_order(capsys) -> None:
    def speaking(xs, x):
        for i in range(len(xs)):
            print("looks at", i)
            if xs[i] > x:
                print("found", i)
                x = x * xs[i]
                print("took it")
                break
        print("is done")
        return x

    speaking(XS, 0.5)
    said = capsys.readouterr().out
    assert grad(speaking, argnums=1)(XS, 0.5) == 1.0
    assert capsys.readouterr().out == said


def test_exceptions_on_the_way_out_are_those_of_the_primal() -> None:
    def divided(xs, x):
        for i in range(len(xs)):
            if xs[i] > x:
                x = x / xs[0]
                break
        return x

    def dividing(xs, x):
        try:
            return divided(xs, x)
        except ZeroDivisionError:
            return 3.0 * x

    assert value_and_grad(dividing, argnums=1)(XS, 0.5) == (1.5, 3.0)


def test_arrays_that_are_changed_on_the_way_out() -> None:
    def filled(x, limit):
        y = np.zeros(3)
        for i in range(3):
            if x[i] > limit:
                y[i:] = x[i] * x[i:]
                break
        return np.sum(y * y) + y[1]

    check_grads(filled, (np.array([0.1, 0.7, 0.4]), 0.5))
    check_grads(filled, (np.array([0.1, 0.7, 0.4]), 0.05))
    check_grads(filled, (np.array([0.1, 0.7, 0.4]), 5.0))
    assert "_saved" not in grad(filled).source(np.ones(3), 0.5)
