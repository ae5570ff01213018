"""Checks that hold for every rule for cotangents, over the samples that it declares."""

from __future__ import annotations

import itertools
import math
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Value, Yield, operands_of, walk
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import FLOAT, ArrayType, Extent, ScalarType, TupleType, Type
from s2sad.ir.verify import verify
from s2sad.rules.core import VjpRule
from s2sad.transform.inline_vjps import vjp_of

TOLERANCE = 1e-7


class RuleMismatch(AssertionError):
    """A rule's adjoint differs from numeric differences, or it does what a rule must not."""


@dataclass
class Sample:
    """The arguments of one call."""

    text: str
    arguments: list[Any]
    keywords: dict[str, Any]


def read_sample(text: str, seed: int = 0) -> Sample:
    """Arguments from their text. A: any array; T: with ties; Z: with zeros; N: with nan; M: well-conditioned matrices; S:
    symmetric positive definite ones; B: truth values; I(n, …): indices below n; G: increasing; R: a Python number."""
    rng = np.random.default_rng(sum(map(ord, text)) + seed)

    def a(*shape: int) -> Any:
        sign = np.where(rng.random(shape) < 0.5, -1.0, 1.0)
        count = int(np.prod(shape))
        apart = (rng.permutation(count) + rng.random(count) / 2) / max(1, count)  # no two are close
        return np.asarray(sign * (0.3 + apart.reshape(shape)))

    def square(*shape: int) -> tuple[int, ...]:
        return (*shape, shape[-1])

    def m(*shape: int) -> Any:
        return rng.normal(size=square(*shape)) + 3 * np.eye(shape[-1])

    def s(*shape: int) -> Any:
        half = rng.normal(size=square(*shape))
        return half @ half.swapaxes(-1, -2) + np.eye(shape[-1])

    def z(*shape: int) -> Any:
        x = a(*shape)
        x.flat[1] = 0.0
        x.flat[-1] = 0.0
        return x

    def n(*shape: int) -> Any:
        x = a(*shape)
        x.flat[1] = np.nan
        x.flat[-1] = np.nan
        return x

    names: dict[str, Any] = {
        "A": a,
        "N": n,
        "M": m,
        "S": s,
        "Z": z,
        "T": lambda *shape: np.ones(shape),
        "B": lambda *shape: rng.random(shape) < 0.5,
        "I": lambda count, *shape: rng.integers(0, count, shape),
        "G": lambda count: np.cumsum(0.2 + rng.random(count)) - 2.0,
        "R": lambda: float(0.3 + rng.random()),
        "np": np,
        "call": lambda *arguments, **keywords: (list(arguments), keywords),
    }
    arguments, keywords = eval(f"call({text})", names)
    return Sample(text, arguments, keywords)


def call_primal(function: Any, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
    if isinstance(function, types.GetSetDescriptorType):
        return getattr(arguments[0], function.__name__)
    return function(*arguments, **keywords)


def leaves(x: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The arrays and numbers that a derivative is asked for, in a structure."""
    if isinstance(x, list | tuple):
        for index, part in enumerate(x):
            yield from leaves(part, (*path, index))
    elif (isinstance(x, float) and math.isfinite(x)) or (isinstance(x, np.ndarray | np.generic) and x.dtype.kind == "f"):
        yield path, x


def replaced(x: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    parts = list(x)
    parts[path[0]] = replaced(parts[path[0]], path[1:], new)
    return tuple(parts) if isinstance(x, tuple) else parts


def part_of(x: Any, path: tuple[Any, ...]) -> Any:
    for index in path:
        if x is None:
            return None
        x = x[index]
    return x


def random_like(y: Any, rng: np.random.Generator) -> Any:
    if isinstance(y, list | tuple):
        return [random_like(part, rng) for part in y]
    return rng.normal(size=np.shape(y)) if np.ndim(y) else np.float64(rng.normal())


def weighted(y_bar: Any, y: Any) -> float:
    if isinstance(y_bar, list | tuple):
        return sum(weighted(a, b) for a, b in zip(y_bar, y, strict=True))
    return float(np.sum(y_bar * y))


def numeric_adjoint(run: Callable[[Any], float], x: Any) -> Any:
    """The gradient of a number by central differences of sixth order."""
    flat = np.array(x, dtype=float)
    result = np.zeros_like(flat)
    for index in np.ndindex(*flat.shape):
        total = 0.0
        for count, weight in ((1, 45), (2, -9), (3, 1)):
            for sign in (1, -1):
                moved = flat.copy()
                moved[index] += sign * count * 1e-3
                total += sign * weight * run(moved if isinstance(x, np.ndarray) else type(x)(moved))
        result[index] = total / 60e-3
    return result


def full(bar: Any, x: Any) -> Any:
    """An adjoint as the engine uses it."""
    if bar is None:
        return np.zeros(np.shape(x))
    summed = runtime.unbroadcast(bar, x)
    return np.broadcast_to(summed, np.shape(x))


def is_unchanged(before: Any, after: Any) -> bool:
    return np.array_equal(before, after, equal_nan=True)


def check_call(rule: VjpRule, function: Any, sample: Sample, adjoints_of: Callable[..., Any], is_ambiguous: bool = False) -> int:
    """Compare the adjoints with numeric differences; returns how many were compared."""
    rng = np.random.default_rng(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = call_primal(function, sample.arguments, sample.keywords)
    y_bar = random_like(y, rng)
    before = [np.array(leaf, copy=True) for _, leaf in leaves(sample.arguments)]
    bar_before = [np.array(leaf, copy=True) for _, leaf in leaves([y_bar])]
    adjoints = adjoints_of(rule, y_bar, y, sample.arguments, sample.keywords)
    again = adjoints_of(rule, y_bar, y, sample.arguments, sample.keywords)
    compared = 0
    for position, argument in enumerate(sample.arguments):
        for path, leaf in leaves(argument):
            bar = part_of(adjoints[position] if position < len(adjoints) else None, path)
            second = part_of(again[position] if position < len(again) else None, path)

            def run(moved: Any, position: int = position, path: tuple[Any, ...] = path) -> float:
                arguments = list(sample.arguments)
                arguments[position] = replaced(arguments[position], path, moved)
                return weighted(y_bar, call_primal(function, arguments, sample.keywords))

            found = full(bar, leaf)
            if not np.array_equal(found, full(second, leaf), equal_nan=True):
                raise RuleMismatch(f"{rule.name}({sample.text}): the second call gives another result")
            expected = numeric_adjoint(run, leaf)
            if not np.allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE):
                raise RuleMismatch(f"{rule.name}({sample.text}): adjoint {position}{path} is\n{found}\nnumerically\n{expected}")
            compared += 1
    after = [leaf for _, leaf in leaves(sample.arguments)]
    if not all(itertools.starmap(is_unchanged, zip(before, after, strict=True))):
        raise RuleMismatch(f"{rule.name}({sample.text}): changes its operands")
    if not all(itertools.starmap(is_unchanged, zip(bar_before, [leaf for _, leaf in leaves([y_bar])], strict=True))):
        raise RuleMismatch(f"{rule.name}({sample.text}): changes the adjoint that it is given")
    return compared


def by_calling(rule: VjpRule, y_bar: Any, y: Any, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """The adjoints, by running the rule's body (a sequence of known length is a tuple there)."""
    arguments = [tuple(argument) if isinstance(argument, list) and any(leaves(argument)) else argument for argument in arguments]
    result = rule.body(y_bar, y, *arguments, **keywords)
    return result if isinstance(result, tuple) else (result,)


# --- Inlined ----------------------------------------------------------------------------------------------------------------


def type_of(x: Any, region: int = 0) -> Type:
    """A type as the pipeline makes it: lengths are symbols by which of them are equal, 1 stays 1."""
    if isinstance(x, np.ndarray):
        return ArrayType(x.dtype.name, tuple(1 if length == 1 else Extent(f"n{length}") for length in x.shape), region)
    if isinstance(x, np.generic):
        return ScalarType({"f": "float", "i": "int", "b": "bool", "c": "complex"}[x.dtype.kind], x.dtype.name)
    if isinstance(x, float):
        return FLOAT
    if isinstance(x, list | tuple):
        return TupleType(tuple(type_of(part, region) for part in x))
    return type_of_constant(Constant(x))


def as_tuples(x: Any) -> Any:
    return tuple(map(as_tuples, x)) if isinstance(x, list | tuple) else x


def has_array(x: Any) -> bool:
    return any(map(has_array, x)) if isinstance(x, tuple) else isinstance(x, np.ndarray)


def operand_for(x: Any, name: str, region: int, environment: dict[Value, Any], hide_rank: bool = False) -> Operand:
    """An operand of generated code: literals as constants, the rest as values."""
    x = np.array(x) if isinstance(x, list) and isinstance(x[0], int) else as_tuples(x)
    if not any(leaves(x)) and not has_array(x):
        return Constant(x)
    kind = type_of(x, region)
    if hide_rank and isinstance(kind, ArrayType):
        kind = ArrayType(kind.dtype, None, region)
    value = Value(name, kind)
    environment[value] = x
    return value


def by_inlining_without_ranks(rule: VjpRule, y_bar: Any, y: Any, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
    return by_inlining(rule, y_bar, y, arguments, keywords, hide_rank=True)


def by_inlining_poisoned(rule: VjpRule, y_bar: Any, y: Any, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
    return by_inlining(rule, y_bar, y, arguments, keywords, is_poisoned=True)


_ASKING = (np.shape, np.size, np.ndim, np.zeros_like, np.ones_like, len, getattr)


def poisoned(operations: Sequence[Operation], y_bar: Operand, environment: dict[Value, Any]) -> dict[Value, Any]:
    """Nan for what is only asked for its shape."""
    read = {y_bar}
    for node in walk(Block(tuple(operations), Yield())):
        asks = isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value in _ASKING
        if asks and node.function.value is getattr:  # type: ignore[union-attr]
            asks = node.arguments[1].value in ("shape", "size", "ndim", "dtype")  # type: ignore[union-attr]
        if not asks:
            read.update(operands_of(node))
    is_float = {value: isinstance(x, np.ndarray) and x.dtype.kind == "f" for value, x in environment.items()}
    return {v: np.full_like(x, np.nan) if is_float[v] and v not in read else x for v, x in environment.items()}


def by_inlining(
    rule: VjpRule,
    y_bar: Any,
    y: Any,
    arguments: Sequence[Any],
    keywords: dict[str, Any],
    hide_rank: bool = False,
    is_poisoned: bool = False,
) -> Any:
    """The adjoints, by interpreting what `vjp_of` gives."""
    environment: dict[Value, Any] = {}
    operands = [operand_for(x, f"x{i}", i + 3, environment, hide_rank) for i, x in enumerate(arguments)]
    named = {key: operand_for(x, key, 50, environment, hide_rank) for key, x in keywords.items()}
    bar = operand_for(y_bar, "y_bar", 1, environment, hide_rank)
    result = operand_for(y, "y", 2, environment, hide_rank)
    wanted = [i for i, x in enumerate(arguments) if any(leaves(x)) and isinstance(operands[i], Value)]
    found = vjp_of(rule, bar, result, operands, named, None, wanted)
    if found is None:
        raise RuleMismatch(f"{rule.name} cannot be inlined")
    operations, adjoints = found
    if is_poisoned:
        environment = poisoned(operations, bar, environment)
    return run_operations(operations, adjoints, environment)


def run_operations(operations: Sequence[Operation], adjoints: Any, environment: dict[Value, Any]) -> Any:
    flat: list[Operand] = []

    def note(adjoint: Any) -> Any:
        if isinstance(adjoint, tuple):
            return tuple(note(part) for part in adjoint)
        flat.append(Constant(None) if adjoint is None else adjoint)
        return len(flat) - 1

    places = note(adjoints)
    packed = Value("adjoints")
    body = Block((*operations, Call(packed, Constant(make_tuple), tuple(flat))), Return(packed))
    function = Function("adjoint", tuple(map(Parameter, environment)), body)
    verify(function)
    values = interpret(function, tuple(environment.values()))

    def read(place: Any) -> Any:
        return tuple(map(read, place)) if isinstance(place, tuple) else values[place]

    return read(places)
