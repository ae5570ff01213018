"""What only the running program can refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.errors import NonDifferentiableError
from s2sad.runtime.places import place_in_source


def check_result(x: Any) -> None:
    """Refuse to differentiate what is not one real number: nothing was known of it when the code was generated."""
    if isinstance(x, (float, int, np.floating, np.integer, np.bool_)) or (
        type(x) is np.ndarray and x.ndim == 0 and x.dtype.kind in "fiub"
    ):
        return
    what = f"an array of shape {x.shape}" if isinstance(x, np.ndarray) else type(x).__name__
    raise NonDifferentiableError(
        f"grad needs a function whose result is one real number, and this one gives {what}; "
        "differentiate a function that returns the number of interest (of an array: its sum, or one element)"
    )


def check_number(x: Any, line: int) -> None:
    """Refuse what is not a number where a derivative passes by: the value comes from a function that is not known."""
    if not isinstance(x, (int, float, complex, np.generic)):
        raise NonDifferentiableError(
            f"a number was expected where a derivative passes through, and there is {type(x).__name__}: "
            f"convert it with float(), or give the function that makes it a rule\n{place_in_source(line)}"
        )


def real_part(x: Any, line: int) -> Any:
    """``x.real`` of a real number; a negative number to a power that is not an integer is a complex one.

    >>> real_part(-8.0, 7)
    -8.0
    >>> real_part((-8.0) ** 0.5, 7)
    Traceback (most recent call last):
        ...
    s2sad.errors.NonDifferentiableError: a number is complex here, and derivatives of complex numbers are not supported: ...
      line 7 of the function that was differentiated
    """
    if isinstance(x, complex):
        raise NonDifferentiableError(
            "a number is complex here, and derivatives of complex numbers are not supported: write it as two real ones (a "
            f"negative number to a power that is not an integer is complex in Python)\n{place_in_source(line)}"
        )
    return x


def imaginary_part(x: Any, line: int) -> float:
    """``x.imag`` of a real number."""
    return float(real_part(x, line).imag)


def check_array(x: Any, line: int) -> None:
    """Refuse a number where an array is changed in place: ``x += e`` gives a number another name, and an array other elements.

    >>> check_array(1.0, 7)
    Traceback (most recent call last):
        ...
    s2sad.errors.NonDifferentiableError: a number is changed by an in-place operator here, where there may be ...
      line 7 of the function that was differentiated
    """
    if not isinstance(x, np.ndarray):
        raise NonDifferentiableError(
            "a number is changed by an in-place operator here, where there may be an array as well, and only the running program "
            f"knows which it is: write x = x + e in place of x += e\n{place_in_source(line)}"
        )


def flat_view(x: Any, line: int) -> Any:
    """``x.flat``, of an array that changes while its elements are gone through: a view of the elements, row by row.

    >>> import numpy as np
    >>> flat_view(np.ones((2, 2)), 7)
    array([1., 1., 1., 1.])
    >>> flat_view(np.ones((2, 2)).T, 7)
    Traceback (most recent call last):
        ...
    s2sad.errors.NonDifferentiableError: the elements of this array do not lie row by row in memory, and they change ...
      line 7 of the function that was differentiated
    """
    flat = np.ravel(x)
    if flat.size > 1 and not np.may_share_memory(flat, x):
        raise NonDifferentiableError(
            "the elements of this array do not lie row by row in memory, and they change while .flat is used; loop over the "
            f"indices in place of .flat, or over x.ravel() for the elements as they are now\n{place_in_source(line)}"
        )
    return flat


def check_apart(x: Any, key: Any, part: Any, line: int) -> None:
    """Refuse a store ``x[key] = part`` of a part of the same array that NumPy makes element by element, reading what it has set.

    >>> import numpy as np
    >>> x = np.arange(6.0)
    >>> check_apart(x, slice(3, None), x[:3], 7)
    >>> check_apart(x, slice(None, None, 2), x[:3], 7)
    Traceback (most recent call last):
        ...
    s2sad.errors.NonDifferentiableError: a part of an array is stored into another part of it, element by element: ...
      line 7 of the function that was differentiated
    """
    if not isinstance(part, np.ndarray) or part.size < 2 or not np.may_share_memory(x, part):
        return
    place = x[key]
    if np.may_share_memory(x, place):  # NumPy copies first where there are several axes, or one of the two runs backwards
        if place.ndim != 1 or part.ndim != 1 or place.strides == part.strides or place.strides[0] * part.strides[0] < 0:
            return
        if not np.shares_memory(place, part):
            return
    elif not np.shares_memory(x, part):
        return
    raise NonDifferentiableError(
        "a part of an array is stored into another part of it, element by element: copy what is stored, "
        f"x[a:b:2] = x[c:d].copy()\n{place_in_source(line)}"
    )


def never_called(*arguments: object) -> None:
    """Stands where the program calls a function whose argument is never there, since what gives it raises an exception."""
    raise AssertionError("an argument of this call is there after all")
