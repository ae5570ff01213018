"""Timing several callables against each other in one process: in turns, and the minimum of many repeats."""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: A repeat calls often enough to last this long; a slow candidate is called once.
_REPEAT_SECONDS = 0.0005


@dataclass(frozen=True)
class Timing:
    """Seconds a call: the best repeat, and how far the typical one (the median) is above it, in parts of it."""

    best: float
    spread: float
    repeats: int


def measure(candidates: Mapping[str, tuple[Callable[..., Any], Sequence[Any]]], seconds: float) -> dict[str, Timing]:
    """Time each candidate in turns until all rounds together have taken `seconds` for each candidate.

    The order is turned from round to round, so that none is always the one after the slowest.
    """
    timers = {}
    for name, (function, args) in candidates.items():
        names = {f"a{number}": arg for number, arg in enumerate(args)}
        timer = timeit.Timer(f"f({', '.join(names)})", globals={"f": function, **names})
        timer.timeit(1)
        once = timer.timeit(1)
        timers[name] = (timer, max(1, int(_REPEAT_SECONDS / max(once, 1e-9))))
    times: dict[str, list[float]] = {name: [] for name in timers}
    spent = dict.fromkeys(timers, 0.0)
    order = list(timers)
    round_number = 0
    while any(spent[name] < seconds for name in order) and round_number < 10_000:
        for name in order[round_number % len(order) :] + order[: round_number % len(order)]:
            # a slow peer must not hold up the others: it has fewer repeats
            if spent[name] > 2 * seconds:
                continue
            timer, number = timers[name]
            start = time.perf_counter()
            times[name].append(timer.timeit(number) / number)
            spent[name] += time.perf_counter() - start
        round_number += 1
    return {name: Timing(min(t), statistics.median(t) / min(t) - 1, len(t)) for name, t in times.items()}


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A markdown table; the first column is text, the others are numbers."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = [cell.ljust(w) if n == 0 else cell.rjust(w) for n, (cell, w) in enumerate(zip(cells, widths, strict=True))]
        return f"| {' | '.join([first, *rest])} |"

    rule = "|".join("-" * (w + 2) if n == 0 else "-" * (w + 1) + ":" for n, w in enumerate(widths))
    return "\n".join([line(head), f"|{rule}|", *map(line, rows)])
