"""Dual numbers, as an independent source of derivatives: the primal itself runs on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Dual:
    """A value and its derivative."""

    def __init__(self, value: float, slope: float = 0.0) -> None:
        self.value, self.slope = value, slope

    @staticmethod
    def of(x: Any) -> Dual:
        return x if isinstance(x, Dual) else Dual(x)

    def __add__(self, other: Any) -> Dual:
        other = Dual.of(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + -Dual.of(other)

    def __rsub__(self, other: Any) -> Dual:
        return Dual.of(other) + -self

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __mul__(self, other: Any) -> Dual:
        other = Dual.of(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __truediv__(self, other: Any) -> Dual:
        other = Dual.of(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    def __rtruediv__(self, other: Any) -> Dual:
        return Dual.of(other) / self

    def __abs__(self) -> Dual:
        return self if self.value >= 0 else -self

    def __lt__(self, other: Any) -> bool:
        return self.value < Dual.of(other).value

    def __gt__(self, other: Any) -> bool:
        return self.value > Dual.of(other).value

    def __le__(self, other: Any) -> bool:
        return self.value <= Dual.of(other).value

    def __ge__(self, other: Any) -> bool:
        return self.value >= Dual.of(other).value

    __radd__, __rmul__ = __add__, __mul__


def derivative(function: Callable[..., Any], x: float, *rest: Any) -> tuple[float, float]:
    """The value of a function of x and its derivative."""
    result = Dual.of(function(Dual(x, 1.0), *rest))
    return result.value, result.slope
