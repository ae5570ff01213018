"""Methods that are defined anew are noticed, and attributes that hide them."""

import pytest

from s2sad import grad


def make_class():
    class Spring:
        weight = 2.0

        def force(self, x):
            return x * self.weight

        def __add__(self, x):
            return x * self.weight

        @staticmethod
        def law(x):
            return x

        def energy(self, x):
            return self.force(x) + self.law(x) + (self + x)

    return Spring


@pytest.mark.parametrize(("name", "expected"), [("force", 5.0 - 2.0 + 12.0), ("__add__", 5.0 - 2.0 + 12.0)])
def test_a_method_that_is_defined_anew(name, expected):
    cls = make_class()
    gradient = grad(cls().energy)
    assert gradient(3.0) == 5.0
    setattr(cls, name, lambda self, x: x * x * self.weight)
    assert [gradient(3.0), gradient(3.0)] == [expected, expected]


def test_a_static_method_that_is_defined_anew():
    cls = make_class()
    gradient = grad(cls().energy)
    assert gradient(3.0) == 5.0
    cls.law = staticmethod(lambda x: x * x)
    assert gradient(3.0) == 4.0 + 6.0


def test_an_attribute_hides_a_method():
    instance = make_class()()
    gradient = grad(instance.energy)
    assert gradient(3.0) == 5.0
    instance.force = lambda x: 9 * x
    assert gradient(3.0) == 9.0 + 1.0 + 2.0
