"""Whether arguments have the types that code was generated for, where the check at the door has no quick test of them.

>>> import numpy as np
>>> x = [np.zeros(2), np.zeros(3)]
>>> fits = Matches(types_of((x,)), Generated([], []), ())
>>> fits(x), fits([np.ones(2), np.ones(3)]), fits([1.0])
(True, True, False)
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.analysis.fingerprints import fingerprint
from s2sad.analysis.signatures import types_of
from s2sad.ir.types import Type
from s2sad.pipeline.overlap import shared
from s2sad.pipeline.units import Generated


class Matches:
    """Called with the arguments that are not bound. In a loop of calls (an optimisation) they are alike: the last ones whose
    types were the expected ones are recognised by their fingerprint."""

    def __init__(self, expected: tuple[Type, ...], generated: Generated, bound: Sequence[object]) -> None:
        self.expected = expected
        self.generated = generated
        self.bound = tuple(bound)
        self.last: tuple[object, ...] | None = None

    def __call__(self, *arguments: object) -> bool:
        given = (*self.bound, *arguments)
        found = fingerprint(given)
        if found is None or found != self.last:
            if types_of(given) != self.expected:
                return False
            self.last = found
        return not shared(self.generated, self.expected, given)
