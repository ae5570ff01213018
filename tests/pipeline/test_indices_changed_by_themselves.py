"""Arrays of indices and masks that are stored into where they say themselves, and those that change from trip to trip."""

import numpy as np
import pytest

from s2sad import grad

X = np.array([0.5, 0.9, 1.7])
W = np.array([1.0, 2.0, 3.0])
ORDER = np.array([1, 2, 0])


def permutation(x):
    p = np.array([1, 2, 0])
    y = x[p]
    p[p] = np.array([2, 1, 0])
    return np.sum(y * W)


def through_a_view(x):
    p = np.array([1, 2, 0])
    q = p[:2]
    y = x[p]
    p[q] = [0, 2]
    return np.sum(y * W)


def multiplied(x):
    p = np.array([1, 2, 0])
    y = x[p]
    p[p] *= 0
    return np.sum(y * W)


def added_to(x):
    p = np.array([1, 2, 0])
    y = x[p]
    p[p] += [0, 1, 0]
    return np.sum(y**2 * W)


def column_of_a_table(x):
    table = np.array([[1, 0], [2, 1], [0, 2]])
    y = x[table[:, 0]]
    table[table[:, 0], 0] = 0
    return np.sum(y * W)


def in_a_tuple(x):
    p = np.array([1, 2, 0])
    y = x[p]
    key = (p,)
    p[key] = np.array([2, 1, 0])
    return np.sum(y * W)


def one_of_two(x):
    p = np.array([1, 2, 0])
    q = p if x[0] > 0 else np.array([0, 1, 2])
    y = x[p]
    p[q] = np.array([2, 1, 0])
    return np.sum(y * W)


def in_a_dict(x):
    d = {"p": np.array([1, 2, 0])}
    y = x[d["p"]]
    d["p"][d["p"]] = np.array([2, 1, 0])
    return np.sum(y * W)


def in_a_list(x):
    rows = [np.array([1, 2, 0]), np.array([0, 2, 1])]
    y = x[rows[0]]
    for i in range(2):
        rows[0][rows[i]] = np.array([2, 1, 0])
    return np.sum(y * W)


class Holder:
    def __init__(self, x):
        self.x = x
        self.p = np.array([1, 2, 0])

    def step(self):
        self.x = self.x[self.p] * self.x
        self.p[self.p] = (self.p[::-1] + 1) % 3


def attribute(x):
    holder = Holder(x)
    for _ in range(3):
        holder.step()
    return np.sum(holder.x * W)


def outside(x):
    y = x[ORDER]
    ORDER[ORDER] = np.array([2, 1, 0])
    return np.sum(y * W)


def open_mesh(x):
    p = np.array([1, 2, 0])
    y = x[p]
    p[np.ix_(p[:2])] = [2, 1]
    return np.sum(y * W * x[p])


def active_set(x):
    active = np.ones(3, bool)
    for _ in range(2):
        x = x * 1.0
        x[active] *= 0.5
        active[active] = x[active] > 0.3
    return np.sum(x * W)


def switched_off(x):
    on = x > 0.6
    y = x.copy()
    y[on] *= x[on]
    on[on] = False
    return np.sum(y * W)


def inverted_where_it_holds(x):
    on = x > 0.6
    y = x.copy()
    y[on] *= x[on]
    np.logical_not(on, out=on, where=on)
    return np.sum(y * W)


def switched_off_backwards(x):
    m = x > 0.6
    y = x.copy()
    y[m] *= x[m]
    m[m[::-1]] = False
    y[m] *= 2
    return np.sum(y * W)


def swapped_every_trip(x):
    p = np.array([1, 2, 0])
    for _ in range(3):
        x = x[p] * x
        p[0], p[1] = p[1], p[0]
    return np.sum(x * W)


def added_at_itself(x):
    p = np.array([1, 2, 0])
    for _ in range(3):
        x = x[p] * x
        np.add.at(p, p, 1)
        p %= 3
    return np.sum(x * W)


def pivots(x):
    p = np.arange(3)
    for k in range(3):
        m = k + int(np.argmax(np.abs(x[p[k:]])))
        p[k], p[m] = p[m], p[k]
        x = x * x[p]
    return np.sum(x[p] * W)


def narrowed(x):
    active = np.ones(3, bool)
    for _ in range(3):
        x = x.copy()
        x[active] = x[active] ** 2 * 0.9
        active &= x > 0.3
    return np.sum(x * W)


def chosen(x):
    active = np.ones(3, bool)
    for _ in range(3):
        x = np.where(active, x * x, x)
        np.logical_and(active, x > 0.3, out=active)
    return np.sum(x * W)


def taken(x):
    p = np.array([1, 2, 0])
    for _ in range(3):
        x = np.take(x, p) * x
        p += 1
        p %= 3
    return np.sum(x * W)


def rows_and_columns(x):
    p = np.array([1, 2, 0])
    m = np.outer(x, x)
    for _ in range(3):
        m = m[p] * m[:, p]
        p[:] = np.roll(p, 1)
    return np.sum(m * W)


def stored_by_it(x):
    p = np.array([1, 2, 0])
    y = np.zeros(3)
    for t in range(3):
        y[p] += x * (t + 1)
        y[p] *= x
        p[:] = p[::-1].copy()
    return np.sum(y * W)


def by_a_callee_step(x, p):
    y = x[p] * x
    p[0] = (p[0] + 1) % 3
    return y


def by_a_callee(x):
    p = np.array([1, 2, 0])
    for _ in range(3):
        x = by_a_callee_step(x, p)
    return np.sum(x * W)


def without_axes(x):
    k = np.array(1)
    for _ in range(3):
        x = x * x[k]
        k[...] = (k + 1) % 3
    return np.sum(x * W)


def bounds_of_slices(x):
    bounds = np.array([0, 2])
    for t in range(3):
        x = x * np.sum(x[bounds[0] : bounds[1]])
        bounds[0] = t % 2
        bounds[1] = 3
    return np.sum(x * W)


PROGRAMS = [
    permutation,
    through_a_view,
    multiplied,
    added_to,
    column_of_a_table,
    in_a_tuple,
    one_of_two,
    in_a_dict,
    in_a_list,
    attribute,
    outside,
    open_mesh,
    active_set,
    switched_off,
    inverted_where_it_holds,
    switched_off_backwards,
    swapped_every_trip,
    added_at_itself,
    pivots,
    narrowed,
    chosen,
    taken,
    rows_and_columns,
    stored_by_it,
    by_a_callee,
    without_axes,
    bounds_of_slices,
]


def by_differences(function, x, step=1e-6):
    def at(point):
        ORDER[:] = [1, 2, 0]
        return function(point)

    return np.array([(at(x + step * e) - at(x - step * e)) / (2 * step) for e in np.eye(len(x))])


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_gradient_is_the_one_of_differences(program):
    expected = by_differences(program, X)
    ORDER[:] = [1, 2, 0]
    np.testing.assert_allclose(grad(program)(X), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("program", [one for one in PROGRAMS if one is not outside])
def test_so_is_the_second_derivative(program):
    def slope(x):
        return np.sum(grad(program)(x) * W)

    np.testing.assert_allclose(grad(slope)(X), by_differences(slope, X), rtol=1e-5, atol=1e-6)
