"""Lists whose length is not known, starred into parameters, and classes that take any number of arguments."""

import typing

import pytest

from s2sad import check_grads, errors, grad


def three(a, b, c):
    return a * b - c * a


def powers(x, n):
    items = []
    for k in range(n):
        items.append(x ** (k + 1))
    return items


def all_three(x, n):
    return three(*powers(x, n))


def the_last_two(x, n):
    return three(x, *powers(x, n))


def with_a_keyword(x, n):
    return three(*powers(x, n), c=x)


def handed_on(x, n):
    def inner(*parts):
        return three(*parts)

    return inner(*(x + k for k in range(n)))


def rows(matrix, x):
    return sum(three(*row) * x for row in matrix)


class Vector:
    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c

    def dot(self, a, b, c):
        return self.a * a + self.b * b + self.c * c


def object_and_method(xs):
    return Vector(*xs).dot(*[x * x for x in xs])


def lambdas(xs):
    product = lambda a, b: a * b - b
    return product(*xs) + (lambda *all, **named: sum(all) * named["scale"])(*xs, scale=xs[0])


class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __call__(self, x):
        value = 0.0
        for coefficient in reversed(self.coefficients):
            value = value * x + coefficient
        return value

    def __len__(self):
        return len(self.coefficients)

    def __mul__(self, other):
        product = [0.0] * (len(self) + len(other) - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                product[i + j] += a * b
        return Polynomial(*product)

    def derivative(self):
        return Polynomial(*[k * c for k, c in enumerate(self.coefficients)][1:])


def product_of_polynomials(x, y):
    p = Polynomial(x, y, 2.0)
    return (p * p)(x) + p.derivative()(y)


class State(typing.NamedTuple):
    position: float
    velocity: float = 2.0

    @property
    def energy(self):
        return self.position**2 + self.velocity**2

    def later(self, time):
        return State(self.position + time * self.velocity, self.velocity)


def moved(state, time):
    return state.later(time).energy * state.energy


def columns(matrix, x):
    turned = [list(column) for column in zip(*matrix)]
    return turned[0][1] * x + sum(a * b for a, b in zip(turned[1], matrix[0]))


def fitted_slope(points):
    xs, ys = zip(*points)
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / sum((x - x_mean) ** 2 for x in xs)


def largest_of_columns(x, n):
    matrix = [[x * i + j for j in range(3)] for i in range(n)]
    return sum(max(column) for column in zip(*matrix)) + len(list(zip(*matrix))) + max(*[x, x * n])


@pytest.mark.parametrize(
    ("function", "arguments", "argnums"),
    [
        (columns, ([[1.0, 2.0], [3.0, 4.0]], 2.0), (0, 1)),
        (fitted_slope, ([(1.0, 2.0), (2.0, 3.5), (4.0, 3.0)],), 0),
        (largest_of_columns, (1.5, 3), 0),
        (largest_of_columns, (1.5, 0), 0),
        (all_three, (1.5, 3), 0),
        (the_last_two, (1.5, 2), 0),
        (with_a_keyword, (1.5, 2), 0),
        (handed_on, (1.5, 3), 0),
        (rows, ([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]], 2.0), (0, 1)),
        (object_and_method, ([1.0, 2.0, 3.0],), 0),
        (lambdas, ([1.0, 3.0],), 0),
        (product_of_polynomials, (1.5, 0.5), (0, 1)),
        (lambda position, velocity, time: moved(State(position, velocity), time), (1.5, 0.5, 0.25), (0, 1, 2)),
    ],
)
def test_gradients(function, arguments, argnums):
    check_grads(function, arguments, argnums=argnums)


def test_another_length_is_an_error():
    with pytest.raises((TypeError, ValueError)):
        grad(all_three)(1.5, 2)


def test_several_lengths_that_fit_are_refused():
    def scaled(a, b=2.0):
        return a * b

    with pytest.raises(errors.UnsupportedSyntaxError, match="how many arguments there are"):
        grad(lambda x, n: scaled(*powers(x, n)))(1.5, 1)


def test_the_bound_of_a_loop_is_asked_for():
    def falling(x, n):
        s = x
        for k in range(n):
            s = s * x * (k + 1)
        return s * n

    assert grad(falling, (0, 1))(1.5, 3) == pytest.approx((4 * 1.5**3 * 6 * 3, 1.5**4 * 6))

    def terms(x, n):
        return sum(x**k for k in range(n))

    assert grad(terms, (0, 1))(2.0, 3) == (5.0, 0.0)
