"""Functions that make, change, and give back arrays, parts of them, or parts of what they were given, against differences."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.testing.check_grads import check_grads

X = np.array([1.0, 2.0, -3.0, 0.5])


def changed_by_its_name(x):
    y = x * 2
    y += x
    return y


def part(x):
    y = x * x
    y[0] = x[1]
    return y[1:]


def changed_part(x):
    y = x * x
    y *= x
    z = y[::2]
    z *= 2.0
    return z


def changed_by_element(x):
    y = x * x
    y[0] = 3.0 * x[2]
    return y


def copied_and_changed(x):
    x = x.copy()
    x *= x
    return x


def part_of_argument(x):
    return x[1:]


def transposed(x):
    y = np.zeros((2, 2))
    y[:] = x.reshape(2, 2)
    return y.T


def reshaped(x):
    y = x * 3.0
    y[1] = y[0] * 2
    return y.reshape(2, 2)


def either(x):
    y = x * 2.0
    z = y[::-1]
    z[0] *= 3.0
    return z if x[0] > 0 else y


def changed_in_one_branch(x):
    y = x * x
    if x[0] > 0:
        y += x
    return y


def another_in_one_branch(x):
    y = x * x
    if x[0] > 0:
        y[1] += x[0]
    else:
        y = x * 2.0
    return y


def changed_in_a_loop(x):
    y = x * x
    for i in range(3):
        y[i] += x[0]
    return y


def whole_changed_in_a_loop(x):
    y = x * x
    for i in range(3):
        y *= x
    return y


def made_in_branches(x):
    if x[0] > 0:
        y = np.zeros_like(x)
        y[1] += x[0] * x[1]
        z = y
    else:
        z = np.ones_like(x)
    return z


def returned_early(x):
    y = np.zeros_like(x)
    if x[0] > 0:
        y[0] += x[1] * 2
        y[1] += x[0] * x[2]
        return y
    y[0] = 1.0
    return y


MAKERS = [
    changed_by_its_name, part, changed_part, changed_by_element, copied_and_changed, part_of_argument, transposed, reshaped,
    either, changed_in_one_branch, another_in_one_branch, changed_in_a_loop,
    whole_changed_in_a_loop, made_in_branches, returned_early,
]  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
def test_what_a_function_gives(maker):
    def cubes(x):
        r = maker(x)
        return np.sum(r * r * r)

    def in_a_loop(x):
        s = 0.0
        for k in range(3):
            r = maker(x * (k + 1))
            s += np.sum(r * r)
        return s

    def changed_by_the_caller(x):
        y = x * 2.0
        r = maker(y)
        r *= y[0]
        return np.sum(y * y) + np.sum(r * r)

    for function in (cubes, in_a_loop, changed_by_the_caller):
        for x in (X, -X):
            assert check_grads(function, (x,)).ok


def given_back(x, out):
    out[:] = x * x
    return out


def two_names(x):
    y = x * x
    y[1] = 0.0
    return y, y[1:]


def fills_and_changes(x):
    buffer = np.zeros(4)
    r = given_back(x, buffer)
    r[0] *= 2
    return np.sum(buffer * r)


def changes_one_of_two_names(x):
    a, b = two_names(x)
    b[0] = a[3] * 2
    return np.sum(a * a) + b[1]


def changes_a_part_of_what_it_gave(x):
    y = x * 2
    r = part_of_argument(y)
    r *= y[0]
    return np.sum(y * y)


@pytest.mark.parametrize("function", [fills_and_changes, changes_one_of_two_names, changes_a_part_of_what_it_gave])
def test_arrays_that_have_names_here_and_there(function):
    assert check_grads(function, (X,)).ok
