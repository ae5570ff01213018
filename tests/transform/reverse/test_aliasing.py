"""The ten questions on memory, for lists, dicts and attributes; values by the complex step."""

import copy

import pytest

from s2sad import grad, value_and_grad

STEP = 1e-30


def moved(argument, step):
    """The argument as complex numbers, and one way to move each of its numbers."""
    if isinstance(argument, float):
        return [argument + step]
    found = []
    for place in argument if isinstance(argument, dict) else range(len(argument)):
        for part in moved(argument[place], step):
            other = copy.deepcopy(argument)
            other[place] = part
            found.append(other)
    return found


def flat(gradient):
    """The numbers of a gradient in order."""
    if isinstance(gradient, float):
        return [gradient]
    return [number for part in (gradient.values() if isinstance(gradient, dict) else gradient) for number in flat(part)]


def assert_gradient(function, *arguments):
    """Value bitwise, gradients by each argument that holds floats, arguments untouched."""
    places = [place for place, argument in enumerate(arguments) if not isinstance(argument, (int, str))]
    before = copy.deepcopy(arguments)
    value, gradients = value_and_grad(function, tuple(places))(*arguments)
    assert arguments == before
    assert value == function(*copy.deepcopy(arguments))
    for place, gradient in zip(places, gradients, strict=True):
        expected = []
        for other in moved(arguments[place], STEP * 1j):
            changed = list(copy.deepcopy(arguments))
            changed[place] = other
            result = function(*changed)
            expected.append(result.imag / STEP if isinstance(result, complex) else 0.0)
        assert flat(gradient) == pytest.approx(expected, rel=1e-12, abs=1e-12)


# 1. one buffer, two names


def two_names(x):
    y = [x, x * x]
    z = y
    z[0] = z[0] * y[1]
    y.append(z[0] * x)
    return y[0] * z[2] + z[0]


def added_in_place(x, items):
    z = items
    z += [x]
    z *= 2
    return sum(items) * items[-1]


def same(p):
    return p


def through_callee(x):
    y = [x, 2.0]
    z = same(y)
    z[1] = z[0] * x
    y.append(z[1])
    return y[1] * z[2] * len(z)


def through_list(x):
    y = [x, x * x]
    rows = [y, [1.0]]
    rows[0][0] = rows[0][0] * x
    rows[1] = rows[0]
    rows[1].append(y[0])
    return y[0] * y[1] * y[2] + rows[0][2]


def through_dict(x):
    y = [x]
    table = {"y": y}
    table["y"][0] = y[0] * x
    table["z"] = table["y"]
    table["z"].append(y[0])
    return y[1] * x + table["y"][0]


class Holder:
    def __init__(self, items):
        self.items = items


def through_attribute(x):
    y = [x]
    holder = Holder(y)
    holder.items.append(y[0] * x)
    y[0] = holder.items[1] * 2.0
    return holder.items[0] * y[1]


def through_tuple(x):
    y = [x]
    pair = (y, 2.0)
    pair[0].append(x * x)
    y[0] = pair[0][1] * x
    return pair[0][0] * y[1]


# 2. which one is known only when the program runs


def either(x, y, n):
    a, b = [x, y], [y, x * y]
    z = a if n > 1 else b
    z[0] = z[1] * 3.0
    return a[0] * a[1] + b[0] * b[1] * x


def either_from_callee(x, y, n):
    def choose(p, q):
        if n > 1:
            return p
        return q

    a, b = [x, y], [y, x]
    z = choose(a, b)
    z.append(z[0] * x)
    return a[-1] * b[-1] * a[0]


# 3. swaps


def swapped(x, n):
    u, v = [x, 1.0], [0.5, x * x]
    for _ in range(n):
        v[0] = v[0] + u[1] * u[0]
        v[1] *= u[0]
        u, v = v, u
    return u[0] * v[1] + v[0]


def rotated(x, n):
    u, v, w = [x, 1.0], [0.5, x * x], [x, x]
    for k in range(n):
        w[0] = u[1] * v[0] + k
        v[1] += w[0] * x
        u, v, w = v, w, u
    return u[0] * v[1] * w[0] + w[1]


# 4. made anew in each trip and carried; one for all


def anew(x, n):
    state = [x, 0.5]
    for k in range(n):
        new = [0.0] * 2
        new[0] = state[1] * x
        new[1] = state[0] + k
        state = new
    return state[0] * state[1]


def reused(x, n):
    scratch = [0.0, 0.0]
    total = x
    for _ in range(n):
        scratch[0] = total * x
        scratch[1] = scratch[0] * total
        total = total * 0.5 + scratch[1]
    return total


# 5. parts: copies that see the structure of their time


def slices_of_slices(items):
    part = items[1:][::2]
    items[1] = items[1] * 2.0
    items.pop(0)
    other = items[::-1]
    items.clear()
    return part[0] * other[1] + part[1] * other[0]


def copies(items):
    zs = items.copy()
    ys = list(items)
    items.clear()
    both = zs + ys
    zs.insert(0, ys.pop())
    return both[0] * zs[0] * both[-1] * ys[0]


def pops_while_it_runs_over_a_slice(items):
    total = 0.0
    for y in items[:3]:
        x = items.pop()
        total = total + y * x
    return total


# 6. slice assignment reads all before it writes


def shifted(items):
    items[1:] = items[:-1]
    items[:2] = [items[1] * items[2]]
    return items[0] * items[1] * items[-1]


def lengthened(items):
    items[1:2] = [items[0], items[2] * items[1], items[0]]
    del items[0]
    items[::2] = items[1::2]
    return items[0] * items[1] * items[2] * items[3]


# 7. read before a store, needed after it; one branch only; no trip


def read_before(x):
    y = [x, x]
    before = y[0] * y[0]
    y[0] = 3.0 * x
    return before * y[0] * y[1]


def one_branch(x, n):
    y = [x, 2.0]
    if n > 1:
        y[0] = y[0] * y[1] * x
        y.append(x)
    return y[0] * y[-1]


def maybe_no_trip(x, n):
    y = [x, x * x]
    for k in range(n):
        y[k] = y[k] * y[1]
    return y[0] * y[1]


# 8. captured by a closure, written, read later


def captured(x):
    y = [x]

    def put(v):
        y[0] = y[0] * v
        y.append(v)

    put(x)
    put(y[0])
    return y[0] * y[1] * y[2]


def bound_anew(x):
    factor = x

    def inner(z):
        return factor * z

    first = inner(x)
    factor = x * x
    return first + inner(x)


def written_through_a_passed_function(x):
    y = [x, x * x]

    def put(k):
        y[k] = y[0] * x

    def twice(function, k):
        function(k)
        function(k)

    twice(put, 0)
    twice(put, 1)
    return y[0] * y[1]


# 9. scratch whose content at entry does not matter, and one whose does


def scratch(items, x):
    items[0] = x
    items[1] = items[0] * x
    return items[0] * items[1]


def scratch_that_matters(items, x):
    items[0] = items[0] * x + items[1]
    return items[0] * items[1]


# 10. an argument that is written: gradient with respect to the content at entry


def written(items):
    items[0] = items[0] * items[1]
    items.insert(1, items[0])
    items.append(items[0] * items[2])
    return items[0] * items[1] * items[-1]


def not_reaching_the_result(items, x):
    items.insert(0, x)
    items.append(items[1])
    return x * x


def written_dict(table, x):
    table["b"] = x * table["a"]
    table["a"] = table.pop("c")
    return table["b"] * table["a"]


def written_rows(rows):
    rows[0][0] = rows[0][0] * rows[1][1]
    rows[1] = rows[0]
    rows[1].append(rows[0][1] * rows[1][0])
    return rows[1][2] * rows[0][0]


CASES = [
    (two_names, 1.1),
    (added_in_place, 1.1, [0.3, 0.7]),
    (through_callee, 1.1),
    (through_list, 1.1),
    (through_dict, 1.1),
    (through_attribute, 1.1),
    (through_tuple, 1.1),
    *((either, 1.1, 0.7, n) for n in (1, 2)),
    *((either_from_callee, 1.1, 0.7, n) for n in (1, 2)),
    *((swapped, 0.9, n) for n in (0, 1, 3, 4)),
    *((rotated, 0.9, n) for n in (0, 1, 2, 3, 5)),
    *((anew, 0.9, n) for n in (0, 1, 3)),
    *((reused, 0.9, n) for n in (0, 1, 3)),
    (slices_of_slices, [0.5, 1.5, 2.5, 3.5]),
    (copies, [0.5, 1.5]),
    (pops_while_it_runs_over_a_slice, [1.5, 2.0, 3.0, 4.0, 5.0]),
    (shifted, [1.5, 2.0, 3.0, 4.0]),
    (lengthened, [1.5, 2.0, 3.0]),
    (read_before, 1.1),
    *((one_branch, 1.1, n) for n in (1, 2)),
    *((maybe_no_trip, 1.1, n) for n in (0, 1, 2)),
    (captured, 1.1),
    (bound_anew, 1.1),
    (written_through_a_passed_function, 1.1),
    (scratch, [5.0, 6.0], 1.1),
    (scratch_that_matters, [5.0, 6.0], 1.1),
    (written, [0.5, 1.5, 2.5]),
    (not_reaching_the_result, [0.5, 1.5], 1.1),
    (written_dict, {"a": 0.5, "c": 1.5}, 1.1),
    (written_rows, [[0.5, 1.5], [2.5, 3.5]]),
]


def name(case):
    """The program, and how often its loop runs."""
    return f"{case[0].__name__}-{case[-1]}" if isinstance(case[-1], int) else case[0].__name__


@pytest.mark.parametrize("case", CASES, ids=name)
def test_gradient(case):
    assert_gradient(*case)


@pytest.mark.parametrize("case", [case for case in CASES if isinstance(case[1], float)], ids=name)
def test_second_derivative(case):
    function, x, *rest = case
    second = grad(grad(function))(x, *rest)
    step = 1e-5
    first = grad(function)
    one, two = (first(x + k * step, *rest) - first(x - k * step, *rest) for k in (1, 2))
    ratio = (8 * one - two) / (12 * step)
    assert second == pytest.approx(ratio, rel=1e-7, abs=1e-7)


# 8. one list as two arguments


def read_twice(a, b):
    return a[0] * b[0] * b[1]


def written_once(a, b):
    a[0] = a[0] * b[1]
    return a[0] * b[0]


def stored_into(x, a, b):
    a[0] = x
    return b[0] * x


def test_one_list_as_two_arguments_counts_each_use_for_its_slot():
    items = [2.0, 3.0]
    assert grad(read_twice, (0, 1))(items, items) == ([6.0, 0.0], [6.0, 4.0])
    assert items == [2.0, 3.0]


def test_one_list_as_two_arguments_that_is_changed_is_one_input():
    items = [2.0, 3.0]  # (x0 x1) ** 2: 2 x0 x1 ** 2, 2 x0 ** 2 x1
    derivative = grad(written_once, (0, 1))
    assert derivative([2.0, 3.0], [2.0, 3.0]) == ([6.0, 0.0], [6.0, 4.0])
    assert derivative(items, items) == ([36.0, 24.0], [0.0, 0.0])
    assert grad(written_once, 0)(items, items) == grad(written_once, 1)(items, items) == [36.0, 24.0]
    assert items == [2.0, 3.0]


def test_what_is_stored_through_one_argument_is_read_through_the_other():
    items = [1.0, 2.0]
    assert grad(stored_into)(3.0, items, items) == 6.0
    assert grad(stored_into)(3.0, [1.0], [2.0]) == 2.0
