"""Passes keep the meaning of random programs, give the same text each time, and reach an end."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.ir.nodes import Function
from s2sad.ir.verify import verify
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.eliminate_redundant_carried import eliminate_redundant_carried
from s2sad.transform.factor_sums import factor_sums
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.forward_stores import forward_stores
from s2sad.transform.hoist_invariants import HoistOptions, hoist_invariants
from s2sad.transform.merge_branches import merge_branches
from s2sad.transform.rewrite import copy_function
from s2sad.transform.share_subexpressions import share_subexpressions
from s2sad.transform.simplify import simplify
from s2sad.transform.simplify_algebra import simplify_algebra
from s2sad.transform.sink_operations import sink_operations
from s2sad.transform.split_tuples import split_tuples
from tests.transform.random_programs import INPUTS, Generator, run
from tests.transform.text_ir import show


def hoist_daringly(fn: Function) -> Function:
    return hoist_invariants(fn, HoistOptions(inexact=True, small_powers=True))


PASSES = [
    copy_function,
    eliminate_dead_code,
    eliminate_redundant_carried,
    fold_constants,
    hoist_invariants,
    share_subexpressions,
    simplify_algebra,
    sink_operations,
    merge_branches,
    forward_stores,
    split_tuples,
    simplify,
]


def assert_same_meaning(before: Function, after: Function) -> None:
    verify(after)
    for inputs in INPUTS:
        result, effects = run(before, inputs)
        if not result.startswith("raises"):  # what raised may raise later, or not at all
            assert run(after, inputs) == (result, effects), f"{show(before)}\n{show(after)}"


@pytest.mark.parametrize("transform", PASSES, ids=lambda transform: transform.__name__)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_each_pass_keeps_the_meaning(transform: Callable[[Function], Function], seed: int) -> None:
    fn = Generator(seed).function()
    verify(fn)
    new = transform(fn)
    assert_same_meaning(fn, new)
    assert show(transform(fn)) == show(new)
    if transform is not copy_function and new is fn:
        assert show(new) == show(fn)


def assert_close_meaning(before: Function, after: Function, *, may_raise: bool = False) -> None:
    verify(after)
    for inputs in INPUTS:
        result, effects = run(before, inputs)
        if "nan" in result + effects or "inf" in result + effects or result.startswith("raises"):
            continue  # a structural zero may hide them
        found, found_effects = run(after, inputs)
        if found.startswith("raises") and may_raise:
            continue
        assert numbers_in(found + found_effects) == pytest.approx(numbers_in(result + effects), rel=1e-9, abs=1e-9), (
            f"{show(before)}\n{show(after)}"
        )


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d[\d.]*(?:e[+-]?\d+)?", text)]


@pytest.mark.parametrize("transform", [simplify_algebra, factor_sums, share_subexpressions, hoist_daringly, simplify])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_inexact_code_keeps_the_meaning_of_real_arithmetic(transform: Callable[[Function], Function], seed: int) -> None:
    fn = Generator(seed, exact=False, size=80).function()
    assert_close_meaning(fn, transform(fn), may_raise=transform is hoist_daringly)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_passes_after_each_other_reach_an_end(seed: int) -> None:
    fn = start = Generator(seed, size=80).function()
    for _ in range(10):
        before = fn
        for transform in PASSES[1:-1]:
            fn = transform(fn)
        if fn is before:
            break
    else:
        raise AssertionError(f"the passes go on and on\n{show(start)}\n{show(fn)}")
    assert_same_meaning(start, fn)
