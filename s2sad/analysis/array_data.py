"""The types of arrays that do not depend on real numbers of the program: data, nodes of quadrature, sets of numbers."""

from __future__ import annotations

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import TupleType, Type

_FLOAT64 = np.dtype(float)


@transfer(
    "deg",
    np.polynomial.legendre.leggauss,
    np.polynomial.chebyshev.chebgauss,
    np.polynomial.hermite.hermgauss,
    np.polynomial.hermite_e.hermegauss,
    np.polynomial.laguerre.laggauss,
)
def nodes_and_weights(given: Operands) -> Type:
    length = given.length("deg")
    return TupleType((given.array_of((length,), _FLOAT64), given.array_of((length,), _FLOAT64)))


@transfer("buffer dtype count offset like", np.frombuffer)
@transfer("string dtype count sep like", np.fromstring)
def read_flat(given: Operands) -> Type:
    return given.array_of((None,), given.dtype(_FLOAT64))


@transfer("fname dtype", np.loadtxt)
def read_table(given: Operands) -> Type:
    """Of as many axes as there are rows and columns."""
    if "unpack" in given.named:
        raise NotKnownError
    return given.array_of(None, given.dtype(_FLOAT64))


@transfer("element test_elements assume_unique invert kind", np.isin)
def which_are_in(given: Operands) -> Type:
    return given.array_of(given.seen("element").shape, np.dtype(bool))


@transfer("ar1 ar2 assume_unique", np.setdiff1d)
def without_others(given: Operands) -> Type:
    return given.array_of((None,), given.seen("ar1").dtype)


@transfer("ar1 ar2", np.union1d)
@transfer("ar1 ar2 assume_unique", np.setxor1d, np.intersect1d)
def set_of_numbers(given: Operands) -> Type:
    if "return_indices" in given.named:
        raise NotKnownError
    return given.array_of((None,), np.result_type(given.seen("ar1").dtype, given.seen("ar2").dtype))
