"""Simplify scalar arithmetic as algebra allows: neutral factors, negations, constant factors, reciprocals.

Before (``~=`` marks calls of adjoint code, which need not be exact)::

    t ~= neg(y_bar)
    u ~= mul(t, x)
    w ~= truediv(1.0, x)
    v ~= mul(u, w)
    x_bar_2 ~= add(x_bar, v)

After dead code is gone::

    u ~= mul(y_bar, x)
    v ~= truediv(u, x)
    x_bar_2 ~= sub(x_bar, v)

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> x, t, y = (Value(name, FLOAT) for name in "xty")
>>> calls = (
...     Call(t, Constant(operator.neg), (x,), exact=False),
...     Call(y, Constant(operator.add), (Constant(2.0), t), exact=False),
... )
>>> f = Function("f", (Parameter(x),), Block(calls, Return(y)))
>>> call = simplify_algebra(f).body.operations[1]
>>> call.function.value.__name__, call.arguments
('sub', (Constant(2.0), <x: float>))

A rewrite never makes more operations than it removes: an inner call is taken apart only if it has no other use and runs as often;
a negation may be looked through at any time. Calls of the primal change only where the result is bitwise the same.

*Structural zeros*: a constant 0 that is a factor of an adjoint says that the path carries no derivative, so ``0 * x`` is 0 there,
also where x is infinite.
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad.ir.memo import remembered
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Value, While, parameters_of, results_of
from s2sad.transform.algebra import Term, function_for, join_integers, kind_of_term, rewrite_exact, rewrite_inexact, symbol_of
from s2sad.transform.purity import is_number
from s2sad.transform.rewrite import count_uses, hand_over_names, map_blocks, replace_operands, with_body, with_operations

#: No chain of rewrites of one call is longer; a guard, not a limit that is met.
MOST_STEPS = 20


def simplify_algebra(fn: Function) -> Function:
    """Rewrite scalar arithmetic to fewer or plainer operations."""
    algebra = _Algebra(dict(count_uses(fn)))
    return hand_over_names(with_body(fn, algebra.visit(fn.body)), algebra.known)


@remembered()
def _arithmetic(call: Call) -> tuple[Term | None, bool]:
    """The arithmetic that a call is, if it is any, and whether it may be rewritten: it is of numbers, and if it belongs to the
    primal, one of them is constant (of others there is nothing to take away)."""
    symbol = symbol_of(call)
    if symbol is None:
        return None, False
    is_open = not call.exact or any(isinstance(operand, Constant) for operand in call.arguments)
    return Term(symbol, call.arguments), is_open and all(map(is_number, call.arguments))


class _Algebra:
    """Implements `Context` of :mod:`s2sad.transform.algebra` for the place where the walk stands."""

    def __init__(self, uses: dict[Value, int]) -> None:
        self.uses = uses
        self.known: dict[Value, Operand] = {}
        #: What computes a value, in which loop, and as which call it comes.
        self.calls: dict[Value, tuple[Call, int, int]] = {}
        self.terms: dict[Operand, Term] = {}
        #: What computes an operand, if that is arithmetic on numbers.
        self.term: Callable[[Operand], Term | None] = self.terms.get
        self.quotients: dict[tuple[Operand, Operand], tuple[Value, int]] = {}
        #: The loop in which a value is defined, unless it is none.
        self.homes: dict[Value, int] = {}
        #: The loop around, by number; 0 for none.
        self.loop = 0
        self.loops = 0

    # what the rules ask

    def is_single(self, operand: Operand) -> bool:
        """Whether an operand is computed in the same trip for one use only."""
        return isinstance(operand, Value) and self.uses.get(operand, 0) <= 1 and self.calls[operand][1] == self.loop

    def is_invariant(self, operand: Operand) -> bool:
        """Whether an operand is the same in each trip of the loop around."""
        return not isinstance(operand, Value) or self.homes.get(operand, 0) != self.loop

    def quotient(self, numerator: Operand, denominator: Operand, before: Operand) -> Value | None:
        """The value that was computed as this quotient, before another one."""
        value, number = self.quotients.get((numerator, denominator), (None, 0))
        return value if isinstance(before, Value) and number < self.calls[before][2] else None

    # the walk

    def visit(self, block: Block) -> Block:
        outside, self.quotients = self.quotients, self.quotients.copy()
        block = self.visit_operations(block)
        self.quotients = outside
        return block

    def visit_operations(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            match operation:
                case Call():
                    self.add_call(operations, operation)
                case For() | While():
                    outer = self.loop
                    self.loops += 1
                    self.loop = self.loops
                    self.homes.update((value, self.loop) for value in parameters_of(operation))
                    operations.append(map_blocks(operation, self.visit))
                    self.loop = outer
                case _:
                    self.homes.update((value, self.loop) for value in parameters_of(operation))
                    operations.append(map_blocks(operation, self.visit))
            if self.loop:
                self.homes.update((value, self.loop) for value in results_of(operation))
        return with_operations(block, operations, map_blocks(replace_operands(block.terminator, self.known), self.visit))

    def add_call(self, operations: list[Operation], call: Call) -> None:
        start, may_change = _arithmetic(call)
        if start is None or not may_change:
            self.append(operations, call, start)
            return
        goal: Operand | Term = start
        steps = 0
        while isinstance(goal, Term) and steps < MOST_STEPS:
            new = rewrite_exact(goal) or join_integers(goal, self) if call.exact else rewrite_inexact(goal, self)
            if new is None:
                break
            goal = new
            steps += 1
            if isinstance(new, Term):
                settled = tuple([self.settle(operations, call, part) for part in new.operands])
                goal = Term(new.symbol, settled)
                if not all(map(is_number, settled)):
                    break  # of NumPy scalars that meet, the type is not known
        if goal is start:
            self.append(operations, call, start)
        elif isinstance(goal, Term):
            operands = tuple([part for part in goal.operands if not isinstance(part, Term)])
            if goal.symbol != start.symbol or operands != call.arguments:
                old, call = (
                    call,
                    Call(call.result, function_for(goal.symbol, operands, call), operands, (), call.span, call.exact),
                )
                self.note_uses(operands, 1)
                self.release(old.arguments)
            self.append(operations, call, Term(goal.symbol, operands))
        else:
            self.known[call.result] = goal
            self.note_uses((goal,), self.uses.get(call.result, 0))
            self.release(call.arguments)

    def settle(self, operations: list[Operation], call: Call, part: Operand | Term) -> Operand:
        """A part of a rewritten term as an operand: an inner term becomes a call of its own."""
        if not isinstance(part, Term):
            return part
        operands = tuple([self.settle(operations, call, operand) for operand in part.operands])
        self.note_uses(operands, 1)
        result = Value("", kind_of_term(operands), temporary=True)
        self.homes[result] = self.loop
        self.add_call(operations, Call(result, function_for(part.symbol, operands, None), operands, (), call.span, call.exact))
        return self.known.get(result, result)

    def append(self, operations: list[Operation], call: Call, term: Term | None) -> None:
        number = len(self.calls)
        self.calls[call.result] = (call, self.loop, number)
        if term is not None:
            self.terms[call.result] = term
            if term.symbol == "/" and isinstance(call.arguments[0], Value):
                self.quotients[call.arguments[0], call.arguments[1]] = call.result, number
        operations.append(call)

    def note_uses(self, operands: tuple[Operand, ...], count: int) -> None:
        for operand in operands:
            if isinstance(operand, Value):
                self.uses[operand] = self.uses.get(operand, 0) + count

    def release(self, operands: tuple[Operand, ...]) -> None:
        """Count off a use of operands; what has none left gives up its own operands."""
        pending = [*operands]
        while pending:
            operand = pending.pop()
            if isinstance(operand, Value):
                self.uses[operand] = self.uses.get(operand, 0) - 1
                if self.uses[operand] == 0 and operand in self.calls:
                    pending += self.calls[operand][0].arguments
