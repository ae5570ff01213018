"""Containers and arrays that are changed inside ``try``: exact where an exception leaves nothing half done, else refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError

XS = [1.5, -0.5, 2.0, 0.0, 0.7]


def logarithms(xs):
    found = []
    for x in xs:
        try:
            found.append(math.log(x))
        except ValueError:
            pass
    return sum(y * y for y in found)


def logarithms_or_squares(xs):
    found = [xs[0]]
    for x in xs:
        try:
            y = math.log(x)
            found.append(y * x)
        except ValueError:
            found.append(x * x)
            found[-1] *= found[0]
        else:
            found[0] += 0.1 * found[-1]
    return found[0] * found[-1] * found[2] + sum(found)


def table(xs):
    known = {0: 1.0, "negative": 1.0}
    for k, x in enumerate(xs):
        try:
            known[k % 2] = known[k % 2] * x + math.sqrt(x)
        except KeyError:
            known[k % 2] = x
        except ValueError:
            known["negative"] *= x * x
    return known[0] * known[1] * known["negative"]


def taken_out(xs):
    stack = [x * x for x in xs]
    total = 0.0
    for x in xs:
        try:
            stack.pop(3 if x > 0 else 7)
        except IndexError:
            total += x * stack[-1]
    return total * stack[0]


class Account:
    def __init__(self):
        self.total = 0.0


def object_in_try(xs):
    account = Account()
    for x in xs:
        try:
            account.total = account.total * x + 1.0 / x
        except ZeroDivisionError:
            account.total = account.total * 3.0
    return account.total


def largest(xs):
    try:
        top = max(xs)
        first, *rest = xs
    except ValueError:
        return 0.0
    return top * first + rest[0] ** 2


def number_before(xs):
    slope = 1.0
    for x in xs:
        try:
            slope = slope * math.log(x)
        except ValueError:
            slope = slope + x
    return slope


LEFT = []


def with_finally(xs):
    found = [1.0]
    try:
        for x in xs:
            if x > 1.8:
                continue
            found[-1] *= x
            found.append(x + found[-1])
        return found[0] * sum(found)
    finally:
        LEFT.append(len(found))


def translated(xs):
    found = [0.0] * len(xs)
    try:
        for i, x in enumerate(xs):
            found[i] = x * x + 1.0 / x
            found[i] *= found[i - 1] + x
    except ZeroDivisionError as error:
        raise ValueError("no slope at zero") from error
    return sum(found)


def filled_by_a_helper(xs):
    found = []

    def fill(factor):
        try:
            for x in xs:
                found.append(x * factor)
                found[0] *= x
        finally:
            LEFT.append(factor)

    fill(2.0)
    fill(found[1])
    return sum(found)


def in_one_branch(xs):
    """The change is the last thing of its branch."""
    found = [xs[0] * xs[1]]
    try:
        if xs[2] < 0.0:
            raise ValueError
        if xs[0] < 0.0:
            found.append(xs[0] * xs[3])
        else:
            found[0] = found[0] * xs[4]
    except ValueError:
        found.append(xs[1] * found[-1])
    return sum(y * y for y in found)


def raised_past_the_handler(xs):
    """No handler runs for it, so no reverse sweep either."""
    found = {"sum": xs[0]}
    for x in xs:
        try:
            found["sum"] = found["sum"] * x
            if x > 100.0:
                raise ValueError
        except KeyError:
            found["sum"] = x
    return found["sum"]


def total_of(first, *others, **named):
    return first + sum(others) + sum(named.values())


def new_containers_in_finally(xs):
    """The copy of `finally` that an exception takes has containers of its own, and no reverse sweep."""
    found = [xs[0], xs[1]]
    try:
        found = [xs[1] * found[0], *found]
    finally:
        found[0] *= sum(found[:2])
        found[1] = total_of(xs[0], *found[:2], last=xs[2] * found[-1])
    return found[0] * found[1]


def new_containers_in_an_arm_that_raises(xs):
    found = [xs[0], xs[1]]
    for x in xs:
        if x > 100.0:
            copied = found[:]
            copied[0] = total_of(*copied)
            raise ValueError(sum(copied[:1]))
        found[0] *= x
    return found[0] * found[1]


EXACT = [
    new_containers_in_finally,
    new_containers_in_an_arm_that_raises,
    in_one_branch,
    raised_past_the_handler,
    with_finally,
    translated,
    filled_by_a_helper,
    logarithms,
    logarithms_or_squares,
    table,
    taken_out,
    object_in_try,
    largest,
    number_before,
]
#: The first derivative binds and changes more than one thing under `try`.
ONCE = [taken_out, object_in_try, in_one_branch]


def differences(function, xs, h=1e-6):
    ends = [[function([*xs[:i], xs[i] + s * h, *xs[i + 1 :]]) for s in (1, -1)] for i in range(len(xs))]
    return [(up - down) / (2 * h) for up, down in ends]


@pytest.mark.parametrize("function", EXACT, ids=lambda function: function.__name__)
def test_first_derivatives(function):
    smooth = [1.5, -0.5, 2.0, -1.2, 0.7]  # no step of a difference crosses zero
    value, gradient = value_and_grad(function)(smooth)
    assert value == function(smooth)
    assert gradient == pytest.approx(differences(function, smooth), rel=1e-6, abs=1e-8)
    if function is not translated:
        assert value_and_grad(function)(XS)[0] == function(XS)


@pytest.mark.parametrize("function", EXACT, ids=lambda function: function.__name__)
def test_second_derivatives(function):
    smooth = [1.5, -0.5, 2.0, -1.2, 0.7]

    def along(xs):
        of_xs = grad(function)(xs)
        return of_xs[0] + 2.0 * of_xs[1] - of_xs[2] + 0.5 * of_xs[4]

    if function in ONCE:
        with pytest.raises(UnsupportedSyntaxError, match="changed inside `try`"):
            grad(along)(smooth)
        return
    assert grad(along)(smooth) == pytest.approx(differences(along, smooth), rel=1e-5, abs=1e-7)


def jitter(x):
    a = np.outer(x, x)
    try:
        low = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        a[np.diag_indices(3)] += 0.1
        a *= 2.0
        low = np.linalg.cholesky(a)
    return low.sum() + (a**2).sum()


def test_an_array_changed_by_a_handler():
    x = np.array([1.0, 2.0, 3.0])
    h = 1e-6
    expected = [(jitter(x + h * unit) - jitter(x - h * unit)) / (2 * h) for unit in np.eye(3)]
    np.testing.assert_allclose(grad(jitter)(x), expected, rtol=1e-6)


def half_done(xs):
    found = []
    for x in xs:
        try:
            found.append(x)
            found.append(math.log(x))
        except ValueError:
            found.append(x * x)
    return sum(found)


def in_a_loop(xs):
    found = []
    try:
        for x in xs:
            found.append(math.log(x))
    except ValueError:
        pass
    return sum(found)


def extended(xs):
    found = []
    try:
        found.extend(math.log(x) for x in xs)
    except ValueError:
        pass
    return sum(found)


def caught_outside(xs):
    found = []
    try:
        try:
            for x in xs:
                found.append(math.log(x))
        finally:
            LEFT.append(len(found))
    except ValueError:
        pass
    return sum(found)


def caught_by_the_caller(xs):
    found = []

    def fill():
        try:
            for x in xs:
                found.append(math.log(x))
        finally:
            LEFT.append(len(found))

    try:
        fill()
    except ValueError:
        pass
    return sum(found)


def test_what_goes_on_raising_gives_no_gradient():
    LEFT.clear()
    with pytest.raises(ValueError, match="no slope at zero"):
        grad(translated)(XS)
    assert LEFT == []
    grad(with_finally)(XS)
    assert LEFT == [5]  # once, in the forward sweep


def raised_by_name(xs):
    found = [xs[0]]
    for x in xs:
        try:
            found.append(x * x)
            if x < 0.0:
                raise ValueError
        except ValueError:
            found.append(x)
    return sum(found)


def raised_at_the_end(xs):
    found = [xs[0], xs[1]]
    try:
        found[0] = xs[0] * xs[1]
        raise LookupError
    except LookupError:
        return found[0] * found[1]


def raised_in_a_branch_that_leaves(xs):
    found = {"first": xs[0]}

    def last():
        try:
            found["first"] = xs[0] * xs[1]
            if xs[2] > 0.0:
                raise ArithmeticError
            return xs[3]
        except ArithmeticError:
            return found["first"]

    return last() * found["first"]


def raised_by_the_elements(xs):
    found = [xs[0]]
    last = 0
    elements = iter_then_fail(2)
    try:
        found.append(xs[1] * xs[1])
        for k in elements:
            last = k
    except RuntimeError:
        found.append(xs[2] * last)
    return sum(found)


def iter_then_fail(n):
    yield from range(n)
    raise RuntimeError


class Unhashable:
    __hash__ = None


UNHASHABLE = Unhashable()


def raised_by_a_key(xs):
    found = [xs[0]]
    try:
        found.append(xs[1] * xs[1])
        {UNHASHABLE: 1}
    except TypeError:
        found.append(xs[2])
    return sum(found)


def raised_by_a_large_number(xs, n=10**400):
    found = [xs[0]]
    total = 0.0
    try:
        found.append(xs[1] * xs[1])
        total = xs[0] * n
    except OverflowError:
        found.append(xs[2])
    return sum(found) + total


REFUSED = [
    half_done,
    in_a_loop,
    extended,
    caught_outside,
    caught_by_the_caller,
    raised_by_name,
    raised_at_the_end,
    raised_in_a_branch_that_leaves,
    raised_by_the_elements,
    raised_by_a_key,
    raised_by_a_large_number,
]


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_what_may_be_left_half_done_is_refused_where_it_is(function):
    with pytest.raises(UnsupportedSyntaxError, match="changed inside `try`, and an exception may come after that") as error:
        grad(function)(XS)
    assert "test_changes_inside_try.py" in str(error.value)
