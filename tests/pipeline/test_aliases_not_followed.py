"""Containers that have two names, one of them by way of something that is not followed: what is put in by one name is what the
other gives. The derivative is right, or refused; it never leaves out what was put in by the other name."""

import itertools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from s2sad import grad
from s2sad.errors import S2sadError
from tests.written_programs import module_of

#: How each is made, with something in it, what puts a value into `{a}`, and what gives it back.
KINDS = {
    "list": ("[]", "[5.0]", "{a}.append({v})", "{a}.pop()"),
    "dict": ("{}", "{}", '{a}["k"] = {v}', '{a}["k"]'),
    "deque": ("deque()", "deque([5.0])", "{a}.append({v})", "{a}.pop()"),
    "set": ("set()", "{5.0}", "{a}.add({v})", "max({a})"),
    "counter": ("Counter()", "Counter()", '{a}["k"] = {v}', '{a}["k"]'),
    "ordered": ("OrderedDict()", "OrderedDict()", '{a}["k"] = {v}', '{a}["k"]'),
    "array": ('array("d")', 'array("d")', "{a}.append({v})", "{a}[-1]"),
    "queue": ("SimpleQueue()", "SimpleQueue()", "{a}.put({v})", "{a}.get()"),
    "array by index": ("np.zeros(3)", "np.ones(3)", "{a}[1] = {v}", "{a}[1]"),
    "array by out": ("np.zeros(3)", "np.ones(3)", "np.add({a}, {v}, out={a})", "{a}[0]"),
    "array by at": ("np.zeros(3)", "np.ones(3)", "np.add.at({a}, [1, 1], {v} / 2)", "{a}[1]"),
    "namespace": ("SimpleNamespace()", "SimpleNamespace()", "{a}.k = {v}", "{a}.k"),
}

#: How `r` becomes another name of `q`; `o` is another container of that kind.
ROUTES = {
    "constructor": "r = Holder(q).q",
    "method": "r = Holder(q).give()",
    "property": "r = Holder(q).held",
    "subscript": "r = Holder(q)[0]",
    "call": "r = Holder(q)()",
    "iteration": "r = list(Holder(q))[0]",
    "context": "with Holder(q) as r: pass",
    "copied holder": "r = copy.copy(Holder(q)).q",
    "two holders": "r = Holder(Holder(q).q).give()",
    "slots": "r = Slotted(q).q",
    "dataclass": "r = Pair(q, o).a",
    "replaced": "r = dataclasses.replace(Pair(o, o), a=q).a",
    "attributes": 'h = Empty(); h.q = q; r = vars(h)["q"]',
    "list of a helper": "r = listed(q)[0]",
    "dict of a helper": 'r = named(q)["a"]',
    "tuple of a helper": "r, _ = paired(q)",
    "list of a method": "r = Holder(q).parts()[0]",
    "starred": "r = first(q, o)",
    "starred call": "r = first(*[q, o])",
    "named arguments": "r = by_name(a=q, b=o)",
    "decorated": "r = decorated(q)",
    "partial": "r = partial(first, q)()",
    "tuple": "r = ((q,) + (1,))[0]",
    "repeated": "r = ((q,) * 3)[2]",
    "merged dict": 'd = {"a": 1.0, **{"b": q}}; r = d["b"]',
    "joined dicts": 'd = {"a": o} | {"b": q}; r = d["b"]',
    "one value for all keys": 'd = dict.fromkeys("ab", q); r = d["a"]',
    "mixed list": "m = [q, 1.0]; r = m[0]",
    "mixed dict": 'm = {"a": q, "b": 1.0}; r = m.pop("a")',
    "sorted": "r = sorted([q, o], key=lambda d: 0 if d is q else 1)[0]",
    "filter": "r = list(filter(lambda d: d is q, [o, q]))[0]",
    "map": "r = list(map(lambda d: d, [q, o]))[0]",
    "copied list": "r = copy.copy([q, o])[0]",
    "heap": "h = []; heapq.heappush(h, (0, q)); heapq.heappush(h, (1, o)); r = heapq.heappop(h)[1]",
    "tee": "r = list(itertools.tee([q, o])[1])[0]",
    "permutations": "r = list(itertools.permutations([q, o]))[0][0]",
    "cycle": "r = next(itertools.cycle([q, o]))",
    "groupby": "r = [list(g)[0] for _, g in itertools.groupby([q], key=lambda d: 1)][0]",
    "deque": "r = deque([q, o])[0]",
    "default": 'd = defaultdict(lambda: q); r = d["k"]',
    "ordered dict": 'd = OrderedDict(); d["a"] = q; r = d["a"]',
    "chain of maps": 'r = ChainMap({"a": q})["a"]',
    "either": "r = q if x > 0 else 1.0",
}

HEAD = """
import copy, dataclasses, functools, heapq, itertools
import numpy as np
from array import array
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from types import SimpleNamespace

class Empty: pass

class Holder:
    def __init__(self, q): self.q = q
    def give(self): return self.q
    def parts(self): return [self.q, 1.0]
    @property
    def held(self): return self.q
    def __getitem__(self, index): return self.q
    def __call__(self): return self.q
    def __iter__(self): return iter([self.q])
    def __enter__(self): return self.q
    def __exit__(self, *error): return None

class Slotted:
    __slots__ = ("q",)
    def __init__(self, q): self.q = q

@dataclass
class Pair:
    a: object
    b: object

def listed(q): return [q, set()]
def named(q): return {"a": q}
def paired(q): return q, set()
def first(*a): return a[0]
def by_name(**names): return names["a"]

def decorate(f):
    @functools.wraps(f)
    def wrapped(*a): return f(*a)
    return wrapped

@decorate
def decorated(q): return q
"""


def program(kind: str, route: str, way: str) -> str:
    made, other, put, get = KINDS[kind]
    into, out = ("r", "q") if "alias" in way else ("q", "r")
    calls = way.startswith("called")
    stored = f"put_{kind}({into}, x * x)" if calls else put.format(a=into, v="x * x")
    given = f"get_{kind}({out})" if calls else get.format(a=out)
    lines = (
        [f"q = {made}; o = {other}", ROUTES[route], stored]
        if "alias" in way
        else [f"q = {made}; o = {other}", stored, ROUTES[route]]
    )
    return "".join(f"    {line}\n" for line in [*lines, f"return {given} + x"])


ARRAYS = ("array by index", "array by out", "array by at")
WAYS = ("by the alias", "called by the alias", "by the name", "called by the name")
CASES = [case for case in itertools.product(KINDS, ROUTES, WAYS) if case[0] not in ARRAYS or case[2] == "by the alias"]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path: Path = tmp_path_factory.mktemp("aliases") / "aliases_not_followed.py"
    text = [HEAD]
    for kind, (_, _, put, get) in KINDS.items():
        if kind in ARRAYS:
            continue
        text.append(
            f"def put_{kind}(a, v):\n    {put.format(a='a', v='v')}\n\ndef get_{kind}(a):\n    return {get.format(a='a')}\n"
        )
    text += [f"def f_{number}(x):\n{program(*case)}" for number, case in enumerate(CASES)]
    return module_of(path, text)


@pytest.mark.parametrize(("kind", "way"), sorted({(kind, way) for kind, _, way in CASES}))
def test_nothing_is_lost(programs: ModuleType, kind: str, way: str) -> None:
    """Each program computes x**2 + x."""
    refused = 0
    for number, case in enumerate(CASES):
        if (case[0], case[2]) != (kind, way):
            continue
        f: Callable[[float], float] = getattr(programs, f"f_{number}")
        assert f(1.25) == 1.25**2 + 1.25, case
        try:
            assert grad(f)(1.25) == pytest.approx(2 * 1.25 + 1), case
        except S2sadError:
            refused += 1
    if kind == "list" and way == "by the name":
        assert refused < len(ROUTES) / 4
