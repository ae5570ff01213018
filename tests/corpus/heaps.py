"""Lists that `heapq` and `bisect` keep in order, of numbers, tuples and objects."""

import bisect
import heapq
import math

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def numbers_by_size(x):
    heap = []
    for k in (3.0, 1.0, 2.0, 5.0, 4.0):
        heapq.heappush(heap, math.sin(k * x))
    total = 0.0
    while heap:
        total = total * x + heapq.heappop(heap)
    return total


add(numbers_by_size, 0.7)


def by_inactive_keys(x):
    heap = []
    for k in (3, 1, 2):
        heapq.heappush(heap, (k, x * k))
    total = 0.0
    while heap:
        k, value = heapq.heappop(heap)
        total = total * x + value**k
    return total


add(by_inactive_keys, 0.7)


def inactive_heap(x, words):
    heap = [(len(word), index) for index, word in enumerate(words)]
    heapq.heapify(heap)
    total = 0.0
    while heap:
        length, index = heapq.heappop(heap)
        total = total * x + length * index
    return total


add(inactive_heap, (1.5, ["abc", "bb", "z"]))


def shortest_path(x, graph, target):
    distances = {node: math.inf for node in graph}
    distances["a"] = 0.0
    heap = [(0.0, "a")]
    done = set()
    while heap:
        distance, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for neighbour, length, weight in graph[node]:
            through = distance + length + weight * x * x
            if through < distances[neighbour]:
                distances[neighbour] = through
                heapq.heappush(heap, (through, neighbour))
    return distances[target] * x


GRAPH = {
    "a": [("b", 2.0, 0.5), ("c", 1.0, 1.5)],
    "b": [("d", 1.0, 1.0)],
    "c": [("b", 0.1, 0.2), ("d", 4.0, 0.1)],
    "d": [],
}
add(shortest_path, (0.5, GRAPH, "d"), (2.0, GRAPH, "d"))


def shortest_path_over_lengths(lengths, ends):
    distances = [0.0, math.inf, math.inf, math.inf]
    heap = [(0.0, 0)]
    while heap:
        distance, node = heapq.heappop(heap)
        if distance > distances[node]:
            continue
        for (start, end), length in zip(ends, lengths):
            if start == node and distance + length < distances[end]:
                distances[end] = distance + length
                heapq.heappush(heap, (distances[end], end))
    return distances[3] ** 2


add(shortest_path_over_lengths, ([2.0, 1.0, 0.5, 4.0, 1.5], [(0, 1), (0, 2), (2, 1), (2, 3), (1, 3)]))


def replaced_in_heaps(x):
    heap = [x * k for k in (5.0, 3.0, 1.0, 4.0)]
    heapq.heapify(heap)
    a = heapq.heapreplace(heap, x * 2.0)
    b = heapq.heappushpop(heap, x * 0.1)
    c = heapq.heappushpop(heap, x * x * 9.0)
    return a * b + c * heap[0] * heapq.heappop(heap)


add(replaced_in_heaps, 0.7)


class Task:
    def __init__(self, priority, cost):
        self.priority = priority
        self.cost = cost

    def __lt__(self, other):
        return self.priority < other.priority


def objects_by_priority(x):
    heap = []
    for k in (3, 1, 2):
        heapq.heappush(heap, Task(k * x, x**k))
    return 2.0 * heapq.heappop(heap).cost + heapq.heappop(heap).cost


add(objects_by_priority, 1.5)


def heap_of_the_caller(heap, x):
    heapq.heappush(heap, x)
    smallest = heapq.heappop(heap)
    return smallest * heap[0] ** 2


add(heap_of_the_caller, ([1.0, 3.0], 2.0), argnums=(0, 1))


def inserted_in_order(x):
    numbers = []
    pairs = []
    for k in (3, 1, 2):
        bisect.insort(numbers, math.sin(k * x))
        bisect.insort_left(numbers, k * x)
        bisect.insort(pairs, (k, x * k))
        bisect.insort_left(pairs, (k, x), key=lambda pair: pair[0])
    total = sum((place + 1) * number for place, number in enumerate(numbers))
    return total + sum((place + 1) * pair[1] ** 2 for place, pair in enumerate(pairs))


add(inserted_in_order, 0.7)


def bisected_by_a_key(x):
    table = [(x * k, k) for k in range(5)]
    place = bisect.bisect_right(table, 2 * x * x, key=lambda entry: entry[0])
    after = bisect.bisect_left(table, 2, 1, key=lambda entry: entry[1])
    bisect.insort(table, (x * x, 9), key=lambda entry: entry[0])
    weights = [0.0, 1.0, 2.0]
    nearest = bisect.bisect_left(weights, -x, key=abs) + bisect.bisect(weights, x, key=None)
    return table[place][0] * after * nearest + sum(value * (k + 1) for k, (value, _) in enumerate(table))


add(bisected_by_a_key, 1.3)
