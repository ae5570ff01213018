"""Poisoning, program by program: when the forward sweep is over, every number that the saving analysis does not count among
what the reverse sweep reads is replaced by nan, every list of numbers by one of nan; the gradient must not change."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from s2sad import grad
from s2sad.emit import emit_function
from s2sad.ir.effects import READS, Callee
from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Value, results_of
from s2sad.ir.operations import comment, make_list
from s2sad.ir.types import FLOAT, INT, ListType, ScalarType
from s2sad.ir.verify import verify
from s2sad.pipeline import generate
from s2sad.pipeline.dispatch import signature_of
from s2sad.pipeline.units import Generated, Unit
from s2sad.transform.reverse.decisions import Decisions
from s2sad.transform.rewrite import substitute_block
from s2sad.transform.simplify import simplify
from tests.corpus.reference import Point, assert_same, at
from tests.test_corpus import POINTS


def heading(operations: tuple[Operation, ...], text: str) -> int | None:
    """Where the comment with this text stands."""
    places = (
        index
        for index, node in enumerate(operations)
        if isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value is comment
        if node.arguments[0].value == text  # type: ignore[union-attr]
    )
    return next(places, None)


def poison(generated: Generated, decisions: Decisions, extra: int = 0) -> tuple[Callable[..., Any], int]:
    """The derivative with poison (put in before it is simplified), and in how many values; `extra` that are needed among them."""
    function: Function = generated.stages["reverse"].args[0]  # type: ignore[attr-defined]
    operations = function.body.operations
    place = heading(operations, "reverse sweep")
    assert place is not None
    plan = decisions.plan
    read = {*plan.used, *plan.outside, *decisions.exported.values(), *decisions.lists.values(), *decisions.engine.stacks.values()}
    candidates = [*(parameter.value for parameter in function.parameters)]
    candidates += [result for node in operations[:place] for result in results_of(node)]
    primal = decisions.structure.home  # copies of arguments and shadows are none of its values
    substitution: dict[Value, Any] = {}
    lists: list[Operation] = []
    needed = [value for value in candidates if value in read and is_number(value)]
    for value in [*(value for value in candidates if value in primal and value not in read), *needed[:extra]]:
        if is_number(value):
            substitution[value] = Constant(math.nan)
        elif isinstance(value.type, ListType) and value.type.element == FLOAT and value not in function.parameters:
            one, length, spoilt = Value("", value.type), Value("", INT), Value("spoilt", value.type)
            lists.append(Call(one, Constant(make_list), (Constant(math.nan),), exact=False))
            lists.append(Call(length, Constant(len), (value,), exact=False))
            lists.append(Call(spoilt, Constant(operator.mul), (one, length), exact=False))
            substitution[value] = spoilt
    rest = substitute_block(Block(operations[place + 1 :], function.body.terminator), substitution)
    body = Block((*operations[: place + 1], *lists, *rest.operations), rest.terminator)
    changed = simplify(verify(replace(function, body=body)))
    main = generated.main
    for unit in generated.units[:-1]:
        unit.load()
    reserved = generate._names_read(changed, main.context)
    unit = Unit(
        changed, emit_function(changed, reserved=frozenset(reserved)), main.context, Callee(changed.name, READS), "<poison>"
    )
    return unit.load(), len(substitution)


def is_number(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.kind == "float"


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[Decisions]:
    """The decisions for derivatives (not those for halves), in order."""
    found: list[Decisions] = []

    class Recording(Decisions):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            found.append(self)

    monkeypatch.setattr(generate, "Decisions", Recording)
    # what is written out is not there to be called by the program before it is simplified
    monkeypatch.setattr(generate, "inline_models", lambda function, models: function)
    return found


def gradients(recorded: list[Decisions], function: Any, argnums: Any, point: Point, extra: int = 0) -> tuple[Any, Any, int]:
    """The gradient as it is, that with poison between the sweeps, and how many values were replaced."""
    args, kwargs = point.fresh()
    derivative = grad(function, argnums).derivative
    arguments, wanted = derivative.bind(args, kwargs)
    real, integers = derivative.real_types(signature_of(arguments), wanted)
    generated = derivative.gradient_of(derivative.target.function, real, wanted, frozenset(integers))
    spoilt, count = poison(generated, recorded[-1], extra)
    want = generated.main.load()(*arguments)
    args, kwargs = point.fresh()
    return want, spoilt(*derivative.bind(args, kwargs)[0]), count


@pytest.mark.parametrize(("entry", "point"), [p for p in POINTS if not p.marks and p.id.endswith("-0")])
def test_programs(recorded, entry, point):
    want, got, _ = gradients(recorded, entry.function, entry.argnums, point)
    assert_same(got, want, 1e-12, 1e-13)


def chain(x, y, n):
    u = x * y
    v = u + y
    total = 0.0
    squares = [v * v, v]
    for i in range(n):
        u = u * 0.5 + v
        total += math.sin(u)
    return total * squares[0]


def test_something_is_poisoned(recorded):
    want, got, count = gradients(recorded, chain, (0, 1), at(0.3, 0.7, 4))
    assert count >= 2
    assert_same(got, want, 1e-13, 0.0)


def test_poison_in_what_is_needed_shows(recorded):
    _, got, _ = gradients(recorded, chain, (0, 1), at(0.3, 0.7, 4), extra=20)
    assert any(math.isnan(value) for value in got)
