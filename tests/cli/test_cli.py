"""`python -m s2sad`: what it prints, and that every mistake is one clear line and an exit status."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from s2sad.cli import main

ROOT = Path(__file__).parent.parent.parent
BESSELJ = f"{ROOT / 'examples' / 'besselj.py'}:besselj"

PROGRAM = """
import math

from s2sad import grad

LIMIT = 3.0

class Thing:
    pass

def smooth(x, y=2.0, *, scale=1.0):
    return scale * x * math.exp(y)

def total(values, weights):
    out = 0.0
    for value, weight in zip(values, weights["inner"]):
        out += value * weight
    return out

def fails(x):
    raise ValueError("it is\\ntoo late")

def leaves(x):
    raise SystemExit(7)

def annotated(x: float, n: int) -> float:
    return x**n

def refused(x):
    yield x

@grad
def decorated(x):
    return x**3

slope = grad(smooth)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return str(path)


def run(capsys, *words):
    status = main(list(words))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def values(text):
    """The numbers of the lines `label  number` in front of the code."""
    return [float(line.split()[-1]) for line in text.split("\n\n")[0].splitlines()]


# --- what works -----------------------------------------------------------------------------------------------------------


def test_grad_of_besselj(capsys):
    status, out, err = run(capsys, "grad", BESSELJ, "2", "1.0", "--wrt", "nu,z")
    assert (status, err) == (0, "")
    value, nu_bar, z_bar = values(out)
    assert value == pytest.approx(0.11490348493, abs=1e-9)
    assert nu_bar == pytest.approx(-0.07635849493801533, rel=1e-13)
    assert z_bar == pytest.approx(0.21024361585183118, rel=1e-13)
    labels = [line.rsplit(None, 1)[0].strip() for line in out.split("\n\n")[0].splitlines()]
    assert labels == ["value", "d/d nu", "d/d z"]
    compile(out.split("\n\n", 1)[1], "generated", "exec")


def test_the_code_that_grad_prints_is_that_of_source(capsys):
    _, out, _ = run(capsys, "grad", BESSELJ, "2", "1.0", "--wrt", "z")
    status, source, _ = run(capsys, "source", BESSELJ, "2", "1.0", "--wrt", "z")
    assert status == 0
    assert out.endswith(f"\n\n{source}")
    assert "\ndef besselj_adjoint(" in f"\n{source}"


def test_options_may_stand_anywhere_and_floats_are_the_default(capsys):
    first = run(capsys, "grad", BESSELJ, "2", "1.0", "--wrt", "z")
    assert run(capsys, "grad", "--wrt=z", BESSELJ, "2", "1.0") == first
    assert run(capsys, "grad", BESSELJ, "2", "1.0") == first
    assert run(capsys, "grad", BESSELJ, "2", "z=1.0", "--wrt", "1") == first


def test_source_from_annotations(capsys, program):
    status, out, err = run(capsys, "source", f"{program}:annotated", "--wrt", "x")
    assert (status, err) == (0, "")
    assert "def annotated" in out


def test_check(capsys):
    status, out, err = run(capsys, "check", BESSELJ, "2", "1.0", "--wrt", "nu,z")
    assert (status, err) == (0, "")
    assert "1 compared" in out
    assert "1 could not be compared" in out  # the order: factorial takes integers only


def test_containers_keywords_and_negative_numbers(capsys, program):
    status, out, _ = run(capsys, "grad", f"{program}:smooth", "-1e-3", "y=0.5", "scale=-2.0", "--wrt", "x,y")
    assert status == 0
    assert values(out) == pytest.approx([2e-3 * math.exp(0.5), -2 * math.exp(0.5), 2e-3 * math.exp(0.5)])
    status, out, _ = run(capsys, "grad", f"{program}:total", "[1.0, 2.0]", "{'inner': (3.0, 4.0)}", "--wrt", "values,weights")
    assert status == 0
    assert "[3.0, 4.0]" in out
    assert "{'inner': (1.0, 2.0)}" in out


def test_a_decorated_function_is_the_one_in_the_file_and_a_derivative_a_function(capsys, program):
    status, out, err = run(capsys, "grad", f"{program}:decorated", "2.0")
    assert (status, err) == (0, "")
    assert values(out) == [8.0, 12.0]
    _, out, _ = run(capsys, "grad", f"{program}:slope", "2.0", "0.5", "--wrt", "y")
    assert values(out) == pytest.approx([math.exp(0.5), math.exp(0.5)])


def test_as_a_command_with_warnings_as_errors():
    command = [sys.executable, "-W", "error", "-m", "s2sad", "grad", "examples/besselj.py:besselj", "2", "1.0", "--wrt", "nu,z"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "0.2102436158518" in result.stdout


def test_help_and_version(capsys):
    for option in ("--help", "--version"):
        with pytest.raises(SystemExit) as caught:
            main([option])
        assert caught.value.code == 0
        assert "s2sad" in capsys.readouterr().out


# --- what does not --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--help"),
        (["grad"], "FILE.py:function"),
        (["integrate", "{program}:smooth", "1.0"], "integrate"),
        (["grad", "{program}"], "FILE.py:function"),
        (["grad", "{program}:", "1.0"], "FILE.py:function"),
        (["grad", "nowhere.py:f", "1.0"], "no file nowhere.py"),
        (["grad", "no_such_module:f", "1.0"], "no module 'no_such_module'"),
        (["grad", "{folder}.py:f", "1.0"], "no file"),
        (["grad", "{folder}/:f", "1.0"], "directory"),
        (["grad", "{program}:smoth", "1.0"], "smooth, total"),
        (["grad", "{program}:LIMIT", "1.0"], "not a function but of type float"),
        (["grad", "{program}:Thing", "1.0"], "not a function but a class"),
        (["grad", "{program}:smooth", "one"], "'one' is not a Python literal"),
        (["grad", "{program}:smooth", "[1.0"], "not a Python literal"),
        (["grad", "{program}:smooth", "y=2.0", "1.0"], "follows a keyword argument"),
        (["grad", "{program}:smooth", "1.0", "y=2.0", "y=3.0"], "given twice"),
        (["grad", "{program}:smooth"], "missing a required argument: 'x'"),
        (["grad", "{program}:smooth", "1.0", "2.0", "3.0"], "too many positional arguments"),
        (["grad", "{program}:smooth", "1.0", "q=2.0"], "unexpected keyword argument 'q'"),
        (["grad", "{program}:smooth", "1.0", "--wrt", "z"], "no argument is given for 'z'; there are x"),
        (["grad", "{program}:smooth", "1.0", "--wrt", "x,x"], "named twice"),
        (["grad", "{program}:smooth", "1.0", "--wrt", ""], "--wrt"),
        (["grad", "{program}:smooth", "1.0", "--fast"], "--fast"),
        (["grad", "{program}:smooth", "1.0", "--wrt"], "--wrt"),
    ],
)
def test_a_wrong_command_is_one_line_and_status_2(capsys, program, words, said):
    folder = str(Path(program).parent)
    status, out, err = run(capsys, *(word.format(program=program, folder=folder) if "{" in word else word for word in words))
    assert (status, out) == (2, "")
    assert said in err
    assert err.startswith("s2sad: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(x)\n    return x\n", "line 1"),
        ("import nothing_like_it\n", "nothing_like_it"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("exit(3)\n", "SystemExit"),
    ],
)
def test_a_broken_file_is_one_line_and_status_2(capsys, tmp_path, text, said):
    path = tmp_path / "broken.py"
    path.write_text(text)
    status, out, err = run(capsys, "grad", f"{path}:f", "1.0")
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["grad", "check"])
@pytest.mark.parametrize(
    ("name", "said"), [("fails", "fails raised ValueError: it is too late"), ("leaves", "leaves raised SystemExit: 7")]
)
def test_what_the_function_raises_is_one_line_and_status_1(capsys, program, command, name, said):
    status, out, err = run(capsys, command, f"{program}:{name}", "1.0")
    assert (status, out) == (1, "")
    assert said in err
    assert err.count("\n") == 1


def test_what_cannot_be_differentiated_is_said_without_a_traceback(capsys, program):
    status, out, err = run(capsys, "grad", f"{program}:refused", "1.0")
    assert (status, out) == (2, "")
    assert "yield" in err
    assert "program.py" in err
    assert "Traceback" not in err
    status, _, err = run(capsys, "grad", f"{program}:refused", "1.0", "--traceback")
    assert status == 2
    assert "Traceback" in err


def test_a_wrong_derivative_fails_the_check(capsys, monkeypatch, program):
    class Wrong:
        def __call__(self, *args, **kwargs):
            return (1.0,)

        def source(self, *args, **kwargs):
            return ""

    monkeypatch.setattr("s2sad.api.grad", lambda f, argnums: Wrong())
    status, out, _ = run(capsys, "check", f"{program}:smooth", "0.5", "--wrt", "x")
    assert status == 1
    assert "DIFFERS" in out


ARRAYS = """
import numpy as np

def scaled(t, x):
    return t * t

def text(t, x):
    raise ValueError(repr(x))
"""


@pytest.fixture
def arrays(tmp_path):
    path = tmp_path / "arrays.py"
    path.write_text(ARRAYS)
    np.save(tmp_path / "x.npy", np.array([1.0, 2.0]))
    return str(path)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("array([1.0, 2.0])", "array([1., 2.])"),
        ("np.array([[1], [2]], dtype='float32')", "array([[1.], [2.]], dtype=float32)"),
        ("[zeros(2), numpy.ones((1, 2))]", "[array([0., 0.]), array([[1., 1.]])]"),
        ("{'a': (linspace(0, 1, 3), 2)}", "{'a': (array([0. , 0.5, 1. ]), 2)}"),
        ("load('x.npy')", "array([1., 2.])"),
        ("[1.0, 2.0]", "[1.0, 2.0]"),
    ],
)
def test_arrays_as_arguments(arrays, argument, value, capsys, monkeypatch):
    monkeypatch.chdir(Path(arrays).parent)
    assert main(["grad", f"{arrays}:scaled", "3.0", argument, "--wrt", "t"]) == 0
    assert capsys.readouterr().out.startswith("value  9.0\nd/d t")
    assert main(["grad", f"{arrays}:text", "3.0", argument, "--wrt", "t"]) == 1
    assert value in capsys.readouterr().err


@pytest.mark.parametrize(
    "argument", ["np.fromfile('x')", "array(open('x'))", "zeros()", "array(*[1])", "load('none.npy')", "x.zeros(3)", "array"]
)
def test_what_makes_no_array_is_refused(arrays, argument, capsys):
    assert main(["grad", f"{arrays}:scaled", "3.0", argument, "--wrt", "t"]) == 2
    assert capsys.readouterr().err.startswith("s2sad: the argument ")
