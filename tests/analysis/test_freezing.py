"""Frozen types: what regions hold is written out once, and shared; regions that hold themselves come to an end."""

from s2sad.analysis.freezing import ELEMENT
from s2sad.analysis.memory import Memory, number_regions, numbers_of_regions, references_in
from s2sad.ir.memo import remembering
from s2sad.ir.types import FLOAT, UNKNOWN, ListType, ObjectType, TupleType


class Node:
    pass


def chain_of_pairs(memory, length):
    """A list of pairs of one list of pairs of one list …, which written out twice each time has 2**length parts."""
    region = memory.allocate()
    memory.store(region, ELEMENT, FLOAT)
    for _ in range(length):
        outer = memory.allocate()
        memory.store(outer, ELEMENT, TupleType((ListType(UNKNOWN, region), ListType(UNKNOWN, region))))
        region = outer
    return ListType(UNKNOWN, region)


def test_shared_content_takes_no_time_for_each_mention():
    memory = Memory()
    kind = chain_of_pairs(memory, 40)
    with remembering():
        frozen = memory.freeze(kind)
        assert len(references_in(frozen)) == 41
        (numbered,) = number_regions([frozen])
        assert list(references_in(numbered)) == list(range(1, 42))
        there = Memory()
        thawed = there.thaw(numbered, {})
        assert len(references_in(there.freeze(thawed))) == 41
    assert numbered.element.elements[0] is numbered.element.elements[1]


def test_the_order_of_mentions_is_kept():
    pair = TupleType((ListType(FLOAT, 7), ListType(ListType(FLOAT, 3), 5), ListType(FLOAT, 7)))
    assert list(references_in(pair)) == [7, 5, 3]
    assert numbers_of_regions([pair]) == {7: 1, 5: 2, 3: 3}


def test_an_object_in_itself_ends_where_it_is_met_again():
    memory = Memory()
    first, second = memory.allocate(), memory.allocate()
    memory.store(first, "next", ObjectType(Node, second))
    memory.store(second, "next", ObjectType(Node, first))
    frozen = memory.freeze(TupleType((ObjectType(Node, first), ObjectType(Node, second))))
    one, other = frozen.elements
    # whichever is met first: each is written out from its own place, as in a signature of its own
    assert one == memory.freeze(ObjectType(Node, first))
    assert other == memory.freeze(ObjectType(Node, second))
    (_, inner), *_ = one.fields
    (_, end), *_ = inner.fields
    assert end == ObjectType(Node, first)
