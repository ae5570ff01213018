"""What is decided before a function's statements are written: which temporaries fold, which index expressions repeat."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator, Sequence

from s2sad.emit.coalesce import Assignment, Variable, coalesce
from s2sad.emit.expressions import Names
from s2sad.emit.folding import Plan
from s2sad.emit.liveness import is_inplace
from s2sad.ir import operations
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    If,
    MakeFunction,
    Operand,
    Value,
    Yield,
    blocks_of,
    operands_of,
    parameters_of,
    results_of,
)
from s2sad.ir.types import INT, ScalarType
from s2sad.transform.purity import find_private_containers

_INDEXED = (operator.getitem, operator.setitem, operator.delitem)
_INDEX_PARTS = (slice, operations.make_tuple)
_OFFSETS = (operator.add, operator.sub)
_NEVER_FOLDED = (operations.unpack, operations.comment)


def make_plan(function: Function, names: Names) -> Plan:
    assignment = coalesce(function)
    repeated = _repeated(function, assignment)
    kept = {operand for node in repeated.values() for operand in operands_of(node) if isinstance(operand, Value)}
    places: dict[Value, int] = {}
    for node in nodes_of(function):
        for result in results_of(node) if isinstance(node, (Call, MakeFunction, If)) else ():
            places[result] = len(places)
    return Plan(
        assignment,
        names,
        frozenset(value for value in _foldable(function.body, assignment) if value not in repeated and value not in kept),
        repeated,
        places,
        Variable([], -1),
        find_private_containers(function, until_return=True),
    )


def _foldable(block: Block, assignment: Assignment) -> Iterator[Value]:
    """Temporaries with one use, where that use stands in the block of the definition."""
    made: set[Value] = set()
    for node in (*block.operations, block.terminator):
        for inner in blocks_of(node):
            yield from _foldable(inner, assignment)
        operands = operands_of(node)
        for operand in operands:
            if not isinstance(operand, Value) or operand not in made or operands.count(operand) > 1:
                continue
            uses = assignment.uses[operand]
            if isinstance(node, If) and operand is node.condition:
                uses -= yields_of_condition(node)
            if uses == 1:
                yield operand
        match node:
            case Call(result) if result.temporary and _is_foldable_call(node):
                made.add(result)
            case If(_, _, _, (result,)) if result.temporary:
                made.add(result)
            case MakeFunction(result, definition) if result.temporary and is_lambda(definition):
                made.add(result)


def _is_foldable_call(node: Call) -> bool:
    if not isinstance(node.result.type, ScalarType) and is_inplace(node.function):
        return False
    return not (isinstance(node.function, Constant) and any(node.function.value is never for never in _NEVER_FOLDED))


def is_lambda(definition: Function) -> bool:
    """Whether a nested function was one expression."""
    return not definition.name.isidentifier()


def yields_of_condition(node: If) -> int:
    """How often the arms of ``c and x`` or ``c or x`` yield c; 0 for any other conditional."""
    arms = (node.then, node.orelse)
    if len(node.results) != 1:
        return 0
    empty = [arm for arm in arms if not arm.operations and isinstance(arm.terminator, Yield)]
    hits = [arm for arm in empty if operands_of(arm.terminator) == (node.condition,)]
    return len(hits) if len(hits) == 1 else 0


def _repeated(function: Function, assignment: Assignment) -> dict[Value, Call]:
    """Slices, index tuples and ``i - 1`` that only index, on variables that keep their value: cheaper to read than to name."""
    if functions_called(function).isdisjoint((*_INDEXED, slice)):
        return {}
    readers: defaultdict[Value, list[tuple[object, int]]] = defaultdict(list)
    calls: list[Call] = []
    for node in nodes_of(function):
        if isinstance(node, Call):
            calls.append(node)
            for place, operand in enumerate(node.arguments):
                if isinstance(operand, Value):
                    readers[operand].append((node, place))
            others: tuple[Operand, ...] = (node.function, *(value for _, value in node.keywords))
        else:
            others = operands_of(node)
        for operand in others:
            if isinstance(operand, Value):
                readers[operand].append((node, -1))
    indexing: set[Value] = set()
    for node in reversed(calls):
        used = readers[node.result]
        if used and (_is_literal_slice(node) or all(_is_index_use(reader, place, indexing) for reader, place in used)):
            indexing.add(node.result)
    spans = _find_spans(function)

    def is_stable(value: Value) -> bool:
        """Whether its variable means this value wherever the value is visible."""
        start, end = spans[value]
        return not any(start < spans[other][0] <= end for other in assignment.variables[value].members)

    repeated: dict[Value, Call] = {}
    for node in calls:
        if node.result.temporary and node.result in indexing and _may_repeat(node):
            operands = [operand for operand in node.arguments if isinstance(operand, Value)]
            if all(operand in repeated or is_stable(operand) for operand in operands):
                repeated[node.result] = node
    return repeated


def _find_spans(function: Function) -> dict[Value, tuple[int, int]]:
    """Where each value is visible: from its definition to the last one in its block, all of them numbered."""
    starts: dict[Value, int] = {}
    spans: dict[Value, tuple[int, int]] = {}

    def visit(block: Block, own: Sequence[Value]) -> None:
        mine = list(own)
        for value in own:
            starts[value] = len(starts)
        for operation in block.operations:
            inner: Sequence[Value] = parameters_of(operation)
            for nested in blocks_of(operation):
                visit(nested, [value for value in inner if value not in starts])
            for value in inner:  # seen by all blocks of the operation
                spans[value] = starts[value], len(starts) - 1
            for value in results_of(operation):
                starts[value] = len(starts)
                mine.append(value)
        for nested in blocks_of(block.terminator):
            visit(nested, ())
        for value in mine:
            spans[value] = starts[value], len(starts) - 1

    visit(function.body, [*function.captured, *(parameter.value for parameter in function.parameters)])
    return spans


def _is_literal_slice(node: Call) -> bool:
    """``slice(1, 3)``, which reads well as an argument, too."""
    return (
        isinstance(node.function, Constant)
        and node.function.value is slice
        and all(isinstance(operand, Constant) for operand in node.arguments)
    )


def _is_index_use(reader: object, place: int, indexing: set[Value]) -> bool:
    if not isinstance(reader, Call) or not isinstance(reader.function, Constant):
        return False
    function = reader.function.value
    if any(function is indexed for indexed in _INDEXED):
        return place == 1
    return any(function is part for part in (*_INDEX_PARTS, *_OFFSETS)) and reader.result in indexing and place >= 0


def _may_repeat(node: Call) -> bool:
    function = node.function.value if isinstance(node.function, Constant) else None
    if any(function is part for part in _INDEX_PARTS):
        return True
    has_constant = any(isinstance(operand, Constant) for operand in node.arguments)
    return any(function is offset for offset in _OFFSETS) and node.result.type == INT and has_constant
