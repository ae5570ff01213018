"""Checks that IR is well formed.

>>> from s2sad.ir.nodes import Block, Function, Return, Value
>>> verify(Function("f", (), Block((), Return(Value("x")))))
Traceback (most recent call last):
    ...
s2sad.errors.InvalidIRError: Return reads x, which is not defined here
def f():
  return undefined:x_1    # <-- here
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from s2sad.errors import InvalidIRError
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operation,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    operands_of,
    parameters_of,
    results_of,
)
from s2sad.ir.printer import print_function


def verify(function: Function) -> Function:
    """Return the function, or raise `InvalidIRError`: every value is defined once and before its uses, blocks end as their place
    demands, and lists of values have the length of the results that they feed."""
    checker = _Checker(function)
    checker.function(function)
    return function


@dataclass(frozen=True, slots=True)
class _Ends:
    """How a block may end; `None` for a list of values: not at all."""

    yields: int | None = None
    breaks: int | None = None
    returns: bool = False
    branches: bool = True


@dataclass(slots=True)
class _Checker:
    root: Function
    defined: set[Value] = field(default_factory=set)
    visible: set[Value] = field(default_factory=set)
    #: The visible values in order of definition, so that a scope can be left.
    order: list[Value] = field(default_factory=list)

    def fail(self, node: object, message: str) -> NoReturn:
        raise InvalidIRError(f"{type(node).__name__} {message}\n{print_function(self.root, mark=node)}")

    def function(self, function: Function) -> None:
        outer = self.visible, self.order
        self.visible, self.order = set(), []
        self.define(function, [*function.captured, *(parameter.value for parameter in function.parameters)])
        self.block(function.body, _Ends(returns=True))
        self.visible, self.order = outer

    def define(self, node: object, values: Sequence[Value]) -> None:
        for value in values:
            if not isinstance(value, Value):
                self.fail(node, f"defines {value!r}, which is not a Value")
            if value in self.defined:
                self.fail(node, f"defines {value.name or 'a temporary'} a second time")
            self.defined.add(value)
            self.visible.add(value)
            self.order.append(value)

    def leave(self, depth: int) -> None:
        """Forget what was defined since `order` had this length."""
        self.visible.difference_update(self.order[depth:])
        del self.order[depth:]

    def read(self, node: Operation | Terminator) -> None:
        for operand in operands_of(node):
            if isinstance(operand, Value):
                if operand not in self.visible:
                    self.fail(node, f"reads {operand.name or 'a temporary'}, which is not defined here")
            elif not isinstance(operand, Constant):
                self.fail(node, f"has the operand {operand!r}, which is neither a Value nor a Constant")

    def block(self, block: Block, ends: _Ends) -> None:
        outer = len(self.order)
        for operation in block.operations:
            self.read(operation)
            depth = len(self.order)
            self.inside(operation)
            self.leave(depth)
            self.define(operation, results_of(operation))
        self.end(block.terminator, ends)
        self.leave(outer)

    def inside(self, node: Operation) -> None:
        match node:
            case If():
                arm = _Ends(yields=len(node.results), branches=False)
                self.block(node.then, arm)
                self.block(node.orelse, arm)
            case For():
                self.define(node, parameters_of(node))
                self.block(node.body, _Ends(yields=len(node.carried), breaks=len(node.carried)))
            case While():
                self.define(node, parameters_of(node))
                self.block(node.header, _Ends(yields=1, branches=False))
                self.block(node.body, _Ends(yields=len(node.carried), breaks=len(node.carried)))
            case Try():
                self.block(node.body, _Ends(yields=len(node.results), branches=False))
                for handler in node.handlers:
                    if handler.name is not None:
                        self.define(node, [handler.name])
                    self.block(handler.body, _Ends(yields=len(node.results), branches=False))
            case With():
                self.define(node, parameters_of(node))
                self.block(node.body, _Ends(yields=len(node.results), branches=False))
            case MakeFunction():
                if len(node.captured) != len(node.definition.captured):
                    self.fail(node, f"captures {len(node.captured)} values, its function takes {len(node.definition.captured)}")
                wanted = sum(parameter.has_default for parameter in node.definition.parameters)
                if len(node.defaults) != wanted:
                    self.fail(node, f"has {len(node.defaults)} defaults, its function wants {wanted}")
                self.function(node.definition)

    def end(self, node: Terminator, ends: _Ends) -> None:
        self.read(node)
        match node:
            case Yield(values):
                self.arity(node, len(values), ends.yields)
            case Break(values):
                self.arity(node, len(values), ends.breaks)
            case Return():
                if not ends.returns:
                    self.fail(node, "may not end this block")
            case Branch(_, then, orelse):
                if not ends.branches:
                    self.fail(node, "may not end this block")
                self.block(then, ends)
                self.block(orelse, ends)
            case Raise():
                return
            case _:
                self.fail(node, "is not a terminator")

    def arity(self, node: Terminator, got: int, wanted: int | None) -> None:
        if wanted is None:
            self.fail(node, "may not end this block")
        if got != wanted:
            self.fail(node, f"lists {got} values, {wanted} are wanted")
