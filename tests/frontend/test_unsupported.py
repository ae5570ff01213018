"""What cannot be lowered says where it stands and what to write instead."""

from __future__ import annotations

import pytest

from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.lower import lower_source

CASES = [
    ("def f(x):\n    yield x", "yield", "append"),
    ("def f(x):\n    y = yield from x", "yield", "list"),
    ("async def f(x):\n    return x", "asynchronous", "plain"),
    ("def f(x):\n    async def g():\n        pass", "asynchronous", "plain"),
    ("def f(x):\n    async def g():\n        def h():\n            return x", "asynchronous", "plain"),
    ("def f(x):\n    class A:\n        def g(self):\n            return lambda: x", "class", "outside"),
    ("def f(x):\n    class A:\n        pass", "class", "outside"),
    ("def f(x):\n    global y\n    y = x", "global", "return"),
    ("def f(x):\n    global y\n    for y in x:\n        pass", "global", "return"),
    ("def f(x):\n    def g():\n        global z\n        z += 1", "global", "return"),
    ("def f(x):\n    try:\n        g()\n    except* ValueError:\n        pass", "except\\*", "except"),
]


@pytest.mark.parametrize(("text", "what", "advice"), CASES)
def test_refused(text: str, what: str, advice: str) -> None:
    filename = f"<{what} {len(text)}>"
    with pytest.raises(UnsupportedSyntaxError, match=what) as raised:
        lower_source(text, filename)
    message = str(raised.value)
    assert advice in message
    assert filename in message
    assert "^" in message
    assert raised.value.lineno == next(index for index, line in enumerate(text.splitlines(), 1) if _shows(line, what))


def _shows(line: str, what: str) -> bool:
    words = {"asynchronous": "async", "class": "class", "global": "global", "except\\*": "try", "yield": "yield"}
    return words[what] in line


def test_writing_a_variable_outside() -> None:
    total = 0

    def add(x: int) -> None:
        nonlocal total
        total += x

    from s2sad.frontend.lower import lower_function

    with pytest.raises(UnsupportedSyntaxError, match="enclosing function"):
        lower_function(add)
