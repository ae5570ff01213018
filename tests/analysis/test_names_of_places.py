"""Variables outside are the same ones when code is generated anew: else it would be generated again and again."""

from s2sad import value_and_grad
from s2sad.analysis import lift_outside
from s2sad.analysis.lift_outside import place_of
from s2sad.analysis.specialisation import Defaults, Guard


def remembered(x, n, memo={}):
    if n < 2:
        return x
    if n not in memo:
        memo[n] = remembered(x, n - 1) * remembered(x, n - 2)
    return memo[n]


class Counter:
    def __init__(self):
        self.values = [1.0]

    def scale(self, x):
        self.values[0] *= x
        return self.values[0]


def test_what_is_made_anew_stands_for_the_same_variable():
    first, second = (Guard(Defaults(remembered), "memo", {}) for _ in range(2))
    assert first.namespace is not second.namespace
    assert place_of(first) == place_of(second)
    counter = Counter()
    assert place_of(Guard(counter.scale, "__self__", counter)) == place_of(Guard(counter.scale, "__self__", counter))
    assert place_of(Guard(Counter().scale, "__self__", None)) != place_of(Guard(counter.scale, "__self__", None))


def test_code_is_generated_anew_once(monkeypatch):
    starts = []
    init = lift_outside.SharedOutsideError.__init__
    monkeypatch.setattr(
        lift_outside.SharedOutsideError, "__init__", lambda self, *given: (starts.append(1), init(self, *given))[1]
    )
    assert value_and_grad(remembered)(2.0, 4) == (32.0, 80.0)
    assert len(starts) <= 2  # once, and once more for what that brings to light
