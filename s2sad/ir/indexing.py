"""Which indices give a view of an array for certain, however many axes it has."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.types import ConstantType, NoneType, OpaqueType, ScalarType, TupleType


def gives_view(function: object, operands: Sequence[Operand]) -> bool:
    """Whether a call is ``x[1:]``, ``x[k, ...]`` or the like, and neither ``x[k]``, which may be a number, nor ``x[...]``, which
    may be a copy of a number that stands for an array.

    >>> x = Constant(None)
    >>> [gives_view(operator.getitem, (x, Constant(key))) for key in ((1, ...), (slice(1, None), 2), (1, 2), ..., [0, 1])]
    [True, True, False, False, False]
    """
    if function is not operator.getitem:
        return False
    forms = _forms_of(operands[1])
    return "" not in forms and ("slice" in forms or {"integer", "rest"} <= set(forms))


def _forms_of(key: Operand) -> list[str]:
    """For each part of an index: "integer", "slice", "rest" (an ellipsis or a new axis), or "" for anything else."""
    if isinstance(key, Constant):
        parts = key.value if isinstance(key.value, tuple) else (key.value,)
        return [_form_of(type(part)) for part in parts]
    kinds = key.type.elements if isinstance(key.type, TupleType) else (key.type,)
    forms = []
    for kind in kinds:
        match kind:
            case ScalarType(kind="int"):
                forms.append("integer")
            case NoneType():
                forms.append("rest")
            case ConstantType(value=value):
                forms.append(_form_of(type(value)))
            case OpaqueType(cls=cls):
                forms.append(_form_of(cls))
            case _:
                forms.append("")
    return forms


def _form_of(cls: type) -> str:
    return {int: "integer", slice: "slice", type(...): "rest", type(None): "rest"}.get(cls, "")
