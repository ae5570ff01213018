"""Programs on function values, objects and containers, and programs whose derivative would be lost."""

# ruff: noqa
import math, functools, operator, dataclasses, types, enum, itertools, contextlib, collections
from typing import NamedTuple
from s2sad import grad


class P(NamedTuple):
    a: float
    b: float = 2.0

    def prod(self):
        return self.a * self.b


NT = collections.namedtuple("NT", "u v")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Kind(enum.IntEnum):
    A = 1
    B = 2


@dataclasses.dataclass
class D:
    a: float
    b: float = 3.0
    items: list = dataclasses.field(default_factory=list)

    def total(self):
        return self.a * self.b

    def __post_init__(self):
        self.c = self.a * 2


class Base:
    k = 2.0

    def __init__(self, x):
        self.x = x

    def e(self, y):
        return self.x * y

    @property
    def sq(self):
        return self.x**2

    @staticmethod
    def st(z):
        return z * z

    @classmethod
    def cm(cls, z):
        return z * cls.k

    def __add__(self, o):
        return Base(self.x + o.x)

    def __mul__(self, s):
        return Base(self.x * s)

    def __call__(self, z):
        return self.x * z

    def __getitem__(self, i):
        return self.x * i

    def __len__(self):
        return 3


class Sub(Base):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y

    def e(self, y):
        return super().e(y) + self.y


def wrap(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return 2 * f(*a, **k)

    return inner


def wrap2(f):
    @functools.wraps(f)
    def inner(*a, **k):
        a = tuple(a)
        k = dict(k)
        return f(*a, **k) + 1.0

    return inner


@wrap
def deco(x, p=2):
    return x**p


@wrap2
@wrap
def deco2(x, *, p=2):
    return x**p


class C:
    v = 1.0


class Slots:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


class WithSet:
    def __init__(self):
        self.d = {}

    def __setitem__(self, k, v):
        self.d[k] = v

    def __getitem__(self, k):
        return self.d[k]

    def __contains__(self, k):
        return k in self.d

    def __bool__(self):
        return False

    def __eq__(self, o):
        return True

    def __iter__(self):
        return iter([1.0, 2.0])

    def __getattr__(self, n):
        return 3.0

    def __enter__(self):
        return 2.0

    def __exit__(self, *a):
        return False


class Prop:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        self._x = v * 2


class Hook:
    def __setattr__(self, n, v):
        object.__setattr__(self, n, v * 2)


G = [0.0]


@functools.lru_cache
def cached(x):
    return x * x


def gen(x):
    yield x
    yield x * x


def memo(x, store={}):
    store["a"] = x
    return store["a"] * x


def put(x):
    G[0] = x


from collections import Counter, OrderedDict, defaultdict, deque

Q = deque([0.0])


def function_value_c1(x):
    def walk(y, k):
        if k == 0:
            return y * x
        return walk(math.cos(y), k - 1) + y

    return walk(x, 3) + walk(x, 2)


def function_value_c2(x):
    def even(n, y):
        return y if n == 0 else odd(n - 1, y * x)

    def odd(n, y):
        return 0.5 * y if n == 0 else even(n - 1, y + x)

    return even(4, x) + odd(3, x)


def function_value_c3(x):
    fs = []
    for k in range(3):
        fs.append(lambda z: z ** (k + 1) * x)
    return sum(f(x) * (i + 1) for i, f in enumerate(fs))


def function_value_c4(x):
    fs = [lambda z, k=k: z ** (k + 1) * x for k in range(3)]
    return sum(f(x) for f in fs)


def function_value_c5(x):
    d = {"a": lambda z: z * x, "b": lambda z: z * z}
    return d["a"](x) + d["b"](x * 2)


def function_value_c6(x):
    f = (lambda z: z * x) if x > 1 else (lambda z: z * z * x)
    return f(x)


def function_value_c7(x):
    f = math.sin if x > 1 else math.cos
    return f(x)


def function_value_c8(x):
    return (lambda y, n=2: y**n)(x) + (lambda y, *, n=3: y**n)(x)


def function_value_c9(x):
    def outer(a):
        def inner(b):
            return a * b * x

        return inner

    return outer(x)(2.0) + outer(3.0)(x)


def function_value_c10(x):
    if x > 1:

        def g(y):
            return y * y
    else:

        def g(y):
            return y * y * y

    return g(x)


def function_value_c11(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += v * x

    for i in range(3):
        add(x)
    return total


def function_value_c12(x):
    ops = [math.sin, math.cos, lambda z: z * x]
    for f in ops:
        x = f(x)
    return x


def function_value_c14(x):
    return sum(f(x) for f in (math.sin, math.exp))


def function_value_c15(x):
    return sum([f(x) for f in [math.sin, math.exp]])


def function_value_c16(x):
    def helper(z, fn=math.sin):
        return fn(z)

    return helper(x) + helper(x, math.exp) + helper(x, fn=lambda q: q * x)


def function_value_c17(x):
    key = sorted([3.0, x, 1.0], key=lambda v: -v)
    return key[0] * 2 + max([x, 2.0], key=lambda v: v * x)


def function_value_c18(x):
    from functools import reduce

    return (
        reduce(lambda a, b: a * b + x, [x, 2.0, 3.0])
        + reduce(lambda a, b: a + b * x, [x, 2.0], 1.0)
        + sum(map(lambda a, b: a * b * x, [x, 1.0], [2.0, x]))
    )


def function_value_c19(x):
    for f in (math.sin, math.cos, math.exp):
        if x > 0.9:
            continue
        x = f(x)
        if x < 0.1:
            break
    else:
        x = x * 2
    return x


def object_c1(x):
    return P(x).prod() + P(x, x * x).a + P(a=x, b=x)._replace(b=3.0).prod()


def object_c2(x):
    t = NT(x, x * x)
    u, v = t
    return t.u * v + u


def object_c3(x, c=Color.RED):
    return x * x if c is Color.RED else x


def object_c4(x):
    c = Color.BLUE
    if c == Color.RED:
        return x
    elif c is Color.BLUE:
        return x**3 * c.value


def object_c6(x):
    s = Sub(x, x * x)
    return s.e(2.0) + s.sq + s.st(x) + s.cm(x) + s(x) + s[2] * len(s)


def object_c7(x):
    b = Base(x) + Base(2 * x) * 3.0
    return b.x * b.x


def object_c8(x):
    return deco(x) + deco(x, 3) + deco2(x, p=3)


def object_c9(x):
    ns = types.SimpleNamespace(a=x, b=2.0)
    ns.a = ns.a * ns.b
    ns.c = ns.a
    return ns.c * ns.a


def object_c10(x):
    f = functools.partial(pow, x)
    g = functools.partial(lambda a, b, c=1.0: a * b * c, c=x)
    return f(3) + g(x, 2.0)


def object_c11(x):
    with contextlib.nullcontext():
        y = x * x
    return y


def object_c12(x):
    return operator.itemgetter(1)([x, x * x]) + functools.reduce(operator.mul, [x, x, 2.0])


def object_c13(x):
    d = {"a": math.sin, "b": lambda t: t * x}
    s = 0.0
    for n in ("a", "b"):
        s += d[n](x)
    return s


def object_c15(x):
    def mk(k):
        return lambda z: z**k * x

    fs = [mk(1), mk(2), mk(3)]
    return sum(f(x) for f in fs)


def object_c16(x):
    b = Base(x)
    m = b.e
    return m(x)


def object_c17(x):
    g = grad(lambda y: y * y * x)
    return g(x) * x


def object_c19(x):
    return next(v * v for v in [x, 2 * x] if v > 0)


def object_c20(x):
    if isinstance(x, (int, float)):
        y = x * 2
    else:
        y = x
    if type(x) is float:
        y *= x
    return y * math.pi / math.e


def object_c21(x):
    a = b = [x]
    a[0] *= 2
    return b[0]


def object_c23(x):
    acc = []

    def rec(n):
        if n == 0:
            return
        acc.append(x * n)
        rec(n - 1)

    rec(3)
    return sum(acc)


def object_c24(x):
    def f(*a, s=1.0, **k):
        return sum(a) * s + k.get("z", 0.0)

    return f(x, x * x, s=x, z=x) + f(*[x, 2.0], **{"s": 2.0})


def object_c25(x):
    o = [Base(x), Base(2 * x)]
    return sum(b.e(x) for b in o)


def object_c26(x):
    d = {"o": Base(x)}
    d["o"].x *= x
    return d["o"].x


def object_c28(x):
    a, *b = x, x * x, x**3
    return a * b[0] * b[1]


def object_c30(x):
    return (x if x > 0 else -x) and x * x or 3.0


def object_c31(x):
    s = "abc"
    n = 0
    for ch in s:
        n += ord(ch)
    return x * n


def object_c33(x):
    f = None
    if x > 0:
        f = lambda z: z * x
    return f(x) if f is not None else x


def object_c35(x):
    return sum(map(math.sin, [x, 2 * x])) + sum(map(pow, [x, x], [2, 3])) + sum(filter(lambda v: v > 0, [x, -x]))


def object_c38(x):
    return divmod(x, 0.3)[1] + math.modf(x)[0]


def object_c40(x):
    return getattr(Base(x), "x") * x


def object_c41(x):
    b = Base(x)
    setattr(b, "x", x * x)
    return b.x


def object_c44(x):
    return dict(a=x, **{"b": x * x})["b"]


def object_c46(x):
    return list(zip([x], [x * x]))[0][1]


def object_c49(x):
    return sorted([x, 1.0, 2.0], reverse=True)[0] * x


def object_c53(x):
    a = bytearray(3)
    return x * len(a)


def object_c61(x):
    import random

    r = random.Random(0)
    return x * r.random()


def object_c66(x):
    return (lambda *a: a[0] * a[1])(x, x)


def object_c71(x):
    return int(x * 4) * x


def tuple_t1(x):
    t = (x, [x * x])
    l = [t]
    a, b = l[0]
    return a * b[0] + t[0]


def tuple_t2(x):
    l = []
    for i in range(3):
        l.append((x * i, [x + i]))
    s = 0.0
    for a, b in l:
        s += a * b[0]
    return s


def tuple_t3(x):
    t = (x, [x * x], (x * x * x, [x]))
    d = {"k": t}
    a, b, (c, e) = d["k"]
    return a * b[0] + c * e[0]


def tuple_t4(x):
    t = (x, [x * x])
    u = t[1]
    return t[0] * u[0]


def tuple_u1(x):
    t = (x, [x * x])
    l = [t]
    m = [t]
    return l[0][0] * m[0][0] + l[0][1][0]


def tuple_u2(x):
    d = {}
    for i in range(3):
        d[i] = (x * i, [x + i])
    s = 0.0
    for k, (a, b) in d.items():
        s += a * b[0]
    return s


def tuple_u3(x):
    l = [(x, [x])]
    for i in range(3):
        a, b = l[0]
        l[0] = (a * x, [b[0] + x])
    return l[0][0] * l[0][1][0]


def inactive_ok1(x):
    print(f"{x:.1f}")
    q = deque()
    q.append(3.0)
    return x * q[0]


def inactive_ok2(x):
    assert x > 0, f"bad {x}"
    q = deque([1.0, 2.0])
    t = 0.0
    while q:
        t += q.popleft() * x
    return t


def inactive_ok3(x):
    seen = set()
    for i in range(3):
        if i not in seen:
            seen.add(i)
            x = x * 2.0
    return x


def inactive_ok4(x):
    names = defaultdict(int)
    names["a"] += 1
    return x * names["a"]


def container_a1(x):
    d = defaultdict(float)
    d["a"] = x * x
    return d["a"]


def container_a2(x):
    q = deque()
    q.append(x * x)
    return q[0]


def container_a3(x):
    q = deque([x, x * x])
    return q[0] + q.pop()


def lost_a4(x):
    s = {x, x * x}
    return sum(s)


def container_a5(x):
    t = 0.0
    for y in itertools.accumulate([x, x * x]):
        t += y
    return t


def lost_a6(x):
    return x.as_integer_ratio()[0] * 1.0


def lost_a7(x):
    return float(f"{x}") * x


def lost_a8(x):
    return float(str(x))


def lost_a9(x):
    return eval(repr(x))


def container_a10(x):
    t = 0.0
    for y in itertools.chain([x], [x * x]):
        t += y
    return t


def container_a11(x):
    c = Counter()
    c["a"] += x
    return c["a"] * 2.0


def container_a12(x):
    o = OrderedDict()
    o["a"] = x
    return o["a"]


def container_a13(x):
    t = 0.0
    for y, z in itertools.zip_longest([x], [x * x]):
        t += y * z
    return t


def lost_a18(x):
    Q.append(x)
    return Q[-1] * 2


def lost_a19(x):
    h = float.fromhex(x.hex())
    return h


def refused_c42(x):
    b = Base(x)
    b.__dict__["x"] = x * x
    return b.x


def refused_c43(x):
    b = Base(x)
    vars(b)["x"] = x**3
    return b.x


def refused_c47(x):
    return eval("x*x")


def refused_c48(x):
    l = locals()
    return l["x"] * 2


def container_c50(x):
    return math.sqrt(sum(v * v for v in itertools.chain([x], [2 * x])))


def container_c51(x):
    return sum(itertools.islice([x, x * x, x**3], 2))


def container_c52(x):
    return functools.reduce(lambda a, b: a + b, itertools.repeat(x, 3))


def object_c54(x):
    import copy

    return copy.copy([x])[0] + copy.deepcopy({"a": x * x})["a"]


def container_c55(x):
    import statistics

    return statistics.mean([x, 2 * x, 3 * x])


def refused_c56(x):
    import array

    return array.array("d", [x])[0]


def refused_c57(x):
    import struct

    return struct.unpack("d", struct.pack("d", x))[0]


def refused_c58(x):
    import fractions

    return float(fractions.Fraction(x))


def refused_c59(x):
    import decimal

    return float(decimal.Decimal(x) * 2)


def refused_c60(x):
    import json

    return json.loads(json.dumps([x]))[0]


def container_c62(x):
    import heapq

    h = [x, 2 * x]
    heapq.heapify(h)
    return heapq.heappop(h)


def container_c63(x):
    import bisect

    h = [1.0, 2.0]
    bisect.insort(h, x)
    return h[1]


def refused_c64(x):
    import queue

    q = queue.Queue()
    q.put(x)
    return q.get()


def refused_c68(x):
    return float("%r" % x)


def refused_c69(x):
    return float("{0}".format(x))


def refused_c70(x):
    return float(f"{x!r}")


def refused_c72(x):
    return float(bytes(str(x), "ascii"))


def refused_c73(x):
    s = set()
    s.add(x)
    return max(s)


def refused_c75(x):
    e = ValueError(x)
    try:
        raise e
    except ValueError as err:
        return err.args[0] * 2


def container_d1(x):
    l = [0.0]
    l.__setitem__(0, x)
    return l[0]


def container_d2(x):
    l = []
    list.append(l, x)
    return l[0]


def container_d3(x):
    d = {}
    dict.__setitem__(d, "a", x)
    return d["a"]


def container_d4(x):
    l = [0.0]
    operator.setitem(l, 0, x)
    return l[0]


def container_d5(x):
    l = [x, -x]
    l.sort(key=lambda v: -v)
    return l[0]


def container_d6(x):
    return cached(x)


def refused_d7(x):
    return sum(gen(x))


def container_d8(x):
    return math.fsum(v * x for v in [1.0, x])


def refused_d9(x):
    C.v = x
    return C.v * 2


def container_outside_changed_by_a_callee(x):
    put(x)
    return G[0] * 2


def container_in_a_default_of_a_callee(x):
    return memo(x)


def refused_d12(x):
    refused_d12.c = x
    return refused_d12.c * 2


def refused_d13(x):
    return x.__class__(x) * 2


def refused_d14(x):
    return type(x)(x) * x


def container_d15(x):
    return sum(x for _ in range(3))


def container_d16(x):
    return dict.fromkeys("ab", x)["a"]


def container_d18(x):
    w = WithSet()
    w["a"] = x
    return w["a"] * (2.0 if "a" in w else 1.0)


def container_d19(x):
    w = WithSet()
    return x if w else x * x


def container_d20(x):
    w = WithSet()
    return x * x * x if w == 3 else x


def container_d21(x):
    t = 0.0
    for v in WithSet():
        t += v * x
    return t


def container_d22(x):
    with WithSet() as k:
        y = x * k
    return y


def container_d23(x):
    p = Prop(x)
    p.x = x * x
    return p.x


class HookOfSuper:
    def __setattr__(self, n, v):
        super().__setattr__(n, v * 2)


def refused_hook_of_super(x):
    h = HookOfSuper()
    h.a = x
    return h.a


def refused_attribute_by_name(x):
    h = types.SimpleNamespace()
    setattr(h, "ab"[x < 0], x)
    return h.a


def refused_d24(x):
    h = Hook()
    h.a = x
    return h.a


def container_d25(x):
    w = WithSet()
    return w.foo * x


def container_d26(x):
    l = [x] * 3
    l[0] *= 2
    return sum(l)


def container_d27(x):
    l = [[x]] * 2
    l[0][0] *= 2
    return l[1][0]


def container_d28(x):
    a = [x]
    b = a
    b += [x * x]
    return sum(a)


def container_d29(x):
    a = (x,)
    b = a
    b += (x * x,)
    return sum(a) + b[1]


def refused_d30(x):
    m = types.MappingProxyType({"a": x})
    return m["a"]


def refused_d31(x):
    d = {"a": x}
    it = iter(d.values())
    return next(it)


def container_d32(x):
    a, b = divmod(x, 0.53)
    return a * b


def container_d33(x):
    l = [x]
    l[0:1] = [x * x, x]
    return l[0] * l[1]


def container_d34(x):
    l = [1.0, x, 2.0]
    del l[0]
    return l[0]


def container_d35(x):
    l = [x, 2 * x]
    l.reverse()
    return l[0]


def container_d36(x):
    l = [x, 2 * x]
    l.remove(x)
    return l[0]


def container_d37(x):
    d = {"a": x}
    d.update(b=x * x)
    d.update({"a": x**3})
    return d["a"] + d["b"]


def container_d38(x):
    d = {"a": x}
    k, v = d.popitem()
    return v


def container_d39(x):
    d = {"a": x}
    return d.setdefault("b", x * x) * d.get("c", x)


def container_d44(x):
    return max([x, 1.0], key=abs) * x


def container_d45(x):
    return (x, 1.0)[x < 0]


def refused_d46(x):
    return complex(x, x).imag


def refused_d47(x):
    return abs(complex(x, 1.0))


def container_d48(x):
    return pow(x, 2) + pow(2.0, x)


def container_d49(x):
    i = iter([x, x])
    return sum(i)


def refused_d50(x):
    r = reversed([x, 2 * x])
    return next(r)


def container_d51(x):
    return [*map(lambda v: v * x, [1.0, 2.0])][1]


def container_d52(x):
    a, b = map(math.sin, [x, 2 * x])
    return a * b


def refused_d53(x):
    z = zip([x], [x * x])
    ((a, b),) = z
    return a * b


def refused_d54(x):
    e = enumerate([x, x * x])
    i, v = next(e)
    return v


def container_d55(x):
    f = lambda: x
    g = lambda: f() * 2
    return g()


def container_d56(x):
    def f():
        nonlocal x
        x = x * 2

    f()
    f()
    return x


def container_d57(x):
    l = []

    def f(v):
        l.append(v)
        return len(l)

    f(x)
    f(x * x)
    return l[0] * l[1]


def container_d58(x):
    return (lambda f: f(f, 3))(lambda s, n: x if n == 0 else x * s(s, n - 1))


def container_d59(x):
    def c(f, g):
        return lambda v: f(g(v))

    return c(math.sin, c(math.exp, lambda q: q * x))(x)


def container_d60(x):
    def acc():
        t = [0.0]

        def add(v):
            t[0] += v
            return t[0]

        return add

    a = acc()
    b = acc()
    a(x)
    b(2 * x)
    return a(x) * b(x)
