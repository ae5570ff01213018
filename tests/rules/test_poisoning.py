"""Poisoning, rule by rule: what the analysis says a partial does not read is replaced by nan, and the rule's own body, run by
Python, must give the same. (What is read decides what the reverse sweep saves.)"""

from __future__ import annotations

import itertools
import math
import struct

import numpy as np
import pytest

from s2sad.ir.nodes import Block, Constant, Return, Value, operands_of, walk
from s2sad.ir.types import FLOAT, INT
from s2sad.rules.core import PointwiseRule
from s2sad.transform.partials import partial_of
from tests.rules.test_partials import NAMES, RULES, check


def positions_read(rule, position, arguments):
    """Which of the result (0) and the operands (from 1) a partial reads by value, as the saving analysis sees it."""
    values = [Value("", INT if isinstance(x, int) else FLOAT) for x in (0.0, *arguments)]
    operations, partial = partial_of(rule, position, values[0], values[1:], None)
    nodes = walk(Block(operations, Return(partial)))
    found = {operand for node in nodes for operand in operands_of(node)}
    return {index for index, value in enumerate(values) if value in found}


def partials_or_nothing(rule, y, arguments):
    """The partials, or None where the body cannot be run on nan (it computes those of other operands as well)."""
    try:
        with np.errstate(all="ignore"):
            return check.partials_of(rule, y, arguments)
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


def check_poisoning(rule):
    """Returns how many partials were compared with something poisoned."""
    compared = 0
    for function, count in itertools.product(rule.functions, check.counts(rule)):
        for point in check.sample(rule, count):
            accepted = check.as_accepted(function, point)
            y = check.evaluate(function, accepted[0]) if accepted is not None else None
            if accepted is None or y is None:
                continue
            arguments, integers = accepted
            partials = partials_or_nothing(rule, y, arguments)
            for position in range(count):
                if position in integers or partials is None:
                    continue
                read = positions_read(rule, position, arguments)
                poisoned = [
                    math.nan if index not in read and not isinstance(value, int) else value
                    for index, value in enumerate((y, *arguments))
                ]
                again = partials_or_nothing(rule, poisoned[0], poisoned[1:])
                if again is None:
                    continue
                compared += any(math.isnan(value) for value in poisoned)
                got, want = float(again[position]), float(partials[position])
                assert struct.pack("d", got) == struct.pack("d", want), (rule.name, position, arguments, read, got, want)
    return compared


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_what_is_not_read_does_not_count(rule):
    check_poisoning(rule)


def test_most_rules_leave_something_unread():
    assert sum(check_poisoning(rule) > 0 for rule in RULES) > len(RULES) / 2


def test_a_rule_that_reads_more_than_is_seen_is_caught(monkeypatch):
    def body(z, x, y):
        return y, x

    rule = PointwiseRule("product", (math.copysign,), body)
    monkeypatch.setattr("tests.rules.test_poisoning.positions_read", lambda *_: {1})
    monkeypatch.setattr(check, "counts", lambda _: (2,))
    with pytest.raises(AssertionError):
        check_poisoning(rule)


def test_literals_are_not_read():
    values = [Value("", FLOAT), Value("", FLOAT)]
    power = next(rule for rule in RULES if rule.name == "power")
    operations, _ = partial_of(power, 0, values[0], [values[1], Constant(2)], None)
    assert not any(values[0] in operands_of(operation) for operation in operations)
