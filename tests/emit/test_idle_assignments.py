"""Assignments of what a variable holds already: dropped where every path says so, and nowhere else."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from textwrap import dedent

import pytest

from s2sad.emit.idle_assignments import drop_idle_assignments
from s2sad.emit.layout import (
    Except,
    ForStatement,
    IfStatement,
    Simple,
    Statement,
    TryStatement,
    WhileStatement,
    WithStatement,
    render,
)


def statements_of(nodes: list[ast.stmt]) -> list[Statement]:
    return list(map(statement_of, nodes))


def statement_of(node: ast.stmt) -> Statement:
    match node:
        case ast.If():
            return IfStatement(node.test, statements_of(node.body), statements_of(node.orelse))
        case ast.For():
            return ForStatement(node.target, node.iter, statements_of(node.body))
        case ast.While():
            return WhileStatement(node.test, statements_of(node.body))
        case ast.With():
            return WithStatement(node.items[0].context_expr, None, statements_of(node.body))
        case ast.Try():
            handlers = [Except(handler.type, None, statements_of(handler.body)) for handler in node.handlers]
            return TryStatement(statements_of(node.body), handlers)
        case _:
            return Simple(node)


def reduced(text: str) -> str:
    """The text without idle assignments; names with a capital letter are flags."""
    kept = drop_idle_assignments(statements_of(ast.parse(dedent(text)).body), str.isupper)
    return "\n".join(render(kept, None)) + "\n"


def check(before: str, after: str) -> None:
    assert reduced(before) == dedent(after).lstrip()


def test_flags_of_nested_loops():
    check(
        """
        R = False
        for i in range(n):
            R = False
            for j in range(i):
                if x > j:
                    R = True
                    break
                R = False
            if R:
                R = True
                break
            R = False
        return R
        """,
        """
        R = False
        for i in range(n):
            for j in range(i):
                if x > j:
                    R = True
                    break
            if R:
                break
        return R
        """,
    )


def test_other_values_in_between():
    text = """
        a = 0.0
        a = 0
        a = -0.0
        a = 0.0
        a += 1
        a = 0.0
        a, b = b, a
        a = 0.0
        del a
        a = 0.0
        """
    check(text, text)


def test_what_one_path_changes():
    text = """
        a = 1
        if c:
            a = 2
        a = 1
        for a in range(3):
            a = 1
        a = 1
        while c:
            if d:
                a = 2
                continue
            a = 1
        a = 1
        """
    check(text, text)


def test_a_loop_left_by_break_alone():
    check(
        """
        a = 1
        while True:
            a = 2
            if c:
                a = 1
                break
        a = 1
        """,
        """
        a = 1
        while True:
            a = 2
            if c:
                a = 1
                break
        """,
    )


def test_arms_that_become_empty():
    check(
        """
        a = 1
        if R:
            a = 1
        else:
            a = 2
        b = 1
        if R:
            b = 1
        return a
        """,
        """
        a = 1
        if not R:
            a = 2
        b = 1
        return a
        """,
    )


def test_a_condition_that_is_no_flag():
    text = """
        if c:
            c = True
        if R:
            pass
        else:
            R = 0
        """
    check(text, text)


def test_try_and_with_are_left_alone():
    check(
        """
        a = b = 1
        c = 1
        for i in r:
            try:
                a = f(1)
                a = 2
                a = 2
                if a:
                    break
            except E:
                a = 1
            with b:
                a = 3
            a = 1
            c = 1
        a = 1
        c = 1
        """,
        """
        a = b = 1
        c = 1
        for i in r:
            try:
                a = f(1)
                a = 2
                a = 2
                if a:
                    break
            except E:
                a = 1
            with b:
                a = 3
            a = 1
        a = 1
        """,
    )


class Programs:
    """Random programs of flags, literals and loops; `log` shows what variables hold."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def block(self, depth: int, loops: int) -> Iterator[str]:
        for _ in range(self.random.randint(1, 4)):
            yield from self.statement(depth, loops)

    def statement(self, depth: int, loops: int) -> Iterator[str]:
        kind = self.random.randrange(9 if depth else 5)
        flag, number = self.random.choice("RS"), self.random.choice("ab")
        condition = self.random.choice([flag, f"not {flag}", "next(bits)", f"{number} == 1"])
        match kind:
            case 0 | 1:
                yield f"{flag} = {self.random.choice([True, False])}"
            case 2:
                yield f"{number} = {self.random.choice([0, 1, 0.0, -1])}"
            case 3:
                yield self.random.choice([f"{number} += 1", f"{flag} = next(bits)", "a, b = b, a", "log(R, S, a, b)"])
            case 4 if loops:
                yield f"if {condition}:"
                yield f"    {self.random.choice(['break', 'continue'])}"
            case 5 | 6:
                yield f"if {condition}:"
                yield from (f"    {line}" for line in self.block(depth - 1, loops))
                if self.random.random() < 0.5:
                    yield "else:"
                    yield from (f"    {line}" for line in self.block(depth - 1, loops))
            case 7:
                yield f"for {self.random.choice(['_', number])} in range({self.random.randint(0, 3)}):"
                yield from (f"    {line}" for line in self.block(depth - 1, loops + 1))
            case 8:
                yield f"while {self.random.choice(['next(bits)', 'True'])}:"
                yield "    tick()"
                yield from (f"    {line}" for line in self.block(depth - 1, loops + 1))
            case _:
                yield "log(R, S, a, b)"


class TooLong(Exception):
    """A loop that does not end."""


def run(text: str, seed: int) -> list[str]:
    """What a program logs."""
    logged: list[str] = []
    bits = random.Random(seed)

    def tick() -> None:
        logged.append("tick")
        if len(logged) > 200:
            raise TooLong

    space = {
        "log": lambda *values: logged.append(repr(values)),
        "tick": tick,
        "bits": iter(lambda: bits.random() < 0.5, None),
        "R": False,
        "S": False,
        "a": 0,
        "b": 0,
    }
    try:
        exec(text, space)
    except TooLong:
        pass
    return logged


@pytest.mark.parametrize("seed", range(150))
def test_random_programs(seed):
    lines = ["R = False", "S = False", "a = 0", "b = 0", *Programs(seed).block(4, 0), "log(R, S, a, b)"]
    text = "\n".join(lines) + "\n"
    shorter = reduced(text)
    for number in range(5):
        assert run(text, number) == run(shorter, number), f"{text}\n\n{shorter}"
