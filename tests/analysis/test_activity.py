"""Which values carry a derivative: read off typed programs, by name."""

from __future__ import annotations

import collections
import math
from collections.abc import Callable
from typing import Any

import pytest

from s2sad import grad, stop_gradient
from s2sad.analysis.activity import find_activity
from s2sad.analysis.activity_items import carries_derivative, may_hide
from s2sad.analysis.analyser import Analyser
from s2sad.analysis.memory import references_in
from s2sad.analysis.signatures import types_of
from s2sad.analysis.structure import Structure
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import Block, Function, Operation, Value, blocks_of, parameters_of, results_of, walk
from s2sad.ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    FunctionType,
    IteratorType,
    ListType,
    OpaqueType,
    OptionalType,
    TupleType,
)

grad(stop_gradient)  # its rule is declared with the first derivative


def typed(function: Callable[..., Any], *args: object) -> Function:
    return Analyser(lower_function).specialise_function(function, types_of(args)).function


def values_of(function: Function) -> list[Value]:
    found = [parameter.value for parameter in function.parameters]
    for node in walk(function.body):
        if isinstance(node, Operation):
            found.extend(results_of(node))
            found.extend(parameters_of(node))
    return found


def active_names(function: Callable[..., Any], args: tuple[object, ...], wrt: tuple[int, ...] = (0,)) -> set[str]:
    """The user's names that are active in at least one of their values."""
    ir = typed(function, *args)
    activity = find_activity(ir, [ir.parameters[index].value for index in wrt])
    return {value.name for value in values_of(ir) if value.name and not value.temporary and value in activity}


def straight(x, n):
    y = x * n
    z = math.floor(x)
    unused = math.sin(x)
    w = 2.0 * n
    return y * z * w


def stopped(x, n):
    y = stop_gradient(x * x)
    z = x * y
    return z


def integers(x, n):
    k = int(x)
    s = 0.0
    for i in range(k):
        s = s + x * i
    return s


def comparisons(x, n):
    c = x > 0.0
    r = round(x)
    if c:
        y = x
    else:
        y = 1.0
    return y + r


def late(x, n):
    """What is carried once round becomes active in the second trip."""
    a = b = 0.0
    for _ in range(n):
        a = b
        b = x
    return a


def overwritten(x, n):
    y = x
    y = 1.0
    return y * x


def by_list(x, n):
    xs = [0.0, 0.0]
    ys = [0.0]
    xs[0] = x
    ys[0] = float(n)
    a = xs[1]
    b = ys[0]
    return a * b


def by_dict(x, n):
    d = {"a": x}
    e = {"a": 2.0}
    a = d["a"]
    b = e["a"]
    return a * b


def into(xs, value):
    xs.append(value)


def by_callee(x, n):
    xs = []
    ys = []
    into(xs, x)
    into(ys, 3.0)
    a = xs[0]
    b = ys[0]
    return a * b


def takes_first(a, b):
    return a


def through_result(x, n):
    y = takes_first(x, n)
    z = takes_first(2.0, 3.0)
    return y * z


def by_tuple(x, n):
    pair = (x, 2.0)
    a, b = pair
    return a * b


def by_closure(x, n):
    def inner(y):
        return x * y

    z = inner(2.0)
    return z


def by_loop_over_list(x, n):
    xs = [x, 2.0]
    s = 0.0
    for item in xs:
        s += item
    for other in [1.0, 2.0]:
        s += other
    return s


def early(x, n):
    if n > 3:
        y = 2.0 * x
        return y
    z = float(n)
    return z


def by_while(x, n):
    s, k = 1.0, 0
    while s < x:
        s = s * 2.0
        k += 1
    return s * x


def handled(x, n):
    y = 3.0 * x
    try:
        z = 1.0 / n
    except ZeroDivisionError:
        z = 0.0
    return y * z


@pytest.mark.parametrize(
    ("function", "args", "active"),
    [
        (straight, (1.0, 2), {"x", "y"}),
        (stopped, (1.0, 2), {"x", "z"}),
        (integers, (1.0, 2), {"x", "s"}),
        (comparisons, (1.0, 2), {"x", "y"}),
        (late, (1.0, 2), {"x", "a", "b"}),
        (overwritten, (1.0, 2), {"x"}),
        (by_list, (1.0, 2), {"x", "xs", "a"}),
        (by_dict, (1.0, 2), {"x", "d", "a"}),
        (by_callee, (1.0, 2), {"x", "xs", "a"}),
        (through_result, (1.0, 2), {"x", "y"}),
        (by_closure, (1.0, 2), {"x", "z"}),
        (by_loop_over_list, (1.0, 2), {"x", "xs", "s", "item"}),
        (early, (1.0, 2), {"x", "y"}),
        (by_while, (1.0, 2), {"x"}),
        (handled, (1.0, 2), {"x", "y"}),
    ],
)
def test_active_names(function, args, active):
    assert active_names(function, args) == active


def test_with_respect_to_nothing_nothing_is_active():
    for function in (straight, by_list, by_callee, late):
        assert active_names(function, (1.0, 2), ()) == set()
    assert active_names(straight, (1.0, 2), (1,)) == set()  # an integer
    assert active_names(straight, (1.0, 2.0), (1,)) == {"n", "y", "w"}


def test_a_result_that_is_no_number_makes_nothing_active():
    assert active_names(lambda x: int(x), (1.0,)) == set()
    assert active_names(lambda x: "text" if x > 0 else "other", (1.0,)) == set()


def test_outputs_are_regions_that_a_caller_looks_at():
    def f(xs, x):
        xs[0] = x * x
        return 1.0

    ir = typed(f, [1.0], 2.0)
    xs, x = (parameter.value for parameter in ir.parameters)
    (region,) = references_in(xs.type)
    assert x not in find_activity(ir, [x])
    activity = find_activity(ir, [x], [region])
    assert x in activity
    assert activity.is_region_active(region)


def test_what_is_lost():
    def text(x):
        y = str(x)
        return float(y)

    ir = typed(text, 1.5)
    activity = find_activity(ir, [ir.parameters[0].value])
    (y,) = [value for value in values_of(ir) if value.name == "y"]
    assert activity.is_lost(y)

    def numbers(x):
        y = x * x
        return y

    ir = typed(numbers, 1.5)
    activity = find_activity(ir, [ir.parameters[0].value])
    assert not any(activity.is_lost(value) for value in values_of(ir))


@pytest.mark.parametrize(
    ("kind", "carries", "hides"),
    [
        (FLOAT, True, False),
        (COMPLEX, True, False),
        (INT, False, False),
        (BOOL, False, False),
        (NONE, False, False),
        (ANY, True, True),
        (OpaqueType(str), False, True),
        (OpaqueType(collections.deque), False, True),
        (OptionalType(FLOAT), True, False),
        (OptionalType(INT), False, False),
        (OptionalType(OpaqueType(str)), False, True),
        (TupleType((INT, FLOAT)), True, False),
        (TupleType((INT, OpaqueType(str))), False, True),
        (FunctionType(None, "f", (FLOAT,)), True, False),
        (FunctionType(None, "f", ()), False, False),
        (IteratorType(zip, FLOAT), True, False),
        (IteratorType(zip, OpaqueType(str)), False, True),
        (ListType(FLOAT, 1), False, False),
    ],
)
def test_types_with_adjoints(kind, carries, hides):
    assert carries_derivative(kind) is carries
    assert may_hide(kind) is hides


# --- structure ------------------------------------------------------------------------------------------------------------------


def nested(x, n):
    s = x
    for i in range(n):
        t = s * i
        if t > 1.0:
            u = t
            while u > 1.0:
                u = u / 2.0
            s = u
    return s


def test_structure():
    ir = typed(nested, 1.0, 3)
    structure = Structure.of(ir)
    depths: dict[str, set[int]] = {}
    for value in values_of(ir):
        depths.setdefault(value.name, set()).add(structure.depth[structure.home[value]])
        assert structure.is_inside(value, ir.body)
        assert structure.encloses(structure.home[value], structure.home[value])
    assert depths["x"] == {0}
    assert depths["i"] == {1}
    assert depths["t"] == {1}
    assert depths["u"] == {1, 2}
    assert depths["s"] == {0, 1}
    assert structure.root is ir.body
    assert not structure.is_inside(Value("stranger"), ir.body)

    def check(block: Block, depth: int) -> None:
        assert structure.depth[block] == depth
        for node in (*block.operations, block.terminator):
            for inner in blocks_of(node):
                assert structure.owner[inner] == (node, block)
                assert structure.encloses(block, inner)
                assert not structure.encloses(inner, block)
                check(inner, depth + (type(node).__name__ in ("For", "While")))

    check(ir.body, 0)
