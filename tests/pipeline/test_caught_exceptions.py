"""What a handler asks of the exception that it has caught is answered by the exception, not by the class in its ``except``."""

import numpy as np
import pytest

from s2sad import grad, show, value_and_grad


class Bad(Exception):
    pass


class Worse(Bad):
    pass


class Other(Exception):
    pass


def step(x):
    if x > 3:
        raise Other
    if x > 2:
        raise Worse
    if x > 1:
        raise Bad
    return x


def by_isinstance(x):
    try:
        return step(x)
    except Exception as e:
        if isinstance(e, Worse):
            return 3 * x
        if isinstance(e, Bad):
            return 2 * x
        return 5 * x


def by_type(x):
    try:
        return step(x)
    except Bad as e:
        return x * (2 if type(e) is Bad else 3)
    except Other as e:
        return x * (5 if type(e) is Other else 7)


def by_class_attribute(x):
    try:
        return step(x)
    except (Bad, Other) as e:
        if e.__class__ is Worse:
            return 3 * x
        return 5 * x if e.__class__.__name__ == "Other" else 2 * x


def by_match(x):
    try:
        return step(x)
    except Exception as e:
        match e:
            case Worse():
                return 3 * x
            case Bad():
                return 2 * x
            case _:
                return 5 * x


def by_classes_in_a_variable(x):
    kinds = (Other, Worse)
    try:
        return step(x)
    except kinds as e:
        return 3 * x if isinstance(e, Worse) else 5 * x
    except Bad as e:
        return 7 * x if isinstance(e, Worse) else 2 * x


def weight(e):
    return 3 if isinstance(e, Worse) else 2 if isinstance(e, Bad) else 5


def in_another_function(x):
    try:
        return step(x)
    except BaseException as e:
        return x * weight(e)


def after_the_handler(x):
    kept = None
    try:
        x = step(x)
    except Exception as e:
        kept = e
    return x if kept is None else x * {Worse: 3, Bad: 2, Other: 5}[type(kept)]


def after_one_of_two_handlers(x):
    kept = None
    try:
        x = step(x)
    except Bad as e:
        kept = e
    except Other as e:
        kept = e
    return x if kept is None else x * weight(kept)


def in_a_list(x):
    caught = []
    for k in (0.5, 1.0):
        try:
            step(x * k)
        except Exception as e:
            caught.append(e)
    return x * weight(caught[-1]) if caught else x


PROGRAMS = [by_isinstance, by_type, by_class_attribute, by_match, by_classes_in_a_variable, in_another_function]
PROGRAMS += [after_the_handler, after_one_of_two_handlers]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("x", "slope"), [(0.5, 1.0), (1.5, 2.0), (2.5, 3.0), (3.5, 5.0)])
def test_the_exception_is_asked(function, x, slope):
    assert function(x) == slope * x
    assert grad(function)(x) == slope
    assert value_and_grad(function)(x) == (slope * x, slope)
    assert grad(lambda x: grad(function)(x) * x * x)(x) == 2 * slope * x


@pytest.mark.parametrize(("x", "slope"), [(0.5, 1.0), (1.5, 2.0), (2.5, 3.0), (3.5, 5.0), (7.0, 5.0)])
def test_exceptions_in_a_list(x, slope):
    assert in_a_list(x) == slope * x
    assert value_and_grad(in_a_list)(x) == (slope * x, slope)


def certain(x):
    try:
        return step(x)
    except (Worse, Bad) as e:
        return 2 * x if isinstance(e, (Bad, ValueError)) else 7 * x


def test_what_is_certain_is_not_asked():
    assert grad(certain)(2.5) == 2.0
    assert "isinstance" not in show(certain, 1.5)


class AskedItself(type):
    def __instancecheck__(cls, instance):
        return instance.marked


class Marked(metaclass=AskedItself):
    pass


class Thing:
    def __init__(self, marked):
        self.marked = marked


def by_what_the_object_says(x, marked):
    return 3 * x if isinstance(Thing(marked), Marked) else 2 * x


def test_a_class_that_asks_the_instance():
    assert grad(by_what_the_object_says)(1.5, True) == 3.0
    assert grad(by_what_the_object_says)(1.5, False) == 2.0


def by_class_of_dtype(xs):
    return 3 * xs[0] if isinstance(xs.dtype, type(np.dtype("float64"))) else 2 * xs[0]


def test_the_class_of_a_dtype():
    assert by_class_of_dtype(np.array([1.5])) == 4.5
    assert grad(by_class_of_dtype)(np.array([1.5])) == 3.0
