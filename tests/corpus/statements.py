"""Item 2: assignment in all its forms, and the statements that do not compute."""

import contextlib
import math

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)
FACTOR = 1.5


def unpacking(p):
    a, (b, c), *rest = p[0], (p[1], p[2]), p[3], p[4]
    m = n = a * b
    n = n + rest[0]
    return m * c + n * rest[-1]


add(unpacking, [1.0, 2.0, 3.0, 4.0, 5.0], derivative=lambda p: [16.0, 8.0, 2.0, 5.0, 6.0])


def starred(values):
    first, *middle, last = values
    [a, *b], c = [middle, first * last]
    *d, e = (a, *b, c)
    return sum(d) * e + len(middle)


add(starred, [1.5, 2.0, -0.5], [0.3, 0.1, 0.7, 0.9])


def swaps(x, y):
    x, y = y, x * y
    x, y = y, x
    (x, y), z = (y, x), x - y
    return x * z + y * y


add(swaps, (1.2, 0.7), argnums=(0, 1))


def augmented(w, a, b, c):
    u = w * a - c
    s = b * u + w
    u += a / b
    s += u * c
    s -= w * u
    s *= 2.0
    s /= b
    s **= 2
    s %= 5.0
    n = 7
    n //= 2
    n <<= 1
    return s + u * n


add(augmented, (1.5, 2.0, 3.0, 0.4), argnums=(0, 1, 2, 3))


def walrus(x):
    if (y := x * x) > 1.0 and (z := y - 1.0) > 0.0:
        return y * z
    while (y := y + x) < 3.0:
        x = x * 1.5
    return (w := y * y) + w * (v := x) + v


add(walrus, 1.5, 0.4)


def walrus_in_comprehension(xs):
    kept = [y for x in xs if (y := x * x) > 0.5]
    return sum(kept) + y


add(walrus_in_comprehension, [0.5, 1.0, 2.0], [2.0, 0.1])


def deletion(x, items):
    y = x * x
    z = y
    del y
    del items[0]
    table = {"a": z, "b": x}
    del table["a"]
    y = table["b"] * items[0]
    return y * z + len(table)


add(deletion, (1.2, [0.5, 0.8, 0.1]), argnums=(0, 1))


def annotations(x: float, n: "int" = 2) -> float:
    y: float = x * x
    z: int
    z = n
    unused: list[float] = []
    return y * z + len(unused)


add(annotations, 1.2, derivative=lambda x: 4 * x)


def assertions(x):
    assert x > 0, "positive"
    y = math.sqrt(x)
    assert y * y - x < 1e-6, f"{y} is no root"
    return y


add(assertions, 2.0)


def raising(x, mode):
    if mode not in ("a", "b"):
        raise ValueError(f"bad mode {mode!r}")
    if x < 0:
        raise ArithmeticError from None
    return x * x if mode == "a" else math.exp(x)


add(raising, (1.2, "a"), (1.2, "b"))


def formatted(x):
    label = f"{x:.2f} and {x!r:>10} {'nested'} {{}}"
    text = "%s %d" % ("a", 3) + label[:4].strip()  # noqa: UP031
    return x * len(text) + len("x" * 3)


add(formatted, 1.25, derivative=lambda x: 7.0, smooth=False)


def passing(x):
    """A docstring."""
    pass
    ...
    "a string"
    3.0
    if x > 0:
        pass
    else:
        x = -x
    for _ in range(3):
        pass
    return x


add(passing, 0.5, -0.5)


def local_import(x):
    import math as m
    from math import cos as cosine
    from math import sin

    return m.exp(x) * sin(x) + cosine(x)


add(local_import, 0.5, derivative=lambda x: math.exp(x) * (math.sin(x) + math.cos(x)) - math.sin(x), smooth=False)


def with_statement(x, log):
    with contextlib.suppress(KeyError):
        y = x * x
    with contextlib.nullcontext(3.0) as three, contextlib.nullcontext():
        z = y * three
    return z


add(with_statement, (1.2, []), derivative=lambda x, log: 6 * x)


def matching(x, shape):
    match shape:
        case "square":
            return x * x
        case ("scaled", factor):
            return factor * x
        case {"kind": "power", "n": int(n)} if n > 0:
            return x**n
        case [first, *rest]:
            return first * x + len(rest)
        case 1 | 2:
            y = x * 3.0
        case None:
            y = math.sin(x)
        case _:
            y = -x
    return y * y


add(
    matching,
    (1.2, "square"),
    (1.2, ("scaled", 4.0)),
    (1.2, {"kind": "power", "n": 3}),
    (1.2, [2.0, 5.0, 6.0]),
    (1.2, 2),
    (1.2, None),
    (1.2, 7),
)


def matching_numbers(x, n):
    total = 0.0
    for k in range(n):
        match k % 3:
            case 0:
                total += x
            case 1:
                total *= x
                continue
            case _ if x > 1:
                total -= x * x
                break
        total += 1.0
    return total


add(matching_numbers, (0.7, 7), (1.3, 7), (0.7, 1))


def handled(x, table):
    try:
        scale = table["scale"]
    except KeyError:
        scale = 2.0
    finally:
        z = 3.0 * x
    return x * x / scale + z


add(handled, (1.2, {}), (1.2, {"scale": 4.0}))


def handler_taken_before_anything_active(x, d):
    try:
        y = x / d["scale"]
    except KeyError:
        y = x * x
    finally:
        z = 3.0 * x
    return y + z


add(handler_taken_before_anything_active, (1.2, {}), (1.2, {"scale": 4.0}), derivative=lambda x, d: 3.25 if d else 2 * x + 3)


def exceptions_in_a_loop(x, words):
    total = x
    for word in words:
        try:
            n = int(word)
        except ValueError as error:
            n = len(str(error)) > 3
        except (TypeError, OverflowError):
            continue
        else:
            total *= 1.5
        total = total * x + n
    return total


add(exceptions_in_a_loop, (0.7, ["1", "x", "3"]), (0.7, [None, "2"]), (0.7, []))


def globals_are_read(x):
    return FACTOR * x * len(ENTRIES.__class__.__name__)


add(globals_are_read, 1.2, derivative=lambda x: 6.0)


def chained_targets(x, items):
    a = items[0] = b = x * x
    items[1], c = a, items[0] * b
    return c + items[1] * items[0]


add(chained_targets, (1.2, [0.0, 0.0]), derivative=lambda x, items: 8 * x**3)


def second_names(a):
    keep = a
    work = keep
    for _ in range(2):
        work = work * a + 1.0
        keep = work
    a = keep - a
    return a * keep


add(second_names, 1.0, -2.0)


def lambda_assigned(x):
    f = g = lambda y, n=2: y**n
    return f(x) + g(x, 3)


add(lambda_assigned, 1.2, derivative=lambda x: 2 * x + 3 * x * x)


def evaluation_order(x):
    log = []

    def note(name, value):
        log.append(name)
        return value

    table = {note("a", "k"): note("b", x)}
    table[note("c", "k")] += note("d", x) * note("e", x)
    total = note("f", x) if note("g", True) else note("h", x)
    return total * table["k"] + (1.0 if "".join(log) == "abcdegf" else 100.0 * x)


add(evaluation_order, 1.2, derivative=lambda x: 2 * x + 3 * x * x)


def result_does_not_depend(x):
    y = x * x
    return 3.0


add(result_does_not_depend, 1.2, derivative=lambda x: 0.0)


def result_is_the_argument(x, y):
    return y


add(result_is_the_argument, (1.2, 2.0), argnums=(0, 1), derivative=lambda x, y: (0.0, 1.0))


def integer_result(x):
    return 3


add(integer_result, 1.2, derivative=lambda x: 0.0)
