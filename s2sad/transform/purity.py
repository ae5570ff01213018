"""What passes may do with a call: share it, move it, forget it; and which containers nobody else can see.

`effects_of` tells what a call does; here is what follows from it for a pass that wants to compute it once instead of twice, or
elsewhere. A type that is not known always means no.
"""

from __future__ import annotations

import builtins
import itertools
import math
import operator
from collections.abc import Iterable, Mapping

from s2sad.ir.contents import calls_of, functions_called, kinds_made, nodes_of
from s2sad.ir.effects import IMMUTABLE_CLASSES, Callee, effects_of
from s2sad.ir.memo import MOST_FUNCTIONS, remembered
from s2sad.ir.nodes import (
    Call,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Return,
    Terminator,
    Try,
    Value,
    With,
    operands_of,
)
from s2sad.ir.nodes import function_of as function_of
from s2sad.ir.nodes import is_one_of as is_one_of
from s2sad.ir.operations import call_method, comment, load_cell, make_cell, make_dict, make_list, make_set, make_tuple, store_cell
from s2sad.ir.types import ArrayType, ConstantType, DictType, ListType, NoneType, ObjectType, OpaqueType, ScalarType, TupleType
from s2sad.transform.element_places import is_shadow
from s2sad.transform.rewrite import count_uses

_ARITHMETIC = frozenset(
    {operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.neg}
    | {operator.pos, operator.abs, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_}
    | {operator.and_, operator.or_, operator.xor, operator.invert, operator.lshift, operator.rshift, operator.truth}
    | {operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow}
    | {abs, bool, int, float, complex, round, pow}
)
_FUNCTIONS = frozenset(function for function in vars(math).values() if callable(function))
_TESTS = frozenset({operator.is_, operator.is_not, isinstance, callable})
#: Their results are used up by whoever reads them, so two calls are never one.
_ITERATORS = frozenset({enumerate, zip, reversed, iter, map, filter, next, itertools.count, itertools.repeat, itertools.cycle})
#: Cheap displays: a temporary for one reads worse than writing it twice.
_DISPLAYS = frozenset({slice, range, make_tuple})
_UNSHAREABLE = _ITERATORS | _DISPLAYS

_MAKERS = frozenset({make_list, make_dict, make_set, make_cell, builtins.list, builtins.dict, builtins.set, sorted})
_CHANGES = frozenset({operator.setitem, operator.delitem, store_cell})
_CHANGING_METHODS = frozenset({"append", "pop", "clear", "insert", "extend", "reverse", "add", "discard", "update", "popitem"})
_TAKING_METHODS = frozenset({"extend", "update"})
_LOOKS = frozenset(
    {operator.getitem, operator.contains, len, load_cell, bool, operator.truth, operator.not_, sum, math.fsum, math.prod}
)
_LOOKS_AT_LENGTH: frozenset[object] = frozenset({operator.getitem, len, bool, operator.truth, operator.not_})
_LOOKING_METHODS = frozenset({"get", "index", "count", "keys", "values", "items"})


def is_number(operand: Operand) -> bool:
    """Whether an operand is a number for certain."""
    if isinstance(operand, Constant):
        return operand.value.__class__ in (bool, int, float, complex)
    return isinstance(operand.type, ScalarType)


def is_shareable(call: Call) -> bool:
    """Whether the same call again gives the same immutable result, so that one may stand for both."""
    function = call.function
    if type(function) is Constant and type(function.value) is Callee:  # what it does may not be known yet
        return _is_shareable(call)
    return _is_known_shareable(call)


def _is_shareable(call: Call) -> bool:
    function = function_of(call)
    if is_one_of(function, _UNSHAREABLE) or not effects_of(call).is_pure:
        return False
    if is_one_of(function, _TESTS) or isinstance(call.result.type, ScalarType):
        return True
    return (is_one_of(function, _ARITHMETIC) or is_one_of(function, _FUNCTIONS)) and all(map(is_number, call.arguments))


_is_known_shareable = remembered()(_is_shareable)


def is_shareable_read(call: Call) -> bool:
    """Whether the same call again gives the same as long as nobody writes to memory: an immutable result, or in adjoint code
    what is kept in a list or dict."""
    function, effects = function_of(call), effects_of(call)
    if effects.allocates or effects.writes or effects.acts or not effects.reads or is_one_of(function, _ITERATORS):
        return False
    if isinstance(call.result.type, (ScalarType, NoneType, OpaqueType, ConstantType)) or function is len:
        return True
    return not call.exact and function is operator.getitem and _is_kept(call)


def _is_kept(call: Call) -> bool:
    """Whether an element of a list or dict is read, and not a slice."""
    container, key = call.arguments
    return isinstance(container, Value) and isinstance(container.type, (ListType, DictType)) and is_number(key)


def is_display(call: Call) -> bool:
    """Whether a call makes a tuple, a slice or a range."""
    return is_one_of(function_of(call), _DISPLAYS) and effects_of(call).is_pure


def may_raise(call: Call) -> bool:
    """Whether a call may raise for operands of the right type: what `Effects` says, and what types tell beyond it."""
    function = function_of(call)
    if function is len and all(_is_sized(operand) for operand in call.arguments):
        return False
    if function is operator.getitem and len(call.arguments) == 2 and _selects_slices(*call.arguments):
        return False
    return effects_of(call).raises


def _selects_slices(array: Operand, key: Operand) -> bool:
    """Whether an index of an array consists of slices, so that it cannot be out of range."""
    if not isinstance(array, Value) or not isinstance(array.type, ArrayType) or not array.type.shape:
        return False
    if isinstance(key, Constant):
        return isinstance(key.value, slice)
    return isinstance(key.type, OpaqueType) and key.type.cls is slice


def _is_sized(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, (ListType, TupleType, DictType))


# --- containers made here -----------------------------------------------------------------------------------------------------


def makes_container(call: Call, made: dict[Value, Call]) -> bool:
    """Whether a call makes a new container; `made` are those known so far, so that ``[0.0] * n`` is seen."""
    function = function_of(call)
    if is_one_of(function, _MAKERS):
        return True
    if function is not operator.mul and function is not operator.add:
        return False
    if isinstance(call.result.type, ListType):
        return True
    return bool(made) and any(operand in made and function_of(made[operand]) is make_list for operand in _values(call.arguments))


def _values(operands: Iterable[Operand]) -> list[Value]:
    return [operand for operand in operands if isinstance(operand, Value)]


@remembered(MOST_FUNCTIONS)
def find_made_containers(fn: Function) -> Mapping[Value, Call]:
    """Containers made in this function, with the call that makes each."""
    made: dict[Value, Call] = {}
    if functions_called(fn).isdisjoint(_MAKERS) and ListType not in kinds_made(fn):
        return made
    for call in calls_of(fn):
        if makes_container(call, made):
            made[call.result] = call
    return made


def changed_container(node: Operation | Terminator) -> Value | None:
    """The value whose container a call changes, if that is all the call does: ``x.append(e)``, ``x[i] = e``, ``x.pop()``, …"""
    if not isinstance(node, Call) or not node.arguments or not isinstance(node.arguments[0], Value):
        return None
    function = function_of(node)
    if function is call_method:
        name = node.arguments[1]
        is_change = isinstance(name, Constant) and name.value in _CHANGING_METHODS
        if isinstance(name, Constant) and name.value in _TAKING_METHODS:  # an iterator that is used up acts as well
            is_change = all(map(_is_sized, node.arguments[2:]))
    else:
        is_change = is_one_of(function, _CHANGES) or (function is setattr and is_shadow(node.arguments[0]))
    return node.arguments[0] if is_change else None


def find_private_containers(fn: Function, *, until_return: bool = False) -> frozenset[Value]:
    """Containers made in this function that no other name or object can reach: each use reads or changes it on the spot.
    With `until_return`, the caller may get them, alone or together."""
    made = find_made_containers(fn)
    if not made:
        return frozenset()
    escaped: set[Operand] = set()
    returned = _tuples_returned(fn) if until_return else frozenset()
    for node in nodes_of(fn):
        operands = operands_of(node)
        if isinstance(node, Call) and (changed_container(node) in made or looks_only(node)):
            operands = (node.function, *node.arguments[1:], *(operand for _, operand in node.keywords))
        elif isinstance(node, For):
            operands = tuple(item.initial for item in node.carried)
        elif until_return and (isinstance(node, Return) or (isinstance(node, Call) and node.result in returned)):
            operands = ()
        escaped.update(operands)
    return frozenset(value for value in made if value not in escaped)


def _tuples_returned(fn: Function) -> frozenset[Value]:
    """Tuples that are made to be returned, and read by nobody else."""
    ends = [node.value for node in nodes_of(fn) if isinstance(node, Return)]
    uses = count_uses(fn)
    tuples = {call.result for call in calls_of(fn) if function_of(call) is make_tuple}
    return frozenset(value for value in ends if isinstance(value, Value) and value in tuples and uses[value] == 1)


def looks_only(call: Call) -> bool:
    """Whether a call only reads the container that is its first operand, and keeps nothing of it."""
    function = function_of(call)
    if function is call_method:
        name = call.arguments[1]
        return isinstance(name, Constant) and name.value in _LOOKING_METHODS
    return is_one_of(function, _LOOKS)


def touched_container(call: Call) -> Value | None:
    """The list, dict, cell or shadow of an object that a call reads or changes, if it looks at no other memory: neither at what
    the elements refer to, nor at what other operands do."""
    container = call.arguments[0] if call.arguments else None
    if not isinstance(container, Value) or call.keywords:
        return None
    function = function_of(call)
    if function is load_cell or function is store_cell:
        return container
    if function is getattr or function is setattr:
        return container if is_shadow(container) and isinstance(call.arguments[1], Constant) else None
    rest = list(call.arguments[1:])
    holds_numbers = isinstance(container.type, ListType) and isinstance(container.type.element, ScalarType)
    if not isinstance(container.type, (ListType, DictType)):
        return None
    if function is call_method:
        name, rest = (rest[0].value if isinstance(rest[0], Constant) else None), rest[1:]
        if name == "append":
            return container
        is_known = name in ("pop", "clear", "reverse", "get") or (holds_numbers and name in ("index", "count"))
    elif function is operator.setitem:
        is_known, rest = is_number(rest[0]) or isinstance(container.type, DictType), rest[:1]
    else:
        is_known = is_one_of(function, _LOOKS_AT_LENGTH if not holds_numbers else _LOOKS) or function is operator.delitem
    return container if is_known and all(map(_is_value, rest)) else None


def region_of(container: Value) -> int | None:
    """The region of a list, dict or shadow, where type inference knows it: containers of two regions are two."""
    kind = container.type
    return kind.region or None if isinstance(kind, (ListType, DictType, ObjectType)) else None


def _is_value(operand: Operand) -> bool:
    """Whether an operand has nothing that could change."""
    if isinstance(operand, Constant):
        return isinstance(operand.value, (bool, int, float, complex, str, bytes, slice, type(None)))
    return isinstance(operand.type, ScalarType) or (
        isinstance(operand.type, OpaqueType) and operand.type.cls in IMMUTABLE_CLASSES
    )


def has_public_effect(node: Operation | Terminator, private: frozenset[Value]) -> bool:
    """Whether a node itself writes to memory that others see, or acts."""
    if isinstance(node, Call):
        if changed_container(node) in private or function_of(node) is comment:
            return False
        return not effects_of(node).is_removable
    return isinstance(node, (With, Try))


def changed_privately(nodes: Iterable[Operation | Terminator], private: frozenset[Value]) -> set[Value]:
    """The private containers that some of the nodes change."""
    changed = {changed_container(node) for node in nodes}
    return {value for value in changed if value is not None and value in private}
