"""Third derivatives of array programs: the pipeline run on what it made of its own output, against differences of the second."""

import numpy as np
import pytest

from s2sad import grad
from tests.corpus.array_reference import chosen, fresh
from tests.test_corpus_arrays import POINTS, sum_of_gradient, sum_of_parts

STEP = 1e-4


def with_moved(arguments, place, index, distance):
    """Copies of the arguments that lie in memory as these do, with one element moved."""
    moved = [np.array(argument) if isinstance(argument, np.ndarray) else argument for argument in arguments]
    if isinstance(moved[place], np.ndarray):
        moved[place][index] += distance
    else:
        moved[place] = type(moved[place])(moved[place] + distance)
    return moved


def check(label):
    entry, point = POINTS[label]
    second = sum_of_parts(grad(sum_of_gradient(entry), argnums=entry.argnums), entry.argnums)
    arguments, _ = fresh(point)
    third = grad(second, argnums=entry.argnums)(*arguments)
    for part, place in zip(third if isinstance(entry.argnums, tuple) else (third,), chosen(entry, point), strict=True):
        want = np.zeros(np.shape(arguments[place]))
        for index in np.ndindex(want.shape):

            def at(distance, place=place, index=index):
                return second(*with_moved(arguments, place, index, distance))

            near, far = at(STEP) - at(-STEP), at(2 * STEP) - at(-2 * STEP)
            want[index] = (8 * near - far) / (12 * STEP)
        assert np.allclose(part, want, rtol=1e-6, atol=1e-6 * (1 + np.max(np.abs(want), initial=0.0))), f"{part}\n{want}"


@pytest.mark.sampled
@pytest.mark.parametrize(
    "label",
    [
        "inplace-cholesky-0",
        "broadcasting-number_or_array_under_two_names-0",
        "broadcasting-number_or_array_under_two_names-1",
        "inplace-bound_in_a_loop_of_a_callee-1",
        "inplace-bound_in_one_branch_of_a_callee-0",
        "inplace-bound_in_one_branch_of_a_callee-1",
        "inplace-buffers_in_a_global_list-0",
        "inplace-chosen_before_an_update_in_a_callee-1",
        "inplace-copied_by_copyto-0",
        "inplace-gauss_seidel_nonlinear-0",
        "inplace-put-0",
        "inplace-stored_in_one_branch-1",
        "inplace-swapped_in_one_branch-0",
        "inplace-two_buffers_both_changed-0",
        "rules-block-0",
        "views-diagonal-0",
        "views-either_buffer-0",
        "views-either_buffer_by_a_branch-1",
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
