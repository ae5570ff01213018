"""A helper that gives something known, such as a function or a class, is called for what else it does."""

import math

import pytest

from s2sad import grad, value_and_grad

STEPS = []


class Point:
    pass


def note_and_give_function(notes, x):
    notes.append(x)
    return math.sin


def note_and_give_class(notes, x):
    notes.append(x)
    return Point


def note_and_give_text(notes, x):
    notes.append(x)
    return "name"


def count_and_give_function():
    STEPS.append(1)
    return math.exp


def print_and_give_function(x):
    print("printed")
    return math.exp


def check_and_give_function(x):
    if x < 0:
        raise ValueError("negative")
    return math.cos


def with_function(x):
    notes = []
    f = note_and_give_function(notes, x * x)
    return notes[0] + f(x)


def with_class(x):
    notes = []
    point = note_and_give_class(notes, x * x)()
    point.x = x
    return notes[0] + point.x


def with_text(x):
    notes = []
    name = note_and_give_text(notes, x * x)
    return notes[0] + len(name) * x


@pytest.mark.parametrize(
    ("f", "slope"),
    [(with_function, 2 * 1.5 + math.cos(1.5)), (with_class, 2 * 1.5 + 1), (with_text, 2 * 1.5 + 4)],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_it_stores(f, slope):
    assert grad(f)(1.5) == pytest.approx(slope)


def test_what_it_stores_outside():
    def f(x):
        STEPS.clear()
        return count_and_give_function()(x) * len(STEPS)

    assert value_and_grad(f)(1.5) == pytest.approx((math.exp(1.5), math.exp(1.5)))
    assert STEPS == [1]


def test_what_it_prints(capsys):
    value_and_grad(lambda x: print_and_give_function(x)(x))(1.5)
    assert capsys.readouterr().out == "printed\n"


def test_what_it_raises():
    def f(x):
        return check_and_give_function(x)(x)

    assert grad(f)(1.5) == pytest.approx(-math.sin(1.5))
    with pytest.raises(ValueError, match="negative"):
        grad(f)(-1.5)
