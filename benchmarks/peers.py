"""Other tools on the same programs. Each is given the source as it stands, and what it cannot do is said, not hidden.

A peer is a function from a program to a callable that returns its gradient. It raises where the tool cannot do it.
"""

from __future__ import annotations

import importlib
import inspect
import math
import warnings
from collections.abc import Callable
from typing import Any

from benchmarks.programs import Program

Gradient = Callable[..., Any]


def _argnums(program: Program) -> tuple[int, ...]:
    return program.argnums if isinstance(program.argnums, tuple) else (program.argnums,)


def _to_floats(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(_to_floats, value))
    return float(value)


def make_s2sad(program: Program) -> Gradient:
    from s2sad import grad

    return grad(program.function, argnums=program.argnums)


def make_autograd(program: Program) -> Gradient:
    autograd = importlib.import_module("autograd")
    gradient = autograd.grad(program.function, program.argnums)

    def call(*args: Any) -> Any:
        moved = list(args)
        for number in _argnums(program):
            moved[number] = _to_floats(moved[number])
        return gradient(*moved)

    return call


def make_jax(program: Program) -> Gradient:
    """Without `jit`: a `while` or `if` on data cannot be compiled as it stands."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    gradient = jax.grad(program.function, program.argnums)

    def call(*args: Any) -> Any:
        moved = list(args)
        for number in _argnums(program):
            moved[number] = _to_floats(moved[number])
        return _to_floats(gradient(*moved))

    return call


def make_torch(program: Program) -> Gradient:
    torch = importlib.import_module("torch")

    def tensor(value: Any) -> Any:
        return torch.tensor(float(value), dtype=torch.float64, requires_grad=True)

    def call(*args: Any) -> Any:
        moved = list(args)
        for number in _argnums(program):
            moved[number] = list(map(tensor, moved[number])) if isinstance(moved[number], list) else tensor(moved[number])
        leaves = [leaf for n in _argnums(program) for leaf in (moved[n] if isinstance(moved[n], list) else [moved[n]])]
        gradients = [g.item() for g in torch.autograd.grad(program.function(*moved), leaves)]
        if isinstance(args[_argnums(program)[0]], list):
            return gradients
        return tuple(gradients) if isinstance(program.argnums, tuple) else gradients[0]

    return call


def make_tangent(program: Program) -> Gradient:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tangent = importlib.import_module("tangent")
        gradient = tangent.grad(program.function, wrt=_argnums(program), verbose=0)
    # its derivatives do not know the defaults of the function
    defaults = [p.default for p in inspect.signature(program.function).parameters.values()][len(program.args) :]

    def call(*args: Any) -> Any:
        moved = list(args)
        for number in _argnums(program):
            moved[number] = _to_floats(moved[number])
        return gradient(*moved, *defaults)

    return call


PEERS: dict[str, tuple[str, Callable[[Program], Gradient]]] = {
    "s2sad": ("s2sad", make_s2sad),
    "autograd": ("autograd", make_autograd),
    "Tangent": ("tangent", make_tangent),
    "JAX": ("jax", make_jax),
    "PyTorch": ("torch", make_torch),
}


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two gradients are the same but for rounding."""
    if isinstance(ours, list | tuple):
        return isinstance(theirs, list | tuple) and len(ours) == len(theirs) and all(map(agree, ours, theirs))
    return math.isclose(ours, theirs, rel_tol=1e-8, abs_tol=1e-12)
