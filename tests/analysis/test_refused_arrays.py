"""Programs on arrays that are refused by name: other ways to the memory, attributes that are assigned to, dtypes that differ."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.analysis.analyser import Analyser
from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.lower import lower_function
from tests.analysis.test_array_types import NAMES, arguments, array_types, compiled


def analyse(program: str) -> None:
    kinds, _ = array_types(arguments(3, 4))
    Analyser(lower_function).specialise_function(compiled(NAMES, program.split("; ")), kinds)


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("q = v[1:]; return q.base", "variable of its own"),
        ("q = v.view(np.float32); q[0] = 1; return v", r"\.astype\(\)"),
        ("v.resize(3); return v", r"np\.resize\(\)"),
        ("x.shape = (12,); return x", r"\.reshape\(\)"),
        ("c.real = v; return c", r"\.real\[\.\.\.\]"),
        ("v.note = a; return v", "not assigned to"),
        ("q = np.zeros(4, dtype=int) if a > 0 else v; q[0] = 0.5; return q", "integers"),
        ("q = np.zeros(4, dtype=int); np.multiply(v, 2.0, out=q); return q", "out="),
        ("q = [np.zeros(4, dtype=int), v]; q[n][0] = 0.5; return q[n]", "integers"),
    ],
)
def test_refused(program: str, says: str) -> None:
    with pytest.raises(UnsupportedSyntaxError, match=says) as caught:
        analyse(program)
    assert "<array program" in str(caught.value)


@pytest.mark.parametrize(
    "program",
    [
        "q = np.zeros(4, dtype=int) if a > 0 else v; return q * 2",
        "q = np.zeros(4, dtype=int); q[0] = 0.5; return q",
        "q = np.zeros(4, dtype=np.float32) if a > 0 else v; q[0] = 0.5; return q",
        "q = np.zeros(4, dtype=int) if a > 0 else v; q[0] = 1; return q",
        "q = np.zeros(4, dtype=int); np.greater(v, 2.0, out=q); return q",
        "q = np.zeros(4, dtype=int); np.multiply(q, 2, out=q); return q",
    ],
)
def test_not_refused(program: str) -> None:
    analyse(program)


def test_the_advice_is_sound() -> None:
    q = np.zeros((3, 4))
    q.real[...] = 1.0
    q[...] = 2.0
    assert np.all(q.reshape(12) == 2.0)
