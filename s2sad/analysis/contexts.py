"""Which contexts swallow the exceptions that leave their ``with``, so that what follows is reached with its body half done."""

from __future__ import annotations

import contextlib
import dis
import inspect
import types
from itertools import pairwise

from s2sad.analysis.library_calls import LIBRARIES


def is_of_generator(cls: type) -> bool:
    """Whether a context is made by a function that `contextlib.contextmanager` decorates."""
    return issubclass(cls, contextlib.AbstractContextManager) and hasattr(cls, "_recreate_cm")


def may_swallow(cls: type, maker: object) -> bool:
    """Whether a context of a class may swallow exceptions; `maker` is the function that gave it.

    >>> may_swallow(contextlib.suppress, contextlib.suppress), may_swallow(contextlib.nullcontext, contextlib.nullcontext)
    (True, False)
    """
    return _generator_may_swallow(maker) if is_of_generator(cls) else _class_may_swallow(cls)


def _generator_may_swallow(maker: object) -> bool:
    """Whether a function decorated by `contextlib.contextmanager` may catch an exception at its ``yield``."""
    generator = getattr(maker, "__wrapped__", None)
    if not isinstance(generator, types.FunctionType):
        return True
    names = [instruction.opname for instruction in dis.get_instructions(generator)]
    is_bare = ("PUSH_EXC_INFO", "POP_TOP") in pairwise(names)  # `except:`
    return is_bare or not {"CHECK_EXC_MATCH", "CHECK_EG_MATCH", "WITH_EXCEPT_START"}.isdisjoint(names)


def _class_may_swallow(cls: type) -> bool:
    """Whether ``__exit__`` of a class returns something else than None or False."""
    leave = inspect.getattr_static(cls, "__exit__", None)
    if cls.__module__.partition(".")[0] in LIBRARIES or not isinstance(leave, types.FunctionType):
        return issubclass(cls, contextlib.suppress)
    before = None
    for instruction in dis.get_instructions(leave):
        constant = instruction if instruction.opname == "RETURN_CONST" else before
        is_harmless = constant is not None and "CONST" in constant.opname and constant.argval in (None, False)
        if instruction.opname in ("RETURN_CONST", "RETURN_VALUE") and not is_harmless:
            return True
        before = instruction
    return False
