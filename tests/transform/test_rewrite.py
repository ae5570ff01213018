"""Copies share nothing, inlining keeps the meaning, and what does not change stays the same object."""

from __future__ import annotations

import pytest

from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Constant, Function, Parameter, Return, Value
from s2sad.ir.types import FLOAT
from s2sad.ir.verify import verify
from s2sad.transform.rewrite import (
    copy_function,
    count_uses,
    defined_in,
    inline_function,
    is_same,
    map_definitions,
    substitute_block,
    with_body,
)
from tests.transform.random_programs import Generator
from tests.transform.text_ir import parse, show

TEXT = """
    function f(x: float, n: int):
      a = mul(x, 2.0)
      branch lt(a, 1.0):
        return a
      else:
        s = for i in range(n) (s_1 = a):
          s_2 = add(s_1, x)
          yield s_2
        branch lt(s, 5.0):
          return s
        else:
          if lt(s, 8.0):
            yield
          else:
            raise ValueError
          return -1.0
    """


def test_copies_share_no_value() -> None:
    for seed in range(20):
        fn = Generator(seed).function()
        copy = copy_function(fn)
        values = {*defined_in(fn.body), *(parameter.value for parameter in fn.parameters)}
        copies = {*defined_in(copy.body), *(parameter.value for parameter in copy.parameters)}
        assert not values & copies
        assert show(fn) == show(copy)
        verify(copy)


@pytest.mark.parametrize("arguments", [(0.25, 0), (1.0, 2), (0.75, 3), (1.0, 4)])
def test_inlining_keeps_the_meaning(arguments: tuple[float, int]) -> None:
    fn = parse(TEXT)
    y, m = Value("y"), Value("m")
    first, one = inline_function(fn, (y, m))
    second, two = inline_function(fn, (y, Constant(2)))
    assert isinstance(one, Value)
    assert isinstance(two, Value)
    for result, expected in ((one, interpret(fn, arguments)), (two, interpret(fn, (arguments[0], 2)))):
        caller = Function("g", (Parameter(y), Parameter(m)), Block((*first, *second), Return(result)))
        assert interpret(verify(caller), arguments) == expected


def test_inlining_a_plain_function_gives_its_operand() -> None:
    x = Value("x", FLOAT)
    operations, result = inline_function(Function("f", (Parameter(x),), Block((), Return(x))), (Constant(2.0),))
    assert operations == ()
    assert isinstance(result, Constant)


def test_inlining_what_only_raises() -> None:
    fn = parse("function f(x: float):\n  branch lt(x, 0.0):\n    raise ValueError\n  else:\n    raise KeyError\n")
    y = Value("y")
    operations, result = inline_function(fn, (y,))
    caller = verify(Function("g", (Parameter(y),), Block(operations, Return(result))))
    for argument, error in ((-1.0, ValueError), (1.0, KeyError)):
        with pytest.raises(error):
            interpret(caller, (argument,))


def test_what_does_not_change_is_the_same_object() -> None:
    for seed in range(20):
        fn = Generator(seed).function()
        assert substitute_block(fn.body, {Value("other"): Constant(1)}) is fn.body
        assert map_definitions(fn.body, lambda definition: definition) is fn.body
        assert with_body(fn, fn.body) is fn


def test_uses_are_counted_with_multiplicity() -> None:
    fn = parse("function f(x: float):\n  a = mul(x, x)\n  b = add(a, x)\n  return b\n")
    assert {value.name: count for value, count in count_uses(fn).items()} == {"x": 3, "a": 1, "b": 1}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [(1, 1, True), (1, 1.0, False), (1, True, False), (0.0, -0.0, False), (float("nan"), float("nan"), True), ("a", "a", True)],
)
def test_constants_are_the_same_by_type_and_text(first: object, second: object, same: bool) -> None:
    assert is_same(Constant(first), Constant(second)) is same
