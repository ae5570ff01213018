"""Another module, with globals named like those of `sources`."""

import math
import types

GAIN = 5.0


def shape(x):
    return math.cos(x) * GAIN


def scaled(x):
    return shape(x) * GAIN


nested = types.SimpleNamespace(deeper=lambda x: shape(x) * x)
