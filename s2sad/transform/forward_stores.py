"""Read what was just stored without going through memory, and drop stores that are overwritten unread.

Before::

    a = getitem(x_bar, i)
    b ~= add(a, t)
    setitem(x_bar, i, b)
    c = getitem(x_bar, i)
    d ~= add(c, t)
    setitem(x_bar, i, d)

After::

    a = getitem(x_bar, i)
    b ~= add(a, t)
    d ~= add(b, t)
    setitem(x_bar, i, d)

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT, INT, NONE, ListType
>>> import operator
>>> x, i, y, z = Value("x", ListType(FLOAT, 1)), Value("i", INT), Value("y", FLOAT), Value("z", FLOAT)
>>> store = Call(Value("", NONE), Constant(operator.setitem), (x, i, y))
>>> load = Call(z, Constant(operator.getitem), (x, i))
>>> f = Function("f", tuple(map(Parameter, (x, i, y))), Block((store, load), Return(z)))
>>> forward_stores(f).body.terminator.value
<y: float>

A store of what was read from the same place, with no other store in between, goes too. Within one block, for lists,
dicts and shadows of objects. Two containers are taken for one unless one of them is made here and the other is made elsewhere
or given, or one has no second name, or type inference put them in different regions.
"""

from __future__ import annotations

import operator

from s2sad.ir.contents import functions_called
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import Block, Call, Function, Operand, Operation, Value, blocks_of
from s2sad.ir.operations import comment
from s2sad.ir.types import ArrayType, ObjectType, ScalarType
from s2sad.transform.element_places import Place, are_different_keys, may_be_one, place_of
from s2sad.transform.purity import (
    changed_container,
    find_made_containers,
    find_private_containers,
    function_of,
    is_number,
    touched_container,
)
from s2sad.transform.rewrite import map_blocks, replace_operands, with_body, with_operations


def forward_stores(fn: Function) -> Function:
    """Replace reads of what was just stored, and drop overwritten stores."""
    if functions_called(fn).isdisjoint((operator.getitem, operator.setitem, getattr, setattr)):
        return fn
    made = frozenset(find_made_containers(fn))
    given = frozenset(parameter.value for parameter in fn.parameters)
    own = find_private_containers(fn, until_return=True) if made else made
    return with_body(fn, _Forwarding(made, given, own).visit(fn.body))


class _Forwarding:
    def __init__(self, made: frozenset[Value], given: frozenset[Value], own: frozenset[Value]) -> None:
        self.made = made
        self.given = given
        #: Containers that no other value stands for.
        self.own = own
        self.known: dict[Value, Operand] = {}
        #: What places hold, as far as that was stored in the block at hand.
        self.stored: dict[Place, Operand] = {}
        #: What was read from places, where nothing was stored since.
        self.read: dict[Place, Value] = {}
        #: Stores that nobody can have seen so far.
        self.unseen: dict[Place, Call] = {}

    def visit(self, block: Block) -> Block:
        outside = self.stored, self.read, self.unseen
        self.stored, self.read, self.unseen = {}, {}, {}
        operations: list[Operation] = []
        dropped: set[Operation] = set()
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            if isinstance(operation, Call):
                if self.is_known(operation) or self.stores_what_is_there(operation):
                    continue
                overwritten = self.note(operation)
                if overwritten is not None:
                    dropped.add(overwritten)
            elif blocks_of(operation):
                operation = map_blocks(operation, self.visit)
                self.forget_everything()
            else:
                self.unseen.clear()
            operations.append(operation)
        end = map_blocks(replace_operands(block.terminator, self.known), self.visit)
        self.stored, self.read, self.unseen = outside
        return with_operations(block, [operation for operation in operations if operation not in dropped], end)

    def is_known(self, call: Call) -> bool:
        """Whether a call reads what was stored; its result is then known to be that."""
        place = _followed_place(call, stored=False)
        value = self.stored.get(place) if place is not None else None
        if value is None or not is_number(value) or not isinstance(call.result.type, ScalarType):
            return False
        self.known[call.result] = value
        return True

    def stores_what_is_there(self, call: Call) -> bool:
        """Whether a call puts back what was read."""
        place = _followed_place(call, stored=True)
        return place is not None and self.read.get(place) is call.arguments[2]

    def note(self, call: Call) -> Call | None:
        """Keep track of what a call does to memory; gives the store that it makes superfluous."""
        place = _followed_place(call, stored=True)
        if place is not None:
            overwritten = self.unseen.get(place)
            self.forget(place)
            self.stored[place] = call.arguments[2]
            self.unseen[place] = call
            return overwritten
        effects = effects_of(call)
        container = changed_container(call)
        if function_of(call) is comment:
            pass
        elif container is not None:
            self.unseen.clear()
            for places in (self.stored, self.read):
                for other in [place for place in places if self.may_be_one(place[0], container)]:
                    del places[other]
        elif effects.writes or effects.acts:
            self.forget_everything()
        elif effects.reads:
            self.note_read(call)
        elif effects.raises and call.exact:
            # an exception would show the stores of the primal
            self.unseen = {place: store for place, store in self.unseen.items() if not store.exact}
        return None

    def note_read(self, call: Call) -> None:
        """A call looks into memory."""
        container = touched_container(call)
        if container is None:
            self.unseen.clear()
            return
        place = _followed_place(call, stored=False)

        def may_see(other: Place) -> bool:
            if place is not None:
                return other == place or self.may_overlap(place, other)
            return self.may_be_one(container, other[0])

        shows = effects_of(call).raises and call.exact  # an exception would
        self.unseen = {other: store for other, store in self.unseen.items() if not (may_see(other) or (shows and store.exact))}
        if place is not None:
            self.read[place] = call.result

    def forget(self, place: Place) -> None:
        """A place is stored to: what may be the same place holds something else now."""
        for places in (self.stored, self.read, self.unseen):
            for other in [other for other in places if other == place or self.may_overlap(place, other)]:
                del places[other]

    def forget_everything(self) -> None:
        self.stored.clear()
        self.read.clear()
        self.unseen.clear()

    def may_overlap(self, first: Place, second: Place) -> bool:
        if not self.may_be_one(first[0], second[0]):
            return False
        return not are_different_keys(first[1], second[1])

    def may_be_one(self, first: Value, second: Value) -> bool:
        """Whether two values may be one container."""
        if first is second:
            return True
        if first in self.own or second in self.own:
            return False
        for one, other in ((first, second), (second, first)):
            if one in self.made and (other in self.made or other in self.given):
                return False
        return may_be_one(first, second)


def _followed_place(call: Call, *, stored: bool) -> Place | None:
    """The element of a list or dict, or the attribute of a shadow, that a call reads or stores."""
    place = place_of(call, stored=stored)
    if place is None or isinstance(place[0].type, ArrayType):
        return None
    return place if isinstance(place[0].type, ObjectType) or is_number(call.arguments[1]) else None
