"""Every array program of the corpus: value, gradient, second derivative; the caller's arrays untouched and shared with nobody.

What does not work yet stands in `tests/corpus/arrays_limits.txt`, each point with what it does instead; a line too few is a
failure, and so is a line too many. `python -m tests.test_corpus_arrays` writes the file anew.
"""

import functools
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from s2sad import S2sadError, grad, value_and_grad
from s2sad.errors import InvalidIRError
from tests.corpus import (
    arrays_broadcasting,
    arrays_indexing,
    arrays_inplace,
    arrays_programs,
    arrays_rules,
    arrays_views,
)
from tests.corpus.array_reference import (
    chosen,
    fresh,
    leaves_of,
    reference_gradient,
    reference_second,
)

MODULES = (arrays_broadcasting, arrays_indexing, arrays_inplace, arrays_views, arrays_rules, arrays_programs)
ENTRIES = [(module, entry) for module in MODULES for entry in module.ENTRIES]
LIMITS = Path(__file__).parent / "corpus" / "arrays_limits.txt"

#: `label: (entry, point)`
POINTS = {
    f"{module.__name__.rpartition('_')[2]}-{entry.name}-{place}": (entry, point)
    for module, entry in ENTRIES
    for place, point in enumerate(entry.points)
}


# What is checked


def same_bits(a, b):
    """Whether two values are of one type and bitwise the same; a zero has a sign."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same_bits, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_bits(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray) and a.dtype != object:
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, (float, np.generic)):
        return np.asarray(a).dtype == np.asarray(b).dtype and np.asarray(a).tobytes() == np.asarray(b).tobytes()
    if hasattr(a, "__dict__"):
        return same_bits(vars(a), vars(b)) if not callable(a) else a is b
    return a is b or a == b


def arrays_in(value):
    """All arrays, those in objects too."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        return [array for part in value.values() for array in arrays_in(part)]
    if isinstance(value, (list, tuple)):
        return [array for part in value for array in arrays_in(part)]
    return arrays_in(vars(value)) if hasattr(value, "__dict__") and not callable(value) else []


def assert_own_memory(gradients, arguments):
    """No element of a gradient is an element of an argument, of another gradient, or of the same gradient."""
    arrays = arrays_in(gradients)
    for number, array in enumerate(arrays):
        assert array.flags.writeable, "a gradient is read-only"
        steps = [step for step, length in zip(array.strides, array.shape) if length > 1 and array.size]  # empty ones have none
        assert all(steps), "a gradient is a broadcast view"
        assert not any(np.shares_memory(array, other) for other in arrays_in(arguments)), "a gradient is an argument's memory"
        assert not any(np.shares_memory(array, other) for other in arrays[:number]), "two gradients share memory"


def assert_close(got, want, rtol, atol, what):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape, f"{what}: shape {got.shape} instead of {want.shape}"
    bad = ~np.isclose(got, want, rtol=rtol, atol=atol * (1 + np.max(np.abs(want), initial=0.0)))
    assert not bad.any(), f"{what}: {got[bad][:5]} instead of {want[bad][:5]} (at {np.argwhere(bad)[:5].tolist()})\n{got}\n{want}"


def expected_dtype(leaf):
    dtype = np.asarray(leaf).dtype
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def gradient_of(entry, point, gradient):
    """The parts of a gradient in order, and the values that they belong to."""
    arguments, _ = fresh(point)
    names = entry.argnums if isinstance(entry.argnums, tuple) else (entry.argnums,)
    parts = gradient if isinstance(entry.argnums, tuple) else (gradient,)
    assert isinstance(parts, tuple)
    assert len(parts) == len(names)
    if getattr(point, "build", None):
        places = names
    else:
        places = chosen(entry, point)
    return parts, [arguments[place] for place in places]


def assert_structure(part, argument):
    """Containers, shapes, dtypes and classes of a gradient are those of its argument."""
    if isinstance(argument, (list, tuple, dict)):
        assert type(part) is type(argument)
        assert len(part) == len(argument)
        pairs = [(part[key], argument[key]) for key in argument] if isinstance(argument, dict) else zip(part, argument)
        for inner, value in pairs:
            assert_structure(inner, value)
    elif leaves_of(argument):
        assert np.shape(part) == np.shape(argument), f"shape {np.shape(part)} instead of {np.shape(argument)}"
        assert isinstance(part, np.ndarray) == isinstance(argument, np.ndarray), f"{type(part)} for {type(argument)}"
        if isinstance(argument, (np.ndarray, np.generic)):
            assert part.dtype == expected_dtype(argument), f"dtype {part.dtype} for {argument.dtype}"
        else:
            assert type(part) is float, f"{type(part)} for {type(argument)}"


def assert_gradient(entry, point, gradient):
    parts, arguments = gradient_of(entry, point, gradient)
    for part, argument in zip(parts, arguments):
        assert_structure(part, argument)
    want, error = reference_gradient(entry, point)
    assert error < 0.1 * entry.rtol, "the reference is not sharp: a kink is near, or something rounds"
    if getattr(point, "build", None):
        got = along_the_base(point, entry, parts)
        assert_close(got, want[0], entry.rtol, 1e-11, "gradient")
        return
    got = [leaf for part, argument in zip(parts, arguments) for leaf in paired_leaves(part, argument)]
    assert len(got) == len(want)
    for place, (ours, theirs) in enumerate(zip(got, want)):
        assert_close(ours, theirs, entry.rtol, entry.rtol * 1e-2, f"gradient {place}")


def paired_leaves(part, argument):
    """The leaves of a gradient that belong to numbers of the argument."""
    if isinstance(argument, dict):
        return [leaf for key in argument for leaf in paired_leaves(part[key], argument[key])]
    if isinstance(argument, (list, tuple)):
        return [leaf for inner, value in zip(part, argument) for leaf in paired_leaves(inner, value)]
    return [part] if leaves_of(argument) else []


def along_the_base(point, entry, parts):
    """The gradient with respect to the array that the arguments are views of."""
    (base,) = point.arguments
    names = entry.argnums if isinstance(entry.argnums, tuple) else (entry.argnums,)
    total = np.zeros(base.shape)
    for index in np.ndindex(base.shape):
        unit = np.zeros(base.shape)
        unit[index] = 1.0
        views = point.build(unit)
        total[index] = sum(
            float(np.sum(ours * view))
            for part, name in zip(parts, names)
            for ours, view in zip(leaves_of([part]), leaves_of([views[name]]))
        )
    return total


def check_first(entry, point):
    """`value_and_grad` and `grad`, each called twice; what a caller does to a gradient changes no later one."""
    arguments, keywords = fresh(point)
    value = entry.function(*arguments, **keywords)
    both, alone = value_and_grad(entry.function, entry.argnums), grad(entry.function, argnums=entry.argnums)
    for derivative in (both, both, alone, alone):
        (arguments, keywords), (before, keywords_before) = fresh(point), fresh(point)
        result = derivative(*arguments, **keywords)
        assert same_bits(arguments, before), "an argument was changed"
        assert same_bits(keywords, keywords_before), "a keyword argument was changed"
        if derivative is both:
            assert same_bits(result[0], value), f"value {result[0]!r} instead of {value!r}"
        gradient = result[1] if derivative is both else result
        assert_gradient(entry, point, gradient)
        assert_own_memory(gradient, (arguments, keywords))
        for array in arrays_in(gradient):
            array[...] = np.nan


@functools.cache
def sum_of_gradient(entry):
    """The sum of all of the gradient, as a user would write it; one function, so that points of one kind share its derivative."""
    return sum_of_parts(grad(entry.function, entry.argnums), entry.argnums)


def sum_of_parts(first, argnums):
    """The sum of all that a gradient gives."""
    if not isinstance(argnums, tuple):
        return lambda *arguments: np.sum(first(*arguments))
    match len(argnums):
        case 1:
            return lambda *arguments: np.sum(first(*arguments)[0])
        case 2:

            def total(*arguments):
                a, b = first(*arguments)
                return np.sum(a) + np.sum(b)

        case 3:

            def total(*arguments):
                a, b, c = first(*arguments)
                return np.sum(a) + np.sum(b) + np.sum(c)

        case _:

            def total(*arguments):
                a, b, c, d = first(*arguments)
                return np.sum(a) + np.sum(b) + np.sum(c) + np.sum(d)

    return total


def check_second(entry, point):
    """`grad` of the sum over `grad`."""
    arguments, keywords = fresh(point)
    before, _ = fresh(point)
    gradient = grad(sum_of_gradient(entry), argnums=entry.argnums)(*arguments)
    assert same_bits(arguments, before), "an argument was changed"
    parts, arguments = gradient_of(entry, point, gradient)
    for part, argument in zip(parts, arguments):
        assert_structure(part, argument)
    want, error = reference_second(entry, point)
    assert error < 1e-7, "the reference is not sharp"
    got = [leaf for part, argument in zip(parts, arguments) for leaf in paired_leaves(part, argument)]
    for place, (ours, theirs) in enumerate(zip(got, want)):
        assert_close(ours, theirs, max(1e-6, 10 * entry.rtol), max(1e-8, entry.rtol), f"second derivative {place}")


def has_second(entry, point):
    """Where a second derivative is asked for: all of it are arrays and numbers, positional, none an integer."""
    if not entry.smooth or point.keywords or getattr(point, "build", None):
        return False
    arguments = [point.arguments[place] for place in chosen(entry, point)]
    return all(isinstance(a, float) or (isinstance(a, (np.ndarray, np.generic)) and a.dtype == np.float64) for a in arguments)


CHECKS = {"first": check_first, "second": check_second}
LABELS = {"first": list(POINTS), "second": [label for label, case in POINTS.items() if has_second(*case)]}


# What does not work yet


@functools.cache
def limits():
    """What the file says: the outcome of `(check, label)`."""
    found = {}
    for line in LIMITS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            check, label, outcome = line.split(maxsplit=2)
            found[check, label] = outcome
    return found


def run(check, label):
    """A check; an invalid IR is neither a refusal nor a wrong number."""
    try:
        CHECKS[check](*POINTS[label])
    except InvalidIRError as error:
        raise RuntimeError("invalid IR") from error


def outcome_of(check, label):
    """`ok`; `refused`; `wrong` where a check fails; `raises ...` anything else."""
    try:
        run(check, label)
    except S2sadError:
        return "refused"
    except AssertionError:
        return "wrong"
    except Exception as error:
        return f"raises {type(error).__name__}"
    return "ok"


def verify(check, label):
    """What is not listed must work; what is listed must fail just as the list says."""
    listed = limits().get((check, label))
    if listed is None:
        run(check, label)
        return
    outcome = outcome_of(check, label)
    assert outcome == listed, f"{LIMITS.name} says {listed}, and {outcome} is what happens; `python -m tests.test_corpus_arrays`"
    # Not by a mark: the reports of a thousand tracebacks would take longer than the tests
    pytest.xfail(outcome)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("label", LABELS["first"])
def test_value_and_gradient(label):
    verify("first", label)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("label", LABELS["second"])
def test_second_derivative(label):
    verify("second", label)


def test_the_corpus_is_large():
    assert len(ENTRIES) >= 200


def test_what_does_not_work_is_in_the_corpus():
    assert set(limits()) <= {(check, label) for check in CHECKS for label in LABELS[check]}


def write_limits():
    """Run everything, and write down what does not work."""
    cases = [(check, label) for check in CHECKS for label in LABELS[check]]
    with ProcessPoolExecutor(2) as pool:
        outcomes = list(pool.map(outcome_of, *zip(*cases), chunksize=20))
    lines = [f"{check} {label} {outcome}" for (check, label), outcome in zip(cases, outcomes) if outcome != "ok"]
    head = [
        "# What does not work yet, of the array programs of the corpus. Written by `python -m tests.test_corpus_arrays`.",
        "# refused: an S2sadError names it. wrong: another number than by differences. raises: an error that is not ours.",
    ]
    old = set(LIMITS.read_text(encoding="utf-8").splitlines()) if LIMITS.exists() else set()
    LIMITS.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    for line in sorted(set(lines) - old):
        print("+", line)
    print(f"{len(cases)} checks, {len(lines)} do not work")


if __name__ == "__main__":
    sys.exit(write_limits())
