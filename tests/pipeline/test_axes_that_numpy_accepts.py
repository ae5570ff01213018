"""Axes in every form that NumPy accepts, and what functions of stacks of matrices give."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError
from tests.pipeline.test_options_in_variables import by_differences

X = np.array([[0.3, 0.7, 1.1], [0.2, 0.52, -0.4], [1.0, -0.35, 0.9]])


def negative_count(x):
    return np.sum(np.tensordot(x, x * x, axes=-1) ** 2)


def count_of_numpy(x):
    return np.sum(np.tensordot(x, x * x, axes=np.int64(1)) ** 2)


def axes_in_an_array(x):
    return np.sum(np.tensordot(x, x * x, axes=np.array([[1], [0]])) ** 2)


def a_number_and_a_list(x):
    return np.sum(np.tensordot(x, x * x, axes=(-1, [0])) ** 2) + np.sum(np.tensordot(x, x, axes=([], [])))


def ranks_of_a_stack(x):
    ranks = np.linalg.matrix_rank(np.stack([x, x * 0.0, np.outer(x[0], x[1])]))
    return np.sum(ranks * x[:, 0] ** 2) * ranks.shape[0]


def ranks_of_a_stack_of_stacks(x):
    return np.sum(np.linalg.matrix_rank(np.stack([x, x * 0.0]).reshape(2, 1, 3, 3), tol=0.01) * x[0, 0] ** 2)


def rank_of_a_vector(x):
    return np.linalg.matrix_rank(x[0]) * x[0, 0] + np.linalg.matrix_rank(x) * x[1, 1] ** 2


def of_no_axes(x):
    element = np.reshape(x[0, 1:2], ())
    return np.sum(np.median(element, keepdims=True) ** 2) + np.median(np.array(x[0, 0]), keepdims=True) * x[1, 1]


def slopes_along_no_axis(x):
    return len(np.gradient(x, axis=())) + np.sum(x[0] ** 2) * len(np.gradient(x * 0.0, axis=(0, 1)))


PROGRAMS = [
    *(negative_count, count_of_numpy, axes_in_an_array, a_number_and_a_list),
    *(ranks_of_a_stack, ranks_of_a_stack_of_stacks, rank_of_a_vector, of_no_axes, slopes_along_no_axis),
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_axes(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    assert gradient == pytest.approx(by_differences(function, X), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("axis", [(0,), (0, 1)])
def test_slopes_along_several_axes_are_refused(axis):
    with pytest.raises(NonDifferentiableError, match=r"along one axis at a time(.|\n)*File .*test_axes_that_numpy"):
        grad(lambda x: np.sum(np.gradient(x, axis=axis)[0] ** 2))(X)
    if len(axis) > 1:
        with pytest.raises(NonDifferentiableError, match="along one axis at a time"):
            grad(lambda x: np.sum(np.gradient(x, axis=(0, 1))[0] ** 2))(X)
