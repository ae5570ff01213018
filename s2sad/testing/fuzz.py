"""``python -m s2sad.testing.fuzz --programs 20000 --seed 0``: many random programs, each gradient compared with references.

With ``--arrays`` they are programs on arrays. What is refused by name is counted, and is no failure.

Failing programs are shortened and printed once a kind; the exit status is 1 when there are any.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

from s2sad.testing.array_programs import random_array_program
from s2sad.testing.array_references import array_reference, find_array_mismatch
from s2sad.testing.programs import Program, random_program
from s2sad.testing.references import Mismatch, UnsureReferenceError, find_mismatch, reference_gradient

Differentiate = Callable[..., Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Family:
    """Programs of one sort: how they are made, what their gradient is, and how ours is compared."""

    make: Callable[[random.Random, int], Any] = random_program
    reference: Callable[[Any], Any] = reference_gradient
    compare: Callable[..., Mismatch | None] = find_mismatch


NUMBERS = Family()
ARRAYS = Family(random_array_program, array_reference, find_array_mismatch)

_PROGRAMS_A_PART: Final = 50

#: What programs would not end without.
_KEPT = ("def program", "count_", "if count_", "break")


def _shorter_programs(program: Program) -> Iterator[Program]:
    """The program without one line and what is nested below it, or with a nested block in place of the line above it."""
    lines = program.source.splitlines()
    indents = [len(line) - len(line.lstrip()) if line.strip() else -1 for line in lines]
    for start, indent in enumerate(indents):
        if indent < 0 or lines[start].strip().startswith(_KEPT):
            continue
        end = start + 1
        while end < len(lines) and indents[end] > indent:
            end += 1
        before, inside, after = lines[:start], lines[start + 1 : end], lines[end:]
        for replacement in ([], [line[4:] for line in inside], [" " * indent + "pass"]):
            if replacement != lines[start:end]:
                yield dataclasses.replace(program, source="\n".join([*before, *replacement, *after]) + "\n")


def shorten(program: Program, fails: Callable[[Program], bool], attempts: int = 2000) -> Program:
    """The shortest program found, by removing lines, that still fails."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for candidate in _shorter_programs(program):
            attempts -= 1
            if len(candidate.source) < len(program.source) and fails(candidate):
                program, progress = candidate, True
                break
            if attempts <= 0:
                break
    return program


def check(program: Program, differentiate: Differentiate, family: Family = NUMBERS) -> Mismatch | None:
    """The mismatch, or None; programs without a trusted reference count as right."""
    try:
        return family.compare(program, differentiate, family.reference(program))
    except UnsureReferenceError:
        return None


def _fails_alike(kind: str, differentiate: Differentiate, family: Family) -> Callable[[Program], bool]:
    def fails(program: Program) -> bool:
        try:
            mismatch = check(program, differentiate, family)
        except Exception:  # a text that is no program
            return False
        return mismatch is not None and mismatch.kind == kind

    return fails


@dataclasses.dataclass(slots=True)
class Tally:
    """What was found so far: how often each kind of failure and of refusal occurred, and the first program of each failure."""

    programs: int = 0
    unsure: int = 0
    kinds: Counter[str] = dataclasses.field(default_factory=Counter)
    refused: Counter[str] = dataclasses.field(default_factory=Counter)
    examples: dict[str, str] = dataclasses.field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Count what another one counted."""
        self.programs += other.programs
        self.unsure += other.unsure
        self.kinds += other.kinds
        self.refused += other.refused
        self.examples = other.examples | self.examples

    @property
    def line(self) -> str:
        """The counts in words."""
        return f"{self.programs} programs, {self.unsure} without a trusted reference, {sum(self.kinds.values())} failed"


def check_programs(numbers: range, seed: int, size: int, differentiate: Differentiate, family: Family) -> Tally:
    """Checks the programs of these numbers."""
    tally = Tally(len(numbers))
    for number in numbers:
        program = family.make(random.Random(seed * 1_000_000 + number), size)
        try:
            reference = family.reference(program)
        except UnsureReferenceError:
            tally.unsure += 1
            continue
        mismatch = family.compare(program, differentiate, reference)
        if mismatch is not None and mismatch.kind.startswith("refused: "):
            tally.refused[mismatch.kind] += 1
        elif mismatch is not None:
            tally.kinds[mismatch.kind] += 1
            if mismatch.kind not in tally.examples:
                short = shorten(program, _fails_alike(mismatch.kind, differentiate, family))
                found = check(short, differentiate, family) or mismatch
                tally.examples[mismatch.kind] = f"program {number} of seed {seed}: {found}\n{short}"
    return tally


def _check_part(numbers: range, seed: int, size: int, is_of_arrays: bool) -> Tally:
    """What a process does."""
    from s2sad import value_and_grad

    return check_programs(numbers, seed, size, value_and_grad, ARRAYS if is_of_arrays else NUMBERS)


def run(
    count: int,
    seed: int,
    size: int,
    differentiate: Differentiate,
    report: Callable[[str], object] = print,
    family: Family = NUMBERS,
    first: int = 0,
) -> Counter[str]:
    """Checks programs ``seed * 1_000_000 + first …``; returns how often each kind of failure occurred."""
    parts = _parts(first, count)
    return _report((check_programs(part, seed, size, differentiate, family) for part in parts), count - first, report)


def run_in_processes(processes: int, count: int, seed: int, size: int, *, is_of_arrays: bool, first: int = 0) -> Counter[str]:
    """The same for our own gradients, in several processes."""
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        check_part = functools.partial(_check_part, seed=seed, size=size, is_of_arrays=is_of_arrays)
        return _report(pool.map(check_part, _parts(first, count)), count - first, print)


def _parts(first: int, count: int) -> list[range]:
    return [range(start, min(start + _PROGRAMS_A_PART, count)) for start in range(first, count, _PROGRAMS_A_PART)]


def _report(tallies: Iterable[Tally], count: int, report: Callable[[str], object]) -> Counter[str]:
    total = Tally()
    for tally in tallies:
        for kind in tally.examples.keys() - total.examples.keys():
            report(f"\n{tally.examples[kind]}")
        total.add(tally)
        print(f"\r{total.line}, of {count}", end="", file=sys.stderr, flush=True)
    report(f"\n{total.line}")
    for kind, times in [*total.refused.most_common(), *total.kinds.most_common()]:
        report(f"{times:6}  {kind}")
    return total.kinds


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m s2sad.testing.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other programs (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="go on with this one, after a run that was stopped")
    parser.add_argument("--arrays", action="store_true", help="programs on arrays")
    parser.add_argument("--size", type=int, default=24, help="statements a program at most (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="how many work side by side (default: %(default)s)")
    options = parser.parse_args(arguments)
    kinds = run_in_processes(
        options.processes, options.programs, options.seed, options.size, is_of_arrays=options.arrays, first=options.first
    )
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
