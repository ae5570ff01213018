"""Objects whose class hands out the iterator of something else: what goes over them goes over that.

Before::

    class Path:
        def __iter__(self):
            return iter(self.points)

    for k, point in enumerate(path):
        ...

After::

    for k, point in enumerate(path.points):
        ...

The iterator of a list sees what happens to the list, as a loop over it does, so it makes no difference when that begins. A method
that looks up names of its module becomes a function that gives the container.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import itertools
import operator
import types
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_names import guard_member
from s2sad.analysis.unroll import Copy
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Return, Span, Value, function_of
from s2sad.ir.operations import call_method, iterator_of, load_global
from s2sad.ir.protocols import method_of
from s2sad.ir.types import UNKNOWN, ObjectType, UnknownType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference
    from s2sad.analysis.resolve_calls import Resolver

#: What makes an iterator of its operands by itself.
_MAKERS: Final = ("zip", "enumerate", "reversed", "map", "filter")
#: Which of its operands a function goes over.
_GOES_OVER: Final[dict[object, slice]] = {
    **dict.fromkeys((list, tuple, set, frozenset, sorted, sum, min, max, any, all, enumerate, iter), slice(1)),
    **dict.fromkeys((itertools.accumulate, itertools.pairwise, itertools.islice), slice(1)),
    **dict.fromkeys((zip, itertools.chain, itertools.product), slice(None)),
    **dict.fromkeys((filter, functools.reduce, itertools.takewhile, itertools.dropwhile, itertools.starmap), slice(1, 2)),
    map: slice(1, None),
}
#: What goes over an operand only if it is the one.
_OF_ONE: Final = (min, max, iter)


@dataclass(frozen=True, slots=True)
class Elements:
    """The container of which ``__iter__`` gives the iterator."""

    method: types.FunctionType


@dataclass(frozen=True, slots=True)
class OfMethod:
    """An object whose class has this ``__iter__``: what stands for its elements was written for that."""

    method: types.FunctionType


class OtherMethodError(Exception):
    """Type inference has to start again: an object that turns out to be of several classes was gone over as one of the first."""

    def __init__(self, span: Span | None) -> None:
        super().__init__(span)
        self.span = span


@dataclass(frozen=True, slots=True)
class _Iterated:
    """``__iter__`` without the `iter` of its last line."""

    definition: Function
    #: It may stand in other modules.
    is_local: bool


def what_is_iterated(inference: Inference, operand: Operand, span: Span | None) -> tuple[tuple[Operation, ...], Operand] | None:
    """What gives the elements of an object, with the operations that find it; None for iterators of another kind."""
    kind = strip_optional(inference.type_of(operand))
    method = method_of(kind.cls, "__iter__") if isinstance(kind, ObjectType) and kind.cls is not list else None
    iterated = _iterated_by(inference, method) if method is not None and span not in inference.of_several_classes else None
    if not isinstance(kind, ObjectType) or method is None or iterated is None:
        return None
    if not iterated.is_local:
        found = Value("", temporary=True)
        return (Call(found, Constant(Elements(method)), (operand,), (), span),), found
    guard_member(inference.resolver, kind.cls, "__iter__")
    definition, owner = iterated.definition, Value("", temporary=True)
    copy = Copy({definition.parameters[0].value: owner})
    operations = tuple(map(copy.operation, definition.body.operations))
    assert isinstance(definition.body.terminator, Return)
    placed = tuple(replace(one, span=span) if isinstance(one, Call) else one for one in operations)
    checked = Call(owner, Constant(OfMethod(method)), (operand,), (), span)
    return (checked, *placed), copy.use(definition.body.terminator.value)


def iterated_operands(inference: Inference, call: Call, function: object) -> tuple[list[Operation], list[Operand]] | None:
    """The operands of a call that goes over them, with what objects go over in their place; None where that is nothing else."""
    places = _GOES_OVER.get(function) if isinstance(function, type | types.BuiltinFunctionType) else None
    if places is None or (function in _OF_ONE and len(call.arguments) > 1):
        return None
    operations: list[Operation] = []
    operands = [*call.arguments]
    for place in range(len(operands))[places]:
        if (found := what_is_iterated(inference, operands[place], call.span)) is not None:
            operations += found[0]
            operands[place] = found[1]
    return None if all(map(operator.is_, operands, call.arguments)) else (operations, operands)


def check_method(inference: Inference, call: Call, label: str, method: types.FunctionType) -> None:
    """Raise `OtherMethodError` where the first operand of a call has turned out to be of a class with another method."""
    kind = strip_optional(inference.type_of(call.arguments[0]))
    if isinstance(kind, UnknownType) or (isinstance(kind, ObjectType) and method_of(kind.cls, label) is method):
        return
    raise OtherMethodError(call.span)


def resolve_elements_of_object(resolver: Resolver, call: Call, function: Elements | OfMethod) -> Resolution:
    """The container, by a function made of ``__iter__``; or the object itself."""
    check_method(resolver.inference, call, "__iter__", function.method)
    if isinstance(function, OfMethod):
        return Resolution(resolver.inference.type_of(call.arguments[0]), alias=call.arguments[0])
    iterated = _iterated_by(resolver.inference, function.method)
    kind = strip_optional(resolver.inference.type_of(call.arguments[0]))
    if not isinstance(kind, ObjectType) or iterated is None:
        return Resolution(UNKNOWN, None, function, call.arguments)
    guard_member(resolver, kind.cls, "__iter__")
    context = resolver.inference.analyser.context_of(function.method)
    return resolver.call_definition(call, iterated.definition, context, call.arguments)


def _iterated_by(inference: Inference, method: types.FunctionType) -> _Iterated | None:
    made = inference.analyser.iterated_by
    if method not in made:
        is_generator = inspect.isgeneratorfunction(method)
        made[method] = None if is_generator else _without_iter(inference.analyser.lower(method), method)
    found = made[method]
    assert found is None or isinstance(found, _Iterated)
    return found


def _without_iter(definition: Function, method: types.FunctionType) -> _Iterated | None:
    end = definition.body.terminator
    if len(definition.parameters) != 1 or definition.captured or not isinstance(end, Return):
        return None
    loads = {one.result: one for one in definition.body.operations if isinstance(one, Call) and function_of(one) is load_global}
    names = {value: name for value, load in loads.items() if (name := _name_of(load)) not in method.__globals__}
    made = next((one for one in definition.body.operations if isinstance(one, Call) and one.result is end.value), None)
    if made is None:
        return None
    called = names.get(made.function, "") if isinstance(made.function, Value) else ""
    is_method = function_of(made) is call_method and _is_constant(made.arguments[1], "__iter__")
    operations: Sequence[Operation] = definition.body.operations
    if (called == "iter" and len(made.arguments) == 1) or is_method:
        end = replace(end, value=made.arguments[0])
        operations = [one for one in operations if one is not made]
    elif called not in _MAKERS and function_of(made) is not iterator_of:
        return None
    is_local = len(names) == len(loads) and all(hasattr(builtins, name) for name in names.values())
    if not is_local and called != "iter":
        return None
    if is_local:
        copy = Copy({value: Constant(getattr(builtins, name)) for value, name in names.items()})
        operations = [copy.operation(one) for one in operations if not isinstance(one, Call) or one.result not in names]
        end = replace(end, value=copy.use(end.value))
    name = f"elements_of_{method.__qualname__.split('.')[-2].lower()}"
    return _Iterated(replace(definition, name=name, body=Block(tuple(operations), end)), is_local)


def _name_of(load: Call) -> str:
    return str(load.arguments[0].value) if isinstance(load.arguments[0], Constant) else ""


def _is_constant(operand: Operand, value: object) -> bool:
    return isinstance(operand, Constant) and operand.value == value
