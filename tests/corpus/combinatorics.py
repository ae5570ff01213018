"""Sums over pairs, orders and choices: what `itertools` makes of indices and of the numbers themselves."""

import itertools
import math
import operator

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)


def symmetric_polynomial(xs, k):
    total = 0.0
    for places in itertools.combinations(range(len(xs)), k):
        term = 1.0
        for i in places:
            term *= xs[i]
        total += term
    return total


add(symmetric_polynomial, at([1.0, 2.5, 0.5, 2.0], 3))


def determinant(m):
    total = 0.0
    for p in itertools.permutations(range(len(m))):
        sign = 1
        term = 1.0
        for i in range(len(p)):
            term *= m[i][p[i]]
            for j in range(i):
                if p[j] > p[i]:
                    sign = -sign
        total += sign * term
    return total


add(determinant, at([[1.0, 2.0, 0.5], [0.3, 1.5, 0.2], [2.0, 0.1, 1.0]]))


def weighted_pairs(xs, ws):
    total = 0.0
    for u, v in itertools.product(ws, ws):
        total += xs[0] * u * xs[1] ** 2 * v
    for (i, u), (j, v) in itertools.combinations(enumerate(ws), 2):
        total += xs[i] * xs[j] ** 2 * u / v
    return total


add(weighted_pairs, at([1.0, 2.5, 0.5], [0.5, 1.5, 2.0]))


def many(xs, ks):
    total = 0.0
    for i in itertools.chain(ks, range(2)):
        total += xs[i] ** 3
    for i in itertools.islice(ks, 1, None):
        total += xs[i] ** 3 * i
    for i in filter(None, ks):
        total += xs[i] ** 3 * i
    for i in itertools.takewhile(lambda k: k < 2, ks):
        total += xs[i] ** 3 * 2
    for i, j in itertools.pairwise(ks):
        total += xs[i] ** 2 * xs[j]
    for i, j in itertools.zip_longest(ks, [1], fillvalue=0):
        total += xs[i] ** 2 * xs[j]
    for i in itertools.accumulate([0, 1, 1]):
        total += xs[i] ** 2 * xs[0]
    for i in map(abs, [-1, 0]):
        total += xs[i] ** 3
    for i in map(lambda k: k + 1, [-1, 0]):
        total += xs[i] ** 3
    for i in itertools.starmap(operator.mul, [(1, 2), (0, 2)]):
        total += xs[i] ** 3
    for i in itertools.compress(ks, [0, 1, 1]):
        total += xs[i] ** 3
    for i in itertools.accumulate([1, 1, 2], operator.mul):
        total += xs[i] ** 2 * xs[0]
    for i in itertools.accumulate([0, 1], initial=1):
        total += xs[i] ** 2 * xs[0]
    return total


add(many, at([1.0, 2.5, 0.5], [0, 1, 2]))


def grouped(xs):
    total = 0.0
    for key, members in itertools.groupby(range(len(xs)), lambda k: k // 2):
        s = 0.0
        for k in members:
            s += xs[k]
        total += s**3 * (key + 1)
    return total


add(grouped, at([1.0, 2.5, 0.5]))


def row_by_row(xs, pairs):
    total = 0.0
    for i, j in itertools.chain.from_iterable(pairs):
        total += xs[i] ** 2 * xs[j]
    return total


add(row_by_row, at([1.0, 2.5, 0.5], [[(0, 1), (1, 2)], [(2, 2)]]))


def grid(xs, n):
    total = 0.0
    for i, j, k in itertools.product(range(n), range(2), "ab"):
        if k == "a":
            total += xs[i] ** 2 * xs[j]
        elif i != j:
            total *= xs[j]
    return total


add(grid, at([1.0, 2.5, 0.5], 3))


def cut_short(xs):
    total = 1.0
    for i, j in itertools.permutations(range(len(xs)), 2):
        total += xs[i] ** 2 * xs[j] * total
        if total > 10.0:
            break
    else:
        total = total * total
    return total


add(cut_short, at([1.0, 2.5, 0.5]), at([0.1, 0.2, 0.3]))


def names(x, d):
    total = 0.0
    for a, b in itertools.combinations_with_replacement(sorted(d), 2):
        total += d[a] * d[b] ** 2 * x
    return total


add(names, at(1.5, {"u": 2.0, "v": 0.5}), argnums=(0, 1))


def four_at_a_time(xs):
    total = 0.0
    for a, b, c, d in itertools.product(xs, repeat=4):
        total += a * b**2 * c * d
    for a, b, c, d in itertools.product(xs, [1.0, 2.0], xs, [xs[0]]):
        total += a * b**2 * c * d
    for a, b, c in itertools.permutations(xs, 3):
        total += a * b**2 * c
    for a, b, c in itertools.combinations_with_replacement(xs, 3):
        total += a * b**2 * c
    for a, b, c, d in itertools.combinations([*xs, 1.5], 4):
        total += a * b**2 * c * d
    return total


add(four_at_a_time, at([1.0, 2.5, 0.5]))


def energies(coupling, field, n):
    z = 0.0
    for spins in itertools.product((-1, 1), repeat=n):
        energy = -coupling * sum(a * b for a, b in zip(spins, spins[1:])) - field * sum(spins)
        z += math.exp(-energy)
    return math.log(z)


add(energies, at(0.4, 0.2, 3), argnums=(0, 1))


def tours(points):
    best = math.inf
    for order in itertools.permutations(range(1, len(points))):
        length = 0.0
        last = 0
        for place in order:
            length += math.dist(points[last], points[place])
            last = place
        length += math.dist(points[last], points[0])
        best = min(best, length)
    return best


add(tours, at([[0.0, 0.1], [1.0, 0.3], [0.7, 1.2], [0.2, 0.9]]))


class Body:
    def __init__(self, mass, place):
        self.mass = mass
        self.place = place
        self.speed = 0.0

    @property
    def momentum(self):
        return self.mass * self.speed


def bodies(x):
    return [Body(1.0 + k * x, k * x * k) for k in range(4)]


def pairs_of_objects(x):
    total = 0.0
    for a, b in itertools.combinations(bodies(x), 2):
        total += a.mass * b.place
    for a, b in itertools.permutations(bodies(x), 2):
        total += a.mass * b.place**2
    for a, b in itertools.combinations_with_replacement(bodies(x), 2):
        total += a.mass * b.mass
    total += sum(a.mass * b.place for a, b in itertools.product(bodies(x), bodies(2 * x)))
    return total + sum(a.mass * b.place for a, b in itertools.pairwise(bodies(x)))


add(pairs_of_objects, 0.7)


def objects_changed_meanwhile(x):
    """The pairs are of the objects themselves: each is read as it is by then."""
    group = bodies(x)
    for _ in range(3):
        for a, b in itertools.combinations(group, 2):
            distance = b.place - a.place
            force = a.mass * b.mass * distance / (distance * distance + 0.1) ** 1.5
            a.speed += 0.1 * force / a.mass
            b.speed -= 0.1 * force / b.mass
        for body in group:
            body.place += 0.1 * body.speed
    return sum(a.momentum * b.place for a, b in itertools.pairwise(group)) + group[0].place


add(objects_changed_meanwhile, 0.7)


def lists_changed_meanwhile(x):
    rows = [[k * x, 0.0] for k in range(4)]
    for a, b in itertools.permutations(rows, 2):
        a[1] += b[0] * b[1] + b[0]
    for a in itertools.chain(rows[2:], rows[:1]):
        a[1] += a[0] * x
    return sum(row[1] for row in rows)


add(lists_changed_meanwhile, 0.7)
