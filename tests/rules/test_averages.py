"""Means, variances and standard deviations of the module `statistics`."""

import math
import statistics

import pytest

from s2sad import grad, value_and_grad

XS = [1.5, 2.0, 0.7, 3.1]
MEAN = sum(XS) / 4
VARIANCE = sum((x - MEAN) ** 2 for x in XS) / 3


def deviations(scale):
    return [scale * (x - MEAN) for x in XS]


@pytest.mark.parametrize(
    ("function", "gradient"),
    [
        (statistics.mean, [0.25] * 4),
        (statistics.fmean, [0.25] * 4),
        (statistics.variance, deviations(2 / 3)),
        (statistics.pvariance, deviations(2 / 4)),
        (statistics.stdev, deviations(1 / 3 / math.sqrt(VARIANCE))),
        (statistics.pstdev, deviations(1 / 4 / math.sqrt(0.75 * VARIANCE))),
    ],
)
def test_of_a_list(function, gradient):
    value, found = value_and_grad(lambda xs: function(xs))(XS)
    assert value == function(XS)
    assert found == pytest.approx(gradient, rel=1e-13)


def test_weighted():
    weights = [1.0, 2.0, 3.0, 0.5]
    by_xs, by_weights = grad(lambda xs, w: statistics.fmean(xs, w), argnums=(0, 1))(XS, weights)
    total, mean = sum(weights), sum(w * x for w, x in zip(weights, XS, strict=True)) / sum(weights)
    assert by_xs == pytest.approx([w / total for w in weights], rel=1e-13)
    assert by_weights == pytest.approx([(x - mean) / total for x in XS], rel=1e-13)


def test_of_what_a_loop_has_appended():
    def spread(x):
        values = []
        for k in range(1, 4):
            values.append(x * k)
        return statistics.pvariance(values) * statistics.fmean(v * v for v in values)

    # (2 / 3) x**2 * (14 / 3) x**2
    assert grad(spread)(1.3) == pytest.approx(4 * 28 / 9 * 1.3**3, rel=1e-13)
    assert grad(grad(spread))(1.3) == pytest.approx(12 * 28 / 9 * 1.3**2, rel=1e-13)


def test_with_a_center():
    by_x, by_center = grad(lambda x, center: statistics.variance([x, 2.0], center), argnums=(0, 1))(1.5, 1.0)
    assert (by_x, by_center) == pytest.approx((1.0, -2 * (0.5 + 1.0)), rel=1e-13)
