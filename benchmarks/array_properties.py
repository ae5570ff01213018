"""Array programs beyond the table of times: what is saved, how cost grows with size, and what Numba makes of it all."""

from __future__ import annotations

import ast
import tracemalloc
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.array_handwritten import ARRAY_HANDWRITTEN
from benchmarks.array_memory import CASES, bytes_a_step
from benchmarks.array_programs import ARRAY_PROGRAMS, positive_definite, smooth_wave
from benchmarks.measure import format_table, measure
from s2sad.errors import S2sadError


def saved(seconds: float) -> tuple[str, dict[str, Any]]:
    """Bytes that a gradient saves in each step, and the least that has to be saved."""
    from s2sad import grad

    rows, figures = [], {}
    for case in CASES:
        by_hand = bytes_a_step(case.by_hand, case) if case.by_hand else None
        try:
            ours: float | None = bytes_a_step(grad(case.function, case.argnums), case)
            said = f"{ours:,.0f}"
        except S2sadError:
            ours, said = None, "refused"
        rows.append([case.name, f"{case.minimum:,}", f"{by_hand:,.0f}" if by_hand is not None else "", said, case.what])
        figures[case.name] = {"minimum": case.minimum, "by hand": by_hand, "s2sad": ours}
    return format_table(["saved in a step (bytes)", "minimum", "by hand", "s2sad", "what has to be saved"], rows), figures


_rng = np.random.default_rng(4)


def _normal(*shape: int) -> np.ndarray[Any, Any]:
    return _rng.normal(size=shape)


def _network(rows: int) -> tuple[Any, ...]:
    return _normal(20, 50) / 5, _normal(50), _normal(50, 5) / 7, _normal(5), _normal(rows, 20), _normal(rows, 5)


#: By the name of the program: what its size is, the sizes, the arguments, and how the work grows with the size.
SIZES: dict[str, tuple[str, tuple[int, ...], Callable[[int], tuple[Any, ...]], int]] = {
    "trace of a product, 30x30": ("rows", (30, 100, 300), lambda n: (_normal(n, n), _normal(n, n)), 3),
    "logistic regression, 200x10": (
        "rows",
        (200, 2_000, 20_000),
        lambda n: (_normal(10), _normal(n, 10), np.where(_normal(n) > 0, 1.0, -1.0)),
        1,
    ),
    "linear stencil, 50 sweeps of 1,000": ("points", (1_000, 10_000, 100_000), lambda n: (smooth_wave(n), 20), 1),
    "Burgers in place, 100 steps of 1,000": ("steps", (30, 300, 3_000), lambda n: (smooth_wave(500), 0.0001, 0.01, n), 1),
    "array of 1,000, by index": ("elements", (1_000, 10_000, 100_000), lambda n: (1.0 + np.sin(np.arange(float(n))),), 1),
    "two-layer network, 200x20": ("rows", (200, 2_000, 20_000), _network, 1),
    "RNN of 50 steps": (
        "steps",
        (50, 500, 5_000),
        lambda n: (_normal(32, 32) / 6, _normal(32, 16) / 4, _normal(32), _normal(n, 16)),
        1,
    ),
    "Gauss-Seidel by index, 60x60": ("points a side", (20, 40, 80), lambda n: (np.ones((n, n)), 2), 2),
    "Cholesky as loops, 20x20": ("rows", (10, 20, 40), lambda n: (positive_definite(n),), 3),
    "softmax regression, 200x10": (
        "rows",
        (200, 2_000, 20_000),
        lambda n: (_normal(10, 5), _normal(n, 10), _rng.integers(0, 5, size=n)),
        1,
    ),
    "n-body, 40 bodies, 10 steps": (
        "steps",
        (5, 20, 80),
        lambda n: (_normal(40, 3), _normal(40, 3), 1.0 + np.abs(_normal(40)), 0.01, n),
        1,
    ),
}


def _peak(function: Callable[..., Any], args: tuple[Any, ...]) -> int:
    tracemalloc.start()
    try:
        function(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def sizes(seconds: float) -> tuple[str, dict[str, Any]]:
    """Time and memory of a gradient as the program grows: both stay a constant number of times those of the primal."""
    from s2sad import grad

    rows, figures = [], {}
    for program in ARRAY_PROGRAMS:
        if program.name not in SIZES:
            continue
        what, values, arguments, _ = SIZES[program.name]
        by_hand = ARRAY_HANDWRITTEN[program.name][0]
        gradient = grad(program.function, program.argnums)
        for size in values:
            args = arguments(size)
            candidates: dict[str, Callable[..., Any]] = {"primal": program.function, "by hand": by_hand}
            try:
                gradient(*args)
                candidates["s2sad"] = gradient
            except S2sadError:
                pass
            timings = measure({name: (function, args) for name, function in candidates.items()}, seconds / 4)
            primal = timings["primal"].best
            peaks = {name: _peak(function, args) for name, function in candidates.items()}
            row = [
                f"{program.function.__name__}, {size:,} {what}",
                f"{primal * 1e6:,.0f}",
                f"{timings['by hand'].best / primal:.2f}",
            ]
            row.append(f"{timings['s2sad'].best / primal:.2f}" if "s2sad" in timings else "refused")
            row += [f"{peaks[name] / 1e3:,.0f}" if name in peaks else "-" for name in ("primal", "by hand", "s2sad")]
            rows.append(row)
            figures[row[0]] = {"seconds": {n: t.best for n, t in timings.items()}, "peak": peaks}
    head = ["size", "primal (µs)", "by hand", "s2sad", "peak: primal (kB)", "by hand (kB)", "s2sad (kB)"]
    return format_table(head, rows), figures


#: Programs within Numba's reach.
COMPILED = ("logistic", "linear stencil", "burgers", "array of", "gauss", "cholesky")


def compile_text(text: str, function: Callable[..., Any], numba: Any) -> Callable[..., Any]:
    """The last function of a generated text, compiled as it is, in the namespace of the function's module."""
    namespace = dict(function.__globals__)
    for name, value in list(namespace.items()):
        if isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
            namespace[name] = numba.njit(value)
    exec(compile(text, "<generated>", "exec"), namespace)
    names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    for name in names:
        namespace[name] = numba.njit(namespace[name])
    return namespace[names[-1]]


def compiled(seconds: float) -> tuple[str, dict[str, Any]]:
    """Primal, adjoint by hand and generated gradient, all compiled by Numba."""
    try:
        import numba
    except ImportError as error:
        return f"Numba is not installed ({error}).", {}
    from s2sad import grad

    rows, figures, notes = [], {}, []
    for program in ARRAY_PROGRAMS:
        if not program.name.lower().startswith(COMPILED):
            continue
        form = ARRAY_HANDWRITTEN[program.name][0]
        candidates = {"primal": program.function, "primal, compiled": numba.njit(program.function), "by hand": numba.njit(form)}
        want = form(*program.args)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ours = compile_text(grad(program.function, program.argnums).source(*program.args), program.function, numba)
                got = ours(*program.args)
            if np.allclose(got, want, rtol=1e-10, atol=1e-12):
                candidates["s2sad"], state = ours, ""
            else:
                state = "wrong"
        except S2sadError:
            state = "refused"
        except Exception as error:  # whatever the compiler says
            state = "fails"
            notes.append(f"- {program.name}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            timings = measure({name: (f, program.args) for name, f in candidates.items()}, seconds / 4)
        base = timings["primal, compiled"].best
        row = [program.name, f"{timings['primal'].best / base:.1f}", f"{base * 1e6:.2f}", f"{timings['by hand'].best / base:.2f}"]
        if "s2sad" in timings:
            row += [f"{timings['s2sad'].best / base:.2f}", f"{timings['s2sad'].best / timings['by hand'].best:.2f}"]
        else:
            row += [state, "-"]
        rows.append(row)
        figures[program.name] = {name: timing.best for name, timing in timings.items()}
    head = ["compiled by Numba", "interpreted primal", "primal (µs)", "by hand", "s2sad", "s2sad / by hand"]
    return "\n\n".join([format_table(head, rows), *(["\n".join(notes)] if notes else [])]), figures


ARRAY_PROPERTIES = {
    "saved": ("What the gradient of an array program saves", saved),
    "sizes": ("Array programs as they grow, in times of the primal", sizes),
    "compiled": ("Array programs compiled, in times of the compiled primal", compiled),
}
