"""`try` whose handlers see what its body has bound, in loops too."""

import math

import pytest

from s2sad import check_grads, errors, grad


def reassigned(x):
    y = x * 2
    try:
        y = math.log(y)
        y = y * x
    except ValueError:
        pass
    return y


def in_steps(y, k):
    try:
        y = y * 1.5
        z = y / (k - 1)
        y = y + z
        w = math.sqrt(y)
        y = w * y
    except ZeroDivisionError:
        y = y * y
    except ValueError:
        y = -y * 0.5
    else:
        y = y + 1
    return y


def several_names(x):
    try:
        a = x * 2
        a, b = a * a, 1 / (x - 2)
        a = a * b
    except ZeroDivisionError:
        return a * a
    return a * b


def missing_key(x, table, key):
    try:
        factor = table[key]
    except KeyError:
        factor = x * x
    return factor * x


def division_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            total += x / (k - 2)
        except ZeroDivisionError:
            total += x * x
    return total


def saved_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            s = math.sin(total) * total
            y = s * s / (k - 3)
        except ZeroDivisionError:
            y = x * x * total
        total += y + x
    return total


def raised_in_a_loop(x, n):
    while n > 0:
        try:
            if n == 2:
                raise KeyError
            y = x * n
            x = y * math.sin(y)
        except KeyError:
            x = x * x
        n -= 1
    return x


def left_from_a_finally(x):
    for k in range(5):
        try:
            if k == 3:
                break
            if k == 1:
                continue
            x = x * 1.5
        finally:
            x = x + 0.1
    return x * x


@pytest.mark.parametrize(
    ("function", "arguments", "argnums"),
    [
        (reassigned, (1.5,), 0),
        (reassigned, (-1.5,), 0),
        *((in_steps, (1.5, k), 0) for k in (1, 2, 3)),
        *((in_steps, (-1.5, k), 0) for k in (1, 2, 3)),
        (several_names, (1.5,), 0),
        (missing_key, (1.5, {"a": 2.0}, "a"), (0, 1)),
        (missing_key, (1.5, {"a": 2.0}, "b"), (0, 1)),
        (division_in_a_loop, (1.5, 5), 0),
        (saved_in_a_loop, (1.1, 6), 0),
        (raised_in_a_loop, (0.3, 3), 0),
        (left_from_a_finally, (1.5,), 0),
    ],
)
def test_gradients(function, arguments, argnums):
    check_grads(function, arguments, argnums=argnums)


def test_the_handler_sees_what_was_bound():
    assert grad(several_names)(2.0) == pytest.approx(8 * 2.0)


def stopped_inside_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            s = x
            for j in range(4):
                s = s * s * 0.9
                if j == k:
                    raise ValueError
            y = s
        except ValueError:
            y = x * x
        total += y
    return total


def saved_in_a_branch(x, n):
    total = 0.0
    for k in range(n):
        try:
            if k % 2:
                y = math.sin(total) * x
            else:
                y = x
            y = y / (k - 3)
        except ZeroDivisionError:
            return total
        total += y
    return total


def test_a_branch_that_is_computed_again():
    check_grads(saved_in_a_branch, (1.1, 6), argnums=0)


def test_loops_that_stop_half_way_are_refused():
    with pytest.raises(errors.UnsupportedSyntaxError, match="function of its own"):
        grad(stopped_inside_a_loop)(1.1, 6)
