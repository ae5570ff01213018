"""Compute before a loop what is the same in every trip: loop-invariant code motion.

Before::

    for i in range(n):
        half = truediv(z, 2)
        s = mul(s, half)

After::

    half = truediv(z, 2)
    for i in range(n):
        s = mul(s, half)

>>> from s2sad.ir.nodes import Block, Call, Carried, Constant, For, Function, Parameter, Return, Value, Yield
>>> from s2sad.ir.types import FLOAT, INT
>>> import operator
>>> z, half, s_1, s_2, s_3 = (Value(name, FLOAT) for name in ("z", "half", "s", "s", "s"))
>>> body = (Call(half, Constant(operator.truediv), (z, Constant(2))), Call(s_2, Constant(operator.mul), (s_1, half)))
>>> loop = For(Value("i", INT), Constant(range(3)), (Carried(z, s_1, s_3),), Block(body, Yield((s_2,))))
>>> f = Function("f", (Parameter(z),), Block((loop,), Return(s_3)))
>>> [type(operation).__name__ for operation in hoist_invariants(f).body.operations]
['Call', 'For']

Inner loops first, so that a call can leave several loops. What may raise is moved only where it would have run for certain
(see `may_hoist`): a loop that makes no trip must not raise. Where a comparison tells whether there is a first trip, what is
expensive is computed under that condition::

    square = if gt(n, 0):
      yield pow(z, 2)
    else:
      yield 0.0
    for i in range(n):
        s = mul(s, square)

A later loop that makes a trip only if an earlier one did takes over what was computed so for the earlier one.
"""

from __future__ import annotations

import functools
import math
import operator
from dataclasses import dataclass, replace
from typing import Final

from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Value,
    While,
    Yield,
    blocks_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ScalarType
from s2sad.transform.array_memory import changes_array, find_array_memory, makes_array, makes_view
from s2sad.transform.known_numbers import is_number_of_module, known_number
from s2sad.transform.loop_entry import enters_only_after, entry_condition, shape_of
from s2sad.transform.purity import (
    changed_privately,
    find_private_containers,
    function_of,
    has_public_effect,
    is_display,
    is_one_of,
    is_shareable,
    is_shareable_read,
    may_raise,
)
from s2sad.transform.rewrite import (
    defined_in,
    find_definitions,
    leaves,
    map_blocks,
    operand_key,
    replace_operands,
    substitute_block,
    with_blocks,
    with_body,
    with_operations,
)

#: Up to this exponent a power of a constant is a product of a few factors.
LARGEST_SMALL_EXPONENT = 4

#: What takes longer than a comparison before the loop.
_EXPENSIVE: Final[frozenset[object]] = frozenset({operator.pow, pow, operator.truediv, operator.ipow, operator.itruediv}) | {
    function for function in vars(math).values() if callable(function)
}
#: What stands for a value that no trip will read.
_UNREAD: Final = {"float": 0.0, "int": 0, "complex": 0j}


@dataclass(frozen=True, slots=True)
class HoistOptions:
    """How daring to be with calls that may raise, in a loop that may make no trip.

    `inexact`: hoist calls of adjoint code. `small_powers`: hoist ``x ** 2`` and the like on real numbers, which raise for
    huge operands only (`OverflowError`)."""

    inexact: bool = False
    small_powers: bool = False


CAUTIOUS = HoistOptions()


def hoist_invariants(fn: Function, options: HoistOptions = CAUTIOUS) -> Function:
    """Move loop-invariant calls out of their loops."""
    if not any(isinstance(node, (For, While)) for node in regions_of(fn)):
        return fn
    return with_body(fn, _Hoisting(fn, options).visit(fn.body))


def may_hoist(call: Call, *, certain: bool, options: HoistOptions = CAUTIOUS) -> bool:
    """Whether an invariant call should be computed before the loop.

    `certain`: it runs in the first trip, the first trip takes place, and nothing before it in that trip acts."""
    if certain or not may_raise(call):
        return True
    return (options.inexact and not call.exact) or (options.small_powers and _is_small_power(call))


def is_worth_a_guard(call: Call) -> bool:
    """Whether a call that may raise is to be computed before the loop, under the condition that the loop makes a trip."""
    return is_one_of(function_of(call), _EXPENSIVE) and may_raise(call) and _kind_of(call.result) in _UNREAD


def _kind_of(value: Value) -> str:
    """The kind of a Python number."""
    return value.type.kind if isinstance(value.type, ScalarType) and not value.type.dtype else ""


def _key_of(call: Call) -> object:
    named = tuple((name, operand_key(operand)) for name, operand in call.keywords)
    return operand_key(call.function), tuple(map(operand_key, call.arguments)), named


def _is_small_power(call: Call) -> bool:
    if function_of(call) not in (operator.pow, pow, operator.ipow) or len(call.arguments) != 2:
        return False
    base, exponent = call.arguments
    if not isinstance(exponent, Constant) or not isinstance(exponent.value, int):
        return False
    return isinstance(base, Value) and isinstance(base.type, ScalarType) and 0 <= exponent.value <= LARGEST_SMALL_EXPONENT


@dataclass(frozen=True, slots=True)
class _Guarded:
    """A call that was made, with this value, if a loop makes a trip."""

    call: Call
    value: Value
    loop: For | While


def _is_guard(node: If) -> bool:
    """Whether calls are made in one case, and stand-ins given in the other."""
    if node.orelse.operations or not isinstance(node.then.terminator, Yield) or not isinstance(node.orelse.terminator, Yield):
        return False
    return all(isinstance(operand, Constant) for operand in node.orelse.terminator.values)


def _read_in(loop: For | While) -> set[Operand]:
    return {operand for node in walk(loop.body) for operand in operands_of(node)}


class _Hoisting:
    def __init__(self, fn: Function, options: HoistOptions) -> None:
        self.fn = fn
        self.options = options
        #: What was computed under the condition of a loop of the block at hand.
        self.guarded: dict[object, _Guarded] = {}
        #: What the block at hand computes under some condition so far.
        self.choices: list[If] = []
        self.private = find_private_containers(fn)
        self.memory = find_array_memory(fn)
        self.definitions = dict(find_definitions(fn))

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        outside = self.guarded, self.choices
        self.guarded, self.choices = {}, []
        for operation in block.operations:
            operation = map_blocks(operation, self.visit)
            if isinstance(operation, (For, While)):
                operations += self.hoist(operation)
                continue
            operations.append(operation)
            if isinstance(operation, If) and _is_guard(operation):
                self.choices.append(operation)
        self.guarded, self.choices = outside
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def hoist(self, loop: For | While) -> list[Operation]:
        """What goes before the loop, and the loop."""
        blocks = blocks_of(loop)
        nodes = [node for block in blocks for node in walk(block)]
        task = _Task(
            loop=loop,
            variant={value for block in blocks for value in defined_in(block)} | _parameters(loop),
            changed=changed_privately(nodes, self.private),
            writes=any(has_public_effect(node, self.private) and not changes_array(node) for node in nodes),
            written=functools.reduce(operator.or_, map(self.memory.written_by, nodes), 0),
            hoisted=[],
        )
        if isinstance(loop, For):
            body = self.strip(loop.body, task, certain=self.makes_first_trip(loop))
            return [*task.hoisted, *self.hoist_guarded(with_blocks(loop, (body,)), task)]
        header = self.strip(loop.header, task, certain=True)
        is_certain = _always_true(loop) and not any(_may_leave_or_act(operation, self.private) for operation in header.operations)
        body = self.strip(loop.body, task, certain=is_certain)
        return [*task.hoisted, *self.hoist_guarded(with_blocks(loop, (header, body)), task)]

    def hoist_guarded(self, loop: For | While, task: _Task) -> list[Operation]:
        """The loop, without expensive calls that may raise, after these under the condition that it makes a trip."""
        found: list[Call] = []
        for operation in loop.body.operations:
            if isinstance(operation, Call) and is_worth_a_guard(operation) and self.is_invariant(operation, task):
                found.append(operation)
            if _may_leave_or_act(operation, self.private):
                break
        condition = entry_condition(loop, self.definitions) if found or self.choices else None
        known: dict[Value, Operand] = {}
        own: list[Call] = []
        for call in found:
            earlier = self.computed_earlier(call, loop)
            if earlier is not None:
                known[call.result] = earlier
            elif condition is not None:
                own.append(call)
        if condition is not None:
            self.note_guards(loop, condition, known)
        before = self.under_condition(loop, own, condition, known) if condition is not None and own else []
        if not known:
            return [loop]
        kept = [
            operation for operation in loop.body.operations if not (isinstance(operation, Call) and operation.result in known)
        ]
        body = substitute_block(with_operations(loop.body, kept, loop.body.terminator), known)
        return [*before, with_blocks(loop, (loop.header, body) if isinstance(loop, While) else (body,))]

    def computed_earlier(self, call: Call, loop: For | While) -> Value | None:
        """What an earlier loop has that runs if this one does."""
        found = self.guarded.get(_key_of(call))
        if found is None or (call.exact and not found.call.exact):
            return None
        return found.value if enters_only_after(loop, found.loop, self.definitions, self.fn, self.private) else None

    def note_guards(self, loop: For | While, condition: tuple[list[Call], Operand], known: dict[Value, Operand]) -> None:
        """Find what is computed already under the condition of a loop; `known` is told what an earlier one has as well."""
        definitions = {**self.definitions, **{call.result: call for call in condition[0]}} if self.choices else {}
        for choice in self.choices:
            if shape_of(choice.condition, definitions) != shape_of(condition[1], definitions):
                continue
            values = dict(zip(operands_of(choice.then.terminator), choice.results, strict=True))
            for call in choice.then.operations:
                if not isinstance(call, Call) or call.result not in values:
                    continue
                earlier = self.computed_earlier(call, loop)
                if earlier is None:
                    self.guarded.setdefault(_key_of(call), _Guarded(call, values[call.result], loop))
                elif earlier is not values[call.result] and values[call.result] in _read_in(loop):
                    known[values[call.result]] = earlier

    def under_condition(
        self, loop: For | While, calls: list[Call], condition: tuple[list[Call], Operand], known: dict[Value, Operand]
    ) -> list[Operation]:
        """The calls for the case that the loop makes a trip; `known` is told where their results are."""
        results: list[Value] = []
        for call in calls:
            result = Value(call.result.name, call.result.type, call.result.temporary)
            results.append(result)
            known[call.result] = result
            self.guarded[_key_of(call)] = _Guarded(call, result, loop)
        then = Block(tuple(calls), Yield(tuple(call.result for call in calls)))
        orelse = Block((), Yield(tuple(Constant(_UNREAD[_kind_of(value)]) for value in results)))
        return [*condition[0], If(condition[1], then, orelse, tuple(results), calls[0].span)]

    def strip(self, block: Block, task: _Task, *, certain: bool) -> Block:
        """The block without the calls that were moved; goes on into the arm of a branch in which the loop goes on."""
        kept: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call) and self.is_hoisted(operation, task, certain):
                task.hoisted.append(replace_operands(operation, self.take_along(operation, task)))
                task.variant.discard(operation.result)
                continue
            kept.append(operation)
            certain = certain and not _may_leave_or_act(operation, self.private)
        end = block.terminator
        if isinstance(end, Branch):
            arms = [self.strip(arm, task, certain=False) if _goes_on(arm) else arm for arm in blocks_of(end)]
            end = with_blocks(end, arms)
        return with_operations(block, kept, end)

    def is_hoisted(self, call: Call, task: _Task, certain: bool) -> bool:
        if not self.is_invariant(call, task):
            return False
        if known_number(call.result, self.definitions) is not None:
            return True  # it does not raise
        if not may_hoist(call, certain=certain, options=self.options):
            return False
        return certain or not self.parts_raise(call, task)

    def is_invariant(self, call: Call, task: _Task) -> bool:
        operands = operands_of(call)
        if any(operand in task.variant and not self.is_invariant_place(operand, task) for operand in operands):
            return False
        if is_shareable(call):
            return True
        if self.memory.read_by(call) & task.written:
            return False
        if makes_array(call):  # one for all trips: nobody may write to it
            return self.memory.is_constant(call.result)
        # what nobody writes in the loop stays as it is
        return not task.writes and is_shareable_read(call) and not any(operand in task.changed for operand in operands)

    def is_invariant_place(self, operand: Operand, task: _Task) -> bool:
        """Whether an index or a view, which is not worth a name by itself, is the same in each trip."""
        call = self.definitions.get(operand) if isinstance(operand, Value) else None
        if call is None or not (is_display(call) or makes_view(call) or is_number_of_module(call)):
            return False
        return all(part not in task.variant or self.is_invariant_place(part, task) for part in operands_of(call))

    def take_along(self, call: Call, task: _Task) -> dict[Value, Operand]:
        """Copy the indices and views that a call needs before the loop; gives what they are there."""
        copies: dict[Value, Operand] = {}
        for operand in operands_of(call):
            if operand in task.variant and isinstance(operand, Value):
                part = self.definitions[operand]
                result = Value(operand.name, operand.type, operand.temporary)
                part = replace_operands(replace(part, result=result), self.take_along(part, task))
                self.definitions[result] = part
                self.memory.note_copy(result, operand)
                task.hoisted.append(part)
                copies[operand] = result
        return copies

    def parts_raise(self, call: Call, task: _Task) -> bool:
        """Whether making the views that a call needs may raise."""
        parts = [
            self.definitions[operand] for operand in operands_of(call) if operand in task.variant and isinstance(operand, Value)
        ]
        return any((makes_view(part) and may_raise(part)) or self.parts_raise(part, task) for part in parts)

    def makes_first_trip(self, loop: For) -> bool:
        """Whether the iterable has an element for certain."""
        iterable = loop.iterable
        if isinstance(iterable, Constant):
            return isinstance(iterable.value, (range, tuple, list, str)) and len(iterable.value) > 0
        definition = self.definitions.get(iterable)
        if definition is None:
            return False
        function = function_of(definition)
        if function is make_tuple:
            return bool(definition.arguments)
        limits = [operand.value for operand in definition.arguments if isinstance(operand, Constant)]
        if function is not range or len(limits) < len(definition.arguments):
            return False
        return all(limit.__class__ is int for limit in limits) and _has_elements(
            [limit for limit in limits if isinstance(limit, int)]
        )


def _has_elements(limits: list[int]) -> bool:
    return 0 not in limits[2:] and len(range(*limits)) > 0


@dataclass(slots=True)
class _Task:
    """One loop at work: what varies in it, what it writes, and what has left it."""

    loop: For | While
    variant: set[object]
    changed: set[Value]
    writes: bool
    #: The roots of the arrays that are written to.
    written: int
    hoisted: list[Operation]


def _parameters(loop: For | While) -> set[Value]:
    inner = {item.parameter for item in loop.carried}
    return inner | {loop.target} if isinstance(loop, For) else inner


def _always_true(loop: While) -> bool:
    end = loop.header.terminator
    return isinstance(end, Yield) and isinstance(end.values[0], Constant) and bool(end.values[0].value)


def _goes_on(block: Block) -> bool:
    return any(isinstance(end, Yield) for end in leaves(block))


def _may_leave_or_act(operation: Operation, private: frozenset[Value]) -> bool:
    """Whether what follows an operation may not be reached, or be reached only after something that others see."""
    if isinstance(operation, Call):
        return has_public_effect(operation, private)
    return bool(blocks_of(operation))
