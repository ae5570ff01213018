"""What is promised of derivatives with respect to arrays: types, shapes and dtypes, memory that nobody shares, arguments and data
outside as the primal leaves them. Derivatives are given in closed form."""

from __future__ import annotations

import concurrent.futures
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest

from s2sad import errors, grad, value_and_grad

X = np.array([1.0, 2.0, -3.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def sum_of_squares(x):
    return np.sum(x * x)


def total(x):
    return np.sum(x)


def mean(x):
    return np.mean(x)


def second(x):
    return x[1]


def reads_an_element_twice(x):
    return x[0] * x[0]


def unused(x):
    return 3.0


def is_itself(x):
    return x


def scaled(x):
    return 2.0 * x


def weighted(x, w):
    return np.sum(w * x)


def changed_in_place(x):
    x *= 3.0
    return np.sum(x * x)


def changed_by_element(x):
    x[0] = x[1] * x[1]
    return np.sum(x)


def view_of_it(x):
    y = x[1:]
    return np.sum(y * y)


OF_ARRAYS: list[tuple[Any, Any]] = [
    (sum_of_squares, lambda x: 2 * x),
    (total, np.ones_like),
    (mean, lambda x: np.ones_like(x) / x.size),
    (second, lambda x: np.array([0.0, 1.0, 0.0])),
    (reads_an_element_twice, lambda x: np.array([2 * x[0], 0.0, 0.0])),
    (unused, np.zeros_like),
    (changed_in_place, lambda x: 18 * x),
    (changed_by_element, lambda x: np.array([0.0, 1 + 2 * x[1], 1.0])),
    (view_of_it, lambda x: np.array([0.0, 2 * x[1], 2 * x[2]])),
]


def is_alike(got, argument, want):
    """An array of the argument's shape and dtype, with these elements."""
    assert type(got) is np.ndarray
    assert got.dtype == (argument.dtype if argument.dtype.kind == "f" else float)
    assert got.shape == argument.shape
    assert got == pytest.approx(np.asarray(want, float), rel=1e-3 if got.dtype.itemsize == 2 else 1e-6)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble", ">f8"])
@pytest.mark.parametrize(("function", "gradient"), OF_ARRAYS)
def test_a_gradient_is_an_array_like_its_argument(function, gradient, dtype):
    x = X.astype(dtype)
    before = x.copy()
    primal = function(x.copy())
    for derivative in (grad(function), value_and_grad(function)):
        for _ in range(2):
            result = derivative(x)
            if isinstance(result, tuple):
                value, result = result
                assert type(value) is type(primal)
                assert repr(value) == repr(primal)
            is_alike(result, x.astype(x.dtype.newbyteorder("=")), gradient(X))
            assert not np.shares_memory(result, x)
            assert result.flags.writeable
            assert (x == before).all()


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64"])
@pytest.mark.parametrize(("function", "gradient"), [pair for pair in OF_ARRAYS if "changed" not in pair[0].__name__])
def test_an_array_of_integers_counts_as_real(function, gradient, dtype):
    x = np.array([1, 2, 3], dtype)
    value, result = value_and_grad(function)(x)
    assert value == function(x)
    is_alike(result, x, gradient(np.array([1.0, 2.0, 3.0])))


@pytest.mark.parametrize("function", [changed_in_place, changed_by_element])
def test_an_array_of_integers_that_is_changed_is_refused(function):
    with pytest.raises((errors.NonDifferentiableError, TypeError), match=r"x.astype\(float\)|Cannot cast"):
        grad(function)(np.array([1, 2, 3]))


@pytest.mark.parametrize("function", [sum_of_squares, total, scaled, is_itself, unused])
@pytest.mark.parametrize(
    "argument", [np.array(3.0), np.array(3.0, "float32"), np.float64(3.0), np.float32(3.0), 3.0, np.array(3), np.int64(3), 3]
)
def test_numbers_and_arrays_without_axes(function, argument):
    slope = {"sum_of_squares": 6.0, "total": 1.0, "scaled": 2.0, "is_itself": 1.0, "unused": 0.0}[function.__name__]
    value, result = value_and_grad(function)(argument)
    primal = function(argument)
    assert value == primal
    assert result == slope
    kind = np.asarray(argument).dtype.kind
    if kind == "f":
        assert type(value) is type(primal)
        assert type(result) is type(argument)
        assert np.asarray(result).dtype == np.asarray(argument).dtype
    assert np.asarray(result).dtype.kind == "f"
    if isinstance(argument, np.ndarray):
        assert not np.shares_memory(result, argument)
        assert not (isinstance(value, np.ndarray) and np.shares_memory(value, argument))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (1,), (1, 1), (1, 3), (3, 1), (2, 3, 4)])
def test_shapes(shape):
    x = np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape)
    is_alike(grad(sum_of_squares)(x), x, 2 * x)
    is_alike(grad(total)(x), x, np.ones(shape))


@pytest.mark.parametrize("layout", [lambda x: x.T, lambda x: x[::-1], lambda x: x[:, ::2], lambda x: np.asfortranarray(x)])
def test_layouts(layout):
    x = layout(np.arange(12.0).reshape(3, 4))
    for function in (sum_of_squares, changed_in_place):
        is_alike(grad(function)(x), x, (2 if function is sum_of_squares else 18) * x)


def test_read_only_arguments():
    x = np.broadcast_to(np.array(2.0), (3,))
    result = grad(sum_of_squares)(x)
    is_alike(result, x, [4.0, 4.0, 4.0])
    result[0] = 7.0
    assert result[1] == 4.0


# --- nothing is shared ----------------------------------------------------------------------------------------------------------


def passes_both(x, y):
    return np.sum(x + y)


def hands_on(x, w):
    return np.sum(x * w)


@pytest.mark.parametrize("function", [passes_both, hands_on, weighted])
def test_gradients_share_nothing(function):
    x, w = X.copy(), X + 1
    first, second_one = grad(function, (0, 1))(x, w)
    for one, other in [(first, second_one), (first, x), (first, w), (second_one, x), (second_one, w)]:
        assert not np.shares_memory(one, other)
    again = grad(function, (0, 0))(x, w)
    assert not np.shares_memory(*again)


def test_one_array_as_two_arguments_that_nobody_changes():
    x = X.copy()
    first, second_one = grad(lambda x, y: np.sum(x * x * y), (0, 1))(x, x)
    is_alike(first, x, 2 * X * X)
    is_alike(second_one, x, X * X)
    assert not np.shares_memory(first, second_one)


def changes_the_first(x, y):
    x[0] = 3.0 * y[1]
    return np.sum(x * y)


def test_one_array_as_two_arguments_of_which_one_is_changed():
    derivative = grad(changes_the_first, (0, 1))
    x, y = X.copy(), X + 1.0
    for _ in range(2):
        # x0 = 3 y1; sum = 3 y1 y0 + x1 y1 + x2 y2
        first, second_one = derivative(x, y)
        is_alike(first, x, [0.0, y[1], y[2]])
        is_alike(second_one, y, [3 * y[1], 3 * y[0] + x[1], x[2]])
        # one array: x0 = 3 x1; sum = 9 x1^2 + x1^2 + x2^2
        first, second_one = derivative(x, x)
        is_alike(first, x, [0.0, 20 * X[1], 2 * X[2]])
        is_alike(second_one, x, [0.0, 0.0, 0.0])
        first, second_one = derivative(x, x[:])
        is_alike(first, x, [0.0, 20 * X[1], 2 * X[2]])
        with pytest.raises(errors.NonDifferentiableError, match=r"two arrays overlap in memory.* x.copy\(\)"):
            derivative(x, x[::-1])
    assert (x == X).all()


def test_parts_of_one_array():
    base = np.arange(6.0).reshape(3, 2)
    x, y = base[:, 0], base[:, 1]
    first, second_one = grad(changes_the_first, (0, 1))(x, y)
    is_alike(first, x, [0.0, 3.0, 5.0])
    is_alike(second_one, y, [3 * y[1], 3 * y[0] + x[1], x[2]])
    assert (base == np.arange(6.0).reshape(3, 2)).all()


# --- containers -----------------------------------------------------------------------------------------------------------------


class Layer(NamedTuple):
    weights: Any
    bias: Any


def affine(layer):
    return np.sum(layer[0] * layer[1])


def affine_by_name(layer):
    return np.sum(layer["weights"] * layer["bias"])


CONTAINERS = [
    (affine, [W, X], lambda got: (got[0], got[1]), list),
    (affine, (W, X), lambda got: (got[0], got[1]), tuple),
    (affine, Layer(W, X), lambda got: (got.weights, got.bias), Layer),
    (affine_by_name, {"weights": W, "bias": X}, lambda got: (got["weights"], got["bias"]), dict),
]


@pytest.mark.parametrize(("function", "argument", "parts", "cls"), CONTAINERS)
def test_arrays_in_containers(function, argument, parts, cls):
    value, got = value_and_grad(function)(argument)
    assert value == np.sum(W * X)
    assert type(got) is cls
    weights, bias = parts(got)
    is_alike(weights, W, np.tile(X, (2, 1)))
    is_alike(bias, X, W.sum(axis=0))
    assert not any(np.shares_memory(one, other) for one in (weights, bias) for other in (W, X))


def squares_of_all(arrays):
    result = 0.0
    for array in arrays:
        result = result + np.sum(array * array)
    return result


@pytest.mark.parametrize("arrays", [[X, X + 1], [X, W], [W, X, np.array(2.0)], [X.astype("float32"), X], [W, X[:2], W.T]])
def test_a_loop_over_arrays(arrays):
    for result, array in zip(grad(squares_of_all)(arrays), arrays, strict=True):
        is_alike(result, array, 2 * array)


def changes_a_list_of_arrays(arrays):
    arrays[0] *= 2.0
    arrays[1][0] = arrays[0][1] * arrays[0][2]
    return np.sum(arrays[1]) + arrays[0][0]


def test_arrays_in_a_list_that_are_changed():
    arrays = [X.copy(), X + 1.0]
    first, second_one = grad(changes_a_list_of_arrays)(arrays)
    is_alike(first, X, [2.0, 4 * X[2], 4 * X[1]])
    is_alike(second_one, X, [0.0, 1.0, 1.0])
    assert (arrays[0] == X).all()
    assert (arrays[1] == X + 1.0).all()


class State:
    def __init__(self, u):
        self.u = u


def changes_an_attribute(state, t):
    state.u[0] = t * t
    state.u *= t
    return np.sum(state.u)


def test_an_array_in_an_object_that_is_changed():
    state = State(X.copy())
    assert grad(changes_an_attribute, "t")(state, 2.0) == pytest.approx(3 * 4.0 + X[1] + X[2])
    assert (state.u == X).all()


# --- data outside ---------------------------------------------------------------------------------------------------------------


def make_scratch_loss(cache):
    def loss(y):
        cache[:] = 2 * y
        z = np.zeros_like(y)
        z[:] = np.sin(cache)
        return np.sum(z)

    return loss


def test_a_captured_scratch_buffer():
    cache, y = np.full(3, 7.0), X.copy()
    derivative = value_and_grad(make_scratch_loss(cache))
    for scale in (1.0, 2.0, 3.0):
        value, result = derivative(scale * y)
        assert value == np.sum(np.sin(2 * scale * y))
        is_alike(result, y, 2 * np.cos(2 * scale * y))
        assert (cache == 2 * scale * y).all()  # as the primal leaves it
    with pytest.raises(errors.NonDifferentiableError, match="'y' shares memory with 'cache'"):
        derivative(cache)


WORK = np.zeros(3)


def fills_a_global(t):
    WORK[0] = t[0] ** 2
    WORK[1] = t[1] * t[0]
    WORK[2] = 1.0
    result = np.sum(WORK)
    WORK[0] = 50.0
    return result + WORK[1]


def test_a_global_buffer():
    for _ in range(2):
        value, result = value_and_grad(fills_a_global)(np.array([2.0, 3.0]))
        assert value == 4 + 6 + 1 + 6
        is_alike(result, np.zeros(2), [2 * 2.0 + 2 * 3.0, 2 * 2.0])
        assert WORK.tolist() == [50.0, 6.0, 1.0]


def accumulates_in_a_global(t):
    WORK[0] += t[0] * t[1]
    return WORK[0] * t[0]


def test_a_global_buffer_that_is_read_before_it_is_written():
    for start in (1.0, 5.0):
        WORK[:] = start
        value, result = value_and_grad(accumulates_in_a_global)(np.array([2.0, 3.0]))
        assert value == (start + 6.0) * 2.0
        is_alike(result, np.zeros(2), [start + 6.0 + 3.0 * 2.0, 2.0 * 2.0])
        assert WORK[0] == start + 6.0


SCALES = np.array([1.0, 10.0, 100.0])


def reads_a_global(x):
    return np.sum(SCALES * x)


def test_a_gradient_is_no_array_outside():
    result = grad(reads_a_global)(X)
    is_alike(result, X, SCALES)
    assert not np.shares_memory(result, SCALES)


def default_array(x, scales=SCALES):
    return np.sum(scales * x)


def test_an_array_as_default():
    result = grad(default_array)(X)
    is_alike(result, X, SCALES)
    assert not np.shares_memory(result, SCALES)
    is_alike(grad(default_array, "scales")(X), SCALES, X)


# --- what the value is ----------------------------------------------------------------------------------------------------------


def test_a_result_that_is_an_array_is_refused():
    with pytest.raises(errors.NonDifferentiableError, match=r"scaled\(\) gives an array .* np.sum\(y\)"):
        grad(scaled)(X)


MASKED = np.ma.masked_array([1.0, 2.0, 3.0], mask=[False, True, False])


def times_masked(x, m):
    return np.sum(x * m)


@pytest.mark.parametrize(
    "foreign", [MASKED, np.array([1.0, 2.0, 3.0], dtype=object), np.ones((3, 3)).view(np.matrix), X.view(np.recarray)]
)
def test_arrays_of_other_kinds_beside_active_ones(foreign):
    """Right, or refused: never a guess."""
    for x in (X, 2.0):
        with pytest.raises(errors.S2sadError):
            grad(times_masked)(x, foreign)


def test_complex_arrays_beside_active_ones():
    for x in (X, 2.0):
        with pytest.raises(errors.S2sadError):
            grad(lambda x, z: np.sum(np.abs(x * z)))(x, X + 1j)


# --- pickling, threads, second derivatives --------------------------------------------------------------------------------------


pickled = grad(weighted)


def test_pickled_derivatives_take_arrays():
    again = pickle.loads(pickle.dumps(pickled))
    is_alike(again(X, X + 1), X, X + 1)
    is_alike(again(*pickle.loads(pickle.dumps((X, X + 1)))), X, X + 1)


def test_threads_share_a_derivative():
    derivative = grad(changed_by_element)
    arrays = [np.full(3 + k % 3, float(k)).astype(["float64", "float32"][k % 2]) for k in range(60)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for x, result in zip(arrays, pool.map(derivative, arrays), strict=True):
            want = np.ones(len(x))
            want[:2] = 0.0, 1 + 2 * x[1]
            is_alike(result, x, want)


def gradient_summed(x):
    return np.sum(grad(cubes)(x) * np.array([1.0, 10.0, 100.0]))


def cubes(x):
    return np.sum(x * x * x)


def test_second_derivatives():
    is_alike(grad(gradient_summed)(X), X, 6 * X * np.array([1.0, 10.0, 100.0]))


def number_in_place(x, n):
    s = 0.5
    if n > 1:
        s = x * x
    s *= s
    return np.sum(s)


def test_a_number_that_is_changed_in_place_where_an_array_may_be_is_refused():
    is_alike(grad(number_in_place)(X, 2), X, 4 * X**3)
    with pytest.raises(errors.NonDifferentiableError, match=r"x = x \+ e"):
        grad(number_in_place)(X, 1)


def number_or_array_by_key(x, names):
    table = {"a": x[0], "b": x}
    return sum(np.sum(table[name] * x) for name in names)


def test_a_number_or_an_array_from_a_dict_is_refused():
    with pytest.raises(errors.UnsupportedSyntaxError, match="two containers"):
        grad(number_or_array_by_key)(X, ["a", "b"])


# --- Means of nothing ----------------------------------------------------------------------------------------------------------


def of_none_above(x):
    mean = np.mean(x[x > 100.0])
    return (0.0 if np.isnan(mean) else mean) + np.sum(x * x)


MEANS_OF_NOTHING = {
    "mean": (np.mean, (0,)),
    "mean of rows": (lambda x: np.sum(x.mean(0)), (0, 3)),
    "mean of two axes": (lambda x: np.sum(x.mean((0, 1))), (2, 0)),
    "average": (np.average, (0,)),
    "variance": (np.var, (0,)),
    "variance of rows": (lambda x: np.sum(np.var(x, 0)), (0, 3)),
    "deviation": (np.std, (0,)),
    "deviation of rows": (lambda x: np.sum(np.std(x, 0)), (0, 3)),
    "mean of squares": (lambda x: np.mean((x - 1.0) ** 2), (0,)),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", MEANS_OF_NOTHING)
def test_the_gradient_of_a_mean_of_nothing_is_empty(name):
    function, shape = MEANS_OF_NOTHING[name]
    x = np.zeros(shape)
    assert np.isnan(function(x))
    assert grad(function)(x).shape == shape
    assert grad(lambda x: np.sum(grad(function)(x)))(x).shape == shape


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_mean_of_an_empty_part_has_gradient_zero():
    x = np.array([1.0, 2.0])
    assert np.array_equal(grad(of_none_above)(x), 2.0 * x)
    assert np.array_equal(grad(lambda x: np.sum(grad(of_none_above)(x)))(x), [2.0, 2.0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_variance_of_too_few_elements_has_no_derivative():
    for function in (lambda x: np.var(x, ddof=1), lambda x: np.std(x, ddof=1), lambda x: np.sum(np.var(x[None], 0, ddof=1))):
        assert np.isnan(function(np.ones(1)))
        assert np.isnan(grad(function)(np.ones(1))).all()
    x = np.array([1.0, 2.0, 4.0])
    assert np.allclose(grad(lambda x: np.var(x, ddof=1))(x), x - np.mean(x))
    assert grad(lambda x: np.var(x, ddof=1))(x.astype(np.float32)).dtype == np.float32


def by_differences(function, x):
    changes = 1e-5 * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(function(x + change) - function(x - change)) / 2e-5 for change in changes]).reshape(x.shape)


@pytest.mark.parametrize(
    "key", [True, False, None, ..., 1, (0, 1), slice(1, 3), (slice(None), 1), np.array([0, 2]), np.eye(3) > 0]
)
def test_updates_by_keys_whose_kind_is_not_known(key):
    """A number of Python leaves an array's dtype as it is, also where the shape of the part is not known."""

    def function(x):
        y = x.copy()
        y[key] *= 2
        y[key] += 1
        y[key] = y[key] ** 2
        return np.sum(y * y) + np.sum(y[key])

    x = np.array([[0.3, -0.4, 0.7], [1.1, -0.9, 0.5], [0.2, 0.8, -0.6]])
    assert grad(function)(x) == pytest.approx(by_differences(function, x), rel=1e-8, abs=1e-8)


def test_updates_by_keys_from_makers_of_indices():
    def function(x):
        y = x.copy()
        y[np.s_[1:3]] = 0
        y[np.index_exp[0]] *= 2
        y[True] *= 3
        return np.sum(y * y)

    assert np.array_equal(grad(function)(np.array([1.0, 2.0, 3.0, 4.0])), [72.0, 0.0, 0.0, 72.0])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, float])
def test_ufuncs_that_are_told_how_to_compute(dtype):
    def function(x, y):
        s = np.sum(np.exp(x, dtype=dtype) * np.multiply(x, y, dtype=dtype, casting="same_kind"))
        return s + np.sum(np.hypot(x, y, dtype=dtype, order="C")) + np.sum(np.add(x, 1.0, subok=False) ** 2)

    def plain(x, y):
        return np.sum(np.exp(x) * (x * y)) + np.sum(np.hypot(x, y)) + np.sum((x + 1.0) ** 2)

    x, y = np.array([0.3, 1.2, -0.7]), np.array([0.5, -0.2, 0.9])
    found = grad(function, argnums=(0, 1))(x, y.astype(np.float32))
    assert [part.dtype for part in found] == [np.float64, np.float32]
    assert found[0] == pytest.approx(by_differences(lambda x: plain(x, y), x), rel=1e-5)
    assert found[1] == pytest.approx(by_differences(lambda y: plain(x, y), y), rel=1e-5)


def _weights(*shape):
    return np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum((x * _weights(2, 3)) ** 2),  # along the first axis
        lambda x: np.sum((x[:, None] * _weights(3, 2)) ** 2),  # along the last
        lambda x: np.sum((x[:, None] * np.array([[1, -1]])) ** 2),  # integers make it double as well
        lambda x: np.sum((x[None, :, None] * _weights(2, 3, 2)) ** 2),  # along both
        lambda x: np.sum((_weights(2, 3) + x) ** 2 * _weights(2, 3)),
        lambda x: np.sum(np.exp(x[:, None] / _weights(3, 2))),
        lambda x: np.sum(np.where(_weights(2, 3) > 1, x, 1.0) ** 2 * _weights(2, 3)),
        lambda x: np.sum(np.maximum(x, _weights(2, 3)) * _weights(2, 3)),
    ],
)
def test_single_precision_that_is_broadcast_to_double(function, dtype):
    x = np.array([0.3125, 1.1875, -0.75])
    found = grad(function)(x.astype(dtype))
    assert found.dtype == dtype
    assert found == pytest.approx(by_differences(function, x), rel=1e-2 if dtype == "float16" else 1e-4, abs=1e-3)


@pytest.mark.parametrize("store", [np.s_[0], np.s_[:], np.s_[0:1]])
def test_single_precision_that_is_stored_into_double(store):
    def function(x):
        z = np.ones((2, 3))
        z[store] = x
        z[1:] *= x
        return np.sum(z * z * _weights(2, 3))

    x = np.array([0.3125, 1.1875, -0.75])
    found = grad(function)(x.astype("float32"))
    assert found.dtype == np.float32
    assert found == pytest.approx(by_differences(function, x), rel=1e-4)


def test_lists_of_integers_in_an_index_are_made_arrays_once():
    """Nothing of them is kept from trip to trip."""

    def function(u):
        u = u.copy()
        for _ in range(3):
            u[:, 1:-1] = u[:, 1:-1] + 0.1 * u[:, 2:] * u[:, :-2]
            u[:, [0, -1]] = u[:, [1, -2]]
            u[[0, 2], 1] *= u[1, [2, 0]]
            u[1, [3, 0]] += 1.0
        return np.sum(u**2)

    x = np.array([[0.3, -0.4, 0.7, 1.1], [-0.9, 0.5, 0.2, -1.3], [0.6, 1.4, -0.8, 0.1]])
    assert grad(function)(x) == pytest.approx(by_differences(function, x), rel=1e-7, abs=1e-8)

    def of_gradient(x):
        return np.sum(grad(function)(x) ** 2)

    assert grad(of_gradient)(x) == pytest.approx(by_differences(of_gradient, x), rel=1e-6, abs=1e-6)
    text = grad(function).source(x)
    before_loop = text.partition("for ")[0]
    assert before_loop.count("np.array([") == text.count("np.array([") == 5


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum(np.mgrid[0 : x[0] : 3j] ** 2),
        lambda x: np.sum(np.ogrid[0 : x[0] : 3j, 0:2][0] ** 2),
        lambda x: np.sum(np.r_[0 : x[0] : 3j] ** 2),
        lambda x: slice(0, x[0]).stop * 2.0,
        lambda x: np.s_[0 : x[0]].stop * 2.0,
    ],
)
def test_derivatives_that_pass_through_bounds_of_slices_are_refused(function):
    with pytest.raises(errors.UnsupportedSyntaxError, match="object of class slice"):
        grad(function)(np.array([1.0, 2.0]))


def test_grids_and_indices_have_their_names_in_the_text():
    def function(x):
        i, j = np.mgrid[: len(x), 0:1:2j]
        return np.sum(x[i] * j) + x[np.s_[1:]].sum()

    text = grad(function).source(np.ones(3))
    assert "np.mgrid[:len_x, 0:1:2.0j]" in text
    assert "x_bar[1:] = 1.0" in text
    assert ".copy()" not in text


def test_single_precision_through_a_loop_that_starts_in_double():
    def values(rewards, transitions):
        result = np.zeros(4)
        for _ in range(3):
            result = rewards + np.float32(0.5) * transitions @ result
        return result.mean()

    rewards = np.arange(4, dtype=np.float32)
    transitions = np.full((4, 4), 0.25, dtype=np.float32)
    found = grad(values)(rewards, transitions)
    assert found.dtype == np.float32
    assert found == pytest.approx(np.full(4, (1 + 0.5 + 0.25) / 4))
