"""What functions of C code do to lists, in Python: the same as they do, to the last comparison."""

import bisect
import heapq
import random

import pytest

from s2sad.rules.list_functions import in_python


class Counted:
    """A number that counts how often it was compared."""

    compared = 0

    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        Counted.compared += 1
        return self.number < other.number


def done_by(function, numbers, *arguments, **options):
    """The list and the result after a call, and the number of comparisons."""
    Counted.compared = 0
    items = [Counted(number) for number in numbers]
    result = function(items, *map(Counted, arguments), **options)
    return [item.number for item in items], getattr(result, "number", None), Counted.compared


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6, 7, 20, 33])
@pytest.mark.parametrize(
    ("function", "given"),
    [
        (heapq.heappush, 1),
        (heapq.heappop, 0),
        (heapq.heapreplace, 1),
        (heapq.heappushpop, 1),
        (bisect.insort_left, 1),
        (bisect.insort_right, 1),
    ],
)
def test_lists_in_order(function, given, count):
    chosen = random.Random(count)
    for _ in range(20):
        numbers = [chosen.randrange(12) for _ in range(count)]
        if function in (bisect.insort_left, bisect.insort_right):
            numbers.sort()
        else:
            heapq.heapify(numbers)
        arguments = [chosen.randrange(12) for _ in range(given)]
        try:
            expected = done_by(function, numbers, *arguments)
        except IndexError:
            with pytest.raises(IndexError):
                done_by(in_python(function), numbers, *arguments)
        else:
            assert done_by(in_python(function), numbers, *arguments) == expected


@pytest.mark.parametrize("function", [bisect.insort_left, bisect.insort_right])
def test_parts_of_lists_and_keys(function):
    numbers = [3, 3, 1, 1, -2]
    for lo, hi in [(0, None), (1, 4), (2, 2), (0, 5)]:
        mine, other = numbers.copy(), numbers.copy()
        in_python(function)(mine, 1, lo, hi, key=lambda v: -v)
        function(other, 1, lo, hi, key=lambda v: -v)
        assert mine == other
    with pytest.raises(ValueError, match="lo must be non-negative"):
        in_python(function)(numbers, 1, -1, key=abs)


def test_heaps_are_made():
    for count in range(24):
        numbers = random.Random(count).choices(range(9), k=count)
        mine, other = numbers.copy(), numbers.copy()
        in_python(heapq.heapify)(mine)
        heapq.heapify(other)
        assert mine == other


def test_other_functions():
    assert in_python(len) is None
    assert in_python([]) is None
