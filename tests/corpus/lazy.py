"""Iterators whose elements have effects: prints, entries in a list that is used, errors. Python computes an element when it is
asked for, so the programs tell when that is.

Each takes ``(x, xs, log)``. `EXACT` does what Python does; `REFUSED` is refused, since elements would be computed too early.
"""

import functools
import itertools

EXACT = []
REFUSED = []


def exact(function):
    EXACT.append(function)
    return function


def refused(function):
    REFUSED.append(function)
    return function


def noisy(v, log):
    print("f", v)
    log.append(v)
    return v * v


def div(v):
    return 1.0 / v


@exact
def next_gen_print(x, xs, log):
    return next(noisy(v * x, log) for v in xs) * len(log)


@exact
def next_named_gen(x, xs, log):
    g = (noisy(v * x, log) for v in xs)
    return next(g) * len(log)


@refused
def next_named_gen_twice(x, xs, log):
    g = (noisy(v * x, log) for v in xs)
    a = next(g)
    return a * next(g) * len(log)


@exact
def next_map(x, xs, log):
    return next(map(lambda v: noisy(v * x, log), xs)) * len(log)


@exact
def next_named_map(x, xs, log):
    g = map(lambda v: noisy(v * x, log), xs)
    return next(g) * len(log)


@exact
def next_filter(x, xs, log):
    return next(filter(lambda v: noisy(v * x, log) > 3.0, xs)) * x * len(log)


@exact
def next_cond(x, xs, log):
    return next(v * x for v in xs if noisy(v * x, log) > 3.0) * len(log)


@exact
def in_gen(x, xs, log):
    b = 4.0 * x * x in (noisy(v * x, log) for v in xs)
    return x * x * len(log) if b else x


@exact
def in_map(x, xs, log):
    b = 4.0 * x * x in map(lambda v: noisy(v * x, log), xs)
    return x * x * len(log) if b else x


@exact
def any_gen(x, xs, log):
    b = any(noisy(v * x, log) > 3 for v in xs)
    return x * x * len(log) if b else x


@exact
def all_gen(x, xs, log):
    b = all(noisy(v * x, log) < 3 for v in xs)
    return x * x * len(log) if b else x * len(log)


@exact
def any_map(x, xs, log):
    b = any(map(lambda v: noisy(v * x, log) > 3, xs))
    return x * x * len(log) if b else x


@exact
def any_named_gen(x, xs, log):
    g = (noisy(v * x, log) > 3 for v in xs)
    b = any(g)
    return x * x * len(log) if b else x


@exact
def for_gen_break(x, xs, log):
    s = 0.0
    for a in (noisy(v * x, log) for v in xs):
        print("body", a)
        s += a
        if s > 3:
            break
    return s * len(log)


@exact
def for_map_break(x, xs, log):
    s = 0.0
    for a in map(lambda v: noisy(v * x, log), xs):
        print("body", a)
        s += a
        if s > 3:
            break
    return s * len(log)


@exact
def for_map_nobreak(x, xs, log):
    s = 0.0
    for a in map(lambda v: noisy(v * x, log), xs):
        print("body", a)
        s += a * len(log)
    return s


@exact
def for_named_map(x, xs, log):
    s = 0.0
    m = map(lambda v: noisy(v * x, log), xs)
    print("made")
    for a in m:
        print("body", a)
        s += a * len(log)
    return s


@exact
def for_named_gen(x, xs, log):
    s = 0.0
    m = (noisy(v * x, log) for v in xs)
    print("made")
    for a in m:
        print("body", a)
        s += a * len(log)
    return s


@exact
def for_filter(x, xs, log):
    s = 0.0
    for a in filter(lambda v: noisy(v * x, log) > 2, xs):
        print("body", a)
        s += a * x * len(log)
    return s


@refused
def for_zip_map(x, xs, log):
    s = 0.0
    for a, b in zip(map(lambda v: noisy(v * x, log), xs), xs):
        print("body", a)
        s += a * b * len(log)
    return s


@refused
def for_zip_gen_short(x, xs, log):
    s = 0.0
    for a, b in zip((noisy(v * x, log) for v in xs), [1.0, 2.0]):
        print("body", a)
        s += a * b * len(log)
    return s * len(log)


@exact
def for_zip_short_gen(x, xs, log):
    s = 0.0
    for a, b in zip([1.0, 2.0], (noisy(v * x, log) for v in xs)):
        s += a * b * len(log)
    return s * len(log)


@exact
def for_enum_gen(x, xs, log):
    s = 0.0
    for i, a in enumerate(noisy(v * x, log) for v in xs):
        print("body", a)
        s += i * a * len(log)
        if i == 1:
            break
    return s


@exact
def for_enum_map(x, xs, log):
    s = 0.0
    for i, a in enumerate(map(lambda v: noisy(v * x, log), xs)):
        print("body", a)
        s += i * a * len(log)
        if i == 1:
            break
    return s


@exact
def sum_gen(x, xs, log):
    return sum(noisy(v * x, log) for v in xs) * len(log)


@exact
def sum_map(x, xs, log):
    return sum(map(lambda v: noisy(v * x, log), xs)) * len(log)


@exact
def unread_gen(x, xs, log):
    g = (noisy(v * x, log) for v in xs)
    return x * (1 + len(log))


@exact
def unread_map(x, xs, log):
    g = map(lambda v: noisy(v * x, log), xs)
    return x * (1 + len(log))


@exact
def unread_filter(x, xs, log):
    g = filter(lambda v: noisy(v * x, log), xs)
    return x * (1 + len(log))


@refused
def zip_list(x, xs, log):
    ps = list(zip((noisy(v * x, log) for v in xs), [1.0, 2.0]))
    return ps[0][0] * x * len(log)


@exact
def unpack_gen(x, xs, log):
    a, b, c, d = (noisy(v * x, log) for v in xs)
    return a * b * len(log)


@exact
def star_gen(x, xs, log):
    return max(*(noisy(v * x, log) for v in xs)) * len(log)


@exact
def sorted_gen(x, xs, log):
    return sorted(noisy(v * x, log) for v in xs)[0] * len(log)


@exact
def minmax(x, xs, log):
    return (min(noisy(v * x, log) for v in xs) + max(map(lambda v: noisy(v * x, log), xs))) * len(log)


@exact
def join_gen(x, xs, log):
    s = ",".join(str(noisy(v, log)) for v in xs)
    print(s)
    return x * len(log)


@refused
def reduce_map(x, xs, log):
    def comb(a, b):
        print("comb", a, b)
        return a + b

    return functools.reduce(comb, map(lambda v: noisy(v * x, log), xs)) * len(log)


@refused
def reduce_gen(x, xs, log):
    def comb(a, b):
        print("comb", a, b)
        return a + b

    return functools.reduce(comb, (noisy(v * x, log) for v in xs), 1.0) * len(log)


@exact
def takewhile_gen(x, xs, log):
    s = 0.0
    for a in itertools.takewhile(lambda a: a < 3, (noisy(v * x, log) for v in xs)):
        print("body", a)
        s += a
    return s * len(log)


@exact
def takewhile_map_sum(x, xs, log):
    return sum(itertools.takewhile(lambda a: a < 3, map(lambda v: noisy(v * x, log), xs))) * len(log)


@exact
def islice_gen(x, xs, log):
    return sum(itertools.islice((noisy(v * x, log) for v in xs), 2)) * len(log)


@exact
def islice_map(x, xs, log):
    return sum(itertools.islice(map(lambda v: noisy(v * x, log), xs), 2)) * len(log)


@refused
def chain_map(x, xs, log):
    s = 0.0
    for a in itertools.chain(map(lambda v: noisy(v * x, log), xs), [1.0 * x]):
        print("body")
        s += a * len(log)
    return s


@exact
def map_of_map(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    s = 0.0
    for a in map(g, map(lambda v: noisy(v * x, log), xs)):
        print("body")
        s += a * len(log)
    return s


@exact
def gen_of_gen(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    s = 0.0
    for a in (g(b) for b in (noisy(v * x, log) for v in xs)):
        print("body")
        s += a * len(log)
    return s


@exact
def gen_of_gen_sum(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    return sum(g(b) for b in (noisy(v * x, log) for v in xs)) * len(log)


@exact
def gen_of_map_list(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    return [g(b) for b in map(lambda v: noisy(v * x, log), xs)][1] * len(log)


@exact
def map_of_gen_sum(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    return sum(map(g, (noisy(v * x, log) for v in xs))) * len(log)


@refused
def helper_gen(x, xs, log):
    def first(it):
        for a in it:
            return a
        return 0.0

    return first(noisy(v * x, log) for v in xs) * len(log)


@refused
def helper_map(x, xs, log):
    def total(it):
        s = 0.0
        for a in it:
            print("body")
            s += a
        return s

    return total(map(lambda v: noisy(v * x, log), xs)) * len(log)


@refused
def helper_unused(x, xs, log):
    def total(it, y):
        return y * y

    return total((noisy(v * x, log) for v in xs), x) * (1 + len(log))


@refused
def returned_gen(x, xs, log):
    def make():
        return (noisy(v * x, log) for v in xs)

    return next(make()) * len(log)


@refused
def returned_map(x, xs, log):
    def make():
        return map(lambda v: noisy(v * x, log), xs)

    return next(make()) * len(log)


@refused
def stored_gen(x, xs, log):
    gs = [(noisy(v * x, log) for v in xs)]
    return next(gs[0]) * len(log)


@refused
def cond_gen(x, xs, log):
    g = (noisy(v * x, log) for v in xs) if x > 0 else ()
    s = 0.0
    for a in g:
        print("body")
        s += a
        if s > 3:
            break
    return s * len(log)


@refused
def accumulate_map(x, xs, log):
    s = 0.0
    for a in itertools.accumulate(map(lambda v: noisy(v * x, log), xs)):
        print("body")
        s += a
        if s > 3:
            break
    return s * len(log)


@exact
def extend_gen(x, xs, log):
    out = [x]
    out.extend(noisy(v * x, log) for v in xs)
    return sum(out) * len(log)


@refused
def extend_gen_self(x, xs, log):
    out = [x]
    out.extend(v * len(out) * x for v in xs)
    return sum(out)


@exact
def dict_gen(x, xs, log):
    d = dict((i, noisy(v * x, log)) for i, v in enumerate(xs))
    return d[0] * d[1] * len(log)


@exact
def zip_two_maps(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    s = 0.0
    for a, b in zip(map(g, xs), map(lambda v: noisy(v * x, log), xs)):
        print("body")
        s += a * b * len(log)
    return s


@refused
def sum_zip_gens(x, xs, log):
    def g(a):
        print("g", a)
        return a * 2

    return sum(a * b for a, b in zip((g(v) for v in xs), (noisy(v * x, log) for v in xs))) * len(log)


@exact
def state_between(x, xs, log):
    g = map(lambda v: noisy(v * x, log), xs)
    log.append(5.0)
    return sum(g) * log[0]


@exact
def next_zero(x, xs, log):
    return x * next(div(v) for v in [2.0, 0.0])


@exact
def next_map_zero(x, xs, log):
    return x * next(map(div, [2.0, 0.0]))


@exact
def in_zero(x, xs, log):
    return x * (0.5 in (div(v) for v in [2.0, 0.0]))


@exact
def in_map_zero(x, xs, log):
    return x * (0.5 in map(div, [2.0, 0.0]))


@exact
def any_map_zero(x, xs, log):
    return x * any(map(lambda v: x / v > 0, [2.0, 0.0]))


@exact
def unread_zero(x, xs, log):
    g = (x / v for v in [0.0])
    return x * x


@exact
def unread_map_zero(x, xs, log):
    g = map(div, [0.0])
    return x * x


@exact
def unread_map_zero_active(x, xs, log):
    g = map(lambda v: x / v, [0.0])
    return x * x


@exact
def zip_zero(x, xs, log):
    return sum(a * b for a, b in zip([x], (x / v for v in [2.0, 0.0])))


@exact
def zip_map_zero(x, xs, log):
    return sum(a * b for a, b in zip([x], map(lambda v: x / v, [2.0, 0.0])))


@exact
def break_map_zero(x, xs, log):
    s = 0.0
    for a in map(lambda v: x / v, [2.0, 0.0]):
        s += a * x
        if s > 0:
            break
    return s


@exact
def break_enum_zero(x, xs, log):
    s = 0.0
    for i, a in enumerate(x / v for v in [2.0, 0.0]):
        s += a * x
        if s > 0:
            break
    return s


@exact
def break_enum_index(x, xs, log):
    s = 0.0
    for i, a in enumerate(x * xs[v] for v in [2, 10]):
        s += a * x
        if s > 0:
            break
    return s


@exact
def break_named_index(x, xs, log):
    s = 0.0
    g = map(lambda v: x * xs[v], [2, 10])
    for a in g:
        s += a * x
        if s > 0:
            break
    return s


@exact
def islice_zero(x, xs, log):
    return sum(itertools.islice((x / v for v in [2.0, 0.0]), 1))


@exact
def takewhile_zero(x, xs, log):
    return sum(itertools.takewhile(lambda a: a < 2, (x / v for v in [2.0, 0.2, 0.0])))


@exact
def named_next_zero(x, xs, log):
    g = (x / v for v in [2.0, 0.0])
    return next(g)


@refused
def helper_zero(x, xs, log):
    def first(it):
        for a in it:
            return a
        return 0.0

    return first(x / v for v in [2.0, 0.0])


@exact
def caught_zero(x, xs, log):
    g = map(lambda v: x / v, [2.0, 0.0])
    try:
        s = sum(g)
    except ZeroDivisionError:
        s = x * 3
    return s


@exact
def caught_zero_gen(x, xs, log):
    g = (x / v for v in [2.0, 0.0])
    try:
        s = sum(g)
    except ZeroDivisionError:
        s = x * 3
    return s


@exact
def endless_map(x, xs, log):
    s = 0.0
    for a in map(lambda k: x * k, itertools.count()):
        s += a * a
        if a > 5:
            break
    return s


@exact
def next_count(x, xs, log):
    return x * next(k for k in itertools.count() if k * x > 5)


@exact
def while_next(x, xs, log):
    it = iter(xs)
    s = 0.0
    while s < 3:
        s += next(it) * x
    return s


@refused
def while_next_map(x, xs, log):
    it = map(lambda v: noisy(v * x, log), xs)
    s = 0.0
    while s < 3:
        s += next(it)
    return s * len(log)


# --- Loops of every kind --------------------------------------------------------------------------------------------


@exact
def leaves_out_and_goes_on(x, xs, log):
    s = 0.0
    for i, a in enumerate((noisy(v * x, log) for v in xs if v > 0.75), start=3):
        if i == 4:
            continue
        print("body", i)
        s += i * a
    else:
        s = s * x
    return s


@exact
def takewhile_with_else(x, xs, log):
    s = 0.0
    for a in itertools.takewhile(lambda a: a < 5.0, map(lambda v: noisy(v * x, log), xs)):
        s += a
    else:
        s += x * len(log)
    return s


@exact
def takewhile_left(x, xs, log):
    s = 0.0
    for a in itertools.takewhile(lambda a: a < 50.0, map(lambda v: noisy(v * x, log), xs)):
        s += a
        if s > 3.0:
            break
    else:
        s += x * len(log)
    return s * len(log)


@exact
def dropwhile_left(x, xs, log):
    s = 0.0
    for a in itertools.dropwhile(lambda a: a < 3.0, (noisy(v * x, log) for v in xs)):
        print("body", a)
        s += a * x
    return s * len(log)


@exact
def filterfalse_noisy(x, xs, log):
    s = 0.0
    for a in itertools.filterfalse(lambda v: noisy(v * x, log) < 3.0, xs):
        print("body", a)
        s += a * x * len(log)
    return s


@exact
def filter_none(x, xs, log):
    return sum(filter(None, (noisy((v - 1.0) * x, log) for v in xs))) * len(log)


@exact
def starmap_left(x, xs, log):
    s = 0.0
    for a in itertools.starmap(lambda v, w: noisy(v * w * x, log), [(1.0, 2.0), (2.0, 0.5), (0.5, 3.0)]):
        print("body", a)
        s += a
        if s > 3.0:
            break
    return s * len(log)


@exact
def islice_of_a_variable(x, xs, log):
    n = len(xs) - 2
    s = 0.0
    for a in itertools.islice((noisy(v * x, log) for v in xs), n):
        print("body", a)
        s += a
    return s * len(log)


@exact
def islice_to_before_the_start(x, xs, log):
    return sum(itertools.islice((noisy(v * x, log) for v in xs), len(xs) - 10))


@exact
def two_loops_in_one_expression(x, xs, log):
    s = 0.0
    for a in map(lambda a: a * x, (noisy(v * w, log) for v in xs if v > 0.75 for w in (x, 2.0))):
        print("body", a)
        s += a * len(log)
    return s


@exact
def map_over_two(x, xs, log):
    s = 0.0
    for a in map(lambda v, w: noisy(v * w, log), xs, (x, 2.0 * x, 3.0)):
        print("body", a)
        s += a * len(log)
    return s


@exact
def map_over_items(x, xs, log):
    table = {"a": x, "b": 2.0 * x}
    s = 0.0
    for name, a in map(lambda item: (item[0], noisy(item[1], log)), table.items()):
        print(name)
        s += a * len(log)
    return s


@exact
def enumerated_zip(x, xs, log):
    s = 0.0
    for i, (v, a) in enumerate(zip(xs, (noisy(w * x, log) for w in xs))):
        print("body", i)
        s += i * v * a * len(log)
    return s


@exact
def in_a_loop_of_its_own(x, xs, log):
    s = 0.0
    for k in range(3):
        for a in map(lambda v: noisy(v * x + k, log), xs):
            s += a
            if s > 20.0:
                break
    return s * len(log)


@exact
def in_a_branch(x, xs, log):
    squares = map(lambda v: noisy(v * x, log), xs)
    print("made")
    if x > 1.0:
        return sum(squares) * len(log)
    return x


@exact
def in_a_branch_not_taken(x, xs, log):
    squares = map(lambda v: noisy(v * x, log), xs)
    quotients = (x / (v - 1.0) for v in xs)
    if x > 10.0:
        return sum(squares) + sum(quotients)
    return x * x * (1 + len(log))


@exact
def nested_function_that_stops(x, xs, log):
    def first(limit):
        return next(filter(lambda a: a > limit, map(lambda v: noisy(v * x, log), xs)))

    return first(3.0) * len(log)


@exact
def next_with_default(x, xs, log):
    squares = map(lambda v: noisy(v * x, log), xs)
    return next(squares, 0.0) * next(filter(lambda v: v > 100.0, xs), x) * len(log)


@exact
def next_of_nothing(x, xs, log):
    return next(map(lambda v: noisy(v * x, log), xs[:0]))


@exact
def all_of_map(x, xs, log):
    return x * x * len(log) if all(map(lambda v: noisy(v * x, log) < 3.0, xs)) else x * len(log)


@exact
def not_in_map(x, xs, log):
    return x if 4.0 * x * x not in map(lambda v: noisy(v * x, log), xs) else x * x * len(log)


@exact
def change_between(x, xs, log):
    scaled = map(lambda v: v * log[0], xs)
    log.append(2.0 * x)
    total = sum(scaled)
    log[0] = 5.0
    return total * x


@exact
def list_grows_meanwhile(x, xs, log):
    numbers = [x]
    for a in map(lambda v: v * x, numbers):
        if len(numbers) < 4:
            numbers.append(a)
    return sum(numbers)


@exact
def body_changes_what_is_mapped(x, xs, log):
    factors = [1.0]
    s = 0.0
    for a in map(lambda v: v * factors[0] * x, xs):
        factors[0] = a
        s += a
    return s


# --- Errors of elements that are asked for, and of those that are not -----------------------------------------------


@exact
def fails_at_the_second(x, xs, log):
    s = 0.0
    for a in map(lambda v: x / (v - 2.0), xs):
        print("body")
        s += a
    return s


@exact
def fails_in_sum(x, xs, log):
    return sum(map(lambda v: x / (v - 2.0), xs))


@exact
def index_at_the_third(x, xs, log):
    s = 0.0
    for i, a in enumerate(map(lambda k: xs[2 * k], range(10))):
        print("body", i)
        s += a * x
    return s


@exact
def index_not_asked_for(x, xs, log):
    return x * next(xs[k] for k in (1, 10)) * any(map(lambda k: xs[k] > 1.5, (0, 1, 10)))


@exact
def key_not_asked_for(x, xs, log):
    table = {"a": x, "b": 2.0}
    for value in (table[key] for key in ("a", "b", "c")):
        if value == 2.0:
            return value * x
    return x


@exact
def search_that_fails_later(x, xs, log):
    return next(v * x for v in xs if x / (v - 0.5) > 0.5) + x * (x / 2.0 in map(lambda v: x / (v - 0.5), [1.0, 2.5, 0.5]))


# --- Variables that change while elements are asked for ---------------------------------------------------------------


@exact
def body_changes_a_variable(x, xs, log):
    for y in (x * w for w in xs):
        x = x + y
    return x


@refused
def body_changes_a_variable_behind_enumerate(x, xs, log):
    for i, y in enumerate(x * w for w in xs):
        x = x + i * y
    return x


@refused
def body_changes_what_a_chain_reads(x, xs, log):
    factors = [1.0]
    for a in itertools.chain((v * factors[0] * x for v in xs), [x]):
        factors[0] = a
    return factors[0]


@refused
def passed_to_a_helper_that_stops(x, xs, log):
    def first_above(numbers, limit):
        for number in numbers:
            if number > limit:
                return number
        return limit

    return first_above(map(lambda v: x / v, [1.0, 0.5, 0.0]), 2.0)
