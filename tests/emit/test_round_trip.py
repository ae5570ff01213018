"""Python -> IR -> Python: the emitted text means what the program means."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from s2sad.emit import emit_function, load
from s2sad.frontend.lower import lower_function
from tests.frontend.programs import PROGRAMS

CASES = [
    pytest.param(function, call, id=f"{function.__name__}-{index}")
    for function, calls in PROGRAMS
    for index, call in enumerate(calls)
]


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What a call returns and what it leaves in its arguments, or the exception that it raises."""
    arguments = copy.deepcopy(arguments)
    try:
        return function(*arguments), arguments
    except Exception as error:
        return type(error), [] if isinstance(error, NameError | TypeError) else error.args


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_emitted_like_python(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    emitted = emit_function(lower_function(function))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    compiled = load(emitted, filename=f"<{function.__name__}>", namespace=function.__globals__, captured=cells)
    if function.__defaults__:
        compiled.__defaults__ = function.__defaults__
    if function.__kwdefaults__:
        compiled.__kwdefaults__ = function.__kwdefaults__
    assert outcome(compiled, arguments) == outcome(function, arguments), emitted.text
