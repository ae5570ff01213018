"""Frames: which parts of a value have adjoints, where a contribution goes, what a loop carries for values from outside."""

from __future__ import annotations

import pytest

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Block, For, While, walk
from s2sad.ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    FunctionType,
    ListType,
    OpaqueType,
    OptionalType,
    TupleType,
)
from s2sad.transform.reverse.frames import ZERO, Frame, ReversedLoop, find_bar, leaves_of, new_bar
from tests.transform.text_ir import parse


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        (FLOAT, [()]),
        (COMPLEX, [()]),
        (INT, []),
        (BOOL, []),
        (NONE, []),
        (ANY, []),
        (OpaqueType(str), []),
        (ListType(FLOAT, 1), []),
        (OptionalType(FLOAT), [()]),
        (OptionalType(TupleType((FLOAT, INT))), [(0,)]),
        (TupleType((INT, FLOAT, ListType(FLOAT, 1), FLOAT)), [(1,), (3,)]),
        (TupleType((TupleType((FLOAT, TupleType((INT, FLOAT)))), FLOAT)), [(0, 0), (0, 1, 1), (1,)]),
        (FunctionType(None, "f", (INT, FLOAT)), [(1,)]),
        (TupleType(()), []),
    ],
)
def test_numbers_in_a_value(kind, paths):
    assert list(leaves_of(kind)) == paths


def nested() -> tuple[Structure, list[Block], dict[str, object]]:
    function = parse("""
        function f(x: float, n: int):
          a = mul(x, 2.0)
          r = for i in range(n) (y = a):
            b = mul(y, x)
            s = for j in range(n) (z = b):
              c = mul(z, x)
              yield c
            yield s
          return r
        """)
    loops = [node for node in walk(function.body) if isinstance(node, For | While)]
    values = {value.name: value for value in Structure.of(function).home if value.name}
    return Structure.of(function), [function.body, *(loop.body for loop in loops)], {"loops": loops, **values}


def test_names_of_adjoints():
    _, _, found = nested()
    assert new_bar((found["x"], ())).name == "x_bar"
    assert new_bar((found["x"], (0, 1))).name == "x_0_1_bar"
    assert new_bar((found["x"], ())).temporary


def test_a_contribution_inside_loops_goes_round_all_of_them():
    structure, blocks, found = nested()
    outer, inner = found["loops"]
    root = Frame(blocks[0])
    frames = [root]
    for loop, block in zip((outer, inner), blocks[1:], strict=True):
        frame = Frame(block, frames[-1])
        frame.loop = ReversedLoop(loop, frame)
        frames.append(frame)
    slot = (found["x"], ())
    bar = find_bar(frames[2], slot, structure.is_inside)
    # each loop carries it, from zero at the outside
    first, second = (frame.loop.accumulators[slot] for frame in frames[1:])
    assert bar is second.parameter
    assert second.initial is first.parameter
    assert first.initial is ZERO
    assert find_bar(frames[2], slot, structure.is_inside) is bar
    # what is defined inside has its adjoint there
    for depth, name in enumerate(("a", "b", "c")):
        assert find_bar(frames[depth], (found[name], ()), structure.is_inside) is None
    assert (found["b"], ()) not in frames[1].loop.accumulators
    assert find_bar(frames[2], (found["b"], ()), structure.is_inside) is frames[2].loop.accumulators[found["b"], ()].parameter
    assert (found["b"], ()) not in frames[1].loop.accumulators


def test_a_contribution_made_before_is_found_from_inside():
    structure, blocks, found = nested()
    root = Frame(blocks[0])
    arm = Frame(blocks[0], root)
    slot = (found["x"], ())
    root.bars[slot] = bar = new_bar(slot)
    assert find_bar(arm, slot, lambda value, block: False) is bar
    assert find_bar(root, slot, structure.is_inside) is bar
