"""Activity: which values carry a derivative from the inputs of interest to the result.

The derivative flows along the edges of a graph: from operands to results, from stored values into the region of a
container and from there to what is loaded, along the carried values of loops. A value is *varied* if it can be reached from
an input of interest, *useful* if the result can be reached from it, *active* if both; only active values get an adjoint.

In ``def f(x, n): y = x * n; z = math.floor(x); return y * z`` with respect to ``x``, the values x and y are active; z is not,
since ``floor`` has the derivative zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from s2sad.analysis.activity_graph import Graph, reach
from s2sad.analysis.activity_items import Item, hidden, hidden_numbers, is_outside_object, items_of, stored_into
from s2sad.ir.memo import MOST_FUNCTIONS, remembered
from s2sad.ir.nodes import Function, Operand, Value
from s2sad.ir.types import AnyType, ScalarType, strip_optional


@dataclass(frozen=True, slots=True)
class Activity:
    """The active values and regions of a function for one choice of inputs."""

    items: frozenset[Item]

    def __contains__(self, operand: Operand) -> bool:
        """Whether an operand carries a derivative, itself or in a container that it refers to."""
        if isinstance(operand, Value) and isinstance(operand.type, ScalarType):  # most values
            return operand in self.items
        return any(item in self.items for item in items_of(operand))

    def is_region_active(self, region: int) -> bool:
        """Whether a container holds active values."""
        return region in self.items

    def with_regions(self, regions: Iterable[int]) -> Activity:
        """The same, and these containers are active as well."""
        return Activity(self.items.union(regions))

    def is_lost(self, operand: Operand) -> bool:
        """Whether a derivative passes through an operand, or part of it, that has no adjoint."""
        if not isinstance(operand, Value):
            return is_outside_object(operand) and hidden(("object", id(operand.value))) in self.items
        if isinstance(operand.type, ScalarType):  # most values
            return False
        if isinstance(strip_optional(operand.type), AnyType) and (operand in self.items or stored_into(operand) in self.items):
            return True
        return self.is_hidden(operand)

    def is_hidden(self, item: Item) -> bool:
        """Whether a value or a region has parts without adjoint through which a derivative passes."""
        return hidden(item) in self.items


def find_activity(
    function: Function, inputs: Iterable[Operand], outputs: Iterable[Item] = (), hiding: Iterable[Item] | None = None
) -> Activity:
    """The activity with respect to these inputs; `outputs` are regions that a caller looks at besides the result. `hiding`: the
    regions and values whose parts without adjoint carry a derivative; None: all in which numbers may be hidden."""
    graph = _graph_of(function)
    outputs = list(outputs)
    inputs = list(inputs)
    sources = [item for value in inputs for item in items_of(value)]
    known = None if hiding is None else set(map(hidden, hiding))
    sources += [item for value in inputs for item in hidden_numbers(value) if known is None or item in known]
    varied = reach(graph.forward, sources)
    useful = reach(graph.backward, [*graph.returned, *outputs, *map(hidden, outputs), *(known or ())])
    return Activity(frozenset(varied & useful))


@remembered(MOST_FUNCTIONS)
def _graph_of(function: Function) -> Graph:
    """The graph of a function, whatever the inputs."""
    graph = Graph()
    graph.whole(function)
    return graph
