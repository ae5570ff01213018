"""Whole programs, as scientists write them: networks, integrators, filters, fits."""

import numpy as np

from tests.corpus.array_reference import collector, matrix, positive, vector

ENTRIES = []
add = collector(ENTRIES)


def trace_of_product(a, b):
    return np.trace(a @ b @ a)


add(trace_of_product, (matrix(3, 3), matrix(3, 3, 1.0)), argnums=(0, 1))


def logistic_regression(w, x, y):
    margin = y * (x @ w)
    return np.mean(np.log1p(np.exp(-margin))) + 0.01 * np.dot(w, w)


add(logistic_regression, (vector(3), matrix(6, 3, 1.0), np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0])))


def indexed_loop(x):
    total = 0.0
    for i in range(1, len(x) - 1):
        total += x[i] * (x[i + 1] - x[i - 1]) ** 2
    return total


add(indexed_loop, vector(7))


def two_layers(w1, b1, w2, b2, x, y):
    h = np.tanh(x @ w1 + b1)
    out = h @ w2 + b2
    return np.mean((out - y) ** 2)


add(
    two_layers,
    (matrix(2, 3), vector(3), matrix(3, 1), np.array([0.3]), matrix(5, 2, 1.0), matrix(5, 1, 2.0)),
    argnums=(0, 1, 2, 3),
)


def recurrent(w, u, b, xs):
    h = np.zeros(len(b))
    loss = 0.0
    for t in range(len(xs)):
        h = np.tanh(w @ h + u @ xs[t] + b)
        loss += np.sum(h * h)
    return loss / len(xs)


add(recurrent, (matrix(3, 3), matrix(3, 2, 1.0), vector(3), matrix(4, 2, 2.0)), argnums=(0, 1, 2, 3))


def softmax_regression(w, x, labels):
    scores = x @ w
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(labels)), labels])


add(softmax_regression, (matrix(3, 4), matrix(5, 3, 1.0), np.array([0, 3, 1, 1, 2])))


def n_body(x, v, masses, dt, steps):
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        r2 = np.sum(d * d, axis=2) + 0.1
        a = np.sum(masses[None, :, None] * d / r2[:, :, None] ** 1.5, axis=1)
        v = v + dt * a
        x = x + dt * v
    return np.sum(masses * np.sum(v * v, axis=1)) / 2


add(n_body, (matrix(3, 2), matrix(3, 2, 1.0), positive(3), 0.1, 2), argnums=(0, 1, 2, 3))


def kalman(observations, f, h, q, r):
    x, p = np.zeros(2), np.eye(2)
    likelihood = 0.0
    for y in observations:
        x = f @ x
        p = f @ p @ f.T + q
        residual = y - h @ x
        s = h @ p @ h + r
        gain = p @ h / s
        x = x + gain * residual
        p = p - np.outer(gain, h @ p)
        likelihood += np.log(s) + residual**2 / s
    return likelihood


add(
    kalman,
    (vector(4), 0.5 * matrix(2, 2, 1.0), vector(2), 0.1 * np.eye(2), 0.5),
    argnums=(0, 1, 2, 3),
)


def fit_polynomial(coefficients, t, y):
    p = np.zeros_like(t)
    for c in coefficients[::-1]:
        p = p * t + c
    return np.sum((p - y) ** 2)


add(fit_polynomial, (vector(3), vector(5), vector(5, 1.0)), argnums=(0, 1))


def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    for _ in range(2):
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + new / rr * p
        rr = new
    return np.sum(x * x)


add(conjugate_gradients, (matrix(3, 3) @ matrix(3, 3).T + 2.0 * np.eye(3), vector(3, 1.0)), argnums=(0, 1), rtol=1e-8)


def power_iteration(a, steps):
    v = np.ones(len(a)) / np.sqrt(len(a))
    for _ in range(steps):
        v = a @ v
        v /= np.linalg.norm(v)
    return v @ a @ v


add(power_iteration, (matrix(3, 3) + matrix(3, 3).T + 3.0 * np.eye(3), 4))


def lorenz(state, steps, dt=0.01):
    def slope(s):
        x, y, z = s
        return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])

    for _ in range(steps):
        k1 = slope(state)
        k2 = slope(state + dt / 2 * k1)
        k3 = slope(state + dt / 2 * k2)
        k4 = slope(state + dt * k3)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(state**2)


add(lorenz, (vector(3), 3), (vector(3), 2, 0.02))


def wave_on_a_string(u, c, steps):
    old, now = u.copy(), u.copy()
    for _ in range(steps):
        new = np.zeros_like(u)
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + c**2 * (now[2:] - 2 * now[1:-1] + now[:-2])
        old, now = now, new
    return np.sum(now * np.arange(len(u)))


add(wave_on_a_string, (vector(6), 0.4, 3), argnums=(0, 1))


def shallow_water(h, u, dt, steps):
    h, u = h.copy(), u.copy()
    for _ in range(steps):
        hu = h * u
        h[1:-1] -= dt / 2 * (hu[2:] - hu[:-2])
        flux = 0.5 * u * u + 9.81 * h
        u[1:-1] -= dt / 2 * (flux[2:] - flux[:-2])
        h[0], h[-1] = h[1], h[-2]
        u[0] = u[-1] = 0.0
    return np.sum(h * u * u + 9.81 * h * h) / 2


add(shallow_water, (positive(6), vector(6), 0.05, 3), argnums=(0, 1, 2))


def reaction_diffusion(u, v, steps):
    for _ in range(steps):
        lap_u = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        uvv = u * v * v
        u = u + 0.1 * lap_u - uvv + 0.05 * (1 - u)
        v += uvv - 0.1 * v
    return np.mean(u * v)


add(reaction_diffusion, (0.5 * positive(3, 3), positive(3, 3, start=1.0), 2), argnums=(0, 1))


def ising_field(spins, coupling, field):
    n, m = spins.shape
    energy = 0.0
    for i in range(n):
        for j in range(m):
            s = spins[i, j]
            energy -= coupling * s * (spins[(i + 1) % n, j] + spins[i, (j + 1) % m])
            energy -= field[i] * s
    return energy


add(ising_field, (matrix(3, 3), 0.5, vector(3)), argnums=(0, 1, 2))


def lennard_jones(x):
    n = len(x)
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = x[i] - x[j]
            r2 = np.dot(d, d)
            if r2 < 9.0:
                s6 = 1.0 / r2**3
                energy += 4.0 * (s6 * s6 - s6)
    return energy


add(lennard_jones, np.array([[0.0, 0.1, 0.0], [1.1, 0.0, 0.2], [0.3, 1.2, -0.4], [5.0, 5.0, 5.0]]))


def gaussian_process(theta, x, y):
    d = x[:, None] - x[None, :]
    k = theta[0] ** 2 * np.exp(-0.5 * d * d / theta[1] ** 2) + theta[2] ** 2 * np.eye(len(x))
    low = np.linalg.cholesky(k)
    alpha = np.linalg.solve(k, y)
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(low)))


add(gaussian_process, (np.array([1.2, 0.8, 0.5]), vector(4), vector(4, 1.0)), rtol=1e-8)


def moving_average(x, width):
    y = np.empty(len(x) - width + 1)
    s = np.sum(x[:width])
    y[0] = s
    for i in range(1, len(y)):
        s += x[i + width - 1] - x[i - 1]
        y[i] = s
    return np.sum((y / width) ** 2)


add(moving_average, (vector(6), 3))


def convolution_layer(image, kernel):
    n, m = image.shape
    k, _ = kernel.shape
    out = np.zeros((n - k + 1, m - k + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i : i + k, j : j + k] * kernel)
    return np.sum(np.maximum(out, 0.0) ** 2)


add(convolution_layer, (matrix(4, 4), matrix(2, 2, 1.0)), argnums=(0, 1))


def attention(x, wq, wk, wv):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.T / np.sqrt(q.shape[1])
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return np.sum((p @ v) ** 2)


add(attention, (matrix(3, 2), matrix(2, 2, 1.0), matrix(2, 2, 2.0), matrix(2, 2, 3.0)), argnums=(0, 1, 2, 3))


def forward_algorithm(start, moves, emissions, seen):
    alpha = start * emissions[:, seen[0]]
    logs = 0.0
    for o in seen[1:]:
        alpha = (alpha @ moves) * emissions[:, o]
        total = alpha.sum()
        alpha /= total
        logs += np.log(total)
    return logs


add(
    forward_algorithm,
    (positive(2), positive(2, 2, start=1.0), positive(2, 3, start=2.0), np.array([0, 2, 1, 1])),
    argnums=(0, 1, 2),
)


def k_means_cost(centres, points):
    total = 0.0
    for p in points:
        d = np.sum((centres - p) ** 2, axis=1)
        total += d[np.argmin(d)]
    return total


add(k_means_cost, (matrix(2, 2), matrix(4, 2, 1.0)), argnums=(0, 1))


def newton_system(b, steps):
    x = np.ones(2)
    for _ in range(steps):
        f = np.array([x[0] ** 2 + x[1] - b[0], x[0] - x[1] ** 3 + b[1]])
        jacobian = np.array([[2 * x[0], 1.0], [1.0, -3 * x[1] ** 2]])
        x = x - np.linalg.solve(jacobian, f)
    return x[0] * x[1]


add(newton_system, (np.array([2.5, 0.3]), 3), rtol=1e-8)


def rotation_chain(angles, point):
    p = point.copy()
    for a in angles:
        c, s = np.cos(a), np.sin(a)
        r = np.array([[c, -s], [s, c]])
        p = r @ p
        p[0] += 1.0
    return p @ p


add(rotation_chain, (vector(3), vector(2)), argnums=(0, 1))


def gram_schmidt(a):
    q = a * 1.0
    n = q.shape[1]
    for j in range(n):
        for k in range(j):
            q[:, j] -= (q[:, k] @ q[:, j]) * q[:, k]
        q[:, j] /= np.sqrt(q[:, j] @ q[:, j])
    return np.sum(q * np.arange(n)) + q[0, -1] ** 2


add(gram_schmidt, matrix(4, 3))


def black_scholes_on_a_grid(volatility, spot, steps, size):
    s = np.linspace(0.0, 2.0, size)
    v = np.maximum(s - 1.0, 0.0) + 0.1 * spot * s
    dt = 0.02 / steps
    for _ in range(steps):
        second = np.zeros(size)
        second[1:-1] = v[2:] - 2 * v[1:-1] + v[:-2]
        v = v + dt * 0.5 * volatility**2 * np.arange(size) ** 2 * second
        v[0], v[-1] = 0.0, 1.0
    return v[size // 2]


add(black_scholes_on_a_grid, (0.4, 1.0, 3, 7), argnums=(0, 1))


def heat_implicit(u, k, steps):
    n = len(u)
    a = np.eye(n) * (1 + 2 * k)
    for i in range(n - 1):
        a[i, i + 1] = a[i + 1, i] = -k
    for _ in range(steps):
        u = np.linalg.solve(a, u)
    return np.sum(u**2)


add(heat_implicit, (vector(4), 0.3, 2), argnums=(0, 1))


def momentum_descent(start, curvature, rate, steps):
    x, m = start.copy(), np.zeros_like(start)
    losses = np.zeros(steps)
    for t in range(steps):
        g = curvature * x + x**3
        m *= 0.9
        m += g
        x -= rate * m
        losses[t] = np.sum(x * x)
    return losses[-1] + 0.1 * losses.mean()


add(momentum_descent, (vector(3), positive(3), 0.1, 4), argnums=(0, 1, 2))


def descent_over_arrays_by_name(w, b, rate):
    params = {"w": w * 1.0, "b": b * 1.0}
    for _ in range(2):
        slopes = {name: 2.0 * params[name] + np.sum(params["w"]) for name in params}
        for name in params:
            params[name] -= rate * slopes[name]
    return np.sum(params["w"] ** 2) + np.sum(params["b"] * params["w"][:2])


add(descent_over_arrays_by_name, (vector(3), vector(2), 0.1), argnums=(0, 1, 2))


def layers_scaled_by_index_and_name(w, scales):
    layers = [{"w": w * 1.0, "b": w[:2] * 2.0}, {"w": w * w, "b": w[1:] + 1.0}]
    for i in range(len(layers)):
        for name in layers[i]:
            layers[i][name] *= scales[i]
    return np.sum(layers[0]["w"] * layers[1]["w"]) + np.sum(layers[0]["b"] * layers[1]["b"])


add(layers_scaled_by_index_and_name, (vector(3), vector(2)), argnums=(0, 1))


def rows_appended_and_stacked(x):
    rows = []
    for k in range(3):
        rows.append(x * k + x[0])
    together = np.vstack(rows) * np.stack(rows) + np.column_stack(rows).T
    return np.sum(together**2) + np.sum(np.hstack(rows) * np.concatenate(rows))


add(rows_appended_and_stacked, vector(3))


def two_parts(p, q):
    return {"all": p, "rest": p[1:], "other": q}


def left_early_with_parts_of_arrays(x, m):
    first = two_parts(x, x)
    second = two_parts(first["all"], x)
    if m.min() > -2.0:
        s = 0.5 * (first["all"] @ second["all"])
        if np.sin(second["rest"][3] * second["rest"][0]) > 1.3:
            return np.sum(first["rest"] * first["rest"]) + s
    for row in m:
        np.add.at(row, [1], 0.5 * np.mean(second["rest"] * second["rest"]))
    return np.sum(x * x) + np.sum(m) + np.sum(first["rest"] * second["rest"] * second["all"][1:])


add(left_early_with_parts_of_arrays, (vector(5), matrix(2, 2, 1.0)), argnums=(0, 1))


def turned_quaternion(w):
    """Steps of a rotation: scaled in place after each, from a constant that becomes active."""
    q = np.array([1.0, 0, 0, 0])
    for _ in range(3):
        q = q + 0.1 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        q /= np.linalg.norm(q)
    return q @ q[::-1]


add(turned_quaternion, vector(3))


def turned_quaternion_without_scaling(w):
    q = np.array([1.0, 0.5, 0, 0])
    for _ in range(3):
        q = q + 0.1 * np.array([-q[1:] @ w, *np.cross(q[1:], w)])
    return q @ q[::-1]


add(turned_quaternion_without_scaling, vector(3))


def turned_vector(w):
    q = w * 1.0
    for _ in range(2):
        q = q[0] * w + np.cross(q, w)
        q /= np.linalg.norm(q)
    return q @ q[::-1]


add(turned_vector, vector(3))
