"""The array programs whose gradients are timed, as a user would write them, and what they are called with."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.programs import Program


def trace_of_product(a, b):
    return np.trace(a @ b)


def logistic_regression(w, x, y):
    margin = y * (x @ w)
    return np.mean(np.log1p(np.exp(-margin)))


def stencil(u, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
        u, v = v, u
    return np.sum(u * u)


def burgers(u, dt, dx, steps):
    u = u.copy()
    for _ in range(steps):
        flux = 0.5 * u * u
        u[1:-1] = u[1:-1] - dt / (2 * dx) * (flux[2:] - flux[:-2])
    return np.sum(u * u) * dx


def indexed_loop(x):
    total = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        total += d * d * x[i]
    return total


def two_layers(w1, b1, w2, b2, x, y):
    h = np.tanh(x @ w1 + b1)
    out = h @ w2 + b2
    return np.mean((out - y) ** 2)


def recurrent(w, u, b, xs):
    h = np.zeros(len(b))
    loss = 0.0
    for t in range(len(xs)):
        h = np.tanh(w @ h + u @ xs[t] + b)
        loss += np.sum(h * h)
    return loss


def gauss_seidel(a, sweeps):
    a = a.copy()
    n = a.shape[0]
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
    return a[n // 2, n // 2]


def cholesky(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = math.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
        total += math.log(low[i, i])
    return 2 * total


def softmax_regression(w, x, labels):
    scores = x @ w
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(labels)), labels])


def n_body(x, v, masses, dt, steps):
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        r2 = np.sum(d * d, axis=2) + 0.01
        a = np.sum(masses[None, :, None] * d / r2[:, :, None] ** 1.5, axis=1)
        v = v + dt * a
        x = x + dt * v
    return np.sum(masses * np.sum(v * v, axis=1)) / 2


_rng = np.random.default_rng(1)


def _normal(*shape):
    return _rng.normal(size=shape)


def smooth_wave(points):
    """A wave to start from."""
    return 1.5 + 0.5 * np.sin(np.linspace(0, 6, points))


def positive_definite(n):
    """A symmetric matrix with eigenvalues above 1."""
    a = np.random.default_rng(2).normal(size=(n, n))
    return a @ a.T / n + np.eye(n)


ARRAY_PROGRAMS = (
    Program("trace of a product, 30x30", trace_of_product, (_normal(30, 30), _normal(30, 30)), (0, 1)),
    Program(
        "logistic regression, 200x10",
        logistic_regression,
        (_normal(10), _normal(200, 10), np.where(_normal(200) > 0, 1.0, -1.0)),
        0,
    ),
    Program("linear stencil, 50 sweeps of 1,000", stencil, (smooth_wave(1000), 50), 0),
    Program("Burgers in place, 100 steps of 1,000", burgers, (smooth_wave(1000), 0.001, 0.01, 100), 0),
    Program("array of 1,000, by index", indexed_loop, (1.0 + np.sin(np.arange(1000.0)),), 0),
    Program(
        "two-layer network, 200x20",
        two_layers,
        (_normal(20, 50) / 5, _normal(50), _normal(50, 5) / 7, _normal(5), _normal(200, 20), _normal(200, 5)),
        (0, 1, 2, 3),
    ),
    Program("RNN of 50 steps", recurrent, (_normal(32, 32) / 6, _normal(32, 16) / 4, _normal(32), _normal(50, 16)), (0, 1, 2)),
    Program("Gauss-Seidel by index, 60x60", gauss_seidel, (_normal(60, 60), 2), 0),
    Program("Cholesky as loops, 20x20", cholesky, (positive_definite(20),), 0),
    Program(
        "softmax regression, 200x10", softmax_regression, (_normal(10, 5), _normal(200, 10), _rng.integers(0, 5, size=200)), 0
    ),
    Program("n-body, 40 bodies, 10 steps", n_body, (_normal(40, 3), _normal(40, 3), 1.0 + _rng.random(40), 0.01, 10), (0, 1)),
)
