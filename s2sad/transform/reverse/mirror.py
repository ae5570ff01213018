"""Shadows in the forward sweep: what keeps mirrored shadows in step with their containers, and the calls of forward halves.

Each binding of a mirrored container does the same to its shadow at once: a load of an inner container loads the inner shadow, a
store of a container stores its shadow, `append` and `pop` change the length of both. ::

    y = [x]                       y_bar = [0.0]
    rows.append(y)                rows_bar.append(y_bar)
    z = rows[0]                   z_bar = rows_bar[0]
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from s2sad import runtime
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.array_operands import type_of_operand
from s2sad.analysis.memory import references_in
from s2sad.analysis.shadow_types import MAKERS_OF_ZEROS
from s2sad.analysis.simple_types import STRING
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, reads_variable_outside
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    If,
    MakeFunction,
    Operand,
    Operation,
    Return,
    Span,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    function_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import (
    call_method,
    load_cell,
    make_cell,
    make_dict,
    make_list,
    make_tuple,
    new_object,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import (
    ANY,
    NONE,
    ArrayType,
    DictType,
    ListType,
    NoneType,
    ObjectType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    strip_optional,
)
from s2sad.rules.core import VjpRule, ZeroDerivative
from s2sad.transform.hold_numbers import is_held
from s2sad.transform.reverse.additions import ExtraCarried, ExtraResult
from s2sad.transform.reverse.array_bars import real_dtype
from s2sad.transform.reverse.array_names import (
    is_same_object,
    is_view,
    is_view_or_copy,
    memory_of,
)
from s2sad.transform.reverse.errors import refused_outside, unsupported
from s2sad.transform.reverse.forward_shadows import ForwardShadows, shadow_type
from s2sad.transform.reverse.frames import (
    ZERO,
    holds_numbers_or_arrays,
    maker_of_zeros,
    maker_of_zeros_for_argument,
)
from s2sad.transform.reverse.late_shadows import length_when_made, zeros_in_list
from s2sad.transform.reverse.optional_tuples import may_be_no_tuple
from s2sad.transform.reverse.shadow_calls import shadows_among
from s2sad.transform.reverse.shadows import LATE, MIRRORED, is_slicing, own_region, regions_of_arguments

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_LOADS = (operator.getitem, getattr, load_cell)
STORES = (operator.setitem, setattr, set_frozen, store_cell)
_MAKERS = (operator.add, operator.mul, list, dict, *MAKERS_OF_ZEROS, runtime.zeros_like_all)


class Mirror(ForwardShadows):
    """The forward sweep of one function."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        #: What forward halves hand to reverse halves, by call.
        self.saved: dict[Call, Value] = {}
        #: The shadows that stores replace: the reverse sweep puts them back.
        self.replaced: dict[Call, Value] = {}
        #: Shadows made for arguments that have none otherwise.
        self.passed: dict[tuple[Call, int], Value] = {}

    def mirror(self) -> None:
        """Add to the forward sweep what keeps mirrored shadows in step, and the calls of forward halves."""
        body, span = self.engine.function.body, self.engine.function.span
        values = [parameter.value for parameter in self.engine.function.parameters]
        mirrored = [value for value in values if self.needs_mirror(value.type) and value not in self.engine.shadows]
        others = {
            value: first for value, first in self.engine.other_names.items() if value in mirrored and isinstance(first, Value)
        }
        mirrored = [value for value in mirrored if value not in others]
        together = [value for value in mirrored if any(map(self.engine.unchanged.is_written, references_in(value.type)))]
        if len(together) < 2:
            together = []
        for value in mirrored:
            if value not in together:
                is_argument = self.engine.circumstances is None and value not in self.engine.captured
                maker = maker_of_zeros_for_argument if is_argument else maker_of_zeros
                made = Call(self.define_shadow(value, body, None), Constant(maker(value.type)), (value,), (), span)
                self.engine.additions.place_at_start(body, made)
        if together:  # two of them may be one object: then it has one shadow
            shadows = Value("", TupleType(tuple(shadow_type(value.type) for value in together)), temporary=True)
            self.engine.additions.place_at_start(
                body,
                Call(shadows, Constant(runtime.zeros_like_all), tuple(together), (), span),
                *(
                    Call(self.define_shadow(value, body, None), Constant(operator.getitem), (shadows, Constant(index)), (), span)
                    for index, value in enumerate(together)
                ),
                *(
                    Call(
                        Value("", ANY, temporary=True), Constant(runtime.hold_in_arrays), (self.engine.shadows[value],), (), span
                    )
                    for value in together
                    if holds_numbers_or_arrays(value.type)
                ),
            )
        self.engine.shadows.update((value, self.engine.shadows[first]) for value, first in others.items())
        self._mirror_block(self.engine.function.body)
        self._complete_carried()
        for node in walk(self.engine.function.body):
            if isinstance(node, Return) and isinstance(node.value, Value) and memory_of(node.value) is not None:
                self.forward_shadow(node.value)  # the caller may ask for it

    def _mirror_block(self, block: Block) -> None:
        for operation in block.operations:
            match operation:
                case Call():
                    self._mirror_call(operation, block)
                case MakeFunction(result, _, captured, defaults, span):
                    if self.needs_mirror(result.type):
                        parts = tuple(self._forward_part(operand, operation) for operand in (*captured, *defaults))
                        shadow = self.define_shadow(result, block, operation)
                        made = Call(shadow, Constant(make_tuple), parts, (), span)
                        self.engine.additions.place_after(operation, made)
                case For() | While():
                    for item in operation.carried:
                        if self.needs_mirror(item.parameter.type) or self.needs_mirror(item.result.type):
                            parameter = self.define_shadow(item.parameter, operation.body, None)
                            result = self.define_shadow(item.result, block, operation)
                            extra = ExtraCarried(
                                self.forward_shadow(item.initial), parameter, result, parameter, of=item.parameter
                            )
                            self.engine.additions.carried.setdefault(operation, []).append(extra)
                    for inner in blocks_of(operation):
                        self._mirror_block(inner)
                case If() | Try() | With():
                    for inner in blocks_of(operation):
                        self._mirror_block(inner)
                    self._mirror_results(operation, block)
        for inner in blocks_of(block.terminator):
            self._mirror_block(inner)

    def _mirror_results(self, operation: If | Try | With, block: Block) -> None:
        for position, result in enumerate(operation.results):
            if not self.needs_mirror(result.type):
                continue
            operands: dict[Block, Operand] = {}
            for inner in blocks_of(operation):
                if isinstance(inner.terminator, Yield):
                    operands[inner] = self.forward_shadow(inner.terminator.values[position])
            shadow = self.define_shadow(result, block, operation)
            self.engine.additions.results.setdefault(operation, []).append(ExtraResult(shadow, operands))

    def _complete_carried(self) -> None:
        """Now that every shadow has a value: what each leaf of a loop hands on."""
        for node in walk(self.engine.function.body):
            if not isinstance(node, (For, While)):
                continue
            for extra in self.engine.additions.carried.get(node, ()):
                if extra.of is None:
                    continue
                position = [item.parameter for item in node.carried].index(extra.of)
                extra.at_leaf = {
                    leaf: self.forward_shadow(leaf.values[position])
                    for leaf in _leaves(node.body)
                    if isinstance(leaf, (Yield, Break))
                }

    def _mirror_call(self, call: Call, block: Block) -> None:
        engine = self.engine
        halves = engine.halves.get(call)
        if halves is not None:
            self._mirror_halves(call, block)
            return
        if not isinstance(call.function, Constant):
            return
        function, arguments, span = call.function.value, call.arguments, call.span
        if memory_of(call.result) is not None and self.needs_mirror(call.result.type):
            if is_same_object(call) or is_view(call):
                return  # found through the array that it is, or is a view of
            if (places := shadows_among(call)) is not None:
                given = [self.forward_shadow(part) if index in places else part for index, part in enumerate(arguments)]
                self._place(call, block, function, *given)
                return
            if arguments and is_view_or_copy(call):
                same = Value("", shadow_type(call.result.type), temporary=True)
                owner = self.forward_shadow(arguments[0])
                engine.additions.place_after(call, Call(same, call.function, (owner, *arguments[1:]), call.keywords, span))
                self._place(call, block, runtime.shadow_of_view, same, owner, call.result, arguments[0])
                return
            if is_held(call):
                self._place(call, block, np.zeros, Constant(()))
                return
            if not isinstance(function, Callee) and not is_loaded(call):
                shadow = self.define_shadow(call.result, block, call)
                dtype = real_dtype(engine, call.result.type)
                engine.additions.place_after(call, Call(shadow, Constant(np.zeros_like), (call.result,), dtype, span))
                return
        if self.needs_mirror(call.result.type):
            if function in _LOADS and is_slicing(call) and not self.needs_mirror(getattr(arguments[0], "type", ANY)):
                self._place_zeros(call, block)  # new, made of what is not active
            elif reads_variable_outside(call):
                self._place_zeros(call, block)
            elif function is unpack and not self._is_read(call.result):
                return  # the elements are taken one by one, and this sees to it that there are as many
            elif function in _LOADS or (function is unpack and self.needs_mirror(getattr(arguments[0], "type", ANY))):
                self._refuse_number_or_array(call)
                _refuse_array_of_class(call)
                if isinstance(arguments[0], Constant):
                    raise refused_outside(call)
                shadow = self.define_shadow(call.result, block, call)
                owner = self.forward_shadow(arguments[0])
                load = Call(shadow, call.function, (owner, *arguments[1:]), (), span, exact=False)
                engine.shadow_loads[shadow] = load
                engine.additions.place_after(call, load)
            elif function is make_tuple:
                self._place(call, block, make_tuple, *(self._forward_part(operand, call) for operand in arguments))
            elif function is make_cell and arguments[0] is UNBOUND:
                holds_containers = isinstance(call.result.type, ListType) and self.needs_mirror(call.result.type.element)
                self._place(call, block, make_list, Constant(None) if holds_containers else ZERO)
            elif function in (make_list, make_cell):
                self._place(call, block, make_list, *(self._forward_element(operand, call) for operand in arguments))
            elif function is make_dict:
                pairs = [part if index % 2 == 0 else self._forward_element(part, call) for index, part in enumerate(arguments)]
                self._place(call, block, make_dict, *pairs)
            elif function in (new_object, runtime.Shadow):
                self._place(call, block, runtime.Shadow)
            elif isinstance(function, Callee) and not any(operand in engine.activity for operand in arguments):
                self._place_zeros(call, block)  # new: none of its containers came from here
            elif function is operator.mul and (length := length_when_made(call, engine.structure)) is not None:
                self._mirror_repeated(call, block, length)
            elif (
                function in _MAKERS
                or _is_new_without_derivative(call)
                or (function is call_method and name_of_method(call) == "copy")
            ):
                self._place_zeros(call, block)
            elif function is operator.iadd or function is operator.imul:
                engine.shadows[call.result] = self.forward_shadow(arguments[0])
            elif function is call_method and name_of_method(call) == "pop":
                shadow = self.define_shadow(call.result, block, call)
                owner = self.forward_shadow(arguments[0])
                engine.additions.place_after(call, Call(shadow, call.function, (owner, *arguments[1:]), (), span))
                return
            elif isinstance(rule_of_call(call)[0], ZeroDerivative):  # new, with nothing in it that came from here
                self._place_zeros(call, block)
            elif isinstance(call.result.type, TupleType) and isinstance(rule_of_call(call)[0], VjpRule):
                # new arrays, one a part: q, r = np.linalg.qr(a); q *= 2.0
                shadow = self.define_shadow(call.result, block, call)
                engine.additions.place_after(call, *zeros_for_parts(call.result, shadow, span))
        if function is runtime.hold_in_arrays and self.needs_mirror(getattr(arguments[0], "type", ANY)):
            self._after(call, function, self.forward_shadow(arguments[0]))
            return
        receiver = arguments[0] if arguments else None
        kind = getattr(receiver, "type", ANY)
        if receiver is None or not self.needs_mirror(kind) or own_region(receiver) is None or memory_of(receiver) is not None:
            return
        owner = self.forward_shadow(receiver)
        if function in STORES:
            stored = self._forward_element(arguments[-1], call)
            if not isinstance(stored, Constant) or _may_have_no_shadow(stripped(receiver)) or function is store_cell:
                if not isinstance(stored, Constant) or may_be_no_tuple(_element_type(kind)):
                    self._save_old_reference(call, block, owner)
                self._after(call, function, owner, *arguments[1:-1], stored)
        elif function is call_method and name_of_method(call) == "append":
            self._after(call, call_method, owner, Constant("append"), self._forward_element(arguments[2], call))
        elif function is call_method and name_of_method(call) == "pop":
            self._after(call, call_method, owner, Constant("pop"), *arguments[2:])

    def _refuse_number_or_array(self, call: Call) -> None:
        """What is taken under a key that is not known may be a number of the container or one of its arrays: a number has its
        adjoint in the container."""
        kind, result = stripped(call.arguments[0]), stripped(call.result)
        if isinstance(result, ArrayType) and isinstance(kind, (DictType, ObjectType)):
            parts = [*(part for _, part in kind.fields), *([kind.value] if isinstance(kind, DictType) else [])]
            key = call.arguments[1] if len(call.arguments) > 1 else Constant(0)
            if not isinstance(key, Constant) and any(isinstance(strip_optional(part), ScalarType) for part in parts):
                raise unsupported(
                    call.span,
                    "what is taken out of this container is a number or an array, which only the running program knows",
                    "keep the numbers and the arrays in two containers, loop over the elements themselves, or make arrays of the "
                    "numbers: np.asarray(x)",
                )

    def _mirror_repeated(self, call: Call, block: Block, length: Operand) -> None:
        """The shadow of ``[x] * n``: one list of zeros is made in that place, of numbers or of what `zeros_like` makes."""
        kind = call.result.type
        if isinstance(kind, ListType) and isinstance(kind.element, ScalarType) and kind.element.is_real:
            shadow = self.define_shadow(call.result, block, call)
            self.engine.additions.place_after(call, *zeros_in_list(call.result, shadow, kind, length, call.span))
        else:
            self._place_zeros(call, block)

    def _save_old_reference(self, call: Call, block: Block, owner: Operand) -> None:
        """The shadow that a store replaces: the reverse sweep puts it back."""
        old = Value("replaced_bar", ANY, temporary=True)
        self.engine.structure.define(old, block, call)
        assert isinstance(call.function, Constant)
        key = call.arguments[1] if call.function.value is not store_cell else Constant(0)
        read: object
        arguments: tuple[Operand, ...]
        match stripped(call.arguments[0]):
            case DictType():
                read, arguments = call_method, (owner, Constant("get"), key)
            case ObjectType(cls=cls) if cls is not list:
                read, arguments = getattr, (owner, key, Constant(None))
            case _:
                read, arguments = operator.getitem, (owner, key)
        self.engine.additions.place_after(call, Call(old, Constant(read), arguments, (), call.span))
        self.replaced[call] = old

    def _mirror_halves(self, call: Call, block: Block) -> None:
        """Call the forward half instead of the primal."""
        engine = self.engine
        halves = engine.halves[call]
        may_hold_either = not isinstance(stripped(call.result), ArrayType) and holds_numbers_or_arrays(call.result.type)
        if halves.result_shadow in ("", LATE) and self.needs_mirror(call.result.type):
            self._place_zeros(call, block)  # nothing but the result refers to what is new in it
            if may_hold_either:
                self._after(call, runtime.hold_in_arrays, engine.shadows[call.result])
        if halves.forward is None:
            return
        if halves.gives_none and not isinstance(call.result.type, NoneType) and self._is_read(call.result):
            raise unsupported(call.span, "what this gives is None, and is used", "leave it out, and write None where it is used")
        arguments = engine.calls.passed[call]
        made: list[Operation] = []
        operands = [*arguments, *(self._passed_shadow(call, index, made) for index in halves.mirrored)]
        if halves.uses_stack:
            operands.extend(engine.stacks_of(halves))
        parts: list[Value] = [call.result] if halves.gives_result and not halves.gives_none else []
        if halves.result_shadow == MIRRORED:
            parts.append(self.define_shadow(call.result, block, call))
        if halves.takes_saved:
            name = f"{halves.forward.name.removesuffix('_forward').lstrip('_')}_kept"
            saved = Value(name, ANY, temporary=True)
            engine.structure.define(saved, block, call)
            self.saved[call] = saved
            parts.append(saved)
        if len(parts) <= 1:
            own = [call] if not halves.gives_result else []
            result = next(iter(parts), Value("", NONE, temporary=True))
            engine.additions.instead[call] = [*own, *made, Call(result, Constant(halves.forward), tuple(operands), (), call.span)]
            return
        pair = Value("", TupleType(tuple(part.type for part in parts)), temporary=True)
        if not halves.gives_result:
            made.append(call)
        made.append(Call(pair, Constant(halves.forward), tuple(operands), (), call.span))
        for index, part in enumerate(parts):
            made.append(Call(part, Constant(operator.getitem), (pair, Constant(index)), (), call.span))
        if may_hold_either and halves.result_shadow == MIRRORED:
            shadow = engine.shadows[call.result]
            made.append(Call(Value("", ANY, temporary=True), Constant(runtime.hold_in_arrays), (shadow,), (), call.span))
        engine.additions.instead[call] = made

    def _is_read(self, value: Value) -> bool:
        return any(value in operands_of(node) for node in nodes_of(self.engine.function))

    def _passed_shadow(self, call: Call, index: int, made: list[Operation]) -> Operand:
        """The shadow of an argument for a forward half; of a tuple or a function value whose containers are not active, zeros."""
        operand = self.engine.calls.passed[call][index]
        if not isinstance(operand, Value) or own_region(operand) is not None or operand in self.engine.shadows:
            return self.forward_shadow(operand)
        shadow = Value("", shadow_type(operand.type), temporary=True)
        home = self.engine.structure.home[call.result]
        self.engine.structure.define(shadow, home, call)
        self.passed[call, index] = shadow
        made += zeros_for_parts(operand, shadow, call.span)
        return shadow


def _is_new_without_derivative(call: Call) -> bool:
    """Whether a call gives something new that has no derivative: indices, the words of a text, which may be handed on with active
    numbers."""
    if function_of(call) is call_method and type_of_operand(call.arguments[0]) == STRING:
        return True
    new = references_in(call.result.type).keys()
    return isinstance(rule_of_call(call)[0], ZeroDerivative) and new.isdisjoint(regions_of_arguments(call.arguments))


def _may_have_no_shadow(kind: Type | None) -> bool:
    """Whether there may be no adjoint yet where a number is stored: under a new key, or in place of None."""
    is_empty = isinstance(kind, ListType) and isinstance(kind.element, OptionalType)
    return is_empty or isinstance(kind, DictType | ObjectType)


def zeros_for_parts(operand: Value, shadow: Value, span: Span | None) -> list[Operation]:
    """The operations that make zeros for a value; those of the elements of a tuple are apart, since they are added one by one to
    what the elements are here."""
    if not isinstance(operand.type, TupleType):
        return [Call(shadow, Constant(maker_of_zeros(operand.type)), (operand,), (), span)]
    made: list[Operation] = []
    parts: list[Operand] = []
    for index, kind in enumerate(operand.type.elements):
        part, zeros = Value("", kind, temporary=True), Value("", shadow_type(kind), temporary=True)
        parts.append(zeros if references_in(kind) else ZERO)
        if references_in(kind):
            made.append(Call(part, Constant(operator.getitem), (operand, Constant(index)), (), span))
            made += zeros_for_parts(part, zeros, span)
    return [*made, Call(shadow, Constant(make_tuple), tuple(parts), (), span)]


def is_loaded(call: Call) -> bool:
    """Whether a call takes an array out of a container or object."""
    function = call.function.value if isinstance(call.function, Constant) else None
    taken = function in _LOADS or (function is call_method and name_of_method(call) == "pop")
    return taken and not isinstance(getattr(call.arguments[0], "type", None), ArrayType)


def _refuse_array_of_class(call: Call) -> None:
    """An array of a class, which its objects share until they have their own, has no place in the shadow of one of them."""
    kind, function = stripped(call.arguments[0]), call.function.value if isinstance(call.function, Constant) else None
    name = call.arguments[1].value if len(call.arguments) > 1 and isinstance(call.arguments[1], Constant) else None
    if function is getattr and isinstance(kind, ObjectType) and isinstance(getattr(kind.cls, str(name), None), np.ndarray):
        raise unsupported(
            call.span,
            f".{name} may be an array of the class {kind.cls.__name__}, which its objects share, and it changes",
            "give each object an array of its own in __init__",
        )


def name_of_method(call: Call) -> str:
    label = call.arguments[1]
    return str(label.value) if isinstance(label, Constant) else ""


def stripped(operand: Operand) -> Type | None:
    kind = operand.type if isinstance(operand, Value) else None
    return kind.inner if isinstance(kind, OptionalType) else kind


def _leaves(block: Block) -> list[Terminator]:
    if isinstance(block.terminator, Branch):
        return [*_leaves(block.terminator.then), *_leaves(block.terminator.orelse)]
    return [block.terminator]


def _element_type(kind: Type) -> Type | None:
    """The type of the elements of a list or a dict."""
    match strip_optional(kind):
        case ListType(element=element):
            return element
        case DictType(value=value):
            return value
    return None
