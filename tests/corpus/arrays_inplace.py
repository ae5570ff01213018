"""In-place updates: loops that read and write one buffer, double buffering, `out=`, callees that change their arguments, and
buffers that are captured, global, in containers and attributes."""

import numpy as np

from tests.corpus.array_reference import collector, matrix, positive, vector

ENTRIES = []
add = collector(ENTRIES)

V, W = vector(7), vector(7, 2.0)
M, SQUARE = matrix(3, 4), matrix(4, 4)
#: Diagonally dominant.
DOMINANT = matrix(4, 4) + 4.0 * np.eye(4)


# Loops that read and write one buffer
def gauss_seidel(a):
    a = a.copy()
    n = a.shape[0]
    for _ in range(3):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
    return a[n // 2, n // 2]


add(gauss_seidel, matrix(5, 5), matrix(4, 4))


def gauss_seidel_nonlinear(a, b):
    n = len(b)
    x = np.zeros(n)
    for _ in range(4):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= a[i, j] * x[j]
            x[i] = s / a[i, i]
    return np.sum(x * x)


add(gauss_seidel_nonlinear, (DOMINANT, vector(4)), argnums=(0, 1))


def prefix_sums(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return np.sum(y * y)


add(prefix_sums, V, vector(1))


def prefix_products(x):
    y = x * 1.0
    for i in range(len(y) - 2, -1, -1):
        y[i] = y[i] * y[i + 1] + y[i]
    return y[0] + np.sum(y)


add(prefix_products, V)


def lu_determinant(a):
    a = a.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    d = 1.0
    for k in range(n):
        d *= a[k, k]
    return d


add(lu_determinant, DOMINANT)


def lu_by_rows(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return np.sum(x * x)


add(lu_by_rows, (DOMINANT[::-1].copy(), vector(4)), (matrix(4, 4, 0.4), vector(4)), argnums=(0, 1), rtol=1e-7)


def cholesky(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return np.sum(np.log(np.diag(low)))


add(cholesky, matrix(4, 4) @ matrix(4, 4).T + 4.0 * np.eye(4))


def cholesky_in_place(a):
    n = len(a)
    for j in range(n):
        a[j, j] = np.sqrt(a[j, j] - a[j, :j] @ a[j, :j])
        for i in range(j + 1, n):
            a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]
    return a[-1, -1] * a[-1, 0] + a[1, 1]


add(cholesky_in_place, matrix(4, 4) @ matrix(4, 4).T + 4.0 * np.eye(4))


def edit_distance(x, y):
    n, m = len(x), len(y)
    d = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        d[i, 0] = d[i - 1, 0] + abs(x[i - 1])
    for j in range(1, m + 1):
        d[0, j] = d[0, j - 1] + abs(y[j - 1])
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            d[i, j] = min(d[i - 1, j] + 0.3, d[i, j - 1] + 0.31, d[i - 1, j - 1] + cost)
    return d[n, m]


add(edit_distance, (vector(4), vector(5, 0.3)), argnums=(0, 1))


def knapsack(values, weights, capacity):
    best = np.zeros(capacity + 1)
    for k in range(len(values)):
        for c in range(capacity, weights[k] - 1, -1):
            best[c] = max(best[c], best[c - weights[k]] + values[k] ** 2)
    return best[capacity]


add(knapsack, (positive(4), np.array([2, 3, 1, 2]), 5))


def viterbi(scores, moves):
    best = scores[0].copy()
    for t in range(1, len(scores)):
        new = np.empty_like(best)
        for j in range(len(best)):
            new[j] = np.max(best + moves[:, j]) + scores[t, j]
        best = new
    return np.max(best)


add(viterbi, (matrix(4, 3), matrix(3, 3, 1.0)), argnums=(0, 1))


def burgers(u, dt, dx):
    u = u.copy()
    for _ in range(5):
        flux = 0.5 * u * u
        u[1:-1] = u[1:-1] - dt / (2 * dx) * (flux[2:] - flux[:-2])
    return np.sum(u * u) * dx


add(burgers, (positive(7), 0.01, 0.1), argnums=(0, 1, 2))


def explicit_heat(u, k):
    for _ in range(4):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
        u[-1] = 0.0
    return np.sum(u**2)


add(explicit_heat, (V, 0.2), argnums=(0, 1))


def thomas(a, b, c, d):
    n = len(d)
    c, d = c.copy(), d.copy()
    c[0] /= b[0]
    d[0] /= b[0]
    for i in range(1, n):
        m = b[i] - a[i] * c[i - 1]
        c[i] /= m
        d[i] = (d[i] - a[i] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return np.sum(d * d)


add(thomas, (vector(4), 4.0 + vector(4, 1.0), vector(4, 2.0), vector(4, 3.0)), argnums=(0, 1, 2, 3))


def sum_by_halves(x):
    y = x.copy()
    n = len(y)
    while n > 1:
        half = n // 2
        y[:half] = np.sin(y[:half] + y[n - half : n])
        n -= half
    return y[0] * y[-1]


add(sum_by_halves, V)


def fourier_by_butterflies(x):
    re, im = x.copy(), np.zeros(len(x))
    size = 2
    while size <= len(x):
        half = size // 2
        for start in range(0, len(x), size):
            for k in range(half):
                angle = -2 * np.pi * k / size
                i, j = start + k, start + k + half
                tr = re[j] * np.cos(angle) - im[j] * np.sin(angle)
                ti = re[j] * np.sin(angle) + im[j] * np.cos(angle)
                re[j], im[j] = re[i] - tr, im[i] - ti
                re[i] += tr
                im[i] += ti
        size *= 2
    return np.sum((re**2 + im**2) * np.arange(len(x)))


add(fourier_by_butterflies, vector(8))


def bubble_sort(x):
    y = x.copy()
    for i in range(len(y)):
        for j in range(len(y) - 1 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return np.sum(y * np.arange(len(y)))


add(bubble_sort, V)


# Double buffering
def two_buffers(u, nu, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = u[1:-1] + nu * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u * u)


add(two_buffers, (V, 0.1, 4), (V, 0.1, 5), (V, 0.1, 1), (V, 0.1, 0), argnums=(0, 1))


def two_buffers_nonlinear(u, steps):
    v = np.zeros_like(u)
    for _ in range(steps):
        v[0], v[-1] = u[0], u[-1]
        v[1:-1] = np.sin(u[2:] * u[:-2]) + v[1:-1]
        u, v = v, u
    return np.sum(u * v) + u[1]


add(two_buffers_nonlinear, (V, 3), (V, 4))


def two_buffers_both_changed(u, v, steps):
    for k in range(steps):
        u[1:] *= v[:-1]
        v += 0.1 * u
        u, v = v, u
    return np.sum(u * u) - np.sum(v)


add(two_buffers_both_changed, (V, W, 3), (V, W, 2), argnums=(0, 1))


def three_buffers(u, c, steps):
    old, now, new = u.copy(), 0.9 * u, np.zeros_like(u)
    for _ in range(steps):
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + c * now[1:-1] * (now[2:] - 2 * now[1:-1] + now[:-2])
        old, now, new = now, new, old
    return np.sum(now**2) + np.sum(old * new)


add(three_buffers, (0.4 * V, 0.2, 3), (0.4 * V, 0.2, 4), (0.4 * V, 0.2, 5), argnums=(0, 1))


def buffers_by_parity(u, steps):
    buffers = np.zeros((2, len(u)))
    buffers[0] = u
    for k in range(steps):
        a, b = buffers[k % 2], buffers[(k + 1) % 2]
        b[1:] = a[:-1] * a[1:]
        b[0] = a[0] + b[-1]
    return np.sum(buffers[steps % 2] * buffers[0])


add(buffers_by_parity, (V, 3), (V, 4))


def buffer_made_in_each_step(u, steps):
    for k in range(steps):
        new = np.empty_like(u)
        new[0] = u[0] * u[-1]
        for i in range(1, len(u)):
            new[i] = np.sin(u[i] + new[i - 1])
        u = new
    return np.sum(u * u)


add(buffer_made_in_each_step, (V, 3), (V, 0))


def buffer_reused_by_all_steps(u):
    work = np.zeros(len(u))
    total = 0.0
    for k in range(3):
        work[:] = u * (k + 1.0)
        work *= work
        total += np.sum(work) * work[k]
    return total


add(buffer_reused_by_all_steps, V)


def swapped_in_one_branch(u, v, steps):
    for k in range(steps):
        u[1:] += 0.1 * v[1:] * v[:-1]
        if k % 2 == 0:
            u, v = v, u
    return u[1] * u[-1] + np.sum(v)


add(swapped_in_one_branch, (V, W, 4), (V, W, 1), argnums=(0, 1))


def swapped_in_a_while(x, tol):
    new = np.zeros_like(x)
    count = 0
    while True:
        new[:] = 0.3 * np.cos(x) + 0.1 * x[::-1]
        x, new = new, x
        count += 1
        if np.max(np.abs(x - new)) < tol:
            break
    return np.sum(x) * count


add(swapped_in_a_while, (V, 0.05), rtol=1e-8)


# `out=`, `where=`, and functions that change their argument
def out_of_a_ufunc(x, y):
    z = np.zeros(len(x))
    np.multiply(x, y, out=z)
    np.add(z, x, z)
    np.sin(z, out=z)
    np.maximum(z, y, out=(z,))
    return np.sum(z * x)


add(out_of_a_ufunc, (V, W), argnums=(0, 1))


def out_of_a_ufunc_is_an_operand(x):
    y = x * 1.0
    np.exp(y, out=y)
    np.multiply(y, y, out=y)
    np.subtract(y[1:], y[:-1], out=y[:-1])
    return np.sum(y * x)


add(out_of_a_ufunc_is_an_operand, V)


def out_of_a_reduction(x):
    total = np.zeros(4)
    np.sum(x * x, axis=0, out=total)
    highest = np.empty(3)
    np.max(x, axis=1, out=highest)
    running = np.zeros((3, 4))
    np.cumsum(x, axis=1, out=running)
    return total @ total + np.sum(highest) + np.sum(running**2)


add(out_of_a_reduction, M)


def out_of_a_product(a, x):
    y = np.zeros(3)
    np.dot(a, x, out=y)
    z = np.zeros((3, 3))
    np.matmul(a, a.T, out=z)
    np.clip(y, -0.4, 0.5, out=y)
    return np.sum(y * y) + np.sum(z * z)


add(out_of_a_product, (M, vector(4)), argnums=(0, 1))


def out_is_returned(x):
    z = np.zeros(len(x))
    w = np.multiply(x, 2.0, out=z)
    w += x
    return np.sum(z * w)


add(out_is_returned, V)


def where_of_a_ufunc(x, y):
    z = np.ones(len(x))
    np.multiply(x, y, out=z, where=x > 0.0)
    np.log(x, out=z, where=x > 0.5)
    return np.sum(z * y)


add(where_of_a_ufunc, (V, W), argnums=(0, 1))


def where_of_a_ufunc_on_a_view(x):
    """What is overwritten is an operand, and was brought to the shape of the output before."""
    for _ in range(2):
        y = x[1::2]
        np.multiply(y, y, out=y, where=y < 0.4)
    return np.sum(x * x)


add(where_of_a_ufunc_on_a_view, V)


def where_of_a_ufunc_with_a_copy(x, w):
    for _ in range(3):
        y = x[::2]
        np.multiply(y.copy(), y, out=y, where=y < w[::2])
        np.subtract(w[::2], y, out=w[::2], where=w[0] < 9.0)
    return np.sum(x * w)


add(where_of_a_ufunc_with_a_copy, (V, W), argnums=(0, 1))


def where_of_a_ufunc_into_a_list(x, y):
    """Which array it is that changes, the list says: an operand is it."""
    for _ in range(3):
        box = [y, x]
        np.multiply(np.abs(y), y, out=box[0], where=box[0] < 0.4)
    return np.sum(x) + np.sum(y * y)


add(where_of_a_ufunc_into_a_list, (W, V), argnums=(0, 1))


def where_of_a_reduction(x):
    return np.sum(x * x, where=x > 0.0) + np.max(x, where=x < 0.5, initial=-9.0) + np.mean(x, where=x > 0.0)


add(where_of_a_reduction, V)


def copied_by_copyto(x, y):
    z = np.zeros((2, len(x)))
    np.copyto(z, x)
    np.copyto(z[1], y * y)
    np.copyto(z[0], y, where=x > 0.0)
    np.copyto(z[:, 0], 3.0)
    return np.sum(z * z * np.arange(len(x)))


add(copied_by_copyto, (V, W), argnums=(0, 1))


def put(x):
    y = np.zeros(6)
    np.put(y, [0, 3, 3], x[:3])
    y.put([5, 1], x[4] * x[5])
    np.put(y, [-2], 2.0)
    return np.sum(y * y * np.arange(6.0))


add(put, V)


def place_and_putmask(x):
    y = x * 1.0
    np.place(y, x > 0.2, [x[0], x[1] * 2.0])
    np.putmask(y, x < -0.5, x * x)
    return np.sum(y * np.arange(7.0))


add(place_and_putmask, V)


def put_along_axis(x):
    y = x * 1.0
    np.put_along_axis(y, np.argmax(x, axis=1)[:, None], x[:, :1] * 2.0, axis=1)
    return np.sum(y * y)


add(put_along_axis, M)


def add_at(x, w):
    y = x * 1.0
    np.add.at(y, [1, 3, 1, 1], w)
    np.subtract.at(y, np.array([0, 0]), w[1])
    np.add.at(y, (slice(2, 5),), x[:3])
    return np.sum(y**3)


add(add_at, (V, vector(4, 1.0)), argnums=(0, 1))


def multiply_at(x, w):
    y = x * 1.0
    np.multiply.at(y, [1, 3, 1, 1], w)
    np.divide.at(y, [0, 0], w[:2])
    np.negative.at(y, [2, 2, 3])
    np.maximum.at(y, [4, 4], w[2:])
    return np.sum(y**3 * np.arange(7.0))


add(multiply_at, (V, vector(4, 1.0)), argnums=(0, 1))


def add_at_in_two_dimensions(x, i, j):
    y = np.zeros((3, 3))
    np.add.at(y, (i, j), x)
    return np.sum(y * y)


add(add_at_in_two_dimensions, (vector(4), np.array([0, 1, 0, 2]), np.array([1, 1, 1, 0])))


def filled(x):
    y = x * 1.0
    y.fill(x[0])
    z = np.empty(4)
    z.fill(0.5)
    z[1:3].fill(x[1] * x[2])
    return np.sum(y * x) + np.sum(z * z)


add(filled, V)


def sorted_in_place(x):
    y = x * x
    y.sort()
    z = x.reshape(1, 7) * np.ones((2, 1))
    z[1] *= -1.0
    z.sort(axis=1)
    z[:, ::2].sort(axis=0)
    return np.sum(y * np.arange(7.0)) + np.sum(z[0] * z[1])


add(sorted_in_place, V)


def partitioned_in_place(x):
    y = x * 1.0
    y.partition(3)
    return y[3] * y[3]


add(partitioned_in_place, V)


def diagonal_filled(x, s):
    y = x * x
    np.fill_diagonal(y, s)
    z = np.zeros((4, 4))
    np.fill_diagonal(z, x[0])
    return np.sum(y * y) + np.sum(z @ x)


add(diagonal_filled, (SQUARE, 0.7), argnums=(0, 1))


def rows_swapped(x):
    y = x * 1.0
    y[[0, 2]] = y[[2, 0]]
    y[0], y[1] = y[1].copy(), y[0].copy()
    y[:, [0, 1]] = y[:, [1, 0]]
    return np.sum(y * y * np.arange(12.0).reshape(3, 4))


add(rows_swapped, M)


def rows_swapped_without_copies(x):
    y = x * 1.0
    y[0], y[1] = y[1], y[0]
    return np.sum(y * y * np.arange(12.0).reshape(3, 4))


add(rows_swapped_without_copies, M)


def resized_and_shuffled_by_index(x, order):
    y = x * 1.0
    y[:] = y[order]
    y[order] = y * y
    return np.sum(y * np.arange(7.0))


add(resized_and_shuffled_by_index, (V, np.array([3, 1, 0, 6, 2, 5, 4])))


# Output arrays
def empty_filled(x):
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = np.sin(x[i]) * i
    return np.sum(y * y)


add(empty_filled, V)


def empty_filled_by_slices(x):
    y = np.empty((2, len(x)))
    y[0, 1:] = x[:-1]
    y[0, 0] = x[-1]
    y[1] = y[0] ** 2
    z = np.empty_like(y)
    z[:] = y[::-1]
    return np.sum(z[0] * z[1])


add(empty_filled_by_slices, V)


def trajectory(x, steps):
    path = np.zeros((steps + 1, len(x)))
    path[0] = x
    for t in range(steps):
        path[t + 1] = path[t] + 0.1 * np.sin(path[t, ::-1])
    return np.sum(path[-1] ** 2) + np.sum(path[::2, 0])


add(trajectory, (V, 4), (V, 0))


def filled_in_any_order(x, order):
    y = np.empty(len(x))
    for k in order:
        y[k] = x[k] ** 2
    return np.sum(y * np.arange(len(x)))


add(filled_in_any_order, (vector(4), np.array([2, 0, 3, 1])), (vector(4), [3, 2, 1, 0]))


def written_twice(x):
    y = np.zeros(3)
    y[0] = x[0] ** 2
    y[0] = x[1] ** 2
    y[1] = y[0] * x[2]
    y[0] = y[1] * y[0]
    y[:] = y[0] + y
    return np.sum(y)


add(written_twice, V)


def read_then_overwritten(x):
    y = x * 1.0
    a = np.sin(y)
    b = y[1] * y[2]
    c = y * y
    y[:] = 0.0
    y[1] = 5.0
    return np.sum(a * c) * b + y[1]


add(read_then_overwritten, V)


def stored_in_one_branch(x, c):
    y = x * 1.0
    z = np.sum(y * y)
    if c > 0.0:
        y[1:3] = x[0] * y[2:4]
        y *= y
    elif c < -1.0:
        y = x[::-1]
    return z * np.sum(y * np.arange(7.0))


add(stored_in_one_branch, (V, 1.0), (V, -0.5), (V, -2.0))


def scale_by_what_one_branch_binds(y, x, n):
    if n > 1:
        factor = y * x if n > 2 else y[::-1] * 1.0
    y *= x
    if n > 1:
        y *= factor


def bound_in_one_branch_of_a_callee(x, n):
    y = x * 1.0
    scale_by_what_one_branch_binds(y, x, n)
    return np.sum(y * y)


add(bound_in_one_branch_of_a_callee, (V, 1), (V, 2), (V, 3))


def scale_by_what_was_chosen(y, x, n):
    factor = y * 2.0 if n > 0 else y * 1.0
    y *= x
    y *= factor


def chosen_before_an_update_in_a_callee(x, n):
    y = x * 1.0
    scale_by_what_was_chosen(y, x, n)
    return np.sum(y * y)


add(chosen_before_an_update_in_a_callee, (V, 0), (V, 1))


def scale_by_what_a_loop_binds(y, x, n):
    for k in range(n):
        factor = y * (k + 1)
    y *= x
    if n > 0:
        y *= factor


def bound_in_a_loop_of_a_callee(x, n):
    y = x * 1.0
    scale_by_what_a_loop_binds(y, x, n)
    return np.sum(y * y)


add(bound_in_a_loop_of_a_callee, (V, 0), (V, 2))


def square_a_part(y, x, n):
    for k in range(3):
        if n > k:
            part = y[k:]
            rest = part[1:]
        y *= x
        if n > k:
            part *= part
            rest[0] = y[k] * x[k]


def part_bound_in_one_branch(x, n):
    y = x * 1.0
    square_a_part(y, x, n)
    return np.sum(y * y)


add(part_bound_in_one_branch, (V, 0), (V, 2), (V, 4))


def stored_in_a_loop_of_no_trips(x, n):
    y = x * x
    for k in range(n):
        y[k] = y[k + 1] * y[k]
    return np.sum(y * y)


add(stored_in_a_loop_of_no_trips, (V, 0), (V, 3))


def stored_until_a_break(x):
    y = x * 1.0
    for i in range(1, len(y)):
        y[i] = y[i] * y[i - 1]
        if y[i] < -0.2:
            y[0] = y[i] ** 2
            break
        y[i] += 1.0
    return np.sum(y * y)


add(stored_until_a_break, V, W)


def early_return_from_stores(x, n):
    y = x * 1.0
    for i in range(len(y)):
        y[i] *= y[i - 1]
        if i == n:
            return y[i] * y[0]
    return np.sum(y)


add(early_return_from_stores, (V, 3), (V, 99))


# Overlapping operations
def overlap_forward(x):
    y = x * 1.0
    y[1:] += y[:-1]
    y[1:] *= y[:-1]
    return np.sum(y * y)


add(overlap_forward, V)


def overlap_backward(x):
    y = x * 1.0
    y[:-1] += y[1:]
    y[:] = y[::-1] * y
    y[::2] = y[: len(y[::2])]
    y[1:] = y[:-1]
    return np.sum(y * y * np.arange(7.0))


add(overlap_backward, V)


def overlap_with_itself(x):
    y = x * 1.0
    y += y
    y *= y
    y -= y[0]
    y /= y[::-1] + 20.0
    return np.sum(y * np.arange(7.0))


add(overlap_with_itself, V)


def overlap_of_a_transpose(a):
    b = a * 1.0
    b += b.T
    b[:] = b.T * b[0]
    b[0] = b[:, 0] ** 2
    return np.sum(b * np.arange(16.0).reshape(4, 4))


add(overlap_of_a_transpose, SQUARE)


def overlap_in_a_loop(x):
    y = x * 1.0
    for k in range(1, 4):
        y[k:] += 0.5 * y[:-k] * y[k:]
    return np.sum(y)


add(overlap_in_a_loop, V)


# Callees that change their arguments
def scale_rows(a, s):
    for i in range(len(a)):
        a[i] *= s + i


def normalise(v):
    v /= np.sqrt(np.sum(v * v))
    return v


def relax(u, f):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (u[i - 1] + u[i + 1]) + f[i] * u[i] ** 2


def clear(v):
    v[:] = 0.0


def callee_changes_its_argument(a, s):
    b = a * 1.0
    scale_rows(b, s)
    scale_rows(b[1:], s * s)
    return np.sum(b * b)


add(callee_changes_its_argument, (M, 0.7), argnums=(0, 1))


def callee_returns_its_argument(x):
    y = x * 1.0
    z = normalise(y)
    z[0] = z[1] * 2.0
    return np.sum(y * y * np.arange(7.0)) * z[-1]


add(callee_returns_its_argument, V)


def callee_in_a_loop(u, f):
    u = u.copy()
    for _ in range(3):
        relax(u, f)
        relax(f, u * 0.1)
    return u[3] * u[1]


add(callee_in_a_loop, (V, W), argnums=(0, 1))


def callee_clears(x):
    y = x * x
    total = np.sum(y)
    clear(y[2:])
    total += np.sum(y) * y[0]
    clear(y)
    return total + np.sum(y)


add(callee_clears, V)


def update_recursively(y, n):
    if n == 0:
        return
    y[n] += y[n - 1] * y[n]
    update_recursively(y, n - 1)
    y[0] *= 1.5


def callee_is_recursive(x):
    y = x * 1.0
    update_recursively(y, 5)
    return np.sum(y * y)


add(callee_is_recursive, V)


def quicksort(y, low, high):
    if low >= high:
        return
    pivot, i = y[high], low
    for j in range(low, high):
        if y[j] < pivot:
            y[i], y[j] = y[j], y[i]
            i += 1
    y[i], y[high] = y[high], y[i]
    quicksort(y, low, i - 1)
    quicksort(y, i + 1, high)


def callee_sorts(x):
    y = x * x
    quicksort(y, 0, len(y) - 1)
    return np.sum(y * np.arange(7.0) ** 2)


add(callee_sorts, V)


def axpy(alpha, x, y):
    y += alpha * x


def callee_is_called_with_one_array_twice(x):
    y = x * 1.0
    axpy(0.5, y, y)
    axpy(y[0], y[1:], y[:-1])
    return np.sum(y * y)


add(callee_is_called_with_one_array_twice, V)


# Buffers that are captured, global, in lists, in attributes
def captured_scratch(y):
    cache = np.zeros(len(y))

    def loss(z):
        cache[:] = 2 * y
        z[:] = np.sin(cache)
        return np.sum(z * cache)

    return loss(np.empty(len(y)))


add(captured_scratch, V)


def make_scratch_loss(cache, out):
    def loss(y):
        cache[:] = 2 * y
        out[:] = np.sin(cache)
        return np.sum(out)

    return loss


add(make_scratch_loss(np.zeros(7), np.zeros(7)), V, name="scratch_captured_from_outside")


def make_running(state):
    def advance(y):
        state[:] = 0.0
        for k in range(3):
            state[1:] += y[:-1] * (k + state[:-1])
            state[0] = y[k]
        return np.sum(state * state)

    return advance


add(make_running(np.ones(7)), V, name="state_captured_from_outside")

SCRATCH = np.zeros(7)


def global_scratch(x):
    np.multiply(x, x, out=SCRATCH)
    SCRATCH[0] = x[1]
    fill_global(x[2])
    return np.sum(SCRATCH * x)


def fill_global(value):
    SCRATCH[-2:] = value


add(global_scratch, V)

STATE = np.ones(7)


def advance_global_state(x):
    STATE[1:] += x[:-1] * STATE[:-1]
    if STATE[0] > 0.1:
        STATE[0] *= x[0] / 2
        advance_global_state(x * x)


def global_state_through_recursion(x):
    advance_global_state(x)
    advance_global_state(x / 2)
    result = np.sum(STATE**2)
    STATE[...] = 1.0
    return result


add(global_state_through_recursion, 0.5 * V)

BUFFERS = [np.zeros(7), np.ones(7)]


def swap_global_buffers():
    BUFFERS[0], BUFFERS[1] = BUFFERS[1], BUFFERS[0]


def buffers_in_a_global_list(x):
    BUFFERS[0][:] = x * x
    BUFFERS[1] += BUFFERS[0] * x
    swap_global_buffers()
    result = np.sum(BUFFERS[0] * BUFFERS[1] * x)
    swap_global_buffers()
    BUFFERS[1][:] = 1.0
    return result


add(buffers_in_a_global_list, V)


class Layer:
    """Weights that a step changes in place, and a record of the steps."""

    def __init__(self):
        self.weights = np.ones(7)
        self.rate = 0.5
        self.record = []

    def step(self, x):
        self.weights *= 1 + self.rate * x
        self.record.append(self.rate * x[0])
        self.rate = self.rate * x[1]

    def reset(self):
        self.weights[:] = 1.0
        self.rate = 0.5
        self.record.clear()


LAYER = Layer()


def global_object_changed_by_its_methods(x):
    for _ in range(3):
        LAYER.step(x)
    result = np.sum(LAYER.weights) + sum(LAYER.record) * LAYER.rate
    LAYER.reset()
    return result


add(global_object_changed_by_its_methods, V)

PARAMETERS = {"weights": np.ones(7), "bias": 0.1}


def descend(x):
    PARAMETERS["weights"] -= 0.1 * x * PARAMETERS["weights"]
    PARAMETERS["bias"] = PARAMETERS["bias"] * x[0]


def parameters_in_a_global_dict(x):
    for _ in range(3):
        descend(x)
    result = np.sum(PARAMETERS["weights"] * x) + PARAMETERS["bias"]
    PARAMETERS["weights"][:] = 1.0
    PARAMETERS["bias"] = 0.1
    return result


add(parameters_in_a_global_dict, V)


def buffers_in_a_list(x):
    work = [np.zeros(7), np.zeros(7)]
    work[0][:] = x * x
    work[1][1:] = work[0][:-1] + x[1:]
    work.append(work[0])
    work[2] += 1.0
    return np.sum(work[0] * work[1])


add(buffers_in_a_list, V)


def buffers_in_a_dict(x):
    state = {"u": x.copy(), "v": np.zeros(7)}
    for _ in range(3):
        state["v"] += 0.1 * np.sin(state["u"])
        state["u"] -= state["v"]
        state["w"] = state["u"]
        state["w"][0] = 0.5
    return np.sum(state["u"] * state["v"])


add(buffers_in_a_dict, V)


class Grid:
    """A field and a scratch buffer of its size."""

    def __init__(self, values):
        self.values = values
        self.work = np.zeros(len(values))

    def step(self, k):
        self.work[1:-1] = self.values[2:] * self.values[:-2]
        self.values += k * self.work

    def energy(self):
        return np.sum(self.values**2)


def buffers_in_attributes(x, k):
    grid = Grid(x.copy())
    for _ in range(3):
        grid.step(k)
    grid.values[0] = 2.0
    return grid.energy() + np.sum(grid.work)


add(buffers_in_attributes, (V, 0.1), argnums=(0, 1))


def attribute_swapped(x):
    grid = Grid(x.copy())
    for _ in range(3):
        grid.work[:] = np.sin(grid.values[::-1])
        grid.values, grid.work = grid.work, grid.values
    return np.sum(grid.values * grid.work)


add(attribute_swapped, V)


# Arguments that the primal changes
def argument_scaled(x):
    x *= 2.0
    x[0] = x[1] * x[2]
    return np.sum(x * x)


add(argument_scaled, V)


def argument_changed_and_returned_early(x, y):
    x[:] = np.sin(x) * y
    if x[0] > 100.0:
        return x[0]
    y[1:] += x[:-1]
    return np.sum(x * y)


add(argument_changed_and_returned_early, (V, W), argnums=(0, 1))


def argument_sorted(x):
    first = x[0]
    x.sort()
    return first * x[0] + np.sum(x * np.arange(7.0))


add(argument_sorted, V)


def list_argument_changed(arrays):
    arrays[0] += arrays[1]
    arrays[1] = arrays[0] * 2.0
    arrays[1][0] = 1.0
    return np.sum(arrays[0] * arrays[1])


add(list_argument_changed, [V, W])


def one_array_twice_changed(x, y):
    x += 1.0
    x[1:] *= y[:-1]
    return np.sum(x * y)


add(one_array_twice_changed, (V, V), (V, W), argnums=0)


def unread_argument_overwritten(x, y):
    y[:] = x * 2.0
    return np.sum(y * y)


add(unread_argument_overwritten, (V, W), argnums=(0, 1))


def nothing_left(x):
    x[:] = 3.0
    return np.sum(x)


add(nothing_left, V)


# --- Containers that nobody reads any more, and that hold arrays which somebody does -------------------------------------------


def views_in_a_list(x):
    y = np.array([x[0], x[1], 2.0])
    views = [y[:2], y[1:]]
    views[0] *= x[2]
    views[1] += x[3]
    return np.sum(y * y)


add(views_in_a_list, V)


def one_of_two_in_a_dict(x):
    y = np.array([x[0], 1.0])
    z = np.array([x[1], x[2]])
    chosen = {"one": y if x[0] > x[1] else z}
    chosen["one"] *= x[3]
    chosen["one"] += 1.0
    return np.sum(y * z)


add(one_of_two_in_a_dict, V, -V)


def made_of_lists_and_reshaped(x):
    y = np.array([[x[0], 1.0], [x[1], x[2]]])
    kept = [np.asarray(y), y.reshape(4)]
    kept[0][0] *= x[3]
    kept[1][1:] += x[0]
    return np.sum(y * y)


add(made_of_lists_and_reshaped, V)


def view_read_in_an_inner_loop(x):
    for _ in range(2):
        for _ in range(1):
            z = np.maximum(0.5 * np.flip(x) * x, 0.3)
        x *= np.cos(x)
    return np.sum(x * x) + np.sum(z * z)


add(view_read_in_an_inner_loop, V)


def filled_with_its_last_element_through_a_list(x, m):
    both = [m, x]
    x.fill(both[1][-1] * 1.0)
    y = x * 2.0
    y[1:] = both[0][0]
    x.fill(both[1][0])
    return np.sum(x * x) + np.sum(m) + np.sum(y * y)


add(filled_with_its_last_element_through_a_list, (vector(4), matrix(2, 3)), argnums=(0, 1))


# Arrays without axes: memory, where their arithmetic gives numbers
def rebound_to_a_sum(s):
    t = s
    t *= 2
    t = t + 1
    return t * s


add(rebound_to_a_sum, np.array(1.5))


def accumulator_scaled_at_the_end(x):
    a = np.array(0.0)
    s = a
    for v in x:
        a += v
    a = a * 2
    return s * a


add(accumulator_scaled_at_the_end, V)


def view_of_one_element_rebound(x):
    a = np.zeros(3)
    b = a[1, ...]
    b += x[0]
    b = b + 1
    return a @ a * b


add(view_of_one_element_rebound, V)


def rebound_in_a_dict_a_list_and_an_attribute(x):
    d, items = {"a": np.array(x[0])}, [np.array(x[1])]
    first, second = d["a"], items[0]
    d["a"] = d["a"] + 1
    items[0] = x[2] * items[0]
    first *= 3.0
    return d["a"] * first + items[0] * second


add(rebound_in_a_dict_a_list_and_an_attribute, V)


def chosen_number_in_place(x):
    y = np.where(x[0] > 0, x[0], x[1])
    z = y
    z += 1
    w = np.where(x[0] > 0, 1.0, x[1])
    v = w
    v *= x[2]
    return y * z + v * w


add(chosen_number_in_place, V)


def chosen_number_in_a_dict_and_in_a_helper(x):
    def shift(v):
        v += x[1]

    d = {"a": np.where(x[0] > 0, x[0], x[1])}
    y = d["a"]
    d["a"] += 1
    shift(y)
    return y * d["a"]


add(chosen_number_in_a_dict_and_in_a_helper, V)


def chosen_numbers_in_loops(x):
    y, total = np.where(x[0] > 0, x[0], x[1]), 0.0
    for v in x:
        y = np.where(v > y, v * y, y)
        total = total + np.where(v > 0, v, 0.1 * v) * v
    return y * total


add(chosen_numbers_in_loops, V)


def rolled_and_flipped_without_axes(x):
    y = np.roll(np.array(x[0]), 1)
    z = y
    z += x[1]
    u = np.flip(np.array(x[2]))
    v = u
    v += x[3]
    return y * z + u * v


add(rolled_and_flipped_without_axes, V)


def numbers_by_methods_of_arrays(x):
    total = 0.0
    for y in (x[0].reshape(()), np.reshape(x[1], ()), np.squeeze(x[2]), np.transpose(x[3]), np.sum(x).reshape(()), x[4].copy()):
        z = y
        z += x[5]
        total += y * z
    return total


add(numbers_by_methods_of_arrays, V)


def number_chosen_by_another(x):
    y = np.choose(0, [x[0], x[1]])
    z = y
    z += x[1]
    return y * z


add(number_chosen_by_another, V)


def contiguous_arrays_of_one_number(x):
    a = np.array(x[0])
    y = np.ascontiguousarray(a)
    y *= x[1]
    return a * y[0] + (np.ascontiguousarray(x[2]) * x[3]).sum() + np.asfortranarray(x[4])[0] * x[0]


add(contiguous_arrays_of_one_number, V)


def arrays_without_axes_returned_by_helpers(x):
    def first(v):
        return np.transpose(np.reshape(v[:1], ()))

    return first(x) + first(x * x) + np.reshape(x[1:2], ())


add(arrays_without_axes_returned_by_helpers, V)


def elements_of_arrays_with_other_axes_swapped_in_a_list(x, m):
    held = [x, m]
    held[0][0], held[0][3] = held[0][3], held[0][0]
    held[1][0], held[1][1] = held[1][1] * 2.0, held[1][0] * x[0]
    return np.sum(held[0] ** 3) + np.sum(held[1] ** 2) + x @ held[0]


add(
    elements_of_arrays_with_other_axes_swapped_in_a_list,
    (np.array([0.3, -0.8, 1.1, 0.6]), np.array([[0.5, 1.2], [-0.7, 0.4]])),
    argnums=(0, 1),
)


def a_list_of_arrays_with_other_axes_stored_with_a_first_axis(x, m):
    held = [x, m]
    held[0][1:] = (held[0][:-1])[None]
    held[1][1:] = (held[1][:-1])[None] * 2.0
    return np.sum(held[0] ** 3) + np.sum(held[1] ** 2) + x @ held[0]


add(
    a_list_of_arrays_with_other_axes_stored_with_a_first_axis,
    (np.array([0.3, -0.8, 1.1, 0.6]), np.array([[0.5, 1.2], [-0.7, 0.4]])),
    argnums=(0, 1),
)


# Only the running program knows whether an item is a number or an array: ``x[k] += e`` of arrays with several numbers of axes
OTHERS = (np.array([0.3, -0.8, 1.1, 0.6]), np.array([[0.5, 1.2], [-0.7, 0.4]]))


def items_of_arrays_with_other_axes_updated(x, m):
    held = [x, m]
    held[0][1] *= 2.0
    held[1][0] *= held[0][1]
    held[0][-1] -= held[1][0, 1] * held[0][0]
    held[1][1, 0] /= held[0][2]
    return np.sum(held[0] ** 3) + np.sum(held[1] ** 2)


add(items_of_arrays_with_other_axes_updated, OTHERS, argnums=(0, 1))


def items_of_arrays_with_other_axes_updated_in_loops(x, m):
    held = [x, m]
    for _ in range(2):
        for i in range(2):
            for k in range(len(held[i])):
                held[i][k] *= held[i][k - 1]
    return np.sum(held[0] * x) + np.sum(held[1] ** 2)


add(items_of_arrays_with_other_axes_updated_in_loops, OTHERS, argnums=(0, 1))


def item_of_an_array_or_of_its_row_updated(m, k):
    y = m * 1.0
    part = y if k else y[0]
    part[1] *= part[0]
    part[-1] **= 2.0
    part[k] += np.sum(part)
    return np.sum(y**2) + np.sum(part)


add(item_of_an_array_or_of_its_row_updated, (matrix(3, 3), 0), (matrix(3, 3), 1), argnums=0)


def view_of_an_item_kept_and_changed(x, m):
    held = [x, m]
    row = held[1][0]
    held[1][0] *= 3.0
    row[0] += held[0][0]
    held[0][2] += row[1]
    return np.sum(held[1] * row) + np.sum(held[0] ** 2)


add(view_of_an_item_kept_and_changed, OTHERS, argnums=(0, 1))


def elements_of_what_two_lists_hold_exchanged(x, m):
    first, second = [x, m], [m, x]
    first[0][0], second[0][0] = second[1][1] * 2.0, first[1][1]
    second[1][2], first[1][1] = first[0][0] ** 2, second[0][0] * x[3]
    return np.sum(first[0] ** 3) + np.sum(second[0] ** 2)


add(elements_of_what_two_lists_hold_exchanged, OTHERS, argnums=(0, 1))


def filled_with_an_item_of_a_dict_of_arrays(x, m):
    named = {}
    for key, value in (("x", x), ("m", m)):
        named[key] = value
    x.fill(named["x"][1] * named["m"][1, 1])
    y = x * 3.0
    y[:2] = named["m"][0]
    x[1:3] = named["m"][0] * y[0]
    return np.sum(x * x) + np.sum(y * y)


add(filled_with_an_item_of_a_dict_of_arrays, OTHERS, argnums=(0, 1))


def rows_of_single_and_double_precision(x, m):
    held = [x.astype(np.float32), m]
    held[0][0] *= x[1]
    held[1][0] *= 1.5
    return np.sum(held[1] ** 2) * float(held[0][0])


add(rows_of_single_and_double_precision, OTHERS, argnums=1, rtol=1e-6)


# Floor division in place: what it gives is constant between steps
def floor_divided_views(x, y):
    z = x * 2.0
    z[1:] //= 0.5
    z[0] *= y[1]
    w = z[2:]
    w //= y[2]
    return np.sum(x * z * y)


add(floor_divided_views, (V, W), argnums=(0, 1))


def floor_divided_in_a_loop(x):
    y = x.copy()
    total = 0.0
    for _ in range(3):
        y *= 1.5 + 0.1 * y[::-1]
        total += np.sum(y**2)
        y //= 0.7
        y += x
    return total + np.sum(y * x)


add(floor_divided_in_a_loop, V)


def floor_divided_by_itself(x):
    y = x * x
    y //= y
    y += 3.0 * x
    z = [y, x * 1.0]
    z[1] //= z[0]
    return np.sum(y * z[1])


add(floor_divided_by_itself, V)


# Arrays that are added to each other in turn, with no factor between: what one holds is read before more comes to it
def added_in_turn(x, y):
    x += y
    y += x
    x -= y
    return np.sum(x * y)


add(added_in_turn, (V, W), argnums=(0, 1))


def views_added_in_turn(x, y):
    x[1:] += y[:-1]
    y[::2] += x[::2]
    np.add(x, y, out=x)
    np.subtract(y, x, out=y)
    y[1:] -= x[1:]
    return np.sum(x * y) + np.sum(y)


add(views_added_in_turn, (V, W), argnums=(0, 1))


def added_in_turn_in_a_loop(x, y):
    for k in range(3):
        x += y
        if k:
            y += x
        x[1:] -= y[1:]
    return np.sum(x * y) + y @ x


add(added_in_turn_in_a_loop, (V, W), argnums=(0, 1))


# An array without axes that is returned is what it was when it was returned
def sum_in_an_array_without_axes(x):
    y = np.zeros(())
    for v in x:
        y += v * v
    y *= y
    return y


add(sum_in_an_array_without_axes, V)


def argument_without_axes(x):
    x *= x
    x[...] = np.sin(x) + x
    x += 1.0
    x *= x
    return x


add(argument_without_axes, np.array(0.4))


# Arrays that are None at first
def sums_that_begin_with_none(xs):
    total = None
    for x in xs:
        total = x.copy() if total is None else total + x
        total[0] *= 0.5
    return total @ total


add(sums_that_begin_with_none, np.vstack([V, W]), name="sums_that_begin_with_none")
add(sums_that_begin_with_none, ([V, W],), name="sums_of_a_list_that_begin_with_none")


def the_row_before(x):
    before, product = None, np.zeros_like(x[0])
    for row in x:
        if before is not None:
            product += before * row
            before *= 0.5
            row -= before
        before = row
    return np.sum(product**2) + np.sum(x * x)


add(the_row_before, np.vstack([V, W, V * W]))


def buffer_made_when_needed(x):
    buffer = None
    for k in range(4):
        if k % 2:
            if buffer is None:
                buffer = np.zeros_like(x)
            buffer += x * k
            buffer[1:] *= buffer[:-1]
    return np.sum(buffer) + (0.0 if buffer is None else buffer[0] ** 2)


add(buffer_made_when_needed, V)


class Momentum:
    def __init__(self):
        self.velocity = None

    def step(self, x, slope):
        if self.velocity is None:
            self.velocity = np.zeros_like(x)
        self.velocity *= 0.9
        self.velocity -= 0.1 * slope
        x += self.velocity


def descent_with_momentum(x):
    x = x.copy()
    momentum = Momentum()
    for _ in range(3):
        momentum.step(x, np.sin(x) + x)
    return np.sum(x * x) + momentum.velocity[0]


add(descent_with_momentum, V)


def _scale_by(target, factor):
    target *= factor
    return target[1:]


def of_a_mixed_list(x, m):
    """What the list holds may have any number of axes to the helper."""
    parts = [x, m]
    y = x * 1.0
    tail = _scale_by(y, parts[0])
    return np.sum(tail * tail) + np.sum(parts[1]) + _mean_square(parts[0], y)


def _mean_square(p, q):
    return np.mean(p * q)


add(of_a_mixed_list, (V, M), argnums=(0, 1))


# Arrays of a tuple that a function gives, changed afterwards
def sign_of_qr(a):
    q, r = np.linalg.qr(a)
    signs = np.sign(np.diag(r))
    q *= signs
    r *= signs[:, None]
    return q[0] @ q[1] + r[0] @ r[1]


add(sign_of_qr, matrix(4, 3))


def truncated_svd(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    s[2:] = 0.0
    return np.sum(((u * s) @ vt) ** 2)


add(truncated_svd, matrix(4, 3) + np.diag([6.0, 3.0, 1.0, 0.0])[:, :3])  # singular values far apart: sharp differences


def sign_of_eigenvectors(a):
    found = np.linalg.eigh(a + a.T)
    v = found.eigenvectors
    v *= np.sign(v[0])
    found.eigenvalues[0] **= 2
    return found.eigenvalues @ np.arange(4.0) + np.sum(v[:, 0] ** 3)


add(sign_of_eigenvectors, SQUARE)


def grid_of_coordinates(x, y):
    total = 0.0
    for k in range(3):
        across, down = np.meshgrid(x, y)
        across *= down
        down[k % 2] += across[0]
        total += np.sum(across * down)
        x = across[1]
    return total


add(grid_of_coordinates, (V, vector(2)), argnums=(0, 1))


def fractions_in_place(x):
    parts = np.modf(x)
    fraction, whole = parts
    fraction += whole * fraction
    whole -= fraction
    return np.sum(parts[0] ** 2) + np.sum(whole * x)


add(fractions_in_place, 3.0 * V)


def remainders_in_place(x, y, either):
    quotient, rest = np.divmod(x, y)
    changed = quotient if either else rest
    changed *= rest
    return np.sum(rest * quotient * x)


add(remainders_in_place, (2.0 * V, positive(7), True), (2.0 * V, positive(7), False), argnums=(0, 1))
