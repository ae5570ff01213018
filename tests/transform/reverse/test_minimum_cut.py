"""The minimum vertex cut against all subsets of small random graphs."""

from __future__ import annotations

import itertools
import random

import pytest

from s2sad.transform.reverse.minimum_cut import minimum_cut

Graph = tuple[dict[int, int], dict[int, list[int]], list[int], list[int]]


def random_graph(seed: int) -> Graph:
    """Values numbered in the order of computation: sources first, the rest computed from earlier ones."""
    rng = random.Random(seed)
    count = rng.randint(2, 9)
    sources = list(range(rng.randint(1, min(3, count))))
    costs = {node: rng.choice([0, 1, 1, 2, 16, 256]) for node in range(count)}
    operands = {node: rng.sample(range(node), rng.randint(0, min(3, node))) for node in range(len(sources), count)}
    needed = rng.sample(range(count), rng.randint(1, min(4, count)))
    return costs, operands, sources, needed


def suffices(saved: set[int], graph: Graph) -> bool:
    """Whether all that is needed is saved or can be computed from what is saved."""
    _, operands, sources, needed = graph

    def is_at_hand(node: int) -> bool:
        return node in saved or (node not in sources and all(map(is_at_hand, operands[node])))

    return all(map(is_at_hand, needed))


def cheapest(graph: Graph) -> int:
    costs = graph[0]
    subsets = itertools.chain.from_iterable(itertools.combinations(costs, size) for size in range(len(costs) + 1))
    return min(sum(costs[node] for node in subset) for subset in subsets if suffices(set(subset), graph))


@pytest.mark.parametrize("block", range(10))
def test_against_all_subsets(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        graph = random_graph(seed)
        cut = minimum_cut(*graph)
        assert suffices(cut, graph), graph
        assert sum(graph[0][node] for node in cut) == cheapest(graph), graph


@pytest.mark.parametrize("seed", range(60))
def test_nothing_in_the_cut_is_superfluous(seed: int) -> None:
    graph = random_graph(1000 + seed)
    cut = minimum_cut(*graph)
    for node in cut:
        if graph[0][node]:
            assert not suffices(cut - {node}, graph), graph


def test_of_equal_cuts_the_one_nearest_to_the_needed_values() -> None:
    chain = {"b": ["a"], "c": ["b"], "d": ["c"]}
    assert minimum_cut(dict.fromkeys("abcd", 1), chain, sources=["a"], needed=["d"]) == {"d"}
    assert minimum_cut({"a": 1, "b": 1, "c": 1, "d": 2}, chain, sources=["a"], needed=["d"]) == {"c"}


def test_nothing_needed_and_nothing_to_save() -> None:
    assert minimum_cut({"x": 1}, {}, sources=["x"], needed=[]) == set()
    # what is computed from constants alone costs nothing to compute again
    assert minimum_cut({"c": 16, "d": 16}, {"c": [], "d": ["c"]}, sources=[], needed=["d"]) == set()


def test_a_source_that_is_needed_is_saved() -> None:
    assert minimum_cut({"x": 3}, {}, sources=["x"], needed=["x"]) == {"x"}
    assert minimum_cut({"x": 0}, {}, sources=["x"], needed=["x"]) <= {"x"}


def test_a_long_chain_does_not_recurse() -> None:
    count = 20_000
    operands = {node: [node - 1] for node in range(1, count)}
    costs = dict.fromkeys(range(count), 2) | {count // 2: 1}
    assert minimum_cut(costs, operands, sources=[0], needed=[count - 1]) == {count // 2}


def test_any_hashable_may_be_a_node() -> None:
    costs = {"source": 1, "sink": 1, ("source", 0): 5}
    assert minimum_cut(costs, {"sink": ["source"]}, sources=["source"], needed=["sink", "source"]) == {"source"}
