"""Models of the methods and operators of lists and dicts.

The models are written with what the engine differentiates by itself: `len`, `range`, ``in``, iteration, ``x[i]``, ``x[i] = e``,
``x.append(e)``, ``x.pop()`` without an index, ``del d[key]`` of dicts, and displays. `list.__getitem__`, `__setitem__`
and `pop` below are for slices and for an index. What works on tuples has a static result and is left to the engine.

`container_rule` finds them::

    >>> container_rule(list, "extend").name, container_rule(list, operator.add).name
    ('extended', 'concatenated')
"""

from __future__ import annotations

import builtins
import copy
import operator
from typing import Any, Final

from s2sad import runtime
from s2sad.ir.effects import ALLOCATES_FROM, CHECKS, declare_effects
from s2sad.rules.core import Rule, lookup
from s2sad.rules.declare import model, vjp_rule, zero_derivative

Anything = Any

declare_effects(ALLOCATES_FROM, copy.copy, copy.deepcopy)
declare_effects(CHECKS, runtime.check_separate)

# --- Containers of `collections` ----------------------------------------------------------------------------


def made_if_missing(self: Anything, key: Anything, factory: Anything) -> Anything:
    """``self[key]`` of a `collections.defaultdict`."""
    if key not in self:
        self[key] = factory()
    return self[key]


def set_if_missing(self: Anything, key: Anything, value: Anything) -> Anything:
    """``self[key]`` of a `collections.defaultdict` whose factory is ``lambda: value``."""
    if key not in self:
        self[key] = value
    return self[key]


def counted(self: Anything, key: Anything) -> Anything:
    """``self[key]`` of a `collections.Counter`."""
    return self[key] if key in self else 0  # noqa: SIM401 (the engine knows these)


def latest(items: Anything, most: Anything) -> Anything:
    """``deque(items, maxlen=most)``"""
    if most < 0:
        raise ValueError("maxlen must be non-negative")
    made = list(items)
    return made[max(len(made) - most, 0) :]


def append_within(self: Anything, item: Anything, most: Anything) -> None:
    """``self.append(item)`` of a `collections.deque` that holds at `most` so many."""
    self.append(item)
    if len(self) > most:
        self.pop(0)


def appendleft_within(self: Anything, item: Anything, most: Anything) -> None:
    """``self.appendleft(item)``"""
    self.insert(0, item)
    if len(self) > most:
        self.pop()


def extend_within(self: Anything, items: Anything, most: Anything) -> None:
    """``self.extend(items)``"""
    self.extend(items)
    del self[: max(len(self) - most, 0)]


def extendleft_within(self: Anything, items: Anything, most: Anything) -> None:
    """``self.extendleft(items)``"""
    for item in list(items):
        self.insert(0, item)
    del self[most:]


def insert_within(self: Anything, index: Anything, item: Anything, most: Anything) -> None:
    """``self.insert(index, item)``"""
    if len(self) >= most:
        raise IndexError("deque already at its maximum size")
    self.insert(index, item)


def extendleft(self: Anything, items: Anything) -> None:
    """``self.extendleft(items)`` of a `collections.deque`."""
    for item in list(items):
        self.insert(0, item)


def rotate(self: Anything, n: Anything = 1) -> None:
    """``self.rotate(n)``"""
    if self:
        place = -n % len(self)
        self[:] = self[place:] + self[:place]


# --- Lists: new ones ----------------------------------------------------------------------------------------


@model(builtins.list)
def list_of(iterable: Anything = ()) -> Anything:
    elements = []
    for element in iterable:
        elements.append(element)
    return elements


@model(list.copy)
def copied(self: Anything) -> Anything:
    elements = []
    for element in self:
        elements.append(element)
    return elements


@model(list.__add__)
def concatenated(self: Anything, other: Anything) -> Anything:
    elements = []
    for element in self:
        elements.append(element)
    for element in other:
        elements.append(element)
    return elements


@model(list.__mul__, list.__rmul__)
def repeated(self: Anything, count: Anything) -> Anything:
    elements = []
    for _ in range(count):
        for element in self:
            elements.append(element)
    return elements


@model(list.__getitem__)
def sliced(self: Anything, part: Anything) -> Anything:
    elements = []
    for i in runtime.indices_of(part, len(self)):
        elements.append(self[i])
    return elements


@model(copy.copy, copy.deepcopy)
def copied_by_module(x: Anything) -> Anything:
    if isinstance(x, (list, dict)):
        return x.copy()
    return x


def copied_list_deeply(x: Anything) -> Anything:
    """`copy.deepcopy` of a list that contains containers, each of them once."""
    runtime.check_separate(x)
    return [copy.deepcopy(element) for element in x]


def copied_dict_deeply(x: Anything) -> Anything:
    """`copy.deepcopy` of a dict that contains containers, each of them once."""
    runtime.check_separate(x)
    return {key: copy.deepcopy(x[key]) for key in x}


# --- Lists: changes in place --------------------------------------------------------------------------------


@model(list.extend)
def extended(self: Anything, iterable: Anything) -> Anything:
    if isinstance(iterable, list):
        for i in range(len(iterable)):  # as many as there were before: x.extend(x) ends
            self.append(iterable[i])
    else:
        for element in iterable:
            self.append(element)


@model(list.__iadd__)
def concatenated_in_place(self: Anything, iterable: Anything) -> Anything:
    self.extend(iterable)
    return self


@model(list.__imul__)
def repeated_in_place(self: Anything, count: Anything) -> Anything:
    length = len(self)
    if count <= 0:
        self.clear()
    for _ in range(count - 1):
        for i in range(length):
            self.append(self[i])
    return self


@model(list.insert)
def inserted(self: Anything, index: Anything, element: Anything) -> Anything:
    length = len(self)
    place = max(0, index + length) if index < 0 else min(index, length)
    self.append(element)
    for i in range(length, place, -1):
        self[i] = self[i - 1]
    self[place] = element


@model(list.pop)
def popped(self: Anything, index: Anything = -1) -> Anything:
    element = self[index]
    for i in range(index + len(self) if index < 0 else index, len(self) - 1):
        self[i] = self[i + 1]
    self.pop()
    return element


@model(list.remove)
def removed(self: Anything, value: Anything) -> Anything:
    place = self.index(value)
    for i in range(place, len(self) - 1):
        self[i] = self[i + 1]
    self.pop()


@model(list.clear)
def cleared(self: Anything) -> Anything:
    for _ in range(len(self)):
        self.pop()


@model(list.reverse)
def turned(self: Anything) -> Anything:
    length = len(self)
    for i in range(length // 2):
        element = self[i]
        self[i] = self[length - 1 - i]
        self[length - 1 - i] = element


@model(list.sort)
def sorted_in_place(self: Anything, *, key: Anything = None, reverse: Anything = False) -> Anything:
    elements = self.copy()
    keys = elements if key is None else [key(element) for element in elements]
    order = runtime.order_of(keys, reverse)
    for i in range(len(order)):
        self[i] = elements[order[i]]


@model(list.__setitem__)
def assigned_to_slice(self: Anything, part: Anything, iterable: Anything) -> Anything:
    elements = list(iterable)
    places = runtime.indices_of(part, len(self))
    if len(places) == len(elements):
        for i in range(len(elements)):
            self[places[i]] = elements[i]
    else:  # the step is 1, and the length changes
        start, stop = runtime.bounds_of(part, len(self))
        tail = self[stop:]
        for _ in range(len(self) - start):
            self.pop()
        self.extend(elements)
        self.extend(tail)


@model(list.__delitem__)
def deleted(self: Anything, place: Anything) -> Anything:
    if isinstance(place, slice):
        places = runtime.indices_of(place, len(self))
        kept = [self[i] for i in range(len(self)) if i not in places]
        for i in range(len(kept)):
            self[i] = kept[i]
        for _ in range(len(self) - len(kept)):
            self.pop()
    else:
        self.pop(place)


# --- Dicts --------------------------------------------------------------------------------------------------


@model(builtins.dict)
def dict_of(mapping: Anything = (), /) -> Anything:
    result = {}
    if isinstance(mapping, dict):
        for key in mapping:
            result[key] = mapping[key]
    else:
        for key, value in mapping:
            result[key] = value
    return result


@model(builtins.dict, overload=True)
def made_with_names(mapping: Anything, /, **names: Anything) -> Anything:
    result = dict(mapping)
    for name in names:
        result[name] = names[name]
    return result


@model(dict.fromkeys)
def dict_from_keys(keys: Anything, value: Anything = None, /) -> Anything:
    result = {}
    for key in keys:
        result[key] = value
    return result


@model(dict.copy)
def copied_dict(self: Anything) -> Anything:
    result = {}
    for key in self:
        result[key] = self[key]
    return result


@model(dict.get)
def got(self: Anything, key: Anything, default: Anything = None) -> Anything:
    return self[key] if key in self else default  # noqa: SIM401 (this is how `get` is said)


@model(dict.keys)
def keys_of(self: Anything) -> Anything:
    return [key for key in self]  # noqa: C416 (the engine's own form)


@model(dict.values)
def values_of(self: Anything) -> Anything:
    return [self[key] for key in self]


@model(dict.items)
def items_of(self: Anything) -> Anything:
    return [(key, self[key]) for key in self]


@model(dict.update)
def updated(self: Anything, mapping: Anything = (), /) -> Anything:
    if isinstance(mapping, dict):
        for key in mapping:
            self[key] = mapping[key]
    else:
        for key, value in mapping:
            self[key] = value


@model(dict.update, overload=True)
def updated_with_names(self: Anything, mapping: Anything, /, **names: Anything) -> Anything:
    self.update(mapping)
    for name in names:
        self[name] = names[name]


@model(dict.setdefault)
def got_or_set(self: Anything, key: Anything, default: Anything = None) -> Anything:
    if key not in self:
        self[key] = default
    return self[key]


@model(dict.pop, overload=True)
def popped_key(self: Anything, key: Anything) -> Anything:
    value = self[key]
    del self[key]
    return value


@model(dict.pop, overload=True)
def popped_key_or(self: Anything, key: Anything, default: Anything) -> Anything:
    if key not in self:
        return default
    value = self[key]
    del self[key]
    return value


@model(dict.popitem)
def popped_item(self: Anything) -> Anything:
    keys = [key for key in self]  # noqa: C416
    key = keys[len(keys) - 1]
    value = self[key]
    del self[key]
    return key, value


@model(dict.clear)
def cleared_dict(self: Anything) -> Anything:
    keys = [key for key in self]  # noqa: C416
    for key in keys:
        del self[key]


@model(dict.__or__)
def united(self: Anything, other: Anything) -> Anything:
    result = {}
    for key in self:
        result[key] = self[key]
    for key in other:
        result[key] = other[key]
    return result


@model(dict.__ior__)
def united_in_place(self: Anything, other: Anything) -> Anything:
    self.update(other)
    return self


zero_derivative(runtime.check_separate)
zero_derivative(list.index, list.count, list.__contains__, list.__len__, list.__eq__, list.__ne__, list.__lt__, list.__le__)
zero_derivative(list.__gt__, list.__ge__, dict.__contains__, dict.__len__, dict.__eq__, dict.__ne__, tuple.index, tuple.count)
zero_derivative(
    tuple.__contains__, tuple.__len__, tuple.__eq__, tuple.__ne__, tuple.__lt__, tuple.__le__, tuple.__gt__, tuple.__ge__
)
zero_derivative(float.is_integer, float.as_integer_ratio, float.hex, int.bit_length, int.bit_count)

# --- Shadows, for derivatives of derivatives: a shadow has the structure of its container's shadow ----------


@vjp_rule(runtime.as_gradient)
def as_gradient_reverse(y_bar: Anything, y: Anything, shadow: Anything, primal: Anything) -> Anything:
    return y_bar, None


@vjp_rule(runtime.copy_containers)
def copy_containers_reverse(y_bar: Anything, y: Anything, *arguments: Anything) -> Anything:
    return y_bar


_SPECIAL_METHODS: Final[dict[object, str]] = {
    getattr(operator, name): f"__{special}__"
    for name, special in [
        *((name, name) for name in ("add", "mul", "iadd", "imul", "ior", "getitem", "setitem", "delitem", "contains")),
        *((name, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")),
        ("or_", "or"),
    ]
}


def container_rule(cls: type, operation: object, positional: int | None = None, keywords: tuple[str, ...] = ()) -> Rule | None:
    """The rule of a method (by name) or an operator (by its function in `operator`) of a class of containers.

    `positional` counts the receiver."""
    name = operation if isinstance(operation, str) else _SPECIAL_METHODS.get(operation)
    method = getattr(cls, name, None) if name is not None else None
    return None if method is None else lookup(method, positional, keywords)
