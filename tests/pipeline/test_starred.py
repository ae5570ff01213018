"""Starred arguments whose number only the running program knows: of functions that take any number they are followed, others are
refused."""

import math

import pytest

from s2sad import check_grads, grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


def product(a, b):
    return a * b * b


def named(**values):
    total = 0.0
    for value in values.values():
        total += value
    return total


def fixed_parameters(x, n):
    values = [x * k for k in range(1, n + 1)]
    return product(*values)


def names_known_when_it_runs(x, n):
    values = {}
    for k in range(n):
        values["a" * (k + 1)] = x * k
    return named(**values)


def names_from_pairs(x, n):
    return product(**dict(zip(["a", "b"][:n], [x, x * x])))


def test_parameters_that_tell_the_length():
    assert grad(fixed_parameters)(1.5, 2) == pytest.approx(12 * 1.5**2)


@pytest.mark.parametrize("function", [names_known_when_it_runs, names_from_pairs])
def test_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"test_starred\.py"):
        grad(function)(1.5, 2)


@pytest.mark.parametrize("function", [fixed_parameters, names_known_when_it_runs, names_from_pairs])
def test_without_derivative_the_call_is_made_as_it_is(function):
    assert grad(lambda x: x * function(2.0, 2))(1.5) == function(2.0, 2)


def lengths(xs, y):
    return math.hypot(*xs) + math.hypot(y, *xs, 2.0) * math.hypot(*xs, *[v * y for v in xs]) + math.hypot(*xs[:0])


def extremes(xs, y):
    return max(y, *xs) * min(y, *[v * v for v in xs], 2.0) + max(*xs, 1e-3, key=abs) + min(*xs, *xs, key=lambda v: -v)


def extremes_in_a_loop(xs, y):
    total = y
    for k in range(1, len(xs) + 1):
        total = max(total, *xs[:k]) * xs[k - 1] - min(*xs[:k], 0.7)
    return total


def length_of(*numbers):
    return math.hypot(*numbers) * max(0.1, *numbers)


def handed_on(xs, y):
    return length_of(*xs) * length_of(*[v * y for v in xs]) + length_of(y, xs[0])


@pytest.mark.parametrize("function", [lengths, extremes, extremes_in_a_loop, handed_on])
@pytest.mark.parametrize("xs", [[1.5, -2.5, 0.3], [0.6]])
def test_functions_of_any_number(function, xs):
    value, _ = value_and_grad(function, (0, 1))(xs, 0.8)
    assert value == function(xs, 0.8)
    check_grads(function, (xs, 0.8), argnums=(0, 1))
    check_grads(lambda xs, y: grad(function, "y")(xs, y), (xs, 0.8), argnums=(0, 1))


def test_ties_share_equally():
    assert grad(lambda xs, y: max(y, *xs), (0, 1))([2.0, 1.0, 2.0], 2.0) == ([1 / 3, 0.0, 1 / 3], 1 / 3)


@pytest.mark.parametrize("function", [lambda xs: max(0.5, *xs), lambda xs: min(*xs, 0.5, 3.0) + max(*xs, *xs, 1)])
def test_values_are_those_of_python(function):
    assert value_and_grad(function)([2.0])[0] == function([2.0])


def test_a_single_number_raises_as_in_python():
    with pytest.raises(TypeError, match="'float' object is not iterable"):
        value_and_grad(lambda xs: max(0.5, *xs))([])


def test_lists_among_the_operands_are_refused():
    with pytest.raises(UnsupportedSyntaxError, match=r"test_starred\.py"):
        grad(lambda rows: max([3.0, 1.0], *rows)[0])([[2.0]])


def by_order(x, shift=1.0, **others):
    total = x * shift
    for k, value in enumerate(others.values(), 1):
        total += value * k * x
    return total


def taken_out_first(x, **options):
    scale = options.pop("scale", 2.0)
    return scale * by_order(x, **options)


def put_last(x):
    options = {"first": x, "second": 1.0}
    options["first"] = options.pop("first") * 2
    return by_order(x, **options)


def put_in_and_deleted(x, n=2):
    options = dict(shift=3.0)
    options["first"] = x
    options.setdefault("second", x * x)
    del options["shift"]
    total = 0.0
    for _ in range(n):
        total += by_order(x, **options, third=x)
    return total


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (taken_out_first, {}),
        (taken_out_first, {"scale": 3.0}),
        (taken_out_first, {"scale": 3.0, "shift": 2.0, "first": 5.0}),
        (put_last, {}),
        (put_in_and_deleted, {}),
    ],
)
def test_names_are_those_that_the_dict_has_at_the_call(function, options):
    def called(x):
        return function(x, **options)

    value, slope = value_and_grad(function)(0.7, **options)
    assert value == called(0.7)
    assert slope == pytest.approx(
        (called(0.7 - 2e-3) - 8 * called(0.7 - 1e-3) + 8 * called(0.7 + 1e-3) - called(0.7 + 2e-3)) / 12e-3
    )


def put_in_or_not(x, c):
    options = {"shift": x}
    if c:
        options["first"] = 2.0
    return by_order(x, **options)


def put_in_two_orders(x, c):
    options = {}
    if c:
        options["first"], options["second"] = 1.0, 2.0
    else:
        options["second"], options["first"] = 2.0, 1.0
    return by_order(x, **options)


def put_in_by_an_earlier_trip(x, c):
    options, total = {"shift": x}, 0.0
    for _ in range(2):
        total += by_order(x, **options)
        options["first"] = 2.0
    return total


@pytest.mark.parametrize("function", [put_in_or_not, put_in_two_orders, put_in_by_an_earlier_trip])
@pytest.mark.parametrize("c", [True, False])
def test_names_that_only_the_running_program_knows(function, c):
    with pytest.raises(UnsupportedSyntaxError, match=r"test_starred\.py"):
        grad(function)(0.7, c)
    assert value_and_grad(lambda x: function(0.7, c) * x)(2.0) == (function(0.7, c) * 2.0, function(0.7, c))


def options_for(x, c):
    if c:
        return {"first": x, "second": 2.0}
    return {"second": 2.0, "first": x}


def by_order_of(x, options):
    return by_order(x, **options)


def one_more_of_a_display(x, c):
    return by_order(x, **{"first": x, **({"shift": x} if c else {})})


def each_of_several(x, c):
    return sum(by_order(x, **options) for options in ({"first": x}, {"shift": 3.0}))


def rebound_in_a_loop(x, c):
    options, total = {"shift": x}, 0.0
    for _ in range(2):
        total += by_order(x, **options)
        options = {"shift": x, "first": 2.0}
    return total


def made_elsewhere_in_two_orders(x, c):
    return by_order(x, **options_for(x, c))


def handed_to_a_helper(x, c):
    options = {"first": x, "second": 2.0}
    if not c:
        options["first"] = options.pop("first")
    return by_order_of(x, options)


def captured(x, c):
    options = {"first": x}

    def inner():
        return by_order(x, **options)

    if c:
        options["second"] = x
    return inner()


@pytest.mark.parametrize(
    "function",
    [
        one_more_of_a_display,
        each_of_several,
        rebound_in_a_loop,
        made_elsewhere_in_two_orders,
        handed_to_a_helper,
        captured,
    ],
)
@pytest.mark.parametrize("c", [True, False])
def test_names_that_dicts_which_meet_do_not_share(function, c):
    for derivative in (grad(function), grad(grad(function))):
        with pytest.raises(UnsupportedSyntaxError, match=r"test_starred\.py"):
            derivative(0.7, c)


def moved_and_handed_on(x):
    options = {"first": x, "second": 2.0}
    options["first"] = options.pop("first")
    return by_order_of(x, options)


def of_one_form(x):
    return sum(by_order(x, **options) for options in ({"first": x, "second": 2.0}, {"first": 3.0, "second": x}))


def merged_from_others(x):
    base = {"second": x}
    return by_order(x, **{"first": 2.0, **base}) + by_order(x, **(base | {"first": 2.0}))


@pytest.mark.parametrize(
    ("function", "slope", "second"),
    [
        # x + 2x + 2x²
        (moved_and_handed_on, lambda x: 3 + 4 * x, 4.0),
        # x + x² + 4x, and x + 3x + 2x²
        (of_one_form, lambda x: 9 + 6 * x, 6.0),
        # x + 2x + 2x², and x + x² + 4x
        (merged_from_others, lambda x: 8 + 6 * x, 6.0),
    ],
)
def test_names_that_dicts_share_are_known_in_their_order(function, slope, second):
    assert grad(function)(0.7) == pytest.approx(slope(0.7))
    assert grad(grad(function))(0.7) == pytest.approx(second)
