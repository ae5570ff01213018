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

from s2sad.rules.checks import name_of
from s2sad.rules.core import (
    BodyRule,
    ModelRule,
    NotImplementedRule,
    PointwiseRule,
    Rule,
    SymmetricRule,
    ZeroDerivative,
    registered_rules,
)


def rule_table() -> str:
    """Markdown: the rules that come with s2sad."""
    importlib.import_module("s2sad.rules")  # registers them
    rules = [rule for rule in registered_rules() if _is_own(rule)]
    pointwise = [rule for rule in rules if isinstance(rule, (PointwiseRule, SymmetricRule))]
    models = [rule for rule in rules if isinstance(rule, ModelRule)]
    zero = {function for rule in rules if isinstance(rule, ZeroDerivative) for function in _functions(rule)}
    public = sorted(function for function in zero if not function.startswith("`s2sad."))
    refused = [rule for rule in rules if isinstance(rule, NotImplementedRule)]
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
    if isinstance(rule, BodyRule) and not rule.body.__module__.startswith("s2sad.rules."):
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
