"""Where `pickle` finds derivatives that stand beside their primal; see :mod:`s2sad.pipeline.references`."""

from __future__ import annotations

from typing import Any

from s2sad.pipeline.references import find


def __getattr__(name: str) -> Any:
    return find(name)
