"""Functions that an object keeps and calls later on, as observers and hooks: what they change of active numbers is not lost. The
derivative is right, or refused."""

from pathlib import Path
from types import ModuleType

import pytest

from s2sad import grad
from s2sad.errors import S2sadError
from tests.written_programs import module_of

#: What the object keeps them in, how one is added, and how they are called.
KEPT = {
    "list": ("[]", "s.h.append(f)", "[f(v) for f in s.h]"),
    "dict": ("{}", "s.h[k] = f", "s.h[k](v)"),
    "dict of lists": ("{}", "s.h.setdefault(k, []).append(f)", "[f(v) for f in s.h[k]]"),
    "default": ("defaultdict(list)", "s.h[k].append(f)", "[f(v) for f in s.h[k]]"),
    "set": ("set()", "s.h.add(f)", "[f(v) for f in s.h]"),
    "deque": ("deque()", "s.h.append(f)", "[f(v) for f in s.h]"),
    "ordered dict": ("OrderedDict()", "s.h[k] = f", "s.h[k](v)"),
    "namespace": ("SimpleNamespace()", "s.h.f = f", "s.h.f(v)"),
    "tuple": ("()", "s.h = s.h + (f,)", "[f(v) for f in s.h]"),
    "attribute": ("None", "s.h = f", "s.h(v)"),
}

#: Each gives 2 * x + x.
PROGRAMS = {
    "closure": """
    acc = [0.0]
    def add(v): acc[0] += v * x
    b = Bus(); b.on("v", add); b.emit("v", 2.0)
    return acc[0] + x
""",
    "method": """
    a = Sum(x); b = Bus(); b.on("v", a.add); b.emit("v", 2.0)
    return a.t + x
""",
    "active argument": """
    acc = []
    b = Bus(); b.on("v", acc.append); b.emit("v", 2.0 * x)
    return acc[0] + x
""",
    "small function": """
    acc = []
    b = Bus(); b.on("v", lambda v: acc.append(v * x)); b.emit("v", 2.0)
    return acc[0] + x
""",
    "dict": """
    acc = {}
    def put(v): acc["a"] = v * x
    b = Bus(); b.on("v", put); b.emit("v", 2.0)
    return acc["a"] + x
""",
    "partial": """
    acc = []
    def put(y, v): acc.append(v * y)
    b = Bus(); b.on("v", functools.partial(put, x)); b.emit("v", 2.0)
    return acc[0] + x
""",
    "enclosing variable": """
    t = 0.0
    def put(v):
        nonlocal t
        t += v * x
    b = Bus(); b.on("v", put); b.emit("v", 2.0)
    return t + x
""",
    "inherited": """
    acc = [0.0]
    def add(v): acc[0] += v * x
    b = Inherited(); b.on("v", add); b.emit("v", 2.0)
    return acc[0] + x
""",
    "by a helper": """
    acc = [0.0]
    def add(v): acc[0] += v * x
    b = Bus(); b.on("v", add); emit(b, 2.0)
    return acc[0] + x
""",
}
HEAD = """
import functools
from collections import OrderedDict, defaultdict, deque
from types import SimpleNamespace
class Sum:
    def __init__(s, x): s.x = x; s.t = 0.0
    def add(s, v): s.t += v * s.x
def emit(b, v): b.emit("v", v)
class Bus:
    def __init__(s): s.h = {}
    def on(s, k, f): {}
    def emit(s, k, v): {}
class Inherited(Bus): pass
"""
FOLLOWED = ("list", "dict", "attribute")


@pytest.fixture(scope="module", params=KEPT)
def programs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ModuleType]:
    kept: str = request.param
    name = f"kept_in_{kept.replace(' ', '_')}"
    path: Path = tmp_path_factory.mktemp("kept") / f"{name}.py"
    made, added, called = KEPT[kept]
    text = [HEAD.replace("s.h = {}", f"s.h = {made}").replace("f): {}", f"f): {added}").replace("v): {}", f"v): {called}")]
    text += [f"def {label.replace(' ', '_')}(x):{body}" for label, body in PROGRAMS.items()]
    return kept, module_of(path, text)


def test_nothing_is_lost(programs: tuple[str, ModuleType]) -> None:
    kept, module = programs
    for label in PROGRAMS:
        f = getattr(module, label.replace(" ", "_"))
        assert f(1.5) == 4.5, label
        try:
            assert grad(f)(1.5) == pytest.approx(3.0), label
        except S2sadError:
            assert kept not in FOLLOWED or label in ("partial", "enclosing variable"), label
