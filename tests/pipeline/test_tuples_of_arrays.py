"""Tuples of arrays that go to a function: what it keeps views of counts (it was lost), and nothing counts twice."""

import numpy as np
import pytest

from s2sad import value_and_grad

X = np.array([0.3, -0.4, 0.7, 1.1, -0.9])
M = np.linspace(-1.0, 1.3, 12).reshape(3, 4) ** 3 + 0.1


def joined(arrays):
    return np.concatenate([np.atleast_1d(a) for a in arrays], -1)


def views_kept(x):
    return np.sum(joined((x, 2.0 * x, x[0])) ** 2 * np.arange(11.0))


def tails(arrays):
    parts = []
    for a in arrays:
        parts.append(a[1:])
    return parts


def of_a_tuple_made_before(x):
    both = (x, x * x)
    parts = tails(both)
    return np.sum(parts[0] * parts[1]) + np.sum(both[1])


def first_of_pairs(pairs):
    return [a.reshape(-1) for a, _ in pairs][1]


def nested(x):
    pairs = ((x, x * 3.0), (x * 2.0, x[1:]))
    return np.sum(first_of_pairs(pairs) ** 2) + np.sum(pairs[1][1])


def doubled_in_place(arrays):
    for a in arrays:
        a *= 2.0
    return arrays[0][1:]


def changed(x):
    y, z = x * 1.0, x * x
    part = doubled_in_place((y, z))
    part += z[1:]
    return np.sum(y**2) + np.sum(z)


def mixed(x):
    y = x * 1.0
    y[0] = 2.0
    parts = tails((x, y))
    y[2] = x[1]
    return np.sum(parts[0] * parts[1]) + np.sum(joined((y, x)))


def in_a_loop(x):
    s = 0.0
    for k in range(3):
        s += np.sum(tails((x, x * k))[1] ** 2)
    return s


def blocks(x):
    return np.sum(np.block([[np.outer(x, x), x[:, None]], [x, 1.0]]) ** 2) + np.sum(np.block([x, 2.0 * x, x[0]]) ** 3)


def blocks_of_a_determinant(x):
    eye = np.eye(2)
    return np.linalg.det(np.block([[eye * x[0], np.zeros((2, 2))], [np.ones((2, 2)) * x[1], eye * x[2]]]))


def lists_of_numbers(x):
    numbers = x.tolist()
    numbers.append(numbers[0] * numbers[1])
    numbers[0] = 2.0
    return sum(numbers) + np.sum(x * x) + sum(sum(row) for row in (M * x[0]).tolist()) ** 2


def the_same_twice(x):
    y = x * x
    return np.sum(joined((y, x, y)) ** 2 * np.arange(15.0)) + np.sum(np.block([[x, y], [y, x]]) ** 2 * np.arange(10.0))


@pytest.mark.parametrize(
    "function",
    [
        *(views_kept, of_a_tuple_made_before, nested, changed, mixed, in_a_loop, blocks, blocks_of_a_determinant, the_same_twice),
        lists_of_numbers,
    ],
)
def test_tuples_of_arrays(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = np.zeros(5)
    for i in range(5):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = step * 1e-3 * np.eye(5)[i]
            expected[i] += weight * (function(X + change) - function(X - change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)
