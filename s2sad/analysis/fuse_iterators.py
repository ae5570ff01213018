"""Iterators whose elements are computed one by one in the loop that asks for them, as Python does it.

Before::

    squares = map(f, xs)
    for y in squares:
        s += y

After::

    for x in xs:
        y = f(x)
        s += y

So it is with generator expressions, `filter`, `starmap`, `takewhile`, `dropwhile`, `islice`, and with `zip` and `enumerate` of
them. `next`, `in`, `any` and `all` are loops that stop at the element that decides. What takes all elements (`sum`, `list`, …)
gets them where it stands, and what nobody reads is not made at all.
"""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from s2sad.analysis.given_once import values_read_once
from s2sad.analysis.iterator_loops import (
    Consumer,
    collected,
    collecting_loop,
    dropping_loop,
    emit,
    fills,
    first_element,
    is_append,
    with_element,
    with_operand,
    with_value,
    write_out_lambda,
)
from s2sad.analysis.resolution import Iterating
from s2sad.analysis.structure import Structure
from s2sad.analysis.unroll import Copy, with_blocks
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Value,
    Yield,
    blocks_of,
    function_of,
    is_one_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import call_unpacked, iterator_of, make_dict, make_tuple, unpack
from s2sad.ir.types import INT

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

#: What gives elements of others, each at the place of one: with which a loop over the others can be made one over the result.
_BY_PLACE: Final = (builtins.map, builtins.zip, builtins.enumerate, itertools.islice)
#: What leaves elements out, or takes them apart.
_CHOOSING: Final = (builtins.filter, itertools.filterfalse, itertools.takewhile, itertools.dropwhile, itertools.starmap)
_SEARCHES: Final = (builtins.next, builtins.any, builtins.all)


class FusionError(Exception):
    """Type inference has to start again, with iterators made part of the loops that read them."""

    def __init__(self, definition: Function) -> None:
        super().__init__(definition)
        self.definition = definition


def fuse_iterators(inference: Inference, runs_ahead: Callable[[Call], bool]) -> None:
    """Raise `FusionError` where an iterator is read by a loop, or not where it is made. `runs_ahead`: whether to compute the
    elements of an iterator has effects, so that not one more may be computed than Python does."""
    if not any(resolution.iterator is not None for resolution in inference.resolutions.values()):
        return
    definition = inference.definition
    while (fused := _Fusion(inference, definition, runs_ahead).step()) is not None:
        definition = fused
    if definition is not inference.definition:
        raise FusionError(definition)


@dataclass(frozen=True, slots=True, eq=False)
class _Elements:
    """An iterable, and what to do with an element of it to get the element of the iterator."""

    iterable: Callable[[list[Operation]], Operand]
    element: Callable[[Operand, list[Operation]], Operand]
    #: The operations that made the iterators on the way.
    makers: tuple[Operation, ...] = ()


def _itself(iterable: Operand) -> _Elements:
    return _Elements(lambda out: iterable, lambda element, out: element)


class _Fusion:
    """One step: one iterator that becomes part of what reads it."""

    def __init__(self, inference: Inference, definition: Function, runs_ahead: Callable[[Call], bool]) -> None:
        self.inference = inference
        self.definition = definition
        self.runs_ahead = runs_ahead
        self.structure = Structure.of(definition)
        self.read_once = values_read_once(definition)

    def step(self) -> Function | None:
        """The function after one step, None where there is nothing left to do."""
        for node in walk(self.definition.body):
            if isinstance(node, For):
                made = self.loop(node)
            elif isinstance(node, Call):
                made = self.unread(node) or self.search(node) or self.gathered(node) or self.moved(node)
            else:
                made = None
            if made is not None:
                return replace(self.definition, body=_edited(self.definition.body, made))
        return None

    # --- who reads what -----------------------------------------------------------------------------------------------------

    def made_by(self, operand: Operand, reader: Operation) -> tuple[Call, Iterating] | None:
        """The call that made an iterator which only `reader` reads, if its elements would be computed before they are asked
        for."""
        call = self.structure.definition.get(operand) if isinstance(operand, Value) else None
        if not isinstance(call, Call) or self.read_once.get(call.result) is not reader:
            return None
        made = self.iterating(call)
        return None if made is None else (call, made)

    def iterating(self, call: Call) -> Iterating | None:
        """What a call makes, if that is an iterator."""
        resolution = self.inference.resolutions.get(call)
        if resolution is None or call in self.inference.analyser.native:
            return None
        if resolution.iterator is not None:
            return resolution.iterator
        if is_one_of(resolution.function, (builtins.zip, builtins.enumerate)) and resolution.specialisation is None:
            return Iterating(resolution.function, call.arguments, call.keywords)
        return None

    def makers(self, call: Call) -> tuple[Operation, ...]:
        """The operations that make an iterator."""
        if function_of(call) is not iterator_of:
            return (call,)
        found = collected(self.structure.home[call.result], call)
        return (call,) if found is None else (found.made, found.loop, call)

    def is_known(self, call: Call) -> bool:
        """Whether all that an iterator does can be moved to another place."""
        return function_of(call) is not iterator_of or len(self.makers(call)) > 1

    # --- iterators that are not read, or elsewhere --------------------------------------------------------------------------

    def unread(self, call: Call) -> _Edit | None:
        """An iterator that nobody reads: no element is computed."""
        if self.iterating(call) is None or self.read_once.get(call.result, call) is not None or not self.is_known(call):
            return None
        return dict.fromkeys(self.makers(call), ())

    def moved(self, reader: Call) -> _Edit | None:
        """What takes all elements: they are computed right before it."""
        found = [pair[0] for operand in operands_of(reader) if (pair := self.made_by(operand, reader)) is not None]
        found = [call for call in dict.fromkeys(found) if self.is_known(call)]
        wanted = [node for call in found for node in self.makers(call)]
        if not wanted:
            return None
        before = self.structure.home[reader.result].operations
        place = before.index(reader)
        if list(before[max(place - len(wanted), 0) : place]) == wanted:
            return None
        return {**dict.fromkeys(wanted, ()), reader: (*wanted, reader)}

    def gathered(self, reader: Call) -> _Edit | None:
        """What takes all elements of an iterator over another one: a loop collects them."""
        for operand in operands_of(reader):
            made = self.made_by(operand, reader)
            if made is None or not is_one_of(made[1].function, (*_BY_PLACE, *_CHOOSING)):
                continue
            if any(self.made_by(source, made[0]) is not None for source in made[1].arguments):
                made_list, loop = collecting_loop(made[0])
                assert isinstance(made_list, Call)
                elements: list[Operation] = []
                given = emit(elements, iterator_of, made_list.result, span=made[0].span)
                return {reader: (made_list, loop, *elements, with_operand(reader, made[0].result, given))}
        return None

    # --- functions that stop at one element ---------------------------------------------------------------------------------

    def search(self, call: Call) -> _Edit | None:
        """``next(iterator)``, ``x in iterator``, ``any(iterator)``, ``all(iterator)`` as a loop."""
        resolution = self.inference.resolutions.get(call)
        known = self.inference.constant_of(call.function)
        if resolution is None or known is None or call.keywords or not call.arguments:
            return None
        function = known.value
        if not is_one_of(function, (*_SEARCHES, operator.contains)):
            return None
        made = self.made_by(call.arguments[0], call)
        if made is None or not self.is_known(made[0]):
            return None
        element = Value("element", temporary=True)
        if function is builtins.next:
            return {call: tuple(first_element(call, element))}
        decides = function is not builtins.all
        operations: list[Operation] = []
        test: Operand = element
        if function is operator.contains:
            test = emit(operations, operator.contains, emit(operations, make_tuple, element), call.arguments[1])
        found = Block((), Break((Constant(decides),), call.span))
        further = Block((), Yield((Constant(not decides),)))
        arms = (found, further) if decides else (further, found)
        body = Block(tuple(operations), Branch(test, *arms, call.span))
        carried = Carried(Constant(not decides), Value("", temporary=True), call.result)
        return {call: (For(element, call.arguments[0], (carried,), body, call.span),)}

    # --- loops --------------------------------------------------------------------------------------------------------------

    def loop(self, loop: For) -> _Edit | None:
        """A loop over an iterator as one over what that iterates over."""
        made = self.made_by(loop.iterable, loop)
        if made is None:
            return None
        call, iterating = made
        function, arguments = iterating.function, iterating.arguments
        if function_of(call) is iterator_of:
            return self.woven(call, loop)
        if (elements := self.elements(loop.iterable, loop)) is not None:
            return self.over_elements(loop, elements) if self.is_worth_it(elements) else None
        if is_one_of(function, (builtins.enumerate,)):
            return self.counted(loop, call, iterating)
        if iterating.keywords or not arguments:
            return None
        element = Value("element", temporary=True)
        operations: list[Operation] = []
        go_on = Block((), Yield(tuple(item.parameter for item in loop.carried)))
        if function is builtins.map and len(arguments) == 2:
            found = self.applied(arguments[0], (element,), operations)
            return {call: (), loop: (with_element(loop, found, operations, element, arguments[1]),)}
        if function is itertools.starmap:
            given = emit(operations, tuple, element)
            emit(operations, call_unpacked, arguments[0], given, emit(operations, make_dict), result=loop.target)
            body = Block((*operations, *loop.body.operations), loop.body.terminator)
            return {call: (), loop: (replace(loop, target=element, iterable=arguments[1], body=body),)}
        if not is_one_of(function, _CHOOSING) or function is itertools.starmap:
            return None
        predicate, source = arguments
        known = self.inference.constant_of(predicate)
        test: Operand = loop.target
        if known is None or known.value is not None:
            test = self.applied(predicate, (loop.target,), operations)
        if function is itertools.dropwhile:
            return {call: (), loop: (dropping_loop(loop, source, test, operations),)}
        if function is itertools.takewhile:
            go_on = Block((), Break(go_on.terminator.values, loop.span)) if isinstance(go_on.terminator, Yield) else go_on
        arms = (go_on, loop.body) if function is itertools.filterfalse else (loop.body, go_on)
        body = Block(tuple(operations), Branch(test, *arms, loop.span))
        return {call: (), loop: (replace(loop, iterable=source, body=body),)}

    def is_worth_it(self, elements: _Elements) -> bool:
        """Whether another iterator is gone: `zip` and `enumerate` of lists, and of each other, stay as they are."""
        made = [self.iterating(maker) for maker in elements.makers if isinstance(maker, Call)]
        staying = [one for one in made if one is not None and is_one_of(one.function, (builtins.zip, builtins.enumerate))]
        return len(staying) < len(elements.makers)

    def over_elements(self, loop: For, elements: _Elements) -> _Edit:
        before: list[Operation] = []
        inside: list[Operation] = []
        iterable = elements.iterable(before)
        item = Value("", temporary=True)
        element = elements.element(item, inside)
        fused = with_element(loop, element, inside, item, iterable)
        return {**dict.fromkeys(elements.makers, ()), loop: (*before, fused)}

    def counted(self, loop: For, call: Call, iterating: Iterating) -> _Edit | None:
        """``enumerate`` of an iterator that leaves elements out: the loop counts."""
        source = iterating.arguments[0]
        if self.made_by(source, call) is None:
            return None
        start = iterating.arguments[1] if len(iterating.arguments) > 1 else dict(iterating.keywords).get("start", Constant(0))
        count, after = Value("count", temporary=True), Value("count", temporary=True)
        element = Value("element", temporary=True)
        pair = Call(loop.target, Constant(make_tuple), (count, element), (), call.span)
        step = Call(after, Constant(operator.add), (count, Constant(1)), (), call.span)
        body = with_value(loop.body, after)
        body = Block((pair, step, *body.operations), body.terminator)
        carried = (*loop.carried, Carried(start, count, Value("", temporary=True)))
        return {call: (), loop: (For(element, source, carried, body, loop.span),)}

    def elements(self, operand: Operand, reader: Operation) -> _Elements | None:
        """How to get the elements of an iterator by place. None: some are left out."""
        made = self.made_by(operand, reader)
        if made is None:
            return _itself(operand)
        call, iterating = made
        if function_of(call) is iterator_of:
            return self.elements_of_expression(call)
        function, arguments = iterating.function, iterating.arguments
        if not is_one_of(function, _BY_PLACE) or not arguments:
            return None
        if function is builtins.enumerate:
            return self.enumerated(call, iterating)
        if iterating.keywords:
            return None
        if function is itertools.islice:
            return self.sliced(call, arguments)
        parts = [self.elements(argument, call) for argument in (arguments[1:] if function is builtins.map else arguments)]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or not parts or any(part.makers and self.has_effects(part) for part in known[:-1]):
            return None
        makers = (call, *(maker for part in known for maker in part.makers))
        if function is builtins.map:
            return _Elements(
                lambda out: _zipped(known, out),
                lambda item, out: self.applied(arguments[0], _unzipped(known, item, out), out),
                makers,
            )
        return _Elements(
            lambda out: emit(out, builtins.zip, *(part.iterable(out) for part in known)),
            lambda item, out: emit(out, make_tuple, *_parts(known, item, out)),
            makers,
        )

    def has_effects(self, part: _Elements) -> bool:
        return any(isinstance(maker, Call) and self.runs_ahead(maker) for maker in part.makers)

    def enumerated(self, call: Call, iterating: Iterating) -> _Elements | None:
        part = self.elements(iterating.arguments[0], call)
        if part is None:
            return None

        def element(item: Operand, out: list[Operation]) -> Operand:
            pair = emit(out, unpack, item, Constant(2))
            count, inner = (emit(out, operator.getitem, pair, Constant(index)) for index in range(2))
            return emit(out, make_tuple, count, part.element(inner, out))

        return _Elements(
            lambda out: emit(out, builtins.enumerate, part.iterable(out), *iterating.arguments[1:], keywords=iterating.keywords),
            element,
            (call, *part.makers),
        )

    def sliced(self, call: Call, arguments: Sequence[Operand]) -> _Elements | None:
        """``islice(iterator, stop)``: `zip` asks the range first, and the iterator for no element too many."""
        if len(arguments) != 2 or self.inference.type_of(arguments[1]) != INT:
            return None
        part = self.elements(arguments[0], call)
        if part is None or not part.makers:
            return None

        def iterable(out: list[Operation]) -> Operand:
            negative = emit(out, operator.lt, arguments[1], Constant(0))
            failed: list[Operation] = []
            message = Constant("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
            error = emit(failed, ValueError, message)
            out.append(If(negative, Block(tuple(failed), Raise(error, None, call.span)), Block((), Yield()), (), call.span))
            return emit(out, builtins.zip, emit(out, range, arguments[1]), part.iterable(out))

        def element(item: Operand, out: list[Operation]) -> Operand:
            pair = emit(out, unpack, item, Constant(2))
            return part.element(emit(out, operator.getitem, pair, Constant(1)), out)

        return _Elements(iterable, element, (call, *part.makers))

    def elements_of_expression(self, call: Call) -> _Elements | None:
        """Those of a generator expression with one loop and no condition."""
        found = collected(self.structure.home[call.result], call)
        if found is None or found.loop.body.terminator.__class__ is not Yield:
            return None
        *operations, last = found.loop.body.operations
        if not is_append(last, found.made.result) or fills(Block(tuple(operations), Yield()), found.made.result):
            return None
        assert isinstance(last, Call)
        appended = last.arguments[2]

        def element(item: Operand, out: list[Operation]) -> Operand:
            copy = Copy({found.loop.target: item})
            out.extend(map(copy.operation, operations))
            return copy.use(appended)

        return _Elements(lambda out: found.loop.iterable, element, self.makers(call))

    def woven(self, call: Call, loop: For) -> _Edit | None:
        """A loop over a generator expression: its loops, with the body where the element is."""
        found = collected(self.structure.home[call.result], call)
        if found is None:
            return None
        consumer = Consumer(loop, found.made.result)
        body = consumer.block(found.loop.body, tuple(item.parameter for item in loop.carried))
        if body is None or not consumer.is_placed:
            return None
        fused = For(found.loop.target, found.loop.iterable, loop.carried, body, found.loop.span)
        return {found.made: (), found.loop: (), call: (), loop: (fused,)}

    def applied(self, function: Operand, arguments: Sequence[Operand], out: list[Operation]) -> Operand:
        """A call of a function, or the body of a `lambda` in its place."""
        maker = self.structure.definition.get(function) if isinstance(function, Value) else None
        if isinstance(maker, MakeFunction) and (written := write_out_lambda(maker, arguments, out)) is not None:
            return written
        return emit(out, function, *arguments)


_Edit = dict[Operation, tuple[Operation, ...]]


def _edited(block: Block, edit: _Edit) -> Block:
    operations: list[Operation] = []
    for operation in block.operations:
        if operation in edit:
            operations.extend(edit[operation])
        else:
            operations.append(with_blocks(operation, [_edited(inner, edit) for inner in blocks_of(operation)]))
    end = block.terminator
    if isinstance(end, Branch):
        end = replace(end, then=_edited(end.then, edit), orelse=_edited(end.orelse, edit))
    is_same = end is block.terminator and len(operations) == len(block.operations)
    if is_same and all(map(operator.is_, operations, block.operations)):
        return block
    return Block(tuple(operations), end)


def _zipped(parts: Sequence[_Elements], out: list[Operation]) -> Operand:
    iterables = [part.iterable(out) for part in parts]
    return iterables[0] if len(parts) == 1 else emit(out, builtins.zip, *iterables)


def _unzipped(parts: Sequence[_Elements], item: Operand, out: list[Operation]) -> list[Operand]:
    return [parts[0].element(item, out)] if len(parts) == 1 else _parts(parts, item, out)


def _parts(parts: Sequence[_Elements], item: Operand, out: list[Operation]) -> list[Operand]:
    row = emit(out, unpack, item, Constant(len(parts)))
    places = [emit(out, operator.getitem, row, Constant(index)) for index in range(len(parts))]
    return [part.element(place, out) for part, place in zip(parts, places, strict=True)]
