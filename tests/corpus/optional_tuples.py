"""Tuples of numbers that may be None, and tuples that stand in several places of a container."""

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def read(x, n):
    v = [None, (x, x * x)]
    total = 0.0
    for i in range(2):
        t = v[i]
        if t is not None:
            total += t[0] * t[1]
    return total


add(read, (0.7, 3))


def appended(x, n):
    v = []
    for i in range(n):
        t = (x, x * i) if i % 2 else None
        v.append(t)
    total = 0.0
    for t in v:
        if t is not None:
            total += t[0] * t[1]
    return total


add(appended, (0.7, 4))


def appended_and_popped(x, n):
    v = []
    for i in range(n):
        t = (x, x * i) if i % 2 else None
        v.append(t)
    total = 0.0
    while v:
        t = v.pop()
        if t is not None:
            total += t[0] * t[1]
    return total


add(appended_and_popped, (0.7, 4))


def with_lists(x, n):
    inner = [x, x * x]
    v = []
    for i in range(n):
        t = (x, inner) if i % 2 else None
        v.append(t)
        v.append(t)
    total = 0.0
    while v:
        t = v.pop()
        if t is not None:
            total += t[0] * t[1][1]
            t[1][0] += x
    return total + inner[0]


add(with_lists, (0.7, 4))


def moved(x, n):
    inner = [x, x * x]
    v = [None, (x, inner), None, (x * x, inner)]
    w = []
    for t in v:
        w.append(t)
        w.append(t)
    total = 0.0
    while w:
        t = w.pop()
        if t is not None:
            total += t[0] * t[1][1]
    return total


add(moved, (0.7, 4))


def moved_numbers(x, n):
    v = [None, (x, 2.0), None, (x * x, x)]
    w = []
    for t in v:
        w.append(t)
        w.append(t)
    total = 0.0
    while w:
        t = w.pop()
        if t is not None:
            total += t[0] * t[1]
    return total


add(moved_numbers, (0.7, 4))


def kept_by_key(x, n):
    inner = [x]
    v = {}
    for i in range(n):
        v[i] = (x * i, inner) if i % 2 else None
    w = {}
    for k, t in v.items():
        w[k] = t
        w[k + 10] = t
    total = 0.0
    for t in w.values():
        if t is not None:
            total += t[0] * t[1][0]
    return total


add(kept_by_key, (0.7, 4))


def stored(x, n):
    inner = [x]
    v = [None, (x * x, inner)]
    w = [None, None, None]
    for i in range(3):
        w[i] = v[i % 2]
    w[0] = v[1]
    w[1] = None
    total = 0.0
    for t in w:
        if t is not None:
            total += t[0] * t[1][0]
    return total


add(stored, (0.7, 4))


def twice(x, n):
    t = (x, x * x)
    w = [t, t]
    total = 0.0
    for i in range(2):
        a = w[i]
        total += a[0] * a[1]
    return total


add(twice, (0.7, 3))


def twice_appended(x, n):
    t = (x, x * x)
    w = []
    for i in range(n):
        w.append(t)
    total = 0.0
    for i in range(n):
        a = w[i]
        total += a[0] * a[1] * i
    return total


add(twice_appended, (0.7, 3))
