"""`python -m benchmarks`: all measurements, as markdown. Run it from the root of the project.

python -m benchmarks                      everything
python -m benchmarks --only newton        one program, or one section (its name is in brackets in the title)
python -m benchmarks --json figures.json  the figures as well, for programs
python -m benchmarks --seconds 0.1        quicker and less exact
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
import traceback
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks import gradients
from benchmarks.gradients import GROUPS
from benchmarks.properties import PROPERTIES


def _versions() -> dict[str, str]:
    found = {}
    for package in ("s2sad", "numpy", "autograd", "tangent-ad", "jax", "torch"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "-"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="What the README states, measured.")
    sections = ", ".join([*GROUPS, *PROPERTIES])
    parser.add_argument("--only", default="", metavar="NAME", help=f"part of the name of a program, or one of: {sections}")
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each candidate is timed (default: 1)")
    options = parser.parse_args()
    figures: dict[str, Any] = {"python": platform.python_version(), "versions": _versions(), "seconds": options.seconds}
    present = [f"{name} {version}" for name, version in figures["versions"].items() if version != "-"]
    print(f"Python {figures['python']}, {', '.join(present)}")
    status = 0
    for name, (title, _) in GROUPS.items():
        if options.only in PROPERTIES or (options.only in GROUPS and options.only != name):
            continue
        start = time.perf_counter()
        text, figures[name] = gradients.run("" if options.only == name else options.only, options.seconds, name)
        if text:
            print(f"\n### {title} [{name}]\n\n{text}")
            how = "minimum of many repeats, in turns, in one process; spread: how far the median is above it"
            print(f"\n({time.perf_counter() - start:.0f} s; {how})", flush=True)
    if options.only not in PROPERTIES and not any(figures.get(name) for name in GROUPS):
        parser.error(f"there is no program {options.only!r}")
    for name, (title, run) in PROPERTIES.items():
        if options.only not in ("", name):
            continue
        try:
            text, figures[name] = run(options.seconds)
        except Exception:  # the other sections are still worth having
            traceback.print_exc()
            status = 1
            continue
        print(f"\n### {title} [{name}]\n\n{text}", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
