"""The types of products of arrays, and of linear algebra."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands, PendingError, Seen, dtype_given_by, result_dtype, scalar
from s2sad.analysis.array_reductions import reduced_shape
from s2sad.analysis.array_shapes import Shape, broadcast, joined, product
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import INT, ArrayType, Length, ScalarType, TupleType, Type


@transfer("a b out", np.dot, np.ndarray.dot)
def dotted(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = result_dtype_of_arrays(first, second)
    if first.shape is None or second.shape is None:
        return given.stored_in_out(given.new(None, dtype))
    if first.shape == () or second.shape == ():
        return given.stored_in_out(given.new(broadcast(first.shape, second.shape), dtype))
    rest = second.shape[:-2] + second.shape[-1:] if len(second.shape) > 1 else ()
    return given.stored_in_out(given.new((*first.shape[:-1], *rest), dtype))


@transfer("a b out", np.matmul, operator.matmul)
def multiplied(given: Operands) -> Type:
    return given.stored_in_out(_matrix_product(given, given.seen("a"), given.seen("b")))


@transfer("a b", operator.imatmul, way="change")
def multiplied_in_place(given: Operands) -> Type:
    target = given.kind("a")
    if isinstance(target, ArrayType):
        given.memory.mark(target.region, "stored")
        return target
    raise NotKnownError


def _matrix_product(given: Operands, first: Seen, second: Seen) -> Type:
    dtype = result_dtype_of_arrays(first, second)
    if first.shape is None or second.shape is None:
        return given.new(None, dtype)
    if not first.shape or not second.shape:
        raise PendingError  # it raises
    rows = first.shape[-2:-1]
    columns = second.shape[-1:] if len(second.shape) > 1 else ()
    return given.new((*broadcast(first.shape[:-2], second.shape[:-2]), *rows, *columns), dtype)


def result_dtype_of_arrays(*operands: Seen) -> np.dtype[Any]:
    """The common dtype of operands that are made arrays first: Python numbers are not weak."""
    return np.result_type(*(seen.dtype for seen in operands))


@transfer("a b out", np.outer)
def outer(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    lengths = [None if seen.shape is None else product(seen.shape) for seen in (first, second)]
    return given.stored_in_out(given.array_of(lengths, result_dtype_of_arrays(first, second)))


@transfer("a b", np.linalg.outer)
def outer_of_vectors(given: Operands) -> Type:
    return outer(given)


@transfer("a b", np.vecdot)
@transfer("a b axis", np.linalg.vecdot)
def dotted_along(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = result_dtype_of_arrays(first, second)
    if first.shape is None or second.shape is None:
        return given.new(None, dtype)
    whole = list(broadcast(first.shape, second.shape))
    if first.rank != second.rank and given.constant("axis", -1) != -1:
        raise NotKnownError
    del whole[given.constant("axis", -1)]
    return given.new(whole, dtype)


def _matrix_and_vector(given: Operands, matrix: Seen, vector: Seen, kept: int) -> Type:
    """Products of matrices and vectors, of which one axis of the matrix is kept."""
    dtype = result_dtype_of_arrays(matrix, vector)
    if matrix.shape is None or vector.shape is None:
        return given.new(None, dtype)
    return given.array_of((*broadcast(matrix.shape[:-2], vector.shape[:-1]), matrix.shape[kept]), dtype)


if hasattr(np, "matvec"):  # NumPy 2.2

    @transfer("a b", np.matvec)
    def matrix_by_vector(given: Operands) -> Type:
        return _matrix_and_vector(given, given.seen("a"), given.seen("b"), -2)

    @transfer("a b", np.vecmat)
    def vector_by_matrix(given: Operands) -> Type:
        return _matrix_and_vector(given, given.seen("b"), given.seen("a"), -1)


@transfer("a b", np.inner)
def inner(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = result_dtype_of_arrays(first, second)
    if first.shape is None or second.shape is None:
        return given.new(None, dtype)
    if not first.shape or not second.shape:
        return given.new(first.shape or second.shape, dtype)
    return given.new((*first.shape[:-1], *second.shape[:-1]), dtype)


@transfer("a b", np.vdot)
def dotted_flat(given: Operands) -> Type:
    return scalar(result_dtype_of_arrays(given.seen("a"), given.seen("b")))


@transfer("a b axes", np.tensordot)
def contracted(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = result_dtype_of_arrays(first, second)
    try:
        axes = given.constant("axes", 2)
    except NotKnownError:
        return given.array_of(None, dtype)
    if first.shape is None or second.shape is None:
        return given.array_of(None, dtype)
    if isinstance(axes, int | np.integer):
        summed = max(int(axes), 0)
        return given.array_of((*first.shape[: len(first.shape) - summed], *second.shape[summed:]), dtype)
    gone = [axis if isinstance(axis, tuple | list) else (axis,) for axis in axes]
    kept = [
        tuple(length for place, length in enumerate(seen.shape or ()) if place not in [g % len(seen.shape or ()) for g in axes])
        for seen, axes in zip((first, second), gone, strict=True)
    ]
    return given.array_of((*kept[0], *kept[1]), dtype)


@transfer("a b axisa axisb axisc axis", np.cross)
def crossed(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = result_dtype_of_arrays(first, second)
    shapes = (first.shape, second.shape)
    if shapes[0] is None or shapes[1] is None or len(given.named) > 2 or shapes[0][-1] != 3 or shapes[1][-1] != 3:
        return given.array_of(None, dtype)
    return given.array_of(broadcast(*shapes), dtype)  # type: ignore[arg-type]


@transfer("a b", np.kron)
def kronecker(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = result_dtype_of_arrays(first, second)
    if first.shape is None or second.shape is None:
        return given.new(None, dtype)
    count = max(len(first.shape), len(second.shape))
    padded = [(1,) * (count - len(shape)) + shape for shape in (first.shape, second.shape)]
    return given.new([product(pair) for pair in zip(*padded, strict=True)], dtype)


@transfer("a offset axis1 axis2 dtype out", np.trace, np.ndarray.trace)
def trace(given: Operands) -> Type:
    seen = given.seen("a")
    dtype = given.dtype(dtype_given_by(np.trace, seen.dtype))
    if seen.shape is None:
        return given.new(None, dtype)
    gone = [given.constant(name, default) % len(seen.shape) for name, default in (("axis1", 0), ("axis2", 1))]
    return given.stored_in_out(given.new([length for axis, length in enumerate(seen.shape) if axis not in gone], dtype))


@transfer("subscripts *operands", np.einsum, way="either")
def summed_by_subscripts(given: Operands) -> Type:
    text = given.constant("subscripts", None)
    seen = [given.see(operand) for operand in given.all("operands")]
    dtype = given.dtype(result_dtype_of_arrays(*seen))
    if not isinstance(text, str) or any(part.shape is None for part in seen):
        return given.stored_in_out(given.array_of(None, dtype))
    return given.stored_in_out(_summed(given, text.replace(" ", ""), [part.shape or () for part in seen], seen, dtype))


def _summed(given: Operands, text: str, shapes: Sequence[Shape], seen: Sequence[Seen], dtype: np.dtype[Any]) -> Type:
    inputs, arrow, output = text.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(shapes):
        raise PendingError  # it raises
    lengths: dict[str, list[Length]] = {}
    dotted: list[Shape] = []
    for term, shape in zip(terms, shapes, strict=True):
        before, dots, after = term.partition("...")
        end = len(shape) - len(after)
        if dots:
            dotted.append(shape[len(before) : end])
        elif len(term) != len(shape):
            raise PendingError  # it raises
        for label, length in (*zip(before, shape, strict=False), *zip(after, shape[end:], strict=False)):
            lengths.setdefault(label, []).append(length)
    if not arrow:
        letters = inputs.replace(",", "").replace(".", "")
        output = ("..." if dotted else "") + "".join(sorted(label for label in set(letters) if letters.count(label) == 1))
    before, dots, after = output.partition("...")
    # of labels that meet, one may be 1
    named = [[broadcast(*((length,) for length in lengths[label]))[0] for label in part] for part in (before, after)]
    shape = (*named[0], *(broadcast(*dotted) if dots else ()), *named[1])
    is_view = len(terms) == 1 and len(set(before + after)) == len(set(terms[0]) - {"."}) and seen[0].region is not None
    if is_view and shape != ():
        return given.array_of(shape, dtype, seen[0].region)
    return given.new(shape, dtype)


# --- Linear algebra -----------------------------------------------------------------------------------------------------


@transfer("a b", np.linalg.solve)
def solved(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("b")
    dtype = dtype_given_by(np.linalg.inv, result_dtype_of_arrays(first, second))
    if first.shape is None or second.shape is None:
        return given.array_of(None, dtype)
    if len(second.shape) == 1:
        return given.array_of((*first.shape[:-2], joined((second.shape[0], first.shape[-1]))), dtype)
    return given.array_of((*broadcast(first.shape[:-2], second.shape[:-2]), first.shape[-1], second.shape[-1]), dtype)


@transfer("a", np.linalg.inv)
@transfer("a upper", np.linalg.cholesky)
def inverse(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of(seen.shape, dtype_given_by(np.linalg.inv, seen.dtype))


@transfer("a", np.linalg.det)
def determinant(given: Operands) -> Type:
    seen = given.seen("a")
    return given.new(None if seen.shape is None else seen.shape[:-2], dtype_given_by(np.linalg.det, seen.dtype))


@transfer("a", np.linalg.slogdet)
def log_determinant(given: Operands) -> Type:
    seen = given.seen("a")
    shape = None if seen.shape is None else seen.shape[:-2]
    dtype = dtype_given_by(np.linalg.det, seen.dtype)
    return TupleType((given.new(shape, dtype), given.new(shape, _real(dtype))), type(np.linalg.slogdet(np.eye(1))))


@transfer("a ord axis keepdims", np.linalg.norm)
def norm(given: Operands) -> Type:
    seen = given.seen("a")
    return given.new(reduced_shape(given, seen), dtype_given_by(np.linalg.norm, seen.dtype))


@transfer("a n", np.linalg.matrix_power)
def power_of_matrix(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of(seen.shape, result_dtype((seen,)))


@transfer("a UPLO", np.linalg.eigh)
def eigenvectors(given: Operands) -> Type:
    seen = given.seen("a")
    dtype = dtype_given_by(np.linalg.inv, seen.dtype)
    values = given.array_of(None if seen.shape is None else seen.shape[:-1], _real(dtype))
    return TupleType((values, given.array_of(seen.shape, dtype)), type(np.linalg.eigh(np.eye(1))))


@transfer("a UPLO", np.linalg.eigvalsh)
def eigenvalues(given: Operands) -> Type:
    seen = given.seen("a")
    dtype = _real(dtype_given_by(np.linalg.inv, seen.dtype))
    return given.array_of(None if seen.shape is None else seen.shape[:-1], dtype)


@transfer("a rcond hermitian", np.linalg.pinv)
def pseudo_inverse(given: Operands) -> Type:
    seen = given.seen("a")
    dtype = dtype_given_by(np.linalg.inv, seen.dtype)
    return given.array_of(None if seen.shape is None else (*seen.shape[:-2], *seen.shape[:-3:-1]), dtype)


def _real(dtype: np.dtype[Any]) -> np.dtype[Any]:
    found: np.dtype[Any] = np.zeros(0, dtype).real.dtype
    return found


@transfer("A tol hermitian rtol", np.linalg.matrix_rank)
def rank_of_matrix(given: Operands) -> Type:
    shape = given.seen("A").shape
    if any(given.has(name) and given.seen(name).shape != () for name in ("tol", "rtol")):
        raise NotKnownError
    if shape is None:
        return given.array_of(None, np.dtype("int64"))
    return INT if len(shape) < 2 else given.new(shape[:-2], np.dtype("int64"))


@transfer("a full_matrices compute_uv hermitian", np.linalg.svd)
def singular_vectors(given: Operands) -> Type:
    seen = given.seen("a")
    if not given.constant("compute_uv", True):
        return singular_values(given)
    dtype = dtype_given_by(np.linalg.inv, seen.dtype)
    before, rows, columns = _of_matrices(seen)
    is_full = given.constant("full_matrices", True)
    least = rows if rows == columns else None
    shapes = ((*before, rows, rows if is_full else least), (*before, columns if is_full else least, columns))
    values = given.array_of((*before, least), _real(dtype))
    parts = (given.array_of(shapes[0], dtype), values, given.array_of(shapes[1], dtype))
    return TupleType(parts, type(np.linalg.svd(np.eye(1))))


@transfer("a", np.linalg.svdvals)
def singular_values(given: Operands) -> Type:
    seen = given.seen("a")
    before, rows, columns = _of_matrices(seen)
    dtype = _real(dtype_given_by(np.linalg.inv, seen.dtype))
    return given.array_of((*before, rows if rows == columns else None), dtype)


@transfer("a mode", np.linalg.qr)
def orthogonal_and_triangular(given: Operands) -> Type:
    seen = given.seen("a")
    if given.constant("mode", "reduced") != "reduced":
        raise NotKnownError
    dtype = dtype_given_by(np.linalg.inv, seen.dtype)
    before, rows, columns = _of_matrices(seen)
    least = rows if rows == columns else None
    parts = (given.array_of((*before, rows, least), dtype), given.array_of((*before, least, columns), dtype))
    return TupleType(parts, type(np.linalg.qr(np.eye(1))))


@transfer("a p", np.linalg.cond)
def condition_number(given: Operands) -> Type:
    seen = given.seen("a")
    return given.new(_of_matrices(seen)[0], _real(dtype_given_by(np.linalg.inv, seen.dtype)))


def _of_matrices(seen: Seen) -> tuple[Shape, Length, Length]:
    """The axes before the last two, and these."""
    if seen.shape is None or len(seen.shape) < 2:
        raise NotKnownError
    return seen.shape[:-2], seen.shape[-2], seen.shape[-1]


@transfer("arrays out", np.linalg.multi_dot)
def multiplied_in_a_row(given: Operands) -> Type:
    seen = given.parts("arrays")
    first, last = seen[0].shape, seen[-1].shape
    if first is None or last is None:
        raise NotKnownError
    if not isinstance(given.kind("arrays"), TupleType):
        if len(first) != 2 or len(last) != 2:
            raise NotKnownError
        first, last = first[:1] if len(seen) > 1 else (None,), last[1:] if len(seen) > 1 else (None,)
        return given.stored_in_out(given.new((*first, *last), result_dtype_of_arrays(*seen)))
    return given.stored_in_out(given.new((*first[:-1], *last[1:]), result_dtype_of_arrays(*seen)))


@transfer("a b rcond", np.linalg.lstsq)
def least_squares(given: Operands) -> Type:
    seen, sides = given.seen("a"), given.seen("b")
    dtype = dtype_given_by(np.linalg.inv, result_dtype_of_arrays(seen, sides))
    _, rows, columns = _of_matrices(seen)
    if sides.shape is None:
        raise NotKnownError
    real = _real(dtype)
    residuals, values = given.array_of((None,), real), given.array_of((rows if rows == columns else None,), real)
    return TupleType((given.array_of((columns, *sides.shape[1:]), dtype), residuals, ScalarType("int", "int32"), values))
