"""Copies and unions of dicts, key by key where the keys are known: then the values may be of several kinds.

``dict(options)`` of ``{"scale": x, "weights": [x]}`` becomes a call of::

    def copy_dict(first):
        return {"scale": first["scale"], "weights": first["weights"]}

Where the keys are not known, nothing is known of what a copy of several kinds of values holds.
"""

from __future__ import annotations

import copy
import functools
import operator
from typing import TYPE_CHECKING, Final

from s2sad import runtime
from s2sad.analysis.container_types import has_several_kinds
from s2sad.analysis.known_keys import keys_at
from s2sad.analysis.memory import KEY
from s2sad.analysis.places import IN_MODELS
from s2sad.analysis.resolution import Resolution
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Value
from s2sad.ir.operations import make_dict
from s2sad.ir.types import DictType, ScalarType, UnknownType

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

#: A copy of numbers is written out for so many keys; of more, it is a loop.
MOST_KEYS: Final = 16
_COPIES: Final = (dict, copy.copy, copy.deepcopy, operator.or_)


def resolve_copy_of_dict(
    resolver: Resolver,
    call: Call,
    function: object,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution | None:
    """``dict(a)``, ``dict(a, k=v)``, ``copy.copy(a)``, ``copy.deepcopy(a)`` and ``a | b`` of dicts; None for everything else."""
    if function not in _COPIES or not arguments:
        return None
    memory = resolver.inference.memory
    owners = [resolver.inference.type_of(operand) for operand in arguments]
    kinds = [resolver.inference.type_of(operand) for _, operand in keywords]
    for owner in owners:
        if not isinstance(owner, DictType):
            return None
        kinds += [part for slot, part in memory.content[memory.find(owner.region)].items() if slot != KEY]
    several = has_several_kinds([kind for kind in kinds if not isinstance(kind, UnknownType)])
    found = [keys_at(resolver.inference, operand, call) if isinstance(operand, Value) else None for operand in arguments]
    keys = tuple(own for own in found if own is not None)
    if len(keys) < len(found):
        return resolver.opaque(call, function) if several else None
    if not several and sum(map(len, keys)) > MOST_KEYS:
        return None
    names = tuple(name for name, _ in keywords)
    deep = function is copy.deepcopy and not all(isinstance(kind, ScalarType | UnknownType) for kind in kinds)
    definition = copier_of_dicts(keys, names, deep)
    as_it_is = function if callable(function) and not keywords else None
    return resolver.call_made(call, definition, (*arguments, *(operand for _, operand in keywords)), as_it_is)


@functools.lru_cache(maxsize=64)
def copier_of_dicts(keys: tuple[tuple[object, ...], ...], names: tuple[str, ...], deep: bool) -> Function:
    """The function that makes one dict of dicts with these keys, and of values for these names."""
    owners = [Value(name) for name, _ in zip(("first", "second"), keys, strict=False)]
    given = [Value(name) for name in names]
    operations: list[Operation] = []
    if deep:
        operations.append(Call(Value("", temporary=True), Constant(runtime.check_separate), tuple(owners)))
    items: dict[object, Value] = {}
    for owner, own in zip(owners, keys, strict=True):
        for key in own:
            items[key] = Value("", temporary=True)
            operations.append(Call(items[key], Constant(operator.getitem), (owner, Constant(key))))
    if deep:
        for key, part in items.items():
            items[key] = Value("", temporary=True)
            operations.append(Call(items[key], Constant(copy.deepcopy), (part,)))
    items.update(zip(names, given, strict=True))
    result = Value("copied")
    operations.append(
        Call(result, Constant(make_dict), tuple(part for key, value in items.items() for part in (Constant(key), value)))
    )
    parameters = tuple(map(Parameter, (*owners, *given)))
    return Function("copy_dict", parameters, Block(tuple(operations), Return(result)), (), IN_MODELS)
