"""Runs IR directly, one node at a time: the meaning of a program, for tests of passes and for folding of constants.

>>> import operator
>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> x, y = Value("x"), Value("y")
>>> double = Block((Call(y, Constant(operator.mul), (Constant(2), x)),), Return(y))
>>> interpret(Function("double", (Parameter(x),), double), (21,))
42
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    UNBOUND,
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
    Raise,
    Return,
    Try,
    Value,
    While,
    With,
    Yield,
)
from s2sad.ir.operations import load_captured, load_global, make_cell

Environment = dict[Value, Any]


@dataclass(frozen=True, slots=True)
class _End:
    """How a block ended: the class of its last terminator, and the values that it lists."""

    kind: type
    values: tuple[Any, ...]


def interpret(function: Function, arguments: Sequence[Any], namespace: Mapping[str, Any] | None = None) -> Any:
    """Call `function` with positional `arguments`; `namespace` serves `load_global` and `load_captured`."""
    environment = dict(zip((parameter.value for parameter in function.parameters), arguments, strict=True))
    return _Interpreter(namespace or {}).run(function, environment)


@dataclass(frozen=True, slots=True)
class _Interpreter:
    namespace: Mapping[str, Any]

    def run(self, function: Function, environment: Environment) -> Any:
        end = self.block(function.body, environment)
        assert end.kind is Return, f"a function ended with {end.kind.__name__}"
        return end.values[0]

    def block(self, block: Block, environment: Environment) -> _End:
        for operation in block.operations:
            self.operation(operation, environment)
        match block.terminator:
            case Yield(values) | Break(values):
                # a value that no path bound may be carried on, it must not be read
                return _End(type(block.terminator), tuple(_peek(value, environment) for value in values))
            case Return(value):
                return _End(Return, (_read(value, environment),))
            case Branch(condition, then, orelse):
                return self.block(then if _read(condition, environment) else orelse, environment)
            case Raise(None, _):
                raise  # the handler that is being run is further up the stack
            case Raise(exception, cause):
                assert exception is not None
                if cause is None:
                    raise _read(exception, environment)
                raise _read(exception, environment) from _read(cause, environment)

    def operation(self, operation: Operation, environment: Environment) -> None:
        match operation:
            case Call(result):
                environment[result] = self.call(operation, environment)
            case MakeFunction(result):
                environment[result] = self.make_function(operation, environment)
            case If(condition, then, orelse, results):
                arm = then if _read(condition, environment) else orelse
                _bind(results, self.block(arm, environment).values, environment)
            case For(target, iterable, carried, body):
                self.loop(carried, _read(iterable, environment), target, None, body, environment)
            case While(header, carried, body):
                self.loop(carried, None, None, header, body, environment)
            case Try(_, _, results):
                _bind(results, self.attempt(operation, environment), environment)
            case With(context, name, body, results):
                with _read(context, environment) as entered:
                    if name is not None:
                        environment[name] = entered
                    _bind(results, self.block(body, environment).values, environment)

    def call(self, call: Call, environment: Environment) -> Any:
        function = _read(call.function, environment)
        if function in (load_global, load_captured):
            name = _read(call.arguments[0], environment)
            return self.namespace[name] if name in self.namespace else getattr(builtins, name)
        if isinstance(function, Callee):
            function = function.cell.cell_contents
        read = _peek if function is make_cell else _read
        keywords = {name: _read(operand, environment) for name, operand in call.keywords}
        return function(*(read(operand, environment) for operand in call.arguments), **keywords)

    def loop(
        self,
        carried: tuple[Carried, ...],
        iterable: Iterable[Any] | None,
        target: Value | None,
        header: Block | None,
        body: Block,
        environment: Environment,
    ) -> None:
        parameters = [item.parameter for item in carried]
        values: Sequence[Any] = [_peek(item.initial, environment) for item in carried]
        iterator = None if iterable is None else iter(iterable)
        while True:
            _bind(parameters, values, environment)
            if iterator is not None:
                try:
                    element = next(iterator)
                except StopIteration:
                    break
                assert target is not None
                environment[target] = element
            elif header is not None and not self.block(header, environment).values[0]:
                break
            end = self.block(body, environment)
            values = end.values
            if end.kind is Break:
                break
        _bind([item.result for item in carried], values, environment)

    def attempt(self, node: Try, environment: Environment) -> tuple[Any, ...]:
        try:
            return self.block(node.body, environment).values
        except BaseException as exception:
            for handler in node.handlers:
                classes = BaseException if handler.exception is None else _read(handler.exception, environment)
                if isinstance(exception, classes):
                    if handler.name is not None:
                        environment[handler.name] = exception
                    return self.block(handler.body, environment).values
            raise

    def make_function(self, node: MakeFunction, environment: Environment) -> Callable[..., Any]:
        definition = node.definition
        captured = [_peek(operand, environment) for operand in node.captured]
        defaults = iter([_read(operand, environment) for operand in node.defaults])
        names = _names_of(definition)
        signature = inspect.Signature(
            [
                inspect.Parameter(name, item.kind, default=next(defaults) if item.has_default else inspect.Parameter.empty)
                for name, item in zip(names, definition.parameters, strict=True)
            ]
        )

        def function(*arguments: Any, **keywords: Any) -> Any:
            bound = signature.bind(*arguments, **keywords)
            bound.apply_defaults()
            inner = dict(zip(definition.captured, captured, strict=True))
            inner |= {item.value: bound.arguments[name] for name, item in zip(names, definition.parameters, strict=True)}
            return self.run(definition, inner)

        function.__name__ = definition.name
        return function


def _names_of(function: Function) -> list[str]:
    return [parameter.value.name or f"_{index}" for index, parameter in enumerate(function.parameters)]


def _peek(operand: Operand, environment: Environment) -> Any:
    return operand.value if isinstance(operand, Constant) else environment[operand]


def _read(operand: Operand, environment: Environment) -> Any:
    content = _peek(operand, environment)
    if content is UNBOUND.value:
        name = operand.name if isinstance(operand, Value) else "?"
        raise UnboundLocalError(f"the variable {name!r} is read before it is bound")
    return content


def _bind(targets: Iterable[Value], values: Iterable[Any], environment: Environment) -> None:
    environment.update(zip(targets, values, strict=True))
