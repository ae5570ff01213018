"""A program that raises in many ways (in a module whose asserts pytest does not rewrite)."""

import math


class CustomError(Exception):
    pass


def fails(x, how):
    y = x * x
    for k in range(3):
        y = math.sqrt(y) if how != "domain" else math.sqrt(y - 10.0)
        if how == "custom" and k == 1:
            raise CustomError("custom", k)
        if how == "index":
            y += [1.0][k]
        if how == "key":
            y += {0: 1.0}[k]
        if how == "zero":
            y /= k
        if how == "assert":
            assert k < 1, f"k is {k}"
        if how == "unbound" and k == 0:
            y += never_bound  # noqa: F821
        if how == "overflow":
            y = math.exp(y * 1000)
        if how == "unpack":
            a, b = (1.0, 2.0, 3.0)[: k + 1]
    if how == "never":
        never_bound = 1.0
    return y
