"""Code of the user's classes that Python runs by itself: ``o == p`` runs ``__eq__``, ``for v in o`` runs ``__next__``, and a set
of objects asks each for its hash.

Where such a method only looks at its operands, the operation is as good as one on built-in values. One that may change something
makes of the operation a call with unknown effects.
"""

from __future__ import annotations

import builtins
import dis
import inspect
import math
import operator
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from s2sad.ir.memo import remembered
from s2sad.ir.nodes import Call, Constant, For, Operand, Value, arguments_of
from s2sad.ir.operations import (
    call_method,
    call_unpacked,
    comment,
    held,
    load_captured,
    load_cell,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_set,
    make_tuple,
    new_object,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import DictType, FunctionType, IteratorType, ListType, ObjectType, OpaqueType, OptionalType, TupleType, Type

#: These ask nothing of what they are given.
_SILENT: Final[frozenset[object]] = frozenset(
    {make_list, make_tuple, make_cell, load_cell, store_cell, new_object, held, comment, load_global, load_captured, set_frozen}
    | {getattr, setattr, delattr, operator.is_, operator.is_not, isinstance, callable, type, id, super, call_unpacked}
    | {operator.add, operator.iadd, operator.mul, operator.imul}
)
_EQUALITY: Final = ("__eq__", "__ne__")
_ORDER: Final = ("__lt__", "__gt__", "__le__", "__ge__")
_HASH: Final = ("__hash__", "__eq__")
_TEXT: Final = ("__str__", "__repr__", "__format__")
ITERATION: Final = ("__iter__", "__next__", "__getitem__", "__len__")
_TRUTH: Final = ("__bool__", "__len__")
_NUMBERS: Final = ("__float__", "__index__", "__int__", "__round__", "__floor__", "__ceil__", "__trunc__", "__complex__")
_ANY: Final = (*_EQUALITY, *_ORDER, "__hash__", *_TEXT, *ITERATION, "__bool__", *_NUMBERS, "__contains__")
#: What functions ask of their operands, and of the elements of these; any other function may ask anything.
_ASKED: Final[dict[object, tuple[str, ...]]] = {
    operator.contains: ("__contains__", *ITERATION, *_HASH),
    operator.eq: _EQUALITY,
    operator.ne: _EQUALITY,
    **dict.fromkeys((operator.lt, operator.le, operator.gt, operator.ge), _ORDER),
    **dict.fromkeys((operator.not_, operator.truth, bool), _TRUTH),
    **dict.fromkeys((make_dict, make_set), _HASH),
    **dict.fromkeys((operator.getitem, operator.setitem, operator.delitem), (*_HASH, "__index__")),
    **dict.fromkeys((list, tuple, enumerate, zip, unpack, iter, sum), ITERATION),
    **dict.fromkeys((min, max, sorted), (*_ORDER, *ITERATION)),
    len: ("__len__",),
    reversed: ("__reversed__", *ITERATION),
    hash: ("__hash__",),
    **dict.fromkeys((str, repr, format, print), _TEXT),
    hasattr: ("__getattr__", "__getattribute__"),
}
_ASKED_BY_METHODS: Final[dict[object, tuple[str, ...]]] = {
    **dict.fromkeys(("append", "insert", "clear", "copy", "reverse", "values", "items", "keys", "popitem"), ()),
    **dict.fromkeys(("format", "join"), (*_TEXT, *ITERATION)),
    **dict.fromkeys(("index", "count", "remove"), _EQUALITY),
    **dict.fromkeys(("get", "setdefault", "add", "discard"), _HASH),
    "pop": (*_HASH, "__index__"),
    "sort": _ORDER,
    "extend": ITERATION,
    "update": (*ITERATION, *_HASH),
}
_CHANGING_OPERATIONS: Final = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF", "YIELD_VALUE")
_CHANGING_OPERATIONS_OF_DELETION: Final = ("DELETE_ATTR", "DELETE_SUBSCR", "DELETE_GLOBAL", "DELETE_DEREF", "STORE_SLICE")
_CHANGING: Final = frozenset((*_CHANGING_OPERATIONS, *_CHANGING_OPERATIONS_OF_DELETION))
#: Methods and functions of modules, by name, that change nothing.
_LOOKING: Final = frozenset(
    {name for owner in (tuple, str, float, int, frozenset, math, np) for name in dir(owner)}
    | {"get", "keys", "values", "items", "copy", "sum", "mean", "all", "any", "tobytes", "tolist", "item"}
) - {"append", "put", "copyto", "place", "putmask", "save", "savetxt", "seterr", "random"}


def methods_run_by(call: Call) -> Iterator[tuple[type, str]]:
    """The methods of users' classes, written in Python, that a call of a built-in function or operator may run by itself."""
    function = call.function.value if isinstance(call.function, Constant) else None
    operands: tuple[Operand, ...] = arguments_of(call)
    labels = labels_asked(function, call.arguments)
    if function is call_method and isinstance(receiver := call.arguments[0], Value):
        labels = () if isinstance(_without_none(receiver.type), ObjectType) else labels
    for cls in dict.fromkeys(cls for operand in operands for cls in _classes_in(operand) if labels):
        yield from ((cls, label) for label in labels if method_of(cls, label) is not None)


def labels_asked(function: object, arguments: Sequence[Operand]) -> tuple[str, ...]:
    """The names of the methods that a function may ask of its operands."""
    if function is not call_method:
        return _labels_of(function)
    name = arguments[1]
    return _ASKED_BY_METHODS.get(name.value, _ANY) if isinstance(name, Constant) else _ANY


def _labels_of(function: object) -> tuple[str, ...]:
    try:
        return () if function in _SILENT else _ASKED.get(function, _ANY if is_built_in(function) else ())
    except TypeError:  # not hashable
        return ()


def is_built_in(function: object) -> bool:
    """Whether a function asks its operands for what they are by the methods of their classes."""
    return isinstance(function, (type, types.BuiltinFunctionType)) and function.__module__ in (builtins.__name__, math.__name__)


@remembered()
def may_change_by_itself(call: Call) -> bool:
    """Whether Python code of a class, which runs by itself in a call, may change something."""
    return any(may_change(cls, label) for cls, label in methods_run_by(call))


def iteration_may_change(loop: For) -> bool:
    """The same of a loop over an object."""
    kind = _without_none(loop.iterable.type) if isinstance(loop.iterable, Value) else None
    return isinstance(kind, ObjectType) and any(may_change(kind.cls, label) for label in ITERATION)


@remembered()
def calls_back(call: Call) -> bool:
    """Whether a function that is not written in Python is given one that is made in the program, and so may call it."""
    function = call.function.value if isinstance(call.function, Constant) else None
    is_silent = not isinstance(function, types.BuiltinFunctionType) or function in _SILENT
    if is_silent or getattr(function, "__module__", "") == operator.add.__module__:
        return False
    operands = arguments_of(call)
    return any(isinstance(operand, Value) and is_function(operand.type) for operand in operands)


def is_function(kind: Type) -> bool:
    """Whether a value is a function of the program, also where it is made for code that calls it as it likes."""
    return isinstance(kind, FunctionType) or (isinstance(kind, OpaqueType) and kind.cls is types.FunctionType)


def takes_objects_as_numbers(call: Call) -> bool:
    """Whether a function of `math` is given objects, or containers of objects, which it takes for numbers."""
    function = call.function.value if isinstance(call.function, Constant) else None
    is_of_math = isinstance(function, types.BuiltinFunctionType) and function.__module__ == math.__name__
    return is_of_math and any(True for operand in call.arguments for _ in _classes_in(operand))


def method_of(cls: type, label: str) -> types.FunctionType | None:
    """A method of a class that is written in Python."""
    if cls is list:  # a list with a type for each place
        return None
    found = inspect.getattr_static(cls, label, None)
    return found if isinstance(found, types.FunctionType) else None


def may_change(cls: type, label: str) -> bool:
    """Whether a method of a class may change something."""
    function = method_of(cls, label)
    return function is not None and changes_something(function, cls)


def changes_something(function: types.FunctionType, cls: type, seen: frozenset[types.CodeType] = frozenset()) -> bool:
    """Whether a method may change an object or a variable, as far as its code tells."""
    code = function.__code__
    if code in seen:
        return False
    seen |= {code}
    instructions = list(dis.get_instructions(code))
    if any(instruction.opname in _CHANGING for instruction in instructions):
        return True
    if not any(instruction.opname.startswith("CALL") for instruction in instructions):
        return False
    if any(isinstance(constant, types.CodeType) for constant in code.co_consts) or code.co_freevars not in ((), ("__class__",)):
        return True
    called = {instruction.argval for instruction in instructions if _loads_method(instruction)}
    return any(_is_changing_name(function, cls, name, name in called, seen) for name in code.co_names)


def _loads_method(instruction: dis.Instruction) -> bool:
    """Whether an attribute is looked up in order to be called."""
    is_flagged = instruction.opname == "LOAD_ATTR" and bool((instruction.arg or 0) & 1) and sys.version_info >= (3, 12)
    return instruction.opname in ("LOAD_METHOD", "LOAD_SUPER_ATTR") or is_flagged


def _is_changing_name(
    function: types.FunctionType, cls: type, name: str, is_called: bool, seen: frozenset[types.CodeType]
) -> bool:
    """Whether a call of something by this name may change something."""
    static = inspect.getattr_static(cls, name, None)
    static = static.fget if isinstance(static, property) else static
    found = [one for one in (function.__globals__.get(name), static) if one is not None]
    if any(isinstance(one, types.FunctionType) and changes_something(one, cls, seen) for one in found):
        return True
    if not found and hasattr(builtins, name):
        return name in ("next", "setattr", "delattr", "exec", "eval")
    return is_called and not found and name not in _LOOKING


def _without_none(kind: Type) -> Type:
    return kind.inner if isinstance(kind, OptionalType) else kind


def _classes_in(operand: Operand) -> Iterator[type]:
    """The users' classes of an operand and of its elements."""
    if isinstance(operand, Value):
        yield from _classes_of(operand.type)


def _classes_of(kind: Type) -> Iterator[type]:
    match kind:
        case ObjectType(cls=cls, fields=fields):
            if cls is list:
                for _, part in fields:
                    yield from _classes_of(part)
            else:
                yield cls
        case OptionalType(inner) | ListType(element=inner) | IteratorType(element=inner):
            yield from _classes_of(inner)
        case TupleType(elements=parts):
            for part in parts:
                yield from _classes_of(part)
        case DictType(key=key, value=value, fields=fields):
            for part in (key, value, *(part for _, part in fields)):
                yield from _classes_of(part)
