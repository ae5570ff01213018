"""The types of actual arguments, and Python's rules for binding them."""

from __future__ import annotations

import collections
import enum
import fractions
import inspect
import itertools
import math
import types

import numpy as np
import pytest

from s2sad.analysis.binding import Packed, bind_arguments
from s2sad.analysis.signatures import as_real, is_plain_class, types_of
from s2sad.ir.nodes import Constant, Parameter, Value
from s2sad.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    ArrayType,
    ConstantType,
    DictType,
    Extent,
    ListType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
)


class Colour(enum.Enum):
    RED = 1


class Plain:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class OfDict(dict):
    pass


class Slots:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


Pair = collections.namedtuple("Pair", "a b")


class Celsius(float):
    pass


STR = OpaqueType(str)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, BOOL),
        (1, INT),
        (1.0, FLOAT),
        (1j, COMPLEX),
        (None, NONE),
        ("a", STR),
        (np.float64(1), ScalarType("float", "float64")),
        (np.float32(1), ScalarType("float", "float32")),
        (np.int64(1), ScalarType("int", "int64")),
        (np.uint8(1), ScalarType("int", "uint8")),
        (np.bool_(True), ScalarType("bool", "bool")),
        (np.complex64(1), ScalarType("complex", "complex64")),
        (np.str_("a"), OpaqueType(np.str_)),
        (Celsius(1.0), OpaqueType(Celsius)),
        ((1, 2.0, None), TupleType((INT, FLOAT, NONE))),
        (Pair(1, 2.0), TupleType((INT, FLOAT), Pair)),
        ([], ListType(UNKNOWN, 1)),
        ([1, 2], ListType(INT, 1)),
        ([1, 2.0], ListType(FLOAT, 1)),
        ([1.0, None], ListType(OptionalType(FLOAT), 1)),
        ([[1.0], [2]], ListType(ListType(FLOAT, 2), 1)),
        ({"a": 1.0, "b": [2]}, DictType(STR, UNKNOWN, 1, (("a", FLOAT), ("b", ListType(INT, 2))), ("a", "b"))),
        (Plain(x=1.0, y=2), ObjectType(Plain, 1, (("x", FLOAT), ("y", INT)))),
        (types.SimpleNamespace(x=1.0), ObjectType(types.SimpleNamespace, 1, (("x", FLOAT),))),
        (Colour.RED, ConstantType(Colour.RED, id(Colour.RED))),
        (math, ConstantType(math, id(math))),
        (math.sin, ConstantType(math.sin, id(math.sin))),
        (float, ConstantType(float, id(float))),
        (OfDict(a=1.0), OpaqueType(OfDict)),
        ({1.0}, OpaqueType(set)),
        (range(3), OpaqueType(range)),
        (np.array(["a"]), OpaqueType(np.ndarray, "str32")),
        (np.array([None]), OpaqueType(np.ndarray, "object")),
        (np.zeros(3, "datetime64[s]"), OpaqueType(np.ndarray, "datetime64[s]")),
        (np.zeros(3, [("a", float)]), OpaqueType(np.ndarray, "void64")),
        (np.ma.masked_array([1.0]), OpaqueType(np.ma.MaskedArray)),
        (np.rec.array([(1.0,)], dtype=[("a", float)]), OpaqueType(np.recarray)),
        (Slots(2.0), ObjectType(Slots, 1, (("a", FLOAT),))),
        (fractions.Fraction(1, 2), OpaqueType(fractions.Fraction)),
    ],
)
def test_types_of_arguments(value, kind):
    assert types_of((value,)) == (kind,)
    assert hash(types_of((value,))) == hash((kind,))


def test_one_object_twice_has_one_region():
    xs, ys = [1.0], [1.0]
    assert types_of((xs, ys)) == (ListType(FLOAT, 1), ListType(FLOAT, 2))
    assert types_of((xs, xs)) == (ListType(FLOAT, 1), ListType(FLOAT, 1))
    assert types_of(((xs, ys), xs)) == (TupleType((ListType(FLOAT, 1), ListType(FLOAT, 2))), ListType(FLOAT, 1))
    record = Plain(xs=xs)
    assert types_of((record, xs)) == (ObjectType(Plain, 1, (("xs", ListType(FLOAT, 2)),)), ListType(FLOAT, 2))


def array(dtype, *lengths, region=1):
    """An array's type; names stand for lengths."""
    return ArrayType(dtype, tuple(Extent(length) if isinstance(length, str) else length for length in lengths), region)


X, Y = np.zeros(5), np.zeros((5, 5))


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ([np.zeros(3)], [array("float64", "n1")]),
        ([np.zeros((3, 4))], [array("float64", "n1", "n2")]),
        ([np.zeros((3, 3))], [array("float64", "n1", "n1")]),
        ([np.zeros((3, 1))], [array("float64", "n1", 1)]),
        ([np.zeros(())], [array("float64")]),
        ([np.zeros(0)], [array("float64", "n1")]),
        ([np.zeros((0, 1, 0))], [array("float64", "n1", 1, "n1")]),
        ([np.zeros(3, ">f8")], [array("float64", "n1")]),
        *[([np.zeros(3, name)], [array(name, "n1")]) for name in ("bool", "int8", "uint64", "float16", "float32", "complex64")],
        ([np.zeros((3, 4)), np.zeros(4), 2.0], [array("float64", "n1", "n2"), array("float64", "n2", region=2), FLOAT]),
        ([np.zeros(4), np.zeros((3, 4))], [array("float64", "n1"), array("float64", "n2", "n1", region=2)]),
        ([X, X], [array("float64", "n1"), array("float64", "n1")]),
        ([X[1:], X[:-1]], [array("float64", "n1"), array("float64", "n1")]),
        ([X[:2], X[2:4]], [array("float64", "n1"), array("float64", "n1", region=2)]),
        ([X[::2], X[1::2]], [array("float64", "n1"), array("float64", "n2", region=2)]),  # apart, though interleaved
        ([Y[0], Y[:, 0]], [array("float64", "n1"), array("float64", "n1")]),
        ([Y[:, 0], Y[:, 1], Y], [array("float64", "n1"), array("float64", "n1"), array("float64", "n1", "n1")]),
        ([[np.zeros(3), np.zeros(3)]], [ListType(array("float64", "n1", region=2), 1)]),
        (
            [[np.zeros(3), np.zeros(4)], np.zeros(9)],
            [ListType(array("float64", None, region=2), 1), array("float64", "n1", region=3)],
        ),
        (
            [[np.zeros(3), np.zeros(3, "int64")]],
            [ObjectType(list, 1, (("0", array("float64", "n1", region=2)), ("1", array("int64", "n1", region=3))))],
        ),
        ([[np.zeros(3), None]], [ListType(OptionalType(array("float64", "n1", region=2)), 1)]),
        (
            [[np.zeros((3, 2)), np.zeros(3)]],
            [ObjectType(list, 1, (("0", array("float64", "n1", "n2", region=2)), ("1", array("float64", "n1", region=3))))],
        ),
        (
            [{"W": np.zeros((3, 2)), "b": np.zeros(3)}],
            [
                DictType(
                    STR,
                    UNKNOWN,
                    1,
                    (("W", array("float64", "n1", "n2", region=2)), ("b", array("float64", "n1", region=3))),
                    ("W", "b"),
                )
            ],
        ),
        ([(X, X)], [TupleType((array("float64", "n1"), array("float64", "n1")))]),
        ([Plain(u=X), X], [ObjectType(Plain, 1, (("u", array("float64", "n1", region=2)),)), array("float64", "n1", region=2)]),
    ],
)
def test_types_of_arrays(values, kinds):
    assert types_of(tuple(values)) == tuple(kinds)
    assert hash(types_of(tuple(values))) == hash(tuple(kinds))


def test_equal_patterns_of_lengths_give_equal_types():
    for count in (2, 20):
        first = [[np.zeros(length) for length in range(2, 2 + count)], np.zeros((40, 50)), np.zeros(50)]
        second = [[np.zeros(length) for length in range(4, 4 + count)], np.zeros((7, 6)), np.zeros(6)]
        assert types_of(tuple(first)) == types_of(tuple(second))
    assert types_of((np.zeros(3), np.zeros(3))) != types_of((np.zeros(3), np.zeros(4)))


@pytest.mark.parametrize("count", [2, 5, 6, 7, 40])
def test_overlapping_arrays_have_one_region(count):
    base = np.zeros((count, 8))
    rows = tuple(base[index] for index in range(count))
    assert [kind.region for kind in types_of(rows)] == list(range(1, count + 1))
    columns = tuple(base.T[index % 8] for index in range(count))
    assert [kind.region for kind in types_of(columns)] == [index % 8 + 1 for index in range(count)]
    windows = tuple(base.ravel()[index : index + 2] for index in range(count))
    assert {kind.region for kind in types_of(windows)} == {1}
    backwards = tuple(base[index, ::-1] for index in reversed(range(count)))
    assert [kind.region for kind in types_of((*backwards, *rows))] == [*range(1, count + 1), *range(count, 0, -1)]


class Foreign:
    def __init__(self):
        self.x = 1.0

    def __array_ufunc__(self, *args, **kwargs):
        raise NotImplementedError


def test_arrays_of_other_packages_are_no_plain_objects():
    assert types_of((Foreign(),)) == (OpaqueType(Foreign),)


def test_a_list_that_holds_itself():
    xs: list[object] = [1.0]
    xs.append(xs)
    types_of((xs,))


def test_plain_classes():
    assert [is_plain_class(cls) for cls in (Plain, types.SimpleNamespace, OfDict, Celsius, dict, object)] == [
        True, True, False, False, False, False,
    ]  # fmt: skip


def test_integers_count_as_real():
    assert as_real(INT) == as_real(ScalarType("int", "int64")) == FLOAT
    assert as_real(BOOL) == BOOL
    assert as_real(TupleType((INT, FLOAT, STR), Pair)) == TupleType((FLOAT, FLOAT, STR), Pair)
    assert as_real(ListType(INT, 1)) == ListType(FLOAT, 1)
    for name in ("int8", "int64", "uint16"):
        assert as_real(ArrayType(name, (3,), 2)) == ArrayType("float64", (3,), 2)
    assert as_real(ArrayType("float32", (3,), 2)) == ArrayType("float32", (3,), 2)
    assert as_real(DictType(INT, INT, 1, ((3, INT),))) == DictType(INT, FLOAT, 1, ((3, FLOAT),))


# --- binding: against inspect ---------------------------------------------------------------------------------------------------


def plain(a, b, c=30):
    pass


def positional(a, b=20, /, c=30):
    pass


def named(a, *, b, c=30):
    pass


def everything(a, /, b, *rest, c=30, **others):
    pass


def only_rest(*rest, **others):
    pass


CASES = [
    (positional_count, names)
    for positional_count in range(5)
    for size in range(4)
    for names in itertools.combinations("abcd", size)
]


@pytest.mark.parametrize("function", [plain, positional, named, everything, only_rest])
def test_binding_is_pythons(function):
    signature = inspect.signature(function)
    parameters = [Parameter(Value(p.name), p.kind, p.default is not p.empty) for p in signature.parameters.values()]
    defaults = {p.name: Constant(p.default) for p in signature.parameters.values() if p.default is not p.empty}
    for count, names in CASES:
        args = [Constant(index) for index in range(count)]
        kwargs = [(name, Constant(name)) for name in names]
        try:
            function(*args, **dict(kwargs))  # some versions of `bind` take a positional parameter by its name
            expected = signature.bind(*args, **dict(kwargs))
            expected.apply_defaults()
        except TypeError:
            with pytest.raises(TypeError, match=rf"^{function.__name__}\(\)"):
                bind_arguments(function.__name__, parameters, args, kwargs, defaults)
            continue
        bound = bind_arguments(function.__name__, parameters, args, kwargs, defaults)
        for parameter, item in zip(signature.parameters.values(), bound, strict=True):
            wanted = expected.arguments[parameter.name]
            if isinstance(item, Packed):
                if parameter.kind is parameter.VAR_POSITIONAL:
                    assert item.operands == tuple(wanted)
                else:
                    keys, values = item.operands[::2], item.operands[1::2]
                    assert {key.value: value for key, value in zip(keys, values, strict=True)} == wanted
            elif isinstance(wanted, Constant):
                assert item is wanted
            else:
                assert item is defaults[parameter.name]
