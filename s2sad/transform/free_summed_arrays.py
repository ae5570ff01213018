"""Arrays that only lists hold which are there to be summed become values.

Before::                                       After::

    items = make_list()                            items = make_list()
    a = roll(u, 1)         # memory: a list        a = roll(u, 1)         # a value
    append(items, a)       # holds it              append(items, a)
    s = modelled(sum, items, t)                    s = modelled(sum, items, t)

The adjoint of such an array is a value too: it needs no array of zeros from the forward sweep on, to which it is added. This
holds if nobody writes to the memory, nothing else has it, and it does not come in as an argument or go out as the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from s2sad.analysis.memory import references_in
from s2sad.analysis.write_types import may_hold
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, Function, MakeFunction, Operand, Return, Value, function_of, operands_of
from s2sad.ir.operations import make_list, modelled
from s2sad.ir.types import AnyType, ArrayType, ListType, Type, strip_optional
from s2sad.transform.hold_numbers import is_held
from s2sad.transform.reverse.unchanged import regions_written
from s2sad.transform.rewrite import copy_block, defined_in, find_definitions, find_readers, with_body
from s2sad.transform.write_out_sums import is_append


def free_summed_arrays(fn: Function) -> Function:
    """See the module's docstring."""
    if modelled not in functions_called(fn):
        return fn
    lists = _summed_lists(fn)
    regions = {found for value in lists if (found := _region_of_elements(value.type)) is not None}
    regions -= _bound(fn, lists) if regions else set()
    return with_body(fn, copy_block(fn.body, {}, lambda kind: _freed(kind, regions))) if regions else fn


def _summed_lists(fn: Function) -> set[Value]:
    """Lists that are made here, appended to, and read by sums alone that are written out."""
    definitions, readers = find_definitions(fn), find_readers(fn)
    return {
        value
        for value, made in definitions.items()
        if function_of(made) is make_list
        and isinstance(value.type, ListType)
        and all(is_append(node, value) or _is_sum(node) for node in readers.get(value, ()))
    }


def _is_sum(node: object) -> bool:
    return isinstance(node, Call) and function_of(node) is modelled


def _bound(fn: Function, lists: Set[Value]) -> set[int]:
    """Regions that are more than the elements of these lists, or that change."""
    found = _regions([*(parameter.value for parameter in fn.parameters), *fn.captured])
    found |= _regions(value for value in defined_in(fn.body) if not isinstance(value.type, ArrayType) and value not in lists)
    for node in nodes_of(fn):
        match node:
            case Return() | MakeFunction():
                found |= _regions(operands_of(node))
            case Call():
                found |= regions_written(node)
                found |= _handed_on(node)
                if is_held(node):
                    found |= _regions([node.result])
    return found


def _handed_on(call: Call) -> set[int]:
    """Regions that others may hold after a call, or find in its result."""
    operands, taken = operands_of(call), _regions(operands_of(call))
    known = isinstance(call.function, Constant) and not isinstance(strip_optional(call.result.type), AnyType)
    if not known or any(isinstance(operand, Value) and may_hold(operand.type) for operand in (*operands, call.result)):
        return taken
    return taken & _regions([call.result]) if isinstance(function_of(call), Callee) else set()


def _regions(operands: Iterable[Operand]) -> set[int]:
    return {region for operand in operands if isinstance(operand, Value) for region in references_in(operand.type)}


def _region_of_elements(kind: Type) -> int | None:
    """The region of the arrays in a list, if they are memory."""
    element = kind.element if isinstance(kind, ListType) else None
    return element.region if isinstance(element, ArrayType) and not element.fixed else None


def _freed(kind: Type, regions: Set[int]) -> Type:
    """A type in which arrays of these regions are values."""
    match kind:
        case ArrayType(region=region) if region in regions:
            return replace(kind, fixed=True)
        case ListType(element=ArrayType() as element):
            freed = _freed(element, regions)
            return kind if freed is element else replace(kind, element=freed)
    return kind
