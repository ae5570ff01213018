"""Whether arguments have the types that code was generated for, where the check at the door has no quick test of them.

>>> import numpy as np
>>> from s2sad.analysis.signatures import types_of
>>> x = [np.zeros(2), np.zeros(3)]
>>> fits = Matches(types_of((x,)), Generated([], []), ())
>>> fits(x), fits([np.ones(2), np.ones(3)]), fits([1.0])
(True, True, False)
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.analysis.fingerprints import Recognised
from s2sad.analysis.held_outside import find_held
from s2sad.ir.types import Type
from s2sad.pipeline.overlap import shared
from s2sad.pipeline.units import Generated


class Matches:
    """Called with the arguments that are not bound."""

    def __init__(self, expected: tuple[Type, ...], generated: Generated, bound: Sequence[object]) -> None:
        self.expected = expected
        self.generated = generated
        self.bound = tuple(bound)
        self.recognised = Recognised()

    def __call__(self, *arguments: object) -> bool:
        given = (*self.bound, *arguments)
        if not self.recognised.have_types(given, self.expected) or find_held(given) is not None:
            return False
        return not shared(self.generated, self.expected, given)
