"""One arm adds to an adjoint as a value, and the other in place: what comes after both."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad

X = np.array([0.817, 0.567, 1.233, 0.123])
M = np.array([[1.079, 1.213, 0.937], [0.687, 1.353, 0.243], [-0.017, -1.167, -0.631]])


def leaves_from_one_arm(x, m):
    u = np.sum(m * m)
    if np.max(x) > 0.1:
        if x[0] > 0.5:
            return u * 0.5 + np.sum(m * np.linspace(0.2, 0.9, 3))
        x[:] = m[-1, 2]
    return np.sum(x * x) + np.sum(m * m) + u


def number_in_one_arm(x, m):
    u = np.sum(m * m * m)
    if np.max(x) > 0.1:
        if x[0] > 0.5:
            return np.sum(m) * x[1] + u
        x[:] = m[-1, 2]
    return np.sum(x * x) + np.sum(m * m) + u


def row_in_one_arm(x, m):
    u = np.sum(m * m * m)
    if x[0] > 0.5:
        y = 2.0 * np.sum(m * x[:3])
    else:
        x[:] = m[1, 2]
        y = np.sum(x * x)
    return y + u + m[0, 0]


def arms_in_a_loop(x, m):
    y = 0.0
    for k in range(2):
        if x[k] > 0.5:
            y += np.sum(m) * x[1]
        else:
            for i in range(3):
                y += m[i, k] ** 2 * x[0]
    return y + np.sum(m**3)


@pytest.mark.parametrize("program", [leaves_from_one_arm, number_in_one_arm, row_in_one_arm, arms_in_a_loop])
@pytest.mark.parametrize("shift", [0.0, -0.4, -1.5])
def test_adjoints_after_two_arms(program, shift):
    s2sad.check_grads(program, (X + shift, M))
