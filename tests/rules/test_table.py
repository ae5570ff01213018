"""The table of rules in the documentation is current."""

from __future__ import annotations

import math
import re
from pathlib import Path

from s2sad.rules.table import rule_table

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"


def test_the_page_is_current():
    lines = PAGE.read_text().splitlines()
    newer = [name for name in ("fma", "sumprod") if not hasattr(math, name)]  # functions that this Python lacks
    expected = [line for line in lines if not any(re.match(rf"\| `math\.{name}` ", line) for name in newer)]
    assert rule_table().splitlines() == expected, "run: python -m s2sad.rules.table > docs/functions.md"
