"""Arguments that a function could be called with, as its annotations tell: to read generated code without a call."""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sad.errors import NonDifferentiableError

if TYPE_CHECKING:
    from s2sad.pipeline.target import Target


def example_arguments(target: Target, name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments of the annotated types; `name` is what the function is called."""
    examples = {float: 1.0, int: 1, bool: True, str: "", complex: 1j}
    try:
        hints = inspect.get_annotations(target.function, eval_str=True)
    except NameError:
        hints = {}
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for parameter in list(target.signature.parameters.values())[len(target.bound) :]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or parameter.name in target.keywords:
            continue
        hint = hints.get(parameter.name)
        if hint in examples:
            value = examples[hint]
        elif parameter.default is not parameter.empty:
            continue
        elif hint in (list, list[float]):
            value = [1.0]
        elif _names_an_array(hint):
            raise NonDifferentiableError(
                f"an annotation does not tell how many axes the array {parameter.name!r} has: call source() with arguments"
            )
        else:
            raise NonDifferentiableError(
                f"the type of {parameter.name!r} is not known: call source() with arguments, or annotate "
                f"the parameters of {name}()"
            )
        if parameter.kind is parameter.KEYWORD_ONLY or kwargs:
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return tuple(args), kwargs


def _names_an_array(hint: object) -> bool:
    """Whether an annotation is `np.ndarray`, or an alias of it such as `np.typing.NDArray[np.float64]`."""
    while True:
        origin = typing.get_origin(hint) or hint
        if not hasattr(origin, "__value__"):  # of an alias that a `type` statement makes
            return origin is np.ndarray
        hint = origin.__value__
