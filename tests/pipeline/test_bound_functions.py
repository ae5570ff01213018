"""`grad` of bound methods and partial functions inside a function, functions with a cache, and sums and extrema of objects."""

import functools

import pytest

from s2sad import check_grads, errors, grad, value_and_grad


class Model:
    def __init__(self, scale):
        self.scale = scale

    def loss(self, x):
        return self.scale * x**2

    def slope(self, x):
        return grad(self.loss)(x) * x

    def newton(self, x):
        for _ in range(3):
            x = x - self.loss(x) / grad(self.loss)(x) * 0.5
        return x

    def both(self, x):
        value, derivative = value_and_grad(self.loss)(x)
        return value * derivative


def made_inside(x, scale):
    model = Model(scale)
    return model.slope(x) + model.both(x) + grad(model.loss)(x * scale)


def product(a, b, c):
    return a * b**2 * c


def partial_functions(x, y):
    given = functools.partial(product, x, c=y)
    both = functools.partial(product, x)
    return grad(given)(x * y) + sum(grad(both, (0, 1))(y, x))


def several_arguments(x, y):
    first, second = grad(lambda p, q: p * q * q * x, (0, 1))(y, x)
    return first * second


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.cache
def scaled_power(x, n):
    return x**n * fibonacci(60)


@functools.cache
def legendre(n, x):
    if n < 2:
        return x if n else 1.0
    return ((2 * n - 1) * x * legendre(n - 1, x) - (n - 1) * legendre(n - 2, x)) / n


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b * other.b)

    def __lt__(self, other):
        return self.a < other.a


def objects_in_order(x, y):
    pairs = [Pair(x, y), Pair(y, x), Pair(x * y, x)]
    total = sum(pairs, Pair(0.0, 1.0))
    return total.a * total.b + min(pairs).b * max(pairs, key=lambda pair: pair.b).a + sorted(pairs)[1].a


@pytest.mark.parametrize(
    ("function", "arguments", "argnums"),
    [
        (Model(2.0).slope, (1.5,), 0),
        (Model(2.0).newton, (1.5,), 0),
        (made_inside, (1.5, 0.5), (0, 1)),
        (partial_functions, (1.5, 0.5), (0, 1)),
        (several_arguments, (1.5, 0.5), (0, 1)),
        (lambda x: scaled_power(x, 3) * x, (1.5,), 0),
        (scaled_power, (1.5, 3), 0),
        (objects_in_order, (1.5, 0.5), (0, 1)),
    ],
)
def test_gradients(function, arguments, argnums):
    check_grads(function, arguments, argnums=argnums)


def test_memoised_recursion_is_refused_and_works_as_advised():
    with pytest.raises(errors.UnsupportedSyntaxError, match="remembers what it gave"):
        grad(legendre, "x")(4, 0.3)

    def with_a_dict(n, x):
        known = {0: 1.0, 1: x}

        def value(n):
            if n in known:
                return known[n]
            known[n] = ((2 * n - 1) * x * value(n - 1) - (n - 1) * value(n - 2)) / n
            return known[n]

        return value(n)

    assert grad(with_a_dict, "x")(4, 0.3) == pytest.approx((140 * 0.3**3 - 60 * 0.3) / 8)


def test_no_arguments_are_asked_for():
    assert grad(product, ())(1.0, 2.0, 3.0) == ()


class Slotted:
    __slots__ = ("a", "best")

    def __init__(self, a):
        self.a = a
        self.best = None


class MoreSlots(Slotted):
    __slots__ = "b"

    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


def objects_with_slots(xs):
    objects = [MoreSlots(x, x * x) for x in xs]
    best = max(objects, key=lambda one: one.a)
    for one in objects:
        one.best = best
        one.b += one.best.a * one.a
    best.a *= 2
    return sum(one.b * one.best.a for one in objects)


def test_the_shadow_of_an_object_with_slots():
    check_grads(objects_with_slots, ([1.5, 2.0, 0.5],), argnums=0)
