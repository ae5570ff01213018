"""The operations that are not functions of `operator`, `math`, `builtins`, …: markers to stand as the `function` of a `Call`.

Each is a Python function that computes what the operation means, so that IR can be interpreted and constants folded.

==================================  ==============================================================
Python                              ``Call(result, Constant(operation), arguments)``
==================================  ==============================================================
``a + b``, ``a[i]``, ``a < b`` …     `operator.add`, `operator.getitem`, `operator.lt`, …
``a += b``                          `operator.iadd`, …; the result is bound to the target
``a[i] = b``, ``del a[i]``           `operator.setitem`, `operator.delitem`; the result is unused
``a in b``, ``not a``, ``a is b``     `operator.contains` (operands swapped), `operator.not_`, `operator.is_`
``a.name``, ``a.name = b``           `getattr(a, "name")`, `setattr(a, "name", b)`
``a.name(b, key=c)``                `call_method(a, "name", b, key=c)`
``(a, b)``, ``[a, b]``, ``{a: b}``    `make_tuple`, `make_list`, `make_dict(a, b, …)`, `make_set`
``a[1:n]``                          `operator.getitem(a, slice(1, n, None))` with `slice` as a call
``f(*a, **b)``                      `call_unpacked(f, positional tuple, keyword dict)`
name of the module                  `load_global("name")`
variable of an enclosing function   `load_captured("name")` (top-level functions with a closure)
``a, (b, *c) = x``                  `unpack(x, before, after)`: a tuple of before + after elements, and with
                                    ``after >= 0`` the list between them in the middle; then `operator.getitem`
``f"{x:.3f}"``                      `call_method("{:.3f}", "format", x)`
a variable that closures share      `make_cell(x)`, `load_cell(cell)`, `store_cell(cell, x)`
``Class(a)`` of a user's class       `new_object(Class)`, then ``Class.__init__`` as a call
``(e for v in x)``                  `iterator_of(list of the elements)`, after the loop that computes them
what an iterator has left           `elements_of(iterator)`: a list that its readers take from
a number for an array              `held(number)`, while a function is reversed
``sum(a)``, adjoint of `s`         `modelled(sum, a, s)`, while a function is reversed
`s` with one more array            `summed(s, a)`, while a function is reversed
``# text``                          `comment("text")`: heads a section of generated code
==================================  ==============================================================
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from types import BuiltinFunctionType
from typing import Any, Final

import numpy as np

from s2sad.errors import S2sadError

#: The operators that change their left operand where they can, with those that compute the same anew.
PLAIN_OPERATORS: Final[dict[object, Callable[[Any, Any], Any]]] = {
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.itruediv: operator.truediv,
    operator.ifloordiv: operator.floordiv,
    operator.imod: operator.mod,
    operator.ipow: operator.pow,
    operator.imatmul: operator.matmul,
    operator.iand: operator.and_,
    operator.ior: operator.or_,
    operator.ixor: operator.xor,
    operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
}
IN_PLACE: Final[frozenset[object]] = frozenset(PLAIN_OPERATORS)


def make_tuple(*elements: Any) -> tuple[Any, ...]:
    return elements


def make_list(*elements: Any) -> list[Any]:
    return list(elements)


def make_set(*elements: Any) -> set[Any]:
    return set(elements)


def make_dict(*items: Any) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2], strict=True))


def call_method(receiver: Any, name: str, *arguments: Any, **keywords: Any) -> Any:
    return getattr(receiver, name)(*arguments, **keywords)


def handed_on(array: Any) -> Any:
    """An array that is changed no more, as an array of its own."""
    return array


def call_unpacked(function: Callable[..., Any], arguments: Iterable[Any], keywords: Mapping[str, Any]) -> Any:
    return function(*arguments, **keywords)


def unpack(iterable: Iterable[Any], before: int, after: int = -1) -> tuple[Any, ...]:
    """``unpack(x, 2)`` checks that x has two elements; ``unpack(x, 1, 1)`` gives (first, [middle …], last)."""
    if after < 0:
        elements = tuple(iterable)
        if len(elements) < before:
            raise ValueError(f"not enough values to unpack (expected {before}, got {len(elements)})")
        if len(elements) > before:
            raise ValueError(f"too many values to unpack (expected {before})")
        return elements
    elements = tuple(iterable)
    if len(elements) < before + after:
        raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {len(elements)})")
    end = len(elements) - after
    return (*elements[:before], list(elements[before:end]), *elements[end:])


def make_cell(content: Any) -> list[Any]:
    """A cell is a list of one element (none while the variable is unbound)."""
    return [content]


def load_cell(cell: list[Any]) -> Any:
    return cell[0]


def store_cell(cell: list[Any], content: Any) -> None:
    cell[0] = content


#: ``object.__new__(Class)``: an instance before ``__init__`` ran.
new_object: Final = object.__new__


def iterator_of(elements: list[Any]) -> Any:
    """The iterator that a generator expression is, over the list that its loop has collected."""
    return iter(elements)


def elements_of(iterator: Iterable[Any]) -> list[Any]:
    """All that an iterator gives, which is asked for one by one later on."""
    return list(iterator)


#: ``a.name = b`` where the class refuses it: how instances of frozen dataclasses are made.
set_frozen: Final = object.__setattr__


def load_global(name: str) -> Any:
    raise S2sadError(f"the global name {name!r} can only be read by generated code")


def load_captured(name: str) -> Any:
    raise S2sadError(f"the captured name {name!r} can only be read by generated code")


def held(number: Any) -> Any:
    """The number itself, where an array may be, in memory that is changed in place or that a container holds."""
    return number


def modelled(function: Any, *operands: Any) -> Any:
    """What a function gives for all operands but the last, to which the adjoint goes; there while a function is reversed."""
    return function(*operands[:-1])


def summed(total: Any, element: Any) -> Any:
    """A sum so far, in the shape of the whole, with one more element: what it comes to is never asked for, only its adjoint."""
    return total + element


def comment(text: str) -> None:
    """Does nothing; its unknown effects keep it, and what has effects, in place."""


_METHODS_OF_UFUNCS: Final[dict[object, object]] = {}


def as_known(function: object) -> object:
    """The object that stands for a function known by identity: ``np.add.at`` is another object each time that it is read.

    >>> np.add.at is np.add.at, as_known(np.add.at) is as_known(np.add.at)
    (False, True)
    """
    if isinstance(function, BuiltinFunctionType) and isinstance(function.__self__, np.ufunc):
        return _METHODS_OF_UFUNCS.setdefault(function, function)
    return function
