"""Every rule for cotangents, over the samples that it declares."""

from __future__ import annotations

import importlib.util
import operator
import pathlib
import sys

import numpy as np
import pytest

from s2sad.errors import NonDifferentiableError
from s2sad.rules import registered_rules
from s2sad.rules.checks import name_of
from s2sad.rules.core import VjpRule

_spec = importlib.util.spec_from_file_location("rules_array_check", pathlib.Path(__file__).with_name("array_check.py"))
assert _spec is not None
assert _spec.loader is not None
check = importlib.util.module_from_spec(_spec)
sys.modules["rules_array_check"] = check
_spec.loader.exec_module(check)

RULES = [rule for rule in registered_rules() if isinstance(rule, VjpRule) and rule.samples]
IN_PLACE = (operator.imatmul,)
CALLS = [(r, function, text) for r in RULES for function in r.functions if function not in IN_PLACE for text in r.samples]


@pytest.mark.parametrize(("rule", "function", "text"), CALLS, ids=[f"{name_of(f)}({text})" for _, f, text in CALLS])
def test_bodies_agree_with_numeric_differences(rule, function, text):
    check.check_call(rule, function, check.read_sample(text), check.by_calling)


@pytest.mark.parametrize(("rule", "function", "text"), CALLS, ids=[f"{name_of(f)}({text})" for _, f, text in CALLS])
def test_inlined_bodies_agree_with_numeric_differences(rule, function, text):
    check.check_call(rule, function, check.read_sample(text), check.by_inlining)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_inlined_bodies_where_no_rank_is_known(rule):
    for text in rule.samples:
        check.check_call(rule, rule.functions[0], check.read_sample(text), check.by_inlining_without_ranks)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_what_is_not_read_may_be_anything(rule):
    """Poisoning: operands and results of which the inlined code asks no more than the shape are replaced by nan."""
    for text in rule.samples:
        check.check_call(rule, rule.functions[0], check.read_sample(text), check.by_inlining_poisoned)


# --- Rules that are wrong on purpose must be caught ----------------------------------------------------------------------------


def forgets_axis(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False):
    return y_bar


def wrong_side(y_bar, y, a, b):
    return b.T @ y_bar, y_bar @ a.T


def changes_adjoint(y_bar, y, a):
    y_bar *= 2
    return y_bar / 2


def changes_operand(y_bar, y, a):
    a_bar = y_bar * np.exp(a)
    a += 1.0
    return a_bar


def divides_by_element(y_bar, y, a, axis=None):
    return y_bar * y / a


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("function", "body", "text"),
    [
        (np.sum, forgets_axis, "A(3, 3), axis=1"),
        (np.matmul, wrong_side, "A(3, 3), A(3, 3)"),
        (np.exp, changes_operand, "A(3)"),
        (np.copy, changes_adjoint, "A(3)"),
        (np.prod, divides_by_element, "Z(4)"),
    ],
)
def test_wrong_rules_are_caught(function, body, text):
    rule = VjpRule(body.__name__, (function,), body, samples=(text,))
    with pytest.raises(check.RuleMismatch):
        check.check_call(rule, function, check.read_sample(text), check.by_calling)


def test_every_rule_for_cotangents_has_samples():
    own = [rule for rule in registered_rules() if isinstance(rule, VjpRule) and rule.body.__module__.startswith("s2sad.rules")]
    without = {rule.name for rule in own if not rule.samples}
    assert without == {"as_gradient_reverse", "copy_containers_reverse"}  # of containers


def test_an_operand_without_adjoint_is_refused():
    def half(y_bar, y, a, factor=1.0):
        return y_bar * factor

    rule = VjpRule("half", (np.copy,), half)
    with pytest.raises(NonDifferentiableError, match="'half' gives no adjoint of operand 2, 'factor'"):
        check.by_inlining(rule, np.ones(2), np.ones(2), [np.ones(2), 2.0], {})
