"""Take an adjoint as it is where it is known to have the shape that it is to be brought to.

Before::

    row = getitem(A, (i, slice(k, None)))
    row_bar = getitem(A_bar, (j, slice(k, None)))
    t = neg(row_bar)
    product_bar = unbroadcast(t, row)

After::

    row = getitem(A, (i, slice(k, None)))
    row_bar = getitem(A_bar, (j, slice(k, None)))
    product_bar = neg(row_bar)

>>> import operator
>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import ArrayType
>>> vector = ArrayType("float64", (None,), 1)
>>> x, y, z = Value("x", vector), Value("y", vector), Value("z", vector)
>>> calls = (Call(y, Constant(operator.neg), (x,)), Call(z, Constant(runtime.unbroadcast), (y, x), exact=False))
>>> drop_broadcasts(Function("f", (Parameter(x),), Block(calls, Return(z)))).body.terminator.value
<y: float64[:]>

How long an axis is need not be known: elementwise operations keep shapes, slices with the same bounds of arrays of one shape have
one shape. A value stands for what it is in one trip of a loop; what is carried from trip to trip has a shape of its own.
"""

from __future__ import annotations

import operator
import types
from dataclasses import replace
from typing import Final

import numpy

from s2sad import runtime
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Value
from s2sad.ir.operations import IN_PLACE, call_method, make_tuple
from s2sad.ir.types import ArrayType, ScalarType
from s2sad.transform.array_memory import is_array
from s2sad.transform.purity import function_of, is_number, is_one_of
from s2sad.transform.rewrite import map_blocks, operand_key, substitute_block, with_body, with_operations

_TO_SHAPE: Final[frozenset[object]] = frozenset({runtime.unbroadcast, runtime.broadcast_like})
_ALIKE: Final[frozenset[object]] = frozenset({numpy.zeros_like, numpy.ones_like, numpy.empty_like, numpy.full_like, numpy.copy})
_ELEMENTWISE: Final = frozenset(
    {operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg, operator.pos}
)


def drop_broadcasts(fn: Function) -> Function:
    """Replace what brings an array to the shape that it has."""
    if functions_called(fn).isdisjoint(_TO_SHAPE):
        return fn
    shapes = _Shapes()
    for node in nodes_of(fn):
        if isinstance(node, Call):
            shapes.note(node)
    if not shapes.same:
        return fn

    def visit(block: Block) -> Block:
        operations = [shapes.copied(node) if isinstance(node, Call) else map_blocks(node, visit) for node in block.operations]
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    given = {call.result: bar for call, bar in shapes.same.items() if function_of(call) is runtime.unbroadcast}
    return with_body(fn, substitute_block(visit(fn.body), given))


class _Shapes:
    """What is known about the shapes of values: those with equal keys have the same."""

    def __init__(self) -> None:
        self.keys: dict[Value, object] = {}
        self.definitions: dict[Value, Call] = {}
        #: Calls that bring an array to the shape that it has, with that array.
        self.same: dict[Call, Operand] = {}

    def key(self, operand: Operand) -> object:
        return self.keys.get(operand, operand) if isinstance(operand, Value) else operand_key(operand)

    def note(self, call: Call) -> None:
        """Find out about the result of a call."""
        function = function_of(call)
        self.definitions[call.result] = call
        if is_one_of(function, _TO_SHAPE) and len(call.arguments) == 2 and not call.keywords:
            bar, like = call.arguments
            is_same = self.key(bar) == self.key(like)
            if is_same and isinstance(bar, Value) and _is_of_floats(bar) and _is_of_floats(like):
                self.same[call] = bar
            # what `unbroadcast` gives may be smaller than what it is brought to: it sums, and repeats nothing
            if is_same or function is runtime.broadcast_like:
                self.keys[call.result] = self.key(like)
        elif (key := self.key_of_call(call, function)) is not None:
            self.keys[call.result] = key

    def key_of_call(self, call: Call, function: object) -> object:
        """The key of what a call gives, if anything is known of it."""
        if call.keywords or not call.arguments:
            return None
        first = call.arguments[0]
        is_method = function is call_method and len(call.arguments) == 2
        if is_method and isinstance(call.arguments[1], Constant) and call.arguments[1].value == "copy":
            return self.key(first) if is_array(first) else None
        if is_one_of(function, _ALIKE):
            return self.key(first) if is_array(first) else None
        if is_one_of(function, IN_PLACE):
            return self.key(first) if is_array(first) else None
        if function is operator.getitem and is_array(first) and is_array(call.result):
            part = self.key_of_index(call.arguments[1])
            return None if part is None else ("part", self.key(first), part)
        is_elementwise = isinstance(function, numpy.ufunc) and function.signature is None
        if is_elementwise or is_one_of(function, _ELEMENTWISE):
            return self.key_of_elementwise(call)
        return None

    def key_of_elementwise(self, call: Call) -> object:
        if not isinstance(call.result.type, ArrayType) or not all(
            isinstance(o, Constant) or _is_numeric(o) for o in call.arguments
        ):
            return None
        keys = {self.key(operand) for operand in call.arguments if not is_number(operand)}
        return keys.pop() if len(keys) == 1 else None

    def key_of_index(self, index: Operand) -> object:
        """Equal for indices that cut the same shape out of arrays of one shape; None where that is not known."""
        if isinstance(index, Constant):
            return _key_of_literal(index.value)
        if isinstance(index.type, ScalarType):
            return "number" if index.type.kind == "int" else None
        definition = self.definitions.get(index)
        function = function_of(definition) if definition is not None else None
        if definition is not None and function is slice:
            return ("slice", *map(operand_key, definition.arguments))
        if definition is not None and function is make_tuple:
            parts = [self.key_of_index(part) for part in definition.arguments]
            return None if None in parts else ("tuple", *parts)
        return None

    def copied(self, call: Call) -> Call:
        """A new array where one is asked for: `unbroadcast` gives the adjoint itself."""
        if call in self.same and function_of(call) is runtime.broadcast_like:
            return replace(call, function=Constant(call_method), arguments=(call.arguments[0], Constant("copy")))
        return call


def _is_numeric(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, (ArrayType, ScalarType))


def _is_of_floats(operand: Operand) -> bool:
    return isinstance(operand, Value) and is_array(operand) and getattr(operand.type, "dtype", None) == "float64"


def _key_of_literal(index: object) -> object:
    match index:
        case bool():
            return None
        case int():
            return "number"
        case slice():
            return ("slice", *(operand_key(Constant(part)) for part in (index.start, index.stop, index.step)))
        case tuple():
            parts = [_key_of_literal(part) for part in index]
            return None if None in parts else ("tuple", *parts)
        case None | types.EllipsisType():
            return repr(index)
    return None
