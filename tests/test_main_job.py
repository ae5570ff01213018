"""The main job: the Bessel function of `examples/besselj.py`, by order and argument, against mpmath."""

import importlib.util
import math
import pathlib

import mpmath
import pytest

from s2sad import grad, value_and_grad

_PATH = pathlib.Path(__file__).parents[1] / "examples" / "besselj.py"
_SPEC = importlib.util.spec_from_file_location("besselj_example", _PATH)
assert _SPEC is not None
example = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(example)

ORDERS = [0.0, 0.3, 1.0, 1.5, 2.0, 3.7, 6.25]
ARGUMENTS = [0.1, 0.5, 1.0, 2.5, 4.0]


def test_integer_order():
    nu_bar, z_bar = grad(example.besselj, argnums=(0, 1))(2, 1.0)
    assert math.isclose(nu_bar, -0.07635849493801533, rel_tol=1e-14)
    assert math.isclose(z_bar, 0.21024361585183118, rel_tol=1e-14)
    assert type(nu_bar) is float


@pytest.mark.parametrize("nu", ORDERS)
@pytest.mark.parametrize("z", ARGUMENTS)
def test_real_order(nu, z):
    with mpmath.workdps(40):
        by_order = mpmath.diff(lambda order: mpmath.besselj(order, z), nu)
        by_argument = mpmath.besselj(nu, z, derivative=1)
        value = mpmath.besselj(nu, z)
    found, (nu_bar, z_bar) = value_and_grad(example.besselj_real, argnums=("nu", "z"))(nu, z, 1e-25)
    assert found == example.besselj_real(nu, z, 1e-25)
    assert math.isclose(found, float(value), rel_tol=1e-12)
    assert math.isclose(nu_bar, float(by_order), rel_tol=1e-10)
    assert math.isclose(z_bar, float(by_argument), rel_tol=1e-10)
