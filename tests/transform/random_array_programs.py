"""Random programs in IR that make, view, change, keep and hand back arrays, and what they mean: results, what is left in the
arguments, and which of these share memory.
"""

from __future__ import annotations

import operator
from random import Random
from typing import Any

import numpy as np

import s2sad.rules  # noqa: F401 - declares what NumPy's functions do
from s2sad.ir.effects import ALLOCATES_FROM, READS, declare_effects
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import (
    Block,
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
    Value,
    Yield,
)
from s2sad.ir.operations import call_method, make_list, make_tuple
from s2sad.ir.types import BOOL, FLOAT, INT, NONE, UNKNOWN, ArrayType, Extent, ListType, OpaqueType, ScalarType, Type

declare_effects(ALLOCATES_FROM, np.zeros_like, np.full_like)
declare_effects(READS, np.sum, np.vdot)

IN_PLACE = (operator.iadd, operator.isub, operator.imul)
NUMBER = ScalarType("float", "float64")
SLICE = OpaqueType(slice)
N = 6
FLOATS = [0.0, 1.0, -1.0, 2.0, 0.5, 3.25]
#: By how much each slice shortens an axis.
SLICES = [(slice(1, -1, None), 2), (slice(None, -1, None), 1), (slice(1, None, None), 1), (slice(None, None, -1), 0)]


def vector(less: int = 0, region: int = 0, dtype: str = "float64") -> ArrayType:
    return ArrayType(dtype, (Extent("n", less),), region)


def less_of(value: Value) -> int:
    assert isinstance(value.type, ArrayType)
    assert value.type.shape
    (length,) = value.type.shape
    assert isinstance(length, Extent)
    return length.less


class ArrayGenerator:
    """`exact` None: some calls are, some are not."""

    def __init__(self, seed: int, *, exact: bool | None = True, size: int = 30) -> None:
        self.random = Random(seed)
        self.exact = exact
        self.left = size
        self.count = 0
        self.is_one_region = self.random.random() < 0.4

    def value(self, kind: Type, name: str = "v") -> Value:
        self.count += 1
        return Value(f"{name}{self.count}", kind, temporary=self.random.random() < 0.5)

    def function(self) -> Function:
        scope = [
            Value("x", vector(region=1)),
            Value("y", vector(region=1 if self.is_one_region else 2)),
            Value("s", FLOAT),
            Value("t", FLOAT),
            Value("n", INT),
            Value("c", BOOL),
            Value("world", UNKNOWN),
        ]
        parameters = list(scope)
        into = self.operations(scope, 0)
        arrays = [value for value in scope if isinstance(value.type, ArrayType)]
        numbers = [value for value in scope if value.type in (FLOAT, NUMBER)]
        parts = [*arrays[-3:], self.random.choice(arrays), *numbers[-2:]]
        result = self.call(scope, into, UNKNOWN, make_tuple, *parts)
        return Function("f", tuple(map(Parameter, parameters)), Block(tuple(into), Return(result)))

    def call(self, scope: list[Value], into: list[Operation], kind: Type, function: Any, *arguments: Operand) -> Value:
        result = self.value(kind)
        if function in IN_PLACE and isinstance(target := arguments[0], Value) and self.random.random() < 0.5:
            result = Value(target.name, kind, temporary=result.temporary)
        exact = self.random.random() < 0.4 if self.exact is None else self.exact
        into.append(Call(result, Constant(function), arguments, exact=exact))
        if kind != NONE:
            scope.append(result)
        return result

    def array(self, scope: list[Value], less: int | None = None) -> Value | None:
        known = [v for v in scope if isinstance(v.type, ArrayType) and (less is None or less_of(v) == less)]
        if not known:
            return None
        return self.random.choice(known[-5:] if self.random.random() < 0.7 else known)

    def number(self, scope: list[Value]) -> Operand:
        known = [value for value in scope if value.type in (FLOAT, NUMBER)]
        return self.random.choice(known[-4:]) if self.random.random() < 0.7 else Constant(self.random.choice(FLOATS))

    def operations(self, scope: list[Value], depth: int) -> list[Operation]:
        into: list[Operation] = []
        for _ in range(self.random.randint(2, 7)):
            if self.left <= 0:
                break
            self.left -= 1
            if into and self.random.random() < 0.15:
                self.repeat(scope, into)
                continue
            chance = self.random.random()
            if chance < 0.08 and depth < 2:
                self.choice(scope, into, depth)
            elif chance < 0.22 and depth < 2:
                self.loop(scope, into, depth)
            elif chance < 0.5 and self.exact is None and self.random.random() < 0.6:
                self.accumulate(scope, into)
            elif chance < 0.5:
                self.change(scope, into)
            elif chance < 0.62:
                self.view(scope, into)
            elif chance < 0.68:
                self.keep(scope, into)
            else:
                self.compute(scope, into)
        return into

    def repeat(self, scope: list[Value], into: list[Operation]) -> None:
        """A call once more, with the same operands."""
        call = self.random.choice(into)
        if isinstance(call, Call) and call.result.type not in (NONE, UNKNOWN, SLICE):
            function = call.function.value if isinstance(call.function, Constant) else None
            self.call(scope, into, call.result.type, function, *call.arguments)

    def key(self, scope: list[Value], into: list[Operation]) -> tuple[Operand, int]:
        key, less = self.random.choice(SLICES)
        if self.random.random() < 0.5:
            return Constant(key), less
        parts = tuple(map(Constant, (key.start, key.stop, key.step)))
        return self.call(list(scope), into, SLICE, slice, *parts), less

    def view(self, scope: list[Value], into: list[Operation]) -> Value | None:
        base = self.array(scope)
        assert base is not None
        key, less = self.key(scope, into)
        if less_of(base) + less > 4:
            return None
        return self.call(scope, into, vector(less_of(base) + less), operator.getitem, base, key)

    def compute(self, scope: list[Value], into: list[Operation]) -> None:
        first = self.array(scope)
        assert first is not None
        kind = vector(less_of(first))
        second = self.array(scope, less_of(first)) or first
        chance = self.random.random()
        if chance < 0.35:
            self.call(scope, into, kind, self.random.choice([operator.add, operator.sub, operator.mul]), first, second)
        elif chance < 0.55:
            operands = (first, self.number(scope)) if self.random.random() < 0.5 else (self.number(scope), first)
            self.call(scope, into, kind, self.random.choice([operator.mul, operator.mul, operator.add]), *operands)
        elif chance < 0.6:
            self.call(scope, into, kind, operator.truediv, first, Constant(self.random.choice([2.0, -1.0, 4.0])))
        elif chance < 0.65:
            self.call(scope, into, kind, operator.neg, first)
        elif chance < 0.7:
            self.call(scope, into, kind, np.cos, first)
        elif chance < 0.78:
            self.call(scope, into, kind, call_method, first, Constant("copy"))
        elif chance < 0.86:
            self.call(scope, into, kind, np.zeros_like, first)
        elif chance < 0.9:
            self.call(scope, into, NUMBER, np.sum, first)
        elif chance < 0.95:
            product = self.call(list(scope), into, kind, operator.mul, first, second)
            self.call(scope, into, NUMBER, np.sum, product)
        else:
            self.call(scope, into, NUMBER, operator.getitem, first, Constant(self.random.randint(-1, 1)))

    def change(self, scope: list[Value], into: list[Operation]) -> None:
        target = self.array(scope)
        assert target is not None
        chance = self.random.random()
        other = self.array(scope, less_of(target))
        if chance < 0.35:
            step = self.random.choice([operator.iadd, operator.isub, operator.imul])
            right = other if other is not None and self.random.random() < 0.7 else self.number(scope)
            self.call(scope, into, target.type, step, target, right)
            return
        if chance < 0.5:
            index: Operand = Constant(self.random.randint(-1, 1))
            value: Operand = self.number(scope)
            if self.random.random() < 0.5:
                old = self.call(list(scope), into, NUMBER, operator.getitem, target, index)
                value = self.call(list(scope), into, NUMBER, operator.add, old, value)
            self.call(scope, into, NONE, operator.setitem, target, index, value)
            return
        key, less = self.key(scope, into)
        if less_of(target) + less > 4:
            return
        kind = vector(less_of(target) + less)
        right = self.array(scope, less_of(target) + less)
        value = right if right is not None and self.random.random() < 0.7 else self.number(scope)
        if self.random.random() < 0.5:
            old = self.call(list(scope), into, kind, operator.getitem, target, key)
            if self.random.random() < 0.3:
                old = self.call(list(scope), into, kind, call_method, old, Constant("copy"))
                self.call(scope, into, NONE, operator.setitem, target, key, Constant(0.0))
                scope.append(old)
                return
            value = self.call(list(scope), into, kind, self.random.choice([operator.add, operator.sub]), old, value)
        self.call(scope, into, NONE, operator.setitem, target, key, value)

    def accumulate(self, scope: list[Value], into: list[Operation]) -> None:
        """Adjoint code: something is added to an array, or to a part of it, often to one made of zeros just before."""
        exact, self.exact = self.exact, False
        like = self.array(scope)
        assert like is not None
        target = self.call(scope, into, like.type, np.zeros_like, like) if self.random.random() < 0.4 else like
        for _ in range(self.random.randint(1, 3)):
            step = self.random.choice([operator.add, operator.sub])
            if self.random.random() < 0.4:
                value = self.array(scope, less_of(target))
                if value is not None:
                    if self.random.random() < 0.5:
                        value = self.call(scope, into, value.type, operator.mul, value, value)
                    in_place = operator.iadd if step is operator.add else operator.isub
                    self.call(list(scope), into, target.type, in_place, target, value)
                continue
            key, less = self.key(scope, into)
            other = self.array(scope, less_of(target) + less)
            kind: Type = vector(less_of(target) + less)
            added: Operand | None = other
            if self.random.random() < 0.3 or other is None:
                key, kind, added = Constant(self.random.randint(-1, 1)), NUMBER, self.number(scope)
            elif less_of(target) + less > 4:
                continue
            if self.random.random() < 0.3:
                old = self.call(list(scope), into, kind, operator.getitem, target, key)
                if kind != NUMBER:
                    added = self.call(scope, into, kind, call_method, old, Constant("copy"))
                self.call(scope, into, NONE, operator.setitem, target, key, Constant(0.0))
            assert added is not None
            old = self.call(list(scope), into, kind, operator.getitem, target, key)
            total = self.call(list(scope), into, kind, step, old, added)
            self.call(scope, into, NONE, operator.setitem, target, key, total)
        self.exact = exact

    def keep(self, scope: list[Value], into: list[Operation]) -> None:
        """Arrays go into lists and come back, or leave for good."""
        value = self.array(scope, 0)
        assert value is not None
        lists = [item for item in scope if isinstance(item.type, ListType)]
        chance = self.random.random()
        if chance < 0.2:
            world = next(item for item in scope if item.name == "world")
            self.call(scope, into, NONE, call_method, world, Constant("append"), value)
        elif not lists or chance < 0.4:
            self.call(scope, into, ListType(vector(), 7), make_list, value)
        elif chance < 0.7:
            self.call(scope, into, NONE, call_method, lists[-1], Constant("append"), value)
        else:
            self.call(scope, into, vector(), operator.getitem, lists[-1], Constant(self.random.choice([0, -1])))

    def picks(self, scope: list[Value]) -> list[Operand]:
        one, two = self.array(scope, 0), self.array(scope, 0)
        assert one is not None
        assert two is not None
        return [one, two, self.number(scope)]

    def choice(self, scope: list[Value], into: list[Operation], depth: int) -> None:
        arms = []
        for _ in range(2):
            inner = list(scope)
            operations = self.operations(inner, depth + 1)
            arms.append(Block(tuple(operations), Yield(tuple(self.picks(inner)))))
        results = (self.value(vector()), self.value(vector()), self.value(FLOAT))
        into.append(If(scope[5], arms[0], arms[1], results))
        scope.extend(results)

    def loop(self, scope: list[Value], into: list[Operation], depth: int) -> None:
        kinds = (vector(), vector(), FLOAT)
        carried = tuple(
            Carried(start, self.value(kind, "p"), self.value(kind)) for start, kind in zip(self.picks(scope), kinds, strict=True)
        )
        inner = [*scope, *(item.parameter for item in carried)]
        target = self.value(INT, "i")
        limit = Constant(self.random.randint(0, 3)) if self.random.random() < 0.5 else scope[4]
        iterable = self.call(list(scope), into, UNKNOWN, range, limit)
        operations = self.operations(inner, depth + 1)
        end = Break if self.random.random() < 0.15 else Yield
        into.append(For(target, iterable, carried, Block(tuple(operations), end(tuple(self.picks(inner))))))
        scope.extend(item.result for item in carried)


def arguments(seed: int, *, is_one_region: bool) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=N), rng.normal(size=N)
    if is_one_region and seed % 3 == 0:
        y = x
    if is_one_region and seed % 3 == 1:
        base = rng.normal(size=N + 2)
        x, y = base[:-2], base[2:]
    return x, y, float(rng.normal()), float(rng.normal()), seed % 4, seed % 2 == 0, []


Outcome = tuple[list[Any], list[tuple[int, int]]]


def outcome(call: Any, given: tuple[Any, ...]) -> Outcome:
    """The results, and what is left in the arguments; which of all these share memory."""
    with np.errstate(all="ignore"):
        results = call(*given)
    kept = [np.asarray(item) for item in (*results, given[0], given[1], *given[-1])]
    sharing = [(i, j) for i in range(len(kept)) for j in range(i) if kept[i].ndim and np.shares_memory(kept[i], kept[j])]
    return [item.copy() for item in kept], sharing


def outcome_of(fn: Function, seed: int, *, is_one_region: bool) -> Outcome:
    return outcome(lambda *given: interpret(fn, given), arguments(seed, is_one_region=is_one_region))


def assert_same_outcome(before: Outcome, after: Outcome, text: str, *, rtol: float = 0.0) -> None:
    """The same numbers, and no memory shared that was not."""
    assert len(before[0]) == len(after[0]), text
    for one, other in zip(before[0], after[0], strict=True):
        assert one.dtype == other.dtype, text
        if rtol:
            if np.all(np.isfinite(one)) and np.max(np.abs(one), initial=0.0) < 1e8:
                np.testing.assert_allclose(other, one, rtol=rtol, atol=rtol, err_msg=text)
        else:
            np.testing.assert_array_equal(one, other, err_msg=text)
    assert set(after[1]) <= set(before[1]), text
