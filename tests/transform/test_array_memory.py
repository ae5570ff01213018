"""What passes know of arrays: shared memory, what is written, what may be one array for two, what is dead."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad.rules  # noqa: F401 - declares what NumPy's functions do
from s2sad.ir.effects import ALLOCATES_FROM, READS, declare_effects
from s2sad.transform.array_memory import WORLD, find_array_memory
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.hoist_invariants import HoistOptions, hoist_invariants
from s2sad.transform.share_subexpressions import share_subexpressions
from tests.transform.before_after import check_pass, check_unchanged
from tests.transform.text_ir import Parser

declare_effects(ALLOCATES_FROM, np.zeros_like)
declare_effects(READS, np.sum)


def roots(text):
    parser = Parser(text, {})
    fn = parser.function()
    memory = find_array_memory(fn)
    return {name: memory.roots(value) for name, value in parser.values.items()}, memory


def test_views_share_the_memory_of_their_base():
    of, _ = roots(
        """
        function f(x: vec, y: vec2):
          a: inner = getitem(x, slice(1, -1))
          b: vec = getattr(x, 'T')
          c = add(x, y)
          d = iadd(c, x)
          return d
        """
    )
    assert of["a"] == of["b"] == of["x"]
    assert not of["x"] & of["y"]
    assert of["c"] == of["d"]
    assert not of["c"] & (of["x"] | of["y"])


def test_arguments_of_one_region_may_be_one_array():
    of, _ = roots("function f(x: vec, y: vec, z: vec2):\n  return x")
    assert of["x"] == of["y"]
    assert not of["x"] & of["z"]


def test_what_a_loop_carries_is_any_of_what_goes_in():
    of, _ = roots(
        """
        function f(x: vec, n: int):
          u0 = add(x, x)
          v0 = mul(x, x)
          u, v = for i in range(n) (u1 = u0, v1 = v0):
            yield v1, u1
          return u
        """
    )
    assert of["u"] == of["v"] == of["u0"] | of["v0"]


def test_lists_hold_what_is_put_in():
    of, memory = roots(
        """
        function f(x: vec):
          a = add(x, x)
          b = add(x, x)
          kept: vecs = make_list(a)
          none: none = call_method(kept, 'append', b)
          c: vec = getitem(kept, 0)
          return c
        """
    )
    assert of["c"] & of["a"]
    assert of["c"] & of["b"]
    assert memory.reach(of["kept"]) & of["a"]


def test_what_unknown_code_was_given_is_the_worlds():
    of, memory = roots(
        """
        function f(x: vec, world: any):
          a = add(x, x)
          b = add(x, x)
          t: any = call_method(world, 'keep', a)
          u: vec = call_method(world, 'give')
          return b
        """
    )
    assert of["u"] & of["a"]
    assert of["u"] & WORLD
    assert not of["u"] & of["b"]
    assert memory.public & of["a"]


def test_arrays_that_nobody_writes_are_shared():
    check_pass(
        share_subexpressions,
        """
        function f(x: vec, y: vec2):
          a = mul(x, y)
          b = mul(x, y)
          s: float64 = np.sum(a)
          t: float64 = np.sum(b)
          return add(s, t)
        """,
        """
        function f(x, y):
          a = mul(x, y)
          s = sum(a)
          t = add(s, s)
          return t
        """,
    )


def test_views_of_one_array_by_one_index_are_the_same():
    check_pass(
        share_subexpressions,
        """
        function f(x: vec):
          v: inner = getitem(x, slice(1, -1))
          a = mul(v, v)
          w: inner = getitem(x, slice(1, -1))
          b = mul(w, w)
          return add(np.sum(a), np.sum(b))
        """,
        """
        function f(x):
          t = slice(1, -1)
          v = getitem(x, t)
          a = mul(v, v)
          t_2 = slice(1, -1)
          w = getitem(x, t_2)
          t_3 = sum(a)
          t_4 = add(t_3, t_3)
          return t_4
        """,
    )


@pytest.mark.parametrize(
    "between",
    [
        "none: none = setitem(x, 0, 1.0)",
        "t = iadd(x, 1.0)",
        "none: none = setitem(getattr(x, 'T'), 0, 1.0)",
        "t: any = call_method(world, 'run')",
    ],
)
def test_not_across_a_write(between):
    check_unchanged(
        share_subexpressions,
        f"""
        function f(x: vec, y: vec2, world: any):
          a = mul(x, y)
          {between}
          b = mul(x, y)
          return add(np.sum(a), np.sum(b))
        """,
    )


@pytest.mark.parametrize(
    "after",
    [
        "t = iadd(b, 1.0)",
        "none: none = setitem(a, 0, 1.0)",
        "none: none = setitem(getattr(a, 'T'), 0, 1.0)",
        "t: any = call_method(world, 'keep', a)",
    ],
)
def test_not_what_is_written_or_leaves(after):
    check_unchanged(
        share_subexpressions,
        f"""
        function f(x: vec, y: vec2, world: any):
          a = mul(x, y)
          b = mul(x, y)
          {after}
          return add(np.sum(a), np.sum(b))
        """,
    )


def test_two_results_are_two_arrays():
    check_unchanged(
        share_subexpressions,
        """
        function f(x: vec, y: vec2):
          a = mul(x, y)
          b = mul(x, y)
          return make_tuple(a, b)
        """,
    )


def test_a_write_to_another_array_is_no_write():
    check_pass(
        share_subexpressions,
        """
        function f(x: vec, y: vec2):
          s: float64 = getitem(x, 0)
          none: none = setitem(y, 0, s)
          t: float64 = getitem(x, 0)
          return add(s, t)
        """,
        """
        function f(x, y):
          s = getitem(x, 0)
          none = setitem(y, 0, s)
          t = add(s, s)
          return t
        """,
    )


DARING = HoistOptions(inexact=True)


def test_arrays_leave_a_loop_in_which_nothing_changes_them():
    check_pass(
        lambda fn: eliminate_dead_code(hoist_invariants(fn, DARING)),
        """
        function f(x: vec, n: int):
          u0 = mul(x, 2.0)
          u = for i in range(n) (u1 = u0):
            v: inner = getitem(x, slice(1, -1))
            w ~= mul(v, 3.0)
            none: none = setitem(u0, slice(1, -1), w)
            yield u1
          return u
        """,
        """
        function f(x, n):
          u0 = mul(x, 2.0)
          t = range(n)
          t_2 = slice(1, -1)
          v = getitem(x, t_2)
          w ~= mul(v, 3.0)
          u = for i in t (u1 = u0):
            t_3 = slice(1, -1)
            none = setitem(u0, t_3, w)
            yield u1
          return u
        """,
    )


@pytest.mark.parametrize(
    "body",
    [
        "none: none = setitem(x, 0, 1.0)",  # what is read changes
        "t = iadd(w, 1.0)",  # each trip has its own
        "none: none = setitem(u1, 0, 1.0)",  # what is carried is what was made
    ],
)
def test_not_out_of_a_loop_that_writes(body):
    check_unchanged(
        lambda fn: hoist_invariants(fn, DARING),
        f"""
        function f(x: vec, y: vec2, n: int):
          t0 = range(n)
          u = for i in t0 (u1 = y):
            w ~= mul(x, 3.0)
            {body}
            yield w
          return np.sum(u)
        """,
    )


def test_a_buffer_that_nobody_reads_is_dead():
    check_pass(
        eliminate_dead_code,
        """
        function f(x: vec):
          a: vec = np.zeros_like(x)
          v: inner = getitem(a, slice(1, -1))
          t = iadd(v, 1.0)
          none: none = setitem(a, 0, 1.0)
          b: vec = np.zeros_like(x)
          w: inner = getitem(b, slice(1, -1))
          u = iadd(w, 1.0)
          return b
        """,
        """
        function f(x):
          b = zeros_like(x)
          t = slice(1, -1)
          w = getitem(b, t)
          u = iadd(w, 1.0)
          return b
        """,
    )


@pytest.mark.parametrize("end", ["getattr(a, 'T')", "kept"])
def test_a_change_under_another_name_counts(end):
    check_unchanged(
        eliminate_dead_code,
        f"""
        function f(x: vec):
          a: vec = np.zeros_like(x)
          kept: vecs = make_list(a)
          view: inner = getitem(a, slice(1, -1))
          t = iadd(view, 1.0)
          return make_tuple(kept, {end})
        """,
    )


def test_what_is_given_changes_for_its_owner():
    check_unchanged(
        eliminate_dead_code,
        """
        function f(x: vec):
          v: inner = getitem(x, slice(1, -1))
          t = iadd(v, 1.0)
          return 0
        """,
    )
