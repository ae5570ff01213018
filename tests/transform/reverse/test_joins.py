"""Values of several types that come together: the derivative is right, or refused with a way out; against differences."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import S2sadError
from s2sad.testing.check_grads import check_grads

X = np.array([0.371, 1.213, -0.643, 0.817, -1.337, 0.979])


class State:
    """Attributes for a program to set."""


def list_or_array_stored(x, c):
    items = [x[0], x[1]]
    v = items if c else np.reshape(items, (2,))
    y = x * x
    y[[0, 1]] = v
    return np.sum(y)


def list_or_array_changed(x, c):
    items, y = [x[0], x[1]], x * x
    v = items if c else y
    v[0] = x[3]
    return y[0] + items[0] * 2


def dict_or_list(x, c):
    v = {0: x[0]} if c else [x[1]]
    return v[0] * x[2]


def list_that_becomes_an_array(x, c):
    v = [x[0], x[1]]
    for _ in range(c + 1):
        v = np.array(v) * x[2]
    return v[0] * v[1]


def results_of_several_types(x, c):
    def some(k):
        if k == 0:
            return x
        return [x[0], x[1]]

    return np.sum(some(c)) * x[2]


def active_number_in_a_dict_of_arrays(x, c):
    d = {"a": x * 2, "b": x * 3}
    if c:
        d["b"] = x[0]
    return np.sum(d["a"] * d["b"])


def active_number_in_a_list_of_arrays(x, c):
    items = [1.0]
    items.append(x * 2)
    for i in range(c):
        items.append(x[i])
    s = 0.0
    for e in items:
        s += np.sum(e * e)
    return s * np.sum(items[0] * items[-1])


@pytest.mark.parametrize("c", [0, 1])
@pytest.mark.parametrize(
    "function",
    [
        list_or_array_stored,
        list_or_array_changed,
        dict_or_list,
        list_that_becomes_an_array,
        results_of_several_types,
    ],
)
def test_what_has_no_one_type_is_refused(function, c):
    with pytest.raises(S2sadError, match="here"):
        grad(function)(X, c)


def active_number_in_an_attribute(x, c):
    state = State()
    state.v = x * x
    if c:
        state.v = x[0]
    return np.sum(state.v * x)


def number_or_array(x, c):
    v = x[0] if c else x[2:4]
    return np.sum(x[:2] * v * v)


def zero_that_becomes_an_array(x, c):
    d, state = {"m": 0.0}, State()
    state.v = 0
    for i in range(c):
        d["m"] = 0.9 * d["m"] + x
        state.v = state.v + d["m"] * x[i]
    return np.sum(d["m"] * x) + np.sum(state.v)


def zero_in_a_list_of_arrays(x, c):
    kept, t = [], 0.0
    for i in range(c):
        t = t + x * i
        kept.append(t)
    return sum(e @ e for e in kept) + np.sum(t)


def either_number_of_axes(x, c):
    y = x * x
    v = y if c else y.reshape(2, 3)
    z = v[-1]
    v[0] = x[2]
    v[-1] = np.sum(z) * z
    return np.sum(v * v) + np.sum(z) * x[0]


def rows_or_numbers(x, c):
    y = x * x
    v = y if c else y.reshape(2, 3)
    s = 0.0
    for part in v:
        s += np.sum(part * part) * np.sum(v[0])
    return s


def several_keys(x, c):
    y = (x * x).reshape(2, 3)
    key = 1 if c else slice(0, 2)
    w = y[key]
    w *= x[0]
    y[key] += x[1]
    return np.sum(w * w) + np.sum(y)


def slice_or_indices(x, c):
    y = x * x
    key = slice(1, 3) if c else np.array([0, 2])
    w = y[key]
    w *= x[0]
    y[key] += x[1]
    return np.sum(w * w) + np.sum(y)


def itself_or_its_ravel(x, c):
    y = (x * x).reshape(2, 3)[:, ::-1] if c else (x * x).reshape(2, 3)
    z = y.ravel()
    v = z if c else x * 3.0
    v[0] = 2.0 * x[1]
    z *= v
    return np.sum(y * y) + np.sum(v * z)


def integers_or_reals(x, c):
    v = x * 2 if c else np.arange(6)
    v = v * x
    w = np.zeros(6)
    w += v
    return np.sum(v * w)


def integers_in_a_loop(x, c):
    p = np.arange(6)
    for _ in range(c):
        p = p * x
    w = p[1:] * x[1:]
    return np.sum(w * w)


def integer_factor(x, c):
    v = np.arange(6) if c else x
    t = v * 2
    return np.sum(t[1:] * t[:-1] * x[0])


@pytest.mark.parametrize("c", [0, 1, 2])
@pytest.mark.parametrize(
    "function",
    [
        active_number_in_a_dict_of_arrays,
        active_number_in_a_list_of_arrays,
        active_number_in_an_attribute,
        number_or_array,
        zero_that_becomes_an_array,
        zero_in_a_list_of_arrays,
        either_number_of_axes,
        rows_or_numbers,
        several_keys,
        slice_or_indices,
        itself_or_its_ravel,
        integers_or_reals,
        integers_in_a_loop,
        integer_factor,
    ],
)
def test_what_may_be_several_things(function, c):
    assert check_grads(function, (X, c)).ok
    assert value_and_grad(function)(X, c)[0] == function(X, c)


def aliased_sum_from_zero(x, c):
    t = 0.0 if c else x * 1.0
    for i in range(2):
        t += x * i
        if i == 0:
            k = t
    t += x[0]
    return np.sum(t * x) + np.sum(k)


def attribute_from_zero(x, c):
    state = State()
    state.m = 0 if c else x * x
    state.m += x
    return np.sum(state.m * x)


@pytest.mark.parametrize("function", [aliased_sum_from_zero, attribute_from_zero])
def test_a_number_that_is_changed_in_place_as_an_array_is_refused_when_it_runs(function):
    assert check_grads(function, (X, 0)).ok
    with pytest.raises(S2sadError, match="a number is changed by an in-place operator"):
        grad(function)(X, 1)


def either_precision(x, c):
    w = np.zeros(6, dtype=np.float32) if c else np.zeros(6)
    w += x * x
    return np.sum(w * w)


@pytest.mark.parametrize("c", [0, 1])
def test_an_update_keeps_the_precision_that_the_array_has_when_it_runs(c):
    value, gradient = value_and_grad(either_precision)(X, c)
    assert value == either_precision(X, c)
    np.testing.assert_allclose(gradient, 4 * X**3, rtol=1e-6)


def number_with_two_names(x, c):
    v = x[0] if c else x[2:4] * 1.0
    w = v
    v += x[1]
    return np.sum(v * w)


def test_a_number_with_another_name_is_not_changed_with_it():
    assert check_grads(number_with_two_names, (X, 0)).ok
    with pytest.raises(S2sadError, match="a number is changed by an in-place operator"):
        grad(number_with_two_names)(X, 1)
