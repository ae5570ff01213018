"""Generated code is read: what a reader would stumble over does not come back. Each program is also checked numerically."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from s2sad import check_grads, grad


def text_of(function: Callable[..., Any], *args: Any, argnums: Any = 0) -> str:
    """The text of a gradient that is right, without comments."""
    check_grads(function, args, argnums)
    lines = grad(function, argnums).source(*args).splitlines()
    return "\n".join(line.split("  # line ")[0].rstrip() for line in lines if "# line " not in line.strip()[:7])


def test_a_return_out_of_nested_loops_sets_one_flag():
    def f(x, n):
        total = 0.0
        for i in range(n):
            y = x
            for j in range(i):
                y = y * x + j
                if y > 5.0:
                    return y * total
            total += y
        return total

    text = text_of(f, 0.5, 10)
    assert text_of(f, 0.5, 3) == text
    forward, reverse = text.split("# reverse sweep")
    assert forward.count("returned = ") == 2  # False before the loops, True where it returns
    assert "is_last_trip" not in forward
    assert "saved_" not in text
    assert "return_value" not in text
    assert "for _ in range(trips):" in reverse


def test_the_only_way_out_of_an_endless_loop_needs_no_flag_in_the_forward_sweep():
    def f(a):
        x = a
        while True:
            new = 0.5 * (x + a / x)
            if abs(new - x) < 1e-13:
                return new
            x = new

    text = text_of(f, 2.0)
    assert "is_last_trip" not in text.split("# reverse sweep")[0]
    assert "return_value" not in text


def test_an_else_of_a_loop_and_the_reversed_loop_share_a_flag():
    def f(x, n):
        for _ in range(n):
            new = x * x
            if new > 10:
                y = new * x
                break
            x = new
        else:
            y = x * 3
        return y

    text = text_of(f, 2.0, 3)
    assert text_of(f, 2.0, 9) == text
    assert "is_last_trip = not completed" in text
    assert text.count("completed = ") == 2


def test_what_follows_the_end_of_a_search_is_chosen_by_its_flag():
    def f(x, n):
        for i in range(n):
            if x * i > 10:
                y = x * x
                break
        else:
            y = x * 3
        return y

    text = text_of(f, 2.0, 3)
    assert text_of(f, 2.0, 9) == text
    assert "return 3.0 if completed else 2.0 * x" in text


def test_conditions_of_containers():
    def f(x):
        stack = []
        for v in x:
            while stack and stack[-1] < v:
                stack.pop()
            stack.append(v * v)
        out = 0.0
        for v in stack:
            out += v
        return out

    text = text_of(f, [3.0, 1.0, 2.0])
    assert "while stack and stack[-1] < v:" in text
    assert "bool(" not in text


def test_ranges_have_no_arithmetic_that_cancels():
    def f(c, x):
        y = 0.0
        for a in reversed(c):
            y = y * x + a
        return y

    assert "for i in range(len_c):" in text_of(f, [1.0, 2.0, 3.0], 0.5)


def test_slices_are_written_as_slices():
    def f(x):
        a, *rest = x
        y = x[1:3]
        y[0] = a * y[1]
        return y[0] * rest[-1] + sum(y) + x[::-1][0]

    text = text_of(f, [1.0, 2.0, 3.0, 4.0])
    assert "y = x[1:3]" in text
    assert "slice(1, 3)" in text
    assert "None, None)" not in text


def test_defaults_that_are_tuples_are_shown():
    def f(x, scale, *, bias=0.5, power=(1, (2, -3.0)), empty=(), one=(1,)):
        return x * scale ** power[0] + bias * x * power[1][1]

    assert "def f_adjoint(x, scale, bias=0.5, power=(1, (2, -3.0)), empty=(), one=(1,)):" in text_of(f, 0.7, 3.0)


def test_what_a_function_gives_is_named_after_its_arguments():
    def square(u):
        return u * u * math.sin(u)

    def f(x, y):
        a = square(x)
        b = square(a + y)
        return a + b * square(a * b)

    text = text_of(f, 1.3, 0.2, argnums=(0, 1))
    assert "a_times_b_bar = square_reverse(a_times_b, " in text
    assert "a_plus_y_bar = square_reverse(a_plus_y, " in text
    assert "_result" not in text


def test_recursive_calls_are_named_after_their_arguments():
    def fibonacci(x, n):
        if n < 2:
            return x + n
        return fibonacci(x, n - 1) * fibonacci(x, n - 2)

    text = text_of(fibonacci, 1.2, 6)
    assert "_result" not in text
    assert "_2" not in text


def test_what_is_kept_has_the_same_name_in_both_halves():
    def step(f, y, h):
        k1 = f(y)
        k2 = f(y + h * k1)
        return y + h * k1 * k2

    def f(y, a):
        slope = lambda u: -a * u * u
        for _ in range(4):
            y = step(slope, y, 0.1)
        return y

    text = text_of(f, 1.0, 0.5, argnums=(0, 1))
    assert "y_plus_h_times_k1" in text
    assert "element" not in text
    assert "lambda" not in text.replace("= lambda u:", "")
    assert "def slope_reverse(" in text


def test_saved_values_are_unpacked_under_their_names():
    def lorenz(x, y, z):
        for _ in range(20):
            dx = 10.0 * (y - x)
            dy = x * (28.0 - z) - y
            dz = x * y - 8.0 / 3.0 * z
            x, y, z = x + 0.01 * dx, y + 0.01 * dy, z + 0.01 * dz
        return x * x + y * y + z * z

    text = text_of(lorenz, 0.1, 0.2, 0.3, argnums=(0, 1, 2))
    assert "for x, y, saved_difference in zip(x_saved, y_saved, difference_saved):" in text


def test_the_text_runs_where_a_closure_is_held_by_a_variable_of_its_name():
    def f(x):
        def make(k):
            def f(y):
                return k * y * x

            return f

        f, g = make(2.0), make(x)
        return f(g(x))

    text = text_of(f, 0.3)
    space: dict[str, Any] = {}
    exec(text, space)
    assert math.isclose(space["f_adjoint"](0.3), 2 * 4 * 0.3**3, rel_tol=1e-14)
    assert "def make(" in text


def test_additions_to_adjoints_read_as_such():
    def f(w, x):
        h = [math.tanh(wi * x) for wi in w]
        out = 0.0
        for wi, hi in zip(w, h):
            out += wi * hi
        return out

    text = text_of(f, [0.5, 1.5, -0.5], 0.3)
    assert "h_bar[i] += w[i]\n        w_bar[i] += h[i]" in text


def test_an_adjoint_that_a_sum_in_place_leaves_as_it_is():
    def f(m, v):
        out = [0.0] * len(m)
        for i in range(len(m)):
            for j in range(len(v)):
                out[i] += m[i][j] * v[j]
        return out[0] * out[1]

    assert "m_bar[i][j] += out_bar[i] * v[j]" in text_of(f, [[1.0, 2.0], [3.0, 4.0]], [1.0, 3.0])


class Samples:
    def __init__(self, times, weights):
        self.times = times
        self.weights = weights

    def misfit(self, x):
        total = 0.0
        for time, weight in zip(self.times, self.weights):
            total += time * x + weight
        return total


def test_a_pair_is_taken_apart_in_the_head_of_its_loop():
    def f(x, times, weights):
        return Samples(times, weights).misfit(x)

    assert "for time, weight in zip(self.times, self.weights):" in text_of(f, 2.0, [1.0, 2.0], [3.0, 4.0])


def test_loops_inside_each_other_have_different_indices():
    def f(rows):
        total = 0.0
        for row in rows:
            for x in row:
                total += x * x
        return total

    text = text_of(f, [[1.0, 2.0], [3.0]])
    assert "for i in range(" in text
    assert "for j in range(" in text


def test_a_list_of_known_length_is_not_saved_for_its_shadow():
    def f(k, n):
        position = [0.0, 1.0, 2.0]
        for _ in range(n):
            force = [0.0] * 3
            for i in range(2):
                force[i] += k * position[i]
                force[i + 1] -= k * position[i + 1]
            for i in range(3):
                position[i] += force[i]
        return position[1]

    text = text_of(f, 0.3, 5)
    assert "force_bar = [0.0] * 3" in text
    assert "force_saved" not in text
