"""Random programs on arrays: slices, stores, views, lengths through integers, in branches and loops. What is inferred of every
variable at the end must hold when the program is run, with arrays of many lengths."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.analysis.analyser import Analyser
from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.lower import lower_function
from s2sad.ir.types import ANY, ArrayType, TupleType, Type
from s2sad.ir.verify import verify
from tests.analysis.test_array_types import array_types, arrays_in, compiled, holds, regions_of

PARAMETERS = ("v", "w", "u", "x", "n")
ARRAYS = ("v", "w", "u", "p", "q", "r")
MATRICES = ("x", "y")
NUMBERS = ("k", "l")

bounds = st.sampled_from(["", "1", "2", "-1", "-2", "0", "k", "l", "n"])
steps = st.sampled_from(["", "", "", ":-1", ":2"])
slices = st.builds(lambda a, b, c: f"{a}:{b}{c}", bounds, bounds, steps)
arrays = st.sampled_from(ARRAYS)
matrices = st.sampled_from(MATRICES)
lengths = st.one_of(
    st.builds("len({})".format, st.one_of(arrays, matrices)),
    st.builds("{}.shape[{}]".format, matrices, st.sampled_from([0, 1])),
    st.builds("{}.size".format, arrays),
    st.builds("{} {} {}".format, st.sampled_from(NUMBERS), st.sampled_from(["+", "-", "*"]), st.integers(0, 2)),
    st.sampled_from(["2", "n", "k", "l"]),
)
vectors = st.one_of(
    arrays,
    st.builds("{}[{}]".format, arrays, slices),
    st.builds("{}[{}][{}]".format, arrays, slices, slices),
    st.builds("{} {} {}".format, arrays, st.sampled_from("+-*"), arrays),
    st.builds("{}[{}] + {}[{}]".format, arrays, slices, arrays, slices),
    st.builds("{} * {}".format, arrays, st.sampled_from(["2.0", "n", "v[0]"])),
    st.builds("np.sin({})".format, arrays),
    st.builds("{}[{}]".format, matrices, st.sampled_from(["0", "-1", ":, 0", "n", "..., -1"])),
    st.builds("{}[{}, {}]".format, matrices, slices, st.sampled_from(["0", "n"])),
    st.builds("{}.sum(axis={})".format, matrices, st.sampled_from([0, 1, -1])),
    st.builds("{} @ {}".format, matrices, arrays),
    st.builds("np.{}({})".format, st.sampled_from(["zeros", "ones", "arange"]), st.sampled_from(NUMBERS)),
    st.builds("np.{}({})".format, st.sampled_from(["zeros", "ones"]), lengths),
    st.builds("np.{}_like({})".format, st.sampled_from(["zeros", "ones"]), arrays),
    st.builds("np.concatenate([{}, {}])".format, arrays, arrays),
    st.builds("{}.reshape(-1)".format, st.one_of(arrays, matrices)),
    st.builds("{}.copy()".format, arrays),
    st.builds("np.diff({})".format, arrays),
    st.builds("np.where({0} > 0, {0}, {1})".format, arrays, st.sampled_from(["0.0", "v"])),
)
grids = st.one_of(
    matrices,
    st.builds("{}.T".format, matrices),
    st.builds("{}[{}]".format, matrices, slices),
    st.builds("{}[{}, {}]".format, matrices, slices, slices),
    st.builds("{} {} {}".format, matrices, st.sampled_from("+*"), st.one_of(matrices, arrays)),
    st.builds("{}[:, None] * {}".format, arrays, arrays),
    st.builds("np.outer({}, {})".format, arrays, arrays),
    st.builds("np.stack([{}, {}])".format, arrays, arrays),
    st.builds("np.zeros(({}, {}))".format, st.sampled_from(NUMBERS), st.sampled_from(NUMBERS)),
    st.builds("np.zeros({}.shape)".format, matrices),
    st.builds("{} @ {}.T".format, matrices, matrices),
    st.builds("{}.sum(axis={}, keepdims=True)".format, matrices, st.sampled_from([0, 1])),
    st.builds("{}.reshape({}, -1)".format, matrices, st.sampled_from(["k", "len(v)"])),
)
simple = st.one_of(
    st.builds("{} = {}".format, arrays, vectors),
    st.builds("{} = {}".format, matrices, grids),
    st.builds("{} = {}".format, st.sampled_from(NUMBERS), lengths),
    st.builds("{}, {} = {}.shape".format, st.just("k"), st.just("l"), matrices),
    st.builds("{}[{}] = {}".format, arrays, slices, st.one_of(vectors, st.just("0.5"))),
    st.builds("{}[{}] = {}".format, matrices, st.sampled_from(["0", ":, 0", "1:"]), st.one_of(arrays, st.just("0.5"))),
    st.builds("{} += {}".format, st.one_of(arrays, matrices), st.one_of(arrays, st.just("1.0"))),
    st.builds("{0}, {1} = {1}, {0}".format, arrays, arrays),
    st.builds("np.add({0}, {1}, out={0})".format, arrays, arrays),
)


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _compound(head: str, body: list[list[str]], orelse: list[list[str]] | None = None) -> list[str]:
    lines = [head, *_indented(list(itertools.chain(*body)))]
    return lines if orelse is None else [*lines, "else:", *_indented(list(itertools.chain(*orelse)))]


statements = st.recursive(
    simple.map(lambda line: [line]),
    lambda inner: st.one_of(
        st.builds(_compound, st.sampled_from(["if n > 1:", "if len(v) > 3:"]), st.lists(inner, min_size=1, max_size=2)),
        st.builds(
            _compound,
            st.sampled_from(["if n > 1:", "if v.ndim == 1:"]),
            st.lists(inner, min_size=1, max_size=2),
            st.lists(inner, min_size=1, max_size=2),
        ),
        st.builds(
            _compound,
            st.sampled_from(["for i in range(n):", "for row in x:", "for i in range(2):"]),
            st.lists(inner, min_size=1, max_size=3),
        ),
    ),
    max_leaves=6,
)
programs = st.lists(statements, min_size=1, max_size=6).map(lambda lists: list(itertools.chain(*lists)))

HEAD = ["p = v.copy()", "q = w[1:]", "r = u", "y = x", "k = len(v)", "l = 2"]
RESULTS = (*ARRAYS, *MATRICES, *NUMBERS)


def _arguments(length: int, other: int, rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(length)
    return {
        "v": rng.normal(size=length),
        "w": rng.normal(size=length),
        "u": rng.normal(size=other),
        "x": rng.normal(size=(rows, length)),
        "n": 2,
    }


def check_program(lines: list[str]) -> None:
    """Compare the types of all variables at the end with their values, as far as the program does not raise."""
    body = [*HEAD, *lines, f"return {', '.join(RESULTS)}"]
    function = compiled(PARAMETERS, body)
    for length, other, rows in ((4, 3, 2), (2, 2, 3), (0, 2, 2), (3, 5, 3), (5, 1, 2), (1, 4, 3), (2, 0, 6)):
        values = _arguments(length, other, rows)
        kinds, symbols = array_types(values)
        copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        try:
            with np.errstate(all="ignore"):
                result = function(**values)
        except (ValueError, IndexError, TypeError, ZeroDivisionError):
            continue
        try:
            found = Analyser(lower_function).specialise_function(function, kinds)
        except UnsupportedSyntaxError:  # an array of integers, or of real numbers: it depends
            continue
        verify(found.function)
        assert isinstance(found.result, TupleType), str(found.result)
        for name, kind, value in zip(RESULTS, found.result.elements, result, strict=True):
            assert kind == ANY or holds(kind, value, symbols, exact=False), (name, str(kind), value)
        united = dict((b, a) for a, b in found.united)
        regions = {name: {united.get(region, region)} for name, region in regions_of_arguments(kinds).items()}
        regions |= {f"{name} at the end": regions_of(kind) for name, kind in zip(RESULTS, found.result.elements, strict=True)}
        at_end = {f"{name} at the end": value for name, value in zip(RESULTS, result, strict=True)}
        everything = {**values, **at_end}
        for first, second in itertools.combinations(regions, 2):
            if any(np.shares_memory(a, b) for a in arrays_in(everything[first]) for b in arrays_in(everything[second])):
                assert regions[first] & regions[second], (first, second)
        for name, region in regions_of_arguments(kinds).items():
            assert np.array_equal(values[name], copies[name], equal_nan=True) or "stored" in found.written(region), name


def regions_of_arguments(kinds: list[Type]) -> dict[str, int]:
    """The regions of the arguments that are arrays."""
    return {name: kind.region for name, kind in zip(PARAMETERS, kinds, strict=True) if isinstance(kind, ArrayType)}


@given(programs)
@settings(deadline=None, max_examples=60)
def test_random_programs(lines: list[str]) -> None:
    check_program(lines)
