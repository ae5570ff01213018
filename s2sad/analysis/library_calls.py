"""Functions of Python's library that are about text: they are called as they are, and not followed.

``log.debug("step %d", k)``, ``os.path.join(folder, name)`` and ``re.split(",", line)`` are written in Python, but that is
nothing to differentiate.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from s2sad.analysis.binding import Starred
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.types import AnyType, ConstantType, NoneType, ObjectType, OpaqueType, ScalarType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

#: The modules of Python itself; with them, the packages whose contexts are entered and left as they are.
STANDARD_LIBRARY: Final = frozenset(sys.stdlib_module_names) - {"__main__"}
LIBRARIES: Final = STANDARD_LIBRARY | {"numpy", "scipy"}
#: What shows that a call is about text.
_TEXT: Final = (str, bytes, os.PathLike, re.Pattern, re.Match, logging.Logger, type(os.environ))


def is_about_text(
    resolver: Resolver,
    function: types.FunctionType,
    arguments: Sequence[Operand | Starred],
    keywords: Sequence[tuple[str, Operand]],
) -> bool:
    """Whether a function of the library is given text, and otherwise nothing but numbers."""
    package = (function.__module__ or "").partition(".")[0]
    if package not in STANDARD_LIBRARY or any(isinstance(one, Starred) for one in arguments):
        return False
    operands = [*arguments, *(operand for _, operand in keywords)]
    is_text = [_is_text(resolver, operand) for operand in operands if not isinstance(operand, Starred)]
    is_log = package == logging.__name__
    return True in is_text and (is_log or None not in is_text)


def _is_text(resolver: Resolver, operand: Operand) -> bool | None:
    """Whether an operand is text; None for what may lead to more than a number."""
    constant = resolver.inference.constant_of(operand)
    if constant is not None:
        return _is_text_value(constant)
    match strip_optional(resolver.inference.type_of(operand)):
        case OpaqueType(cls=cls) | ObjectType(cls=cls) if issubclass(cls, _TEXT):
            return True
        case ConstantType(value=value):
            return _is_text_value(Constant(value))
        case NoneType() | ScalarType() | AnyType():
            return False  # where it turns out to be active, that is refused as for any function without a rule
    return None


def _is_text_value(constant: Constant) -> bool | None:
    if isinstance(constant.value, _TEXT):
        return True
    return False if constant.value is None or isinstance(constant.value, (int, float)) else None
