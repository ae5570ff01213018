"""Elements of iterators that are computed before they are asked for, as a list: allowed where nobody can tell.

Where a loop reads an iterator, it is part of the loop (see :mod:`s2sad.analysis.fuse_iterators`). Elsewhere its elements are
computed all at once. That is the same if to compute them has no effect (it prints nothing, changes nothing, raises nothing), or
if what reads them takes all of them on the spot. Refused::

    parts = itertools.chain(map(f, xs), ys)     # f prints
    for part in parts:
        if part > 1:
            break                               # the rest is never asked for
"""

from __future__ import annotations

import builtins
import itertools
import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from s2sad.analysis.iterator_loops import breaks
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.structure import Structure
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, effects_of
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Raise,
    Terminator,
    Try,
    Value,
    While,
    With,
    blocks_of,
    function_of,
    walk,
)
from s2sad.ir.operations import (
    call_method,
    elements_of,
    iterator_of,
    load_captured,
    load_cell,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_set,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import ListType, TupleType
from s2sad.rules import lookup
from s2sad.rules.core import ModelRule, model_with_body

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference
    from s2sad.analysis.specialisation import Specialisation


@dataclass(frozen=True, slots=True)
class Visible:
    """What can be told from outside of a computation: it changes something or prints (`acts`), it may raise, or it `reads` what
    may be something else at another time."""

    acts: bool = False
    raises: bool = False
    reads: bool = False

    def __or__(self, other: Visible) -> Visible:
        return Visible(self.acts or other.acts, self.raises or other.raises, self.reads or other.reads)

    def __bool__(self) -> bool:
        return self.acts or self.raises or self.reads


_NOTHING: Final = Visible()
_ANYTHING: Final = Visible(acts=True, raises=True)
_MAKERS: Final = (make_list, make_dict, make_set, list, dict, set, make_cell)
_CHANGES: Final = (operator.setitem, operator.delitem, store_cell, setattr, set_frozen)
#: What they give does not change while a function runs.
_FIXED: Final = (load_global, load_captured, enumerate, zip, reversed, range)
_CHANGING: Final = ("append", "extend", "insert", "pop", "clear", "add", "update", "sort", "reverse", "setdefault", "appendleft")
#: What takes all elements at once, and what does so and gives an iterator or list of its own.
_TAKERS: Final = (
    *(builtins.sum, builtins.min, builtins.max, builtins.sorted, builtins.list, builtins.tuple, builtins.set, builtins.frozenset),
    *(builtins.dict, unpack, operator.setitem, math.fsum, math.prod),
)
_TAKING_METHODS: Final = ("extend", "update", "join", "fromkeys")
_PASSING_ALL_ON: Final = (
    *(builtins.map, builtins.filter, builtins.enumerate, itertools.starmap, itertools.filterfalse, itertools.chain),
    *(itertools.accumulate, itertools.pairwise, itertools.dropwhile, itertools.chain.from_iterable, itertools.product),
    *(itertools.combinations, itertools.permutations, itertools.combinations_with_replacement),
)


def refuse_early_elements(unit: Specialisation) -> None:
    """Raise where a program is made of a function whose iterators would give their elements too early."""
    if unit.refusals:
        raise unit.refusals[0]


# --- what a computation does ----------------------------------------------------------------------------------------------------


def effects_of_maker(inference: Inference, maker: Call) -> Visible:
    """What it means to compute the elements of an iterator."""
    resolution = inference.resolutions.get(maker)
    if resolution is None or resolution.iterator is None:
        return _NOTHING
    if resolution.iterator.function is not iterator_of:
        unit = resolution.specialisation
        operands = (*resolution.iterator.arguments, *(operand for _, operand in resolution.iterator.keywords))
        if unit is None or not any(map(inference.resolver.is_function, operands)):
            return _NOTHING  # elements of lists and numbers, put together in another way
        # what it reads does not change before it is read: see `given_once`
        return replace(_effects_of_unit(unit, frozenset()), reads=False)
    found = _NOTHING
    private = _made(nodes_that_compute(inference, maker))
    for node in nodes_that_compute(inference, maker):
        found |= _effects_of_node(inference, node, private)
    return found


def nodes_that_compute(inference: Inference, maker: Call) -> list[Operation | Terminator]:
    """The nodes that compute the elements of a generator expression: from the list that is made to the end."""
    for block in _blocks(inference.definition.body):
        if maker in block.operations:
            results = [operation.result if isinstance(operation, Call) else None for operation in block.operations]
            if maker.arguments[0] not in results:
                break
            between = block.operations[results.index(maker.arguments[0]) : block.operations.index(maker)]
            return [*walk(Block(between, block.terminator))][:-1]
    return [*walk(inference.definition.body)]


def _blocks(body: Block) -> Iterable[Block]:
    yield body
    for node in (*body.operations, body.terminator):
        for inner in blocks_of(node):
            yield from _blocks(inner)


def _made(nodes: Iterable[Operation | Terminator]) -> frozenset[Operand]:
    """Containers made on the way, which nobody else sees."""
    calls = [node for node in nodes if isinstance(node, Call)]
    return frozenset(call.result for call in calls if any(function_of(call) is maker for maker in _MAKERS))


def _effects_of_node(inference: Inference, node: Operation | Terminator, private: frozenset[Operand]) -> Visible:
    """What one node does, of a function whose types are being inferred."""
    if isinstance(node, Raise | While):
        return Visible(raises=True)
    if isinstance(node, With):
        return _ANYTHING
    if not isinstance(node, Call) or _changes_only(node, private):
        return _NOTHING
    resolution = inference.resolutions.get(node)
    if resolution is None or resolution.alias is not None:
        return _NOTHING  # never reached, or nothing is done
    if resolution.specialisation is not None:
        return _effects_of_unit(resolution.specialisation, frozenset())
    if resolution.constant is not None:
        return _NOTHING

    def typed(operand: Operand) -> Operand:
        known = inference.constant_of(operand)
        if known is not None or isinstance(operand, Constant):
            return known or operand
        return Value(operand.name, inference.memory.freeze(inference.type_of(operand)))

    function = resolution.function if resolution.function is not None else typed(node.function)
    arguments = [item for item in resolution.arguments if isinstance(item, Value | Constant)] or node.arguments
    result = typed(node.result)
    call = Call(
        result if isinstance(result, Value) else node.result,
        function if isinstance(function, Value | Constant) else Constant(function),
        tuple(map(typed, arguments)),
        tuple((name, typed(operand)) for name, operand in node.keywords),
    )
    return _effects_of_call(call, frozenset())


def _effects_of_unit(unit: Specialisation, on_the_way: frozenset[int]) -> Visible:
    """What a call of a typed function does that others can tell."""
    if not unit.complete or id(unit) in on_the_way:
        return _ANYTHING
    return _effects_of_function(unit.function, on_the_way | {id(unit)})


def _effects_of_function(function: Function, on_the_way: frozenset[int]) -> Visible:
    nodes = nodes_of(function)
    private = _made(nodes)
    found = _NOTHING
    for node in nodes:
        if isinstance(node, Raise | While):
            found |= Visible(raises=True)
        elif isinstance(node, With):
            return _ANYTHING
        elif isinstance(node, Call) and not _changes_only(node, private):
            found |= _effects_of_call(node, on_the_way)
    return found


def _effects_of_call(call: Call, on_the_way: frozenset[int]) -> Visible:
    function = function_of(call)
    unit = function.unit if isinstance(function, Callee) else None
    if isinstance(function, Callee) and hasattr(unit, "function") and hasattr(unit, "complete"):
        return _effects_of_unit(unit, on_the_way)  # type: ignore[arg-type]
    effects = effects_of(call)
    is_fixed = any(function is one for one in _FIXED) or (function is getattr and isinstance(call.arguments[0], Constant))
    raises = effects.raises and not is_fixed and not _cannot_fail(function, call)
    return Visible(effects.writes or effects.acts, raises, effects.reads and not is_fixed)


def _cannot_fail(function: object, call: Call) -> bool:
    """Whether an operation on containers raises nothing, whatever they hold."""
    if function is call_method:
        return isinstance(call.arguments[1], Constant) and call.arguments[1].value in ("keys", "values", "items", "get", "copy")
    if function is operator.add:
        return isinstance(call.result.type, ListType)
    if function is operator.getitem:  # what a nested function has captured
        owner, place = call.arguments
        return isinstance(owner, Value) and isinstance(owner.type, TupleType) and isinstance(place, Constant)
    return any(function is one for one in (len, list, dict, set, tuple, operator.contains, load_cell))


def _changes_only(call: Call, private: frozenset[Operand]) -> bool:
    """Whether a call makes a container, or changes one that was made on the way, and does nothing else."""
    function = function_of(call)
    if not call.arguments or call.arguments[0] not in private:
        return False
    if function is call_method:
        return isinstance(call.arguments[1], Constant) and call.arguments[1].value in _CHANGING
    return any(function is one for one in _CHANGES)


# --- who reads the elements -----------------------------------------------------------------------------------------------------


def refusals_of_early_elements(inference: Inference) -> tuple[UnsupportedSyntaxError, ...]:
    """The iterators of a function whose elements are computed before Python does it, where that can be told."""
    found = [maker for maker, resolution in inference.resolutions.items() if _is_early(resolution)]
    if not found:
        return ()
    structure = Structure.of(inference.definition)
    return tuple(
        _refusal(inference, maker)
        for maker in found
        if (effects := effects_of_maker(inference, maker)) and not _is_unseen(inference, structure, maker, effects)
    )


def _is_early(resolution: Resolution) -> bool:
    """Whether a call that gives an iterator in Python gives the list of its elements here."""
    made = resolution.iterator
    return made is not None and (resolution.given_once or made.function is iterator_of)


def _refusal(inference: Inference, maker: Call) -> UnsupportedSyntaxError:
    resolution = inference.resolutions[maker]
    assert resolution.iterator is not None
    function = resolution.iterator.function
    what = "this generator expression" if function is iterator_of else f"{getattr(function, '__name__', function)}()"
    return UnsupportedSyntaxError(
        f"the elements of {what} would be computed all at once here, where Python computes each when it is asked for; to compute "
        "them prints, changes something, reads what may change, or may raise. Write the loop in place of the iterator, or make a "
        f"list of it first if all elements are wanted: [...].\n{describe_place(maker.span)}"
    )


def _is_unseen(inference: Inference, structure: Structure, maker: Call, effects: Visible) -> bool:
    """Whether all elements are taken right where they are computed, by something that has no effects in between."""
    value: Operand = maker.result
    reader = inference.read_once.get(maker.result)
    while True:
        if not isinstance(value, Value) or reader is None:
            return False
        if isinstance(reader, For):
            return (
                not effects.acts
                and not breaks(reader.body)
                and not _acts(inference, structure, maker, reader)
                and _follows(inference, structure, maker, reader)
            )
        if isinstance(reader, Call) and function_of(reader) is elements_of:
            return False  # they are asked for later
        if not isinstance(reader, Call) or not _follows(inference, structure, maker, reader):
            return False
        resolution = inference.resolutions.get(reader)
        if resolution is None:
            return True  # never reached
        own = _effects_of_node(inference, reader, frozenset())
        if resolution.specialisation is not None and (own.acts or (effects.acts and own.raises)):
            return False
        if not _takes_all(inference, reader, resolution, value):
            return False
        if resolution.iterator is None and resolution.function is not enumerate:
            return True
        value, reader = reader.result, inference.read_once.get(reader.result)


def _takes_all(inference: Inference, reader: Call, resolution: Resolution, value: Value) -> bool:
    """Whether a call asks for all elements of an iterator among its operands."""
    unit = resolution.specialisation
    if resolution.iterator is not None:
        return any(resolution.iterator.function is one for one in _PASSING_ALL_ON)
    if unit is not None and model_with_body(unit.python_function) is not None:
        return True  # `sum`, `reduce`, `sorted`, …
    if unit is not None:
        places = [index for index, item in enumerate(resolution.arguments) if item is value]
        return unit.complete and bool(places) and all(_parameter_is_taken(unit.function, index) for index in places)
    function = resolution.function
    if function is call_method:
        return (
            isinstance(reader.arguments[1], Constant)
            and reader.arguments[1].value in _TAKING_METHODS
            and not _is_read_meanwhile(inference, value, reader.arguments[0])
        )
    if function is operator.iadd:
        return not _is_read_meanwhile(inference, value, reader.arguments[0])
    return function is enumerate or _is_taker(function)


def _is_taker(function: object) -> bool:
    rule = lookup(function)
    return any(function is one for one in _TAKERS) or (isinstance(rule, ModelRule) and not rule.gives_iterator)


def _is_read_meanwhile(inference: Inference, value: Value, container: Operand) -> bool:
    """Whether the container that takes the elements may be read where they are computed."""
    find = inference.memory.find
    own = {find(region) for region in references_in(inference.type_of(container))}
    maker = next(maker for maker in inference.resolutions if maker.result is value)
    used = _used(inference, maker)
    return any(find(region) in own for operand in used for region in references_in(inference.type_of(operand)))


def _used(inference: Inference, maker: Call) -> list[Operand]:
    """What goes into the computation of elements."""
    resolution = inference.resolutions[maker]
    if resolution.iterator is not None and resolution.iterator.function is not iterator_of:
        return [*maker.arguments]
    nodes = nodes_that_compute(inference, maker)
    made = _made(nodes)
    return [operand for node in nodes if isinstance(node, Call) for operand in node.arguments if operand not in made]


def _parameter_is_taken(function: Function, index: int) -> bool:
    """Whether a typed function goes over a parameter to its end, before anything else may happen."""
    value = function.parameters[index].value
    for node in function.body.operations:
        if isinstance(node, For) and node.iterable is value:
            return not breaks(node.body)
        if isinstance(node, Call) and value in node.arguments and isinstance(node.function, Constant):
            called = node.function.value
            if isinstance(called, Callee):
                inner = getattr(called.unit, "function", None)
                if model_with_body(getattr(called.unit, "python_function", None)) is not None:
                    return True
                if not isinstance(inner, Function) or inner is function:
                    return False
                return _parameter_is_taken(inner, node.arguments.index(value))
            return _is_taker(called)
        if not isinstance(node, Call):
            return False
    return False


def _acts(inference: Inference, structure: Structure, maker: Call, loop: For) -> bool:
    """Whether the body of a loop does something that can be told before the last element is asked for, or that the elements read.
    A list that was made in this function is not seen if that is left by an exception."""
    nodes = [*walk(loop.body)]
    private = _made(nodes)
    if not _is_guarded(structure, structure.home[maker.result]):
        find = inference.memory.find
        read = {find(region) for operand in _used(inference, maker) for region in references_in(inference.type_of(operand))}
        for made in _made(walk(inference.definition.body)):
            if read.isdisjoint(map(find, references_in(inference.type_of(made)))):
                private |= {made}
    return any(_effects_of_node(inference, node, private).acts for node in nodes)


def _is_guarded(structure: Structure, block: Block) -> bool:
    """Whether a block stands inside `try`."""
    while block in structure.owner:
        node, block = structure.owner[block]
        if isinstance(node, Try):
            return True
    return False


def _follows(inference: Inference, structure: Structure, maker: Call, reader: Call | For) -> bool:
    """Whether a call is made whenever the iterator is, and nothing can be told to happen in between."""
    home = structure.home[maker.result]
    if reader not in home.operations:
        return False
    between = home.operations[home.operations.index(maker) + 1 : home.operations.index(reader)]
    private = _made(between)
    return not any(
        _effects_of_node(inference, node, private).acts
        for one in between
        for node in (one, *(inner for block in blocks_of(one) for inner in walk(block)))
    )
