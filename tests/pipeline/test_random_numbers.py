"""The functions of the module `random`, and the generators of NumPy: they are called as they are, and are not differentiated."""

from __future__ import annotations

import random

import numpy as np
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


def _kept(s, rng):
    """Dropout in layers: the mask has the shape of what comes in."""
    x = s * np.arange(1.0, 7.0)
    for _ in range(2):
        x = x * (rng.random(x.shape) > 0.5) / (1 - s)
    return np.sum(x)


def _chosen(s, rng):
    x = s * np.ones(6)
    places = rng.choice(6, size=3, replace=False)
    x[places] *= s * rng.uniform(0.5, 1.0)
    for place in rng.choice(6, 2):
        x[place] += s * s
    return x @ rng.choice([1.0, 2.0, 3.0], size=6)


def _of_several(s, rng):
    x = np.exp(-s * rng.dirichlet(np.ones(6))) * rng.multinomial(5, np.ones(6) / 6)
    return (x + s * rng.multivariate_normal(np.zeros(6), np.eye(6))) @ np.arange(6.0)


def _walk(s, rng):
    x = np.full(6, s)
    for _ in range(3):
        step = rng.normal(scale=0.3, size=6)
        x = x + s * x * step + 0.5 * s**2 * x * (step**2 - 0.1)
    return x.mean() + x.std(ddof=1)


def by_keyword():
    return np.random.default_rng(seed=3)


def by_position():
    return np.random.default_rng(3)


def of_bits():
    return np.random.Generator(np.random.PCG64(3))


@pytest.mark.parametrize("f", [_kept, _chosen, _of_several, _walk])
@pytest.mark.parametrize("generator", [by_keyword, by_position, of_bits])
def test_generators_of_numpy(f, generator):
    def function(s):
        return f(s, generator())

    def slope(g, at, h=1e-3):
        return (8 * (g(at + h) - g(at - h)) - g(at + 2 * h) + g(at - 2 * h)) / (12 * h)

    assert grad(function)(0.4) == pytest.approx(slope(function, 0.4), rel=1e-8)
    assert grad(grad(function))(0.4) == pytest.approx(slope(grad(function), 0.4), rel=1e-8)


def _made():
    return np.random.default_rng(3)


def _stepped(s, x, rng):
    return x + s * rng.normal(size=x.shape)


class _Walker:
    def __init__(self, s, rng):
        self.s, self.rng = s, rng

    def step(self, x):
        return x * self.s + self.rng.normal(size=x.shape)


def _gaussian(s, rng):
    return sum(s * s * rng.gauss(0.0, 1.0) for _ in range(3))


def _handed_on(s):
    return np.sum(_stepped(s, s * np.ones(3), np.random.default_rng(3)) ** 2)


def _from_a_function(s):
    rng = _made()
    return np.sum(_stepped(s, _stepped(s, s * np.ones(3), rng), rng) ** 2)


def _in_an_object(s):
    walker, x = _Walker(s, np.random.default_rng(3)), s * np.ones(3)
    for _ in range(3):
        x = walker.step(x)
    return np.sum(x)


def _captured(s):
    rng = np.random.default_rng(3)

    def step(x):
        return x * s + rng.normal(size=3)

    return np.sum(step(step(s * np.ones(3))))


def _of_python(s):
    return _gaussian(s, random.Random(3))


@pytest.mark.parametrize("f", [_handed_on, _from_a_function, _in_an_object, _captured, _of_python])
def test_generators_go_where_active_numbers_go(f):
    def slope(g, at, h=1e-3):
        return (8 * (g(at + h) - g(at - h)) - g(at + 2 * h) + g(at - 2 * h)) / (12 * h)

    assert grad(f)(0.4) == pytest.approx(slope(f, 0.4), rel=1e-8)
    if f is not _of_python:
        assert grad(grad(f))(0.4) == pytest.approx(slope(grad(f), 0.4), rel=1e-8)


def _shuffled(x, rng):
    y = x * 2.0
    rng.shuffle(y)
    return y


@pytest.mark.parametrize(
    "draw",
    [
        lambda x, rng: rng.normal(x),
        lambda x, rng: rng.exponential(scale=x, size=3),
        lambda x, rng: rng.permutation(x),
        lambda x, rng: rng.choice(x, 2),
        _shuffled,
    ],
)
def test_a_generator_that_is_given_active_numbers_is_refused(draw):
    def drawn(x, rng):
        return np.sum(draw(x, rng) ** 2)

    with pytest.raises(MissingRuleError, match="object of class Generator"):
        grad(drawn)(np.ones(3), np.random.default_rng(3))


GENERATOR = random.Random(3)


def shuffled_indices(x):
    indices = list(range(3))
    GENERATOR.shuffle(indices)
    items = [x, 2 * x, x * x]
    return items[indices[0]] * items[indices[1]]


def sampled_and_chosen(x):
    total = 0.0
    for i in GENERATOR.sample(range(5), 3):
        total = total * x + i
    return total + GENERATOR.choice((1.0, 2.0)) * x + GENERATOR.uniform(0, 1) * x


def chosen_texts(x):
    total = 0.0
    for word in GENERATOR.choices(["a", "b"], k=4):
        total = total * x + (x if word == "a" else 1.0)
    return total


def of_the_module(x):
    random.seed(1)
    items = [3.0, 1.0, 2.0]
    random.shuffle(items)
    polynomial = sum(c * x**k for k, c in enumerate(items))
    return polynomial * random.choice([1.0, 2.0]) + x * random.randint(1, 6) + sum(random.sample([1.0, 2.0, 3.0], 2)) * x


@pytest.mark.parametrize("program", [shuffled_indices, sampled_and_chosen, chosen_texts, of_the_module])
def test_drawing_from_what_is_not_active(program):
    def seeded(function, x):
        GENERATOR.seed(7)
        return function(x)

    def difference(function):
        return (seeded(function, 1.5 + 1e-6) - seeded(function, 1.5 - 1e-6)) / 2e-6

    assert seeded(grad(program), 1.5) == pytest.approx(difference(program), rel=1e-8)
    assert seeded(grad(grad(program)), 1.5) == pytest.approx(difference(grad(program)), rel=1e-8)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: random.choice([x, x * x]),
        lambda x: sum(random.sample([x, x * x, 1.0], 2)),
        lambda x: random.Random(1).choice([x, x * x]),
        lambda x: GENERATOR.choices([x, 1.0], k=1)[0],
    ],
)
def test_drawing_from_active_numbers_is_refused_with_a_way_out(program):
    with pytest.raises(MissingRuleError, match=r"draw or shuffle indices, range\(len\(items\)\), and take items\[i\]"):
        grad(program)(1.5)
