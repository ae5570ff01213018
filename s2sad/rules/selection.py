"""Selection by a condition, for numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.ir.effects import RAISES, declare_effects
from s2sad.rules.declare import model


@model(np.where, overload=True)
def selected(condition: Any, x: Any, y: Any) -> Any:
    return x if condition else y


declare_effects(RAISES, np.where)
