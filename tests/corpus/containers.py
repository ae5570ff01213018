"""Item 5: lists, tuples, dicts and objects that hold active numbers; two names for one of them."""

import collections
import dataclasses
import math
import types

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)


def changed_in_a_loop(x):
    stack = [x]
    for k in range(3):
        stack.append(stack[-1] * x + k)
    top = stack.pop()
    stack[0] = top * stack[1]
    stack.insert(1, x)
    return stack[0] + sum(stack[1:])


add(changed_in_a_loop, 0.5, derivative=lambda x: 6 * x**5 + 6 * x**2 + 6 * x + 1)


def read_then_overwritten(b, x):
    buffer = [0.0, 0.0]
    buffer[0] = b
    out = x * buffer[0] ** 2
    buffer[0] = -7.5
    return out + buffer[1]


add(read_then_overwritten, (3.0, 2.0), argnums=(0, 1), derivative=lambda b, x: (12.0, 9.0))


def argument_is_changed(items):
    items[0] = items[1] * items[2]
    items[1] *= items[0]
    items.append(items[0] + 1.0)
    return items[1] * items[-1] + items.pop(2)


add(argument_is_changed, [1.0, 2.0, 3.0])


def two_names(x):
    a = [x, 2.0 * x]
    b = a
    b[0] = b[0] * b[1]
    a.append(a[0] * x)
    c = a[:]
    c[0] = 0.0
    return b[0] + b[2] * len(b) + c[0]


add(two_names, 0.7, derivative=lambda x: 4 * x + 18 * x * x)


def which_list_is_known_at_run_time(x, flag):
    y, w = [x, x], [2.0 * x, 1.0]
    z = y if flag else w
    z[0] = z[0] * x
    z[1] = 5.0
    return y[0] * y[1] + w[0] * w[1]


add(which_list_is_known_at_run_time, (0.7, True), (0.7, False))


def fill(items, value):
    items[0] = value * items[0]
    items.append(value)
    return items


def callee_changes_a_list(x):
    items = [x, 1.0]
    other = fill(items, x * x)
    other[1] = other[1] * x
    return items[0] + items[1] * items[2] + len(items)


add(callee_changes_a_list, 0.7, derivative=lambda x: 6 * x * x)


def one_list_twice_as_argument(x):
    def mix(a, b):
        a[0] = b[1] * 2.0
        b[1] = a[0] * a[0]
        return a[1] + b[0]

    items = [x, x * x]
    return mix(items, items) * items[1]


add(one_list_twice_as_argument, 0.9)


def buffers_that_swap(x):
    u, v = [x, 2.0 * x, 0.5], [0.0, 0.0, 0.0]
    for _ in range(5):
        for k in range(3):
            v[k] = u[k] * u[k - 1] + 0.1
        u, v = v, u
    return u[0] + v[1] * x


add(buffers_that_swap, 0.8)


def buffer_made_anew(x):
    state = [x, 0.5]
    for k in range(4):
        new = [0.0] * 2
        new[0] = state[1] * x
        new[1] = state[0] + k
        state = new
    return state[0] * state[1]


add(buffer_made_anew, 0.8)


def scratch_used_again(xs):
    scratch = [0.0] * len(xs)
    total = 0.0
    for k in range(3):
        for i, x in enumerate(xs):
            scratch[i] = math.sin(x * (k + 1))
        total += scratch[0] * scratch[-1]
    return total


add(scratch_used_again, [0.4, 0.9], [0.7])


def store_in_one_branch(x, flag):
    items = [x, x * x]
    before = items[1] * items[0]
    if flag:
        items[1] = items[1] * x
    for k in range(0 if flag else 2):
        items[0] += items[1] * k
    return before * items[1] + items[0]


add(store_in_one_branch, (0.7, True), (0.7, False))


def lists_of_lists(matrix):
    n = len(matrix)
    total = 0.0
    for i in range(n):
        row = matrix[i]
        for j in range(len(row)):
            total += row[j] * matrix[j][i]
        row[0] = total
    return total * matrix[-1][0]


add(lists_of_lists, [[1.0, 2.0], [3.0, 4.0]])


def rows_that_are_one(x):
    rows = [[x] * 2] * 2
    rows[0][1] = x * x
    return rows[1][1] * rows[1][0]


add(rows_that_are_one, 0.7, derivative=lambda x: 3 * x * x)


def grid(x):
    a = [[x * (i + j) for j in range(3)] for i in range(3)]
    for _ in range(2):
        for i in range(1, 3):
            for j in range(1, 3):
                a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1]) * a[i][j]
    return a[2][2]


add(grid, 0.9)


def matrix_product(a, b):
    c = [[sum(a[i][k] * b[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
    return c[0][0] * c[1][1] - c[0][1] * c[1][0]


add(matrix_product, ([[1.0, 2.0], [0.5, -1.0]], [[0.3, 0.1], [0.7, 2.0]]), argnums=(0, 1))


def elimination(a, b):
    a = [row[:] for row in a]
    b = list(b)
    n = len(b)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[pivot] = a[pivot], a[k]
        b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= factor * a[k][j]
            b[i] -= factor * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - sum(a[k][j] * b[j] for j in range(k + 1, n))) / a[k][k]
    return b[0] * b[1] + b[2]


add(elimination, ([[0.1, 2.0, 1.0], [3.0, -1.0, 0.5], [1.0, 0.3, 2.0]], [1.0, -2.0, 0.7]), argnums=(0, 1))


def slices(xs):
    head, tail = xs[:2], xs[2:]
    back = xs[::-1]
    middle = xs[1:-1]
    head[0] = 10.0
    return sum(tail) * back[0] + sum(middle) * head[1] + head[0] * xs[0]


add(slices, [1.0, 2.0, 3.0, 4.0])


def slice_assignment(xs, x):
    xs[1:3] = [x, x * x, xs[0]]
    xs[:0] = [2.0 * x]
    del xs[1]
    return sum(k * v * v for k, v in enumerate(xs))


add(slice_assignment, ([1.0, 2.0, 3.0, 4.0], 0.7), argnums=(0, 1))


def list_operators(xs, x):
    ys = xs + [x, x * x]
    zs = ys * 2
    zs += [x]
    zs *= 2
    return sum(k * z for k, z in enumerate(zs)) + len(xs)


add(list_operators, ([1.0, 2.0], 0.7), ([], 0.7), argnums=(0, 1))


def extend_and_friends(xs):
    ys = []
    ys.extend(xs)
    ys.extend(x * x for x in xs)
    ys.reverse()
    zs = ys.copy()
    zs.insert(1, ys[0] * 2.0)
    first = zs.pop(0)
    zs[-1] += first
    ys.clear()
    return sum(k * z * z for k, z in enumerate(zs)) + len(ys)


add(extend_and_friends, [0.5, 1.5, 2.0])


def comprehensions(xs):
    squares = [x * x for x in xs if x > 0.0]
    pairs = [a * b for i, a in enumerate(xs) for b in xs[:i] if a != b]
    rows = [[x * k for x in xs] for k in range(3)]
    named = {k: x for k, x in zip("abc", xs)}
    return sum(squares) + sum(p for p in pairs) + rows[2][1] * named["c"] + sum(named.values())


add(comprehensions, [1.0, -2.0, 3.0])


def generators(xs):
    values = (x * x for x in xs)
    first = next(values)
    total = 0.0
    for value in values:
        total += value * first
    return total + max(x - 1.0 for x in xs)


add(generators, [1.5, -2.0, 3.0])


def membership(xs, wanted):
    total = 0.0
    for k, name in enumerate(["a", "b", "c"]):
        if name in wanted and name not in ("c",):
            total += xs[k] ** 2
    return total if xs else 0.0


add(membership, ([1.5, 2.0, 3.0], {"a", "c"}), ([1.5, 2.0, 3.0], "abc"))


def nested_argument(parameters, x):
    for w, b in parameters["layers"]:
        x = math.sin(w * x + b)
    return parameters["scale"] * x


add(nested_argument, ({"layers": [(1.5, 0.1), (0.5, -0.2)], "scale": 2.0}, 0.3), argnums=(0, 1))


def dict_changed(table, x):
    copy = dict(table)
    copy["b"] = copy["a"] * x
    copy["c"] = copy.get("z", x) * copy["b"]
    table["a"] = 0.0
    copy.setdefault("d", x * x)
    copy.update(a=copy["c"], e=1.0)
    removed = copy.pop("b")
    return sum(copy.values()) * removed + len(copy) + table["a"]


add(dict_changed, ({"a": 1.5, "q": 0.3}, 0.7), argnums=(0, 1))


def dict_built_in_a_loop(xs):
    table = {}
    for k, x in enumerate(xs):
        key = k % 2
        if key not in table:
            table[key] = 0.0
        table[key] += x * x
    return table[0] * table[1]


add(dict_built_in_a_loop, [1.0, 2.0, 3.0, 0.5])


def keys_of_all_kinds(x):
    table = {1: x, "1": 2.0 * x, (1, 2): x * x, None: 3.0, True and 2.5: x}
    merged = table | {1: 5.0, **{"w": x}}
    return sum(merged.values()) * table[1, 2]


add(keys_of_all_kinds, 0.7)


def keys_that_are_asked(x):
    table = {"a": x, 3: 3.0 * x, None: 1.0}
    total = 0.0
    for key, value in table.items():
        if isinstance(key, int):
            total += key * value
        elif key is None:
            total += value
        else:
            total += value * x
    return total


add(keys_that_are_asked, 1.5, derivative=lambda x: 2 * x + 9)


def counted(x, words):
    weights = collections.defaultdict(float)
    for word in words:
        weights[word] += x * len(word)
    return weights["a"] * weights["bb"] + weights["missing"]


add(
    counted,
    (0.7, ["a", "bb", "a"]),
    smooth=False,
    derivative=lambda x, words: 2 * 2 * 2 * x,
)


def tuples(pair):
    a, b = pair
    triple = pair + (a * b,)
    again = triple * 2
    return again[2] * again[-3] + len(triple) + sum(triple[1:])


add(tuples, (((1.5, 0.7)),), name="tuple_argument")


def tuple_carried(x):
    state = (x, 1.0)
    for k in range(4):
        state = (state[0] * state[1], state[0] + k)
    return state[0] + state[1]


add(tuple_carried, 0.7)


def integers_inside(items):
    return items[0] * items[1] ** 2


add(integers_inside, [3, 2.0], derivative=lambda items: [4.0, 12.0])


class Particle:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity
        self.history = []

    def step(self, dt):
        self.history.append(self.position)
        self.position += dt * self.velocity
        self.velocity -= dt * self.position


def object_made_inside(x, v):
    particle = Particle(x, v)
    for _ in range(4):
        particle.step(0.1)
    other = particle
    other.position *= x
    return particle.position * particle.velocity + sum(particle.history)


add(object_made_inside, (0.7, 0.3), argnums=(0, 1))


@dataclasses.dataclass
class Settings:
    rate: float
    steps: int = 3


def object_attributes_read(x, settings):
    for _ in range(settings.steps):
        x = x * settings.rate + x * x
    return x


add(object_attributes_read, (0.4, Settings(0.9)), (0.4, Settings(0.5, 0)))


def dataclass_inside(x):
    settings = Settings(x * x)
    settings.rate = settings.rate + x
    space = types.SimpleNamespace(a=x, b=settings)
    space.a *= space.b.rate
    return space.a * settings.steps


add(dataclass_inside, 0.4, derivative=lambda x: 3 * (3 * x * x + 2 * x))


def list_in_an_attribute(x):
    particle = Particle(x, 0.0)
    items = particle.history
    items.append(x * x)
    particle.history[0] *= x
    return items[0] + particle.position


add(list_in_an_attribute, 0.7, derivative=lambda x: 3 * x * x + 1)


def captured_list_changed(x):
    memory = [1.0]

    def remember(value):
        memory.append(value * memory[-1])
        return len(memory)

    for k in range(3):
        remember(x + k)
    memory[0] = x
    return memory[-1] * memory[0]


add(captured_list_changed, 0.7)


def stack_machine(x, program):
    stack = []
    for token in program.split():
        if token == "x":
            stack.append(x)
        elif token == "+":
            stack.append(stack.pop() + stack.pop())
        elif token == "*":
            stack.append(stack.pop() * stack.pop())
        elif token == "sin":
            stack[-1] = math.sin(stack[-1])
        else:
            stack.append(float(token))
    return stack.pop()


add(stack_machine, (0.7, "x 3 * x sin + x *"), (0.7, "2"), (0.7, "x"))


def sieve_of_values(xs):
    kept = []
    for x in xs:
        if kept and abs(kept[-1] - x) < 0.5:
            kept[-1] = (kept[-1] + x) / 2
            continue
        kept.append(x * x)
        if len(kept) > 3:
            break
    while len(kept) > 1:
        a = kept.pop()
        kept[-1] += 0.5 * a * kept[-1]
    return kept[0] if kept else 0.0


add(sieve_of_values, [1.0, 1.2, 3.0, 0.4, 0.3, 5.0, 7.0, 9.0], [], [2.0])


def interpolation(xs, ys, x):
    for (x0, y0), (x1, y1) in zip(zip(xs, ys), zip(xs[1:], ys[1:])):
        if x0 <= x < x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return ys[-1]


add(interpolation, ([0.0, 1.0, 3.0], [2.0, 0.5, 4.0], 1.7), ([0.0, 1.0, 3.0], [2.0, 0.5, 4.0], 9.0), argnums=(0, 1, 2))


def sorted_values(xs):
    ordered = sorted(xs)
    return sum((k + 1) * x * x for k, x in enumerate(ordered))


add(sorted_values, [3.0, 1.0, 2.0])


# --- Dicts that are changed while a loop runs over them ------------------------------------------------------------


def items_stored_while_iterated(x):
    table = {"a": x, "b": x * x, "c": 2.0}
    total = 0.0
    for key, value in table.items():
        table[key] = value * x + table["a"]
        total += table[key] * value
        table[key] += total
    return table["b"] * table["c"] + total


add(items_stored_while_iterated, 0.7)


def keys_stored_while_iterated(x):
    table = {}
    for index in range(3):
        table[index] = x * index + 1.0
    for key in table.keys():
        table[key] = table[key] * x
    return table[0] * table[1] + table[2]


add(keys_stored_while_iterated, 1.3)


def descent_over_a_dict(params, rate):
    weights = dict(params)
    for _ in range(3):
        slopes = {key: 2.0 * value for key, value in weights.items()}
        for key, value in weights.items():
            weights[key] = value - rate * slopes[key] * value
    return sum(weights.values()) * weights["a"]


add(descent_over_a_dict, ({"a": 1.2, "b": 0.7}, 0.1), argnums=(0, 1))

# --- Lists and dicts that may be missing: None in their place -----------------------------------------------------


def root_of(x, flag):
    if flag:
        return True, None
    return False, [x]


def with_flag(x, flag):
    ok, v = root_of(x, flag)
    return x * x if ok else v[0] * 3 * x


add(with_flag, at(1.5, True), at(1.5, False))


def some_of(x, n):
    if n == 0:
        return None, None
    if n == 1:
        return [x * x], None
    return [x], {"a": x * x}


def some_or_none(x, n):
    v, t = some_of(x, n)
    s = x
    if v is not None:
        s += v[0] * x
    if t is not None:
        s *= t["a"]
    return s


add(some_or_none, at(1.5, 0), at(1.5, 1), at(1.5, 2))


def nested_or_none(x, flag):
    if flag:
        return (1.0, (x * x, None)), True
    return (x, (x, [x, x * x])), False


def nested_none(x, flag):
    (p, (q, r)), ok = nested_or_none(x, flag)
    return p * q if ok else p * q * r[1]


add(nested_none, at(1.5, True), at(1.5, False))


def all_or_none(x, n):
    if n:
        return None
    return x, [x]


def none_instead_of_a_tuple(x, n):
    r = all_or_none(x, n)
    if r is None:
        return x * x
    return r[0] * r[1][0]


add(none_instead_of_a_tuple, at(1.5, 0), at(1.5, 1))


def best_so_far(x, n):
    best = (0.0, None)
    for k in range(n):
        if k % 2 == 0:
            best = (x * k, [x * k, x * x])
        else:
            best = (best[0] * x, None)
    return best[0] + (best[1][1] if best[1] is not None else 0.0)


add(best_so_far, at(1.5, 0), at(1.5, 3), at(1.5, 4))


def state_of_a_loop(x, n):
    state = None, None, 0
    for k in range(n):
        state = [x * k], {"k": x * x}, k
    rows, table, last = state
    return x if rows is None else rows[0] * table["k"] * last


add(state_of_a_loop, at(1.5, 0), at(1.5, 3))


def search(x, n):
    for k in range(n):
        if k * x > 2:
            return k, [x * k]
    return -1, None


def searched(x, n):
    k, found = search(x, n)
    return found[0] * x if k >= 0 else x * x * x


add(searched, at(1.5, 0), at(1.5, 3))


def got_from_a_table(x):
    table = {"a": [x, x * x]}
    found, missing = table.get("a"), table.get("b")
    return found[0] * found[1] if found is not None and missing is None else x


add(got_from_a_table, 1.5, derivative=lambda x: 3 * x**2)


def knapsack(x, items, room):
    best = {0: 0.0}
    for weight, value, share in items:
        following = dict(best)
        for used, worth in best.items():
            now = worth + value + share * x
            if used + weight <= room and now > following.get(used + weight, -1.0):
                following[used + weight] = now
        best = following
    return max(best.values()) * x


add(knapsack, (0.7, [(2, 1.0, 1.0), (3, 2.0, -0.5), (1, 0.1, 3.0), (4, 1.5, 1.0)], 5))


def random_walk(x, steps):
    chances = {0: 1.0}
    for _ in range(steps):
        following = {}
        for place, chance in chances.items():
            following[place + 1] = following.get(place + 1, 0.0) + chance * x
            following[place - 1] = following.get(place - 1, 0.0) + chance * (1 - x)
        chances = following
    return sum(place * place * chance**2 for place, chance in chances.items())


add(random_walk, (0.3, 4), (0.3, 0))


def left_after_a_new_key(x):
    table = {0: x, 1: 2.0}
    for key in table:
        if key == 1:
            table[5] = table[key] * x
            break
    return sum(table.values()) * x


add(left_after_a_new_key, 0.7)


def products_of_nothing(x, empty):
    above = [v for v in [x] if v > 5]
    total = math.prod([]) * x + math.prod(()) * x * x + math.prod({}) * x**3 + math.prod(above) * x
    total += math.prod(empty) * x + math.prod(above[:0]) * x * x + math.prod("") * x + math.prod(v for v in ()) * x
    return total + math.prod([], start=2.5) * x + math.prod([], start=x) * x + sum(math.prod(row) for row in [[], [x]]) * x


add(products_of_nothing, (0.7, []), (0.7, [2.0]))


def sums_of_nothing(x, empty):
    return sum([], start=x) * x + sum([], 0.5) * x + sum((), start=2.0) * x + sum(empty, start=x) * x + (sum("") + 1) * x


add(sums_of_nothing, (0.7, []), (0.7, [2.0]))


def arguments_combined(x, *factors):
    return math.prod(factors) * x + sum(factors)


def combined_of_none_or_some(x):
    return arguments_combined(x) + arguments_combined(x, x) * arguments_combined(x, 2, x)


add(combined_of_none_or_some, 0.7)


def integers_combined_from_a_start(x):
    return math.prod([2, 3], start=x) * x + sum([2, 3], start=x) * x + math.prod((2,), start=2.5) * x + sum({4}, start=0.5) * x


add(integers_combined_from_a_start, 0.7, derivative=lambda x: 14 * x + 5 + 5 + 4.5)
