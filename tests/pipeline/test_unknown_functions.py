"""Functions that a program picks when it runs, decorates inside, or keeps in objects: followed, or refused by name."""

import functools

import pytest

from s2sad import value_and_grad
from s2sad.errors import UnsupportedSyntaxError

X = 1.3


class Holder:
    def __init__(self, f):
        self.f = f

    def run(self, y):
        return self.f(y)


class Machine:
    def __init__(self, x):
        self.state, self.x, self.out = "a", x, []
        self.table = {("a", 1): ("b", self.up), ("b", 0): ("a", self.down)}

    def up(self, v):
        self.x *= v
        self.out.append(self.x)

    def down(self, v):
        self.x -= v * v

    def feed(self, bits):
        for bit in bits:
            entry = self.table.get((self.state, bit))
            if entry is None:
                continue
            self.state, act = entry
            act(2.0)
        return self


class Alternating:
    def __init__(self, x):
        self.x, self.f = x, self.up

    def up(self):
        self.x *= 2.0
        self.f = self.down

    def down(self):
        self.x *= self.x
        self.f = self.up

    def run(self, n):
        for _ in range(n):
            self.f()
        return self.x


def machine(x):
    return sum(Machine(x).feed([1, 0, 0, 1]).out)


def alternating(x):
    return Alternating(x).run(3)


def queue(x):
    numbers = [x]

    def up():
        numbers[0] *= 2.0

    def down():
        numbers[0] *= 3.0

    waiting = [up, down]
    while waiting:
        waiting.pop()()
    return numbers[0]


def replaced_attribute(x):
    holder = Holder(lambda y: y * x)
    if x > 1:
        holder.f = lambda y: y + x
    return holder.run(x)


SHARED = [0.0]


def double_shared():
    SHARED[0] *= 2.0


def triple_shared():
    SHARED[0] *= 3.0


TABLE = {"u": double_shared, "d": triple_shared}


def table_outside(x, keys="udu"):
    SHARED[0] = x
    for key in keys:
        TABLE[key]()
    return SHARED[0]


@pytest.mark.parametrize("f", [machine, alternating, queue, replaced_attribute])
def test_what_is_called_is_known_when_the_program_runs(f):
    with pytest.raises(
        UnsupportedSyntaxError, match=r"(?s)which function is called here.*branches of an `if`.*line \d+"
    ) as caught:
        value_and_grad(f)(X)
    assert __file__ in str(caught.value)


def test_a_table_outside_of_functions_that_change_what_is_outside():
    assert value_and_grad(table_outside)(X) == (12 * X, 12.0)


def test_a_cache_made_inside_is_refused():
    def with_size(x):
        @functools.lru_cache(maxsize=8)
        def times(n):
            return x * n

        return times(3)

    def plain(x):
        @functools.cache
        def times(n):
            return x * n

        return times(3)

    for f in (with_size, plain, lambda x: functools.lru_cache(lambda n: n * x)(2)):
        with pytest.raises(UnsupportedSyntaxError, match="lru_cache is made inside"):
            value_and_grad(f)(X)


def wrapped(x):
    def doubled(f):
        @functools.wraps(f)
        def inner(*args):
            return 2.0 * f(*args)

        return inner

    @doubled
    def times(n):
        """Documented."""
        return n * x

    return x * times(3)


def held(x):
    return Holder(lambda y: y * x).run(x)


def held_and_called_by_name(x):
    return Holder(lambda y: y * x * x).f(x)


def true_without_captured(x):
    def triple(y):
        return 3.0 * y

    f = triple if x > 1 else None
    return f(x) if f else x


@pytest.mark.parametrize(
    ("f", "value", "derivative"),
    [
        (wrapped, 6 * X * X, 12 * X),
        (held, X * X, 2 * X),
        (held_and_called_by_name, X**3, 3 * X * X),
        (true_without_captured, 3 * X, 3.0),
    ],
)
def test_functions_that_are_followed(f, value, derivative):
    assert f(X) == pytest.approx(value, rel=1e-14)
    assert value_and_grad(f)(X) == (f(X), pytest.approx(derivative, rel=1e-14))


def by_position(x, keys=(0, -1, 0)):
    numbers = [x]

    def up(y):
        numbers[0] *= 2.0 * y

    def down(y):
        numbers[0] *= 3.0

    pair = (up, down)
    for key in keys:
        pair[key](x)
    for key in keys:
        [up, down][key](x)
    return numbers[0]


def by_get(x, keys="uqdu"):
    numbers = [x]

    def up(y):
        numbers[0] *= 2.0 * y

    def down(y):
        numbers[0] *= 3.0

    table = {"u": up, "d": down}
    for key in keys:
        f = table.get(key)
        if f:
            f(x)
    return numbers[0]


def by_get_with_default(x, keys="uqd"):
    numbers = [x]

    def up(y):
        numbers[0] *= 2.0 * y

    def other(y):
        numbers[0] += y

    table = {"u": up}
    for key in keys:
        table.get(key, other)(x)
    return numbers[0]


@pytest.mark.parametrize(
    ("f", "value", "derivative"),
    [
        (by_position, 144 * X**5, 720 * X**4),
        (by_get, 12 * X**3, 36 * X**2),
        (by_get_with_default, 2 * X * X + 2 * X, 4 * X + 2),
        (lambda x: [lambda y: y * x, lambda y: y + x][int(x)](x), 2 * X, 2.0),
    ],
)
def test_functions_picked_from_displays(f, value, derivative):
    assert f(X) == pytest.approx(value, rel=1e-14)
    assert value_and_grad(f)(X) == (f(X), pytest.approx(derivative, rel=1e-14))


def test_python_raises_where_nothing_can_be_called():
    def missing(x, key="q"):
        f = {"u": lambda y: y * x, "d": lambda y: y + x}.get(key)
        return f(x)

    def beyond(x, key=2):
        return [lambda y: y * x, lambda y: y + x][key](x)

    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        value_and_grad(missing)(X)
    with pytest.raises(IndexError, match="list index out of range"):
        value_and_grad(beyond)(X)


COUNTED = [0]


@functools.lru_cache(None)
def counts(n):
    COUNTED[0] += 1
    return n + COUNTED[0]


def helper(n):
    return counts.__wrapped__(n)


@functools.lru_cache
def counts_by_way_of_another(n):
    return helper(n)


@functools.lru_cache
def prints(n):
    print(n)
    return n * 2.0


@functools.lru_cache
def reads(n):
    return n * SHARED[0]


def changes_what_is_read(x):
    SHARED[0] = x
    return reads(2)


@functools.lru_cache
def only_computes(n):
    parts = []
    for k in range(n):
        parts.append(k * 1.0)
    return sum(parts)


@functools.lru_cache
def cube(x):
    return x**3


@pytest.mark.parametrize(
    "f",
    [lambda x: x * counts(1), lambda x: x * counts_by_way_of_another(1), lambda x: x * prints(2), changes_what_is_read, counts],
)
def test_a_cached_function_that_does_more_than_compute_is_refused(f):
    with pytest.raises(UnsupportedSyntaxError, match=r"(?s)decorated with lru_cache.*take the decorator away.*line \d+"):
        value_and_grad(f)(X)


def test_a_cached_function_that_computes_is_followed():
    assert value_and_grad(lambda x: x * only_computes(4))(X) == (6.0 * X, 6.0)
    assert value_and_grad(lambda x: 2 * cube(x))(X) == (2 * X**3, pytest.approx(6 * X * X))
    assert value_and_grad(cube)(X) == (X**3, pytest.approx(3 * X * X))
