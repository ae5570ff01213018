"""Take common factors out of sums in adjoint code, where that saves operations.

Before::

    a ~= mul(x_bar, u)
    b ~= mul(a, r)
    c ~= mul(r, x)
    d ~= mul(x_bar, c)
    e ~= sub(b, d)

After, with dead code gone::

    t ~= mul(x_bar, r)
    f ~= sub(u, x)
    e ~= mul(t, f)

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> x, y, z, a, b, c = (Value(name, FLOAT) for name in "xyzabc")
>>> calls = (
...     Call(a, Constant(operator.mul), (x, y), exact=False),
...     Call(b, Constant(operator.mul), (z, x), exact=False),
...     Call(c, Constant(operator.add), (a, b), exact=False),
... )
>>> f = factor_sums(Function("f", tuple(map(Parameter, (x, y, z))), Block(calls, Return(c))))
>>> [call.function.value.__name__ for call in f.body.operations[2:]], f.body.operations[-1].arguments[0]
(['add', 'mul'], <x: float>)

Only products that nobody else uses, and that are computed as often as the sum, are taken apart. ``(p + a) + b`` is looked at as
``p + (a + b)``.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass

from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Value, While
from s2sad.ir.types import ScalarType
from s2sad.transform.algebra import symbol_of
from s2sad.transform.purity import is_number
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations

#: Longer products are left alone.
MOST_FACTORS = 8


def factor_sums(fn: Function) -> Function:
    """Rewrite ``a * b + a * c`` to ``a * (b + c)`` where that is shorter."""
    return with_body(fn, _Factoring(dict(count_uses(fn))).visit(fn.body))


@dataclass(slots=True, eq=False)
class _Product:
    """A constant times factors; `cost` counts the operations that go when it is taken apart."""

    constant: int | float
    factors: tuple[Operand, ...]
    cost: int


class _Factoring:
    def __init__(self, uses: dict[Value, int]) -> None:
        self.uses = uses
        self.calls: dict[Value, tuple[Call, int]] = {}
        #: The loop around, by number; 0 for none.
        self.loop = 0
        self.loops = 0

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            match operation:
                case Call() if operation.exact or symbol_of(operation) not in ("+", "-"):
                    self.calls[operation.result] = (operation, self.loop)
                    operations.append(operation)
                case Call():
                    operations += self.factor_again(operation)
                case For() | While():
                    outer = self.loop
                    self.loops += 1
                    self.loop = self.loops
                    operations.append(map_blocks(operation, self.visit))
                    self.loop = outer
                case _:
                    operations.append(map_blocks(operation, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def factor_again(self, call: Call) -> list[Call]:
        """The calls that stand for a sum; what is left of it may be a sum with common factors as well."""
        written: list[Call] = []
        while True:
            new = self.factor(call)
            for part in new:
                self.calls[part.result] = (part, self.loop)
            if new[-1] is call:
                return [*written, call]
            self.count(call, new)
            written += new[:-1]
            call = new[-1]

    def count(self, old: Call, new: Sequence[Call]) -> None:
        """Keep the numbers of uses up to date; what has no use left gives up its own operands."""
        for call in new:
            for operand in call.arguments:
                if isinstance(operand, Value):
                    self.uses[operand] = self.uses.get(operand, 0) + 1
        pending = [*old.arguments]
        while pending:
            operand = pending.pop()
            if isinstance(operand, Value):
                self.uses[operand] = self.uses.get(operand, 0) - 1
                if self.uses[operand] == 0 and operand in self.calls:
                    pending += self.calls[operand][0].arguments

    def factor(self, call: Call) -> list[Call]:
        """The calls that stand for a sum."""
        if symbol_of(call) not in ("+", "-") or not all(map(_is_float, call.arguments)):
            return [call]
        first, second = call.arguments
        sign = 1 if symbol_of(call) == "+" else -1
        made = _Writer(call)
        added = self.product(second, sign)
        if self.write_common(made, self.product(first), added, None):
            return made.calls
        # (p + a) + b
        inner = self.owned(first, "+-")
        if inner is not None and all(map(_is_float, inner.arguments)):
            rest, middle = inner.arguments
            inner_sign = 1 if symbol_of(inner) == "+" else -1
            if self.write_common(made, self.product(middle, inner_sign), added, rest):
                return made.calls
        return [call]

    def owned(self, operand: Operand, symbols: str) -> Call | None:
        """The call that computes an operand, if nobody else needs it and it runs as often."""
        if not isinstance(operand, Value) or operand not in self.calls or self.uses.get(operand, 0) != 1:
            return None
        call, loop = self.calls[operand]
        symbol = symbol_of(call)
        if loop != self.loop or symbol is None or symbol not in symbols:
            return None
        return call if all(map(is_number, call.arguments)) else None

    def product(self, operand: Operand, constant: int | float = 1) -> _Product:
        """An operand as a product."""
        factors: list[Operand] = []
        cost = 0
        pending = [operand]
        while pending:
            part = pending.pop()
            call = self.owned(part, "*neg") if len(factors) + len(pending) < MOST_FACTORS else None
            if isinstance(part, Constant) and isinstance(part.value, (int, float)):
                constant *= part.value
            elif call is None:
                factors.append(part)
            else:
                cost += 1
                constant *= -1 if symbol_of(call) == "neg" else 1
                pending += reversed(call.arguments)
        return _Product(constant, tuple(factors), cost)

    def write_common(self, made: _Writer, first: _Product, second: _Product, rest: Operand | None) -> bool:
        """Write the sum of two products (and of `rest`) with their common factors taken out; false if that saves nothing."""
        if not first.constant or not second.constant:
            return False
        common, left, right = _split(first.factors, second.factors)
        if not common:
            return False
        made.calls.clear()
        made.write_sum(common, _Product(first.constant, left, 0), _Product(second.constant, right, 0), rest)
        before = first.cost + second.cost + (1 if rest is None else 2)
        return len(made.calls) < before


def _is_float(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ScalarType) and operand.type.kind == "float"


def _split(first: Sequence[Operand], second: Sequence[Operand]) -> tuple[list[Operand], tuple[Operand, ...], tuple[Operand, ...]]:
    """The factors that two products have in common, and what is left of each."""
    common: list[Operand] = []
    left, right = list(first), list(second)
    for factor in first:
        if factor in right:
            common.append(factor)
            left.remove(factor)
            right.remove(factor)
    return common, tuple(left), tuple(right)


class _Writer:
    """Writes the calls of one rewritten sum; the last has the sum's result."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.calls: list[Call] = []

    def emit(self, function: object, *operands: Operand, is_last: bool = False) -> Value:
        result = self.call.result if is_last else Value("", self.call.result.type, temporary=True)
        self.calls.append(Call(result, Constant(function), operands, (), self.call.span, False))
        return result

    def write_product(self, constant: int | float, factors: Sequence[Operand], *, is_last: bool = False) -> Operand:
        parts = [*([] if constant == 1 and factors else [Constant(constant)]), *factors]
        value = parts[0]
        for index, part in enumerate(parts[1:], 2):
            value = self.emit(operator.mul, value, part, is_last=is_last and index == len(parts))
        return value

    def write_sum(self, common: Sequence[Operand], first: _Product, second: _Product, rest: Operand | None) -> None:
        """``common * (first + second)``, added to `rest`."""
        is_last = rest is None
        if not first.factors and not second.factors:
            constant = first.constant + second.constant
            if rest is not None and constant < 0:
                self.emit(operator.sub, rest, self.write_product(-constant, common), is_last=True)
                return
            value = self.write_product(constant, common, is_last=is_last)
            if is_last and not self.calls:  # all that is left is one factor: a product with 1.0, for algebra to simplify
                self.emit(operator.mul, Constant(1.0), value, is_last=True)
        else:
            shared = abs(first.constant) if abs(first.constant) == abs(second.constant) else 1
            if first.constant < 0 and second.constant < 0 and rest is not None:
                shared = -shared
            outer = self.write_product(abs(shared), common)
            inner = self.write_difference(first, second, shared)
            value = self.emit(operator.mul, outer, inner, is_last=is_last)
            if rest is not None and shared < 0:
                self.emit(operator.sub, rest, value, is_last=True)
                return
        if rest is not None:
            self.emit(operator.add, rest, value, is_last=True)

    def write_difference(self, first: _Product, second: _Product, shared: int | float) -> Operand:
        a, b = first.constant / shared if shared not in (1, -1) else first.constant * shared, second.constant
        b = b / shared if shared not in (1, -1) else b * shared
        if b < 0 <= a:
            return self.emit(operator.sub, self.write_product(a, first.factors), self.write_product(-b, second.factors))
        if a < 0 <= b:
            return self.emit(operator.sub, self.write_product(b, second.factors), self.write_product(-a, first.factors))
        return self.emit(operator.add, self.write_product(a, first.factors), self.write_product(b, second.factors))
