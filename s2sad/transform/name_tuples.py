"""Make named tuples of their class where they are kept as a whole, so that they print, and look to other code, as they are.

Before::

    %point = make_tuple(%x, %y)

After, where the type of ``%point`` says that it is a ``Point``::

    %point = Point(%x, %y)

It comes after all other passes: these open tuples, which they know by `make_tuple`.

>>> from typing import NamedTuple
>>> from s2sad.ir.nodes import Return, Value
>>> from s2sad.ir.printer import print_function
>>> from s2sad.ir.types import FLOAT
>>> class Point(NamedTuple):
...     x: float
...     y: float
>>> point = Value("point", TupleType((FLOAT, FLOAT), Point))
>>> made = Call(point, Constant(make_tuple), (Constant(1.0), Constant(2.0)))
>>> print(print_function(name_tuples(Function("f", (), Block((made,), Return(point))))))
def f():
  point_1 = Point(1.0, 2.0)
  return point_1
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.analysis.simple_types import makes_named_tuples
from s2sad.ir.nodes import Block, Call, Constant, Function, Operation
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import TupleType
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def name_tuples(fn: Function) -> Function:
    """The function, with named tuples made by their classes."""
    return with_body(fn, _named_in(fn.body))


def _named_in(block: Block) -> Block:
    operations = [map_blocks(_named(operation), _named_in) for operation in block.operations]
    return with_operations(block, operations, map_blocks(block.terminator, _named_in))


def _named(operation: Operation) -> Operation:
    match operation:
        case Call(result, Constant(function)) if function is make_tuple and isinstance(result.type, TupleType):
            cls = result.type.cls
            return replace(operation, function=Constant(cls)) if makes_named_tuples(cls) else operation
    return operation
