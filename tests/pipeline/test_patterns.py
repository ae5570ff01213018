"""`match` with patterns that capture active values, against numeric differences."""

from typing import NamedTuple

import pytest

from s2sad import check_grads, grad


def by_mapping(shape, x):
    match shape:
        case {"radius": radius}:
            return radius * radius * x
        case {"width": width, "height": height}:
            return width * height * x
        case {"a": a, **others}:
            return a * sum(others.values()) * x
        case _:
            return x


def by_length(parts, x):
    match parts:
        case [first, *_, last]:
            return first * last * x
        case [only]:
            return only * x
        case []:
            return x


def with_guards(rows):
    match rows:
        case [[a, b], [c, d]] if a > b:
            return a * d - b * c
        case [[a, _], [_, d]]:
            return a * d
    return a


def by_class(x):
    match x:
        case int():
            return 1.0
        case float(y) if y > 2.0:
            return y**2
        case y:
            return y**3


def captured_after(pairs):
    total = 0.0
    for pair in pairs:
        match pair:
            case (k, v) if k > 1.0:
                total += k * v
            case (k, v):
                total -= v * v
    return total * v + k


def alternatives(x, words):
    match words:
        case ["scale", factor] | [factor, "scaled"]:
            return x * x * factor
        case [str(), float(shift)]:
            return x * shift
    raise ValueError(words)


@pytest.mark.parametrize(
    ("function", "arguments", "argnums"),
    [
        (by_mapping, ({"radius": 1.5}, 2.0), (0, 1)),
        (by_mapping, ({"width": 1.5, "height": 3.0}, 2.0), (0, 1)),
        (by_mapping, ({"a": 1.5, "b": 3.0, "c": 0.5}, 2.0), (0, 1)),
        (by_mapping, ({"z": 1.5}, 2.0), (0, 1)),
        (by_length, ([1.5, 2.0, 3.0], 2.0), (0, 1)),
        (by_length, ([1.5, 3.0], 2.0), (0, 1)),
        (by_length, ([1.5], 2.0), (0, 1)),
        (by_length, ([], 2.0), 1),
        (with_guards, ([[1.5, 2.0], [3.0, 4.0]],), 0),
        (with_guards, ([[2.5, 2.0], [3.0, 4.0]],), 0),
        (by_class, (1.5,), 0),
        (by_class, (2.5,), 0),
        (captured_after, ([(0.5, 2.0), (1.5, 3.0)],), 0),
        (captured_after, ([(1.5, 3.0)],), 0),
        (alternatives, (1.5, ("scale", 3.0)), 0),
        (alternatives, (1.5, (3.0, "scaled")), 0),
        (alternatives, (1.5, ("shift", 3.0)), 0),
    ],
)
def test_captures(function, arguments, argnums):
    check_grads(function, arguments, argnums=argnums)


def test_no_pattern_matches():
    with pytest.raises(ValueError, match="nothing"):
        grad(alternatives)(1.5, ("nothing",))


def value_of(tree, x):
    match tree:
        case "x":
            return x
        case float() | int():
            return tree
        case ("+", a, b):
            return value_of(a, x) + value_of(b, x)
        case ("*", a, b):
            return value_of(a, x) * value_of(b, x)


def test_an_expression_tree():
    tree = ("+", ("*", "x", ("*", "x", "x")), ("+", "x", 3.0))
    assert grad(value_of, "x")(tree, 1.5) == pytest.approx(3 * 1.5**2 + 1)


def parts_in_some_branches(x, k):
    if k > 1:
        a = x * x
    if k > 2:
        b = a * x
    if k > 3:
        return a * b * x
    if k > 1:
        return a * x
    return x


def test_a_helper_that_binds_in_some_branches():
    def total(x, n):
        result = 0.0
        for k in range(n):
            result += parts_in_some_branches(x, k) * x
        return result

    check_grads(total, (1.5, 6), argnums=0)


class Disk(NamedTuple):
    radius: float
    height: float = 3.0


class Box(NamedTuple):
    width: float
    height: float


def of_named_tuple(solid, x):
    match solid:
        case Box(width, height):
            return width * height * x
        case Disk(radius, 2.0):
            return radius * x
        case Disk(height=height, radius=radius) if height > 1.0:
            return radius * radius * height * x
        case Disk():
            return x


@pytest.mark.parametrize(
    ("solid", "expected"),
    [
        (Box(2.0, 5.0), (Box(5.0, 2.0), 10.0)),
        (Disk(2.0, 2.0), (Disk(1.0, 0.0), 2.0)),
        (Disk(2.0), (Disk(12.0, 4.0), 12.0)),
        (Disk(2.0, 0.5), (Disk(0.0, 0.0), 1.0)),
    ],
)
def test_named_tuples(solid, expected):
    assert grad(of_named_tuple, (0, 1))(solid, 1.0) == expected


def test_named_tuples_made_in_a_loop():
    def total(x):
        result = 0.0
        for k in range(3):
            match Disk(x * k, x):
                case Disk(radius, height):
                    result += radius * radius * height
        return result  # 5 * x**3

    assert grad(total)(2.0) == 60.0
    assert grad(grad(total))(2.0) == 60.0
