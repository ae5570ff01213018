"""The shadow of a value in the forward sweep: that of the container or array that it is, or one that stands in for it."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.ir.effects import Callee, way_on_arrays
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Call,
    Constant,
    If,
    Operand,
    Operation,
    Span,
    Value,
    Yield,
)
from s2sad.ir.operations import (
    make_list,
    make_tuple,
)
from s2sad.ir.types import (
    ANY,
    BOOL,
    FLOAT,
    ArrayType,
    FunctionType,
    ListType,
    NoneType,
    ObjectType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
)
from s2sad.transform.reverse.array_names import (
    gives_read_only,
    is_broadcasting,
    is_same_object,
    is_view,
)
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.frames import ZERO, leaves_of, maker_of_zeros, shadow_array_type
from s2sad.transform.reverse.optional_tuples import may_be_no_tuple
from s2sad.transform.reverse.shadow_calls import shadows_among
from s2sad.transform.reverse.shadows import MIRRORED, own_region

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


NONE: Final = Constant(None)


class ForwardShadows:
    """Shadows of values in the forward sweep of one function."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        #: Shadows of values that are not active here, but may be for a caller.
        self.stand_ins: dict[tuple[Value, Operation | None], Value] = {}

    def is_active(self, operand: Operand) -> bool:
        """Whether an operand is a container of active numbers."""
        region = own_region(operand)
        return region is not None and self.engine.activity.is_region_active(region)

    def needs_mirror(self, kind: Type) -> bool:
        """Whether values of a type refer to a mirrored container."""
        return any(self.engine.modes.get(region) == MIRRORED for region in references_in(kind))

    def forward_shadow(self, operand: Operand) -> Operand:
        """The shadow of an operand in the forward sweep; numbers have the shadow 0.0, and None has itself."""
        if operand is UNBOUND:
            return operand
        if _is_none(operand):
            return NONE
        if isinstance(operand, Value) and operand in self.engine.shadows:
            return self.engine.shadows[operand]
        definition = self.engine.structure.definition.get(operand) if isinstance(operand, Value) else None
        if isinstance(operand, Value) and isinstance(definition, Call) and self.needs_mirror(operand.type):
            if is_same_object(definition):
                return self.forward_shadow(definition.arguments[0])
            if is_view(definition) and is_broadcasting(definition):
                raise unsupported(
                    definition.span,
                    "elements stand several times in this view, and it is handed to another function or into a container",
                    "make it where it is used, or make a copy, as in np.broadcast_to(x, shape).copy()",
                )
            if is_view(definition):
                base = self.forward_shadow(definition.arguments[0])
                shadow = self.define_shadow(operand, self.engine.structure.home[operand], definition)
                arguments = (base, *definition.arguments[1:])
                made = Call(shadow, definition.function, arguments, definition.keywords, definition.span)
                self.engine.additions.place_after(definition, made)
                return shadow
        if isinstance(operand, Value) and self.needs_mirror(operand.type):
            raise unsupported(
                self.span_of(operand),
                "this container of active numbers cannot be followed through the program",
                "build it with list displays, `append` and index assignments",
            )
        return Constant(_without_containers(operand.type)) if isinstance(operand, Value) else ZERO

    def span_of(self, operand: Operand) -> Span | None:
        definition = self.engine.structure.definition.get(operand) if isinstance(operand, Value) else None
        return getattr(definition, "span", self.engine.function.span)

    def define_shadow(self, value: Value, home: Block, definition: Operation | None) -> Value:
        """The forward value that holds the shadow of a value."""
        name = f"{value.name}_bar" if value.name else _name_of_result(definition)
        shadow = Value(name, shadow_type(value.type), temporary=not value.name)
        self.engine.shadows[value] = shadow
        self.engine.structure.define(shadow, home, definition)
        return shadow

    def _forward_part(self, operand: Operand, node: Operation) -> Operand:
        """What stands in the shadow of a tuple or a function value: its numbers have adjoints of their own. A caller may take a
        container for active that is not so here."""
        kind = operand.type if isinstance(operand, Value) else None
        if _is_none(operand):
            return NONE
        if kind is None:
            return ZERO
        if not self.needs_mirror(kind) and isinstance(operand, Value) and references_in(kind):
            return self._stand_in(operand, node)
        return self.forward_shadow(operand) if self.needs_mirror(kind) else ZERO

    def _stand_in(self, operand: Value, node: Operation) -> Operand:
        """The shadow of a value that is not active here, with the structure that it has at `node`; where the value stands twice,
        its shadow does too."""
        if (operand, node) in self.stand_ins or not references_in(operand.type):
            return self.stand_ins.get((operand, node), ZERO)
        definition = self.engine.structure.definition[operand]
        if isinstance(definition, Call) and isinstance(operand.type, ArrayType):
            return self._stand_in_of_array(operand, definition)
        shadow = Value("", shadow_type(operand.type), temporary=True)
        span = getattr(node, "span", None)
        made = Call(shadow, Constant(maker_of_zeros(operand.type)), (operand,), (), span)
        if isinstance(definition, Call) and isinstance(definition.function, Constant) and definition.function.value is make_tuple:
            parts = tuple(self._stand_in(part, node) if isinstance(part, Value) else ZERO for part in definition.arguments)
            made = Call(shadow, Constant(make_tuple), parts, (), span)
        self.stand_ins[operand, node] = shadow
        self.engine.additions.place_after(node, made)
        return shadow

    def _stand_in_of_array(self, operand: Value, definition: Call) -> Operand:
        """The shadow of an array that is not active here: one for all its views, from where it is made."""
        if (operand, None) in self.stand_ins:
            return self.stand_ins[operand, None]
        # also of an array that never changes here: a caller may change it
        way = way_on_arrays(definition) if not is_broadcasting(definition) else "make"
        is_either = way == "either" or gives_read_only(definition)
        bases = [
            self._stand_in_of_whole(part) if index in (shadows_among(definition) or (0,)) else part
            for index, part in enumerate(definition.arguments)
        ]
        base = bases[0] if bases and (is_same_object(definition) or is_either or way == "view") else ZERO
        if is_same_object(definition) and isinstance(base, Value):
            return base
        shadow = Value("", shadow_type(operand.type), temporary=True)
        made = [Call(shadow, Constant(maker_of_zeros(operand.type)), (operand,), (), definition.span)]
        if isinstance(base, Value):
            made = [Call(shadow, definition.function, tuple(bases), definition.keywords, definition.span)]
            if is_either and shadows_among(definition) is None:
                same = replace(made[0], result=Value("", shadow.type, temporary=True))
                given = (same.result, base, operand, definition.arguments[0])
                made = [same, Call(shadow, Constant(runtime.shadow_of_view), given, (), definition.span)]
        self.stand_ins[operand, None] = shadow
        self.engine.additions.place_after(definition, *made)
        return shadow

    def _stand_in_of_whole(self, whole: Operand) -> Operand:
        """The shadow of the array that another one may be a view of, if that is made here."""
        definition = self.engine.structure.definition.get(whole) if isinstance(whole, Value) else None
        if isinstance(whole, Value) and isinstance(definition, Call) and isinstance(whole.type, ArrayType):
            return self._stand_in_of_array(whole, definition)
        return ZERO

    def _forward_element(self, operand: Operand, call: Call) -> Operand:
        """What stands in a shadow for an element that `call` puts there: a shadow or zero. Where the numbers of a tuple have
        their adjoints in a container, its shadow is a list."""
        kind = operand.type if isinstance(operand, Value) else None
        if isinstance(kind, TupleType) and any(True for _ in leaves_of(kind)):
            made, operations = self._listed(kind, self._forward_part(operand, call), call)
            self.engine.additions.place_after(call, *operations)
            return made
        if isinstance(kind, OptionalType) and isinstance(kind.inner, TupleType) and may_be_no_tuple(kind):
            part = self._forward_part(operand, call)
            made, operations = self._listed(kind.inner, part, call)
            is_there, result = Value("", BOOL, temporary=True), Value("", ANY, temporary=True)
            test = Call(is_there, Constant(operator.is_not), (operand, NONE), (), call.span)
            arms = Block(tuple(operations), Yield((made,))), Block((), Yield((NONE,)))
            self.engine.additions.place_after(call, test, If(is_there, *arms, (result,), call.span))
            return result
        return self._forward_part(operand, call)

    def _listed(self, kind: TupleType, shadow: Operand, call: Call) -> tuple[Value, list[Operation]]:
        """A list with the shadows of a tuple's containers and zeros, and what makes it."""
        operations: list[Operation] = []
        parts: list[Operand] = []
        for index, part in enumerate(kind.elements):
            inner: Operand = ZERO
            if may_be_no_tuple(part):
                raise unsupported(
                    call.span,
                    "a tuple of active numbers that may be None is part of a tuple in a container",
                    "put the two into containers of their own, or use a tuple of zeros in place of None",
                )
            if references_in(part):
                inner = Value("", shadow_type(part), temporary=True)
                operations.append(Call(inner, Constant(operator.getitem), (shadow, Constant(index)), (), call.span))
            if isinstance(part, TupleType) and any(True for _ in leaves_of(part)):
                inner, made_inside = self._listed(part, inner, call)
                operations += made_inside
            parts.append(inner)
        made = Value("", ANY, temporary=True)
        return made, [*operations, Call(made, Constant(make_list), tuple(parts), (), call.span)]

    def _place(self, call: Call, block: Block, function: object, *arguments: Operand) -> None:
        shadow = self.define_shadow(call.result, block, call)
        self.engine.additions.place_after(call, Call(shadow, Constant(function), arguments, (), call.span))

    def _place_zeros(self, call: Call, block: Block) -> None:
        """The shadow of what is new, and has nothing active in it yet."""
        self._place(call, block, maker_of_zeros(call.result.type), call.result)

    def _after(self, call: Call, function: object, *arguments: Operand) -> None:
        added = Call(Value("", ANY, temporary=True), Constant(function), arguments, (), call.span)
        self.engine.additions.place_after(call, added)


def shadow_type(kind: Type) -> Type:
    """The type of the shadow of a container."""
    match kind:
        case ListType(element=element, region=region):
            return ListType(shadow_type(element), -region)
        case TupleType(elements=parts) | FunctionType(captured=parts) if references_in(kind):
            return TupleType(tuple(map(shadow_type, parts)))
        case TupleType():
            return ListType(FLOAT)
        case OptionalType(inner):
            shadow = shadow_type(inner)  # None is its own shadow
            return OptionalType(shadow) if isinstance(inner, ArrayType) else shadow
        case ScalarType():
            return FLOAT
        case ArrayType():
            return shadow_array_type(kind)
        case ObjectType(region=region) if kind.cls is not list:
            return ObjectType(runtime.Shadow, -region)
    return ANY


def _name_of_result(definition: Operation | None) -> str:
    """What the shadow of a function's result is called where that has no name."""
    match definition:
        case Call(_, Constant(Callee(name=name))) if name.isidentifier():
            return f"{name}_result_bar"
    return ""


def _is_none(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return operand.value is None
    return isinstance(operand.type, NoneType)


def _without_containers(kind: Type) -> object:
    """The shadow of a value in which there is no active container, where one may have some: it has the same parts."""
    match kind:
        case TupleType(elements=parts):
            return tuple(map(_without_containers, parts))
        case NoneType():
            return None
    return 0.0
