"""Arrays at the door of a derivative: which code runs for which arrays, what is refused, and what stays untouched."""

from __future__ import annotations

import functools
import itertools
import pickle
from typing import Any

import numpy as np
import pytest

from s2sad import errors, grad, runtime
from s2sad.analysis.signatures import types_of
from s2sad.ir.types import ArrayType, ListType, ObjectType, OpaqueType, Type
from s2sad.pipeline.arguments import why_not_real


def scaled(t, x=None, y=None):
    return t * t


def count_dispatches(derivative):
    """The calls that the door does not let through from now on."""
    calls = []
    entry = derivative.derivative._entry
    dispatch = entry._dispatch

    def counting(*args, **kwargs):
        calls.append(args)
        return dispatch(*args, **kwargs)

    entry._dispatch = counting
    return calls


# arrays of one signature, and arrays of others
SIGNATURES: list[tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]] = [
    (
        [(np.zeros(3),), (np.ones(7),), (np.zeros(0),), (np.zeros(9)[::2],), (pickle.loads(pickle.dumps(np.zeros(3))),)],
        [(np.zeros(1),), (np.zeros(3, "float32"),), (np.zeros(3, int),), (np.zeros((3, 3)),), (np.zeros(()),), (3.0,), ([1.0],)],
    ),
    (
        [(np.zeros((3, 4)),), (np.zeros((4, 3)),), (np.zeros((0, 2)),)],
        [(np.zeros((3, 1)),), (np.zeros((1, 3)),), (np.zeros((1, 1)),), (np.zeros(3),), (np.zeros((3, 4, 5)),)],
    ),
    ([(np.zeros((3, 3)),), (np.zeros((5, 5)),)], [(np.zeros((3, 4)),), (np.zeros((1, 1)),)]),
    ([(np.zeros((3, 1)),), (np.zeros((0, 1)),)], [(np.zeros((3, 4)),), (np.zeros((1, 1)),), (np.zeros((1, 3)),)]),
    ([(np.zeros(()),)], [(np.float64(1.0),), (np.zeros(1),), (1.0,)]),
    (
        [(np.zeros(3), np.zeros(3)), (np.zeros(5), np.zeros(5))],
        [(np.zeros(3), np.zeros(4)), (np.zeros(3), np.zeros(1)), (np.zeros(1), np.zeros(3)), (np.zeros(3), np.zeros((3, 3)))],
    ),
    (
        [(np.zeros((3, 4)), np.zeros(4)), (np.zeros((2, 5)), np.zeros(5))],
        [(np.zeros((3, 4)), np.zeros(3)), (np.zeros((3, 4)), np.zeros(1)), (np.zeros((1, 4)), np.zeros(4))],
    ),
    (
        [(np.zeros((3, 1)), np.zeros((1, 3))), (np.zeros((2, 1)), np.zeros((1, 2)))],
        [(np.zeros((3, 1)), np.zeros((1, 4))), (np.zeros((3, 1)), np.zeros((2, 3)))],
    ),
]


@pytest.mark.parametrize(("alike", "others"), SIGNATURES)
def test_the_door_lets_arrays_of_one_signature_through(alike, others):
    derivative = grad(scaled)
    assert derivative(3.0, *alike[0]) == 6.0
    calls = count_dispatches(derivative)
    for arrays in alike:
        assert derivative(3.0, *arrays) == 6.0
    assert not calls
    for arrays in others:
        derivative = grad(scaled)
        derivative(3.0, *alike[0])
        calls = count_dispatches(derivative)
        assert derivative(3.0, *arrays) == 6.0
        assert len(calls) == 1


def test_lengths_that_happen_to_be_equal_go_through_the_door_of_different_ones():
    derivative = grad(scaled)
    derivative(3.0, np.zeros(3), np.zeros(4))
    calls = count_dispatches(derivative)
    derivative(3.0, np.zeros(3), np.zeros(3))
    assert not calls


def test_lengths_of_bound_arrays_count():
    derivative = grad(functools.partial(scaled_by, np.zeros(3)))
    derivative(3.0, np.zeros(3))
    calls = count_dispatches(derivative)
    derivative(3.0, np.zeros(3))
    assert not calls
    derivative(3.0, np.zeros(4))
    assert len(calls) == 1


def scaled_by(x, t, y):
    return t * t


def test_arrays_of_text_have_no_type_of_numbers():
    derivative = grad(scaled)
    for first, second in itertools.permutations([np.array(["a"]), np.array([None]), np.zeros(3), np.zeros(3, bool)], 2):
        assert derivative(3.0, first) == derivative(3.0, second) == 6.0


# --- what is refused ------------------------------------------------------------------------------------------------------------


class Foreign:
    def __array_function__(self, *args, **kwargs):
        raise NotImplementedError


class OfArray(np.ndarray):
    pass


REFUSED = [
    (np.ma.masked_array([1.0], mask=[True]), "a masked array: pass its numbers, x.filled"),
    (np.zeros((1, 1)).view(np.matrix), r"a matrix: pass an array, np.asarray\(x\)"),
    (np.array([1.0], dtype=object), r"an array of objects: pass an array of numbers, x.astype\(float\)"),
    (np.zeros(3, [("a", float)]), r"an array of records: pass its fields as arrays of their own, x\[\"name\"\]"),
    (np.rec.array([(1.0,)], dtype=[("a", float)]), r"an array of the class recarray: pass a plain array, np.asarray\(x\)"),
    (np.zeros(3).view(OfArray), r"an array of the class OfArray: pass a plain array, np.asarray\(x\)"),
    (np.array(["a"]), "an array of str32: an array of numbers is needed"),
    (np.zeros(3, "datetime64[s]"), r"an array of datetime64\[s\]"),
    (np.zeros(3, complex), "an array of complex128: pass the real and the imaginary part"),
    (np.zeros(3, bool), "an array of booleans"),
    (Foreign(), r"which is Foreign: pass its numbers as an array, np.asarray\(x\)"),
    ([np.ma.masked_array([1.0])], "which holds a masked array"),
    ({"a": (np.zeros(3, complex),)}, "which holds an array of complex128"),
    ([np.array([None]), 1.0], "which holds an array of objects"),
]


@pytest.mark.parametrize(("argument", "message"), REFUSED)
def test_arrays_that_have_no_derivative(argument, message):
    with pytest.raises(errors.NonDifferentiableError, match=rf"cannot be differentiated with respect to 't', {message}"):
        grad(scaled)(argument)
    assert grad(scaled)(3.0, argument) == 6.0


def test_memory_maps_are_refused(tmp_path):
    x = np.memmap(tmp_path / "x", dtype=float, mode="w+", shape=3)
    with pytest.raises(errors.NonDifferentiableError, match="a memory map: pass a copy of it in memory"):
        grad(scaled)(x)


@pytest.mark.parametrize(
    "kind",
    [
        ArrayType("float32", (3,)),
        ArrayType("int8", (3,)),
        ListType(ArrayType("float64", None), 1),
        ListType(OpaqueType(np.ndarray, "str32"), 1),
        ListType(OpaqueType(str), 1),
        ObjectType(list, 1, (("0", ArrayType("float64", (3,), 2)),)),
    ],
)
def test_what_is_not_refused(kind: Type):
    assert why_not_real(kind) == ""


def test_an_array_annotation_does_not_tell_the_number_of_axes():
    def f(x: np.ndarray) -> float:
        return 1.0

    def g(x: np.typing.NDArray[np.float64]) -> float:
        return 1.0

    for function in (f, g):
        with pytest.raises(
            errors.NonDifferentiableError, match="how many axes the array 'x' has: call source\\(\\) with arguments"
        ):
            grad(function).source()


# --- copies ---------------------------------------------------------------------------------------------------------------------


class Record:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


def test_copies_of_arrays():
    x, y = np.arange(3.0), np.arange(4.0)
    record = Record(u=x, name="r")
    a, b, (c, d), e, view = runtime.copy_containers(x, y, [x, {"y": y}], record, x[:])
    assert a is c is e.u is view
    assert b is d["y"]
    assert not np.shares_memory(a, x)
    assert not np.shares_memory(b, y)
    assert (a == x).all()
    assert (b == y).all()
    assert e.name == "r"
    assert type(e) is Record
    assert record.u is x


@pytest.mark.parametrize("others", [0, 10])
def test_copies_of_arrays_that_overlap(others):
    x = np.zeros((4, 4))
    rest = [np.zeros(2) for _ in range(others)]
    with pytest.raises(errors.NonDifferentiableError, match="two arrays overlap in memory"):
        runtime.copy_containers(x, x[1:], *rest)
    with pytest.raises(errors.NonDifferentiableError, match="two arrays overlap in memory"):
        runtime.copy_containers([x], x.T, *rest)
    first, second, *_ = runtime.copy_containers(x[:, 0], x[:, 1], *rest)
    first[:] = 1.0
    assert (second == 0).all()
    assert (x == 0).all()


def test_a_changed_attribute_of_an_argument_is_changed_on_a_copy():
    def f(record, t):
        record.t = t * t
        return record.t * 3.0

    record = Record(t=1.0)
    assert grad(f, 1)(record, 2.0) == 12.0
    assert record.t == 1.0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble"])
def test_shadows_have_the_dtype(dtype):
    x = np.ones((2, 3), dtype)
    assert runtime.zeros_like([x])[0].dtype == x.dtype
    assert type_of_shadow(x) == types_of((runtime.zeros_like(x),))[0]


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64"])
def test_shadows_of_integers_are_floats(dtype):
    assert runtime.zeros_like(np.ones(3, dtype)).dtype == float


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), np.zeros(3, bool), np.zeros(3, "datetime64[s]")])
def test_what_holds_no_real_numbers_has_no_shadow(array):
    assert runtime.zeros_like([array]) == [None]


def type_of_shadow(x):
    from s2sad.analysis.memory import Memory, number_regions
    from s2sad.analysis.shadow_types import shadow_of

    memory = Memory()
    kind = memory.thaw(types_of((x,))[0], {})
    return number_regions([memory.freeze(shadow_of(memory, kind, memory.allocate()))])[0]


def test_arrays_of_integers_become_arrays_of_floats():
    x = np.array([1, 2])
    made = runtime.real_arrays({"a": [x, (x, 1, "b")], "c": np.ones(2, "float32")})
    assert made["a"][0].dtype == made["a"][1][0].dtype == float
    assert made["c"].dtype == np.float32
    assert made["a"][1][1:] == (1, "b")


# --- arrays outside the function ------------------------------------------------------------------------------------------------

WEIGHTS = np.zeros(3)


def reads_global(t):
    WEIGHTS.shape
    return t * t


def test_arrays_outside_are_checked_at_the_door(monkeypatch):
    derivative = grad(reads_global)
    derivative(3.0)
    calls = count_dispatches(derivative)
    module = __import__("sys").modules[__name__]
    for array, is_alike in [
        (np.zeros(3), True),
        (np.zeros(9), True),
        (np.zeros(1), False),
        (np.zeros((3, 3)), False),
        (np.zeros(3, "float32"), False),
        ([1.0], False),
    ]:
        monkeypatch.setattr(module, "WEIGHTS", np.zeros(5))
        derivative(3.0)
        calls.clear()
        monkeypatch.setattr(module, "WEIGHTS", array)
        if not isinstance(array, list):
            assert derivative(3.0) == 6.0
            assert (not calls) == is_alike, array


# --- arguments that are data outside as well ------------------------------------------------------------------------------------

NUMBERS = [2.0, 3.0]


def changes_what_is_read_outside(xs):
    xs[0] = xs[0] * 5.0
    return xs[0] * NUMBERS[0]


def test_a_changed_argument_is_no_variable_outside():
    derivative = grad(changes_what_is_read_outside)
    for _ in range(2):
        assert derivative([1.0, 1.0]) == [10.0, 0.0]
        with pytest.raises(errors.NonDifferentiableError, match="'xs' shares memory with 'NUMBERS', a variable outside"):
            derivative(NUMBERS)
    assert NUMBERS == [2.0, 3.0]


def reads_both(xs):
    return xs[0] * NUMBERS[0]


def test_what_nobody_changes_may_be_shared():
    assert grad(reads_both)(NUMBERS) == [2.0, 0.0]  # the derivative with respect to the argument alone
