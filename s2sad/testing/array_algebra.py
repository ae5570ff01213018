"""Expressions of random array programs that sum, multiply and broadcast: what simplification takes apart and puts together.

>>> import random
>>> from s2sad.testing.array_programs import Scope, Writer
>>> from s2sad.testing.random_expressions import RandomChoices
>>> writer = Writer(RandomChoices(random.Random(1)), 4)
>>> random_matrix(writer, Scope({"x": (3,), "m": (2, 3)}, []), (2, 3)).startswith("np")
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2sad.testing.array_programs import Scope, Writer

_NUMBERS_OF_VECTORS = (
    "np.sum({v} * {w} * {v})",
    "np.dot({v}, {w})",
    "np.mean(({v} - {w}) ** 2)",
    "np.sum({v} * {w}) / (1.5 + np.sum({v} * {v}))",
    "({v} - {v}.mean()) @ {w}",
    "np.var({v})",
    "np.sqrt(0.1 + np.sum({v} ** 2))",
    "np.log(np.sum(np.exp({v})))",
    "np.prod(0.5 + {v} * {v})",
    "np.einsum('i,i->', {v}, {w})",
    "np.sum(np.outer({v}, {w}))",
    "np.sum(({v}[:, None] - {v}) ** 2 * {w})",
    "np.trace({v}[:, None] * {w})",
    "np.sum(np.cumsum({v}) * {w})",
    "np.sum(np.diff({v}) ** 2)",
    "np.linalg.norm({v} + 1.7)",
)
_NUMBERS_OF_MATRICES = (
    "np.sum({a} * {v})",
    "np.sum({a} * {u}[:, None])",
    "{u} @ {a} @ {v}",
    "np.sum(({a} @ {v} - {u}) ** 2)",
    "np.einsum('i,ij,j->', {u}, {a}, {v})",
    "np.trace({a} @ {a}.T)",
    "np.sum({a} * {u}[:, None] * {v})",
    "np.sum({a}.sum(axis=0) * {v})",
    "np.sum(({a} * {v}).sum(axis=1) * {u})",
    "np.mean({a}, axis=1) @ {u}",
    "np.sum(np.dot({a}.T, {u}) * {v})",
    "np.sum(np.exp(0.3 * {a}) / np.sum(np.exp(0.3 * {a}), axis=1, keepdims=True) * {v})",
    "np.sum({a}.max(axis=0) * {v})",
    "np.linalg.norm({a} + 1.1)",
)
_VECTORS = (
    "{v} * np.sum({v} * {w})",
    "{v} - {w}.mean()",
    "{v} / (1.2 + {v} @ {v})",
    "np.exp(0.4 * {v}) / np.sum(np.exp(0.4 * {v}))",
    "np.concatenate([{v}[1:], {w}[:1]])",
    "np.roll({v}, 1) * {w}",
    "np.append({v}[:-1], {w}[0])",
    "({v}[:, None] * {w}).sum(axis=1)",
    "({v}[:, None] - {w}).mean(axis=0)",
    "np.einsum('i,j->i', {v}, {w})",
    "np.hstack([{w}[-1:], {v}[:-1]])",
    "np.outer({v}, {w})[0]",
    "np.full_like({v}, {w}[0])",
    "np.zeros_like({v}) + {w}[-1]",
    "np.clip({v}, -0.5, 0.9) * {w}",
    "2.0 * {v} * {v} * {w}",
    "{v} ** 3 - {w} ** 2",
    "np.stack([{v}, {w}]).sum(axis=0)",
    "np.take({v}, np.argsort({w}))",
    "np.sort({v}) * {w}",
)
_ROW_SUMS = ("{a} @ {v}", "({a} * {v}).sum(axis=1)", "np.einsum('ij,j->i', {a}, {v})", "np.mean({a} * {v}, axis=1)", "{a}.sum(1)")
_COLUMN_SUMS = (
    "{u} @ {a}",
    "np.dot({u}, {a})",
    "np.einsum('ij,i->j', {a}, {u})",
    "np.sum({a} * {u}[:, None], axis=0)",
    "{a}.T @ {u}",
)
_MATRICES = (
    "{u}[:, None] * {v}",
    "{u}[:, None] - {v}",
    "np.outer({u}, {v})",
    "np.multiply.outer({u}, {v})",
    "np.einsum('i,j->ij', {u}, {v})",
    "np.broadcast_to({v}, ({r}, {c})) * 1.0",
    "np.tile({v}, ({r}, 1))",
    "np.ones(({r}, 1)) * {v}",
    "np.repeat({u}[:, None], {c}, axis=1)",
    "{u}.reshape(-1, 1) + {v}.reshape(1, -1)",
)
_MATRICES_OF_MATRICES = (
    "{a} - {a}.mean(axis=0)",
    "{a} * {v} + {u}[:, None]",
    "{a} / (1.3 + np.sum({a} * {a}, axis=1, keepdims=True))",
    "{a} @ {a}.T @ {b}",
    "{a} @ ({b}.T @ {a})",
    "np.diag({u}) @ {a}",
    "{u}[:, None] * {a} * {v}",
    "np.vstack([{a}[1:], {b}[:1]])",
    "np.concatenate([{a}[:, 1:], {b}[:, :1]], axis=1)",
    "{a} * {b} * {a}",
    "np.where({a} > {v}, {a}, {b})",
    "np.maximum({a}, {u}[:, None])",
    "np.cumsum({a}, axis=1) * {b}",
    "{a}.dot({b}.T).dot({b})",
    "({a} - {u}[:, None]) ** 2",
    "np.einsum('ij,kj,kl->il', {a}, {b}, {a})",
)


def random_number(writer: Writer, scope: Scope) -> str | None:
    """A number that a vector or a matrix gives; None where there is none."""
    matrices = scope.matrices()
    if matrices and writer.chance(2):
        return _filled(writer, scope, _NUMBERS_OF_MATRICES, scope.arrays[writer.pick(matrices)])
    vectors = scope.vectors(2)
    if not vectors:
        return None
    (length,) = scope.arrays[writer.pick(vectors)]
    return _filled(writer, scope, _NUMBERS_OF_VECTORS, (1, length))


def random_vector(writer: Writer, scope: Scope, length: int) -> str:
    """A vector of a length."""
    shapes = [scope.arrays[name] for name in scope.matrices()]
    wide, tall = [shape for shape in shapes if shape[0] == length], [shape for shape in shapes if shape[1] == length]
    if wide and writer.chance(2):
        return _filled(writer, scope, _ROW_SUMS, writer.pick(wide))
    if tall and writer.chance(2):
        return _filled(writer, scope, _COLUMN_SUMS, writer.pick(tall))
    return _filled(writer, scope, _VECTORS, (1, length))


def random_matrix(writer: Writer, scope: Scope, shape: tuple[int, ...]) -> str:
    """A matrix of a shape."""
    if scope.of(shape) and writer.chance(2):
        return _filled(writer, scope, _MATRICES_OF_MATRICES, shape)
    return _filled(writer, scope, _MATRICES, shape)


def _filled(writer: Writer, scope: Scope, forms: tuple[str, ...], shape: tuple[int, ...]) -> str:
    rows, columns = shape
    long, short = scope.of((columns,)) or [f"np.linspace(0.2, 0.9, {columns})"], scope.of((rows,)) or [f"np.ones({rows})"]
    matrices = scope.of(shape) or [f"np.ones(({rows}, {columns}))"]
    return writer.pick(forms).format(
        v=writer.pick(long),
        w=writer.pick(long),
        u=writer.pick(short),
        a=writer.pick(matrices),
        b=writer.pick(matrices),
        r=rows,
        c=columns,
    )
