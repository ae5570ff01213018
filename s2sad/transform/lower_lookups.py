"""``get`` of a key that is known becomes an index, where each key of the dict has a type of its own.

Before::

    w = d.get("w", 0.0)

After::

    w = d["w"] if "w" in d else 0.0

So what is taken out is known to be the number or the array under that key.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.printer import print_function
>>> from s2sad.ir.types import FLOAT, OpaqueType
>>> d, w = Value("d", DictType(OpaqueType(str), FLOAT, 1, (("w", FLOAT),))), Value("w", FLOAT)
>>> call = Call(w, Constant(call_method), (d, Constant("get"), Constant("w"), Constant(0.0)))
>>> print(print_function(lower_lookups(Function("f", (Parameter(d),), Block((call,), Return(w))))))
def f(d):
  t_1 = contains(d, 'w')
  w_2 = if t_1:
    w_3 = getitem(d, 'w')
    yield w_3
  else:
    yield 0.0
  return w_2
"""

from __future__ import annotations

import operator

from s2sad.ir.contents import calls_beyond_numbers
from s2sad.ir.nodes import Block, Call, Constant, Function, If, Operation, Value, Yield
from s2sad.ir.operations import call_method
from s2sad.ir.types import BOOL, DictType, strip_optional
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def lower_lookups(fn: Function) -> Function:
    """Write ``d.get(key)`` as an index."""
    if not any(map(_is_lookup, calls_beyond_numbers(fn))):
        return fn

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call) and _is_lookup(operation):
                operations += _lowered(operation)
            else:
                operations.append(map_blocks(operation, visit))
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    return with_body(fn, visit(fn.body))


def _is_lookup(call: Call) -> bool:
    match call:
        case Call(function=Constant(value), arguments=(Value() as owner, Constant("get"), Constant(key), *_), keywords=()):
            kind = strip_optional(owner.type)
            return value is call_method and isinstance(kind, DictType) and any(key == name for name, _ in kind.fields)
    return False


def _lowered(call: Call) -> list[Operation]:
    owner, _, key, *rest = call.arguments
    default = rest[0] if rest else Constant(None)
    is_there = Value("", BOOL, temporary=True)
    found = Value(call.result.name, call.result.type, temporary=True)
    test = Call(is_there, Constant(operator.contains), (owner, key), (), call.span)
    load = Call(found, Constant(operator.getitem), (owner, key), (), call.span)
    return [test, If(is_there, Block((load,), Yield((found,))), Block((), Yield((default,))), (call.result,), call.span)]
