"""Iterators: generator expressions with a name, `iter`, `next`, `map`, `filter`, and those of `itertools`."""

import functools
import itertools
import math

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)

# --- Generator expressions ------------------------------------------------------------------------------------------


def squares_of(numbers):
    total = 0.0
    for number in numbers:
        total += number * number
    return total


def handed_on(numbers):
    return squares_of(numbers) + 1.0


def bound_and_summed(x, xs):
    scaled = (v * x for v in xs)
    return sum(scaled) * x


add(bound_and_summed, at(1.5, [1.0, 2.5, -0.5]), argnums=(0, 1))


def given_to_functions(x, xs):
    scaled = (v * x for v in xs if v > 0)
    return squares_of(scaled) + handed_on(v + x for v in xs) + math.fsum(v * v for v in xs)


add(given_to_functions, at(1.5, [1.0, 2.5, -0.5]), argnums=(0, 1))


def bound_late(x):
    """Variables are read when the elements are asked for, the first iterable when the generator is made."""
    factor = 1.0
    numbers = [x, 2.0]
    scaled = (v * factor for v in numbers)
    factor = x * x
    numbers = [100.0]
    return sum(scaled)


add(bound_late, 1.5, derivative=lambda x: 3 * x**2 + 4 * x)


def appended_meanwhile(x):
    numbers = [x, 2.0]
    scaled = (v * x for v in numbers)
    numbers.append(x * x)
    return sum(scaled)


add(appended_meanwhile, 1.5, derivative=lambda x: 2 * x + 2 + 3 * x**2)


def bound_in_one_branch(x, flag):
    scaled = (v * x for v in [1.0, x])
    if flag:
        return sum(scaled)
    return x


add(bound_in_one_branch, at(1.5, True), at(1.5, False))


def in_each_trip(x, n):
    total = 0.0
    for k in range(n):
        powers = (v**k * x for v in [1.0, x])
        total += sum(powers)
    return total


add(in_each_trip, at(1.5, 3))


def looped_over(x, ws):
    total = 0.0
    for y in (w * x for w in ws if w != 2.0):
        if y > 40.0:
            break
        if y < 0.0:
            continue
        total += y * y
    else:
        total *= 2.0
    return total


add(looped_over, at(1.5, [1.0, -1.0, 2.0, 3.0]), at(1.5, [1.0, -1.0, 2.0, 30.0, 1.0]))


def looped_over_two(x, ws):
    for y in (w * u for w in ws if w > 0 for u in (x, 2.0) if u > 1):
        x = x + y / 10
        if x > 3.0:
            return x * x
        if w_is_small(y):
            continue
        x *= 1.1
    return x


def w_is_small(y):
    return y < 1.6


add(looped_over_two, at(1.5, [1.0, -1.0, 2.0]), at(1.5, [5.0, 6.0]))


def left_early(x, ws):
    """The elements after the last one that is asked for are never computed."""
    for y in (x / w for w in ws):
        if y > 1.0:
            return y * y
    return x


add(left_early, at(1.5, [3.0, 1.0, 0.0]))


def without_end(x):
    k = 0
    for term in (x**n / math.factorial(n) for n in itertools.count()):
        if term < 1e-3:
            break
        k += term
    return k


add(without_end, 1.5)


def changed_by_the_body(x):
    """The body changes what the elements are made of."""
    for y in (x * w for w in [1.0, 2.0, 3.0]):
        x = x + y
    return x


add(changed_by_the_body, 1.5, derivative=lambda x: 24.0)


def first_of_some(x, ws):
    found = (w * x for w in ws if w * x > 2.0)
    return next(found, x) + next(w for w in ws if w > 0.5) * x


add(first_of_some, at(1.5, [1.0, 2.0, 3.0]), at(1.5, [1.0]))


def tested(x, ws):
    large = (w * x > 2.0 for w in ws)
    return x * x if any(large) else x


add(tested, at(1.5, [1.0, 2.0]), at(1.5, [1.0]))


def taken_apart(x):
    parts = (v * x for v in [1.0, x, 3.0])
    first, *rest = parts
    return first * rest[0] + rest[1]


add(taken_apart, 1.5)


def counted(x, ws):
    total = 0.0
    for i, y in enumerate(w * x for w in ws):
        total += i * y
    return total + sum(a * b for a, b in zip((w * x for w in ws), [x, 1.0, 2.0]))


add(counted, at(1.5, [1.0, 2.0]), argnums=(0, 1))


def reduced(x, ws):
    return functools.reduce(lambda a, b: a * b, (w * x for w in ws)) + max(w * x for w in ws)


add(reduced, at(1.5, [1.0, 2.0]), argnums=(0, 1))

# --- iter and next --------------------------------------------------------------------------------------------------


def over_iter(x, xs):
    total = 0.0
    numbers = iter(xs)
    for v in numbers:
        total += v * x
    return total + sum(iter([x, x * x])) + max(iter(xs)) * x


add(over_iter, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def firsts(x, xs, d):
    return next(iter(xs)) * x + next(map(lambda v: v * x, xs)) + next(iter([]), x) * d[next(iter(d))]


add(firsts, at(1.5, [1.0, 2.5], {"a": 2.0, "b": 3.0}), argnums=(0, 1, 2))


def read_twice_without_derivative(x, data):
    """An iterator that carries none stays one: `header` is not read again."""
    values = iter(data)
    header = next(values)
    scaled = map(lambda v: v * 2.0, data)
    first = next(scaled)
    return x * header + x * x * sum(values) + x * first * (sum(scaled) + twice(map(abs, data)))


def twice(numbers):
    return sum(numbers) + sum(numbers)


add(
    read_twice_without_derivative, at(1.5, [1.0, 2.0, 4.0]), derivative=lambda x, data: 1 + 2 * x * 6 + 2 * (12 + 7), smooth=False
)


def mapped_in_all_ways(x, xs):
    total = sum(map(lambda a, b: a * b, xs, [x, 2.0, x * x]))
    total += sum(map(math.exp, filter(lambda v: v > 0, xs)))
    a, b, c = map(lambda v: v * x, xs)
    total += a * b + c
    xs = list(xs)
    xs += map(lambda v: v * v, [x, 1.0])
    xs[:1] = map(lambda v: v * x, [x, 3.0])
    return total + sum(v * k for k, v in enumerate(xs)) + squares_of(filter(None, xs))


add(mapped_in_all_ways, at(1.5, [1.0, 2.5, -0.5]), argnums=(0, 1))

# --- itertools ------------------------------------------------------------------------------------------------------


def chained(x, xs):
    total = 0.0
    for v in itertools.chain(xs, [x * x], (x, 2.0)):
        total = total * x + v
    for v in itertools.chain(xs, xs):
        total = total + v * v
    for v in itertools.chain([x], xs, [1.0], xs):
        total = total * 0.5 + v
    return total + sum(itertools.chain.from_iterable([[x, 1.0], xs]))


add(chained, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def products(x, xs):
    total = sum(a * b * b for a, b in itertools.product([x, 1.0], xs))
    total += sum(a * b * c for a, b, c in itertools.product(xs, [x], [x, 2.0]))
    total += sum(a * b * b for a, b in itertools.product(xs, repeat=2))
    total += sum(a * b * b * c for a, b, c in itertools.product(xs, repeat=3))
    for i, j in itertools.product(range(2), repeat=2):
        total += xs[i] * xs[j] ** 2
    return total


add(products, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def combinations(xs):
    total = 0.0
    for a, b in itertools.combinations(xs, 2):
        total += a * b * b
    for a, b, c in itertools.combinations(xs, r=3):
        total += a * b * b * c
    for a, b in itertools.combinations_with_replacement(xs, 2):
        total += a / b
    for a, b in itertools.permutations(xs, 2):
        total += a * b * b
    for i, j in itertools.combinations(range(len(xs)), 2):
        total += xs[i] * xs[j]
    return total


add(combinations, [1.0, 2.5, 0.5, 2.0])


def over_iterators_of_views(x):
    d = {"a": 2, "bb": 3, "ccc": 4}
    total, keys, pairs, numbers = x, iter(d.keys()), iter(d.items()), iter(range(5))
    for key in keys:
        total *= len(key)
        break
    for key in keys:
        total *= x * len(key)
    first = next(pairs)
    for key, value in pairs:
        total += x**value * len(key) * first[1]
    total += x ** next(numbers) * next(numbers)
    for number in numbers:
        total += x**number
    return total + next(iter({"k": 2}.keys())).count("k") * x


add(over_iterators_of_views, 1.5, derivative=lambda x: 18 * x**2 + 12 * x**2 + 24 * x**3 + 2 * x + 3 * x**2 + 4 * x**3 + 1)


def neighbours(xs):
    return sum((b - a) * (a + b) * a for a, b in itertools.pairwise(xs))


add(neighbours, at([1.0, 2.5, 0.5, 2.0]), at([1.0]))


def accumulated(x, xs):
    total = 0.0
    for v in itertools.accumulate(xs):
        total += v * v
    *_, last = itertools.accumulate(xs, lambda a, b: a * x + b)
    return total + last + sum(itertools.accumulate(xs, initial=x * x)) + list(itertools.accumulate(xs, func=max))[-1]


add(accumulated, at(1.5, [1.0, 2.5, 0.5]), argnums=(0, 1))


def sliced(x, xs):
    total = sum(v * v for v in itertools.islice(xs, 2))
    total += sum(v * x for v in itertools.islice(xs, 1, None, 2))
    return total + sum(v * v for v in itertools.islice(map(lambda v: v * x, xs), 1, 3))


add(sliced, at(1.5, [1.0, 2.5, 0.5, 2.0]), argnums=(0, 1))


def repeated(x, xs):
    total = sum(itertools.repeat(x * x, 3))
    for a, b in zip(xs, itertools.repeat(x)):
        total += a * b * b
    for _ in itertools.repeat(None, 3):
        total = total * x
    return total + math.prod(itertools.repeat(x, times=2))


add(repeated, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def counting(x, xs):
    total = 0.0
    for k, v in zip(itertools.count(1), xs):
        total += x**k * v
    for v, k in zip(xs, itertools.count(2, 3)):
        total += v**k
    return total


add(counting, at(1.5, [1.0, 2.5]), argnums=(0, 1))


def chosen(x, xs):
    total = sum(itertools.takewhile(lambda v: v < 3.0, xs)) * x
    total += sum(itertools.dropwhile(lambda v: v < 3.0, xs)) * x * x
    total += sum(v * v for v in itertools.compress(xs, [1, 0, 1, 1]))
    total += sum(v * x for v in itertools.filterfalse(lambda v: v < 1.0, xs))
    total += sum(itertools.starmap(lambda a, b: a * b, [(x, 2.0), (x, xs[0])]))
    return total + sum(a * b for a, b in itertools.zip_longest(xs, [x, 2.0], fillvalue=x))


add(chosen, at(1.5, [1.2, 2.5, 5.0, 0.5]), argnums=(0, 1))


def of_iterators(x, xs):
    """Iterators of iterators."""
    running = itertools.accumulate(map(lambda v: v * x, xs))
    pairs = itertools.pairwise(itertools.chain([x], running))
    return sum(a * b for a, b in pairs)


add(of_iterators, at(1.5, [1.0, 2.5, 5.0]), argnums=(0, 1))

# --- Keys of dicts --------------------------------------------------------------------------------------------------


def keyed_by_numbers(x):
    weights = {0.5: x, 0.7: x * x}
    total = 0.0
    for t in weights:
        total += t * weights[t]
    for t, w in weights.items():
        total += t * w * w
    for t in sorted(weights):
        total = total * t + weights[t]
    return total + weights[max(weights)] + sum(t * weights[t] for t in list(weights))


add(keyed_by_numbers, 1.5)
