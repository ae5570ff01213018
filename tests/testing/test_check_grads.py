"""Numeric differences and `check_grads`, against derivatives known in closed form; no transformer is needed here."""

from __future__ import annotations

import math
from typing import NamedTuple

import mpmath
import numpy as np
import pytest

from s2sad.errors import GradientCheckError, NonDifferentiableError
from s2sad.testing.check_grads import check_grads
from s2sad.testing.differences import CENTRAL, COMPLEX_STEP, NOT_COMPARED, NOT_SMOOTH, ONE_SIDED, complex_step, differentiate


@pytest.mark.parametrize(
    ("f", "x", "want"),
    [
        (math.sin, 1.0, math.cos(1.0)),
        (math.exp, -3.0, math.exp(-3.0)),
        (math.log, 1e-3, 1e3),
        (math.log, 1e-9, 1e9),
        (lambda x: x**3, 0.0, 0.0),
        (lambda x: x * x, 1e6, 2e6),
        (lambda x: 1.0, 2.0, 0.0),
        (lambda x: math.sin(50 * x), 0.3, 50 * math.cos(15.0)),
        (math.gamma, 2.5, float(mpmath.gamma(2.5) * mpmath.digamma(2.5))),
        (abs, 1e-12, 1.0),
        (abs, -1e-5, -1.0),
    ],
)
def test_differences_of_smooth_functions(f, x, want):
    estimate = differentiate(f, x)
    assert estimate.method == CENTRAL
    assert abs(estimate.value - want) <= 10 * estimate.error + 1e-15 * abs(want)
    assert estimate.error <= 1e-8 * max(1.0, abs(want))


@pytest.mark.parametrize(
    ("f", "x", "left", "right"),
    [
        (abs, 0.0, -1.0, 1.0),
        (lambda x: max(x, 2 * x), 0.0, 1.0, 2.0),
        (lambda x: max(x, 0.0) ** 2 + abs(x - 1.0), 1.0, 1.0, 3.0),
        (lambda x: min(math.sin(x), 0.5), math.pi / 6, math.cos(math.pi / 6), 0.0),
    ],
)
def test_kinks_give_both_sides(f, x, left, right):
    estimate = differentiate(f, x)
    assert estimate.method == NOT_SMOOTH
    assert estimate.left == pytest.approx(left, abs=1e-6)
    assert estimate.right == pytest.approx(right, abs=1e-6)


@pytest.mark.parametrize(
    ("f", "x"),
    [(lambda x: 1.0 if x > 2.0 else 0.0, 2.0), (lambda x: math.floor(x) + x, 3.0), (math.sqrt, 0.0), (math.cbrt, 0.0)],
)
def test_jumps_and_infinite_slopes_are_not_smooth(f, x):
    assert differentiate(f, x).method == NOT_SMOOTH


def test_at_the_end_of_a_domain_one_side_is_used():
    estimate = differentiate(lambda x: math.sqrt(x) * x * x, 0.0)
    assert estimate.method == ONE_SIDED
    assert abs(estimate.value) < 1e-6


def test_a_function_of_integers_cannot_be_moved():
    estimate = differentiate(lambda x: math.factorial(int(x)) if x == int(x) else math.factorial(x), 3.0)
    assert estimate.method == NOT_COMPARED
    assert "Error" in estimate.reason


def test_complex_step_is_exact_where_it_applies_and_refused_where_it_lies():
    square = differentiate(lambda x: x**7, 1.3)
    assert complex_step(lambda x: x**7, 1.3, square).value == pytest.approx(7 * 1.3**6, rel=1e-15)
    assert complex_step(lambda x: x**7, 1.3, square).method == COMPLEX_STEP

    def half(x):
        return x + abs(x)  # abs drops the imaginary part: a complex step would give 1

    assert complex_step(half, 1.3, differentiate(half, 1.3)).method == CENTRAL
    assert complex_step(math.sin, 1.3, differentiate(math.sin, 1.3)).method == CENTRAL


def test_nested_containers_are_checked_number_by_number():
    def f(p, scale):
        return scale * (p["a"][0] * p["b"][1][2] + p["a"][1] ** 2)

    def right(p, scale):
        return {"a": [scale * p["b"][1][2], 2 * scale * p["a"][1]], "b": (0.0, [0.0, 0.0, scale * p["a"][0]]), "label": None}

    p = {"a": [2.0, 3.0], "b": (1.0, [4.0, 5.0, 6.0]), "label": "x"}
    report = check_grads(f, (p, 0.5), argnums=0, gradient=right)
    assert report.ok
    assert report.compared == 6
    assert report.largest_difference < 1e-12
    assert [e.index for e in report.entries] == ["['a'][0]", "['a'][1]", "['b'][0]", "['b'][1][0]", "['b'][1][1]", "['b'][1][2]"]

    def wrong(p, scale):
        good = right(p, scale)
        return {**good, "b": (0.0, [0.0, 1e-4, good["b"][1][2]])}

    with pytest.raises(GradientCheckError) as caught:
        check_grads(f, (p, 0.5), argnums="p", gradient=wrong)
    table = str(caught.value).splitlines()
    assert [line.split()[:2] for line in table if line.endswith("DIFFERS")] == [["p", "['b'][1][1]"]]


def test_missing_structure_is_named():
    with pytest.raises(GradientCheckError, match=r"p\[1\] is missing"):
        check_grads(lambda p: p[0] * p[1], ([1.0, 2.0],), gradient=lambda p: [p[1]])


class Point(NamedTuple):
    x: float
    y: float


def test_named_tuples_arrays_and_float32():
    assert check_grads(lambda p: p.x * p.y, (Point(2.0, 3.0),), gradient=lambda p: Point(p.y, p.x)).ok
    x = np.linspace(0.1, 1.0, 6).reshape(2, 3)
    report = check_grads(lambda x: np.sum(np.sin(x)), (x,), gradient=np.cos)
    assert report.compared == 6
    assert report.entries[5].index == "[1, 2]"
    assert check_grads(lambda x: x * x, (np.float32(1.5),), gradient=lambda x: 2 * x).ok
    with pytest.raises(GradientCheckError):
        check_grads(lambda x: x * x, (np.float32(1.5),), gradient=lambda x: 2.1 * x)


def test_large_arrays_are_moved_in_random_directions():
    x = np.random.default_rng(1).normal(size=(9, 7))

    def wrong(x):
        gradient = np.cos(x)
        gradient[4, 4] += 1e-3
        return gradient

    report = check_grads(lambda x: np.sum(np.sin(x)), (x,), gradient=np.cos)
    assert report.compared == len(report.entries) == 9
    assert [e.index for e in report.entries][:4] == ["direction 1", "direction 2", "direction 3", "[0, 0]"]
    assert report.entries[-1].index == "[8, 6]"
    assert "[4, 4]" not in [e.index for e in report.entries]
    with pytest.raises(GradientCheckError, match=r"direction 1 .* DIFFERS"):
        check_grads(lambda x: np.sum(np.sin(x)), (x,), gradient=wrong)
    as_float32 = check_grads(lambda x: np.sum(np.sin(x)), (x.astype("float32"),), gradient=np.cos)
    assert as_float32.compared == 9
    nested = check_grads(lambda p: np.sum(p["a"][0] ** 2), ({"a": (x,)},), gradient=lambda p: {"a": (2 * p["a"][0],)})
    assert nested.entries[0].index == "['a'][0] direction 1"


def test_a_buffer_that_holds_no_complex_numbers_is_no_warning():
    def f(x):
        buffer = np.zeros(3)
        buffer[:] = x * x
        return np.sum(buffer)

    report = check_grads(f, (np.array([1.0, 2.0, 3.0]),), gradient=lambda x: 2 * x)
    assert {e.method for e in report.entries} == {CENTRAL}


@pytest.mark.parametrize(
    "gradient",
    [
        lambda x: np.sum(x),
        lambda x: 2 * x[None],
        lambda x: (2 * x).astype("float32"),
        lambda x: list(2 * x),
    ],
)
def test_the_gradient_of_an_array_is_an_array_like_it(gradient):
    with pytest.raises(
        GradientCheckError, match=r"x is an array of shape \(3,\), its gradient should be of that shape and float64"
    ):
        check_grads(lambda x: np.sum(x * x), (np.ones(3),), gradient=gradient)


def test_any_value_between_the_sides_of_a_kink_is_right():
    for value in (-1.0, 0.0, 1.0):
        assert check_grads(abs, (0.0,), gradient=lambda x, value=value: value).ok
    with pytest.raises(GradientCheckError, match="not smooth here"):
        check_grads(abs, (0.0,), gradient=lambda x: 1.5)


def test_what_cannot_be_compared_is_said():
    report = check_grads(lambda n, x: math.factorial(n) * x, (3, 2.0), argnums=(0, 1), gradient=lambda n, x: (0.0, 6.0))
    assert [e.agrees for e in report.entries] == [None, True]
    assert "not compared" in str(report)


def test_nan_is_a_difference():
    with pytest.raises(GradientCheckError):
        check_grads(math.sin, (1.0,), gradient=lambda x: math.nan)


def test_arguments_are_not_changed_and_keywords_are_passed():
    def f(x, power=1):
        x[0] *= 2.0
        return x[0] ** power

    args = ([1.5],)
    assert check_grads(f, args, kwargs={"power": 2}, gradient=lambda x, power: [8.0 * x[0]]).ok
    assert args == ([1.5],)


def test_wrong_requests_are_clear_errors():
    with pytest.raises(NonDifferentiableError, match="no argument holds a float"):
        check_grads(lambda n: n, (3,), gradient=lambda n: 1.0)
    with pytest.raises(ValueError, match="'z'"):
        check_grads(math.sin, (1.0,), argnums="z", gradient=math.cos)
    with pytest.raises(ValueError, match="out of range"):
        check_grads(math.sin, (1.0,), argnums=1, gradient=math.cos)


def test_a_small_error_is_found_in_a_long_iteration():
    def logistic(r, steps):
        x = 0.5
        for _ in range(steps):
            x = r * x * (1 - x)
        return x

    def adjoint(r, steps):
        xs = [0.5]
        for _ in range(steps):
            xs.append(r * xs[-1] * (1 - xs[-1]))
        x_bar, r_bar = 1.0, 0.0
        for x in reversed(xs[:-1]):
            r_bar += x_bar * x * (1 - x)
            x_bar *= r * (1 - 2 * x)
        return r_bar

    assert check_grads(logistic, (2.9, 100), gradient=adjoint).ok
    with pytest.raises(GradientCheckError):
        check_grads(logistic, (2.9, 100), gradient=lambda r, n: adjoint(r, n) * (1 + 1e-5))


def test_the_gradient_of_s2sad_is_checked_unless_another_is_given():
    def f(x, y):
        return x * math.sin(y)

    report = check_grads(f, (2.0, 0.5))
    assert [e.parameter for e in report.entries] == ["x", "y"]
    assert [e.ours for e in report.entries] == pytest.approx([math.sin(0.5), 2.0 * math.cos(0.5)], rel=1e-15)


@pytest.mark.parametrize("distance", [0.0, 1e-12, 1.1e-9, 2e-9, 3.7e-9, 1e-8, 1e-6])
def test_near_a_minimum_of_zero_nothing_looks_like_a_kink(distance):
    estimate = differentiate(lambda x: (x - 1.0) ** 2, 1.0 + distance)
    assert estimate.method == CENTRAL
    assert abs(estimate.value - 2 * distance) <= 10 * estimate.error + 1e-15
