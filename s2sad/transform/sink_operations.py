"""Compute in the arm what only that arm needs.

Before::

    t = sin(x)
    r = if c:
      yield mul(t, t)
    else:
      yield x

After::

    r = if c:
      t = sin(x)
      yield mul(t, t)
    else:
      yield x

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, If, Parameter, Return, Value, Yield
>>> from s2sad.ir.types import BOOL, FLOAT
>>> import math
>>> c, x, t, r = Value("c", BOOL), Value("x", FLOAT), Value("t", FLOAT), Value("r", FLOAT)
>>> choice = If(c, Block((), Yield((t,))), Block((), Yield((x,))), (r,))
>>> body = Block((Call(t, Constant(math.sin), (x,)), choice), Return(r))
>>> f = sink_operations(Function("f", (Parameter(c), Parameter(x)), body))
>>> len(f.body.operations), len(f.body.operations[0].then.operations)
(1, 1)

A call moves to the deepest arm of `If` and `Branch` around all of its uses, just before the first of them, never into a loop.
What reads memory, or may raise in the primal, does not move across what writes or acts.
"""

from __future__ import annotations

import bisect
import itertools

from s2sad.ir.contents import regions_of
from s2sad.ir.effects import ALLOCATES, effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Function,
    If,
    Operation,
    Terminator,
    Try,
    Value,
    With,
    blocks_of,
    operands_of,
    walk,
)
from s2sad.transform.caught import may_be_caught
from s2sad.transform.purity import (
    changed_privately,
    find_private_containers,
    has_public_effect,
    is_display,
    is_shareable,
    is_shareable_read,
    may_raise,
)
from s2sad.transform.rewrite import with_blocks, with_body, with_operations


def sink_operations(fn: Function) -> Function:
    """Move calls into the arms that use them."""
    if not any(isinstance(region, (If, Branch)) for region in regions_of(fn)):
        return fn
    sinking = _Sinking(fn)
    sinking.place(fn.body)
    return with_body(fn, sinking.rebuild(fn.body)) if sinking.moved else fn


class _Region:
    """Where a block stands: in which node of which block, and at which position there."""

    __slots__ = ("block", "depth", "is_arm", "is_guarded", "parent", "position")

    def __init__(self, block: Block, parent: _Region | None, position: int, node: Operation | Terminator | None) -> None:
        self.block = block
        self.parent = parent
        #: The position in the parent's block of the node that this block belongs to.
        self.position = position
        self.is_arm = isinstance(node, (If, Branch))
        #: Whether somebody around may catch what a call raises.
        self.is_guarded: bool = isinstance(node, (Try, With)) or (parent is not None and parent.is_guarded)
        self.depth: int = 0 if parent is None else parent.depth + 1


class _Writes:
    """At which positions a block writes: memory that others see under None, a private container under its value."""

    def __init__(self, block: Block, private: frozenset[Value]) -> None:
        self.positions: dict[Value | None, list[int]] = {}
        for position, operation in enumerate(block.operations):
            nodes: list[Operation | Terminator] = [operation]
            for inner in blocks_of(operation):
                nodes.extend(walk(inner))
            for container in changed_privately(nodes, private):
                self.positions.setdefault(container, []).append(position)
            if any(has_public_effect(node, private) for node in nodes):
                self.positions.setdefault(None, []).append(position)

    def between(self, place: Value | None, start: int, end: int) -> bool:
        """Whether something is written from a position on and before another."""
        known = self.positions.get(place, [])
        index = bisect.bisect_left(known, start)
        return index < len(known) and known[index] < end


class _Sinking:
    def __init__(self, fn: Function) -> None:
        self.private = find_private_containers(fn)
        self.regions: dict[Block, _Region] = {}
        self.register(fn.body, None, 0, None)
        #: The innermost region around all uses of a value seen so far, and the position of the first of them there.
        self.used: dict[Value, tuple[_Region, int]] = {}
        self.moved: dict[Call, tuple[_Region, int]] = {}
        self.writes: dict[Block, _Writes] = {}
        #: The calls that move into a region, last first, with the position before which they go.
        self.arrived: dict[Block, list[tuple[int, Call]]] = {}

    def register(self, block: Block, parent: _Region | None, position: int, owner: Operation | Terminator | None) -> None:
        region = self.regions[block] = _Region(block, parent, position, owner)
        for index, node in enumerate((*block.operations, block.terminator)):
            for inner in blocks_of(node):
                self.register(inner, region, index, node)

    # where everything goes: uses come before definitions, so walk backwards

    def place(self, block: Block) -> None:
        region = self.regions[block]
        nodes: tuple[Operation | Terminator, ...] = (*block.operations, block.terminator)
        for position in range(len(nodes) - 1, -1, -1):
            node = nodes[position]
            for inner in reversed(blocks_of(node)):
                self.place(inner)
            at = (region, position)
            if isinstance(node, Call):
                at = self.target_of(node, region, position)
                if at[0] is not region:
                    self.moved[node] = at
                    self.arrived.setdefault(at[0].block, []).append((at[1], node))
            for operand in operands_of(node):
                if isinstance(operand, Value):
                    self.use(operand, at)

    def use(self, value: Value, at: tuple[_Region, int]) -> None:
        known = self.used.get(value)
        self.used[value] = at if known is None else _meet(known, at)

    def target_of(self, call: Call, region: _Region, position: int) -> tuple[_Region, int]:
        """Where a call should stand."""
        stay = (region, position)
        if (
            call.result not in self.used
            or not _is_movable(call)
            or (region.is_guarded and (may_raise(call) or may_be_caught(call)))
        ):
            return stay
        path = []  # regions from the use up to the call's own
        target, first = self.used[call.result]
        while target is not region:
            path.append((target, first))
            if target.parent is None:
                return stay
            target, first = target.parent, target.position
        path.append((region, first))
        path.reverse()
        fixed = effects_of(call).reads or (call.exact and may_raise(call))
        best, start = stay, position + 1
        for (here, until), (inner, first) in itertools.pairwise(path):
            if not inner.is_arm or (fixed and self.is_disturbed(call, here, start, until)):
                break
            if fixed and self.is_disturbed(call, inner, 0, first):
                break
            best, start = (inner, first), 0
        return best

    def is_disturbed(self, call: Call, region: _Region, start: int, end: int) -> bool:
        """Whether a call that reads or raises may not move across these operations of a region."""
        if start >= end:
            return False
        writes = self.writes.get(region.block)
        if writes is None:
            writes = self.writes[region.block] = _Writes(region.block, self.private)
        return writes.between(None, start, end) or any(
            writes.between(operand, start, end) for operand in call.arguments if isinstance(operand, Value)
        )

    # the new tree

    def rebuild(self, block: Block) -> Block:
        arrived: dict[int, list[Call]] = {}
        for position, call in reversed(self.arrived.get(block, [])):
            arrived.setdefault(position, []).append(call)
        operations: list[Operation] = []
        for position, operation in enumerate(block.operations):
            operations += arrived.get(position, ())
            if not (isinstance(operation, Call) and operation in self.moved):
                operations.append(with_blocks(operation, [self.rebuild(inner) for inner in blocks_of(operation)]))
        end = block.terminator
        operations += arrived.get(len(block.operations), ())
        return with_operations(block, operations, with_blocks(end, [self.rebuild(inner) for inner in blocks_of(end)]))


def _is_movable(call: Call) -> bool:
    """Whether a call may run later, or not at all. A container made here may be made later."""
    effects = effects_of(call)
    return is_shareable(call) or is_shareable_read(call) or is_display(call) or effects == ALLOCATES


def _meet(first: tuple[_Region, int], second: tuple[_Region, int]) -> tuple[_Region, int]:
    """The innermost region around both places, and the earlier of their positions there."""
    (a, i), (b, j) = first, second
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a, i = a.parent, a.position
        else:
            assert b.parent is not None
            b, j = b.parent, b.position
    return a, min(i, j)
