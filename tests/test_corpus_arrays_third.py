"""Third derivatives of array programs: the pipeline run on what it made of its own output, against differences of the second."""

import inspect

import numpy as np
import pytest

from s2sad import grad
from tests.corpus.array_reference import fresh
from tests.test_corpus_arrays import POINTS

STEP = 1e-4


def total_of(function, argnums):
    """The sum of all that a gradient gives."""
    if not isinstance(argnums, tuple):
        return lambda *arguments: np.sum(function(*arguments))

    def total(*arguments):
        first, second = function(*arguments)
        return np.sum(first) + np.sum(second)

    return total


def with_moved(arguments, place, index, distance):
    """Copies of the arguments that lie in memory as these do, with one element moved."""
    moved = [np.array(argument) if isinstance(argument, np.ndarray) else argument for argument in arguments]
    moved[place][index] += distance
    return moved


def check(label):
    entry, point = POINTS[label]
    argnums = entry.argnums
    second = total_of(grad(total_of(grad(entry.function, argnums), argnums), argnums=argnums), argnums)
    arguments, _ = fresh(point)
    third = grad(second, argnums=argnums)(*arguments)
    names = list(inspect.signature(entry.function).parameters)
    places = argnums if isinstance(argnums, tuple) else (argnums,)
    for part, given in zip(third if isinstance(argnums, tuple) else (third,), places, strict=True):
        place = names.index(given) if isinstance(given, str) else given
        want = np.zeros(np.shape(arguments[place]))
        for index in np.ndindex(want.shape):

            def at(distance, place=place, index=index):
                return second(*with_moved(arguments, place, index, distance))

            near, far = at(STEP) - at(-STEP), at(2 * STEP) - at(-2 * STEP)
            want[index] = (8 * near - far) / (12 * STEP)
        assert np.allclose(part, want, rtol=1e-6, atol=1e-6 * (1 + np.max(np.abs(want)))), f"{part}\n{want}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "label",
    [
        "inplace-cholesky-0",
        "inplace-chosen_before_an_update_in_a_callee-1",
        "views-diagonal-0",
        "views-either_buffer-0",
        "views-long_chain_of_views-0",
        "views-pack_and_unpack-0",
        "views-ravel_by_columns-0",
        "views-ravel_in_a_loop-0",
        "views-row_kept_from_a_loop-0",
        "views-scratch_of_views-0",
        "views-tuples_for_a_callee-0",
        "views-two_names-0",
        "views-view_or_copy-0",
        "views-view_or_copy-1",
        "views-views_from_a_callee-0",
        "views-views_in_attributes-0",
    ],
)
def test_third_derivative(label):
    check(label)
