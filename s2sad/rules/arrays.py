"""Rules of functions that make, copy, select and sort arrays; what has derivative zero, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.ir.effects import ALLOCATES_FROM, READS, declare_effects, declare_shape_only
from s2sad.ir.operations import handed_on
from s2sad.rules.checks import declare_static
from s2sad.rules.declare import model, not_implemented, pointwise, vjp_rule, zero_derivative
from s2sad.rules.reductions import divisor_along, kept

Array = Any
#: A sequence of arrays.
Arrays = Any

# --- Copies and creation ------------------------------------------------------------------------------------


@vjp_rule(np.copy, np.ndarray.copy, lazy=True, samples=("A(3)", "A(2, 3)", "A()"))
def copy(y_bar: Array, y: Array, a: Array, order: Any = "K") -> Array:
    return y_bar


@vjp_rule(handed_on, samples=("A(3)", "A(2, 3)", "A()"))
def hand_on(y_bar: Array, y: Array, a: Array) -> Array:
    return y_bar


@vjp_rule(np.ndarray.astype, np.astype, lazy=True, samples=("A(3), float", "A(2, 3), np.float64"))
def astype(y_bar: Array, y: Array, a: Array, dtype: Any, order: Any = "K", casting: Any = "unsafe", copy: Any = True) -> Array:
    return y_bar


@vjp_rule(np.ndarray.item, samples=("A()", "A(1)", "A(1, 1)"))
def item(y_bar: Array, y: Array, a: Array) -> Array:
    return y_bar


@vjp_rule(np.ndarray.item, overload=True, samples=("A(3), 1", "A(2, 3), 4", "A(2, 3), 1, 2", "A(2, 3), (0, 1)"))
def item_at(y_bar: Array, y: Array, a: Array, *index: Any) -> Array:
    a_bar = np.zeros_like(a, dtype=float)
    if len(index) > 1:
        a_bar[index] = y_bar
    elif isinstance(index[0], tuple):
        a_bar[index[0]] = y_bar
    else:
        a_bar.reshape(-1)[index[0]] = y_bar
    return a_bar


@vjp_rule(
    *(np.array, np.asarray, np.asanyarray, np.asarray_chkfinite),
    samples=("A(3)", "[R(), R(), R()]", "(R(), 2.0)", "[A(3), A(3)]", "[[R(), R()], [R(), 1.0]]", "R()"),
)
def array(y_bar: Array, y: Array, object: Any, dtype: Any = None, order: Any = "K", *, copy: Any = True) -> Array:
    return y_bar, None, None, None


@vjp_rule(
    *(np.ascontiguousarray, np.asfortranarray),
    samples=("A(3)", "[R(), R(), R()]", "(R(), 2.0)", "[A(3), A(3)]", "[[R(), R()], [R(), 1.0]]", "R()", "A()"),
)
def array_in_layout(y_bar: Array, y: Array, a: Any, dtype: Any = None) -> Array:
    return np.reshape(y_bar, np.shape(a)), None


@vjp_rule(np.array, overload=True, samples=("A(3), ndmin=2", "A(3, 2), ndmin=1", "[R(), R(), R()], ndmin=2"))
def array_of_more_axes(y_bar: Array, y: Array, object: Any, dtype: Any = None, *, copy: Any = True, ndmin: Any = 0) -> Array:
    return np.reshape(y_bar, np.shape(object)), None, None, None


@vjp_rule(np.full, samples=("(2, 3), R()", "3, R()", "(2, 3), A(3)"))
def full(y_bar: Array, y: Array, shape: Any, fill_value: Array, dtype: Any = None) -> Array:
    return None, y_bar


@vjp_rule(np.full_like, samples=("A(2, 3), R()", "A(2, 3), A(3)"))
def full_like(y_bar: Array, y: Array, a: Array, fill_value: Array, dtype: Any = None) -> Array:
    return None, y_bar


@vjp_rule(
    np.linspace,
    samples=(
        "R(), R()",
        "R(), R(), 5",
        "R(), R(), 4, endpoint=False",
        "R(), R(), 1",
        "A(2), A(2), 4",
        "A(2, 3), R(), 4",
        "A(3), A(2, 1)",
    ),
)
def linspace(y_bar: Array, y: Array, start: Array, stop: Array, num: int = 50, endpoint: bool = True) -> Array:
    share = np.arange(num) / max(1, num - 1 if endpoint else num)
    if y_bar.ndim == 1:
        return np.sum(y_bar * (1 - share)), np.sum(y_bar * share)
    return np.tensordot(1 - share, y_bar, 1), np.tensordot(share, y_bar, 1)


@vjp_rule(np.arange, samples=("R()",), note="as many elements as there are")
def arange(y_bar: Array, y: Array, stop: Array, *, dtype: Any = None) -> Array:
    return 0.0


@vjp_rule(
    np.arange,
    samples=("R(), 5.0", "R(), 3.4, 0.5", "R(), 4.2, R()", "3.1, R(), -0.4"),
    overload=True,
    note="as many elements as there are",
)
def arange_between(y_bar: Array, y: Array, start: Array, stop: Array, step: Array = 1, dtype: Any = None) -> Array:
    return np.sum(y_bar), 0.0, np.sum(y_bar * np.arange(len(y_bar))), None


@vjp_rule(np.meshgrid, samples=("A(3), A(2)", "A(3), A(2), indexing='ij'"))
def meshgrid(y_bar: Array, y: Array, x1: Array, x2: Array, indexing: Any = "xy") -> Array:
    if indexing == "ij":
        return np.sum(y_bar[0], 1), np.sum(y_bar[1], 0)
    return np.sum(y_bar[0], 0), np.sum(y_bar[1], 1)


# --- Selection ----------------------------------------------------------------------------------------------


@vjp_rule(
    np.where,
    overload=True,
    samples=("B(3), A(3), A(3)", "B(2, 3), A(3), A(2, 1)", "B(3), R(), A(3)", "B(2, 1), A(3), 0.0", "True, A(3), A(3)"),
)
def where(y_bar: Array, y: Array, condition: Array, x: Array, other: Array) -> Array:
    return None, np.where(condition, y_bar, 0.0), np.where(condition, 0.0, y_bar)


@vjp_rule(
    np.take,
    np.ndarray.take,
    samples=(
        "A(5), [0, 2, 2]",
        "A(3, 4), 5",
        "A(3, 4), [[0, 1], [1, 1]], axis=1",
        "A(3, 4), 1, 0",
        "A(3, 4), [-1, 0], -1",
        "A(3, 4), [7, 7, 0]",
    ),
)
def take(y_bar: Array, y: Array, a: Array, indices: Any, axis: Any = None) -> Array:
    a_bar = np.zeros_like(a, dtype=float)
    if isinstance(indices, (list, tuple)):
        indices = np.array(indices)
    if axis is None or np.ndim(a) == 0:
        np.add.at(a_bar.reshape(-1), indices, y_bar)
    elif axis == 0:
        np.add.at(a_bar, indices, y_bar)
    elif axis == -1:
        last: Any = (..., indices)
        np.add.at(a_bar, last, y_bar)
    else:
        np.add.at(a_bar, (slice(None),) * (axis % a.ndim) + (indices,), y_bar)
    return a_bar


@vjp_rule(
    np.take_along_axis, samples=("A(3, 4), I(4, 3, 2), 1", "A(3, 4), I(3, 2, 4), 0", "A(5), I(5, 7), -1", "A(5), I(5, 4), None")
)
def take_along_axis(y_bar: Array, y: Array, arr: Array, indices: Array, axis: Any) -> Array:
    a_bar = np.zeros_like(arr, dtype=float)
    if axis is None:
        np.add.at(a_bar.reshape(-1), indices, y_bar)
        return a_bar
    index = list(np.indices(y.shape, sparse=True))
    index[axis] = indices
    np.add.at(a_bar, tuple(index), y_bar)
    return a_bar


@vjp_rule(np.select, samples=("[B(3), B(3)], [A(3), A(3)]",))
def select(y_bar: Array, y: Array, condlist: Arrays, choicelist: Arrays, default: Array = 0) -> Array:
    if not isinstance(choicelist, tuple):
        place = np.select(condlist, list(range(len(choicelist))), len(choicelist))
        chosen = [runtime.unbroadcast(np.where(place == k, y_bar, 0.0), one) for k, one in enumerate(choicelist)]
        return None, chosen, np.where(place == len(choicelist), y_bar, 0.0)
    bars: Any = ()
    rest = y_bar
    for condition in condlist:
        bars += (np.where(condition, rest, 0.0),)
        rest = np.where(condition, 0.0, rest)
    return None, bars, rest


@pointwise(np.nan_to_num)
def nan_to_num(y: Array, x: Array, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Array:
    return (
        1.0 if math.isfinite(x) else 0.0,
        0.0,
        1.0 if x != x else 0.0,
        1.0 if x == math.inf else 0.0,
        1.0 if x == -math.inf else 0.0,
    )


@pointwise(np.real, np.ndarray.real)
def real(y: Array, x: Array) -> Array:
    return 1.0


@vjp_rule(np.ndarray.conj, np.ndarray.conjugate, lazy=True, samples=("A(3)", "A(2, 3)"), note="of real numbers")
def conj(y_bar: Array, y: Array, a: Array) -> Array:
    return y_bar


# --- Curves -------------------------------------------------------------------------------------------------


@vjp_rule(
    np.interp,
    samples=("A(4), G(5), A(5)", "R(), G(5), A(5)", "A(2, 3), G(5), A(5)"),
    note="outside of xp the first and last value",
)
def interp(y_bar: Array, y: Array, x: Array, xp: Array, fp: Array) -> Array:
    right = np.clip(np.searchsorted(xp, x, side="right"), 1, len(xp) - 1)
    left = right - 1
    width = xp[right] - xp[left]
    slope = (fp[right] - fp[left]) / width
    share = np.clip((x - xp[left]) / width, 0.0, 1.0)
    is_inside = (x >= xp[0]) & (x <= xp[-1])
    x_bar = y_bar * np.where(is_inside, slope, 0.0)
    fp_bar = np.zeros_like(fp, dtype=float)
    np.add.at(fp_bar, left, y_bar * (1 - share))
    np.add.at(fp_bar, right, y_bar * share)
    xp_bar = np.zeros_like(xp, dtype=float)
    np.add.at(xp_bar, left, -x_bar * (1 - share))
    np.add.at(xp_bar, right, -x_bar * share)
    return x_bar, xp_bar, fp_bar


@vjp_rule(
    np.convolve,
    samples=(
        "A(5), A(3)",
        "A(3), A(5)",
        "A(5), A(3), 'same'",
        "A(5), A(3), 'valid'",
        "A(3), A(5), 'valid'",
        "A(5), A(4), mode='same'",
        "A(2), A(5), 'same'",
    ),
)
def convolve(y_bar: Array, y: Array, a: Array, v: Array, mode: Any = "full") -> Array:
    full = np.zeros(len(a) + len(v) - 1)
    start = (len(full) - len(y)) // 2
    full[start : start + len(y)] = y_bar
    return np.correlate(full, v, "valid"), np.correlate(full, a, "valid")


@vjp_rule(
    np.correlate,
    samples=(
        "A(5), A(3)",
        "A(3), A(5), 'full'",
        "A(5), A(3), 'full'",
        "A(5), A(3), mode='same'",
        "A(4), A(4)",
        "A(3), A(5)",
        "A(2), A(5), 'same'",
        "A(3), A(6), 'same'",
    ),
)
def correlate(y_bar: Array, y: Array, a: Array, v: Array, mode: Any = "valid") -> Array:
    full = np.zeros(len(a) + len(v) - 1)
    start = (len(full) - len(y)) // 2
    if len(a) < len(v):  # NumPy exchanges the two, and turns the result around
        start = len(full) - len(y) - start
    full[start : start + len(y)] = y_bar
    return np.correlate(full, v[::-1], "valid"), np.correlate(full, a, "valid")[::-1]


# --- Counts -------------------------------------------------------------------------------------------------


@vjp_rule(np.bincount, samples=("I(4, 6), A(6)", "I(4, 6), weights=A(6), minlength=7"))
def bincount(y_bar: Array, y: Array, x: Array, weights: Array = None, minlength: Any = 0) -> Array:
    return None, y_bar[x], None


def _bins(a: Array, edges: Array) -> Array:
    """The bin of each element, and the number of bins for those outside."""
    count = len(edges) - 1
    bins: Array = np.searchsorted(edges, a, side="right") - 1
    bins = np.where(a == edges[-1], count - 1, bins)
    return np.where(bins < 0, count, bins)


@vjp_rule(
    np.histogram,
    samples=("A(9), 4", "A(9), G(5)", "A(9), 5, weights=A(9)", "A(9), G(4), weights=A(9)", "A(9), 3"),
    note="an element stays in its bin; the outermost edges are the least and the largest element",
)
def histogram(
    y_bar: Array, y: Array, a: Array, bins: Array = 10, range: Any = None, density: Any = None, weights: Array = None
) -> Array:
    if density or range is not None:
        raise NotImplementedError("np.histogram() has a derivative without density=True and range=(…)")
    edges = y[1]
    share = np.arange(len(edges)) / (len(edges) - 1)
    is_least, is_largest = a == edges[0], a == edges[-1]
    a_bar = np.sum(y_bar[1] * (1 - share)) / np.maximum(np.count_nonzero(is_least), 1) * is_least
    a_bar = a_bar + np.sum(y_bar[1] * share) / np.maximum(np.count_nonzero(is_largest), 1) * is_largest
    weights_bar = None if weights is None else np.append(y_bar[0], 0.0)[_bins(a, edges)]
    return a_bar if np.ndim(bins) == 0 else None, y_bar[1] if np.ndim(bins) != 0 else None, None, None, weights_bar


def _slopes(f: Array, spacing: Array) -> Array:
    """Central differences, one-sided at the ends."""
    if f.ndim != 1:
        raise NotImplementedError("np.gradient() has a derivative for arrays of one axis")
    inner = (f[2:] - f[:-2]) / (2 * spacing)
    return np.concatenate(((f[1:2] - f[:1]) / spacing, inner, (f[-1:] - f[-2:-1]) / spacing))


@model(np.polyval)
def polyval(p: Array, x: Array) -> Array:
    y = x * 0.0
    for coefficient in p:
        y = y * x + coefficient
    return y


@model(np.gradient)
def gradient(f: Array) -> Array:
    return _slopes(f, 1.0)


def _of_slopes(f: Array, middle: Array, first: Array, last: Array) -> Array:
    """The adjoint of the elements, from those of the differences between neighbours but one, and at the ends."""
    f_bar = np.zeros_like(f, dtype=float)
    f_bar[2:] += middle
    f_bar[:-2] -= middle
    f_bar[0] -= first
    f_bar[1] += first
    f_bar[-2] -= last
    f_bar[-1] += last
    return f_bar


@vjp_rule(
    np.gradient, overload=True, samples=("A(5), R()", "A(5), G(5)", "A(2), G(2)", "A(2), R()"), note="of arrays of one axis"
)
def gradient_with_spacing(y_bar: Array, y: Array, f: Array, spacing: Array) -> Array:
    if f.ndim != 1:
        raise NotImplementedError("np.gradient() has a derivative for arrays of one axis")
    if np.ndim(spacing) == 0:
        bars = y_bar / spacing
        return _of_slopes(f, 0.5 * bars[1:-1], bars[0], bars[-1]), -np.sum(bars * y)
    steps = np.diff(spacing)
    slopes = np.diff(f) / steps
    before, after = steps[:-1], steps[1:]
    bars = y_bar[1:-1] / (before + after)
    slopes_bar = np.zeros_like(slopes)
    slopes_bar[:-1] += bars * after
    slopes_bar[1:] += bars * before
    slopes_bar[0] += y_bar[0]
    slopes_bar[-1] += y_bar[-1]
    differences_bar = slopes_bar / steps
    steps_bar = -differences_bar * slopes
    steps_bar[:-1] += bars * (slopes[1:] - y[1:-1])
    steps_bar[1:] += bars * (slopes[:-1] - y[1:-1])
    return _of_differences(differences_bar), _of_differences(steps_bar)


def _of_differences(bar: Array) -> Array:
    """The adjoint of an array of one axis from that of the differences between neighbours."""
    zero = np.zeros(1)
    return np.concatenate((zero, bar)) - np.concatenate((bar, zero))


@vjp_rule(
    np.gradient,
    overload=True,
    samples=(
        *("A(4, 3), axis=0", "A(3, 4), R(), axis=1", "A(3, 4), G(4), axis=-1", "A(5), edge_order=2", "A(5), R(), edge_order=2"),
        *("A(2, 4, 3), G(4), axis=1, edge_order=2", "A(3, 2), axis=0, edge_order=2", "A(2, 3), axis=0"),
    ),
)
def gradient_along(y_bar: Array, y: Array, f: Array, spacing: Any = 1.0, *, axis: Any = 0, edge_order: Any = 1) -> Array:
    """By the slopes between neighbours: those in the middle are means of two, weighted with the other's step."""
    if isinstance(axis, tuple):
        raise NotImplementedError("np.gradient() has a derivative along one axis at a time: write np.gradient(f, axis=0)")
    bars = np.moveaxis(y_bar, axis, 0)
    differences = np.diff(np.moveaxis(f, axis, 0), axis=0)
    steps = _steps_along(spacing, f, axis)
    slopes = differences / steps
    before, after = steps[:-1], steps[1:]
    inner_bar = bars[1:-1] / (before + after)
    slopes_bar = np.zeros_like(slopes)
    slopes_bar[0] += bars[0]
    slopes_bar[-1] += bars[-1]
    if edge_order == 2:  # twice the slope at the edge, less what is next to it
        slopes_bar[0] += bars[0]
        slopes_bar[-1] += bars[-1]
        inner_bar = np.copy(inner_bar)
        inner_bar[0] -= bars[0] / (before[0] + after[0])
        inner_bar[-1] -= bars[-1] / (before[-1] + after[-1])
    slopes_bar[:-1] += inner_bar * after
    slopes_bar[1:] += inner_bar * before
    differences_bar = slopes_bar / steps
    f_bar = np.zeros_like(f, dtype=y_bar.dtype)
    moved = np.moveaxis(f_bar, axis, 0)
    moved[1:] += differences_bar
    moved[:-1] -= differences_bar
    if np.ndim(spacing) == 0:
        return f_bar, -np.sum(y_bar * y) / spacing
    inner = (after * slopes[:-1] + before * slopes[1:]) / (before + after)
    steps_bar = -differences_bar * slopes
    steps_bar[:-1] += inner_bar * (slopes[1:] - inner)
    steps_bar[1:] += inner_bar * (slopes[:-1] - inner)
    return f_bar, _of_differences(np.sum(steps_bar.reshape(len(steps_bar), -1), axis=1))


def _steps_along(spacing: Any, f: Array, axis: Any) -> Array:
    """The steps between neighbours, beside their differences along the first axis."""
    if np.ndim(spacing) == 0:
        return np.full((f.shape[axis] - 1,) + (1,) * (f.ndim - 1), spacing)
    return np.diff(spacing).reshape((-1,) + (1,) * (f.ndim - 1))


def _along(weights: Array, a: Array, axis: Any) -> Array:
    """Weights of one axis of an array, so that they stand beside its elements."""
    if axis == -1:
        return weights
    return np.reshape(weights, (-1, *(1,) * (a.ndim - 1 - axis % a.ndim)))


@vjp_rule(
    np.average,
    lazy=True,
    samples=(
        *(
            "A(5)",
            "A(3, 4), axis=1",
            "A(3, 4), weights=np.abs(A(3, 4))",
            "A(3, 4), axis=0, weights=np.abs(A(3, 4))",
            "A(3, 4), 0, np.abs(A(3))",
        ),
        *(
            "A(3, 4), -1, np.abs(A(4))",
            "A(2, 3, 4), axis=1, weights=np.abs(A(3))",
            "A(3, 4), axis=1, weights=np.abs(A(4)), keepdims=True",
            "A(4), weights=np.abs(A(4))",
        ),
    ),
)
def average(
    y_bar: Array, y: Array, a: Array, axis: Any = None, weights: Array = None, returned: Any = False, *, keepdims: Any = False
) -> Array:
    if returned:
        raise NotImplementedError("np.average() has a derivative where it gives no weights: divide np.sum(a * w) by np.sum(w)")
    if weights is None:
        return kept(y_bar / divisor_along(a, axis), axis, keepdims), None, None, None
    if np.ndim(weights) != np.ndim(a) and not isinstance(axis, int):
        raise NotImplementedError("np.average() has a derivative where the weights are for one axis, or for each element")
    if np.ndim(weights) == np.ndim(a):
        share = kept(y_bar, axis, keepdims) / (np.sum(weights) if axis is None else np.sum(weights, axis, keepdims=True))
        return share * weights, None, share * (a - kept(y, axis, keepdims)), None
    share = kept(y_bar, axis, keepdims) / np.sum(weights)
    weights_bar = np.moveaxis(share * (a - kept(y, axis, keepdims)), axis, -1)
    return share * _along(weights, a, axis), None, weights_bar, None


@vjp_rule(
    np.unwrap,
    samples=("9 * A(5)", "7 * A(3, 4)", "9 * A(3, 4), axis=0", "5 * A(6), 2.0", "5 * A(6), period=1.5"),
    note="what is added is as many periods as it is",
)
def unwrap(y_bar: Array, y: Array, p: Array, discont: Any = None, axis: Any = -1, *, period: Any = 2 * math.pi) -> Array:
    return y_bar, None, None, np.sum(y_bar * (y - p)) / period


@vjp_rule(np.cross, samples=("A(3), A(3)", "A(4, 3), A(3)", "A(3), A(2, 3)"), note="of vectors of three numbers")
def cross(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise NotImplementedError("np.cross() has a derivative for vectors of three numbers")
    return np.cross(b, y_bar), np.cross(y_bar, a)


# --- What generated code calls -----------------------------------------------------------------------------


@vjp_rule(runtime.unbroadcast, lazy=True, samples=("A(2, 3), A(3)", "A(2, 3), A(2, 1)", "A(3), A(3)", "A(2, 3), R()"))
def unbroadcast(y_bar: Array, y: Array, bar: Array, x: Array) -> Array:
    return y_bar, None  # one element of y for each of bar


@vjp_rule(runtime.broadcast_like, samples=("A(3), A(2, 3)", "R(), A(3)", "A(2, 1), A(2, 3)"))
def broadcast_like(y_bar: Array, y: Array, bar: Array, x: Array) -> Array:
    return y_bar, None


@vjp_rule(runtime.last_stored, samples=("A(5), I(5, 3)", "A(3, 4), I(3, 2, 2)"))
def last_stored(y_bar: Array, y: Array, bar: Array, key: Any) -> Array:
    bar_bar = np.zeros_like(bar)
    bar_bar[key] = y_bar  # the last one stays, as in the store
    return bar_bar, None


@vjp_rule(runtime.shadow_of_view, samples=("A(3), A(3), A(3), A(3)",))
def shadow_of_view(shadow_bar: Array, shadow: Array, y_bar: Array, x_bar: Array, y: Array, x: Array) -> Array:
    return shadow_bar if np.may_share_memory(y, x) else np.zeros_like(y_bar), None, None, None


@vjp_rule(runtime.copy_in_layout, lazy=True, samples=("A(3)", "A(2, 3)"))
def copy_in_layout(y_bar: Array, y: Array, x: Array) -> Array:
    return y_bar


declare_static(
    *(runtime.inverse_permutation, runtime.opposite, runtime.last_axes, runtime.every_other_axis, runtime.axes_from),
    *(runtime.axes_without, runtime.axes_of_tensordot, runtime.plan_of_einsum),
)
declare_effects(
    ALLOCATES_FROM,
    *(runtime.unbroadcast, runtime.broadcast_like, runtime.split_like, runtime.split_rows_like, runtime.split_columns_like),
    *(runtime.eye_along, runtime.last_stored),
)
declare_effects(READS, runtime.length_along, runtime.shape_of_tiles)
declare_shape_only((0,), np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.shape, np.ndim, np.size, runtime.zeros_like)
declare_shape_only((0,), runtime.zeros_like_array, runtime.zeros_like_in_arrays)
declare_shape_only((1,), runtime.broadcast_like, runtime.unbroadcast)
declare_shape_only((0, 1), np.may_share_memory, np.shares_memory)
declare_shape_only((2, 3), runtime.shadow_of_view)

# --- Zero, and refused --------------------------------------------------------------------------------------

zero_derivative(runtime.length_along, runtime.shape_of_tiles, runtime.eye_along)
zero_derivative(np.shape, np.size, np.ndim, np.ndarray.shape, np.ndarray.size, np.ndarray.ndim, np.ndarray.dtype)
zero_derivative(np.argmax, np.argmin, np.argsort, np.nonzero, np.flatnonzero, np.argwhere, np.searchsorted, np.count_nonzero)
zero_derivative(
    np.argpartition,
    np.ndarray.argpartition,
    np.ndarray.argmax,
    np.ndarray.argmin,
    np.ndarray.argsort,
    np.ndarray.nonzero,
    np.ndarray.searchsorted,
)
zero_derivative(np.zeros_like, np.ones_like, np.empty_like, np.zeros, np.ones, np.empty, np.eye, np.identity, np.broadcast_shapes)
zero_derivative(np.round, np.around, np.ndarray.round, np.fix, np.digitize)
zero_derivative(np.any, np.all, np.ndarray.any, np.ndarray.all, np.allclose, np.array_equal, np.isreal, np.isscalar)
zero_derivative(np.isneginf, np.isposinf, np.indices, np.tri, np.tril_indices, np.triu_indices, np.diag_indices, np.ix_)
zero_derivative(np.tril_indices_from, np.triu_indices_from, np.diag_indices_from)
zero_derivative(np.unravel_index, np.ravel_multi_index, np.result_type, np.iinfo, np.finfo, np.shares_memory, np.may_share_memory)
zero_derivative(np.isin, np.iscomplexobj, np.isrealobj, np.linalg.matrix_rank, np.isfortran)

not_implemented(np.ndarray.tolist, reason="of more than two axes, it makes lists of lists", instead="the array itself, or x[i]")
