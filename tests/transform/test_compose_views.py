"""A sum that keeps an axis, and whose axis is dropped later, is made where it was: what it reads may change in between."""

import operator

import numpy as np
import pytest

from s2sad import grad
from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
from s2sad.ir.types import NONE, ArrayType, Extent
from s2sad.transform.compose_views import compose_views

M = np.array([[0.917, 0.667], [1.333, 0.223]])


def row_of_an_array_kept_elsewhere(m, factor):
    b = m * 1.0
    b += factor
    np.multiply(b * factor, m, out=m, where=m < 0.4)
    b[:, :-1] = np.ones((2, 1)) * m[:, -1][:, None]
    return np.sum(m) + np.sum(b)


def column_overwritten_twice(m, factor):
    b = m * factor
    np.multiply(b, m, out=m, where=m < 0.4)
    b[:, :1] = np.ones((2, 1)) * m[:, 0][:, None]
    b[:, 1:] = np.ones((2, 1)) * m[:, -1][:, None]
    return np.sum(m) + np.sum(b * b)


def rows_overwritten(m, factor):
    b = m * factor
    np.multiply(b, m, out=m, where=m < 0.4)
    b[:1] = np.ones((1, 2)) * m[0][None, :]
    return np.sum(m) + np.sum(b * b)


@pytest.mark.parametrize("program", [row_of_an_array_kept_elsewhere, column_overwritten_twice, rows_overwritten])
@pytest.mark.parametrize("which", [0, 1])
def test_the_gradient_is_the_one_of_differences(program, which):
    def value(m, factor):
        return program(m.copy(), factor)

    found = grad(program, which)(M, 0.7)
    for place in np.ndindex(np.shape(found)):
        step = np.zeros(np.shape(found))
        step[place] = 1e-6
        above, below = ((M + step, 0.7), (M - step, 0.7)) if which == 0 else ((M, 0.7 + step), (M, 0.7 - step))
        difference = (value(*map(np.float64, above)) - value(*map(np.float64, below))) / 2e-6
        np.testing.assert_allclose(np.asarray(found)[place], difference, rtol=1e-7)


def test_the_sum_stands_where_the_array_has_the_elements_that_it_sums():
    n = Extent("n")
    x, s, t = (
        Value("x", ArrayType("float64", (n, n))),
        Value("s", ArrayType("float64", (n, 1))),
        Value("t", ArrayType("float64", (n,))),
    )
    calls = (
        Call(s, Constant(np.sum), (x,), (("axis", Constant(1)), ("keepdims", Constant(value=True))), exact=False),
        Call(Value("", NONE, temporary=True), Constant(operator.setitem), (x, Constant(slice(None)), Constant(0.0)), exact=False),
        Call(t, Constant(operator.getitem), (s, Constant((slice(None), 0))), exact=False),
    )
    new = compose_views(Function("f", (Parameter(x),), Block(calls, Return(t))))
    assert [call.function.value for call in new.body.operations] == [np.sum, operator.setitem]
    assert new.body.operations[0].result is t
