"""List displays that functions on arrays read are tuples; those for which that is something else stay lists."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.analysis.analyser import Analyser
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import Call, Constant, walk
from s2sad.ir.operations import make_list
from tests.analysis.test_array_types import NAMES, arguments, array_types, compiled


def lists_in(program: str) -> int:
    kinds, _ = array_types(arguments(3, 4))
    function = Analyser(lower_function).specialise_function(compiled(NAMES, program.split("; ")), kinds).function
    calls = [node for node in walk(function.body) if isinstance(node, Call) and isinstance(node.function, Constant)]
    return sum(call.function.value is make_list for call in calls if isinstance(call.function, Constant))


@pytest.mark.parametrize(
    ("program", "count"),
    [
        ("return np.array([a, n])", 0),
        ("return np.array([[a, n], [n, a]])", 0),
        ("return np.stack([v, w])", 0),
        ("return np.concatenate([v, [a]])", 0),
        ("return np.sum([v, w], axis=0)", 0),
        ("return np.zeros([2, 3])", 0),
        ("return np.tensordot(x, y, axes=([0, 1], [0, 1]))", 0),
        ("return np.maximum([a, a], v[:2])", 0),
        ("q = [v, w]; return np.stack(q)", 0),
        ("q = [v, w]; q.append(v); return np.stack(q)", 1),
        ("q = [v, w]; return np.stack(q) + q[0]", 1),
        ("return x[[0, 1]]", 1),
        ("return x[[0, 1], [1, 0]]", 2),
        ("np.add.at(x, [0, 1], 1.0); return x", 1),
        ("return np.zeros(2, dtype=[('q', float)])", 1),
        ("return sum([a, a])", 1),
        ("return [v, w]", 1),
    ],
)
def test_lists_that_stay(program: str, count: int) -> None:
    assert lists_in(program) == count


def test_what_a_tuple_means() -> None:
    """The functions for which it matters, and some for which it does not."""
    x = np.arange(6.0).reshape(2, 3)
    assert x[[0, 1]].shape != x[(0, 1)].shape
    with pytest.raises(TypeError):
        np.block(((x, x), (x, x)))
    np.testing.assert_array_equal(np.select((x > 1, x > 0), (x, -x)), np.select([x > 1, x > 0], [x, -x]))
    np.testing.assert_array_equal(np.choose((0, 1, 0), (x, -x)), np.choose([0, 1, 0], [x, -x]))
    np.testing.assert_array_equal(np.linalg.multi_dot((x.T, x, x.T)), np.linalg.multi_dot([x.T, x, x.T]))
    np.testing.assert_array_equal(np.pad(x, ((1, 0), (0, 1))), np.pad(x, [[1, 0], [0, 1]]))
    np.testing.assert_array_equal(np.tile(x, (2, 1)), np.tile(x, [2, 1]))
    np.testing.assert_array_equal(np.roll(x, (1, 1), (0, 1)), np.roll(x, [1, 1], [0, 1]))
