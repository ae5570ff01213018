"""The functions of the module `random`: they are called as they are, and are not differentiated."""

from __future__ import annotations

import random

import pytest

import s2sad
from s2sad import grad, value_and_grad
from s2sad.errors import MissingRuleError


def sampled(x, n=5):
    total = 0.0
    for _ in range(n):
        total += (x * random.gauss(0.0, 1.0) + random.uniform(1.0, 2.0)) ** 2
    return total / n


def of_all(x):
    total = x * random.normalvariate(mu=1.0, sigma=0.5) + x * random.triangular()
    total += x * x * random.expovariate(2.0) * random.betavariate(1.0, 2.0)
    return total + x * random.gammavariate(2.0, 1.0) * random.vonmisesvariate(0.0, 4.0) + x * random.randint(1, 3)


@pytest.mark.parametrize("function", [sampled, of_all])
def test_the_numbers_are_those_that_the_primal_draws(function):
    def at(x):
        random.seed(7)
        return function(x)

    def drawn(derivative):
        random.seed(7)
        return derivative(1.5)

    value, slope = drawn(value_and_grad(function))
    assert value == at(1.5)
    # polynomials of second degree: central differences have no error but rounding
    assert slope == pytest.approx((at(2.5) - at(0.5)) / 2, rel=1e-12)
    assert drawn(grad(function)) == slope
    assert drawn(grad(grad(function))) == pytest.approx(at(2.5) - 2 * at(1.5) + at(0.5), rel=1e-12)


def test_what_is_drawn_with_active_parameters():
    def shifted(x):
        return random.gauss(x, 2 * x)

    def as_advised(x):
        return x + 2 * x * random.gauss(0.0, 1.0)

    with pytest.raises(MissingRuleError, match=r"rule\.pointwise\(random\.gauss\)\n +def derivative\(result, x, y\)"):
        grad(shifted)(1.5)
    random.seed(3)
    expected = 1.0 + 2.0 * random.gauss(0.0, 1.0)
    random.seed(3)
    assert grad(as_advised)(1.5) == expected
    random.seed(5)
    expected = random.lognormvariate(0.25, 0.5)

    @s2sad.rule.pointwise(random.lognormvariate)
    def derivative(result, mu, sigma):
        return result, None

    random.seed(5)
    assert grad(lambda mu: random.lognormvariate(mu, 0.5))(0.25) == expected
