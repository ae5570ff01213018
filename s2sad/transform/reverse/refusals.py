"""What has no adjoint is refused before anything is reversed: a derivative that goes through it would be lost.

An active value of a type that is not followed (:func:`s2sad.analysis.activity.may_hide`) was made from an input, and the
result depends on it: a string that is converted back, a deque of numbers, the result of a function without rule or source.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from s2sad.analysis.activity import is_unknown
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, For, MakeFunction, Operand, walk
from s2sad.ir.operations import load_captured, load_global, make_tuple
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.shadows import own_region

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_READS = (operator.getitem, getattr, load_global, load_captured, make_tuple)


def refuse_untracked(engine: Engine) -> None:
    """Raise where an active number disappears into something that has no adjoint."""
    calls = [node for node in walk(engine.function.body) if isinstance(node, Call)]
    for call in calls:
        operands = [*call.arguments, *(operand for _, operand in call.keywords)]
        if call in engine.halves or not any(_is_tracked(engine, operand) for operand in operands):
            continue
        stores_into = operands[0] if isinstance(call.function, Constant) and not isinstance(call.function.value, Callee) else None
        if engine.activity.is_lost(call.result) or (stores_into is not None and engine.activity.is_lost(stores_into)):
            refuse(engine, call)
    for call in calls:
        if is_unknown(call) and call not in engine.halves:
            for operand in (*call.arguments, *(operand for _, operand in call.keywords)):
                region = own_region(operand)
                if region is not None and engine.activity.is_region_active(region):
                    refuse(engine, call)  # it may change what it is given
    for node in walk(engine.function.body):
        if isinstance(node, Call | MakeFunction) and engine.activity.is_lost(node.result):
            if isinstance(node, Call):
                refuse(engine, node)
        elif isinstance(node, For) and engine.activity.is_lost(node.target):
            raise unsupported(
                node.span,
                "a derivative passes through the elements of this iterator",
                "loop over a list or over a range of indices",
            )


def refuse(engine: Engine, call: Call) -> None:
    """Name the function."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if function is None:
        engine.calls.reverse_unknown(call, engine.root)
    if isinstance(function, Callee) or function in _READS:
        raise unsupported(
            call.span,
            f"a derivative passes through {call.result.name or 'an object'}, of which only the running program knows what it is",
            "use numbers, lists, tuples and dicts, or attributes of objects that the function makes",
        )
    engine.calls.refuse(call, function)


def _is_tracked(engine: Engine, operand: Operand) -> bool:
    return operand in engine.activity and not engine.activity.is_lost(operand)
