"""Whether an index may name an element of an array twice: then adjoints that are added to it must all count.

Slices, numbers and masks name each element once; arrays and lists of integers may not. Rows that are counted do, whatever the
columns are, as long as there is one row for each column::

    y = x[np.arange(len(k)), k]              x_bar[np.arange(len(k)), k] += y_bar
    y = x[k]                                 np.add.at(x_bar, k, y_bar)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from s2sad.ir.nodes import Call, Constant, Operand, Operation, Value
from s2sad.ir.operations import make_list, make_tuple
from s2sad.ir.types import ArrayType, Length, NoneType, OpaqueType, ScalarType, TupleType
from s2sad.transform.reverse.array_bars import type_of

Definitions = Mapping[Value, Operation | None]


def may_repeat(key: Operand, definitions: Definitions) -> bool:
    """Whether an index may name an element twice."""
    parts = parts_of_key(key, definitions)
    return any(map(_is_selection, parts)) and not _counts(parts, definitions)


def parts_of_key(key: Operand, definitions: Definitions) -> Sequence[Operand]:
    """What an index says of each axis, where it is a tuple."""
    kind = type_of(key)
    if not isinstance(kind, TupleType):
        return (key,)
    definition = definitions.get(key) if isinstance(key, Value) else None
    if isinstance(definition, Call) and isinstance(definition.function, Constant) and definition.function.value is make_tuple:
        return definition.arguments
    if isinstance(key, Constant) and isinstance(key.value, tuple):
        return tuple(map(Constant, key.value))
    return tuple(Value("", part) for part in kind.elements)


def _is_selection(part: Operand) -> bool:
    """Whether a part of an index is an array or list of integers, or is not known."""
    match type_of(part):
        case ArrayType() as kind:
            return kind.kind != "bool"
        case ScalarType() | NoneType():
            return False
        case OpaqueType(cls=cls):
            return cls not in (slice, type(...))
    return not (isinstance(part, Constant) and isinstance(part.value, slice | type(...)))


def _counts(parts: Sequence[Operand], definitions: Definitions) -> bool:
    """Whether one part of an index is ``np.arange(n)``, and no other has more than the `n` elements in a row."""
    selections = [part for part in parts if _is_selection(part)]
    kinds = [type_of(part) for part in selections]
    if not all(isinstance(kind, ArrayType) and kind.kind == "int" for kind in kinds):
        return False
    if any(isinstance(kind, ArrayType) for kind in map(type_of, parts) if kind not in kinds):
        return False  # a mask stands for as many integers as it has hits
    lengths = {length_counted(part, definitions) for part in selections} - {None}
    return len(lengths) == 1 and all(isinstance(kind, ArrayType) and kind.shape in (tuple(lengths), ()) for kind in kinds)


def length_counted(part: Operand, definitions: Definitions) -> Length:
    """The number of elements of ``np.arange(n)`` or ``np.array([2, 0, 3])``, if an array is that, and nobody writes to it: what
    names each element once, from the front."""
    definition = definitions.get(part) if isinstance(part, Value) else None
    kind = type_of(part)
    if not isinstance(definition, Call) or not isinstance(definition.function, Constant) or not isinstance(kind, ArrayType):
        return None
    if definition.function.value is np.array and not definition.keywords and kind.fixed:
        return _length_of_literal(definition.arguments[0], definitions)
    is_count = definition.function.value is np.arange and len(definition.arguments) == 1 and not definition.keywords
    return kind.shape[0] if is_count and kind.fixed and kind.shape else None


def _length_of_literal(listed: Operand, definitions: Definitions) -> Length:
    definition = definitions.get(listed) if isinstance(listed, Value) else None
    if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
        return None
    values = [operand.value for operand in definition.arguments if isinstance(operand, Constant)]
    is_literal = definition.function.value is make_list and len(values) == len(definition.arguments)
    is_once = is_literal and all(value.__class__ is int and value >= 0 for value in values) and len({*values}) == len(values)
    return len(values) if is_once else None
