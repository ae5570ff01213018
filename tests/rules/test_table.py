"""The table of rules in the documentation is current."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"


def test_the_page_is_current():
    lines = PAGE.read_text().splitlines()
    newer = [name for name in ("fma", "sumprod") if not hasattr(math, name)]  # functions that this Python lacks
    expected = [line for line in lines if not any(re.match(rf"\| `math\.{name}` ", line) for name in newer)]
    # in a process of its own: other tests declare rules
    command = [sys.executable, "-m", "s2sad.rules.table"]
    table = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PAGE.parents[1]).stdout
    assert table.splitlines() == expected, "run: python -m s2sad.rules.table > docs/functions.md"
