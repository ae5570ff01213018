"""What a function contains, looked up once for all passes that ask: its nodes, its regions, the functions that it calls.

>>> import operator
>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> x, y = Value("x"), Value("y")
>>> f = Function("f", (Parameter(x),), Block((Call(y, Constant(operator.neg), (x,)),), Return(y)))
>>> [type(node).__name__ for node in nodes_of(f)], regions_of(f), functions_called(f) == {operator.neg}
(['Call', 'Return'], (), True)
"""

from __future__ import annotations

from typing import Final

from s2sad.ir.memo import MOST_FUNCTIONS, remembered
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
    Terminator,
    Try,
    Value,
    While,
    With,
    arguments_of,
    blocks_of,
)
from s2sad.ir.types import ScalarType, Type

Region = If | For | While | Try | With | Branch
_REGIONS: Final = (If, For, While, Try, With, Branch)


@remembered(MOST_FUNCTIONS)
def nodes_of(fn: Function) -> tuple[Operation | Terminator, ...]:
    """Every node of a function, in source order; nested functions are not entered."""
    found: list[Operation | Terminator] = []
    _collect(fn.body, found)
    return tuple(found)


def _collect(block: Block, found: list[Operation | Terminator]) -> None:
    """What `walk` gives, without a generator for each block."""
    for operation in block.operations:
        found.append(operation)
        if not isinstance(operation, Call):
            for inner in blocks_of(operation):
                _collect(inner, found)
    found.append(block.terminator)
    for inner in blocks_of(block.terminator):
        _collect(inner, found)


@remembered(MOST_FUNCTIONS)
def regions_of(fn: Function) -> tuple[Region, ...]:
    """The nodes that have blocks inside, in source order."""
    return tuple([node for node in nodes_of(fn) if not isinstance(node, Call) and isinstance(node, _REGIONS)])


@remembered(MOST_FUNCTIONS)
def calls_of(fn: Function) -> tuple[Call, ...]:
    """The calls in a function, in source order."""
    return tuple([node for node in nodes_of(fn) if isinstance(node, Call)])


@remembered(MOST_FUNCTIONS)
def functions_called(fn: Function) -> frozenset[object]:
    """The functions that are called and known, but for objects that cannot be hashed."""
    found: set[object] = set()
    for call in calls_of(fn):
        if isinstance(call.function, Constant):
            try:
                found.add(call.function.value)
            except TypeError:
                continue
    return frozenset(found)


@remembered(MOST_FUNCTIONS)
def kinds_made(fn: Function) -> frozenset[type[Type]]:
    """Of what kinds the results of the calls in a function are: the classes of their types."""
    return frozenset([call.result.type.__class__ for call in calls_of(fn)])


@remembered()
def is_of_numbers(call: Call) -> bool:
    """Whether a function that is known is given numbers and gives one, so that the call has nothing to do with memory."""
    operands = arguments_of(call)
    return isinstance(call.function, Constant) and isinstance(call.result.type, ScalarType) and all(map(_is_number, operands))


def _is_number(operand: Operand) -> bool:
    if isinstance(operand, Value):
        return isinstance(operand.type, ScalarType)
    return isinstance(operand.value, (bool, int, float, complex))


@remembered(MOST_FUNCTIONS)
def calls_beyond_numbers(fn: Function) -> tuple[Call, ...]:
    """The calls that may have to do with memory, in source order."""
    return tuple([call for call in calls_of(fn) if not is_of_numbers(call)])
