"""Factors that products have in common are multiplied once, and no operation is added."""

from __future__ import annotations

import math
import operator
from random import Random

import pytest

from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Parameter, Return, Value
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import FLOAT
from s2sad.ir.verify import verify
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.share_products import share_products
from s2sad.transform.share_subexpressions import share_subexpressions
from tests.transform.text_ir import parse, show


def run(fn: Function) -> Function:
    return verify(eliminate_dead_code(share_subexpressions(verify(share_products(fn)))))


def after(lines: str) -> str:
    head = "        function f(x: float, y: float, z: float, w: float):\n"
    shown = show(run(parse(head + "\n".join("          " + line for line in lines.split("; ")))))
    return "; ".join(line.strip() for line in shown.splitlines()[1:])


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            "a ~= mul(x, y); b ~= mul(a, z); c ~= mul(z, w); d ~= mul(x, c); e = make_tuple(b, d)",
            "t ~= mul(x, z); b ~= mul(t, y); d ~= mul(t, w); e = make_tuple(b, d)",
        ),
        # one of them is the pair
        (
            "a ~= mul(x, y); c ~= mul(y, w); d ~= mul(x, c); e = make_tuple(a, d)",
            "a ~= mul(x, y); d ~= mul(a, w); e = make_tuple(a, d)",
        ),
        (
            "c ~= mul(y, w); d ~= mul(x, c); a ~= mul(x, y); e = make_tuple(a, d)",
            "t ~= mul(x, y); d ~= mul(t, w); e = make_tuple(t, d)",
        ),
        # quotients
        (
            "a ~= truediv(x, w); b ~= mul(a, y); c ~= mul(y, x); d ~= mul(c, z); e = make_tuple(b, d)",
            "t ~= mul(x, y); b ~= truediv(t, w); d ~= mul(t, z); e = make_tuple(b, d)",
        ),
        # what the primal has multiplied for adjoint code only
        (
            "p = mul(x, y); b ~= mul(p, z); c ~= mul(z, w); d ~= mul(x, c); e = make_tuple(b, d)",
            "t ~= mul(x, z); b ~= mul(t, y); d ~= mul(t, w); e = make_tuple(b, d)",
        ),
        # a square
        (
            "a ~= mul(x, y); b ~= mul(a, x); c ~= mul(x, z); d ~= mul(x, c); e = make_tuple(b, d)",
            "t ~= mul(x, x); b ~= mul(t, y); d ~= mul(t, z); e = make_tuple(b, d)",
        ),
    ],
)
def test_common_pairs(before: str, expected: str) -> None:
    assert after(f"{before}; return e") == f"{expected}; return e"


@pytest.mark.parametrize(
    "text",
    [
        # the primal stays bitwise what it is
        "a = mul(x, y); b = mul(a, z); c = mul(z, w); d = mul(x, c); e = make_tuple(b, d)",
        # somebody else needs the parts
        "a ~= mul(x, y); b ~= mul(a, z); c ~= mul(z, w); d ~= mul(x, c); e = make_tuple(a, b, c, d)",
        # one factor is not worth it
        "a ~= mul(x, y); b ~= mul(x, z); e = make_tuple(a, b)",
        # a common denominator is not a factor
        "a ~= truediv(x, y); b ~= mul(a, z); c ~= mul(y, w); d ~= mul(x, c); e = make_tuple(b, d)",
    ],
)
def test_left_alone(text: str) -> None:
    assert after(f"{text}; return e") == f"{text}; return e"


def products(seed: int) -> Function:
    random = Random(seed)
    values = [Value(f"x{index}", FLOAT) for index in range(4)]
    parameters = tuple(map(Parameter, values))
    operands: list[Operand] = [*values, Constant(0.5), Constant(3)]
    calls = []
    for _ in range(random.randrange(4, 25)):
        result = Value("", FLOAT, temporary=True)
        function = operator.truediv if random.random() < 0.2 else operator.mul
        pair = random.choices(operands[-8:] if random.random() < 0.7 else operands, k=2)
        if not any(isinstance(operand, Value) for operand in pair):
            pair[0] = values[0]
        calls.append(Call(result, Constant(function), tuple(pair), exact=random.random() < 0.2))
        operands.append(result)
    read = {operand for call in calls for operand in call.arguments}
    ends = [call.result for call in calls if call.result not in read or random.random() < 0.1]
    pair_of_all = Value("all")
    calls.append(Call(pair_of_all, Constant(make_tuple), tuple(ends)))
    return Function("f", parameters, Block(tuple(calls), Return(pair_of_all)))


@pytest.mark.parametrize("seed", range(150))
def test_same_values_and_never_more_operations(seed: int) -> None:
    fn = products(seed)
    shared = run(fn)
    plain = eliminate_dead_code(share_subexpressions(fn))
    assert len(shared.body.operations) <= len(plain.body.operations)
    point = (1.25, -0.75, 1.5, 0.875)
    for new, old in zip(interpret(shared, point), interpret(fn, point), strict=True):
        assert math.isclose(new, old, rel_tol=1e-12)


def test_nothing_left_to_share_is_nothing_to_do() -> None:
    for seed in range(50):
        fn = run(run(run(products(seed))))
        once = share_products(fn)
        assert len(run(once).body.operations) <= len(fn.body.operations)
