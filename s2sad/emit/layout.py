"""Statements of generated code, and how they become lines: indentation, ``elif``, comments with source lines.

Expressions are printed by :mod:`s2sad.emit.printer`; compound statements and comments, which a syntax tree does not hold, here.
"""

from __future__ import annotations

import ast
import io
import linecache
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from s2sad.emit.printer import print_node
from s2sad.ir.nodes import Span

_WIDTH = 120
#: Comments start at this column at the least, where the code allows.
_COMMENT_COLUMN = 48
_INDENT = "    "


@dataclass(slots=True)
class Simple:
    """A statement on one line."""

    node: ast.stmt
    span: Span | None = None


@dataclass(slots=True)
class Comment:
    """``# text``, a line of its own."""

    text: str


@dataclass(slots=True)
class IfStatement:
    test: ast.expr
    body: list[Statement]
    orelse: list[Statement]
    span: Span | None = None


@dataclass(slots=True)
class WhileStatement:
    test: ast.expr
    body: list[Statement]
    span: Span | None = None


@dataclass(slots=True)
class ForStatement:
    target: ast.expr
    iterable: ast.expr
    body: list[Statement]
    span: Span | None = None


@dataclass(slots=True)
class Except:
    exception: ast.expr | None
    name: ast.expr | None
    body: list[Statement]


@dataclass(slots=True)
class TryStatement:
    body: list[Statement]
    handlers: list[Except]
    span: Span | None = None


@dataclass(slots=True)
class WithStatement:
    context: ast.expr
    name: ast.expr | None
    body: list[Statement]
    span: Span | None = None


@dataclass(slots=True)
class ParameterText:
    """``*name`` or ``name=default``; a bare ``*`` or ``/`` has a prefix only."""

    prefix: str
    name: ast.expr | None = None
    default: ast.expr | None = None


@dataclass(slots=True)
class DefStatement:
    name: ast.expr
    parameters: list[ParameterText]
    docstring: str | None
    body: list[Statement]
    span: Span | None = None


Statement = Simple | Comment | IfStatement | WhileStatement | ForStatement | TryStatement | WithStatement | DefStatement


def nodes_of(statements: Iterable[Statement]) -> Iterator[ast.AST]:
    """The syntax trees inside some statements, in the order of the text."""
    for statement in statements:
        match statement:
            case Simple(node):
                yield node
            case Comment():
                pass
            case IfStatement(test, body, orelse):
                yield test
                yield from nodes_of([*body, *orelse])
            case WhileStatement(test, body):
                yield test
                yield from nodes_of(body)
            case ForStatement(target, iterable, body):
                yield from (target, iterable)
                yield from nodes_of(body)
            case TryStatement(body, handlers):
                yield from nodes_of(body)
                for handler in handlers:
                    yield from (node for node in (handler.exception, handler.name) if node is not None)
                    yield from nodes_of(handler.body)
            case WithStatement(context, name, body):
                yield from (node for node in (context, name) if node is not None)
                yield from nodes_of(body)
            case DefStatement(name, parameters, _, body):
                yield name
                for parameter in parameters:
                    yield from (node for node in (parameter.name, parameter.default) if node is not None)
                yield from nodes_of(body)


def render(statements: Iterable[Statement], source: str | None) -> list[str]:
    """The lines of some statements. Comments show lines of the file `source`."""
    renderer = _Renderer(source)
    renderer.suite(list(statements), 0)
    return _align(renderer.lines)


@dataclass(frozen=True, slots=True)
class _Line:
    code: str
    comment: str = ""
    text: str = ""


@dataclass(slots=True)
class _Renderer:
    source: str | None
    lines: list[_Line] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    last: int | None = None

    def line(self, depth: int, code: str, span: Span | None = None) -> None:
        comment = text = ""
        if span is not None and span.filename == self.source and (place := span.line) != self.last:
            self.last = place
            comment = f"# line {span.line}"
            if place not in self.seen:
                self.seen.add(place)
                text = without_comment(linecache.getline(span.filename, span.line).strip())
                text = "" if text == code else text
        self.lines.append(_Line(_INDENT * depth + code, comment, text))

    def suite(self, statements: Sequence[Statement], depth: int) -> None:
        kept = without_empty_sections(statements)
        for statement in kept:
            self.statement(statement, depth)
        if not any(not isinstance(statement, Comment) for statement in kept):
            self.line(depth, "pass")

    def statement(self, statement: Statement, depth: int) -> None:
        match statement:
            case Simple(node, span):
                self.line(depth, print_node(node), span)
            case Comment(text):
                self.last = None
                self.line(depth, f"# {text}")
            case IfStatement():
                self.conditional(statement, "if", depth)
            case WhileStatement(test, body, span):
                self.line(depth, f"while {print_node(test)}:", span)
                self.suite(body, depth + 1)
            case ForStatement(target, iterable, body, span):
                self.line(depth, f"for {print_node(target)} in {print_node(iterable)}:", span)
                self.suite(body, depth + 1)
            case WithStatement(context, name, body, span):
                bound = "" if name is None else f" as {print_node(name)}"
                self.line(depth, f"with {print_node(context)}{bound}:", span)
                self.suite(body, depth + 1)
            case TryStatement(body, handlers, span):
                self.line(depth, "try:", span)
                self.suite(body, depth + 1)
                for handler in handlers:
                    self.handler(handler, depth)
            case DefStatement(name, parameters, docstring, body, span):
                header = ", ".join(self.parameter(parameter) for parameter in parameters)
                self.line(depth, f"def {print_node(name)}({header}):", span if depth else None)
                if docstring is not None:
                    self.docstring(docstring, depth + 1)
                if body or docstring is None:
                    self.suite(body, depth + 1)

    def conditional(self, statement: IfStatement, keyword: str, depth: int) -> None:
        self.line(depth, f"{keyword} {print_node(statement.test)}:", statement.span)
        self.suite(statement.body, depth + 1)
        match statement.orelse:
            case []:
                pass
            case [IfStatement() as inner]:
                self.conditional(inner, "elif", depth)
            case orelse:
                self.line(depth, "else:")
                self.suite(orelse, depth + 1)

    def handler(self, handler: Except, depth: int) -> None:
        words = ["except"]
        if handler.exception is not None:
            text = print_node(handler.exception)
            words.append(f"({text})" if isinstance(handler.exception, ast.Tuple) and not text.startswith("(") else text)
            if handler.name is not None:
                words += ["as", print_node(handler.name)]
        elif handler.name is not None:
            words += ["BaseException as", print_node(handler.name)]
        self.line(depth, " ".join(words) + ":")
        self.suite(handler.body, depth + 1)

    def parameter(self, parameter: ParameterText) -> str:
        name = "" if parameter.name is None else print_node(parameter.name)
        default = "" if parameter.default is None else print_node(parameter.default)
        if isinstance(parameter.default, ast.Tuple) and len(parameter.default.elts) > 1:
            default = f"({default})"
        return f"{parameter.prefix}{name}{default and f'={default}'}"

    def docstring(self, text: str, depth: int) -> None:
        if '"""' in text or "\\" in text or text.endswith('"'):
            self.line(depth, repr(text))
            return
        lines = text.split("\n")
        for index, line in enumerate(lines):
            code = ('"""' if index == 0 else "") + line + ('"""' if index == len(lines) - 1 else "")
            self.lines.append(_Line(_INDENT * depth + code if index == 0 else code))


def without_empty_sections(statements: Sequence[Statement]) -> list[Statement]:
    """Headings of sections go where nothing follows them; the heading of the one section that is left says nothing."""
    kept = [
        statement
        for statement, following in zip_longest(statements, statements[1:])
        if not (isinstance(statement, Comment) and (following is None or isinstance(following, Comment)))
    ]
    headings = [statement for statement in kept if isinstance(statement, Comment)]
    if len(headings) == 1 and len(kept) < len(statements) and kept[0] is headings[0]:
        return kept[1:]
    return kept


def without_comment(line: str) -> str:
    """A line of source without the comment at its end.

    >>> without_comment('label = "#1"  # the first')
    'label = "#1"'
    """
    if "#" not in line:
        return line
    try:
        for token in tokenize.generate_tokens(io.StringIO(line).readline):
            if token.type == tokenize.COMMENT:
                return line[: token.start[1]].rstrip()
    except (tokenize.TokenError, SyntaxError):  # a part of a statement
        pass
    return line


def _align(lines: Sequence[_Line]) -> list[str]:
    """Put comments behind the code, in one column where it is short enough."""
    widths = [len(line.code) for line in lines if line.comment]
    column = max([_COMMENT_COLUMN, *(width + 2 for width in widths if width < _COMMENT_COLUMN + 16)]) if widths else 0
    result = []
    for line in lines:
        if not line.comment:
            result.append(line.code)
            continue
        start = line.code.ljust(column) if len(line.code) <= column - 2 else line.code + "  "
        full = f"{start}{line.comment}: {line.text}"
        close = f"{line.code}  {line.comment}: {line.text}"
        fitting = [text for text in (full, close) if line.text and len(text) <= _WIDTH]
        result.append(fitting[0] if fitting else f"{start}{line.comment}")
    return result
