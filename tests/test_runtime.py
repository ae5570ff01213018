"""What generated code calls: special functions, order, shadows."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict, namedtuple

import mpmath
import numpy as np
import pytest

from s2sad import runtime
from s2sad.errors import MissingExtraError

Point = namedtuple("Point", "x y")


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("x", [0.3, 1.0, 5.5, 60.0, -0.3, -2.7, -20.5, -1e-6])
def test_polygamma_agrees_with_mpmath(n, x):
    with mpmath.workdps(40):
        assert runtime.polygamma(n, x) == pytest.approx(float(mpmath.polygamma(n, mpmath.mpf(x))), rel=1e-10)


def test_polygamma_at_a_pole():
    assert np.isnan(runtime.polygamma(1, -2.0))
    assert np.isnan(runtime.polygamma(0.5, -2.5))


def test_scipy_is_asked_for_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingExtraError, match=r"pip install s2sad\[scipy\]"):
        runtime.digamma(1.0)


def test_scipy_is_not_imported_for_its_rules():
    code = (
        "import sys, math, s2sad.rules as r; r.registered_rules(); assert r.lookup(math.gamma); assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_importing_the_package_loads_what_transforms_only_when_it_is_needed():
    code = (
        "import sys, s2sad; loaded = {name for name in sys.modules if name.startswith('s2sad.')}; "
        "assert loaded <= {'s2sad.api', 's2sad.errors'}, loaded; assert not {'gast', 'astor'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_order_is_that_of_sorted():
    keys = [2.0, 1.0, 2.0, 0.0]
    assert [keys[i] for i in runtime.order_of(keys)] == sorted(keys)
    assert runtime.order_of(keys, True) == [0, 2, 1, 3]


def test_zeros_like_follows_the_structure():
    x = {"a": [1, 2.0, (3.0, None)], "b": "text", "c": True, "d": 1j, "e": object()}
    assert runtime.zeros_like(x) == {"a": [0.0, 0.0, [0.0, 0.0]], "b": None, "c": None, "d": 0j, "e": None}


def test_zeros_like_keeps_dtypes():
    assert type(runtime.zeros_like(np.float32(3))) is np.float32
    assert type(runtime.zeros_like(np.int16(3))) is np.float64
    assert runtime.zeros_like(np.bool_(True)) is None
    assert runtime.zeros_like(np.ones(2, np.float32)).dtype == np.float32
    assert runtime.zeros_like(np.ones(2, int)).dtype == np.float64


def test_one_object_has_one_shadow():
    x = [1.0]
    shadow = runtime.zeros_like([x, x, (x, x)])
    assert shadow[0] is shadow[1] is shadow[2][0]
    first, second = runtime.zeros_like_all(x, [x])
    assert first is second[0]


def test_a_list_that_holds_itself_has_a_shadow():
    x = [1.0]
    x.append(x)
    shadow = runtime.zeros_like(x)
    assert shadow[1] is shadow
    gradient = runtime.as_gradient(shadow, x)
    assert gradient[1] is gradient
    (copied,) = runtime.copy_containers(x)
    assert copied[1] is copied
    assert copied is not x


def test_gradients_have_the_structure_of_the_argument():
    primal = Point(1.0, OrderedDict(b=(2.0, [3.0]), a=None))
    shadow = [10.0, {"a": None, "b": [20.0, [30.0]]}]
    gradient = runtime.as_gradient(shadow, primal)
    assert gradient == Point(10.0, {"b": (20.0, [30.0]), "a": None})
    assert type(gradient) is Point
    assert list(gradient.y) == ["b", "a"]
    assert runtime.as_gradient(1.5, 3.0) == 1.5
    assert runtime.as_gradient([1.0, [2.0]], [0.0, (0.0,)]) == [1.0, (2.0,)]


def test_a_gradient_shares_nothing_with_its_shadow():
    x = [1.0]
    shadow = runtime.zeros_like((x, x))
    gradient = runtime.as_gradient(shadow, (x, x))
    assert gradient[0] is not shadow[0]


def test_copies_keep_aliases_between_arguments():
    x = [1.0, 2.0]
    p = Point(x, {"x": x})
    array = np.ones(2)
    a, b, c, number = runtime.copy_containers(x, p, array, 3.0)
    assert a == x
    assert a is not x
    assert type(b) is Point
    assert b.x is a
    assert b.y["x"] is a
    assert c is not array
    assert number == 3.0


@pytest.mark.parametrize(("n", "x"), [(0, 0.0), (1, 0.3), (-1, 2.5), (2, -7.0), (3, 40.0)])
def test_bessel_i_agrees_with_mpmath(n, x):
    assert runtime.bessel_i(n, x) == pytest.approx(float(mpmath.besseli(n, x)), rel=1e-13)
    assert runtime.bessel_i(n, np.array([[x]]))[0, 0] == runtime.bessel_i(n, x)


SHAPES = [((), (3,)), ((1,), (3,)), ((3,), (3,)), ((3,), (2, 3)), ((2, 1), (2, 3)), ((1, 1), (2, 3)), ((1,), (4, 2, 3))]
SHAPES += [((2, 1, 3), (4, 2, 5, 3)), ((1, 3), (3,)), ((1, 1, 3), (2, 3)[1:]), ((0,), (2, 0)), ((1,), (0,)), ((1, 3), (0, 3))]


@pytest.mark.parametrize(("shape", "whole"), SHAPES)
@pytest.mark.parametrize("dtype", [float, "float32"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_unbroadcast_is_the_adjoint_of_broadcasting(shape, whole, dtype, order):
    x = np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape).astype(dtype)
    bar = np.asarray(np.arange(2.0, np.prod(whole, dtype=int) + 2).reshape(whole), order=order)
    found = runtime.unbroadcast(bar, x)
    assert (found.shape, found.dtype) == (x.shape, x.dtype)
    spread = np.broadcast_to(x.reshape(shape[-len(whole) :] if whole else shape), whole)
    assert np.sum(found * x) == np.sum(bar * spread)  # whole numbers: exact


def test_unbroadcast_to_a_number_is_a_number():
    assert runtime.unbroadcast(np.ones((2, 3)), 2.0) == 6.0
    assert type(runtime.unbroadcast(np.ones(1), 2.0)) is float
    assert type(runtime.unbroadcast(np.float64(3.0), np.float32(2.0))) is np.float32
    assert runtime.unbroadcast(2.0, np.ones((1, 1))) == np.array([[2.0]])


@pytest.mark.parametrize("dtype", [float, "float32", int])
@pytest.mark.parametrize(
    "bar", [2.0, np.array(3.0), np.arange(3.0), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.ones((2, 3), int)]
)
def test_broadcast_like_makes_a_new_array(bar, dtype):
    x = np.ones((2, 3), dtype)
    found = runtime.broadcast_like(bar, x)
    assert (found.shape, found.dtype) == ((2, 3), float if dtype is int else dtype)
    assert np.array_equal(found, bar + np.zeros((2, 3)))
    assert found.flags.c_contiguous
    assert not np.shares_memory(found, bar)
