"""Types along all paths: joins, loops to a fixpoint, calls, recursion, memory that grows through callees, guards."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sad.analysis.analyser import Analyser
from s2sad.analysis.infer_types import Inference
from s2sad.analysis.signatures import types_of
from s2sad.analysis.specialisation import Contents, Specialisation
from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.lower import lower_function
from s2sad.ir.effects import PURE, Callee
from s2sad.ir.nodes import Branch, Call, Constant, If, walk
from s2sad.ir.types import ListType
from s2sad.ir.verify import verify

RATE = 2.0
TABLE = {"k": 1.0}
helpers = types.SimpleNamespace()


def infer(function: Callable[..., Any], *args: object) -> Specialisation:
    analyser = Analyser(lower_function)
    found = analyser.specialise_function(function, types_of(args))
    verify(found.function)
    return found


def result(function: Callable[..., Any], *args: object) -> str:
    return str(infer(function, *args).result)


def joined(x, c):
    if c > 0:
        y = 1
    else:
        y = x
    return y


def bound_in_one_arm(x, c):
    y = None
    if c > 0:
        y = x
    return y


def grows_in_the_loop(x, n):
    s = 0
    for _ in range(n):
        s = s + x
    return s


def chain_of_carried(x, n):
    a = b = c = d = 0
    for _ in range(n):
        a, b, c, d = b, c, d, x
    return a


def integers_stay(x, n):
    k = 0
    while k < n:
        k += 1
    return k


def nested_loops(x, n):
    s, t = 0, 0
    for i in range(n):
        for j in range(i):
            s = t
            t = t + x
    return s


def left_early(x, n):
    s = 0
    for i in range(n):
        if i > 3:
            s = x
            break
    return s


def returns_two_kinds(x, c):
    if c > 0:
        return 1
    return x


def returns_nothing_at_times(x, c):
    if c > 0:
        return x
    return None


def decided_by_type(x, c):
    if isinstance(c, list):
        return "text"
    return x


def decided_by_none(x, c):
    return x if c is None else c


def tuples(x, c):
    pair = (x, 1)
    a, b = pair
    return b, a


def lists(x, c):
    xs = []
    for _ in range(3):
        xs.append(x)
    return xs


def lists_joined(x, c):
    xs, ys = [1], [x]
    zs = xs if c > 0 else ys
    zs.append(1)
    return xs[0]


def dicts(x, c):
    return {"a": x, "b": 1}["a"]


def comprehension(x, c):
    return [x * k for k in range(3)]


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (joined, (1.0, 2), "float"),
        (joined, (1, 2), "int"),
        (joined, (1j, 2), "complex"),
        (joined, (True, 2), "int"),
        (joined, ("a", 2), "any"),
        (bound_in_one_arm, (1.0, 2), "optional[float]"),
        (grows_in_the_loop, (1.0, 2), "float"),
        (grows_in_the_loop, (1, 2), "int"),
        (grows_in_the_loop, (True, 2), "int"),
        (grows_in_the_loop, (np.float64(1), 2), "float"),  # 0 where there is no trip
        (chain_of_carried, (1.0, 2), "float"),
        (chain_of_carried, (1, 2), "int"),
        (integers_stay, (1.0, 2), "int"),
        (integers_stay, (1.0, 2.5), "int"),
        (nested_loops, (1.0, 3), "float"),
        (left_early, (1.0, 3), "float"),
        (returns_two_kinds, (1.0, 3), "float"),
        (returns_nothing_at_times, (1.0, 3), "optional[float]"),
        (decided_by_type, (1.0, 3), "float"),
        (decided_by_type, (1.0, [3.0]), "str"),
        (decided_by_none, (1.0, None), "float"),
        (decided_by_none, (1.0, "a"), "str"),
        (tuples, (1.0, 0), "tuple[int, float]"),
        (lists, (1.0, 0), "list[float]"),
        (lists, ([1.0], 0), "list[list[float]]"),
        (lists_joined, (1.0, 0), "float"),
        (dicts, (1.0, 0), "float"),
        (comprehension, (1.0, 0), "list[float]"),
        (comprehension, (1, 0), "list[int]"),
    ],
)
def test_results(function, args, expected):
    assert result(function, *args) == expected


def test_conditions_that_types_decide_are_gone():
    for args in ((1.0, 3), (1.0, [3.0])):
        nodes = list(walk(infer(decided_by_type, *args).function.body))
        assert not any(isinstance(node, If | Branch) for node in nodes)


# --- calls ----------------------------------------------------------------------------------------------------------------------


def fills(xs, x):
    xs.append(x)


def filled_by_callee(x):
    xs = []
    fills(xs, x)
    return xs


def stores(xs):
    xs[0] = 2.0


def gives_back(xs):
    return xs


def aliased_by_callee(x):
    xs = [1]
    ys = gives_back(xs)
    ys[0] = x
    return xs[0]


def unites(xs, ys):
    xs.append(ys)


def united_by_callee(x):
    ys = [1]
    outer = []
    unites(outer, ys)
    outer[0][0] = x
    return ys[0]


def sets_attribute(record, x):
    record.value = x


class Record:
    def __init__(self):
        self.value = 0


def attribute_by_callee(x):
    record = Record()
    sets_attribute(record, x)
    return record.value


def power(x, n):
    return 1 if n == 0 else x * power(x, n - 1)


def even(x, n):
    return 0 if n == 0 else odd(x, n - 1)


def odd(x, n):
    return x if n == 0 else even(x, n - 1)


def ackermann_like(x, n):
    if n <= 0:
        return x
    return ackermann_like(ackermann_like(x, n - 2), n - 1) + 1


def never_returns(x):
    return never_returns(x)


def collects(xs, x, n):
    if n == 0:
        return xs
    xs.append(x)
    return collects(xs, x, n - 1)


def three_a(x, n):
    return three_b(x, n) if n else 0


def three_b(x, n):
    return three_c(x, n - 1)


def three_c(x, n):
    return three_a(x, n) if n > 1 else x


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (filled_by_callee, (1.0,), "list[float]"),
        (aliased_by_callee, (1.0,), "float"),
        (united_by_callee, (1.0,), "float"),
        (attribute_by_callee, (1.0,), "float"),
        (power, (1.0, 3), "float"),
        (power, (2, 3), "int"),
        (even, (1.0, 3), "float"),
        (odd, (1.0, 3), "float"),
        (odd, (1, 3), "int"),
        (ackermann_like, (1.0, 3), "float"),
        (three_a, (1.0, 3), "float"),
        (three_b, (1.0, 3), "float"),
        (three_c, (1.0, 3), "float"),
        (lambda x, n: collects([], x, n), (1.0, 3), "list[float]"),
        (never_returns, (1.0,), "unknown"),
    ],
)
def test_calls(function, args, expected):
    assert result(function, *args) == expected


def test_recursion_keeps_one_specialisation_a_signature():
    analyser = Analyser(lower_function)
    analyser.specialise_function(power, types_of((1.0, 3)))
    assert len(analyser.specialisations) == 1
    analyser.specialise_function(power, types_of((1.0, 5)))
    assert len(analyser.specialisations) == 1
    analyser.specialise_function(power, types_of((1, 5)))
    assert len(analyser.specialisations) == 2
    assert all(specialisation.complete for specialisation in analyser.specialisations.values())


def test_what_callees_do_to_containers():
    (written,) = [
        node.function.value.unit
        for node in walk(infer(filled_by_callee, 1.0).function.body)
        if isinstance(node, Call) and isinstance(node.function, Constant) and isinstance(node.function.value, Callee)
    ]
    assert written.written(1) == {"restructured"}
    assert written.written(2) == frozenset()
    unchanged = infer(lambda xs: xs[0], [1.0])
    assert unchanged.written(1) == frozenset()
    assert infer(stores, [1.0]).written(1) == {"stored"}


def test_effects_of_bodies():
    assert infer(lambda x: x * x + 1.0, 1.0).callee.effects == PURE
    assert infer(lambda x: x * RATE, 1.0).callee.effects.reads
    assert infer(lambda x: print(x), 1.0).callee.effects.acts
    assert infer(lambda xs: xs.append(1.0), [1.0]).callee.effects.acts
    assert infer(power, 1.0, 3).callee.effects.is_removable is not None


def test_one_list_twice_is_one_region():
    found = infer(lambda xs, ys: xs, xs := [1.0], xs)
    first, second = (parameter.value.type for parameter in found.function.parameters)
    assert isinstance(first, ListType)
    assert first == second
    found = infer(lambda xs, ys: xs, [1.0], [1.0])
    first, second = (parameter.value.type for parameter in found.function.parameters)
    assert first != second


# --- guards ---------------------------------------------------------------------------------------------------------------------


def guards_of(function: Callable[..., Any], *args: object) -> dict[str, Any]:
    analyser = Analyser(lower_function)
    analyser.specialise_function(function, types_of(args))
    assert all(guard.holds() for guard in analyser.guards.values())
    return {
        guard.namespace.variable.name + " contents" if isinstance(guard.namespace, Contents) else guard.name: guard
        for guard in analyser.guards.values()
    }


def reads_globals(x):
    return x * RATE * TABLE["k"]


def calls_helper(x):
    return math.sin(joined(x, 1))


def reads_attribute(x):
    return helpers.rate * x


def test_guards_of_globals(monkeypatch):
    guards = guards_of(reads_globals, 1.0)
    assert guards["RATE"].by_class
    monkeypatch.setitem(globals(), "RATE", 3.0)
    assert guards["RATE"].holds()
    monkeypatch.setitem(globals(), "RATE", 3)
    assert not guards["RATE"].holds()
    assert guards["TABLE contents"].holds()
    monkeypatch.setitem(TABLE, "k", 5.0)
    assert guards["TABLE contents"].holds()
    monkeypatch.setitem(TABLE, "k", None)
    assert not guards["TABLE contents"].holds()


def test_guards_of_functions(monkeypatch):
    guards = guards_of(calls_helper, 1.0)
    assert guards["math"].expected is math
    assert guards["joined"].expected is joined
    monkeypatch.setattr(joined, "__code__", tuples.__code__)
    assert guards["joined"].holds()
    assert not guards["__code__"].holds()
    monkeypatch.delitem(globals(), "joined")
    assert not guards["joined"].holds()


def test_guards_of_cells():
    factor: object = 2.0

    def f(x):
        return x * factor  # noqa: F821

    guards = guards_of(f, 1.0)
    factor = 3.0
    assert guards["factor"].holds()
    factor = None
    assert not guards["factor"].holds()
    del factor
    assert not guards["factor"].holds()


def test_guards_of_attributes():
    helpers.rate = 2.0
    guards = guards_of(reads_attribute, 1.0)
    assert all(guard.holds() for guard in guards.values())
    helpers.rate = None
    assert not all(guard.holds() for guard in guards.values())
    del helpers.rate
    assert not all(guard.holds() for guard in guards.values())


def test_two_guards_of_one_thing_are_one():
    def twice(x):
        return x * TABLE["k"] + TABLE["k"] * RATE * RATE

    analyser = Analyser(lower_function)
    analyser.specialise_function(twice, types_of((1.0,)))
    assert len({guard.key for guard in analyser.guards.values()}) == len(analyser.guards) == 3


# --- what is wrong --------------------------------------------------------------------------------------------------------------


def test_wrong_calls_raise_when_they_run_and_not_before():
    def wrong(x):
        if x > 1e9:
            return joined(x)
        return x

    assert result(wrong, 1.0) in ("float", "any")


def test_containers_that_nest_themselves_settle():
    def nests(x, n):
        xs = [x]
        for _ in range(n):
            xs = [xs]
        return x

    assert result(nests, 1.0, 3) == "float"


def test_locals_are_refused():
    def f(x):
        return eval("x") * x

    with pytest.raises(UnsupportedSyntaxError, match="eval"):
        infer(f, 1.0)


def count_visits(monkeypatch, function, *args):
    """How often each call is visited, on average."""
    visited = []
    visit_call = Inference.visit_call
    monkeypatch.setattr(Inference, "visit_call", lambda self, call: (visited.append(call), visit_call(self, call)))
    infer(function, *args)
    return len(visited) / len(set(visited))


def test_code_is_visited_again_only_where_something_becomes_more_general(monkeypatch):
    def straight(x, y):
        z = x * y + 1.0
        return math.sin(z) / y

    def steady(x, n):
        s = 0.0
        for _ in range(n):
            s = s + x
        return s

    assert count_visits(monkeypatch, straight, 1.0, 2.0) == 1
    assert count_visits(monkeypatch, steady, 1.0, 3) < 2.5
    assert count_visits(monkeypatch, grows_in_the_loop, 1.0, 3) >= 2
