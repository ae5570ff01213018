"""Parameters with names that mean something else nearby: keywords named as ``**kwargs``, defaults that recursion hands on."""

import pytest

from s2sad import grad, value_and_grad

X = 1.3


def option(x, **k):
    return x * k.get("k", 1.0)


def passes_on(f):
    def inner(*args, **kwargs):
        return f(*args, **kwargs)

    return inner


@passes_on
def model(x, args=(1.0, 2.0)):
    return x * args[0] * args[1]


def both(x, *args, **kwargs):
    return x * kwargs["args"] * kwargs["kwargs"]


@pytest.mark.parametrize(
    ("f", "value", "derivative"),
    [
        (lambda x: option(x, k=2.0), 2 * X, 2.0),
        (lambda x: option(x, k=x), X * X, 2 * X),
        (lambda x: option(x, **{"k": x}), X * X, 2 * X),
        (lambda x: model(x, args=(3.0, 4.0)), 12 * X, 12.0),
        (lambda x: model(x, args=(x, 4.0)), 4 * X * X, 8 * X),
        (lambda x: both(x, args=x, kwargs=x), X**3, 3 * X**2),
    ],
)
def test_keywords_with_the_names_of_starred_parameters(f, value, derivative):
    assert value_and_grad(f)(X) == (pytest.approx(value, rel=1e-14), pytest.approx(derivative, rel=1e-14))
    assert f(X) == pytest.approx(value, rel=1e-14)


def handed_on(x, n, memo={}):
    if n in memo:
        return memo[n]
    if n < 2:
        return x
    memo[n] = handed_on(x, n - 1, memo) * handed_on(x, n - 2, memo)
    return memo[n]


def left_out(x, n, memo={}):
    if n in memo:
        return memo[n]
    if n < 2:
        return x
    memo[n] = left_out(x, n - 1) * left_out(x, n - 2)
    return memo[n]


def by_keyword(x, n, *, memo={}):
    if n in memo:
        return memo[n]
    if n < 2:
        return x
    memo[n] = by_keyword(x, n - 1, memo=memo) * by_keyword(x, n - 2, memo=memo)
    return memo[n]


def by_keyword_left_out(x, n, *, memo={}):
    if n in memo:
        return memo[n]
    if n < 2:
        return x
    memo[n] = by_keyword_left_out(x, n - 1) * by_keyword_left_out(x, n - 2)
    return memo[n]


@pytest.mark.parametrize("f", [handed_on, left_out, by_keyword, by_keyword_left_out])
def test_a_default_that_recursion_fills(f):
    memo = f.__defaults__[-1] if f.__defaults__ else f.__kwdefaults__["memo"]
    for derivative in (value_and_grad(lambda x: f(x, 4)), lambda x: value_and_grad(f)(x, 4)):
        memo.clear()
        value, slope = derivative(X)  # x**5
        assert (value, slope) == (pytest.approx(X**5, rel=1e-14), pytest.approx(5 * X**4, rel=1e-14))
        assert memo == {2: pytest.approx(X**2), 3: pytest.approx(X**3), 4: pytest.approx(X**5)}
    memo.clear()


seen = []


def counted(seen_2, x):
    seen.append(x)
    return x * seen_2 * last(x)


def last(seen_2):
    return seen[-1] * seen_2


def test_a_variable_outside_with_the_name_of_a_variable():
    seen.clear()
    assert grad(lambda x: counted(x, x))(X) == pytest.approx(4 * X**3, rel=1e-14)
    assert seen == [X]
    seen.clear()
