"""Configuration of the whole test suite: what is collected, and how hypothesis runs."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before s2sad is imported: the IR is verified after every pass, which costs next to nothing.
os.environ.setdefault("S2SAD_VERIFY", "1")

# Generated programs take as long as they take; a slow machine must not turn that into a failure.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# In CI the same programs every time, so that a red run is red for everybody.
settings.register_profile("ci", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Golden cases are data, although they end in .py: the test beside them reads them."""
    is_case = (
        "golden" in collection_path.parts and collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    )
    return True if is_case else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the generated parts of tests/golden anew")
    parser.addoption("--all-cases", action="store_true", help="run all cases of the tests of which only some are run otherwise")
    parser.addoption("--other-cases", action="store_true", help="run the cases that are left out otherwise, and nothing else")


#: Of tests marked `sampled`, one case in so many is run, or in as many as the mark says.
_SAMPLED = 10


def _is_left_out(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("sampled")
    return mark is not None and zlib.crc32(item.name.encode()) % (mark.args[0] if mark.args else _SAMPLED) != 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the modes that take longest, a fixed sample of the corpus: all of it takes as long as everything else together."""
    if config.getoption("--all-cases"):
        return
    left_out = [item for item in items if _is_left_out(item)]
    if config.getoption("--other-cases"):
        left_out, items[:] = [item for item in items if item not in set(left_out)], left_out
    else:
        dropped = set(left_out)
        items[:] = [item for item in items if item not in dropped]
    config.hook.pytest_deselected(items=left_out)
