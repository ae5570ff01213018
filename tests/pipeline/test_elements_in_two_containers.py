"""Lists and arrays that are put from one container into another stay one object, with one adjoint."""

import numpy as np
import pytest

from s2sad import grad


def in_list(p):
    r = [p[0], p[1]]
    return r[0][0] * r[1][0] ** 2


def in_dict(p):
    r = {"a": p[0], "b": p[1]}
    return r["a"][0] * r["b"][0] ** 2


def in_tuple(p):
    r = (p[0], p[1])
    return r[0][0] * r[1][0] ** 2


def in_list_by_append(p):
    r = []
    for part in p:
        r.append(part)
    return r[0][0] * r[1][0] ** 2


def in_two_lists(p):
    r, s = [p[0], p[1]], [p[1]]
    return r[0][0] * r[1][0] * s[0][0]


def in_both(p):
    r = [p[1], p[0]]
    return r[1][0] * p[1][0] * r[0][0]


@pytest.mark.parametrize("p", [[[2.0, 3.0], [5.0, 7.0]], [np.array([2.0, 3.0]), np.array([5.0, 7.0])]], ids=["lists", "arrays"])
@pytest.mark.parametrize("function", [in_list, in_dict, in_tuple, in_list_by_append, in_two_lists, in_both])
def test_elements_put_into_another_container(function, p):
    """Of x y y, where x is 2 and y is 5; the lists gave zero, each holder having had adjoints of its own."""
    assert np.allclose(np.array(grad(function)(p)), [[25.0, 0.0], [20.0, 0.0]])

    def slope(p):
        return grad(function)(p)[0][0]

    assert np.allclose(np.array(grad(slope)(p)), [[0.0, 0.0], [10.0, 0.0]])
