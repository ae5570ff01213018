"""What the functions and methods of Python's module `random` give: they are called as they are, and draw no derivative.

>>> memory = Memory()
>>> from s2sad.ir.types import TupleType
>>> numbers = TupleType((FLOAT, FLOAT))
>>> print(type_of_draw(memory, 1, "randint", [INT, INT]), type_of_draw(memory, 1, "choice", [numbers]))
int float
"""

from __future__ import annotations

import random
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from s2sad.analysis.container_types import iterated, new_list
from s2sad.analysis.memory import Memory
from s2sad.ir.nodes import Call, Operand
from s2sad.ir.types import ANY, FLOAT, INT, NONE, ListType, Type, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

_INTEGERS: Final = frozenset({"randint", "randrange", "getrandbits", "binomialvariate"})
_REALS: Final = (
    frozenset({"random", "gauss", "triangular", "uniform", *(one for one in dir(random.Random) if one.endswith("variate"))})
    - _INTEGERS
)
_LISTS: Final = frozenset({"sample", "choices"})
_CHANGES: Final = frozenset({"seed", "setstate"})


def is_drawing(function: object) -> bool:
    """Whether a function is one of the module `random`, which draws from the generator behind it."""
    if not isinstance(function, types.MethodType | types.BuiltinFunctionType):
        return False
    return isinstance(function.__self__, random.Random) and is_method_of_generator(type(function.__self__), function.__name__)


def is_method_of_generator(cls: type, name: str) -> bool:
    """Whether objects of a class draw by a method as `random.Random` does."""
    return issubclass(cls, random.Random) and getattr(cls, name, None) is getattr(random.Random, name, cls)


def drawn(resolver: Resolver, call: Call, name: str, operands: Sequence[Operand]) -> Type:
    """The type of what a call of such a method gives."""
    inference = resolver.inference
    return type_of_draw(inference.memory, inference.site(call), name, [inference.type_of(operand) for operand in operands])


def type_of_draw(memory: Memory, site: int, name: str, kinds: Sequence[Type]) -> Type:
    """The type of what a method of `random.Random` gives."""
    if name in _INTEGERS:
        return INT
    if name in _REALS:
        return FLOAT
    if name in _CHANGES:
        return NONE
    among = strip_optional(kinds[0]) if kinds else ANY
    if name == "choice":
        return iterated(memory, among)
    if name in _LISTS:
        return new_list(memory, site, iterated(memory, among))
    if name == "shuffle" and isinstance(among, ListType):
        memory.mark(among.region, "restructured", "stored")
        return NONE
    return ANY
