"""Abstract memory: joins are least upper bounds, regions are united for good, freezing and thawing are inverse."""

from __future__ import annotations

import itertools
import random

import pytest

from s2sad.analysis.memory import ELEMENT, Memory, number_regions, references_in, renumber
from s2sad.ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    ConstantType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
)

FLAT: list[Type] = [
    UNKNOWN,
    ANY,
    BOOL,
    INT,
    FLOAT,
    COMPLEX,
    NONE,
    ScalarType("float", "float64"),
    ScalarType("float", "float32"),
    OptionalType(FLOAT),
    OptionalType(INT),
    OpaqueType(str),
    OpaqueType(bytes),
    ConstantType(math_like := object(), id(math_like)),
    TupleType((FLOAT, INT)),
    TupleType((INT, NONE)),
    TupleType((FLOAT,)),
    FunctionType(None, "f", (FLOAT,)),
    FunctionType(None, "f", (INT,)),
    FunctionType(None, "g", (INT,)),
    IteratorType(zip, INT),
    IteratorType(zip, FLOAT),
    IteratorType(map, FLOAT),
]


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations_with_replacement(FLAT, 2)))
def test_joins_of_types_without_references(first, second):
    memory = Memory()
    joined = memory.join(first, second)
    assert joined == memory.join(second, first)
    assert memory.join(joined, first) == joined == memory.join(joined, second)  # it covers both
    if first == second:
        assert joined == first
    if UNKNOWN in (first, second):
        assert joined == (second if first == UNKNOWN else first)
    if ANY in (first, second):
        assert joined == ANY


def test_joins_are_associative():
    rng = random.Random(5)
    memory = Memory()
    for _ in range(2000):
        a, b, c = rng.sample(FLAT, 3)
        assert memory.join(memory.join(a, b), c) == memory.join(a, memory.join(b, c)), (a, b, c)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (INT, FLOAT, FLOAT),
        (BOOL, INT, INT),
        (FLOAT, COMPLEX, COMPLEX),
        (ScalarType("float", "float64"), FLOAT, FLOAT),
        (NONE, FLOAT, OptionalType(FLOAT)),
        (OptionalType(INT), FLOAT, OptionalType(FLOAT)),
        (NONE, ANY, ANY),
        (FLOAT, OpaqueType(str), ANY),
        (OpaqueType(str), OpaqueType(bytes), OpaqueType(object)),
        (TupleType((INT, NONE)), TupleType((FLOAT, INT)), TupleType((FLOAT, OptionalType(INT)))),
        (TupleType((INT,)), TupleType((INT, INT)), ANY),
        (FunctionType(None, "f", (INT,)), FunctionType(None, "f", (FLOAT,)), FunctionType(None, "f", (FLOAT,))),
        (FunctionType(None, "f", ()), FunctionType(None, "g", ()), ANY),
    ],
)
def test_what_joins_give(first, second, expected):
    assert Memory().join(first, second) == expected


def list_of(memory: Memory, element: Type) -> ListType:
    region = memory.allocate()
    memory.store(region, ELEMENT, element)
    return ListType(UNKNOWN, region)


def test_lists_that_meet_are_one():
    memory = Memory()
    first, second, third = list_of(memory, INT), list_of(memory, FLOAT), list_of(memory, NONE)
    memory.mark(second.region, "stored")
    joined = memory.join(first, second)
    assert memory.same(joined, first)
    assert memory.same(joined, second)
    assert not memory.same(joined, third)
    assert memory.freeze(first).element == FLOAT
    assert memory.flags[memory.find(first.region)] == {"stored"}
    memory.join(memory.optional(third), second)
    assert memory.freeze(first).element == OptionalType(FLOAT)


def test_uniting_containers_unites_what_they_hold():
    memory = Memory()
    inner = [list_of(memory, INT), list_of(memory, FLOAT)]
    outer = [list_of(memory, kind) for kind in inner]
    memory.join(*outer)
    assert memory.find(inner[0].region) == memory.find(inner[1].region)
    assert memory.freeze(inner[0]).element == FLOAT


def test_random_unions_agree_with_sets():
    rng = random.Random(11)
    memory = Memory()
    regions = [memory.allocate() for _ in range(60)]
    sets = {region: {region} for region in regions}
    for _ in range(45):
        a, b = rng.choice(regions), rng.choice(regions)
        memory.unite(a, b)
        if sets[a] is not sets[b]:
            merged = sets[a] | sets[b]
            for member in merged:
                sets[member] = merged
        assert all((memory.find(x) == memory.find(y)) == (sets[x] is sets[y]) for x in regions[::7] for y in regions[::5])


def test_changes_are_noticed_once():
    memory = Memory()
    region = memory.allocate()
    for action in (
        lambda: memory.store(region, ELEMENT, INT),
        lambda: memory.store(region, ELEMENT, FLOAT),
        lambda: memory.mark(region, "stored"),
        lambda: memory.unite(region, memory.allocate()),
    ):
        memory.changed = False
        action()
        assert memory.changed
    memory.changed = False
    memory.store(region, ELEMENT, INT)
    memory.mark(region, "stored")
    memory.unite(region, region)
    assert not memory.changed
    assert memory.load(region, "other") == UNKNOWN


def deep(region: int = 7) -> Type:
    inner = ListType(FLOAT, region)
    record = DictType(OpaqueType(str), UNKNOWN, 9, (("a", inner), ("b", TupleType((inner, INT)))))
    return TupleType(
        (record, OptionalType(ObjectType(Memory, 3, (("x", FLOAT), ("y", inner)))), FunctionType(None, "f", (inner,)))
    )


def test_freezing_what_was_thawed():
    kind = deep()
    memory = Memory()
    regions: dict[int, int] = {}
    thawed = memory.thaw(kind, regions)
    assert set(regions) == {7, 9, 3}
    assert number_regions([memory.freeze(thawed)]) == number_regions([kind])
    assert list(references_in(kind)) == [9, 7, 3]


def test_numbers_of_regions():
    assert number_regions([deep(7)]) == number_regions([deep(12)])
    assert number_regions([deep(7)]) != number_regions([deep(9)])  # the list and the dict are not one
    two, one = (ListType(FLOAT, 4), ListType(FLOAT, 5)), (ListType(FLOAT, 4), ListType(FLOAT, 4))
    assert number_regions(two) != number_regions(one)
    assert number_regions(two) == (ListType(FLOAT, 1), ListType(FLOAT, 2))
    assert renumber(IteratorType(zip, ListType(INT, 4)), {4: 1}) == IteratorType(zip, ListType(INT, 1))
    assert renumber(OptionalType(ListType(INT, 4)), {4: 1}) == OptionalType(ListType(INT, 1))


def test_a_container_that_holds_itself():
    memory = Memory()
    region = memory.allocate()
    memory.store(region, ELEMENT, ListType(UNKNOWN, region))
    frozen = memory.freeze(ListType(UNKNOWN, region))
    assert frozen == ListType(ListType(UNKNOWN, region), region)
    assert list(references_in(frozen)) == [region]
