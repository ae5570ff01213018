"""The adjoints of `programs`, by hand: each returns exactly the gradient that is asked for, and nothing else.

They are written as an expert would who has read the program and knows what its adjoint needs: invariants are hoisted, values
that the gradient does not read are not computed, and one list is kept where a list is needed. Of two programs there are two
forms: the first has the structure of the program (a helper stays a helper, a step is differentiated as it is written), the
second is what remains when an expert inlines the helper by hand, or simplifies the algebra of the step. Of `besselj`, the second
form lacks what makes the first one right wherever the primal returns a value: at z = 0 and nu = 0 (and by nu, for z <= 0) it
raises, so it is not an adjoint for the same result; it is here to show what these guards cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.programs import decay


def besselj_by_z(nu, z, atol=1e-8):
    s_saved = []
    k = 0
    half_z = z / 2
    factorial_nu = math.factorial(nu)
    s = half_z**nu / factorial_nu
    half_z_squared = half_z**2
    while abs(s) > atol:
        k += 1
        s_saved.append(s)
        s *= -1 / k / (k + nu) * half_z_squared
    s_bar = 1.0
    half_z_squared_bar = 0.0
    s_saved.reverse()
    for s in s_saved:
        s_bar *= -1 / k / (k + nu)
        half_z_squared_bar += s_bar * s
        s_bar = s_bar * half_z_squared + 1.0
        k -= 1
    half_z_bar = half_z_squared_bar * 2 * half_z
    if nu > 0:
        half_z_bar += s_bar / factorial_nu * nu * half_z ** (nu - 1)
    return half_z_bar / 2


def besselj_by_z_without_guard(nu, z, atol=1e-8):
    s_saved = []
    k = 0
    half_z = z / 2
    factorial_nu = math.factorial(nu)
    s = half_z**nu / factorial_nu
    half_z_squared = half_z**2
    while abs(s) > atol:
        k += 1
        s_saved.append(s)
        s *= -1 / k / (k + nu) * half_z_squared
    s_bar = 1.0
    half_z_squared_bar = 0.0
    s_saved.reverse()
    for s in s_saved:
        s_bar *= -1 / k / (k + nu)
        half_z_squared_bar += s_bar * s
        s_bar = s_bar * half_z_squared + 1.0
        k -= 1
    return (s_bar / factorial_nu * nu * half_z ** (nu - 1) + half_z_squared_bar * 2 * half_z) / 2


def besselj_by_nu_and_z(nu, z, atol=1e-8):
    s_saved = []
    k = 0
    half_z = z / 2
    factorial_nu = math.factorial(nu)
    power = half_z**nu
    s = power / factorial_nu
    half_z_squared = half_z**2
    while abs(s) > atol:
        k += 1
        s_saved.append(s)
        s *= -1 / k / (k + nu) * half_z_squared
    s_bar = 1.0
    half_z_squared_bar = 0.0
    nu_bar = 0.0
    s_saved.reverse()
    for s in s_saved:
        k_plus_nu = k + nu
        s_bar *= -1 / k / k_plus_nu
        factor_bar = s_bar * s
        half_z_squared_bar += factor_bar
        nu_bar -= factor_bar * half_z_squared / k_plus_nu
        s_bar = s_bar * half_z_squared + 1.0
        k -= 1
    power_bar = s_bar / factorial_nu
    if half_z > 0:
        nu_bar += power_bar * power * math.log(half_z)
    elif half_z < 0:
        nu_bar = math.nan
    half_z_bar = half_z_squared_bar * 2 * half_z
    if nu > 0:
        half_z_bar += power_bar * nu * half_z ** (nu - 1)
    return nu_bar, half_z_bar / 2


def besselj_by_nu_and_z_without_guards(nu, z, atol=1e-8):
    s_saved = []
    k = 0
    half_z = z / 2
    factorial_nu = math.factorial(nu)
    power = half_z**nu
    s = power / factorial_nu
    half_z_squared = half_z**2
    while abs(s) > atol:
        k += 1
        s_saved.append(s)
        s *= -1 / k / (k + nu) * half_z_squared
    s_bar = 1.0
    half_z_squared_bar = 0.0
    nu_bar = 0.0
    s_saved.reverse()
    for s in s_saved:
        k_plus_nu = k + nu
        s_bar *= -1 / k / k_plus_nu
        factor_bar = s_bar * s
        half_z_squared_bar += factor_bar
        nu_bar -= factor_bar * half_z_squared / k_plus_nu
        s_bar = s_bar * half_z_squared + 1.0
        k -= 1
    power_bar = s_bar / factorial_nu
    nu_bar += power_bar * power * math.log(half_z)
    return nu_bar, (power_bar * nu * half_z ** (nu - 1) + half_z_squared_bar * 2 * half_z) / 2


def logistic_by_r(x, r, steps):
    x_saved = []
    for _ in range(steps):
        x_saved.append(x)
        x = r * x * (1 - x)
    x_bar = 1.0
    r_bar = 0.0
    x_saved.reverse()
    for x in x_saved:
        rest = 1 - x
        r_bar += x_bar * x * rest
        x_bar *= r * (rest - x)
    return r_bar


def roughness_by_x(x):
    x_bar = [0.0] * len(x)
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        d_bar = 2 * d * x[i]
        x_bar[i] += d * d + d_bar
        x_bar[i - 1] -= d_bar
    return x_bar


def sieve_by_a_and_b(a, b, n):
    x_saved = []
    ab = a * b
    for i in range(n):
        x = a * i
        for _ in range(i):
            x_saved.append(x)
            if x > b:
                x = x / 2
            else:
                x = x + ab
    a_bar = 0.0
    ab_bar = 0.0
    for i in range(n - 1, -1, -1):
        x_bar = 1.0
        for _ in range(i):
            x = x_saved.pop()
            if x > b:
                x_bar = x_bar / 2 + 2 * x
            else:
                ab_bar += x_bar
        a_bar += x_bar * i
    return a_bar + ab_bar * b, ab_bar * a


def decay_reverse(u, k, decay_bar):
    return -2 * decay_bar * k * u, -decay_bar * u * u


def euler_by_u_and_k(u, k, dt, steps):
    u_saved = []
    for _ in range(steps):
        u_saved.append(u)
        u = u + dt * decay(u, k)
    u_bar = 1.0
    k_bar = 0.0
    u_saved.reverse()
    for u in u_saved:
        from_u, from_k = decay_reverse(u, k, dt * u_bar)
        u_bar += from_u
        k_bar += from_k
    return u_bar, k_bar


def euler_by_u_and_k_inlined(u, k, dt, steps):
    u_saved = []
    for _ in range(steps):
        u_saved.append(u)
        u = u + dt * decay(u, k)
    u_bar = 1.0
    k_bar = 0.0
    u_saved.reverse()
    for u in u_saved:
        decay_bar = dt * u_bar
        u_bar -= 2 * decay_bar * k * u
        k_bar -= decay_bar * u * u
    return u_bar, k_bar


def newton_by_a(a, tol=1e-12):
    x_saved = []
    x = a
    for _ in range(50):
        x_saved.append(x)
        step = (x * x - a) / (2 * x)
        x = x - step
        if abs(step) < tol:
            break
    x_bar = 1.0
    a_bar = 0.0
    x_saved.reverse()
    for x in x_saved:
        two_x = 2 * x
        step = (x * x - a) / two_x
        numerator_bar = -x_bar / two_x
        x_bar += numerator_bar * two_x - 2 * numerator_bar * step
        a_bar -= numerator_bar
    return a_bar + x_bar


def newton_by_a_simplified(a, tol=1e-12):
    x_saved = []
    x = a
    for _ in range(50):
        x_saved.append(x)
        step = (x * x - a) / (2 * x)
        x = x - step
        if abs(step) < tol:
            break
    x_bar = 1.0
    a_bar = 0.0
    x_saved.reverse()
    for x in x_saved:
        # the step is taken from x, and d step / d x = 1 - step / x: what arrives at x is x_bar * step / x
        inverse = x_bar / (2 * x)
        a_bar += inverse
        x_bar = inverse * (x - a / x)
    return a_bar + x_bar


#: By the name of the program: the forms of its adjoint, the one to be measured by first.
HANDWRITTEN: dict[str, tuple[Callable[..., Any], ...]] = {
    "besselj, by z": (besselj_by_z, besselj_by_z_without_guard),
    "besselj, by nu and z": (besselj_by_nu_and_z, besselj_by_nu_and_z_without_guards),
    "logistic map, 1,000 steps": (logistic_by_r,),
    "list of 1,000, by index": (roughness_by_x,),
    "nested loop with branches": (sieve_by_a_and_b,),
    "Euler with a helper, 1,000 steps": (euler_by_u_and_k, euler_by_u_and_k_inlined),
    "Newton iteration": (newton_by_a, newton_by_a_simplified),
}
