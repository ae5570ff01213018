"""Random programs of list operations with aliases, against the complex step.

Many, and longer ones: ``python -m tests.fuzz.test_list_operations 1000 0`` (how many, the first seed).
"""

import collections
import itertools
import linecache
import random
import sys

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from s2sad import value_and_grad
from tests.fuzz.list_programs import Writer

POINT = (0.7, 1.3)
STEP = 1e-30
NAMES = (f"<list program {number}>" for number in itertools.count())


def load(text):
    """The function of a program."""
    name = next(NAMES)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"__name__": "list_program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def reference(function, n):
    """Value and gradient, or None where the program takes what is not there."""
    x, y = POINT
    try:
        return function(x, y, n), (function(x + STEP * 1j, y, n).imag / STEP, function(x, y + STEP * 1j, n).imag / STEP)
    except (IndexError, ValueError):
        return None


def assert_derivative_is_right(text, n):
    """Value bitwise, gradient to rounding."""
    function = load(text)
    expected = reference(function, n)
    assume(expected is not None and max(map(abs, expected[1])) < 1e9)
    value, gradient = value_and_grad(function, (0, 1))(*POINT, n)
    assert value == expected[0], text
    assert gradient == pytest.approx(expected[1], rel=1e-9, abs=1e-9), text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("part", range(4))  # each draws programs of its own
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_list_programs(part, data):
    length = data.draw(st.integers(1, 7))
    text = Writer(lambda options: data.draw(st.sampled_from(options))).program(length)
    assert_derivative_is_right(text, data.draw(st.sampled_from((1, 2, 3))))


def test_the_writer_reaches_every_operation():
    text = "".join(Writer(random.Random(seed).choice).program(6) for seed in range(300))
    parts = (".append(", ".pop(", ".insert(", ".extend(", "+= [", "del ", ".reverse()", "[1:2] = ", "rows[0] = ", "through(")
    for part in (*parts, "zip(", "holder.put(", "pairs[1] = "):
        assert part in text


def main(count, first):
    """Many programs; prints what goes wrong."""
    outcomes = collections.Counter()
    for seed in range(first, first + count):
        choose = random.Random(seed).choice
        text = Writer(choose).program(choose((2, 4, 8, 12)))
        function = load(text)
        expected = reference(function, 2)
        if expected is None:
            outcomes["no reference"] += 1
            continue
        try:
            value, gradient = value_and_grad(function, (0, 1))(*POINT, 2)
        except Exception as error:
            outcomes[type(error).__name__] += 1
            print(seed, type(error).__name__, error)
            continue
        right = value == expected[0] and gradient == pytest.approx(expected[1], rel=1e-9, abs=1e-9)
        outcomes["right" if right else "wrong"] += 1
        if not right:
            print(seed, text)
    print(dict(outcomes))


if __name__ == "__main__":
    main(*(int(argument) for argument in [*sys.argv[1:], "1000", "0"][:2]))
