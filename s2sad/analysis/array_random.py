"""The types of random numbers: what the methods of a generator give, and the functions of `numpy.random`, by name."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands, scalar
from s2sad.analysis.array_shapes import Shape, broadcast
from s2sad.analysis.array_types import bind, transfer
from s2sad.ir.nodes import Operand
from s2sad.ir.types import FLOAT, INT, NONE, ArrayType, OpaqueType, Type


@transfer("seed", np.random.default_rng, way="act")
def generator(given: Operands) -> Type:
    return OpaqueType(np.random.Generator, exact=False)


#: How many parameters stand before the size, by the name of the method.
_FLOATS: Final = {
    **dict.fromkeys(("random", "random_sample", "standard_normal", "standard_exponential", "standard_cauchy"), 0),
    **dict.fromkeys(("exponential", "rayleigh", "standard_gamma", "standard_t", "chisquare", "pareto", "power", "weibull"), 1),
    **dict.fromkeys(("normal", "uniform", "gamma", "beta", "laplace", "logistic", "lognormal", "gumbel", "f", "vonmises"), 2),
    "triangular": 3,
}
_INTEGERS: Final = {"poisson": 1, "geometric": 1, "binomial": 2, "negative_binomial": 2, "integers": 2, "randint": 2}
#: What gives a vector for each draw: its parameters, the one that has as many elements, and the dtype.
_VECTORS: Final = {
    "dirichlet": (("alpha", "size"), "alpha", float),
    "multinomial": (("n", "pvals", "size"), "pvals", int),
    "multivariate_normal": (("mean", "cov", "size"), "mean", float),
}
#: Names that the first parameters have, for calls with keywords.
_NAMES: Final = {
    "normal": ("loc", "scale"),
    "laplace": ("loc", "scale"),
    "uniform": ("low", "high"),
    "integers": ("low", "high"),
    "randint": ("low", "high"),
    "exponential": ("scale",),
    "poisson": ("lam",),
    "binomial": ("n", "p"),
    "gamma": ("shape", "scale"),
    "lognormal": ("mean", "sigma"),
}


def is_generator(kind: object) -> bool:
    """Whether a class is one of generators of random numbers."""
    return isinstance(kind, type) and issubclass(kind, np.random.Generator | np.random.RandomState)


def is_random_function(function: object) -> bool:
    """Whether a function is a method of the generator behind `numpy.random`."""
    receiver = getattr(function, "__self__", None)
    return is_generator(type(receiver)) and isinstance(function, types.MethodType | types.BuiltinFunctionType)


def drawn(given: Operands, name: str, arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> Type:
    """Random numbers: one, or an array; or an array put in another order."""
    match name:
        case "seed":
            return NONE
        case "shuffle":
            kind = given.kind_of(arguments[0])
            if isinstance(kind, ArrayType):
                given.memory.mark(kind.region, "stored")
            return NONE
        case "permutation" | "permuted":
            seen = given.see(arguments[0])
            return given.array_of(seen.shape or (given.length_of(arguments[0]),), seen.dtype)
        case "rand" | "randn":
            return given.array_of(tuple(map(given.length_of, arguments)), np.dtype(float)) if arguments else FLOAT
        case "choice":
            return _chosen(_bound(given, ("a", "size", "replace", "p", "axis", "shuffle"), arguments, keywords))
        case _ if name in _VECTORS:
            parameters, like, dtype = _VECTORS[name]
            bound = _bound(given, parameters, arguments, keywords)
            size = bound.lengths("size") if bound.has("size") else ()
            return given.array_of(_joined(size, bound.seen(like).shape), np.dtype(dtype))
    return _numbers(given, name, arguments, keywords)


def _bound(given: Operands, names: Sequence[str], arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> Operands:
    named = bind(names, arguments, keywords)
    if named is None:
        raise NotKnownError
    return Operands(given.memory, given.site, named, given.type_of, given.fact_of, given.elements_of)


def _joined(first: Shape | None, second: Shape | None) -> Shape | None:
    return None if first is None or second is None else (*first, *second)


def _chosen(given: Operands) -> Type:
    """Elements of an array along an axis, or integers below a number."""
    among = given.seen("a")
    if among.shape is None:
        raise NotKnownError
    if not given.has("size"):
        return INT if not among.shape else given.new(_without_axis(given, among.shape), among.dtype)
    size = given.lengths("size")
    if not among.shape:
        return given.array_of(size, np.dtype(int))
    if len(among.shape) > 1 and given.constant("axis", 0) != 0:
        raise NotKnownError
    return given.array_of(_joined(size, among.shape[1:]), among.dtype)


def _without_axis(given: Operands, shape: Shape) -> Shape:
    axes = given.axes(len(shape)) if "axis" in given.named else (0,)
    return tuple(length for axis, length in enumerate(shape) if axes is not None and axis not in axes)


def _numbers(given: Operands, name: str, arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> Type:
    count = _FLOATS.get(name, _INTEGERS.get(name))
    if count is None or "out" in keywords:
        raise NotKnownError
    before = _NAMES.get(name, ("first", "second", "third"))[:count]
    bound = _bound(given, (*before, "size", "dtype"), arguments, keywords)
    dtype = bound.dtype(np.dtype(float if name in _FLOATS else int))
    if bound.has("size"):
        return given.array_of(bound.lengths("size"), dtype)
    shapes = [bound.seen(label).shape for label in bound.named if label in before and bound.has(label)]
    known: list[Shape] = [shape for shape in shapes if shape is not None]
    if len(known) != len(shapes):
        raise NotKnownError
    shape = broadcast(*known)
    if shape:
        return given.array_of(shape, dtype)
    if name in _FLOATS:
        return FLOAT
    return INT if name in ("poisson", "randint", "geometric", "binomial", "negative_binomial") else scalar(dtype)
