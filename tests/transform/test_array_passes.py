"""Passes over arrays: copies, additions in place, first contributions, shapes, algebra, stores through views."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad.analysis.array_creation
import s2sad.analysis.array_reductions
import s2sad.rules  # noqa: F401 - declares what NumPy's functions do
from s2sad.ir.nodes import Function, walk
from s2sad.transform.ask_for_shapes import ask_for_shapes
from s2sad.transform.assign_first_contributions import assign_first_contributions
from s2sad.transform.elide_copies import elide_copies
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.merge_accumulations import merge_accumulations
from s2sad.transform.name_buffers_once import name_buffers_once
from s2sad.transform.simplify import simplify
from s2sad.transform.simplify_algebra import simplify_algebra
from s2sad.transform.simplify_array_algebra import simplify_array_algebra
from s2sad.transform.store_directly import store_directly
from tests.transform.before_after import check_pass, check_unchanged
from tests.transform.text_ir import parse, show


def check(transform, before, after):
    check_pass(lambda fn: eliminate_dead_code(transform(fn)), before, after)


# --- copies --------------------------------------------------------------------------------------------------------------------


def test_a_copy_of_what_is_not_needed_any_more_is_taken_over():
    check(
        elide_copies,
        """
        function f(x: vec):
          a = mul(x, x)
          b: vec = call_method(a, 'copy')
          return b
        """,
        """
        function f(x):
          a = mul(x, x)
          return a
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "b: vec = call_method(x, 'copy')\n  return b",  # the caller has x
        "a = mul(x, x)\n  b: vec = call_method(a, 'copy')\n  return make_tuple(a, b)",
        # the view would keep all of the array alive
        "a = mul(x, x)\n  v: inner = getitem(a, slice(1, -1))\n  b: inner = call_method(v, 'copy')\n  return b",
        "a = mul(x, x)\n  b: vec = call_method(a, 'copy')\n  t = iadd(b, 1.0)\n  return add(a, b)",
        "a = mul(x, x)\n  t: any = call_method(world, 'keep', a)\n  b: vec = call_method(a, 'copy')\n  return b",
    ],
)
def test_copies_that_are_needed(text):
    check_unchanged(elide_copies, f"function f(x: vec, world: any):\n  {text}")


def test_the_reader_of_a_copy_goes_before_the_write():
    check(
        elide_copies,
        """
        function f(x: vec, a: vec2):
          v: inner = getitem(a, slice(1, -1))
          b: inner = call_method(v, 'copy')
          none: none = setitem(a, slice(1, -1), 0.0)
          c ~= truediv(b, 3.0)
          return c
        """,
        """
        function f(x, a):
          t = slice(1, -1)
          v = getitem(a, t)
          c ~= truediv(v, 3.0)
          t_2 = slice(1, -1)
          none = setitem(a, t_2, 0.0)
          return c
        """,
    )


@pytest.mark.parametrize("step", ["c = truediv(b, 3.0)", "c ~= mul(b, late)", "c ~= mul(b, x)"])
def test_readers_that_must_wait(step):
    # an exact step keeps its place, one reads what is computed in between, one what is written there
    check_unchanged(
        elide_copies,
        f"""
        function f(x: vec, a: vec2):
          b: vec = call_method(a, 'copy')
          t = slice(1, -1)
          none: none = setitem(a, t, 0.0)
          other: none = setitem(x, t, 0.0)
          late: float64 = np.sum(a)
          {step}
          return c
        """,
    )


# --- additions in place --------------------------------------------------------------------------------------------------------


def test_what_is_changed_in_place_has_one_name():
    fn = name_buffers_once(
        parse(
            """
            function f(x: vec, y: vec2):
              a = mul(x, y)
              b = iadd(a, x)
              return b
            """
        )
    )
    assert "return b" in show(fn)  # the user's name stays


def test_two_additions_to_one_slice_are_one():
    check(
        merge_accumulations,
        """
        function f(x_bar: vec, e: inner2, g: inner2):
          k: slice = slice(1, -1)
          v: inner = getitem(x_bar, k)
          r ~= add(v, e)
          n1: none = setitem(x_bar, k, r)
          w: inner = getitem(x_bar, k)
          q ~= sub(w, g)
          n2: none = setitem(x_bar, k, q)
          return x_bar
        """,
        """
        function f(x_bar, e, g):
          k = slice(1, -1)
          w = getitem(x_bar, k)
          t ~= sub(e, g)
          q ~= add(w, t)
          n2 = setitem(x_bar, k, q)
          return x_bar
        """,
    )


def test_what_is_added_and_taken_away_again_was_never_there():
    check(
        merge_accumulations,
        """
        function f(x_bar: vec, e: vec2):
          a ~= iadd(x_bar, e)
          b ~= isub(x_bar, e)
          return x_bar
        """,
        """
        function f(x_bar, e):
          return x_bar
        """,
    )


@pytest.mark.parametrize(
    "between",
    ["s: float64 = np.sum(x_bar)", "s = iadd(e, 1.0)", "s = imul(x_bar, 2.0)", "s ~= iadd(h, x_bar)", "s ~= isub(h, x_bar)"],
)
def test_not_across_a_read_or_a_write(between):
    check_unchanged(
        merge_accumulations,
        f"""
        function f(x_bar: vec, e: vec2, g: vec2, h: vec3):
          a ~= iadd(x_bar, e)
          {between}
          b ~= iadd(x_bar, g)
          return make_tuple(x_bar, s)
        """,
    )


def test_the_first_contribution_is_assigned():
    check(
        assign_first_contributions,
        """
        function f(x: vec, e: inner2):
          x_bar: vec = np.zeros_like(x)
          t ~= mul(x, 2.0)
          a ~= iadd(x_bar, t)
          b ~= iadd(x_bar, x)
          y_bar: vec = np.zeros_like(x)
          k: slice = slice(1, -1)
          v: inner = getitem(y_bar, k)
          r ~= sub(v, e)
          none: none = setitem(y_bar, k, r)
          return make_tuple(x_bar, y_bar)
        """,
        """
        function f(x, e):
          x_bar ~= mul(x, 2.0)
          b ~= iadd(x_bar, x)
          y_bar = zeros_like(x)
          k = slice(1, -1)
          t ~= neg(e)
          none ~= setitem(y_bar, k, t)
          t_2 = make_tuple(x_bar, y_bar)
          return t_2
        """,
    )


def test_what_others_have_is_copied():
    check(
        assign_first_contributions,
        """
        function f(x: vec):
          x_bar: vec = np.zeros_like(x)
          a ~= iadd(x_bar, x)
          return x_bar
        """,
        """
        function f(x):
          x_bar ~= call_method(x, 'copy')
          return x_bar
        """,
    )


def test_an_array_that_is_smaller_is_added():
    check_unchanged(
        assign_first_contributions,
        """
        function f(x: mat, y: vec2):
          x_bar: mat = np.zeros_like(x)
          a ~= iadd(x_bar, y)
          return x_bar
        """,
    )


def test_what_passes_through_a_store_stays_where_it_is():
    check(
        lambda fn: elide_copies(assign_first_contributions(fn)),
        """
        function f(x_bar: vec):
          k: slice = slice(1, -1)
          v: inner = getitem(x_bar, k)
          d: inner ~= call_method(v, 'copy')
          n1: none = setitem(x_bar, k, 0.0)
          w: inner = getitem(x_bar, k)
          r ~= add(w, d)
          n2: none = setitem(x_bar, k, r)
          return np.sum(d)
        """,
        """
        function f(x_bar):
          k = slice(1, -1)
          v = getitem(x_bar, k)
          t = sum(v)
          return t
        """,
    )


def test_zeros_are_set_once():
    check(
        assign_first_contributions,
        """
        function f(x_bar: vec, i: int):
          n1: none ~= setitem(x_bar, i, 0.0)
          n2: none ~= setitem(x_bar, i, 0.0)
          return x_bar
        """,
        """
        function f(x_bar, i):
          n1 ~= setitem(x_bar, i, 0.0)
          return x_bar
        """,
    )


# --- shapes --------------------------------------------------------------------------------------------------------------------


def test_what_is_asked_for_its_shape_only_is_not_computed():
    check(
        ask_for_shapes,
        """
        function f(x: vec, n: int):
          a = mul(x, 2.0)
          for i in range(n) ():
            none: none = setitem(a, i, 0.0)
            yield
          a_bar: vec = np.zeros_like(a)
          return a_bar
        """,
        """
        function f(x, n):
          a_bar = zeros_like(x)
          return a_bar
        """,
    )


def test_an_array_of_another_dtype_or_length_is_not_asked():
    check_unchanged(
        ask_for_shapes,
        """
        function f(x: single, y: inner):
          a: vec = call_method(x, 'astype', 'float64')
          a_bar: vec = np.zeros_like(a)
          return a_bar
        """,
    )


# --- algebra -------------------------------------------------------------------------------------------------------------------


def algebra(before, after):
    check(lambda fn: simplify_algebra(simplify_array_algebra(fn)), before, after)


def test_numbers_meet_before_an_array_does():
    algebra(
        """
        function f(x: vec, s: float, t: float):
          a ~= mul(s, x)
          b ~= mul(a, t)
          c ~= neg(b)
          return c
        """,
        """
        function f(x, s, t):
          t_2 ~= mul(s, t)
          t_3 ~= neg(t_2)
          c ~= mul(t_3, x)
          return c
        """,
    )


def test_like_terms_become_one():
    algebra(
        """
        function f(d: vec, nu: float):
          a ~= mul(d, nu)
          b ~= mul(a, 2.0)
          c ~= sub(d, b)
          return c
        """,
        """
        function f(d, nu):
          t ~= mul(2.0, nu)
          t_2 ~= sub(1.0, t)
          c ~= mul(t_2, d)
          return c
        """,
    )


def test_a_common_factor_is_multiplied_once():
    algebra(
        """
        function f(x: vec, y: vec2, z: vec2):
          a ~= mul(x, y)
          b ~= mul(z, x)
          c ~= add(a, b)
          return c
        """,
        """
        function f(x, y, z):
          t ~= add(y, z)
          c ~= mul(x, t)
          return c
        """,
    )


def test_a_sum_of_products_is_a_product_of_vectors():
    algebra(
        """
        function f(x: vec, y: vec2, s: float):
          a ~= mul(s, x)
          b ~= mul(a, y)
          c: float64 ~= np.sum(b)
          return c
        """,
        """
        function f(x, y, s):
          t ~= matmul(x, y)
          c ~= mul(s, t)
          return c
        """,
    )


def test_what_is_negated_to_be_added_is_subtracted():
    check(
        lambda fn: eliminate_dead_code(simplify_array_algebra(fn)),
        """
        function f(x: vec, y: vec):
          w ~= call_method(x, "copy")
          a ~= neg(y)
          t ~= iadd(w, a)
          b ~= neg(y)
          t_2 ~= isub(w, b)
          return w
        """,
        """
        function f(x, y):
          w ~= call_method(x, 'copy')
          t ~= isub(w, y)
          t_2 ~= iadd(w, y)
          return w
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "w ~= call_method(x, 'copy')\n  a ~= neg(x)\n  s = iadd(x, 1.0)\n  t ~= iadd(w, a)\n  return w",  # x has changed
        "w ~= call_method(x, 'copy')\n  a ~= neg(x)\n  t ~= iadd(w, a)\n  return make_tuple(w, a)",  # it is needed
        "a = mul(2.0, x)\n  b = mul(3.0, a)\n  return b",  # the primal is exact
        "a ~= mul(2.0, x)\n  b ~= mul(3.0, a)\n  return make_tuple(a, b)",  # the inner product is needed
        "a ~= mul(2.0, x)\n  t = iadd(x, 1.0)\n  b ~= mul(3.0, a)\n  return b",  # what it was made of has changed
        "a ~= mul(x, row)\n  b: float64 ~= np.sum(a)\n  return b",  # two shapes
        "a ~= mul(z, z)\n  b ~= add(a, x)\n  return b",  # two dtypes
    ],
)
def test_algebra_that_is_not_allowed(text):
    check_unchanged(simplify_array_algebra, f"function f(x: vec, row: row, z: single):\n  {text}")


def test_a_difference_of_an_array_with_itself_is_zeros_of_its_shape():
    algebra(
        """
        function f(x: vec):
          a ~= mul(2.0, x)
          b ~= mul(2.0, x)
          c ~= sub(a, b)
          return c
        """,
        """
        function f(x):
          c ~= zeros_like(x)
          return c
        """,
    )


# --- stores through views ------------------------------------------------------------------------------------------------------


def test_a_part_is_not_stored_into_itself():
    check(
        store_directly,
        """
        function f(x: vec, y: inner2):
          v: inner = getitem(x, slice(1, -1))
          n1: none = setitem(v, Ellipsis, y)
          w: inner = getitem(x, slice(1, -1))
          t = isub(w, y)
          n2: none = setitem(x, slice(1, -1), w)
          return x
        """,
        """
        function f(x, y):
          t = slice(1, -1)
          n1 = setitem(x, t, y)
          t_2 = slice(1, -1)
          w = getitem(x, t_2)
          t_3 = isub(w, y)
          return x
        """,
    )


def test_another_part_is_stored():
    check_unchanged(
        store_directly,
        """
        function f(x: vec):
          w: short = getitem(x, slice(1, None))
          none: none = setitem(x, slice(None, -1), w)
          return x
        """,
    )


# --- all together --------------------------------------------------------------------------------------------------------------


def count_arrays(fn: Function) -> int:
    return sum(1 for node in walk(fn.body) if getattr(node, "function", None) is not None)


def test_the_adjoint_of_a_stencil_is_what_an_expert_writes():
    fn = simplify(
        parse(
            """
            function f(u_bar: vec, v_bar: vec2):
              k: slice = slice(1, -1)
              v: inner2 = getitem(v_bar, k)
              d: inner2 = call_method(v, 'copy')
              n1: none = setitem(v_bar, k, 0.0)
              t ~= truediv(d, 3.0)
              left: slice = slice(None, -2)
              a: inner = getitem(u_bar, left)
              b ~= add(a, t)
              n2: none = setitem(u_bar, left, b)
              w: inner = getitem(u_bar, k)
              q ~= add(w, t)
              n3: none = setitem(u_bar, k, q)
              return None
            """
        ),
        verify=True,
    )
    assert "copy" not in show(fn)
    assert np.array_equal(count_arrays(fn), count_arrays(simplify(fn)))
