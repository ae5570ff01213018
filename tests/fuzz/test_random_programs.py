# ruff: noqa: E501
"""Random programs: the generator and its references against each other, and the transformer against both."""

import random

import pytest
from hypothesis import HealthCheck, assume, given, settings

from s2sad.testing import fuzz
from s2sad.testing.programs import Program, programs, random_program
from s2sad.testing.references import (
    UnsureReferenceError,
    complex_step_gradient,
    find_mismatch,
    high_precision_gradient,
    reference_gradient,
)

CALM = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
#: Kinds of programs with their gradients by hand: what the references must find themselves.
BY_HAND = [
    (Program("import math\ndef program(x):\n    return math.sin(x) * x\n", (0.5,)), (0.9182168195493894,)),
    (Program("def program(x, y):\n    for k in range(3):\n        x *= y\n    return x\n", (2.0, 0.5)), (0.125, 1.5)),
    (Program("def program(x, items):\n    items.append(x)\n    return items[0] * items[-1]\n", (2.0, (3.0,))), (3.0, 2.0)),
    (Program("def program(x):\n    return abs(x) if x < 1 else x ** 2\n", (-0.5,)), (-1.0,)),
]


@pytest.mark.parametrize(("program", "gradient"), BY_HAND)
def test_references_of_programs_done_by_hand(program, gradient):
    assert complex_step_gradient(program)[1] == pytest.approx(gradient, rel=1e-12)
    assert high_precision_gradient(program)[1] == pytest.approx(gradient, rel=1e-12)


@pytest.mark.parametrize("body", ["abs(x)", "1.0 if x > 0 else 0.0", "max(x, 0.0)", "1 / x", "max(x, 2 * x)"])
def test_a_kink_makes_the_reference_unsure(body):
    with pytest.raises(UnsureReferenceError):
        reference_gradient(Program(f"def program(x):\n    return {body}\n", (0.0,)))


def test_the_generator_is_reproducible_and_nearly_always_has_a_reference():
    unsure = 0
    for seed in range(100):
        program = random_program(random.Random(seed))
        assert program == random_program(random.Random(seed))
        try:
            reference_gradient(program)
        except UnsureReferenceError:
            unsure += 1
    assert unsure <= 10


def test_the_generator_reaches_every_construct():
    text = "".join(random_program(random.Random(seed)).source for seed in range(400))
    for construct in ("for ", "while ", "while True", "break", "continue", "elif ", "else:", "nonlocal", "lambda", ":=", ".append(", ".pop(",
                      " and ", " or ", "max(", "reversed(", "zip(", "enumerate(", "+=", "*=", "helper_1(", "not ", "range(3, 0, -1)"):  # fmt: skip
        assert construct in text


def test_a_wrong_derivative_is_found_shortened_and_summarised():
    from s2sad.testing.references import high_precision_gradient as right

    def wrong(function, argnums):
        """Right values, but every gradient is doubled when the program has a loop."""

        def run(*arguments):
            from linecache import getlines

            source = "".join(getlines(function.__code__.co_filename))
            point = tuple(tuple(part) if isinstance(part, list) else part for part in arguments)
            value, leaves = function(*Program(source, point).arguments()), iter(right(Program(source, point))[1])
            factor = 2.0 if "for " in source else 1.0
            return value, tuple(
                [factor * next(leaves) for _ in p] if isinstance(p, list) else factor * next(leaves) for p in arguments
            )

        return run

    said = []
    kinds = fuzz.run(40, 0, 24, wrong, said.append)
    assert set(kinds) == {"gradient differs"}
    failing = next(text for text in said if "for " in text)
    assert len(failing.splitlines()) < 25
    assert "40 programs" in said[-2]


@pytest.mark.parametrize("options", [[], ["--arrays", "--size", "8"]])
def test_the_command_counts_what_its_processes_found(options, capfd):
    assert fuzz.main(["--programs", "52", "--first", "48", "--processes", "2", *options]) == 0
    assert "4 programs" in capfd.readouterr().out


def assert_gradient_is_right(program):
    from s2sad import value_and_grad

    try:
        reference = reference_gradient(program)
    except UnsureReferenceError:
        assume(False)
    mismatch = find_mismatch(program, value_and_grad, reference)
    assert mismatch is None, f"{mismatch}\n{program}"


# 300 programs by default, most of them small; the rest of the large ones with the other cases


@pytest.mark.sampled(5)
@pytest.mark.parametrize("part", range(5))  # each draws programs of its own
@settings(max_examples=60, derandomize=True, deadline=None, database=None, suppress_health_check=CALM)
@given(program=programs())
def test_gradients_of_random_programs(part, program):
    assert_gradient_is_right(program)


@settings(max_examples=180, derandomize=True, deadline=None, database=None, suppress_health_check=CALM)
@given(programs(size=10))
def test_gradients_of_small_random_programs(program):
    assert_gradient_is_right(program)
