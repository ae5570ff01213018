"""Lists of lists in which each row has a place of its own: ``rows[i]`` and ``rows[j]`` are one list only if ``i == j``.

That is so where rows are made one by one, and put nowhere else, and none is replaced::

    rows = []
    for _ in range(n):
        rows.append([0.0] * m)          but not in  rows = [[0.0] * m] * n

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Return, Value
>>> from s2sad.ir.types import FLOAT, NONE, ListType
>>> row, rows = Value("row", ListType(FLOAT, 1)), Value("rows", ListType(ListType(FLOAT, 1), 2))
>>> make_row = Call(row, Constant(make_list), (Constant(0.0),))
>>> append = Call(Value("", NONE), Constant(call_method), (rows, Constant("append"), row))
>>> def with_rows(*calls):
...     return Function("f", (), Block((make_row, Call(rows, Constant(make_list), ()), *calls), Return(Constant(None))))
>>> has_distinct_rows(with_rows(append), 2), has_distinct_rows(with_rows(append, append), 2)
(True, False)
"""

from __future__ import annotations

import operator

from s2sad.analysis.memory import references_in
from s2sad.analysis.structure import Structure
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    Call,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Terminator,
    Value,
    function_of,
    operands_of,
)
from s2sad.ir.operations import call_method, make_list, make_tuple
from s2sad.ir.types import ListType
from s2sad.transform.purity import changed_container, looks_only
from s2sad.transform.reverse.new_lists import makes_new_list
from s2sad.transform.reverse.unchanged import regions_written
from s2sad.transform.rewrite import find_definitions

_CARRIES_ON = (make_list, make_tuple, operator.getitem)


def has_distinct_rows(function: Function, region: int) -> bool:
    """Whether that holds of all lists of lists in a region."""
    given = (*(parameter.value for parameter in function.parameters), *function.captured)
    if any(region in references_in(value.type) for value in given):
        return False  # a caller may have put one row in two places
    rows: list[Operand] = []
    for node in nodes_of(function):
        if not isinstance(node, Call):
            continue
        if region in references_in(node.result.type):
            if not any(function_of(node) is known for known in _CARRIES_ON):
                return False
            kind = node.result.type
            if function_of(node) is make_list and isinstance(kind, ListType) and kind.region == region:
                rows += node.arguments
        if region in regions_written(node):
            if not _is_append(node):
                return False
            rows.append(node.arguments[2])
    return all(_is_put_in_one_place(row, function) for row in rows)


def _is_append(call: Call) -> bool:
    method = call.arguments[1] if function_of(call) is call_method else None
    return isinstance(method, Constant) and method.value == "append"


def _is_put_in_one_place(row: Operand, function: Function) -> bool:
    """Whether a row is made for the place that it is put in: in the same block, and put nowhere else."""
    made = find_definitions(function).get(row) if isinstance(row, Value) else None
    if made is None or not makes_new_list(made):
        return False
    row = made.result
    holders = [node for node in nodes_of(function) if row in operands_of(node) and not _only_uses(node, row)]
    if len(holders) != 1 or not isinstance(holders[0], Call):
        return False
    structure = Structure.of(function)
    return structure.home[row] is structure.home[holders[0].result] and operands_of(holders[0]).count(row) == 1


def _only_uses(node: Operation | Terminator, row: Value) -> bool:
    """Whether a node only reads or changes what a row holds."""
    match node:
        case For(iterable=iterable):
            return all(item.initial is not row for item in node.carried) and iterable is row
        case Call():
            is_first = changed_container(node) is row or (looks_only(node) and node.arguments[0] is row)
            return is_first and operands_of(node).count(row) == 1
        case _:
            return False
