"""Golden cases: what the generator writes today for a choice of programs, kept to be read and compared.

A case in ``tests/golden`` is a Python file: functions, of which the last is differentiated, `args`, `argnums`, and where it
matters `order`, `with_value` and `stages` (stages of the pipeline to keep as well). Below the marker stands what was generated.
``pytest tests/test_golden.py --update-golden`` writes that part anew, after the numbers were checked; not in CI.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import math
import os
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2sad import grad, show, value_and_grad
from s2sad.emit.printer import print_node

MARKER = "\n\n# " + "-" * 40 + " generated " + "-" * 40 + "\n\n"
DIRECTORY = Path(__file__).parent / "golden"
CASES = sorted(path for path in DIRECTORY.glob("*.py") if not path.name.startswith("test_"))


@dataclass(frozen=True)
class Case:
    """What a file says above the marker, and what stands below it."""

    path: Path
    namespace: dict[str, Any]
    given: str
    kept: str

    @property
    def function(self) -> Callable[..., Any]:
        functions = [item for item in self.namespace.values() if isinstance(item, types.FunctionType)]
        return max(functions, key=lambda function: function.__code__.co_firstlineno)

    @property
    def args(self) -> tuple[Any, ...]:
        return self.namespace["args"]

    @property
    def argnums(self) -> Any:
        return self.namespace["argnums"]

    @property
    def lower(self) -> Callable[..., Any]:
        """What is differentiated last: the function, or a derivative of it."""
        function = self.function
        for _ in range(self.namespace.get("order", 1) - 1):
            function = grad(function, self.argnums)
        return function

    @property
    def derivative(self) -> Any:
        make = value_and_grad if self.namespace.get("with_value") else grad
        return make(self.lower, self.argnums)

    def generated(self) -> str:
        parts = [self.derivative.source(*self.args)]
        for stage in self.namespace.get("stages", ()):
            lines = show(self.derivative, *self.args, stage=stage).strip().split("\n")
            parts.append("\n".join(f"# {line}".rstrip() for line in (f"stage {stage!r}:", "", *lines)) + "\n")
        return "\n\n".join(parts)


def read(path: Path) -> Case:
    text = path.read_text()
    given, _, kept = text.partition(MARKER)
    namespace: dict[str, Any] = {"__name__": f"golden_{path.stem}"}
    exec(compile(given, str(path), "exec"), namespace)
    return Case(path, namespace, given.rstrip() + "\n", kept)


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> Case:
    return read(request.param)


def numbers(x: Any) -> Iterator[float]:
    """The numbers in a gradient or an argument, in order."""
    if isinstance(x, dict):
        for value in x.values():
            yield from numbers(value)
    elif isinstance(x, list | tuple):
        for value in x:
            yield from numbers(value)
    elif isinstance(x, np.ndarray):
        yield from map(float, x.flat)
    else:
        yield float(x)


def moved(x: Any, place: int, step: float) -> Any:
    """`x` with `step` added to its number at `place`."""
    count = iter(range(10**6))

    def rebuild(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: rebuild(value) for key, value in part.items()}
        if isinstance(part, list | tuple):
            return type(part)(rebuild(value) for value in part)
        if isinstance(part, np.ndarray):
            return np.array([value + step if next(count) == place else value for value in part.flat]).reshape(part.shape)
        return part + step if next(count) == place else part

    return rebuild(x)


def differences(function: Callable[..., Any], args: tuple[Any, ...], argnums: Any) -> list[float]:
    """Central differences of fourth order with respect to every number in the arguments at `argnums`: of a grid of steps, those
    of the two that agree best."""
    found = []
    for position in argnums if isinstance(argnums, tuple) else (argnums,):
        for place in range(len(list(numbers(args[position])))):

            def at(step: float, position: int = position, place: int = place) -> float:
                new = (*args[:position], moved(args[position], place, step), *args[position + 1 :])
                return float(function(*copy.deepcopy(new)))

            grid = [(8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h) for h in (1e-3, 3e-4, 1e-4, 3e-5, 1e-5)]
            _, best = min((abs(one - other), other) for one, other in itertools.pairwise(grid))
            found.append(best)
    return found


def reference(case: Case) -> list[float]:
    function = case.function
    if case.path.stem == "besselj":  # factorial takes no real numbers, and its derivative counts as zero
        text = case.given.replace("math.factorial(nu)", "2")
        namespace: dict[str, Any] = {}
        exec(compile(text, "<besselj>", "exec"), namespace)
        function = namespace["besselj"]
    if case.namespace.get("order", 1) > 1:
        function = case.lower
    return differences(function, case.args, case.argnums)


def executed(case: Case, text: str) -> Any:
    """The result of the generated text, run as a program beside the case's functions."""
    namespace = dict(case.namespace)
    exec(compile(text, f"<generated for {case.path.stem}>", "exec"), namespace)
    functions = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return namespace[functions[-1]](*copy.deepcopy(bound_arguments(case)))


def bound_arguments(case: Case) -> tuple[Any, ...]:
    """The adjoint takes one argument a parameter."""
    bound = inspect.signature(case.function).bind(*case.args)
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def check_numbers(case: Case, text: str) -> None:
    result = executed(case, text)
    again = case.derivative(*case.args)
    assert list(numbers(result)) == list(numbers(again))
    assert _classes(result) == _classes(again)
    if case.namespace.get("with_value"):
        value, result = result
        assert value == case.function(*case.args)
    expected = reference(case)
    assert len(list(numbers(result))) == len(expected)
    for number, other in zip(numbers(result), expected, strict=True):
        assert math.isclose(number, other, rel_tol=1e-7, abs_tol=1e-8), (result, expected)


def _classes(x: Any) -> Any:
    """What a gradient is made of."""
    if isinstance(x, dict):
        return {key: _classes(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return x.__class__, [_classes(value) for value in x]
    return x.__class__, getattr(x, "dtype", None), getattr(x, "shape", ())


def test_golden(case: Case, request: pytest.FixtureRequest) -> None:
    text = case.generated()
    check_numbers(case, text)
    if request.config.getoption("--update-golden"):
        if os.environ.get("CI"):
            pytest.fail("golden files are not updated in CI")
        case.path.write_text(case.given + MARKER + text)
        return
    assert text == case.kept, "the generated code has changed; read the difference, then run pytest with --update-golden"


def test_generated_again_is_the_same(case: Case) -> None:
    other = read(case.path)
    assert other.generated() == case.generated()


def test_print_parse_print_is_stable(case: Case) -> None:
    text = case.derivative.source(*case.args)
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr) and not is_docstring(node):
            assert node.lineno == node.end_lineno
            printed = lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
            assert print_node(node) == printed


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
