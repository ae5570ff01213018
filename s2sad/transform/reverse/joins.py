"""Where values of different types come together, and an adjoint would be lost, is refused.

What is a list after one arm and an array after the other has no type, and no shadow::

    v = [x, y] if c else a        # refused, if a derivative passes through v
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    For,
    Function,
    If,
    Operand,
    Return,
    Span,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    walk,
)
from s2sad.ir.types import AnyType, ArrayType, DictType, ListType, ObjectType, ScalarType, TupleType, strip_optional
from s2sad.transform.hold_numbers import is_held
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.reverse.errors import unsupported

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_NAMES: Final[dict[type, str]] = {
    ScalarType: "a number",
    ArrayType: "an array",
    ListType: "a list",
    DictType: "a dict",
    TupleType: "a tuple",
    ObjectType: "an object",
}


def refuse_joins(engine: Engine) -> None:
    """Raise where an active value may be of several types."""
    body = engine.function.body
    for source, target, span in _meetings(body, (), None):
        _refuse_untyped(engine, source, target, span)
    results = [node for node in walk(body) if isinstance(node, Return)]
    for node in results:
        for other in results:
            _refuse_results(engine, node.value, other.value, node.span)


def _refuse_untyped(engine: Engine, source: Operand, target: Value, span: Span | None) -> None:
    """A value without type that was one with a type."""
    if not isinstance(strip_optional(target.type), AnyType) or not isinstance(source, Value):
        return
    if source in engine.activity and not engine.activity.is_lost(source) and engine.activity.is_lost(target):
        raise unsupported(
            span,
            f"{_name_of(target)} is {_described(source)} here, and may be something else after this",
            "make it of one type, such as an array, whichever way it comes by its value",
        )


def _refuse_results(engine: Engine, first: Operand, second: Operand, span: Span | None) -> None:
    """Results of different types of one function."""
    kinds = [_kind_of(operand) for operand in (first, second)]
    if first not in engine.activity or None in kinds or kinds[0] is kinds[1]:
        return
    if set(kinds) == {ScalarType, ArrayType} and memory_of(first) is None and memory_of(second) is None:
        return
    raise unsupported(
        span,
        f"the result is {_described(first)} here, and {_described(second)} elsewhere",
        "return values of one type",
    )


def joins_integers(function: Function) -> bool:
    """Whether an array of integers, or an integer, stands in place of an array of real numbers somewhere."""
    marked = [(node.arguments[0], node.result) for node in nodes_of(function) if isinstance(node, Call) and is_held(node)]
    for source, target in (*((source, target) for source, target, _ in _meetings(function.body, (), None)), *marked):
        given = strip_optional(source.type) if isinstance(source, Value) else type_of_constant(source)
        kind = strip_optional(target.type)
        is_real_array = isinstance(kind, ArrayType) and kind.is_real
        if is_real_array and isinstance(given, (ArrayType, ScalarType)) and not given.is_real:
            return True
    return False


def _meetings(
    block: Block, leaving: tuple[tuple[Value, ...], ...], span: Span | None
) -> Iterator[tuple[Operand, Value, Span | None]]:
    """What is handed on by arms and loops, and what it becomes. `leaving`: the targets of a `Yield` and of a `Break`."""
    for node in block.operations:
        match node:
            case If(_, then, orelse, results):
                for arm in (then, orelse):
                    yield from _meetings(arm, (results, *leaving[1:]), node.span)
            case For() | While():
                parameters = tuple(item.parameter for item in node.carried)
                for item in node.carried:
                    yield item.initial, item.parameter, node.span
                    yield item.initial, item.result, node.span
                yield from _meetings(node.body, (parameters, node.results), node.span)
            case Try() | With():
                for arm in blocks_of(node):
                    yield from _meetings(arm, (node.results,), node.span)
    yield from _leaves(block.terminator, leaving, span)


def _leaves(
    terminator: Terminator, leaving: tuple[tuple[Value, ...], ...], span: Span | None
) -> Iterator[tuple[Operand, Value, Span | None]]:
    match terminator:
        case Yield(values) if leaving:
            yield from ((source, target, span) for source, target in zip(values, leaving[0], strict=False))
        case Break(values) if len(leaving) > 1:
            yield from ((source, target, span) for source, target in zip(values, leaving[1], strict=False))
        case Branch():
            for arm in blocks_of(terminator):
                yield from _meetings(arm, leaving, span)


def _kind_of(operand: Operand) -> type | None:
    """The class of a value's type, if it is one of those with adjoints."""
    kind = strip_optional(operand.type) if isinstance(operand, Value) else None
    return type(kind) if type(kind) in _NAMES else None


def _described(operand: Operand) -> str:
    return _NAMES.get(_kind_of(operand) or object, "an object")


def _name_of(value: Value) -> str:
    return value.name if value.name and not value.temporary else "this"
