"""``match``: tests and bindings, one case after the other."""

from __future__ import annotations

import collections.abc
import operator
from collections.abc import Callable, Sequence
from typing import Any

import gast

from s2sad.frontend.builder import FALSE, TRUE, Builder
from s2sad.frontend.dispatch import Lowered, lower_expression, statement
from s2sad.frontend.lower_expressions import select
from s2sad.frontend.lower_statements import Statements, branch
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.operations import make_tuple, unpack

Test = Callable[[Builder], Operand]

#: Classes whose one positional pattern is the subject itself.
SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def is_sequence(subject: Any) -> bool:
    """Whether a sequence pattern may match."""
    return isinstance(subject, collections.abc.Sequence) and not isinstance(subject, str | bytes | bytearray)


def is_mapping(subject: Any) -> bool:
    """Whether a mapping pattern may match."""
    return isinstance(subject, collections.abc.Mapping)


def has_keys(subject: Any, keys: tuple[Any, ...]) -> bool:
    """Whether a mapping has all of these keys."""
    missing = object()
    return all(subject.get(key, missing) is not missing for key in keys)


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


@statement(gast.Match)
def _lower_match(builder: Builder, node: gast.Match, rest: Statements) -> Statements:
    subject = lower_expression(builder, node.subject)
    if not node.cases:
        return rest
    case, *others = node.cases
    condition = _both(builder, case.pattern, [lambda inner: _matches(inner, case.pattern, subject), *_guard(case)])
    remaining = [gast.copy_location(gast.Match(Lowered(subject), others), node)] if others else []
    return branch(builder, condition, case.body, remaining, rest, case.pattern)


def _guard(case: gast.match_case) -> list[Test]:
    guard = case.guard
    return [] if guard is None else [lambda inner: lower_expression(inner, guard)]


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


def _matches(builder: Builder, pattern: gast.AST, subject: Operand) -> Operand:
    match pattern:
        case gast.MatchValue():
            return builder.call(pattern, operator.eq, subject, lower_expression(builder, pattern.value))
        case gast.MatchSingleton():
            return builder.call(pattern, operator.is_, subject, Constant(pattern.value))
        case gast.MatchAs(pattern=inner_pattern, name=name):
            return _both(
                builder,
                pattern,
                [
                    *([] if inner_pattern is None else [lambda inner: _matches(inner, inner_pattern, subject)]),
                    *([] if name is None else [lambda inner: _bind(inner, name, subject, pattern)]),
                ],
            )
        case gast.MatchOr():
            return _any_of(builder, pattern.patterns, subject)
        case gast.MatchSequence():
            return _matches_sequence(builder, pattern, subject)
        case gast.MatchMapping():
            return _matches_mapping(builder, pattern, subject)
        case gast.MatchClass():
            return _matches_class(builder, pattern, subject)
    raise AssertionError(pattern)


def _bind(builder: Builder, name: str, value: Operand, node: gast.AST) -> Operand:
    builder.bind(name, value, node)
    return TRUE


def _any_of(builder: Builder, patterns: Sequence[gast.AST], subject: Operand) -> Operand:
    first = _matches(builder, patterns[0], subject)
    if len(patterns) == 1 or first is TRUE:
        return first
    return select(builder, patterns[0], first, lambda inner: TRUE, lambda inner: _any_of(inner, patterns[1:], subject))


def _matches_sequence(builder: Builder, pattern: gast.MatchSequence, subject: Operand) -> Operand:
    patterns = pattern.patterns
    starred = next((index for index, inner in enumerate(patterns) if isinstance(inner, gast.MatchStar)), None)
    required = Constant(len(patterns) - (starred is not None))

    def length(inner: Builder) -> Operand:
        return inner.call(pattern, operator.eq if starred is None else operator.ge, inner.call(pattern, len, subject), required)

    def elements(inner: Builder) -> Operand:
        counts = [Constant(len(patterns))] if starred is None else [Constant(starred), Constant(len(patterns) - starred - 1)]
        parts = inner.call(pattern, unpack, subject, *counts)
        return _both(inner, pattern, [_element(part, index, parts) for index, part in enumerate(patterns)])

    return _both(
        builder, pattern, [lambda inner: inner.call(pattern, is_sequence, subject), length, *([elements] if patterns else [])]
    )


def _element(pattern: gast.AST, index: int, parts: Operand) -> Test:
    def test(builder: Builder) -> Operand:
        name = getattr(pattern, "name", None)
        if isinstance(pattern, gast.MatchStar | gast.MatchAs) and name is None and getattr(pattern, "pattern", None) is None:
            return TRUE
        plain = builder.hint(name) if getattr(pattern, "pattern", None) is None else ""
        part = builder.call(pattern, operator.getitem, parts, Constant(index), name=plain)
        if isinstance(pattern, gast.MatchStar):
            return _bind(builder, pattern.name, part, pattern)
        return _matches(builder, pattern, part)

    return test


def _matches_mapping(builder: Builder, pattern: gast.MatchMapping, subject: Operand) -> Operand:
    def contents(inner: Builder) -> Operand:
        keys = [lower_expression(inner, key) for key in pattern.keys]
        together = inner.call(pattern, make_tuple, *keys)

        def values(found: Builder) -> Operand:
            tests: list[Test] = [_item(part, key, subject) for part, key in zip(pattern.patterns, keys, strict=True)]
            if pattern.rest is not None:
                rest = pattern.rest
                tests.append(
                    lambda last: _bind(
                        last, rest, last.call(pattern, without_keys, subject, together, name=last.hint(rest)), pattern
                    )
                )
            return _both(found, pattern, tests)

        return _both(inner, pattern, [lambda found: found.call(pattern, has_keys, subject, together), values])

    return _both(builder, pattern, [lambda inner: inner.call(pattern, is_mapping, subject), contents])


def _item(pattern: gast.AST, key: Operand, subject: Operand) -> Test:
    return lambda builder: _matches(builder, pattern, builder.call(pattern, operator.getitem, subject, key))


def _matches_class(builder: Builder, pattern: gast.MatchClass, subject: Operand) -> Operand:
    cls = lower_expression(builder, pattern.cls)
    inner_patterns = [*pattern.patterns, *pattern.kwd_patterns]
    if not inner_patterns:
        return builder.call(pattern, isinstance, subject, cls)
    count, names = Constant(len(pattern.patterns)), Constant(tuple(pattern.kwd_attrs))
    parts = builder.call(pattern, match_positional, subject, cls, count, names)
    tests: list[Test] = [lambda inner: inner.call(pattern, operator.is_not, parts, Constant(None))]
    tests += [_element(part, index, parts) for index, part in enumerate(inner_patterns)]
    return _both(builder, pattern, tests)
