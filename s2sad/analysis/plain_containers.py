"""The dicts and queues of `collections` that hold active numbers, as plain dicts and lists.

::

    weights = defaultdict(float)        weights = {}
    weights[word] += x                  made_if_missing(weights, word, float) …

This is tried where a derivative passes through one of them, and nowhere else: a program that only looks something up in a
`Counter` keeps it. What a plain container does not do is refused.
"""

from __future__ import annotations

import collections
import copy
import operator
import types
from typing import TYPE_CHECKING, Any, Final

from s2sad.analysis.library_calls import LIBRARIES
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import Resolution
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import calls_of
from s2sad.ir.nodes import Call, Constant, Function, Operand, Return, Span, Value
from s2sad.ir.operations import make_dict, make_list
from s2sad.ir.types import INT, NONE, DictType, FunctionType, ListType, TupleType, strip_optional
from s2sad.rules.containers import (
    append_within,
    appendleft_within,
    counted,
    extend_within,
    extendleft,
    extendleft_within,
    insert_within,
    latest,
    made_if_missing,
    rotate,
    set_if_missing,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from s2sad.analysis.infer_types import Inference
    from s2sad.analysis.resolve_calls import Resolver

CONTAINERS: Final = (collections.defaultdict, collections.Counter, collections.OrderedDict, collections.deque)
_FACTORIES: Final = (float, int, list, dict)
#: What is noted of the memory of such a container, before the name of its class or factory.
_MARK: Final = "plain "
#: What a plain container does in another way.
_DIFFERING: Final = (
    *(print, str, repr, format, operator.eq, operator.ne),
    *(operator.add, operator.sub, operator.and_, operator.mul),
    *(operator.iadd, operator.isub, operator.iand, operator.imul),
    *(copy.copy, copy.deepcopy),
)
_METHODS_OF_QUEUES: Final[dict[str, tuple[str, tuple[Operand, ...]]]] = {
    "appendleft": ("insert", (Constant(0),)),
    "popleft": ("pop", (Constant(0),)),
}
_MADE_IF_MISSING: Final[Any] = made_if_missing
_SET_IF_MISSING: Final[Any] = set_if_missing
_COUNTED: Final[Any] = counted
_LATEST: Final[Any] = latest
#: The mark of a queue with a `maxlen`, which comes after this.
_BOUNDED: Final = f"{collections.deque.__name__} of at most "
#: The mark of a dict whose missing values a function of the program makes; which one comes after this.
_FILLED: Final = f"{collections.defaultdict.__name__} filled by "
_METHODS_OF_BOUNDED: Final[dict[str, Any]] = {
    "append": append_within,
    "appendleft": appendleft_within,
    "extend": extend_within,
    "extendleft": extendleft_within,
    "insert": insert_within,
}
_OTHER_METHODS: Final[dict[str, Any]] = {"extendleft": extendleft, "rotate": rotate}


def make_plain(
    resolver: Resolver, call: Call, cls: type, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
) -> Resolution | None:
    """A container of `collections` made as a plain one; None where it is kept as it is."""
    analyser = resolver.inference.analyser
    analyser.met_containers = True
    if not analyser.has_plain_containers or (keywords and cls is not collections.deque):
        return None
    mark, function, given = cls.__name__, make_dict, tuple(arguments)
    if cls is collections.defaultdict and len(arguments) == 1:
        if (found := _mark_of_factory(resolver, call, arguments[0])) is None:
            return None
        mark, given = found, ()
    elif cls is collections.deque and (most := _most(resolver, arguments, keywords)) is not None:
        return _make_bounded(resolver, call, arguments, most)
    elif cls is collections.deque and len(arguments) <= 1 and not keywords:
        function = list if arguments else make_list  # type: ignore[assignment]
    elif arguments or cls is collections.defaultdict:
        return None
    made = resolver.transfer(call, function, given, ())
    if isinstance(made.kind, DictType | ListType):
        resolver.inference.plain_makers.add(call)
        resolver.inference.memory.mark(made.kind.region, _MARK + mark)
    return made


def _mark_of_factory(resolver: Resolver, call: Call, operand: Operand) -> str | None:
    """What tells what makes the missing values of a `defaultdict`; None where that is not followed."""
    constant = resolver.inference.constant_of(operand)
    if constant is not None and constant.value in _FACTORIES:
        return getattr(constant.value, "__name__", None)
    factory = _factory_of_program(resolver, operand)
    if factory is None:
        return None
    told = repr(factory.value) if isinstance(factory, Constant) else resolver.inference.site(call)
    resolver.inference.factories[f"{_FILLED}{told}"] = (call.result, factory)
    return f"{_FILLED}{told}"


def _factory_of_program(resolver: Resolver, operand: Operand) -> Operand | None:
    """The program's function or class that makes missing values, or the literal that ``lambda: 0.0`` gives."""
    constant = resolver.inference.constant_of(operand)
    if constant is not None:
        value = constant.value
        is_class = isinstance(value, type) and value.__module__.partition(".")[0] not in LIBRARIES
        return constant if isinstance(value, types.FunctionType) or is_class else None
    kind = strip_optional(resolver.inference.type_of(operand))
    if not isinstance(kind, FunctionType) or not isinstance(kind.definition, Function):
        return None
    body = kind.definition.body
    given = body.terminator.value if not body.operations and isinstance(body.terminator, Return) else None
    return given if isinstance(given, Constant) else operand


def _most(resolver: Resolver, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]) -> Operand | None:
    """The `maxlen` of a queue, where it is at hand wherever the queue is: a constant, or a parameter of the function."""
    given = dict(keywords)
    operand = given.pop("maxlen", None) if len(arguments) < 2 else arguments[1]
    if operand is None or given or len(arguments) > 2:
        return None
    if (constant := resolver.inference.constant_of(operand)) is not None:
        return constant if isinstance(constant.value, int) else None
    parameters = [parameter.value for parameter in resolver.inference.definition.parameters]
    return operand if operand in parameters and resolver.inference.type_of(operand) == INT else None


def _make_bounded(resolver: Resolver, call: Call, arguments: Sequence[Operand], most: Operand) -> Resolution:
    items = arguments[0] if arguments else Constant(())
    made = resolver.call_function(call, _LATEST, (items, most), ())
    if isinstance(made.kind, ListType):
        told = str(most.value) if isinstance(most, Constant) else most.name
        resolver.inference.bounds[told] = most
        resolver.inference.plain_makers.add(call)
        resolver.inference.memory.mark(made.kind.region, f"{_MARK}{_BOUNDED}{told}")
    return made


def mark_of(resolver: Resolver, operand: Operand) -> str:
    """What a container was before it became a plain one; empty for all others."""
    kind = strip_optional(resolver.inference.type_of(operand))
    if not resolver.inference.analyser.has_plain_containers or not isinstance(kind, DictType | ListType):
        return ""
    flags = resolver.inference.memory.flags[resolver.inference.memory.find(kind.region)]
    found = sorted(flag.removeprefix(_MARK) for flag in flags if flag.startswith(_MARK))
    if len(found) > 1:
        raise _refused(resolver.inference.definition.span, "may be one of several kinds")
    return found[0] if found else ""


def read_plain(resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]) -> Resolution | None:
    """``container[key]`` where a missing key has a value."""
    if not resolver.inference.analyser.has_plain_containers:
        return None
    if function in _DIFFERING and any(mark_of(resolver, operand) for operand in arguments):
        raise _refused(call.span, "is printed, compared or combined with another")
    if function is not operator.getitem or len(arguments) != 2 or not (mark := mark_of(resolver, arguments[0])):
        return None
    if (factory := _factory_at_hand(resolver, arguments[0], mark)) is not None:
        is_called = isinstance(factory, Value) or callable(factory.value)
        return resolver.call_function(call, _MADE_IF_MISSING if is_called else _SET_IF_MISSING, (*arguments, factory), ())
    if mark == collections.Counter.__name__:
        return resolver.call_function(call, _COUNTED, arguments, ())
    return None


def _factory_at_hand(resolver: Resolver, container: Operand, mark: str) -> Operand | None:
    """What makes the missing values of a dict. A function that is made in the program's function is at hand wherever the dict is
    under the name that it was given at first."""
    if (known := next((one for one in _FACTORIES if one.__name__ == mark), None)) is not None:
        return Constant(known)
    made, factory = resolver.inference.factories.get(mark, (None, None))
    if isinstance(factory, Value) and container is not made:
        raise _refused(resolver.inference.definition.span, "is one of those that several places make")
    return factory


def attribute_of_plain(resolver: Resolver, owner: Operand, name: str) -> Resolution | None:
    """``queue.maxlen``"""
    mark = mark_of(resolver, owner) if name == "maxlen" else ""
    if not mark.startswith(collections.deque.__name__):
        return None
    if not mark.startswith(_BOUNDED):
        return Resolution(NONE, Constant(None), getattr, (owner, Constant(name)))
    most = resolver.inference.bounds[mark.removeprefix(_BOUNDED)]
    return Resolution(INT, most if isinstance(most, Constant) else None, getattr, alias=most if isinstance(most, Value) else None)


def call_of_plain(
    resolver: Resolver,
    call: Call,
    receiver: Operand,
    name: str,
    given: Sequence[Operand],
    keywords: Sequence[tuple[str, Operand]],
) -> Resolution | None:
    """A method of a queue that takes more than one of a list."""
    mark = mark_of(resolver, receiver)
    if mark.startswith(_BOUNDED):
        body, most = _METHODS_OF_BOUNDED.get(name), resolver.inference.bounds[mark.removeprefix(_BOUNDED)]
        if body is not None:
            return resolver.call_function(call, body, (receiver, *given, most), keywords)
    if mark.startswith(collections.deque.__name__) and (body := _OTHER_METHODS.get(name)) is not None:
        return resolver.call_function(call, body, (receiver, *given), keywords)
    return None


def method_of_plain(resolver: Resolver, call: Call, receiver: Operand, name: str) -> tuple[str, tuple[Operand, ...]]:
    """The method of a list that does what one of a queue does, with the arguments that come first."""
    mark = mark_of(resolver, receiver)
    if not mark:
        return name, ()
    if mark.startswith(_BOUNDED):
        if name == "copy":
            raise _refused(call.span, "has its method copy() called")
        mark = collections.deque.__name__
    if mark == collections.deque.__name__ and name in _METHODS_OF_QUEUES:
        return _METHODS_OF_QUEUES[name]
    cls = next((one for one in CONTAINERS if one.__name__ == mark), collections.defaultdict)
    plain = list if cls is collections.deque else dict
    if not hasattr(plain, name) or not hasattr(cls, name) or (cls is collections.Counter and name == "update"):
        raise _refused(call.span, f"has its method {name}() called")
    return name, ()


def check_passed(resolver: Resolver, call: Call, name: str, operands: Sequence[Operand]) -> None:
    """A function that is given such a container would take it for a plain one."""
    for operand in operands:
        if mark_of(resolver, operand):
            raise _refused(call.span, f"is passed to {name}()")


def check_local(inference: Inference) -> None:
    """What is noted of such a container is known in the function that makes it, for as long as it is at hand."""
    memory = inference.memory
    marked = {region for region in memory.content if any(flag.startswith(_MARK) for flag in memory.flags[region])}
    if not marked:
        return
    held = [kind for content in memory.content.values() for kind in content.values()]
    held += [kind for kind in inference.types.values() if isinstance(kind, TupleType | FunctionType)]
    for kind in (*held, inference.result):
        if not marked.isdisjoint(map(memory.find, references_in(kind))):
            raise _refused(inference.definition.span, "is returned, or put into another container or object")
    made = [call.result for call in calls_of(inference.definition) if call not in inference.plain_makers]
    for value in (*made, *(parameter.value for parameter in inference.definition.parameters)):
        kind = strip_optional(inference.type_of(value))
        if isinstance(kind, DictType | ListType) and memory.find(kind.region) in marked:
            raise _refused(inference.definition.span, "may be a plain one as well")


def _refused(span: Span | None, how: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"a container of `collections` with active numbers {how}; use a dict or a list.\n{describe_place(span)}"
    )
