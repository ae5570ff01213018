"""``x[k] += e`` where only the running program knows whether ``x[k]`` is a number or an array."""

import inspect

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import NonDifferentiableError


def doubled_items(vector, matrix):
    held = [vector, matrix]
    held[0][1] *= 2.0
    held[1][0] *= held[0][1]
    return np.sum(held[0]) + np.sum(held[1])


def test_an_element_and_a_row_are_changed():
    vector, matrix = np.array([3.0, 5.0]), np.array([[1.0, 2.0], [7.0, 11.0]])
    of_vector, of_matrix = grad(doubled_items, argnums=(0, 1))(vector, matrix)
    # v0 + 2 v1 + 2 v1 (m00 + m01) + m10 + m11
    assert of_vector.tolist() == [1.0, 2.0 + 2.0 * (1.0 + 2.0)]
    assert of_matrix.tolist() == [[10.0, 10.0], [1.0, 1.0]]


def test_the_derivative_has_one():
    def summed(vector, matrix):
        of_vector, of_matrix = grad(doubled_items, argnums=(0, 1))(vector, matrix)
        return np.sum(of_vector) + np.sum(of_matrix)

    vector, matrix = np.array([3.0, 5.0]), np.array([[1.0, 2.0], [7.0, 11.0]])
    of_vector, of_matrix = grad(summed, argnums=(0, 1))(vector, matrix)
    assert of_vector.tolist() == [0.0, 4.0]  # of 1 + 2 + 2 (m00 + m01) + 4 v1 + 2
    assert of_matrix.tolist() == [[2.0, 2.0], [0.0, 0.0]]


def test_the_item_is_written_as_a_view():
    assert "held_0[1, ...]" in grad(doubled_items).source(np.ones(2), np.ones((2, 2)))


def test_integers_are_left_alone():
    """A float that is multiplied with an element of an array of integers is cut off, and one with a row raises."""

    def counted(x, counts, table):
        held = [counts, table]
        held[0][0] //= 2
        return np.sum(x) * held[0][0]

    derivative = grad(counted)
    assert derivative(np.ones(2), np.array([7, 3]), np.array([[1, 2]])).tolist() == [3.0, 3.0]
    assert "..." not in derivative.source(np.ones(2), np.array([7, 3]), np.array([[1, 2]]))


def test_a_number_changed_under_its_own_name_is_refused_with_its_place():
    def changed(x, is_whole):
        y = x if is_whole else x[0]
        other = y
        y *= 2.0
        return np.sum(y) * np.sum(other)

    assert grad(changed)(np.array([1.0, 2.0]), True).tolist() == [24.0, 24.0]  # 4 (x0 + x1)^2
    line = inspect.getsourcelines(changed)[1] + 3
    with pytest.raises(NonDifferentiableError, match="a number is changed by an in-place operator") as caught:
        grad(changed)(np.array([1.0, 2.0]), False)
    assert f'  File "{__file__}", line {line}\n    y *= 2.0\n' in str(caught.value)
