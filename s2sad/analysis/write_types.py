"""The outcome of type inference as a new function: typed values, resolved calls, arms that cannot be taken left out."""

from __future__ import annotations

import dataclasses
import operator
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.binding import Bound, Packed
from s2sad.analysis.freezing import Freezer, map_parts
from s2sad.analysis.function_values import function_in_memory, holds_function
from s2sad.analysis.item_updates import ItemUpdate, item_updates
from s2sad.analysis.memory import references_in, regions_of_arrays
from s2sad.analysis.plain_updates import plain_updates, region_of
from s2sad.analysis.shadow_types import MAKERS_OF_ZEROS
from s2sad.analysis.unroll import copied_function
from s2sad.frontend.builder import read_unbound
from s2sad.ir.effects import IMMUTABLE_CLASSES
from s2sad.ir.memo import remembered_by_identity
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    Handler,
    If,
    MakeFunction,
    Operand,
    Operation,
    Parameter,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    arguments_of,
    walk,
)
from s2sad.ir.operations import (
    call_method,
    load_cell,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_tuple,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import (
    NONE,
    AnyType,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    OptionalType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


def write_types(inference: Inference) -> Function:
    """The typed function; captured values come first among the parameters."""
    return _Writer(inference).function()


#: All axes that an index does not name.
ALL: Final = Constant(...)
#: What has no references to arrays that it is made of.
_WITHOUT_REFERENCES: Final = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, BaseException, np.dtype)
_STRUCTURAL: Final = frozenset(
    (
        *(make_tuple, make_list, make_dict, make_cell, store_cell, load_cell, unpack),
        *(zip, enumerate, reversed, list, tuple, dict),
        *(
            operator.getitem,
            operator.setitem,
            operator.is_,
            operator.is_not,
            operator.add,
            operator.iadd,
            setattr,
            set_frozen,
            getattr,
        ),
        *(*MAKERS_OF_ZEROS, runtime.zeros_like_all),
    )
)


@remembered_by_identity
def as_data(kind: Type) -> Type:
    """A type with function values as what they are in generated code: tuples of what they captured, and as true as functions."""
    match kind:
        case FunctionType(captured=parts):
            return TupleType(tuple(map(as_data, parts)) or (NONE,))
        case TupleType():
            return TupleType(tuple(map(as_data, kind.elements)), kind.cls)
        case ListType():
            return ListType(as_data(kind.element), kind.region)
        case DictType():
            fields = tuple((key, as_data(part)) for key, part in kind.fields)
            return DictType(as_data(kind.key), as_data(kind.value), kind.region, fields, kind.keys)
        case ObjectType():
            return ObjectType(kind.cls, kind.region, tuple((name, as_data(part)) for name, part in kind.fields))
        case OptionalType(inner):
            return OptionalType(as_data(inner))
        case IteratorType():
            return IteratorType(kind.function, as_data(kind.element))
    return kind


def fixed_regions(inference: Inference, updates: Mapping[Call, object]) -> frozenset[int]:
    """Regions of arrays that nobody writes to and no container holds, and that do not go in as an argument and out as the result
    or part of it, here or in a function that is called. What stands in two places of the result may be an array and a view of it:
    their shadows share memory wherever the caller takes them from."""
    memory = inference.memory
    freezer = Freezer(memory)
    roots = {memory.find(region) for region in range(1, len(memory.parent))}
    held = {memory.find(inner) for root in roots for kind in memory.content[root].values() for inner in references_in(kind)}
    given = {memory.find(region) for region in inference.regions.values()}
    handed_on = given & {memory.find(region) for region in references_in(inference.result)}
    returned = [memory.find(region) for region in regions_of_arrays(freezer.freeze(inference.result))]
    handed_on |= {region for region in returned if returned.count(region) > 1}
    for call, resolution in inference.resolutions.items():
        if resolution.specialisation is not None:
            taken = {memory.find(region) for item in call.arguments for region in references_in(inference.type_of(item))}
            handed_on |= taken & {memory.find(region) for region in references_in(resolution.kind)}
        into = call.arguments[0] if call.arguments and _is_store(call) else None
        keepers = (call.result, *(call.arguments if resolution.specialisation is not None else call.arguments[:1]))
        if any(may_hold(freezer.freeze(inference.type_of(operand))) for operand in keepers) or (
            into is not None and isinstance(strip_optional(inference.type_of(into)), AnyType)
        ):
            for operand in arguments_of(call):
                handed_on.update(memory.find(region) for region in references_in(inference.type_of(operand)))
    plain = {region_of(inference, call.arguments[0]) for call in updates}
    return frozenset(root for root in roots - held - handed_on if not memory.flags[root] or root in plain)


def _is_store(call: Call) -> bool:
    """Whether a call puts something into a container or an object."""
    return isinstance(call.function, Constant) and call.function.value in (operator.setitem, setattr)


def may_hold(kind: Type) -> bool:
    """Whether a value is or has an object of which nothing is known, which keeps what it is given and lets others change it."""
    match kind:
        case OpaqueType(cls=cls):
            return cls not in IMMUTABLE_CLASSES and not issubclass(cls, _WITHOUT_REFERENCES)
        case OptionalType(inner=inner) | ListType(element=inner):
            return may_hold(inner)
        case TupleType(elements=parts):
            return any(map(may_hold, parts))
        case DictType(value=value, fields=fields):
            return may_hold(value) or any(may_hold(part) for _, part in fields)
        case ObjectType(fields=fields):
            return any(may_hold(part) for _, part in fields)
    return False


def with_fixed_arrays(kind: Type, fixed: frozenset[int]) -> Type:
    """A type in which arrays of these regions are values."""
    match kind:
        case ArrayType(dtype, shape, region):
            return ArrayType(dtype, shape, region, region in fixed)
        case ListType() | DictType() | ObjectType():
            return kind  # what they hold is not fixed
    return map_parts(kind, lambda part: with_fixed_arrays(part, fixed))


def is_as_in_python(kind: Type) -> bool:
    """Whether values of a type look to the user's own code as they are in generated code: no function values (tuples there), no
    named tuples (without names there)."""
    match kind:
        case FunctionType():
            return False
        case TupleType(elements=parts, cls=cls):
            return cls is tuple and all(map(is_as_in_python, parts))
        case ListType(element=element) | OptionalType(inner=element) | IteratorType(element=element):
            return is_as_in_python(element)
        case DictType(key=key, value=value, fields=fields):
            return all(map(is_as_in_python, (key, value, *(part for _, part in fields))))
        case ObjectType(fields=fields):
            return all(is_as_in_python(part) for _, part in fields)
    return True


class _Writer:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.freezer = Freezer(inference.memory)
        self.values: dict[Value, Operand] = {}
        #: Lists that a call unpacks into several arguments: once.
        self.read_parts: dict[tuple[Call, Operand], Value] = {}
        #: Variables that nothing but the trips of an empty loop binds.
        self.unbound: dict[Operand, str] = {
            item.result: item.result.name
            for node in walk(inference.definition.body)
            if isinstance(node, For) and node.body not in inference.visited
            for item in node.carried
            if item.initial is UNBOUND and item.result.name
        }
        self.updates = plain_updates(inference)
        self.item_updates = item_updates(inference)
        #: Their indices as they are written, by those of the program.
        self.keys_of_views: dict[ItemUpdate, Value] = {}
        self.fixed = fixed_regions(inference, self.updates)

    def function(self) -> Function:
        definition = self.inference.definition
        captured = tuple(Parameter(self.define(value)) for value in definition.captured)
        parameters = tuple(Parameter(self.define(p.value)) for p in definition.parameters)
        body = self.block(definition.body)
        self.inference.specialisation.returned = self.data(self.freezer.freeze(self.inference.result))
        return Function(definition.name, captured + parameters, body, (), definition.span, definition.docstring)

    def define(self, old: Value) -> Value:
        """The typed value that stands for an untyped one."""
        new = Value(old.name, self.kind_of(old), old.temporary)
        self.values[old] = new
        return new

    def kind_of(self, old: Value) -> Type:
        """The type, with content; a function value is the tuple of what it captured."""
        kind = self.freezer.freeze(self.inference.types.get(old, self.inference.type_of(old)))
        return self.data(kind)

    def data(self, frozen: Type) -> Type:
        """A frozen type as values of the typed function have it."""
        return with_fixed_arrays(as_data(frozen), self.fixed)

    def use(self, old: Operand) -> Operand:
        """The typed operand: a known object takes the place of a value."""
        if isinstance(old, Constant):
            return old
        constant = self.inference.known.get(old)
        if constant is not None:
            return constant
        return self.values[old]

    def block(self, block: Block) -> Block:
        """What the types cannot reach raises: nothing there has a type."""
        operations: list[Operation] = []
        if block not in self.inference.visited:
            return Block((), Raise(None))
        for operation in block.operations:
            found = self.error_of(operation)
            if found is not None:
                error = Value("", OpaqueType(type(found)), temporary=True)
                span = operation.span
                operations.append(Call(error, Constant(type(found)), (Constant(found.args[0]),), (), span))
                return Block(tuple(operations), Raise(error, None, span))
            if self.never_ends(operation):
                if isinstance(operation, Call):
                    self.visit(operation, operations)
                return Block(tuple(operations), Raise(None))
            self.visit(operation, operations)
        terminator = self.terminator(block.terminator, operations)
        return Block(tuple(operations), terminator)

    def terminator(self, terminator: Terminator, operations: list[Operation]) -> Terminator:
        match terminator:
            case Yield(values):
                return Yield(tuple(map(self.use, values)))
            case Break(values, span):
                return Break(tuple(map(self.use, values)), span)
            case Return(value, span):
                return Return(self.use(value), span)
            case Raise(exception, cause, span):
                return Raise(exception and self.use(exception), cause and self.use(cause), span)
            case Branch(condition, then, orelse, span):
                constant = self.inference.constant_of(condition)
                if constant is None:
                    return Branch(self.use(condition), self.block(then), self.block(orelse), span)
                taken = self.block(then if constant.value else orelse)
                operations.extend(taken.operations)
                return taken.terminator

    def visit(self, operation: Operation, out: list[Operation]) -> None:
        """Append the typed operation."""
        match operation:
            case Call():
                self.call(operation, out)
            case MakeFunction(result, _, captured, defaults, span):
                parts = self.all((*captured, *defaults)) or (Constant(None),)
                out.append(Call(self.define(result), Constant(make_tuple), parts, (), span))
            case If(condition, then, orelse, results, span):
                constant = self.inference.constant_of(condition)
                if constant is not None:
                    taken = self.block(then if constant.value else orelse)
                    out.extend(taken.operations)
                    if not isinstance(taken.terminator, Yield):
                        out.append(If(Constant(True), Block((), taken.terminator), Block((), Yield(())), ()))
                        for result in results:
                            self.values[result] = Constant(None)
                        return
                    self.values.update(zip(results, taken.terminator.values, strict=True))
                    return
                test, blocks = self.use(condition), (self.block(then), self.block(orelse))
                out.append(If(test, *blocks, tuple(map(self.define, results)), span))
            case For(target, iterable, carried, body, span):
                source = self.use(iterable)
                item, pairs = self.define(target), self.carried(carried)
                inner = self.block(body)
                out.append(For(item, source, self.results(carried, pairs), inner, span))
            case While(header, carried, body, span):
                pairs = self.carried(carried)
                head, inner = self.block(header), self.block(body)
                out.append(While(head, self.results(carried, pairs), inner, span))
            case Try(body, handlers, results, span):
                inner = self.block(body)
                caught = tuple(
                    Handler(h.exception and self.use(h.exception), h.name and self.define(h.name), self.block(h.body))
                    for h in handlers
                )
                out.append(Try(inner, caught, tuple(map(self.define, results)), span))
            case With(context, name, body, results, span):
                manager = self.use(context)
                bound = None if name is None else self.define(name)
                out.append(With(manager, bound, self.block(body), tuple(map(self.define, results)), span))

    def error_of(self, operation: Operation) -> Exception | None:
        """What Python raises whenever it comes to an operation, as far as that is known."""
        if not isinstance(operation, Call):
            return None
        message = self.unpacking_error(operation)
        if message is not None:
            return ValueError(message)
        function = operation.function.value if isinstance(operation.function, Constant) else None
        resolution = self.inference.resolutions.get(operation)
        if function is load_global and resolution is not None and isinstance(resolution.kind, UnknownType):
            assert isinstance(operation.arguments[0], Constant)
            return NameError(f"name {operation.arguments[0].value!r} is not defined")
        if function is setattr and resolution is not None and isinstance(resolution.kind, UnknownType):
            assert isinstance(operation.arguments[1], Constant)
            return dataclasses.FrozenInstanceError(f"cannot assign to field {operation.arguments[1].value!r}")
        if function is read_unbound:
            assert isinstance(operation.arguments[0], Constant)
            name = operation.arguments[0].value
            return UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
        operands = (operation.function, *operation.arguments, *(operand for _, operand in operation.keywords))
        if function not in (make_cell, store_cell) and any(operand is UNBOUND for operand in operands):
            return UnboundLocalError("cannot access a local variable where it is not associated with a value")
        for operand in operands:
            if operand in self.unbound:
                return UnboundLocalError(
                    f"cannot access local variable {self.unbound[operand]!r} where it is not associated with a value"
                )
        return None

    def unpacking_error(self, operation: Operation) -> str | None:
        """What Python says where a tuple is taken apart into another number of targets; else None."""
        if (
            not isinstance(operation, Call)
            or not isinstance(operation.function, Constant)
            or operation.function.value is not unpack
        ):
            return None
        kind = self.inference.type_of(operation.arguments[0])
        counts = [operand.value for operand in operation.arguments[1:] if isinstance(operand, Constant)]
        if not isinstance(kind, TupleType) or not all(isinstance(count, int) for count in counts):
            return None
        wanted, given = sum(count for count in counts if isinstance(count, int)), len(kind.elements)
        if given < wanted:
            least = "at least " if len(counts) > 1 else ""
            return f"not enough values to unpack (expected {least}{wanted}, got {given})"
        return f"too many values to unpack (expected {wanted})" if given > wanted and len(counts) == 1 else None

    def never_ends(self, operation: Operation) -> bool:
        """Whether what follows an operation is never reached, since no value comes out of it."""
        if isinstance(operation, If):
            return not any(block in self.inference.visited for block in (operation.then, operation.orelse))
        if isinstance(operation, Call):
            resolution = self.inference.resolutions.get(operation)
            return resolution is None or (resolution.specialisation is not None and isinstance(resolution.kind, UnknownType))
        return False

    def all(self, operands: Sequence[Operand]) -> tuple[Operand, ...]:
        return tuple(map(self.use, operands))

    def carried(self, carried: Sequence[Carried]) -> list[tuple[Operand, Value]]:
        return [(self.use(item.initial), self.define(item.parameter)) for item in carried]

    def results(self, carried: Sequence[Carried], pairs: Sequence[tuple[Operand, Value]]) -> tuple[Carried, ...]:
        return tuple(
            Carried(initial, parameter, self.define(item.result))
            for item, (initial, parameter) in zip(carried, pairs, strict=True)
        )

    def call(self, call: Call, out: list[Operation]) -> None:
        resolution = self.inference.resolutions.get(call)
        if call.result in self.inference.known and (resolution is None or resolution.specialisation is None):
            return  # its users refer to the object
        if resolution is not None and resolution.alias is not None:
            self.values[call.result] = self.use(resolution.alias)
            return
        if resolution is None:  # never reached by the types: an arm that raises first
            out.append(Call(self.define(call.result), call.function, tuple(map(self.safe, call.arguments)), (), call.span))
            return
        if resolution.specialisation is not None:
            arguments = tuple(self.bound(item, out, call) for item in resolution.arguments)
            function: Operand = Constant(resolution.specialisation.callee)
            out.append(Call(self.define(call.result), function, arguments, (), call.span))
            return
        function = Constant(resolution.function) if resolution.function is not None else self.use(call.function)
        if call in self.updates:
            function = Constant(self.updates[call])
        items = resolution.arguments if resolution.function is not None else resolution.arguments or call.arguments
        rebuild = not self.is_structural(function, items)
        arguments = tuple(self.bound(item, out, call, rebuild) for item in items)
        if call in self.item_updates:
            arguments = (arguments[0], self.key_of_view(self.item_updates[call], call, out), *arguments[2:])
        keywords = tuple((name, self.bound(operand, out, call, rebuild)) for name, operand in resolution.keywords)
        out.append(Call(self.define(call.result), function, arguments, keywords, call.span))

    def key_of_view(self, update: ItemUpdate, call: Call, out: list[Operation]) -> Value:
        """The index with which an item is a view, also where it is one element: the read and the store have the same."""
        if update not in self.keys_of_views:
            parts = (*update.places, ALL)
            kind = TupleType(tuple(map(self.inference.type_of, parts)))
            key = self.keys_of_views[update] = Value("", kind, temporary=True)
            out.append(Call(key, Constant(make_tuple), self.all(parts), (), call.span))
        return self.keys_of_views[update]

    def safe(self, operand: Operand) -> Operand:
        return operand if isinstance(operand, Constant) else self.values.get(operand, Constant(None))

    def is_structural(self, function: Operand, operands: Sequence[Bound]) -> bool:
        """Whether a call only puts values into containers and takes them out."""
        if not isinstance(function, Constant):
            return False
        if function.value is call_method:
            receiver = operands[0]
            return not isinstance(receiver, Packed) and isinstance(
                strip_optional(self.inference.type_of(receiver)), (ListType, DictType)
            )
        return function.value in _STRUCTURAL

    def function_of(self, operand: Operand, kind: FunctionType, out: list[Operation], call: Call) -> Operand:
        """A function value as a Python function again, for code that is called as it is."""
        return self.as_function(self.use(operand), kind, out, call)

    def as_function(self, data: Operand, kind: FunctionType, out: list[Operation], call: Call) -> Operand:
        """The Python function for what a function value has captured."""
        if not isinstance(kind.definition, Function):
            return data
        parts: list[Operand] = []
        for index, part in enumerate(kind.captured):
            value = Value("", self.data(self.freezer.freeze(part)), temporary=True)
            out.append(Call(value, Constant(operator.getitem), (data, Constant(index)), (), call.span))
            inner = strip_optional(part)
            if not isinstance(inner, FunctionType) and holds_function(self.freezer.freeze(part)):
                raise function_in_memory(kind.definition, call.span)
            parts.append(self.as_function(value, inner, out, call) if isinstance(inner, FunctionType) else value)
        count = len(kind.definition.captured)
        captured, defaults = tuple(parts[:count]), tuple(parts[count:])
        made = Value("", OpaqueType(types.FunctionType), temporary=True)
        out.append(MakeFunction(made, copied_function(kind.definition), captured, defaults, call.span))
        return made

    def bound(self, item: Bound, out: list[Operation], call: Call, rebuild: bool = False) -> Operand:
        """An argument; what is packed or taken from a tuple gets an operation of its own."""
        if rebuild and isinstance(item, Value):
            kind = strip_optional(self.inference.type_of(item))
            if isinstance(kind, FunctionType):
                return self.function_of(item, kind, out, call)
        if isinstance(item, Packed):
            operands = tuple(self.bound(operand, out, call) for operand in item.operands)
            kinds = self.data(self.freezer.freeze(self.inference.packed_type(call, item)))
            packed = Value("", kinds, temporary=True)
            out.append(Call(packed, Constant(item.function), operands, (), call.span))
            return packed
        source = self.inference.part_source(item)
        if source is None:
            return self.use(item)
        function, owner, index = source
        constant = self.inference.constant_of(item)
        if constant is not None:
            return constant
        if (read := self.read_parts.get((call, item))) is not None:
            return read
        part = Value("", self.data(self.freezer.freeze(self.inference.type_of(item))), temporary=True)
        out.append(Call(part, Constant(function), (self.bound(owner, out, call), Constant(index)), (), call.span))
        if function is unpack:
            self.read_parts[call, item] = part
        return part
