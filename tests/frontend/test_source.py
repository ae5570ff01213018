"""Functions are found wherever they come from."""

from __future__ import annotations

import ast
import functools
import importlib.util
import linecache
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from s2sad.errors import SourceUnavailableError
from s2sad.frontend.lower import lower_function
from s2sad.frontend.source import find_node
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Call, walk

PAIR = (lambda x: x + 1, lambda x: x * 2), (lambda x, y=1: [lambda z: x + z, lambda z: x - z][y])
IDENTICAL = [lambda x: x + 1, lambda x: x + 1]  # fmt: skip
DEFAULTED = {"a": lambda x: x - 1, "b": lambda x: (lambda: x - 2)()}


def value(function: Any, *arguments: Any) -> Any:
    return interpret(lower_function(function), arguments, function.__globals__)


def load(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_lambdas_of_one_line() -> None:
    assert [value(f, 5) for f in PAIR[0]] == [6, 10]
    assert [value(f, 5) for f in IDENTICAL] == [6, 6]
    assert value(DEFAULTED["a"], 5) == 4
    assert value(DEFAULTED["b"], 5) == 3


def test_lambdas_of_one_line_without_columns(tmp_path: Path) -> None:
    path = tmp_path / "columns.py"
    path.write_text(
        "from s2sad.frontend.lower import lower_function\n"
        "from s2sad.ir.interpret import interpret\n"
        "fs = [lambda x: x + 1, lambda x: x * 2, lambda x: (lambda y: y - x)(0)]\n"
        "print([interpret(lower_function(f), (5,)) for f in fs])\n"
    )
    run = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", str(path)],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "[6, 10, -5]"


def test_wrapped_function_is_the_wrapper() -> None:
    def plus_one(f: Any) -> Any:
        @functools.wraps(f)
        def wrapper(x: float) -> float:
            return f(x) + 1

        return wrapper

    @plus_one
    def triple(x: float) -> float:
        return x * 3

    assert lower_function(triple).name == "wrapper"


class Scaled:
    def __init__(self, factor: float) -> None:
        self.__factor = factor

    def scale(self, x: float) -> float:
        return self.__factor * x

    @staticmethod
    def double(x: float) -> float:
        return 2 * x


def test_methods_and_private_names() -> None:
    scaled = Scaled(3)
    assert interpret(lower_function(scaled.scale), (scaled, 5)) == 15
    assert value(Scaled.double, 4) == 8


class Base:
    def area(self, r: float) -> float:
        return r * r


class Derived(Base):
    def area(self, r: float) -> float:
        return 3 * super().area(r)


def test_super() -> None:
    lowered = lower_function(Derived.area)
    assert interpret(lowered, (Derived(), 2), {"__class__": Derived, **vars(__import__("builtins"))}) == 12


def test_lines_and_columns_are_those_of_the_file(tmp_path: Path) -> None:
    module = load(tmp_path / "spans.py", "import math\n\n\nclass A:\n    def f(self, x):\n        return 1 + math.sin(x)\n")
    function = lower_function(module.A.f)
    spans = [node.span for node in walk(function.body) if isinstance(node, Call)]
    assert {span.line for span in spans if span is not None} == {6}
    sine = spans[1]
    assert sine is not None
    assert (sine.filename, sine.column, sine.end_column) == (str(tmp_path / "spans.py"), 19, 30)


def test_file_edited_since_import(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    module = load(path, "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return x\n")
    path.write_text("def f(x):\n    return x + 2\n\n\n\n\n# moved down\ndef g(x):\n    return x\n")
    os.utime(path, (1, 1))
    with pytest.raises(SourceUnavailableError, match="edited since it was imported"):
        lower_function(module.f)
    assert value(module.g, 4) == 4


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x): return x", namespace)
    with pytest.raises(SourceUnavailableError, match="has no source"):
        lower_function(namespace["f"])


def test_generated_function_in_linecache() -> None:
    text = "def f(x):\n    return x + 41\n"
    linecache.cache["<made 1>"] = (len(text), None, text.splitlines(keepends=True), "<made 1>")
    namespace: dict[str, Any] = {}
    exec(compile(text, "<made 1>", "exec"), namespace)
    assert value(namespace["f"], 1) == 42


def test_doctest_functions(tmp_path: Path) -> None:
    path = tmp_path / "documented.py"
    path.write_text(
        '"""\n>>> from s2sad.frontend.lower import lower_function\n'
        ">>> def f(x):\n...     return x + 1\n>>> lower_function(f).name\n'f'\n"
        '>>> lower_function(lambda x: x).name\n\'<lambda>\'\n"""\n'
    )
    subprocess.run(
        [sys.executable, "-m", "doctest", str(path)], env={**os.environ, "PYTHONPATH": os.getcwd()}, check=True, timeout=60
    )


def test_rewritten_assertions_are_found() -> None:
    def checked(x: float) -> float:
        assert x > 0
        return x

    assert value(checked, 2) == 2


def test_same_function_same_ir() -> None:
    assert lower_function(value) is lower_function(value)
    assert lower_function(value.__code__) is lower_function(value)


def test_equal_code_in_two_files(tmp_path: Path) -> None:
    text = "def f(x):\n    return x\n"
    first, second = load(tmp_path / "one.py", text), load(tmp_path / "two.py", text)
    spans = [lower_function(module.f).span for module in (first, second)]
    assert [Path(span.filename).name for span in spans if span is not None] == ["one.py", "two.py"]


def test_future_annotations_and_decorators(tmp_path: Path) -> None:
    text = (
        "from __future__ import annotations\nimport functools\nimport math\n\n\n"
        "@functools.lru_cache\n@functools.wraps(len)\ndef f(x: Missing) -> Gone:\n    y: Lost = math.floor(x)\n    return y\n"
    )
    module = load(tmp_path / "future.py", text)
    inner = module.f.__wrapped__
    assert lower_function(inner.__code__).name == "f"


def test_lambdas_that_give_constants_on_one_line():
    found = [
        lambda x: "a",
        lambda x: None,
        lambda x: 1.0,
        lambda x: 2.0,
        lambda x, f=lambda y: 3.0: f(x),
        lambda x: lambda x: 4.0,
    ]
    texts = [ast.unparse(find_node(function.__code__).node) for function in found]
    assert texts[:4] == ["lambda x: 'a'", "lambda x: None", "lambda x: 1.0", "lambda x: 2.0"]
    assert texts[4:] == ["lambda x, f=lambda y: 3.0: f(x)", "lambda x: lambda x: 4.0"]
    assert ast.unparse(find_node(found[4].__defaults__[0].__code__).node) == "lambda y: 3.0"
    assert ast.unparse(find_node(found[5](1.0).__code__).node) == "lambda x: 4.0"


def test_a_text_of_the_name_of_another_is_not_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    # as Python 3.13 keeps the text of `python -c`
    text = "def square(x): return x * x\n"
    monkeypatch.setitem(linecache.cache, "<string>", (len(text), None, [text], "<string>"))
    space: dict[str, Any] = {}
    exec(text, space)
    assert value(space["square"], 3) == 9
    other: dict[str, Any] = {}
    exec("def square(x): return x * x * x\n", other)
    with pytest.raises(SourceUnavailableError, match="has no source"):
        lower_function(other["square"])
