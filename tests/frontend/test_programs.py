"""Lowered programs mean what Python means by them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from s2sad.frontend.lower import lower_function
from s2sad.ir.interpret import interpret
from s2sad.ir.verify import verify
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
def test_interpreted_like_python(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    lowered = verify(lower_function(function))

    def run(*values: Any) -> Any:
        return interpret(lowered, values, function.__globals__)

    got, wanted = outcome(run, arguments), outcome(function, arguments)
    assert got == wanted
