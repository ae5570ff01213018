"""The keys of a dict at one place of a function, in order, where they do not depend on how the program runs.

Types tell which keys a dict may have. A call ``f(**options)`` needs those that it has::

    options = {"scale": x}          # scale
    options["shift"] = 2.0          # scale, shift
    options.pop("scale")            # shift
    if c:
        options["power"] = 3        # not known from here on
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from s2sad.analysis.memory import joined_keys
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    blocks_of,
    function_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import call_method, make_dict
from s2sad.ir.types import DictType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.inference_state import State

_READING: Final = (operator.getitem, operator.contains, len, dict, operator.or_)
_READING_METHODS: Final = ("get", "keys", "values", "items", "copy")

#: What an operation makes of the keys.
_Change = Callable[[tuple[object, ...]], tuple[object, ...]]


def known_keys(inference: State, operand: Operand) -> tuple[object, ...] | None:
    """The keys of a dict where it is made or copied for a call; None where they are not known."""
    made = next((node for node in walk(inference.definition.body) if isinstance(node, Call) and node.result is operand), None)
    called = inference.constant_of(made.function) if made is not None else None
    if made is None or called is None:
        return _keys_of_type(inference, operand)
    function, arguments = called.value, made.arguments
    if function is make_dict:
        return _distinct(arguments[::2])
    if function is dict and not arguments:
        return tuple(name for name, _ in made.keywords)
    if function is dict and len(arguments) == 1 and not made.keywords and isinstance(arguments[0], Value):
        return keys_at(inference, arguments[0], made)
    if function is operator.or_:
        return joined_keys([known_keys(inference, part) for part in arguments])
    return _keys_of_type(inference, operand)


def _keys_of_type(inference: State, operand: Operand) -> tuple[object, ...] | None:
    """The keys of a dict that is never given another, nor loses one."""
    kind = strip_optional(inference.type_of(operand))
    return inference.memory.keys_of(kind.region) if isinstance(kind, DictType) else None


def _distinct(keys: tuple[Operand, ...]) -> tuple[object, ...] | None:
    if not all(isinstance(key, Constant) and isinstance(key.value, str) for key in keys):
        return None
    return tuple(dict.fromkeys(key.value for key in keys if isinstance(key, Constant)))


def keys_at(inference: State, table: Value, place: Call) -> tuple[object, ...] | None:
    """The keys of a variable when a call is reached."""
    if (keys := _keys_of_type(inference, table)) is not None:
        return keys
    keys = inference.keys_at_entry.get(table)
    if keys is None:
        keys = known_keys(inference, table)
    for change in _changes_before(inference.definition.body, table, place):
        if keys is None or change is None:
            return None
        keys = change(keys)
    return keys


def _changes_before(block: Block, table: Value, place: Call) -> Iterator[_Change | None]:
    """What is done to a dict on the way to a call, in order; None for what may be done or not."""
    for operation in block.operations:
        if operation is place:
            return
        inner = next((one for one in blocks_of(operation) if _contains(one, place)), None)
        if inner is not None:
            if isinstance(operation, For | While) and any(_change(node, table) is not _same for node in _nodes_in(operation)):
                yield None  # in an earlier trip
            yield from _changes_before(inner, table, place)
            return
        if isinstance(operation, Call):
            yield _change(operation, table)
        elif any(_change(node, table) is not _same for node in _nodes_in(operation)):
            yield None
    if isinstance(block.terminator, Branch):
        arms = (block.terminator.then, block.terminator.orelse)
        inner = next((arm for arm in arms if _contains(arm, place)), None)
        if inner is not None:
            yield from _changes_before(inner, table, place)


def _nodes_in(operation: Operation) -> Iterator[Operation | Terminator]:
    """An operation and those inside of it."""
    yield operation
    for block in blocks_of(operation):
        yield from walk(block)


def _contains(block: Block, place: Call) -> bool:
    return any(node is place for node in walk(block))


def _same(keys: tuple[object, ...]) -> tuple[object, ...]:
    return keys


def _change(node: Operation | Terminator, table: Value) -> _Change | None:
    """What an operation makes of the keys of a dict; None where that is not known, as where the dict is handed on."""
    if not any(operand is table for operand in operands_of(node)) or isinstance(node, For | While):
        return _same
    if not isinstance(node, Call):
        return None
    function, arguments = function_of(node), node.arguments
    if function in _READING:
        return _same
    name = arguments[1] if function is call_method and arguments[0] is table else None
    label = name.value if isinstance(name, Constant) else None
    if label in _READING_METHODS:
        return _same
    if function in (operator.setitem, operator.delitem) and arguments[0] is table:
        label, key = function.__name__ if callable(function) else "", arguments[1]
    elif label in ("pop", "setdefault") and len(arguments) > 2:
        key = arguments[2]
    else:
        return None
    if not isinstance(key, Constant) or not isinstance(key.value, str):
        return None
    if label in ("setitem", "setdefault"):
        return lambda keys: (*keys, *(() if key.value in keys else (key.value,)))
    return lambda keys: tuple(one for one in keys if one != key.value)
