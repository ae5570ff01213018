"""Arrays that are filled and then handed on, to the next trip of a loop or into one, and not changed any more: what is handed on
is another array from there on.

Before::

    while … carried (u = u_0):
        new = mul(2, u)
        setitem(new, 0, 0.0)
        yield new

After::

    while … carried (u = u_0):
        new = mul(2, u)
        setitem(new, 0, 0.0)
        handed = handed_on(new)
        yield handed

`u` is then an array that nobody writes to, so that it has an adjoint as a number has one; `new` is memory that lives for one
trip. `handed_on` gives what it is given. It is there while a derivative is made, and gone before that is printed: nobody can
tell an array that is never changed again from a copy.

>>> from s2sad.analysis.analyser import Analyser
>>> from s2sad.analysis.specialisation import Context
>>> from s2sad.ir.nodes import Call, Constant, walk
>>> from s2sad.frontend.lower import lower_function
>>> from s2sad.ir.types import INT, ArrayType, Extent
>>> def double(u, n):
...     for _ in range(n):
...         new = 2 * u
...         new[0] = 0.0
...         u = new
...     return u.sum()
>>> kinds = (ArrayType("float64", (Extent("m"),), 1), INT)
>>> typed = Analyser(lower_function).specialise_function(double, kinds).function
>>> [call.arguments for call in walk(typed.body) if isinstance(call, Call) and call.function.value is handed_on]
[(<new: float64[m]>,)]
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from s2sad.analysis.memory import references_in
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.structure import Structure
from s2sad.analysis.unroll import with_blocks
from s2sad.analysis.write_types import fixed_regions
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import way_on_arrays
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Return,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    is_one_of,
    leaves_of_block,
    operands_of,
)
from s2sad.ir.operations import IN_PLACE, handed_on
from s2sad.ir.types import ArrayType

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

Node = Operation | Terminator
NodeT = TypeVar("NodeT", bound=Operation | Terminator)
#: Where something is handed on: into a loop, or at an end of a trip.
Place = For | While | Yield | Break


@dataclass(frozen=True, slots=True)
class Marked:
    """What a definition with marks was made of: the definition before, and the calls whose arrays are handed on, by the marks."""

    before: Function
    makers: Mapping[Value, Call]


def hand_on_arrays(inference: Inference) -> Function | None:
    """The definition with arrays that are handed on, or without those that are of no use; None where nothing is to be changed."""
    analyser, definition = inference.analyser, inference.definition
    marked = analyser.marked.get(definition)
    if marked is not None:
        # what is changed in place would be changed under its other names too, also where it can be written without that
        fixed = fixed_regions(inference, {})
        useless = {maker for mark, maker in marked.makers.items() if not _is_in(inference, mark, fixed)}
        analyser.changed_later |= useless
        return marked.before if useless else None
    loops = [node for node in nodes_of(definition) if isinstance(node, For | While)]
    loops = [loop for loop in loops if any(_is_changed(inference, item.parameter) for item in loop.carried)]
    marks = _Finding(inference).marks(loops) if loops else None
    if not marks:
        return None
    new = _Marking(marks)
    body = new.block(definition.body)
    made = dataclasses.replace(definition, body=body)
    analyser.marked[made] = Marked(definition, new.makers)
    return made


def _is_changed(inference: Inference, value: Value) -> bool:
    """Whether a value is an array in memory that somebody writes to."""
    kind = inference.type_of(value)
    return isinstance(kind, ArrayType) and bool(inference.memory.flags[inference.memory.find(kind.region)])


def _is_in(inference: Inference, value: Value, regions: Collection[int]) -> bool:
    kind = inference.type_of(value)
    return isinstance(kind, ArrayType) and inference.memory.find(kind.region) in regions


class _Finding:
    """Looks for arrays that are made, filled and handed on."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.structure = Structure.of(inference.definition)
        self.order: dict[Node, int] = {}
        self.readers: dict[Value, list[Node]] = {}
        for number, node in enumerate(nodes_of(inference.definition)):
            self.order[node] = number
            for operand in operands_of(node):
                if isinstance(operand, Value):
                    self.readers.setdefault(operand, []).append(node)

    def marks(self, loops: Sequence[For | While]) -> dict[Place, dict[Value, Call]]:
        """What is to be handed on at each place, with the call that makes it."""
        found: dict[Place, dict[Value, Call]] = {}
        for loop in loops:
            for place, values in _places(loop):
                for value in values:
                    maker = self.maker_of(value)
                    if maker is not None and self.is_finished(maker, value, place, loop):
                        found.setdefault(place, {})[value] = maker
        return found

    def maker_of(self, value: Operand) -> Call | None:
        """The call that makes an array, which may have been changed as a whole since then."""
        while isinstance(value, Value) and isinstance(self.inference.type_of(value), ArrayType):
            call = self.structure.definition.get(value)
            if not isinstance(call, Call) or call in self.inference.analyser.changed_later:
                return None
            resolution = self.inference.resolutions.get(call)
            if resolution is None:
                return None
            if resolution.alias is not None:
                value = resolution.alias
            elif is_one_of(resolution.function, IN_PLACE):
                value = call.arguments[0]
            else:
                return call if self.makes(call, resolution) else None
        return None

    def makes(self, call: Call, resolution: Resolution) -> bool:
        """Whether a call makes a new array."""
        site, kind, memory = self.inference.sites.get(call), resolution.kind, self.inference.memory
        if site is None or not isinstance(kind, ArrayType) or memory.find(site) != memory.find(kind.region):
            return False
        return resolution.function is not handed_on and self.way(resolution) == "make"

    def way(self, resolution: Resolution) -> str | None:
        """What a call does to arrays, as types tell."""

        def with_type(operand: Operand) -> Operand:
            known = self.inference.constant_of(operand)
            return known if known is not None else Value("", self.inference.type_of(operand))

        plain = [with_type(item) for item in resolution.arguments if isinstance(item, Value | Constant)]
        named = tuple((name, with_type(operand)) for name, operand in resolution.keywords)
        return way_on_arrays(Call(Value("", resolution.kind), Constant(resolution.function), tuple(plain), named))

    def is_finished(self, maker: Call, value: Value, place: Place, loop: For | While) -> bool:
        """Whether nobody writes to an array after it was handed on, and nobody keeps it."""
        home = self.structure.home[maker.result]
        around = self.structure.owner[loop.body][1]
        inside = around if isinstance(place, For | While) else loop.body
        if self.structure.depth[home] != self.structure.depth[inside]:
            return False  # it lives longer than a trip
        names = _Names(self, maker.result)
        last = self.order[place] if isinstance(place, For | While) else math.inf
        ends = leaves_of_block(loop.body)
        return (
            names.are_known
            and value in names.whole
            and all(self.order[node] < last for node in names.changes)
            and all(node in ends if isinstance(node, Yield | Break) else node is loop for node in names.handing)
        )


class _Names:
    """All names of an array and of its parts; `whole` are those of all of it."""

    def __init__(self, finding: _Finding, made: Value) -> None:
        self.finding = finding
        self.whole = {made}
        self.names = {made}
        self.changes: list[Node] = []
        #: What hands one of the names on: it is an array of its own afterwards.
        self.handing: list[Node] = []
        self.are_known = True
        pending = [made]
        while pending and self.are_known:
            name = pending.pop()
            for node in finding.readers.get(name, ()):
                new, is_whole = self.follow(node, name)
                if new is not None and new not in self.names:
                    self.names.add(new)
                    pending.append(new)
                    if is_whole:
                        self.whole.add(new)

    def follow(self, node: Node, name: Value) -> tuple[Value | None, bool]:
        """Another name that a node gives, and whether it is one of the whole."""
        is_whole = name in self.whole
        match node:
            case Call():
                return self.follow_call(node, name)
            case For(target, iterable) if iterable is name and all(item.initial is not name for item in node.carried):
                return target, False
            case If() | Branch() | Return():
                return None, False
            case For() | While() | Yield() | Break() if is_whole:
                self.handing.append(node)
                return None, False
        self.are_known = False
        return None, False

    def follow_call(self, call: Call, name: Value) -> tuple[Value | None, bool]:
        resolution = self.finding.inference.resolutions.get(call)
        if resolution is None:
            return None, False  # it is never reached
        is_whole = name in self.whole
        if resolution.alias is not None:
            return (call.result, is_whole) if resolution.alias is name else (None, False)
        if resolution.specialisation is not None:
            self.are_known &= not references_in(resolution.kind) and not self.may_keep(name)
            self.changes.append(call)
            return None, False
        function = resolution.function
        if function is operator.setitem:
            self.are_known &= isinstance(self.finding.inference.type_of(call.arguments[0]), ArrayType)
            self.changes.append(call)
            return None, False
        match self.finding.way(resolution):
            case "make" | "ask":
                return None, False
            case "view" | "either":
                return call.result, False
            case "change":
                self.changes.append(call)
                is_result = is_one_of(function, IN_PLACE) and call.arguments[0] is name
                return call.result, is_whole and is_result
        self.are_known = False
        return None, False

    def may_keep(self, name: Value) -> bool:
        """Whether an array is in some container, as far as anybody knows."""
        memory, kind = self.finding.inference.memory, self.finding.inference.type_of(name)
        assert isinstance(kind, ArrayType)
        root = memory.find(kind.region)
        held = (part for content in memory.content.values() for part in content.values())
        return any(memory.find(region) == root for part in held for region in references_in(part))


def _places(loop: For | While) -> Iterator[tuple[Place, list[Value]]]:
    """Where a loop is handed values, and which."""
    yield loop, [item.initial for item in loop.carried if isinstance(item.initial, Value)]
    for end in leaves_of_block(loop.body):
        if isinstance(end, Yield | Break):
            yield end, [value for value in end.values if isinstance(value, Value)]


class _Marking:
    """Writes the marks."""

    def __init__(self, marks: Mapping[Place, Mapping[Value, Call]]) -> None:
        self.marks = marks
        self.makers: dict[Value, Call] = {}

    def block(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            inner = with_blocks(operation, [self.block(part) for part in blocks_of(operation)])
            values = self.marks.get(operation) if isinstance(operation, For | While) else None
            operations.append(self.handed(inner, values or {}, operations))
        end = block.terminator
        if isinstance(end, Branch):
            then, orelse = self.block(end.then), self.block(end.orelse)
            end = end if (then, orelse) == (end.then, end.orelse) else dataclasses.replace(end, then=then, orelse=orelse)
        else:
            values = self.marks.get(end) if isinstance(end, Yield | Break) else None
            end = self.handed(end, values or {}, operations)
        is_same = end is block.terminator and all(map(operator.is_, operations, block.operations))
        return block if is_same and len(operations) == len(block.operations) else Block(tuple(operations), end)

    def handed(self, node: NodeT, values: Mapping[Value, Call], out: list[Operation]) -> NodeT:
        """The node with marks in place of values."""
        if not values:
            return node
        marks: dict[Operand, Value] = {}
        for value, maker in values.items():
            marks[value] = Value(value.name, value.type, value.temporary)
            self.makers[marks[value]] = maker
            out.append(Call(marks[value], Constant(handed_on), (value,), (), maker.span))
        match node:
            case For() | While():
                carried = tuple(dataclasses.replace(one, initial=marks.get(one.initial, one.initial)) for one in node.carried)
                return dataclasses.replace(node, carried=carried)
            case Yield() | Break():
                return dataclasses.replace(node, values=tuple(marks.get(value, value) for value in node.values))
        return node
