"""Rules as IR: the partial derivative of one call with respect to one operand, for the types and literals at hand.

The body of a rule is lowered and typed like user code; with ``2`` for the exponent, ``power`` becomes ``2 * x``. The outcome
reads only what the derivative needs, which is how the saving analysis learns it. The body is that for one element; where an
operand is an array, its code is lifted to whole arrays.
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from s2sad.errors import NonDifferentiableError, describe_location
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Span, Value, blocks_of
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import FLOAT, INT, NONE, ArrayType, OptionalType, ScalarType, TupleType, Type
from s2sad.rules.core import PointwiseRule, SymmetricRule
from s2sad.transform.check_rule_results import check_partials
from s2sad.transform.lift_to_arrays import NotElementwiseError, lift_to_arrays
from s2sad.transform.rewrite import inline_function, map_blocks, with_blocks, with_body
from s2sad.transform.rule_bodies import Literals, finish, infer_body, mark_operations

_LITERALS = (bool, int, float, str, type(None))


def partial_of(
    rule: PointwiseRule | SymmetricRule,
    position: int,
    result: Value,
    operands: Sequence[Operand],
    span: Span | None,
    bar: Operand | None = None,
) -> tuple[tuple[Operation, ...], Operand]:
    """The operations that compute the partial derivative with respect to the operand at `position`, and its value. Where `bar`,
    the adjoint of the result, is an array, it may be ``1 / n`` for :func:`divisor_of`."""
    kinds = tuple(map(_kind_of, (result, *operands)))
    if isinstance(rule, SymmetricRule):
        function = _lower_symmetric(rule.body_for(len(operands)), (kinds[0], *rule.arguments_for(position, kinds[1:])))
        return _instantiate(function, (result, *rule.arguments_for(position, operands)), span)
    has_arrays = any(isinstance(kind, ArrayType) for kind in kinds)
    literals = tuple(_find_literals(rule, operands, has_arrays)) if any(isinstance(o, Constant) for o in operands) else ()
    pairs = zip(rule.operands, kinds[1:], strict=False) if rule.integer_variants else ()
    integers = [name for name, kind in pairs if kind == INT]
    body = rule.body_for((rule.operands[index] for index, _, _ in literals), has_arrays, integers)
    values = {index: operands[index] for index, _, _ in literals}
    function = _lower_partial(body, position, kinds, literals, Literals(values))
    operations, value = _instantiate(function, (result, *operands), span)
    if kinds[0].dtype and (bar is None or not isinstance(_kind_of(bar), ArrayType) or divisor_of(operations, value) is None):
        return tuple(_dividing_as_numpy(operations, getattr(np, kinds[0].dtype))), value
    return operations, value


def divisor_of(operations: Sequence[Operation], partial: Operand) -> Operand | None:
    """The number by which an array is divided where it is multiplied with a partial derivative that is ``1 / n``."""
    call = operations[0] if len(operations) == 1 else None
    if not isinstance(call, Call) or call.result is not partial:
        return None
    if not _may_raise(call) or not isinstance(call.arguments[0], Constant) or call.arguments[0].value != 1:
        return None
    return call.arguments[1]


def _dividing_as_numpy(operations: Sequence[Operation], cls: type) -> Iterator[Operation]:
    """Where the primal divided as NumPy does, ``1 / n`` of Python's numbers is ``1 / np.float64(n)``, which never raises."""
    for operation in operations:
        if isinstance(operation, Call) and _may_raise(operation):
            divisor = Value("", ScalarType("float", cls.__name__), temporary=True)
            numerator, number = operation.arguments
            yield Call(divisor, Constant(cls), (number,), (), operation.span)
            yield replace(operation, arguments=(numerator, divisor))
        else:
            yield map_blocks(operation, lambda block: Block(tuple(_dividing_as_numpy(block.operations, cls)), block.terminator))


def _may_raise(call: Call) -> bool:
    """Whether a call divides a number of Python by one that may be 0."""
    if not isinstance(call.function, Constant) or call.function.value is not operator.truediv:
        return False
    divisor = call.arguments[1]
    is_nonzero = isinstance(divisor, Constant) and divisor.value != 0
    return not is_nonzero and not any(_kind_of(operand).dtype for operand in call.arguments)


def _find_literals(rule: PointwiseRule, operands: Sequence[Operand], has_arrays: bool) -> Iterator[tuple[int, type, str]]:
    """The literals that decide which body a rule has: their positions, classes and text."""
    special = frozenset().union(*rule.variants, *(rule.array_variants if has_arrays else ()))
    for index, operand in enumerate(operands):
        if isinstance(operand, Constant) and isinstance(operand.value, _LITERALS):
            is_number = isinstance(operand.value, (int, float)) and not isinstance(operand.value, bool)
            if not is_number or rule.operands[index] in special:
                yield index, operand.value.__class__, repr(operand.value)


def _kind_of(operand: Operand) -> ScalarType | ArrayType:
    if isinstance(operand, Constant):
        return FLOAT if isinstance(operand.value, float) else INT
    kind = operand.type.inner if isinstance(operand.type, OptionalType) else operand.type
    if isinstance(kind, ArrayType):
        return ArrayType(kind.dtype, kind.shape)
    return kind if isinstance(kind, ScalarType) else FLOAT


def _of_elements(kind: Type) -> Type:
    return ScalarType(kind.kind) if isinstance(kind, ArrayType) else kind


def _lift(function: Function, body: types.FunctionType, kinds: Sequence[Type]) -> Function:
    """The code for one element as code for the types at hand."""
    if not any(isinstance(kind, ArrayType) for kind in kinds):
        return function
    try:
        return finish(lift_to_arrays(function, kinds))
    except NotElementwiseError as error:
        place = describe_location(body.__code__.co_filename, body.__code__.co_firstlineno)
        message = (
            f"the rule {body.__name__!r} is for numbers: {error} is not known to work on arrays. Give it a body for arrays, "
        )
        raise NonDifferentiableError(f"{message}with @rule.arrays().\n{place}") from error


@functools.lru_cache(maxsize=4096)
def _lower_partial(
    body: types.FunctionType, position: int, kinds: tuple[Type, ...], literals: object, values: Literals
) -> Function:
    definition = lower_function(body)
    names = len(definition.parameters)
    padded = (*map(_of_elements, kinds), *([ScalarType("int")] * (names - len(kinds))))
    defaults = [parameter.default for parameter in inspect.signature(body).parameters.values()]
    missing = {
        index: Constant(None if defaults[index] is inspect.Parameter.empty else defaults[index])
        for index in range(len(kinds), names)
    }
    known = {**{1 + index: operand for index, operand in values.items()}, **missing}
    typed = infer_body(body, definition, padded, known)
    check_partials(body, typed, names - 1)
    parameters = typed.parameters[: len(kinds)]
    typed = Function(typed.name, parameters, typed.body, (), typed.span)
    if names > 2:
        typed = with_body(typed, _pick(typed.body, position))
    return _lift(finish(typed), body, kinds)


@functools.lru_cache(maxsize=1024)
def _lower_symmetric(body: types.FunctionType, kinds: tuple[Type, ...]) -> Function:
    """``(z, x, *operands)`` for so many operands."""
    definition = lower_function(body)
    elements = tuple(map(_of_elements, kinds))
    if definition.parameters[2].kind is not inspect.Parameter.VAR_POSITIONAL:
        return _lift(finish(infer_body(body, definition, elements, {})), body, kinds)
    typed = infer_body(body, definition, (*elements[:2], TupleType(elements[2:])), {})
    check_partials(body, typed, 1)
    spread = tuple(Value("operand", kind) for kind in elements[2:])
    packed = typed.parameters[2].value
    parameters = (*typed.parameters[:2], *(Parameter(value) for value in spread))
    operations = (Call(packed, Constant(make_tuple), spread), *typed.body.operations)
    return _lift(finish(Function(typed.name, parameters, Block(operations, typed.body.terminator))), body, kinds)


def _pick(block: Block, position: int) -> Block:
    """Return one element of the tuple that is returned; None stands for an operand without derivative."""

    def visit(inner: Block) -> Block:
        end = inner.terminator
        if isinstance(end, Return) and _is_none(end.value, position):
            return Block(inner.operations, Return(Constant(0.0), end.span))
        if isinstance(end, Return):
            element = Value("", FLOAT, temporary=True)
            pick = Call(element, Constant(operator.getitem), (end.value, Constant(position)))
            return Block((*inner.operations, pick), Return(element, end.span))
        return Block(inner.operations, with_blocks(end, [visit(part) for part in blocks_of(end)]))

    return visit(block)


def _is_none(returned: Operand, position: int) -> bool:
    if isinstance(returned, Constant):
        return isinstance(returned.value, tuple) and returned.value[position] is None
    return isinstance(returned.type, TupleType) and returned.type.elements[position] == NONE


def _instantiate(function: Function, operands: Sequence[Operand], span: Span | None) -> tuple[tuple[Operation, ...], Operand]:
    operations, value = inline_function(function, operands)
    return mark_operations(operations, span), value
