"""The command line: derivatives of a function in a file or module, without writing a program.

    python -m s2sad grad FILE.py:function ARGUMENT... --wrt NAMES
    python -m s2sad source FILE.py:function ARGUMENT... --wrt NAMES
    python -m s2sad check FILE.py:function ARGUMENT... --wrt NAMES

Exit status: 0 when all went well, 1 when the function raised or the check failed, 2 when the command cannot be carried out
as it was given; then one message says why.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from s2sad.errors import GradientCheckError, S2sadError

_DESCRIPTION = """\
Derivatives of a Python function.

  grad    print the value, the gradient, and the code that computes the gradient
  source  print that code alone
  check   compare the gradient with numeric differences"""

_EPILOG = """\
arguments are Python literals (2  1.0  [1.0,2.0]  "{'a': 1.0}"  inf), or name=literal for a keyword; arrays are written as
NumPy makes them ("array([1.0, 2.0])"  "linspace(0, 1, 5)"  "zeros((2, 3))"), or read from a file ("load('x.npy')"):
  python -m s2sad grad examples/besselj.py:besselj 2 1.0 --wrt nu,z
  python -m s2sad check examples/besselj.py:besselj 2 1.0 atol=1e-12 --wrt z"""

_KEYWORD = re.compile(r"([^\W\d]\w*)=(?!=)(.*)", re.DOTALL)
_NEGATIVE_NUMBER = re.compile(r"-(\.?\d|inf|nan|\()")
#: What may be called in an argument: it makes an array, and nothing else.
_MAKERS = ("array", "arange", "eye", "full", "linspace", "load", "ones", "zeros")
_SPECIAL_FLOATS = ("inf", "-inf", "nan")


class _UsageError(Exception):
    """What was typed cannot be carried out."""


class _UserError(Exception):
    """The user's own code raised."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A function with the arguments to call it with, and the parameters to differentiate by."""

    function: Callable[..., Any]
    label: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    argnums: int | str | tuple[int | str, ...]
    wrt: tuple[str, ...]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is returned."""
    debug = False
    try:
        options = _parse(sys.argv[1:] if argv is None else argv)
        debug = options.traceback
        task = _make_task(options)
        status = {"grad": _run_grad, "source": _run_source, "check": _run_check}[options.command](task)
        sys.stdout.flush()
        return status
    except _UsageError as error:
        return _fail(error, 2, debug)
    except _UserError as error:
        return _fail(error, 1, debug)
    except S2sadError as error:
        return _fail(error, 2, debug)
    except BrokenPipeError:
        # the reader (`head`) has seen enough; nothing is left to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _fail(error: Exception, status: int, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
    print(f"s2sad: {error}", file=sys.stderr)
    return status


# --- what was typed -------------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (python -m s2sad --help shows how)")


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="python -m s2sad", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("grad", "source", "check"), help="what to do")
    parser.add_argument(
        "target", nargs="?", default="", metavar="FILE.py:FUNCTION", help="the function; module:function works as well"
    )
    parser.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="what to call it with")
    parser.add_argument("--wrt", metavar="NAMES", help="parameters to differentiate by (default: all that are given floats)")
    parser.add_argument("--traceback", action="store_true", help="show where an error comes from")
    parser.add_argument("--version", action="version", version=f"s2sad {_version()}")
    if not argv:
        raise _UsageError("grad, source or check? python -m s2sad --help shows how")
    # argparse takes -1e-3 and -(1+2j) for options; a space in front, which literals may have, tells it otherwise
    return parser.parse_intermixed_args([f" {word}" if _NEGATIVE_NUMBER.match(word) else word for word in argv])


def _version() -> str:
    try:
        return metadata.version("s2sad")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _make_task(options: argparse.Namespace) -> _Task:
    if not options.target:
        raise _UsageError(f"{options.command} what? Give FILE.py:function")
    place, colon, name = options.target.rpartition(":")
    if not (colon and place and name):
        raise _UsageError(f"expected FILE.py:function or module:function, not {options.target!r}")
    args, kwargs = _read_arguments(options.arguments)
    function = _find_function(_load_module(place), name, place)
    if options.command == "source" and not args and not kwargs:
        names = _parameter_names(function)
    else:
        args, kwargs, names = _bind(function, name, args, kwargs)
    wrt = _read_wrt(options.wrt, names, args)
    argnums = names.index(wrt[0]) if len(wrt) == 1 else tuple(map(names.index, wrt))
    return _Task(function, name, args, kwargs, argnums, wrt)


def _read_arguments(words: Sequence[str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for word in words:
        match = _KEYWORD.match(word)
        if match is None:
            if kwargs:
                raise _UsageError(f"the argument {word!r} follows a keyword argument; put it before")
            args.append(_read_literal(word))
            continue
        if match[1] in kwargs:
            raise _UsageError(f"the argument {match[1]} is given twice")
        kwargs[match[1]] = _read_literal(match[2])
    return tuple(args), kwargs


def _read_literal(text: str) -> Any:
    if text.strip() in _SPECIAL_FLOATS:
        return float(text)
    try:
        return _evaluate(ast.parse(text.strip(), mode="eval").body)
    except OSError as error:
        raise _UsageError(f"the argument {text.strip()!r} cannot be read: {error}") from error
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    hint = " (strings need quotes of their own: \"'text'\")" if text.strip().isidentifier() else ""
    raise _UsageError(f"the argument {text.strip()!r} is not a Python literal{hint}")


def _evaluate(node: ast.expr) -> Any:
    """A literal, in which arrays are written as NumPy's functions make them."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name)) if name in _MAKERS:
            import numpy as np

            keywords = {keyword.arg or "": _evaluate(keyword.value) for keyword in node.keywords}
            return getattr(np, name)(*map(_evaluate, node.args), **keywords)
        case ast.List(elts=parts):
            return [*map(_evaluate, parts)]
        case ast.Tuple(elts=parts):
            return tuple(map(_evaluate, parts))
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {ast.literal_eval(key): _evaluate(value) for key, value in zip(keys, values, strict=True) if key is not None}
    return ast.literal_eval(node)


def _load_module(place: str) -> ModuleType:
    """A module by the path of its file, or by its name."""
    if place.endswith(".py") or os.sep in place or Path(place).is_file():
        return _load_file(Path(place))
    _allow_imports_from(Path.cwd())
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is not None and (place == error.name or place.startswith(f"{error.name}.")):
            raise _UsageError(f"there is no module {place!r} (a file is named with its ending: {place}.py)") from error
        raise _broken(place, error) from error
    except (Exception, SystemExit) as error:
        raise _broken(place, error) from error


def _load_file(path: Path) -> ModuleType:
    if path.is_dir():
        raise _UsageError(f"{path} is a directory, not a Python file")
    if not path.exists():
        raise _UsageError(f"there is no file {path}")
    _allow_imports_from(path.resolve().parent)
    # a file may bear the name of a module that others need (math.py)
    name = (
        path.stem if path.stem not in sys.modules and path.stem not in sys.stdlib_module_names else f"{path.stem}_{os.getpid()}"
    )
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise _UsageError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _broken(str(path), error) from error
    return module


def _allow_imports_from(directory: Path) -> None:
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))


def _broken(place: str, error: BaseException) -> _UsageError:
    if isinstance(error, SyntaxError) and not isinstance(error, S2sadError):
        return _UsageError(f"{error.filename or place}, line {error.lineno}: {error.msg}")
    return _UsageError(f"{place} cannot be imported: {_describe(error)}")


def _find_function(module: ModuleType, name: str, place: str) -> Callable[..., Any]:
    found: Any = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise _UsageError(f"there is no {name!r} in {place}{_offer(module)}") from None
    if isinstance(found, type) or not callable(found):
        raise _UsageError(f"{name!r} in {place} is not a function but {_describe_kind(found)}")
    function: Callable[..., Any] = found
    primal = getattr(found, "primal", None)
    # `@grad` has put the derivative into the place of the function; what is meant is the function that the file shows
    return primal if callable(primal) and getattr(primal, "__qualname__", "") == name else function


def _offer(module: ModuleType) -> str:
    names = [name for name, value in vars(module).items() if inspect.isfunction(value) and value.__module__ == module.__name__]
    if not names:
        return ""
    return f"; its functions are {', '.join(names[:8])}{', …' if len(names) > 8 else ''}"


def _describe_kind(value: object) -> str:
    return "a class" if isinstance(value, type) else f"of type {type(value).__name__}"


def _parameter_names(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _bind(
    function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], list[str]]:
    """Arguments as far as possible by position, and a name for each of these."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return args, kwargs, [f"argument{number}" for number in range(len(args))]
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise _UsageError(f"{name}{signature} cannot be called so: {error}") from None
    names: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{number}]" for number in range(len(bound.args) - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return bound.args, bound.kwargs, names[: len(bound.args)]


def _read_wrt(text: str | None, names: Sequence[str], args: tuple[Any, ...]) -> tuple[str, ...]:
    if text is None:
        from s2sad.testing.check_grads import holds_float

        with_floats = [name for name, arg in zip(names, args, strict=False) if holds_float(arg)]
        if not (with_floats or names):
            raise _UsageError("the function has no argument to differentiate by")
        return tuple(with_floats or names[:1])
    wrt = []
    for word in text.split(","):
        name = word.strip()
        if name.isdigit() and int(name) < len(names):
            name = names[int(name)]
        if name not in names:
            raise _UsageError(f"--wrt: no argument is given for {name!r}; there are {', '.join(names) or 'none'}")
        if name in wrt:
            raise _UsageError(f"--wrt: {name} is named twice")
        wrt.append(name)
    return tuple(wrt)


# --- the commands ---------------------------------------------------------------------------------------------------------


def _run_grad(task: _Task) -> int:
    from s2sad.api import value_and_grad

    source = _generate(task)
    value, gradient = _call(task, value_and_grad(task.function, argnums=task.argnums))
    rows = [("value", value)]
    rows += [(f"d/d {name}", g) for name, g in zip(task.wrt, gradient if len(task.wrt) > 1 else (gradient,), strict=True)]
    width = max(len(label) for label, _ in rows)
    for label, number in rows:
        indent = "\n" + " " * (width + 2)  # an array of several lines stays in its column
        print(f"{label:{width}}  {repr(number).replace(chr(10), indent)}")
    print()
    print(source.rstrip("\n"))
    return 0


def _run_source(task: _Task) -> int:
    print(_generate(task).rstrip("\n"))
    return 0


def _run_check(task: _Task) -> int:
    from s2sad.api import grad
    from s2sad.testing.check_grads import check_grads

    argnums = task.argnums if isinstance(task.argnums, tuple) else (task.argnums,)
    gradient = grad(task.function, argnums=argnums)
    _generate(task)
    try:
        # numeric differences swallow what the function raises beside the point, so only here it is the user's to see
        report = check_grads(
            task.function, task.args, argnums, kwargs=task.kwargs, gradient=lambda *a, **k: _call(task, gradient)
        )
    except GradientCheckError as error:
        print(error)
        return 1
    print(report)
    if not report.compared:
        print("nothing could be compared")
        return 1
    left_out = len(report.entries) - report.compared
    also = f"; {left_out} could not be compared" if left_out else ""
    print(f"{report.compared} compared, largest relative difference {report.largest_difference:.1e}{also}")
    return 0


def _generate(task: _Task) -> str:
    from s2sad.api import grad

    source: str = grad(task.function, argnums=task.argnums).source(*task.args, **task.kwargs)
    return source


def _call(task: _Task, derivative: Callable[..., Any]) -> Any:
    """Call it; what the user's function raises is told apart from what s2sad cannot do."""
    try:
        return derivative(*task.args, **task.kwargs)
    except S2sadError:
        raise
    except (Exception, SystemExit) as error:
        raise _UserError(f"{task.label} raised {_describe(error)}{_describe_origin(error)}") from error


def _describe(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _describe_origin(error: BaseException) -> str:
    """Where it was raised, if that is in a file of the user's or in generated code."""
    frames = traceback.extract_tb(error.__traceback__)
    own = str(Path(__file__).parent)
    for frame in reversed(frames):
        if not frame.filename.startswith(own) and frame.lineno is not None:
            return f" ({frame.filename}, line {frame.lineno}: {' '.join(frame.line.split())})" if frame.line else ""
    return ""
