"""What the elements of an iterator are, where it is made as Python makes it: of `filter`, and of the functions of `itertools`.

>>> from s2sad.analysis.memory import Memory
>>> from s2sad.analysis.simple_types import STRING
>>> from s2sad.ir.types import FLOAT
>>> numbers, words = TupleType((FLOAT, FLOAT)), TupleType((STRING,))
>>> str(element_of_iterator(Memory(), itertools.product, [(numbers, None), (words, None)], {}))
'tuple[float, str]'
>>> str(element_of_iterator(Memory(), itertools.permutations, [(numbers, None)], {"r": (INT, 2)}))
'tuple[float, float]'
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from s2sad.analysis.container_types import iterated
from s2sad.ir.types import ANY, INT, NONE, ScalarType, TupleType, Type, UnknownType

if TYPE_CHECKING:
    from s2sad.analysis.memory import Memory

#: What gives some of the elements of an operand, and the place of this operand.
_CHOOSING: Final[dict[object, int]] = {
    itertools.islice: 0,
    itertools.compress: 0,
    builtins.filter: 1,
    itertools.filterfalse: 1,
    itertools.takewhile: 1,
    itertools.dropwhile: 1,
}
_SELECTING: Final = (itertools.combinations, itertools.combinations_with_replacement, itertools.permutations)
#: An operand: its type, and its value where that is a literal.
Given = tuple[Type, object]


def element_of_iterator(memory: Memory, function: object, operands: Sequence[Given], keywords: Mapping[str, Given]) -> Type:
    """The type of what the iterator ``function(*operands, **keywords)`` gives."""
    elements = [iterated(memory, kind) for kind, _ in operands]
    place = _CHOOSING.get(function)
    if place is not None:
        return elements[place] if place < len(elements) else ANY
    if function is itertools.chain:
        return memory.join_all(elements)
    if function is itertools.chain.from_iterable and elements:
        return iterated(memory, elements[0])
    if function is itertools.product:
        return _repeated(elements, keywords.get("repeat", (INT, 1))[1])
    if any(function is one for one in _SELECTING) and elements:
        return _repeated(elements[:1], [*operands, *keywords.values()][1][1] if len(operands) + len(keywords) == 2 else None)
    if function is itertools.pairwise and elements:
        return _repeated(elements, 2)
    if function is itertools.zip_longest:
        missing = keywords.get("fillvalue", (NONE, None))[0]
        return TupleType(tuple(memory.join(element, missing) for element in elements))
    if function is itertools.accumulate and len(elements) == 1 and "func" not in keywords:
        total = memory.join_all([elements[0], *(kind for kind, _ in keywords.values())])
        return total if isinstance(total, UnknownType) or _is_kept_by_addition(total) else ANY
    return ANY


def _repeated(elements: Sequence[Type], times: object) -> Type:
    return TupleType(tuple(elements) * times) if isinstance(times, int) and times >= 0 else ANY


def _is_kept_by_addition(kind: Type) -> bool:
    """Whether sums of values of this type are of this type."""
    return isinstance(kind, ScalarType) and kind.kind != "bool" and not kind.dtype
