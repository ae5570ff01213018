"""Axes and subscripts: computed while the code is generated, where they are literals."""

from __future__ import annotations

from typing import Any

import numpy as np


def last_axes(count: int) -> Any:
    """The last axes, so many.

    >>> last_axes(2)
    (-2, -1)
    """
    return tuple(range(-count, 0))


def inverse_permutation(axes: Any) -> Any:
    """Which axis of the result each axis became.

    >>> inverse_permutation((1, 2, 0))
    (2, 0, 1)
    """
    if isinstance(axes, int):
        return (0,)
    positive = [axis % len(axes) for axis in axes]
    return tuple(positive.index(axis) for axis in range(len(axes)))


def opposite(shift: Any) -> Any:
    """Shifts the other way.

    >>> opposite((1, -2))
    (-1, 2)
    """
    return tuple(-part for part in shift)


def every_other_axis(count: int) -> Any:
    """The first axis of each of so many pairs.

    >>> every_other_axis(2)
    (0, 2)
    """
    return tuple(range(0, 2 * count, 2))


def axes_from(start: int, stop: int) -> Any:
    """The axes of a range.

    >>> axes_from(1, 3)
    (1, 2)
    """
    return tuple(range(start, stop))


def axes_without(count: int, axis: int) -> Any:
    """All axes but one.

    >>> axes_without(3, -2)
    (0, 2)
    """
    return tuple(other for other in range(count) if other != axis % count)


def axes_of_tensordot(axes: Any, first: int, second: int) -> Any:
    """For ``np.tensordot(a, b, axes)``: the axes of a that stay, those that are summed, the axes of b that stay, and how the
    axes of the two adjoints, those that stay first in a's and last in b's, are put in place.

    >>> axes_of_tensordot(1, 2, 2)
    ((0,), (1,), (1,), (0, 1), (0, 1))
    """
    if not np.iterable(axes):
        count = max(axes, 0)  # NumPy sums over nothing where it is negative
        axes = (tuple(range(first - count, first)), tuple(range(count)))
    left, right = (tuple(part) if np.iterable(part) else (part,) for part in axes)
    left, right = tuple(axis % first for axis in left), tuple(axis % second for axis in right)
    stay_left = tuple(axis for axis in range(first) if axis not in left)
    stay_right = tuple(axis for axis in range(second) if axis not in right)
    # b's axes that are summed come in b's order in the adjoint of a, and a's in a's order in that of b
    summed_left = tuple(left[right.index(axis)] for axis in sorted(right))
    summed_right = tuple(right[left.index(axis)] for axis in sorted(left))
    made_left, made_right = (*stay_left, *summed_left), (*summed_right, *stay_right)
    into_left = tuple(made_left.index(axis) for axis in range(first))
    into_right = tuple(made_right.index(axis) for axis in range(second))
    return stay_left, left, stay_right, into_left, into_right


def plan_of_einsum(subscripts: Any, position: int) -> Any:
    """The subscripts of the adjoint of one operand ("" for the adjoint of the result as it is), axes to insert where the operand
    was summed alone, pairs of axes of which only the diagonal counts, what is wrong, and where the axes before ``...`` are in the
    adjoint, in which ``...`` comes first.

    >>> plan_of_einsum("ij,jk->ik", 0)
    ('ik,jk->ij', (), (), '', ())
    >>> plan_of_einsum("ii->i", 0)
    ('', (1,), ((-2, -1),), '', ())
    >>> plan_of_einsum("i...k->...k", 0)
    ('', (-2,), (), '', (-2,))
    """
    if not isinstance(subscripts, str):
        return "", (), (), "np.einsum() has a derivative where its first argument is the string of subscripts", ()
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    operands = inputs.split(",")
    if not arrow:
        letters = sorted(letter for letter in set(inputs) - set(",.") if inputs.count(letter) == 1)
        output = ("..." if "..." in inputs else "") + "".join(letters)
    wanted, others = operands[position], [operand for index, operand in enumerate(operands) if index != position]
    if "..." in wanted and "..." not in output:
        return "", (), (), "np.einsum() has a derivative where ... is among the subscripts of the result", ()
    letters = list(wanted.replace("...", ""))
    known = set(output).union(*others)
    kept = [letter for index, letter in enumerate(letters) if letter in known and letter not in letters[:index]]
    count = len(letters)
    missing = tuple(
        index - count if "..." in wanted else index
        for index, letter in enumerate(letters)
        if letter not in known or letter in letters[:index]
    )
    pairs = tuple(
        (letters.index(letter) - count, index - count) for index, letter in enumerate(letters) if letter in letters[:index]
    )
    start = "..." if "..." in wanted or any("..." in part for part in (output, *others)) else ""
    before = len(wanted.partition("...")[0]) if "..." in wanted else 0
    moved = tuple(range(-count, before - count))
    made = start + "".join(kept)
    return ",".join([output, *others]) + "->" + made if others or output != made else "", missing, pairs, "", moved
