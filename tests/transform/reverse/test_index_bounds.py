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


def bounds(bound, name, arm=""):
    function = parse(TEXT)
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


def test_steps_and_offsets() -> None:
    function = parse(TEXT)
    structure = Structure.of(function)
    assert [step_of(node, structure) for node in walk(function.body) if isinstance(node, For)] == [1, 1]
    (k,) = (node.result for node in walk(function.body) if isinstance(node, Call) and node.result.name == "k")
    base, offset = split_offset(k, structure.definition)
    assert isinstance(base, Value)
    assert (base.name, offset) == ("j", -2)
    assert function_of(structure.definition[k]).__name__ == "sub"
