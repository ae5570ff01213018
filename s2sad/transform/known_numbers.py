"""Numbers that are known without running the program, though the text says how they come about: ``math.sqrt(2 * math.pi)``.

>>> pi, t, root = Value("pi", FLOAT), Value("t", FLOAT), Value("root", FLOAT)
>>> definitions = {
...     pi: Call(pi, Constant(getattr), (Constant(math), Constant("pi"))),
...     t: Call(t, Constant(operator.mul), (Constant(2), pi)),
...     root: Call(root, Constant(math.sqrt), (t,)),
... }
>>> known_number(root, definitions) == math.sqrt(2 * math.pi)
True
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Final

import numpy

from s2sad.ir.nodes import Call, Constant, Operand, Value, function_of, is_one_of
from s2sad.ir.types import FLOAT

_MODULES: Final = (math, numpy)
_FUNCTIONS: Final = frozenset({operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, math.sqrt, math.log})


def is_number_of_module(call: Call) -> bool:
    """Whether a call reads a number of a module that is the same whenever a program runs."""
    return _number_of_module(call) is not None


def _number_of_module(call: Call) -> float | None:
    if function_of(call) is not getattr or len(call.arguments) != 2:
        return None
    module, name = (operand.value if isinstance(operand, Constant) else None for operand in call.arguments)
    found = next((vars(known).get(name) for known in _MODULES if known is module), None) if isinstance(name, str) else None
    return found if isinstance(found, float) else None


def known_number(operand: Operand, definitions: Mapping[Value, Call]) -> float | None:
    """The number that an operand is, if it is computed of literals and numbers of modules, and that does not raise."""
    if isinstance(operand, Constant):
        return operand.value if isinstance(operand.value, (int, float)) and operand.value.__class__ is not bool else None
    call = definitions.get(operand)
    if call is None or operand.type != FLOAT or call.keywords:
        return None
    if (found := _number_of_module(call)) is not None:
        return found
    function = function_of(call)
    if not is_one_of(function, _FUNCTIONS) or not callable(function):
        return None
    numbers = [known_number(part, definitions) for part in call.arguments]
    if None in numbers:
        return None
    try:
        result = function(*numbers)
    except (ArithmeticError, ValueError):
        return None
    return result if isinstance(result, float) else None
