"""A rule that gives something else than derivatives is refused where it is used, by its name and place."""

import pytest

from s2sad import check_grads, grad, rule
from s2sad.errors import InvalidRuleError, MissingRuleError, NonDifferentiableError
from s2sad.rules.core import REGISTRY


def one(x):
    return float(str(x))


def two(x, y):
    return float(str(x)) + float(str(y))


@pytest.mark.parametrize(
    ("function", "partials", "message"),
    [
        (one, lambda r, x: (1.0, 2.0), "gives 2 partial derivatives, and the function has one operand"),
        (one, lambda r, x: "a", "a partial derivative is a number, and it gives a value of class str"),
        (one, lambda r, x: None, "a partial derivative is a number, and it gives None"),
        (two, lambda r, x, y: 1.0, "gives one partial derivative, and the function has 2 operands"),
        (two, lambda r, x, y: (1.0, 2.0, 3.0), "gives 3 partial derivatives, and the function has 2 operands"),
        (two, lambda r, x, y: (1.0, None if x > 2 else 1.0), "is None in one case and a number in another; give 0.0"),
        (two, lambda r, x, y: (1.0, "a"), "a partial derivative is a number, and it gives a value of class str"),
    ],
)
def test_partial_derivatives(function, partials, message):
    declared = rule.pointwise(function)(partials)
    try:
        with pytest.raises(InvalidRuleError, match=message) as caught:
            grad((lambda x: one(x)) if function is one else lambda x: two(x, x))(1.0)
        assert __file__ in str(caught.value)
    finally:
        REGISTRY.remove(declared)


@pytest.mark.parametrize(("function", "adjoints"), [(one, lambda b, r, x: "a"), (two, lambda b, r, x, y: (b, "a"))])
def test_adjoints(function, adjoints):
    declared = rule(function)(adjoints)
    try:
        with pytest.raises(InvalidRuleError, match=r"an adjoint is a number, .* and it gives a value of class str"):
            grad((lambda x: one(x)) if function is one else lambda x: two(x, x))(1.0)
    finally:
        REGISTRY.remove(declared)


def partial_and_none(r, x, y):
    return y, None


def none_on_one_way(r, x, y):
    if x > 0:
        return y, None
    return y, x


def constants(r, x, y):
    return 3.0, None


@pytest.mark.parametrize(
    ("partials", "at", "expected"),
    [
        (partial_and_none, (2.0, 5.0), (5.0, 0.0)),
        (none_on_one_way, (2.0, 5.0), (5.0, 0.0)),
        (none_on_one_way, (-2.0, 5.0), (5.0, -2.0)),
        (constants, (2.0, 5.0), (3.0, 0.0)),
    ],
)
def test_none_stands_for_an_operand_without_derivative(partials, at, expected):
    declared = rule.pointwise(two)(partials)
    try:
        assert grad(two, argnums=(0, 1))(*at) == expected
        assert grad(two, argnums=1)(*at) == expected[1]
        assert grad(lambda x, y: two(x, y) * y)(*at) == expected[0] * at[1]
    finally:
        REGISTRY.remove(declared)


def product(x, y=2.0):
    return x * y


def test_a_default_of_a_rule_stands_for_an_operand_that_is_not_given():
    @rule.pointwise(product)
    def declared(r, x, y=2.0):
        return y, x

    try:
        assert grad(lambda x: product(x))(3.0) == 2.0
    finally:
        REGISTRY.remove(declared)


def test_arguments_to_check_are_a_tuple():
    with pytest.raises(NonDifferentiableError, match=r"args is the tuple of the arguments.*check_grads\(f, \(x,\)\)"):
        check_grads(lambda x: x * x, 2.0)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: float("{}".format(x)), "a text that is made of a number; use the number itself"),  # noqa: UP032
        (lambda x: float(f"{x}"), "a text that is made of a number; use the number itself"),
        (lambda x: next(iter([x, (x, 1)])), r"iter\(\) of values of several types; loop over"),
    ],
)
def test_nobody_is_told_to_declare_a_rule_for_a_construct(f, message):
    with pytest.raises(MissingRuleError, match=message) as caught:
        grad(f)(1.0)
    assert "rule" not in str(caught.value).partition("\n")[0]
