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
