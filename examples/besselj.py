"""The Bessel function of the first kind by its Taylor series: a `while` loop that runs until a term is small.

python examples/besselj.py
python -m s2sad grad examples/besselj.py:besselj 2 1.0 --wrt nu,z
"""

import math

from s2sad import grad


def besselj(nu, z, atol=1e-8):
    k = 0
    s = (z / 2) ** nu / math.factorial(nu)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


def besselj_real(nu, z, atol=1e-8):
    """The same for an order that is any positive real number."""
    k = 0
    s = (z / 2) ** nu / math.gamma(nu + 1)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


def main():
    nu_bar, z_bar = grad(besselj, argnums=(0, 1))(2, 1.0)
    print(f"d/dnu of the series of J_2(1): {nu_bar!r}")
    print(f"d/dz  of the series of J_2(1): {z_bar!r}")
    assert math.isclose(nu_bar, -0.07635849493801533, rel_tol=1e-13)
    assert math.isclose(z_bar, 0.21024361585183118, rel_tol=1e-13)

    # 2 J_nu'(z) = J_(nu-1)(z) - J_(nu+1)(z)
    z_bar = grad(besselj_real, argnums="z")(2.5, 1.3, 1e-20)
    print(f"J_2.5'(1.3) = {z_bar!r}")
    assert math.isclose(z_bar, (besselj_real(1.5, 1.3, 1e-20) - besselj_real(3.5, 1.3, 1e-20)) / 2, rel_tol=1e-13)


if __name__ == "__main__":
    main()
