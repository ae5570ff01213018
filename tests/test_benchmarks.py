"""The programs that are timed: what is written by hand is right, and the harness works. How long it takes is not tested."""

from __future__ import annotations

import pytest

from benchmarks import gradients
from benchmarks.handwritten import HANDWRITTEN
from benchmarks.measure import format_table, measure
from benchmarks.peers import agree, make_s2sad
from benchmarks.programs import PROGRAMS
from s2sad.testing.check_grads import check_grads

#: Few steps, and tight tolerances, so that numeric differences see a smooth function.
SMALL = {
    "besselj, by z": (2, 1.0, 1e-16),
    "besselj, by nu and z": (2, 1.0, 1e-16),
    "logistic map, 1,000 steps": (0.3, 3.7, 20),
    "list of 1,000, by index": ([0.3, -0.7, 1.1, 0.2],),
    "nested loop with branches": (0.7, 3.0, 9),
    "Euler with a helper, 1,000 steps": (1.5, 0.7, 0.01, 50),
    "Newton iteration": (2.0, 1e-15),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_hand_written_adjoints(program):
    for adjoint in HANDWRITTEN[program.name]:
        report = check_grads(program.function, SMALL[program.name], program.argnums, gradient=adjoint)
        assert report.compared > 0
        assert report.largest_difference < 1e-8


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_generated_gradient_is_that_by_hand(program):
    assert agree(HANDWRITTEN[program.name][0](*program.args), make_s2sad(program)(*program.args))


# values of order nu = 0 and 1 at 0, and at a negative argument, where the primal returns a value as well
@pytest.mark.parametrize("args", [(0, 0.0), (1, 0.0), (2, 0.0), (0, -1.0), (3, -1.0)])
@pytest.mark.parametrize("program", PROGRAMS[:2], ids=lambda program: program.name)
def test_by_hand_is_for_the_same_result(program, args):
    by_hand, generated = HANDWRITTEN[program.name][0](*args), make_s2sad(program)(*args)
    assert str(by_hand) == str(generated) or agree(by_hand, generated)
    if args[1] == 0:
        bessel_derivative_at_0 = 0.5 if args[0] == 1 else 0.0
        assert (by_hand[1] if isinstance(by_hand, tuple) else by_hand) == bessel_derivative_at_0


def test_the_harness(monkeypatch):
    monkeypatch.setattr(gradients, "PEERS", {"absent": ("no_such_module", make_s2sad)})
    text, figures = gradients.run("newton", 0.001)
    assert "absent: not installed" in text
    assert set(figures["Newton iteration"]["timings"]) == {"primal", "newton_by_a", "newton_by_a_simplified"}
    timing = measure({"one": (abs, (1.0,))}, 0.001)["one"]
    assert timing.best > 0
    assert timing.repeats > 0
    assert format_table(["a", "b"], [["x", "1.0"]]).splitlines()[2] == "| x | 1.0 |"
