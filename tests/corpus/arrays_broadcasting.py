# ruff: noqa: E501
"""Types and broadcasting: every operator, every way of broadcasting, dtypes, 0-d arrays, NumPy scalars, empty arrays."""

import math

import numpy as np

from tests.corpus.array_reference import at, collector, matrix, positive, vector

ENTRIES = []
add = collector(ENTRIES)

V, W, P, Q = vector(4), vector(4, 2.0), positive(4), positive(4, start=1.0)
M, N = matrix(3, 4, 0.4), matrix(3, 4, 2.0)
COLUMN, ROW = matrix(3, 1, 0.5), matrix(1, 4, 1.4)
CUBE = vector(12, 0.3).reshape(2, 3, 2)

# fmt: off
# Operators on equal shapes
add(lambda x: np.sum(x), V, M, CUBE, name="total")
add(lambda x: np.sum(x * x), V, M, name="sum_of_squares")
add(lambda x, y: np.sum(x + y) * np.sum(x - y), (V, W), argnums=(0, 1), name="sum_and_difference")
add(lambda x, y: np.sum(x * y / (1.0 + y * y)), (V, W), argnums=(0, 1), name="product_and_quotient")
add(lambda x, y: np.sum(x**y), (P, W), argnums=(0, 1), name="power")
add(lambda x: np.sum(x**2 + x**3 - x**0 + x**1), V, name="integer_powers")
add(lambda x: np.sum(x**-1 + x**0.5 + x**-1.5), P, name="other_powers")
add(lambda x: np.sum(2.0**x + 3**x), V, name="powers_of_constants")
add(lambda x, y: np.sum(x % y + (x // y) * x), (4 * P, Q), argnums=(0, 1), name="modulo")
add(lambda x: np.sum(x % 0.7 * x), P, name="modulo_of_a_constant")
add(lambda x: np.sum(-x * +x + abs(x) * x), V, name="unary")
add(lambda x, y: x @ y, (V, W), argnums=(0, 1), name="inner_product")
add(lambda a, b: np.sum(a @ b), (matrix(2, 3), matrix(3, 4, 1.0)), argnums=(0, 1), name="matrix_product")
add(lambda a, x: np.sum((a @ x) ** 2), (M, V), argnums=(0, 1), name="matrix_times_vector")
add(lambda x, a: np.sum(np.sin(x @ a)), (vector(3), M), argnums=(0, 1), name="vector_times_matrix")
add(lambda a, b: np.sum(np.sin(a @ b)), (CUBE, matrix(2, 3)), (CUBE, vector(2)), (vector(3), CUBE), (matrix(4, 3), CUBE), argnums=(0, 1), name="stacked_matrix_product")
add(lambda a: np.sum(a @ a @ a), matrix(3, 3), name="matrix_cubed")

# Comparisons
add(lambda x, y: np.sum((x > y) * x + (x <= y) * y * x), (V, W), argnums=(0, 1), name="comparisons_as_numbers")
add(lambda x: np.sum(x * (x != 0.3) * (x == x)), V, name="equality_as_numbers")
add(lambda x: np.sum(x * x * ((x > -0.5) & (x < 0.8) | ~(x > -0.9))), V, name="conditions_combined")
add(lambda x: x[0] * x[1] if np.all(x < 2.0) and np.any(x > 0.0) else np.sum(x), V, 3 * V, name="all_and_any")
add(lambda x: np.sum(x) * np.count_nonzero(x > 0.0) + x[np.argmax(x)] + len(x), V, name="counting")

# Numbers mixed in
add(lambda x, s: np.sum(s * x + x / s - s), (V, 0.7), argnums=(0, 1), name="array_and_number")
add(lambda s, x: np.sum((s - x) * (s / (2.0 + x)) + (2.0 + s) ** x), (0.7, V), argnums=(0, 1), name="number_on_the_left")
add(lambda x, s: np.sum(x * s), (V, np.float64(0.7)), argnums=(0, 1), name="numpy_number")
add(lambda x, s: np.sum(np.sin(x * s) * s), (V, np.array(0.7)), (M, np.array(0.7)), argnums=(0, 1), name="zero_dimensional_operand")
add(lambda x, n: np.sum(n * x + x**n), (V, 3), name="integer_mixed_in")
add(lambda x: 2 * np.sum(3 * x - 1) / 4, V, name="constants_mixed_in")
add(lambda x: np.sum(x * True + False), V, name="booleans_mixed_in")
add(lambda x, w: np.sum(x * w), (V, np.arange(4)), (V, np.array([True, False, True, True])), name="integer_array_mixed_in")
add(lambda s: np.sum(s * np.arange(4.0)), 0.7, np.float64(0.7), np.array(0.7), name="number_times_constant_array")
add(lambda s: np.sum(np.array([1.0, 2.0]) ** s + np.ones((2, 1)) / s), 0.7, name="constants_broadcast_with_a_number")

# Broadcasting of every kind
add(lambda x, y: np.sum(np.sin(x + y)), (M, V), (V, M), (M, ROW), (M, COLUMN), (COLUMN, ROW), (ROW, V), (COLUMN, V), argnums=(0, 1), name="broadcast_sum")
add(lambda x, y: np.sum(np.sin(x * y)), (M, V), (V, M), (M, ROW), (COLUMN, M), (COLUMN, ROW), (CUBE, matrix(3, 1)), (matrix(1, 1), V), argnums=(0, 1), name="broadcast_product")
add(lambda x, y: np.sum(x * y / (2.0 + y)), (M, V), (COLUMN, ROW), (V, np.array([0.7])), (np.array([0.7]), V), argnums=(0, 1), name="broadcast_quotient")
add(lambda x, y: np.sum((1.5 + x) ** y), (0.3 * M, V), (0.3 * COLUMN, ROW), argnums=(0, 1), name="broadcast_power")
add(lambda x, y, z: np.sum(x * y + z), (M, COLUMN, 0.7), (ROW, COLUMN, V), argnums=(0, 1, 2), name="broadcast_three")
add(lambda x, y: np.sum(x + y), (M, np.array([[0.7]])), (np.array([0.7]), np.array([0.3])), argnums=(0, 1), name="broadcast_ones")
add(lambda x, y: np.sum(np.maximum(x, y) * np.hypot(x + 3.0, y) + np.arctan2(x, y + 3.0)), (M, V), (COLUMN, ROW), argnums=(0, 1), name="broadcast_functions")
add(lambda x: np.sum(x[:, None] * x[None, :] + x), V, name="outer_by_new_axes")
add(lambda x: np.sum((x[:, np.newaxis] - x[np.newaxis]) ** 2 * np.arange(4.0)), V, name="pairwise_differences")
add(lambda x, y: np.sum(x[:, None, :] * y[None, :, :]), (matrix(2, 3), matrix(4, 3, 1.0)), argnums=(0, 1), name="pairwise_products")
add(lambda x: np.sum((x - np.mean(x, axis=0)) ** 2), M, name="centred")
add(lambda x: np.sum(x / np.sum(x * x, axis=1, keepdims=True) * np.arange(12.0).reshape(3, 4)), M, name="normalised")
# fmt: on


# Augmented assignment: changes an array, rebinds a number
def accumulated(x):
    total = 0.0
    for i in range(3):
        total += x * i
        total -= np.sin(x)
    return np.sum(total * total)


add(accumulated, V, np.float64(0.3), 0.3)


def augmented(x, y):
    z = x * 1.0
    z += y
    z *= x
    z -= 2.0
    z /= 2.0 + y * y
    z **= 2
    return np.sum(z)


add(augmented, (V, W), (M, V), (0.3, 0.7), argnums=(0, 1))


def augmented_modulo(x):
    z = 3.0 * x
    z %= 0.9
    y = z * x
    y //= 0.3
    return np.sum(z * y)


add(augmented_modulo, P)


def augmented_alias(x):
    y = x * 1.0
    z = y
    z += 1.0
    a = np.sum(x)
    b = a
    b += 1.0
    return np.sum(y * z) + a * b


add(augmented_alias, V)


def augmented_matrix_product(a):
    b = a * 1.0
    b @= a
    return np.sum(b * b)


add(augmented_matrix_product, matrix(3, 3))


def augmented_parameter(x):
    def shift(v, by):
        v += by
        return v

    y = x * 2.0
    shift(y, 1.0)
    s = np.sum(x)
    shift(s, 5.0)
    return np.sum(y * y) * s


add(augmented_parameter, V)


def augmented_loop_variable(x):
    for row in x:
        row += 1.0
        row *= row
    for s in x[0]:
        s += 100.0
    return np.sum(x)


add(augmented_loop_variable, M)


def augmented_broadcast(x, y):
    z = np.ones((3, 4)) * 0.5
    z += x
    z *= y
    z += z
    return np.sum(z * z)


add(augmented_broadcast, (V, COLUMN), (ROW, M), (0.7, 0.3), argnums=(0, 1))


def number_becomes_array(x):
    s = 0.5
    for k in range(3):
        s = s + x * k
    s += x
    return np.sum(s * s)


add(number_becomes_array, V)


def active_number_becomes_array(x, v, n):
    s = x * 2.0
    for k in range(n):
        s = s + v * k
    s *= v
    s += x
    return np.sum(s * s)


add(active_number_becomes_array, (0.7, V, 0), (0.7, V, 3), argnums=(0, 1))


def numbers_and_arrays_in_a_list(x, v):
    kept = []
    s = x * 2.0
    for k in range(3):
        kept.append(s)
        s = s * v + k
    total = 0.0
    while kept:
        s = kept.pop()
        total = total + np.sum(s * s)
    return total


add(numbers_and_arrays_in_a_list, (0.7, V), argnums=(0, 1))


def number_or_array_under_two_names(x, v, n):
    s = x * x
    if n > 1:
        s = v * x
    t = s
    u = t * s
    if n > 1:
        t *= v
    return np.sum(s * u) + np.sum(t)


add(number_or_array_under_two_names, (0.7, V, 0), (0.7, V, 2), argnums=(0, 1))


def double_or_scale(x, v, n):
    if n > 1:
        return v * x
    return x * 2.0


def number_or_array_from_a_callee(x, v, n):
    y = double_or_scale(x, v, n)
    kept = [y]
    kept.append(y * v)
    return np.sum(kept[0] ** 2) + np.sum(kept[1])


add(number_or_array_from_a_callee, (0.7, V, 0), (0.7, V, 2), argnums=(0, 1))


def number_becomes_array_in_a_dict(x, v, n):
    table = {}
    table["a"] = x * 2.0
    for _ in range(n):
        table["a"] = table["a"] * v
    return np.sum(table["a"] ** 2)


add(number_becomes_array_in_a_dict, (0.7, V, 0), (0.7, V, 2), argnums=(0, 1))


class Cell:
    def __init__(self, content):
        self.content = content


def number_becomes_array_in_an_attribute(x, v, n):
    cell = Cell(x * 2.0)
    for _ in range(n):
        cell.content = cell.content * v
    return np.sum(cell.content**2)


add(number_becomes_array_in_an_attribute, (0.7, V, 0), (0.7, V, 2), argnums=(0, 1))


# Dtypes
# fmt: off
add(lambda x: np.sum(x * x * np.float32(0.5)), V.astype(np.float32), M.astype(np.float32), name="single_precision", rtol=1e-5)
add(lambda x: np.sum(x * x), (V * 1).astype(np.float16), name="half_precision", rtol=1e-2)
add(lambda x, y: np.sum(x * y), (V.astype(np.float32), W), (V, W.astype(np.float32)), (V.astype(np.float32), W.astype(np.float16)), argnums=(0, 1), name="mixed_precision", rtol=1e-2)
add(lambda x, s: np.sum(x * s), (V.astype(np.float32), 0.7), (V.astype(np.float32), np.float32(0.7)), (V.astype(np.float32), np.float64(0.7)), argnums=(0, 1), name="single_precision_and_numbers", rtol=1e-5)
add(lambda x: np.sum(x.astype(np.float64) ** 2), V.astype(np.float32), name="from_single_to_double", rtol=1e-5)
add(lambda x, y: np.sum(np.sin(x)) * y[0] + x[1] * y[2] + np.max(x) * np.mean(y) + np.sum(x * x) * np.float64(0.5), (V.astype(np.float32), W), (V.astype(np.float16), W), argnums=(0, 1), name="numbers_of_single_and_double_precision", rtol=1e-2)
add(lambda x, y: np.sum(y * np.sum(x * x)) * np.linalg.norm(x) / y[0], (V.astype(np.float32), W), argnums=(0, 1), name="numbers_of_single_precision_and_arrays_of_double", rtol=1e-3)
add(lambda x: np.sum(x.astype(np.float32) ** 2), V, name="from_double_to_single", rtol=1e-5, smooth=False)
add(lambda x: np.sum(x.astype(int) * x), 3 * P, name="to_integers")
add(lambda x: np.sum(x * x) / 3, np.array([1, 2, 3]), np.array([[1], [-2]], dtype=np.int32), np.array([1, 2], dtype=np.uint8), name="integers_asked_for")
add(lambda x, n: np.sum(x * n / 2 + n), (V, np.arange(4)), argnums=(0, 1), name="integers_asked_for_too")
add(lambda x: np.sum(np.array(x, dtype=np.float64) * x), V.astype(np.float32), name="array_of_another_dtype", rtol=1e-5)
add(lambda x: np.float64(np.sum(x)) * 2, V.astype(np.float32), name="sum_to_double", rtol=1e-5)
add(lambda x: float(np.sum(x)) * x[0].item(), V, name="to_python_numbers")
add(lambda x: float(x[0]) * 2.0 + math.sin(x[1]) * x[2], V, name="elements_as_numbers")
add(lambda x: np.sum(x.real * x + x.imag + x.conj()), V, name="real_and_imaginary_parts_of_reals")

# 0-d arrays and NumPy scalars
add(lambda x: x * x + np.sin(x), np.array(0.7), np.float64(0.7), np.array(0.7, dtype=np.float32), np.float32(0.7), name="zero_dimensional", rtol=1e-5)
add(lambda x: np.sum(x) * x.sum() + x[()] * x.item(), np.array(0.7), name="zero_dimensional_methods")
add(lambda x: (x * x)[()] * np.sin(x)[()] + np.sum((2.0 * x)[...] * x), np.array(0.7), np.float64(0.7), name="numbers_of_numpy_are_indexed")
add(lambda x: np.sum(x * x)[()] * x[1][()] + np.sum(x[0][None] * x) + np.sum(x[2][..., np.newaxis, None] * x) + x[3][...].item(), V, V.astype(np.float32), name="elements_are_indexed", rtol=1e-5)
add(lambda x: np.sum(np.array([0.5, 1.5]) * x) + x.ndim + x.size, np.array(0.7), name="zero_dimensional_in_a_product")
add(lambda x: np.array(x[0] * x[1]) * x[2], V, name="zero_dimensional_made")
add(lambda x: np.sum(np.asarray(x) * x), 0.7, np.array(0.7), V, name="asarray_of_anything")
add(lambda x: x[0] * x[1] + x[-1] ** 2 - x[2] / x[0], V, name="numpy_numbers_from_elements")
add(lambda x: np.float64(2.5) * x[0] * np.pi + np.float64(x[1]), V, name="numpy_constants")
add(lambda x: x.sum(), np.array([[[0.7]]]), np.array([0.7]), name="single_elements")
add(lambda x: np.sum(x) + np.prod(x.shape) + x.size, np.zeros(0), np.zeros((0, 3)), np.zeros((2, 0)), name="empty")
add(lambda x, y: np.sum(x * y) + 1.0, (np.zeros((0, 3)), vector(3)), (np.zeros((0, 3)), np.zeros((0, 1))), (np.zeros((1, 0)), matrix(3, 1)), argnums=(0, 1), name="empty_broadcast")
add(lambda x, s: np.sum(np.sin(x) * s) + s, (np.zeros(0), 0.7), argnums=(0, 1), name="empty_and_a_number")
add(lambda x: np.sum(x[2:2] * 3.0) + np.sum(x[5:]) + x[0], V, name="empty_slices")

# Containers of arrays
add(lambda p: np.sum(p["w"] * p["x"]) + p["b"], {"w": V, "x": W, "b": 0.7}, name="dict_of_arrays")
add(lambda p: np.sum(p[0] * p[1][:2, None]) * p[2], [matrix(2, 4), V, 0.3], name="list_of_arrays")
add(lambda p: np.sum(p[0] @ p[1][0] + p[1][1]), ((M, (V, 0.5)),), name="nested_tuple_of_arrays")
add(lambda layers, x: np.sum(sum(w @ x + b for w, b in layers)), ([(M, 0.1), (N, 0.2)], V), argnums=(0, 1), name="list_of_layers")

# Memory layouts of arguments
def weighted(x):
    return np.sum(np.sin(x) * np.arange(x.size).reshape(x.shape))


add(weighted, np.asfortranarray(M), np.arange(4.0)[::-1] * 0.3, M.T, name="layouts")
add(weighted, at(vector(8), build=lambda a: (a[::2],)), at(vector(8), build=lambda a: (a[::-1],)), at(matrix(3, 4), build=lambda a: (a[1:, ::-2].T,)), name="arguments_that_are_views")
add(lambda x, y: np.sum(x * x * y), at(vector(5), build=lambda a: (a[1:], a[:-1])), at(matrix(3, 3), build=lambda a: (a, a.T)), at(vector(4), build=lambda a: (a, a)), argnums=(0, 1), name="arguments_that_overlap")
add(lambda x: np.sum(x * x), at(vector(1), build=lambda a: (np.broadcast_to(a, (3,)),)), name="argument_that_is_broadcast")
# fmt: on


# A store drops first axes of length 1


def stored_without_a_first_axis(x, w):
    h = np.zeros((3, 4))
    for t in range(3):
        h[t] = np.tanh(x[None] @ w) * (t + 1)
    y = np.zeros(4)
    y[:] = x[None]
    return np.sum(h * h) + y @ y


add(stored_without_a_first_axis, (vector(4), matrix(4, 4, 1.0)), argnums=(0, 1))


def stored_slices_of_one_row(a):
    b = np.zeros((4, 3))
    b[2] = a[:1] * 2
    b[0] = a[1:2] - a[2:3]
    b[1] = np.mean(a, 0, keepdims=True)
    b[3] = a[:, :1].T
    return np.sum(b**3)


add(stored_slices_of_one_row, matrix(3, 3))


def stored_without_several_axes(x):
    y = np.zeros((2, 4))
    y[1, :] = x[None, None]
    y[0] = np.ones((1, 2)) @ np.stack([x, x**2])
    z = np.zeros((4, 1))
    z[:] = x[None, :, None]
    u = np.zeros(4)
    np.copyto(u, x[None])
    u[[1, 2]] = x[None, :2]
    u[:1] = np.ones((1, 1)) * x[0]
    v = np.zeros((2, 2, 4))
    v[0, 1] = x[None]
    v[1, :, 2] = x[None, None, :2]
    return np.sum(y**3) + np.sum(z**3) + np.sum(u**3) + np.sum(v**3)


add(stored_without_several_axes, vector(4))


def put_into(target, value):
    target[:] = value


def stored_without_a_first_axis_by_a_callee(x):
    y = np.zeros(4)
    put_into(y, x[None])
    put_into(y[1:], x[None, :3] ** 2)
    return np.sum(y**3)


add(stored_without_a_first_axis_by_a_callee, vector(4))
