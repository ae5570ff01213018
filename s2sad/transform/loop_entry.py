"""When a loop makes a trip at all: the condition as calls to put before the loop, and which loop runs only after which.

>>> from s2sad.ir.nodes import Block, Call, Carried, Constant, Value, While, Yield
>>> from s2sad.ir.types import BOOL, FLOAT
>>> import operator
>>> x, s_1, s_2, s_3, c = Value("x", FLOAT), Value("s", FLOAT), Value("s", FLOAT), Value("s", FLOAT), Value("c", BOOL)
>>> header = Block((Call(c, Constant(operator.lt), (s_1, Constant(9.0))),), Yield((c,)))
>>> body = Block((Call(s_2, Constant(operator.mul), (s_1, s_1)),), Yield((s_2,)))
>>> calls, condition = entry_condition(While(header, (Carried(x, s_1, s_3),), body), {})
>>> [(call.function, call.arguments) for call in calls]
[(Constant(<built-in function lt>), (<x: float>, Constant(9.0)))]
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Final

from s2sad.analysis.result_types import COMPARISONS
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Call, Constant, For, Function, Operand, Value, While, Yield, blocks_of, walk
from s2sad.ir.operations import make_list
from s2sad.ir.types import BOOL
from s2sad.transform.offsets import is_integer
from s2sad.transform.purity import changed_container, function_of, is_number, is_one_of, is_shareable, may_raise
from s2sad.transform.rewrite import is_same, operand_key, replace_operand, replace_operands

#: What a condition may consist of to be worth asking once more: a comparison, and something to compare.
_MOST_CALLS: Final = 2
#: Comparisons that an integer does not pass against itself.
_STRICT: Final = frozenset({operator.lt, operator.gt, operator.ne})
_EVALUATED: Final = COMPARISONS | {operator.add, operator.sub, operator.neg, operator.abs, abs, operator.not_, operator.truth}

Definitions = Mapping[Value, Call]


def entry_condition(loop: For | While, definitions: Definitions) -> tuple[list[Call], Operand] | None:
    """Calls that tell before a loop whether it makes a trip, and their outcome; None where that cannot be told cheaply."""
    if isinstance(loop, While):
        return _first_condition(loop)
    limits = _limits(loop, definitions)
    if limits is None or len(limits) > 2 or all(isinstance(limit, Constant) for limit in limits):
        return None
    start, stop = limits if len(limits) == 2 else (Constant(0), *limits)
    condition = Value("", BOOL, temporary=True)
    return [Call(condition, Constant(operator.gt), (stop, start), (), loop.span)], condition


def _first_condition(loop: While) -> tuple[list[Call], Operand] | None:
    end = loop.header.terminator
    if not isinstance(end, Yield) or not 0 < len(loop.header.operations) <= _MOST_CALLS:
        return None
    known: dict[Value, Operand] = {item.parameter: item.initial for item in loop.carried}
    calls: list[Call] = []
    for call in loop.header.operations:
        if not isinstance(call, Call) or not is_shareable(call) or may_raise(call):
            return None
        own = call.result
        call = replace_operands(call, known)
        result = Value(call.result.name, call.result.type, call.result.temporary)
        known[own] = result
        calls.append(Call(result, call.function, call.arguments, call.keywords, call.span, call.exact))
    if not is_one_of(function_of(calls[-1]), COMPARISONS) or end.values[0] is not own:
        return None
    return calls, calls[-1].result


def _limits(loop: For, definitions: Definitions) -> tuple[Operand, ...] | None:
    """The arguments of the ``range`` that a loop runs over, if these are integers."""
    definition = definitions.get(loop.iterable) if isinstance(loop.iterable, Value) else None
    if definition is None or function_of(definition) is not range or definition.keywords:
        return None
    return definition.arguments if all(is_integer(operand) for operand in definition.arguments) else None


def shape_of(condition: Operand, definitions: Definitions) -> object:
    """Equal for conditions that are computed from the same operands in the same way."""
    call = definitions.get(condition) if isinstance(condition, Value) else None
    if call is None or call.keywords or not is_one_of(function_of(call), _EVALUATED) or not is_shareable(call):
        return operand_key(condition)
    return function_of(call), tuple(shape_of(operand, definitions) for operand in call.arguments)


def enters_only_after(
    loop: For | While, earlier: For | While, definitions: Definitions, fn: Function, private: frozenset[Value]
) -> bool:
    """Whether a loop makes a trip only if an earlier one did.

    What the earlier one gives is what it was given if it made no trip; with that, the later one must not make one either."""
    given: dict[Value, Operand] = {item.result: item.initial for item in earlier.carried}
    if isinstance(loop, While):
        condition = _first_condition(loop)
        return condition is not None and _is_false(condition[0], given)
    limits = _limits(loop, definitions)
    if limits is not None:
        numbers = [
            operand.value for operand in (replace_operand(limit, given) for limit in limits) if isinstance(operand, Constant)
        ]
        integers = [number for number in numbers if isinstance(number, int)]
        return len(integers) == len(limits) and 0 not in integers[2:] and not range(*integers)
    return _is_filled_by(loop.iterable, earlier, definitions, fn, private)


def _is_false(calls: list[Call], given: Mapping[Value, Operand]) -> bool:
    """Whether the last of some calls gives false."""
    known = dict(given)
    for call in calls:
        call = replace_operands(call, known)
        function = call.function.value if isinstance(call.function, Constant) else None
        if not callable(function) or not is_one_of(function, _EVALUATED):
            return False
        values = [operand.value for operand in call.arguments if isinstance(operand, Constant) and is_number(operand)]
        if len(values) == len(call.arguments):
            known[call.result] = Constant(function(*values))
        elif is_one_of(function, _STRICT) and all(map(is_integer, call.arguments)) and is_same(*call.arguments):
            known[call.result] = Constant(False)
    outcome = known.get(calls[-1].result)
    return isinstance(outcome, Constant) and outcome.value is False


def _is_filled_by(
    iterable: Operand, loop: For | While, definitions: Definitions, fn: Function, private: frozenset[Value]
) -> bool:
    """Whether an iterable is a list, or a slice of one, that is made empty and filled by a loop only."""
    definition = definitions.get(iterable) if isinstance(iterable, Value) else None
    if definition is not None and function_of(definition) is operator.getitem and isinstance(definition.arguments[0], Value):
        index = definition.arguments[1]
        part = definitions.get(index) if isinstance(index, Value) else None
        is_slice = (
            isinstance(index.value, slice) if isinstance(index, Constant) else part is not None and function_of(part) is slice
        )
        if not is_slice:
            return False
        iterable = definition.arguments[0]
        definition = definitions.get(iterable)
    if definition is None or function_of(definition) is not make_list or definition.arguments:
        return False
    if iterable not in private:
        return False
    filling = {node for block in blocks_of(loop) for node in walk(block)}
    return all(node in filling or changed_container(node) is not iterable for node in nodes_of(fn))
