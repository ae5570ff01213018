"""What is known of the indices of loops."""

from __future__ import annotations

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Call, For, Value, function_of, walk
from s2sad.transform.offsets import split_offset
from s2sad.transform.reverse.index_bounds import known_in, lower_bounds, step_of, upper_bounds
from tests.transform.text_ir import parse

TEXT = """
function f(n: int, x: float):
  r = range(1, n)
  s = for i in r (t = x):
    m = add(i, 1)
    q = range(m)
    u = for j in q (v = t):
      k = sub(j, 2)
      c = eq(i, j)
      w = if c:
        a = sin(v)
        yield a
      else:
        b = cos(v)
        yield b
      yield w
    yield u
  return s
"""

BOTH = """
function f(i: int, j: int, x: float):
  first = gt(i, 0)
  c = if first:
    second = gt(j, 1)
    yield second
  else:
    yield first
  w = if c:
    a = sin(x)
    yield a
  else:
    b = cos(x)
    yield b
  return w
"""


def bounds(bound, name, arm="", text=TEXT):
    function = parse(text)
    structure = Structure.of(function)
    values = {value.name: value for value in structure.home}
    block = structure.home[values[arm or name]]
    found = bound(values[name], structure, known_in(block, structure))
    return {base.name if base is not None else 0: offset for base, offset in found.items()}


def test_a_range_bounds_its_index() -> None:
    assert bounds(lower_bounds, "i") == {"i": 0, 0: 1}
    assert bounds(upper_bounds, "i") == {"i": 0, "n": -1}


def test_bounds_of_bounds() -> None:
    assert bounds(upper_bounds, "k") == {"j": -2, "i": -2, "n": -3}
    assert bounds(lower_bounds, "k") == {"j": -2, 0: -2}


def test_conditions_say_more() -> None:
    assert bounds(lower_bounds, "j", "a") == {"j": 0, "i": 0, 0: 1}
    assert bounds(upper_bounds, "j", "b")["i"] == -1  # at most i, and not i


def test_two_conditions_hold() -> None:
    assert bounds(lower_bounds, "i", "a", BOTH) == {"i": 0, 0: 1}
    assert bounds(lower_bounds, "j", "a", BOTH) == {"j": 0, 0: 2}
    assert bounds(lower_bounds, "j", "b", BOTH) == {"j": 0}


def test_one_of_two_conditions_holds() -> None:
    either = BOTH.replace("yield second", "yield FIRST").replace("yield first", "yield second").replace("FIRST", "first")
    either = either.replace("    second = gt(j, 1)\n    yield first\n  else:", "    yield first\n  else:\n    second = gt(j, 1)")
    assert bounds(upper_bounds, "i", "b", either) == {"i": 0, 0: 0}
    assert bounds(upper_bounds, "j", "b", either) == {"j": 0, 0: 1}
    assert bounds(lower_bounds, "i", "a", either) == {"i": 0}


def test_steps_and_offsets() -> None:
    function = parse(TEXT)
    structure = Structure.of(function)
    assert [step_of(node, structure) for node in walk(function.body) if isinstance(node, For)] == [1, 1]
    (k,) = (node.result for node in walk(function.body) if isinstance(node, Call) and node.result.name == "k")
    base, offset = split_offset(k, structure.definition)
    assert isinstance(base, Value)
    assert (base.name, offset) == ("j", -2)
    assert function_of(structure.definition[k]).__name__ == "sub"
