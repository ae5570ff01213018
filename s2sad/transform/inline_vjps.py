"""Rules for cotangents as IR: the body of a `VjpRule` becomes operations of the adjoint code, for the types at hand.

With an array ``x`` of two axes, and ``axis=0`` in the call, the body::

    def sum(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False):
        if axis is None or keepdims or np.ndim(y_bar) == 0:
            return y_bar
        return np.expand_dims(y_bar, axis)

becomes::

    x_bar = expand_dims(y_bar, 0)

Type inference decides the conditions that depend on types and literals; what only serves operands that nobody asks for goes.
A body that calls functions of the module that it stands in is inlined with them; one that reads data there cannot be inlined.
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from s2sad.analysis.freezing import map_parts
from s2sad.analysis.memory import joined_dtype, number_regions, references_in, renumber
from s2sad.analysis.places import describe_place
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import NonDifferentiableError, S2sadError
from s2sad.frontend.lower import lower_function
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    Function,
    If,
    Operand,
    Operation,
    Parameter,
    Raise,
    Return,
    Span,
    Value,
    Yield,
)
from s2sad.ir.operations import load_captured, load_global, make_list, make_tuple
from s2sad.ir.types import ANY, UNKNOWN, ArrayType, OptionalType, TupleType, Type
from s2sad.rules.core import VjpRule
from s2sad.transform.array_memory import changes_array
from s2sad.transform.check_rule_results import check_adjoints
from s2sad.transform.guards import message_of
from s2sad.transform.rewrite import (
    Node,
    copy_block,
    find_definitions,
    inline_function,
    map_blocks,
    substitute_block,
    with_body,
)
from s2sad.transform.rule_bodies import Literals, finish, infer_body, mark

#: The adjoint of one operand: None if there is none, a tuple for a sequence.
Adjoint = Operand | tuple["Adjoint", ...] | None

#: Where an adjoint is: None if there is none, a tuple for a sequence.
Place = int | tuple["Place", ...] | None


class _NoAdjointError(Exception):
    """An adjoint is asked for that the body does not return."""


def _label(body: types.FunctionType, spread: tuple[bool, ...], position: int) -> str:
    """The name of an operand."""
    names = list(inspect.signature(body).parameters)[VjpRule.leading :]
    return names[position] if position < len(names) and not any(spread[: position + 1]) else "the others"


@dataclass(frozen=True, slots=True)
class _Inlined:
    """A function that returns a flat tuple of adjoints, and where those of the operands wanted are in it."""

    function: Function
    places: tuple[Place, ...]
    #: The regions of arrays that are changed.
    written: frozenset[int] = frozenset()


#: How deep functions that a body calls may call others.
_DEEPEST = 8
_LITERALS = (bool, int, float, str, type(None), tuple)


def bind_operands(
    rule: VjpRule, operands: Sequence[Operand], keywords: Mapping[str, Operand]
) -> tuple[tuple[Operand, ...], tuple[bool, ...]]:
    """One operand for each parameter of the body, or more for ``*operands``; and which of them are such."""
    signature = inspect.signature(rule.body)
    leading = [Constant(None)] * type(rule).leading
    bound = signature.bind(*leading, *operands, **keywords)
    bound.apply_defaults()
    given: list[Operand] = []
    spread: list[bool] = []
    for name, value in list(bound.arguments.items())[type(rule).leading :]:
        is_spread = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        for part in value if is_spread else (value,):
            given.append(part if isinstance(part, (Value, Constant)) else Constant(part))
            spread.append(is_spread)
    return tuple(given), tuple(spread)


def vjp_of(
    rule: VjpRule,
    bar: Operand,
    result: Operand,
    operands: Sequence[Operand],
    keywords: Mapping[str, Operand],
    span: Span | None,
    wanted: Collection[int],
    known: Callable[[Operand], Constant | None] = lambda operand: None,
) -> tuple[tuple[Operation, ...], tuple[Adjoint, ...]] | None:
    """The operations that compute the adjoints of the operands (those at the positions `wanted`), and these, in the order of
    `bind_operands`; None if the rule cannot be inlined. `known` tells which operands are literals though they are values (a tuple
    of numbers). Raises `NonDifferentiableError` if the body raises for these types, or returns no adjoint for an operand that is
    wanted (for one without derivative it says None)."""
    bound, spread = bind_operands(rule, operands, keywords)
    everything = tuple(known(operand) or operand for operand in (bar, result, *bound))
    kinds = tuple(_kind_of(operand) for operand in everything)
    literals = {index: operand for index, operand in enumerate(everything) if _is_literal(operand)}
    texts = tuple((index, operand.value.__class__, repr(operand.value)) for index, operand in literals.items())  # type: ignore[union-attr]
    wanted_positions = tuple(sorted(wanted))
    inlined = _lower_vjp(rule.body, number_regions(kinds), texts, Literals(literals), spread, wanted_positions)
    if inlined is None:
        return None
    if isinstance(inlined, str):
        raise NonDifferentiableError(f"{inlined}\n{describe_place(span)}")
    operations, returned = _instantiate(inlined, everything, span)
    adjoints: list[Adjoint] = [None] * len(bound)
    for position, adjoint in zip(wanted_positions, returned, strict=True):
        adjoints[position] = adjoint
    return operations, tuple(adjoints)


def _is_literal(operand: Operand) -> bool:
    return isinstance(operand, Constant) and isinstance(operand.value, _LITERALS)


def _kind_of(operand: Operand) -> Type:
    if isinstance(operand, Constant):
        return type_of_constant(operand)
    return ANY if operand.type is UNKNOWN else operand.type


# --- The body, once a signature ---------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _lower_vjp(
    body: types.FunctionType,
    kinds: tuple[Type, ...],
    texts: object,
    literals: Literals,
    spread: tuple[bool, ...],
    wanted: tuple[int, ...],
) -> _Inlined | str | None:
    """The body as a function that returns the adjoints wanted, as one tuple; a text if it refuses, None if it cannot be
    inlined."""
    try:
        function = _infer_inlined(body, kinds, literals, spread)
    except S2sadError:
        return None
    if isinstance(function.body.terminator, Raise):
        return message_of(function, function.body.terminator) or f"{function.name} cannot be differentiated here"
    check_adjoints(body, function)
    try:
        inlined = _return_wanted(function, wanted)
    except _NoAdjointError as error:
        (position,) = error.args
        return f"the rule {body.__name__!r} gives no adjoint of operand {position + 1}, {_label(body, spread, position)!r}"
    function = finish(inlined.function)
    return _Inlined(function, inlined.places, frozenset(_written_in(function))) if _is_closed(function) else None


def _infer_inlined(body: types.FunctionType, kinds: tuple[Type, ...], literals: Literals, spread: tuple[bool, ...]) -> Function:
    """The body with types, and with the functions that it calls inlined: what they are given is known there too."""
    function = _infer_spread(body, lower_function(body), kinds, literals, spread)
    for _ in range(_DEEPEST):
        inlined = _inline_calls(function)
        if inlined is function:
            break
        known = {index: operand for index, operand in literals.items() if isinstance(operand, Constant)}
        function = finish(_positional(infer_body(body, inlined, kinds, known)))
    return function


def _infer_spread(
    body: types.FunctionType, definition: Function, kinds: tuple[Type, ...], literals: Literals, spread: tuple[bool, ...]
) -> Function:
    """The body with types; what ``*operands`` takes has parameters of its own."""
    is_star = [parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in definition.parameters]
    if not any(is_star):
        return finish(_positional(infer_body(body, definition, kinds, literals)))
    star = is_star.index(True)
    count = sum(spread)
    packed = TupleType(kinds[star : star + count])
    known = {
        index if index < star else index - count + 1: operand
        for index, operand in literals.items()
        if not star <= index < star + count
    }
    rest = [literals.get(index) for index in range(star, star + count)]
    if all(isinstance(operand, Constant) for operand in rest):
        known[star] = Constant(tuple(operand.value for operand in rest if isinstance(operand, Constant)))
    typed = infer_body(body, definition, (*kinds[:star], packed, *kinds[star + count :]), known)
    parts = tuple(Value("", kind, temporary=True) for kind in kinds[star : star + count])
    values = [parameter.value for parameter in typed.parameters]
    parameters = tuple(map(Parameter, (*values[:star], *parts, *values[star + 1 :])))
    operations = (Call(values[star], Constant(make_tuple), parts), *typed.body.operations)
    return finish(Function(typed.name, parameters, Block(operations, typed.body.terminator), (), typed.span))


def _positional(function: Function) -> Function:
    parameters = tuple(Parameter(parameter.value) for parameter in function.parameters)
    return Function(function.name, parameters, function.body, (), function.span)


def _inline_calls(function: Function) -> Function:
    """Calls of other functions with source, replaced by what these do."""

    def expand(block: Block) -> Block:
        operations: list[Operation] = []
        known: dict[Value, Operand] = {}
        for operation in block.operations:
            if _is_inlinable(operation):
                assert isinstance(operation, Call)
                inner = finish(_inline_calls(_without_regions(_unit_of(operation).function)))
                arguments, captured = operation.arguments, len(inner.captured)
                made, known[operation.result] = inline_function(inner, arguments[captured:], arguments[:captured])
                operations += made
            else:
                operations.append(map_blocks(operation, expand))
        return substitute_block(Block(tuple(operations), map_blocks(block.terminator, expand)), known)

    if not any(map(_is_inlinable, nodes_of(function))):
        return function
    return finish(with_body(function, expand(function.body)))


def _is_inlinable(node: Node) -> bool:
    """Whether it calls a function with source, which does not call itself."""
    if not isinstance(node, Call) or not isinstance(node.function, Constant) or not isinstance(node.function.value, Callee):
        return False
    unit = node.function.value.unit
    return isinstance(unit, Specialisation) and unit.complete and not unit.consulted


def _unit_of(call: Call) -> Specialisation:
    assert isinstance(call.function, Constant)
    assert isinstance(call.function.value, Callee)
    assert isinstance(call.function.value.unit, Specialisation)
    return call.function.value.unit


def _without_regions(function: Function) -> Function:
    """The regions of another function mean nothing here."""
    mapping = {parameter.value: _forgotten(parameter.value) for parameter in function.parameters}
    body = copy_block(function.body, mapping, lambda kind: _in_regions(kind, {}))
    parameters = tuple(Parameter(mapping[parameter.value]) for parameter in function.parameters)
    return Function(function.name, parameters, body, function.captured, function.span)


def _forgotten(value: Value) -> Value:
    return Value(value.name, _in_regions(value.type, {}), value.temporary)


def _in_regions(kind: Type, numbers: Mapping[int, int], written: Collection[int] = ()) -> Type:
    """The type with its regions renamed; those without a name get 0, which may be any. Arrays are values, but for those that are
    `written` to."""
    match kind:
        case ArrayType(dtype, shape, region):
            return ArrayType(dtype, shape, numbers.get(region, 0), region not in written)
        case TupleType() | OptionalType():
            return map_parts(kind, lambda part: _in_regions(part, numbers, written))
    return renumber(kind, {region: numbers.get(region, 0) for region in references_in(kind)})


def _written_in(function: Function) -> set[int]:
    """The regions of arrays that the code changes, or puts into containers."""
    written: set[int] = set()
    for node in nodes_of(function):
        if isinstance(node, Call):
            effects = effects_of(node)
            changed = node.arguments[:1] if changes_array(node) else node.arguments if effects.writes or effects.acts else ()
            for operand in changed:
                written.update(references_in(_kind_of(operand)))
            if not isinstance(node.result.type, (ArrayType, TupleType, OptionalType)):
                written.update(references_in(node.result.type))
    return written


def _is_closed(function: Function) -> bool:
    """Whether the code means the same wherever it stands."""
    for node in nodes_of(function):
        if isinstance(node, Call):
            if not isinstance(node.function, Constant) or isinstance(node.function.value, Callee):
                return False
            if node.function.value in (load_global, load_captured):
                return False
    return True


# --- What is returned -------------------------------------------------------------------------------------------------------


def _return_wanted(function: Function, wanted: Sequence[int]) -> _Inlined:
    """Return a tuple of the adjoints at these positions; where there is one way through the body, those of the elements of
    sequences each."""
    calls = find_definitions(function)

    def visit(block: Block) -> Block:
        end = block.terminator
        if isinstance(end, Branch):
            return Block(block.operations, Branch(end.condition, visit(end.then), visit(end.orelse), end.span))
        if not isinstance(end, Return):
            return block
        operations = list(block.operations)
        elements = [_element(calls, operations, end.value, position) for position in wanted]
        return _returning(operations, elements, end.span)

    end = function.body.terminator
    if not isinstance(end, Return):
        return _Inlined(with_body(function, visit(function.body)), tuple(range(len(wanted))))
    operations = list(function.body.operations)
    flat: list[Operand] = []
    places = tuple(_place(_element(calls, operations, end.value, position), calls, flat) for position in wanted)
    return _Inlined(with_body(function, _returning(operations, flat, end.span)), places)


def _returning(operations: Sequence[Operation], elements: Sequence[Operand], span: Span | None) -> Block:
    packed = Value("", ANY, temporary=True)
    return Block((*operations, Call(packed, Constant(make_tuple), tuple(elements))), Return(packed, span))


def _place(operand: Operand, calls: Mapping[Value, Call], flat: list[Operand]) -> Place:
    """Where an adjoint is among those that are returned one by one."""
    if isinstance(operand, Constant) and operand.value is None:
        return None
    elements = _elements_of(operand, calls)
    if elements is not None:
        return tuple(_place(element, calls, flat) for element in elements)
    flat.append(operand)
    return len(flat) - 1


def _elements_of(operand: Operand, calls: Mapping[Value, Call]) -> tuple[Operand, ...] | None:
    """The elements of a display, or of displays that are added."""
    if isinstance(operand, Constant):
        return tuple(map(Constant, operand.value)) if isinstance(operand.value, tuple) else None
    call = calls.get(operand)
    if call is None or not isinstance(call.function, Constant):
        return None
    if call.function.value is make_tuple or (call.function.value is make_list and call.arguments):
        return call.arguments  # an empty list is filled later on
    if call.function.value in (operator.add, operator.iadd):
        parts = [_elements_of(part, calls) for part in call.arguments]
        return None if None in parts else tuple(element for part in parts if part is not None for element in part)
    return None


def _element(calls: Mapping[Value, Call], operations: list[Operation], returned: Operand, position: int) -> Operand:
    """One adjoint of those that are returned: as a tuple, or the only one."""
    call = calls.get(returned) if isinstance(returned, Value) else None
    if call is not None and isinstance(call.function, Constant) and call.function.value is make_tuple:
        if position >= len(call.arguments):
            raise _NoAdjointError(position)
        return call.arguments[position]
    kind = _kind_of(returned)
    if isinstance(kind, TupleType):
        if position >= len(kind.elements):
            raise _NoAdjointError(position)
        element = Value("", kind.elements[position], temporary=True)
        operations.append(Call(element, Constant(operator.getitem), (returned, Constant(position)), exact=False))
        return element
    if position > 0:
        raise _NoAdjointError(position)
    return returned


def _instantiate(
    inlined: _Inlined, operands: Sequence[Operand], span: Span | None
) -> tuple[tuple[Operation, ...], tuple[Adjoint, ...]]:
    """The operations for these operands, and the adjoints."""
    function = inlined.function
    mapping = {parameter.value: operand for parameter, operand in zip(function.parameters, operands, strict=True)}
    numbers: dict[int, int] = {}
    written = set(inlined.written)
    for parameter, operand in mapping.items():
        if isinstance(operand, Value):
            outside = references_in(operand.type)
            for inner, (outer, kind) in zip(references_in(parameter.type), outside.items(), strict=False):
                numbers[inner] = outer if numbers.get(inner, outer) == outer else 0
                if not isinstance(kind, ArrayType) or not kind.fixed:
                    written.add(inner)
    block = copy_block(function.body, mapping, lambda kind: _in_regions(kind, numbers, written))
    block = _as_region(mark(block, span))
    assert isinstance(block.terminator, Yield)
    values = block.terminator.values
    return block.operations, tuple(_read(place, values) for place in inlined.places)


def _read(place: Place, values: Sequence[Operand]) -> Adjoint:
    if place is None:
        return None
    if isinstance(place, tuple):
        return tuple(_read(part, values) for part in place)
    value = values[place]
    return None if isinstance(value, Constant) and value.value is None else value


def _as_region(block: Block) -> Block:
    """A tree whose leaves return displays as a block that ends with `Yield` of their elements (or with `Raise`)."""
    end = block.terminator
    match end:
        case Return(value):
            if isinstance(value, Constant):
                assert isinstance(value.value, tuple)
                return Block(block.operations, Yield(tuple(map(Constant, value.value))))
            (*operations, display) = block.operations
            assert isinstance(display, Call)
            assert display.result is value
            return Block(tuple(operations), Yield(display.arguments))
        case Branch(condition, then, orelse, span):
            then, orelse = _as_region(then), _as_region(orelse)
            first, second = then.terminator, orelse.terminator
            if not isinstance(first, Yield) or not isinstance(second, Yield):
                kept = first if isinstance(first, Yield) else second
                assert isinstance(kept, Yield)
                results = tuple(Value("", _kind_of(operand), temporary=True) for operand in kept.values)
            else:
                pairs = zip(first.values, second.values, strict=True)
                results = tuple(Value("", _either(*pair), temporary=True) for pair in pairs)
            node = If(condition, then, orelse, results, span)
            return Block((*block.operations, node), Yield(results))
        case _:
            return block


def _either(first: Operand, second: Operand) -> Type:
    kinds = (_kind_of(first), _kind_of(second))
    if kinds[0] == kinds[1]:
        return kinds[0]
    arrays = [kind.dtype for kind in kinds if isinstance(kind, ArrayType)]
    return ArrayType(joined_dtype(*arrays), None) if len(arrays) == 2 else ANY
