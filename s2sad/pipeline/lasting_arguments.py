"""Arguments that live on after the call: defaults, `self` of a method, the arguments of a `functools.partial`.

``def f(x, seen=[])`` that appends to `seen` finds what it appended at its next call. A derivative that was handed a copy of the
default would never show that. Where a function changes such arguments, the derivative is that of a function which calls it and
leaves them where they are; they are then something outside, as a global variable is.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from s2sad.analysis.memory import references_in
from s2sad.ir.types import Type
from s2sad.pipeline.callers import refused_bound, refused_default
from s2sad.pipeline.target import Target
from s2sad.pipeline.units import Generated


@dataclass(frozen=True, slots=True)
class LastingArguments:
    """Parameters whose arguments live on, in a call of a function that changes some of these: those that have their `defaults`,
    or those that are bound, by position and by name."""

    defaults: tuple[str, ...] = ()
    by_position: tuple[str, ...] = ()
    by_name: tuple[str, ...] = ()

    @property
    def left(self) -> tuple[str, ...]:
        """Those that a caller of what the user passed leaves out, of the parameters that are not bound by position."""
        return (*self.defaults, *self.by_name)

    def others(
        self, target: Target, signature: inspect.Signature, arguments: tuple[object, ...]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The other ones of `arguments`, one a parameter, as they are passed to that caller; `signature` is that of what the user
        passed."""
        values = dict(zip(target.signature.parameters, arguments, strict=True))
        kept = [p for p in signature.parameters.values() if p.name in values and p.name not in (*self.left, *self.by_position)]
        call = inspect.Signature(kept).bind_partial()
        call.arguments.update({p.name: values[p.name] for p in kept})
        return call.args, call.kwargs

    def check_not_asked_for(self, name: str, target: Target, wanted: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Refuse what cannot be left to the place where it lives: `name` is what the function is called."""
        parameters = list(target.signature.parameters.values())
        asked = {parameters[index].name for index, _ in wanted}
        if self.defaults:
            if target.derivative is not None or asked.intersection(self.defaults) or any(path for _, path in wanted):
                raise refused_default(name, self.defaults, target.function)
            return
        bound = {*self.by_position, *self.by_name}
        if asked & bound or any(p.kind is p.VAR_POSITIONAL for p in parameters if p.name in bound):
            raise refused_bound(name, [p.name for p in parameters if p.name in bound], target.function)


def lasting_arguments(
    target: Target, generated: Generated, kinds: Sequence[Type], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> LastingArguments | None:
    """Those of the call with these `args` and `kwargs` that are to be left where they live, if there are any."""
    if changes_bound(target, generated, kinds):
        by_name = tuple(name for name in target.keywords if name not in kwargs)
        return LastingArguments(by_position=_bound_by_position(target), by_name=by_name)
    written = written_defaults(target, generated, kinds)
    if not written:
        return None
    given = target.signature.bind(*target.bound, *args, **{**target.keywords, **kwargs}).arguments
    defaults = {name: target.signature.parameters[name].default for name in written}
    left = tuple(name for name, default in defaults.items() if given.get(name, default) is default)
    return LastingArguments(defaults=left) if left else None


def written_defaults(target: Target, generated: Generated, kinds: Sequence[Type]) -> tuple[str, ...]:
    """The parameters with a default that the function changes, or would."""
    with_default = [p.name for p in target.signature.parameters.values() if p.default is not p.empty]
    return _written(target, generated, kinds, with_default)


def changes_bound(target: Target, generated: Generated, kinds: Sequence[Type]) -> bool:
    """Whether the function changes what is bound."""
    return bool(_written(target, generated, kinds, (*_bound_by_position(target), *target.keywords)))


def _written(target: Target, generated: Generated, kinds: Sequence[Type], names: Sequence[str]) -> tuple[str, ...]:
    """Those of the parameters of these `names` whose memory the function changes."""
    of_name = dict(zip(target.signature.parameters, kinds, strict=True))
    regions = {name: references_in(of_name[name]) for name in names}
    if not any(regions.values()):
        return ()
    inner = target.derivative
    while inner is not None:  # the code of a derivative changes copies
        generated, inner = inner.generate_for(kinds).generated, inner.target.derivative
    return tuple(name for name, found in regions.items() if generated.written.intersection(found))


def _bound_by_position(target: Target) -> tuple[str, ...]:
    """The parameters whose arguments are bound by position."""
    return tuple(target.signature.parameters)[: len(target.bound)]
