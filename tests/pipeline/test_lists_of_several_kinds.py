"""Arguments with arrays of several ranks and numbers, ``[W, b, 3.0]``: parts of them, and first and second derivatives."""

import copy

import numpy as np
import pytest

from s2sad import errors, grad

W = np.array([[1.0, 2.0], [3.0, 4.0]])
B = np.array([0.5, 0.25])


def leaves(p):
    """The numbers in a structure, in order."""
    if isinstance(p, dict):
        p = list(p.values())
    if isinstance(p, (list, tuple)):
        return np.concatenate([leaves(part) for part in p])
    return np.ravel(np.asarray(p, float))


def with_leaves(p, numbers):
    """The structure with other numbers."""
    if isinstance(p, dict):
        return dict(zip(p, with_leaves(list(p.values()), numbers), strict=True))
    if isinstance(p, (list, tuple)):
        sizes = np.cumsum([len(leaves(part)) for part in p])
        return type(p)(with_leaves(part, some) for part, some in zip(p, np.split(numbers, sizes[:-1]), strict=True))
    return np.reshape(numbers, np.shape(p)).copy() if isinstance(p, np.ndarray) else float(numbers[0])


def differences(function, p):
    """Central differences."""
    x, steps = leaves(p), np.eye(len(leaves(p))) * 1e-6
    return np.array([(function(with_leaves(p, x + h)) - function(with_leaves(p, x - h))) / 2e-6 for h in steps])


def is_like(gradient, p):
    """Whether a gradient has the structure of the argument, down to the classes of the numbers."""
    assert type(gradient) is type(p)
    if isinstance(p, dict):
        assert list(gradient) == list(p)
        gradient, p = list(gradient.values()), list(p.values())
    if isinstance(p, (list, tuple)):
        assert len(gradient) == len(p)
        for part, of in zip(gradient, p, strict=True):
            is_like(part, of)


def check(function, p):
    gradient = grad(function)(copy.deepcopy(p))
    is_like(gradient, p)
    assert np.allclose(leaves(gradient), differences(function, p), rtol=1e-6, atol=1e-7)


def check_second(function, p):
    """Of the square of the gradient, summed over a flat structure."""

    def squared(p):
        total = 0.0
        for part in grad(function)(p):
            total = total + np.sum(part * part)
        return total

    check(squared, p)


def rest(p):
    r = p[1:]
    return np.sum(r[0]) * r[1] + np.sum(p[0])


def looped_over_rest(p):
    total = 0.0
    for part in p[1:]:
        total += np.sum(part * part)
    return total


def all_but_the_last(p):
    r = p[:-1]
    total = 0.0
    for part in r:
        total += np.sum(part**2)
    return total * p[-1]


def backwards(p):
    r = p[::-1]
    return r[0] * np.sum(r[1]) * np.sum(r[2])


def starred(p):
    first, *r = p
    return np.sum(first) * np.sum(r[0]) * r[1]


def starred_in_front(p):
    *r, last = p
    return np.sum(r[0]) * np.sum(r[1]) ** 2 * last


def listed(p):
    r = list(p)
    r.append(2.0 * p[2])
    return np.sum(r[0]) * r[3]


def comprehended(p):
    r = [part * 2 for part in p[1:]]
    return np.sum(r[0]) * r[1]


def numbered(p):
    total = 1.0
    for i, part in enumerate(p[1:]):
        total = total * np.sum(part) * (i + 1)
    return total


def neighbours(p):
    total = 1.0
    for one, other in zip(p, p[1:]):
        total = total + np.sum(one) * np.sum(other)
    return total


def generated(p):
    return sum(np.sum(part) ** 2 for part in p[1:])


def by_norm(p):
    r = sorted(p, key=lambda part: float(np.sum(part)))
    return np.sum(r[0]) ** 2 * np.sum(r[1])


def of_part(q):
    return np.sum(q[0] * q[0]) + q[-1] ** 2


def handed_on(p):
    return of_part(p[::2]) * np.sum(p[1])


OF_ALL = (
    *(rest, looped_over_rest, all_but_the_last, backwards, starred, starred_in_front, listed, comprehended, numbered),
    *(neighbours, generated, by_norm, handed_on),
)


@pytest.mark.parametrize("p", [[W, B, 3.0], (W, B, 3.0)], ids=["list", "tuple"])
@pytest.mark.parametrize("function", OF_ALL)
def test_parts(function, p):
    check(function, p)
    check_second(function, p)


def joined(p):
    r = [*p, p[0] * 2]
    return np.sum(r[3] * r[0]) * r[2]


def added(p):
    r = p + [p[0] * 2]
    return np.sum(r[3] * r[0]) * r[2]


def repeated(p):
    r = p * 2
    return np.sum(r[0]) * np.sum(r[3]) * r[5]


def copied(p):
    r = p.copy()
    r[0] = r[0] * 2
    return np.sum(r[0]) * r[2] * np.sum(p[0])


def copied_deeply(p):
    r = copy.deepcopy(p)
    r[0] *= 2.0
    return np.sum(r[0]) * r[2] * np.sum(p[0])


@pytest.mark.parametrize("function", [joined, added, repeated, copied, copied_deeply])
def test_lists_made_of_lists(function):
    check(function, [W, B, 3.0])
    check_second(function, [W, B, 3.0])


def scaled_in_part(p):
    t = p[0:2]
    t[1] *= 2.0
    return np.sum(t[0]) * np.sum(p[1] ** 2)


def part_set(p):
    t = p[1:]
    t[0] = t[0] * 3
    return np.sum(t[0]) * np.sum(p[1])


def place_set(p):
    p[1] = p[1] * 2
    return np.sum(p[1]) * np.sum(p[0]) * p[2]


@pytest.mark.parametrize("function", [scaled_in_part, part_set, place_set])
def test_changes(function):
    check(function, [W, B, 3.0])


def products_of_sums(p):
    total = 1.0
    for row in p:
        for part in row:
            total = total * np.sum(part)
    return total


def sums_of_products(p):
    total = 0.0
    for first, second in p:
        total = total + np.sum(first) * np.sum(second)
    return total


def first_of_each(p):
    total = 1.0
    for i in range(2):
        total = total * np.sum(p[i][0])
    return total


NESTED = [
    *((products_of_sums, p) for p in ([[W], [1.5]], [[W], [B]], [[W, B], [1.5]], ([W], [1.5]))),
    *((sums_of_products, p) for p in ([(W, 1.0), (2.0, B)], [(W, 1.0), (B, 2.0)], [[W, 1.0], [B, 2.0]], ((W, 2.0), (B, 1.0)))),
    *((first_of_each, p) for p in ([[W], [1.5]], [[W], [np.float64(1.5)]], ([W], [2.0]), ((W,), (2.0,)))),
]


@pytest.mark.parametrize(("function", "p"), NESTED)
def test_numbers_in_the_places_of_arrays(function, p):
    """In lists of lists each place may hold a number or an array: both have their derivatives."""
    check(function, p)


def in_dict(p):
    r = p["layers"][1:]
    return np.sum(r[0] @ p["layers"][0]) * r[1] * p["rate"]


@pytest.mark.parametrize("layers", [[W, B, 2.0], (W, B, 2.0)])
def test_parts_in_dicts(layers):
    check(in_dict, {"layers": layers, "rate": 3.0})
    check(lambda p: in_dict(p) ** 2, {"layers": layers, "rate": 3.0})


def by_index(p):
    total = 1.0
    for i in range(len(p)):
        total = total * np.sum(p[i])
    return total


def test_a_number_or_an_array_by_an_index_is_refused():
    """It gave the numbers the derivative zero."""
    with pytest.raises(errors.UnsupportedSyntaxError, match=r"two containers[^$]*line \d+[^$]*p\[i\]"):
        grad(by_index)([W, B, 3.0])
    check(by_index, [W, B])


def popped(p):
    x = p.pop()
    return np.sum(p[0]) * x


def test_lists_of_several_kinds_that_change_their_length_are_refused():
    with pytest.raises(errors.MissingRuleError, match=r"\.pop\(\) of a list that holds values of several kinds"):
        grad(popped)([W, B, 3.0])


def shrinking(p):
    q = p
    for _ in range(1):
        q = q[1:]
    return np.sum(q[0]) ** 2


def test_lists_of_several_lengths_under_one_name_are_refused():
    with pytest.raises(errors.S2sadError):
        grad(shrinking)([W, B, 3.0])


def weighted(p, x):
    return np.sum(x * p[0]) * p[1] * p[1]


def number_set(p, x):
    p[0] = p[0] * p[1]
    return np.sum(x * p[0]) * p[1] * p[1]


@pytest.mark.parametrize("function", [weighted, number_set])
def test_second_derivatives_of_lists_of_numbers_beside_arrays(function):
    x = np.array([1.0, 2.0])

    def product(p):
        first, second = grad(function)(p, x)
        return first * second

    check(product, [2.0, 3.0])


def network(p):
    return np.sum(p["w"] @ p["b"]) * p["c"] * p["c"]


def test_second_derivatives_of_dicts_of_numbers_and_arrays():
    def product(p):
        gradient = grad(network)(p)
        return np.sum(gradient["w"]) * gradient["c"]

    check(product, {"w": W, "b": B, "c": 2.0})
