"""The table of rules in the documentation: functions, derivatives as they were written, conventions.

``python -m s2sad.rules.table`` prints `docs/functions.md`.

>>> import math
>>> from s2sad.rules import lookup
>>> print(row_of(lookup(math.hypot)))
| `math.hypot`, `np.hypot` | `x / z if z else 0.0` | 0 at the origin |
"""

from __future__ import annotations

import importlib
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterable
from types import FunctionType
from typing import cast

from s2sad.rules.checks import is_own, name_of
from s2sad.rules.core import (
    BodyRule,
    ModelRule,
    NotImplementedRule,
    PointwiseRule,
    Rule,
    SymmetricRule,
    VjpRule,
    ZeroDerivative,
    registered_rules,
)

#: The modules in the order of the page, as far as it matters.
_FIRST = (".elementary", ".mathematics", ".special", ".ufuncs", ".reductions", ".linalg", ".shapes", ".joining", ".arrays")
#: How many statements of a body the table shows.
_LONGEST = 4


def rule_table() -> str:
    """Markdown: the rules that come with s2sad."""
    importlib.import_module("s2sad.rules")  # registers them
    rules = sorted(filter(_is_own, registered_rules()), key=_place)
    pointwise = [rule for rule in rules if isinstance(rule, (PointwiseRule, SymmetricRule))]
    vjps = [rule for rule in rules if isinstance(rule, VjpRule)]
    models = [rule for rule in rules if isinstance(rule, ModelRule)]
    zero = {function for rule in rules if isinstance(rule, ZeroDerivative) for function in _functions(rule)}
    public = sorted(function for function in zero if not function.startswith("`s2sad."))
    refused = [
        rule
        for rule in rules
        if isinstance(rule, NotImplementedRule) and not any(name.startswith("`s2sad.") for name in _functions(rule))
    ]
    return "\n".join(
        [
            "# Functions with a rule",
            "",
            "Written by `python -m s2sad.rules.table`. How to add one is said in [rules.md](rules.md).",
            "",
            "## Partial derivatives",
            "",
            "The first parameter of a rule is the result: `y` for one operand, `z` for two. A rule for any number of operands",
            "gives the partial derivative with respect to any one of them, `x`.",
            "",
            "| function | derivative | conventions |",
            "| --- | --- | --- |",
            *map(row_of, pointwise),
            "",
            "## Arrays: what happens to cotangents",
            "",
            "The first two parameters of a rule are the adjoint of the result, and the result. Functions of elements, above, are",
            "for arrays as well.",
            "",
            "| function | adjoints of the operands | conventions |",
            "| --- | --- | --- |",
            *(f"| {', '.join(_functions(rule))} | {_adjoints(rule)} | {rule.note} |" for rule in vjps),
            "",
            "## Functions differentiated by a model",
            "",
            "The function itself is called; its derivative is that of a function in supported Python that computes the same.",
            "",
            "| function | calls | conventions |",
            "| --- | --- | --- |",
            *(f"| {', '.join(_functions(rule))} | {_call(rule)} | {rule.note} |" for rule in models),
            "",
            "## Derivative zero",
            "",
            *textwrap.wrap(", ".join(public) + ".", width=120, break_long_words=False, break_on_hyphens=False),
            "",
            "## Refused",
            "",
            "| function | why | instead |",
            "| --- | --- | --- |",
            *(f"| {', '.join(_functions(rule))} | {rule.reason} | {rule.instead} |" for rule in refused),
            "",
        ]
    )


def _place(rule: Rule) -> int:
    """Functions of numbers come first."""
    module = rule.body.__module__ if isinstance(rule, BodyRule) else ""
    return next((place for place, name in enumerate(_FIRST) if module.endswith(name)), len(_FIRST))


def row_of(rule: Rule | None) -> str:
    """One row of the first table."""
    assert isinstance(rule, BodyRule)
    return f"| {', '.join(_functions(rule))} | {_derivative(rule.body)} | {rule.note} |"


def _call(rule: ModelRule) -> str:
    """The form of call that a model is for."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty) for parameter in inspect.signature(rule.body).parameters.values()
    ]
    return f"`{inspect.Signature(parameters)}`"


def _is_own(rule: Rule) -> bool:
    """Whether the rule is in the table: not a user's, and for a function that every installation has."""
    if isinstance(rule, BodyRule) and not is_own(rule.body):
        return False
    return not any(name.startswith("`scipy.") for name in _functions(rule))


def _functions(rule: Rule) -> list[str]:
    """The names of the functions; an operator by its public name only once, though it may have an in-place form."""
    names: Iterable[str] = (f"`{name_of(function)}`" for function in rule.functions)
    return list(dict.fromkeys(names))


def _derivative(body: FunctionType) -> str:
    """The text of a rule's body: what it returns, if that is all it does."""
    statements = _statements(body)
    if len(statements) == 1:
        statements = [statements[0].removeprefix("return ").removeprefix("(").removesuffix(",)")]
    return "<br>".join(f"`{statement}`" for statement in statements)


def _adjoints(rule: VjpRule) -> str:
    """The text of a short body; where a longer one is found."""
    body = cast("FunctionType", rule.body)
    return _derivative(body) if len(_statements(body)) <= _LONGEST else f"in `{body.__module__}`"


def _statements(body: FunctionType) -> list[str]:
    """The logical lines of a function after its heading, without comments."""
    source = textwrap.dedent(inspect.getsource(body))
    statements: list[str] = []
    tokens: list[str] = []
    depth = 0
    previous: tokenize.TokenInfo | None = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        match token.type:
            case tokenize.INDENT:
                depth += 1
            case tokenize.DEDENT:
                depth -= 1
            case tokenize.NEWLINE:
                if depth:
                    statements.append("  " * (depth - 1) + "".join(tokens))
                tokens = []
                previous = None
            case tokenize.COMMENT | tokenize.NL | tokenize.ENDMARKER:
                pass
            case _:
                same_line = previous is not None and token.start[0] == previous.end[0]
                if previous is not None and (token.start[1] > previous.end[1] if same_line else _apart(previous, token)):
                    tokens.append(" ")
                tokens.append(token.string)
                previous = token
    return statements


def _apart(before: tokenize.TokenInfo, after: tokenize.TokenInfo) -> bool:
    """Whether two tokens on two lines have a space between them when the lines are joined."""
    return before.string not in ("(", "[") and after.string not in (")", "]", ",")


if __name__ == "__main__":
    print(rule_table(), end="")
