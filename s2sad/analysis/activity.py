"""Activity: which values carry a derivative from the inputs of interest to the result.

The derivative flows along the edges of a graph: from operands to results, from stored values into the region of a
container and from there to what is loaded, along the carried values of loops. A value is *varied* if it can be reached from
an input of interest, *useful* if the result can be reached from it, *active* if both; only active values get an adjoint.

In ``def f(x, n): y = x * n; z = math.floor(x); return y * z`` with respect to ``x``, the values x and y are active; z is not,
since ``floor`` has the derivative zero.
"""

from __future__ import annotations

import collections
import io
import logging
import math
import operator
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from s2sad.analysis.activity_items import (
    Item,
    carries_derivative,
    hidden,
    hidden_items_of,
    is_keyed_by_numbers,
    is_outside_object,
    items_of,
    may_hide,
    own_region,
    stored_into,
)
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.array_types import UFUNCS_IN_PLACE, changed_operands, is_array_function
from s2sad.analysis.memory import numbers_of_regions, references_in
from s2sad.analysis.raised import may_change, raised_from, sees_exceptions
from s2sad.analysis.result_types import transfer_of
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import IMMUTABLE_CLASSES, Callee, shape_only
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Return,
    Try,
    Value,
    While,
    With,
    Yield,
    operands_of,
    walk,
)
from s2sad.ir.operations import (
    call_method,
    comment,
    held,
    load_captured,
    load_cell,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_tuple,
    new_object,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import (
    NONE,
    AnyType,
    ArrayType,
    ObjectType,
    OpaqueType,
    ScalarType,
    strip_optional,
)
from s2sad.rules.core import ZeroDerivative

_HARMLESS = (super, comment, getattr, hasattr, print, load_global, load_captured, new_object, isinstance, len, held)
#: Their rule says zero, but a text can be made a number again, and a set of numbers has them as they are.
_TEXT = (str, repr, format, ascii)
_OF_SETS = (operator.or_, operator.and_, operator.xor, operator.ior, operator.iand, operator.ixor)
#: Their methods change nothing but the object itself.
_CHANGING_ITSELF_ONLY = (
    *(list, dict, set, frozenset, str, bytes, range, collections.deque, collections.defaultdict, collections.Counter),
    *(collections.OrderedDict, super, logging.Logger, io.TextIOWrapper, io.StringIO, types.ModuleType),
)
#: Of numbers, texts and containers; an object of which nothing is known may have its own by these names.
_METHODS_WITHOUT_DERIVATIVE = {"index", "count", "is_integer", "bit_length"}


#: What a function gives, beside the regions of its arguments.
RESULT: Final = 0


@dataclass(frozen=True, slots=True)
class Activity:
    """The active values and regions of a function for one choice of inputs."""

    items: frozenset[Item]

    def __contains__(self, operand: Operand) -> bool:
        """Whether an operand carries a derivative, itself or in a container that it refers to."""
        if isinstance(operand, Value) and isinstance(operand.type, ScalarType):  # most values
            return operand in self.items
        return any(item in self.items for item in items_of(operand))

    def is_region_active(self, region: int) -> bool:
        """Whether a container holds active values."""
        return region in self.items

    def with_regions(self, regions: Iterable[int]) -> Activity:
        """The same, and these containers are active as well."""
        return Activity(self.items.union(regions))

    def is_lost(self, operand: Operand) -> bool:
        """Whether a derivative passes through an operand, or part of it, that has no adjoint."""
        if not isinstance(operand, Value):
            return is_outside_object(operand) and hidden(("object", id(operand.value))) in self.items
        if isinstance(strip_optional(operand.type), AnyType) and (operand in self.items or stored_into(operand) in self.items):
            return True
        return hidden(operand) in self.items


def find_activity(function: Function, inputs: Iterable[Operand], outputs: Iterable[Item] = ()) -> Activity:
    """The activity with respect to these inputs; `outputs` are regions that a caller looks at besides the result."""
    graph = _Graph()
    graph.block(function.body, ())
    outputs = list(outputs)
    sources = [item for value in inputs for item in items_of(value)]
    varied = _reach(graph.forward, sources)
    useful = _reach(graph.backward, [*graph.returned, *outputs, *map(hidden, outputs)])
    return Activity(frozenset(varied & useful))


def _reach(edges: dict[Item, list[Item]], sources: Sequence[Item]) -> set[Item]:
    seen = set(sources)
    stack = list(seen)
    while stack:
        for item in edges.get(stack.pop(), ()):
            if item not in seen:
                seen.add(item)
                stack.append(item)
    return seen


class _Graph:
    """The graph along which derivatives flow."""

    def __init__(self) -> None:
        self.forward: dict[Item, list[Item]] = {}
        self.backward: dict[Item, list[Item]] = {}
        self.returned: list[Item] = []

    def stays_inside(self, call: Call, operands: Sequence[Operand]) -> None:
        """An object of which nothing is known may be in what a call was given."""
        if may_hide(call.result.type):
            self.flow([call.result], [operand for operand in operands if _is_object(operand) or own_region(operand)])

    def edge(self, source: Item, target: Item) -> None:
        if source != target:
            self.forward.setdefault(source, []).append(target)
            self.backward.setdefault(target, []).append(source)

    def copy(self, source: Operand, target: Value) -> None:
        """`target` may be `source`: their regions are the same already, and so are the objects that have none."""
        if not isinstance(source, Value):
            return
        if carries_derivative(source.type) and carries_derivative(target.type):
            self.edge(source, target)
        if may_hide(source.type) and may_hide(target.type):
            self.edge(hidden(source), hidden(target))
            self.edge(hidden(target), hidden(source))
        if isinstance(strip_optional(target.type), AnyType):  # a container that may be something else after this
            for region in references_in(source.type):
                for item in (region, hidden(region)):
                    self.edge(item, hidden(target))
                    self.edge(stored_into(target), item)
            self.edge(stored_into(target), stored_into(source))

    def flow(self, sources: Iterable[Operand], targets: Sequence[Operand], *, into_hidden: bool = True) -> None:
        """Operands are computed from others; `into_hidden`: numbers may become parts that have no adjoint."""
        items = [item for target in targets for item in items_of(target)]
        hiding = [item for target in targets for item in hidden_items_of(target)]
        hiding += [stored_into(target) for target in targets if isinstance(target, Value) and may_hide(target.type)]
        for source in sources:
            for item in items_of(source):
                for target in (*items, *hiding) if into_hidden else items:
                    self.edge(item, target)
            for item in hidden_items_of(source):
                for target in (*items, *hiding):
                    self.edge(item, target)

    def move(self, sources: Iterable[Operand], target: Operand, *, into: bool = False) -> None:
        """Parts of the sources become parts of the target (`into`: of the container that it refers to), as they are."""
        items = own_region(target) if into else items_of(target)
        hiding = [hidden(item) for item in own_region(target)] if into else hidden_items_of(target)
        if into and not items and (is_outside_object(target) or (isinstance(target, Value) and may_hide(target.type))):
            self.flow(sources, [target])
            self.keep_references(sources, target)
            return
        for source in sources:
            for item in items_of(source):
                for reached in items:
                    self.edge(item, reached)
            for item in hidden_items_of(source):
                for reached in hiding:
                    self.edge(item, reached)
                    self.edge(reached, item)  # what is stored into one object by a second name is read by the first

    def keep_references(self, sources: Iterable[Operand], target: Operand) -> None:
        """What is put into an object of which nothing is known is changed through it as well."""
        for region in (region for source in sources if isinstance(source, Value) for region in references_in(source.type)):
            for item in hidden_items_of(target):
                self.edge(item, hidden(region))
            if isinstance(target, Value):
                self.edge(stored_into(target), region)

    def keep_keys(self, keys: Sequence[Operand], owner: Operand) -> None:
        """The keys of a dict have no adjoint."""
        if _is_object(owner):
            self.flow(keys, [owner])
            return
        reached = [hidden(region) for region in own_region(owner)]
        for key in keys:
            for item in (*(items_of(key) if is_keyed_by_numbers(owner) else ()), *hidden_items_of(key)):
                for target in reached:
                    self.edge(item, target)

    def elements_of(self, operands: Sequence[Operand], targets: Sequence[Operand]) -> Sequence[Operand]:
        """What gives its elements where operands are gone over: of a dict only the keys reach the targets."""
        reached = [item for target in targets for item in items_of(target)]
        for operand in filter(is_keyed_by_numbers, operands):
            for source in map(hidden, own_region(operand)):
                for item in reached:
                    self.edge(source, item)
        return [operand for operand in operands if not is_keyed_by_numbers(operand)]

    def block(self, block: Block, leaving: tuple[Sequence[Sequence[Value]], ...]) -> None:
        """`leaving`: for a `Yield` and for a `Break`, the lists of values that take what it hands on."""
        for operation in block.operations:
            match operation:
                case Call():
                    self.call(operation)
                case MakeFunction(result, _, captured, defaults):
                    # made for code that calls it as it likes: what it captured goes in, and comes out where that is a container
                    self.flow((*captured, *defaults), [result])
                    self.flow([result], [operand for operand in (*captured, *defaults) if own_region(operand)])
                case If(_, then, orelse, results):
                    self.block(then, ([results],))
                    self.block(orelse, ([results],))
                case For(target, iterable, carried, body):
                    if isinstance(iterable, Value) and isinstance(strip_optional(iterable.type), OpaqueType | AnyType):
                        self.flow([iterable], [target])
                        if _is_object(iterable) and may_hide(target.type):
                            self.flow([target], [iterable])  # an object taken out of another is still in it
                    self.move(self.elements_of([iterable], [target]), target)
                    self.loop(operation)
                    self.block(body, ([operation.results, tuple(c.parameter for c in carried)], [operation.results]))
                case While(header, carried, body):
                    self.loop(operation)
                    self.block(header, ([],))
                    for item in carried:
                        self.copy(item.parameter, item.result)
                    self.block(body, ([tuple(c.parameter for c in carried)], [operation.results]))
                case Try(body, handlers, results):
                    self.block(body, ([results],))
                    for handler in handlers:
                        if handler.name is not None:
                            raised = raised_from(body, is_unknown)
                            self.flow(raised, [handler.name])
                            if may_change(handler, _may_store):
                                self.flow([handler.name], [part for part in raised if _is_object(part) or own_region(part)])
                        self.block(handler.body, ([results],))
                case With(context, name, body, results):
                    if sees_exceptions(context):
                        self.flow(raised_from(body, is_unknown), [context])
                    if name is not None:
                        self.flow([context], [name])
                        self.copy(context, name)  # it may be the context itself, or a part of it
                    self.block(body, ([results],))
        match block.terminator:
            case Yield(values) if leaving:
                for targets in leaving[0]:
                    for source, target in zip(values, targets, strict=True):
                        self.copy(source, target)
            case Break(values) if len(leaving) > 1:
                for targets in leaving[1]:
                    for source, target in zip(values, targets, strict=True):
                        self.copy(source, target)
            case Return(value):
                self.returned.extend((*items_of(value), *hidden_items_of(value)))
            case Branch(_, then, orelse):
                self.block(then, leaving)
                self.block(orelse, leaving)

    def loop(self, loop: For | While) -> None:
        for item in loop.carried:
            self.copy(item.initial, item.parameter)
            if isinstance(loop, For):
                self.copy(item.initial, item.result)

    def call(self, call: Call) -> None:
        function = call.function.value if isinstance(call.function, Constant) else None
        operands = (*call.arguments, *(operand for _, operand in call.keywords))
        if isinstance(function, Callee):
            self.callee(call, function, operands)
        elif function is call_method:
            self.method(call, operands)
        elif function is super:  # what is looked up there and known is not read from it
            self.flow(operands, [call.result])
        elif function in (load_global, load_captured):
            if may_hide(call.result.type):
                name = call.arguments[0]
                assert isinstance(name, Constant)
                self.edge((function, name.value), hidden(call.result))
                self.edge(hidden(call.result), (function, name.value))
        elif function is not None and isinstance(rule_of_call(call)[0], ZeroDerivative) and not _keeps_numbers(call):
            return
        elif function is make_dict:
            self.keep_keys(operands[::2], call.result)
            self.move(operands[1::2], call.result, into=True)
        elif function in (make_list, make_cell):
            self.move(operands, call.result, into=True)
        elif function in (make_tuple, new_object):
            for operand in operands:
                self.copy(operand, call.result)
        elif function in _STORES:
            self.keep_keys(operands[1:2], operands[0])
            self.move(operands[_STORES[function] :], operands[0], into=True)
        elif function in _LOADS and operands and not _is_object(operands[0]):
            sources = operands[:1] if function in _OF_FIRST else operands
            if function in _OVER_ELEMENTS:
                sources = tuple(self.elements_of(sources, [call.result]))
            if function is dict:
                self.keep_keys([operand for operand in sources if not is_keyed_by_numbers(operand)], call.result)
            self.move(sources, call.result)
            if function is getattr:
                self.flow(operands[2:], [call.result])  # the default
            if isinstance(strip_optional(call.result.type), AnyType):
                self.flow([call.result], sources)  # an object taken out of another is still in it
        else:
            if function in _OVER_ELEMENTS:
                operands = tuple(self.elements_of(operands, [call.result]))
            looked_at = shape_only(function)
            read = [operand for index, operand in enumerate(operands) if index not in looked_at]
            self.flow((*read, *([call.function] if function is None else [])), [call.result])
            self.stays_inside(call, operands)  # an object taken out of another is still in it; a copy shares what it contains
            if function in _IN_PLACE:
                self.move(operands[1:], operands[0], into=True)
            self.outputs(call, function, operands)
            if function is None or is_unknown(call):
                called = [call.function] if function is None else []
                changed = [operand for operand in (*operands, *called) if _is_object(operand) or own_region(operand)]
                self.flow([*operands, *([call.result] if may_hide(call.result.type) else [])], changed)

    def method(self, call: Call, operands: Sequence[Operand]) -> None:
        """``receiver.name(…)`` of a container, or of an object of which nothing is known."""
        receiver, name, *rest = operands
        if isinstance(name, Constant) and name.value in _METHODS_WITHOUT_DERIVATIVE and not _is_object(receiver):
            return
        if isinstance(rule_of_call(call)[0], ZeroDerivative):
            return
        if isinstance(strip_optional(getattr(receiver, "type", NONE)), ArrayType):
            method = getattr(np.ndarray, str(name.value), None) if isinstance(name, Constant) else None
            self.flow([receiver, *rest], [call.result])
            self.outputs(call, method, [receiver, *rest])
            return
        if own_region(receiver):
            if may_change_arguments(call):
                self.flow(operands, [operand for operand in operands if own_region(operand)])
            if isinstance(name, Constant) and name.value == "keys":
                self.move(self.elements_of([receiver], [call.result]), call.result)
                return
            self.keep_keys(rest[:1], receiver)
            self.elements_of([receiver], [call.result])
            self.move([receiver, *rest], call.result)
            self.move(rest, receiver, into=True)
            return
        self.flow(operands, [call.result])
        self.move(rest, receiver, into=True)
        if may_change_arguments(call):
            self.flow(operands, [operand for operand in rest if own_region(operand)])
        if _is_object(receiver) and may_hide(call.result.type):
            self.flow([call.result], [receiver])

    def outputs(self, call: Call, function: object, operands: Sequence[Operand]) -> None:
        """What a function on arrays computes goes into the arrays that it changes."""
        for changed in changed_operands(function, operands, dict(call.keywords)):
            self.flow([operand for operand in operands if operand is not changed], [changed])

    def callee(self, call: Call, callee: Callee, operands: Sequence[Operand]) -> None:
        """Any argument that is read may influence the result and every container that the callee changes."""
        unread = unread_parameters(callee.unit)
        operands = [operand for index, operand in enumerate(operands) if index not in unread]
        hides = may_make_hidden(callee.unit)
        hiding = regions_that_hide(callee.unit) if hides else frozenset()
        self.flow(operands, [call.result], into_hidden=hides)
        self.stays_inside(call, operands)
        written = getattr(callee.unit, "written", None)
        reached = regions_reached(callee.unit)
        kinds = (operand.type for operand in call.arguments if isinstance(operand, Value))
        for region, number in numbers_of_regions(kinds).items():
            if written is None or (flags := written(number)):
                is_known = written is not None and reached is not None and "unknown" not in flags
                for index, source in enumerate(call.arguments):
                    if index in unread or (is_known and reached is not None and number not in reached[index]):
                        continue
                    for item in items_of(source):
                        self.edge(item, region)
                    for item in hidden_items_of(source):
                        self.edge(item, hidden(region))
            elif hiding is None or number in hiding:  # an attribute that is not followed, such as a deque, takes them
                for source in operands:
                    for item in (*items_of(source), *hidden_items_of(source)):
                        self.edge(item, hidden(region))
        self.kept(call, callee)
        if callee.effects.writes or callee.effects.acts:
            self.flow(operands, [operand for operand in operands if _is_object(operand)])

    def kept(self, call: Call, callee: Callee) -> None:
        """What a callee puts into an object that is not followed is changed through that object later on."""
        kinds = (operand.type for operand in call.arguments if isinstance(operand, Value))
        regions = {number: region for region, number in numbers_of_regions(kinds).items()}
        known = regions_kept(callee.unit)
        holders = {number: [hidden(region)] for number, region in regions.items()} | {RESULT: hidden_items_of(call.result)}
        for holder, items in holders.items():
            for number in regions if known is None else known.get(holder, ()):
                for item in items if number in regions else ():
                    self.edge(item, regions[number])


def is_unknown(call: Call) -> bool:
    """Whether nothing is known of the function that is called: it may change what it is given."""
    if not isinstance(call.function, Constant) or isinstance(call.function.value, Callee):
        return not isinstance(call.function, Constant)
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
    receiver = call.arguments[0]
    if isinstance(receiver, Value):
        kind = strip_optional(receiver.type)
        cls = kind.cls if isinstance(kind, ObjectType | OpaqueType) else object
        return isinstance(kind, ObjectType | OpaqueType | AnyType) and cls not in _CHANGING_ITSELF_ONLY
    return not isinstance(receiver.value, _CHANGING_ITSELF_ONLY)


def _keeps_numbers(call: Call) -> bool:
    """Whether a function whose rule says zero hands on what it is given, as part of something without adjoint."""
    assert isinstance(call.function, Constant)
    return call.function.value in _TEXT or (call.function.value in _OF_SETS and may_hide(call.result.type))


def _may_store(call: Call) -> bool:
    """Whether a call may put something into what it is given."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if isinstance(function, Callee):
        return bool(function.effects.writes or function.effects.acts)
    return function is call_method or function in _STORES or function in _IN_PLACE or is_unknown(call)


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


def may_make_hidden(unit: object) -> bool:
    """Whether a function may make something without adjoint of numbers: a string, an object that is not followed."""
    if not isinstance(unit, Specialisation) or not unit.complete:
        return True
    if unit.hides is None:
        unit.hides = True  # as far as calls of itself are concerned
        graph = _Graph()
        graph.block(unit.function.body, ())
        given = [parameter.value for parameter in unit.function.parameters]
        varied = _reach(graph.forward, [item for value in given for item in items_of(value)])
        unit.hides = any(isinstance(item, tuple) and item[0] == "hidden" for item in varied)
        numbers = numbers_of_regions(value.type for value in given)
        unit.hiding = frozenset(number for region, number in numbers.items() if hidden(region) in varied)
    return unit.hides


def regions_reached(unit: object) -> tuple[frozenset[int], ...] | None:
    """For each parameter of a function, the regions of its arguments, by number, into which something goes that is computed from
    it; None: any into all."""
    if not isinstance(unit, Specialisation) or not unit.complete or unit.united:
        return None
    if unit.reached is None:
        unit.reached = ()  # as far as calls of itself are concerned
        graph = _Graph()
        graph.block(unit.function.body, ())
        given = [parameter.value for parameter in unit.function.parameters]
        numbers = numbers_of_regions(value.type for value in given)
        found = []
        for value in given:
            varied = _reach(graph.forward, [*items_of(value), *hidden_items_of(value)])
            found.append(frozenset(number for region, number in numbers.items() if {region, hidden(region)} & varied))
        unit.reached = tuple(found)
    return unit.reached or None


def regions_kept(unit: object) -> Mapping[int, frozenset[int]] | None:
    """For each region of the arguments, by number, and for `RESULT`: the regions of the arguments that are changed by what is put
    into its parts without adjoint, for they are in there. None: not known."""
    if not isinstance(unit, Specialisation) or not unit.complete or unit.united:
        return None
    if unit.kept is None:
        unit.kept = {}  # as far as calls of itself are concerned
        graph = _Graph()
        graph.block(unit.function.body, ())
        numbers = numbers_of_regions(parameter.value.type for parameter in unit.function.parameters)
        holders: dict[int, list[Item]] = {number: [hidden(region)] for region, number in numbers.items()}
        holders[RESULT] = [item for item in graph.returned if isinstance(item, tuple) and item[0] == "hidden"]
        unit.kept = {}
        for holder, items in holders.items():
            reached = _reach(graph.forward, items)
            if found := frozenset(number for region, number in numbers.items() if region in reached):
                unit.kept[holder] = found
    return unit.kept


def regions_that_hide(unit: object) -> frozenset[int] | None:
    """The regions of its arguments, by number, into whose parts without adjoint a function may put numbers; None: all."""
    if not isinstance(unit, Specialisation) or not unit.complete:
        return None
    may_make_hidden(unit)
    return unit.hiding


def _is_object(operand: Operand) -> bool:
    """Whether an operand is an object of which nothing is known, and which may be changed."""
    if is_outside_object(operand):
        return True
    kind = strip_optional(operand.type) if isinstance(operand, Value) else None
    return isinstance(kind, AnyType) or (isinstance(kind, OpaqueType) and kind.cls not in IMMUTABLE_CLASSES)


#: What gives parts of its operands as they are (of the first one only).
_OF_FIRST = {operator.getitem, getattr, load_cell, unpack}
_LOADS = {*_OF_FIRST, enumerate, zip, reversed, list, tuple, dict}
#: What goes over the elements of its operands.
_OVER_ELEMENTS = {enumerate, zip, reversed, list, tuple, unpack, sorted, iter, set, sum, min, max, math.fsum, math.prod}
_STORES = {operator.setitem: 2, setattr: 2, set_frozen: 2, store_cell: 1}
_IN_PLACE = {*UFUNCS_IN_PLACE, operator.imatmul}
