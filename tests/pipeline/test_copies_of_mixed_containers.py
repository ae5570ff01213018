"""Lists and dicts that hold a list beside other things, copied in every way: what is put into the list by way of the copy is in
it by its own name. The derivative is right, or refused."""

import itertools
from pathlib import Path
from types import ModuleType

import pytest

from s2sad import grad
from s2sad.errors import S2sadError
from tests.written_programs import module_of

LISTS = ("[q, 1.0]", '[q, {"k": x}]', "[q, None]")
#: How a copy `c` is made of `m`, or of its parts.
COPIES_OF_LISTS = (
    *("c = m.copy()", "c = list(m)", "c = m[:]", "c = [*m]", "c = [*m, x]", "c = m + [x]", "c = [x] + m", "c = m * 2"),
    *("c = [e for e in m]", "c = copy.copy(m)", "c = list(reversed(m))", "c = m[::-1]", "c = [x]; c += m"),
    *("c = []; c.extend(m)", "c = tuple(m)", "c = [e for _, e in enumerate(m)]", "c = list(map(lambda e: e, m))"),
    *("c = copy.deepcopy(m)", "c = sorted(m, key=lambda e: 0 if isinstance(e, list) else 1)", "c = [e for e, _ in zip(m, m)]"),
    *("c = same(m)", "c = by_place(m)", "c = list(itertools.chain(m, [x]))", "c = list(m); c.insert(0, x)"),
    *("c = list(m); c.append(c.pop(0))", "d = dict(enumerate(m)); c = [d[0], d[1]]"),
)
USES_OF_LISTS = (
    """
    for e in c:
        if isinstance(e, list): e.append(x * x); break
    return sum(q) + x
""",
    """
    q[0] = x * x * x
    t = 0.0
    for e in c:
        if isinstance(e, list): t += e[0]
        if isinstance(e, float): t += e
    return t
""",
    """
    for i in range(len(c)):
        if isinstance(c[i], list): c[i][0] = x * x
    return q[0] * x
""",
)
DICTS = ('{"a": q, "b": 1.0}', '{"a": q, "b": "text"}')
COPIES_OF_DICTS = (
    *("c = m.copy()", "c = dict(m)", "c = {**m}", 'c = {**m, "y": x}', 'c = m | {"y": x}', 'c = {"y": x} | m'),
    *("c = {k: v for k, v in m.items()}", "c = {}; c.update(m)", 'c = {"y": x}; c.update(m)', 'c = {"y": x}; c |= m'),
    *("c = dict(m.items())", "c = dict(zip(m.keys(), m.values()))", "c = copy.deepcopy(m)", 'c = dict(m); c["w"] = c.pop("b")'),
    *('c = m; c.setdefault("y", x)', "c = same(m)", "c = by_name(**m)", "c = {k: m[k] for k in list(m)}"),
    *("c = dict(m) if x > 0 else m", 'c = dict.fromkeys(["a", "b"], m["a"])'),
)
USES_OF_DICTS = (
    """
    c["a"].append(x * x)
    return sum(q) + x
""",
    """
    q[0] = x * x * x
    return c["a"][0] + len(c) * x
""",
    """
    c["a"][0] *= x
    t = 0.0
    for v in c.values():
        if isinstance(v, list): t += v[0] + v[1]
        if isinstance(v, float): t += v
    return t * q[0]
""",
)
HEAD = """
import copy, itertools
def same(m): return m
def by_place(m): return [m[0], m[1]]
def by_name(**m): return m
"""
CASES = [
    *itertools.product(LISTS, COPIES_OF_LISTS, USES_OF_LISTS),
    *itertools.product(DICTS, COPIES_OF_DICTS, USES_OF_DICTS),
]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path: Path = tmp_path_factory.mktemp("copies") / "copies_of_mixed_containers.py"
    text = [HEAD]
    for number, (made, copied, used) in enumerate(CASES):
        text.append(f"def f_{number}(x):\n    q = [x, 2.0 * x]\n    m = {made}\n    {copied}{used}")
    return module_of(path, text)


@pytest.mark.parametrize(("made", "used"), sorted({(made, used) for made, _, used in CASES}))
def test_nothing_is_lost(programs: ModuleType, made: str, used: str) -> None:
    """By differences of the program itself, a polynomial of degree three."""
    right = 0
    for number, case in enumerate(CASES):
        if (case[0], case[2]) != (made, used):
            continue
        f = getattr(programs, f"f_{number}")
        near, far = (f(1.25 + h) - f(1.25 - h) for h in (0.125, 0.25))
        try:
            found = grad(f)(1.25)
        except S2sadError:
            continue
        assert found == pytest.approx((8 * near - far) / 1.5), case
        right += 1
    assert right
