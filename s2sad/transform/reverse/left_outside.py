"""What arrays in containers outside hold when the forward sweep has ended: the reverse sweep puts back what they held before, and
at its end they hold again what the program has left in them.

``STATE = {"u": np.zeros(3), "rows": [np.zeros(2), np.zeros(2)]}``, of which all arrays are changed::

    STATE_u = STATE["u"]                        ...
    STATE_u_left = STATE_u.copy()               STATE_u[...] = STATE_u_left
    STATE_rows_left = []                        for array, left in STATE_rows_left:
    for array in STATE["rows"]:                     array[...] = left
        STATE_rows_left.append((array, array.copy()))

This is written out from the types, so that it has a derivative of its own. Where these do not tell (a key or an attribute that
may be missing, an object that holds itself), functions of the run-time do it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence, Set

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.analysis.specialisation import Outside
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Value, Yield
from s2sad.ir.operations import call_method, make_list, make_tuple
from s2sad.ir.types import ANY, ArrayType, DictType, IteratorType, ListType, ObjectType, TupleType, Type, strip_optional


class LeftOutside:
    """Writes the copies and the stores that put them back. `regions` are those of the arrays in question; `outside` says what was
    in the variables at entry, and `removes_names` that keys or attributes may have been taken out since."""

    def __init__(self, regions: Set[int], outside: Iterable[Outside], *, removes_names: bool) -> None:
        self.regions = regions
        self.removes_names = removes_names
        self.copies: list[Operation] = []
        self.stores: list[Operation] = []
        self.at_entry: dict[object, list[Type]] = {}
        for one in outside:
            self.at_entry.setdefault(one.variable.name, []).append(one.kind)

    def keep(self, load: Call) -> None:
        """Keep what an array outside, or the arrays in a container outside, hold."""
        variable = load.arguments[-1]
        assert isinstance(variable, Constant)
        if self.is_known(load.result.type, self.at_entry.get(variable.value, [])):
            self.visit(load.result, self.copies, None)
            return
        contents = _emit(self.copies, runtime.contents_of_arrays, load.result)
        _emit(self.stores, runtime.put_back, contents)

    def is_known(self, kind: Type, at_entry: Sequence[Type], around: frozenset[int] = frozenset()) -> bool:
        """Whether the type tells where all arrays in question are; `at_entry` are types of what was there, if it was."""
        if self.regions.isdisjoint(references_in(kind)):
            return True
        match kind:
            case ArrayType():
                return True
            case TupleType(elements=parts):
                inner = zip(*(one.elements for one in at_entry if isinstance(one, TupleType)), strict=False)
                known = [*inner, *([()] * len(parts))]
                return all(self.is_known(part, found, around) for part, found in zip(parts, known, strict=False))
            case DictType(fields=fields, region=region) | ObjectType(fields=fields, region=region) if fields:
                if region in around or self.removes_names or not at_entry:
                    return False
                names = [dict(one.fields) if isinstance(one, DictType | ObjectType) else {} for one in at_entry]
                return all(
                    all(name in one for one in names) and self.is_known(part, [one[name] for one in names], around | {region})
                    for name, part in fields
                    if not self.regions.isdisjoint(references_in(part))
                )
            case ListType(element=part, region=region) | DictType(value=part, region=region):
                sequences = [one for one in at_entry if isinstance(one, ListType | DictType)]
                found = [one.element if isinstance(one, ListType) else one.value for one in sequences]
                return region not in around and self.is_known(part, found, around | {region})
        return False

    def visit(self, value: Value, copies: list[Operation], pairs: Value | None) -> None:
        """Keep what is in a value; in a loop over elements, as pairs in a list."""
        kind = value.type
        if self.regions.isdisjoint(references_in(kind)):
            return
        match kind:
            case ArrayType():
                self.copy(value, copies, pairs)
            case TupleType(elements=parts):
                for index, part in enumerate(parts):
                    self.visit_part(value, operator.getitem, index, part, copies, pairs)
            case DictType(fields=fields) if fields:
                for key, part in fields:
                    self.visit_part(value, operator.getitem, key, part, copies, pairs)
            case ObjectType(fields=fields):
                for name, part in fields:
                    self.visit_part(value, getattr, name, part, copies, pairs)
            case ListType(element=part) | DictType(value=part):
                self.visit_elements(value, part, copies, pairs)

    def visit_part(
        self, value: Value, function: object, key: object, kind: Type, copies: list[Operation], pairs: Value | None
    ) -> None:
        """Keep what is in a part of a value."""
        if not self.regions.isdisjoint(references_in(kind)):
            name = f"{value.name}_{key}" if value.name else str(key)
            self.visit(_emit(copies, function, value, Constant(key), kind=kind, name=name), copies, pairs)

    def visit_elements(self, value: Value, kind: Type, copies: list[Operation], pairs: Value | None) -> None:
        """Keep what is in the elements of a list, or in the values of a dict."""
        pair = TupleType((ANY, ANY))
        is_first = pairs is None
        if pairs is None:
            pairs = _emit(copies, make_list, kind=ListType(pair, 0), name=f"{value.name}_left")
        iterable: Operand = value
        if isinstance(value.type, DictType):
            iterable = _emit(copies, call_method, value, Constant("values"), kind=IteratorType(dict.values, kind))
        element = Value("array" if isinstance(kind, ArrayType) else "part", kind, temporary=True)
        inner: list[Operation] = []
        self.visit(element, inner, pairs)
        copies.append(For(element, iterable, (), Block(tuple(inner), Yield(())), None))
        if is_first:
            target = Value("", pair, temporary=True)
            stores: list[Operation] = []
            array = _emit(stores, operator.getitem, target, Constant(0), name="array")
            left = _emit(stores, operator.getitem, target, Constant(1), name="left")
            _emit(stores, operator.setitem, array, Constant(...), left)
            self.stores.append(For(target, pairs, (), Block(tuple(stores), Yield(())), None))

    def copy(self, array: Value, copies: list[Operation], pairs: Value | None) -> None:
        """Keep what an array holds."""
        left = _emit(copies, call_method, array, Constant("copy"), kind=array.type, name=f"{array.name}_left")
        if pairs is None:
            _emit(self.stores, operator.setitem, array, Constant(...), left)
            return
        pair = _emit(copies, make_tuple, array, left, kind=TupleType((ANY, ANY)))
        _emit(copies, call_method, pairs, Constant("append"), pair)


def removes_names(fn: Function) -> bool:
    """Whether a function takes keys out of dicts, or attributes off objects."""
    return any(isinstance(node, Call) and _removes_names(node) for node in nodes_of(fn))


def _removes_names(call: Call) -> bool:
    if not isinstance(call.function, Constant):
        return False
    if call.function.value is call_method:
        name = call.arguments[1]
        is_list = isinstance(call.arguments[0], Value) and isinstance(strip_optional(call.arguments[0].type), ListType)
        return not is_list and isinstance(name, Constant) and name.value in ("pop", "popitem", "clear")
    return call.function.value in (operator.delitem, delattr)


def _emit(operations: list[Operation], function: object, *arguments: Operand, kind: Type = ANY, name: str = "") -> Value:
    result = Value(name if name.isidentifier() else "", kind, temporary=True)
    operations.append(Call(result, Constant(function), arguments, (), None, exact=False))
    return result
