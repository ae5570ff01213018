"""Numbers that travel in exceptions and through what `with … as` binds: their derivative is right, or refused; never dropped."""

import contextlib
import functools

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import S2sadError


class Diverged(Exception):
    pass


class Stopped(Exception):
    def __init__(self, best):
        self.best = best


def raises(v):
    if v > 0:
        raise Diverged(v * v, 3)
    return v


def raises_with_attribute(v):
    if v > 0:
        error = Diverged()
        error.value = v * v
        raise error
    return v


def stops(v):
    if v > 0:
        raise Stopped(v * v)
    return v


def stops_with(content):
    raise Stopped(content)


def from_arguments(x):
    y = 1.0
    try:
        raises(x)
    except Diverged as error:
        y = error.args[0]
    return y


def from_an_attribute(x):
    try:
        raises_with_attribute(x)
    except Diverged as error:
        return error.value
    return 1.0


def from_an_attribute_of_its_class(x):
    y = 1.0
    try:
        stops(x)
    except Stopped as error:
        y = error.best * 1.0
    return y


def through_a_function_that_does_not_catch(x):
    def between(v):
        try:
            return stops(v)
        except KeyError:
            return v

    try:
        y = between(x)
    except Stopped as error:
        y = error.best
    return y


def from_a_nested_function(x):
    def inner():
        raise Stopped(x * x)

    y = 1.0
    try:
        inner()
    except Stopped as error:
        y = error.best
    return y


def from_a_partial_function(x):
    call = functools.partial(stops, x)
    try:
        y = call()
    except Stopped as error:
        y = error.best
    return y


def from_a_function_that_is_handed_on(x):
    try:
        y = max([x, 2 * x], key=stops)
    except Stopped as error:
        y = error.best
    return y


def from_a_key_function(x):
    y = 1.0
    values = [x, 2 * x]
    try:
        max(values, key=stops)
    except Stopped as error:
        y = error.best * 1.0
    return y


def from_a_comprehension(x):
    try:
        y = sum([stops(v) for v in [x]])
    except Stopped as error:
        y = error.best
    return y


def from_each_trip(x):
    y = 0.0
    for k in range(3):
        try:
            stops(x * k)
        except Stopped as error:
            y += error.best
    return y


def kept_after_the_handler(x):
    last = None
    try:
        stops(x)
    except Stopped as error:
        last = error
    return last.best


def from_a_key(x):
    try:
        y = {}[x * x]
    except KeyError as error:
        y = error.args[0]
    return y


class Raising:
    def __init__(self, v):
        self.v = v

    def run(self):
        raise Stopped(self.v * self.v)

    @property
    def value(self):
        raise Stopped(self.v * self.v)

    def __add__(self, other):
        raise Stopped(self.v * other)

    def __getitem__(self, index):
        raise Stopped(self.v * self.v)

    def __bool__(self):
        raise Stopped(self.v * self.v)

    def __iter__(self):
        raise Stopped(self.v * self.v)


def from_a_method(x):
    o = Raising(x)
    try:
        y = o.run()
    except Stopped as error:
        y = error.best
    return y


def from_a_property(x):
    o = Raising(x)
    try:
        y = o.value
    except Stopped as error:
        y = error.best
    return y


def from_an_operator(x):
    o = Raising(x)
    try:
        y = o + 2.0
    except Stopped as error:
        y = error.best
    return y


def from_a_subscript(x):
    o = Raising(x)
    try:
        y = o[0]
    except Stopped as error:
        y = error.best
    return y


def from_a_condition(x):
    o = Raising(x)
    y = 1.0
    try:
        if o:
            y = 2.0
    except Stopped as error:
        y = error.best
    return y


def from_the_condition_of_a_loop(x):
    o = Raising(x)
    y = 1.0
    try:
        while o:
            y = 2.0
    except Stopped as error:
        y = error.best
    return y


def from_an_iterator(x):
    o = Raising(x)
    y = 1.0
    try:
        for v in o:
            y = v
    except Stopped as error:
        y = error.best
    return y


def stored_into_the_exception(x):
    made = Diverged()
    try:
        raise made
    except Diverged as error:
        error.value = x * x
    return made.value


def stored_into_a_list_that_is_raised(x):
    content = [1.0]
    try:
        raise Diverged(content)
    except Diverged as error:
        error.args[0][0] = x * x
    return content[0]


def stored_into_a_list_that_a_function_raises(x):
    content = [1.0]
    try:
        stops_with(content)
    except Stopped as error:
        error.best[0] = x * x
    return content[0]


def appended_to_a_list_that_a_function_raises(x):
    content = [1.0]
    try:
        stops_with(content)
    except Stopped as error:
        found = error.best
        found.append(x * x)
    return content[1]


class Keeping:
    """Of an exception that leaves the body, it keeps the number."""

    def __init__(self, swallows):
        self.best = 0.0
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, cls, error, traceback):
        if error is not None:
            self.best = error.best
        return self.swallows


def kept_by_a_context(x):
    keeping = Keeping(True)
    with keeping:
        stops(x)
    return keeping.best


def kept_by_a_context_that_hands_it_on(x):
    keeping = Keeping(False)
    try:
        with keeping:
            stops(x)
    except Stopped:
        pass
    return keeping.best


class Total:
    def __init__(self):
        self.total = 0.0
        self.parts = [0.0]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def add(self, v):
        self.total += v


class Lists:
    def __init__(self):
        self.parts = [0.0]
        self.rows = [[0.0]]

    def __enter__(self):
        return self.parts

    def __exit__(self, *error):
        pass


class Rows(Lists):
    def __enter__(self):
        return self.rows


def put(total, v):
    total.total = v


def attribute_through_the_bound_name(x):
    a = Total()
    with a as b:
        b.total = x * x
    return a.total


def method_of_the_bound_name(x):
    a = Total()
    with a as b:
        b.add(x * x)
    return a.total


def element_through_the_bound_name(x):
    a = Total()
    with a as b:
        b.parts[0] = x * x
    return a.parts[0]


def bound_name_in_a_call(x):
    a = Total()
    with a as b:
        put(b, x * x)
    return a.total


def list_of_the_caller_through_the_bound_name(x):
    values = [0.0]
    a = Total()
    a.parts = values
    with a as b:
        b.parts.append(x * x)
    return values[1]


def appended_to_a_list_that_is_bound(x):
    a = Lists()
    with a as b:
        b.append(x * x)
    return a.parts[1]


def stored_into_a_list_that_is_bound(x):
    a = Lists()
    with a as b:
        b[0] = x * x
    return a.parts[0]


def appended_to_the_elements_of_a_list_that_is_bound(x):
    a = Rows()
    with a as b:
        for row in b:
            row.append(x * x)
    return a.rows[0][1]


def through_a_context_of_the_library(x):
    values = [0.0]
    with contextlib.nullcontext(values) as b:
        b.append(x * x)
    return values[1]


@pytest.mark.parametrize(
    "function",
    [
        from_arguments,
        from_an_attribute,
        from_an_attribute_of_its_class,
        through_a_function_that_does_not_catch,
        from_a_nested_function,
        from_a_partial_function,
        from_a_function_that_is_handed_on,
        from_a_key_function,
        from_a_comprehension,
        from_each_trip,
        kept_after_the_handler,
        from_a_key,
        from_a_method,
        from_a_property,
        from_an_operator,
        from_a_subscript,
        from_a_condition,
        from_the_condition_of_a_loop,
        from_an_iterator,
        stored_into_the_exception,
        stored_into_a_list_that_is_raised,
        stored_into_a_list_that_a_function_raises,
        appended_to_a_list_that_a_function_raises,
        kept_by_a_context,
        kept_by_a_context_that_hands_it_on,
        attribute_through_the_bound_name,
        method_of_the_bound_name,
        element_through_the_bound_name,
        bound_name_in_a_call,
        list_of_the_caller_through_the_bound_name,
        appended_to_a_list_that_is_bound,
        stored_into_a_list_that_is_bound,
        appended_to_the_elements_of_a_list_that_is_bound,
        through_a_context_of_the_library,
    ],
    ids=lambda f: f.__name__,
)
def test_never_dropped(function):
    x, h, refusal = 1.5, 1e-5, ""
    try:
        found = grad(function)(x)
    except S2sadError as error:
        refusal = str(error)
    if refusal:
        assert __file__ in refusal
        assert "^" in refusal
    else:
        assert found == pytest.approx((function(x + h) - function(x - h)) / (2 * h), rel=1e-6)


def test_the_refusal_says_where_and_why():
    with pytest.raises(S2sadError, match=r"a derivative passes through (.|\n)*error\.args"):
        grad(from_arguments)(1.5)
    with pytest.raises(S2sadError, match=r"this context has numbers (.|\n)*with a as b"):
        grad(attribute_through_the_bound_name)(1.5)


def solved(values, v):
    if v > 0:
        raise Diverged("no solution", 3)
    return v + values[0]


def printed(x):
    values = x * np.array([1.0, 2.0])
    try:
        y = solved(values, x)
    except Diverged as error:
        print("failed", error, error.args[0])
        y = values[0] * values[1]
    return y


def not_bound(x):
    try:
        y = stops(x)
    except Stopped:
        y = 2 * x * x
    return y


def looked_at(x):
    values = x * np.array([1.0, 2.0])
    try:
        y = solved(values, x)
    except Diverged as error:
        y = values[0]
        if error.args[1] == 3:
            y = y * values[1]
    return y


def kept_as_text(x):
    values = x * np.array([1.0, 2.0])
    messages = []
    try:
        y = solved(values, x)
    except Diverged as error:
        messages.append(str(error))
        y = values[0] * values[1]
    return y + len(messages)


def kept_in_a_list(x):
    values = x * np.array([1.0, 2.0])
    errors = []
    try:
        y = solved(values, x)
    except Diverged as error:
        errors.append(error)
        y = values[0] * values[1]
    return y if errors else x


def raised_from_another(x):
    try:
        y = stops(x)
    except Stopped as error:
        if x > 5:
            raise ValueError(str(error)) from error
        y = 2 * x * x
    return y


def logged(x):
    log = Total()
    with log as b:
        y = 2 * x * x
        b.add(1.0)
    print(log.total)
    return y


def raised_under_a_context(x):
    with Total() as b:
        b.add(1.0)
        y = stops(-x) * -2 * x
    return y


@pytest.mark.parametrize(
    "function",
    [
        printed,
        not_bound,
        looked_at,
        kept_as_text,
        kept_in_a_list,
        raised_from_another,
        logged,
        raised_under_a_context,
    ],
    ids=lambda f: f.__name__,
)
def test_what_does_not_take_numbers_out_goes_on_working(function, capsys):
    assert grad(function)(1.5) == pytest.approx(4 * 1.5)  # of 2x²
