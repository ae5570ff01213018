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
    half_z = z / 2                               # line 8: s = (z / 2) ** nu / math.factorial(nu)
    half_z_to_nu = half_z ** nu
    factorial_nu = math.factorial(nu)
    s = half_z_to_nu / factorial_nu
    half_z_squared = half_z ** 2                 # line 12: s *= (-1) / k / (k + nu) * (z / 2) ** 2
    k = 0
    while abs(s) > atol:                         # line 10
        s_saved.append(s)
        k += 1                                   # line 11
        s *= -1 / k / (k + nu) * half_z_squared  # line 12
    # reverse sweep
    s_saved.reverse()
    s_bar = 1.0
    half_z_bar_sum = 0.0
    nu_bar = 0.0
    for s in s_saved:                            # line 10
        k_plus_nu = k + nu                       # line 12
        scaled_s_bar = s_bar * (-1 / k / k_plus_nu)
        half_z_squared_bar = scaled_s_bar * s
        k -= 1
        nu_bar -= half_z_squared_bar * half_z_squared / k_plus_nu
        s_bar = scaled_s_bar * half_z_squared + 1.0
        half_z_bar_sum += half_z_squared_bar
    half_z_to_nu_bar = s_bar / factorial_nu      # line 8
    if nu >= 1:
        dx = nu * half_z ** (nu - 1.0)
    elif half_z:
        dx = nu * half_z_to_nu / half_z
    else:
        dx = math.inf if nu > 0 else 0.0
    if half_z > 0:
        dy = half_z_to_nu * math.log(half_z)
    else:
        dy = 0.0 if half_z == 0 else math.nan
    z_bar = 0.5 * (half_z_bar_sum * (2.0 * half_z) + half_z_to_nu_bar * dx)
    return nu_bar + half_z_to_nu_bar * dy, z_bar
