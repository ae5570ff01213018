"""Compute while the code is generated what is known then, and take the arms that are known to be taken.

Before::

    n = mul(2, 3)
    pair = make_tuple(x, n)
    first = getitem(pair, 0)
    r = if True:
      yield first
    else:
      yield 0.0
    return r

After (dead code is left to `eliminate_dead_code`)::

    pair = make_tuple(x, 6)
    return x

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> import operator
>>> x, n, y = Value("x"), Value("n"), Value("y")
>>> calls = (Call(n, Constant(operator.mul), (Constant(2), Constant(3))), Call(y, Constant(operator.add), (x, n)))
>>> f = Function("f", (Parameter(x),), Block(calls, Return(y)))
>>> [call.arguments for call in fold_constants(f).body.operations]
[(<x: unknown>, Constant(6))]

A folded number is bitwise what Python computes, and is taken only where it reads no worse: ``1 / 3`` stays.
A condition is known in the arms that it decides.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Raise,
    Terminator,
    Value,
    While,
    Yield,
)
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import BOOL, NoneType, ScalarType
from s2sad.transform.fold_calls import fold_call
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import (
    hand_over_names,
    map_blocks,
    replace_operands,
    substitute_block,
    with_blocks,
    with_body,
    with_operations,
    with_results,
)

_PLAIN = (bool, int, float, complex, str, tuple, type(None))


def fold_constants(fn: Function) -> Function:
    """Replace calls on constants by their value, and branches on constants by the arm that is taken."""
    folding = _Folding()
    fn = with_body(fn, folding.visit(fn.body))
    return hand_over_names(fn, {value: same for value, same in folding.known.items() if not value.temporary})


class _Folding:
    def __init__(self) -> None:
        self.known: dict[Value, Operand] = {}
        self.calls: dict[Value, Call] = {}
        #: Conditions that hold, or do not, where the walk stands: an `If` or `Branch` around it or before it decided so.
        self.facts: dict[Value, bool] = {}
        self.in_header = False

    def visit(self, block: Block) -> Block:
        before = self.facts
        self.facts = before.copy() if block.operations else before
        operations: list[Operation] = []
        end = self.extend(operations, block)
        self.facts = before
        return with_operations(block, operations, end)

    def visit_under(self, condition: Operand, truth: bool, block: Block) -> Block:
        """The block, which runs only where the condition is so."""
        before = self.facts
        self.facts = before.copy()
        self.learn(condition, truth)
        block = self.visit(block)
        self.facts = before
        return block

    def extend(self, operations: list[Operation], block: Block) -> Terminator:
        """Append the folded operations of a block; gives how it ends."""
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            match operation:
                case Call():
                    self.add_call(operations, operation)
                case If():
                    end = self.add_if(operations, operation)
                    if end is not None:
                        return end
                case For() if self.is_empty(operation.iterable):
                    self.equate(operation.results, [item.initial for item in operation.carried])
                case While():
                    self.add_while(operations, operation)
                case _:
                    operations.append(map_blocks(operation, self.visit))
        end = replace_operands(block.terminator, self.known)
        if not isinstance(end, Branch):
            return end
        truth = self.truth_of(end.condition)
        if truth is None:
            arms = (self.visit_under(end.condition, True, end.then), self.visit_under(end.condition, False, end.orelse))
            return with_blocks(end, arms)
        return self.extend(operations, end.then if truth else end.orelse)

    def add_call(self, operations: list[Operation], call: Call) -> None:
        value = fold_call(call, self.calls)
        if value is not None:
            self.known[call.result] = value
        else:
            self.calls[call.result] = call
            operations.append(call)
            if isinstance(call.result.type, NoneType):
                self.known[call.result] = Constant(None)

    def add_if(self, operations: list[Operation], node: If) -> Terminator | None:
        """Append an `If`, or the arm that is taken; gives how the block ends if it ends there."""
        truth = self.truth_of(node.condition)
        taken = node.then if truth else node.orelse
        if truth is None or (self.in_header and isinstance(taken.terminator, Raise)):
            arms = (self.visit_under(node.condition, True, node.then), self.visit_under(node.condition, False, node.orelse))
            self.add_choice(operations, with_blocks(node, arms))
            for arm, other in zip(arms, (False, True), strict=True):
                if isinstance(arm.terminator, Raise):
                    self.learn(node.condition, other)
            return None
        end = self.extend(operations, taken)
        if not isinstance(end, Yield):
            return end
        self.equate(node.results, end.values)
        return None

    def add_choice(self, operations: list[Operation], node: If) -> None:
        """Append an `If`; results that are the condition itself, or its opposite, need no arms."""
        first, second = node.then.terminator, node.orelse.terminator
        kept, added = list(range(len(node.results))), list[Operation]()
        if isinstance(first, Yield) and isinstance(second, Yield) and self.is_bool(node.condition):
            for position, result in enumerate(node.results):
                pair = (_bool_of(first.values[position]), _bool_of(second.values[position]))
                if pair == (True, False):
                    self.known[result] = node.condition
                elif pair == (False, True):
                    added.append(Call(result, Constant(operator.not_), (node.condition,), span=node.span))
                else:
                    continue
                kept.remove(position)
        operations += [with_results(node, kept), *added]

    def add_while(self, operations: list[Operation], node: While) -> None:
        in_header, self.in_header = self.in_header, True
        header = self.visit(node.header)
        self.in_header = in_header
        end = header.terminator
        if isinstance(end, Yield) and self.truth_of(end.values[0]) is False:  # no trip: the header runs once
            initial = {item.parameter: item.initial for item in node.carried}
            operations += substitute_block(header, initial).operations
            self.equate(node.results, [item.initial for item in node.carried])
        else:
            operations.append(with_blocks(node, (header, self.visit(node.body))))

    def equate(self, values: Sequence[Value], operands: Sequence[Operand]) -> None:
        self.known.update(zip(values, operands, strict=True))

    def learn(self, condition: Operand, truth: bool) -> None:
        """Note that a condition holds, or does not: that of a number stays so, a list may be empty a moment later."""
        while isinstance(condition, Value) and isinstance(condition.type, ScalarType):
            self.facts[condition] = truth
            call = self.calls.get(condition)
            if call is None or function_of(call) is not operator.not_:
                return
            condition, truth = call.arguments[0], not truth

    def truth_of(self, condition: Operand) -> bool | None:
        """Whether a condition holds, None if that is not known."""
        if isinstance(condition, Value):
            return self.facts.get(condition)
        return bool(condition.value) if isinstance(condition.value, _PLAIN) else None

    def is_bool(self, condition: Operand) -> bool:
        return isinstance(condition, Value) and condition.type == BOOL

    def is_empty(self, iterable: Operand) -> bool:
        """Whether a loop makes no trip for certain (it does not run over a list that is never made, either)."""
        if isinstance(iterable, Constant) and iterable.value is UNBOUND.value:
            return True
        if isinstance(iterable, Constant):
            return isinstance(iterable.value, (tuple, range)) and not iterable.value
        call = self.calls.get(iterable)
        if call is None:
            return False
        if function_of(call) is range:
            limits = [operand.value for operand in call.arguments if isinstance(operand, Constant)]
            plain = [limit for limit in limits if isinstance(limit, int)]
            return len(plain) == len(call.arguments) and 0 not in plain[2:] and not range(*plain)
        return function_of(call) is make_tuple and not call.arguments


def _bool_of(operand: Operand) -> bool | None:
    return operand.value if isinstance(operand, Constant) and isinstance(operand.value, bool) else None
