"""Calls of one of several known functions: the choice is made again where the function is called.

Before::

    f = math.sin if c else math.cos
    y = f(x)

After (the `If` hands on which function it chose)::

    f, choice = (math.sin, 0) if c else (math.cos, 1)
    y = math.sin(x) if choice == 0 else math.cos(x)

A function taken from a dict, a list or a tuple by a key that only the running program knows is chosen in the same way, if it
is known what each place holds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from s2sad.analysis.container_types import has_places, places_of
from s2sad.analysis.unroll import with_blocks
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Call,
    Constant,
    Function,
    If,
    Operand,
    Operation,
    Raise,
    Terminator,
    Value,
    Yield,
    blocks_of,
    results_of,
    walk,
)
from s2sad.ir.operations import call_method, make_dict, make_list, make_tuple
from s2sad.ir.types import DictType, ListType, ObjectType, TupleType

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


@dataclass(frozen=True, slots=True)
class Table:
    """What is read by a key: the keys, the operands that a display has for them (none of a container that was made elsewhere),
    and the class of the container."""

    cls: type
    keys: tuple[Operand, ...]
    elements: tuple[Operand, ...] | None


class ChoiceError(Exception):
    """Type inference has to start again, with the choice of one function made explicit."""

    def __init__(self, function: Value, tables: dict[Value, Table]) -> None:
        super().__init__(function)
        self.function = function
        self.tables = tables


def check_choice(inference: Inference, function: Operand) -> None:
    """Raise `ChoiceError` for a call of a function value that an `If` or a dict display gives."""
    if not isinstance(function, Value) or function in inference.chosen:
        return
    tables = _tables(inference)
    for node in walk(inference.definition.body):
        if isinstance(node, If) and function in node.results:
            raise ChoiceError(function, tables)
        if isinstance(node, Call) and node.result is function and node.result in tables:
            raise ChoiceError(function, tables)


def _tables(inference: Inference) -> dict[Value, Table]:
    """Reads of dicts, lists and tuples of which is known what each place holds, by their results."""
    displays: dict[Value, Table] = {}
    found = {}
    for node in walk(inference.definition.body):
        if not isinstance(node, Call) or not isinstance(node.function, Constant):
            continue
        if node.function.value in _DISPLAYS and not _is_changed(inference, node.result):
            displays[node.result] = _table_of_display(node)
        elif node.function.value is operator.getitem or _is_get(node):
            container = node.arguments[0]
            table = displays.get(container) if isinstance(container, Value) else None
            table = table or _table_of_places(inference, container)
            if table is not None:
                found[node.result] = table
    return found


_DISPLAYS: Final[dict[object, type]] = {make_dict: dict, make_list: list, make_tuple: tuple}


def _is_changed(inference: Inference, container: Operand) -> bool:
    """Whether a list or dict may have other elements than those that it was made with."""
    kind = inference.type_of(container)
    if isinstance(kind, TupleType):
        return False
    return not isinstance(kind, DictType | ListType | ObjectType) or bool(
        inference.memory.flags[inference.memory.find(kind.region)]
    )


def _table_of_display(display: Call) -> Table:
    elements = display.arguments
    assert isinstance(display.function, Constant)
    cls = _DISPLAYS[display.function.value]
    if cls is dict:
        return Table(dict, elements[::2], elements[1::2])
    return Table(cls, _indices(len(elements)), elements * 2)


def _table_of_places(inference: Inference, container: Operand) -> Table | None:
    """The places of a container that was made elsewhere."""
    kind, memory = inference.type_of(container), inference.memory
    match kind:
        case TupleType(elements=elements):
            return Table(tuple, _indices(len(elements)), None)
        case ObjectType(cls=cls, region=region) if cls is list and has_places(memory, region):
            return Table(list, _indices(len(places_of(memory, region))), None)
        case DictType(region=region):
            keys = memory.keys_of(region)
            return Table(dict, tuple(map(Constant, keys)), None) if keys is not None else None
    return None


def _indices(count: int) -> tuple[Operand, ...]:
    """The indices of a list or tuple: it is counted from both ends."""
    return tuple(map(Constant, (*range(count), *range(-count, 0))))


def _is_get(call: Call) -> bool:
    """Whether a call is ``table.get(key)`` or ``table.get(key, default)``."""
    is_method = isinstance(call.function, Constant) and call.function.value is call_method
    name = call.arguments[1] if is_method else None
    return isinstance(name, Constant) and name.value == "get" and len(call.arguments) in (3, 4) and not call.keywords


@dataclass
class _Choice:
    """Which alternative a value is: a number, and the alternatives by number."""

    number: Operand
    alternatives: dict[int, Operand]


@dataclass
class _Expander:
    request: ChoiceError
    count: int = 0
    choices: dict[Value, _Choice] = field(default_factory=dict)
    made: set[Value] = field(default_factory=set)

    def block(self, block: Block, wanted: Operand | None = None) -> Block:
        """The block with the choice behind a value made explicit."""
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, If) and wanted in operation.results:
                operations.append(self.choose(operation, [*operation.results].index(wanted)))
            elif isinstance(operation, Call) and operation.result is wanted and operation.result in self.request.tables:
                operations.append(self.look_up(operation, self.request.tables[operation.result]))
            else:
                operations.append(operation)
        return Block(tuple(operations), block.terminator)

    def choose(self, node: If, position: int) -> If:
        arms = [node.then, node.orelse]
        numbers: list[Operand] = [UNBOUND, UNBOUND]
        given: list[dict[int, Operand]] = [{}, {}]
        for index, arm in enumerate(arms):
            if not isinstance(arm.terminator, Yield):
                continue
            operand = arm.terminator.values[position]
            arms[index] = self.block(arm, operand)
            inner = self.choices.get(operand) if isinstance(operand, Value) else None
            if inner is not None:
                numbers[index], given[index] = inner.number, inner.alternatives
            else:
                numbers[index], given[index] = Constant(self.count), {self.count: operand}
                self.count += 1
        keys = sorted({*given[0], *given[1]})
        results = [Value("choice", temporary=True), *(Value("", temporary=True) for _ in keys)]
        self.made.update(results)
        for index, arm in enumerate(arms):
            if isinstance(arm.terminator, Yield):
                values = (*arm.terminator.values, numbers[index], *(given[index].get(key, UNBOUND) for key in keys))
                arms[index] = Block(arm.operations, Yield(values))
        alternatives: dict[int, Operand] = dict(zip(keys, results[1:], strict=True))
        alternatives.update((key, one) for known in given for key, one in known.items() if _is_none(one))
        self.choices[node.results[position]] = _Choice(results[0], alternatives)
        return If(node.condition, arms[0], arms[1], (*node.results, *results), node.span)

    def look_up(self, read: Call, table: Table) -> If:
        """``{"a": f, "b": g}[key]`` as comparisons of the key."""
        key_read = read.arguments[2 if _is_get(read) else 1]
        rest = _raised(KeyError, key_read, read)
        if table.cls is not dict:
            rest = _raised(IndexError, Constant(f"{table.cls.__name__} index out of range"), read)
        if _is_get(read):
            rest = Block((), Yield(read.arguments[3:] or (Constant(None),)))
        node: If | None = None
        for position, key in reversed([*enumerate(table.keys)]):
            test = Value("", temporary=True)
            result = Value(read.result.name, temporary=True)
            inner = If(test, _element(table, position, read), rest, (result,), read.span)
            node = inner
            compared = Call(test, Constant(operator.eq), (key_read, key), (), read.span)
            rest = Block((compared, inner), Yield((result,)))
        assert node is not None
        outer = If(Constant(True), rest, Block((), Raise(None)), (read.result,), read.span)
        return self.choose(outer, 0)


def _element(table: Table, position: int, read: Call) -> Block:
    """What a table has at a place."""
    if table.elements is not None:
        return Block((), Yield((table.elements[position],)))
    element = Value(read.result.name, temporary=True)
    container = read.arguments[0]
    taken = Call(element, Constant(operator.getitem), (container, table.keys[position]), (), read.span)
    return Block((taken,), Yield((element,)))


def expand_choice(definition: Function, request: ChoiceError) -> tuple[Function, set[Value]]:
    """The function with one choice made explicit, and the values that stand for alternatives."""
    expander = _Expander(request)

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            if request.function in results_of(operation):
                operations.extend(expander.block(Block((operation,), Raise(None)), request.function).operations)
            else:
                operations.append(with_blocks(operation, [visit(inner) for inner in blocks_of(operation)]))
        return Block(tuple(operations), _visited(block.terminator, visit))

    body = visit(definition.body)
    choice = expander.choices.get(request.function)
    if choice is not None:
        body = _dispatched(body, request.function, choice)
    made = Function(definition.name, definition.parameters, body, definition.captured, definition.span, definition.docstring)
    return made, expander.made | {request.function}


def _dispatched(block: Block, function: Value, choice: _Choice) -> Block:
    """Calls of the function as calls of its alternatives."""
    operations: list[Operation] = []
    for operation in block.operations:
        if isinstance(operation, Call) and operation.function is function:
            operations.extend(_call(operation, choice, sorted(choice.alternatives)))
        else:
            blocks = [_dispatched(inner, function, choice) for inner in blocks_of(operation)]
            operations.append(with_blocks(operation, blocks))
    return Block(tuple(operations), _visited(block.terminator, lambda inner: _dispatched(inner, function, choice)))


def _call(call: Call, choice: _Choice, keys: list[int]) -> list[Operation]:
    key, *others = keys
    if not others and not _is_none(choice.alternatives[key]):
        return [Call(call.result, choice.alternatives[key], call.arguments, call.keywords, call.span, call.exact)]
    first, rest = Value("", temporary=True), Value("", temporary=True)
    test = Value("", temporary=True)
    alternative = choice.alternatives[key]
    chosen = Block((Call(first, alternative, call.arguments, call.keywords, call.span, call.exact),), Yield((first,)))
    if _is_none(alternative):
        chosen = _raised(TypeError, Constant("'NoneType' object is not callable"), call)
    other = Call(rest, call.function, call.arguments, call.keywords, call.span, call.exact)
    orelse = Block(tuple(_call(other, choice, others)), Yield((rest,))) if others else Block((), Raise(None))
    return [
        Call(test, Constant(operator.eq), (choice.number, Constant(key)), (), call.span),
        If(test, chosen, orelse, (call.result,), call.span),
    ]


def _raised(error: type[Exception], argument: Operand, call: Call) -> Block:
    """What Python raises where a call is made."""
    made = Value("", temporary=True)
    return Block((Call(made, Constant(error), (argument,), (), call.span),), Raise(made, None, call.span))


def _is_none(operand: Operand) -> bool:
    return isinstance(operand, Constant) and operand.value is None


def _visited(end: Terminator, visit: Callable[[Block], Block]) -> Terminator:
    if isinstance(end, Branch):
        return Branch(end.condition, visit(end.then), visit(end.orelse), end.span)
    return end
