"""Operations that change an array in place: the region of its memory is marked as stored into."""

from __future__ import annotations

import operator

import numpy as np

from s2sad.analysis.array_indexing import item_type
from s2sad.analysis.array_operands import NotKnownError, Operands
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import NONE, ArrayType, Type


@transfer("a key", operator.getitem, way="either")
def item(given: Operands) -> Type:
    return item_type(given, given.array("a"), given["key"])


@transfer("a key value", operator.setitem, way="change")
@transfer("a indices value mode", np.put, np.ndarray.put, way="change")
@transfer("a value where", np.copyto, way="change")
@transfer("a mask value", np.place, np.putmask, way="change")
@transfer("a value wrap", np.fill_diagonal, way="change")
@transfer("a indices value axis", np.put_along_axis, way="change")
@transfer("a value", np.ndarray.fill, way="change")
@transfer("a axis kind order", np.ndarray.sort, way="change")
@transfer("a kth axis kind order", np.ndarray.partition, way="change")
def changed(given: Operands) -> Type:
    kind = given.kind("a")
    if not isinstance(kind, ArrayType):
        raise NotKnownError
    given.memory.mark(kind.region, "stored")
    return NONE
