"""The types of what is asked of arrays: numbers and shapes that carry no derivative, and arrays of random numbers."""

from __future__ import annotations

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands
from s2sad.analysis.array_types import transfer
from s2sad.analysis.simple_types import integers
from s2sad.ir.types import INT, IteratorType, ScalarType, TupleType, Type


@transfer("a", np.shape)
def shape_of(given: Operands) -> Type:
    return integers(given.seen("a").rank)


@transfer("*shape", np.ndindex)
def places_in_order(given: Operands) -> Type:
    shape = given.lengths("shape")
    return IteratorType(np.ndindex, integers(None if shape is None else len(shape)))


@transfer("a", np.ndim)
@transfer("a axis", np.size)
def number_of_axes(given: Operands) -> Type:
    given.seen("a")
    return INT


@transfer("*shapes", np.broadcast_shapes)
def shape_of_several(given: Operands) -> Type:
    kinds = [given.kind_of(operand) for operand in given.all("shapes")]
    ranks = [
        len(kind.elements) if isinstance(kind, TupleType) else 1 for kind in kinds if isinstance(kind, TupleType | ScalarType)
    ]
    if len(ranks) != len(kinds):
        raise NotKnownError
    return TupleType((INT,) * max(ranks, default=0))
