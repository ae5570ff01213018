"""The text of a derivative is a module: it imports what it calls, wherever that stands."""

import sys
import types

import numpy as np
import pytest

from s2sad import grad


def total_of_list(x):
    return sum(x.tolist())


def scalars(x):
    return sum(item * item for item in x)


@pytest.mark.parametrize(("function", "expected"), [(total_of_list, [1.0, 1.0]), (scalars, [2.0, 4.0])])
def test_functions_of_the_package(function, expected):
    namespace = {}
    x = np.array([1.0, 2.0])
    exec(grad(function).source(x), namespace)
    np.testing.assert_array_equal(namespace[f"{function.__name__}_adjoint"](x), expected)


@pytest.fixture
def other_module(tmp_path, monkeypatch):
    path = tmp_path / "decay_of_others.py"
    path.write_text("def rate(n):\n    total = 0\n    while n > 0:\n        total += n\n        n -= 1\n    return total\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("decay_of_others")
    sys.modules.pop("decay_of_others", None)


def test_functions_of_another_module(other_module):
    def scaled(x, n):
        return x * other_module.rate(n)

    source = grad(scaled).source(2.0, 3)
    assert isinstance(other_module, types.ModuleType)
    namespace = {}
    exec(source, namespace)
    assert namespace["scaled_adjoint"](2.0, 3) == 6.0
