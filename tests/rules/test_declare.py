"""Declaring rules: what is found, and what is refused with the place."""

from __future__ import annotations

import math
import operator
import sys
import types

import numpy as np
import pytest

from s2sad.errors import InvalidRuleError
from s2sad.rules import lookup, registered_rules, rule
from s2sad.rules.checks import check_names, check_parameters, is_own, name_of
from s2sad.rules.core import (
    REGISTRY,
    BodyRule,
    ModelRule,
    NotImplementedRule,
    PointwiseRule,
    Registry,
    SymmetricRule,
    VjpRule,
    ZeroDerivative,
)


@pytest.fixture(autouse=True)
def forget():
    """Rules declared by a test are gone after it."""
    before = registered_rules()
    yield
    for declared in registered_rules():
        if declared not in before:
            REGISTRY.remove(declared)


def test_the_rules_of_the_package_hold_what_is_asked_of_those_of_users():
    rules = [declared for declared in registered_rules() if isinstance(declared, BodyRule) and is_own(declared.body)]
    assert len(rules) > 200
    for declared in rules:
        for function in declared.functions:
            check_parameters(declared.body, type(declared).leading, function)
        check_names(declared.body)
        if isinstance(declared, SymmetricRule) and declared.pair is not None:
            check_names(declared.pair)
        if isinstance(declared, PointwiseRule):
            of_kinds = (declared.variants, declared.integer_variants, declared.array_variants)
            for body in (body for variants in of_kinds for body in variants.values()):
                check_names(body)


def primal(x, y):
    return x * y


def test_each_kind_of_rule_is_found():
    def zero(x): ...

    def refused(x): ...

    def modelled(x): ...

    @rule(primal)
    def primal_reverse(z_bar, z, x, y):
        return z_bar * y, z_bar * x

    rule.zero_derivative(zero)
    rule.not_implemented(refused, reason="a reason", instead="something else")

    @rule.model(modelled)
    def model(x):
        return 2 * x

    assert isinstance(lookup(primal), VjpRule)
    assert lookup(primal).operands == ("x", "y")
    assert isinstance(lookup(zero), ZeroDerivative)
    assert isinstance(lookup(refused), NotImplementedRule)
    assert lookup(refused).instead == "something else"
    assert isinstance(lookup(modelled), ModelRule)
    assert model.operands == ("x",)


def test_functions_are_found_by_identity():
    class Equal:
        def __eq__(self, other):
            return True

        __hash__ = None

        def __call__(self, x): ...

    first, second = Equal(), Equal()
    rule.zero_derivative(first)
    assert lookup(first) is not None
    assert lookup(second) is None
    assert lookup([]) is None


def test_in_place_operators_share_the_rule():
    assert lookup(operator.iadd) is lookup(operator.add)
    assert lookup(operator.itruediv) is lookup(operator.truediv)


def test_the_rule_depends_on_how_a_function_is_called():
    assert lookup(max, 3).name == "maximum"
    assert lookup(max, 1).name == "max_of_iterable"
    assert lookup(max, 1, ["key"]).name == "max_by_key"
    assert lookup(max, 3, ["key"]).name == "max_of_arguments_by_key"
    assert lookup(math.log, 1) is lookup(math.log, 2)
    assert lookup(math.log, 3) is None


def test_a_second_rule_is_refused_with_both_places():
    @rule.pointwise(primal)
    def first(z, x, y):
        return y, x

    with pytest.raises(InvalidRuleError, match="has a rule already") as caught:

        @rule.pointwise(primal)
        def second(z, x, y):
            return y, x

    assert str(caught.value).count(__file__) == 2
    assert lookup(primal) is first

    with pytest.raises(InvalidRuleError, match="has a rule already"):
        rule.zero_derivative(primal)


def test_an_undefined_name_is_refused_with_the_place():
    with pytest.raises(InvalidRuleError, match="'cosine' is not defined") as caught:

        @rule.pointwise(primal)
        def derivative(z, x, y):
            return cosine(y), x  # noqa: F821

    assert __file__ in str(caught.value)
    assert lookup(primal) is None


def test_an_undefined_name_inside_a_nested_function_is_refused():
    with pytest.raises(InvalidRuleError, match="'cosine'"):

        @rule.model(primal)
        def derivative(x, y):
            return list(map(lambda t: cosine(t), [x, y]))  # noqa: F821


def test_the_wrong_number_of_operands_is_refused():
    with pytest.raises(InvalidRuleError, match="takes 2 operands, and the rule has 1"):

        @rule.pointwise(primal)
        def derivative(z, x):
            return 1.0

    with pytest.raises(InvalidRuleError, match="takes 2 operands, and the rule has 3"):

        @rule(primal)
        def reverse(z_bar, z, x, y, w):
            return 1.0, 1.0, 1.0

    with pytest.raises(InvalidRuleError, match=r"np\.matmul takes 2 operands"):

        @rule.pointwise(np.matmul)
        def matmul(z, x):
            return x / z


def test_what_is_no_function_is_refused():
    with pytest.raises(InvalidRuleError, match="names no function"):
        rule.zero_derivative()
    with pytest.raises(InvalidRuleError, match="is for functions, and 3 is none"):
        rule.zero_derivative(3)
    with pytest.raises(InvalidRuleError, match="is written as a function"):
        rule.pointwise(primal)(math.sin)


def test_a_domain_names_operands():
    with pytest.raises(InvalidRuleError, match=r"\['t'\]"):

        @rule.pointwise(primal, domain={"t": (0.0, 1.0)})
        def derivative(z, x, y):
            return y, x


def test_a_symmetric_rule_takes_all_operands():
    with pytest.raises(InvalidRuleError, match=r"\*operands"):

        @rule.symmetric(primal)
        def derivative(z, x, y):
            return 1.0


def test_variants_for_literals():
    @rule.pointwise(primal)
    def derivative(z, x, y):
        return y, x

    @derivative.literal("y")
    def with_literal_y(z, x, y):
        return y, 0.0

    assert derivative.body_for() is derivative.body
    assert derivative.body_for({"x"}) is derivative.body
    assert derivative.body_for({"x", "y"}) is with_literal_y

    @derivative.integers("x")
    def with_integer_x(z, x, y):
        return y, 1.0 * x

    assert derivative.body_for(integers={"x", "y"}) is with_integer_x
    assert derivative.body_for(integers={"y"}) is derivative.body
    assert derivative.body_for({"y"}, integers={"x", "y"}) is with_literal_y
    assert derivative.body_for(arrays=True, integers={"x"}) is derivative.body

    with pytest.raises(InvalidRuleError, match="cannot be given"):
        derivative.literal("y")(with_literal_y)
    with pytest.raises(InvalidRuleError, match="cannot be given"):
        derivative.literal("t")(with_literal_y)
    with pytest.raises(InvalidRuleError, match="has the parameters"):
        derivative.literal("x")(lambda z, x: 1.0)


def test_rules_wait_for_the_module_of_their_functions(monkeypatch):
    registry = Registry()
    module = types.ModuleType("s2sad_test_module")
    module.f = lambda x: x
    registry.when_imported("s2sad_test_module", lambda: registry.add(ZeroDerivative("f", (module.f,))))
    assert registry.find(module.f) == []
    monkeypatch.setitem(sys.modules, "s2sad_test_module", module)
    assert [found.name for found in registry.find(module.f)] == ["f"]
    assert len(list(registry)) == 1


def test_names_of_functions():
    functions = (
        math.sqrt,
        np.sin,
        abs,
        operator.add,
        list.append,
        np.ndarray.sum,
        np.ndarray.T,
        np.linalg.solve,
        operator.methodcaller("f"),
    )
    assert [name_of(f) for f in functions] == [
        "math.sqrt",
        "np.sin",
        "abs",
        "operator.add",
        "list.append",
        "np.ndarray.sum",
        "np.ndarray.T",
        "np.linalg.solve",
        "operator.methodcaller('f')",
    ]


def test_where_a_rule_was_written():
    assert "elementary.py" in lookup(operator.add).location
    assert isinstance(lookup(operator.add), PointwiseRule)
