"""What is added to an element that was just set to zero is stored there at once, though other additions come between.

Before::

    e = getitem(v_bar, i)
    setitem(v_bar, i, 0.0)
    a = getitem(v_bar, j)           # perhaps the same element
    b ~= sub(a, t)
    setitem(v_bar, j, b)
    c = getitem(v_bar, i)
    d ~= add(c, e)
    setitem(v_bar, i, d)

After::

    e = getitem(v_bar, i)           # and stays there
    a = getitem(v_bar, j)
    b ~= sub(a, t)
    setitem(v_bar, j, b)

Additions may come in any order, whether or not their elements are one. Adjoint code alone: sums are rounded otherwise.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import FLOAT, INT, NONE, ListType
>>> x, i, j, t, a, b, c, d = (Value(name, FLOAT) for name in "xijtabcd")
>>> x, i, j = Value("x", ListType(FLOAT, 1)), Value("i", INT), Value("j", INT)
>>> def load(result, key):
...     return Call(result, Constant(operator.getitem), (x, key), exact=False)
>>> def store(key, value):
...     return Call(Value("", NONE), Constant(operator.setitem), (x, key, value), exact=False)
>>> calls = (
...     store(i, Constant(0.0)),
...     load(a, j), Call(b, Constant(operator.sub), (a, t), exact=False), store(j, b),
...     load(c, i), Call(d, Constant(operator.add), (c, t), exact=False), store(i, d),
... )
>>> f = Function("f", tuple(map(Parameter, (x, i, j, t))), Block(calls, Return(x)))
>>> for call in store_additions_first(f).body.operations:
...     print(call.function.value.__name__, *call.arguments)
add Constant(0.0) <t: float>
setitem <x: list[float]> <i: int> <d: float>
getitem <x: list[float]> <j: int>
sub <a: float> <t: float>
setitem <x: list[float]> <j: int> <b: float>
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from s2sad.ir.contents import functions_called
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value, blocks_of, operands_of, walk
from s2sad.ir.operations import comment
from s2sad.ir.types import ArrayType, DictType, ObjectType, ScalarType
from s2sad.transform.array_memory import ArrayMemory, find_array_memory
from s2sad.transform.element_places import Place, are_different_keys, may_be_one, place_of
from s2sad.transform.purity import function_of, is_number, touched_container
from s2sad.transform.rewrite import count_uses, map_blocks, replace_operands, with_body, with_operations


def store_additions_first(fn: Function) -> Function:
    """Store at once what is added to elements that were set to zero."""
    if functions_called(fn).isdisjoint((operator.setitem, setattr)):
        return fn
    return with_body(fn, _Moving(find_array_memory(fn), count_uses(fn)).visit(fn.body))


@dataclass(frozen=True, slots=True)
class _Addition:
    """The operations of ``x[i] += e``, by their places in the block: the load, the sums, the store."""

    load: int
    sums: tuple[int, ...]
    store: int


@dataclass(frozen=True, slots=True)
class _Moving:
    memory: ArrayMemory
    uses: Mapping[Value, int]

    def visit(self, block: Block) -> Block:
        operations = [map_blocks(operation, self.visit) for operation in block.operations]
        position = 0
        while position < len(operations):
            if _is_zeroing(operations[position]) and (addition := self.addition_to(operations, position)) is not None:
                operations = self.moved(operations, position, addition) or operations
            position += 1
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def addition_to(self, operations: Sequence[Operation], zeroing: int) -> _Addition | None:
        """The first addition to the element that is set to zero, if all that touches its container before are additions too."""
        zero = operations[zeroing]
        assert isinstance(zero, Call)
        place = place_of(zero, stored=True)
        assert place is not None
        position = zeroing + 1
        while position < len(operations):
            operation = operations[position]
            if self.touches(operation, place):
                found = self.addition_at(operations, position, place)
                if found is None:
                    return None
                load = operations[found.load]
                assert isinstance(load, Call)
                if place_of(load, stored=False) == place:
                    return found
                position = found.store
            position += 1
        return None

    def addition_at(self, operations: Sequence[Operation], load: int, zeroed: Place) -> _Addition | None:
        """The addition that begins here, if nothing else in it touches what is set to zero, nor its own place."""
        start = operations[load]
        if not isinstance(start, Call) or not isinstance(start.result.type, ScalarType):
            return None
        place = place_of(start, stored=False)
        if place is None:
            return None
        value = start.result
        sums: list[int] = []
        for position in range(load + 1, len(operations)):
            operation = operations[position]
            if isinstance(operation, Call) and value in operation.arguments:
                if self.uses.get(value) != 1 or operation.exact:
                    return None
                if function_of(operation) in (operator.setitem, setattr):
                    is_back = operation.arguments[2] is value and place_of(operation, stored=True) == place
                    return _Addition(load, tuple(sums), position) if is_back and sums else None
                is_sum = function_of(operation) is operator.add
                if not is_sum and not (function_of(operation) is operator.sub and operation.arguments[0] is value):
                    return None
                sums.append(position)
                value = operation.result
            elif self.touches(operation, zeroed) or self.touches(operation, place):
                return None
        return None

    def moved(self, operations: Sequence[Operation], zeroing: int, addition: _Addition) -> list[Operation] | None:
        """The addition in the place of the zero, where all that it adds can be computed there."""
        definition: dict[Value, int] = {}
        for position in range(zeroing + 1, addition.store):
            operation = operations[position]
            if isinstance(operation, Call):
                definition[operation.result] = position
            elif blocks_of(operation):
                definition.update((result, position) for result in getattr(operation, "results", ()))
        load, store = operations[addition.load], operations[addition.store]
        assert isinstance(load, Call)
        needed: set[int] = set()
        pending = list(addition.sums)
        while pending:
            position = pending.pop()
            operation = operations[position]
            if position in needed:
                continue
            if not isinstance(operation, Call) or not effects_of(operation).is_pure:
                return None
            needed.add(position)
            pending.extend(
                definition[operand]
                for operand in operands_of(operation)
                if isinstance(operand, Value) and operand in definition and operand is not load.result
            )
        from_zero: dict[Value, Operand] = {load.result: Constant(0.0)}
        first = [replace_operands(operations[position], from_zero) for position in sorted(needed)]
        gone = {*needed, zeroing, addition.load, addition.store}
        rest = [operation for position, operation in enumerate(operations) if position not in gone and position > zeroing]
        if len(addition.sums) == 1 and self.is_there(operations, zeroing, operations[addition.sums[0]]):
            return [*operations[:zeroing], *rest]
        return [*operations[:zeroing], *first, store, *rest]

    def is_there(self, operations: Sequence[Operation], zeroing: int, addition: Operation) -> bool:
        """Whether what is added is what the element was before it was set to zero."""
        zero = operations[zeroing]
        assert isinstance(zero, Call)
        assert isinstance(addition, Call)
        place = place_of(zero, stored=True)
        assert place is not None
        if function_of(addition) is not operator.add:
            return False
        for operation in reversed(operations[:zeroing]):
            if isinstance(operation, Call) and operation.result in addition.arguments:
                return place_of(operation, stored=False) == place
            if self.touches(operation, place) and not _only_reads(operation):
                return False
        return False

    def touches(self, operation: Operation, place: Place) -> bool:
        """Whether an operation may read or write an element or attribute."""
        container = place[0]
        if not isinstance(operation, Call):
            calls = [node for block in blocks_of(operation) for node in walk(block) if isinstance(node, Call)]
            return not blocks_of(operation) or any(self.touches(call, place) for call in calls)
        effects = effects_of(operation)
        if effects.is_pure or function_of(operation) is comment:
            return False
        element = place_of(operation, stored=False) or place_of(operation, stored=True)
        if element is not None and _are_apart(element, place):
            return False
        other = touched_container(operation)
        if isinstance(container.type, ArrayType):
            if other is not None:
                return False  # what stands in a list, not what is in it
            touched = self.memory.read_by(operation) | self.memory.written_by(operation)
            return effects.acts or bool(touched & self.memory.roots(container))
        if other is not None:
            return may_be_one(container, other)
        return effects.acts or not all(map(_is_apart_from_lists, operands_of(operation)))


def _is_zeroing(operation: Operation) -> bool:
    """Whether an element of a list or an array of adjoints, or an attribute of a shadow, is set to zero."""
    if not isinstance(operation, Call) or operation.exact:
        return False
    place = place_of(operation, stored=True)
    if place is None or isinstance(place[0].type, DictType):
        return False
    key, value = operation.arguments[1:]
    is_zero = isinstance(value, Constant) and isinstance(value.value, float) and value.value == 0.0
    return is_zero and (isinstance(place[0].type, ObjectType) or _is_key(key))


def _are_apart(first: Place, second: Place) -> bool:
    """Whether two places cannot be one, whatever their owners are."""
    is_view = isinstance(first[0].type, ArrayType) and first[0] is not second[0]
    return are_different_keys(first[1], second[1]) and not is_view


def _only_reads(operation: Operation) -> bool:
    return isinstance(operation, Call) and not (effects_of(operation).writes or effects_of(operation).acts)


def _is_key(key: Operand) -> bool:
    return is_number(key) or (isinstance(key, Constant) and isinstance(key.value, tuple))


def _is_apart_from_lists(operand: Operand) -> bool:
    return isinstance(operand, Constant) or isinstance(operand.type, (ScalarType, ArrayType))
