"""Random functions mean the same through IR."""

from __future__ import annotations

import contextlib
import linecache
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.frontend.lower import lower_source
from s2sad.ir.interpret import interpret
from s2sad.ir.printer import print_function
from s2sad.ir.verify import verify
from tests.frontend.random_functions import functions


class OutOfFuelError(BaseException):
    """A loop ran too long; nothing catches it."""


def surroundings(events: list[Any]) -> dict[str, Any]:
    """The globals of a random function: what it does is noted in `events`."""
    fuel = [60]

    def burn() -> None:
        fuel[0] -= 1
        if fuel[0] < 0:
            raise OutOfFuelError

    def note(value: Any) -> Any:
        events.append(value if isinstance(value, int) else type(value).__name__)
        return value

    def check(value: Any) -> Any:
        note(value)
        if isinstance(value, int) and value % 3 == 2:
            raise ValueError(value)
        return value

    @contextlib.contextmanager
    def manager() -> Iterator[int]:
        events.append("enter")
        try:
            yield 4
        finally:
            events.append("exit")

    return {"c": 7, "d": 8, "burn": burn, "note": note, "check": check, "manager": manager}


def outcome(make: Callable[[dict[str, Any]], Callable[..., Any]], arguments: tuple[int, ...]) -> tuple[Any, list[Any]]:
    events: list[Any] = []
    function = make(surroundings(events))
    try:
        return function(*arguments), events
    except NameError:
        return NameError, events
    except (Exception, OutOfFuelError) as error:
        return type(error), events


def check_text(text: str) -> None:
    linecache.cache.pop("<random>", None)
    try:
        compile(text, "<random>", "exec")
    except SyntaxError:  # a walrus that rebinds the variable of its comprehension
        return
    lowered = verify(lower_source(text, "<random>"))

    def plain(namespace: dict[str, Any]) -> Callable[..., Any]:
        exec(text, namespace)
        return namespace["f"]  # type: ignore[no-any-return]

    for arguments in ((0, 1, 2), (3, -2, 1), (5, 5, 3)):
        wanted = outcome(plain, arguments)
        if wanted[0] is NameError:
            continue  # a variable that is not bound need not be noticed where it is only copied
        got = outcome(lambda namespace, own=arguments: lambda *values: interpret(lowered, values, namespace), arguments)
        assert got == wanted, f"{arguments}: {got} instead of {wanted}\n{text}\n{print_function(lowered)}"


@given(functions(exceptions=False))
@settings(max_examples=100)
def test_random_functions(text: str) -> None:
    check_text(text)


@given(functions(exceptions=True))
@settings(max_examples=100)
def test_random_functions_with_exceptions(text: str) -> None:
    check_text(text)


@given(st.data())
@settings(max_examples=20)
def test_lowering_is_deterministic(data: st.DataObject) -> None:
    text = data.draw(functions())
    first, second = (print_function(lower_source(text, "<random>")) for _ in range(2))
    assert first == second
