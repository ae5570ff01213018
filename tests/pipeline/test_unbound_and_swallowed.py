"""Variables that the first trip of a loop finds unbound; contexts that swallow exceptions."""

import contextlib
import math

import pytest

from s2sad import grad, show, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


def bound_in_the_first_trip(x):
    for i in range(3):
        if i:
            y = y * x  # noqa: F821
        else:
            y = x
    return y


def nested(x):
    s = 0.0
    for i in range(2):
        for j in range(2):
            if i == 0 and j == 0:
                q = x
            else:
                q = q * x + s
        s += q * q
    return s


def bound_in_every_second_trip(x):
    s = 0.0
    for i in range(5):
        if i % 2:
            q = s * x + x
        if i >= 1:
            s = s * q + q * q
    return s


def previous_element(x):
    s = 0.0
    for v in [x, 2.0, x * x]:
        if s > 0:
            s = s + previous * v  # noqa: F821
        previous = v
        s += v
    return s * previous


@pytest.mark.parametrize(
    "function", [bound_in_the_first_trip, nested, bound_in_every_second_trip, previous_element], ids=lambda f: f.__name__
)
def test_unbound_at_first(function):
    x, h = 1.3, 1e-4
    value, gradient = value_and_grad(function)(x)
    assert value == function(x)

    def difference(f, h):
        return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)

    assert gradient == pytest.approx(difference(function, h), rel=1e-7)
    second = (function(x + 1e-3) - 2 * function(x) + function(x - 1e-3)) / 1e-6
    assert grad(grad(function))(x) == pytest.approx(second, rel=1e-3)


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return True


class LetsThrough:
    def __enter__(self):
        return 3.0

    def __exit__(self, *exception):
        return False


def raises_inside(x):
    y = x
    with Swallows():
        y = y * x
        raise ValueError
    return y * 2


def leaves_half_way(x):
    y = x
    with contextlib.suppress(KeyError):
        y = y * x
        {}["a"]
        y = y * 3
    return y * 2


def left_by_return(x):
    with contextlib.suppress(KeyError):
        {}["a"]
        return x
    return x * 3


def left_by_break(x):
    for _ in range(3):
        with Swallows():
            {}["a"]
            break
        x = x * 2
    return x


def assigns_a_constant(x):
    y = 3.0
    with Swallows():
        {}["a"]
        y = 5.0
    return y * x


def assigns_an_older_value(x):
    y = x * x
    with Swallows():
        {}["a"]
        y = x
    return y


def left_where_nothing_is_swallowed(x):
    for k in range(4):
        with LetsThrough() as three:
            y = 2.0
            if k == 2:
                break
            if k == 1:
                continue
            x = x * x * three
    with contextlib.nullcontext():
        return x * y


def left_by_return_at_once(x):
    with contextlib.nullcontext():
        return x * x


def keeps(x):
    with LetsThrough() as three, contextlib.nullcontext():
        y = x * x / three
    return y


SWALLOWED = [left_by_return, left_by_break, assigns_a_constant, assigns_an_older_value]


@pytest.mark.parametrize("function", [raises_inside, leaves_half_way, *SWALLOWED])
def test_swallowed_exceptions_are_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match="may swallow an exception"):
        grad(function)(1.3)


def test_other_contexts():
    assert grad(keeps)(1.5) == 1.0
    assert value_and_grad(left_where_nothing_is_swallowed)(1.5) == (13.5, 18.0)
    assert "if" not in show(left_by_return_at_once, 1.5)


@contextlib.contextmanager
def catches_one():
    try:
        yield
    except KeyError:
        pass


@contextlib.contextmanager
def catches_all():
    try:
        yield
    except:  # noqa: E722 (this is what is tested)
        pass


@contextlib.contextmanager
def has_another():
    with contextlib.suppress(KeyError):
        yield


@contextlib.contextmanager
def cleans_up():
    entered = [1.0]
    try:
        yield
    finally:
        entered.clear()


@pytest.mark.parametrize("context", [catches_one, catches_all, has_another])
def test_generators_that_swallow_exceptions_are_refused(context):
    def program(x):
        y = x
        with context():
            y = y * x
            {}["a"]
            y = y * 3
        return y

    with pytest.raises(UnsupportedSyntaxError, match="may swallow an exception"):
        grad(program)(2.0)


def test_a_generator_that_cleans_up():
    def program(x):
        y = x
        with cleans_up():
            y = y * math.sin(x)
        return y

    assert grad(program)(2.0) == pytest.approx(math.sin(2.0) + 2.0 * math.cos(2.0))


def bound_where_the_loop_is_left(x, n):
    for k in range(n):
        if k == 1:
            y = x * k
            break
    return y


def bound_by_a_trip(x, n):
    for k in range(n):
        w = x * k
    return w + x


def unbound_is_caught(x, counts):
    total = 0.0
    for n in counts:
        try:
            total += bound_by_a_trip(x, n)
        except UnboundLocalError:
            total += x * x
    return total


def test_a_result_that_is_unbound_raises():
    assert value_and_grad(bound_where_the_loop_is_left)(1.5, 3) == (1.5, 1.0)
    with pytest.raises(UnboundLocalError):
        value_and_grad(bound_where_the_loop_is_left)(1.5, 1)
    with pytest.raises(UnboundLocalError):
        value_and_grad(lambda x, n: bound_where_the_loop_is_left(x, n) * x)(1.5, 1)


def test_a_helper_that_raises_for_an_unbound_variable():
    assert grad(unbound_is_caught)(1.5, [0, 1, 3]) == pytest.approx(2 * 1.5 + 1 + 3)


def bound_by_an_element(x, items):
    for item in items:
        w = item * x
    return w + item


def test_an_empty_list_binds_nothing():
    assert grad(bound_by_an_element)(1.5, [2.0]) == 2.0
    for make in (grad, value_and_grad):
        with pytest.raises(UnboundLocalError, match="'w'"):
            make(bound_by_an_element)(1.5, [])


def bound_on_one_way_each(x, n):
    if n:
        u = x * x
    else:
        v = x
    return u * v


@pytest.mark.parametrize(("n", "name"), [(0, "u"), (1, "v")])
@pytest.mark.parametrize("derivative", [grad, value_and_grad])
def test_the_variable_is_named_that_the_user_left_unbound(derivative, n, name):
    with pytest.raises(UnboundLocalError, match=f"'{name}'"):
        derivative(bound_on_one_way_each)(1.5, n)
