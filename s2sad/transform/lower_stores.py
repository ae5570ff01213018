"""Functions that store their result into an array become a computation and a store, and arrays outside are read once.

Before::

    np.multiply(u, u, out=w)
    cache[:] = w
    s = np.sum(cache)

After::

    product = np.multiply(u, u)
    w[...] = product
    cache[:] = w                  # `cache`, an array of the module, has been read at the start,
    s = np.sum(cache)             # so that it has one name here

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.printer import print_function
>>> from s2sad.ir.types import ArrayType
>>> import numpy as np
>>> vector = ArrayType("float64", (3,), 1)
>>> u, w, r = Value("u", vector), Value("w", vector), Value("r", vector)
>>> call = Call(r, Constant(np.negative), (u,), (("out", w),))
>>> print(print_function(lower_stores(Function("f", (Parameter(u), Parameter(w)), Block((call,), Return(r))))))
def f(u, w):
  t_1 = negative(u)
  t_2 = setitem(w, Ellipsis, t_1)
  return w
"""

from __future__ import annotations

import operator
from typing import Final

import numpy as np

from s2sad.analysis.array_types import type_of_operation
from s2sad.analysis.places import describe_place
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.effects import way_on_arrays
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value, blocks_of, walk
from s2sad.ir.operations import call_method, load_captured, load_global
from s2sad.ir.types import NONE, ArrayType, ListType, ScalarType
from s2sad.transform.rewrite import substitute_block, with_blocks, with_body

_LOADS: Final = (load_global, load_captured)


def lower_stores(fn: Function) -> Function:
    """See the module's docstring."""
    calls = [node for node in walk(fn.body) if isinstance(node, Call)]
    outputs = {call: output for call in calls if (output := _output_of(call)) is not None}
    loads = loads_of_memory(fn)
    listed = [call for call in calls if _has_list_as_index(call)]
    if not outputs and not loads and not listed:
        return fn
    names: dict[Value, Operand] = {}
    first: dict[object, Call] = {}
    for load in loads:
        names[load.result] = first.setdefault(tuple(map(_key, (load.function, *load.arguments))), load).result
    names.update({call.result: output for call, (output, _) in outputs.items()})
    moved = set(loads)

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call):
                if node in outputs:
                    operations.extend(_stored(node, *outputs[node]))
                elif node in listed:
                    operations.extend(_with_array_as_index(node))
                elif node not in moved:
                    operations.append(node)
            else:
                operations.append(with_blocks(node, [visit(inner) for inner in blocks_of(node)]))
        end = with_blocks(block.terminator, [visit(inner) for inner in blocks_of(block.terminator)])
        return Block(tuple(operations), end)

    body = visit(fn.body)
    body = Block((*first.values(), *body.operations), body.terminator)
    substitution = {value: _final(operand, names) for value, operand in names.items() if operand is not value}
    return with_body(fn, substitute_block(body, substitution))


def _has_list_as_index(call: Call) -> bool:
    """Whether a call indexes an array with a list that has a name: it may be another one when the reverse sweep asks."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if function not in (operator.getitem, operator.setitem) or not isinstance(
        getattr(call.arguments[0], "type", None), ArrayType
    ):
        return False
    key = call.arguments[1]
    return isinstance(key, Value) and isinstance(key.type, ListType)


def _with_array_as_index(call: Call) -> list[Operation]:
    owner, key, *rest = call.arguments
    kind = type_of_operation(np.array, (key,))
    if isinstance(kind, ArrayType):
        kind = ArrayType(kind.dtype, kind.shape, 0, fixed=True)
    indices = Value("indices", kind, temporary=True)
    return [
        Call(indices, Constant(np.array), (key,), (), call.span),
        Call(call.result, call.function, (owner, indices, *rest), call.keywords, call.span),
    ]


def _final(operand: Operand, names: dict[Value, Operand]) -> Operand:
    while isinstance(operand, Value) and names.get(operand, operand) is not operand:
        operand = names[operand]
    return operand


def loads_of_memory(fn: Function) -> list[Call]:
    """The calls that read variables outside, and the array that is there is changed."""
    return [node for node in walk(fn.body) if isinstance(node, Call) and _is_load_of_memory(node)]


def arrays_outside(fn: Function) -> list[Value]:
    """The arrays outside that a function changes."""
    return [call.result for call in loads_of_memory(fn)]


def _is_load_of_memory(call: Call) -> bool:
    kind = call.result.type
    if not isinstance(kind, ArrayType) or kind.fixed or not isinstance(call.function, Constant):
        return False
    return call.function.value in _LOADS or (call.function.value is getattr and isinstance(call.arguments[0], Constant))


def _key(operand: Operand) -> object:
    """Equal for operands that are the same."""
    if not isinstance(operand, Constant):
        return operand
    return operand.value if isinstance(operand.value, str) else id(operand.value)


def _output_of(call: Call) -> tuple[Value, Call] | None:
    """The array that a call stores its result into, and the call without it."""
    if not isinstance(call.function, Constant) or way_on_arrays(call) != "change":
        return None
    named = [operand for name, operand in call.keywords if name == "out"]
    keywords = tuple((name, operand) for name, operand in call.keywords if name != "out")
    arguments, output = call.arguments, named[0] if named else None
    if output is None and isinstance(call.function.value, np.ufunc) and len(arguments) > call.function.value.nin:
        count = call.function.value.nin
        arguments, output = arguments[:count], arguments[count]
    if not isinstance(output, Value) or not isinstance(output.type, ArrayType):
        return None
    if any(name == "where" for name, _ in keywords):
        raise UnsupportedSyntaxError(
            f"`out=` together with `where=` cannot be differentiated; assign the masked elements: y[mask] = f(x[mask]).\n"
            f"{describe_place(call.span)}"
        )
    return output, Call(call.result, call.function, arguments, keywords, call.span)


def _stored(call: Call, output: Value, without: Call) -> list[Operation]:
    function = without.function.value if isinstance(without.function, Constant) else None
    operands = without.arguments
    if function is call_method and isinstance(operands[1], Constant):
        function, operands = getattr(np.ndarray, str(operands[1].value), None), (operands[0], *operands[2:])
    kind = type_of_operation(function, operands, dict(without.keywords))
    if isinstance(kind, ArrayType):
        kind = ArrayType(kind.dtype, kind.shape, 0, fixed=True)
    elif not isinstance(kind, ScalarType):
        kind = ArrayType(_dtype_of(output), None, 0, fixed=True)
    made = Value("", kind, temporary=True)
    done = Value("", NONE, temporary=True)
    return [
        Call(made, without.function, without.arguments, without.keywords, call.span),
        Call(done, Constant(operator.setitem), (output, Constant(Ellipsis), made), (), call.span),
    ]


def _dtype_of(output: Value) -> str:
    return output.type.dtype if isinstance(output.type, ArrayType) else "float64"
