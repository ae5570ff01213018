"""Prints IR, in the form that :mod:`s2sad.ir.nodes` shows.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> import operator
>>> x, y = Value("x"), Value("y")
>>> body = Block((Call(y, Constant(operator.add), (x, Constant(1))),), Return(y))
>>> print(print_function(Function("f", (Parameter(x),), body)))
def f(x):
  y_1 = add(x, 1)
  return y_1
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Parameter,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
)
from s2sad.ir.types import UNKNOWN

_PREFIX: Final[dict[inspect._ParameterKind, str]] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def print_function(function: Function, *, types: bool = False, mark: object = None) -> str:
    """The text of a function. With `types`, definitions show the type of their value; the node `mark` gets an arrow."""
    return "\n".join(_Printer(types, mark).function(function, ""))


@dataclass(slots=True)
class _Printer:
    types: bool
    mark: object
    names: dict[Value, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    count: int = 0

    def define(self, value: Value, *, plain: bool = False) -> str:
        if value not in self.names:
            if plain and value.name and value.name not in self.taken:
                self.names[value] = value.name
            else:
                self.count += 1
                self.names[value] = f"{value.name or 't'}_{self.count}"
            self.taken.add(self.names[value])
        name = self.names[value]
        return f"{name}: {value.type}" if self.types and value.type != UNKNOWN else name

    def defines(self, values: Sequence[Value]) -> str:
        return ", ".join(map(self.define, values)) + (" = " if values else "")

    def use(self, operand: Operand) -> str:
        if isinstance(operand, Value):
            return self.names.get(operand) or f"undefined:{self.define(operand)}"
        return show_constant(operand)

    def uses(self, operands: Sequence[Operand]) -> str:
        return ", ".join(map(self.use, operands))

    def function(self, function: Function, indent: str) -> Iterator[str]:
        captured = "".join(f"[{self.define(value, plain=not indent)}]" for value in function.captured)
        parameters = ", ".join(self.parameter(parameter, plain=not indent) for parameter in function.parameters)
        yield f"{indent}def {function.name}{captured}({parameters}):"
        yield from self.block(function.body, indent + "  ")

    def parameter(self, parameter: Parameter, plain: bool) -> str:
        return (
            _PREFIX.get(parameter.kind, "")
            + self.define(parameter.value, plain=plain)
            + ("=..." if parameter.has_default else "")
        )

    def block(self, block: Block, indent: str) -> Iterator[str]:
        for node in (*block.operations, block.terminator):
            marked = node is self.mark or (isinstance(node, (Call, MakeFunction)) and node.result is self.mark)
            lines = self.operation(node, indent) if isinstance(node, Operation) else self.terminator(node, indent)
            for index, line in enumerate(lines):
                yield line + ("    # <-- here" if marked and index == 0 else "")

    def operation(self, node: Operation, indent: str) -> Iterator[str]:
        inner = indent + "  "
        match node:
            case Call():
                arguments = [self.use(argument) for argument in node.arguments]
                arguments += [f"{key}={self.use(value)}" for key, value in node.keywords]
                function = self.use(node.function)
                yield f"{indent}{self.define(node.result)} = {function}({', '.join(arguments)})"
            case MakeFunction():
                captured, defaults = self.uses(node.captured), self.uses(node.defaults)
                extra = (f" captures ({captured})" if captured else "") + (f" defaults ({defaults})" if defaults else "")
                yield f"{indent}{self.define(node.result)} = function{extra}:"
                yield from self.function(node.definition, inner)
            case If():
                yield from self.arms(node, indent, self.defines(node.results))
            case For():
                iterable, carried = self.use(node.iterable), self.carried(node.carried)
                yield f"{indent}{self.defines(node.results)}for {self.define(node.target)} in {iterable}{carried}:"
                yield from self.block(node.body, inner)
            case While():
                carried = self.carried(node.carried)
                yield f"{indent}{self.defines(node.results)}while{carried}:"
                yield f"{inner}header:"
                yield from self.block(node.header, inner + "  ")
                yield f"{inner}body:"
                yield from self.block(node.body, inner + "  ")
            case Try():
                yield f"{indent}{self.defines(node.results)}try:"
                yield from self.block(node.body, inner)
                for handler in node.handlers:
                    exception = f" {self.use(handler.exception)}" if handler.exception is not None else ""
                    name = f" as {self.define(handler.name)}" if handler.name is not None else ""
                    yield f"{indent}except{exception}{name}:"
                    yield from self.block(handler.body, inner)
            case With():
                context = self.use(node.context)
                name = f" as {self.define(node.name)}" if node.name is not None else ""
                yield f"{indent}{self.defines(node.results)}with {context}{name}:"
                yield from self.block(node.body, inner)

    def arms(self, node: If | Branch, indent: str, prefix: str) -> Iterator[str]:
        keyword = "if" if isinstance(node, If) else "branch"
        yield f"{indent}{prefix}{keyword} {self.use(node.condition)}:"
        yield from self.block(node.then, indent + "  ")
        yield f"{indent}else:"
        yield from self.block(node.orelse, indent + "  ")

    def carried(self, items: Sequence[Carried]) -> str:
        initials = [self.use(item.initial) for item in items]
        parameters = [self.define(item.parameter) for item in items]
        text = ", ".join(f"{parameter} = {initial}" for parameter, initial in zip(parameters, initials, strict=True))
        return f" carried ({text})" if text else ""

    def terminator(self, node: Terminator, indent: str) -> Iterator[str]:
        match node:
            case Yield(values):
                yield f"{indent}yield {self.uses(values)}".rstrip()
            case Break(values):
                yield f"{indent}break {self.uses(values)}".rstrip()
            case Return(value):
                yield f"{indent}return {self.use(value)}"
            case Raise(exception, cause):
                what = f" {self.use(exception)}" if exception is not None else ""
                yield f"{indent}raise{what}" + (f" from {self.use(cause)}" if cause is not None else "")
            case Branch():
                yield from self.arms(node, indent, "")


def show_constant(constant: Constant) -> str:
    """A literal as it is, anything else by its name."""
    value = constant.value
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, tuple)):
        return repr(value)
    return str(getattr(value, "__name__", None) or value)
