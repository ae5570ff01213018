"""The array programs that are timed: what is written by hand is right, and no gradient saves more than it must.

What does not work yet stands in `LIMITS`.
"""

import numpy as np
import pytest

from benchmarks import gradients
from benchmarks.array_handwritten import ARRAY_HANDWRITTEN
from benchmarks.array_memory import CASES, bytes_a_step
from benchmarks.array_programs import ARRAY_PROGRAMS, positive_definite
from benchmarks.array_properties import COMPILED, compile_text
from benchmarks.peers import agree, make_s2sad
from s2sad import grad
from tests.corpus.array_reference import (
    WIDE,
    ArrayEntry,
    ArrayPoint,
    asked_for,
    first_difference,
    matrix,
    positive,
    reference_gradient,
    vector,
)

SMALL = {
    "trace of a product, 30x30": (matrix(3, 3), matrix(3, 3, 1.0)),
    "logistic regression, 200x10": (vector(3), matrix(5, 3, 1.0), np.array([1.0, -1.0, 1.0, -1.0, 1.0])),
    "linear stencil, 50 sweeps of 1,000": (vector(7), 5),
    "Burgers in place, 100 steps of 1,000": (positive(7), 0.01, 0.1, 5),
    "array of 1,000, by index": (vector(6),),
    "two-layer network, 200x20": (
        matrix(3, 4),
        vector(4),
        matrix(4, 2, 1.0),
        vector(2, 1.0),
        matrix(5, 3, 2.0),
        matrix(5, 2, 3.0),
    ),
    "RNN of 50 steps": (matrix(3, 3), matrix(3, 2, 1.0), vector(3), matrix(4, 2, 2.0)),
    "Gauss-Seidel by index, 60x60": (matrix(5, 5), 3),
    "Cholesky as loops, 20x20": (positive_definite(4),),
    "softmax regression, 200x10": (matrix(3, 4), matrix(5, 3, 1.0), np.array([0, 3, 1, 1, 2])),
    "n-body, 40 bodies, 10 steps": (matrix(3, 3), matrix(3, 3, 1.0), positive(3), 0.01, 3),
}
#: Names of programs, of cases of saved memory, and of compiled programs, that do not work yet.
LIMITS = {
    "gradient": set(),
    "saved": set(),
    "compiled": set(),
}


def limit(kind, name):
    return [pytest.mark.xfail(strict=True, reason="does not work yet")] if name in LIMITS[kind] else []


def programs(kind, chosen=ARRAY_PROGRAMS):
    return [pytest.param(program, id=program.name, marks=limit(kind, program.name)) for program in chosen]


@pytest.mark.parametrize("program", ARRAY_PROGRAMS, ids=lambda program: program.name)
def test_adjoints_by_hand(program):
    arguments = SMALL[program.name]
    want, error = reference_gradient(
        ArrayEntry(program.name, program.function, (), argnums=program.argnums), ArrayPoint(arguments)
    )
    assert error < 1e-11
    for adjoint in ARRAY_HANDWRITTEN[program.name]:
        before = [np.array(argument) for argument in arguments]
        got = adjoint(*arguments)
        got = got if isinstance(got, tuple) else (got,)
        assert all(np.array_equal(a, b) for a, b in zip(arguments, before))
        for ours, theirs in zip(got, want, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("program", programs("gradient"))
def test_the_generated_gradient_is_that_by_hand(program):
    ours, by_hand = make_s2sad(program), ARRAY_HANDWRITTEN[program.name][0]
    for arguments in (program.args, SMALL[program.name]):
        assert agree(by_hand(*arguments), ours(*arguments))


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name, marks=limit("saved", c.name)) for c in CASES])
def test_what_is_saved(case):
    """No more than must be, but for a twentieth, and a few bytes that lists take in advance."""
    if case.by_hand is not None:
        assert bytes_a_step(case.by_hand, case) == pytest.approx(case.minimum, rel=0.02, abs=8)
    gradient = grad(case.function, case.argnums)
    entry, point = ArrayEntry(case.name, case.function, (), argnums=case.argnums), ArrayPoint(case.args(3))
    rng = np.random.default_rng(0)
    directions = [rng.normal(size=np.shape(leaf)).astype(WIDE)[()] for leaf in asked_for(entry, point)]
    want, error = first_difference(entry, point, directions)
    got = gradient(*case.args(3))
    parts = got if isinstance(case.argnums, tuple) else (got,)
    along = sum(np.sum(part * direction) for part, direction in zip(parts, directions, strict=True))
    assert float(along) == pytest.approx(float(want), rel=1e-9, abs=10 * float(error))
    assert bytes_a_step(gradient, case) <= 1.05 * case.minimum + 16


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("program", programs("compiled", [p for p in ARRAY_PROGRAMS if p.name.lower().startswith(COMPILED)]))
def test_the_generated_text_compiles_unchanged(program):
    numba = pytest.importorskip("numba")
    arguments = SMALL[program.name]
    derivative = grad(program.function, program.argnums)
    compiled = compile_text(derivative.source(*arguments), program.function, numba)
    assert agree(derivative(*arguments), compiled(*arguments))
    assert agree(ARRAY_HANDWRITTEN[program.name][0](*arguments), numba.njit(ARRAY_HANDWRITTEN[program.name][0])(*arguments))


def test_the_harness(monkeypatch):
    monkeypatch.setattr(gradients, "PEERS", {"absent": ("no_such_module", make_s2sad), "s2sad": ("s2sad", make_s2sad)})
    text, figures = gradients.run("trace", 0.001, "arrays")
    assert "absent: not installed" in text
    assert {"primal", "trace_of_product_by_both"} <= set(figures["trace of a product, 30x30"]["timings"])
    assert gradients.run("no such program", 0.001, "arrays") == ("", {})
