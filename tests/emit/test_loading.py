"""Functions that are made of text: globals, cells, tracebacks, lifetime."""

from __future__ import annotations

import gc
import inspect
import linecache
import math
import os
import traceback
import types

import pytest

from s2sad.emit import Emitted, emit_function, load
from s2sad.ir.effects import ACTS, Callee


def emitted(text, references=(), imports=(), builtins=frozenset()):
    return Emitted("f", text, dict(references), tuple(imports), builtins)


def test_source_and_tracebacks():
    made = load(
        emitted("def f(x):\n    y = 1 / x\n    return math.sin(y)", {"math": math}, ["import math"]),
        filename="<s2sad f>",
        namespace={"__name__": "m"},
    )
    linecache.checkcache()
    assert made(1.0) == math.sin(1.0)
    assert inspect.getsource(made) == "def f(x):\n    y = 1 / x\n    return math.sin(y)\n"
    assert (made.__module__, made.__qualname__) == ("m", "f")
    with pytest.raises(ZeroDivisionError) as caught:
        made(0.0)
    assert "y = 1 / x" in "".join(traceback.format_exception(caught.value))


def test_the_module_is_read_and_never_written():
    namespace = {"scale": 2}
    made = load(emitted("def f(x):\n    return scale * math.fabs(x)", {"math": math}), filename="<a>", namespace=namespace)
    assert made(-1.0) == 2.0
    namespace["scale"] = 3
    assert made(-1.0) == 3.0
    assert made.__globals__ is namespace
    assert set(namespace) == {"scale"}


def test_builtins_are_meant_even_where_the_module_shadows_them():
    made = load(emitted("def f(x):\n    return abs(x)", builtins=frozenset(["abs"])), filename="<b>", namespace={"abs": str})
    assert made(-1) == 1


def test_callees_are_shared_cells():
    callee = Callee("f", ACTS)
    made = load(emitted("def f(n):\n    return 1 if n == 0 else n * f(n - 1)", {"f": callee}), filename="<c>", namespace={})
    with pytest.raises(NameError):
        made(3)
    callee.cell.cell_contents = made
    assert made(5) == 120


def test_captured_variables_are_live():
    cell = types.CellType(1)
    made = load(emitted("def f(x):\n    return x + n"), filename="<d>", namespace={}, captured={"n": cell})
    assert made(1) == 2
    cell.cell_contents = 10
    assert made(1) == 11


def test_text_is_forgotten_with_its_function():
    made = load(emitted("def f():\n    return 1"), filename="<gone>", namespace={})
    assert "<gone>" in linecache.cache
    del made
    gc.collect()
    load(emitted("def f():\n    return 2"), filename="<next>", namespace={})
    assert "<gone>" not in linecache.cache


def test_a_function_may_go_while_linecache_looks_at_all_texts(monkeypatch):
    made = [load(emitted("def f():\n    return 1"), filename="<going>", namespace={})]

    def stat(path, **options):
        made.clear()  # as a garbage collection at this point does
        gc.collect()
        raise FileNotFoundError(path)

    texts = {"first.py": (1, 1.0, ["\n"], "first.py"), "<going>": linecache.cache["<going>"]}
    with monkeypatch.context() as patch:
        patch.setattr(linecache, "cache", texts)
        patch.setattr(os, "stat", stat)
        linecache.checkcache()
    assert not made


def test_a_new_text_of_the_same_name_stays():
    old = load(emitted("def f():\n    return 1"), filename="<same>", namespace={})
    new = load(emitted("def f():\n    return 2"), filename="<same>", namespace={})
    del old
    gc.collect()
    assert inspect.getsource(new) == "def f():\n    return 2\n"


def test_numba_compiles_emitted_loops():
    numba = pytest.importorskip("numba")
    from s2sad.frontend.lower import lower_function

    def series(nu, z, atol):
        k = 0
        s = (z / 2) ** nu / math.gamma(nu + 1)
        out = s
        while abs(s) > atol:
            k += 1
            s *= (-1) / k / (k + nu) * (z / 2) ** 2
            out += s
        return out

    def swapped(a, b, n):
        history = []
        for i in range(n):
            if i % 3 == 1:
                continue
            a, b = b, a + 0.5
            history.append(a)
            if a > 5.0:
                break
        while len(history) > 0:
            b += history.pop()
        return a, b

    for program, arguments in [(series, (2.0, 1.0, 1e-12)), (swapped, (1.0, 2.0, 20))]:
        made = load(emit_function(lower_function(program)), filename=f"<{program.__name__}>", namespace=program.__globals__)
        assert numba.njit(made)(*arguments) == pytest.approx(program(*arguments), rel=1e-15)
