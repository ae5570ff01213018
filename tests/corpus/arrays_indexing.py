# ruff: noqa: E501
"""Indexing: reading and storing with every kind of index, iteration over rows."""

import numpy as np

from tests.corpus.array_reference import collector, matrix, positive, vector

ENTRIES = []
add = collector(ENTRIES)

V, W = vector(6), vector(6, 2.0)
M, SQUARE = matrix(3, 4), matrix(4, 4)
CUBE = vector(24, 0.3).reshape(2, 3, 4)
INDEX = np.array([2, 0, 2, 5, 2])
ROWS = [2, 0, 2]

# fmt: off
# Reading
add(lambda x: x[0] * x[-1] + x[2] ** 2, V, name="elements")
add(lambda x: x[0, 1] * x[-1, -2] + x[2][0] * x[1, 1], M, name="elements_of_a_matrix")
add(lambda x: np.sum(x[1:] * x[:-1]), V, name="neighbours")
add(lambda x: np.sum(x[1:-1] * x[2:] - x[:-2] ** 2), V, name="stencil")
add(lambda x: np.sum(x[::2] * x[1::2]), V, name="steps")
add(lambda x: np.sum(x[::-1] * x * np.arange(6)), V, name="reversed")
add(lambda x: np.sum(x[4:1:-1] * x[-1:-4:-1] + x[-3:] ** 2), V, name="negative_steps")
add(lambda x: np.sum(x[-100:100] * x[:100]), V, name="slices_past_the_ends")
add(lambda x: np.sum(x[:, 1] * x[:, -1]), M, name="columns")
add(lambda x: np.sum(x[1] * x[0] * x[-1, ::-1]), M, name="rows")
add(lambda x: np.sum(x[1:, ::2] * x[:-1, 1::2]), M, name="blocks")
add(lambda x: np.sum(x[1:-1, 1:-1] * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])), SQUARE, name="five_point_stencil")
add(lambda x: np.sum(x[..., 0] * x[..., -1]) + np.sum(x[0, ...] ** 2) + np.sum(x[...] * 3.0), M, CUBE, name="ellipsis")
add(lambda x: np.sum(x[1, ..., 2] * x[0, ..., ::-1][..., 0]), CUBE, name="ellipsis_between")
add(lambda x: np.sum(x[:, None] * x[None, :] * np.arange(6)), V, name="new_axes")
add(lambda x: np.sum(x[None, :, None, 1:] * x[..., np.newaxis, :-1]), M, name="new_axes_and_slices")
add(lambda x: np.sum(x[()] * x), V, np.array(0.7), name="empty_tuple")
add(lambda x, k: x[k] * x[-k], (V, 2), (V, np.int64(3)), name="index_in_a_variable")
add(lambda x, k: np.sum(x[k] * x[k]), (V, slice(1, 5, 2)), (M, (1, slice(None))), (M, (slice(0, 2), 3)), (M, Ellipsis), (V, None), (V, INDEX), (V, ROWS), name="key_in_a_variable")
add(lambda x, n: np.sum(x[:n] ** 2) + np.sum(x[n:] ** 3) + np.sum(x[-n:]), (V, 2), (V, 0), (V, 6), name="bounds_in_variables")

def keys_made(x):
    inner = slice(1, -1)
    centre = (inner, inner)
    corner = 0, -1
    return np.sum(x[centre] ** 2) * x[corner] + np.sum(x[(slice(None), 1)])

add(keys_made, SQUARE)

# Integer arrays: repeated indices all count
add(lambda x: np.sum(x[INDEX] ** 2), V, name="integer_array")
add(lambda x: np.sum(x[[2, 0, 2, 2]] * np.arange(4.0)), V, name="integer_list")
add(lambda x: np.sum(x[np.array([[0, 1], [1, -1]])] ** 3), V, name="integer_matrix")
add(lambda x: np.sum(x[ROWS] ** 2 * np.arange(4.0)), M, name="rows_by_an_integer_list")
add(lambda x: np.sum(x[ROWS, [1, 3, 1]] ** 2), M, name="points_by_two_integer_lists")
add(lambda x: np.sum(np.sin(x[:, [0, 3, 3]]) * x[:, 1:2]), M, name="columns_by_an_integer_list")
add(lambda x: np.sum(x[1, [0, 3, 3]] ** 2), M, name="row_and_an_integer_list")
add(lambda x: np.sum(x[[[0], [2], [2]], [1, 3]] ** 2 * np.arange(2.0)), M, name="integer_lists_that_broadcast")
add(lambda x: np.sum(x[np.ix_([0, 2, 2], [1, 3])] ** 2), M, name="open_mesh")
add(lambda x: np.sum(x[1:, [0, 2, 2], None] ** 2), M, name="slice_integers_and_new_axis")
add(lambda x: np.sum(x[0, :, [0, 2, 2]] ** 2 * np.arange(3.0)), CUBE, name="integers_apart")
add(lambda x: np.sum(x[:, [0, 2, 2], [1, 1, 3]] ** 2), CUBE, name="integers_side_by_side")
add(lambda x: np.sum(x[..., [1, 1]] ** 2), M, CUBE, name="ellipsis_and_integers")
add(lambda x: np.sum(x[np.arange(4), np.arange(4)] * x[np.arange(4), ::-1][:, 0]), SQUARE, name="diagonal_by_integers")
add(lambda x: np.sum(x[np.argsort(x)] * np.arange(6.0)), V, name="sorted_by_argsort")
add(lambda x, labels: -np.sum(np.log(x[np.arange(3), labels])), (positive(3, 4), np.array([1, 3, 1])), name="probabilities_of_labels")
add(lambda x: np.sum(x[np.array([], dtype=int)] * 2.0) + x[0], V, name="no_integers")
add(lambda x: x[np.argmax(x)] * x[np.argmin(x)], V, name="index_of_the_largest")

# Masks
add(lambda x: np.sum(x[x > 0.0] ** 2), V, M, name="mask")
add(lambda x: np.sum(x[(x > -0.5) & (x < 0.9)] * 2.0) * np.sum(x[~(x > 0.0)]), V, name="mask_of_two_conditions")
add(lambda x: np.sum(x[np.array([True, False, True])] ** 2 * np.arange(4.0)), M, name="mask_of_rows")
add(lambda x: np.sum(x[:, [True, False, True, True]] ** 2), M, name="mask_of_columns")
add(lambda x: np.sum(x[x[:, 0] > 0.0, 1] ** 2) + np.sum(x[[True, False, True], 1:3] ** 2), M, name="mask_and_more")
add(lambda x: np.sum(x[x > 100.0]) + x[0], V, name="mask_of_nothing")
add(lambda x: np.sum(x[np.nonzero(x > 0.0)] ** 2) + np.sum(x[np.where(x < 0.3)]), V, M, name="indices_of_a_mask")

# Shapes
def shape_unpacked(x):
    n, m = x.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += x[i, j] * x[i, m - 1 - j] * (i + 1)
    return total / x.size + x.ndim * x.shape[0] * len(x)

add(shape_unpacked, M)

# Iteration
add(lambda x: sum(v * v for v in x), V, name="iteration_over_elements")
add(lambda x: np.sum(sum(np.sin(row) * k for k, row in enumerate(x))), M, name="iteration_over_rows")
add(lambda x, y: sum(a * b for a, b in zip(x, y[::-1])), (V, W), argnums=(0, 1), name="zip_of_arrays")
add(lambda x: [row[0] * row[1] for row in x][1] + sum([s for s in x[0]]), M, name="comprehension_over_rows")
add(lambda x: max(x) * min(x) + sum(x), V, name="built_in_reductions")
add(lambda x, s: (x[1] * x[0])[()] * np.sum(x)[()] * s, (V, 0.7), argnums=(0, 1), name="number_by_no_index")
add(lambda x, s: np.sum(np.sum(x)[None] * (x[1] * x[2])[None, None] * s + np.sum(x * s)[...]) + (s * x[0])[..., None] @ x[:1], (V, 0.7), argnums=(0, 1), name="number_with_new_axes")
# fmt: on


def rows_unpacked(x):
    a, b, c = x
    first, *rest = a
    return np.sum(a * b + c) * first + rest[-1] * rest[0]


add(rows_unpacked, M)


def loop_over_elements(x):
    total = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        total += d * d * x[i]
    return total


add(loop_over_elements, V)


def nested_rows(x):
    total = 1.0
    for row in x:
        for v in row:
            if v > 0.0:
                total *= 1.0 + 0.1 * v
    return total


add(nested_rows, M)


def reversed_rows(x):
    state = np.zeros(4)
    for row in reversed(x):
        state = np.tanh(0.5 * state + row)
    for row in x[::-1]:
        state = state * row
    return np.sum(state)


add(reversed_rows, M)


def search(x):
    i = 0
    while i < len(x) and x[i] < 0.5:
        i += 1
    return x[i] * x[i - 1] * i


add(search, V)


# Storing
def store_elements(x):
    y = np.zeros(4)
    y[0] = x[0] * x[1]
    y[-1] = x[2] ** 2
    y[1] = y[0] * y[-1]
    y[0] = 3.0
    return np.sum(y * np.arange(4.0)) + y[0] * y[1]


add(store_elements, V)


def store_in_every_way(x):
    y = np.zeros((4, 5))
    y[0, 1] = x[0]
    y[1] = x[:5] * 2.0
    y[:, 0] = x[2]
    y[2:, 3:] = x[1:5].reshape(2, 2) ** 2
    y[3, ::-2] = x[:3]
    y[..., 4] = x[:4] * y[..., 3]
    y[3][2] = x[5]
    return np.sum(y * y * np.arange(5.0))


add(store_in_every_way, V)


def store_broadcast(x, s):
    y = np.ones((3, 4))
    y[:, 1:3] = x[:3, None]
    y[0] = s
    y[:2, 3] = x[0]
    y[2:] = x[2:]
    return np.sum(np.sin(y) * np.arange(4.0))


add(store_broadcast, (V, 0.7), argnums=(0, 1))


def store_reversed(x):
    y = np.zeros(6)
    y[::-1] = x
    y[4:1:-2] = x[:2] * y[:2]
    return np.sum(y * np.arange(6.0))


add(store_reversed, V)


def store_by_integers(x):
    y = np.zeros(6)
    y[[4, 1, 2]] = x[:3] ** 2
    y[np.array([0, 5])] = x[5]
    return np.sum(y * y)


add(store_by_integers, V)


def store_by_repeated_integers(x):
    y = x * 1.0
    y[[1, 3, 1, 1]] = x[2:] * 3.0
    return np.sum(y * y)


add(store_by_repeated_integers, V)


def add_by_repeated_integers(x, w):
    y = x * 1.0
    y[[1, 3, 1, 1]] += w
    y[[0, 0]] *= w[1:3]
    return np.sum(y * y)


add(add_by_repeated_integers, (V, vector(4, 1.0)), argnums=(0, 1))


def add_by_repeated_integers_in_a_loop(x, index):
    y = np.zeros(4)
    for k in range(3):
        y[index] += x[: len(index)] * (k + 1.0)
        y[index] = np.sin(y[index] + x[k])
    return np.sum(y)


add(add_by_repeated_integers_in_a_loop, (V, np.array([0, 2, 2])), (V, np.array([3])))


def store_by_mask(x):
    y = x * 1.0
    y[x > 0.0] = 0.5
    y[x < -0.5] *= x[x < -0.5]
    y[(x > -0.5) & (x < 0.0)] = x[0]
    return np.sum(y * y * np.arange(6.0))


add(store_by_mask, V)


def store_array_by_mask(x, w):
    y = np.zeros((3, 4))
    mask = w > 0.0
    y[mask] = w[mask] * 2.0
    y[~mask] = x[: np.count_nonzero(~mask)]
    return np.sum(y**2 * np.arange(4.0))


add(store_array_by_mask, (vector(12), matrix(3, 4, 1.0)), argnums=(0, 1))


def store_by_open_mesh(x):
    y = np.zeros((4, 4))
    y[np.ix_([0, 2], [1, 3])] = x[:2, :2]
    y[np.ix_([3, 2], [1, 0])] += x[1:3, 1:3] * y[2, 3]
    return np.sum(y * y)


add(store_by_open_mesh, M)


def store_by_mixtures(x):
    y = np.zeros((3, 4))
    y[1:, [0, 2]] = x[:2, :2]
    y[[0, 2], 1:3] += x[1:, 2:]
    y[0, [1, 1, 3]] = x[0, :3] * 2.0
    y[np.array([True, False, True]), 3] = x[:2, 0]
    return np.sum(np.sin(y) * np.arange(4.0))


add(store_by_mixtures, M)


def store_with_keys_in_variables(x):
    y = np.zeros((3, 4))
    row, inner = 1, (slice(None), slice(1, 3))
    y[inner] = x[inner] * 2.0
    y[row, 0] = x[row, row]
    key = (row, -1)
    y[key] = x[key] ** 2
    y[key] += y[row, 0]
    return np.sum(y * y)


add(store_with_keys_in_variables, M)


def store_through_new_axes(x):
    y = np.zeros((2, 6))
    y[:, None, :] = x
    y[0, None] = x * x
    y[...] += 1.0
    return np.sum(y * y)


add(store_through_new_axes, V)


def augmented_elements(x):
    y = np.zeros(3)
    for i in range(len(x)):
        y[i % 3] += x[i] * x[i]
        y[i % 3] *= x[0]
        y[-1] -= x[i] / 2.0
    return y[0] * y[1] + y[2]


add(augmented_elements, V)


def augmented_slices(x):
    y = x * 1.0
    y[1:] += x[:-1]
    y[::2] *= x[::2]
    y[:3] -= y[3:]
    y[2:4] /= 2.0 + x[:2]
    y[-2:] **= 2
    return np.sum(y * np.arange(6.0))


add(augmented_slices, V)


def histogram(x, bins):
    counts = np.zeros(4)
    for k in range(len(x)):
        counts[bins[k]] += x[k] ** 2
    return np.sum(counts**2)


add(histogram, (V, np.array([0, 3, 3, 1, 0, 3])))


def gather_and_scatter(x, ahead, back):
    y = x[ahead] * 2.0
    z = np.empty(6)
    z[back] = y
    return np.sum(z * x * np.arange(6.0))


add(gather_and_scatter, (V, np.array([5, 3, 1, 0, 2, 4]), np.array([1, 0, 2, 5, 4, 3])))


def store_of_numbers_only(x):
    y = x * 1.0
    y[0] = 2.0
    y[1:3] = 0.0
    y[4] = 7
    return np.sum(y * y)


add(store_of_numbers_only, V)


def tuple_assignment_of_elements(x):
    y = x * 1.0
    y[0], y[1] = y[1] * x[2], y[0]
    (y[2], y[3]), y[4] = y[:2], x[0]
    y[0:2], y[2:4] = y[2:4].copy(), y[0:2].copy()
    return np.sum(y * np.arange(6.0) * y)


add(tuple_assignment_of_elements, V)


def index_changes_in_the_loop(x):
    y = np.zeros(6)
    i, k = 0, 0
    while k < 5:
        y[i] = x[k] + y[i] * x[i]
        i = (i + 2) % 5
        k += 1
    return np.sum(y * y)


add(index_changes_in_the_loop, V)


def ranges_as_indices(x):
    y = x * 1.0
    y[range(3)] *= 2.0
    y[range(1, 6, 2)] = y[range(3)] * x[0]
    for k in range(2):
        y[range(k, 4)] *= x[k]
    y[range(0)] = 5.0
    return np.sum(y * y)


add(ranges_as_indices, V)


def empty_lists_of_indices(x):
    near = []
    for i in range(len(x)):
        if x[i] > 5:
            near.append(i)
    z = x.copy()
    z[[]] = 1.0
    z[near] *= 2.0
    z[near] = x[near]
    return np.sum(x[near] ** 2) + z @ z


add(empty_lists_of_indices, V)


def indices_by_name(x):
    inner, odd = np.s_[1:-1], np.index_exp[1::2]
    x[inner] *= x[inner]
    x[odd] += x[0]
    x[np.index_exp[0]] *= 2.0
    return x[np.s_[::-1]] @ x + sum(x[np.s_[k:]].sum() for k in range(3))


add(indices_by_name, V)


def grids(x):
    n = len(x)
    length = n / 3.0
    i, j = np.mgrid[:2, 1:n]
    rows, columns = np.ogrid[0:n, 0:n]
    s, t = np.mgrid[0:length:3j, 0:1:0.25]
    weights = np.exp(-((rows - columns) ** 2))
    return np.sum(x[i] * x[j] * i) + x @ weights @ x + x[0] * np.sum(s * t) + np.sum(x * np.mgrid[0:n])


add(grids, V)


def neighbours_by_indices(x):
    n = len(x)
    right, left = np.r_[1:n, 0], np.r_[-1, 0 : n - 1]
    y = x.copy()
    for _ in range(2):
        y[...] = 0.5 * (y[left] + y[right]) - 0.1 * (y[right] ** 2 - y[left] ** 2)
    return np.sum(y * x) + x[np.r_[0:2, 1]] @ y[:3]


add(neighbours_by_indices, V)
