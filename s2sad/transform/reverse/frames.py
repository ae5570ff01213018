"""The reverse sweep while it is being written: one frame mirrors one block of the primal.

Reverse operations refer to values of the primal as if these were in scope; which of them are still there, saved or computed again
is decided later (:mod:`s2sad.transform.reverse.saving`), when all that the sweep needs is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.analysis.sharing import may_hold_views
from s2sad.ir.nodes import Block, Branch, Call, Constant, For, If, Operand, Operation, Span, Terminator, Try, Value, While, With
from s2sad.ir.types import FLOAT, ArrayType, FunctionType, OptionalType, ScalarType, TupleType, Type, strip_optional

#: A part of a value that has an adjoint of its own: the value, and the way to an element of a tuple.
Slot = tuple[Value, tuple[int, ...]]

ZERO = Constant(0.0)


def leaves_of(kind: Type) -> Iterator[tuple[int, ...]]:
    """The ways to the numbers in a value of this type (containers have shadows instead)."""
    match kind:
        case ScalarType(kind="float" | "complex"):
            yield ()
        case ArrayType() if kind.fixed and kind.is_real:
            yield ()
        case OptionalType(inner):
            yield from leaves_of(inner)
        case TupleType(elements=parts) | FunctionType(captured=parts):
            for index, part in enumerate(parts):
                for path in leaves_of(part):
                    yield (index, *path)


@dataclass(eq=False)
class Frame:
    """The mirror of a block. `bars` holds the adjoints accumulated so far for values visible here."""

    block: Block
    parent: Frame | None = None
    loop: ReversedLoop | None = None
    operations: list[Operation | ReversedLoop | ReversedIf] = field(default_factory=list)
    bars: dict[Slot, Operand] = field(default_factory=dict)
    #: The adjoints among these that are arrays of their own, to which is added in place.
    buffers: set[Slot] = field(default_factory=set)
    #: Where the operations that reverse a node of the block begin.
    marks: list[tuple[int, Operation | Terminator]] = field(default_factory=list)


@dataclass(eq=False)
class CarriedBar:
    """An adjoint that goes round a reversed loop."""

    initial: Operand
    parameter: Value
    result: Value
    next: Operand = ZERO


@dataclass(eq=False)
class ReversedLoop:
    """The mirror of a loop. `flags` pairs a `Branch` that leaves the loop with the carried flag that stands for its condition."""

    loop: For | While
    frame: Frame
    carried: list[CarriedBar] = field(default_factory=list)
    accumulators: dict[Slot, CarriedBar] = field(default_factory=dict)
    flags: dict[Branch, Value] = field(default_factory=dict)
    span: Span | None = None


@dataclass(eq=False)
class ReversedIf:
    """The mirror of an `If`, `Branch`, `Try` or `With`. Without `condition`, only the arm in `then` can be reached. It runs under
    the `context` that this call makes."""

    node: If | Branch | Try | With
    condition: Operand | None
    then: Frame
    orelse: Frame | None
    results: list[tuple[Value, Operand, Operand]] = field(default_factory=list)
    span: Span | None = None
    context: Call | None = None


def new_bar(slot: Slot, name: str = "") -> Value:
    """A value that holds an adjoint; `name` for that of a value without a name."""
    value, path = slot
    name = f"{value.name}_bar" if value.name else name
    if path and value.name:
        name = f"{value.name}_{'_'.join(map(str, path))}_bar"
    return Value(name, bar_type_of(slot), temporary=True)


def bar_type_of(slot: Slot) -> Type:
    """The type of the adjoint that belongs to a slot."""
    kind = strip_optional(slot[0].type)
    for step in slot[1]:
        parts = kind.elements if isinstance(kind, TupleType) else kind.captured if isinstance(kind, FunctionType) else ()
        kind = strip_optional(parts[step]) if step < len(parts) else FLOAT
    return bar_type(kind)


def bar_type(kind: Type) -> Type:
    """The type of the adjoint of a number or an array: real, and of the same precision."""
    kind = strip_optional(kind)
    if isinstance(kind, ArrayType):
        return ArrayType(kind.dtype if kind.is_real else "float64", kind.shape, 0, fixed=True)
    return FLOAT


def shadow_array_type(kind: Type) -> Type:
    """The type of an array of adjoints that is written to: a shadow, or a buffer."""
    bar = bar_type(kind)
    return ArrayType(bar.dtype, bar.shape, 0) if isinstance(bar, ArrayType) else bar


def maker_of_zeros(kind: Type) -> Callable[..., object]:
    """What makes the shadow of a value of this type: of one that may be an array or a number, an array; of a structure in which
    arrays may overlap, one in which their shadows do."""
    kind = strip_optional(kind)
    if isinstance(kind, ArrayType):
        return runtime.zeros_like_array if kind.shape is None else runtime.zeros_like
    if holds_numbers_or_arrays(kind):
        return runtime.zeros_like_with_views_in_arrays if may_hold_views(kind) else runtime.zeros_like_in_arrays
    return runtime.zeros_like_with_views if may_hold_views(kind) else runtime.zeros_like


def holds_numbers_or_arrays(kind: Type) -> bool:
    """Whether a place in a container may hold a number or an array."""
    return any(isinstance(part, ArrayType) and part.shape is None for part in references_in(kind).values())


def maker_of_zeros_for_argument(kind: Type) -> Callable[..., object]:
    """What makes the shadow of an argument that the caller has no shadow of. If two of its arrays overlap, the function changes
    neither, and each has a gradient of its own."""
    maker = maker_of_zeros(kind)
    without_views: dict[object, Callable[..., object]] = {
        runtime.zeros_like_with_views: runtime.zeros_like,
        runtime.zeros_like_with_views_in_arrays: runtime.zeros_like_in_arrays,
    }
    return without_views.get(maker, maker)


def find_bar(frame: Frame, slot: Slot, is_inside: Callable[[Value, Block], bool], name: str = "") -> Operand | None:
    """The adjoint that a contribution made in `frame` adds to. A loop gets an accumulator for values from outside it."""
    if slot in frame.bars:
        return frame.bars[slot]
    if frame.loop is not None and not is_inside(slot[0], frame.block):
        assert frame.parent is not None
        initial = find_bar(frame.parent, slot, is_inside, name)
        bar = CarriedBar(initial if initial is not None else ZERO, new_bar(slot, name), new_bar(slot, name))
        frame.loop.accumulators[slot] = bar
        frame.bars[slot] = bar.parameter
        return bar.parameter
    if frame.parent is None or is_inside(slot[0], frame.block):
        return None
    return find_bar(frame.parent, slot, is_inside, name)
