"""In-place operators on arrays that may as well make new arrays, since nobody can tell.

``total += x`` changes an array in place. Where no other name of the array is read afterwards, ``total = total + x`` computes
the same, and the array is a value: its adjoint needs no shadow, and what it was before needs no restoring. It is also the only
way for a `total` that begins as a number::

    total = 0.0
    for row in x:
        total += row * row          # total = total + row * row

An array with a second name that is read later (``other = total``), one that the caller knows, or of which views are taken, is
changed in place as the program says.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad.analysis.array_types import UFUNCS, UFUNCS_IN_PLACE, changed_operands, is_array_function, type_of_operation
from s2sad.analysis.memory import references_in
from s2sad.analysis.structure import Structure
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    If,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    operands_of,
)
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

PLAIN: Final[dict[object, object]] = {
    getattr(operator, "i" + name): getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "mod", "pow", "floordiv")
}


def plain_updates(inference: Inference) -> dict[Call, object]:
    """The in-place operators to write as plain ones, each with the plain one."""
    definition = inference.definition
    calls = [node for node in nodes_of(definition) if isinstance(node, Call) and node in inference.resolutions]
    updates: dict[int, list[Call]] = {}
    for call in calls:
        function = inference.resolutions[call].function
        if isinstance(function, type(operator.iadd)) and function in PLAIN:
            region = region_of(inference, call.arguments[0])
            if region is not None and region_of(inference, call.result) == region:
                updates.setdefault(region, []).append(call)
    if not updates:
        return {}
    names = _Names(inference, [call for candidates in updates.values() for call in candidates])
    found: dict[Call, object] = {}
    for region, candidates in updates.items():
        if names.are_simple(region, candidates) and all(
            names.is_last_use(call) and _keeps_precision(inference, call) for call in candidates
        ):
            found.update((call, PLAIN[inference.resolutions[call].function]) for call in candidates)
    return found


def region_of(inference: Inference, operand: Operand) -> int | None:
    """The region of an array."""
    kind = inference.type_of(operand)
    return inference.memory.find(kind.region) if isinstance(kind, ArrayType) else None


_HARMLESS: Final = (len, print, isinstance, type, float, int, bool, abs, operator.is_, operator.is_not)


class _Names:
    """Where the values of a function are used, and which may be one array."""

    def __init__(self, inference: Inference, updates: list[Call]) -> None:
        self.inference = inference
        self.definition = inference.definition
        self.structure = Structure.of(self.definition)
        self.order: dict[Operation | Terminator, int] = {}
        self.home: dict[Operation | Terminator, Block] = {}
        self.uses: dict[Value, list[Operation | Terminator]] = {}
        #: What comes together in a value of a loop or of an arm.
        self.sources: dict[Value, list[Operand]] = {}
        #: Each loop with what it carries and gives.
        self.carried: list[tuple[For | While, Value, Value]] = []
        self._visit(self.definition.body, ())
        self.updates = updates
        self._same = _both_ways(self.sources, updates)

    def _visit(self, block: Block, targets: tuple[Iterable[Value], ...]) -> None:
        for node in (*block.operations, block.terminator):
            self.order[node] = len(self.order)
            self.home[node] = block
            for operand in operands_of(node):
                if isinstance(operand, Value):
                    self.uses.setdefault(operand, []).append(node)
            match node:
                case If():
                    for inner in blocks_of(node):
                        self._visit(inner, (node.results,))
                case For() | While():
                    parameters = [item.parameter for item in node.carried]
                    results = [item.result for item in node.carried]
                    for item in node.carried:
                        self.carried.append((node, item.parameter, item.result))
                        self.sources.setdefault(item.parameter, []).append(item.initial)
                        self.sources.setdefault(item.result, []).append(item.parameter)
                    if isinstance(node, While):
                        self._visit(node.header, ())
                    self._visit(node.body, (parameters, results))
                case Branch():
                    for inner in blocks_of(node):
                        self._visit(inner, targets)
                case Yield(values) | Break(values) if targets:
                    for target, value in zip(targets[-1 if isinstance(node, Break) else 0], values, strict=False):
                        self.sources.setdefault(target, []).append(value)
                case _:
                    for inner in blocks_of(node):
                        self._visit(inner, ())

    def are_simple(self, region: int, updates: list[Call]) -> bool:
        """Whether a region is known here alone, and nothing but these operators changes it or takes views of it."""
        inference, memory = self.inference, self.inference.memory
        given = {memory.find(number) for number in inference.regions.values()}
        outside = {memory.find(r) for _, regions in inference.outside_regions.values() for r in regions.values()}
        held = {memory.find(r) for root in set(memory.content) for k in memory.content[root].values() for r in references_in(k)}
        if region in given | outside | held:
            return False
        for node in nodes_of(self.definition):
            takes = [operand for operand in operands_of(node) if self._refers(operand, region)]
            if isinstance(node, For) and self._refers(node.iterable, region):
                return False
            if not takes or isinstance(node, If | For | While | Yield | Break | Branch) or node in updates:
                if node in updates and isinstance(node, Call) and self._refers(node.arguments[1], region):
                    return False
                continue
            if not isinstance(node, Call):
                if type(node).__name__ in ("Return", "Raise"):
                    continue
                return False
            if (self._refers(node.result, region) and not self._makes_new(node)) or self._changes(node, region):
                return False
        return True

    def _makes_new(self, call: Call) -> bool:
        """Whether the result is a new array for certain: of an operator or a ufunc."""
        resolution = self.inference.resolutions.get(call)
        if resolution is None or resolution.keywords:
            return False
        if isinstance(resolution.function, np.ufunc):
            return len(resolution.arguments) == resolution.function.nin
        return resolution.function in UFUNCS and resolution.function not in UFUNCS_IN_PLACE

    def _refers(self, operand: Operand, region: int) -> bool:
        kind = self.inference.type_of(operand)
        return any(self.inference.memory.find(known) == region for known in references_in(kind))

    def _changes(self, call: Call, region: int) -> bool:
        """Whether a call may change an array of a region that it is given."""
        resolution = self.inference.resolutions.get(call)
        if resolution is None:
            return True
        if resolution.specialisation is not None:
            return any(flags for _, flags in resolution.specialisation.flags)
        function = resolution.function
        arguments = [operand for operand in resolution.arguments if isinstance(operand, Value | Constant)]
        if function is call_method and len(arguments) > 1 and isinstance(arguments[1], Constant):
            function = getattr(np.ndarray, str(arguments[1].value), None)
            arguments = [arguments[0], *arguments[2:]]
        if function in _HARMLESS:
            return False
        known = isinstance(function, np.ufunc) or is_array_function(function) or function in PLAIN or function in PLAIN.values()
        return not known or bool(changed_operands(function, arguments, dict(resolution.keywords)))

    def is_last_use(self, update: Call) -> bool:
        """Whether no other name of the array is read after an update: one that it had before, or one given it beside."""
        target = update.arguments[0]
        if not isinstance(target, Value):
            return True
        earlier = _reached({target}, self.sources)
        later = _reached({update.result}, self._given_on(update))
        names = (earlier | (_reached({target}, self._same) - later)) - self._only_after(update)
        return all(
            self._is_before(use, update, value)
            for value in names
            for use in self.uses.get(value, ())
            if use is not update and not self._only_hands_on(use, value, names)
        )

    def _only_after(self, update: Call) -> set[Value]:
        """The names that are of what the update gives, and of nothing else, in the trip of a loop that makes them."""
        sources = {**self.sources, **{call.result: [call.arguments[0]] for call in self.updates if call is not update}}
        onward: dict[Value, list[Operand]] = {}
        for name, given in sources.items():
            for source in given:
                if isinstance(source, Value):
                    onward.setdefault(source, []).append(name)
        found = _reached({update.result}, onward)
        while mixed := {name for name in found if name is not update.result and not found.issuperset(sources[name])}:
            found -= mixed
        return found

    def _given_on(self, update: Call) -> dict[Value, list[Operand]]:
        """The names that each name becomes from an update on: what goes round a loop around it is next the loop's result."""
        around = {
            parameter: result for node, parameter, result in self.carried if self.structure.encloses(node.body, self.home[update])
        }
        found: dict[Value, list[Operand]] = {}
        for name, sources in self.sources.items():
            for source in sources:
                if isinstance(source, Value):
                    found.setdefault(source, []).append(around.get(name, name))
        for call in self.updates:
            if isinstance(target := call.arguments[0], Value):
                found.setdefault(target, []).append(call.result)
        return found

    def _only_hands_on(self, use: Operation | Terminator, value: Value, names: set[Value]) -> bool:
        """Whether a use only gives the array another one of these names."""
        match use:
            case For() | While():
                return use.carried != () and not (isinstance(use, For) and use.iterable is value)
            case Yield() | Break():
                return any(value in self.sources.get(name, ()) for name in names)
        return False

    def _is_before(self, use: Operation | Terminator, update: Call, value: Value) -> bool:
        """Whether a use of a name comes before an update, or is in another arm."""
        first, second = self.home[use], self.home[update]
        if self._are_exclusive(first, second):
            return True
        if self.order[use] > self.order[update]:
            return False
        block = second
        while block in self.structure.owner:
            owner, parent = self.structure.owner[block]
            is_loop = isinstance(owner, For | While)
            if is_loop and self.structure.encloses(block, first) and not self.structure.is_inside(value, block):
                return False
            block = parent
        return True

    def _are_exclusive(self, first: Block, second: Block) -> bool:
        """Whether two blocks are in different arms of one condition."""
        arms: dict[Operation | Terminator, Block] = {}
        block = first
        while block in self.structure.owner:
            owner, parent = self.structure.owner[block]
            arms[owner] = block
            block = parent
        block = second
        while block in self.structure.owner:
            owner, parent = self.structure.owner[block]
            if isinstance(owner, If | Branch) and owner in arms:
                return arms[owner] is not block
            block = parent
        return False


def _reached(start: set[Value], edges: dict[Value, list[Operand]]) -> set[Value]:
    """The values that edges lead to, with those that they start from."""
    found: set[Value] = set()
    pending = list(start)
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending.extend(operand for operand in edges.get(value, ()) if isinstance(operand, Value))
    return found


def _both_ways(sources: dict[Value, list[Operand]], updates: list[Call]) -> dict[Value, list[Operand]]:
    """The names that each name may be one array with: what is changed in place is the same array after it."""
    pairs = [(name, source) for name, given in sources.items() for source in given if isinstance(source, Value)]
    pairs += [(call.result, target) for call in updates if isinstance(target := call.arguments[0], Value)]
    found: dict[Value, list[Operand]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def _keeps_precision(inference: Inference, update: Call) -> bool:
    """Whether the plain operator gives the dtype that the array has."""
    target, other = (inference.type_of(operand) for operand in update.arguments)
    if not isinstance(target, ArrayType) or not isinstance(other, ArrayType | ScalarType):
        return False
    if any(inference.memory.has_several_dtypes(kind.region) for kind in (target, other) if isinstance(kind, ArrayType)):
        return False
    if target.shape is None:
        return target.dtype == "float64" and (other.dtype or "float64") == "float64" and other.kind != "complex"
    plain = Constant(PLAIN[inference.resolutions[update].function]).value
    values = (Value("", target), Value("", other))
    made = type_of_operation(plain, values)
    return isinstance(made, ArrayType) and made.dtype == target.dtype
