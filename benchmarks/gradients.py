"""The gradient of each program: ours, by hand, and by other tools; all measured against the primal.

There are two groups of programs, of numbers and of arrays.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from dataclasses import asdict
from typing import Any

from benchmarks.array_handwritten import ARRAY_HANDWRITTEN
from benchmarks.array_programs import ARRAY_PROGRAMS
from benchmarks.handwritten import HANDWRITTEN
from benchmarks.measure import Timing, format_table, measure
from benchmarks.peers import PEERS, agree
from benchmarks.programs import PROGRAMS, Program
from s2sad.errors import S2sadError

#: The sections: their titles, and their programs.
GROUPS: dict[str, tuple[str, tuple[Program, ...]]] = {
    "gradients": ("Time of a gradient, in times of the primal", PROGRAMS),
    "arrays": ("Time of a gradient of an array program, in times of the primal", ARRAY_PROGRAMS),
}
FORMS = HANDWRITTEN | ARRAY_HANDWRITTEN


def run(only: str, seconds: float, group: str = "gradients") -> tuple[str, dict[str, Any]]:
    """The table as markdown, and all figures; both are empty where no program's name has `only` in it."""
    chosen = [program for program in GROUPS[group][1] if only.lower() in program.name.lower()]
    if not chosen:
        return "", {}
    present = {}
    for name, (module, _) in PEERS.items():
        try:
            importlib.import_module(module)
            present[name] = "installed"
        except ImportError as error:
            present[name] = f"not installed ({error})"
    notes = [f"{name}: {state}" for name, state in present.items() if state != "installed"]
    peers = [name for name, state in present.items() if state == "installed"]
    rows, figures = [], {}
    for program in chosen:
        timings, failures = _measure_program(program, peers, seconds)
        rows.append(_row(program, timings, failures, peers))
        notes += [f"{name} on {program.name}: {failure}" for name, failure in failures.items()]
        figures[program.name] = {"timings": {n: asdict(t) for n, t in timings.items()}, "failures": failures}
    others = [name for name in peers if name != "s2sad"]
    head = ["program", "primal (µs)", "by hand", "best by hand", "s2sad", "s2sad / by hand", "s2sad / best", *others, "spread"]
    text = format_table(head, rows)
    if notes:
        text += "\n\n" + "\n".join(f"- {note}" for note in notes)
    return text, figures


def _measure_program(program: Program, peers: list[str], seconds: float) -> tuple[dict[str, Timing], dict[str, str]]:
    forms = FORMS[program.name]
    want = forms[0](*program.args)
    for form in forms[1:]:
        assert agree(want, form(*program.args)), f"the hand-written adjoints of {program.name} differ"
    candidates = {"primal": (program.function, program.args)}
    candidates |= {form.__name__: (form, program.args) for form in forms}
    others = {"primal": candidates["primal"]}
    failures = {}
    for name in peers:
        try:
            # Tangent prints what it thinks of integers
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                gradient = PEERS[name][1](program)
                got = gradient(*program.args)
        except Exception as error:  # whatever a tool raises on a program that it was not made for
            refused = "refused: " if isinstance(error, S2sadError) else ""
            failures[name] = f"{refused}{type(error).__name__}: {' '.join(str(error).split())[:160]}"
            continue
        if agree(want, got):
            (candidates if name == "s2sad" else others)[name] = (gradient, program.args)
        else:
            failures[name] = f"wrong: {' '.join(str(got).split())[:60]} instead of {' '.join(str(want).split())[:60]}"
    # the threads of other tools spin for a while after a call, and would slow down whatever comes next: they take turns apart
    timings = measure(candidates, seconds)
    return {**(measure(others, seconds) if len(others) > 1 else {}), **timings}, failures


def _failure(text: str) -> str:
    word = text.partition(":")[0]
    return word if word in ("wrong", "refused") else "fails"


def _row(program: Program, timings: dict[str, Timing], failures: dict[str, str], peers: list[str]) -> list[str]:
    primal = timings["primal"].best
    forms = [timings[form.__name__] for form in FORMS[program.name]]
    best = min(form.best for form in forms)
    ours = timings.get("s2sad")
    row = [program.name, f"{primal * 1e6:.2f}", f"{forms[0].best / primal:.2f}", f"{best / primal:.2f}"]
    if ours:
        row += [f"{ours.best / primal:.2f}", f"{ours.best / forms[0].best:.2f}", f"{ours.best / best:.2f}"]
    else:
        row += [_failure(failures.get("s2sad", "fails")), "-", "-"]
    for name in peers:
        if name != "s2sad":
            row.append(f"{timings[name].best / primal:,.1f}" if name in timings else _failure(failures[name]))
    row.append(f"{max(t.spread for t in (timings['primal'], *forms, *([ours] if ours else []))):.0%}")
    return row
