"""What is garbage after long functions is found, and what others have frozen stays frozen."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from s2sad.pipeline import collector


class Node:
    """Something that keeps itself alive."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(collector, "MANY", 10)
    monkeypatch.setattr(collector, "MOST_UNSEARCHED", 2_000)
    collector._UNSEARCHED.clear()
    yield
    collector._UNSEARCHED.clear()


def make_garbage(count: int) -> weakref.ref[Node]:
    with collector.collector_paused():
        nodes = [Node() for _ in range(count)]
        return weakref.ref(nodes[0])


def test_garbage_is_searched_for_when_it_has_become_much() -> None:
    gc.collect()
    first = make_garbage(200)
    assert first() is not None  # counted as old, and not looked at yet
    for _ in range(10):
        make_garbage(200)
    assert first() is None


def test_what_is_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        make_garbage(200)
        assert gc.get_freeze_count() >= frozen > 0
    finally:
        gc.unfreeze()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        make_garbage(200)
        assert not gc.isenabled()
    finally:
        gc.enable()
