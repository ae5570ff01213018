"""Values that one way through the program leaves unbound: what an arm of an `If` hands on that another arm has not got, what only
the trips of a loop set."""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.nodes import UNBOUND, Block, Break, For, If, Operand, Try, Value, While, Yield, blocks_of, walk
from s2sad.transform.rewrite import leaves


def find_unbound_values(block: Block) -> set[Value]:
    """The values that may be unbound.

    >>> from s2sad.ir.nodes import Constant
    >>> x, y, z = Value("x"), Value("y"), Value("z")
    >>> branch = If(z, Block((), Yield((x, x))), Block((), Yield((UNBOUND, Constant(0.0)))), (y, Value("w")))
    >>> find_unbound_values(Block((branch,), Yield(())))
    {<y: unknown>}
    """
    copies = list(copies_between_blocks(block))
    unbound: set[Value] = set()
    before = -1
    while len(unbound) > before:
        before = len(unbound)
        unbound.update(target for target, source in copies if source is UNBOUND or source in unbound)
    return unbound


def copies_between_blocks(block: Block) -> Iterator[tuple[Value, Operand]]:
    """Which values take which operands where blocks meet."""
    for node in walk(block):
        match node:
            case If() | Try():
                for arm in blocks_of(node):
                    for end in leaves(arm):
                        if isinstance(end, Yield):
                            yield from zip(node.results, end.values, strict=True)
            case For(carried=carried, body=body) | While(carried=carried, body=body):
                for item in carried:
                    yield item.parameter, item.initial
                    yield item.result, item.parameter
                for end in leaves(body):
                    if isinstance(end, (Yield, Break)):
                        taking = [item.parameter if isinstance(end, Yield) else item.result for item in carried]
                        yield from zip(taking, end.values, strict=True)
