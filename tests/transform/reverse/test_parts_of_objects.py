"""Functions that return arrays out of objects and containers, or parts of these: the caller changes what it gets."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import value_and_grad
from s2sad.testing.check_grads import check_grads

X = np.array([0.371, 1.213, -0.643, 0.817, -1.337, 0.979])


class Owner:
    """An array, parts of it in a dict and a list, and ways to them."""

    def __init__(self, a):
        self.a = a
        self.parts = {"k": a[1:]}
        self.items = [a, a[2:]]

    @property
    def head(self):
        return self.a[:2]

    def view(self):
        return self.a[:3]

    def whole(self):
        return self.a

    def part(self):
        return self.parts["k"]

    def item(self, i):
        return self.items[i]

    def pair(self):
        return self.a[::2], self.items[1]

    def listed(self):
        return [self.a[:2], self.a]

    def named(self):
        return {"x": self.a[:2]}

    def chosen(self, k):
        return self.a[:2] if k else self.items[1]

    def early(self, k):
        if k:
            return self.a[:2]
        return self.parts["k"]

    def itself(self):
        return self


def first_of_tuple(t):
    return t[0][1:]


def nested(items):
    return items[0]["z"][1]


def changed(v, x):
    v *= x[0]
    v[0] = x[2] * v[1]


CHANGES = {
    "property": lambda o, x: changed(o.head, x),
    "view": lambda o, x: changed(o.view(), x),
    "whole": lambda o, x: changed(o.whole(), x),
    "in_a_dict": lambda o, x: changed(o.part(), x),
    "in_a_list": lambda o, x: changed(o.item(1), x),
    "pair": lambda o, x: changed(o.pair()[1], o.pair()[0] * x[:3]),
    "new_list": lambda o, x: changed(o.listed()[0], o.listed()[1]),
    "new_dict": lambda o, x: changed(o.named()["x"], x),
    "one_arm": lambda o, x: changed(o.chosen(1), x),
    "other_arm": lambda o, x: changed(o.chosen(0), x),
    "early_return": lambda o, x: changed(o.early(1), x),
    "late_return": lambda o, x: changed(o.early(0), x),
    "itself": lambda o, x: changed(o.itself().itself().view(), x),
    "tuple": lambda o, x: changed(first_of_tuple((o.a, 1)), x),
    "dict_in_a_list": lambda o, x: changed(nested([{"z": [x, o.a]}]), x),
}


@pytest.mark.parametrize("name", CHANGES)
def test_parts_changed_by_the_caller(name):
    change = CHANGES[name]

    def function(x):
        y = x * x
        owner = Owner(y)
        change(owner, x)
        owner.head[1] *= x[1]
        return np.sum(y * y * x)

    assert check_grads(function, (X,)).ok
    assert value_and_grad(function)(X)[0] == function(X)
