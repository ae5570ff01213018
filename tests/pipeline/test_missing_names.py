"""Names that stand for nothing: NameError where Python raises it, and nowhere else."""

import pytest

from s2sad import grad

factor = 2.0


def helper(x):
    return x * x


def by_factor(x):
    return x * factor


def by_helper(x):
    return helper(x) * x


def by_nothing(x, flag):
    if flag:
        return x * nothing_of_this_name(x)  # noqa: F821
    return x * x


def caught(x):
    try:
        y = x * nothing_of_this_name
    except NameError:
        y = x * x * x
    return y


@pytest.mark.parametrize(("function", "name"), [(by_factor, "factor"), (by_helper, "helper")])
def test_a_name_that_is_deleted(function, name, monkeypatch):
    derivative = grad(function)
    before = derivative(1.5)
    with monkeypatch.context() as patch:
        patch.delitem(globals(), name)
        for call in (derivative, grad(function), function):
            with pytest.raises(NameError, match=f"name '{name}' is not defined"):
                call(1.5)
        patch.setitem(globals(), name, 4.0 if name == "factor" else lambda x: 3.0 * x)
        assert derivative(1.5) == (4.0 if name == "factor" else 9.0)
    assert derivative(1.5) == before


def test_a_name_that_is_not_read():
    assert grad(by_nothing)(1.5, False) == 3.0
    with pytest.raises(NameError, match="nothing_of_this_name"):
        grad(by_nothing)(1.5, True)
    assert grad(caught)(1.5) == 6.75
