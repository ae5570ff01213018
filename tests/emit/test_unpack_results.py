"""Tuples are taken apart where they are made, but for those that may be None there."""

from __future__ import annotations

import operator

from s2sad.emit.unpack_results import unpack_results
from s2sad.ir.contents import functions_called
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Call, Constant, Function, If, Operation, Parameter, Return, Value, Yield
from s2sad.ir.operations import unpack
from s2sad.ir.types import BOOL, FLOAT, ListType, TupleType

PAIR = TupleType((FLOAT, FLOAT))


def sum_of_a_kept_pair(*, is_read_in_an_arm: bool) -> Function:
    """``pair = kept[0]``, and ``pair[0] + pair[1]`` in an arm of a conditional or before it."""
    kept, flag = Value("kept", ListType(PAIR)), Value("flag", BOOL)
    pair = Value("", PAIR, temporary=True)
    first, second, total = (Value("", FLOAT, temporary=True) for _ in range(3))
    reads: tuple[Operation, ...] = (
        Call(first, Constant(operator.getitem), (pair, Constant(0)), (), None, exact=False),
        Call(second, Constant(operator.getitem), (pair, Constant(1)), (), None, exact=False),
        Call(total, Constant(operator.add), (first, second)),
    )
    taken = Call(pair, Constant(operator.getitem), (kept, Constant(0)), (), None, exact=False)
    result = Value("", FLOAT, temporary=True)
    then = Block(reads if is_read_in_an_arm else (), Yield((total,)))
    choice = If(flag, then, Block((), Yield((Constant(0.0),))), (result,))
    before = () if is_read_in_an_arm else reads
    return Function("f", (Parameter(kept), Parameter(flag)), Block((taken, *before, choice), Return(result)))


def test_what_is_read_before_a_conditional_is_taken_apart() -> None:
    function = unpack_results(sum_of_a_kept_pair(is_read_in_an_arm=False))
    assert unpack in functions_called(function)
    assert interpret(function, [[(1.0, 2.0)], True]) == 3.0


def test_what_is_read_in_an_arm_alone_may_be_none() -> None:
    function = unpack_results(sum_of_a_kept_pair(is_read_in_an_arm=True))
    assert interpret(function, [[(1.0, 2.0)], True]) == 3.0
    assert interpret(function, [[None], False]) == 0.0
