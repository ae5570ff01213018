"""Passes keep what random programs do to arrays: results, arguments, and who shares memory with whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.emit import emit_function, load
from s2sad.ir.nodes import Function
from s2sad.ir.verify import verify
from s2sad.transform.ask_for_shapes import ask_for_shapes
from s2sad.transform.assign_first_contributions import assign_first_contributions
from s2sad.transform.elide_copies import elide_copies
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.eliminate_redundant_carried import eliminate_redundant_carried
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.forward_stores import forward_stores
from s2sad.transform.hoist_invariants import HoistOptions, hoist_invariants
from s2sad.transform.merge_accumulations import merge_accumulations
from s2sad.transform.merge_branches import merge_branches
from s2sad.transform.name_buffers_once import name_buffers_once
from s2sad.transform.share_subexpressions import share_subexpressions
from s2sad.transform.simplify import simplify
from s2sad.transform.simplify_algebra import simplify_algebra
from s2sad.transform.simplify_array_algebra import simplify_array_algebra
from s2sad.transform.sink_operations import sink_operations
from s2sad.transform.split_tuples import split_tuples
from s2sad.transform.store_directly import store_directly
from tests.transform.random_array_programs import ArrayGenerator, arguments, assert_same_outcome, outcome, outcome_of
from tests.transform.text_ir import show


def hoist_daringly(fn: Function) -> Function:
    return hoist_invariants(fn, HoistOptions(inexact=True, small_powers=True))


PASSES = [
    ask_for_shapes,
    eliminate_dead_code,
    eliminate_redundant_carried,
    fold_constants,
    hoist_invariants,
    hoist_daringly,
    share_subexpressions,
    simplify_algebra,
    simplify_array_algebra,
    sink_operations,
    merge_branches,
    forward_stores,
    split_tuples,
    store_directly,
    elide_copies,
    name_buffers_once,
    merge_accumulations,
    assign_first_contributions,
    simplify,
]


@pytest.mark.parametrize("transform", PASSES, ids=lambda transform: transform.__name__)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_each_pass_keeps_the_meaning(transform: Callable[[Function], Function], seed: int) -> None:
    generator = ArrayGenerator(seed)
    fn = verify(generator.function())
    new = verify(transform(fn))
    for inputs in (seed % 12, seed % 12 + 1):
        assert_same_outcome(
            outcome_of(fn, inputs, is_one_region=generator.is_one_region),
            outcome_of(new, inputs, is_one_region=generator.is_one_region),
            f"{show(fn)}\n{show(new)}",
        )


@pytest.mark.parametrize("transform", PASSES, ids=lambda transform: transform.__name__)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_adjoint_code_keeps_the_meaning_of_real_arithmetic(transform: Callable[[Function], Function], seed: int) -> None:
    generator = ArrayGenerator(seed, exact=None)
    fn = verify(generator.function())
    new = verify(transform(fn))
    for inputs in (seed % 12, seed % 12 + 1):
        assert_same_outcome(
            outcome_of(fn, inputs, is_one_region=generator.is_one_region),
            outcome_of(new, inputs, is_one_region=generator.is_one_region),
            f"{show(fn)}\n{show(new)}",
            rtol=1e-8,
        )


@pytest.mark.parametrize("exact", [True, None])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_text_does_what_the_program_says(seed: int, exact: bool | None) -> None:
    generator = ArrayGenerator(seed, exact=exact)
    fn = generator.function()
    emitted = emit_function(fn)
    compiled = load(emitted, filename=f"<arrays {seed}>", namespace={"__name__": "m"})
    for inputs in (seed % 12, seed % 12 + 1):
        given_arrays = arguments(inputs, is_one_region=generator.is_one_region)
        assert_same_outcome(
            outcome_of(fn, inputs, is_one_region=generator.is_one_region),
            outcome(compiled, given_arrays),
            f"{show(fn)}\n{emitted.text}",
            rtol=0.0 if exact else 1e-8,
        )
