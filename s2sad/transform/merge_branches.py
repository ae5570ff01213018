"""Join branches that ask the same condition one after the other.

Before::

    y = if c:
      yield exp(x)
    else:
      yield x
    x_bar = if c:
      yield y
    else:
      yield 1.0

After: ``y`` need not leave its arm::

    x_bar = if c:
      y = exp(x)
      yield y
    else:
      yield 1.0

>>> from s2sad.ir.nodes import Block, Constant, Function, If, Parameter, Return, Value, Yield
>>> from s2sad.ir.types import BOOL, FLOAT
>>> c, x, y, z = Value("c", BOOL), Value("x", FLOAT), Value("y", FLOAT), Value("z", FLOAT)
>>> first = If(c, Block((), Yield((x,))), Block((), Yield((Constant(0.0),))), (y,))
>>> second = If(c, Block((), Yield((Constant(1.0),))), Block((), Yield((y,))), (z,))
>>> f = merge_branches(Function("f", (Parameter(c), Parameter(x)), Block((first, second), Return(z))))
>>> [(node.then.terminator.values, node.results) for node in f.body.operations]
[((<x: float>, Constant(1.0)), (<y: float>, <z: float>))]

What stands between the two is put before both where it neither needs the first nor could notice; a comment too.
A `Branch` at the end of the block takes in an `If` before it in the same way.
"""

from __future__ import annotations

from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Call,
    Function,
    If,
    Operand,
    Operation,
    Raise,
    Terminator,
    Value,
    Yield,
    operands_of,
    walk,
)
from s2sad.ir.operations import comment
from s2sad.ir.types import ScalarType
from s2sad.transform.purity import function_of, is_display, is_shareable, may_raise
from s2sad.transform.rewrite import map_blocks, substitute_block, with_body, with_operations


def merge_branches(fn: Function) -> Function:
    """Join neighbouring `If` and `Branch` nodes with the same condition."""
    return with_body(fn, _visit(fn.body)) if regions_of(fn) else fn


def _visit(block: Block) -> Block:
    operations: list[Operation] = []
    #: The last `If` among the operations that may still be joined, and its position.
    position: int | None = None
    for operation in block.operations:
        operation = map_blocks(operation, _visit)
        if isinstance(operation, If) and _is_steady(operation.condition):
            first = operations[position] if position is not None else None
            if position is not None and isinstance(first, If) and _may_join(first, operation):
                del operations[position]
                operation = _join(first, operation)
            position = len(operations)
        elif position is not None and not _may_go_before(operation, operations[position]):
            position = None
        operations.append(operation)
    end = map_blocks(block.terminator, _visit)
    if isinstance(end, Branch) and position is not None:
        first = operations[position]
        if isinstance(first, If) and _may_join(first, end):
            del operations[position]
            end = _join_end(first, end)
    return with_operations(block, operations, end)


def _may_join(first: If, second: If | Branch) -> bool:
    """Whether the second asks the same, and reads nothing that the first leaves unbound on the same way: Python raises there, and
    names the variable."""
    if second.condition is not first.condition:
        return False
    for arm, rest in ((first.then, second.then), (first.orelse, second.orelse)):
        values = arm.terminator.values if isinstance(arm.terminator, Yield) else ()
        unbound = {result for result, value in zip(first.results, values, strict=False) if value is UNBOUND}
        if unbound and any(operand in unbound for node in walk(rest) for operand in operands_of(node)):
            return False
    return True


def _is_steady(condition: Operand) -> bool:
    """Whether asking twice gives the same answer."""
    return isinstance(condition, Value) and isinstance(condition.type, ScalarType)


def _may_go_before(operation: Operation, first: Operation) -> bool:
    """Whether an operation after an `If` may as well run before it."""
    if isinstance(operation, Call) and function_of(operation) is comment:
        return True
    if not isinstance(operation, Call) or not (is_shareable(operation) or is_display(operation)):
        return False
    if may_raise(operation) and not all(isinstance(node, (Call, If, Yield)) and not _may_notice(node) for node in _inside(first)):
        return False
    assert isinstance(first, If)
    return not any(operand in first.results for operand in operands_of(operation))


def _inside(node: Operation) -> list[Operation | Terminator]:
    assert isinstance(node, If)
    return [*walk(node.then), *walk(node.orelse)]


def _may_notice(node: Operation | Terminator) -> bool:
    """Whether it matters if an exception comes before or after this."""
    return isinstance(node, Call) and not (is_shareable(node) or is_display(node))


def _join(first: If, second: If) -> If:
    """One `If` for two; the arms of the second know what the first's arm gave."""
    results = (*first.results, *second.results)
    then = _append(first.then, second.then, first.results)
    orelse = _append(first.orelse, second.orelse, first.results)
    return If(first.condition, then, orelse, results, first.span)


def _append(first: Block, second: Block, results: tuple[Value, ...]) -> Block:
    end = first.terminator
    if not isinstance(end, Yield):
        return first  # it raises
    second = substitute_block(second, dict(zip(results, end.values, strict=True)))
    terminator = second.terminator
    if isinstance(terminator, Yield):
        terminator = Yield((*end.values, *terminator.values))
    return Block((*first.operations, *second.operations), terminator)


def _join_end(first: If, end: Branch) -> Branch:
    arms = [_take_in(arm, rest, first.results) for arm, rest in ((first.then, end.then), (first.orelse, end.orelse))]
    return Branch(end.condition, arms[0], arms[1], end.span or first.span)


def _take_in(arm: Block, rest: Block, results: tuple[Value, ...]) -> Block:
    """What an arm of `If` and an arm of `Branch` do together."""
    if isinstance(arm.terminator, Raise):
        return arm
    assert isinstance(arm.terminator, Yield)
    rest = substitute_block(rest, dict(zip(results, arm.terminator.values, strict=True)))
    return Block((*arm.operations, *rest.operations), rest.terminator)
