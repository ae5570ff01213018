"""The cheapest set of values to save, so that all values needed can be computed again from it.

The graph has an edge from each operand to what is computed from it; values that cannot be computed again hang on the source,
needed values on the sink. A minimum vertex cut separates the two: its vertices are saved, what lies behind them is
recomputed. Of several minimum cuts the one nearest to the needed values is taken, which recomputes least.

>>> # x -> a, x -> b, and both a and b are needed: saving x alone is enough
>>> sorted(minimum_cut({"x": 1, "a": 1, "b": 1}, {"a": ["x"], "b": ["x"]}, sources=["x"], needed=["a", "b"]))
['x']
>>> sorted(minimum_cut({"x": 1, "y": 1}, {"y": ["x"]}, sources=["x"], needed=["y"]))
['y']
>>> # both x and y are needed, and to compute y again costs more than to save it
>>> sorted(minimum_cut({"x": 4, "y": 4}, {"y": ["x"]}, sources=["x"], needed=["x", "y"], efforts={"y": 5}))
['x', 'y']
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeVar

Node = TypeVar("Node", bound=Hashable)

INFINITE: Final = 1 << 60


def minimum_cut(
    costs: Mapping[Node, int],
    operands: Mapping[Node, Iterable[Node]],
    sources: Iterable[Node],
    needed: Iterable[Node],
    efforts: Mapping[Node, int] = MappingProxyType({}),
) -> set[Node]:
    """The nodes to save. `costs` has every node; `operands` those that each recomputable node is computed from; `efforts` what
    it costs to do so, where that is something."""
    residual: dict[object, dict[object, int]] = {}

    def edge(tail: object, head: object, capacity: int) -> None:
        residual.setdefault(tail, {})[head] = residual.get(tail, {}).get(head, 0) + capacity
        residual.setdefault(head, {}).setdefault(tail, 0)

    source, sink = "source", "sink"
    residual[source], residual[sink] = {}, {}
    for node, cost in costs.items():
        edge((node, 0), (node, 1), cost)
    for node, inputs in operands.items():
        for operand in inputs:
            edge((operand, 1), (node, 0), INFINITE)
    for node, effort in efforts.items():
        edge(source, (node, 0), effort)
    for node in sources:
        edge(source, (node, 0), INFINITE)
    for node in needed:
        edge((node, 1), sink, INFINITE)
    while (path := _augmenting_path(residual, source, sink)) is not None:
        flow = min(residual[tail][head] for tail, head in path)
        for tail, head in path:
            residual[tail][head] -= flow
            residual[head][tail] += flow
    reaching = _reaching(residual, sink)
    return {node for node in costs if (node, 1) in reaching and (node, 0) not in reaching}


def _augmenting_path(
    residual: dict[object, dict[object, int]], source: object, sink: object
) -> list[tuple[object, object]] | None:
    """A shortest path with capacity left (Edmonds and Karp)."""
    previous: dict[object, object] = {source: source}
    queue = deque([source])
    while queue:
        tail = queue.popleft()
        for head, capacity in residual[tail].items():
            if capacity > 0 and head not in previous:
                previous[head] = tail
                if head == sink:
                    path = []
                    while head != source:
                        path.append((previous[head], head))
                        head = previous[head]
                    return path
                queue.append(head)
    return None


def _reaching(residual: dict[object, dict[object, int]], sink: object) -> set[object]:
    """The nodes from which capacity is left towards the sink."""
    seen = {sink}
    stack = [sink]
    while stack:
        head = stack.pop()
        for tail in residual[head]:
            if tail not in seen and residual[tail].get(head, 0) > 0:
                seen.add(tail)
                stack.append(tail)
    return seen
