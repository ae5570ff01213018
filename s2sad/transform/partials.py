"""Rules as IR: the partial derivative of one call with respect to one operand, for the types and literals at hand.

The body of a rule is lowered and typed like user code; with ``2`` for the exponent, ``power`` becomes ``2 * x``. The outcome
reads only what the derivative needs, which is how the saving analysis learns it.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import types
from collections.abc import Sequence

from s2sad.analysis.analyser import Analyser
from s2sad.analysis.infer_types import Inference
from s2sad.analysis.specialisation import Specialisation
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    Operand,
    Operation,
    Parameter,
    Return,
    Span,
    Terminator,
    Value,
    Yield,
    blocks_of,
)
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import FLOAT, OptionalType, ScalarType, TupleType, Type
from s2sad.rules.core import PointwiseRule, SymmetricRule
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.rewrite import inline_function, with_blocks, with_body

_LITERALS = (bool, int, float, str, type(None))


def partial_of(
    rule: PointwiseRule | SymmetricRule, position: int, result: Value, operands: Sequence[Operand], span: Span | None
) -> tuple[tuple[Operation, ...], Operand]:
    """The operations that compute the partial derivative with respect to the operand at `position`, and its value."""
    kinds = tuple(_scalar(operand) for operand in (result, *operands))
    if isinstance(rule, SymmetricRule):
        order = [position, *(index for index in range(len(operands)) if index != position)]
        body = rule.body_for(len(operands))
        function = _lower_symmetric(body, (kinds[0], *(kinds[1 + index] for index in order)))
        return _instantiate(function, (result, *(operands[index] for index in order)), span)
    names = rule.operands
    special = frozenset().union(*rule.variants)
    literals = tuple(
        (index, operand.value.__class__, repr(operand.value))
        for index, operand in enumerate(operands)
        if isinstance(operand, Constant)
        and isinstance(operand.value, _LITERALS)
        and (names[index] in special or not isinstance(operand.value, int | float) or isinstance(operand.value, bool))
    )
    body = rule.body_for(names[index] for index, _, _ in literals)
    values = {index: operands[index] for index, _, _ in literals}
    function = _lower_partial(body, position, kinds, literals, _Literals(values))
    return _instantiate(function, (result, *operands), span)


class _Literals(dict[int, Operand]):
    """Literal operands; the cache compares their text (``1``, ``1.0`` and ``True`` are three), not these."""

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Literals)


def _scalar(operand: Operand) -> Type:
    if isinstance(operand, Constant):
        return FLOAT if isinstance(operand.value, float) else ScalarType("int")
    kind = operand.type.inner if isinstance(operand.type, OptionalType) else operand.type
    return kind if isinstance(kind, ScalarType) else FLOAT


@functools.lru_cache(maxsize=4096)
def _lower_partial(
    body: types.FunctionType, position: int, kinds: tuple[Type, ...], literals: object, values: _Literals
) -> Function:
    definition = lower_function(body)
    names = len(definition.parameters)
    padded = (*kinds, *([ScalarType("int")] * (names - len(kinds))))
    missing = {index: Constant(None) for index in range(len(kinds), names)}
    known = {**{1 + index: operand for index, operand in values.items()}, **missing}
    typed = _infer(body, definition, padded, known)
    parameters = typed.parameters[: len(kinds)]
    typed = Function(typed.name, parameters, typed.body, (), typed.span)
    if names > 2:
        typed = with_body(typed, _pick(typed.body, position))
    return _finish(typed)


@functools.lru_cache(maxsize=1024)
def _lower_symmetric(body: types.FunctionType, kinds: tuple[Type, ...]) -> Function:
    """``(z, x, *others)`` for so many operands."""
    definition = lower_function(body)
    if len(definition.parameters) == len(kinds):
        return _finish(_infer(body, definition, kinds, {}))
    others = TupleType(kinds[2:])
    typed = _infer(body, definition, (*kinds[:2], others), {})
    spread = tuple(Value("other", kind) for kind in kinds[2:])
    packed = typed.parameters[2].value
    parameters = (*typed.parameters[:2], *(Parameter(value) for value in spread))
    operations = (Call(packed, Constant(make_tuple), spread), *typed.body.operations)
    return _finish(Function(typed.name, parameters, Block(operations, typed.body.terminator)))


def _infer(body: types.FunctionType, definition: Function, kinds: tuple[Type, ...], known: dict[int, Operand]) -> Function:
    analyser = Analyser(lower_function)
    specialisation = Specialisation(definition, analyser.context_of(body), kinds, definition)
    inference = Inference(analyser, specialisation)
    for index, operand in known.items():
        if isinstance(operand, Constant):
            inference.known[definition.parameters[index].value] = operand
            inference.types.pop(definition.parameters[index].value, None)
    inference.run()
    return inference.write()


def _pick(block: Block, position: int) -> Block:
    """Return one element of the tuple that is returned."""

    def visit(inner: Block) -> Block:
        end = inner.terminator
        if isinstance(end, Return):
            element = Value("", FLOAT, temporary=True)
            pick = Call(element, Constant(operator.getitem), (end.value, Constant(position)))
            return Block((*inner.operations, pick), Return(element, end.span))
        return Block(inner.operations, with_blocks(end, [visit(part) for part in blocks_of(end)]))

    return visit(block)


def _finish(function: Function) -> Function:
    """Fold, remove what the partial does not read, and mark the code as adjoint code."""
    before = None
    while before is not function:
        before = function
        function = eliminate_dead_code(fold_constants(function))
    return with_body(function, _mark(function.body, None))


def _mark(block: Block, span: Span | None) -> Block:
    """The code as adjoint code that belongs to a place of the user's program."""

    def visit(node: Operation | Terminator) -> Operation | Terminator:
        if isinstance(node, Call):
            return Call(node.result, node.function, node.arguments, node.keywords, span, exact=False)
        node = with_blocks(node, [_mark(inner, span) for inner in blocks_of(node)])
        return node if isinstance(node, Yield) else dataclasses.replace(node, span=span)

    return Block(tuple(visit(operation) for operation in block.operations), visit(block.terminator))  # type: ignore[misc,arg-type]


def _instantiate(function: Function, operands: Sequence[Operand], span: Span | None) -> tuple[tuple[Operation, ...], Operand]:
    operations, value = inline_function(function, operands)
    block = _mark(Block(operations, Return(value)), span)
    assert isinstance(block.terminator, Return)
    return block.operations, block.terminator.value
