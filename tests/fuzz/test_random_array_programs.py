"""Random programs on arrays: the generator and its references, and the transformer against them."""

import random

import numpy as np
import pytest

from s2sad import value_and_grad
from s2sad.testing import fuzz
from s2sad.testing.array_programs import ArrayProgram, random_array_program
from s2sad.testing.array_references import array_reference, find_array_mismatch
from s2sad.testing.references import UnsureReferenceError

HEAD = "import numpy as np\ndef program(x):\n    "
#: Programs with their gradients by hand.
BY_HAND = [
    ("return np.sum(x * x)", (0.5, -1.5), (1.0, -3.0)),
    ("y = x[::-1]\n    y[0] = x[0] * 2.0\n    return x[0] * x[1]", (0.5, -1.5), (2.0, 0.0)),
    ("y = np.zeros(2)\n    y[:] = x\n    y[1:] += y[:-1]\n    return y @ y", (0.5, -1.5), (-1.0, -2.0)),
]


@pytest.mark.parametrize(("body", "point", "gradient"), BY_HAND)
def test_references_of_programs_done_by_hand(body, point, gradient):
    assert array_reference(ArrayProgram(f"{HEAD}{body}\n", (point,))).gradient == pytest.approx(gradient, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("body", ["np.max(x)", "np.sum(np.abs(x - x[0]))", "np.sqrt(x[0] - x[1])", "np.sum(np.log(x - 2.0))"])
def test_where_there_is_no_derivative_there_is_no_reference(body):
    with pytest.raises(UnsureReferenceError):
        array_reference(ArrayProgram(f"{HEAD}return {body}\n", ((0.7, 0.7),)))


def test_what_overflows_on_its_way_has_no_reference():
    program = ArrayProgram(f"{HEAD}y = np.exp(x * 1000.0) * 0.0\n    return np.sum(x) if y[0] > 1.0 else x[0]\n", ((0.8, 0.7),))
    with pytest.raises(UnsureReferenceError, match="overflow"):
        array_reference(program)


def test_the_generator_is_reproducible_and_nearly_always_has_a_reference():
    unsure = 0
    for seed in range(100):
        program = random_array_program(random.Random(seed))
        assert program == random_array_program(random.Random(seed))
        try:
            array_reference(program)
        except UnsureReferenceError:
            unsure += 1
    assert unsure <= 10


CONSTRUCTS = (
    *(".T", ".reshape(", ".ravel()", "[::-1]", "[1:-1]", " if ", "np.add.at", "for row", "helper0_view(", "return p\n", "else:"),
    *("box1[1]", 'box2["k"]', "box1.a", ".part()\n", "np.flip(", "np.rot90(", "np.squeeze(", "out=", "np.copyto(", ".fill("),
    *("np.put(", "helper0_early(", "helper0_pair(", "helper1_list(", "helper0_dict(", "helper0_either(", "while count_"),
    *("[:2]] = 0", "= np.roll(p", "[::-1]] = False", "out=on", " = not o", "[on4]", "np.where(o"),
    *("break", "continue", "> 0.3] = ", "+= ", "*= ", "/= ", " @ ", "np.where", "np.cumsum", ", y6 = y6, "),
)


def test_the_generator_reaches_every_construct():
    text = "".join(random_array_program(random.Random(seed)).source for seed in range(1500))
    for construct in CONSTRUCTS:
        assert construct in text, construct


def test_a_wrong_derivative_is_found():
    program = ArrayProgram(f"{HEAD}return np.sum(x * x)\n", ((0.5, -1.5),))

    def answers(value, *gradient):
        return lambda function, argnums: lambda *arguments: (value, gradient)

    right = np.array([1.0, -3.0])
    assert find_array_mismatch(program, answers(np.float64(2.5), right)) is None
    assert find_array_mismatch(program, answers(np.float64(2.5), 2 * right)).kind == "gradient differs"
    assert find_array_mismatch(program, answers(np.float64(2.6), right)).kind == "value differs from the primal's"
    assert "dtype" in find_array_mismatch(program, answers(np.float64(2.5), right.astype(np.float32))).kind
    assert find_array_mismatch(program, answers(np.float64(2.5), right[:1])).kind == "gradient differs"
    said = []
    kinds = fuzz.run(5, 0, 6, answers(2.5, right), said.append, fuzz.ARRAYS)
    assert sum(kinds.values()) > 0


@pytest.mark.parametrize("seed", range(100))
def test_gradients_of_random_array_programs(seed):
    program = random_array_program(random.Random(7_000_000 + seed), 10)
    try:
        reference = array_reference(program)
    except UnsureReferenceError:
        return
    mismatch = find_array_mismatch(program, value_and_grad, reference)
    if mismatch is not None and mismatch.kind.startswith("refused"):
        pytest.xfail(mismatch.kind)
    assert mismatch is None, f"{mismatch}\n{program}"
