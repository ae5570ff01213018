"""Which arrays have to be put back in the reverse sweep: those whose content it reads where something was written since.

A store saves what it overwrites, and its reverse puts it back::

    u_overwritten = u[1:-1].copy()          u[1:-1] = u_saved.pop()
    u[1:-1] = e

so each reverse statement sees memory as its forward statement did.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from s2sad.analysis.array_types import changed_operands
from s2sad.analysis.memory import references_in
from s2sad.ir.effects import shape_only
from s2sad.ir.nodes import Call, Constant, Operand, Operation, Terminator, Value, arguments_of, blocks_of, walk
from s2sad.ir.operations import call_method
from s2sad.ir.types import ANY, AnyType, ArrayType, ScalarType, Type
from s2sad.transform.reverse.array_names import is_same_object, memories_of, memory_of
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.reverse.repeated_indices import may_repeat
from s2sad.transform.reverse.unchanged import regions_written
from s2sad.transform.reverse.written_once import content_before

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

#: The index of all elements.
ALL: Final = Constant(Ellipsis)
_SHAPE_ATTRIBUTES: Final = ("shape", "size", "ndim", "dtype")


class RestoreNeeded(Exception):  # noqa: N818 (no error: the sweep is written once more)
    """The reverse sweep reads arrays that have to be put back."""

    def __init__(self, regions: frozenset[int]) -> None:
        super().__init__()
        self.regions = regions


def check_restored(engine: Engine, frames: Iterable[Frame]) -> None:
    """Raise `RestoreNeeded` where the content of an array is read that was written since, and is not put back."""
    wanted: set[int] = set()
    for frame in frames:
        wanted |= _hidden_reads(engine, frame)
        marks = deque(frame.marks)
        node: Operation | Terminator | None = frame.block.terminator
        for position, operation in enumerate(frame.operations):
            while marks and marks[0][0] <= position:
                node = marks.popleft()[1]
            if isinstance(operation, (ReversedLoop, ReversedIf)):
                continue
            for inner in (operation, *(n for block in blocks_of(operation) for n in walk(block))):
                for operand in _content_read(inner) if isinstance(inner, Call) else ():
                    if not isinstance(operand, Value) or operand not in engine.structure.home:
                        continue
                    for region in memories_of(operand):
                        if region in engine.surroundings.changed:
                            _refuse_outside(engine, operand, node)
                        if region not in engine.restored and engine.timeline.is_written_from(region, frame.block, node):
                            wanted.add(region)
    if wanted:
        raise RestoreNeeded(frozenset(wanted))


def _refuse_outside(engine: Engine, array: Operand, node: Operation | Terminator | None) -> None:
    """The reverse of a call would read an array outside that later calls have changed."""
    name = getattr(array, "name", "") or "an array"
    raise unsupported(
        getattr(node, "span", None),
        f"the derivative of {engine.function.name}() needs {name} outside of it, and its calls change that",
        "pass the array as an argument",
    )


def _hidden_reads(engine: Engine, frame: Frame) -> set[int]:
    """Arrays that the reverse halves of callees may read by way of what they have kept."""
    found: set[int] = set()
    for _, node in frame.marks:
        halves = engine.halves.get(node) if isinstance(node, Call) else None
        if halves is None or not halves.takes_saved or not isinstance(node, Call):
            continue
        for operand in engine.calls.passed[node]:
            for region, kind in references_in(operand.type).items() if isinstance(operand, Value) else ():
                is_memory = isinstance(kind, ArrayType) and not kind.fixed
                if is_memory and region not in engine.restored and engine.timeline.is_written_from(region, frame.block, node):
                    found.add(region)
    return found


def _content_read(call: Call) -> list[Operand]:
    """The operands whose content a call reads."""
    function = call.function.value if isinstance(call.function, Constant) else None
    operands = arguments_of(call)
    if function is getattr and isinstance(call.arguments[1], Constant) and call.arguments[1].value in _SHAPE_ATTRIBUTES:
        return []
    skipped = (0,) if function is operator.setitem else shape_only(function)
    return [operand for index, operand in enumerate(operands) if index not in skipped]


def is_mask(key: Operand) -> bool:
    """Whether an index is an array of truth values."""
    kind = key.type if isinstance(key, Value) else None
    return isinstance(kind, ArrayType) and kind.kind == "bool"


def put_back(engine: Engine, call: Call, owner: Value, key: Operand, frame: Frame) -> None:
    """Put back what a store has overwritten, where the reverse sweep reads it."""
    if memory_of(owner) not in engine.restored:
        return
    if _is_changed_by_itself(owner, key):
        key = ALL
    if (call, 0) not in engine.overwritten and (stored := _stored_before(engine, call, owner, key)) is not None:
        engine.emit(frame, operator.setitem, owner, ALL, stored, span=call.span, kind=ANY)
        return
    if (call, 0) not in engine.overwritten and (before := content_before(engine, call)) is not None:
        engine.emit(frame, operator.setitem, owner, key, before, span=call.span, kind=ANY)
        return
    if (call, 0) not in engine.overwritten:
        kind = engine.type_of_place(call) if key is not ALL else owner.type
        _keep(engine, call, 0, owner, key, kind)
    engine.emit(frame, operator.setitem, owner, key, engine.overwritten[call, 0], span=call.span, kind=ANY)


def _is_changed_by_itself(owner: Value, key: Operand) -> bool:
    """Whether a store into an array may change what says where it goes: ``p[p] = e``, ``active[active] = e``."""
    return memory_of(owner) in set(memories_of(key)) or (isinstance(key, Value) and isinstance(key.type, AnyType))


def _stored_before(engine: Engine, call: Call, owner: Value, key: Operand) -> Operand | None:
    """What a whole array was set to right before it is changed: it can be set to that again."""
    region = memory_of(owner)
    origin = engine.origins.get(owner)
    if region is None or origin is None or not _is_all(key, engine):
        return None
    before: Operation | None = None
    for operation in engine.structure.home[call.result].operations:
        if operation is call:
            break
        if region in engine.timeline.writes[operation]:
            before = operation
    if not isinstance(before, Call) or not isinstance(before.function, Constant) or before.function.value is not operator.setitem:
        return None
    target, where, stored = before.arguments
    if not isinstance(target, Value) or engine.origins.get(target) is not origin or not _is_all(where, engine):
        return None
    kind = stored.type if isinstance(stored, Value) else None
    is_value = isinstance(stored, Constant) or isinstance(kind, ScalarType) or (isinstance(kind, ArrayType) and kind.fixed)
    return stored if is_value else None


def _is_all(key: Operand, engine: Engine) -> bool:
    """Whether an index means all elements of an array."""
    if isinstance(key, Constant):
        return key.value is Ellipsis or (isinstance(key.value, slice) and key.value == slice(None))
    definition = engine.structure.definition.get(key)
    if (
        not isinstance(definition, Call)
        or not isinstance(definition.function, Constant)
        or definition.function.value is not slice
    ):
        return False
    return all(isinstance(bound, Constant) and bound.value is None for bound in definition.arguments)


def put_back_arguments(engine: Engine, call: Call, frame: Frame) -> None:
    """Put back what an operation other than a store has changed in the arrays that it was given."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if not engine.restored or function is operator.setitem or is_same_object(call):
        return
    if call in engine.halves:
        return  # its reverse half does it
    changed = engine.restored & regions_written(call)
    # where it is not known which operands are changed, all are kept
    given = changed_operands(function, call.arguments, dict(call.keywords))
    operands = dict.fromkeys(given or arguments_of(call))
    for index, operand in enumerate(operands):
        if isinstance(operand, Value) and memory_of(operand) in changed:
            if (call, index) not in engine.overwritten:
                _keep(engine, call, index, operand, ALL, operand.type)
            engine.emit(frame, operator.setitem, operand, ALL, engine.overwritten[call, index], span=call.span, kind=ANY)


def _keep(engine: Engine, call: Call, index: int, owner: Value, key: Operand, kind: Type) -> None:
    """Let the forward sweep keep the elements that a call is going to overwrite."""
    if isinstance(kind, ArrayType):
        kind = ArrayType(kind.dtype, kind.shape, 0, fixed=True)
    saved = Value(f"{owner.name}_overwritten" if owner.name else "overwritten", kind, temporary=True)
    part = owner
    if key is not ALL:
        makes_copy = isinstance(kind, ScalarType) or is_mask(key) or may_repeat(key, engine.structure.definition)
        part = saved if makes_copy else Value("", kind, temporary=True)
        engine.additions.place_before(call, Call(part, Constant(operator.getitem), (owner, key), (), call.span))
    if part is not saved:
        engine.additions.place_before(call, Call(saved, Constant(call_method), (part, Constant("copy")), (), call.span))
    engine.structure.define(saved, engine.structure.home[call.result], call)
    engine.overwritten[call, index] = saved
