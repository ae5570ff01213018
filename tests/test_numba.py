"""Generated code is Numba's input: the text of a derivative compiles as it is, and gives the same numbers."""

from __future__ import annotations

import ast
import types

import pytest

from benchmarks.programs import euler, logistic, newton, sieve
from examples import besselj as examples
from s2sad import grad, value_and_grad

numba = pytest.importorskip("numba")

CASES = [
    pytest.param(examples.besselj_real, (1.5, 1.0, 1e-8), 1, id="besselj by z"),
    pytest.param(logistic, (0.3, 3.7, 50), 0, id="logistic by x"),
    pytest.param(logistic, (0.3, 3.7, 50), (0, 1), id="logistic by both"),
    pytest.param(sieve, (0.7, 3.0, 12), (0, 1), id="nested loop"),
    pytest.param(euler, (1.5, 0.7, 0.01, 30), (0, 1), id="Euler with a helper"),
    pytest.param(newton, (2.0, 1e-12), 0, id="Newton"),
]


def compiled(derivative, function, args):
    """The text's functions, compiled in its own namespace with the names of the function's module; the last is the derivative."""
    text = derivative.source(*args)
    namespace = dict(function.__globals__)
    for name, value in list(namespace.items()):
        if isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
            namespace[name] = numba.njit(value)
    exec(compile(text, "<generated>", "exec"), namespace)
    names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    for name in names:
        namespace[name] = numba.njit(namespace[name])
    return namespace[names[-1]]


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize(("function", "args", "argnums"), CASES)
@pytest.mark.parametrize("make", [grad, value_and_grad])
def test_the_generated_text_compiles_unchanged(make, function, args, argnums):
    derivative = make(function, argnums)
    result = compiled(derivative, function, args)(*args)
    expected = derivative(*args)
    flat, flat_expected = list(flatten(result)), list(flatten(expected))
    assert flat == pytest.approx(flat_expected, rel=1e-13)


def test_the_generated_text_avoids_what_numba_lacks():
    for function, args, argnums in (case.values for case in CASES):
        text = grad(function, argnums).source(*args)
        assert "reversed(" not in text


def flatten(x):
    if isinstance(x, tuple):
        for part in x:
            yield from flatten(part)
    else:
        yield float(x)
