"""Function values that calls of the standard library make: `functools.partial`, what `functools.wraps` and `functools.lru_cache`
decorate, and the getters of `operator`."""

from __future__ import annotations

import functools
import operator
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.simple_types import STRING
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Span, Value
from s2sad.ir.operations import call_method, make_tuple
from s2sad.ir.types import (
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    ObjectType,
    OptionalType,
    TupleType,
    Type,
    strip_optional,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from s2sad.analysis.resolve_calls import Resolver

GETTERS = (operator.itemgetter, operator.attrgetter)


@dataclass(frozen=True, slots=True)
class Partial:
    """`functools.partial`: the function, then `count` positional arguments and those with `names`, as captured values."""

    count: int
    names: tuple[str, ...]


def make_partial(resolver: Resolver, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]) -> Resolution:
    """``functools.partial(f, …)``: the function and its arguments, together."""
    operands = (*arguments, *(operand for _, operand in keywords))
    kinds: list[Type] = []
    for operand in operands:
        constant = resolver.inference.constant_of(operand)
        is_function = constant is not None and callable(constant.value)
        kinds.append(
            ConstantType(constant.value, id(constant.value))
            if constant is not None and is_function
            else resolver.inference.type_of(operand)
        )
    definition = Partial(len(arguments) - 1, tuple(name for name, _ in keywords))
    identity = kinds[0].identity if isinstance(kinds[0], ConstantType) else getattr(kinds[0], "key", None)
    return Resolution(FunctionType(definition, (definition, identity), tuple(kinds)), None, make_tuple, operands)


def call_partial(
    resolver: Resolver,
    call: Call,
    kind: FunctionType,
    closure: Operand,
    arguments: Sequence[Operand],
    keywords: Sequence[tuple[str, Operand]],
) -> Resolution:
    """A call of such a function."""
    definition = kind.definition
    assert isinstance(definition, Partial)
    parts = [resolver.inference.part(closure, index, part) for index, part in enumerate(kind.captured)]
    given = dict(zip(definition.names, parts[1 + definition.count :], strict=True)) | dict(keywords)
    positional = (*parts[1 : 1 + definition.count], *arguments)
    target = kind.captured[0]
    if isinstance(target, ConstantType):
        method = target.value
        if isinstance(method, types.MethodDescriptorType) and method.__objclass__ is np.ndarray:
            receiver, *rest = positional
            named = (receiver, Constant(method.__name__), *rest)
            return resolver.resolve_known(call, call_method, named, tuple(given.items()))
        return resolver.resolve_known(call, method, positional, tuple(given.items()))
    if isinstance(target, FunctionType):
        return resolver.call_nested(call, target, parts[0], positional, tuple(given.items()))
    return resolver.opaque(call, None)


def call_getter(resolver: Resolver, call: Call, getter: object, argument: Operand) -> Resolution | None:
    """``operator.itemgetter(i)(x)`` is ``x[i]``; of several keys, it is a tuple."""
    reduced = getter.__reduce__()
    assert isinstance(reduced, tuple)
    cls, keys = reduced[:2]
    if len(keys) != 1 or (cls is operator.attrgetter and "." in keys[0]):
        made = resolver.inference.analyser.written_out
        definition = made.get(getter) or made.setdefault(getter, _getter_of_several(cls, keys))
        return resolver.call_definition(call, definition, resolver.inference.context, [argument])
    function = operator.getitem if cls is operator.itemgetter else getattr
    return resolver.resolve_known(call, function, (argument, Constant(keys[0])), ())


def _getter_of_several(cls: object, keys: Sequence[Any]) -> Function:
    """What ``itemgetter(i, j)`` and ``attrgetter("a.b", "c")`` do, as a function."""
    owner = Value("owner")
    operations: list[Operation] = []
    parts = []
    for key in keys:
        part = owner
        for step in key.split(".") if cls is operator.attrgetter else (key,):
            whole, part = part, Value("", temporary=True)
            operations.append(
                Call(part, Constant(getattr if cls is operator.attrgetter else operator.getitem), (whole, Constant(step)))
            )
        parts.append(part)
    if len(parts) > 1:
        together = Value("", temporary=True)
        operations.append(Call(together, Constant(make_tuple), tuple(parts)))
        parts = [together]
    return Function("get_parts", (Parameter(owner),), Block(tuple(operations), Return(parts[0])))


def resolve_update_wrapper(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``functools.update_wrapper(f, g)``, which `functools.wraps` calls: f itself. Its name is not known after that."""
    if arguments and isinstance(kind := strip_optional(resolver.inference.type_of(arguments[0])), FunctionType):
        if isinstance(kind.definition, Function):
            resolver.inference.analyser.renamed.add(kind.definition)
        return Resolution(kind, alias=arguments[0])
    update: Any = functools.update_wrapper  # type checkers do not know that it has source
    return resolver.call_function(call, update, arguments, keywords)


def resolve_lru_cache(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """A cache that lives as long as one call of the function that makes it holds what has adjoints."""
    if arguments and resolver.inference.constant_of(arguments[0]) is not None and not _is_number(resolver, arguments[0]):
        return resolver.opaque(call, functools.lru_cache)
    raise UnsupportedSyntaxError(
        "functools.lru_cache is made inside of the function, and a derivative may pass through what it remembers; take "
        f"the decorator away, or keep what was computed in a dict: `if n in known: return known[n]`.\n{describe_place(call.span)}"
    )


def _is_number(resolver: Resolver, operand: Operand) -> bool:
    """Whether an operand is the size of a cache rather than a function."""
    constant = resolver.inference.constant_of(operand)
    return constant is not None and not callable(constant.value)


def attribute_of_function(
    resolver: Resolver, call: Call, kind: FunctionType, name: str, arguments: tuple[Operand, ...]
) -> Resolution:
    """``f.name`` of a function that is made in the program, which may be no object of its own when it runs."""
    definition = kind.definition
    is_named = isinstance(definition, Function) and definition not in resolver.inference.analyser.renamed
    if name == "__name__" and is_named and isinstance(definition, Function):
        text = definition.name if definition.name.isidentifier() else "<lambda>"
        return Resolution(STRING, Constant(text), getattr, arguments)
    if len(arguments) > 2 and not hasattr(types.FunctionType, name) and isinstance(definition, Function):
        return Resolution(resolver.inference.type_of(arguments[2]), alias=arguments[2])  # nobody can set it
    raise refused_attribute(call, name)


def refused_attribute(call: Call, name: str) -> UnsupportedSyntaxError:
    """The error for an attribute of a function that is made in the program."""
    return UnsupportedSyntaxError(
        f"{name!r} of a function that is made here is not followed; keep what you want to know of it in a variable, or make an "
        f"object of a class that has __call__.\n{describe_place(call.span)}"
    )


#: Attributes that say what a call of a function does: generated code has been made for what they were.
OF_CALLS: Final = ("__defaults__", "__kwdefaults__", "__code__")


def refused_default(call: Call, name: str) -> UnsupportedSyntaxError:
    """The error for a change of what a function does when it is called."""
    return UnsupportedSyntaxError(
        f"{name!r} of a function says what a call of it does, and a change of that is not followed; pass the argument instead.\n"
        f"{describe_place(call.span)}"
    )


def holds_function(kind: Type) -> bool:
    """Whether there may be functions made in the program among what a container or a variable that closures share holds."""
    match kind:
        case OptionalType(inner):
            return holds_function(inner)
        case TupleType(elements=elements):
            return any(map(holds_function, elements))
        case ListType(element=element):
            return holds_function(element)
        case DictType(value=value, fields=fields):
            return holds_function(value) or any(holds_function(part) for _, part in fields)
        case ObjectType(fields=fields):
            return any(holds_function(part) for _, part in fields)
    return isinstance(kind, FunctionType)


def function_in_memory(definition: Function, span: Span | None) -> UnsupportedSyntaxError:
    """The error for a function handed to code that is called as it is, which finds others in containers or in variables: in
    generated code these are no Python functions."""
    return UnsupportedSyntaxError(
        f"{definition.name.strip('<>')}() is handed to code that is not differentiated, and calls a function by way of a "
        "container or of a variable that is bound to another function later; give the functions different names, and call them "
        "by name.\n"
        f"{describe_place(span)}"
    )
