"""Write the shadow of a dict that was just made as the dict that it is.

Before::                             After::

    p = make_dict('k', y, 'x', x)        p = make_dict('k', y, 'x', x)
    p_bar = zeros_like(p)                p_bar = make_dict('k', 0.0, 'x', 0.0)

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.operations import make_dict
>>> from s2sad.ir.types import FLOAT
>>> from s2sad.runtime import zeros_like
>>> x, p, p_bar = Value("x", FLOAT), Value("p"), Value("p_bar")
>>> made = Call(p, Constant(make_dict), (Constant("a"), x))
>>> zeros = Call(p_bar, Constant(zeros_like), (p,), exact=False)
>>> after = write_out_zeros(Function("f", (Parameter(x),), Block((made, zeros), Return(p_bar)))).body.operations[1]
>>> after.function.value is make_dict, after.arguments[1].value
(True, 0.0)

In between, the dict may be read and stored to under literal keys, and nothing else may happen to it.
"""

from __future__ import annotations

import operator

from s2sad import runtime
from s2sad.ir.contents import functions_called
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value, operands_of, walk
from s2sad.ir.operations import make_dict
from s2sad.ir.types import NoneType, ScalarType
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import map_blocks, with_body, with_operations

#: What a dict holds the adjoints of, by key; `None` for what has no adjoint.
Zeros = dict[object, float | None]


def write_out_zeros(fn: Function) -> Function:
    """Replace calls of `zeros_like` whose result is known."""
    return with_body(fn, _visit(fn.body)) if make_dict in functions_called(fn) else fn


def _visit(block: Block) -> Block:
    known: dict[Value, Zeros] = {}
    operations: list[Operation] = []
    for operation in block.operations:
        if isinstance(operation, Call):
            operation = _note(operation, known)
        else:
            for node in walk(Block((operation,), block.terminator)):
                _forget(operands_of(node), known)
            operation = map_blocks(operation, _visit)
        operations.append(operation)
    return with_operations(block, operations, map_blocks(block.terminator, _visit))


def _note(call: Call, known: dict[Value, Zeros]) -> Call:
    """The call, or a display of zeros in its place; what it does to dicts is noted."""
    function = function_of(call)
    first = call.arguments[0] if call.arguments else None
    if function is make_dict and (zeros := _zeros_of(call)) is not None:
        known[call.result] = zeros
    elif isinstance(first, Value) and first in known and function is runtime.zeros_like and len(call.arguments) == 1:
        parts: list[Operand] = [part for key, zero in known[first].items() for part in (Constant(key), Constant(zero))]
        return Call(call.result, Constant(make_dict), tuple(parts), (), call.span, call.exact)
    elif isinstance(first, Value) and first in known and function in (operator.getitem, operator.setitem):
        key, *stored = call.arguments[1:]
        _forget([key, *stored], known)
        zero = [_zero_of(operand) for operand in stored]
        if not _is_literal(key) or () in zero:
            known.pop(first, None)
        elif zero and first in known and isinstance(key, Constant):
            known[first][key.value] = zero[0][0]
        return call
    _forget(operands_of(call), known)
    return call


def _forget(operands: object, known: dict[Value, Zeros]) -> None:
    """Whoever else gets a dict may change it."""
    assert isinstance(operands, (list, tuple))
    for operand in operands:
        known.pop(operand, None)


def _zeros_of(call: Call) -> Zeros | None:
    keys, values = call.arguments[::2], call.arguments[1::2]
    zeros = [_zero_of(value) for value in values]
    if not all(map(_is_literal, keys)) or () in zeros or call.keywords:
        return None
    return {key.value: zero[0] for key, zero in zip(keys, zeros, strict=True) if isinstance(key, Constant) and zero}


def _is_literal(key: Operand) -> bool:
    return isinstance(key, Constant) and type(key.value) in (str, int)


def _zero_of(operand: Operand) -> tuple[float | None, ...]:
    """The zero for a value, alone in a tuple; nothing where that is a container, or not known."""
    if isinstance(operand, Constant):
        kind = type(operand.value)
        return (0.0,) if kind in (int, float, type(None)) else (None,) if kind in (str, bytes, bool) else ()
    match operand.type:
        case ScalarType(kind="int" | "float", dtype="") | NoneType():
            return (0.0,)
        case ScalarType(kind="bool", dtype=""):
            return (None,)
        case _:
            return ()
