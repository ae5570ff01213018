"""What a loop does in its last trip only, before it is left, comes after the loop: a search has nothing to reverse but what is
done with what it has found.

>>> from s2sad.frontend.lower import lower_function
>>> from s2sad.ir.printer import print_function
>>> def search(x, limits):
...     t = 0.0
...     for limit in limits:
...         if limit > x:
...             t = limit * x
...             break
...     return t
>>> before = lower_function(search)
>>> print(print_function(before))
def search(x, limits):
  t_2 = for limit_3 in limits carried (t_1 = 0.0):
    t_4 = gt(limit_3, x)
    branch t_4:
      t_5 = mul(limit_3, x)
      break t_5
    else:
      yield t_1
  return t_2
>>> print(print_function(move_exits(before, lambda operand: operand is before.parameters[0].value)))
def search(x, limits):
  t_4, limit_5, left_6 = for limit_7 in limits carried (t_1 = 0.0, limit_2 = unbound, left_3 = False):
    t_8 = gt(limit_7, x)
    branch t_8:
      break t_1, limit_7, True
    else:
      yield t_1, unbound, False
  t_9 = if left_6:
    t_10 = mul(limit_5, x)
    yield t_10
  else:
    yield t_4
  return t_9

What such a trip has computed before must have no derivative, or be what every trip hands on: otherwise its reverse would have to
tell the last trip from the others all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    operands_inside,
    operands_of,
    parameters_of,
    results_of,
    walk,
)
from s2sad.ir.types import BOOL, FunctionType
from s2sad.transform.rewrite import (
    Substitution,
    defined_in,
    leaves,
    map_blocks,
    substitute_block,
    with_blocks,
    with_body,
    with_operations,
)

Loop = For | While
IsActive = Callable[[Operand], bool]


def move_exits(fn: Function, is_active: IsActive) -> Function:
    """Move what loops do when they are left, where it has a derivative."""

    def visit(block: Block) -> Block:
        done: list[Operation] = []
        rest, place = block, 0
        while place < len(rest.operations):
            before = rest.operations[place]
            operation = map_blocks(before, visit)
            place += 1
            way_out = _find_way_out(operation, is_active) if isinstance(operation, (For, While)) else None
            if way_out is None:
                if isinstance(before, (For, While)) and _leaves_with_more(operation, before):
                    operation = before  # what it does once would be done in each trip
                done.append(operation)
            else:
                done.append(way_out.loop)
                rest, place = _with_moved(Block(rest.operations[place:], rest.terminator), way_out), 0
        return with_operations(block, done, map_blocks(rest.terminator, visit))

    return with_body(fn, visit(fn.body))


@dataclass(frozen=True, slots=True)
class _WayOut:
    """A `loop` that does nothing when it is left, and what it did: `moved` operations, by which its `results` become others. It
    was left if `flag` is what `is_set` says; None: for certain."""

    loop: Loop
    moved: tuple[Operation, ...]
    results: Substitution
    flag: Value | None
    is_set: bool
    branch: Branch


def _find_way_out(loop: Loop, is_active: IsActive) -> _WayOut | None:
    """The only way out of a loop, where there is something to move."""
    found = [end for end in _ends(loop.body, frozenset(parameters_of(loop)), None) if isinstance(end[0].terminator, Break)]
    if len(found) != 1:
        return None
    ((arm, visible, branch),) = found
    read = {operand for operation in arm.operations for operand in operands_inside(operation)}
    made = frozenset(defined_in(Block(arm.operations, Yield())))
    if branch is None or not any(map(is_active, read | made)):
        return None
    assert isinstance(arm.terminator, Break)
    inside = frozenset(defined_in(loop.body)) | visible
    given: list[Operand] = []
    results: dict[Value, Operand] = {}
    for position, (item, operand) in enumerate(zip(loop.carried, arm.terminator.values, strict=True)):
        if isinstance(operand, Value) and operand in made:
            results[item.result] = operand
            operand = _what_trips_give(loop, position, inside - visible)
        given.append(operand)
    where = {value: item.result for item, value in zip(loop.carried[::-1], given[::-1], strict=True) if value in visible}
    exported = [value for value in visible if value in read and value not in where]
    if any(is_active(value) or isinstance(value.type, FunctionType) for value in exported):
        return None
    exported.sort(key=[*parameters_of(loop), *defined_in(loop.body)].index)
    carried = [*loop.carried, *(_carried(UNBOUND, value) for value in exported)]
    where.update((value, item.result) for value, item in zip(exported, carried[len(given) :], strict=True))
    given += exported
    on_yield: list[Operand] = [UNBOUND] * len(exported)
    flag, is_set = _known_flag(loop, given, True), True
    if flag is None and (flag := _known_flag(loop, given, False)) is not None:
        is_set = False
    if flag is None and not _is_left_for_certain(loop):
        carried.append(_carried(Constant(False), Value("left", BOOL, temporary=True)))
        flag = carried[-1].result
        given.append(Constant(True))
        on_yield.append(Constant(False))
    new = _with_carried(loop, tuple(carried), arm, tuple(given), tuple(on_yield))
    moved = substitute_block(Block(arm.operations, Yield()), where).operations
    return _WayOut(new, moved, results, flag, is_set, branch)


def _ends(
    block: Block, visible: frozenset[Value], branch: Branch | None
) -> Iterator[tuple[Block, frozenset[Value], Branch | None]]:
    """The blocks at the ends of a tree, with what was made on the way to each, and the branch that it is an arm of."""
    if isinstance(block.terminator, Branch):
        visible = visible.union(*map(results_of, block.operations))
        for arm in (block.terminator.then, block.terminator.orelse):
            yield from _ends(arm, visible, block.terminator)
    else:
        yield block, visible, branch


def _what_trips_give(loop: Loop, position: int, hidden: frozenset[Value]) -> Operand:
    """What stands for a value that is computed only after the loop: what other trips hand on, or what this one began with."""
    handed_on = [leaf.values[position] for leaf in leaves(loop.body) if isinstance(leaf, Yield)]
    if handed_on and handed_on[0] not in hidden and all(operand is handed_on[0] for operand in handed_on):
        return handed_on[0]
    return loop.carried[position].parameter


def _carried(initial: Operand, value: Value) -> Carried:
    parameter, result = (Value(value.name, value.type, value.temporary) for _ in range(2))
    return Carried(initial, parameter, result)


def _known_flag(loop: Loop, given: list[Operand], truth: bool) -> Value | None:
    """A flag that has this value where the loop is left, and only there."""
    for position, item in enumerate(loop.carried):
        others = [leaf.values[position] for leaf in leaves(loop.body) if isinstance(leaf, Yield)]
        stays = all(operand is item.parameter or _is(operand, not truth) for operand in others)
        if stays and _is(item.initial, not truth) and _is(given[position], truth):
            return item.result
    return None


def _leaves_with_more(loop: Operation, before: Loop) -> bool:
    """Whether a loop has come to do something where it is left."""
    assert isinstance(loop, (For, While))
    done, had = (
        sum(len(arm.operations) for arm, _, _ in _ends(body, frozenset(), None) if isinstance(arm.terminator, Break))
        for body in (loop.body, before.body)
    )
    return done > had


def _is(operand: Operand, truth: bool) -> bool:
    return isinstance(operand, Constant) and operand.value is truth


def _is_left_for_certain(loop: Loop) -> bool:
    """Whether it is ``while True``."""
    return isinstance(loop, While) and not loop.header.operations and _is(loop.header.terminator.values[0], True)  # type: ignore[union-attr]


def _with_carried(
    loop: Loop, carried: tuple[Carried, ...], arm: Block, given: tuple[Operand, ...], on_yield: tuple[Operand, ...]
) -> Loop:
    """A loop that carries more, and does nothing in an arm but to leave."""

    def end(leaf: Terminator) -> Terminator:
        match leaf:
            case Yield(values):
                return Yield((*values, *on_yield))
            case Break(span=span):
                return Break(given, span)
            case _:
                return leaf

    def visit(block: Block) -> Block:
        if block is arm:
            return Block((), end(block.terminator))
        if isinstance(block.terminator, Branch):
            return Block(block.operations, map_blocks(block.terminator, visit))
        return Block(block.operations, end(block.terminator))

    body = visit(loop.body)
    if isinstance(loop, For):
        return For(loop.target, loop.iterable, carried, body, loop.span)
    return While(loop.header, carried, body, loop.span)


def _with_moved(rest: Block, way_out: _WayOut) -> Block:
    """What comes after a loop, with what was moved there."""
    flag, chosen = way_out.flag, way_out.results
    if flag is None:
        after = substitute_block(rest, chosen)
        return Block((*way_out.moved, *after.operations), after.terminator)
    first, *others = (*rest.operations, rest.terminator)
    if isinstance(first, (If, Branch)) and first.condition is flag and not any(_reads(node, chosen) for node in others):
        arm, other = (first.then, first.orelse) if way_out.is_set else (first.orelse, first.then)
        if not _reads_inside(other, chosen):
            after = substitute_block(arm, chosen)
            arm = Block((*way_out.moved, *after.operations), after.terminator)
            new = with_blocks(first, (arm, other) if way_out.is_set else (other, arm))
            return Block((new, *rest.operations[1:]), rest.terminator) if isinstance(new, If) else Block((), new)
    results = {result: Value(result.name, result.type, result.temporary) for result in chosen}
    arms = (Block(way_out.moved, Yield(tuple(chosen.values()))), Block((), Yield(tuple(results))))
    node = If(flag, *(arms if way_out.is_set else arms[::-1]), tuple(results.values()), way_out.branch.span)
    after = substitute_block(rest, results)
    return Block((node, *after.operations), after.terminator)


def _reads(node: Operation | Terminator, values: Substitution) -> bool:
    """Whether a node reads some values, itself or inside."""
    return not values.keys().isdisjoint(operands_of(node)) or any(_reads_inside(block, values) for block in blocks_of(node))


def _reads_inside(block: Block, values: Substitution) -> bool:
    return any(not values.keys().isdisjoint(operands_of(node)) for node in walk(block))
