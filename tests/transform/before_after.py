"""How tests of passes compare: text of the IR before, text of the IR after."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from s2sad.ir.nodes import Function
from s2sad.ir.verify import verify
from tests.transform.text_ir import parse, show


def check_pass(transform: Callable[[Function], Function], before: str, after: str, *, idle: bool = True, **names: object) -> None:
    """The pass makes one text of the other, keeps the program valid, and does not change its own outcome (`idle`)."""
    fn = verify(transform(verify(parse(before, **names))))
    assert show(fn) == dedent(after).lstrip()
    assert (transform(fn) is fn) is idle


def check_unchanged(transform: Callable[[Function], Function], text: str, **names: object) -> None:
    """The pass leaves a program alone."""
    fn = verify(parse(text, **names))
    assert transform(fn) is fn, show(transform(fn))
