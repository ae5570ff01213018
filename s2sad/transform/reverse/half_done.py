"""What an exception may leave half done: a change of memory in the body of a ``try``, after which something may still raise.

The reverse sweep undoes the body or a handler, whichever has come to its end, so a handler must find memory as it was before the
body. Refused is the first of these, since its second call may raise when the first has made its change:

    try:                                    try:
        logs.append(x)                          logs.append(math.log(x))
        logs.append(math.log(x))            except ValueError:
    except ValueError:                          logs.append(x)
        logs.append(x)
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2sad.errors import S2sadError
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    If,
    Operation,
    Raise,
    Terminator,
    Try,
    Value,
    While,
    With,
    blocks_of,
    function_of,
    leaves_of_block,
    walk,
)
from s2sad.ir.operations import call_method, comment, load_cell, make_cell, make_dict, make_set, store_cell
from s2sad.ir.types import ObjectType, OpaqueType, UnknownType, strip_optional
from s2sad.transform.caught import may_be_caught
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.unchanged import regions_written

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def refuse_half_way(engine: Engine, node: Try) -> None:
    """Refuse what an exception may leave half done: after the first change of memory nothing may raise. Where all handlers raise
    (as `finally` does), no reverse sweep follows an exception, unless a statement around this one catches it, which sees to that.
    """
    calls = [call for call in walk(node.body) if isinstance(call, Call)]
    changes = [call for call in calls if _changes_memory(engine, call)]
    if any(function_of(call) is load_cell and engine.touches_memory_call(call) for call in calls) and _may_catch(
        node, UnboundLocalError
    ):
        raise _refused_cell(node)  # a cell that is empty does not say so
    if not changes or all(always_raises(handler.body) for handler in node.handlers):
        return
    if not _follow(_Body(node, frozenset(changes)), (node.body,), _State()).is_half_done:
        return
    if all(map(_is_of_cell, changes)):
        raise _refused_cell(node)
    raise unsupported(
        changes[0].span or node.span,
        "a container of active numbers is changed inside `try`, and an exception may come after that",
        "change it at the end of the `try` body, or after the statement",
    )


def always_raises(block: Block) -> bool:
    return all(isinstance(leaf, Raise) for leaf in leaves_of_block(block))


def _refused_cell(node: Try) -> S2sadError:
    return unsupported(
        node.span,
        "a number is assigned inside `try` that is used after an exception as well, or one that a nested function shares is read",
        "put the `try` statement into a function of its own, which returns the number",
    )


@dataclass(frozen=True, slots=True)
class _Body:
    """The statement, and the calls in its body that change memory."""

    node: Try
    changes: frozenset[Call]


@dataclass(frozen=True, slots=True)
class _State:
    """Whether memory may be changed at some place of the body, and whether an exception may have come after that."""

    is_changed: bool = False
    is_half_done: bool = False


def _either(states: Iterable[_State]) -> _State:
    every = list(states)
    return _State(any(state.is_changed for state in every), any(state.is_half_done for state in every))


def _follow(body: _Body, blocks: Iterable[Block], state: _State) -> _State:
    """The state after blocks that run one after the other."""
    for block in blocks:
        for inside in (*block.operations, block.terminator):
            state = _after(body, inside, state)
    return state


def _after(body: _Body, inside: Operation | Terminator, state: _State) -> _State:
    if state.is_changed and _may_raise(body.node, inside):
        return _State(True, True)
    match inside:
        case Call():
            return _either([state, _State(True, not _is_done_at_once(inside))]) if inside in body.changes else state
        case If() | Branch():
            return _either(_follow(body, (arm,), state) for arm in blocks_of(inside))
        case For() | While():
            once = _either([state, _follow(body, blocks_of(inside), state)])
            return _either([once, _follow(body, blocks_of(inside), once)])
        case With():  # it may raise when it is left
            state = _follow(body, (inside.body,), state)
            return _State(state.is_changed, state.is_half_done or state.is_changed)
        case _:  # a handler follows on some part of the body
            return _follow(body, blocks_of(inside), state)


def _may_catch(node: Try, raised: type) -> bool:
    """Whether a handler may run for an exception of this very class."""
    for handler in node.handlers:
        caught = handler.exception.value if isinstance(handler.exception, Constant) else None
        classes = caught if isinstance(caught, tuple) else (caught,)
        if any(not isinstance(cls, type) or issubclass(raised, cls) for cls in classes):
            return True
    return False


def _changes_memory(engine: Engine, call: Call) -> bool:
    """Whether a call changes an active container, or the stack of a recursive function."""
    halves = engine.halves.get(call)
    if halves is not None and halves.uses_stack:
        return True
    written = regions_written(call)
    return any(region in engine.restored or engine.activity.is_region_active(region) for region in written)


def _is_done_at_once(call: Call) -> bool:
    """Whether a call makes its change, or raises before it."""
    function = function_of(call)
    if function is call_method:
        return isinstance(call.arguments[1], Constant) and call.arguments[1].value in ("append", "pop")
    return function in (operator.setitem, setattr, store_cell)


def _may_raise(node: Try, inside: Operation | Terminator) -> bool:
    """Whether something in the body, apart from what is inside of that, may make one of the handlers run."""
    match inside:
        case Call():
            return _call_may_raise(node, inside)
        case Raise():
            raised = inside.exception.value if isinstance(inside.exception, Constant) else None
            return not isinstance(raised, type) or _may_catch(node, raised)
        case For():  # what gives its elements one by one may run any code for each
            kind = strip_optional(inside.iterable.type) if isinstance(inside.iterable, Value) else None
            return isinstance(kind, UnknownType | OpaqueType | ObjectType)
        case _:
            return isinstance(inside, With)


def _call_may_raise(node: Try, call: Call) -> bool:
    function = function_of(call)
    is_append = function is call_method and isinstance(call.arguments[1], Constant) and call.arguments[1].value == "append"
    if is_append or function is comment:
        return False
    if effects_of(call).raises or effects_of(call).acts:
        return True
    is_caught = function in (make_dict, make_set) or _may_catch(node, OverflowError) or _may_catch(node, TypeError)
    return is_caught and may_be_caught(call)


def _is_of_cell(call: Call) -> bool:
    """Whether a call makes, reads or sets the cell of a variable."""
    return isinstance(call.function, Constant) and call.function.value in (make_cell, load_cell, store_cell)
