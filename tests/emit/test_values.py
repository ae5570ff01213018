"""Code in which names are values: what is a constant, what is kept in a list, and that nothing is kept alive by code."""

import gc
import linecache
import math
import types
import weakref

import numpy as np
import pytest

from s2sad import grad
from s2sad.emit.values import Values, compile_function, is_lasting


class Kind:
    pass


def helper(x):
    return x * x


@pytest.mark.parametrize(
    "value",
    [int, float, np.ndarray, abs, math.sin, math, np, np.linalg, np.dtype("float32"), object(), helper.__code__, (1.0, None, 2)],
)
def test_what_lasts_is_a_constant(value):
    values = Values({"value": value})
    code = compile_function("def f(): return value", "<values>", values)
    assert any(constant is value for constant in code.co_consts)
    assert values.elements == []
    assert types.FunctionType(code, {}, "f", None, values.closure_of(code))() is value


@pytest.mark.parametrize(
    "value",
    [
        Kind,
        Kind(),
        helper,
        [1.0].append,
        types.ModuleType("math"),
        ("text",),
        ([],),
        [],
        {},
        np.ones(2),
        "text",
        np.dtype([("x", int)]),
    ],
)
def test_what_may_be_let_go_is_an_element(value):
    assert not is_lasting(value)
    values = Values({"value": value, "again": value})
    code = compile_function("def f(): return [value, again, lambda: value]", "<values>", values)
    assert len(values.elements) == 1
    assert hash(code) == hash(compile_function("def f(): return [value, again, lambda: value]", "<values>", values))
    first, second, inner = types.FunctionType(code, {}, "f", None, values.closure_of(code))()
    assert first is second is inner() is value


def test_all_code_has_the_same_free_variables():
    values = Values({"x": 1.5, "y": [2]}, captured=("x",))
    codes = [compile_function(f"def f(): return {text}", "<values>", values) for text in ("1", "x", "y", "(x, y)")]
    assert len({code.co_freevars for code in codes}) == 1
    function = types.FunctionType(codes[0], {}, "f", None, values.closure_of(codes[0]))
    for code, expected in zip(codes, (1, 1.5, [2], (1.5, [2])), strict=True):
        function.__code__ = code
        assert function() == expected


@pytest.mark.parametrize("text", ["(kind, other)", "kind in {kind, other}", "((kind, 1), (other, 2))", "[(kind, 1.0), other]"])
def test_displays_of_constants(text):
    """Compilers make one constant of a display of constants, in which each has its place."""
    values = Values({"kind": int, "other": float})
    code = compile_function(f"def f(): return {text}", "<values>", values)
    function = types.FunctionType(code, {}, "f", None, values.closure_of(code))
    assert function() == eval(text, {"kind": int, "other": float})


PAIR = (2.0, 3.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x * PAIR[0]", 2.0),
        ("x * len(PAIR + PAIR)", 4.0),
        ("x * len(PAIR * 3)", 6.0),
        ("x * (2.0 if not PAIR else 5.0)", 5.0),
        ("x * (2.0 if isinstance(x, (int, str)) else 5.0)", 5.0),
    ],
)
def test_tuples_are_not_computed_with_before_they_are_there(text, expected):
    namespace = {"PAIR": PAIR}
    source = f"def f(x):\n    return {text}\n"
    exec(compile(source, "<pairs>", "exec"), namespace)
    linecache.cache["<pairs>"] = (len(source), None, source.splitlines(keepends=True), "<pairs>")
    assert grad(namespace["f"])(1.5) == expected


def test_classes_of_one_handler():
    def f(x, words):
        for word in words:
            try:
                n = int(word)
            except ValueError:
                n = 2
            except (TypeError, OverflowError):
                continue
            x = x * x + n
        return x

    assert grad(f)(0.5, [None, "a"]) == 1.0
    assert grad(f)(0.5, [None, "a", "1"]) == 2 * (0.5**2 + 2)


def test_a_name_of_the_module_and_of_what_the_code_refers_to(monkeypatch):
    def f(x):
        return math.sin(x) * abs(x)

    derivative = grad(f)
    expected = math.cos(0.5) * 0.5 + math.sin(0.5)
    assert derivative(0.5) == pytest.approx(expected, rel=1e-15)

    class Other:
        sin = staticmethod(math.cos)

    other = -math.sin(0.5) * 0.5 + math.cos(0.5)
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "math", Other)
        assert derivative(0.5) == pytest.approx(other, rel=1e-15)
    assert derivative(0.5) == pytest.approx(expected, rel=1e-15)


def test_code_keeps_no_function_alive():
    def make():
        def scaled(x):
            return helper(x) * 3.0

        return scaled

    scaled = make()
    derivative = grad(scaled)
    assert derivative(2.0) == 12.0
    gone = weakref.ref(scaled)
    scaled.__dict__["derivative"] = derivative  # a cycle through the code, if that kept the function
    del scaled, derivative
    gc.collect()
    assert gone() is None
