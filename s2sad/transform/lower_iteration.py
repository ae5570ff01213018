"""Loops over active elements become loops over indices, so that the reverse sweep finds each element again.

Before::

    for a, b in zip(x, y):
        s += a * b

After::

    for i in range(min(len(x), len(y))):
        a = x[i]
        b = y[i]
        s += a * b

Unpacking of active lists and tuples becomes indexing as well. Loops over inactive elements stay as they are.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from s2sad.analysis.activity import Activity
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.structure import Structure
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import calls_beyond_numbers, nodes_of, regions_of
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
    Operand,
    Operation,
    Raise,
    Return,
    Span,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    function_of,
)
from s2sad.ir.operations import call_method, make_list, make_tuple
from s2sad.ir.types import (
    BOOL,
    INT,
    NONE,
    AnyType,
    ArrayType,
    DictType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    TupleType,
    Type,
)
from s2sad.transform.constant_slices import is_reversal, plain_bounds
from s2sad.transform.iterators import is_used_at_once, refuse_used_up
from s2sad.transform.lower_tuples import (
    emit_operation,
    is_active_unpack,
    is_indexed_tuple,
    is_tuple_arithmetic,
    lower_tuple_arithmetic,
    lower_unpack,
    takes_places,
    with_plain_lists,
)
from s2sad.transform.resized_containers import find_resizing_call, without_none
from s2sad.transform.reverse.unchanged import Unchanged
from s2sad.transform.rewrite import operand_key, substitute_block, with_blocks, with_body, with_operations

#: What the indices of loops inside each other are called.
_INDICES: Final = ("i", "j", "k")


def lower_iteration(fn: Function, activity: Activity) -> Function:
    """Rewrite the loops and unpackings through which derivatives pass."""
    if not regions_of(fn) and not calls_beyond_numbers(fn):
        return fn
    order: dict[Operation | Terminator, int] = {node: index for index, node in enumerate(nodes_of(fn))}
    structure = Structure.of(fn)
    refuse_used_up(fn, structure, activity)
    return with_body(fn, Lowering(structure, activity, order, Unchanged(fn)).block(fn.body))


@dataclass
class _Elements:
    """How to get at the elements of an iterable by index: operations before the loop, the length (None: endless), whether
    from the end, and what to do in each trip."""

    length: Operand | None
    source: _Source
    backwards: bool = False


@dataclass
class _Source:
    """One iterable: ``kind`` names the case."""

    kind: str
    operands: tuple[Operand, ...] = ()
    parts: tuple[_Elements, ...] = field(default=())


class Lowering:
    """One pass over a function."""

    def __init__(
        self,
        structure: Structure,
        activity: Activity,
        order: dict[Operation | Terminator, int],
        unchanged: Unchanged,
    ) -> None:
        self.structure = structure
        self.unchanged = unchanged
        #: The place of each node in the program.
        self.order = order
        self.activity = activity
        #: The regions in what the function gives.
        self.given = {
            region
            for node in order
            if isinstance(node, Return) and isinstance(node.value, Value)
            for region in references_in(node.value.type)
        }
        #: The names of the variables of the loops around.
        self.around: list[str] = []
        #: Regions for lists that are made here; those of type inference are small numbers.
        self.regions = itertools.count(1_000_001)

    def block(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            index: Value | None = None
            if isinstance(operation, For) and (operation.target in self.activity or self.is_given(operation.target)):
                index = Value(self.free_index(), INT, temporary=True)
            if isinstance(operation, For):
                self.around.append(operation.target.name if index is None else index.name)
            operation = with_blocks(operation, [self.block(inner) for inner in blocks_of(operation)])
            if isinstance(operation, For):
                self.around.pop()
            if isinstance(operation, If):
                operation = dataclasses.replace(operation, condition=self.truth(operation.condition, operations, operation.span))
            if isinstance(operation, For) and index is not None:
                self.loop(operation, index, operations)
            elif isinstance(operation, Call) and is_active_unpack(self, operation):
                lower_unpack(self, operation, operations)
            elif isinstance(operation, Call) and takes_places(self, operation):
                operations.append(with_plain_lists(self, operation, operations))
            elif isinstance(operation, Call) and is_indexed_tuple(self, operation):
                owner, key = operation.arguments
                kind = without_none(owner)
                assert isinstance(kind, TupleType)
                listed = self.as_list(owner, kind, operations, operation.span)
                operations.append(dataclasses.replace(operation, arguments=(listed, key)))
            elif isinstance(operation, Call) and is_tuple_arithmetic(self, operation):
                lower_tuple_arithmetic(self, operation, operations)
            elif (
                isinstance(operation, Call)
                and not _is_followed(operation)
                and any(map(self.is_active_iterator, operation.arguments))
            ):
                arguments = tuple(self.materialised(a, operations, operation.span) for a in operation.arguments)
                operations.append(dataclasses.replace(operation, arguments=arguments))
            else:
                operations.append(operation)
        end = with_blocks(block.terminator, [self.block(inner) for inner in blocks_of(block.terminator)])
        if isinstance(end, Branch):
            end = dataclasses.replace(end, condition=self.truth(end.condition, operations, end.span))
        return with_operations(block, operations, end)

    def truth(self, condition: Operand, out: list[Operation], span: Span | None) -> Operand:
        """Whether a container is empty is asked now: the reverse sweep finds it as it is at the end."""
        if isinstance(condition, Value) and isinstance(
            without_none(condition), (ListType, DictType, ObjectType, AnyType, ArrayType)
        ):
            return emit_operation(out, operator.truth, condition, kind=BOOL, span=span)
        return condition

    def is_given(self, target: Value) -> bool:
        """Whether an element may be part of what the function gives: a caller may have a shadow of that."""
        return not self.given.isdisjoint(references_in(target.type))

    # --- iterators that are passed on -------------------------------------------------------------------------------------------

    def is_active_iterator(self, operand: Operand) -> bool:
        return isinstance(without_none(operand), IteratorType) and operand in self.activity

    def materialised(self, operand: Operand, out: list[Operation], span: Span | None) -> Operand:
        """An iterator of active numbers as a list."""
        kind = without_none(operand)
        if not self.is_active_iterator(operand) or not isinstance(kind, IteratorType):
            return operand
        made = Value("elements", ListType(kind.element, next(self.regions)), temporary=True)
        out.append(Call(made, Constant(make_list), (), (), span))
        element = Value("element", kind.element)
        done = Value("", NONE, temporary=True)
        append = Call(done, Constant(call_method), (made, Constant("append"), element), (), span)
        index = Value(self.free_index(), INT, temporary=True)
        self.loop(For(element, operand, (), Block((append,), Yield(())), span), index, out)
        return made

    # --- loops ------------------------------------------------------------------------------------------------------------------

    def free_index(self) -> str:
        """What an index is called: as no variable of the loops around is."""
        return next((name for name in _INDICES if name not in self.around), _INDICES[0])

    def loop(self, loop: For, index: Value, out: list[Operation]) -> None:
        resizing = find_resizing_call(self, loop)
        if resizing is not None and isinstance(without_none(loop.iterable), ListType):
            self.growing(loop, index, out)
            return
        resized = None if resizing is None else self.dict_of(loop.iterable)
        if resizing is not None and resized is None:
            raise UnsupportedSyntaxError(
                "a list or dict may change its length here while a loop runs over it; loop over a copy, list(...), or "
                f"over a range of indices.\n{describe_place(resizing.span)}"
            )
        found = self.elements(loop.iterable, out, loop.span)
        length = found.length
        if length is None:
            raise self.refuse(loop.span)
        if found.backwards:
            last = emit_operation(out, operator.sub, length, Constant(1), kind=INT, span=loop.span)
            indices = emit_operation(out, range, last, Constant(-1), Constant(-1), kind=IteratorType(range, INT), span=loop.span)
        else:
            indices = emit_operation(out, range, length, kind=IteratorType(range, INT), span=loop.span)
        inside: list[Operation] = []
        element = self.element(found.source, index, loop.target.type, inside, loop.span)
        body = loop.body
        if isinstance(element, Value) and inside and isinstance(inside[-1], Call) and inside[-1].result is element:
            last_call = inside[-1]
            inside[-1] = Call(loop.target, last_call.function, last_call.arguments, last_call.keywords, last_call.span)
        else:
            body = substitute_block(body, {loop.target: element})
        if resized is not None:
            body = _with_check(body, resized, length, loop.span)
        body = Block((*inside, *body.operations), body.terminator)
        out.append(For(index, indices, loop.carried, body, loop.span))

    def dict_of(self, iterable: Operand) -> Operand | None:
        """The dict of which a loop runs over the keys, values or items."""
        definition = self.structure.definition.get(iterable) if isinstance(iterable, Value) else None
        if isinstance(definition, Call) and function_of(definition) is call_method:
            iterable, label = definition.arguments[:2]
            if not isinstance(label, Constant) or label.value not in ("items", "values", "keys"):
                return None
        return iterable if isinstance(without_none(iterable), DictType) else None

    def growing(self, loop: For, index: Value, out: list[Operation]) -> None:
        """A loop over a list that changes its length meanwhile: as Python does it, an index is compared with the length before
        each trip."""
        after, last = (Value(index.name, INT, temporary=True) for _ in range(2))
        header: list[Operation] = []
        length = emit_operation(header, len, loop.iterable, kind=INT, span=loop.span)
        condition = emit_operation(header, operator.lt, index, length, kind=BOOL, span=loop.span)
        element = Call(loop.target, Constant(operator.getitem), (loop.iterable, index), (), loop.span)
        step = Call(after, Constant(operator.add), (index, Constant(1)), (), loop.span)
        body = _with_next(Block((element, step, *loop.body.operations), loop.body.terminator), after)
        carried = (*loop.carried, Carried(Constant(0), index, last))
        out.append(While(Block(tuple(header), Yield((condition,))), carried, body, loop.span))

    def refuse(self, span: Span | None, kind: Type | None = None) -> UnsupportedSyntaxError:
        if isinstance(kind, IteratorType) and kind.function is itertools.cycle:
            return UnsupportedSyntaxError(
                "a derivative passes through the elements of cycle(...), which has no end; loop over a range of indices k, and "
                f"take items[k % len(items)].\n{describe_place(span)}"
            )
        made_by = f", list({getattr(kind.function, '__name__', '')}(...))" if isinstance(kind, IteratorType) else ""
        return UnsupportedSyntaxError(
            "a derivative passes through the elements of this iterator, or of a tuple whose length is not known before it runs; "
            f"loop over a list{made_by or ', list(...)'}, zip, enumerate, reversed or a range of indices.\n{describe_place(span)}"
        )

    def refuse_generator(self, call: Call) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(
            "a derivative passes through the elements of a generator (`yield`); append them to a list and return it.\n"
            f"{describe_place(call.span)}"
        )

    def elements(self, iterable: Operand, out: list[Operation], span: Span | None) -> _Elements:
        """How the elements of an iterable are found."""
        kind = without_none(iterable)
        definition = self.structure.definition.get(iterable) if isinstance(iterable, Value) else None
        call = definition if isinstance(definition, Call) and isinstance(definition.function, Constant) else None
        function = call.function.value if call is not None and isinstance(call.function, Constant) else None
        if isinstance(kind, ListType):
            return self.elements_of_list(iterable, call, out, span)
        if isinstance(kind, ArrayType):
            length = emit_operation(out, len, iterable, kind=INT, span=span)
            return _Elements(length, _Source("list", (iterable,)))
        if isinstance(kind, TupleType):
            return self.elements(self.as_list(iterable, kind, out, span), out, span)
        if isinstance(kind, DictType):
            keys = self.keys_of(iterable, kind, out, span)
            return _Elements(emit_operation(out, len, keys, kind=INT, span=span), _Source("list", (keys,)))
        if self.is_plain_sequence(iterable, kind):
            return _Elements(emit_operation(out, len, iterable, kind=INT, span=span), _Source("list", (iterable,)))
        if call is None:
            raise self.refuse(span, kind)
        if function is range:
            return _Elements(emit_operation(out, len, iterable, kind=INT, span=span), _Source("list", (iterable,)))
        if function is reversed:
            if not self.keeps_places(call):
                raise UnsupportedSyntaxError(
                    "a list changes after `reversed` was called on it, and a derivative passes through its elements; loop over "
                    f"a range of indices.\n{describe_place(call.span)}"
                )
            inner = self.elements(call.arguments[0], out, span)
            return _Elements(inner.length, inner.source, not inner.backwards)
        if function is enumerate:
            inner = self.elements(call.arguments[0], out, span)
            start = call.arguments[1] if len(call.arguments) > 1 else dict(call.keywords).get("start", Constant(0))
            return _Elements(inner.length, _Source("enumerate", (start,), (inner,)))
        if function is zip:
            inner_parts = tuple(self.elements(argument, out, span) for argument in call.arguments)
            lengths = _lengths_to_compare(inner_parts)
            if not lengths:
                return _Elements(None, _Source("zip", (), inner_parts))
            shortest: Operand = lengths[0] if len(lengths) == 1 else emit_operation(out, min, *lengths, kind=INT, span=span)
            return _Elements(shortest, _Source("zip", (), inner_parts))
        if function is itertools.repeat:
            times = call.arguments[1] if len(call.arguments) > 1 else dict(call.keywords).get("times")
            return _Elements(times, _Source("repeat", call.arguments[:1]))
        if function is itertools.count and isinstance(kind, IteratorType) and kind.element == INT and not call.keywords:
            return _Elements(None, _Source("count", (call.arguments + (Constant(0), Constant(1))[len(call.arguments) :])))
        if function is call_method and isinstance(call.arguments[1], Constant):
            owner, name = call.arguments[0], call.arguments[1].value
            owner_kind = without_none(owner)
            if isinstance(owner_kind, DictType) and name in ("items", "values", "keys"):
                keys = self.keys_of(owner, owner_kind, out, span, are_taken=name != "values")
                return _Elements(emit_operation(out, len, keys, kind=INT, span=span), _Source(str(name), (keys, owner)))
        raise self.refuse_generator(call) if inspect.isgeneratorfunction(function) else self.refuse(span, kind)

    def keys_of(
        self, owner: Operand, kind: DictType, out: list[Operation], span: Span | None, *, are_taken: bool = True
    ) -> Operand:
        """The keys of a dict in a list. They have no adjoint; `are_taken`: not only to find the values."""
        if are_taken:
            self.refuse_active_keys(kind, span)
        key = OpaqueType(object) if references_in(kind.key) else kind.key
        return emit_operation(out, list, owner, kind=ListType(key, 0), span=span)

    def refuse_active_keys(self, kind: DictType, span: Span | None) -> None:
        """The keys of a dict have no adjoint: they must not be objects that hold active numbers, where they are taken out."""
        if any(map(self.activity.is_region_active, references_in(kind.key))):
            raise UnsupportedSyntaxError(
                "the keys of this dict are objects that hold numbers through which a derivative passes, and they are taken out "
                f"of it here; keep the objects in a list beside it, and loop over that.\n{describe_place(span)}"
            )

    def keeps_places(self, call: Call) -> bool:
        """Whether what is reversed keeps its elements in place until it is gone over; what the elements hold may change."""
        kind = without_none(call.arguments[0])
        if isinstance(kind, ListType):
            return self.unchanged.is_stable(call, kind.region) or is_used_at_once(call, kind.region, self.structure)
        return isinstance(kind, ArrayType | TupleType) or self.unchanged.since(call, call.arguments)

    def elements_of_list(self, iterable: Operand, call: Call | None, out: list[Operation], span: Span | None) -> _Elements:
        """The same of a list, or of a part of one that `call` takes: its elements are found in the whole list."""
        is_part = call is not None and function_of(call) is operator.getitem
        if call is not None and is_part and self.unchanged.since(call, [call.arguments[0], call.result]):
            whole, part = call.arguments
            if is_reversal(part, self.structure.definition):
                inner = self.elements(whole, out, span)
                return _Elements(inner.length, inner.source, not inner.backwards)
            if (bounds := plain_bounds(part, self.structure.definition)) is not None:
                left_out = Constant(sum(bounds))
                length = emit_operation(out, len, whole, kind=INT, span=span)
                length = emit_operation(out, operator.sub, length, left_out, kind=INT, span=span)
                return _Elements(length, _Source("part", (whole, Constant(bounds[0]), left_out)))
        length = emit_operation(out, len, iterable, kind=INT, span=span)
        return _Elements(length, _Source("list", (iterable,)))

    def is_plain_sequence(self, iterable: Operand, kind: Type | None) -> bool:
        """A string, a range or a literal: without derivative, beside elements that have one."""
        if isinstance(iterable, Constant):
            return isinstance(iterable.value, (str, tuple, range))
        return isinstance(kind, OpaqueType) and kind.cls in (str, range)

    def as_list(self, iterable: Operand, kind: TupleType, out: list[Operation], span: Span | None) -> Value:
        """A tuple's elements in a list: which element is meant is known only when the loop runs."""
        if len(set(kind.elements)) > 1 and not all(isinstance(part, type(kind.elements[0])) for part in kind.elements):
            raise UnsupportedSyntaxError(
                f"the elements of this tuple have different types; write the loop out, or use a list.\n{describe_place(span)}"
            )
        parts = [
            emit_operation(out, operator.getitem, iterable, Constant(index), kind=part, span=span)
            for index, part in enumerate(kind.elements)
        ]
        return emit_operation(out, make_list, *parts, kind=ListType(kind.elements[0], next(self.regions)), span=span)

    def element(self, source: _Source, index: Operand, kind: Type, out: list[Operation], span: Span | None) -> Operand:
        """The operations of one trip that get the element at an index."""

        def inner(part: _Elements, part_kind: Type) -> Operand:
            place = index
            if part.backwards:
                assert part.length is not None
                last = emit_operation(out, operator.sub, part.length, Constant(1), kind=INT, span=span)
                place = emit_operation(out, operator.sub, last, index, kind=INT, span=span)
            return self.element(part.source, place, part_kind, out, span)

        kinds = kind.elements if isinstance(kind, TupleType) else (kind, kind)
        match source.kind:
            case "list" | "keys":
                return emit_operation(out, operator.getitem, source.operands[0], index, kind=kind, span=span)
            case "part":
                place = index
                if source.operands[1].value != 0:  # type: ignore[union-attr]
                    place = emit_operation(out, operator.add, index, source.operands[1], kind=INT, span=span)
                return emit_operation(out, operator.getitem, source.operands[0], place, kind=kind, span=span)
            case "enumerate":
                start = source.operands[0]
                number = index
                if not (isinstance(start, Constant) and start.value == 0):
                    number = emit_operation(out, operator.add, index, start, kind=INT, span=span)
                return emit_operation(out, make_tuple, number, inner(source.parts[0], kinds[1]), kind=kind, span=span)
            case "repeat":
                return source.operands[0]
            case "count":
                start, step = source.operands
                if not (isinstance(step, Constant) and step.value == 1):
                    index = emit_operation(out, operator.mul, index, step, kind=INT, span=span)
                return emit_operation(out, operator.add, start, index, kind=INT, span=span)
            case "zip":
                parts = [inner(part, kinds[position]) for position, part in enumerate(source.parts)]
                return emit_operation(out, make_tuple, *parts, kind=kind, span=span)
            case "values":
                key = emit_operation(
                    out, operator.getitem, source.operands[0], index, kind=_key_of(source.operands[0]), span=span
                )
                return emit_operation(out, operator.getitem, source.operands[1], key, kind=kind, span=span)
        key = emit_operation(out, operator.getitem, source.operands[0], index, kind=kinds[0], span=span)
        held = emit_operation(out, operator.getitem, source.operands[1], key, kind=kinds[1], span=span)
        return emit_operation(out, make_tuple, key, held, kind=kind, span=span)


def _is_followed(call: Call) -> bool:
    """Whether a loop over the result finds its way through the call to what the operands run over."""
    return isinstance(call.function, Constant) and any(call.function.value is one for one in (zip, enumerate, reversed))


def _key_of(keys: Operand) -> Type:
    kind = without_none(keys)
    assert isinstance(kind, ListType)
    return kind.element


def _lengths_to_compare(parts: Sequence[_Elements]) -> list[Operand]:
    """The lengths of which one is the smallest: of a list and parts of it, that of the smallest part."""
    found: dict[object, tuple[int, Operand]] = {}
    for part in parts:
        if part.length is None:
            continue
        kind, operands = part.source.kind, part.source.operands
        value = operands[2].value if kind == "part" and isinstance(operands[2], Constant) else 0
        left_out = value if isinstance(value, int) else 0
        of = operand_key(operands[0]) if kind in ("list", "part") else id(part)
        if of not in found or found[of][0] < left_out:
            found[of] = (left_out, part.length)
    return [length for _, length in found.values()]


def _with_check(block: Block, owner: Operand, length: Operand, span: Span | None) -> Block:
    """The body of a loop over a dict that has had this length: Python refuses to go on where there are more keys now, or less."""
    match block.terminator:
        case Branch() as end:
            arms = (_with_check(arm, owner, length, span) for arm in (end.then, end.orelse))
            return Block(block.operations, dataclasses.replace(end, then=next(arms), orelse=next(arms)))
        case Yield():
            check: list[Operation] = []
            now = emit_operation(check, len, owner, kind=INT, span=span)
            condition = emit_operation(check, operator.ne, now, length, kind=BOOL, span=span)
            error: list[Operation] = []
            kind = OpaqueType(RuntimeError)
            message = Constant("dictionary changed size during iteration")
            raised = Raise(emit_operation(error, RuntimeError, message, kind=kind, span=span), None, span)
            check.append(If(condition, Block(tuple(error), raised), Block((), Yield(())), (), span))
            return Block((*block.operations, *check), block.terminator)
    return block


def _with_next(block: Block, following: Value) -> Block:
    """The body of a loop that hands on one more value."""
    match block.terminator:
        case Branch() as end:
            arms = _with_next(end.then, following), _with_next(end.orelse, following)
            return Block(block.operations, dataclasses.replace(end, then=arms[0], orelse=arms[1]))
        case Yield() | Break() as end:
            return Block(block.operations, dataclasses.replace(end, values=(*end.values, following)))
    return block
