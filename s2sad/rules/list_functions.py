"""Functions of C code that change a list which they are given: what they do, in Python.

No rule can tell what becomes of a list, so the derivative is that of these functions. They compare what the functions of C code
compare, in the same order. Where no derivative passes through the list, the function of C code is called as it stands.

>>> import heapq
>>> in_python(heapq.heappush).__name__, in_python(len)
('heappush', None)
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Iterable
from typing import Any, Final

#: A list of anything that can be compared.
Heap = Any


def _sift_down(heap: Heap, start: int, place: int) -> None:
    """Move an element towards the front of a heap, up to `start`."""
    item = heap[place]
    while place > start:
        parent = (place - 1) >> 1
        above = heap[parent]
        if not item < above:
            break
        heap[place] = above
        place = parent
    heap[place] = item


def _sift_up(heap: Heap, place: int, end: int) -> None:
    """Move the lesser of two followers before `end` up until there is none, and an element to where it belongs from there."""
    start = place
    item = heap[place]
    lesser = 2 * place + 1
    while lesser < end:
        if lesser + 1 < end and not heap[lesser] < heap[lesser + 1]:
            lesser += 1
        heap[place] = heap[lesser]
        place = lesser
        lesser = 2 * place + 1
    heap[place] = item
    _sift_down(heap, start, place)


def heappush(heap: Heap, item: Any, /) -> None:
    heap.append(item)
    _sift_down(heap, 0, len(heap) - 1)


def heappop(heap: Heap, /) -> Any:
    end = len(heap) - 1
    least = heap[0]
    heap[0] = heap[end]
    _sift_up(heap, 0, end)
    heap.pop()
    return least


def heapreplace(heap: Heap, item: Any, /) -> Any:
    least = heap[0]
    heap[0] = item
    _sift_up(heap, 0, len(heap))
    return least


def heappushpop(heap: Heap, item: Any, /) -> Any:
    if heap and heap[0] < item:
        least = heap[0]
        heap[0] = item
        _sift_up(heap, 0, len(heap))
        return least
    return item


def heapify(heap: Heap, /) -> None:
    count = len(heap) // 2
    for index in range(count):
        _sift_up(heap, count - 1 - index, len(heap))


def bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if key is None:
        return bisect.bisect_right(a, x, lo, hi)
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if x < key(a[middle]):
            end = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if key is None:
        return bisect.bisect_left(a, x, lo, hi)
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if key(a[middle]) < x:
            lo = middle + 1
        else:
            end = middle
    return lo


def insort_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    if key is None:
        a.insert(bisect.bisect_right(a, x, lo, hi), x)
    else:
        a.insert(bisect_right(a, key(x), lo, hi, key=key), x)


def insort_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    if key is None:
        a.insert(bisect.bisect_left(a, x, lo, hi), x)
    else:
        a.insert(bisect_left(a, key(x), lo, hi, key=key), x)


_IN_PYTHON: Final[dict[object, Callable[..., Any]]] = {
    heapq.heapify: heapify,
    heapq.heappop: heappop,
    heapq.heappush: heappush,
    heapq.heappushpop: heappushpop,
    heapq.heapreplace: heapreplace,
    bisect.insort_left: insort_left,
    bisect.insort_right: insort_right,
}
#: With a key, which may be a function of the program; without one, they have a rule.
_WITH_KEY: Final[dict[object, Callable[..., Any]]] = {bisect.bisect_left: bisect_left, bisect.bisect_right: bisect_right}


def in_python(function: object, keywords: Iterable[str] = ()) -> Callable[..., Any] | None:
    """A function of Python code that does what a function of C code does."""
    try:
        return _WITH_KEY.get(function) if "key" in keywords and function in _WITH_KEY else _IN_PYTHON.get(function)
    except TypeError:
        return None
