"""Takes a tuple apart where it is made, when only its elements are read: a call's result, a loop's target, a parameter.

Before::                                  After::

    t_1 = decay_reverse(u, k, r)              t_1 = decay_reverse(u, k, r)
    t_2 = getitem(t_1, 0)                     t_5 = unpack(t_1, 2)
    u_bar_3 = add(u_bar_1, t_2)               t_2 = getitem(t_5, 0)
    t_4 = getitem(t_1, 1)                     t_4 = getitem(t_5, 1)
    …                                         u_bar_3 = add(u_bar_1, t_2)
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from s2sad.ir import operations
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Span,
    Terminator,
    Try,
    Value,
    While,
    With,
    blocks_of,
    function_of,
    operands_of,
)
from s2sad.ir.types import IteratorType, TupleType
from s2sad.transform.rewrite import map_blocks, substitute_block, with_operations


def unpack_results(function: Function) -> Function:
    wholes = [(value, in_part) for value, in_part in _wholes(function) if isinstance(value.type, TupleType)]
    if not wholes and operations.unpack not in functions_called(function):
        return function
    readers: defaultdict[Value, list[object]] = defaultdict(list)
    for node in nodes_of(function):
        for operand in operands_of(node):
            if isinstance(operand, Value):
                readers[operand].append(node)
    groups: dict[Value, tuple[Call, ...]] = {}
    passed_on: dict[Value, Operand] = _tuples_of_iterators(function, readers)
    dropped: set[Value] = {value for value in passed_on if isinstance(value, Value)}
    parameters = {parameter.value for parameter in function.parameters}
    perhaps_none = _perhaps_none(function.body)
    for whole, in_part in wholes:
        if whole in perhaps_none:
            continue
        elements = _elements(whole, readers[whole], in_part or whole in parameters)
        if not elements or (whole in parameters and any(element.exact for element in elements)):
            continue
        rebuilt = _rebuilt(whole, elements, readers)
        if rebuilt is not None:
            passed_on[rebuilt] = whole
            dropped |= {rebuilt, *(element.result for element in elements)}
        else:
            groups[whole] = tuple(elements)
    body = _with_elements_together(substitute_block(function.body, passed_on) if passed_on else function.body)
    if groups or dropped:
        body = _Rewriter(groups, frozenset(dropped)).block(body)
        taken = [node for whole in parameters if whole in groups for node in _parts(whole, groups, function.span)]
        body = Block((*taken, *body.operations), body.terminator)
    return replace(function, body=body) if body is not function.body else function


def _tuples_of_iterators(function: Function, readers: Mapping[Value, Sequence[object]]) -> dict[Value, Operand]:
    """The tuples that are made by taking apart what `zip` or `itertools.product` gives, which is such a tuple already: with that.
    Only those that are read as a whole: others are best taken apart in the head of the loop."""
    targets: dict[Operand, int] = {}
    found: dict[Value, Operand] = {}
    for node in nodes_of(function):
        match node:
            case For(Value(type=TupleType(elements)) as target, Value(type=IteratorType())):
                targets[target] = len(elements)
            case Call(result, Constant(operations.unpack), (whole, Constant(count))) if targets.get(whole) == count:
                is_whole = any(not isinstance(reader, Call) or not _is_element(reader) for reader in readers[result])
                if is_whole and isinstance(whole, Value) and len(readers[whole]) == 1:
                    found[result] = whole
    return found


def _with_elements_together(block: Block) -> Block:
    """What an unpacking gives is read right behind it, though something is saved between one element and the next."""
    elements: dict[Value, list[Operation]] = {}
    rest: list[Operation] = []
    for node in block.operations:
        if isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value is operations.unpack:
            elements[node.result] = []
        whole = node.arguments[0] if isinstance(node, Call) and _is_element(node) else None
        if isinstance(node, Call) and isinstance(whole, Value) and whole in elements and isinstance(node.arguments[1], Constant):
            elements[whole].append(node)
        else:
            rest.append(map_blocks(node, _with_elements_together))
    together: list[Operation] = []
    for node in rest:
        together.append(node)
        if isinstance(node, Call):
            together += elements.get(node.result, ())
    return with_operations(block, together, map_blocks(block.terminator, _with_elements_together))


def _wholes(function: Function) -> Iterator[tuple[Value, bool]]:
    """What may be taken apart, if it is a tuple, and whether some of its elements may be left."""
    yield from ((parameter.value, False) for parameter in function.parameters)
    for node in nodes_of(function):
        if isinstance(node, Call) and node.result.temporary and not _is_display(node):
            yield node.result, isinstance(node.function, Constant) and isinstance(node.function.value, Callee)
        elif isinstance(node, For) and node.target.temporary:
            yield node.target, True


def _perhaps_none(block: Block) -> set[Value]:
    """What is taken out of a container, and read in inner blocks alone: what was kept on a way around these is None."""
    taken = {node.result for node in block.operations if isinstance(node, Call) and _is_taken_out(node)}
    for node in block.operations:
        if isinstance(node, Call):
            taken.difference_update(node.arguments)
    inner = [part for node in (*block.operations, block.terminator) for part in blocks_of(node)]
    return taken.union(*map(_perhaps_none, inner))


def _is_taken_out(node: Call) -> bool:
    return function_of(node) in (operator.getitem, operations.call_method)


def _is_display(node: Call) -> bool:
    return isinstance(node.function, Constant) and node.function.value in (operations.make_tuple, operations.unpack)


def _elements(whole: Value, readers: list[object], in_part: bool) -> list[Call]:
    """The reads of the elements in order; none unless each is read just once (`in_part`: at most once) and nothing else is."""
    if not isinstance(whole.type, TupleType):
        return []
    by_place: dict[int, Call] = {}
    for reader in readers:
        match reader:
            case Call(_, Constant(operator.getitem), (tuple_, Constant(int() as place))) if tuple_ is whole:
                by_place[place] = reader
            case _:
                return []
    length = len(whole.type.elements)
    if length < 2 or not by_place or len(readers) != len(by_place) or not set(by_place) <= set(range(length)):
        return []
    return [by_place[place] for place in sorted(by_place)] if in_part or len(by_place) == length else []


def _rebuilt(whole: Value, elements: list[Call], readers: Mapping[Value, list[object]]) -> Value | None:
    """The tuple that is made of all the elements again."""
    assert isinstance(whole.type, TupleType)
    found = {id(reader): reader for element in elements for reader in readers[element.result]}
    match list(found.values()):
        case [Call(result, Constant(operations.make_tuple), made)] if (
            made == tuple(element.result for element in elements)
            and len(made) == len(whole.type.elements)
            and all(len(readers[element.result]) == 1 for element in elements)
        ):
            return result
        case _:
            return None


def _parts(whole: Value, groups: Mapping[Value, tuple[Call, ...]], span: Span | None) -> list[Operation]:
    """The unpacking of a tuple, and of the tuples in it that are taken apart too."""
    assert isinstance(whole.type, TupleType)
    parts = Value("", whole.type, temporary=True)
    count = Constant(len(whole.type.elements))
    taken = Call(parts, Constant(operations.unpack), (whole, count), (), span, exact=False)
    unpacked: list[Operation] = [taken]
    for element in groups[whole]:
        unpacked.append(replace(element, arguments=(parts, element.arguments[1])))
    for element in groups[whole]:
        if element.result in groups:
            unpacked += _parts(element.result, groups, span)
    return unpacked


@dataclass(frozen=True, slots=True)
class _Rewriter:
    groups: Mapping[Value, tuple[Call, ...]]
    dropped: frozenset[Value]

    def block(self, block: Block) -> Block:
        kept: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call):
                if node.result in self.dropped or (_is_element(node) and node.arguments[0] in self.groups):
                    continue
                kept.append(node)
                if node.result in self.groups:
                    kept += _parts(node.result, self.groups, node.span)
            else:
                kept.append(self.region(node))
        return Block(tuple(kept), self.terminator(block.terminator))

    def terminator(self, node: Terminator) -> Terminator:
        if isinstance(node, Branch):
            return replace(node, then=self.block(node.then), orelse=self.block(node.orelse))
        return node

    def region(self, node: Operation) -> Operation:
        match node:
            case If():
                return replace(node, then=self.block(node.then), orelse=self.block(node.orelse))
            case For(target):
                body = self.block(node.body)
                if target in self.groups:
                    body = Block((*_parts(target, self.groups, node.span), *body.operations), body.terminator)
                return replace(node, body=body)
            case While():
                return replace(node, header=self.block(node.header), body=self.block(node.body))
            case Try():
                handlers = tuple(replace(handler, body=self.block(handler.body)) for handler in node.handlers)
                return replace(node, body=self.block(node.body), handlers=handlers)
            case With():
                return replace(node, body=self.block(node.body))
            case _:
                return node


def _is_element(node: Call) -> bool:
    return isinstance(node.function, Constant) and node.function.value is operator.getitem
