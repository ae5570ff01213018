"""The body of a rule as typed IR: what partial derivatives and inlined adjoints have in common."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from typing import cast

from s2sad.analysis.analyser import Analyser
from s2sad.analysis.specialisation import Specialisation
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    Operand,
    Operation,
    Span,
    Yield,
    blocks_of,
)
from s2sad.ir.types import Type
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.guards import with_place
from s2sad.transform.rewrite import NodeT, with_blocks, with_body


class Literals(dict[int, Operand]):
    """Literal operands; a cache compares their text (``1``, ``1.0`` and ``True`` are three), not these."""

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literals)


def infer_body(body: types.FunctionType, definition: Function, kinds: Sequence[Type], known: Mapping[int, Operand]) -> Function:
    """The body with types, for parameters of these types; those at the positions of `known` are constants."""
    analyser = Analyser(lower_function)
    analyser.writes_out_loops = True
    specialisation = Specialisation(definition, analyser.context_of(body), tuple(kinds), definition)
    constants = {index: operand for index, operand in known.items() if isinstance(operand, Constant)}
    return analyser.infer(specialisation, constants).write()


def finish(function: Function) -> Function:
    """Fold, remove what the result does not need, and mark the code as adjoint code."""
    before = None
    while before is not function:
        before = function
        function = eliminate_dead_code(fold_constants(function))
    return with_body(function, mark(function.body, None))


def mark(block: Block, span: Span | None) -> Block:
    """The code as adjoint code that belongs to a place of the user's program."""

    return Block(mark_operations(block.operations, span), _mark_node(block.terminator, span))


def mark_operations(operations: Sequence[Operation], span: Span | None) -> tuple[Operation, ...]:
    """The same for the operations of a block."""
    return tuple([_mark_node(operation, span) for operation in operations])


def _mark_node(node: NodeT, span: Span | None) -> NodeT:
    if isinstance(node, Call):  # most nodes
        return cast(NodeT, with_place(Call(node.result, node.function, node.arguments, node.keywords, span, exact=False), span))
    node = with_blocks(node, [mark(inner, span) for inner in blocks_of(node)])
    return node if isinstance(node, Yield) else dataclasses.replace(node, span=span)
