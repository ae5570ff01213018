"""Programs that the frontend must keep the meaning of, each with the arguments of some calls.

A program is run as it is and through the interpreter of IR; both must return (or raise) the same.
"""

# ruff: noqa

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable
from typing import Any

Program = tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]
PROGRAMS: list[Program] = []
SCALE = 3


def program(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.append((function, calls))
        return function

    return register


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __repr__(self):
        return f"Point({self.x}, {self.y})"


class Log:
    """A context that notes what happens, and may swallow exceptions."""

    def __init__(self, events, swallow=False):
        self.events, self.swallow = events, swallow

    def __enter__(self):
        self.events.append("enter")
        return self

    def __exit__(self, kind, value, traceback):
        self.events.append(kind.__name__ if kind else "exit")
        return self.swallow


# -- straight lines -----------------------------------------------------------------------------------------------------------


@program((2, 3), (1.5, -1))
def arithmetic(x, y):
    """Every operator."""
    a = x + y * 2 - (-x)
    b = a / 4 // 1
    c = a % 3 + +b
    d = x**2
    return a, b, c, d, not a, x < y, x <= y, x == y, x != y, x is y, x is not y, x > y, x >= y


@program((6, 3))
def bits(x, y):
    return x & y, x | y, x ^ y, ~x, x << 2, x >> 1


@program((5, 2))
def augmented(x, y):
    x += y
    x -= 1
    x *= 3
    x /= 2
    x //= 1
    x %= 5
    x **= 2
    k = 7
    k <<= 1
    k >>= 1
    k &= 6
    k |= 1
    k ^= 2
    return x, k


@program(([1, 2, 3, 4],))
def slices(x):
    return x[0], x[-1], x[1:], x[:2], x[::2], x[3:0:-1]


@program(([1, 2], [3]))
def aliases(x, y):
    z = x
    z += y
    x = x + [5]
    return x, z, y


@program((1, 2))
def swap(a, b):
    a, b = b, a
    a, (b, *c) = b, (a, 7, 8)
    [d, e] = c
    *f, g = "xyz"
    h = i = a + 1
    return a, b, c, d, e, f, g, h, i


@program(((1, (2, 3)),), ((1, 2),), ((1, (2, 3), 4),))
def unpacking(x):
    a, (b, c) = x
    return a + b + c


@program(([1, 2, 3],))
def element_updates(x):
    calls = []

    def index(i):
        calls.append(i)
        return i

    x[index(0)] += 10
    x[index(1)] *= x[0]
    x[1:2] = [8, 9]
    del x[0]
    return x, calls


@program((2, 3))
def attributes(x, y):
    p = Point(x, y)
    p.x += p.y
    p.y = 7
    q = p
    q.x *= 2
    del p.y
    return p.x, hasattr(q, "y")


@program((3,))
def walrus(n):
    if (m := n + 1) > 3:
        m += 10
    t = (k := m) + k
    values = [last := i for i in range(n)]
    return m, t, k, values, last


@program((3,), (0,))
def walrus_loop(n):
    total = 0
    while (n := n - 1) > 0:
        total += n
    return total, n


@program((3,), (1,))
def walrus_short_circuit(n):
    if n > 2 and (m := n * 2) > 0:
        return m
    return n


@program((2.5, "name"))
def text(x, name):
    w = 8
    return f"{x:.3f} {{}} {name!r:>{w}} {x=} {name}" + f"plain" + f"{x:{w}.{2}f}"


@program((1,), (0,))
def deleted(c):
    x = 1
    if c:
        del x
    return x


@program((3, 2), (1, 0))
def bound_again_by_the_test_of_a_loop(a, n):
    try:
        a = a + 1
        a = a / n
    except ZeroDivisionError:
        a = -a
    total = 0
    while a := n:
        total += a
        n -= 1
        del a
    return a, total


@program((3, 2), (1, 0))
def bound_again_by_the_test_of_a_loop_and_captured(a, n):
    def half():
        return a / 2

    total = 0
    while a := n:
        total += half() + 1
        n -= 1
        del a
    return half(), a, total


@program((1,), (0,))
def maybe_unbound(c):
    if c:
        y = 3
    return y


@program((3,), (-1,))
def assertions(x):
    assert x > 0, f"bad {x}"
    y: float = x * 2
    z: int
    if x > 100:
        raise ValueError("large")
    return y


@program((1, 2))
def displays(x, y):
    a = [x, y]
    return [*a, x, *(y,)], (*a, 1), {*a, 9}, {"a": x, **{"b": y, "a": 7}, "c": a}, {x: y}, ()


@program((1,), (2,), (11,), (200,))
def raising(x):
    if x == 1:
        raise ValueError("one")
    elif x == 2:
        raise KeyError("two") from ValueError("cause")
    if x > 100:
        raise RuntimeError
    return x


# -- choices ------------------------------------------------------------------------------------------------------------------


@program((1, 2), (2, 1), (0, 0))
def if_else(x, y):
    if x > y:
        z = x
        w = 1
    elif x == y:
        z = -x
    else:
        z = y
        w = 2
    if z:
        z += w
    return z


@program((0, 5), (3, 0), (3, 7), (0, 0))
def short_circuit(x, y):
    return x and y, x or y, not x and y or x, (x or y) and (y or x), x and y and x + y


@program((1, 2, 3), (3, 2, 1), (1, 3, 2))
def comparisons(x, y, z):
    seen = []

    def see(v):
        seen.append(v)
        return v

    r = see(x) < see(y) < see(z) != x
    return r, seen, x in [1, 2], x not in [1, 2]


@program((3,), (-3,), (0,))
def conditional(x):
    s = "+" if x > 0 else "-" if x < 0 else "0"
    return s * 2, x if x else None


@program((1,), (5,), (-4,), (0,))
def early_return(x):
    if x > 3:
        return "large"
    if x < 0:
        if x < -2:
            return "very small"
        x = -x
    else:
        x += 1
    y = x * 2
    if y == 2:
        return
    return y


@program((1, 1), (1, 0), (0, 1), (0, 0), (2, 2))
def several_leaves_fall(a, b):
    r = 0
    if a:
        r += 1
        if b:
            r += 10
        elif a == 2:
            return "never"
        if b == 2:
            return "two"
        if r > 100:
            return r
        else:
            r += 1
    else:
        if b:
            r += 5
        else:
            return "zero"
    r *= 2
    r -= 1
    return r


@program((1,), (2,), (3,))
def all_arms_return(x):
    if x == 1:
        return "a"
    elif x == 2:
        return "b"
    else:
        return "c"
    return "unreachable"


@program((1,), (2,))
def both_raise(x):
    for i in range(3):
        if i == x:
            if i == 1:
                raise ValueError(i)
            else:
                raise KeyError(i)
    return x


# -- loops --------------------------------------------------------------------------------------------------------------------


@program((5,), (0,))
def count(n):
    k = total = 0
    while k < n:
        k += 1
        if k == 3:
            continue
        total += k
    return total, k


@program((5,), (0,), (50,))
def search(n):
    for i in range(n):
        if i * i > 30:
            break
        last = i
    else:
        return "none", n
    return i, last


@program((5,), (0,))
def loop_variable(n):
    for i in range(n):
        j = i * 2
    return i, j


@program(([[1, 2], [3], [], [4, 5, -1]],), ([],), ([[1], [-7]],))
def nested_return(rows):
    total = 0
    for row in rows:
        for x in row:
            if x < 0:
                return total, x, row
            total += x
        total += 100
    return total


@program((10,), (3,), (0,))
def while_true(n):
    k = 0
    while True:
        k += 1
        if k % 2:
            continue
        if k > n:
            break
    return k


@program((10,))
def while_true_return(n):
    while True:
        if n % 7 == 0:
            return n
        n += 1


@program((4,))
def while_one_in_if(n):
    if n > 2:
        while 1:
            n += 1
            if n > 10:
                return n
    return 0


@program((3,), (0,), (9,))
def while_else(n):
    while n > 0:
        n -= 2
        if n == 1:
            break
        if n == 5:
            return "five"
    else:
        n = 100
    return n


@program((4,), (6,))
def nested_else(n):
    out = []
    for i in range(2, n):
        for j in range(2, i):
            if i % j == 0:
                out.append((i, j))
                break
        else:
            out.append(i)
            if i == 5:
                break
    else:
        out.append("end")
    return out


@program((5,))
def triangular(n):
    total = 0
    for i in range(n):
        for j in range(i, n):
            if j == 3:
                continue
            if i + j > 6:
                break
            total += i * j
    return total, i, j


@program(({"a": 1, "b": 2}, "xy"))
def iterables(d, s):
    out = []
    for k in d:
        out.append(k)
    for k, v in d.items():
        out.append((k, v))
    for i, (a, b) in enumerate(zip(s, reversed(range(2)))):
        out.append((i, a, b))
    for d["c"] in range(2):
        pass
    return out, d


@program((3,))
def two_returns(n):
    for i in range(n):
        k = 0
        while k < 3:
            if i * k == 2:
                return i, k
            k += 1
        if i == 5:
            return "five"
    return "end"


@program((1,), (0,), (2,))
def flagged_in_loop(c):
    out = []
    for i in range(4):
        if i > c:
            if i == 3:
                out.append("three")
                if c == 2:
                    break
            elif c == 0:
                continue
        out.append(i)
        out.append(-i)
    return out


# -- comprehensions ------------------------------------------------------------------------------------------------------------


@program(([1, 2, 3], 2))
def comprehensions(xs, i):
    a = [i * 2 for i in xs if i > 1]
    b = {i % 2 for i in xs}
    c = {i: [j for j in range(i)] for i in xs}
    d = [(x, y) for x in xs for y in range(x) if x != y if y]
    e = sum(x * i for x in xs)
    f = max((x for x in xs), default=0)
    g = list(x for x in xs)
    h = ",".join(str(x) for x in xs)
    return a, b, c, d, e, f, g, h, i


@program(([1, 0, 3],), ([],), ([0],))
def lazy_any(xs):
    seen = []

    def see(x):
        seen.append(x)
        return x

    return any(see(x) for x in xs), all(see(x) for x in xs), any(see(x * y) for x in xs for y in xs if y), seen


@program(([1, 0, 3],), ([],), ([0],))
def first_element(xs):
    seen = []
    a = next((seen.append(x) or x for x in xs if x), "none")
    it = (x for x in xs)
    b = [v for v in it], [v for v in it]
    return a, b, seen, next(x * y for x in xs for y in xs if y)


@program((3,))
def late_binding(n):
    fs = [lambda: i for i in range(n)]
    gs = [lambda i=i: i for i in range(n)]
    hs = []
    for k in range(n):
        hs.append(lambda: k)
    return [f() for f in fs], [g() for g in gs], [h() for h in hs]


# -- functions ------------------------------------------------------------------------------------------------------------------


@program((4,))
def recursion(n):
    def fact(k):
        return 1 if k <= 1 else k * fact(k - 1)

    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return fact(n), even(n), odd(n)


@program((4,))
def counter(n):
    total = 0

    def add(k):
        nonlocal total
        total += k
        return total

    for i in range(n):
        add(i)
    total *= 10
    add(1)
    return total


@program((2,))
def closures(x):
    y = 1

    def f(z=x, *args, k=5, **rest):
        return x, y, z, args, k, rest

    a = f()
    y = 2
    b = f(1, 2, 3, k=4, m=6)
    x += 1
    c = (lambda *v: (x, v))(*[1, 2], 3)
    return a, b, c


@program((2,))
def deep_closures(x):
    def f(a):
        def g(b):
            def h(c):
                return x + a + b + c

            return h

        return g

    return f(1)(2)(3)


@program((2,))
def deep_nonlocal(x):
    def f():
        nonlocal x

        def g():
            nonlocal x
            x += 1

        g()
        g()
        return x

    return f(), x


@program((2, 3))
def starred_calls(x, y):
    def f(*args, **kwargs):
        return args, kwargs

    a = (x, y)
    d = {"k": 1}
    return f(*a), f(0, *a, 9, *a), f(**d), f(*a, j=2, **d), f(x, j=y), "{} {}".format(*a), dict(**d, z=2)


@program((3,))
def decorated(x):
    def twice(f):
        return lambda v: f(f(v))

    def plus(n):
        return lambda f: lambda v: f(v) + n

    @twice
    @plus(10)
    def g(v):
        return v * 2

    return g(x)


@program(([3, 1, 2],))
def functional(xs):
    k = 10
    a = sorted(xs, key=lambda v: -v)
    b = list(map(lambda v: v + k, xs))
    c = functools.reduce(lambda p, q: p * q, xs, 1)
    d = list(filter(None, [0, 1, 2]))
    return a, b, c, d, min(xs, key=lambda v: abs(v - 2)), SCALE * k


@program((3,))
def defs_in_loop(n):
    total = 0
    for i in range(n):
        w = i * 2

        def f(v):
            return v * w + i

        total += f(1) + f(2)
        total += sum(map(lambda v: v + w, [1, 2]))
    return total


@program((2,))
def local_imports(x):
    import math
    import os.path as p
    from math import sqrt as root, pi
    import collections.abc

    return math.floor(pi) + root(x), p.join("a", "b"), collections.abc.Sized.__name__


@program((3,), (0,))
def conditional_def(x):
    if x:

        def f(v):
            return v + x
    else:

        def f(v):
            return -v

    return f(2)


@program((1,))
def shadowing(x):
    list = x + 1
    sum = lambda v: v * 2
    any = lambda g: "mine"
    return list, sum(list), any(v for v in [1, 2])


@program((1,))
def globals_read(x):
    global SCALE
    return SCALE + x


@program((3,))
def rebinding_parameter_captured(n):
    f = lambda: n
    a = f()
    n = 7
    return a, f()


# -- match ----------------------------------------------------------------------------------------------------------------------

_MATCHED = [
    0,
    1,
    True,
    None,
    "a",
    (1, 2),
    [1],
    [1, 2, 3, 4],
    [],
    ["go", 5],
    {"k": 1, "m": 2},
    {"k": "v"},
    {},
    Point(0, 3),
    Point(4, 4),
    Point(1, 2),
    2.5,
    7,
    -7,
    "text",
]


@program(*((value,) for value in _MATCHED))
def matching(subject):
    match subject:
        case None | True:
            r = "singleton"
        case 0 | "a":
            r = "literal"
        case -7:
            return "minus"
        case ["go", n]:
            r = n
        case [x]:
            r = ("one", x)
        case (1, y) if y == 2:
            return ("pair", y)
        case [first, *_, last]:
            r = first, last
        case []:
            r = "empty"
        case {"k": int(v), **rest}:
            r = v, rest
        case {"k": _}:
            r = "key"
        case Point(0, y=b):
            r = b
        case Point(x, y) if x == y:
            r = "diagonal"
        case Point() as p:
            r = p.x + p.y
        case float(f) | (f, _, _):
            r = f
        case math.inf:
            r = "inf"
        case int():
            r = "int"
        case str() as s:
            for c in s:
                if c == "x":
                    return c
            r = s
        case other:
            r = other
    return r, 1


@program((1,), (2,), (3,))
def match_in_loop(n):
    out = []
    for i in range(4):
        match i:
            case 0:
                continue
            case 1 if n == 1:
                break
            case 2 if n == 2:
                return "two", out
            case k:
                out.append(k)
        out.append("after")
    return out


# -- regions ----------------------------------------------------------------------------------------------------------------------


@program((1,), (0,))
def with_block(c):
    events = []
    with Log(events) as a, Log(events):
        x = c + 1
        a.events.append(x)
        if c:
            return x, events
        y = 3
    return x + y, events


@program((5,))
def with_in_loop(n):
    events = []
    for i in range(n):
        with Log(events):
            if i == 1:
                continue
            if i == 3:
                break
            events.append(i)
        events.append("after")
    return events, i


@program((1,), (0,), (2,), ("a",))
def try_except(x):
    try:
        y = 1 / x
    except ZeroDivisionError as error:
        y = str(error)
    except (TypeError, ValueError):
        return "type"
    else:
        y += 1
    return y


@program((0,), (1,), (2,), (3,))
def try_partial(x):
    a = b = "old"
    try:
        a = "new"
        if x == 1:
            raise ValueError
        b = "new"
        if x == 2:
            raise KeyError
    except ValueError:
        pass
    except KeyError:
        b += "!"
    return a, b


@program((0,), (1,), (2,), (3,), (4,))
def try_finally(x):
    events = []
    try:
        for i in range(3):
            try:
                if x == 0:
                    continue
                if x == 1:
                    break
                if x == 2:
                    return events
                if x == 3:
                    raise ValueError(str(i))
                events.append(i)
            finally:
                events.append("f")
        else:
            events.append("else")
    except ValueError as e:
        events.append(str(e))
    finally:
        events.append("end")
    return events, i


@program((0,), (1,))
def finally_raises_on(x):
    log = []
    try:
        try:
            log.append(1)
            1 / x
        finally:
            log.append(2)
    except ZeroDivisionError:
        log.append(3)
    return log


@program((0,), (1,))
def bare_reraise(x):
    try:
        return 1 / x
    except:
        x = 5
        raise


@program((0,), (1,))
def try_loop(x):
    n = 0
    while n < 3:
        try:
            n += 1
            1 / (x - 1 + (n != 2))
        except ZeroDivisionError:
            continue
        else:
            if n == 2:
                break
    return n


@program((0,), (3,))
def suppressed(x):
    y = 1
    with contextlib.suppress(ZeroDivisionError):
        1 / x
    return y


@program((0,), (3,))
def suppressed_half_way(x):
    y = z = 1
    with contextlib.suppress(ZeroDivisionError):
        y = 2
        z = 1 / x
        y = 3
    return y, z


@program((3,), (0,))
def return_in_finally(x):
    try:
        1 / x
    finally:
        if not x:
            return "swallowed"
    return "fine"
