"""Every example runs as a user would run it, prints something, and its own assertions hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_there_are_examples():
    assert {path.stem for path in EXAMPLES} >= {"besselj", "newton", "logistic", "euler", "pendulum", "curve_fit"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path):
    environment = {**os.environ, "PYTHONPATH": str(path.parent.parent)}
    command = [sys.executable, "-W", "error", str(path)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()
    assert not result.stderr


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_checks_a_value_and_uses_the_public_api_only(path):
    text = path.read_text(encoding="utf-8")
    assert "assert " in text
    imports = [line for line in text.splitlines() if "s2sad" in line and line.lstrip().startswith(("import", "from"))]
    assert imports
    assert all(line.startswith("from s2sad import ") for line in imports)
