"""The types of what is asked of arrays: numbers and shapes that carry no derivative, and arrays of random numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands
from s2sad.analysis.array_shapes import Shape, broadcast
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import FLOAT, INT, OpaqueType, ScalarType, TupleType, Type


@transfer("a", np.shape)
def shape_of(given: Operands) -> Type:
    rank = given.seen("a").rank
    if rank is None:
        raise NotKnownError
    return TupleType((INT,) * rank)


@transfer("a", np.ndim)
@transfer("a axis", np.size)
def number_of_axes(given: Operands) -> Type:
    given.seen("a")
    return INT


@transfer("*seed", np.random.default_rng)
def generator(given: Operands) -> Type:
    return OpaqueType(np.random.Generator)


#: How many parameters stand before the size, by the name of the method.
_FLOATS: Final = {
    **dict.fromkeys(("random", "random_sample", "standard_normal", "standard_exponential", "standard_cauchy"), 0),
    **dict.fromkeys(("exponential", "rayleigh", "standard_gamma", "standard_t", "chisquare", "pareto", "power", "weibull"), 1),
    **dict.fromkeys(("normal", "uniform", "gamma", "beta", "laplace", "logistic", "lognormal", "gumbel", "f", "vonmises"), 2),
    "triangular": 3,
}
_INTEGERS: Final = {"poisson": 1, "geometric": 1, "binomial": 2, "negative_binomial": 2, "integers": 2, "randint": 2}
_BEFORE: Final = ("p0", "p1", "p2")


def random_numbers(name: str) -> tuple[tuple[str, ...], str] | None:
    """The parameters of a method that draws numbers, and the dtype that it gives."""
    if name in _FLOATS:
        return (*_BEFORE[: _FLOATS[name]], "size"), "float64"
    if name in _INTEGERS:
        return (*_BEFORE[: _INTEGERS[name]], "size"), "int64"
    return None


def drawn(given: Operands, dtype: str) -> Type:
    """Random numbers: one, or an array."""
    if given.has("size"):
        return given.array_of(given.lengths("size"), np.dtype(dtype))
    shapes: list[Shape] = []
    for name in given.named:
        if name in ("size", "dtype", "method", "endpoint", "out"):
            continue
        shape = given.seen(name).shape
        if shape is None:
            raise NotKnownError
        shapes.append(shape)
    shape = broadcast(*shapes)
    if not shape:
        return FLOAT if dtype == "float64" else ScalarType("int", dtype)
    return given.array_of(shape, np.dtype(dtype))
