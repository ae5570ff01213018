"""What is added to an array with new axes is added to the array itself, without them.

Before::

    s ~= np.sum(t, axis=1, keepdims=True)
    m_bar[:, None] += s

After::

    s ~= np.sum(t, axis=1)
    m_bar += s

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import NONE, Extent
>>> n = Extent("n")
>>> x, e = Value("x", ArrayType("float64", (n,), 1)), Value("e", ArrayType("float64", (1, n), 2))
>>> v, r = Value("v", ArrayType("float64", (1, n), 1)), Value("r", ArrayType("float64", (1, n)))
>>> key = Constant((None, slice(None, None, None)))
>>> calls = (
...     Call(v, Constant(operator.getitem), (x, key), exact=False),
...     Call(r, Constant(operator.add), (v, e), exact=False),
...     Call(Value("", NONE), Constant(operator.setitem), (x, key, r), exact=False),
... )
>>> f = add_without_axes(Function("f", (Parameter(x), Parameter(e)), Block(calls, Return(x))))
>>> [call.function.value.__name__ for call in f.body.operations]
['getitem', 'iadd']
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy

from s2sad.ir.contents import calls_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ArrayType
from s2sad.transform.accumulations import WHOLE, Accumulation, Keys, find_accumulations
from s2sad.transform.array_memory import ArrayMemory, find_array_memory
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import count_uses, find_definitions, map_blocks, with_body, with_operations

_ALL = slice(None, None, None)


def add_without_axes(fn: Function) -> Function:
    """Add to arrays without the axes that an index makes."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    adding = _Adding(fn, memory)
    stores = [call for call in calls_of(fn) if function_of(call) is operator.setitem]
    if all(adding.new_axes(call.arguments[1]) is None for call in stores):
        return fn
    return with_body(fn, adding.visit(fn.body))


class _Adding:
    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.memory = memory
        self.uses = count_uses(fn)
        self.definitions = find_definitions(fn)
        self.keys = Keys()

    def visit(self, block: Block) -> Block:
        found = find_accumulations(block.operations, self.uses, self.memory, self.keys)
        replaced: dict[Operation, list[Operation]] = {}
        for item in found.values():
            if item.key is not WHOLE:
                replaced.update(self.without_axes(item, block))
        operations: list[Operation] = []
        for operation in block.operations:
            changed = replaced.get(operation)
            operations += changed if changed is not None else [map_blocks(operation, self.visit)]
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def without_axes(self, item: Accumulation, block: Block) -> dict[Operation, list[Operation]]:
        """What to write for calls, so that they add to the whole array; nothing if the index selects anything, or the shapes are
        not known."""
        axes = self.new_axes(item.calls[-1].arguments[1])
        kind, value = item.target.type, item.value
        if (
            axes is None
            or not isinstance(value, Value)
            or not isinstance(value.type, ArrayType)
            or not isinstance(kind, ArrayType)
        ):
            return {}
        shape = value.type.shape
        if shape is None or len(shape) != len(axes) or any(shape[place] != 1 for place, is_new in enumerate(axes) if is_new):
            return {}
        if tuple(length for length, is_new in zip(shape, axes, strict=True) if not is_new) != kind.shape:
            return {}
        last = item.calls[-1]
        result = Value("", ArrayType(value.type.dtype, kind.shape), temporary=True)
        made = self.definitions.get(value)
        reduced = self.reduced(value, axes, result)
        function = operator.isub if item.is_minus else operator.iadd
        step = Call(Value("", kind, temporary=True), Constant(function), (item.target, result), (), last.span, False)
        new: dict[Operation, list[Operation]] = {call: [] for call in item.calls}
        if reduced is not None and made is not None and any(made is operation for operation in block.operations):
            return {**new, made: [reduced], last: [step]}
        key = Constant(tuple(0 if is_new else _ALL for is_new in axes))
        return {**new, last: [Call(result, Constant(operator.getitem), (value, key), (), last.span, False), step]}

    def new_axes(self, key: Operand) -> list[bool] | None:
        """Which elements of an index make a new axis, if the others take all of one."""
        parts: list[object]
        if isinstance(key, Constant):
            parts = list(key.value) if isinstance(key.value, tuple) else [key.value]
        else:
            made = self.definitions.get(key)
            if made is None or function_of(made) is not make_tuple:
                return None
            parts = [self.constant(part) for part in made.arguments]
        return [part is None for part in parts] if None in parts and all(part in (None, _ALL) for part in parts) else None

    def constant(self, operand: Operand) -> object:
        """What an operand is known to be; the operand itself where it is not."""
        if isinstance(operand, Constant):
            return operand.value
        made = self.definitions.get(operand)
        if made is not None and function_of(made) is slice and all(isinstance(part, Constant) for part in made.arguments):
            return slice(*(part.value for part in made.arguments if isinstance(part, Constant)))
        return operand

    def reduced(self, value: Value, axes: list[bool], result: Value) -> Call | None:
        """The sum along the new axis, made without it."""
        made = self.definitions.get(value)
        if made is None or function_of(made) is not numpy.sum or self.uses.get(value) != 1 or sum(axes) != 1 or made.exact:
            return None
        named = {name: operand.value for name, operand in made.keywords if isinstance(operand, Constant)}
        axis = named.get("axis")
        if (
            len(made.arguments) != 1
            or set(named) != {"axis", "keepdims"}
            or named["keepdims"] is not True
            or not isinstance(axis, int)
        ):
            return None
        if axis % len(axes) != axes.index(True):
            return None
        return replace(made, result=result, keywords=(("axis", Constant(axis)),))
