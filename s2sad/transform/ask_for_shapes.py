"""Who only asks for the shape of an array asks one that is there anyway.

Before, where nothing else needs `flux`, and it is known to have the shape and dtype of `u`::

    flux = mul(u, u)
    flux_bar = np.zeros_like(flux)

After, when dead code is gone::

    flux_bar = np.zeros_like(u)

>>> from s2sad.ir.nodes import Block, Constant, Parameter, Return
>>> from s2sad.ir.types import ArrayType, Extent
>>> import operator
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> x, t, x_bar = Value("x", vector), Value("t", vector), Value("x_bar", vector)
>>> calls = (Call(t, Constant(operator.mul), (x, x)), Call(x_bar, Constant(numpy.zeros_like), (t,)))
>>> ask_for_shapes(Function("f", (Parameter(x),), Block(calls, Return(x_bar)))).body.operations[1].arguments
(<x: float64[n]>,)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy

from s2sad import runtime
from s2sad.ir.contents import calls_of, nodes_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Value, parameters_of, results_of
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType
from s2sad.transform.array_layouts import find_definitions, lie_alike
from s2sad.transform.array_memory import asked_for_shape, asks_for_lengths, find_array_memory, is_array
from s2sad.transform.eliminate_dead_code import find_needed_values
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import defined_in, map_blocks, with_body, with_operations
from s2sad.transform.unbound_values import find_unbound_values

Kind = tuple[str, object]


def ask_for_shapes(fn: Function) -> Function:
    """Ask other arrays for shapes than those that nobody else needs."""
    if not find_array_memory(fn).has_arrays or all(asked_for_shape(call) is None for call in calls_of(fn)):
        return fn
    return with_body(fn, _Asking(fn).visit(fn.body))


class _Asking:
    def __init__(self, fn: Function) -> None:
        self.needed = find_needed_values(fn) - find_unbound_values(fn.body)
        self.definitions = find_definitions(fn)
        self.has_views_or_copies = any(function_of(call) is runtime.shadow_of_view for call in calls_of(fn))
        #: What may be asked where the walk stands: what is needed anyway.
        self.known: dict[Kind, list[Value]] = {}
        # an array of integers that counts as real is converted first
        converted = {node.arguments[0] for node in nodes_of(fn) if isinstance(node, Call) and _converts(node)}
        self.arguments = [parameter.value for parameter in fn.parameters if parameter.value not in converted]
        self.note(*(value for value in self.arguments if value in self.needed))
        memory, variables = find_array_memory(fn), [value for value in defined_in(fn.body) if value.name]
        #: Variables that are other arrays later: each that is asked then keeps a name of its own.
        self.bound_again = {
            name
            for name, count in Counter(name for name, _ in {(v.name, memory.roots(v)) for v in variables}).items()
            if count > 1
        }
        names = {value.name for value in variables}
        #: Arguments whose names mean the same throughout.
        self.lasting = {value for value in self.arguments if value.name not in names}

    def note(self, *values: Value) -> None:
        for value in values:
            for kind in (_kind_of(value), _kind_of(value, dtype=False)):
                if kind is not None:
                    self.known.setdefault(kind, []).append(value)

    def visit(self, block: Block) -> Block:
        outside = self.known
        self.known = {kind: list(values) for kind, values in outside.items()}
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call):
                operation = self.ask(operation)
            else:
                before, self.known = self.known, {kind: list(values) for kind, values in self.known.items()}
                self.note(*(value for value in parameters_of(operation) if value in self.needed))
                operation = map_blocks(operation, self.visit)
                self.known = before
            self.note(*(value for value in results_of(operation) if value in self.needed))
            operations.append(operation)
        end = map_blocks(block.terminator, self.visit)
        self.known = outside
        return with_operations(block, operations, end)

    def ask(self, call: Call) -> Call:
        array = asked_for_shape(call)
        if array is None:
            return call
        if function_of(call) is runtime.zeros_like and isinstance(array.type, ArrayType) and array.type.is_real:
            call = replace(call, function=Constant(numpy.zeros_like))
        other = self.other_than(array, dtype=not asks_for_lengths(call))
        if other is None or not self.lies_as_well(call, array, other):
            return call
        return replace(call, arguments=(other, *call.arguments[1:]))

    def lies_as_well(self, call: Call, array: Value, other: Value) -> bool:
        """Whether an array made like `other` lies in memory as one made like `array`, where that matters: to the primal, which
        adds elements up in that order, and where a reshaped array may be a view or a copy."""
        matters = call.exact or self.has_views_or_copies
        return asks_for_lengths(call) or not matters or lie_alike(array, other, self.definitions)

    def other_than(self, array: Value, *, dtype: bool) -> Value | None:
        """Whom to ask instead: the first of the user's variables, what is computed anyway, an argument."""
        kind = _kind_of(array, dtype=dtype)
        is_variable = array in self.needed and not array.temporary
        if kind is None or (is_variable and array.name not in self.bound_again) or array in self.arguments:
            return None
        known = self.known.get(kind, [])
        own = [value for value in known if value not in self.arguments]
        variables = [*(value for value in known if value in self.lasting), *(value for value in own if not value.temporary)]
        if is_variable:
            return next((value for value in variables if value in self.lasting), None)
        if array in self.needed:
            return variables[0] if variables else None
        arguments = [value for value in self.arguments if _kind_of(value, dtype=dtype) == kind]
        arguments.sort(key=lambda value: value not in self.lasting)
        return next(iter([*variables, *own, *arguments]), None)


def _converts(call: Call) -> bool:
    """``x.astype(…)``"""
    if function_of(call) is not call_method:
        return False
    name = call.arguments[1]
    return isinstance(name, Constant) and name.value == "astype"


def _kind_of(value: Value, *, dtype: bool = True) -> Kind | None:
    """What arrays have in common that are asked for nothing but their shape and `dtype`; None where that is not known."""
    if not is_array(value) or not isinstance(value.type, ArrayType) or value.type.shape is None or None in value.type.shape:
        return None
    return value.type.dtype if dtype else "", value.type.shape
