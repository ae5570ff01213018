"""The work of making a derivative grows with the length of the function, and not faster.

Calls are counted, which no load on the machine changes.
"""

import linecache
import sys

import numpy as np
import pytest

from s2sad import grad
from s2sad.analysis.analyser import Analyser


def straight_line(length):
    return [line for k in range(length // 2) for line in (f"x = 0.5 * x + y / {k + 1}", "y = y - 0.1 * x * y")]


def branches(length):
    return [line for k in range(length // 2) for line in (f"if x > {k}:", f"    y = x * y + {k}.5")]


def loops(length):
    return [line for k in range(length // 2) for line in (f"for i in range({k + 2}):", "    x = x * y + 0.5 * i")]


def arrays(length):
    return ["v = np.sin(x * np.ones(3))", *(f"v = np.cos(v) * y + {k}.0" for k in range(length)), "x = np.sum(v)"]


def integers(length):
    return ["n = round(y)", *(f"n = {k + 7} - n * n" for k in range(length)), "x = x * (x + n)"]


def iterator_used_late(length):
    """Whether the list keeps its elements is asked of all that stands between `reversed` and its loop."""
    between = [f"x = x * x + y - {k}.0 * x" for k in range(length)]
    return [
        "items = [x, y]",
        "backwards = reversed(items)",
        *between,
        "for item in backwards:",
        "    x = x * item",
        "items.append(x)",
    ]


def calls_to_transform(shape, length):
    name = f"{shape.__name__}_{length}"
    text = "\n    ".join([f"def {name}(x, y):", *shape(length), "return x * y\n"])
    filename = f"<{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"np": np}
    exec(compile(text, filename, "exec"), namespace)
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call"

    derivative = grad(namespace[name], (0, 1))
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        derivative.source(0.3, 0.7)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", [straight_line, branches, loops, arrays, integers, iterator_used_late])
def test_the_time_to_transform_is_proportional_to_the_length(shape):
    calls_to_transform(shape, 4)  # what is done once in a process
    assert calls_to_transform(shape, 120) < 4.4 * calls_to_transform(shape, 30)


def quick(xs):
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    return quick([v for v in rest if v < pivot]) + [pivot] + quick([v for v in rest if v >= pivot])


def median(xs):
    return quick(xs)[len(xs) // 2] ** 2


def test_functions_that_call_themselves_with_several_types_are_not_inferred_from_nothing_again(monkeypatch):
    """What was found of them in one round of a function around them is where the next round begins."""
    inferred = []
    infer = Analyser.infer
    monkeypatch.setattr(Analyser, "infer", lambda self, one, *known: inferred.append(one.definition) or infer(self, one, *known))
    assert grad(lambda xs: grad(median)(xs)[0])([3.0, 1.0, 2.0, 5.0]) == [2.0, 0.0, 0.0, 0.0]
    assert len(inferred) < 250
