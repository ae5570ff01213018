"""What type inference knows of the values of one function so far: types, known objects, lengths, memory.

What is known only ever becomes more general, so that it settles.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sad.analysis.array_facts import Facts
from s2sad.analysis.array_operands import Fact, fact_of_constant
from s2sad.analysis.array_shapes import Count
from s2sad.analysis.displays import readers_of
from s2sad.analysis.freezing import Thawer
from s2sad.analysis.given_once import values_read_once
from s2sad.analysis.held_outside import held_outside
from s2sad.analysis.known_cells import functions_in_cells
from s2sad.analysis.lengths import extents_in, name_lengths
from s2sad.analysis.lift_outside import MissingArgumentError, place_of
from s2sad.analysis.memory import Memory, references_in
from s2sad.analysis.own_names import call_themselves
from s2sad.analysis.resolution import GeneratedFunction, Resolution
from s2sad.analysis.signatures import types_of
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import Guard, Specialisation
from s2sad.ir.contents import calls_of
from s2sad.ir.nodes import Block, Call, Constant, Function, MakeFunction, Operand, Operation, Span, Terminator, Value
from s2sad.ir.operations import load_captured, load_cell, load_global, make_list, make_set, make_tuple
from s2sad.ir.types import UNKNOWN, ConstantType, DictType, Extent, ScalarType, Type

if TYPE_CHECKING:
    from s2sad.analysis.analyser import Analyser


class State:
    """What is known of the values of one function. It grows while the function is visited; what there is to be visited again is
    told by `changed`."""

    def __init__(self, analyser: Analyser, specialisation: Specialisation) -> None:
        self.analyser = analyser
        self.specialisation = specialisation
        self.definition = call_themselves(specialisation.definition)
        #: Before loops were written out.
        self.definition_at_start = specialisation.origin or specialisation.definition
        self.context = specialisation.context
        self.is_outermost = len(analyser.under_way) == 1
        #: The variables outside that it takes as arguments.
        self.lifted = next((one for one in analyser.lifted.values() if one.definition is self.definition_at_start), None)
        self.memory = Memory()
        self.types: dict[Value, Type] = {}
        self.known: dict[Value, Constant] = {}
        self.unknowable: set[Value] = set()
        #: Lengths and shapes that values are.
        self.facts = Facts()
        self.result: Type = UNKNOWN
        self.changed = False
        self.sites: dict[object, int] = {}
        self.resolutions: dict[Call, Resolution] = {}
        self.displays: dict[Operand, Call] = self._calls_by_result(make_list)
        #: The elements of set displays.
        self.elements_of_sets: dict[Operand, tuple[Operand, ...]] = {
            value: call.arguments for value, call in self._calls_by_result(make_set).items()
        }
        self.makers: dict[Value, MakeFunction] = functions_in_cells(self.definition)
        self.parts: dict[tuple[Operand, object], Value] = {}
        self.part_sources: dict[Value, tuple[object, Operand, object]] = {}
        self.outside_regions: dict[int, tuple[object, dict[int, int]]] = {}
        #: The variables outside that are read, with what they hold.
        self.outside_variables: dict[tuple[int, object, bool | str], tuple[Guard, object, Type]] = {}
        #: The nested function that a derivative was made of.
        self.derived: dict[Value, Operand] = {}
        #: Regions of what functions with a cache give: the same object for the next call, each with the function.
        self.from_cache: dict[int, Function] = {}
        self.kept: dict[Call, Constant] = {}
        #: The array of which a value is the attribute `flat`.
        self.flats: dict[Operand, Operand] = {}
        #: The `maxlen` of queues, by how it is written.
        self.bounds: dict[str, Operand] = {}
        #: The functions that make the missing values of dicts, with the dict as it was made, by what is noted of its memory.
        self.factories: dict[str, tuple[Value, Operand]] = {}
        #: Calls that make containers of `collections` as plain ones.
        self.plain_makers: set[Call] = set()
        #: Slices between literals, by the value that holds them.
        self.slices: dict[Value, Constant] = {}
        #: The class and the instance of which a value is ``super(cls, instance)``.
        self.supers: dict[Value, tuple[Operand, Operand]] = {}
        #: Function values whose choice is explicit already.
        self.chosen: set[Operand] = set()
        #: Texts and the like that are read outside: where they are options, they must be known.
        self.options: dict[Operand, Guard] = {}
        #: Where objects are gone over that may be of several classes.
        self.of_several_classes: Set[Span | None] = frozenset()
        #: Values that count as numbers, though they are made of what nobody knows, and may be arrays.
        self.assumed: set[Value] = set()
        #: Blocks that the types can reach.
        self.visited: set[Block] = set()
        self.regions: dict[int, int] = {}
        #: The keys of the dicts among the parameters, in order.
        self.keys_at_entry: dict[Value, tuple[object, ...]] = {}
        parameters = (*self.definition.captured, *(parameter.value for parameter in self.definition.parameters))
        thawer = Thawer(self.memory, self.regions)
        for value, kind in zip(parameters, specialisation.argument_types, strict=True):
            self.types[value] = thawer.thaw(kind)
            if isinstance(kind, DictType) and kind.keys is not None and self._is_alone(kind):
                self.keys_at_entry[value] = kind.keys
            if isinstance(kind, ConstantType):
                self.known[value] = Constant(kind.value)
            if isinstance(kind, ScalarType) and kind.kind == "int":
                self.facts.known[value] = self.count_of(value)

    def _is_alone(self, kind: DictType) -> bool:
        """Whether one argument only leads to a dict."""
        return sum(kind.region in references_in(other) for other in self.specialisation.argument_types) == 1

    def _calls_by_result(self, *functions: object) -> dict[Operand, Call]:
        """The calls of some functions."""
        return {
            call.result: call
            for call in calls_of(self.definition)
            if isinstance(call.function, Constant) and any(call.function.value is one for one in functions)
        }

    # what most functions do not ask for

    @functools.cached_property
    def calls(self) -> dict[Operand, Call]:
        """All calls, by their results."""
        return {call.result: call for call in calls_of(self.definition)}

    @functools.cached_property
    def readers(self) -> dict[Operand, Call]:
        """List displays with one use: which call reads them."""
        return readers_of(self.definition.body)

    @functools.cached_property
    def lookups(self) -> dict[Operand, Call]:
        """The calls that look up names."""
        return self._calls_by_result(load_global, load_captured, getattr)

    @functools.cached_property
    def makers_of_tuples(self) -> dict[Operand, Call]:
        """What makes the tuples of positional arguments with starred ones."""
        return self._calls_by_result(make_tuple, tuple, operator.add)

    @functools.cached_property
    def makers_of_slices(self) -> dict[Operand, Call]:
        """What makes slices."""
        return self._calls_by_result(slice)

    @functools.cached_property
    def own_cells(self) -> set[Operand]:
        """Reads of variables that this function captured in cells."""
        loads = self._calls_by_result(load_cell)
        return {value for value, call in loads.items() if call.arguments[0] in self.definition.captured}

    @functools.cached_property
    def read_once(self) -> dict[Value, Operation | Terminator | None]:
        """What uses a value up, for those that are used once."""
        return values_read_once(self.definition)

    def count_of(self, parameter: Value) -> Count:
        """The number that an integer parameter is, by a name that the lengths of arguments have not got."""
        count = Count(parameter.name)
        names = {extent.name for extent in extents_in(self.specialisation.argument_types)}
        while isinstance(count.length, Extent) and count.length.name in names:
            count = Count(f"{count.name}'")
        return count

    def constant_of(self, operand: Operand) -> Constant | None:
        """The object that an operand stands for, if it is known."""
        return operand if isinstance(operand, Constant) else self.known.get(operand)

    def type_of(self, operand: Operand) -> Type:
        """The type of an operand so far."""
        if isinstance(operand, Constant):
            if isinstance(operand.value, np.ndarray):
                return self.type_of_array(operand.value)
            return type_of_constant(operand)
        constant = self.known.get(operand)
        if constant is not None and operand not in self.types:
            return type_of_constant(constant)
        return self.types.get(operand, UNKNOWN)

    def fact_of(self, operand: Operand) -> Fact:
        """What is known of an operand besides its type."""
        constant = self.constant_of(operand)
        if constant is not None:
            return fact_of_constant(constant)
        return self.facts.known.get(operand) if isinstance(operand, Value) else None

    def learn_fact(self, value: Value, fact: Fact) -> None:
        """A value has this fact on one way."""
        if self.facts.learn(value, fact):
            self.changed = True

    def type_of_array(self, array: np.ndarray[Any, Any]) -> Type:
        """The type of an array that is a default argument."""
        names = self.analyser.outside_names
        name = names.setdefault((id(array), ""), f"default {len(names) + 1}")
        return self.thaw_outside(name_lengths(types_of((array,)), f"{name}.")[0], array)

    def site(self, node: object) -> int:
        """The region of what a node allocates."""
        if node not in self.sites:
            self.sites[node] = self.memory.allocate()
        return self.sites[node]

    def assign(self, value: Value, kind: Type) -> None:
        """A value may have this type too."""
        old = self.types.get(value, UNKNOWN)
        new = self.memory.join(old, kind)
        if value not in self.types or not self.memory.same(old, new):
            self.changed = True
        self.types[value] = new

    def learn(self, value: Value, constant: Constant | None) -> None:
        """A value is a known object, unless it turns out to be several."""
        old = self.known.get(value)
        if value in self.unknowable:
            return
        if constant is None or (
            old is not None and old.value is not constant.value and not _same_value(old.value, constant.value)
        ):
            if old is not None:
                self.changed = True
            self.known.pop(value, None)
            self.unknowable.add(value)
        elif old is None:
            self.known[value] = constant
            self.changed = True

    def part(self, owner: Operand, index: object, kind: Type, reader: object = operator.getitem) -> Value:
        """An element of a tuple, dict or function value, as an operand: `write_types` puts the operation that reads it."""
        key = (owner, index)
        if key not in self.parts:
            self.parts[key] = Value("", temporary=True)
            self.part_sources[self.parts[key]] = (reader, owner, index)
        if isinstance(kind, ConstantType):
            self.learn(self.parts[key], Constant(kind.value))
        if reader is operator.getitem and isinstance(index, int):
            fact = self.fact_of(owner)
            self.learn_fact(self.parts[key], fact[index] if isinstance(fact, tuple) and index < len(fact) else None)
        self.assign(self.parts[key], kind)
        return self.parts[key]

    def keep(self, call: Call, made: object) -> Constant:
        """An object made while types are inferred: one for each call, however often it is visited."""
        return self.kept.setdefault(call, Constant(made))

    def generated(self, key: object, make: Callable[[], GeneratedFunction]) -> types.FunctionType:
        """A function generated for a call inside, once a signature."""
        if key not in self.analyser.generated:
            made = make()
            for guard in made.guards:
                self.analyser.guard(guard)
            self.analyser.generated[key] = made.function
        return self.analyser.generated[key]

    def part_source(self, operand: Operand) -> tuple[object, Operand, object] | None:
        """How to read a part, if the operand is one."""
        return self.part_sources.get(operand) if isinstance(operand, Value) else None

    def given_instead(self, variable: Guard) -> Operand | None:
        """The parameter that takes what is in a variable outside, if it goes from function to function. None: it is read here."""
        if place_of(variable) not in self.analyser.handed_on or self.is_outermost:
            return None
        parameter = None if self.lifted is None else self.lifted.values.get(place_of(variable))
        if parameter is None:
            raise MissingArgumentError(self.definition_at_start, variable)
        return parameter

    def outside(self, kind: Type, found: object, variable: Guard) -> Type:
        """A type of data from outside the function; the same object has the same region wherever it is read."""
        if not references_in(kind):
            return kind
        self.outside_variables[variable.key] = (variable, found, kind)
        thawed = self.thaw_outside(kind, found)
        if id(found) in held_outside(self.context.globals):
            self.memory.give_away(thawed)
        return thawed

    def thaw_outside(self, kind: Type, found: object) -> Type:
        """A type of an object outside as one of this function."""
        is_new = id(found) not in self.outside_regions
        _, regions = self.outside_regions.setdefault(id(found), (found, {}))
        thawed = self.memory.thaw(kind, regions)
        if is_new and isinstance(found, np.ndarray):
            for other, (array, known) in self.outside_regions.items():
                if other != id(found) and isinstance(array, np.ndarray) and np.may_share_memory(array, found):
                    for region in regions.values():
                        self.memory.unite(region, *known.values())
        return thawed


def _same_value(first: object, second: object) -> bool:
    """Tuples of classes, and lengths, are made anew at each visit."""
    return type(first) is type(second) and isinstance(first, (tuple, int)) and first == second
