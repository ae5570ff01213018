"""Remove carried values that never change, results that are the same on every path, and twins.

Before::

    k, z_2, s, r = while carried (k_2 = 0, z_1 = z, s_1 = z, r_1 = z):
      header:
        yield lt(k_2, 3)
      body:
        k_3 = add(k_2, 1)
        s_2 = mul(s_1, z_1)
        r_2 = mul(r_1, z_1)
        yield k_3, z_1, s_2, r_2

After: ``z_1`` and ``z_2`` are ``z``, and ``r`` is ``s``::

    k, s = while carried (k_2 = 0, s_1 = z):
      header:
        yield lt(k_2, 3)
      body:
        k_3 = add(k_2, 1)
        s_2 = mul(s_1, z)
        yield k_3, s_2

>>> from s2sad.ir.nodes import Block, Constant, Function, If, Parameter, Return, Value, Yield
>>> c, x, y = Value("c"), Value("x"), Value("y")
>>> choice = If(c, Block((), Yield((x,))), Block((), Yield((x,))), (y,))
>>> f = Function("f", (Parameter(c), Parameter(x)), Block((choice,), Return(y)))
>>> eliminate_redundant_carried(f).body.terminator.value
<x: unknown>

Both questions are asked optimistically: assume that all candidates are unchanged (or twins), and drop those which the
assumption does not bear out, until it holds. So values that are only exchanged among each other are found too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Raise,
    Value,
    While,
    Yield,
    operands_of,
    walk,
)
from s2sad.transform.purity import function_of, is_shareable
from s2sad.transform.rewrite import (
    defined_in,
    hand_over_names,
    leaves,
    map_blocks,
    operand_key,
    replace_operand,
    replace_operands,
    with_body,
    with_operations,
    with_results,
)


def eliminate_redundant_carried(fn: Function) -> Function:
    """Replace redundant carried values and results by what they equal, and drop them."""
    if not regions_of(fn):
        return fn
    known: dict[Value, Operand] = {}
    fn = with_body(fn, _visit(fn.body, known))
    return hand_over_names(fn, known)


def _visit(block: Block, known: dict[Value, Operand]) -> Block:
    """The block, with what is known to equal another operand replaced. `known` grows in program order."""
    operations: list[Operation] = []
    for operation in block.operations:
        operation = replace_operands(operation, known)
        match operation:
            case If():
                operation = _visit_if(map_blocks(operation, lambda inner: _visit(inner, known)), known)
            case For() | While():
                operation = _visit_loop(operation, known)
            case _:
                operation = map_blocks(operation, lambda inner: _visit(inner, known))
        operations.append(operation)
    end = replace_operands(block.terminator, known)
    return with_operations(block, operations, map_blocks(end, lambda inner: _visit(inner, known)))


# --- If -----------------------------------------------------------------------------------------------------------------------


def _visit_if(node: If, known: dict[Value, Operand]) -> Operation:
    arms = [arm.terminator.values for arm in (node.then, node.orelse) if isinstance(arm.terminator, Yield)]
    if not node.results or not arms:
        return node
    inside: set[Operand] = set()
    if len(arms) == 1:  # the other arm raises: the value must not be one that exists in this arm only
        inside.update(value for arm in (node.then, node.orelse) for value in defined_in(arm))
    kept: list[int] = []
    seen: dict[tuple[object, ...], Value] = {}
    sharing = _Sharing({})
    for position, result in enumerate(node.results):
        values = [arm[position] for arm in arms]
        keys = tuple(map(operand_key, values))
        if len(set(keys)) == 1 and values[0] not in inside:
            known[result] = values[0]
        elif keys in seen and not _may_be_read_unbound(keys, result, seen[keys]):
            known[result] = seen[keys]
        elif result.temporary and (other := sharing.find_more_bound(keys)) is not None:
            known[result] = other
        else:
            seen[keys] = result
            sharing.note(keys, result)
            kept.append(position)
    return with_results(node, kept)


_NOTHING: Final = operand_key(UNBOUND)


def _may_be_read_unbound(keys: tuple[object, ...], result: Value, other: Value) -> bool:
    """Whether a value of the generated code would be read from a variable of the user that some arm leaves unbound: to hand it on
    raises as the user's own reading of it does."""
    return _NOTHING in keys and result.temporary and not other.temporary


@dataclass(frozen=True, slots=True)
class _Sharing:
    """The results so far that have an operand from some arm, by the arm and the operand; under None all of them."""

    results: dict[tuple[int, object] | None, list[tuple[tuple[object, ...], Value]]]

    def note(self, keys: tuple[object, ...], result: Value) -> None:
        for part in (None, *enumerate(keys)):
            self.results.setdefault(part, []).append((keys, result))

    def find_more_bound(self, keys: tuple[object, ...]) -> Value | None:
        """The first result that is the same wherever this one is bound."""
        if _NOTHING not in keys:
            return None
        bound = [(arm, key) for arm, key in enumerate(keys) if key != _NOTHING]
        for others, result in self.results.get(bound[0] if bound else None, ()):
            if all(others[arm] == key for arm, key in bound) and (result.temporary or _NOTHING not in others):
                return result
        return None


# --- loops --------------------------------------------------------------------------------------------------------------------


def _visit_loop(node: For | While, known: dict[Value, Operand]) -> Operation:
    ends = [end for end in leaves(node.body) if not isinstance(end, Raise)]
    rows = [(isinstance(end, Break), [replace_operand(value, known) for value in operands_of(end)]) for end in ends]
    unchanged = _find_unchanged(node.carried, rows)
    twins = _find_twins(node, rows, unchanged)
    kept: list[int] = []
    for position, item in enumerate(node.carried):
        if position in unchanged:
            known[item.parameter] = item.initial
        elif position in twins:
            known[item.parameter] = node.carried[twins[position]].parameter
        if position in unchanged and _leaves_unchanged(position, node.carried, rows, unchanged):
            known[item.result] = item.initial
        elif position in twins:
            known[item.result] = node.carried[twins[position]].result
        elif (literal := _left_as_literal(node, position, rows)) is not None:
            known[item.result] = literal
            kept.append(position)  # the parameter may be read still
        else:
            kept.append(position)
    return map_blocks(with_results(node, kept), lambda inner: _visit(inner, known))


Rows = Sequence[tuple[bool, Sequence[Operand]]]


def _stands_for_initial(operand: Operand, position: int, carried: Sequence[Carried], unchanged: set[int]) -> bool:
    """Whether an operand equals the initial operand at a position, if the values at `unchanged` do not change."""
    wanted = operand_key(carried[position].initial)
    if operand_key(operand) == wanted:
        return True
    return any(operand is carried[other].parameter and operand_key(carried[other].initial) == wanted for other in unchanged)


def _find_unchanged(carried: Sequence[Carried], rows: Rows) -> set[int]:
    """The positions whose value for the next trip is always the initial operand."""
    parameters = {item.parameter for item in carried}

    def is_candidate(position: int) -> bool:
        wanted = operand_key(carried[position].initial)
        return all(
            leaving or values[position] in parameters or operand_key(values[position]) == wanted for leaving, values in rows
        )

    unchanged = {position for position in range(len(carried)) if is_candidate(position)}
    while True:
        wrong = {
            position
            for position in unchanged
            for leaving, values in rows
            if not leaving and not _stands_for_initial(values[position], position, carried, unchanged)
        }
        if not wrong:
            return unchanged
        unchanged -= wrong


def _leaves_unchanged(position: int, carried: Sequence[Carried], rows: Rows, unchanged: set[int]) -> bool:
    """Whether the value is the initial one also where a `Break` leaves the loop."""
    return all(_stands_for_initial(values[position], position, carried, unchanged) for _, values in rows)


def _left_as_literal(node: For | While, position: int, rows: Rows) -> Operand | None:
    """The literal that a value has after a loop that only a `Break` leaves."""
    if isinstance(node, For) or not _is_endless(node):
        return None
    left = [values[position] for leaving, values in rows if leaving]
    is_literal = left and all(isinstance(value, Constant) for value in left)
    return left[0] if is_literal and len(set(map(operand_key, left))) == 1 else None


def _is_endless(node: While) -> bool:
    end = node.header.terminator
    return isinstance(end, Yield) and isinstance(end.values[0], Constant) and bool(end.values[0].value)


def _find_twins(node: For | While, rows: Rows, unchanged: set[int]) -> dict[int, int]:
    """Positions whose value always equals that of an earlier position, with that position; flags that a `Break` sets, too."""
    left = {position for position in unchanged if not _leaves_unchanged(position, node.carried, rows, unchanged)}
    open_positions = [position for position in range(len(node.carried)) if position not in unchanged - left]
    groups = {position: operand_key(node.carried[position].initial) for position in open_positions}
    while len(set(groups.values())) < len(groups):
        number = _number_values(node, groups, unchanged)
        keys: dict[object, int] = {}
        refined: dict[int, object] = {}
        for position in open_positions:
            key = (groups[position], *(number(values[position]) for _, values in rows))
            refined[position] = keys.setdefault(key, len(keys))
        if len(set(refined.values())) == len(set(groups.values())):
            break
        groups = refined
    first: dict[object, int] = {}
    twins = {position: first.setdefault(groups[position], position) for position in open_positions}
    return {position: twin for position, twin in twins.items() if twin != position}


class _Numbers:
    """Value numbers of a loop body, given which parameters are assumed equal."""

    def __init__(self) -> None:
        self.of_value: dict[Value, object] = {}
        self.of_call: dict[object, int] = {}

    def __call__(self, operand: Operand) -> object:
        return self.of_value.get(operand, operand) if isinstance(operand, Value) else operand_key(operand)


def _number_values(node: For | While, groups: dict[int, object], unchanged: set[int]) -> _Numbers:
    numbers = _Numbers()
    for position, group in groups.items():
        item = node.carried[position]
        numbers.of_value[item.parameter] = operand_key(item.initial) if position in unchanged else ("group", group)
    for inner in walk(node.body):
        if isinstance(inner, Call) and is_shareable(inner):
            operands = (*map(numbers, inner.arguments), *((name, numbers(operand)) for name, operand in inner.keywords))
            key = (operand_key(inner.function), function_of(inner), inner.exact, operands)
            numbers.of_value[inner.result] = ("call", numbers.of_call.setdefault(key, len(numbers.of_call)))
    return numbers
