"""What a rule gives: as many derivatives as the function has operands, each a number, an array or a container of these."""

from __future__ import annotations

import types
from collections.abc import Iterator

from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Constant, Function, Return
from s2sad.ir.types import NONE, ConstantType, OpaqueType, OptionalType, ScalarType, TupleType, Type
from s2sad.rules.checks import invalid


def check_partials(body: types.FunctionType, typed: Function, count: int) -> None:
    """Partial derivatives of numbers: one, or a tuple of `count`, with None for operands that have none."""
    for kind in _returned(typed):
        if isinstance(kind, TupleType) and (count == 1 or len(kind.elements) != count):
            raise invalid(body, f"it gives {len(kind.elements)} partial derivatives, and {_operands(count)}")
        if isinstance(kind, ScalarType) and count > 1:
            raise invalid(body, f"it gives one partial derivative, and {_operands(count)}")
        for part in kind.elements if isinstance(kind, TupleType) else (kind,):
            if found := "None" if kind == NONE else _not_a_number(part):
                raise invalid(body, f"a partial derivative is a number, and it gives {found}")
            if isinstance(part, OptionalType):
                raise invalid(body, "a partial derivative is None in one case and a number in another; give 0.0 instead of None")


def check_adjoints(body: types.FunctionType, typed: Function) -> None:
    """Adjoints: one, or several in a tuple."""
    for kind in _returned(typed):
        for part in kind.elements if isinstance(kind, TupleType) else (kind,):
            if found := _not_a_number(part):
                raise invalid(body, f"an adjoint is a number, an array or a container of these, and it gives {found}")


def _operands(count: int) -> str:
    return "the function has one operand" if count == 1 else f"the function has {count} operands"


def _not_a_number(kind: Type) -> str:
    """What a value is that can be no derivative; "" where it may be one."""
    match kind:
        case OptionalType(inner=inner):
            return _not_a_number(inner)
        case OpaqueType(cls=cls, dtype="") if issubclass(cls, (str, bytes, set, frozenset)):
            return f"a value of class {cls.__name__}"
        case ConstantType():
            return str(kind)
    return ""


def _returned(typed: Function) -> Iterator[Type]:
    """The types of what a function gives."""
    for node in nodes_of(typed):
        if isinstance(node, Return):
            yield type_of_constant(node.value) if isinstance(node.value, Constant) else node.value.type
