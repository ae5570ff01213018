"""The graph of a function along which derivatives flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from s2sad.analysis.activity_calls import (
    IN_PLACE,
    JOINS,
    LOADS,
    METHODS_WITHOUT_DERIVATIVE,
    OF_FIRST,
    OVER_ELEMENTS,
    STORES,
    is_unknown,
    keeps_numbers,
    may_change_arguments,
    may_store,
    unread_parameters,
)
from s2sad.analysis.activity_edges import Edges
from s2sad.analysis.activity_items import (
    Item,
    computes_of_index,
    hidden,
    hidden_items_of,
    holders_in,
    is_changeable,
    is_hidden,
    is_keyed_by_numbers,
    is_object,
    items_of,
    may_hide,
    objects_in,
    outside_operands,
    own_region,
    stored_into,
    taking,
)
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.array_types import changed_operands
from s2sad.analysis.memory import numbers_of_regions
from s2sad.analysis.raised import may_change, printed_to, raised_from, sees_exceptions
from s2sad.analysis.specialisation import Flows, Reached, Specialisation
from s2sad.ir.contents import functions_called, is_of_numbers
from s2sad.ir.effects import Callee, shape_only
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
)
from s2sad.ir.operations import (
    call_method,
    load_captured,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_tuple,
    modelled,
    new_object,
    summed,
)
from s2sad.ir.protocols import calls_back, iteration_may_change, may_change_by_itself
from s2sad.ir.types import NONE, AnyType, ArrayType, ListType, OpaqueType, strip_optional
from s2sad.rules.core import ZeroDerivative

#: What a function gives, beside the regions of its arguments.
RESULT: Final = 0
#: What is read of a region as if it had no adjoint.
READ_PLAINLY: Final = ("read plainly",)


class Graph(Edges):
    """The graph of one function."""

    def __init__(self, known: Mapping[object, Flows] = MappingProxyType({})) -> None:
        super().__init__()
        #: What is known so far of functions that are looked at together.
        self.known = known

    def whole(self, function: Function) -> None:
        """All of a function. Where a number may have been put by way of something that is not followed, types do not tell of it:
        it is not lost by being read as if it were none."""
        self.block(function.body, ())
        for region in self.kept_regions & self.read_plainly:
            self.edge(region, READ_PLAINLY)
        self.returned.append(READ_PLAINLY)

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
                    if isinstance(iterable, Value) and isinstance(strip_optional(iterable.type), (OpaqueType, AnyType)):
                        self.flow([iterable], [target])
                    if iteration_may_change(operation):
                        self.flow([iterable], [iterable])
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
                            is_changed = may_change(handler, may_store)
                            self.flow(raised, [handler.name], is_shared=is_changed)
                            if is_changed:
                                self.flow([handler.name], [*filter(is_changeable, raised)])
                        self.block(handler.body, ([results],))
                case With(context, name, body, results):
                    if sees_exceptions(context):
                        self.flow(raised_from(body, is_unknown), [context])
                    self.flow(printed_to(context, body), [context])
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
        operands = outside_operands(call)
        of_numbers = is_of_numbers(call)
        if not of_numbers and (may_change_by_itself(call) or calls_back(call)):
            self.flow(operands, [*filter(is_changeable, operands)])
        if isinstance(function, Callee):
            self.callee(call, function, operands)
        elif function is call_method:
            self.method(call, operands)
        elif function is super:  # what is looked up there and known is not read from it
            self.flow(operands, [call.result], is_shared=False)
        elif function in (load_global, load_captured):
            if may_hide(call.result.type):
                name = call.arguments[0]
                assert isinstance(name, Constant)
                self.edge((function, name.value), hidden(call.result))
                self.edge(hidden(call.result), (function, name.value))
        elif function is print:
            self.flow(call.arguments, [operand for name, operand in call.keywords if name == "file"])
        elif function is not None and isinstance(rule_of_call(call)[0], ZeroDerivative) and not keeps_numbers(call):
            return
        elif function is make_dict:
            self.keep_keys(operands[::2], call.result)
            self.move(operands[1::2], call.result, into=True)
        elif function is modelled:
            self.flow(operands[-1:], [call.result])
        elif function is summed:
            self.flow(operands, [call.result])
        elif function in (make_list, make_cell):
            self.move(operands, call.result, into=True)
        elif function in (make_tuple, new_object):
            for operand in operands:
                self.copy(operand, call.result)
        elif function in STORES:
            self.keep_keys(operands[1:2], operands[0])
            self.move(operands[STORES[function] :], operands[0], into=True)
        elif function in LOADS and operands and not (is_object(operands[0]) or computes_of_index(operands[0])):
            sources = operands[:1] if function in OF_FIRST else operands
            if function in OVER_ELEMENTS:
                sources = tuple(self.elements_of(sources, [call.result]))
            if function is dict:
                self.keep_keys([operand for operand in sources if not is_keyed_by_numbers(operand)], call.result)
            self.move(sources, call.result, whole=function is getattr)  # a method, or the dict of the attributes
            if function is getattr:
                self.flow(operands[2:], [call.result])  # the default
        elif function in JOINS and isinstance(call.result.type, ListType):
            self.move(operands, call.result)
        elif of_numbers:
            for operand in operands:
                self.copy(operand, call.result)
        else:
            if function in OVER_ELEMENTS:
                operands = tuple(self.elements_of(operands, [call.result]))
            looked_at = shape_only(function)
            read = [operand for index, operand in enumerate(operands) if index not in looked_at]
            self.flow((*read, *([call.function] if function is None else [])), [call.result])
            if function in IN_PLACE:
                self.move(operands[1:], operands[0], into=True)
            self.outputs(call, function, operands)
            if function is None or is_unknown(call):
                called = [call.function] if function is None else []
                changed = [*filter(is_changeable, (*operands, *called))]
                self.flow([*operands, *called, *([call.result] if may_hide(call.result.type) else [])], changed)

    def method(self, call: Call, operands: Sequence[Operand]) -> None:
        """``receiver.name(…)`` of a container, or of an object of which nothing is known."""
        receiver, name, *rest = operands
        if isinstance(name, Constant) and name.value in METHODS_WITHOUT_DERIVATIVE and not is_object(receiver):
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
            self.move([receiver], call.result)
            self.move(rest, call.result, whole=True)
            self.move(rest, receiver, into=True)
            return
        self.flow(operands, [call.result])
        self.move(rest, receiver, into=True)
        if may_change_arguments(call):
            self.flow(operands, [operand for operand in rest if own_region(operand)])

    def outputs(self, call: Call, function: object, operands: Sequence[Operand]) -> None:
        """What a function on arrays computes goes into the arrays that it changes."""
        for changed in changed_operands(function, operands, dict(call.keywords)):
            self.flow([operand for operand in operands if operand is not changed], [changed])

    def callee(self, call: Call, callee: Callee, operands: Sequence[Operand]) -> None:
        """Any argument that is read may influence the result and every container that the callee changes."""
        unread = unread_parameters(callee.unit)
        operands = [operand for index, operand in enumerate(operands) if index not in unread]
        flows = self.known.get(callee.unit) or flows_of(callee.unit)
        hiding = flows.hiding if flows.hides else frozenset()
        self.flow(operands, [call.result], into_hidden=flows.hides)
        written = getattr(callee.unit, "written", None)
        reached = flows.reached
        kinds = [operand.type for operand in call.arguments if isinstance(operand, Value)]
        given = {index: source for index, source in enumerate(call.arguments) if index not in unread}
        numbers = {index: self.between(items_of(source)) for index, source in given.items()}
        parts = {index: self.between(hidden_items_of(source)) for index, source in given.items()}
        with_objects = {item for source in given.values() for item in objects_in(source)}
        with_anything = {item for source in given.values() for item in holders_in(source)}
        for region, number in numbers_of_regions(kinds).items():
            is_hiding = hiding is None or number in hiding  # an attribute that is not followed, such as a deque, takes numbers
            flags = None if written is None else written(number)
            taken = [*given] if is_hiding or flags is None or flags else []
            if flags and reached is not None and "unknown" not in flags:
                taken = [index for index in given if number in reached[index].regions]
            if flags is None or flags:
                self.edges([numbers[index] for index in taken], [region])
            self.edges([*(parts[index] for index in taken), *(numbers[index] for index in taken if is_hiding)], [hidden(region)])
            operands_taken = [given[index] for index in taken]
            self.tie([hidden(region)] if hidden(region) in with_objects else [], operands_taken)
            self.keep_references(operands_taken, [hidden(region)] if hidden(region) in with_anything else [])
            if flows.read_plainly is None or number in flows.read_plainly:
                self.read_plainly.add(region)
        self.kept(call, callee)
        if callee.effects.writes or callee.effects.acts:
            for place, items in ((place, items) for place, operand in given.items() if (items := taking(operand))):
                known = reached if isinstance(given[place], Value) else None
                of_numbers = [numbers[index] for index in given if known is None or place in known[index].objects]
                held = [index for index in given if known is None or place in known[index].holders]
                self.edges([*of_numbers, *(parts[index] for index in held)], items)
                others = [given[index] for index in held if index != place]
                self.tie(items, others)
                self.keep_references(others, [stored_into(given[place])] if is_object(given[place]) else items)

    def kept(self, call: Call, callee: Callee) -> None:
        """What a callee puts into an object that is not followed is changed through that object later on."""
        kinds = (operand.type for operand in call.arguments if isinstance(operand, Value))
        regions = {number: region for region, number in numbers_of_regions(kinds).items()}
        known = regions_kept(callee.unit)
        holders = {number: [hidden(region)] for number, region in regions.items()} | {RESULT: hidden_items_of(call.result)}
        for holder, items in holders.items():
            kept = [regions[number] for number in (regions if known is None else known.get(holder, ())) if number in regions]
            self.edges(items, kept)
            self.kept_regions.update(kept)


def reach(edges: dict[Item, list[Item]], sources: Sequence[Item]) -> set[Item]:
    seen = set(sources)
    stack = list(seen)
    while stack:
        for item in edges.get(stack.pop(), ()):
            if item not in seen:
                seen.add(item)
                stack.append(item)
    return seen


def flows_of(unit: object) -> Flows:
    """Where a function puts what it is given. It, and each function that it calls, does at least what is known of them so far."""
    if not isinstance(unit, Specialisation) or not unit.complete:
        return Flows()
    if unit.flows is not None:
        return unit.flows
    units: dict[Specialisation, None] = {}
    _note_called(unit, units)
    known: dict[object, Flows] = {
        one: Flows(False, frozenset(), None if one.united else (Reached(),) * len(one.function.parameters), frozenset())
        for one in units
    }
    changed = True
    while changed:
        changed = False
        for one in reversed(units):  # callees first
            found = _find_flows(one, known)
            changed = changed or found != known[one]
            known[one] = found
    for one in units:
        one.flows = known[one]
    return known[unit]


def _note_called(unit: Specialisation, units: dict[Specialisation, None]) -> None:
    """The functions that a function calls and of which nothing is known yet, callers before what they call."""
    units[unit] = None
    for called in functions_called(unit.function):
        one = called.unit if isinstance(called, Callee) else None
        if isinstance(one, Specialisation) and one.complete and one.flows is None and one not in units:
            _note_called(one, units)


def _find_flows(unit: Specialisation, known: Mapping[object, Flows]) -> Flows:
    """Where a function puts what it is given, if the functions that it calls do as much as is known of them."""
    graph = Graph(known)
    graph.whole(unit.function)
    given = [parameter.value for parameter in unit.function.parameters]
    numbers = numbers_of_regions(value.type for value in given)
    objects = {place: set(items) for place, value in enumerate(given) if (items := taking(value))}
    reached, varied = [], set[Item]()
    for value in given:
        of_numbers, of_parts = (reach(graph.forward, items) for items in (items_of(value), hidden_items_of(value)))
        regions = frozenset(number for region, number in numbers.items() if {region, hidden(region)} & (of_numbers | of_parts))
        into = (frozenset(place for place, items in objects.items() if items & found) for found in (of_numbers, of_parts))
        reached.append(Reached(regions, *into))
        varied |= of_numbers
    hiding = frozenset(number for region, number in numbers.items() if hidden(region) in varied)
    plain = frozenset(number for region, number in numbers.items() if region in graph.read_plainly)
    return Flows(any(map(is_hidden, varied)), hiding, None if unit.united else tuple(reached), None if unit.united else plain)


def regions_kept(unit: object) -> Mapping[int, frozenset[int]] | None:
    """For each region of the arguments, by number, and for `RESULT`: the regions of the arguments that are changed by what is put
    into its parts without adjoint, for they are in there. None: not known."""
    if not isinstance(unit, Specialisation) or not unit.complete or unit.united:
        return None
    if unit.kept is None:
        unit.kept = {}  # as far as calls of itself are concerned
        graph = Graph()
        graph.whole(unit.function)
        numbers = numbers_of_regions(parameter.value.type for parameter in unit.function.parameters)
        holders: dict[int, list[Item]] = {number: [hidden(region)] for region, number in numbers.items()}
        holders[RESULT] = [item for item in graph.returned if is_hidden(item)]
        unit.kept = {}
        for holder, items in holders.items():
            reached = reach(graph.forward, items)
            if found := frozenset(number for region, number in numbers.items() if region in reached):
                unit.kept[holder] = found
    return unit.kept
