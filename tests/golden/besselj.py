"""The README's example: `while` with a tolerance."""

import math


def besselj(nu, z, atol=1e-8):
    k = 0
    s = (z / 2) ** nu / math.factorial(nu)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


args = (2, 1.0)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def besselj_adjoint(nu, z, atol=1e-08):
    """Gradient of besselj with respect to nu and z."""
    # forward sweep
    s_saved = []
    half_z = z / 2                                          # line 8: s = (z / 2) ** nu / math.factorial(nu)
    power = half_z ** nu
    factorial_nu = math.factorial(nu)
    s = power / factorial_nu
    half_z_squared = half_z ** 2 if abs(s) > atol else 0.0  # line 12: s *= (-1) / k / (k + nu) * (z / 2) ** 2
    k = 0
    while abs(s) > atol:                                    # line 10
        s_saved.append(s)
        k += 1                                              # line 11
        s *= -1 / k / (k + nu) * half_z_squared             # line 12
    # reverse sweep
    s_bar = 0.0
    z_bar = 0.0
    nu_bar = 0.0
    while k > 0:                                            # line 10
        s = s_saved.pop()
        k_plus_nu = k + nu                                  # line 12
        ratio = -1 / k / k_plus_nu
        s_bar += 1.0                                        # line 13: out += s
        product_bar = s_bar * s                             # line 12
        k -= 1
        nu_bar -= ratio / k_plus_nu * (product_bar * half_z_squared)
        z_bar += half_z * (product_bar * ratio)
        s_bar *= ratio * half_z_squared
    power_bar = (s_bar + 1.0) / factorial_nu                # line 8
    if nu >= 1:
        dx = nu * half_z ** (nu - 1.0)
    elif half_z:
        dx = nu * power / half_z
    else:
        dx = math.inf if nu > 0 else 0.0
    if half_z > 0:
        dy = power * math.log(half_z)
    else:
        dy = 0.0 if half_z == 0 else math.nan
    return float(nu_bar + power_bar * dy), z_bar + 0.5 * power_bar * dx
