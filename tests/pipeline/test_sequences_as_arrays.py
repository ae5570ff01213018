"""Lists and tuples of numbers where NumPy takes arrays: gradients against differences."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.rules import registered_rules
from s2sad.rules.core import PointwiseRule

X = np.array([0.3, -0.4, 0.7, 1.1, -0.9])
MATRIX = [[2.0, 1.0], [0.3, 1.0]]


def in_place(x):
    y = x[:3] * 1.0
    y += [1.0, 2.0, 3.0]
    y *= (1.0, 2.0, 3.0)
    return np.sum(y**2)


def stored(x):
    y = np.zeros(5)
    y[:2] = [x[0], 2.0]
    y[[2, 3]] = [x[1], x[2]]
    y[4:] = (x[3],)
    np.add.at(y, [0, 0, 1], [x[4], 2.0, x[0]])
    np.copyto(y[2:4], [x[0], y[3]])
    return np.sum(y**2)


def stored_in_rows(x):
    y = np.zeros((2, 2))
    y[:] = [[x[0], 1.0], [x[1], x[2]]]
    y[1] *= [2.0, x[3]]
    return np.sum(y**3)


def changed_between(x):
    w = [1.0, 2.0, 3.0]
    s = np.dot(x[:3], w)
    w[0] = 5.0
    return s + np.dot(x[:3], w) ** 2


def grown(x):
    squares = []
    for i in range(3):
        squares.append(x[i] ** 2)
    return np.sum(np.array(squares) * x[:3]) + np.dot(squares, x[:3]) + np.sum(x[:3] * squares)


def squares_of(x):
    return [x[i] ** 2 for i in range(3)]


def given_by_a_function(x):
    return np.sum(np.sin(squares_of(x)) * squares_of(x))


FUNCTIONS = {
    "in place": in_place,
    "stored": stored,
    "stored in rows": stored_in_rows,
    "changed between": changed_between,
    "grown": grown,
    "given by a function": given_by_a_function,
    "x * list": lambda x: np.sum((x[:3] * [1.0, 2.0, 3.0]) ** 2),
    "list * x": lambda x: np.sum(([1.0, 2.0, 3.0] * x[:3]) ** 2),
    "x - tuple": lambda x: np.sum((x[:3] - (1.0, 2.0, 3.0)) ** 2),
    "tuple - x": lambda x: np.sum(((1.0, 2.0, 3.0) - x[:3]) ** 2),
    "x / list": lambda x: np.sum((x[:3] / [1.0, 2.0, 3.0]) ** 2),
    "list / x": lambda x: np.sum(([1.0, 2.0, 3.0] / x[:3]) ** 2),
    "x ** list": lambda x: np.sum((x[:3] ** [1, 2, 3]) ** 2),
    "list ** x": lambda x: np.sum([1.0, x[3]] ** x[:2]),
    "x * shape": lambda x: np.sum(x[:1] * x.shape),
    "list @ x": lambda x: np.sum((MATRIX @ x[:2]) ** 2) + np.sum(([[1.0, 2.0], [3.0, 1.0]] @ x[:2]) ** 2),
    "x @ list": lambda x: np.sum((x[:2] @ [[1.0, 2.0], [3.0, x[2]]]) ** 2),
    "list + number of NumPy": lambda x: np.sum([1.0, x[1]] + x[0]),
    "number of NumPy - tuple": lambda x: np.sum((x[0] - (1.0, x[2])) ** 2),
    "tuple / number of NumPy": lambda x: np.sum((1.0, 2.0) / x[0]),
    "ufunc of a list": lambda x: np.sum(np.sin([x[0], 2.0]) ** 2) + np.sum(np.exp([[x[0], 2.0], [1.0, x[1]]]) ** 2),
    "ufunc of two": lambda x: np.sum(np.hypot(x[:2], [1.0, x[3]])) + np.sum(np.arctan2([1.0, 2.0], x[:2])),
    "maximum": lambda x: np.sum(np.maximum(x[:3], [0.1, 0.2, 3.0]) ** 2),
    "where": lambda x: np.sum(np.where([True, False, True], x[:3] * x[:3], [0.1, 0.2, x[1]]) ** 2),
    "clip": lambda x: np.sum(np.clip(x[:3], [-0.1, -0.2, -3.0], 0.5) ** 2),
    "convolve": lambda x: np.sum(np.convolve(x, [0.25, 0.5, 0.25]) ** 2),
    "convolve list": lambda x: np.sum(np.convolve((0.25, 0.5, x[1]), x, mode="same") ** 2),
    "correlate": lambda x: np.sum(np.correlate(x, (0.25, 0.5, 0.25), "full") ** 2),
    "dot": lambda x: np.dot(x[:3], [1.0, 2.0, 3.0]) ** 2 + x[:3].dot([1.0, 2.0, 3.0]) ** 2,
    "dot of lists": lambda x: np.dot([x[0], x[1]], [x[2], 2.0]) ** 2,
    "matmul": lambda x: np.sum(np.matmul([[1.0, 2.0], [3.0, 1.0]], x[:2]) ** 2),
    "outer": lambda x: np.sum(np.outer(x, [1.0, 2.0]) ** 2),
    "inner": lambda x: np.sum(np.inner(x[:2], [[1.0, 2.0], [3.0, 4.0]]) ** 2),
    "kron": lambda x: np.sum(np.kron(x, [1.0, 2.0]) ** 2),
    "cross": lambda x: np.sum(np.cross(x[:3], [1.0, 2.0, 3.0]) ** 2),
    "tensordot": lambda x: np.tensordot(x[:3], [1.0, 2.0, 3.0], 1) ** 2,
    "einsum": lambda x: np.einsum("i,i", x[:3], [1.0, 2.0, 3.0]) ** 2,
    "interp at x": lambda x: np.sum(np.interp(x, [-2.0, 0.0, 2.0], [1.0, 3.0, -1.0]) * x),
    "interp of x": lambda x: np.sum(np.interp([0.1, 0.2], [-2.0, 0.0, 2.0], [x[0], x[1], 3.0]) ** 2),
    "average": lambda x: np.average(x[:3], weights=[1.0, 2.0, 3.0]) ** 2,
    "polyval": lambda x: np.sum(np.polyval([1.0, x[0], 3.0], x) ** 2),
    "concatenate": lambda x: np.sum(np.concatenate([[0.0], x, 2.0 * x[:2], [x[1]]]) ** 2 * np.arange(9.0)),
    "hstack": lambda x: np.sum(np.hstack([x, [1.0, x[0]], x[2]]) ** 2 * np.arange(8.0)),
    "vstack": lambda x: np.sum(np.vstack([x[:2], [1.0, x[0]]]) ** 2) + np.sum(np.stack([x[:2], [1.0, x[0]]]) ** 3),
    "append": lambda x: np.sum(np.append(x, [x[0], 2.0]) ** 2) + np.sum(np.append([1.0], x) ** 2),
    "solve": lambda x: np.sum(np.linalg.solve([[x[0], 1.0], [0.3, x[1]]], [1.0, x[2]]) ** 2),
    "det": lambda x: np.linalg.det([[x[0], 2.0], [1.0, x[1]]]),
    "norm": lambda x: np.linalg.norm([x[0], 2 * x[1], 1.0]),
    "sum and mean": lambda x: np.sum([x[0] * x[1], x[2]]) ** 2 + np.mean((x[0] * x[1], x[2])) ** 2,
    "max and prod": lambda x: np.max([x[0] * x[1], x[2]]) ** 2 + np.prod([x[0] * x[1], x[2]]) ** 2,
    "std and median": lambda x: np.std([x[0] * x[1], x[2], 1.0]) ** 2 + np.median([x[0], 1.0, x[2]]) ** 2,
    "diag": lambda x: np.sum(np.diag([x[0], 2.0]) ** 2),
    "cumsum": lambda x: np.sum(np.cumsum([x[0], 2.0, x[1]]) ** 2),
    "full": lambda x: np.sum(np.full((2, 2), [x[0], 2.0]) ** 2),
    "trapezoid": lambda x: np.trapezoid(x[:3], [0.0, 0.1, 0.5]) ** 2,
    "gradient": lambda x: np.sum(np.gradient([x[0], x[1] * x[2], 1.0]) ** 2),
    "diff": lambda x: np.sum(np.diff(x, prepend=[0.0], append=[1.0, x[0]]) ** 2),
    "take": lambda x: np.sum(np.take([x[0], 1.0, x[2]], [0, 2, 2]) ** 2),
    "sort": lambda x: np.sum(np.sort([x[0], 1.0, x[2]]) * np.arange(3.0)),
    "reshape": lambda x: np.sum(np.reshape([x[0], 1.0, x[2], x[1]], (2, 2))[0] ** 2),
    "tile": lambda x: np.sum(np.tile([x[0], x[1]], 3) ** 2),
    "roll": lambda x: np.sum(np.roll([x[0], 1.0, x[2]], 1) * np.arange(3.0)),
    "meshgrid": lambda x: np.sum(np.meshgrid(x, [1.0, 2.0])[0] ** 2),
}


def by_differences(function, x):
    gradient = np.zeros_like(x)
    for i in range(x.size):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = np.zeros_like(x)
            change.flat[i] = step * 1e-3
            gradient.flat[i] += weight * (function(x + change) - function(x - change)) / 60e-3
    return gradient


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_sequences_count_as_arrays(name):
    function = FUNCTIONS[name]
    value, gradient = value_and_grad(function)(X)
    assert np.asarray(value).tobytes() == np.asarray(function(X)).tobytes()
    assert gradient == pytest.approx(by_differences(function, X), rel=1e-7, abs=1e-8)


def test_a_list_of_numbers_beside_an_integer_of_numpy_is_repeated():
    def repeated(x):
        return np.sum(np.int64(2) * [x, 1.0]) ** 2

    assert grad(repeated)(0.5) == 12.0


def test_an_argument_that_is_a_list():
    w_bar, x_bar = grad(lambda w, x: np.dot(w, x) ** 2 + np.sum(x * w), argnums=(0, 1))([1.0, 2.0], X[:2])
    assert w_bar == pytest.approx([2 * (0.3 - 0.8) * 0.3 + 0.3, 2 * (0.3 - 0.8) * -0.4 - 0.4])
    assert x_bar == pytest.approx(np.array([2 * (0.3 - 0.8) * 1.0 + 1.0, 2 * (0.3 - 0.8) * 2.0 + 2.0]))


SELECTIONS = [
    lambda a, b: np.sum(np.where([True, False], a, a**3 * b)),
    lambda a, b: np.sum(np.where((True, False), a * b, a**3)),
    lambda a, b: np.sum(np.where([a > 0, b > 2], [a, b], [b, a])),
    lambda a, b: np.sum(np.where([True, False], [a, b], b)),
    lambda a, b: np.sum(np.where([True, False], a, [b, 2 * b])),
    lambda a, b: np.sum(np.where(a > 0, [a, b], [b, 2 * b])),
    lambda a, b: np.sum(np.where([[a > b], [a < b]], [a, b], b * a)),
    lambda a, b: np.sum(np.where([1, 0, 1], a, a * b) * np.arange(3.0)),
    lambda a, b: np.where(a > b, a, b * a),
    lambda a, b: np.sum(np.clip([a, b], -5, 5)),
    lambda a, b: np.clip([a, b * a], 0, 1)[0],
    lambda a, b: np.sum(np.clip((a, b), [0, 0], [b * 1.1, b * 0.9])),
    lambda a, b: np.sum(np.clip(a * b, [0, 0], [1.3, 0.2])),
    lambda a, b: np.sum(np.clip(np.array([a, 3 * a]), a_min=[a * b, 5 * a], a_max=None)),
    lambda a, b: np.sum(np.clip([v * a for v in (1.0, 2.0, 3.0)], 0, b)),
    lambda a, b: np.sum(np.array([a, b]).clip([b, b], max=None)),
]


@pytest.mark.parametrize("function", SELECTIONS, ids=range(len(SELECTIONS)))
def test_selections_of_sequences(function):
    h = 1e-6
    expected = [
        (function(0.7 + h, 1.3) - function(0.7 - h, 1.3)) / (2 * h),
        (function(0.7, 1.3 + h) - function(0.7, 1.3 - h)) / (2 * h),
    ]
    assert grad(function, argnums=(0, 1))(0.7, 1.3) == pytest.approx(expected, rel=1e-7, abs=1e-8)


ELEMENTWISE = {
    function
    for rule in registered_rules()
    if isinstance(rule, PointwiseRule)
    for function in rule.functions
    if getattr(np, getattr(function, "__name__", ""), None) is function and function not in (np.float32, np.float16)
}


def _takes_a_sequence(function):
    with np.errstate(all="ignore"):
        try:
            return np.shape(function([0.3, 0.6])) == (2,)
        except TypeError:
            return False


@pytest.mark.parametrize("display", [lambda a, b: [a, b], lambda a, b: (a, b)], ids=["list", "tuple"])
@pytest.mark.parametrize(
    "function", sorted(filter(_takes_a_sequence, ELEMENTWISE), key=lambda f: f.__name__), ids=lambda f: f.__name__
)
def test_functions_that_work_element_by_element_take_sequences(function, display):
    def weighted(a, b):
        return np.sum(function(display(a, b)) * np.array([1.0, 3.0]))

    h = 1e-6
    with np.errstate(all="ignore"):
        expected = [
            (weighted(0.3 + h, 0.6) - weighted(0.3 - h, 0.6)) / (2 * h),
            (weighted(0.3, 0.6 + h) - weighted(0.3, 0.6 - h)) / (2 * h),
        ]
        gradient = grad(weighted, argnums=(0, 1))(0.3, 0.6)
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8, nan_ok=True)
