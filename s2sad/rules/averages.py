"""Models of the functions of the module `statistics` on numbers: means, variances and standard deviations."""

from __future__ import annotations

import math
import statistics
from typing import Any

from s2sad.ir.effects import READS, declare_effects
from s2sad.rules.declare import model

Anything = Any


@model(statistics.mean)
def mean_of(data: Anything) -> Anything:
    elements = list(data)
    return sum(elements) / len(elements)


@model(statistics.fmean)
def floating_mean_of(data: Anything, weights: Anything = None) -> Anything:
    elements = list(data)
    if weights is None:
        return sum(elements) / len(elements)
    factors = list(weights)
    total = 0.0
    for i in range(len(elements)):
        total += elements[i] * factors[i]
    return total / sum(factors)


@model(statistics.pvariance)
def variance_of_all(data: Anything, mu: Anything = None) -> Anything:
    elements = list(data)
    center = sum(elements) / len(elements) if mu is None else mu
    return sum([(element - center) * (element - center) for element in elements]) / len(elements)


@model(statistics.variance)
def variance_of(data: Anything, xbar: Anything = None) -> Anything:
    elements = list(data)
    center = sum(elements) / len(elements) if xbar is None else xbar
    return sum([(element - center) * (element - center) for element in elements]) / (len(elements) - 1)


@model(statistics.pstdev)
def deviation_of_all(data: Anything, mu: Anything = None) -> Anything:
    return math.sqrt(statistics.pvariance(data, mu))


@model(statistics.stdev)
def deviation_of(data: Anything, xbar: Anything = None) -> Anything:
    return math.sqrt(statistics.variance(data, xbar))


declare_effects(READS, statistics.mean, statistics.fmean, statistics.pvariance, statistics.variance)
declare_effects(READS, statistics.pstdev, statistics.stdev)
