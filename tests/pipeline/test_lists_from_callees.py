"""Lists that a function gives, of which more becomes known while its types are found: no two of them are taken for one."""

from __future__ import annotations

import numpy as np

from s2sad import grad

X = np.array([0.7, 1.3, -0.4])


def test_lists_of_lists_beside_lists_of_integers() -> None:
    def parts(x):
        rows, others, counts, ends = [], [], [], []
        for k in range(2):
            row, other = [], []
            rows.append(row)
            others.append(other)
            for i in range(k + 1):
                row.append(x[i:] * x[i])
                other.append(x * (k + 2.0))
            counts.append(len(row))
            ends.append(np.concatenate(row))
        return rows, others, counts, ends

    def f(x):
        rows, others, counts, ends = parts(x)
        total = 0.0
        for k in range(2):
            for i in range(counts[k]):
                total += np.sum(rows[k][i]) * np.sum(others[k][i] ** 2)
            total += np.sum(ends[k] ** 2)
        return total

    def by_hand(x):
        s0, s1, s2 = np.sum(x), np.sum(x[1:]), np.sum(x * x)
        q1 = np.sum(x[1:] ** 2)
        rows = x[0] * s0 * (4 + 9) * s2 + x[1] * s1 * 9 * s2
        return rows + 2 * x[0] ** 2 * s2 + x[1] ** 2 * q1

    np.testing.assert_allclose(f(X), by_hand(X), rtol=1e-13)
    want = [(by_hand(X + 1e-20j * unit)).imag / 1e-20 for unit in np.eye(3)]
    np.testing.assert_allclose(grad(f)(X), want, rtol=1e-12)


def test_blocks_within_blocks_twice() -> None:
    def f(x):
        return np.sum(np.block([[x, x[:1]], [x[:1], x * x]]) ** 3)

    first = grad(f)
    second = grad(lambda x: np.sum(first(x)))
    np.testing.assert_allclose(first(X), 3 * X**2 + 6 * X**5 + [6 * X[0] ** 2, 0, 0], rtol=1e-13)
    np.testing.assert_allclose(second(X), 6 * X + 30 * X**4 + [12 * X[0], 0, 0], rtol=1e-13)
