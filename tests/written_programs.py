"""Programs that tests make of tables, written to files: functions have source where they stand in one."""

import importlib.util
from pathlib import Path
from types import ModuleType


def module_of(path: Path, parts: list[str]) -> ModuleType:
    """The module with this text."""
    path.write_text("\n".join(parts))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
