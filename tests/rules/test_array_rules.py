"""Every rule for cotangents, over the samples that it declares."""

from __future__ import annotations

import importlib.util
import operator
import pathlib
import sys

import pytest

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
