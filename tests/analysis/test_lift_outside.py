"""Variables outside as arguments: how they are told apart, and how each function reads them."""

import sys
import types

from s2sad.analysis.lift_outside import Lifted, lift, load_of, place_of
from s2sad.analysis.specialisation import Context, Guard
from s2sad.ir.nodes import Block, Constant, Function, Return
from s2sad.ir.operations import load_captured, load_global
from tests.corpus import neighbour

CONTEXT = Context(globals())


def test_a_global_is_one_variable_by_name_and_as_an_attribute():
    by_name = Guard(vars(neighbour), "NOTES", neighbour.NOTES)
    as_attribute = Guard(neighbour, "NOTES", neighbour.NOTES)
    assert place_of(by_name) == place_of(as_attribute)
    assert place_of(by_name) != place_of(Guard(vars(neighbour), "GAIN", neighbour.GAIN))


def test_how_a_variable_is_read():
    cell = types.CellType([1.0])
    captured = Guard(cell, "scratch", cell.cell_contents)
    assert load_of(Guard(globals(), "CONTEXT", CONTEXT), CONTEXT).function is load_global
    assert load_of(captured, Context({}, {"scratch": cell})).function is load_captured
    assert [one.value for one in load_of(captured, CONTEXT).operands] == [cell, "cell_contents"]
    elsewhere = load_of(Guard(vars(neighbour), "NOTES", neighbour.NOTES), CONTEXT)
    assert [one.value for one in elsewhere.operands] == [sys.modules[neighbour.__name__], "NOTES"]
    assert load_of(Guard({"__name__": "a module that is not there", "x": []}, "x", []), CONTEXT) is None


def test_variables_come_before_what_the_function_takes_itself():
    function = Function("f", (), Block((), Return(Constant(None))))
    first, second = (Guard(globals(), name, None) for name in ("first", "second"))
    lifted = lift(lift(Lifted(function), first), second)
    assert [value.name for value in lifted.definition.captured] == ["first", "second"]
    assert lifted.values[place_of(second)] is lifted.definition.captured[1]
