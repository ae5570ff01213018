"""Random programs that give arrays second names and change them in place: what each name holds is what Python says."""

from __future__ import annotations

import linecache
import random
from itertools import count

import numpy as np
import pytest

from s2sad import value_and_grad

NUMBERS = count()
NAMES = "xyz"


def statements(draw: random.Random, depth: int) -> list[str]:
    """A few statements; compound ones are indented."""
    lines: list[str] = []
    for _ in range(draw.randint(2, 4)):
        p, q, r = (draw.choice(NAMES) for _ in range(3))
        kind = draw.randrange(10 if depth < 2 else 7)
        match kind:
            case 0 | 1 | 2:
                lines.append(
                    f"{p} {draw.choice(['+=', '-=', '*='])} {draw.choice([f'a * {q}', 'a', f'np.sin({q})', f'0.5 * {r}'])}"
                )
            case 3:
                lines.append(f"{p} = {q}")
            case 4:
                lines.append(f"{p} = {q} * {r} + a")
            case 5:
                lines.append(f"s = s + np.sum({p} * {q})")
            case 6:
                lines.append(f"{p} = {q} if c > {draw.randint(0, 2)} else {r}")
            case 7:
                lines += [f"if c > {draw.randint(0, 2)}:", *indented(statements(draw, depth + 1))]
            case 8:
                lines += [f"if c > {draw.randint(0, 2)}:", *indented(statements(draw, depth + 1)), "else:"]
                lines += indented(statements(draw, depth + 1))
            case 9:
                body = [*statements(draw, depth + 1), *draw.choice([[], ["if c > 1 and np.sum(x).real > 0.4:", "    break"]])]
                lines += [f"for _ in range({draw.randint(0, 3)}):", *indented([*body, "c = c + 0.5"])]
    return lines


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def program(seed: int) -> str:
    """The text of a function ``f(a, c)``."""
    draw = random.Random(seed)
    body = ["s = 0.0", "x = 0.3 * a", "y = np.ones(2) * a", "z = x", *statements(draw, 0), *statements(draw, 0)]
    return "\n".join(["def f(a, c):", *indented([*body, "return s + np.sum(x) + np.sum(x * y * z)"]), ""])


def check(seed: int) -> None:
    text = program(seed)
    filename = f"<aliases {next(NUMBERS)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, object] = {"np": np}
    exec(compile(text, filename, "exec"), names)
    function = names["f"]
    a = np.array([0.3, -0.2])
    for c in (-0.5, 0.5, 1.5):
        with np.errstate(all="ignore"):
            expected = function(a, c)
            steps = [function(a + 1e-30j * unit, c).imag / 1e-30 for unit in np.eye(2)]
        if not np.all(np.isfinite([expected, *steps])) or np.max(np.abs(steps)) > 1e8:
            continue
        value, gradient = value_and_grad(function)(a, c)
        assert value == expected, text
        np.testing.assert_allclose(gradient, steps, rtol=1e-9, atol=1e-9, err_msg=text)


@pytest.mark.parametrize("seed", range(20))
def test_random_aliases(seed: int) -> None:
    check(seed)
