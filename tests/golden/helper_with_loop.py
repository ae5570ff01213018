"""A helper that must keep something: it gets a forward half."""

import math


def relax(x, target):
    for _ in range(6):
        x = x - 0.3 * math.tanh(x - target)
    return x


def settle(x, a, b):
    y = relax(x, a)
    return relax(y * y, b) + y


args = (2.5, 0.3, 0.8)
argnums = (0, 1)
