"""Arrays that nobody else has are returned as they are, not as copies.

Before::

    x_bar = np.zeros_like(x)
    x_bar[0] += 2.0
    return x_bar.copy()

After::

    x_bar = np.zeros_like(x)
    x_bar[0] += 2.0
    return x_bar

A copy stays where the array may be an argument, a view of one, something that a container or the world outside can reach, or
another part of what is returned.

>>> import operator, s2sad.analysis.analyser
>>> from s2sad.ir.nodes import Parameter
>>> from s2sad.ir.types import ArrayType
>>> x, y, z = (Value(name, ArrayType("float64", (3,), region)) for region, name in enumerate("xyz", 1))
>>> made = Call(y, Constant(operator.neg), (x,))
>>> copy_of_made = Call(z, Constant(call_method), (y, Constant("copy")))
>>> print_names = lambda fn: [call.result.name for call in fn.body.operations]
>>> print_names(remove_copies(Function("f", (Parameter(x),), Block((made, copy_of_made), Return(z)))))
['y']
>>> copy_of_given = Call(z, Constant(call_method), (x, Constant("copy")))
>>> print_names(remove_copies(Function("f", (Parameter(x),), Block((copy_of_given,), Return(z)))))
['z']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Return, Value, blocks_of, walk
from s2sad.ir.operations import call_method, make_tuple
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_array
from s2sad.transform.rewrite import count_uses, map_blocks, replace_operands, with_body, with_operations

__all__ = ["remove_copies"]


def remove_copies(fn: Function) -> Function:
    """Return arrays that were made here and are seen by nobody else as they are."""
    if not any(_is_copy(node) for node in nodes_of(fn)):
        return fn
    memory = find_array_memory(fn)
    uses = count_uses(fn)
    taken = memory.returned
    needless: dict[Value, Operand] = {}
    for block in _returning(fn.body):
        for call in _copies_at_the_end(block, uses, memory):
            source = call.arguments[0]
            if memory.is_owned(source) and not memory.roots(source) & taken:
                taken |= memory.roots(source)
                needless[call.result] = source
    return with_body(fn, _without(fn.body, needless)) if needless else fn


def _is_copy(node: object) -> bool:
    """Whether a node is ``array.copy()``."""
    return (
        isinstance(node, Call)
        and isinstance(node.function, Constant)
        and node.function.value is call_method
        and len(node.arguments) == 2
        and isinstance(node.arguments[1], Constant)
        and node.arguments[1].value == "copy"
        and not node.keywords
        and is_array(node.arguments[0])
    )


def _returning(block: Block) -> Iterator[Block]:
    """The blocks that end by returning."""
    if isinstance(block.terminator, Return):
        yield block
    for node in (*block.operations, block.terminator):
        for inner in blocks_of(node):
            yield from _returning(inner)


def _copies_at_the_end(block: Block, uses: Mapping[Value, int], memory: ArrayMemory) -> Iterator[Call]:
    """The copies in a block that are returned, alone or in a tuple; what they copy is not changed after them."""
    assert isinstance(block.terminator, Return)
    parts = {block.terminator.value}
    written = 0
    for operation in reversed(block.operations):
        if isinstance(operation, Call) and operation.result in parts and uses.get(operation.result) == 1:
            if isinstance(operation.function, Constant) and operation.function.value is make_tuple:
                parts.update(operation.arguments)
            elif _is_copy(operation) and not memory.roots(operation.arguments[0]) & written:
                yield operation
        written |= _written_in(operation, memory)


def _written_in(node: object, memory: ArrayMemory) -> int:
    """The memory that a node may write to, with all that is inside of it."""
    written = memory.written_by(node)  # type: ignore[arg-type]
    for block in blocks_of(node):  # type: ignore[arg-type]
        for inner in walk(block):
            written |= memory.written_by(inner)
    return written


def _without(block: Block, needless: dict[Value, Operand]) -> Block:
    """The block without these copies."""
    operations = [
        map_blocks(replace_operands(operation, needless), lambda inner: _without(inner, needless))
        for operation in block.operations
        if not (isinstance(operation, Call) and operation.result in needless)
    ]
    terminator = map_blocks(replace_operands(block.terminator, needless), lambda inner: _without(inner, needless))
    return with_operations(block, operations, terminator)
