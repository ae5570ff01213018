"""Rules as the engine sees them: in the supported subset, the same numbers, and reading what an expert's derivative reads."""

from __future__ import annotations

import inspect
import math
import operator

import numpy as np
import pytest

from s2sad import runtime
from s2sad.frontend.lower import lower_function
from s2sad.ir.effects import effects_of
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value, operands_of, walk
from s2sad.ir.types import FLOAT
from s2sad.ir.verify import verify
from s2sad.rules import lookup, registered_rules
from s2sad.rules.core import BodyRule, PointwiseRule, SymmetricRule
from s2sad.transform.partials import partial_of

RULES = [rule for rule in registered_rules() if isinstance(rule, BodyRule)]
PARTIALS = [rule for rule in RULES if isinstance(rule, (PointwiseRule, SymmetricRule))]


def name_in_test(rule):
    return f"{rule.body.__module__.rpartition('.')[2]}.{rule.name}"


@pytest.mark.parametrize("rule", RULES, ids=name_in_test)
def test_bodies_are_supported_programs(rule):
    variants = (*rule.variants.values(), *rule.integer_variants.values()) if isinstance(rule, PointwiseRule) else ()
    pair = (rule.pair,) if isinstance(rule, SymmetricRule) and rule.pair else ()
    for body in (rule.body, *variants, *pair):
        verify(lower_function(body))


def specialise(rule, position, arguments):
    """The partial as a function ``(z, *operands)`` of IR; an operand that is no Value is a literal."""
    z = Value("z", FLOAT)
    operations, partial = partial_of(rule, position, z, arguments, None)
    parameters = tuple(Parameter(value) for value in (z, *(a for a in arguments if isinstance(a, Value))))
    return verify(Function("partial", parameters, Block(operations, Return(partial))))


def counts(rule):
    if isinstance(rule, SymmetricRule):
        return (2, 3)
    parameters = list(inspect.signature(rule.body).parameters.values())[1:]
    return range(sum(parameter.default is inspect.Parameter.empty for parameter in parameters), len(parameters) + 1)


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # points outside the domain
@pytest.mark.parametrize("rule", PARTIALS, ids=name_in_test)
def test_lowered_partials_are_the_same_numbers(rule):
    for count in counts(rule):
        operands = [Value(f"x{i}", FLOAT) for i in range(count)]
        for position in range(count):
            function = specialise(rule, position, operands)
            for point in ([0.3, 0.7, 0.9], [0.8, 0.8, 0.1], [1.7, 1.2, 2.3], [0.9, 0.4, 0.2]):
                point = [*point, 1.1, 1.3][:count]
                z = 0.8
                try:
                    if isinstance(rule, SymmetricRule):
                        expected = rule.body_for(count)(z, *rule.arguments_for(position, point))
                    else:
                        result = rule.body(z, *point)
                        expected = result[position] if isinstance(result, tuple) else result
                except (ValueError, TypeError):  # outside the domain, or integers only
                    continue
                assert interpret(function, [z, *point]) == pytest.approx(expected, rel=1e-14, nan_ok=True)


def reads(function):
    """The names of the parameters that are read."""
    names = {parameter.value: parameter.value.name for parameter in function.parameters}
    return {names[operand] for node in walk(function.body) for operand in operands_of(node) if operand in names}


X, Y = Value("x", FLOAT), Value("y", FLOAT)


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (operator.add, (X, Y), [set(), set()]),
        (operator.sub, (X, Y), [set(), set()]),
        (operator.mul, (X, Y), [{"y"}, {"x"}]),
        (operator.truediv, (X, Y), [{"y"}, {"z", "y"}]),
        (operator.neg, (X,), [set()]),
        (operator.mod, (X, Y), [set(), {"x", "y"}]),
        (operator.pow, (X, Constant(2)), [{"x"}]),
        (operator.pow, (X, Constant(2.0)), [{"x"}]),
        (operator.pow, (X, Constant(7)), [{"x"}]),
        (operator.pow, (X, Constant(1)), [set()]),
        (operator.pow, (X, Constant(0)), [set()]),
        (operator.pow, (X, Constant(-1)), [{"x", "z"}]),
        (operator.pow, (X, Constant(0.5)), [{"x", "z"}]),
        (math.exp, (X,), [{"z"}]),
        (math.sqrt, (X,), [{"z"}]),
        (math.tanh, (X,), [{"z"}]),
        (math.tan, (X,), [{"z"}]),
        (math.cbrt, (X,), [{"z"}]),
        (math.log, (X,), [{"x"}]),
        (math.log, (X, Constant(10)), [{"x"}]),
        (math.log, (X, Y), [{"x", "y"}, {"y", "z"}]),
        (math.sin, (X,), [{"x"}]),
        (math.hypot, (X, Y), [{"x", "z"}, {"y", "z"}]),
        (math.degrees, (X,), [set()]),
        (math.fmod, (X, Y), [set(), {"x", "y", "z"}]),
        (math.gamma, (X,), [{"x", "z"}]),
        (math.lgamma, (X,), [{"x"}]),
        (max, (X, Y), [{"x", "y"}, {"x", "y"}]),
        (np.exp, (X,), [{"z"}]),
        (np.multiply, (X, Y), [{"y"}, {"x"}]),
        (np.power, (X, Constant(2)), [{"x"}]),
        (np.sin, (X,), [{"x"}]),
    ],
)
def test_what_a_partial_reads(function, arguments, expected):
    rule = lookup(function, len(arguments))
    assert [reads(specialise(rule, i, arguments)) for i, a in enumerate(arguments) if isinstance(a, Value)] == expected


def test_the_base_of_a_power_may_be_a_literal():
    function = specialise(lookup(operator.pow), 1, (Constant(2.0), Y))
    assert reads(function) == {"z"}
    assert interpret(function, [8.0, 3.0]) == 8.0 * math.log(2.0)


@pytest.mark.parametrize("function", [np.sin, np.clip, np.sinc, np.maximum, np.floor, runtime.digamma, runtime.indices_of])
def test_functions_with_rules_are_pure_on_numbers(function):
    assert effects_of(Call(Value("", FLOAT), Constant(function), (X,))).is_pure
