"""What is not the speed of a gradient: time to transform, time to import, memory, and the size of higher derivatives."""

from __future__ import annotations

import linecache
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from benchmarks.array_properties import ARRAY_PROPERTIES
from benchmarks.measure import format_table
from benchmarks.programs import besselj, logistic


def _define(name: str, text: str) -> Callable[..., Any]:
    """A function from its text, as a notebook defines it: linecache knows its source."""
    filename = f"<benchmark {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"__name__": "benchmark"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]


def _straight_line(name: str, statements: int) -> Callable[..., Any]:
    lines = [f"def {name}(x, y):"]
    for number in range(statements // 2):
        lines += [f"    x = 0.5 * x + y / {number + 1}", "    y = y - 0.1 * x * y"]
    return _define(name, "\n".join([*lines, "    return x * y", ""]))


def _seconds_to_transform(function: Callable[..., Any], args: tuple[Any, ...], argnums: Any) -> float:
    from s2sad import grad

    start = time.perf_counter()
    grad(function, argnums=argnums).source(*args)
    return time.perf_counter() - start


def transform_time(seconds: float) -> tuple[str, dict[str, Any]]:
    """The first transformation in a process loads and fills things; it is given apart."""
    figures: dict[str, float] = {"first in the process (besselj)": _seconds_to_transform(besselj, (2, 1.0), 1)}
    copies = max(3, int(10 * seconds))
    source = "import math\n\n" + _source_of(besselj)
    fresh = [_define(f"besselj_{n}", source.replace("def besselj(", f"def besselj_{n}(")) for n in range(copies)]
    figures["besselj"] = min(_seconds_to_transform(f, (2, 1.0), 1) for f in fresh)
    for count in (10, 30, 100, 300, 1000):
        figures[f"{count:,} straight-line statements"] = min(
            _seconds_to_transform(_straight_line(f"line_{count}_{n}", count), (0.3, 0.7), (0, 1)) for n in range(3)
        )
    rows = []
    for name, spent in figures.items():
        count = name.split()[0].replace(",", "")
        rows.append([name, f"{spent * 1e3:.1f}", f"{spent * 1e3 / int(count):.3f}" if count.isdigit() else ""])
    return format_table(["to transform", "ms", "ms a statement"], rows), figures


def _source_of(function: Callable[..., Any]) -> str:
    import inspect

    return inspect.getsource(function)


def import_time(seconds: float) -> tuple[str, dict[str, Any]]:
    """New processes, in turns; the minimum."""
    programs = {"import numpy": "import numpy", "import numpy, s2sad": "import numpy, s2sad"}
    best = dict.fromkeys(programs, float("inf"))
    for _ in range(max(3, int(10 * seconds))):
        for name, text in programs.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", text], check=True)
            best[name] = min(best[name], time.perf_counter() - start)
    added = best["import numpy, s2sad"] - best["import numpy"]
    rows = [[name, f"{spent * 1e3:.0f}"] for name, spent in best.items()]
    rows.append(["s2sad adds", f"{added * 1e3:.0f}"])
    return format_table(["in a new process", "ms"], rows), {**best, "added": added}


def memory(seconds: float) -> tuple[str, dict[str, Any]]:
    """Peak of a gradient over a loop: what grows with the number of steps is what is saved."""
    from s2sad import grad

    gradient = grad(logistic, argnums=1)
    figures = {}
    for steps in (100_000, 1_000_000):
        gradient(0.3, 3.7, 10)
        tracemalloc.start()
        gradient(0.3, 3.7, steps)
        figures[str(steps)] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    rows = [
        [f"{int(steps):,} steps of the logistic map", f"{peak / 1e6:.1f}", f"{peak / int(steps):.1f}"]
        for steps, peak in figures.items()
    ]
    text = format_table(["peak memory", "MB", "bytes a step"], rows)
    return text + "\n\nOne float that is saved takes 24 bytes, and 8 to 9 for its place in the list.", figures


def growth(seconds: float) -> tuple[str, dict[str, Any]]:
    """Lines of the generated code of the first three derivatives."""
    from s2sad import grad

    rows, figures = [], {}
    for name, function, args, argnums in (
        ("besselj, by z", besselj, (2, 1.0), 1),
        ("logistic map, by r", logistic, (0.3, 3.7, 10), 1),
    ):
        counts = [len(_source_of(function).splitlines())]
        derivative: Any = function
        for _ in range(3):
            derivative = grad(derivative, argnums=argnums)
            text = derivative.source(*args)
            counts.append(sum(bool(line.strip()) and not line.strip().startswith("#") for line in text.splitlines()))
        rows.append([name, *map(str, counts)])
        figures[name] = counts
    return format_table(["lines of code", "primal", "first", "second", "third derivative"], rows), figures


PROPERTIES = {
    "transform": ("Time to transform", transform_time),
    "import": ("Time to import", import_time),
    "memory": ("Memory", memory),
    "growth": ("Size of higher derivatives", growth),
    **ARRAY_PROPERTIES,
}
