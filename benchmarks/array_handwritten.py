"""The adjoints of `array_programs`, by hand: each returns exactly the gradient that is asked for, and nothing else.

As for numbers: the first form has the structure of the program, each statement reversed as an expert does it, with what cancels
left out and nothing saved that can be had. A second form, where there is one, is what remains when the expert goes on to simplify
the mathematics of the program, or changes the order of its sums.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def trace_of_product_by_both(a, b):
    product_bar = np.eye(len(a))
    return product_bar @ b.T, a.T @ product_bar


def trace_of_product_by_both_simplified(a, b):
    return b.T.copy(), a.T.copy()


def logistic_regression_by_w(w, x, y):
    e = np.exp(-y * (x @ w))
    margin_bar = e / (-len(y) * (1 + e))
    return x.T @ (margin_bar * y)


def stencil_by_u(u, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
        u, v = v, u
    u_bar = 2 * u
    v_bar = np.zeros_like(u)
    for _ in range(steps):
        u_bar, v_bar = v_bar, u_bar
        t_bar = v_bar[1:-1] / 3
        v_bar[1:-1] = 0.0
        u_bar[:-2] += t_bar
        u_bar[1:-1] += t_bar
        u_bar[2:] += t_bar
    return u_bar + v_bar


def stencil_by_u_assigned(u, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
        u, v = v, u
    u_bar = 2 * u
    v_bar = np.zeros_like(u)
    for _ in range(steps):
        u_bar, v_bar = v_bar, u_bar
        t_bar = v_bar[1:-1] / 3
        # what is inside of u_bar was used up two steps ago: it is written over instead of set to zero
        u_bar[1:-1] = t_bar
        u_bar[:-2] += t_bar
        u_bar[2:] += t_bar
    if steps > 0:
        v_bar[1:-1] = 0.0
    return u_bar + v_bar


def burgers_by_u(u, dt, dx, steps):
    u = u.copy()
    u_saved = []
    factor = dt / (2 * dx)
    for _ in range(steps):
        flux = 0.5 * u * u
        u_saved.append(u[1:-1].copy())
        u[1:-1] = u[1:-1] - factor * (flux[2:] - flux[:-2])
    u_bar = 2 * dx * u
    for _ in range(steps):
        u[1:-1] = u_saved.pop()
        difference_bar = factor * u_bar[1:-1]
        flux_bar = np.zeros_like(u)
        flux_bar[2:] -= difference_bar
        flux_bar[:-2] += difference_bar
        u_bar += flux_bar * u
    return u_bar


def burgers_by_u_without_flux(u, dt, dx, steps):
    u = u.copy()
    u_saved = []
    factor = dt / (2 * dx)
    for _ in range(steps):
        flux = 0.5 * u * u
        u_saved.append(u[1:-1].copy())
        u[1:-1] = u[1:-1] - factor * (flux[2:] - flux[:-2])
    u_bar = 2 * dx * u
    for _ in range(steps):
        u[1:-1] = u_saved.pop()
        difference_bar = factor * u_bar[1:-1]
        u_bar[2:] -= difference_bar * u[2:]
        u_bar[:-2] += difference_bar * u[:-2]
    return u_bar


def indexed_loop_by_x(x):
    x_bar = np.zeros_like(x)
    for i in range(len(x) - 1, 0, -1):
        d = x[i] - x[i - 1]
        d_bar = 2 * d * x[i]
        x_bar[i] += d * d + d_bar
        x_bar[i - 1] -= d_bar
    return x_bar


def two_layers_by_weights(w1, b1, w2, b2, x, y):
    h = np.tanh(x @ w1 + b1)
    out_bar = h @ w2 + b2 - y
    out_bar *= 2 / out_bar.size
    a_bar = out_bar @ w2.T
    a_bar *= 1 - h * h
    return x.T @ a_bar, np.sum(a_bar, axis=0), h.T @ out_bar, np.sum(out_bar, axis=0)


def recurrent_by_weights(w, u, b, xs):
    h = np.zeros(len(b))
    h_saved = []
    for t in range(len(xs)):
        h_saved.append(h)
        h = np.tanh(w @ h + u @ xs[t] + b)
    w_bar = np.zeros_like(w)
    u_bar = np.zeros_like(u)
    b_bar = np.zeros_like(b)
    h_bar = np.zeros_like(h)
    for t in range(len(xs) - 1, -1, -1):
        h_bar += 2 * h
        a_bar = h_bar * (1 - h * h)
        h = h_saved.pop()
        w_bar += np.outer(a_bar, h)
        u_bar += np.outer(a_bar, xs[t])
        b_bar += a_bar
        h_bar = w.T @ a_bar
    return w_bar, u_bar, b_bar


def recurrent_by_weights_in_one_product(w, u, b, xs):
    steps = len(xs)
    hs = np.zeros((steps + 1, len(b)))
    for t in range(steps):
        hs[t + 1] = np.tanh(w @ hs[t] + u @ xs[t] + b)
    a_bars = np.empty((steps, len(b)))
    slopes = 1 - hs * hs
    h_bar = np.zeros(len(b))
    for t in range(steps - 1, -1, -1):
        h_bar += 2 * hs[t + 1]
        np.multiply(h_bar, slopes[t + 1], out=a_bars[t])
        h_bar = a_bars[t] @ w
    return a_bars.T @ hs[:-1], a_bars.T @ xs, np.sum(a_bars, axis=0)


def gauss_seidel_by_a(a, sweeps):
    n = a.shape[0]
    a_bar = np.zeros_like(a)
    a_bar[n // 2, n // 2] = 1.0
    for _ in range(sweeps):
        for i in range(n - 2, 0, -1):
            for j in range(n - 2, 0, -1):
                quarter_bar = a_bar[i, j] / 4
                a_bar[i, j] = 0.0
                a_bar[i - 1, j] += quarter_bar
                a_bar[i + 1, j] += quarter_bar
                a_bar[i, j - 1] += quarter_bar
                a_bar[i, j + 1] += quarter_bar
    return a_bar


def cholesky_by_a(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = math.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    a_bar = np.zeros_like(a)
    low_bar = np.zeros((n, n))
    for i in range(n - 1, -1, -1):
        low_bar[i, i] += 2 / low[i, i]
        for j in range(i, -1, -1):
            if i == j:
                s_bar = 0.5 * low_bar[i, j] / low[i, j]
            else:
                s_bar = low_bar[i, j] / low[j, j]
                low_bar[j, j] -= s_bar * low[i, j]
            for k in range(j - 1, -1, -1):
                low_bar[i, k] -= s_bar * low[j, k]
                low_bar[j, k] -= s_bar * low[i, k]
            a_bar[i, j] = s_bar
    return a_bar


def softmax_regression_by_w(w, x, labels):
    # shifting all scores of a row changes nothing: the maximum has no adjoint
    scores = x @ w
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    score_bar = e / np.sum(e, axis=1, keepdims=True)
    score_bar[np.arange(len(labels)), labels] -= 1
    score_bar /= len(labels)
    return x.T @ score_bar


def n_body_by_x_and_v(x, v, masses, dt, steps):
    d_saved = []
    r2_saved = []
    weight_saved = []
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        r2 = np.sum(d * d, axis=2) + 0.01
        weight = masses / r2**1.5
        d_saved.append(d)
        r2_saved.append(r2)
        weight_saved.append(weight)
        v = v + dt * np.sum(weight[:, :, None] * d, axis=1)
        x = x + dt * v
    v_bar = masses[:, None] * v
    x_bar = np.zeros_like(x)
    for _ in range(steps):
        d = d_saved.pop()
        v_bar += dt * x_bar
        a_bar = dt * v_bar[:, None, :]
        along = np.sum(a_bar * d, axis=2)
        along *= 3 / r2_saved.pop()
        d_bar = a_bar - along[:, :, None] * d
        d_bar *= weight_saved.pop()[:, :, None]
        x_bar += np.sum(d_bar, axis=0)
        x_bar -= np.sum(d_bar, axis=1)
    return x_bar, v_bar


#: By the name of the program: the forms of its adjoint, the one to be measured by first.
ARRAY_HANDWRITTEN: dict[str, tuple[Callable[..., Any], ...]] = {
    "trace of a product, 30x30": (trace_of_product_by_both, trace_of_product_by_both_simplified),
    "logistic regression, 200x10": (logistic_regression_by_w,),
    "linear stencil, 50 sweeps of 1,000": (stencil_by_u, stencil_by_u_assigned),
    "Burgers in place, 100 steps of 1,000": (burgers_by_u, burgers_by_u_without_flux),
    "array of 1,000, by index": (indexed_loop_by_x,),
    "two-layer network, 200x20": (two_layers_by_weights,),
    "RNN of 50 steps": (recurrent_by_weights, recurrent_by_weights_in_one_product),
    "Gauss-Seidel by index, 60x60": (gauss_seidel_by_a,),
    "Cholesky as loops, 20x20": (cholesky_by_a,),
    "softmax regression, 200x10": (softmax_regression_by_w,),
    "n-body, 40 bodies, 10 steps": (n_body_by_x_and_v,),
}
