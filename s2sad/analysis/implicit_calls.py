"""Methods that Python calls by itself for instances of users' classes, written out where a derivative or an effect depends on it.

===========================  ==================================================================
``float(o)``, ``round(o)``   ``o.__float__()``, ``o.__round__()``
``math.exp(o)``              ``math.exp(o.__float__())``
``if o``, ``not o``          ``if o.__bool__()``, ``not o.__bool__()`` (or ``o.__len__() != 0``)
``o == p``, ``o != p``       ``o.__eq__(p)``, ``not o.__eq__(p)``
``list(o)``, ``a, b = o``    of a list made by a loop over ``o``
``for v in o``               a loop over what ``__iter__`` gives the iterator of; else calls of ``__next__``, one a trip, each
                             giving a list of one element or, at the end, of none
===========================  ==================================================================

Comparisons, tests and hashes have no derivative: they are written out only if the method may change something.
"""

from __future__ import annotations

import inspect
import math
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from s2sad.analysis.iterated_objects import (
    Elements,
    OfMethod,
    check_method,
    iterated_operands,
    resolve_elements_of_object,
    what_is_iterated,
)
from s2sad.analysis.memory import Memory
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_names import guard_function, guard_member
from s2sad.analysis.unroll import Copy, with_blocks
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Parameter,
    Raise,
    Return,
    Span,
    Terminator,
    Value,
    While,
    Yield,
    arguments_of,
    blocks_of,
    walk,
)
from s2sad.ir.operations import call_method, load_global, make_list, unpack
from s2sad.ir.protocols import ITERATION, changes_something, labels_asked, may_change, method_of
from s2sad.ir.types import DictType, ListType, ObjectType, OptionalType, ScalarType, TupleType, Type, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference
    from s2sad.analysis.resolve_calls import Resolver

#: The methods that give a number, in the order in which Python looks for them.
_CONVERSIONS: Final[dict[object, tuple[str, ...]]] = {
    float: ("__float__", "__index__"),
    int: ("__int__", "__index__", "__trunc__"),
    complex: ("__complex__", "__float__", "__index__"),
    round: ("__round__",),
    math.floor: ("__floor__",),
    math.ceil: ("__ceil__",),
    math.trunc: ("__trunc__",),
    operator.index: ("__index__",),
}
#: The methods without derivative.
_QUESTIONS: Final[dict[object, tuple[str, ...]]] = {
    hash: ("__hash__",),
    str: ("__str__", "__repr__"),
    repr: ("__repr__",),
    format: ("__format__",),
}
#: What takes all elements at once.
_TAKING_ALL: Final = (list, tuple, set, frozenset, sorted, sum, min, max, unpack, math.fsum, math.prod, dict)
_OF_MATH: Final = frozenset(function for function in vars(math).values() if callable(function))


@dataclass(frozen=True, slots=True)
class Advance:
    """One step of an iterator: a list of the next element, or of none."""

    method: types.FunctionType


class ExplicitError(Exception):
    """Type inference has to start again, with a call written out that Python makes by itself."""

    def __init__(self, target: Operation | Block, instead: Callable[[Any], tuple[Operation, ...] | Block]) -> None:
        super().__init__(target)
        self.target = target
        self.instead = instead


# -- calls of built-in functions ------------------------------------------------------------------------------------------------


def resolve_implicit(
    resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution | None:
    """A call of a built-in function or operator on an instance of a user's class, if that means a call of a method."""
    if isinstance(function, Advance):
        return _resolve_advance(resolver, call, function, arguments)
    if isinstance(function, Elements | OfMethod):
        return resolve_elements_of_object(resolver, call, function)
    if (iterated := iterated_operands(resolver.inference, call, function)) is not None:
        before, operands = iterated
        raise ExplicitError(call, lambda found: (*before, _with_operands(found, operands)))
    if function is math.fsum and len(arguments) == 1 and _holds_objects(resolver, arguments[0]):
        return _resolve_fsum(resolver, call, arguments)
    if keywords or not any(_class_of(resolver, operand) for operand in arguments[:2]):
        return None
    first = _class_of(resolver, arguments[0])
    if _is_one_of(function, (bool, operator.truth, operator.not_)) and len(arguments) == 1:
        return _resolve_truth(resolver, call, function, arguments[0])
    if first is not None and _is_one_of(function, (iter, next)) and len(arguments) == 1:
        label = "__iter__" if function is iter else "__next__"
        return _call_method(resolver, call, first, label, arguments)
    is_compared = _is_one_of(function, (min, max)) and len(arguments) > 1
    if first is not None and _is_one_of(function, _TAKING_ALL) and is_iterable(first) and not is_compared:
        return _resolve_taking_all(resolver, call, function, arguments)
    if first is not None and _is_one_of(function, tuple(_CONVERSIONS)):
        conversion = next((name for name in _CONVERSIONS[function] if method_of(first, name)), None)
        if conversion is not None:
            return _call_method(resolver, call, first, conversion, arguments)
    if first is not None and _is_one_of(function, tuple(_QUESTIONS)):
        question = next((name for name in _QUESTIONS[function] if _overrides(first, name)), "")
        return _call_changing(resolver, call, first, question, arguments)
    if function is divmod and len(arguments) == 2:
        return _resolve_divmod(resolver, call, arguments)
    if first is not None and _is_one_of(function, (operator.eq, operator.ne)):
        label = "__eq__" if function is operator.eq else "__ne__"
        if function is operator.ne and method_of(first, "__ne__") is None and _changes(first, "__eq__"):
            return _call_steps(resolver, call, arguments, lambda steps, given: steps.negated(steps.call(operator.eq, *given)))
        return _call_changing(resolver, call, first, label, arguments)
    if _is_one_of(function, tuple(_OF_MATH)):
        return _resolve_math(resolver, call, function, arguments)
    return None


def _with_operands(call: Call, operands: Sequence[Operand]) -> Call:
    return Call(call.result, call.function, tuple(operands), call.keywords, call.span, call.exact)


def _is_one_of(function: object, known: Sequence[object]) -> bool:
    return any(function is one for one in known)


def _class_of(resolver: Resolver, operand: Operand) -> type | None:
    """The user's class that an operand is an instance of."""
    kind = strip_optional(resolver.inference.type_of(operand))
    return kind.cls if isinstance(kind, ObjectType | TupleType) and kind.cls not in (list, tuple) else None


def _overrides(cls: type, label: str) -> bool:
    return inspect.getattr_static(cls, label, None) is not inspect.getattr_static(object, label, None)


def _changes(cls: type, label: str) -> bool:
    """Whether a method may change something, and says for all operands what it gives."""
    method = method_of(cls, label)
    return method is not None and changes_something(method, cls) and "NotImplemented" not in method.__code__.co_names


def _call_method(resolver: Resolver, call: Call, cls: type, label: str, arguments: tuple[Operand, ...]) -> Resolution | None:
    method = method_of(cls, label)
    if method is None or inspect.isgeneratorfunction(method):
        return None
    guard_member(resolver, cls, label)
    return resolver.resolve_known(call, method, arguments, ())


def _call_changing(resolver: Resolver, call: Call, cls: type, label: str, arguments: tuple[Operand, ...]) -> Resolution | None:
    return _call_method(resolver, call, cls, label, arguments) if _changes(cls, label) else None


def _resolve_truth(resolver: Resolver, call: Call, function: object, operand: Operand) -> Resolution | None:
    """``bool(o)``, ``not o``, or the condition ``o``."""
    cls = _class_of(resolver, operand)
    label = _label_of_truth(cls)
    if label is None:
        return None
    is_optional = isinstance(resolver.inference.type_of(operand), OptionalType)

    def answer(steps: _Steps, given: tuple[Operand, ...]) -> Operand:
        found: Operand = steps.call(call_method, given[0], Constant(label))
        found = steps.call(operator.ne, found, Constant(0)) if label == "__len__" else found
        return steps.negated(found) if function is operator.not_ else found

    return _call_steps(resolver, call, (operand,), answer, for_none=Constant(function is operator.not_) if is_optional else None)


def _label_of_truth(cls: type | None) -> str | None:
    label = next((name for name in ("__bool__", "__len__") if cls is not None and inspect.getattr_static(cls, name, None)), None)
    return label if label is not None and cls is not None and _changes(cls, label) else None


def _resolve_divmod(resolver: Resolver, call: Call, arguments: tuple[Operand, ...]) -> Resolution | None:
    first, second = (_class_of(resolver, operand) for operand in arguments)
    if first is not None and method_of(first, "__divmod__") is not None:
        return _call_method(resolver, call, first, "__divmod__", arguments)
    return None if second is None else _call_method(resolver, call, second, "__rdivmod__", arguments[::-1])


def _resolve_math(resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]) -> Resolution | None:
    """A function of numbers: objects are converted first."""
    labels = [_label_of_number(_class_of(resolver, operand)) for operand in arguments]
    if not any(labels):
        return None

    def answer(steps: _Steps, given: tuple[Operand, ...]) -> Operand:
        pairs = zip(given, labels, strict=True)
        return steps.call(function, *(steps.call(call_method, o, Constant(label)) if label else o for o, label in pairs))

    return _call_steps(resolver, call, arguments, answer)


def _label_of_number(cls: type | None) -> str | None:
    return next((name for name in _CONVERSIONS[float] if cls is not None and method_of(cls, name)), None)


def _resolve_taking_all(resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]) -> Resolution | None:
    """``list(o)``"""

    def answer(steps: _Steps, given: tuple[Operand, ...]) -> Operand:
        elements = steps.call(make_list)
        element = Value("element")
        body = _Steps(steps.span)
        body.call(call_method, elements, Constant("append"), element)
        steps.operations.append(For(element, given[0], (), Block(tuple(body.operations), Yield()), steps.span))
        return elements if function is list else steps.call(function, elements, *given[1:])

    return _call_steps(resolver, call, arguments, answer)


def _holds_objects(resolver: Resolver, operand: Operand) -> bool:
    """Whether there are instances of users' classes among the elements of an operand."""
    memory, kind = resolver.inference.memory, strip_optional(resolver.inference.type_of(operand))
    return any(map(_is_object, elements_in(memory, kind)))


def _is_object(kind: Type) -> bool:
    return isinstance(kind, ObjectType) and kind.cls is not list


def elements_in(memory: Memory, kind: Type) -> list[Type]:
    """The types of the elements of a container, each as it is."""
    match kind:
        case TupleType(elements=elements):
            return [*map(strip_optional, elements)]
        case ListType() | DictType():
            return [*map(strip_optional, memory.content[memory.find(kind.region)].values())]
        case ObjectType() if kind.cls is list:
            return [*map(strip_optional, memory.content[memory.find(kind.region)].values())]
    return []


def _resolve_fsum(resolver: Resolver, call: Call, arguments: tuple[Operand, ...]) -> Resolution:
    """``math.fsum`` of objects: each is converted first."""

    def answer(steps: _Steps, given: tuple[Operand, ...]) -> Operand:
        numbers = steps.call(make_list)
        element = Value("element")
        body = _Steps(steps.span)
        body.call(call_method, numbers, Constant("append"), body.call(float, element))
        steps.operations.append(For(element, given[0], (), Block(tuple(body.operations), Yield()), steps.span))
        return steps.call(math.fsum, numbers)

    return _call_steps(resolver, call, arguments, answer)


# -- functions of several steps --------------------------------------------------------------------------------------------------


class _Steps:
    """Operations that are written down one after another."""

    def __init__(self, span: Span | None) -> None:
        self.span = span
        self.operations: list[Operation] = []

    def call(self, function: object, *arguments: Operand) -> Value:
        result = Value("", temporary=True)
        self.operations.append(Call(result, Constant(function), arguments, (), self.span))
        return result

    def negated(self, operand: Operand) -> Value:
        return self.call(operator.not_, operand)


def _call_steps(
    resolver: Resolver,
    call: Call,
    arguments: tuple[Operand, ...],
    answer: Callable[[_Steps, tuple[Operand, ...]], Operand],
    for_none: Constant | None = None,
) -> Resolution:
    """A call of a function that is made here: of these steps. `for_none`: what it gives where the first argument is None."""
    made = resolver.inference.analyser.written_out
    key = (call, for_none is not None)
    if key not in made:
        given = tuple(o if isinstance(o, Constant) else Value("o" if place == 0 else "") for place, o in enumerate(arguments))
        steps = _Steps(call.span)
        result = answer(steps, given)
        block = Block(tuple(steps.operations), Return(result, call.span))
        if for_none is not None:
            test = _Steps(call.span)
            is_none = test.call(operator.is_, given[0], Constant(None))
            block = Block(tuple(test.operations), Branch(is_none, Block((), Return(for_none, call.span)), block, call.span))
        name = getattr(getattr(call.function, "value", None), "__name__", "") or "test"
        parameters = tuple(Parameter(one) for one in given if isinstance(one, Value))
        made[key] = Function(f"{name.strip('_')}_of_object", parameters, block, (), call.span)
    passed = [one for one in arguments if isinstance(one, Value)]
    return resolver.call_definition(call, made[key], resolver.inference.context, passed)


# -- loops and conditions --------------------------------------------------------------------------------------------------------


def is_iterable(cls: type) -> bool:
    """Whether a loop over instances of a class can be written out."""
    method = method_of(cls, "__iter__")
    return method is not None and not inspect.isgeneratorfunction(method)


def check_iterable(inference: Inference, loop: For) -> None:
    """Raise `ExplicitError` for a loop over an instance of a user's class."""
    kind = strip_optional(inference.type_of(loop.iterable))
    if not isinstance(kind, ObjectType) or kind.cls is list:
        return
    iterators = inference.analyser.iterators
    if loop.span in inference.of_several_classes:
        pass
    elif loop.iterable not in iterators:
        if (iterated := what_is_iterated(inference, loop.iterable, loop.span)) is not None:
            operations, elements = iterated
            raise ExplicitError(loop, lambda found: (*operations, replace(found, iterable=elements)))
        if is_iterable(kind.cls):
            iterator = Value("", temporary=True)
            iterators.add(iterator)
            made = Call(iterator, Constant(call_method), (loop.iterable, Constant("__iter__")), (), loop.span)
            raise ExplicitError(loop, lambda found: (made, replace(found, iterable=iterator)))
    elif (method := method_of(kind.cls, "__next__")) is not None and _step_of(inference, method) is not None:
        raise ExplicitError(loop, lambda found: (_as_while(found, method),))
    if any(may_change(kind.cls, label) for label in ITERATION):
        inference.memory.lose_attributes(kind.region, "stored")


def note_changes(inference: Inference, call: Call) -> None:
    """Objects whose methods Python calls by itself may be changed."""
    kinds = [strip_optional(inference.type_of(operand)) for operand in arguments_of(call)]
    if all(isinstance(kind, ScalarType) for kind in kinds):  # most calls
        return
    found = [*kinds, *(part for kind in kinds for part in elements_in(inference.memory, kind))]
    objects = [kind for kind in found if isinstance(kind, ObjectType) and kind.cls is not list]
    if not objects:
        return
    names = inference.constant_of(call.function)
    function = names.value if names is not None else None
    if function is call_method and isinstance(found_function := inference.resolutions[call].function, types.FunctionType):
        function = found_function  # copy.deepcopy(o) asks what deepcopy(o) does
    labels = labels_asked(function, call.arguments)
    for kind in objects:
        if any(may_change(kind.cls, label) for label in labels):
            inference.memory.lose_attributes(kind.region, "stored")


def _as_while(loop: For, method: types.FunctionType) -> While:
    """``while True``: one step, and out where it gives no element."""
    found = Value("", temporary=True)
    step = Call(found, Constant(Advance(method)), (loop.iterable,), (), loop.span)
    taken = Call(loop.target, Constant(operator.getitem), (found, Constant(0)), (), loop.span)
    done = Block((), Break(tuple(item.parameter for item in loop.carried), loop.span))
    body = Block((step,), Branch(found, Block((taken, *loop.body.operations), loop.body.terminator), done, loop.span))
    carried: tuple[Carried, ...] = loop.carried
    return While(Block((), Yield((Constant(True),))), carried, body, loop.span)


def _resolve_advance(resolver: Resolver, call: Call, step: Advance, arguments: tuple[Operand, ...]) -> Resolution | None:
    check_method(resolver.inference, call, "__next__", step.method)
    definition = _step_of(resolver.inference, step.method)
    assert definition is not None
    guard_function(resolver, step.method)
    return resolver.call_definition(call, definition, resolver.inference.analyser.context_of(step.method), arguments)


def _step_of(inference: Inference, method: types.FunctionType) -> Function | None:
    """``__next__`` as a function that gives a list of the element, or of none where it raises StopIteration; None where another
    function may raise that."""
    made = inference.analyser.written_out
    if method not in made:
        made[method] = _as_step(inference.analyser.lower(method), method)
    found: Function | None = made[method]
    return found


def _as_step(definition: Function, method: types.FunctionType) -> Function | None:
    if inspect.isgeneratorfunction(method) or "StopIteration" in method.__globals__ or len(definition.parameters) != 1:
        return None
    nodes = [node for node in walk(definition.body) if isinstance(node, Call)]
    stops: set[Operand] = {node.result for node in nodes if _loads(node, "StopIteration")}
    stops |= {node.result for node in nodes if node.function in stops}
    if any(_loads(node, "next") for node in nodes):
        return None
    body = _ending_with_list(definition.body, stops)
    if any(isinstance(node, Raise) and node.exception in stops for node in walk(body)):
        return None
    name = method.__qualname__.split(".")[0].lower()
    return replace(definition, name=f"next_of_{name}", body=body)


def _ending_with_list(block: Block, stops: set[Operand]) -> Block:
    """A tree that gives a list of what it returned, or of nothing where it raised one of these."""
    for index, node in enumerate(block.operations):
        if isinstance(node, If):
            arms = [node.then, node.orelse]
            stopping = next((k for k, arm in enumerate(arms) if _is_stop(arm.terminator, stops)), None)
            if stopping is not None:
                rest = _after(node, arms[1 - stopping], Block(block.operations[index + 1 :], block.terminator), stops)
                ends = [arms[stopping], rest] if stopping == 0 else [rest, arms[stopping]]
                then, orelse = (_ending_with_list(end, stops) for end in ends)
                return Block(block.operations[:index], Branch(node.condition, then, orelse, node.span))
    made = Value("", temporary=True)
    match block.terminator:
        case Branch(condition, then, orelse, span):
            first, second = _ending_with_list(then, stops), _ending_with_list(orelse, stops)
            return Block(block.operations, Branch(condition, first, second, span))
        case Return(value, span):
            return Block((*block.operations, Call(made, Constant(make_list), (value,), (), span)), Return(made, span))
        case Raise(span=span) if _is_stop(block.terminator, stops):
            return Block((*block.operations, Call(made, Constant(make_list), (), (), span)), Return(made, span))
    return block


def _is_stop(end: Terminator, stops: set[Operand]) -> bool:
    return isinstance(end, Raise) and end.exception in stops


def _after(node: If, arm: Block, rest: Block, stops: set[Operand]) -> Block:
    """An arm of an `If`, and what comes after it."""
    if not isinstance(arm.terminator, Yield):
        return arm
    copy = Copy(dict(zip(node.results, arm.terminator.values, strict=True)))
    copied = copy.block(rest)
    stops.update(new for old in list(stops) if isinstance(old, Value) and (new := copy.values.get(old)) is not None)
    return Block((*arm.operations, *copied.operations), copied.terminator)


def _loads(call: Call, name: str) -> bool:
    return (
        isinstance(call.function, Constant)
        and call.function.value is load_global
        and isinstance(call.arguments[0], Constant)
        and call.arguments[0].value == name
    )


def check_condition(inference: Inference, owner: If | Block, condition: Operand) -> None:
    """Raise `ExplicitError` for a test of an instance of a user's class, by an `If` or by what ends a block."""
    kind = strip_optional(inference.type_of(condition))
    if not isinstance(kind, ObjectType) or kind.cls is list or _label_of_truth(kind.cls) is None:
        return
    span = owner.span if isinstance(owner, If) else getattr(owner.terminator, "span", None)
    tested = Value("", temporary=True)
    test = Call(tested, Constant(operator.truth), (condition,), (), span)
    if isinstance(owner, If):
        raise ExplicitError(owner, lambda found: (test, replace(found, condition=tested)))

    def instead(block: Block) -> Block:
        end = block.terminator
        new = replace(end, condition=tested) if isinstance(end, Branch) else Yield((tested,))
        return Block((*block.operations, test), new)

    raise ExplicitError(owner, instead)


def write_out(definition: Function, request: ExplicitError) -> Function:
    """The function with a call written out."""
    return replace(definition, body=_written(definition.body, request))


def _written(block: Block, request: ExplicitError) -> Block:
    operations: list[Operation] = []
    for operation in block.operations:
        inner = with_blocks(operation, [_written(one, request) for one in blocks_of(operation)])
        if operation is request.target:
            made = request.instead(inner)
            assert not isinstance(made, Block)
            operations.extend(made)
        else:
            operations.append(inner)
    end = block.terminator
    if isinstance(end, Branch):
        end = replace(end, then=_written(end.then, request), orelse=_written(end.orelse, request))
    new = Block(tuple(operations), end)
    if block is not request.target:
        same = end is block.terminator and all(map(operator.is_, operations, block.operations))
        return block if same and len(operations) == len(block.operations) else new
    changed = request.instead(new)
    assert isinstance(changed, Block)
    return changed
