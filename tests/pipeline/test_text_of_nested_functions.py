"""The text of a derivative runs as it stands, also where nested functions have one name."""

from __future__ import annotations

import math
from collections.abc import Callable

from s2sad import grad


def newton(f: Callable[[float], float], slope: Callable[[float], float], x: float) -> float:
    for _ in range(8):
        x = x - f(x) / slope(x)
    return x


def cube_root(a: float) -> float:
    return newton(lambda x: x * x * x - a, lambda x: 3 * x * x, 1.0)


def test_lambdas_have_names_of_their_own() -> None:
    text = grad(cube_root).source(2.0)
    names = [line.split("(")[0] for line in text.splitlines() if line.startswith("def ")]
    assert len(names) == len(set(names))
    namespace: dict[str, Callable[[float], float]] = {}
    exec(text, namespace)
    assert math.isclose(namespace["cube_root_adjoint"](2.0), 2 ** (-2 / 3) / 3, rel_tol=1e-12)


def recursive(x: float) -> float:
    def f(v: float) -> float:
        return v * x

    def go(v: float, n: int) -> float:
        return f(v) if n == 0 else go(v * 0.5, n - 1) * f(v)

    return go(x, 2)  # x**2 / 4 * x**2 / 2 * x**2


def test_a_function_has_another_name_than_the_variable_that_holds_it() -> None:
    namespace: dict[str, Callable[[float], float]] = {}
    exec(grad(recursive).source(1.5), namespace)
    assert math.isclose(namespace["recursive_adjoint"](1.5), 6 * 1.5**5 / 8, rel_tol=1e-14)


class Mean:
    def __init__(self) -> None:
        self.count = 0
        self.value = 0.0

    def push(self, x: float) -> None:
        self.count += 1
        self.value += (x - self.value) / self.count


def running_mean(values: list[float]) -> float:
    mean = Mean()
    for x in values:
        mean.push(x * x)
    return mean.value


def test_all_that_is_shown_is_called() -> None:
    text = grad(running_mean).source([1.0, 2.0, 4.0])
    names = [line.removeprefix("def ").split("(")[0] for line in text.splitlines() if line.startswith("def ")]
    assert all(text.count(f"{name}(") > 1 for name in names[:-1])
    gradient = grad(running_mean)([1.0, 2.0, 4.0])
    assert all(math.isclose(ours, 2 * x / 3, rel_tol=1e-14) for ours, x in zip(gradient, [1.0, 2.0, 4.0], strict=True))
