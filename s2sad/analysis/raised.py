"""What an exception may bring to a handler: the function that raised it has put there what it likes of what it was given."""

from __future__ import annotations

import contextlib
import dis
import inspect
import operator
import types
from collections.abc import Callable, Sequence

from s2sad.ir.effects import IMMUTABLE_CLASSES, Callee
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Handler,
    If,
    Operand,
    Raise,
    Value,
    While,
    With,
    Yield,
    arguments_of,
    walk,
)
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, DictType, ListType, ObjectType, OpaqueType, ScalarType, TupleType, strip_optional


def raised_from(body: Block, is_unknown: Callable[[Call], bool]) -> list[Operand]:
    """The operands that an exception which leaves this block may hold, or be: what is raised here, and what goes into calls."""
    found: list[Operand] = []
    for node in walk(body):
        match node:
            case Raise(exception) if exception is not None:
                found.append(exception)
            case Call():
                found.extend(_given_away(node, is_unknown))
            case For(_, operand) | With(operand) | If(operand) | Branch(operand) if not _is_plain(operand):
                found.append(operand)
            case While(Block(_, Yield(values))):
                found.extend(value for value in values if not _is_plain(value))  # its truth
    return [operand for operand in found if operand is not UNBOUND]


def _given_away(call: Call, is_unknown: Callable[[Call], bool]) -> Sequence[Operand]:
    """What goes into a call that runs other code. Operations on numbers and containers raise texts, or the key of a dict."""
    operands = arguments_of(call)
    if not isinstance(call.function, Constant):
        return (call.function, *operands)
    if isinstance(call.function.value, Callee) or is_unknown(call):
        return operands
    if operands and isinstance(_kind(operands[0]), DictType) and call.function.value in (operator.getitem, call_method):
        return operands[1:]
    return () if all(map(_is_plain, operands)) else operands  # a function among them, such as a key, is given the elements


def may_change(handler: Handler, changes: Callable[[Call], bool]) -> bool:
    """Whether what the exception holds may be changed by the handler, or after it; `changes`: what a call does."""
    assert handler.name is not None
    parts: set[Operand] = {handler.name}
    for node in walk(handler.body):
        if isinstance(node, Call):
            operands = arguments_of(node)
            is_method = isinstance(node.function, Constant) and node.function.value is call_method
            if not parts.isdisjoint(operands[:1] if is_method else operands):
                if changes(node):
                    return True
                if not _is_immutable(node.result):
                    parts.add(node.result)
            elif node.function in parts:
                return True
        elif isinstance(node, For) and node.iterable in parts:
            parts.add(node.target)
        elif isinstance(node, Yield | Break) and not parts.isdisjoint(node.values):
            return True
    return False


def _kind(operand: Operand) -> object:
    return strip_optional(operand.type) if isinstance(operand, Value) else None


def _is_plain(operand: Operand) -> bool:
    """Whether an operand is a number or a container, whose operations run no other code."""
    if isinstance(operand, Constant):
        return not callable(operand.value)
    return isinstance(_kind(operand), ScalarType | ArrayType | ListType | DictType | TupleType)


def _is_immutable(result: Value) -> bool:
    kind = _kind(result)
    return isinstance(kind, ScalarType) or (isinstance(kind, OpaqueType) and kind.cls in IMMUTABLE_CLASSES)


def sees_exceptions(context: Operand) -> bool:
    """Whether a context may look at the exception that leaves its body: its ``__exit__`` reads what it is given of it."""
    kind = _kind(context)
    cls = kind.cls if isinstance(kind, ObjectType | OpaqueType) else object
    leave = inspect.getattr_static(cls, "__exit__", None)
    if not isinstance(leave, types.FunctionType):
        return True
    code = leave.__code__
    flags = (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS)
    count = code.co_argcount + code.co_kwonlyargcount + sum(bool(code.co_flags & flag) for flag in flags)
    return not _names_read(leave).isdisjoint(code.co_varnames[1:count])


def printed_to(context: Operand, body: Block) -> list[Operand]:
    """What the body of a `with` may print, if the context is one that takes it."""
    kind = _kind(context)
    if not isinstance(kind, OpaqueType) or kind.cls not in (contextlib.redirect_stdout, contextlib.redirect_stderr):
        return []
    calls = [node for node in walk(body) if isinstance(node, Call)]
    return [operand for call in calls if _may_print(call) for operand in arguments_of(call)]


def _may_print(call: Call) -> bool:
    function = call.function.value if isinstance(call.function, Constant) else None
    return function is None or function is print or (isinstance(function, Callee) and function.effects.acts)


def _names_read(function: types.FunctionType) -> set[object]:
    read: set[object] = set()
    for step in dis.get_instructions(function):
        if "LOAD_FAST" in step.opname or step.opname in ("LOAD_DEREF", "LOAD_CLOSURE"):
            read.update(step.argval if isinstance(step.argval, tuple) else (step.argval,))
    return read
