"""Each way in which IR can be wrong is found."""

from __future__ import annotations

import operator

import pytest

from s2sad.errors import InvalidIRError
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
    MakeFunction,
    Operation,
    Parameter,
    Raise,
    Return,
    Terminator,
    Value,
    While,
    Yield,
)
from s2sad.ir.verify import verify

X, Y, Z = Value("x"), Value("y"), Value("z")
ONE = Constant(1)
DOUBLE = Call(Y, Constant(operator.add), (X, X))


def function(*operations: Operation, end: Terminator | None = None) -> Function:
    return Function("f", (Parameter(X),), Block(operations, end or Return(X)))


def block(*operations: Operation, end: Terminator | None = None) -> Block:
    return Block(operations, end or Yield())


def carried(value: Value = Z) -> Carried:
    return Carried(ONE, value, Value("r"))


INNER = Function("g", (Parameter(Value("a"), has_default=True),), Block((), Return(Y)), captured=(Y,))

WRONG = [
    (function(end=Return(Y)), "reads y"),
    (function(Call(Z, Constant(abs), (Y,)), DOUBLE), "reads y"),
    (function(DOUBLE, DOUBLE), "second time"),
    (function(Call(X, Constant(abs), (X,))), "second time"),
    (function(end=Yield()), "may not end"),
    (function(end=Break()), "may not end"),
    (function(If(X, block(DOUBLE), block()), end=Return(Y)), "reads y"),
    (function(If(X, block(end=Yield((X,))), block(end=Yield((X,))), ())), "lists 1 values, 0"),
    (function(If(X, block(end=Return(X)), block())), "may not end"),
    (function(If(X, block(end=Branch(X, block(), block())), block())), "may not end"),
    (function(For(Z, X, (), block(), None), end=Return(Z)), "reads z"),
    (function(For(Y, X, (carried(),), block(end=Yield()))), "lists 0 values, 1"),
    (function(For(Y, X, (carried(),), block(end=Break()))), "lists 0 values, 1"),
    (function(For(Y, X, (), block(end=Return(X)))), "may not end"),
    (function(While(block(), (), block())), "lists 0 values, 1"),
    (function(While(block(DOUBLE, end=Yield((Y,))), (), block(Call(Z, Constant(abs), (Y,))))), "reads y"),
    (function(MakeFunction(Z, INNER, (), (ONE,))), "captures 0 values"),
    (function(MakeFunction(Z, INNER, (X,))), "has 0 defaults"),
    (function(end=Branch(X, Block((), Return(X)), Block((), Yield()))), "may not end"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_found(wrong: Function, message: str) -> None:
    with pytest.raises(InvalidIRError, match=message) as raised:
        verify(wrong)
    assert "def f(x)" in str(raised.value)


def test_bad_node_is_marked() -> None:
    with pytest.raises(InvalidIRError) as raised:
        verify(function(DOUBLE, Call(Z, Constant(abs), (Value("w"),))))
    marked = [line for line in str(raised.value).splitlines() if line.endswith("<-- here")]
    assert len(marked) == 1
    assert "abs(undefined:w" in marked[0]


def test_right_programs_pass() -> None:
    result = Value("r")
    loop = For(Y, X, (Carried(ONE, Z, result),), block(end=Branch(Y, block(end=Break((Z,))), block(end=Yield((Y,))))))
    checked = If(X, block(end=Raise(X)), block())
    fine = function(loop, checked, end=Return(result))
    assert verify(fine) is fine
