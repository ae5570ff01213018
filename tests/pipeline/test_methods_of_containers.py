"""Methods of lists and dicts as values: `add = xs.append`, `key=distance.get`."""

from __future__ import annotations

import collections

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


def appended(x):
    xs = []
    add = xs.append
    for k in range(4):
        add(x**k)
    return sum(xs)


def nearest(x):
    distance = {"a": x * x, "b": 2 * x, "c": 5.0}
    place = min(distance, key=distance.get)
    return distance[place] * distance["b"]


def largest(x):
    xs = [x, 2 * x, -x]
    k = max(range(3), key=xs.__getitem__)
    return xs[k] * (k + 1)


def in_order(x):
    distance = {"a": x * x, "b": 2 * x, "c": 5.0}
    return sum(k * distance[name] for k, name in enumerate(sorted(distance, key=distance.get)))


def handed_over(x):
    def fill(add, n):
        for k in range(n):
            add(k * x)

    xs = [1.0]
    fill(xs.append, 3)
    xs.pop()
    fill(xs.append, 2)
    return sum(v * v for v in xs)


def mapped(x):
    table = {"a": x, "b": x * x}
    return sum(map(table.__getitem__, ["a", "b", "b"]))


def of_queue(x):
    queue = collections.deque()
    add, take = queue.append, queue.popleft
    for k in range(3):
        add(k * x + x * x)
    return take() + 2 * take()


def of_counts(x):
    total = collections.defaultdict(float)
    get = total.get
    total["a"] += x * x
    return get("a", 0.0) + get("b", x)


def without_derivative(x, words=("b", "a", "c")):
    places = {"a": 1, "b": 2}
    text = "".join(str(places.get(word)) for word in words[:2]) + words[2]
    ordered = sorted(words, key=list("cab").index)
    ask = places.get
    return x * len(text) * ask(ordered[1], 7) * (2 if callable(places.get) else 3)


def of_passive_containers(x, words=("b", "a", "b")):
    counts = collections.Counter(words)
    table = collections.defaultdict(int)
    for word in words:
        table[word] += 1
    queue = collections.deque()
    add = queue.append
    add(counts[max(counts, key=counts.get)])
    get = table.get
    return x * queue.popleft() * (get("b") + get("c", 3))


class Log:
    def __init__(self):
        self.values = []
        self.add = self.values.append

    def total(self):
        return sum(self.values)


def of_attribute(x):
    log = Log()
    log.add(x)
    log.add(x * x)
    return log.total()


def rebound(x):
    xs, ys = [x], [2.0]
    add = xs.append
    xs = ys
    add(x * x)
    xs.append(3 * x)
    return sum(xs)


def chosen(x, first=True):
    xs, ys = [x], [2 * x]
    add = xs.append if first else ys.append
    add(x * x)
    return sum(xs) * ys[-1]


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (appended, lambda x: 1 + 2 * x + 3 * x * x),
        (nearest, lambda x: 6 * x * x),
        (largest, lambda x: 4.0),
        (in_order, lambda x: 2.0),
        (handed_over, lambda x: 4 * x),
        (mapped, lambda x: 1 + 4 * x),
        (of_passive_containers, lambda x: 10.0),
        (without_derivative, lambda x: 3 * 1 * 2.0),
        (of_attribute, lambda x: 1 + 2 * x),
        (rebound, lambda x: 3.0),
        (chosen, lambda x: 4 * x + 6 * x * x),
    ],
)
def test_derivatives(function, slope):
    x = 1.5
    value, gradient = value_and_grad(function)(x)
    assert value == function(x)
    assert gradient == pytest.approx(slope(x), rel=1e-14)
    step = 1e-4
    second = (slope(x + step) - slope(x - step)) / (2 * step)
    assert grad(grad(function))(x) == pytest.approx(second, abs=1e-6)


@pytest.mark.parametrize("function", [of_queue, of_counts])
def test_containers_of_collections_are_followed_under_their_own_name(function):
    with pytest.raises(UnsupportedSyntaxError, match="collections"):
        grad(function)(1.5)


def _more_keys(x):
    table = {0: x}
    for key, value in table.items():
        table[key + 1] = value * x
    return sum(table.values())


def _fewer_keys(x):
    table = {0: x, 1: x * x}
    other = table
    for key in table:
        x = x + other.pop(key)
    return x + len(table)


def _more_keys_at_the_end(x):
    table = {0: x, 1: x * x}
    for value in table.values():
        if value < x:
            table[2] = value
    return sum(table.values())


@pytest.mark.parametrize("function", [_more_keys, _fewer_keys, _more_keys_at_the_end])
def test_dicts_that_change_their_size_in_a_loop_over_them(function):
    for called in (function, grad(function), value_and_grad(function)):
        with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
            called(0.5)
