"""``match``: tests and bindings, one case after the other.

A pattern binds nothing before all of it has matched, so what it captures is read again at the start of its arm::

    case ("+", a, b):              if len(e) == 3 and e[0] == "+":
        return a + b                   a = e[1]
                                       b = e[2]
                                       return a + b
"""

from __future__ import annotations

import collections.abc
import dataclasses
import operator
from collections.abc import Callable, Sequence
from typing import Any

import gast

from s2sad.frontend.builder import FALSE, NONE, TRUE, Builder
from s2sad.frontend.dispatch import Lowered, lower_expression, statement
from s2sad.frontend.lower_expressions import select
from s2sad.frontend.lower_statements import Statements, branch
from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import make_tuple

Test = Callable[[Builder], Operand]
#: Gives a part of the subject, in the block that asks for it.
Read = Callable[[Builder], Operand]

#: Classes whose one positional pattern is the subject itself.
SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def is_sequence(subject: Any) -> bool:
    """Whether a sequence pattern may match."""
    return isinstance(subject, collections.abc.Sequence) and not isinstance(subject, (str, bytes, bytearray))


def is_mapping(subject: Any) -> bool:
    """Whether a mapping pattern may match."""
    return isinstance(subject, collections.abc.Mapping)


def without_keys(subject: Any, keys: tuple[Any, ...]) -> dict[Any, Any]:
    """The rest of a mapping: what ``**rest`` is bound to."""
    return {key: value for key, value in subject.items() if key not in keys}


def match_positional(subject: Any, cls: type, count: int, names: tuple[str, ...]) -> tuple[Any, ...] | None:
    """The parts of an object that a class pattern looks at, or None when it does not match."""
    if not isinstance(subject, cls):
        return None
    if count == 1 and issubclass(cls, SELF_MATCHING) and "__match_args__" not in vars(cls):
        positional: tuple[Any, ...] = (subject,)
        attributes = names
    else:
        declared = getattr(cls, "__match_args__", ())
        if len(declared) < count:
            raise TypeError(f"{cls.__name__}() accepts {len(declared)} positional sub-patterns ({count} given)")
        positional = ()
        attributes = (*declared[:count], *names)
    try:
        return (*positional, *(getattr(subject, attribute) for attribute in attributes))
    except AttributeError:
        return None


@dataclasses.dataclass(frozen=True, slots=True)
class Capture:
    """A name that a pattern binds, and how to read what it is bound to."""

    name: str
    read: Read
    node: gast.AST


class Bind(gast.stmt):  # type: ignore[misc]
    """The statement that binds what a pattern has captured."""

    _fields = ()

    def __init__(self, capture: Capture) -> None:
        super().__init__()
        gast.copy_location(self, capture.node)
        self.capture = capture


@statement(Bind)
def _lower_bind(builder: Builder, node: Bind, rest: Statements) -> Statements:
    _bind(builder, node.capture)
    return rest


@statement(gast.Match)
def _lower_match(builder: Builder, node: gast.Match, rest: Statements) -> Statements:
    subject = lower_expression(builder, node.subject)
    if not node.cases:
        return rest
    case, *others = node.cases
    captures: list[Capture] = []
    tests: list[Test] = [lambda inner: _matches(inner, case.pattern, lambda reader: subject, captures)]
    body = case.body
    if case.guard is None:
        condition = _both(builder, case.pattern, tests)
        body = [*map(Bind, captures), *body]
    else:
        condition = _both(builder, case.pattern, [*tests, lambda inner: _guarded(inner, case.guard, captures)])
    remaining = [gast.copy_location(gast.Match(Lowered(subject), others), node)] if others else []
    return branch(builder, condition, body, remaining, rest, case.pattern)


def _guarded(builder: Builder, guard: gast.expr, captures: Sequence[Capture]) -> Operand:
    """A guard sees what the pattern has captured, and so does what follows when the guard fails."""
    _bind_all(builder, captures)
    return lower_expression(builder, guard)


def _bind(builder: Builder, capture: Capture) -> None:
    builder.bind(capture.name, capture.read(builder), capture.node)


def _both(builder: Builder, node: gast.AST, tests: Sequence[Test]) -> Operand:
    """All tests, one after the other, until one fails."""
    if not tests:
        return TRUE
    first = tests[0](builder)
    if len(tests) == 1 or first is FALSE:
        return first
    if first is TRUE:
        return _both(builder, node, tests[1:])
    return select(builder, node, first, lambda inner: _both(inner, node, tests[1:]), lambda inner: FALSE)


def _matches(builder: Builder, pattern: gast.AST, subject: Read, captures: list[Capture]) -> Operand:
    """The test of a pattern; what it captures is added to `captures`."""
    match pattern:
        case gast.MatchValue():
            return builder.call(pattern, operator.eq, subject(builder), lower_expression(builder, pattern.value))
        case gast.MatchSingleton():
            return builder.call(pattern, operator.is_, subject(builder), Constant(pattern.value))
        case gast.MatchAs(pattern=inner_pattern, name=name):
            condition = TRUE if inner_pattern is None else _matches(builder, inner_pattern, subject, captures)
            if name is not None:
                captures.append(Capture(name, subject, pattern))
            return condition
        case gast.MatchOr():
            return _any_of(builder, pattern.patterns, subject)
        case gast.MatchSequence():
            return _matches_sequence(builder, pattern, subject, captures)
        case gast.MatchMapping():
            return _matches_mapping(builder, pattern, subject, captures)
        case gast.MatchClass():
            return _matches_class(builder, pattern, subject, captures)
    raise AssertionError(pattern)


def _any_of(builder: Builder, patterns: Sequence[gast.AST], subject: Read) -> Operand:
    """One of several patterns, each of which captures the same names: they are bound at once."""

    def alternative(inner: Builder) -> Operand:
        captures: list[Capture] = []
        test: Test = lambda deeper: _matches(deeper, patterns[0], subject, captures)  # noqa: E731
        return _both(inner, patterns[0], [test, lambda deeper: _bind_all(deeper, captures)])

    first = alternative(builder)
    if len(patterns) == 1 or first is TRUE:
        return first
    return select(builder, patterns[0], first, lambda inner: TRUE, lambda inner: _any_of(inner, patterns[1:], subject))


def _bind_all(builder: Builder, captures: Sequence[Capture]) -> Operand:
    for capture in captures:
        _bind(builder, capture)
    return TRUE


def _matches_sequence(builder: Builder, pattern: gast.MatchSequence, subject: Read, captures: list[Capture]) -> Operand:
    patterns = pattern.patterns
    starred = next((index for index, inner in enumerate(patterns) if isinstance(inner, gast.MatchStar)), None)
    required = Constant(len(patterns) - (starred is not None))

    def length(inner: Builder) -> Operand:
        found = inner.call(pattern, len, subject(inner))
        return inner.call(pattern, operator.eq if starred is None else operator.ge, found, required)

    def item(index: int) -> Read:
        def read(inner: Builder) -> Operand:
            if index == starred:
                end = index + 1 - len(patterns)
                part = inner.call(pattern, slice, Constant(index), Constant(end or None), NONE)
                return inner.call(pattern, list, inner.call(pattern, operator.getitem, subject(inner), part))
            place = index if starred is None or index < starred else index - len(patterns)
            return inner.call(pattern, operator.getitem, subject(inner), Constant(place))

        return _named(read, patterns[index])

    def elements(inner: Builder) -> Operand:
        return _both(inner, pattern, [_part(part, item(index), captures) for index, part in enumerate(patterns)])

    return _both(
        builder,
        pattern,
        [lambda inner: inner.call(pattern, is_sequence, subject(inner)), length, *([elements] if patterns else [])],
    )


def _named(read: Read, pattern: gast.AST) -> Read:
    """A read whose value is called as the name that it is bound to."""
    name = getattr(pattern, "name", None)
    if name is None or getattr(pattern, "pattern", None) is not None:
        return read

    def named(builder: Builder) -> Operand:
        operand = read(builder)
        last = builder.operations[-1]
        hint = builder.hint(name)
        if not hint or not isinstance(last, Call) or last.result is not operand:
            return operand
        result = Value(hint)
        builder.operations[-1] = dataclasses.replace(last, result=result)
        return result

    return named


def _part(pattern: gast.AST, read: Read, captures: list[Capture]) -> Test:
    def test(builder: Builder) -> Operand:
        if isinstance(pattern, gast.MatchStar):
            if pattern.name is not None:
                captures.append(Capture(pattern.name, read, pattern))
            return TRUE
        return _matches(builder, pattern, read, captures)

    return test


def _matches_mapping(builder: Builder, pattern: gast.MatchMapping, subject: Read, captures: list[Capture]) -> Operand:
    def has_key(key: gast.expr) -> Test:
        return lambda inner: inner.call(pattern, operator.contains, subject(inner), lower_expression(inner, key))

    def item(key: gast.expr, part: gast.AST) -> Read:
        return _named(
            lambda inner: inner.call(pattern, operator.getitem, subject(inner), lower_expression(inner, key)),
            part,
        )

    def rest(inner: Builder) -> Operand:
        together = inner.call(pattern, make_tuple, *(lower_expression(inner, key) for key in pattern.keys))
        return inner.call(pattern, without_keys, subject(inner), together)

    tests: list[Test] = [lambda inner: inner.call(pattern, is_mapping, subject(inner)), *map(has_key, pattern.keys)]
    tests += [_part(part, item(key, part), captures) for key, part in zip(pattern.keys, pattern.patterns, strict=True)]
    condition = _both(builder, pattern, tests)
    if pattern.rest is not None:
        captures.append(Capture(pattern.rest, rest, pattern))
    return condition


def _matches_class(builder: Builder, pattern: gast.MatchClass, subject: Read, captures: list[Capture]) -> Operand:
    inner_patterns = [*pattern.patterns, *pattern.kwd_patterns]
    count, names = Constant(len(pattern.patterns)), Constant(tuple(pattern.kwd_attrs))

    def is_instance(inner: Builder) -> Operand:
        return inner.call(pattern, isinstance, subject(inner), lower_expression(inner, pattern.cls))

    def parts(inner: Builder) -> Operand:
        return inner.call(pattern, match_positional, subject(inner), lower_expression(inner, pattern.cls), count, names)

    def item(index: int) -> Read:
        return _named(
            lambda inner: inner.call(pattern, operator.getitem, parts(inner), Constant(index)),
            inner_patterns[index],
        )

    tests: list[Test] = [is_instance]
    if inner_patterns:
        tests.append(lambda inner: inner.call(pattern, operator.is_not, parts(inner), NONE))
    tests += [_part(part, item(index), captures) for index, part in enumerate(inner_patterns)]
    return _both(builder, pattern, tests)
