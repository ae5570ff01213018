"""Another module, with globals named like those of `sources`."""

import math
import types

GAIN = 5.0


def shape(x):
    return math.cos(x) * GAIN


def scaled(x):
    return shape(x) * GAIN


nested = types.SimpleNamespace(deeper=lambda x: shape(x) * x)

NOTES = []


def note(value):
    NOTES.append(value)


def sum_of_notes():
    total = math.fsum(NOTES)
    NOTES.clear()
    return total


def apply(function, x):
    return function(x) * GAIN
