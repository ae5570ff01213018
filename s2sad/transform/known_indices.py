"""Indices of arrays of which all is known: slices and tuples of literals, however they are written.

>>> t, k = Value("t"), Value("k")
>>> known = KnownIndices()
>>> known.note(Call(t, Constant(slice), (Constant(None), Constant(None), Constant(None))))
>>> known.note(Call(k, Constant(make_tuple), (t, Constant(0))))
>>> known.index(k)
(slice(None, None, None), 0)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import make_tuple
from s2sad.transform.purity import function_of


@dataclass(slots=True)
class KnownIndices:
    """`note` the calls of a function in their order."""

    known: dict[Value, object] = field(default_factory=dict)

    def note(self, call: Call) -> None:
        """A slice or tuple of which all is known is an index."""
        function = function_of(call)
        if function not in (slice, make_tuple) or call.keywords:
            return
        if all(isinstance(operand, Constant) or operand in self.known for operand in call.arguments):
            parts = tuple(map(self.index, call.arguments))
            self.known[call.result] = slice(*parts) if function is slice else parts

    def index(self, operand: Operand) -> object:
        """What is known to be an index; itself otherwise."""
        return operand.value if isinstance(operand, Constant) else self.known.get(operand, operand)

    def is_whole(self, key: Operand) -> bool:
        """Whether an index means all elements."""
        index = self.index(key)
        return index is Ellipsis or (isinstance(index, slice) and index == slice(None))
