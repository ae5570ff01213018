"""What calls do with derivatives, as far as their functions are known."""

from __future__ import annotations

import collections
import io
import logging
import math
import operator
import types

from s2sad.analysis.activity_items import may_hide
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.array_types import UFUNCS_IN_PLACE, is_array_function
from s2sad.analysis.result_types import transfer_of
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, Value, operands_of, walk
from s2sad.ir.operations import (
    call_method,
    comment,
    held,
    load_captured,
    load_cell,
    load_global,
    modelled,
    new_object,
    set_frozen,
    store_cell,
    summed,
    unpack,
)
from s2sad.ir.protocols import calls_back, may_change_by_itself
from s2sad.ir.types import AnyType, ObjectType, OpaqueType, strip_optional

_HARMLESS = (
    *(super, comment, getattr, hasattr, print, load_global, load_captured, new_object, isinstance, len),
    *(held, modelled, summed),
)
#: Their rule says zero, but a text can be made a number again, and a set of numbers has them as they are.
_TEXT = (str, repr, format, ascii)
_OF_SETS = (operator.or_, operator.and_, operator.xor, operator.ior, operator.iand, operator.ixor)
#: Their methods change nothing but the object itself.
_CHANGING_ITSELF_ONLY = (
    *(list, dict, set, frozenset, str, bytes, range, collections.deque, collections.defaultdict, collections.Counter),
    *(collections.OrderedDict, super, logging.Logger, io.TextIOWrapper, io.StringIO, types.ModuleType),
)
#: Of numbers, texts and containers; an object of which nothing is known may have its own by these names.
METHODS_WITHOUT_DERIVATIVE = {"index", "count", "is_integer", "bit_length"}
#: What gives parts of its operands as they are (of the first one only).
OF_FIRST = {operator.getitem, getattr, load_cell, unpack}
LOADS = {*OF_FIRST, enumerate, zip, reversed, list, tuple, dict}
#: What goes over the elements of its operands.
OVER_ELEMENTS = {enumerate, zip, reversed, list, tuple, unpack, sorted, iter, set, sum, min, max, math.fsum, math.prod}
#: What makes a list of the elements of others, as they are.
JOINS = {operator.add, operator.mul}
STORES = {operator.setitem: 2, setattr: 2, set_frozen: 2, store_cell: 1}
IN_PLACE = {*UFUNCS_IN_PLACE, operator.imatmul}


def is_unknown(call: Call) -> bool:
    """Whether nothing is known of the function that is called: it may change what it is given."""
    if not isinstance(call.function, Constant) or isinstance(call.function.value, Callee):
        return not isinstance(call.function, Constant)
    if may_change_by_itself(call) or calls_back(call):
        return True
    function = call.function.value
    if function is call_method:
        return False
    if is_array_function(function) or transfer_of(function) is not None:
        return False
    return rule_of_call(call)[0] is None and function not in _HARMLESS


def may_change_arguments(call: Call) -> bool:
    """Whether it is a method of which nothing is known, of an object that may change what it is given."""
    if not isinstance(call.function, Constant) or call.function.value is not call_method:
        return False
    if may_change_by_itself(call):
        return True
    receiver = call.arguments[0]
    if isinstance(receiver, Value):
        kind = strip_optional(receiver.type)
        cls = kind.cls if isinstance(kind, (ObjectType, OpaqueType)) else object
        return isinstance(kind, (ObjectType, OpaqueType, AnyType)) and may_change_what_it_is_given(cls)
    return not isinstance(receiver.value, _CHANGING_ITSELF_ONLY)


def may_change_what_it_is_given(cls: type) -> bool:
    """Whether methods of a class may change more than the object itself."""
    return cls not in _CHANGING_ITSELF_ONLY


def keeps_numbers(call: Call) -> bool:
    """Whether a function whose rule says zero hands on what it is given, as part of something without adjoint."""
    assert isinstance(call.function, Constant)
    function = call.function.value
    makes_class = function is type and len(call.arguments) > 1
    may_hand_on = function is slice or function in _OF_SETS
    return makes_class or function in _TEXT or (may_hand_on and may_hide(call.result.type))


def may_store(call: Call) -> bool:
    """Whether a call may put something into what it is given."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if isinstance(function, Callee):
        return bool(function.effects.writes or function.effects.acts)
    return function is call_method or function in STORES or function in IN_PLACE or is_unknown(call)


def unread_parameters(unit: object) -> frozenset[int]:
    """The parameters of a function that it only hands on to itself."""
    if not isinstance(unit, Specialisation) or not unit.complete:
        return frozenset()
    if unit.unread is None:
        positions = {parameter.value: index for index, parameter in enumerate(unit.function.parameters)}
        read: set[int] = set()
        for node in walk(unit.function.body):
            for place, operand in enumerate(operands_of(node)):
                index = positions.get(operand) if isinstance(operand, Value) else None
                is_handed_on = (
                    isinstance(node, Call)
                    and isinstance(node.function, Constant)
                    and node.function.value is unit.callee
                    and place == (index if index is not None else -1) + 1
                )
                if index is not None and not is_handed_on:
                    read.add(index)
        unit.unread = frozenset(positions.values()) - read
    return unit.unread
