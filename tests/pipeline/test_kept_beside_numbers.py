"""Objects that hold active numbers beside what is not followed: sets, loggers, texts, queues, lists and dicts of the module."""

import datetime
import json
import logging
import os
import random
import time
from collections import Counter, deque
from dataclasses import dataclass, field

import pytest

from s2sad import grad
from s2sad.errors import S2sadError

COEFFICIENTS = [1.0, 2.0, 3.0]
TABLE = {"scale": 2.0, "powers": [1.0, 2.0]}
QUEUE = deque([1.0, 2.0])
logger = logging.getLogger(__name__)


class WithSet:
    def __init__(self, x):
        self.x = x
        self.seen = set()

    def term(self, k):
        if k in self.seen:
            return 0.0
        self.seen.add(k)
        return self.x**k


def terms_once(x):
    terms = WithSet(x)
    return sum(terms.term(k) for k in (1, 2, 2, 3))


class WithLogger:
    def __init__(self, x):
        self.x = x
        self.log = logging.getLogger("model")
        self.start = time.time()

    def value(self):
        self.log.debug("at %s since %s", self.x, self.start)
        return self.x**2


def logged(x):
    logger.info("x = %s", x)
    return WithLogger(x).value()


class WithTables:
    def __init__(self, x):
        self.coefficients = COEFFICIENTS
        self.table = TABLE
        self.x = x

    def value(self):
        return self.table["scale"] * sum(c * self.x**i for i, c in enumerate(self.coefficients))


def with_tables(x):
    return WithTables(x).value()


class WithWords:
    def __init__(self, x, names):
        self.names = names.split()
        self.x = x
        self.when = datetime.date(2020, 1, 3)

    def value(self):
        total = 0.0
        for name in self.names:
            total += self.x if name == "a" else self.x**2
        return total * self.when.day


def with_words(x):
    return WithWords(x, "a b b").value()


class WithQueue:
    def __init__(self, x):
        self.x = x
        self.random = random.Random(1)
        self.factors = deque([1, 2, 3])
        self.letters = Counter("abca")

    def value(self):
        self.random.random()
        while self.factors:
            factor = self.factors.popleft()
            self.x = self.x * factor
        return self.x**2 * self.letters["a"]


def with_queue(x):
    return WithQueue(x).value()


@dataclass
class Options:
    x: float
    tags: set = field(default_factory=set)
    names: list = field(default_factory=list)
    home: object = None


def with_options(x):
    options = Options(x)
    options.tags.add("a")
    options.names.append("b")
    options.home = os.environ.get("HOME")
    return options.x**2 * len(options.tags)


def with_given_options(x):
    options = Options(x, {"a", "b"}, "a b".split())
    return sum(options.x**2 for name in options.names if name in options.tags)


def depth_first(graph, node, values, seen):
    if node in seen:
        return 0.0
    seen.add(node)
    return values[node] + sum(depth_first(graph, other, values, seen) for other in graph[node])


def visited_by_recursion(x):
    return depth_first({"a": ["b", "c"], "b": ["c"], "c": ["a"]}, "a", {"a": x, "b": x**2, "c": 1.0}, set())


def visited_by_a_nested_function(x):
    seen = set()
    graph, values = {"a": ["b", "c"], "b": ["c"], "c": ["a"]}, {"a": x, "b": x**3, "c": 1.0}

    def visit(node):
        if node in seen:
            return 0.0
        seen.add(node)
        total = values[node]
        for other in graph[node]:
            total += visit(other)
        return total

    return visit("a")


class Node:
    def __init__(self, value):
        self.value = value
        self.seen = set()
        self.others = []

    def total(self, seen):
        if id(self) in seen:
            return 0.0
        seen.add(id(self))
        return self.value**2 + sum(other.total(seen) for other in self.others)


def circle_of_nodes(x):
    first, second = Node(x), Node(2 * x)
    first.others.append(second)
    second.others.append(first)
    return first.total(set())


def best_path(x):
    """Viterbi's dict of scores and paths, which is made anew in each step."""
    names = ["H", "C"]
    best = {name: (x, [name]) for name in names}
    for _ in range(2):
        new = {}
        for name in names:
            score, path = best[name]
            new[name] = (score * x, path + [name])
        best = new
    return best["H"][0] * len(best["H"][1])


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (best_path, 3 * 3 * 2.0**2),
        (terms_once, 1 + 2 * 2.0 + 3 * 2.0**2),
        (logged, 4.0),
        (with_tables, 2.0 * (2.0 + 6 * 2.0)),
        (with_words, 3 * (1 + 2 * 2 * 2.0)),
        (with_queue, 2 * 2.0 * 6**2 * 2),
        (with_options, 4.0),
        (with_given_options, 2 * 4.0),
        (visited_by_recursion, 1 + 2 * 2.0),
        (visited_by_a_nested_function, 1 + 3 * 2.0**2),
        (circle_of_nodes, 10 * 2.0),
    ],
)
def test_what_is_not_followed_may_stand_beside_active_numbers(program, expected):
    assert grad(program)(2.0) == pytest.approx(expected, rel=1e-14)
    assert grad(program)(2.0) == pytest.approx(expected, rel=1e-14)


class TakesFromOutside:
    def __init__(self, x):
        self.queue = QUEUE
        self.x = x

    def put(self):
        self.queue.append(self.x * self.x)

    def take(self):
        return QUEUE.pop() * self.x


def queue_kept_by_an_object(x):
    both = TakesFromOutside(x)
    both.put()
    return both.take()


class Holder:
    def __init__(self):
        self.queue = QUEUE


def make_holder():
    return Holder()


def queue_in_what_a_function_gives(x):
    make_holder().queue.append(x * x)
    return QUEUE.pop() * x


class Owner:
    def __init__(self, x):
        self.x = x
        self.holder = Holder()

    def put(self):
        self.holder.queue.append(self.x)


def queue_in_an_object_of_an_object(x):
    Owner(x).put()
    return QUEUE.pop() * x


def put_into(kept, holder):
    kept.append(holder)


def queue_in_a_list(x):
    kept = []
    put_into(kept, Holder())
    kept[0].queue.append(x * x)
    return QUEUE.pop() * x


class OwnSet:
    def __init__(self, x):
        self.values = set()
        self.x = x

    def put(self):
        self.values.add(self.x * self.x)

    def take(self):
        return self.values.pop() * self.x


def set_of_numbers(x):
    own = OwnSet(x)
    own.put()
    return own.take()


def taken_in_recursion(own, k):
    if k == 0:
        return 0.0
    own.put()
    return taken_in_recursion(own, k - 1) + own.values.pop()


def set_of_numbers_in_recursion(x):
    return taken_in_recursion(OwnSet(x), 1)


class OwnText:
    def __init__(self, x):
        self.x = x
        self.text = str(x)

    def value(self):
        return float(self.text) * self.x


def text_of_a_number(x):
    return OwnText(x).value()


def settings(x):
    own = {"x": x, "settings": json.loads('{"n": 3}')}
    own["settings"]["n"] = own["x"]
    return own["settings"]["n"] * x


@pytest.mark.parametrize(
    "program",
    [
        queue_kept_by_an_object,
        queue_in_what_a_function_gives,
        queue_in_an_object_of_an_object,
        queue_in_a_list,
        set_of_numbers,
        set_of_numbers_in_recursion,
        text_of_a_number,
        settings,
    ],
)
def test_numbers_that_come_back_out_of_it_are_refused(program):
    with pytest.raises(S2sadError, match="a derivative passes through"):
        grad(program)(2.0)


class Changing(WithTables):
    def value(self):
        self.coefficients[0] = self.x
        self.table["powers"][1] = self.x**2
        self.x = 2 * self.x
        return COEFFICIENTS[0] * self.x + TABLE["powers"][1] * self.x


def test_lists_of_the_module_that_are_changed_through_an_object():
    def program(x):
        return Changing(x).value()

    assert grad(program)(2.0) == pytest.approx(4 * 2.0 + 6 * 2.0**2, rel=1e-14)
    assert (COEFFICIENTS[0], TABLE["powers"][1]) == (2.0, 4.0)
    COEFFICIENTS[0], TABLE["powers"][1] = 1.0, 2.0
