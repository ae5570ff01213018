"""What a rule refuses is refused with the place of the user's call, when code is generated or when it runs."""

import numpy as np
import pytest
from numpy.lib import NumpyVersion

from s2sad import grad
from s2sad.errors import NonDifferentiableError

NUMPY_REFUSES_PAIRS = NumpyVersion(np.__version__) >= "2.5.0"
X = np.array([0.53, -0.71, 0.92, 1.23, -0.33])


def of_pairs(x):
    return np.sum(np.cross(x[:2], x[2:4]) ** 2)


def of_vectors_without_singular_values(x):
    _, _, right = np.linalg.svd(np.outer(x[:2], x) + np.eye(2, 5))
    return np.sum(right**3)


def of_diagonals_that_go_on(x):
    y = np.outer(x, x[:2])
    np.fill_diagonal(y, x[0], wrap=True)
    return np.sum(y * y)


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors are deprecated")
@pytest.mark.parametrize(
    ("function", "what", "where"),
    [
        pytest.param(
            of_pairs,
            "np.cross() has a derivative for vectors of three numbers",
            "np.cross(x[:2], x[2:4])",
            marks=pytest.mark.skipif(NUMPY_REFUSES_PAIRS, reason="this NumPy has no product of pairs"),
        ),
        (of_vectors_without_singular_values, "has a derivative with full_matrices=False", "np.linalg.svd("),
        (of_diagonals_that_go_on, "np.fill_diagonal() has a derivative for one diagonal", "np.fill_diagonal(y, x[0], wrap=True)"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_guards_show_the_place_of_the_call(function, what, where):
    with pytest.raises(NonDifferentiableError) as caught:
        grad(function)(X)
    message = str(caught.value)
    assert what in message
    assert where in message
    assert __file__ in message
    assert message.rstrip().endswith("^")


@pytest.mark.skipif(not NUMPY_REFUSES_PAIRS, reason="this NumPy has a product of pairs, which is refused by name")
def test_what_numpy_refuses_itself_is_told_in_its_words():
    with pytest.raises(ValueError, match="3-dimensional vectors"):
        grad(of_pairs)(X)


def test_a_guard_that_holds_only_for_other_arrays_does_not_stand_in_the_way():
    def of_triples(x):
        return np.sum(np.cross(x[:3], x[2:5]) ** 2)

    assert grad(of_triples)(X).shape == X.shape
