"""What is not supported is refused with the place and a way out, before anything runs."""

import dataclasses
import math

import pytest

from s2sad import errors, grad, value_and_grad

written = 0.0


def writes_global(x):
    global written
    written = x
    return x * x


def generator(x):
    yield x


async def coroutine(x):
    return x


def make_nonlocal_writer():
    total = 0.0

    def f(x):
        nonlocal total
        total = x
        return x * x

    return f


def deep_inside(x):
    def inner(y):
        global written
        written = y
        return y

    return inner(x)


def class_inside(x):
    class Local:
        k = x

    return Local.k * x


@pytest.mark.parametrize("function", [writes_global, generator, coroutine, make_nonlocal_writer(), deep_inside, class_inside])
def test_refused_statements(function):
    with pytest.raises(errors.UnsupportedSyntaxError) as caught:
        grad(function)(1.5)
    message = str(caught.value)
    assert "test_corpus_refusals.py" in message
    assert "^" in message
    assert written == 0.0


def active_in_try(x):
    try:
        y = math.sqrt(x)
        z = y * x
    except ValueError:
        z = y = 0.0
    return z


def test_active_assignment_in_try_is_right_or_refused():
    try:
        gradient = grad(active_in_try)(2.0)
    except errors.S2sadError:
        return
    assert gradient == pytest.approx(1.5 * math.sqrt(2.0))


def crossing(x, items):
    y = x
    try:
        y = y * x
        items[5]
        y = y * x
    except IndexError:
        y = y * 3.0
    return y


def test_a_handler_across_an_active_assignment_is_right_or_refused():
    try:
        gradient = grad(crossing)(2.0, [])
    except errors.S2sadError:
        return
    assert gradient == pytest.approx(12.0)


def test_frexp_is_refused():
    with pytest.raises(errors.S2sadError):
        grad(lambda x: math.frexp(x)[0])(1.5)
    assert grad(lambda x, y: x * math.frexp(y)[1])(1.5, 8.0) == 4.0


def test_without_source():
    space = {}
    exec("def hidden(x):\n    return x ** 3\n", space)
    with pytest.raises(errors.SourceUnavailableError, match="hidden"):
        grad(space["hidden"])(1.5)


def test_a_function_without_rule_or_source():
    def inactive(x, n):
        return x * len(bin(n)) + hash(n) * 0

    assert grad(inactive)(1.5, 5) == 5.0
    with pytest.raises(errors.S2sadError):
        grad(lambda x: str.format("{}", x) and memoryview(x))(1.5)


def test_active_value_in_an_opaque_function_is_an_error():
    with pytest.raises(errors.MissingRuleError):
        grad(lambda x: x.as_integer_ratio()[0] / 3.0)(1.5)


@pytest.mark.parametrize("result", [lambda x: [x, x], lambda x: (x,), lambda x: "a", lambda x: None, lambda x: {"a": x}])
def test_results_that_are_no_number(result):
    with pytest.raises(errors.NonDifferentiableError):
        grad(result)(1.5)
    with pytest.raises(TypeError):
        value_and_grad(result)(1.5)


@pytest.mark.parametrize("argument", ["text", None, object()])
def test_arguments_that_are_no_numbers(argument):
    with pytest.raises(errors.S2sadError):
        grad(lambda x: 1.0)(argument)


def test_wrong_argnums():
    f = lambda x, y: x * y
    for argnums in (2, "z", (0, "z"), -3):
        with pytest.raises((TypeError, ValueError, IndexError)):
            grad(f, argnums)(1.0, 2.0)
    with pytest.raises(TypeError):
        grad(3.0)


def test_wrong_calls_are_type_errors_as_in_python():
    derivative = grad(lambda x, y: x * y)
    for arguments in ((1.0,), (1.0, 2.0, 3.0), ()):
        with pytest.raises(TypeError):
            derivative(*arguments)
    with pytest.raises(TypeError):
        derivative(1.0, 2.0, z=3.0)


def order_by_itself(x, n):
    return x**4 if n == 0 else grad(order_by_itself)(x, n - 1) * x


def order_by_a_lambda(x, n):
    return x**4 if n == 0 else value_and_grad(lambda y: order_by_a_lambda(y, n - 1))(x)[0]


def order_by_another(x, n):
    return x**4 if n == 0 else other_order(x, n - 1)


def other_order(x, n):
    return grad(order_by_another)(x, n) * x


@pytest.mark.parametrize("function", [order_by_itself, order_by_a_lambda, order_by_another, other_order])
def test_a_derivative_that_needs_itself(function):
    with pytest.raises(errors.UnsupportedSyntaxError, match=r"write a function for each order(.|\n)*\^"):
        grad(function)(1.5, 1)


def derivative_of(function, x):
    return grad(function)(x)


def test_a_derivative_inside_itself_of_another_function():
    inner = lambda x: derivative_of(lambda a: derivative_of(lambda b: derivative_of(lambda c: c**5, b), a), x)
    assert inner(2.0) == pytest.approx(240.0)
    assert grad(inner)(2.0) == pytest.approx(240.0)


def first_order(x):
    return grad(lambda y: y**4)(x) * x


def test_a_function_for_each_order_as_advised():
    assert grad(lambda x: grad(first_order)(x) * x)(1.5) == pytest.approx(64 * 1.5**3)


def chain_of_tuples(x, n):
    return None if n == 0 else (chain_of_tuples(x, n - 1), x * n)


def tree_of_tuples(x, n):
    return None if n == 0 else (tree_of_tuples(x, n - 1), x * n, tree_of_tuples(x, n - 1))


def chain_of_dicts(x, n):
    return {} if n == 0 else {"rest": chain_of_dicts(x, n - 1), "value": x * n}


class Link:
    def __init__(self, rest, value):
        self.rest = rest
        self.value = value


def chain_of_objects(x, n):
    return None if n == 0 else Link(chain_of_objects(x, n - 1), x * n)


def total_of_dicts(found):
    return 0.0 if not found else total_of_dicts(found["rest"]) + found["value"] ** 2


def total_of_objects(found):
    return 0.0 if found is None else total_of_objects(found.rest) + found.value**2


def longer_tuple(x, n, found=None):
    return found if n == 0 else longer_tuple(x, n - 1, (found, x * n))


def total(found):
    return 0.0 if found is None else total(found[0]) + found[1] ** 2


def total_of_tree(found):
    return 0.0 if found is None else total_of_tree(found[0]) + found[1] ** 2 + total_of_tree(found[2])


def test_results_nested_to_any_depth():
    """Beyond a depth, the derivative was lost; with two parts, analysis did not end."""
    for function, name in (
        (lambda x: total(chain_of_tuples(x, 60)), "chain_of_tuples"),
        (lambda x: total_of_tree(tree_of_tuples(x, 3)), "tree_of_tuples"),
        (lambda x: total(longer_tuple(x, 60)), "longer_tuple"),
    ):
        with pytest.raises(errors.UnsupportedSyntaxError, match=rf"go over it in a loop(.|\n)*{name}"):
            grad(function)(0.5)


def test_chains_of_containers():
    expected = 2 * 0.5 * sum(n * n for n in range(1, 61))
    assert grad(lambda x: total_of_dicts(chain_of_dicts(x, 60)))(0.5) == pytest.approx(expected)
    assert grad(lambda x: total_of_objects(chain_of_objects(x, 60)))(0.5) == pytest.approx(expected)


def tuples_in_a_loop(x, n):
    chain = None
    for k in range(n):
        chain = (x * k, chain)
    total = 0.0
    while chain is not None:
        total += chain[0]
        chain = chain[1]
    return total


def test_tuples_nested_by_a_loop():
    with pytest.raises(errors.UnsupportedSyntaxError, match=r"objects of one class(.|\n)*tuples_in_a_loop"):
        grad(tuples_in_a_loop)(0.5, 3)


def test_numbers_in_a_list_as_advised():
    def chain(x, n):
        values = []
        for k in range(n):
            values.append(x * (k + 1))
        return values

    assert grad(lambda x: sum(v**2 for v in chain(x, 60)))(0.5) == pytest.approx(73810.0)


class Loose:
    def __init__(self, **named):
        self.__dict__.update(named)


class Empty:
    pass


def fill(found, value):
    for name in ("a", "b"):
        setattr(found, name, value)


def fill_namespace(found, value):
    vars(found).update(a=value)


def read_in_function(found):
    return found.a * found.a


def made_with_any_attribute(x):
    return read_in_function(Loose(a=x))


def given_any_attribute(x):
    found = Empty()
    fill(found, x)
    return read_in_function(found)


def given_by_its_namespace(x):
    found = Empty()
    fill_namespace(found, x)
    return read_in_function(found)


@pytest.mark.parametrize("function", [made_with_any_attribute, given_any_attribute, given_by_its_namespace])
def test_attributes_that_nobody_sees(function):
    """A function that read one was taken for one that always raises."""
    assert function(1.5) == 2.25
    with pytest.raises(errors.S2sadError) as caught:
        value_and_grad(function)(1.5)
    assert "test_corpus_refusals.py" in str(caught.value)


def test_attributes_that_nobody_sees_without_derivative():
    """An object of which nothing has a derivative may be given attributes in any way."""

    def scaled(x):
        return x * read_in_function(Loose(a=3.0))

    assert value_and_grad(scaled)(1.5) == (13.5, 9.0)


@dataclasses.dataclass
class SharesDefault:
    a: float
    b: float = dataclasses.field(init=False, default=4.0)

    def product(self):
        return self.a * self.b


@dataclasses.dataclass
class SetsDefault(SharesDefault):
    def __post_init__(self):
        self.b = 4.0


def test_default_that_all_objects_share():
    """It has no place in a gradient; what is made inside of the function reads it as a constant."""
    for argument in (SharesDefault(1.5), [SharesDefault(1.5)]):
        with pytest.raises(
            errors.NonDifferentiableError, match="b is the default, which all objects share: set it in __post_init__"
        ):
            grad(lambda one: (one[0] if isinstance(one, list) else one).product())(argument)
    assert vars(grad(lambda one: one.product())(SetsDefault(1.5))) == {"a": 4.0, "b": 1.5}
    assert grad(lambda x: SharesDefault(x).product())(1.5) == 4.0
