"""The comparisons that ``@dataclass(order=True)`` makes have no source; what they do is known.

``a < b``, of two instances of one class, becomes a call of a small function that is made here::

    def is_less(self, other):
        return (self.x, self.y) < (other.x, other.y)
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import types
from typing import Final

from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Parameter, Return, Value
from s2sad.ir.operations import make_tuple

#: What the functions are called.
_NAMES: Final = {"__lt__": "is_less", "__le__": "is_at_most", "__gt__": "is_greater", "__ge__": "is_at_least"}


def comparison_of_dataclass(function: types.FunctionType, cls: type | None) -> Function | None:
    """The function that compares instances of a class as a method does that `dataclasses.dataclass` wrote."""
    label = function.__name__
    if label not in _NAMES or cls is None or function.__code__.co_filename != "<string>":
        return None
    owner = next((one for one in cls.__mro__ if vars(one).get(label) is function), None)
    is_written = owner is not None and "__dataclass_params__" in vars(owner) and vars(owner)["__dataclass_params__"].order
    return _comparison(owner, label) if is_written and owner is not None else None


@functools.lru_cache(maxsize=256)
def _comparison(cls: type, label: str) -> Function:
    parameters = Value("self"), Value("other")
    operations: list[Operation] = []
    tuples = []
    for one in parameters:
        parts = [(field.name, Value(field.name, temporary=True)) for field in dataclasses.fields(cls) if field.compare]
        operations += [Call(part, Constant(getattr), (one, Constant(name))) for name, part in parts]
        tuples.append(Value("", temporary=True))
        operations.append(Call(tuples[-1], Constant(make_tuple), tuple(part for _, part in parts)))
    result = Value("", temporary=True)
    operations.append(Call(result, Constant(getattr(operator, label)), tuple(tuples)))
    return Function(_NAMES[label], tuple(map(Parameter, parameters)), Block(tuple(operations), Return(result)))
