"""Passes keep the meaning of random programs, give the same text each time, and reach an end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.ir.nodes import Function
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.eliminate_redundant_carried import eliminate_redundant_carried
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.hoist_invariants import HoistOptions, hoist_invariants
from s2sad.transform.rewrite import copy_function
from s2sad.transform.share_subexpressions import share_subexpressions
from tests.transform.check_ir import check_ir
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
]


def assert_same_meaning(before: Function, after: Function) -> None:
    check_ir(after)
    for inputs in INPUTS:
        result, effects = run(before, inputs)
        if not result.startswith("raises"):  # what raised may raise later, or not at all
            assert run(after, inputs) == (result, effects), f"{show(before)}\n{show(after)}"


@pytest.mark.parametrize("transform", PASSES, ids=lambda transform: transform.__name__)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_each_pass_keeps_the_meaning(transform: Callable[[Function], Function], seed: int) -> None:
    fn = Generator(seed).function()
    check_ir(fn)
    new = transform(fn)
    assert_same_meaning(fn, new)
    assert show(transform(fn)) == show(new)
    if transform is not copy_function and new is fn:
        assert show(new) == show(fn)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_passes_after_each_other_reach_an_end(seed: int) -> None:
    fn = start = Generator(seed, size=80).function()
    for _ in range(10):
        before = fn
        for transform in PASSES[1:]:
            fn = transform(fn)
        if fn is before:
            break
    else:
        raise AssertionError(f"the passes go on and on\n{show(start)}\n{show(fn)}")
    assert_same_meaning(start, fn)
