"""Activity: which values carry a derivative from the inputs of interest to the result.

The derivative flows along the edges of a graph: from operands to results, from stored values into the region of a
container and from there to what is loaded, along the carried values of loops. A value is *varied* if it can be reached from an input of interest,
*useful* if the result can be reached from it, *active* if both; only active values get an adjoint.

In ``def f(x, n): y = x * n; z = math.floor(x); return y * z`` with respect to ``x``, the values x and y are active; z is not, since ``floor``
has the derivative zero.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.memory import references_in
from s2sad.ir.effects import Callee
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
from s2sad.ir.operations import call_method, make_cell, make_dict, make_list, make_tuple, new_object, store_cell
from s2sad.ir.types import (
    AnyType,
    FunctionType,
    IteratorType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
)
from s2sad.rules.core import ZeroDerivative

Item = object

_METHODS_WITHOUT_DERIVATIVE = {"index", "count", "keys", "format", "is_integer", "as_integer_ratio", "hex", "bit_length"}


def carries_derivative(kind: Type) -> bool:
    """Whether a value of this type can have an adjoint of its own (containers have shadows instead)."""
    match kind:
        case ScalarType():
            return kind.is_real
        case AnyType():
            return True
        case OptionalType(inner):
            return carries_derivative(inner)
        case TupleType(elements=elements):
            return any(map(carries_derivative, elements))
        case FunctionType(captured=captured):
            return any(map(carries_derivative, captured))
        case IteratorType(element=element):
            return carries_derivative(element)
    return False


def items_of(operand: Operand) -> list[Item]:
    """What stands for an operand in the graph: the value itself, and the regions that it refers to."""
    if not isinstance(operand, Value):
        return []
    items: list[Item] = [operand] if carries_derivative(operand.type) else []
    items.extend(references_in(operand.type))
    return items


@dataclass(frozen=True, slots=True)
class Activity:
    """The active values and regions of a function for one choice of inputs."""

    items: frozenset[Item]

    def __contains__(self, operand: Operand) -> bool:
        """Whether an operand carries a derivative, itself or in a container that it refers to."""
        return any(item in self.items for item in items_of(operand))

    def is_region_active(self, region: int) -> bool:
        """Whether a container holds active values."""
        return region in self.items


def find_activity(function: Function, inputs: Iterable[Operand], outputs: Iterable[Item] = ()) -> Activity:
    """The activity with respect to these inputs; `outputs` are regions that a caller looks at besides the result."""
    graph = _Graph()
    graph.block(function.body, ())
    sources = [item for value in inputs for item in items_of(value)]
    varied = _reach(graph.forward, sources)
    useful = _reach(graph.backward, [*graph.returned, *outputs])
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

    def edge(self, source: Item, target: Item) -> None:
        if source != target:
            self.forward.setdefault(source, []).append(target)
            self.backward.setdefault(target, []).append(source)

    def copy(self, source: Operand, target: Value) -> None:
        """`target` may be `source`: their regions are the same already."""
        if isinstance(source, Value) and carries_derivative(source.type) and carries_derivative(target.type):
            self.edge(source, target)

    def flow(self, sources: Iterable[Operand], targets: Iterable[Item]) -> None:
        targets = list(targets)
        for source in sources:
            for item in items_of(source):
                for target in targets:
                    self.edge(item, target)

    def block(self, block: Block, leaving: tuple[Sequence[Sequence[Value]], ...]) -> None:
        """`leaving`: for a `Yield` and for a `Break`, the lists of values that take what it hands on."""
        for operation in block.operations:
            match operation:
                case Call():
                    self.call(operation)
                case MakeFunction(result, _, captured, defaults):
                    for operand in (*captured, *defaults):
                        if isinstance(operand, Value) and carries_derivative(operand.type):
                            self.edge(operand, result)
                case If(_, then, orelse, results):
                    self.block(then, ([results],))
                    self.block(orelse, ([results],))
                case For(target, iterable, carried, body):
                    self.flow([iterable], items_of(target))
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
                        self.block(handler.body, ([results],))
                case With(_, _, body, results):
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
                self.returned.extend(items_of(value))
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
            return
        if function is call_method:
            receiver, name, *rest = call.arguments
            if isinstance(name, Constant) and name.value in _METHODS_WITHOUT_DERIVATIVE:
                return
            if isinstance(rule_of_call(call)[0], ZeroDerivative):
                return
            self.flow(operands, items_of(call.result))
            self.flow([*rest, *(operand for _, operand in call.keywords)], _own_region(receiver))
            return
        if isinstance(call.function, Constant) and isinstance(rule_of_call(call)[0], ZeroDerivative):
            return
        if function in (make_list, make_dict, make_cell):
            self.flow(operands, _own_region(call.result))
            return
        if function in (make_tuple, new_object):
            for operand in operands:
                if isinstance(operand, Value) and carries_derivative(operand.type):
                    self.edge(operand, call.result)
            return
        if function in _STORES:
            self.flow(operands[_STORES[function] :], _own_region(operands[0]))
            return
        self.flow(operands, items_of(call.result))
        if function in _IN_PLACE and _own_region(operands[0]):
            self.flow(operands[1:], _own_region(operands[0]))

    def callee(self, call: Call, callee: Callee, operands: Sequence[Operand]) -> None:
        """Any argument may influence the result and every container that the callee changes."""
        self.flow(operands, items_of(call.result))
        written = getattr(callee.unit, "written", None)
        numbers: dict[int, int] = {}
        for operand in operands:
            for region in references_in(operand.type) if isinstance(operand, Value) else ():
                number = numbers.setdefault(region, len(numbers) + 1)
                if written is None or written(number):
                    self.flow(operands, [region])


def _own_region(operand: Operand) -> list[Item]:
    """The region of a container itself (not of what it contains)."""
    regions = references_in(operand.type) if isinstance(operand, Value) else {}
    return list(regions)[:1]


_STORES = {operator.setitem: 2, setattr: 2, store_cell: 1}
_IN_PLACE = {operator.iadd, operator.imul}
