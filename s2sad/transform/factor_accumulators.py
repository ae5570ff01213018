"""Sums that a loop accumulates: a factor that does not change is multiplied once, after the loop.

Before::

    z_bar = 0.0
    for s in s_saved[::-1]:
        z_bar += half_z * s

After::

    z_bar_sum = 0.0
    for s in s_saved[::-1]:
        z_bar_sum += s
    z_bar = half_z * z_bar_sum

Only adjoint code is rearranged so, and only where the sum starts at zero and nothing else reads it.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.printer import print_function
>>> from s2sad.ir.types import FLOAT
>>> xs, c, x, p, m, n, r = (Value(name, FLOAT) for name in ("xs", "c", "x", "p", "m", "n", "r"))
>>> body = (Call(m, Constant(operator.mul), (c, x), exact=False), Call(n, Constant(operator.add), (p, m), exact=False))
>>> loop = For(x, xs, (Carried(Constant(0.0), p, r),), Block(body, Yield((n,))))
>>> f = Function("f", (Parameter(xs), Parameter(c)), Block((loop,), Return(r)))
>>> print(print_function(factor_accumulators(f)))
def f(xs, c):
  p_sum_2 = for x_3 in xs carried (p_sum_1 = 0.0):
    p_sum_4 = add(p_sum_1, x_3)
    yield p_sum_4
  r_5 = mul(p_sum_2, c)
  return r_5
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import (
    Block,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Value,
    While,
    Yield,
)
from s2sad.ir.types import ScalarType
from s2sad.transform.rewrite import count_uses, defined_in, leaves, map_blocks, substitute_block, with_body, with_operations


def factor_accumulators(fn: Function) -> Function:
    """Take invariant factors out of the sums that loops accumulate."""
    if not regions_of(fn):
        return fn
    uses = count_uses(fn)

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            operation = map_blocks(operation, visit)
            operations.extend(_factor_loop(operation, uses) if isinstance(operation, (For, While)) else (operation,))
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    return with_body(fn, visit(fn.body))


def _factor_loop(loop: For | While, uses: Mapping[Value, int]) -> Sequence[Operation]:
    """The loop, and what is multiplied after it."""
    inside = set(defined_in(loop.body)) | {item.parameter for item in loop.carried}
    if isinstance(loop, For):
        inside.add(loop.target)
    carried = list(loop.carried)
    operations = list(loop.body.operations)
    after: list[Operation] = []
    renamed: dict[Value, Operand] = {}
    for position, item in enumerate(loop.carried):
        summed = _find_sum(loop, item, position, uses)
        if summed is None:
            continue
        place = next(index for index, operation in enumerate(operations) if operation is summed)
        term = next(operand for operand in summed.arguments if operand is not item.parameter)
        split = _split(term, operations, inside, uses)
        if split is None:
            continue
        rest, factors, replaced = split
        operations[place] = Call(summed.result, summed.function, (item.parameter, rest), (), summed.span, exact=False)
        for old, new in replaced:
            index = next(index for index, operation in enumerate(operations) if operation is old)
            operations[index : index + 1] = new
        # no longer the adjoint itself: under a name of its own
        name = f"{item.parameter.name}_sum" if item.parameter.name else ""
        parameter, total = Value(name, item.parameter.type, temporary=True), Value(name, item.result.type, temporary=True)
        renamed.update({item.parameter: parameter, summed.result: Value(name, summed.result.type, temporary=True)})
        carried[position] = Carried(item.initial, parameter, total)
        after.extend(_multiply(total, factors, item.result, summed))
    if not after:
        return (loop,)
    body = _rename(Block(tuple(operations), loop.body.terminator), renamed)
    if isinstance(loop, For):
        return (For(loop.target, loop.iterable, tuple(carried), body, loop.span), *after)
    return (While(loop.header, tuple(carried), body, loop.span), *after)


def _rename(body: Block, renamed: Mapping[Value, Operand]) -> Block:
    """A loop body with some of its values renamed, also where they are defined."""
    operations: list[Operation] = []
    for operation in body.operations:
        new = renamed.get(operation.result) if isinstance(operation, Call) else None
        operations.append(replace(operation, result=new) if isinstance(operation, Call) and isinstance(new, Value) else operation)
    return substitute_block(Block(tuple(operations), body.terminator), renamed)


def _find_sum(loop: For | While, item: Carried, position: int, uses: Mapping[Value, int]) -> Call | None:
    """The addition by which a carried value, which starts at zero, goes on to the next trip."""
    if not (isinstance(item.initial, Constant) and item.initial.value.__class__ is float and item.initial.value == 0.0):
        return None
    if not isinstance(item.parameter.type, ScalarType) or uses.get(item.parameter) != 1:
        return None
    nexts = {leaf.values[position] for leaf in leaves(loop.body) if isinstance(leaf, (Yield, Break))}
    if len(nexts) != 1:
        return None
    (after,) = nexts
    for operation in loop.body.operations:
        if isinstance(operation, Call) and operation.result is after and uses.get(operation.result) == _leaf_count(loop):
            is_sum = not operation.exact and isinstance(operation.function, Constant) and operation.function.value is operator.add
            return operation if is_sum and item.parameter in operation.arguments else None
    return None


def _leaf_count(loop: For | While) -> int:
    return sum(isinstance(leaf, (Yield, Break)) for leaf in leaves(loop.body))


_Split = tuple[Operand, list[tuple[Operand, object]], list[tuple[Operation, list[Operation]]]]


def _split(term: Operand, operations: list[Operation], inside: set[Value], uses: Mapping[Value, int]) -> _Split | None:
    """A product without its invariant factors; these; and which operations change for it."""
    if not isinstance(term, Value) or uses.get(term) != 1:
        return None
    definition = next((op for op in operations if isinstance(op, Call) and op.result is term), None)
    if definition is None or definition.exact or not isinstance(definition.function, Constant) or len(definition.arguments) != 2:
        return None
    first, second = definition.arguments
    if not all(_is_float(operand) for operand in (first, second)):
        return None

    def is_invariant(operand: Operand) -> bool:
        return isinstance(operand, Constant) or operand not in inside

    if definition.function.value is operator.mul:
        for factor, other in ((first, second), (second, first)):
            if is_invariant(factor) and not is_invariant(other):
                deeper = _split(other, operations, inside, uses)
                if deeper is not None:
                    rest, factors, replaced = deeper
                    return rest, [*factors, (factor, operator.mul)], [*replaced, (definition, [])]
                return other, [(factor, operator.mul)], [(definition, [])]
    if definition.function.value is operator.truediv and is_invariant(second) and not is_invariant(first):
        return first, [(second, operator.truediv)], [(definition, [])]
    return None


def _is_float(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return isinstance(operand.value, (int, float))
    return isinstance(operand.type, ScalarType)


def _multiply(total: Value, factors: Sequence[tuple[Operand, object]], result: Value, summed: Call) -> list[Operation]:
    """The factors, one after the other; the last product is the loop's result."""
    made: list[Operation] = []
    current: Operand = total
    for index, (factor, function) in enumerate(factors):
        is_last = index == len(factors) - 1
        product = result if is_last else Value("", result.type, temporary=True)
        made.append(Call(product, Constant(function), (current, factor), (), summed.span, exact=False))
        current = product
    return made
