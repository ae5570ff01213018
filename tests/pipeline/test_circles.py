"""Functions that call each other have one pair of halves each, in derivatives of any order."""

import re

import pytest

from s2sad import grad


def parity(x, n):
    def is_even(k):
        return x if k == 0 else is_odd(k - 1) * x

    def is_odd(k):
        return 1.0 + x if k == 0 else is_even(k - 1) + x

    return is_even(n) * is_odd(n)


def counted(x, n):
    """Each level changes the list after it has called the next, which nobody does after the first."""
    found = []

    def down(k):
        if k > 0:
            up(k - 1)
            found.append(x * k)

    def up(k):
        found.append(x * x)
        if k > 0:
            down(k - 1)

    down(n)
    return sum(v * i for i, v in enumerate(found))


def remembered(x, n):
    memo = {}

    def even(k):
        if k not in memo:
            memo[k] = x if k == 0 else odd(k - 1) * x
        return memo[k]

    def odd(k):
        return 1.0 if k == 0 else even(k - 1) * even(k - 1) + x

    return even(n) + odd(n)


def with_defaults(x, n):
    """Sometimes called with a number that does not matter to the derivative."""

    def even(k, factor=2.0):
        return x * factor if k == 0 else odd(k - 1) + odd(k - 1, factor * x)

    def odd(k, factor=x):
        return x if k == 0 else even(k - 1) * even(k - 1, factor * x)

    return even(n) + odd(n, 0.5)


def product_so_far(x, y, k):
    return x if k == 0 else product_so_far(x * y, y, k - 1)


def with_another_argument(y, n):
    """`x` matters to the derivative from the second call on."""
    return product_so_far(2.0, y, n)


def functions_in(text):
    return re.findall(r"^def (\w+)", text, re.MULTILINE)


@pytest.mark.parametrize("program", [parity, counted, remembered, with_defaults])
def test_two_functions_have_four_halves(program):
    assert len(functions_in(grad(program).source(0.7, 4))) == 5


@pytest.mark.parametrize("program", [parity, remembered, with_defaults])
def test_halves_double_with_each_derivative(program):
    second, third = grad(grad(program)), grad(grad(grad(program)))
    assert len(functions_in(second.source(0.7, 4))) <= 13
    assert len(functions_in(third.source(0.7, 4))) <= 37


def test_parameters_of_all_calls():
    assert functions_in(grad(with_another_argument).source(0.7, 4)) == [
        *("product_so_far_forward", "product_so_far_reverse", "with_another_argument_adjoint"),
    ]
    assert grad(with_another_argument)(0.7, 4) == pytest.approx(2.0 * 4 * 0.7**3, rel=1e-14)
    assert grad(grad(grad(with_another_argument)))(0.7, 4) == pytest.approx(2.0 * 24 * 0.7, rel=1e-13)
