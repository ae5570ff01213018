"""What goes into objects outside that are not followed, and comes out of them, in whichever functions that happens.

::

    RECENT = deque()

    def remember(v): RECENT.append(v)      # v -> RECENT

    def f(x):
        remember(x * x)                    # x -> RECENT
        return RECENT[-1] * x              # RECENT -> the result: a derivative would be lost

The graph of activity of one function tells what happens there. Here an object outside is one node in the graphs of all functions,
and a call hands on what its function does with the object.
"""

from __future__ import annotations

import inspect
import operator
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from s2sad.analysis.activity_graph import Graph, reach
from s2sad.analysis.activity_items import (
    Item,
    hidden,
    hidden_items_of,
    is_hidden,
    is_outside_object,
    items_of,
    may_hide,
    outside_operands,
    stored_into,
)
from s2sad.analysis.held_outside import contents_of_outside
from s2sad.analysis.memory import numbers_of_regions
from s2sad.analysis.namespaces import (
    entrance_and_exit,
    identity_of,
    owner_of_name,
    owner_of_names,
    stored_by_any_name,
)
from s2sad.analysis.places import describe_place
from s2sad.analysis.specialisation import Context, Specialisation
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import calls_of, functions_called
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import UNBOUND, Call, Constant, Function, Operand, Span, Value
from s2sad.ir.operations import load_captured, load_global
from s2sad.ir.types import ObjectType, strip_optional

#: What finds objects outside, unless it is a function that is called.
_LOOKING_OUTSIDE: Final = frozenset({load_global, load_captured, getattr, setattr, globals, vars})
#: How messages call the dict of a module's variables.
_NAMES: Final = "the variables of a module"


@dataclass(frozen=True, slots=True)
class OutsideFlows:
    """What a function does with objects outside: which take something of the numbers of each of its parameters, and of its parts
    without adjoint; and where that which each gives goes: into the result, into the numbers and into the parts without adjoint of
    regions of arguments by number, into other objects. `kept` are those that the result may have in its parts without adjoint:
    what is put there later on goes into them. `names` are for messages, `objects` what the keys of variables stand for."""

    taken: tuple[tuple[frozenset[Item], frozenset[Item]], ...] = ()
    given: tuple[tuple[Item, bool, frozenset[int], frozenset[int], frozenset[Item]], ...] = ()
    kept: frozenset[Item] = frozenset()
    names: dict[Item, str] = field(default_factory=dict)
    objects: dict[Item, object] = field(default_factory=dict)


class _OutsideGraph(Graph):
    """The graph of activity of one function, in which objects outside are known by identity."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.names: dict[Item, str] = {}
        #: The dicts of names that the function has, by the values they are in.
        self.owners: dict[Operand, object] = {}
        #: What the keys of variables stand for.
        self.objects: dict[Item, object] = {}

    def whole(self, function: Function) -> None:
        super().whole(function)
        self.tie_contents()

    def tie_contents(self) -> None:
        """What is put into something that an object outside holds goes into it, where a variable outside has it as well."""
        places = {id(found): key for key, found in self.objects.items()}
        for key, holder in self.objects.items():
            for part in contents_of_outside(holder):
                if part in places and places[part] != key:
                    self.edge(key, places[part])
                    self.edge(places[part], key)
                    self.edge(key, ("put into", part))
                    self.edge(("taken from", part), key)

    def call(self, call: Call) -> None:
        self.names_of_owners(call)
        if self.is_item_of_owner(call):
            return
        self.name_constants(call)
        if (key := self.key_of(call)) is None:
            super().call(call)
            for held in self.keys_of_class(call):
                for item in (*items_of(call.result), *hidden_items_of(call.result)):
                    self.edge(held, item)
            return
        if call.function.value is setattr:  # type: ignore[union-attr]
            for source in call.arguments[2:]:
                for item in (*items_of(source), *hidden_items_of(source)):
                    self.edge(item, key)
            return
        function, label = call.function.value, call.arguments[0]  # type: ignore[union-attr]
        if function is load_global and isinstance(label, Constant):
            self.objects[key] = self.found(function, str(label.value))
            into, out = (self.named((way, id(self.objects[key])), self.names[key]) for way in ("put into", "taken from"))
            for item in items_of(call.result):
                self.edge(into, item)
                self.edge(item, out)
        for item in hidden_items_of(call.result):
            self.edge(item, key)
            self.edge(key, item)
        if call.function.value is getattr:  # type: ignore[union-attr]
            for item in items_of(call.result):
                self.edge(key, item)

    def name_constants(self, call: Call) -> None:
        """Default arguments that are one object in all calls, and are not followed."""
        for operand in outside_operands(call):
            found = operand.value if isinstance(operand, Constant) else None
            if is_outside_object(operand) and not callable(found) and not isinstance(found, types.ModuleType):
                self.named(hidden(("object", id(found))), f"a default argument of class {type(found).__name__}")

    def names_of_owners(self, call: Call) -> None:
        """Dicts of names, and the names themselves."""
        variables = self.context.globals
        if (owner := owner_of_names(call, variables)) is not None:
            into, out = self.doors(owner)
            self.owners[call.result] = owner
            self.edge(stored_into(call.result), into)
            for item in _all_items(call.result):
                self.edge(out, item)
        elif (stored := stored_by_any_name(call)) is not None:
            into, _ = self.doors(stored[0])
            for item in _all_items(*stored[1]):
                self.edge(item, into)
        if (named := owner_of_name(call, variables)) is not None:
            self.named_variable(*named, call, is_stored=call.function.value is setattr)  # type: ignore[union-attr]

    def is_item_of_owner(self, call: Call) -> bool:
        """Whether a call reads or writes a variable by ``globals()["name"]``."""
        function = call.function.value if isinstance(call.function, Constant) else None
        if function not in (operator.getitem, operator.setitem) or call.arguments[0] not in self.owners:
            return False
        name = call.arguments[1].value if isinstance(call.arguments[1], Constant) else None
        if isinstance(name, str):
            self.named_variable(self.owners[call.arguments[0]], name, call, is_stored=function is operator.setitem)
        return isinstance(name, str)

    def named_variable(self, owner: object, name: str, call: Call, *, is_stored: bool) -> None:
        """What a call stores into a variable, or reads from it and may change."""
        key = self.named(hidden(("named", identity_of(owner), name)), name)
        into, out = self.doors(owner)
        self.edge(into, key)
        self.edge(key, out)
        for item in _all_items(*(call.arguments[2:] if is_stored else (call.result,))):
            self.edge(*((item, key) if is_stored else (key, item)))
        if not is_stored and may_hide(call.result.type):
            for item in (hidden(call.result), stored_into(call.result)):
                self.edge(item, key)

    def doors(self, owner: object) -> tuple[Item, Item]:
        """What takes, and what gives, anything that an owner has a name for."""
        is_module = isinstance(owner, dict | types.ModuleType)
        name = _NAMES if is_module else f"the attributes of {getattr(owner, '__name__', 'an object')}"
        into, out = (self.named(item, name) for item in entrance_and_exit(owner))
        self.edge(into, out)
        if is_module:
            every = [self.named(item, name) for item in entrance_and_exit(sys.modules)]
            self.edge(every[0], into)
            self.edge(out, every[1])
        return into, out

    def key_of(self, call: Call) -> Item | None:
        """The object outside that a call reads or writes by name, or the attribute of one."""
        function = call.function.value if isinstance(call.function, Constant) else None
        if function in (load_global, load_captured) and isinstance(call.arguments[0], Constant):
            name = str(call.arguments[0].value)
            found = self.found(function, name)
            return None if found is None else self.named(hidden(("object", id(found))), name)
        if function not in (getattr, setattr) or not is_outside_object(call.arguments[0]):
            return None
        owner, label = call.arguments[0].value, call.arguments[1]  # type: ignore[union-attr]
        if not isinstance(label, Constant):
            return None
        return self.named(hidden(("object", id(owner), label.value)), f"{getattr(owner, '__name__', 'object')}.{label.value}")

    def keys_of_class(self, call: Call) -> list[Item]:
        """The attributes of classes that an instance's attribute may be, where a class has one of that name."""
        function = call.function.value if isinstance(call.function, Constant) else None
        owner, label = call.arguments[:2] if function is getattr else (None, None)
        kind = strip_optional(owner.type) if isinstance(owner, Value) else None
        if isinstance(kind, ObjectType) and not isinstance(label, Constant):
            return [self.doors(base)[1] for base in kind.cls.__mro__[:-1]]
        if not isinstance(kind, ObjectType) or not isinstance(label, Constant) or not isinstance(label.value, str):
            return []
        held = inspect.getattr_static(kind.cls, label.value, UNBOUND)
        if held is UNBOUND or hasattr(held, "__get__"):
            return []  # it is the instance's, or computed
        bases = kind.cls.__mro__[:-1]
        keys = {base: hidden(("object", id(base), label.value)) for base in bases}
        for base, key in keys.items():
            self.edge(self.doors(base)[0], key)
        return [self.named(key, f"{base.__name__}.{label.value}") for base, key in keys.items()]

    def named(self, item: Item, name: str) -> Item:
        self.names.setdefault(item, name)
        return item

    def found(self, function: object, name: str) -> object:
        """What a name outside stands for."""
        if function is load_global:
            return self.context.globals.get(name)
        cell = self.context.captured.get(name)
        try:
            return cell.cell_contents if cell is not None else None
        except ValueError:
            return None

    def callee(self, call: Call, callee: Callee, operands: Sequence[Operand]) -> None:
        super().callee(call, callee, operands)
        flows = flows_of(callee.unit)
        for source, (of_numbers, of_parts) in zip(call.arguments, flows.taken, strict=False):
            for items, keys in ((items_of(source), of_numbers), (hidden_items_of(source), of_parts)):
                for item in items:
                    for key in keys:
                        self.edge(item, key)
        for item in hidden_items_of(call.result):
            for key in flows.kept:
                self.edge(item, key)
        kinds = (operand.type for operand in call.arguments if isinstance(operand, Value))
        regions = {number: region for region, number in numbers_of_regions(kinds).items()}
        for key, is_returned, numbers, parts, others in flows.given:
            reached: list[Item] = [*items_of(call.result), *hidden_items_of(call.result)] if is_returned else []
            reached += [regions[number] for number in numbers if number in regions]
            reached += [hidden(regions[number]) for number in parts if number in regions]
            for item in (*reached, *others):
                self.edge(key, item)
        self.names |= flows.names
        self.objects |= flows.objects


def _all_items(*operands: Operand) -> Iterator[Item]:
    for operand in operands:
        yield from items_of(operand)
        yield from hidden_items_of(operand)


def flows_of(unit: object) -> OutsideFlows:
    """What a function does with objects outside."""
    if not isinstance(unit, Specialisation) or not unit.complete:
        return OutsideFlows()
    if unit.outside_flows is None:
        unit.outside_flows = OutsideFlows()  # as far as calls of itself are concerned
        graph = _OutsideGraph(unit.context)
        graph.whole(unit.function)
        if graph.names:
            unit.outside_flows = _summary(unit, graph)
    assert isinstance(unit.outside_flows, OutsideFlows)
    return unit.outside_flows


def _summary(unit: Specialisation, graph: _OutsideGraph) -> OutsideFlows:
    given = [parameter.value for parameter in unit.function.parameters]
    numbers = numbers_of_regions(value.type for value in given)
    keys = graph.names.keys()
    taken = [
        (keys & reach(graph.forward, items_of(value)), keys & reach(graph.forward, hidden_items_of(value))) for value in given
    ]
    found = []
    for key in keys:
        reached = reach(graph.forward, [key])
        held = frozenset(number for region, number in numbers.items() if unit.united or region in reached)
        parts = frozenset(number for region, number in numbers.items() if unit.united or hidden(region) in reached)
        found.append((key, not reached.isdisjoint(graph.returned), held, parts, frozenset(keys & reached - {key})))
    parts_returned = [item for item in graph.returned if is_hidden(item)]
    kept = frozenset(keys & reach(graph.forward, parts_returned))
    return OutsideFlows(
        tuple((frozenset(a), frozenset(b)) for a, b in taken), tuple(found), kept, dict(graph.names), dict(graph.objects)
    )


def refuse_lost_outside(specialisation: Specialisation, inputs: Sequence[int]) -> None:
    """Raise where what is computed from the parameters at these positions goes through an object outside into the result."""
    function = specialisation.function
    if not any(called in _LOOKING_OUTSIDE or isinstance(called, Callee) for called in functions_called(function)):
        return
    graph = _OutsideGraph(specialisation.context)
    graph.whole(function)
    if not graph.names:
        return
    sources = [item for index in inputs for item in items_of(function.parameters[index].value)]
    lost = reach(graph.forward, sources) & reach(graph.backward, graph.returned) & graph.names.keys()
    for name in sorted((graph.names[key] for key in lost), key=lambda name: (name != _NAMES, name)):
        span = next(_places(graph, specialisation, lost), function.span)
        be = "are" if name == _NAMES else "is"
        raise UnsupportedSyntaxError(
            f"a derivative passes through {name}, which {be} kept outside of the functions and {be} not followed; pass a list or "
            f"a dict as an argument, or return the number.\n{describe_place(span)}"
        )


def _places(graph: _OutsideGraph, specialisation: Specialisation, lost: set[Item]) -> Iterator[Span]:
    """Where a function, or one that it calls, has to do with one of these objects."""
    for call in calls_of(specialisation.function):
        function = call.function.value if isinstance(call.function, Constant) else None
        known = flows_of(function.unit).names.keys() if isinstance(function, Callee) else {graph.key_of(call)}
        if call.span is not None and not lost.isdisjoint(known):
            yield call.span
