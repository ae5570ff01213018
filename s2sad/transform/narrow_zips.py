"""Saved lists that a loop runs over together with others, and of which it reads nothing, are left out.

Before::                                              After::

    z ~= zip(w_turned, u_turned)                          for w in w_turned:
    for t in z:                                             … w …
      w ~= getitem(t, 0)
      … w …

>>> from s2sad.ir.nodes import Block, Parameter, Return, Yield
>>> from s2sad.ir.types import FLOAT, NONE, IteratorType, ListType
>>> pair = TupleType((FLOAT, FLOAT))
>>> u, w, e = Value("u", ListType(FLOAT)), Value("w", ListType(FLOAT)), Value("e", FLOAT)
>>> z, t = Value("z", IteratorType(zip, pair)), Value("t", pair)
>>> taken = Call(e, Constant(operator.getitem), (t, Constant(0)), exact=False)
>>> body = Block((taken, Call(Value(""), Constant(print), (e,))), Yield())
>>> operations = (Call(z, Constant(zip), (w, u), exact=False), For(t, z, (), body))
>>> f = narrow_zips(Function("f", (Parameter(u), Parameter(w)), Block(operations, Return(u))))
>>> loop = f.body.operations[-1]
>>> loop.iterable, loop.target, len(loop.body.operations)
(<w: list[float]>, <e: float>, 1)

In adjoint code `zip` is given lists of one length; what the program itself gives to `zip` may end earlier.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.contents import functions_called
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Terminator, Value, function_of
from s2sad.ir.types import IteratorType, TupleType
from s2sad.transform.rewrite import find_definitions, find_readers, map_blocks, substitute_block, with_body, with_operations

Readers = Mapping[Value, list[Operation | Terminator]]


def narrow_zips(fn: Function) -> Function:
    """Leave out what loops over several saved lists do not read."""
    if builtins.zip not in functions_called(fn):
        return fn
    return with_body(fn, _Narrowing(find_definitions(fn), find_readers(fn)).visit(fn.body))


class _Narrowing:
    def __init__(self, definitions: Mapping[Value, Call], readers: Readers) -> None:
        self.definitions = definitions
        self.readers = readers

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, For) and (narrowed := self.narrowed(node)) is not None:
                operations += narrowed
            else:
                operations.append(map_blocks(node, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def narrowed(self, loop: For) -> list[Operation] | None:
        """The loop over what it reads, and what makes that; None where it reads everything."""
        made = self.definitions.get(loop.iterable) if isinstance(loop.iterable, Value) else None
        kind = loop.target.type
        if made is None or made.exact or function_of(made) is not builtins.zip or not isinstance(kind, TupleType):
            return None
        readers = [_element_of(node, loop.target) for node in self.readers.get(loop.target, ())]
        read = sorted({element for element in readers if element is not None})
        if None in readers or len(self.readers[made.result]) > 1 or len(read) == len(made.arguments):
            return None
        if not read:
            element = Value("", kind.elements[0], temporary=True)
            return [For(element, made.arguments[0], loop.carried, loop.body, loop.span)]
        if len(read) == 1:
            element = next(node for node in self.readers[loop.target] if isinstance(node, Call)).result
            return [_over_elements(loop, made.arguments[read[0]], element)]
        parts = TupleType(tuple(kind.elements[place] for place in read))
        together = Value(loop.target.name, parts, loop.target.temporary)
        zipped = replace(
            made,
            result=Value("", IteratorType(builtins.zip, parts), temporary=True),
            arguments=tuple(made.arguments[place] for place in read),
        )
        body = _with_elements(loop.body, loop.target, together, {old: new for new, old in enumerate(read)})
        return [zipped, For(together, zipped.result, loop.carried, body, loop.span)]


def _element_of(node: Operation | Terminator, target: Value) -> int | None:
    """Which element of the target a node reads, if that is all that it does."""
    if not isinstance(node, Call) or function_of(node) is not operator.getitem or node.arguments[0] is not target:
        return None
    key = node.arguments[1]
    return key.value if isinstance(key, Constant) and isinstance(key.value, int) else None


def _over_elements(loop: For, iterable: Operand, element: Value) -> For:
    """The loop over one list alone."""
    body = _without(loop.body, loop.target, element)
    return For(element, iterable, loop.carried, body, loop.span)


def _without(block: Block, target: Value, element: Value) -> Block:
    """The block with `element` for each element of the target that it reads."""
    same: dict[Value, Operand] = {}

    def visit(inner: Block) -> Block:
        operations: list[Operation] = []
        for node in inner.operations:
            if isinstance(node, Call) and _element_of(node, target) is not None:
                same[node.result] = element
            else:
                operations.append(map_blocks(node, visit))
        return with_operations(inner, operations, map_blocks(inner.terminator, visit))

    found = visit(block)
    same.pop(element, None)
    return substitute_block(found, same) if same else found


def _with_elements(block: Block, target: Value, together: Value, places: Mapping[int, int]) -> Block:
    """The block that reads the elements of another target, at other places."""

    def one(node: Operation) -> Operation:
        place = _element_of(node, target)
        if place is None or not isinstance(node, Call):
            return map_blocks(node, visit)
        return replace(node, arguments=(together, Constant(places[place])))

    def visit(inner: Block) -> Block:
        return with_operations(inner, [one(node) for node in inner.operations], map_blocks(inner.terminator, visit))

    return visit(block)
