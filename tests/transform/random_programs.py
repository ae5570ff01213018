"""Random structured programs in IR, and their meaning, for properties of passes.

Programs compute with floats, integers, truth values and lists; they branch, loop, leave loops and functions early, keep lists,
and act (`record` notes what it was given). Every loop ends.
"""

from __future__ import annotations

import math
import operator
from random import Random
from typing import Any

from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Parameter,
    Return,
    Terminator,
    Value,
    While,
    Yield,
)
from s2sad.ir.operations import call_method, make_list, make_tuple
from s2sad.ir.types import BOOL, FLOAT, INT, ListType, TupleType, Type

LIST = ListType(FLOAT, 1)
PAIR = TupleType((FLOAT, INT))
FLOATS = [0.0, 1.0, -1.0, 2.0, 0.5, -0.0, 3.25]
INTS = [0, 1, 2, 3, -1]


class Generator:
    def __init__(self, seed: int, *, exact: bool = True, size: int = 40) -> None:
        self.random = Random(seed)
        self.exact = exact
        self.left = size
        self.count = 0

    def value(self, kind: Type, name: str = "v") -> Value:
        self.count += 1
        return Value(f"{name}{self.count}", kind)

    def pick(self, scope: list[Value], kind: Type) -> Operand:
        known = [value for value in scope if value.type == kind]
        if known and self.random.random() < 0.8:
            return self.random.choice(known[-8:] if self.random.random() < 0.7 else known)
        if kind == FLOAT:
            return Constant(self.random.choice(FLOATS))
        if kind == INT:
            return Constant(self.random.choice(INTS))
        return known[-1] if known else Constant(self.random.random() < 0.5)

    def function(self) -> Function:
        parameters = [
            Value("trace"),
            *(Value(f"x{i}", FLOAT) for i in range(2)),
            Value("n", INT),
            Value("c", BOOL),
            Value("a", LIST),
        ]
        body = self.tree(parameters, 0, None)
        return Function("f", tuple(map(Parameter, parameters)), body)

    def tree(self, scope: list[Value], depth: int, kinds: list[Type] | None) -> Block:
        """A block that ends the function (`kinds` None) or a trip of a loop."""
        scope = list(scope)
        operations = self.operations(scope, depth)
        if self.left > 0 and depth < 4 and self.random.random() < 0.35:
            condition = self.condition(scope, operations)
            then, orelse = self.tree(scope, depth + 1, kinds), self.tree(scope, depth + 1, kinds)
            return Block(tuple(operations), Branch(condition, then, orelse))
        end: Terminator
        if kinds is None:
            lists = [value for value in scope if value.type == LIST]
            parts = [self.pick(scope, FLOAT) for _ in range(3)] + [self.pick(scope, INT), *lists[-2:]]
            result = self.value(TupleType(()))
            operations.append(Call(result, Constant(make_tuple), tuple(parts)))
            end = Return(result)
        else:
            values = tuple(self.picks(scope, operations, kinds))
            end = Break(values) if self.random.random() < 0.25 else Yield(values)
        return Block(tuple(operations), end)

    def operations(self, scope: list[Value], depth: int) -> list[Operation]:
        into: list[Operation] = []
        for _ in range(self.random.randint(0, 6)):
            if self.left <= 0:
                break
            self.left -= 1
            chance = self.random.random()
            if chance < 0.12 and depth < 3:
                self.choice(scope, into, depth)
            elif chance < 0.27 and depth < 3:
                self.loop(scope, into, depth)
            elif chance < 0.4:
                self.memory(scope, into)
            elif chance < 0.45:
                self.call(scope, into, FLOAT, call_method, scope[0], Constant("append"), self.pick(scope, FLOAT))
                scope.pop()
            else:
                self.arithmetic(scope, into)
        return into

    def call(self, scope: list[Value], into: list[Operation], kind: Type, function: Any, *arguments: Operand) -> Value:
        result = self.value(kind)
        into.append(Call(result, Constant(function), arguments, exact=self.exact))
        scope.append(result)
        return result

    def arithmetic(self, scope: list[Value], into: list[Operation]) -> None:
        kind = self.random.choice([FLOAT, FLOAT, FLOAT, INT])
        chance = self.random.random()
        if chance < 0.15:
            self.call(scope, into, kind, operator.neg, self.pick(scope, kind))
        elif chance < 0.25:
            self.call(scope, into, FLOAT, operator.truediv, self.pick(scope, FLOAT), self.pick(scope, FLOAT))
        elif chance < 0.3:
            self.call(scope, into, FLOAT, operator.pow, self.pick(scope, FLOAT), Constant(self.random.choice([0, 1, 2, 3])))
        elif chance < 0.35:
            self.call(scope, into, FLOAT, math.sin, self.pick(scope, FLOAT))
        elif chance < 0.45:
            self.condition(scope, into)
        elif chance < 0.5:
            pair = self.pair(scope, into)
            self.call(scope, into, INT, operator.getitem, pair, Constant(1))
        else:
            function = self.random.choice([operator.add, operator.sub, operator.mul])
            self.call(scope, into, kind, function, self.pick(scope, kind), self.pick(scope, self.random.choice([kind, INT])))

    def pair(self, scope: list[Value], into: list[Operation]) -> Operand:
        known = [value for value in scope if value.type == PAIR]
        if known and self.random.random() < 0.5:
            return self.random.choice(known)
        return self.call(scope, into, PAIR, make_tuple, self.pick(scope, FLOAT), self.pick(scope, INT))

    def picks(self, scope: list[Value], into: list[Operation], kinds: list[Type]) -> list[Operand]:
        """Operands of some types; a pair may have to be made first."""
        return [self.pair(scope, into) if kind == PAIR else self.pick(scope, kind) for kind in kinds]

    def condition(self, scope: list[Value], into: list[Operation]) -> Operand:
        if not self.exact:  # rounding must not decide which way a program goes
            return self.call(scope, into, BOOL, operator.lt, self.pick(scope[1:3], FLOAT), self.pick(scope[1:3], FLOAT))
        if self.random.random() < 0.3:
            return self.pick(scope, BOOL)
        if self.random.random() < 0.2:
            return self.call(scope, into, BOOL, operator.not_, self.pick(scope, BOOL))
        function = self.random.choice([operator.lt, operator.ge, operator.eq])
        return self.call(scope, into, BOOL, function, self.pick(scope, FLOAT), self.pick(scope, FLOAT))

    def memory(self, scope: list[Value], into: list[Operation]) -> None:
        lists = [value for value in scope if value.type == LIST]
        chance = self.random.random()
        if chance < 0.2:
            self.call(scope, into, LIST, make_list, self.pick(scope, FLOAT), self.pick(scope, FLOAT))
            return
        target = self.random.choice(lists)
        if chance < 0.5:
            self.call(scope, into, FLOAT, operator.getitem, target, Constant(self.random.randint(-2, 1)))
        elif chance < 0.8:
            self.call(scope, into, FLOAT, operator.setitem, target, Constant(self.random.randint(0, 1)), self.pick(scope, FLOAT))
            scope.pop()
        elif chance < 0.9:
            self.call(scope, into, FLOAT, call_method, target, Constant("append"), self.pick(scope, FLOAT))
            scope.pop()
        else:
            self.call(scope, into, INT, len, target)

    def kinds(self) -> list[Type]:
        return [self.random.choice([FLOAT, FLOAT, INT, BOOL, LIST, PAIR]) for _ in range(self.random.randint(0, 3))]

    def choice(self, scope: list[Value], into: list[Operation], depth: int) -> None:
        condition = self.condition(scope, into)
        kinds = self.kinds()
        arms = []
        for _ in range(2):
            inner = list(scope)
            operations = self.operations(inner, depth + 1)
            ends = self.picks(inner, operations, kinds)
            arms.append(Block(tuple(operations), Yield(tuple(ends))))
        results = tuple(self.value(kind) for kind in kinds)
        into.append(If(condition, arms[0], arms[1], results))
        scope.extend(results)

    def loop(self, scope: list[Value], into: list[Operation], depth: int) -> None:
        kinds = self.kinds()
        initial = self.picks(scope, into, kinds)
        carried = [Carried(start, self.value(kind, "p"), self.value(kind)) for start, kind in zip(initial, kinds, strict=True)]
        inner = [*scope, *(item.parameter for item in carried)]
        if self.random.random() < 0.6:
            target = self.value(INT, "i")
            limit = Constant(self.random.randint(0, 4)) if self.random.random() < 0.5 else scope[3]
            iterable = self.call(list(scope), into, INT, range, limit)
            body = self.tree([*inner, target], depth + 1, kinds)
            into.append(For(target, iterable, tuple(carried), body))
        else:
            counter = Carried(Constant(0), self.value(INT, "k"), self.value(INT))
            header_scope = [*inner, counter.parameter]
            header_operations: list[Operation] = []
            for _ in range(self.random.randint(0, 2)):
                self.arithmetic(header_scope, header_operations)
            go = self.call(header_scope, header_operations, BOOL, operator.lt, counter.parameter, scope[3])
            header = Block(tuple(header_operations), Yield((go,)))
            following = self.value(INT, "k")
            body = self.tree([*inner, counter.parameter], depth + 1, kinds)
            step = Call(following, Constant(operator.add), (counter.parameter, Constant(1)))
            body = _with_last(Block((step, *body.operations), body.terminator), following)
            carried.append(counter)
            into.append(While(header, tuple(carried), body))
        scope.extend(item.result for item in carried)


def _with_last(block: Block, value: Value) -> Block:
    match block.terminator:
        case Branch(condition, then, orelse):
            return Block(block.operations, Branch(condition, _with_last(then, value), _with_last(orelse, value)))
        case Yield(values):
            return Block(block.operations, Yield((*values, value)))
        case Break(values):
            return Block(block.operations, Break((*values, value)))
        case _:
            return block


INPUTS = [(0.5, -1.5, 3, True), (-2.0, 0.0, 0, False), (1.0, 1.0, 1, True)]


def run(fn: Function, inputs: tuple[float, float, int, bool]) -> tuple[str, str]:
    """What a program returns, or raises, and what it noted on the way; as text, so that -0.0 and nan count."""
    x, y, n, c = inputs
    trace: list[float] = []
    content = [1.5, -2.0]
    try:
        result = repr(interpret(fn, (trace, x, y, n, c, content)))
    except (ArithmeticError, ValueError) as error:
        result = f"raises {type(error).__name__}"
    return result, repr((trace, content))
