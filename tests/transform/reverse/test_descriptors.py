"""Attributes that classes give and take by code: properties are followed, also by `super`; all else is refused."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import S2sadError

X = 1.7


class Shape:
    factor = 2.0
    __slots__ = ("__dict__", "slot")

    def __init__(self, r):
        self.r = r
        self.slot = r * r

    @property
    def size(self):
        return self.r * 2

    @size.setter
    def size(self, value):
        self.r = value * value

    def area(self):
        return self.r * self.r

    @classmethod
    def made(cls, r):
        return cls(r * r)

    @staticmethod
    def tripled(r):
        return r * 3


class Ball(Shape):
    @property
    def size(self):
        return super().size * self.r

    @size.setter
    def size(self, value):
        super(Ball, type(self)).size.fset(self, value * 3)

    def area(self):
        return super().area() * 5

    @classmethod
    def made(cls, r):
        return super().made(r * 3)

    def of_class(self):
        return super().factor * self.r * super().tripled(self.r)

    def function_without_instance(self):
        tripled = super().tripled
        return tripled(self.r) * self.r

    def bound(self):
        area = super().area
        return area()

    def in_slot(self):
        return super().slot * 2


class Sphere(Ball):
    @property
    def size(self):
        return super(Ball, self).size * self.r

    def area(self):
        return super(Ball, self).area()

    def nested(self):
        def scaled(k):
            return super(Ball, self).size * k

        return scaled(self.r)


class Named(Shape):
    @property
    def size(self):
        return self.r

    @size.setter
    def size(self, value):
        Shape.size.fset(self, 2 * value)


def setter_of_super(x):
    ball = Ball(1.0)
    ball.size = x
    return ball.r


def setter_of_base(x):
    named = Named(1.0)
    named.size = x
    return named.r


def setter_of_property(x):
    shape = Shape(1.0)
    Shape.size.fset(shape, x)
    return shape.r


def setter_by_protocol(x):
    shape = Shape(x)
    Shape.size.__set__(shape, x * x)
    return shape.r


def getter_by_protocol(x):
    return Shape.size.__get__(Shape(x), Shape) * x


def own_setattr_method(x):
    shape = Shape(1.0)
    shape.__setattr__("r", x * x)
    return shape.r


def setattr_of_object(x):
    shape = Shape(1.0)
    object.__setattr__(shape, "size", x)
    return shape.r


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: Ball(x).size, 4 * X),
        (lambda x: Ball(x).bound(), 2 * X),
        (lambda x: Ball(x).area(), 10 * X),
        (lambda x: Ball.made(x).r, 18 * X),
        (lambda x: Ball(x).of_class(), 12 * X),
        (lambda x: Ball(x).function_without_instance(), 6 * X),
        (lambda x: Sphere(x).size, 4 * X),
        (lambda x: Sphere(x).area(), 2 * X),
        (lambda x: Sphere(x).nested(), 4 * X),
        (setter_of_super, 18 * X),
        (setter_of_base, 8 * X),
        (setter_of_property, 2 * X),
        (setter_by_protocol, 4 * X**3),
        (getter_by_protocol, 4 * X),
        (own_setattr_method, 2 * X),
        (setattr_of_object, 2 * X),
    ],
)
def test_properties_and_super(function, expected):
    np.testing.assert_allclose(grad(function)(X), expected, rtol=1e-14)


class Squared:
    def __set__(self, owner, value):
        owner.kept = value * value

    def __get__(self, owner, cls=None):
        return owner.kept


class SquaredByName:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __set__(self, owner, value):
        setattr(owner, self.name, value * value)

    def __get__(self, owner, cls=None):
        return getattr(owner, self.name)


class Doubled:
    def __get__(self, owner, cls=None):
        return owner.plain * 2


class Stores:
    def __set__(self, owner, value):
        owner.plain = value * value


class DoubledProperty(property):
    def __get__(self, owner, cls=None):
        return super().__get__(owner, cls) * 2


class Described:
    squared = Squared()
    by_name = SquaredByName()
    doubled = Doubled()
    stores = Stores()

    def __init__(self, plain):
        self.plain = plain

    @DoubledProperty
    def other_property(self):
        return self.plain


class SetByDict:
    def __setattr__(self, name, value):
        self.__dict__[name] = value * 2


class SetByDictFromTheStart(SetByDict):
    def __init__(self, k):
        self.k = k


class SetBySuper:
    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)


class Doubling:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name) * 2


class Updated:
    def __init__(self, **values):
        self.__dict__.update(values)


class ByVars:
    def __init__(self, value):
        vars(self)["k"] = value


class Changing:
    def __init__(self):
        self.change = functools.partial(self.squared)

    def squared(self, shape, value):
        shape.r = value * value


CHANGING = Changing()


def data_descriptor(x):
    described = Described(1.0)
    described.squared = x
    return described.squared


def data_descriptor_with_name(x):
    described = Described(1.0)
    described.by_name = x
    return described.by_name


def stored_elsewhere(x):
    described = Described(x)
    described.stores = x
    return described.plain


def by_dict(x):
    instance = SetByDict()
    instance.k = x
    return instance.k


def by_super(x):
    instance = SetBySuper()
    instance.k = x
    return instance.k


def by_getattribute(x):
    instance = Doubling()
    instance.k = x
    return instance.k


def name_not_known(x):
    shape = Shape(1.0)
    setattr(shape, "r" if x < 0 else "size", x)
    return shape.r


def changed_by_an_object(x):
    shape = Shape(1.0)
    CHANGING.change(shape, x)
    return shape.r


@pytest.mark.parametrize(
    "function",
    [
        data_descriptor,
        data_descriptor_with_name,
        lambda x: Described(x).doubled,
        lambda x: Described(x).other_property,
        stored_elsewhere,
        by_dict,
        lambda x: SetByDictFromTheStart(x).k,
        by_super,
        by_getattribute,
        lambda x: Updated(k=x).k,
        lambda x: ByVars(x).k,
        name_not_known,
        changed_by_an_object,
        lambda x: Ball(x).in_slot(),
    ],
)
def test_what_is_not_followed_is_refused(function):
    function(X)  # Python runs it
    with pytest.raises(S2sadError, match="File"):
        grad(function)(X)
