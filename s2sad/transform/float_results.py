"""Gradients that may be integers are made floats, where the function returns.

A partial derivative is the number that the program has: ``x * k`` gives ``k``, which may be an integer where the types know only
that it is a number (`k` is an element of ``[3, 2.5]``). What is a float for certain stays as it is.

Before::

    return ks[0]

After::

    return float(ks[0])
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

import numpy as np

from s2sad import runtime
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    Block,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
)
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ANY, FLOAT, ScalarType, TupleType
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.reverse.halves import Halves
from s2sad.transform.rewrite import count_uses, find_definitions, leaves, map_leaves, with_blocks, with_body, with_operations

Path = tuple[int, ...]

#: A float comes out when one goes in.
_CONTAGIOUS: Final = frozenset(
    {operator.add, operator.sub, operator.mul, operator.iadd, operator.isub, operator.imul, operator.pow, operator.ipow}
    | {operator.neg, operator.pos, operator.abs, abs}
)
_MAY_GIVE_INTEGERS: Final = frozenset({math.prod, getattr(math, "sumprod", math.prod)})
#: They give floats whatever goes in.
_FLOATING: Final = (frozenset(function for function in vars(math).values() if callable(function)) - _MAY_GIVE_INTEGERS) | {
    float,
}
#: They give floats of Python's numbers.
_DIVISIONS: Final = frozenset({operator.truediv, operator.itruediv})


def make_results_floats(
    fn: Function, paths: Sequence[Path], certain: Set[Value], halves: Mapping[Callee, Halves], numpy: bool = False
) -> Function:
    """Convert what stands at these places of the result; `certain` are the parameters that are floats, `halves` those of
    functions that are called, by their reverse half. `numpy`: there are numbers of NumPy, so what a container, a loop or a
    function that is called gives may be one of them."""
    floats = find_floats(fn, certain, halves, numpy)
    definitions = find_definitions(fn)
    uncertain = [path for path in paths if any(_is_uncertain(leaf, path, floats, definitions) for leaf in leaves(fn.body))]
    if not uncertain:
        return fn
    uses = count_uses(fn)
    ends = [_part(end.value, path, definitions) for end in leaves(fn.body) if isinstance(end, Return) for path in uncertain]
    returned: set[Operand] = {part for part in ends if isinstance(part, Value) and uses.get(part) == 1}
    fn = with_body(fn, _with_float_arms(fn.body, returned, floats))
    floats = find_floats(fn, certain, halves, numpy)
    body = _convert(fn.body, uncertain, floats, dict(find_definitions(fn)))
    return eliminate_dead_code(with_body(fn, body))


def find_floats(fn: Function, certain: Set[Value], halves: Mapping[Callee, Halves], numpy: bool = False) -> set[Value]:
    """The values that are Python floats for certain: the largest set that agrees with how its values are made."""
    counters = _counters_of(fn)
    sources: dict[Value, list[Operand]] = {}
    _note_sources(fn.body, (), sources)
    calls = find_definitions(fn)
    floats = {value for value in (*sources, *calls) if value.type == FLOAT or value in calls} | set(certain)

    def is_float(operand: Operand) -> bool:
        return operand in floats if isinstance(operand, Value) else operand.value.__class__ is float

    def may_be_of_numpy(operand: Operand) -> bool:
        """Whether an operand may be a number of NumPy, which makes numbers of NumPy of floats."""
        if isinstance(operand, Constant):
            return isinstance(operand.value, np.generic)
        if not isinstance(operand.type, ScalarType) or operand.type.dtype:
            return True
        return numpy and operand not in floats and operand not in counters

    def gives_float(call: Call) -> bool:
        function = call.function.value if isinstance(call.function, Constant) else None
        if function is operator.getitem and isinstance(call.arguments[0], Value):
            maker = calls.get(call.arguments[0])  # one of the adjoints that a reverse half gives
            return maker is not None and not numpy and _gives_adjoints(maker, is_float, halves)
        if isinstance(function, Callee) and _gives_adjoints(call, is_float, halves):
            return not numpy
        try:
            if function in _DIVISIONS or function in _CONTAGIOUS:
                is_floating = function in _DIVISIONS or any(map(is_float, call.arguments))
                return is_floating and not any(map(may_be_of_numpy, call.arguments))
            return function in _FLOATING
        except TypeError:  # not hashable
            return False

    while True:
        before = len(floats)
        floats -= {value for value, operands in sources.items() if value in floats and not all(map(is_float, operands))}
        for value, call in calls.items():  # in the order of the program: what is no float makes no float of the next
            if value in floats and not gives_float(call):
                floats.remove(value)
        if not sources or len(floats) == before:
            return floats


def _counters_of(fn: Function) -> set[Value]:
    """The integers that are Python's: those of loops over ranges, and the parameters."""
    ranges = {call.result for call in find_definitions(fn).values() if _is_call_of(call, range, runtime.indices_of)}
    loops = [node for node in nodes_of(fn) if isinstance(node, For) and node.iterable in ranges]
    return {loop.target for loop in loops} | {parameter.value for parameter in fn.parameters}


def _is_call_of(call: Call, *functions: object) -> bool:
    return isinstance(call.function, Constant) and any(call.function.value is function for function in functions)


def _gives_adjoints(call: Call, is_float: Callable[[Operand], bool], halves: Mapping[Callee, Halves]) -> bool:
    """Whether a call of a reverse half gives floats: products with the adjoints that go in, if these are."""
    function = call.function.value if isinstance(call.function, Constant) else None
    made = halves.get(function) if isinstance(function, Callee) else None
    if made is None:
        return False
    first = len(made.needed) + made.takes_saved
    return all(map(is_float, call.arguments[first : first + len(made.result_paths)]))


def _note_sources(block: Block, leaving: tuple[Sequence[Sequence[Value]], ...], sources: dict[Value, list[Operand]]) -> None:
    """Which operands a value that joins several may be."""

    def note(targets: Iterable[Value], operands: Iterable[Operand]) -> None:
        for target, operand in zip(targets, operands, strict=True):
            sources.setdefault(target, []).append(operand)

    for operation in block.operations:
        match operation:
            case For() | While():
                parameters = [item.parameter for item in operation.carried]
                initial = [item.initial for item in operation.carried]
                note(parameters, initial)
                if isinstance(operation, For):
                    note(operation.results, initial)
                    _note_sources(operation.body, ([parameters, operation.results], [operation.results]), sources)
                else:
                    note(operation.results, parameters)
                    _note_sources(operation.header, (), sources)
                    _note_sources(operation.body, ([parameters], [operation.results]), sources)
            case If() | Try() | With():
                for inner in blocks_of(operation):
                    _note_sources(inner, ([operation.results],), sources)
    for end in leaves(block):
        if isinstance(end, (Yield, Break)) and len(leaving) > isinstance(end, Break):
            for targets in leaving[isinstance(end, Break)]:
                note(targets, end.values)
    for inner in blocks_of(block.terminator):
        _note_sources(Block(inner.operations, Yield()), (), sources)


def _part(operand: Operand, path: Path, definitions: Mapping[Value, Call]) -> Operand | None:
    """What stands at a place of a result that is written as a tuple."""
    for index in path:
        call = definitions.get(operand) if isinstance(operand, Value) else None
        if call is None or not isinstance(call.function, Constant) or call.function.value is not make_tuple:
            return None
        operand = call.arguments[index]
    return operand


def _is_uncertain(end: Terminator, path: Path, floats: set[Value], definitions: Mapping[Value, Call]) -> bool:
    part = _part(end.value, path, definitions) if isinstance(end, Return) else None
    return part is not None and not _is_float(part, floats)


def _is_float(operand: Operand, floats: set[Value]) -> bool:
    return operand in floats if isinstance(operand, Value) else operand.value.__class__ is float


def _with_float_arms(block: Block, returned: set[Operand], floats: set[Value]) -> Block:
    """``return 3 if c else 2.5``: the integer is written as a float."""
    operations: list[Operation] = []
    for operation in block.operations:
        if isinstance(operation, If):
            places = {index for index, value in enumerate(operation.results) if value in returned}
            inner = {
                end.values[index]
                for arm in (operation.then, operation.orelse)
                for end in leaves(arm)
                if isinstance(end, Yield)
                for index in places
            }
            convert = functools.partial(_as_floats, places=places)
            arms = [_with_float_arms(arm, returned | inner, floats) for arm in (operation.then, operation.orelse)]
            operation = with_blocks(operation, [map_leaves(arm, convert) for arm in arms])
        operations.append(operation)
    return with_operations(block, operations, block.terminator)


def _as_floats(end: Terminator, places: set[int]) -> Terminator:
    if not isinstance(end, Yield):
        return end
    values = tuple(_literal(value) if index in places else value for index, value in enumerate(end.values))
    return Yield(values) if any(new is not old for new, old in zip(values, end.values, strict=True)) else end


def _literal(operand: Operand) -> Operand:
    is_integer = isinstance(operand, Constant) and operand.value.__class__ in (int, bool)
    return Constant(float(operand.value)) if is_integer and isinstance(operand, Constant) else operand  # type: ignore[arg-type]


def _convert(block: Block, paths: Sequence[Path], floats: set[Value], definitions: dict[Value, Call]) -> Block:
    """The tree, with conversions before each `Return`."""
    end = block.terminator
    if not isinstance(end, Return):
        return with_operations(block, block.operations, with_blocks(end, list(_converted(end, paths, floats, definitions))))
    out = list(block.operations)
    value = end.value
    for path in paths:
        value = _rebuilt(value, path, out, floats, definitions)
    return Block(tuple(out), Return(value, end.span))


def _converted(end: Terminator, paths: Sequence[Path], floats: set[Value], definitions: dict[Value, Call]) -> Iterator[Block]:
    for inner in blocks_of(end):
        yield _convert(inner, paths, floats, definitions)


def _rebuilt(operand: Operand, path: Path, out: list[Operation], floats: set[Value], definitions: dict[Value, Call]) -> Operand:
    if not path:
        literal = _literal(operand)
        if isinstance(literal, Constant) or _is_float(literal, floats):
            return literal
        result = Value("", FLOAT, temporary=True)
        out.append(Call(result, Constant(float), (literal,)))
        return result
    call = definitions.get(operand) if isinstance(operand, Value) else None
    if call is None:
        return operand
    arguments = list(call.arguments)
    arguments[path[0]] = _rebuilt(arguments[path[0]], path[1:], out, floats, definitions)
    result = Value("", call.result.type, temporary=True)
    made = Call(result, call.function, tuple(arguments), (), call.span)
    definitions[result] = made
    out.append(made)
    return result


def is_plain_float(value: Value, path: Path) -> bool:
    """Whether a gradient with respect to a value, or to an element of the tuple that it is, is one Python float."""
    kind = value.type
    for index in path:
        kind = kind.elements[index] if isinstance(kind, TupleType) else ANY
    return isinstance(kind, ScalarType) and kind.kind != "complex" and not kind.dtype


def has_numbers_of_numpy(fn: Function) -> bool:
    """Whether some number in a function is NumPy's."""
    calls = (node for node in nodes_of(fn) if isinstance(node, Call))
    values = (*(call.result for call in calls), *(parameter.value for parameter in fn.parameters))
    return any(isinstance(value.type, ScalarType) and bool(value.type.dtype) for value in values)
