"""Item 8: functions to be called with several types, from several threads and in other processes."""

import math

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def any_types(x, n, label=None, flag=False):
    total = x
    for k in range(int(n)):
        total = total * x + k
    if label is not None and flag:
        total = total * len(label)
    return total


add(any_types, (0.7, 2), (0.7, 2.0), (2, 2), (0.7, True, "abc", True), (0.7, 2, None, True), (0.7, 2, "ab"))


def one_helper_many_types(x):
    def norm(z):
        if isinstance(z, list):
            return sum(part * part for part in z)
        return z * z

    return norm(x) * norm(2) + norm([x, 2.0, 3]) + norm(True) + norm([])


add(one_helper_many_types, 0.7, derivative=lambda x: 10 * x)


def make(k):
    def made(x):
        return k * x * x

    return made


# hash(-1) == hash(-2), 1 == 1.0 == True, 0.0 == -0.0
for k in (-1, -2, -1.0, 1, 1.0, True, 2):
    add(make(k), 0.7, name=f"made_with_{k!r}", derivative=lambda x, k=k: 2 * k * x)
add((lambda k: lambda x: math.copysign(x, k))(0.0), 0.7, name="made_with_zero", derivative=lambda x: 1.0)
add((lambda k: lambda x: math.copysign(x, k))(-0.0), 0.7, name="made_with_minus_zero", derivative=lambda x: -1.0)


def with_default(k):
    def made(x, k=k):
        return k * x

    return made


for k in (-1, -2, 2.5):
    add(with_default(k), 0.7, name=f"default_{k!r}", derivative=lambda x, k=k: float(k))

made_in_a_loop = []
for factor in (1.0, 2.0, 3.0):
    made_in_a_loop.append(lambda x, factor=factor: factor * x * x)
for place, function in enumerate(made_in_a_loop):
    add(function, 0.7, name=f"made_in_a_loop_{place}", derivative=lambda x, place=place: 2 * (place + 1) * x)
