"""Objects: what raises as in Python, what is refused by name, and the classes of numbers that casts give."""

import copy
import dataclasses

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import MissingRuleError, UnsupportedSyntaxError


@dataclasses.dataclass(frozen=True)
class State:
    position: float
    velocity: float = 2.0


def written_to(x):
    state = State(x)
    state.position = 3.0
    return state.position * x


def written_to_in_a_branch(x):
    state = State(x)
    if x > 2.0:
        state.position = 3.0
    return state.position * x


def test_a_frozen_dataclass_is_not_written_to():
    for call in (written_to, grad(written_to), value_and_grad(written_to)):
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'position'"):
            call(1.5)
    assert grad(written_to_in_a_branch)(1.5) == 3.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        grad(written_to_in_a_branch)(2.5)


def test_generated_code_makes_frozen_instances_as_their_class_does():
    assert "state = State(x, 2.0)" in grad(written_to_in_a_branch).source(1.5)


def copied_twice(x):
    row = [x, 2.0]
    grid = copy.deepcopy([row, row])
    grid[0][0] = x * x
    return grid[1][0]


def test_a_deep_copy_of_one_list_in_two_places_is_refused():
    with pytest.raises(UnsupportedSyntaxError, match=r"one list in two places, \[0\] and \[1\]"):
        grad(copied_twice)(1.5)


def changes_its_rows(rows, x):
    rows[0][0] *= x
    return rows[0][0] * rows[1][0] * x


def slope(rows, x):
    return grad(changes_its_rows)(rows, x)[0][0]


def test_the_second_derivative_by_one_list_in_two_places_is_refused_by_name():
    row = [2.0, 1.0]
    assert grad(changes_its_rows)([row, row], 3.0) == [[108.0, 0.0], [108.0, 0.0]]  # 2 r x**3
    with pytest.raises(UnsupportedSyntaxError, match=r"rows\[0\] and rows\[1\] are one list, in arguments that .* changes"):
        grad(slope)([row, row], 3.0)
    # r s x**2 by r is s x**2
    assert grad(slope)([[2.0, 1.0], [2.0, 1.0]], 3.0) == [[0.0, 0.0], [9.0, 0.0]]


class Custom:
    def __init__(self, value):
        self.value = value

    def __copy__(self):
        return Custom(2.0 * self.value)


def copied_its_own_way(x):
    return copy.copy(Custom(x)).value


def test_an_object_that_copies_itself_in_its_own_way_is_right_or_refused():
    with pytest.raises(MissingRuleError, match=r"copy\.copy"):
        grad(copied_its_own_way)(1.5)


FACTOR = np.float64(3.0)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: np.float64(x) * x, 3.0),
        (lambda x: np.float32(x) * 2, 2.0),
        (lambda x: float(np.float32(x) * np.float32(3.0)), 3.0),
        (lambda x: x * FACTOR, 3.0),
        (lambda x: np.float64(x), 1.0),
    ],
)
def test_casts_to_numbers_of_numpy(function, expected):
    value, gradient = value_and_grad(function)(1.5)
    assert value == function(1.5)
    assert value.__class__ is function(1.5).__class__
    assert gradient == expected
    assert gradient.__class__ is float
    for cls in (np.float32, np.float64):
        assert grad(function)(cls(1.5)) == expected
        assert grad(function)(cls(1.5)).__class__ is cls
