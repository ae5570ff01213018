"""The containers of `collections`: followed as plain ones in the function that makes them, refused elsewhere."""

import collections

import pytest

from s2sad import check_grads, errors, grad, value_and_grad


def sums_by_key(x, n):
    sums = collections.defaultdict(float)
    for k in range(n):
        sums[k % 2] += x * k
    return sums[0] * sums[1] + sums[7]


def groups(x, words):
    found = collections.defaultdict(list)
    for word in words:
        found[len(word)].append(x * len(word))
    return sum(sum(values) ** 2 for values in found.values())


def made_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        sums = collections.defaultdict(float)
        for j in range(3):
            sums[j % 2] += x * (j + k)
        total += sums[0] * sums[1] + sums[5]
    return total


def counted_weights(x, words):
    weights = collections.Counter()
    for word in words:
        weights[word] += x
    return weights["a"] ** 2 + weights["none"]


def queue(x, n):
    waiting = collections.deque()
    waiting.append(x)
    waiting.appendleft(x * x)
    for k in range(n):
        first = waiting.popleft()
        waiting.append(first * x + k)
    return waiting[0] * waiting[-1] + len(waiting)


def queue_of_elements(x):
    waiting = collections.deque([x, x * x])
    return waiting[0] * waiting.pop()


def ordered(x):
    table = collections.OrderedDict()
    table["a"] = x
    table["b"] = x * x
    return sum(value * (k + 1) for k, value in enumerate(table.values())) * table["b"] + len(table)


def breadth_first(graph, x):
    waiting, weight, total = collections.deque(["s"]), {"s": x}, 0.0
    seen = {"s"}
    while waiting:
        node = waiting.popleft()
        total += weight[node] ** 2
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                weight[other] = weight[node] * 0.5 + x
                waiting.append(other)
    return total


def only_looked_up(x, words):
    count = collections.Counter(words)
    length = collections.defaultdict(int)
    for word in words:
        length[word] += 1
    return x ** count["a"] * length["a"]


def moving_average(x, window):
    latest = collections.deque(maxlen=window)
    total = 0.0
    for k in range(6):
        latest.append(x**k)
        total = total * x + sum(latest) / len(latest) + latest[0]
    return total


def ring(x):
    latest = collections.deque([x, 2.0, x * x, 5.0, x**3], maxlen=4)
    latest.appendleft(3.0 * x)
    last = latest.pop()
    latest.extendleft([x, 4.0 * x])
    latest.extend(x * k for k in range(7, 9))
    latest.rotate(2)
    latest.rotate(-1)
    first = latest.popleft()
    latest.insert(1, x * x)
    latest.reverse()
    return sum((place + 1) * value for place, value in enumerate(latest)) * last * first


def two_lengths(x):
    short = collections.deque(maxlen=2)
    long = collections.deque([x], 3)
    for k in range(5):
        short.append(x * k)
        long.append(x**k)
    return sum(short) * sum(long)


def turned(x):
    waiting = collections.deque([x, 2.0, x * x])
    waiting.rotate()
    waiting.rotate(7)
    waiting.extendleft([x, 3.0])
    empty = collections.deque()
    empty.rotate(2)
    return sum((place + 1) * value for place, value in enumerate(waiting)) + len(empty)


def averaged_over_full_windows(items, window):
    latest, total = collections.deque(maxlen=window), 0.0
    for item in items:
        latest.append(item)
        if len(latest) == latest.maxlen:
            total += latest[0] * latest[-1] / latest.maxlen
    return total


def without_a_length(x):
    waiting, bounded = collections.deque([x]), collections.deque([x, 1.0, x * x], 2)
    while waiting.maxlen is None and len(waiting) < bounded.maxlen:
        waiting.append(waiting[-1] * x)
    return sum(waiting) * bounded[-1]


def rated(x, games):
    ratings = collections.defaultdict(lambda: 15.0)
    for winner, loser in games:
        expected = 1 / (1 + 1.1 ** (ratings[loser] - ratings[winner]))
        ratings[winner] += x * (1 - expected)
        ratings[loser] -= x * (1 - expected)
    return ratings["a"] - ratings["none"] * x + len(ratings)


def spread(x, n):
    cells = collections.defaultdict(lambda: 0.0)
    cells[0] = x
    for _ in range(n):
        new = collections.defaultdict(lambda: 0.0)
        for place, value in list(cells.items()):
            new[place] += value * x
            new[place + 1] += value * value
        cells = new
    return sum(cells.values()) + cells[99]


def filled_with_a_variable(x, n):
    value = x * x
    table = collections.defaultdict(lambda: value)
    for k in range(n):
        table[k % 2] += x
        value = value * x + 1
    value = x
    return table[0] * table[7] + sum(table.values())


def filled_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        table = collections.defaultdict(lambda: [x * k, 1.0])
        table["a"][0] *= x
        table["b"].append(x)
        total += sum(table["a"]) * sum(table["b"]) * len(table["c"])
    return total


def filled_by_a_function_that_counts(x):
    made = []

    def make():
        made.append(x)
        return x * len(made)

    table = collections.defaultdict(make)
    table["a"] *= x
    table["b"] += table["c"]
    return table["a"] * table["b"] + table["c"] * sum(made)


def initial():
    return 2.5


def filled_by_a_function_of_a_module(x):
    table = collections.defaultdict(initial)
    table["a"] *= x
    return table["a"] * table["b"] + x


class Account:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value):
        self.total += value
        self.count += 1


def filled_by_a_class(x):
    accounts = collections.defaultdict(Account)
    for name, value in (("a", x), ("b", 2.0), ("a", x * x)):
        accounts[name].add(value)
    return accounts["a"].total / accounts["a"].count * accounts["b"].total + accounts["c"].total


@pytest.mark.parametrize(
    ("function", "arguments", "argnums"),
    [
        (averaged_over_full_windows, ([1.0, 2.0, 0.5, 0.7], 3), 0),
        (without_a_length, (0.7,), 0),
        (rated, (1.5, [("a", "b"), ("b", "c"), ("a", "c")]), 0),
        (spread, (0.8, 3), 0),
        (spread, (0.8, 0), 0),
        (filled_with_a_variable, (1.5, 3), 0),
        (filled_in_a_loop, (1.5, 3), 0),
        (filled_by_a_function_that_counts, (1.5,), 0),
        (filled_by_a_function_of_a_module, (1.5,), 0),
        (filled_by_a_class, (1.5,), 0),
        (moving_average, (0.7, 3), 0),
        (moving_average, (0.7, 1), 0),
        (ring, (0.7,), 0),
        (two_lengths, (0.7,), 0),
        (turned, (0.7,), 0),
        (sums_by_key, (1.5, 5), 0),
        (groups, (1.5, ["a", "bb", "cc"]), 0),
        (made_in_a_loop, (1.5, 3), 0),
        (counted_weights, (1.5, ["a", "b", "a"]), 0),
        (queue, (1.5, 5), 0),
        (queue_of_elements, (1.5,), 0),
        (ordered, (1.5,), 0),
        (breadth_first, ({"s": ["a", "b"], "a": ["c"], "b": ["c"], "c": []}, 1.5), 1),
        (only_looked_up, (1.5, ["a", "b", "a"]), 0),
    ],
)
def test_gradients(function, arguments, argnums):
    check_grads(function, arguments, argnums=argnums)
    assert value_and_grad(function, argnums)(*arguments)[0] == function(*arguments)


def returned(x):
    def make():
        sums = collections.defaultdict(float)
        sums["a"] += x
        return sums

    return make()["a"]


def passed(x):
    def first(sums):
        return sums["a"]

    sums = collections.defaultdict(float)
    sums["a"] += x
    return first(sums)


def printed(x):
    sums = collections.defaultdict(float)
    sums["a"] += x
    return sums["a"] * len(str(sums))


def of_one_length_or_another(x):
    latest = collections.deque(maxlen=2) if x > 1 else collections.deque(maxlen=3)
    for k in range(4):
        latest.append(x * k)
    return sum(latest)


def queue_or_list(x):
    latest = collections.deque(maxlen=2) if x < 1 else []
    for k in range(4):
        latest.append(x * k)
    return sum(latest)


def with_missing_values_or_without(x):
    sums = collections.defaultdict(float) if x < 1 else {}
    sums["b"] = x
    return sums["b"] + sums["a"]


def filled_by_one_of_two(x):
    table = collections.defaultdict(lambda: x) if x > 1 else collections.defaultdict(lambda: x * x)
    return table["a"]


def full(x):
    latest = collections.deque([x, x], maxlen=2)
    latest.insert(0, x)
    return latest[0]


def of_negative_length(x, length=-1):
    return sum(collections.deque([x], length))


@pytest.mark.parametrize(("function", "error"), [(full, IndexError), (of_negative_length, ValueError)])
def test_errors_of_queues(function, error):
    for called in (function, value_and_grad(function)):
        with pytest.raises(error, match=r"already at its maximum size|maxlen must be non-negative"):
            called(1.5)


def moved(x):
    table = collections.OrderedDict()
    table["a"] = x
    table.move_to_end("a")
    return table["a"]


class Tally:
    """Its method changes an attribute that is not followed: that was lost, and the gradient zero."""

    def __init__(self, container):
        self.container = container

    def add(self, key, x):
        self.container[key] = x


def through_a_method(x):
    tally = Tally(collections.defaultdict(float))
    tally.add("a", x)
    return tally.container["a"]


def through_a_method_of_another_class(x):
    tally = Tally(collections.UserDict())
    tally.add("a", x)
    return tally.container["a"]


def through_a_queue(x):
    tally = Tally(collections.deque())
    put = lambda value: tally.container.append(value)
    put(x)
    return tally.container[0]


@pytest.mark.parametrize(
    "function",
    [
        *(returned, passed, printed, moved, through_a_method, through_a_method_of_another_class, through_a_queue),
        *(of_one_length_or_another, queue_or_list, with_missing_values_or_without, filled_by_one_of_two),
    ],
)
def test_refused(function):
    with pytest.raises((errors.UnsupportedSyntaxError, errors.MissingRuleError), match=r"test_collections\.py"):
        grad(function)(1.5)


class Keeper:
    """Keeps numbers where no adjoint is followed."""

    def __init__(self):
        self.seen = collections.deque(maxlen=8)


def put_by_recursion(keeper, x, n):
    if n > 0:
        put_by_recursion(keeper, x * x, n - 1)
    else:
        keeper.seen.append(x)


def put_by_a_function_that_calls_itself(x):
    keeper = Keeper()
    put_by_recursion(keeper, x, 2)
    return keeper.seen[0]


def test_what_recursion_hides_is_refused():
    with pytest.raises(errors.S2sadError):
        grad(put_by_a_function_that_calls_itself)(1.5)
