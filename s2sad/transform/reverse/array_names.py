"""Which names mean one array: what the shadow of each name is.

A name of an array that is memory has an *origin*: the value at which the object came to be (a parameter, what an operation made,
a view, an element of a container). Names that a loop carries, that the arms of an ``if`` hand on, or that ``x += e`` gives
are further names of one object, if all that come together have one origin, which the loop does not make anew::

    u = np.zeros(n)          # origin of u, also in the loop and after it
    for i in range(n):
        u += x
        v = u[1:]            # origin of v: its shadow is u_bar[1:]

Where names with several origins come together, only the running program knows which object a name means: then the shadows are
made in the forward sweep (:mod:`s2sad.transform.reverse.mirror`).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from s2sad.analysis.memory import references_in
from s2sad.analysis.structure import Structure
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, way_on_arrays
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
)
from s2sad.ir.operations import PLAIN_OPERATORS, call_method
from s2sad.ir.types import ArrayType, TupleType, strip_optional

#: Functions that give what they are given, if it is an array as they give it, and that give the elements another shape.
_KEEPING_SHAPE: Final = (
    *(np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.asarray_chkfinite),
    *(np.astype, np.ndarray.astype),
)
_GIVING_SHAPE: Final[tuple[object, ...]] = (
    *(np.reshape, np.ndarray.reshape, np.ravel, np.ndarray.ravel),
    *(np.atleast_1d, np.atleast_2d, np.atleast_3d),
)


def memory_of(operand: Operand) -> int | None:
    """The region of an array that is memory."""
    kind = strip_optional(operand.type) if isinstance(operand, Value) else None
    return kind.region if isinstance(kind, ArrayType) and not kind.fixed else None


def is_same_object(call: Call) -> bool:
    """Whether the result of a call is its first operand, changed in place."""
    return (
        isinstance(call.function, Constant)
        and call.function.value.__hash__ is not None
        and call.function.value in PLAIN_OPERATORS
        and memory_of(call.result) is not None
        and memory_of(call.result) == memory_of(call.arguments[0])
    )


def memories_of(operand: Operand) -> Iterable[int]:
    """The memory of an array, or of those in a tuple, such as an index."""
    region = memory_of(operand)
    if region is not None:
        return (region,)
    kind = operand.type if isinstance(operand, Value) else None
    if not isinstance(kind, TupleType):
        return ()
    return [part for part, found in references_in(kind).items() if isinstance(found, ArrayType) and not found.fixed]


def is_view(call: Call) -> bool:
    """Whether the result of a call is a view of its first operand."""
    if not isinstance(call.function, Constant) or isinstance(call.function.value, Callee) or not call.arguments:
        return False
    return (
        memory_of(call.result) is not None
        and way_on_arrays(call) == "view"
        and not (is_same_object(call) or gives_read_only(call))
    )


def is_view_or_copy(call: Call) -> bool:
    """Whether only the running program knows if the result of a call is a view of its first operand, as with `reshape`."""
    region = memory_of(call.result)
    if region is None or region != memory_of(call.arguments[0]):
        return False
    return way_on_arrays(call) == "either" or gives_read_only(call)


def function_on_arrays(call: Call) -> object:
    """The function that is called; for a method of an array that of the class."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if function is call_method and isinstance(call.arguments[1], Constant):
        return getattr(np.ndarray, str(call.arguments[1].value), None)
    return function


def gives_read_only(call: Call) -> bool:
    """Whether a call gives a view that cannot be written to, though its shadow must be: of the diagonal."""
    return function_on_arrays(call) in (np.diagonal, np.ndarray.diagonal)


def is_copied_in_order(call: Call) -> str | None:
    """In which order the elements of the first operand stand in the result, "C" or "F", of a call that does nothing but to give
    them another shape or another dtype; None for any other."""
    function = function_on_arrays(call)
    if function in _KEEPING_SHAPE:
        return "C"
    if function not in _GIVING_SHAPE:
        return None
    order: Operand | None = dict(call.keywords).get("order")
    if order is None and function is not np.ndarray.reshape:  # x.reshape(2, 3), np.reshape(x, (2, 3), "F"), x.ravel("F")
        place = 2 if function is np.reshape or function is np.ndarray.ravel else 1
        order = next(iter(call.arguments[place:]), None)
    if order is None:
        return "C"
    # what "A" does not find in Fortran's order, it copies in C's
    return {"C": "C", "F": "F", "A": "C"}.get(str(order.value)) if isinstance(order, Constant) else None


def is_always_view(call: Call) -> bool:
    """Whether the result is a view whatever the memory looks like: of the diagonal of a matrix."""
    kind = strip_optional(call.result.type)
    is_diagonal = function_on_arrays(call) is np.diag and isinstance(kind, ArrayType) and kind.shape is not None
    return gives_read_only(call) or is_diagonal


def is_indexing(call: Call) -> bool:
    """Whether a call is ``x[key]``."""
    return isinstance(call.function, Constant) and call.function.value is operator.getitem


def is_broadcasting(call: Call) -> bool:
    """Whether a call gives a view in which elements stand several times, and to which nothing can be stored."""
    return function_on_arrays(call) in (np.broadcast_to, np.lib.stride_tricks.sliding_window_view)


def is_read_only(operand: Operand, definitions: Mapping[Value, Call]) -> bool:
    """Whether an array is a view that cannot be written to, or a view of one."""
    while isinstance(operand, Value) and (definition := definitions.get(operand)) is not None:
        if gives_read_only(definition) or is_broadcasting(definition):
            return True
        if not (is_view(definition) or is_view_or_copy(definition)):
            return False
        operand = definition.arguments[0]
    return False


def is_own_update(structure: Structure, call: Call) -> bool:
    """Whether a store is the last step of ``x[key] += e``, where the part of `x` is a view that was changed already."""
    owner, key, stored = call.arguments
    current: Operand = stored
    while isinstance(current, Value):
        definition = structure.definition.get(current)
        if not isinstance(definition, Call):
            return False
        if is_same_object(definition):
            current = definition.arguments[0]
            continue
        return (
            is_view(definition)
            and isinstance(definition.function, Constant)
            and definition.function.value is operator.getitem
            and definition.arguments[0] is owner
            and definition.arguments[1] is key
        )
    return False


def find_origins(function: Function, structure: Structure) -> dict[Value, Value | None]:
    """The origin of each array that is memory; None where it is not one."""
    names = [value for value in structure.home if memory_of(value) is not None]
    parent: dict[Value, Value] = {value: value for value in names}

    def find(value: Value) -> Value:
        while parent[value] is not value:
            value = parent[value]
        return value

    merged: set[Value] = set()

    def unite(first: Operand, second: Value) -> None:
        if second not in parent:
            return
        merged.add(second)
        if isinstance(first, Value) and first in parent:
            parent[find(first)] = find(second)

    enclosing: dict[Value, list[Block]] = {}
    for node in nodes_of(function):
        match node:
            case Call() if is_same_object(node):
                unite(node.arguments[0], node.result)
            case If(_, then, orelse, results):
                _unite_yields((then, orelse), results, unite)
            case Try(body, handlers, results):
                _unite_yields((body, *(handler.body for handler in handlers)), results, unite)
            case With(_, _, body, results):
                _unite_yields((body,), results, unite)
            case For() | While():
                for position, item in enumerate(node.carried):
                    unite(item.initial, item.parameter)
                    unite(item.parameter, item.result)
                    for leaf in _leaves(node.body):
                        if isinstance(leaf, (Yield, Break)):
                            unite(leaf.values[position], item.parameter)
                    if item.parameter in parent:
                        enclosing.setdefault(item.parameter, []).append(node.body)
    origins: dict[Value, list[Value]] = {}
    outside: set[Value] = set()
    for value in names:
        definition = structure.definition[value]
        if isinstance(definition, Call) and definition.arguments and is_view_or_copy(definition):
            outside.add(find(value))  # only the running program knows which array it is
        elif value not in merged:
            origins.setdefault(find(value), []).append(value)
    loops: dict[Value, list[Block]] = {}
    for value, blocks in enclosing.items():
        loops.setdefault(find(value), []).extend(blocks)
    found: dict[Value, Value | None] = {}
    for value in names:
        root = find(value)
        candidates = origins.get(root, [])
        origin = candidates[0] if len(candidates) == 1 else None
        if origin is not None and any(structure.encloses(block, structure.home[origin]) for block in loops.get(root, ())):
            origin = None  # made anew in each trip
        elif origin is not None and not structure.encloses(structure.home[origin], structure.home[value]):
            outside.add(root)  # handed out of the arm that makes it
        found[value] = origin
    return {value: None if find(value) in outside else origin for value, origin in found.items()}


def _unite_yields(blocks: tuple[Block, ...], results: tuple[Value, ...], unite: object) -> None:
    for block in blocks:
        if isinstance(block.terminator, Yield):
            for operand, result in zip(block.terminator.values, results, strict=True):
                unite(operand, result)  # type: ignore[operator]


def _leaves(block: Block) -> list[Operation | Terminator]:
    if isinstance(block.terminator, Branch):
        return [leaf for inner in blocks_of(block.terminator) for leaf in _leaves(inner)]
    return [block.terminator]
