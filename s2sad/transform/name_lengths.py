"""Name the lengths of axes that are the same number within one trip of a loop, so that equal shapes are known to be equal.

Before, where `k` is another number in each trip::

    column: float64[:] = A[k + 1:, k]
    row: float64[:] = A[k, k + 1:]
    t: float64[:, :] = np.outer(column, row)
    A[k + 1:, k + 1:] -= t

After, `t` has the shape of what it is subtracted from, so its adjoint needs no ``unbroadcast``, and `t` is not kept for it::

    column: float64[n[k + 1:]] = A[k + 1:, k]
    row: float64[m[k + 1:]] = A[k, k + 1:]
    t: float64[n[k + 1:], m[k + 1:]] = np.outer(column, row)

>>> import operator
>>> import s2sad.analysis.array_updates  # knows ``x[k]``
>>> from s2sad.analysis.simple_types import SLICE
>>> from s2sad.ir.nodes import Block, Parameter, Return
>>> from s2sad.ir.types import INT, Extent
>>> x, k, key = Value("x", ArrayType("float64", (Extent("n"),), 1)), Value("k", INT), Value("key", SLICE)
>>> y, z = (Value(name, ArrayType("float64", (None,), 1)) for name in "yz")
>>> calls = (
...     Call(key, Constant(slice), (k, Constant(None))),
...     Call(y, Constant(operator.getitem), (x, key)),
...     Call(z, Constant(operator.mul), (y, y)),
... )
>>> named = name_lengths(Function("f", (Parameter(x), Parameter(k)), Block(calls, Return(k))), {}, {})
>>> {str(call.result.type) for call in named.body.operations[1:]}
{'float64[(n[(k#1 + 1000) - 1000:] + 1000) - 1000]'}

Such a name means one number wherever a value that has it is in scope, no longer: what goes from trip to trip, out of a loop or
out of an arm keeps the type that it has.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

from s2sad.analysis.array_facts import fact_of_call, with_names
from s2sad.analysis.array_operands import Fact, fact_of_constant, type_of_operand
from s2sad.analysis.array_shapes import Count, Shape
from s2sad.analysis.array_types import method_named, type_of_operation
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Call, Constant, Function, Operand, Value, operands_of
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, Length, ScalarType, Type
from s2sad.transform.equal_lengths import equal_lengths, known_shape
from s2sad.transform.rewrite import rename_values


def name_lengths(fn: Function, counts: dict[Value, Count], places: dict[Value, Shape]) -> Function:
    """See the module's docstring. `counts` takes the integers that names are made of, of several functions where one may come to
    stand in another; `places` takes the shapes of what is stored to, by the results of the stores, where more is known of these
    than their indices tell."""
    calls = [node for node in nodes_of(fn) if isinstance(node, Call)]
    if not any(_is_unnamed(call.result) for call in calls):
        return fn
    leaving = {operand for node in nodes_of(fn) if not isinstance(node, Call) for operand in operands_of(node)}
    naming = _Naming(calls, counts)
    for call in calls:
        if _is_unnamed(call.result) and call.result not in leaving:
            naming.name(call)
    for value, shape in equal_lengths(fn, naming.shape, naming.part_of).items():
        kind = naming.type_of_result(value)
        if not isinstance(kind, ArrayType):
            places[value] = shape
        elif value not in leaving:
            naming.renamed[value] = Value(value.name, replace(kind, shape=shape), value.temporary)
    return rename_values(fn, naming.renamed)


def _is_unnamed(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.shape is not None and None in value.type.shape


class _Naming:
    def __init__(self, calls: Sequence[Call], counts: dict[Value, Count]) -> None:
        self.definitions = {call.result: call for call in calls}
        self.renamed: dict[Value, Value] = {}
        self.counts = counts

    def name(self, call: Call) -> None:
        """Give the result of a call a type that names its lengths."""
        kind = call.result.type
        assert isinstance(kind, ArrayType)
        assert kind.shape is not None
        found = self.shape_of(call, len(kind.shape))
        lengths: list[Length] = []
        for known, here in zip(kind.shape, found, strict=True):
            if known is None and here is None:
                here = self.counts.setdefault(Value(""), Count(f"#{len(self.counts) + 1}")).length
            lengths.append(here if known is None else known)
        renamed = Value(call.result.name, replace(kind, shape=tuple(lengths)), call.result.temporary)
        self.renamed[call.result] = renamed
        self.definitions[renamed] = call

    def shape_of(self, call: Call, rank: int) -> tuple[Length, ...]:
        """The lengths of what a call gives, as far as they follow from its operands."""
        match self.type_of(call):
            case ArrayType(shape=tuple() as shape) if len(shape) == rank:
                return shape
        return (None,) * rank

    def type_of(self, call: Call) -> Type | None:
        if not isinstance(call.function, Constant):
            return None
        function, given = call.function.value, [self.current(operand) for operand in call.arguments]
        if (function is call_method or function is getattr) and len(given) > 1 and isinstance(given[1], Constant):
            function = method_named(str(given[1].value))
            given.pop(1)
        keywords = {name: self.current(operand) for name, operand in call.keywords}
        return type_of_operation(function, given, keywords, fact_of=self.fact_of)

    def shape(self, operand: Operand) -> Shape | None:
        """The shape of an operand, with the names that it has got."""
        return known_shape(self.current(operand))

    def type_of_result(self, value: Value) -> Type:
        """The type of a result, with the names that it has got."""
        return self.renamed.get(value, value).type

    def part_of(self, store: Call) -> Shape | None:
        """The shape of the place that something is stored to."""
        owner, key = map(self.current, store.arguments[:2])
        if not isinstance(type_of_operand(owner), ArrayType):
            return None
        kind = type_of_operation(operator.getitem, (owner, key), {}, fact_of=self.fact_of)
        return kind.shape if isinstance(kind, ArrayType) else None

    def current(self, operand: Operand) -> Operand:
        return self.renamed.get(operand, operand) if isinstance(operand, Value) else operand

    def fact_of(self, operand: Operand) -> Fact:
        """What is known of an operand besides its type; an integer of which nothing is known is the number that it is."""
        fact = self._known(operand)
        if fact is None and isinstance(operand, Value) and isinstance(operand.type, ScalarType) and operand.type.kind == "int":
            self.counts.setdefault(operand, Count(f"{operand.name}#{len(self.counts) + 1}"))
        return with_names(fact, operand, self.counts)

    def _known(self, operand: Operand) -> Fact:
        definition = self.definitions.get(operand) if isinstance(operand, Value) else None
        if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
            return fact_of_constant(operand)
        arguments = [self.current(argument) for argument in definition.arguments]
        return fact_of_call(definition.function.value, arguments, dict(definition.keywords), type_of_operand, self.fact_of)
