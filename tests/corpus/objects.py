"""Objects of several classes in one list, frozen dataclasses, copies, dicts made with names."""

import copy
import dataclasses
from typing import ClassVar, NamedTuple

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)

# --- Several classes ------------------------------------------------------------------------------------------------


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * x * x


class Weight:
    g = 9.81

    def energy(self, x):
        return self.g * x


class Stiff(Spring):
    def energy(self, x):
        return super().energy(x) * x + x


class System:
    def __init__(self, parts):
        self.parts = parts

    def energy(self, x):
        total = 0.0
        for part in self.parts:
            total += part.energy(x)
        return total


PARTS = [Spring(2.0), Weight(), Stiff(1.5)]
SYSTEM = System(PARTS)


def of_global_parts(x):
    return sum(part.energy(x) for part in PARTS) + PARTS[1].energy(x) * PARTS[0].k * x


add(of_global_parts, 1.5)


def of_global_object(x):
    return SYSTEM.energy(x) * x


add(of_global_object, 1.5)


def of_given_parts(x, parts):
    total = 0.0
    for k, part in enumerate(parts):
        total = total * 0.5 + part.energy(x) * k
    return total + sum(map(lambda part: part.energy(x * x), parts))


add(of_given_parts, at(1.5, PARTS), at(1.5, PARTS[::-1]), at(1.5, PARTS[:1]))


def of_parts_made_here(x):
    total = 0.0
    for part in [Spring(x), Weight(), Stiff(2.0 * x)]:
        total += part.energy(x)
    return total


add(of_parts_made_here, 1.5)


def matched(x, limit):
    total = 0.0
    for k, part in enumerate(PARTS):
        match part:
            case Stiff(k=stiffness):
                total += stiffness * x**3
            case Spring(k=stiffness):
                total += stiffness * x
            case Weight():
                total += x * x * k
        if total > limit:
            break
    else:
        total *= x
    return total


add(matched, at(1.5, 100.0), at(1.5, 4.0))


def by_class(x):
    total = 0.0
    for part in PARTS:
        if isinstance(part, Weight):
            continue
        if isinstance(part, Spring):
            total += part.k * x**3
    return total


add(by_class, 1.5)

# --- Frozen dataclasses and named tuples ----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class State:
    position: float
    velocity: float = 2.0

    def moved(self, dt):
        return State(self.position + dt * self.velocity, velocity=self.velocity * (1 - dt * self.position))

    @property
    def energy(self):
        return self.position * self.velocity**2


@dataclasses.dataclass(frozen=True)
class Circle:
    radius: float
    area: float = dataclasses.field(init=False, default=0.0)

    def __post_init__(self):
        object.__setattr__(self, "area", 3.0 * self.radius**2)


@dataclasses.dataclass
class Loose:
    a: float
    b: float = 2.0


class Pair(NamedTuple):
    a: float
    b: float = 2.0


def frozen_in_a_loop(x, n):
    state = State(x)
    for _ in range(n):
        state = state.moved(0.1)
    return state.energy


add(frozen_in_a_loop, at(1.5, 5), at(1.5, 0))


def replaced(x):
    state = State(x, velocity=3.0 * x)
    other = dataclasses.replace(state, position=x * x)
    loose = dataclasses.replace(Loose(x), b=other.energy)
    for k in range(3):
        loose = dataclasses.replace(loose, a=loose.a * 1.1 + k)
    return other.energy * state.position + loose.a * loose.b


add(replaced, 1.5)


def made_in_post_init(x):
    circles = [Circle(x * k) for k in (1.0, 2.0)]
    return sum(circle.area * circle.radius for circle in circles)


add(made_in_post_init, 1.5)


@dataclasses.dataclass
class Scaled:
    """An `InitVar` is an argument of `__post_init__`, and no attribute; a `ClassVar` is neither."""

    a: float
    factor: dataclasses.InitVar[float] = 2.0
    limit: ClassVar[float] = 7.0
    b: float = dataclasses.field(init=False)

    def __post_init__(self, factor):
        self.b = self.a**2 * factor


@dataclasses.dataclass(kw_only=True)
class Raised(Scaled):
    power: dataclasses.InitVar[int] = 3
    c: float = 1.0

    def __post_init__(self, factor, power):
        super().__post_init__(factor)
        self.c += self.b**power


def given_to_post_init(x):
    return Scaled(x).b + Scaled(x, x).b * Scaled(2.0, factor=x).b * Scaled(x).limit


add(given_to_post_init, 1.5, derivative=lambda x: 4 * x + 4 * 28 * x**3)


def given_to_inherited_post_init(x):
    raised = Raised(x, x, c=x)
    return raised.c + Raised(x, power=2).b


add(given_to_inherited_post_init, 1.5, derivative=lambda x: 1 + 9 * x**8 + 4 * x)


def replaced_with_post_init(x):
    return dataclasses.replace(Scaled(x), a=2 * x, factor=x).b


add(replaced_with_post_init, 1.5, derivative=lambda x: 12 * x**2)


class Chain:
    """A class that stands in a class is called through its objects, and not given the object."""

    class Link:
        def __init__(self, value, rest=None):
            self.value = value
            self.rest = rest

    def __init__(self):
        self.first = None

    def push(self, value):
        self.first = self.Link(value, rest=self.first)

    def total(self):
        total, link = 0.0, self.first
        while link is not None:
            total = 0.5 * total + link.value
            link = link.rest
        return total


class DoubledChain(Chain):
    class Link(Chain.Link):
        def __init__(self, value, rest=None):
            super().__init__(2 * value, rest)


def classes_in_a_class(x):
    total = 0.0
    for chain in (Chain(), DoubledChain()):
        for k in range(4):
            chain.push(x**k)
        total += chain.total()
    return total * Chain().Link(x).value


add(classes_in_a_class, 0.7, derivative=lambda x: 3 * (x**3 / 2 + 3 * x**2 / 4 + x + 1))


def matched_frozen(x):
    match State(x, x * x):
        case State(position, velocity):
            return position * velocity


add(matched_frozen, 1.5)


def named(x):
    pair = Pair(x)
    other = pair._replace(b=x * x)
    a, b = other
    return pair.b * a * b + Pair(b=x, a=1.0).b


add(named, 1.5)


def sorted_pairs(x):
    pairs = [("b", x), ("a", x * x), ("c", 3.0)]
    ranked = sorted(pairs, key=lambda pair: -pair[1])
    return ranked[0][1] * ranked[1][1] * x + sorted(pairs)[0][1]


add(sorted_pairs, 1.5)


def sorted_in_place(x):
    pairs = [("b", x), ("a", x * x), ("c", 3.0)]
    pairs.sort(key=lambda pair: pair[0])
    return pairs[0][1] * pairs[1][1]


add(sorted_in_place, 1.5)

# --- Copies ---------------------------------------------------------------------------------------------------------


class Holder:
    def __init__(self, values, weight):
        self.values = values
        self.weight = weight


def copied_objects(x):
    holder = Holder([x, 2.0], x * x)
    shallow = copy.copy(holder)
    shallow.weight = 3.0 * x
    deep = copy.deepcopy(holder)
    deep.values[0] = x**3
    deep.weight *= 2.0
    return holder.values[0] * shallow.weight + shallow.values[1] * holder.weight + deep.values[0] * deep.weight


add(copied_objects, 1.5)


def copied_frozen(x):
    state = copy.copy(State(x, velocity=x * x))
    return state.energy + copy.deepcopy(state).position


add(copied_frozen, 1.5)


def copied_rows(x):
    grid = [[x, 1.0], [2.0, x * x]]
    other = copy.deepcopy(grid)
    for i in range(2):
        for j in range(2):
            other[i][j] = other[i][j] * grid[j][i] + grid[i][j] ** 2
    return sum(sum(row) for row in other) * grid[0][0]


add(copied_rows, 1.5)


def copied_table(x):
    table = {"a": [x, 2.0], "b": [x * x]}
    other = copy.deepcopy(table)
    other["a"][0] = 5.0 * x
    other["b"].append(x)
    numbers, factor = copy.deepcopy(([x, 1.0], x * x))
    numbers[0] = 2.0
    return table["a"][0] * other["a"][0] * sum(other["b"]) * len(table["b"]) + numbers[0] * factor


add(copied_table, 1.5)

# --- Dicts ----------------------------------------------------------------------------------------------------------


def made_with_names(x):
    first = {"a": x, "b": 2.0}
    second = dict(first, b=x * x, c=3.0)
    third = dict([("a", x)], d=x**3)
    second.update(third, e=x)
    second.update([("a", 2.0 * x)], c=x)
    return second["a"] * second["b"] * second["c"] + second["d"] * second["e"] + first["b"] * x


add(made_with_names, 1.5)
