"""Views and aliases: one memory under several names, written through one and read through another."""

import itertools

import numpy as np

from tests.corpus.array_reference import at, collector, matrix, vector

ENTRIES = []
add = collector(ENTRIES)

V, W = vector(6), vector(6, 2.0)
M, SQUARE = matrix(3, 4), matrix(4, 4)
CUBE = vector(24, 0.3).reshape(2, 3, 4)


# 1. One buffer, two names; through a callee, a list, an attribute
def two_names(x, y):
    z = y
    z += x
    return np.sum(y * z)


add(two_names, (V, W), argnums=(0, 1))


def two_names_of_a_copy(x):
    y = x.copy()
    z = y
    y[1:] *= 2.0
    z[0] = y[1] * z[2]
    w = z.copy()
    z[:] = 0.0
    return np.sum(y + w * w)


add(two_names_of_a_copy, V)


def same(v):
    return v


def first_of(v, w):
    return v, w


def alias_through_a_callee(x):
    y = x * 1.0
    z = same(y)
    z *= x
    a, b = first_of(y, z)
    a[0] += b[1]
    return np.sum(y * y)


add(alias_through_a_callee, V)


def alias_through_a_list(x):
    y = x * 1.0
    names = [y, y]
    names[0] += 1.0
    names[1] *= names[0]
    return np.sum(y * x)


add(alias_through_a_list, V)


class Holder:
    """Holds an array."""

    def __init__(self, array):
        self.array = array


def alias_through_an_attribute(x):
    y = x * 1.0
    holder = Holder(y)
    other = Holder(holder.array)
    other.array[1:] *= holder.array[:-1]
    holder.array = x
    return np.sum(y * holder.array)


add(alias_through_an_attribute, V)


def alias_through_a_tuple_and_a_dict(x):
    y = x * 1.0
    pair = (y, {"y": y})
    pair[1]["y"][:3] = x[3:]
    pair[0][0] = y[1] * y[2]
    return np.sum(y * y)


add(alias_through_a_tuple_and_a_dict, V)


def alias_then_rebound(x):
    y = x * 1.0
    z = y
    y = y + 1.0
    y *= 2.0
    z *= x
    return np.sum(y * z)


add(alias_then_rebound, V)


# 2. Which buffer is known only at run time
def either_buffer(x, y, c):
    u, v = x * 1.0, y * 1.0
    z = u if c > 0 else v
    z[1:4] = 0.5 * z[0]
    z *= z
    return np.sum(u * v)


add(either_buffer, (V, W, 1), (V, W, -1), argnums=(0, 1))


def either_buffer_by_a_branch(x, y, c):
    if c > 0:
        z = x
    else:
        z = y
    z[:] = z * z
    w = x * y
    z[0] = 0.0
    return np.sum(w) + np.sum(x[1:] * y[:-1])


add(either_buffer_by_a_branch, (V, W, 1), (V, W, -1), argnums=(0, 1))


def either_view(x, c):
    y = x * 1.0
    v = y[::2] if c > 0 else y[3:]
    v += x[0]
    v *= v
    return np.sum(y * np.arange(6.0))


add(either_view, (V, 1), (V, -1))


def either_argument_and_a_new_one(x, c):
    y = x if c > 0 else np.zeros(6)
    y += 1.0
    return np.sum(x * y)


add(either_argument_and_a_new_one, (V, 1), (V, -1))


def chosen_by_index(x, y, k):
    buffers = [x * 1.0, y * 1.0]
    buffers[k] *= buffers[0]
    buffers[k - 1][0] = buffers[k][1]
    return np.sum(buffers[0] * buffers[1])


add(chosen_by_index, (V, W, 0), (V, W, 1), argnums=(0, 1))


def target_moves_in_a_loop(x, y):
    u, v = x * 1.0, y * 1.0
    target = u
    for k in range(4):
        target[k] = u[k + 1] * v[k] + target[k]
        target = v if target is u else u
    return np.sum(u * v)


add(target_moves_in_a_loop, (V, W), argnums=(0, 1))


# 5. Views of views, stored through any, read through any
def slice_of_a_slice(x):
    y = x * 1.0
    a = y[1:]
    b = a[::2]
    b *= a[0]
    a[1] = b[0] + b[1]
    y[3] = a[1] * b[-1]
    return np.sum(y * y) + b[1]


add(slice_of_a_slice, V)


def long_chain_of_views(x):
    y = x * 1.0
    v = y.reshape(2, 3).T[1:, ::-1].reshape(2, 2)
    w = y.reshape(3, 2)[::-1].T[0]
    w[:] = w * x[0]
    y[2] = w[0] * y[3]
    return np.sum(y * y) * np.sum(v)


add(long_chain_of_views, V)


def view_read_after_its_base_changed(x):
    y = x * 1.0
    v = y[2:5]
    before = np.sum(v * v)
    y *= 2.0
    y[3] = x[0]
    return np.sum(v * v) * before


add(view_read_after_its_base_changed, V)


def base_read_after_its_view_changed(x):
    y = x * 1.0
    v = y[::-2]
    v[:] = x[:3] * v
    v[0] = v[1] ** 2
    return np.sum(y * np.arange(6.0)) * v[2]


add(base_read_after_its_view_changed, V)


def overlapping_views(x):
    y = x * 1.0
    a, b = y[:-1], y[1:]
    a += b
    b *= a
    a[0] = b[-1]
    return np.sum(a * b)


add(overlapping_views, V)


def views_of_an_argument(x):
    v = x[1:-1]
    v *= 2.0
    x[0] = v[0]
    return np.sum(x * x)


add(views_of_an_argument, V)


def transpose(x):
    y = x * 1.0
    t = y.T
    t[0] = x[:, 1] * 2.0
    y[1] *= t[:, 2]
    t += t[0, 0]
    return np.sum(y * y * np.arange(4.0))


add(transpose, M)


def transposes_of_all_kinds(x):
    y = x * 1.0
    a, b, c = np.transpose(y, (2, 0, 1)), y.swapaxes(0, 2), np.moveaxis(y, 0, -1)
    a[0] *= 2.0
    b[1, 1] = c[0, 0, 0]
    c[1] += a[3, 0, 0]
    return np.sum(y * y * np.arange(4.0)) + np.sum(y.transpose()[0])


add(transposes_of_all_kinds, CUBE)


def reshape_that_views(x):
    y = x * 1.0
    z = y.reshape(2, 3)
    z[0] *= z[1]
    y[5] = z[0, 0]
    z.reshape(-1)[4] = 2.0 * y[1]
    return np.sum(y * y) + z[1, 2]


add(reshape_that_views, V)


def reshape_that_copies(x):
    y = x * 1.0
    z = y.T.reshape(-1)
    z[:4] *= 2.0
    y[0] = z[:4]
    return np.sum(y * y) + np.sum(z * z)


add(reshape_that_copies, M)


def view_or_copy(x):
    y = x * 1.0
    a = y.ravel()
    b = y.T.ravel()
    c = y[:, 1:].reshape(-1)
    d = y.flatten()
    a[0] = 3.0 * a[1]
    b[:] = b * b
    c += 1.0
    d[-1] = a[2]
    return np.sum(y * y) + np.sum(b) * np.sum(c) + np.sum(d * a)


add(view_or_copy, M, np.asfortranarray(M))


def view_or_copy_of_an_argument(x):
    y = x.reshape(-1)
    y *= 2.0
    return np.sum(x * x) + y[1]


add(
    view_or_copy_of_an_argument,
    M,
    np.asfortranarray(M),
    at(matrix(4, 3), build=lambda a: (a.T,)),
    at(matrix(3, 4), build=lambda a: (a[:, ::2],)),
    at(matrix(3, 4), build=lambda a: (a[::-1],)),
)


def ravel_in_a_loop(a, steps):
    b = a * 1.0
    for k in range(steps):
        flat = b.ravel()
        flat[k] = flat[k + 1] * flat[-1]
        b = b.T
    return np.sum(b * b)


add(ravel_in_a_loop, (SQUARE, 3), (SQUARE, 4))


def ravel_by_columns(x):
    y = x * 1.0
    a = y.ravel("F")
    b = np.ravel(y.T, order="A")
    a *= np.cos(np.arange(12.0))
    b[1:3] *= b[:2]
    return np.sum(a * a) + np.sum(y * y) * np.sum(b)


add(ravel_by_columns, M, np.asfortranarray(M))


def reshape_by_columns(x):
    y = x * 1.0
    a = y.reshape((4, 3), order="F")
    b = np.reshape(y[:, 1:], (3, 3), "F")
    a[0] *= a[1]
    b[:, 0] = b[0] * 2.0
    return np.sum(a * y.T) + np.sum(b**3)


add(reshape_by_columns, M, np.asfortranarray(M))


def contiguous_or_copied(x):
    y = x * 1.0
    a = np.ascontiguousarray(y[:, ::2])
    a *= a
    b = np.asfortranarray(y)
    b[0] *= a[0, 0]
    w = np.atleast_3d(y)
    w[1] *= w[0]
    return np.sum(w[:, :, 0] ** 2)


add(contiguous_or_copied, M, np.asfortranarray(M))


def views_of_what_was_a_number(x):
    y = 0.5
    for k in range(3):
        y = y + x * k
    a = y[1:]
    a *= a
    b = y[0] * 3.0
    y[..., -1] *= 2.0
    return np.sum(y * y) * np.sum(b)


add(views_of_what_was_a_number, V, M)


def parts_of_what_was_a_number(x):
    y = 0.5
    for k in range(3):
        y = y + x * k
    a = y[[1, 1, 0]]
    a *= 3.0
    b = y[y > 2.0]
    b *= b
    c = np.diag(y, 1)
    c[0] += 1.0
    y *= y
    return np.sum(a * a) + np.sum(b) + np.sum(c * c) + np.sum(y)


add(parts_of_what_was_a_number, np.abs(V) + 1.0)


def other_views_of_what_was_a_number(x, n):
    y = 1.5
    for _ in range(n):
        y = np.sin(y) * x
    a = y[1:-1]
    a += y[2] * a
    b = y[None, 1]
    b *= 2.0
    c = y.reshape(2, -1)
    c[1] *= c[0]
    y[-2] -= b[0]
    return np.sum(y * y) + np.sum(a * c[0][:1])


add(other_views_of_what_was_a_number, (V, 1), (V, 2), argnums=0)


def what_was_a_number_changed_in_a_loop(x, n):
    y = 0.25
    for k in range(n):
        y = y * x + x
        y[k] *= 2.0
        y[..., 0] += y[k] * y[-1]
    z = np.zeros(y.shape)
    z[1:] = y[:-1]
    return np.sum(z * y) + y[0]


add(what_was_a_number_changed_in_a_loop, (V, 2), (V, 4), argnums=0)


def matrices_of_what_was_a_number(x, k):
    y = x if k else x[1]
    a = np.diag(y, -1)
    b = np.zeros(y.shape[0])
    b[: len(a)] = np.sum(y[0]) * 2.0
    c = np.ones(y.shape[1:] + (2,)) * np.sum(y * y)
    d = y.reshape(y.shape[0], -1) ** 3
    return np.sum(a * a) + np.sum(b * b) + np.sum(c) + np.sum(np.broadcast_to(d, (2,) + d.shape))


add(matrices_of_what_was_a_number, (SQUARE, 0), (SQUARE, 1), argnums=0)


def added_to_one_element(x):
    y = np.zeros(7)
    z = y + x[x > 0.5][:1]
    z *= z
    return np.sum(z * z)


add(added_to_one_element, V)


def shape_assigned(x):
    y = x * 1.0
    z = y.view()
    z *= 2.0
    w = np.reshape(z, (3, -1))
    w[1] = w[0] * w[2]
    return np.sum(y * np.arange(6.0))


add(shape_assigned, V)


def diagonal(x):
    y = x * 1.0
    d = y.diagonal()
    y[1, 1] = y[0, 0] * 2.0
    y += 1.0
    return np.sum(d * d) + np.sum(np.diagonal(y, 1)) * np.sum(np.diag(y) ** 2)


add(diagonal, SQUARE)


def diagonal_by_a_flat_view(x):
    y = x * 1.0
    d = y.reshape(-1)[::5]
    d *= d
    d[0] = y[1, 1]
    return np.sum(y * y)


add(diagonal_by_a_flat_view, SQUARE)


def flat(x):
    y = x * 1.0
    y.flat[2] = x[0, 0] ** 2
    y.flat[4:6] = y.flat[0] * 2.0
    total = 0.0
    for v in y.flat:
        total += v * v
    return total


add(flat, M)


def broadcast_to_shape(x):
    y = x * 1.0
    wide = np.broadcast_to(y, (2, 6))
    before = np.sum(wide * wide)
    y[1:3] = y[0] * y[4]
    return before * np.sum(wide[1] * np.arange(6.0))


add(broadcast_to_shape, V)


def squeezed_and_expanded(x):
    y = x * 1.0
    a = y[None, :, None]
    b = np.squeeze(a)
    c = np.expand_dims(b, 0)
    c[0, 1:] *= 2.0
    b[0] = a[0, 1, 0] * x[2]
    d = np.atleast_2d(y)
    d[0, 3] = 0.5
    return np.sum(y * y) + np.sum(a) * c[0, 2] + a.squeeze()[1]


add(squeezed_and_expanded, V)


def split_into_views(x):
    y = x * 1.0
    a, b, c = np.split(y, 3)
    a *= b
    c[:] = a + c
    y[2] = c[0]
    top, rest = np.array_split(y, 2)
    rest[0] = top[0]
    return np.sum(y * np.arange(6.0)) + b[0]


add(split_into_views, V)


def split_of_a_matrix(x):
    y = x * 1.0
    left, right = np.hsplit(y, 2)
    parts = np.vsplit(right, 3)
    parts[0] += left[0]
    parts[2][0, 1] = left[1, 1] * parts[1][0, 0]
    return np.sum(y * y)


add(split_of_a_matrix, M)


def unstacked_rows(x):
    y = x * 1.0
    a, b, c = y
    a += b
    c *= a
    b[:] = 0.5 * c
    return np.sum(y * y)


add(unstacked_rows, M)


def rows_from_iteration(x):
    y = x * 1.0
    for i, row in enumerate(y):
        row *= row
        row[i] = y[0, 0] + y[-1, i]
    for a, b in zip(y[:-1], y[1:]):
        b += 0.1 * a * a
    return np.sum(y * np.arange(4.0))


add(rows_from_iteration, M)


def columns_from_iteration(x):
    y = x * 1.0
    for column in y.T:
        column /= 2.0 + np.sum(column * column)
    for row in reversed(y):
        row[1:] *= row[:-1]
    return np.sum(y * y)


add(columns_from_iteration, M)


def rows_kept_in_a_list(x):
    y = x * 1.0
    rows = [row for row in y]
    rows.reverse()
    rows[0] *= rows[1]
    rows[2][:] = rows[0] + 1.0
    y[1, 1] = rows[2][1]
    return np.sum(y * y) + np.sum(rows[1])


add(rows_kept_in_a_list, M)


def row_kept_from_a_loop(x):
    y = x * 1.0
    for row in y:
        if row[0] > 0.0:
            break
    row += 1.0
    row *= y[0]
    return np.sum(y * y)


add(row_kept_from_a_loop, M)


def view_in_each_step(x):
    y = x * 1.0
    for k in range(3):
        v = y[k : k + 3]
        v *= v[::-1]
        w = v[1:]
        w += y[0]
    return np.sum(y * w[0])


add(view_in_each_step, V)


def view_carried_by_a_loop(x):
    y = x * 1.0
    v = y
    while len(v) > 1:
        v[0] = v[0] * v[-1]
        v = v[1:]
        v += 0.1
    return np.sum(y * y) * v[0]


add(view_carried_by_a_loop, V)


def view_moves_by_parity(x):
    y = x * 1.0
    v = y[:3]
    for k in range(3):
        v[1:] *= v[:-1]
        v = y[3:] if k % 2 == 0 else y[:3]
        v[0] += v[2]
    return np.sum(y)


add(view_moves_by_parity, V)


def halves(v):
    n = len(v) // 2
    return v[:n], v[n:]


def inner_part(v):
    return v[1:-1]


def scale(v, s):
    v *= s


def kept_by_the_callee(pair):
    v = pair[0]
    kept = []
    for _ in range(2):
        kept.append(v)
        v = v + v * pair[1]
    return np.sum(kept[1] * v)


def tuples_for_a_callee(x, y):
    return kept_by_the_callee((x, y)) + kept_by_the_callee((x * y, x)) * kept_by_the_callee((y, y))


add(tuples_for_a_callee, (V, W), argnums=(0, 1))


def views_from_a_callee(x):
    y = x * 1.0
    a, b = halves(y)
    a *= b
    c = inner_part(same(y))
    c[0] = b[0] * 2.0
    scale(inner_part(c), a[0])
    scale(halves(b)[1], 0.5)
    return np.sum(y * y)


add(views_from_a_callee, V)


def sum_pairwise(v):
    if len(v) == 1:
        return v[0]
    v[0] *= v[-1]
    half = len(v) // 2
    return sum_pairwise(v[:half]) + sum_pairwise(v[half:]) * v[0]


def views_through_recursion(x):
    y = x * 1.0
    return sum_pairwise(y) + np.sum(y * y)


add(views_through_recursion, V)


def views_in_containers(x):
    y = x * 1.0
    parts = {"left": y[:3], "right": y[3:]}
    pieces = [y[k::3] for k in range(3)]
    pieces[0] *= 2.0
    parts["left"][1:] = pieces[2]
    parts["all"] = y
    parts["all"][5] = pieces[1][0] * parts["right"][0]
    return np.sum(y * y) + np.sum(pieces[1])


add(views_in_containers, V)


class Field:
    """A field, and a view of its inner part."""

    def __init__(self, u):
        self.u = u
        self.inner = u[1:-1]

    def smooth(self):
        self.inner[:] = (self.u[2:] + self.u[:-2]) / 2
        self.u[0] = self.inner[0] ** 2


def views_in_attributes(x):
    field = Field(x.copy())
    field.smooth()
    field.smooth()
    field.inner *= field.u[0]
    return np.sum(field.u**2)


add(views_in_attributes, V)


def view_captured_by_a_closure(x):
    y = x * 1.0
    tail = y[2:]

    def push(value):
        tail[1:] = tail[:-1].copy()
        tail[0] = value

    push(x[0] * x[1])
    y[2] *= 3.0
    push(y[2] * y[3])
    return np.sum(y * y)


add(view_captured_by_a_closure, V)


def pack_and_unpack(p):
    w, b = p[:4].reshape(2, 2), p[4:]
    p[1] = w[1, 0] * b[0]
    hidden = np.tanh(w @ b)
    b += hidden
    return np.sum(p * p)


add(pack_and_unpack, V)


# 8. One array as two arguments
def changed_through_the_first(x, y):
    x[1:] += y[:-1] * y[1:]
    return np.sum(x * np.sin(y))


add(changed_through_the_first, (V, V), (V, W), argnums=0)


# 9. Scratch, with and without a content that matters
def scratch_accumulates(x):
    work = x[::-1] * 1.0
    total = 0.0
    for k in range(4):
        work *= x
        total += np.sum(work) / (k + 1)
        work[k] = 0.0
    return total


add(scratch_accumulates, V)


def scratch_of_views(x):
    work = np.zeros((2, 6))
    a, b = work
    for k in range(3):
        a[:] = x + k
        b[:-1] = a[1:] * a[:-1]
        b[-1] = work[0, 0]
        x = x + 0.1 * b
    return np.sum(x * x)


add(scratch_of_views, V)


# Copies are no views
def copies(x):
    y = x * 1.0
    a, b, c, d = y.copy(), np.array(y), y[[0, 1, 2]], y[y > 0.0]
    e, f = np.asarray(y), y.astype(np.float64)
    a *= 2.0
    b[0], c[:], d[0], f[1] = 5.0, x[3:], 7.0, 9.0
    e[2] = x[0] * y[1]
    return np.sum(y * y) + np.sum(a * b) + np.sum(c) * np.sum(d) + np.sum(f * e)


add(copies, V)


def copies_that_may_not_copy(x):
    y = x * 1.0
    a = np.asarray(y, dtype=np.float64)
    b = np.ascontiguousarray(y)
    c = y.astype(np.float64, copy=False)
    d = np.array(y, copy=True)
    y *= 2.0
    return np.sum(a * x) + np.sum(b * y) + np.sum(c) * np.sum(d)


add(copies_that_may_not_copy, V)


def snapshot_kept(x):
    y = x * 1.0
    history = []
    for _ in range(3):
        y[1:] = np.sin(y[:-1] + y[1:])
        history.append(y.copy())
    return np.sum(history[0] * history[-1]) + np.sum(history[1])


add(snapshot_kept, V)


def snapshot_forgotten_to_copy(x):
    y = x * 1.0
    history = []
    for _ in range(3):
        y[1:] = np.sin(y[:-1] + y[1:])
        history.append(y)
    return np.sum(history[0] * history[-1]) + np.sum(history[1])


add(snapshot_forgotten_to_copy, V)


def functions_that_copy(x):
    y = x * 1.0
    a = np.concatenate([y, y[:2]])
    b = np.where(x > 0.0, y, 0.0)
    c = np.roll(y, 1)
    f = np.flip(y)
    y[:] = y * y
    f[0] = y[1] * 3.0
    return np.sum(a) * np.sum(b * c) + np.sum(y * np.arange(6.0))


add(functions_that_copy, V)


def flips_and_rotations(a):
    b = a * 1.0
    up, left, turned = np.flipud(b), np.fliplr(b), np.rot90(b)
    up[0] *= 2.0
    left[:, 0] = up[:, 1] * left[:, 2]
    turned[0, 0] = b[1, 1]
    return np.sum(b * b * np.arange(4.0))


add(flips_and_rotations, SQUARE)


def block_updates(a):
    b = a * 1.0
    n = 2
    a11, a12, a21, a22 = b[:n, :n], b[:n, n:], b[n:, :n], b[n:, n:]
    a12 += a11 @ a21
    a22 -= a21 @ a12
    a21[:] = a11.T
    return np.sum(b * b)


add(block_updates, SQUARE)


def window_slides(x):
    y = x * 1.0
    total = 0.0
    for i in range(len(y) - 2):
        window = y[i : i + 3]
        window[1] += window[0] * window[2]
        total += np.max(window) * np.mean(window)
    return total


add(window_slides, V)


def symmetric_part_in_place(a):
    b = a * 1.0
    for i in range(4):
        for j in range(i):
            row, column = b[i], b[:, i]
            row[j] = column[j] = 0.5 * (row[j] + column[j])
    return np.sum(b @ b)


add(symmetric_part_in_place, SQUARE)


# 13. An array and views of it that a helper makes, or that are kept outside
def buffer_and_view():
    u = np.zeros(6)
    return u, u[:2]


def from_a_helper(x):
    u, left = buffer_and_view()
    u[:] = x
    left[0] = u[1] * u[5]
    return np.sum(u**3)


add(from_a_helper, V)


def halves_that_overlap():
    u = np.zeros(6)
    return {"left": u[:4], "right": [u[2:], u[::-2]]}


def from_a_helper_without_the_whole(x):
    parts = halves_that_overlap()
    parts["left"][:] = x[2:] * x[1]
    right, odd = parts["right"]
    for _ in range(2):
        right *= x[:4]
        odd[1:] += right[1:3] * odd[0]
    return np.sum(parts["left"] ** 2) + np.sum(right)


add(from_a_helper_without_the_whole, V)


class Mesh:
    """A field, its ends and a table of both."""

    def __init__(self, n):
        self.u = np.zeros((n, 2))
        self.left, self.right = self.u[:2, 0], self.u[-2:, 0]
        self.ends = {"left": self.left, "columns": list(self.u.T)}


def from_a_constructor(x):
    mesh = Mesh(6)
    mesh.u[:, 0] = x
    mesh.u[:, 1] = x[::-1]
    for _ in range(2):
        mesh.left[:] = 0.4 * mesh.right
        mesh.ends["columns"][1][0] += mesh.u[1, 0]
        mesh.u += 0.1 * mesh.u**2
    return np.sum(mesh.u**2) + mesh.ends["left"][0]


add(from_a_constructor, V)

MESH = Mesh(6)
BOXED = [MESH]
LISTED = [np.zeros(6)]
LISTED.append(LISTED[0][1:3])
TABLE = {"row": np.zeros((2, 3))}
TABLE["flat"] = TABLE["row"].reshape(-1)


def kept_in_an_object(x):
    MESH.u[:, 0] = x
    MESH.u[:, 1] = x * x
    MESH.right[0] = MESH.u[1, 0] * MESH.u[2, 1]
    MESH.ends["columns"][0][:3] *= MESH.u[3:, 0]
    return np.sum(MESH.u**2) + MESH.left[1]


add(kept_in_an_object, V)


def kept_in_an_object_in_a_list(x):
    mesh = BOXED[0]
    mesh.u[:, 0] = x
    mesh.u[:, 1] = 0.0
    mesh.left += mesh.right * mesh.ends["left"][0]
    return np.sum(mesh.u**2)


add(kept_in_an_object_in_a_list, V)


def kept_in_a_list(x):
    LISTED[0][:] = x
    LISTED[1][:] = x[:2] * x[1]
    return np.sum(LISTED[0] ** 2)


add(kept_in_a_list, V)


def kept_in_a_dict(x):
    TABLE["flat"][:] = x
    TABLE["row"][0] *= TABLE["row"][1]
    return np.sum(TABLE["flat"] ** 2)


add(kept_in_a_dict, V)


def kept_by_a_closure():
    mesh = Mesh(6)

    def run(x):
        mesh.u[:, 0] = x
        mesh.u[:, 1] = 1.0
        mesh.left[:] = mesh.right * mesh.u[1, 0]
        return np.sum(mesh.u**2)

    return run


add(kept_by_a_closure(), V, name="kept_by_a_closure")


class Solver:
    """Keeps a mesh, which holds arrays and views of them."""

    def __init__(self):
        self.mesh = Mesh(6)

    def solve(self, x):
        self.mesh.u[:, 0] = x
        self.mesh.u[:, 1] = 0.0
        self.mesh.left[:] *= self.mesh.u[2, 0]
        self.mesh.right[1] = self.mesh.left[0]
        return np.sum(self.mesh.u**3)


add(Solver().solve, V, name="kept_by_the_object_of_a_method")


# --- Methods of arrays as functions, and with starred arguments --------------------------------------------------------------


def starred_methods(x):
    axes = (2, 0, 1)
    y = x * 2.0
    y.transpose(*axes)[0] = x[0, 0, 1]
    rows = y.reshape(*(4, -1))
    rows[1:] *= rows[:-1]
    y.swapaxes(*[0, 2])[1, 1] += 1.0
    return np.sum(x.transpose(*axes) ** 2 * np.arange(12.0).reshape(2, 2, 3)) + np.sum(y**2)


add(starred_methods, vector(12, 0.3).reshape(2, 3, 2))


def starred_in_a_helper(x):
    def arranged(a, *axes):
        return a.transpose(*axes)

    return np.sum(arranged(x, 1, 0) ** 2 * np.arange(3.0)) + np.sum(arranged(x) * arranged(x, 1, 0))


add(starred_in_a_helper, matrix(3, 4))


def bound_methods(x):
    y = x.copy()
    total, fill, largest = y.sum, y[:1].fill, x.max
    y[1] = x[0] * x[2]
    fill(x[3] ** 2)
    return total() * total(axis=0) + largest() + sum(f() for f in (x.sum, x.prod, x.mean))


add(bound_methods, V)


# --- All elements, row by row ------------------------------------------------------------------------------------------------


def all_elements_are_set(x):
    y = x * 2.0
    y.flat = x.ravel()[::-1] ** 2
    z = x.copy()
    z.T.flat = x[0, :3] ** 2
    z[:2].flat = [x[0, 0], x[1, 1] * x[2, 2]]
    x.flat = x[:, ::-1] * x[0, 0]
    return np.sum(x * y) + np.sum(y * z * np.arange(4.0))


add(all_elements_are_set, matrix(3, 4))


def elements_with_their_indices(x):
    total = 0.0
    for index, value in np.ndenumerate(x):
        total += value * value * x[index] * (index[0] + 1)
    y = np.zeros_like(x)
    for (i, j), value in np.ndenumerate(x.T):
        y[j, i] = value * x[0, 0] * i
    return total + np.sum(y * y) + sum([value * k for (k,), value in np.ndenumerate(x[0])])


add(elements_with_their_indices, matrix(3, 4))


def iterators_over_arrays(x):
    total = 0.0
    for before, after in itertools.pairwise(x):
        total += before * after * after
    for a, b in itertools.product(x, x[:2]):
        total += a * b
    return total * sum(itertools.accumulate(x)) + sum(itertools.chain(x, x[1:]))


add(iterators_over_arrays, V)
