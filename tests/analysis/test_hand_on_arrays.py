"""Arrays that are made anew in each trip, filled, and handed on: they have adjoints as numbers have, and shadows only while they
are filled. What looks like it and is not, because somebody writes later on, is memory as before."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad

X = np.array([0.7, -0.4, 1.1])
PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


class Box:
    pass


@program
def append_then_write(x, n=3):
    kept = []
    u = x * 1.0
    for k in range(n):
        new = u * x
        new[0] = u[1] * 2
        kept.append(new)
        if k > 0:
            kept[-1][1] = 3.0
        u = new
    return np.sum(u**2)


@program
def append_write_later(x, n=3):
    kept = []
    u = x * 1.0
    for k in range(n):
        new = u * x
        new[0] = u[1] * 2
        if k > 0:
            kept[-1][1] = 3.0 * x[0]
        kept.append(new)
        u = new
    return np.sum(u**2) + kept[0].sum()


@program
def changed_in_place_in_the_loop(x, n=3):
    u = x * 1.0
    u[0] = x[1]
    v = u
    for k in range(n):
        u += x[k] * x
    return np.sum(u * v)


@program
def changed_in_place_in_each_trip(x, n=3):
    u = x * 1.0
    for k in range(n):
        new = u * x
        new[0] = x[1]
        old = new
        u = new
        u *= x
        u[2] += old[2] * x[0]
    return np.sum(u**2)


@program
def changed_in_place_at_the_start_of_the_next_trip(x, n=3):
    u = x * 1.0
    kept = [u]
    for k in range(n):
        u *= x
        new = u * x
        new[0] = x[1]
        kept.append(new)
        u = new
    return np.sum(u**2) + np.sum(kept[1] * kept[2])


@program
def write_prev(x, n=3):
    u = x * 1.0
    p = x * 2.0
    for k in range(n):
        new = u * p
        new[0] *= x[1]
        p, u = u, new
        p[1] = u[0] * x[2]
    return np.sum(u * p)


@program
def write_prev_next_trip(x, n=4):
    u = x * 1.0
    p = x * 2.0
    for k in range(n):
        p[1] = u[0] * x[2]
        new = np.sin(u * p)
        new[0] *= x[1]
        p, u = u, new
    return np.sum(u * p)


@program
def view_carried(x, n=3):
    u = x * 1.0
    edge = u[:1]
    for k in range(n):
        edge[0] = x[1]
        new = np.sin(u) * x
        new[1] = edge[0] * 2
        edge = new[2:]
        u = new
    return np.sum(u**3)


@program
def brk(x, n=5):
    u = x * 1.0
    for k in range(n):
        new = u * x
        new[0] = x[1] * u[2]
        if k == 3:
            u = new * 2
            break
        u = new
    return np.sum(u**2)


@program
def brk2(x, n=5):
    u = x * 1.0
    for k in range(n):
        new = np.sin(u * x)
        new[0] = x[1] * u[2]
        u = new
        if k == 3:
            break
        u = u + x
    return np.sum(u**2)


@program
def left_after_some_trips(x, n=7):
    u = x * 1.0
    for k in range(n):
        new = 2 * u
        new[0] = 0.5 * u[1]
        u = new
        if k == 3:
            break
    return np.sum(u**2)


@program
def left_where_it_is_large(x, n=7):
    u = x * 1.0
    for k in range(n):
        new = 2 * u
        new[0] = 0.5 * u[1]
        u = new
        if u[2] > 5:
            break
    return np.sum(u**2)


@program
def left_within_a_loop(x, n=7):
    u = x * 1.0
    for j in range(3):
        for k in range(n):
            new = 1.2 * u
            new[0] = 0.5 * u[1]
            if k == j:
                break
            u = new
        w = u * 1.0
        w[1] = u[2] * 0.3
        u = w
    return np.sum(u**2)


@program
def begun_as_what_is_never_changed(x, n=3):
    u = x * 1.0
    w = x * x
    new = np.zeros(3) + x[0]
    v = x * x
    for k in range(n):
        v = v * 2
        v[0] = x[0]
        if k > 0:
            new[:] = v[:3] * 0.5
            u[0] = x[2] * new[1]
            v = new * 0.5 + w
    return np.sum(u**2)


@program
def begun_as_what_is_never_changed_by_parts(x, n=3):
    u = x * 1.0
    w = np.sin(x)
    new = np.zeros(3) + x[0]
    v = np.sin(x)
    for k in range(n):
        v = np.concatenate([v[1:], v[:1]])
        v[0] = x[0]
        if k > 0:
            new[:] = v * 0.5
            u[0] = x[2] * new[1]
            v = new * w
    return np.sum(u**2)


@program
def ret(x, n=5):
    u = x * 1.0
    for k in range(n):
        new = np.sin(u * x)
        new[0] = x[1] * u[2]
        if k == 2:
            return np.sum(new * u)
        u = new
    return np.sum(u**2)


def setb(a, v):
    a[0] = v
    a[-1] = v * v


@program
def helper(x, n=5):
    u = x * 1.0
    for k in range(n):
        new = np.sin(u * x)
        setb(new, x[1] * u[1])
        u = new
    return np.sum(u**2)


def keep(a, l):
    l.append(a)


@program
def helper_keeps(x, n=5):
    u = x * 1.0
    l = []
    for k in range(n):
        new = np.sin(u * x)
        new[0] = x[1]
        keep(new, l)
        if len(l) > 1:
            l[-2][1] = x[0]
        u = new
    return np.sum(u**2) + np.sum(l[0])


@program
def helper_keeps2(x, n=5):
    u = x * 1.0
    l = []
    for k in range(n):
        new = np.sin(u * x)
        new[0] = x[1]
        keep(new, l)
        l[-1][1] = x[0] * u[2]
        u = new
    return np.sum(u**2) + np.sum(l[0])


@program
def dct(x, n=4):
    u = x * 1.0
    d = {"a": u}
    for k in range(n):
        new = np.sin(u * x)
        new[0] = u[1]
        d["a"][1] = 2 * x[0]
        d["a"] = new
        u = new
    return np.sum(u**2)


@program
def closure(x, n=4):
    u = x * 1.0
    cur = u

    def change(v):
        cur[0] = v

    for k in range(n):
        new = np.sin(u * x)
        new[1] = u[0]
        change(x[1])
        cur = new
        u = new
    change(x[2])
    return np.sum(u**2)


@program
def init_written(x, n=4):
    u = np.zeros(3)
    u[0] = x[1]
    u[1:] = x[:2] * x[1:]
    a = u
    for k in range(n):
        u = np.sin(u) * x
        a[0] += x[0]
    return np.sum(u**2) + a.sum()


@program
def init_written2(x, n=4):
    u = np.zeros(3)
    u[0] = x[1]
    u[1:] = x[:2] * x[1:]
    v = u[1:]
    for k in range(n):
        u = np.sin(u) * x
    v[0] = 2 * x[2]
    return np.sum(u**2) + v.sum()


@program
def init_written3(x, n=0):
    u = np.zeros(3)
    u[0] = x[1]
    u[1:] = x[:2] * x[1:]
    b = u
    for k in range(n):
        u = np.sin(u) * x
    b[0] = 2 * x[2]
    return np.sum(u**2)


@program
def cond_fill(x, n=5):
    u = x * 1.0
    for k in range(n):
        new = np.sin(u * x)
        if new[0] > 0.2:
            new[1] = u[2] * x[0]
        elif k > 2:
            new[:] = u * 2
        for i in range(1, 3):
            new[i] += new[i - 1] * u[i]
        u = new
    return np.sum(u**2)


@program
def join(x, n=5):
    u = x * 1.0
    for k in range(n):
        if u[0] > 0.3:
            new = np.sin(u * x)
            new[0] = x[2]
        else:
            new = u.copy()
            new[1] = x[0] * u[0]
        new[2] *= 0.5
        u = new
    return np.sum(u**2)


@program
def nested(x, n=3):
    u = x * 1.0
    for k in range(n):
        w = np.cos(u)
        w[0] = x[1]
        for j in range(2):
            new = w * x
            new[1] = w[2] * u[0]
            w = new
        w[2] = x[0]
        u = w
    return np.sum(u**2)


@program
def nested2(x, n=3):
    u = x * 1.0
    for k in range(n):
        w = np.cos(u)
        w[0] = x[1]
        for j in range(2):
            new = w * x
            new[1] = w[2] * u[0]
            w = new
        u = w + u
        u[1] = x[1]
    return np.sum(u**2)


@program
def wh(x, n=3):
    u = x * 1.0
    k = 0
    while np.sum(u * u) < 50 and k < 6:
        new = u * 1.5
        new[0] = u[1] + x[0]
        k += 1
        u = new
    return np.sum(u**2)


@program
def swap3(x, n=5):
    a = x * 1.0
    b = x * 2.0
    c = x * x
    for k in range(n):
        new = a * b - c
        new[0] = c[1]
        new *= 0.3
        a, b, c = b, c, new
    return np.sum(a * b * c)


@program
def same_twice(x, n=4):
    u = x * 1.0
    v = x * 1.0
    for k in range(n):
        new = np.sin(u + v)
        new[0] = u[1] * v[2]
        u = new
        v = new
    return np.sum(u * v)


@program
def same_twice_written(x, n=4):
    u = x * 1.0
    v = x * 1.0
    for k in range(n):
        u[1] = v[0] * x[0]
        new = np.sin(u + v)
        new[0] = u[1] * v[2]
        u = new
        v = new
    return np.sum(u * v)


@program
def rows(x, n=3):
    u = np.outer(x, x)
    for k in range(n):
        new = np.sin(u)
        for row in new:
            row[0] = row[1] * x[0]
        new[0] = u[1]
        u = new
    return np.sum(u**2)


@program
def transposed(x, n=3):
    u = np.outer(x, x)
    for k in range(n):
        new = u.T.copy()
        new.T[0] = u[1] * x
        r = new.reshape(-1)
        r[4] = x[0]
        np.multiply(new, x, out=new)
        u = new
    return np.sum(u**2) + u[0, 1]


@program
def aug(x, n=4):
    u = x * 1.0
    for k in range(n):
        new = u * 2
        new -= x
        new[1:] *= u[:-1]
        new /= 1.5
        u = new
    return np.sum(u**2)


@program
def identity(x, n=4):
    u = x * 1.0
    c = 0.0
    for k in range(n):
        new = u * x
        new[0] = x[1]
        old = u
        u = new
        if u is new:
            c += u[0]
        if old is u:
            c += 100
    return np.sum(u**2) + c


@program
def tup(x, n=4):
    s = (x * 1.0, x * 2.0)
    for k in range(n):
        a, b = s
        new = a * b
        new[0] = a[1]
        new[2] = x[2]
        s = (b, new)
    return np.sum(s[0] * s[1])


@program
def obj(x, n=4):
    o = Box()
    o.u = x * 1.0
    for k in range(n):
        new = np.sin(o.u) * x
        new[0] = o.u[1]
        o.u = new
    return np.sum(o.u**2)


@program
def lst(x, n=4):
    h = [x * 1.0]
    for k in range(n):
        new = np.sin(h[-1]) * x
        new[0] = h[-1][1]
        h.append(new)
    return np.sum(h[-1] ** 2) + np.sum(h[1])


@program
def recursive(x, n=4):
    def step(u, k):
        if k == 0:
            return u
        new = np.sin(u * x)
        new[0] = u[1]
        return step(new, k - 1)

    return np.sum(step(x * 1.0, n) ** 2)


@program
def fstep(x, n=4):
    def step(u):
        new = np.sin(u * x)
        new[0] = u[1]
        return new

    u = x
    for k in range(n):
        u = step(u)
    return np.sum(u**2)


@program
def fstep2(x, n=4):
    def step(u):
        new = np.sin(u * x)
        new[0] = u[1]
        return new

    u = x
    for k in range(n):
        new = step(u)
        new[2] = x[0]
        u = new
    return np.sum(u**2)


@program
def arg_start(x, n=4):
    u = x
    for k in range(n):
        new = u.copy()
        new[0] = u[1] * u[2]
        u = new
    return np.sum(u**2)


@program
def arg_start_written_after(x, n=1):
    u = x
    for k in range(n):
        new = u.copy()
        new[0] = u[1] * u[2]
        u = new
    u[1] = 2 * u[0]
    return np.sum(u**2)


@program
def elsewhere(x, n=3):
    u = x * 1.0
    for k in range(n):
        new = u * x
        new[0] = u[2]
        u = new
    else:
        u = u * 2
        u[1] = x[1]
    return np.sum(u**2)


@program
def try_(x, n=3):
    u = x * 1.0
    for k in range(n):
        new = u * x
        try:
            new[0] = u[2]
        finally:
            new[1] = x[0]
        u = new
    return np.sum(u**2)


@program
def masked(x, n=3):
    u = x * 1.0
    for k in range(n):
        new = np.sin(u) * 3
        new[new > 0.5] = 0.1
        new[[0, 2]] *= x[1]
        np.add.at(new, [0, 0], x[0])
        new.sort()
        u = new
    return np.sum(u**2)


@program
def lu_like(x, n=3):
    A = np.outer(x, x) + np.eye(3) * 4
    for k in range(3):
        B = A.copy()
        for i in range(k + 1, 3):
            f = B[i, k] / B[k, k]
            B[i] -= f * B[k]
        A = B
    return A[0, 0] * A[1, 1] * A[2, 2]


def differences(function, x, step=1e-4):
    """Central differences of fourth order."""

    def slope(e):
        far = function(x + 2 * step * e) - function(x - 2 * step * e)
        return (8 * (function(x + step * e) - function(x - step * e)) - far) / (12 * step)

    return np.array([slope(e) for e in np.eye(len(x))])


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_value_and_gradient(function):
    x = X.copy()
    value, gradient = value_and_grad(function)(x)
    assert value == function(X.copy())
    np.testing.assert_array_equal(x, X)
    np.testing.assert_allclose(gradient, differences(function, X), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(grad(function)(x), gradient, rtol=1e-13)


@pytest.mark.parametrize("function", [one for one in PROGRAMS if one is not recursive], ids=lambda function: function.__name__)
def test_second_derivative(function):
    def combined(x):
        return np.sum(grad(function)(x) * np.array([1.0, 2.0, 3.0]))

    np.testing.assert_allclose(grad(combined)(X), differences(combined, X), rtol=1e-6, atol=1e-7)


def wave(u0, c, steps):
    before, u = u0.copy(), np.sin(u0)
    for _ in range(steps):
        new = 2 * u - before
        new[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
        new[0] = new[-1] = 0.0
        before, u = u, new
    return np.sum(u**2)


def diffusion(u, c, steps):
    for _ in range(steps):
        new = np.empty_like(u)
        new[1:-1] = c * u[2:] + u[:-2]
        new[0], new[-1] = u[0], 0.0
        u = new
    return np.sum(u**2)


@pytest.mark.parametrize("function", [wave, diffusion])
def test_linear_steps_save_nothing(function):
    u = np.cos(np.arange(6.0))
    derivative = grad(function)
    assert "saved" not in derivative.source(u, 0.1, 4)
    np.testing.assert_allclose(derivative(u, 0.1, 4), differences(lambda u: function(u, 0.1, 4), u), rtol=1e-7, atol=1e-8)


def advection(u, c, steps):
    for _ in range(steps):
        new = u.copy()
        new[1:] -= c * u[1:] * (u[1:] - u[:-1])
        u = new
    return np.sum(u**2)


def test_nonlinear_steps_save_one_array_a_trip():
    u = np.cos(np.arange(6.0))
    source = grad(advection).source(u, 0.1, 4)
    assert source.count(".append(") == 1
    np.testing.assert_allclose(grad(advection)(u, 0.1, 4), differences(lambda u: advection(u, 0.1, 4), u), rtol=1e-7, atol=1e-8)


def test_no_derivative_changes_what_it_is_given():
    u = np.cos(np.arange(6.0))
    kept = u.copy()
    for steps in (0, 1, 4):
        gradient = grad(advection)(u, 0.1, steps)
        np.testing.assert_array_equal(u, kept)
        assert not np.shares_memory(gradient, u)
