"""Iterators that are read in one place, at most once: there, a list of their elements (or the list that they run over) does as
well, and has a derivative.

In ``pairs = map(f, xs); total = sum(pairs)`` the `map` is a list. In ``numbers = iter(xs); first = next(numbers); rest =
sum(numbers)`` the iterator stays one.
"""

from __future__ import annotations

import builtins
import itertools
import operator
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from s2sad.analysis.binding import Packed
from s2sad.analysis.memory import references_in
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.simple_types import STRING
from s2sad.analysis.structure import Structure
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, For, Function, Operand, Operation, Terminator, Value, arguments_of, operands_of, walk
from s2sad.ir.operations import call_method, elements_of, make_dict, make_list, make_tuple, store_cell, unpack
from s2sad.ir.types import DictType, ListType, strip_optional
from s2sad.rules import lookup
from s2sad.rules.core import ModelRule, model_with_body

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

#: What goes over an iterator that it is given, and does not keep it.
_READERS: Final[tuple[object, ...]] = (
    *(unpack, operator.contains, operator.iadd, list, tuple, set, frozenset, dict, enumerate, zip, iter, next, any, all),
    *(builtins.min, builtins.max, elements_of),
)
_READING_METHODS: Final = ("extend", "update", "join", "fromkeys")
_LOOKING_METHODS: Final = ("index", "count", "copy", "get", "keys", "values", "items")
_KEEPING_METHODS: Final = ("append", "appendleft", "insert", "add", "setdefault", "put")
#: What gives the elements themselves, and looks at nothing that they hold.
_PASSING_ON: Final = (
    *(itertools.combinations, itertools.combinations_with_replacement, itertools.permutations, itertools.product),
    *(itertools.pairwise, itertools.chain, itertools.islice, itertools.zip_longest),
)


class NativeIteratorError(Exception):
    """Type inference has to start again: an iterator is not read just once after all."""

    def __init__(self, call: Call) -> None:
        super().__init__(call)
        self.call = call


def values_read_once(fn: Function) -> dict[Value, Operation | Terminator | None]:
    """The values that one node uses, no deeper in loops than they are defined, as an iterable; and that node."""
    structure = Structure.of(fn)
    uses: defaultdict[Value, list[tuple[Operation | Terminator, int]]] = defaultdict(list)
    for node, depth in _nodes(fn, structure):
        for operand in operands_of(node):
            if isinstance(operand, Value):
                uses[operand].append((node, depth))
    found: dict[Value, Operation | Terminator | None] = {}
    for value, home in structure.home.items():
        match uses[value]:
            case []:
                found[value] = None
            case [(node, depth)] if depth == structure.depth[home] and _takes_iterable(node, value, structure):
                found[value] = node
    return found


def _nodes(fn: Function, structure: Structure) -> Iterator[tuple[Operation | Terminator, int]]:
    for block, depth in structure.depth.items():
        for node in (*block.operations, block.terminator):
            yield node, depth


def _takes_iterable(node: Operation | Terminator, value: Value, structure: Structure) -> bool:
    """Whether a node may go over a value; what stores it or asks for its truth does not."""
    if isinstance(node, For):
        return node.iterable is value
    if not isinstance(node, Call) or node.function is value:
        return False
    if not isinstance(node.function, Constant):
        return True
    function = node.function.value
    if function is call_method:
        name = node.arguments[1]
        is_kept = isinstance(name, Constant) and name.value in _KEEPING_METHODS
        return not is_kept and node.arguments[0] is not value
    if function is operator.setitem:
        return node.arguments[2] is value and _is_slice(node.arguments[1], structure)
    return isinstance(function, Callee) or function in _READERS or isinstance(lookup(function), ModelRule)


def _is_slice(key: Operand, structure: Structure) -> bool:
    if isinstance(key, Constant):
        return isinstance(key.value, slice)
    maker = structure.definition.get(key)
    return isinstance(maker, Call) and isinstance(maker.function, Constant) and maker.function.value is slice


def check_readers(inference: Inference) -> None:
    """Raise `NativeIteratorError` for an iterator that counts as a list, where the function that reads it may do so twice."""
    for call, resolution in inference.resolutions.items():
        if not resolution.given_once:
            continue
        reader = inference.read_once[call.result]
        if not _reads_once(inference, reader, call.result) or _is_changed_before(inference, call, resolution, reader):
            raise NativeIteratorError(call)


def _is_changed_before(inference: Inference, call: Call, resolution: Resolution, reader: Operation | Terminator | None) -> bool:
    """Whether what an iterator goes over may change between where it is made and where it is read, which is when Python looks."""
    if resolution.alias is not None or reader is None:
        return False  # the list itself is read
    freeze = inference.memory.freeze
    find, passes_on = inference.memory.find, resolution.iterator is not None and resolution.iterator.function in _PASSING_ON
    kinds = [strip_optional(inference.type_of(operand)) for operand in arguments_of(call)]
    read = {
        find(region)
        for kind in kinds
        for region in ((kind.region,) if passes_on and isinstance(kind, ListType | DictType) else references_in(freeze(kind)))
    }
    nodes = [*walk(inference.definition.body)]
    between = nodes[nodes.index(call) + 1 : nodes.index(reader)]
    between += walk(reader.body) if isinstance(reader, For) else ()
    return any(isinstance(node, Call) and may_change(inference, node, read) for node in between)


def may_change(inference: Inference, call: Call, regions: set[int]) -> bool:
    """Whether a call may change one of these containers, or a variable that a function has captured."""
    resolution = inference.resolutions.get(call)
    function = resolution.function if resolution is not None else None
    if isinstance(call.function, Constant) and call.function.value is store_cell:
        return True
    unit = resolution.specialisation if resolution is not None else None
    if unit is not None and not any(flags for _, flags in unit.flags):
        return False
    given = {inference.memory.find(region) for operand in call.arguments for region in references_in(inference.type_of(operand))}
    return not regions.isdisjoint(given) and (unit is not None or not _only_reads(call, function))


def _only_reads(call: Call, function: object) -> bool:
    if function is call_method:
        return isinstance(call.arguments[1], Constant) and call.arguments[1].value in _LOOKING_METHODS
    return function in _READERS or function in (operator.getitem, getattr, len, sum, make_tuple, make_list, make_dict)


def _reads_once(inference: Inference, reader: Operation | Terminator | None, value: Value) -> bool:
    if not isinstance(reader, Call):
        return True  # a loop, or nothing
    resolution = inference.resolutions.get(reader)
    if resolution is None:
        return True  # never reached
    unit = resolution.specialisation
    if unit is None:
        return _is_reader(inference, reader, resolution)
    if model_with_body(unit.python_function) is not None:
        return True
    places = [index for index, item in enumerate(resolution.arguments) if item is value]
    return unit.complete and bool(places) and all(_parameter_is_read_once(unit.function, index) for index in places)


def _is_reader(inference: Inference, reader: Call, resolution: Resolution) -> bool:
    """Whether a function that is called as it is goes over its operands, and keeps none of them."""
    function = resolution.function
    if resolution.alias is not None or function in _READERS or function is operator.setitem:
        return True
    if function is call_method:
        receiver, name = resolution.arguments[:2]
        kind = strip_optional(inference.type_of(receiver)) if not isinstance(receiver, Packed) else None
        is_known = isinstance(kind, ListType | DictType) or kind == STRING
        return is_known and isinstance(name, Constant) and name.value in _READING_METHODS
    return isinstance(lookup(function), ModelRule)


def _parameter_is_read_once(fn: Function, index: int) -> bool:
    """Whether a typed function goes over one of its parameters at most once."""
    value = fn.parameters[index].value
    reads = values_read_once(fn)
    if value not in reads:
        return False
    reader = reads[value]
    if not isinstance(reader, Call) or not isinstance(reader.function, Constant):
        return not isinstance(reader, Call)
    function = reader.function.value
    if not isinstance(function, Callee):
        return function is not call_method or _is_reading_method(reader)
    if model_with_body(getattr(function.unit, "python_function", None)) is not None:
        return True
    inner = getattr(function.unit, "function", None)
    if not isinstance(inner, Function) or not getattr(function.unit, "complete", False) or inner is fn:
        return False
    places = [place for place, operand in enumerate(reader.arguments) if operand is value]
    return all(_parameter_is_read_once(inner, place) for place in places)


def _is_reading_method(call: Call) -> bool:
    name = call.arguments[1]
    return isinstance(name, Constant) and name.value in _READING_METHODS
