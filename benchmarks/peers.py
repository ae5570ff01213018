"""Other tools on the same programs. Each is given the source as it stands, and what it cannot do is said, not hidden.

A tool with a NumPy of its own (autograd, JAX, PyTorch) finds it under the program's name `np`.

A peer is a function from a program to a callable that returns its gradient. It raises where the tool cannot do it.
"""

from __future__ import annotations

import importlib
import inspect
import math
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.programs import Program

Gradient = Callable[..., Any]


def _argnums(program: Program) -> tuple[int, ...]:
    return program.argnums if isinstance(program.argnums, tuple) else (program.argnums,)


def _with_numpy(function: Gradient, module: Any) -> Gradient:
    """The function, in whose module `np` is another one."""
    if "np" not in function.__globals__:
        return function
    changed = types.FunctionType(
        function.__code__, {**function.__globals__, "np": module}, function.__name__, function.__defaults__, function.__closure__
    )
    changed.__kwdefaults__ = function.__kwdefaults__
    return changed


def _to_floats(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list | tuple):
        return type(value)(map(_to_floats, value))
    return float(value)


def make_s2sad(program: Program) -> Gradient:
    from s2sad import grad

    return grad(program.function, argnums=program.argnums)


def make_autograd(program: Program) -> Gradient:
    autograd = importlib.import_module("autograd")
    gradient = autograd.grad(_with_numpy(program.function, importlib.import_module("autograd.numpy")), program.argnums)

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
    numpy = importlib.import_module("jax.numpy")
    gradient = jax.grad(_with_numpy(program.function, numpy), program.argnums)

    def call(*args: Any) -> Any:
        moved = [numpy.asarray(value) if isinstance(value, np.ndarray) else value for value in args]
        for number in _argnums(program):
            if not isinstance(args[number], np.ndarray):
                moved[number] = _to_floats(moved[number])
        result = gradient(*moved)
        if isinstance(args[_argnums(program)[0]], np.ndarray):
            return tuple(map(np.asarray, result)) if isinstance(result, tuple) else np.asarray(result)
        return _to_floats(result)

    return call


def make_torch(program: Program) -> Gradient:
    torch = importlib.import_module("torch")
    # as NumPy: numbers of 64 bits; and no threads, which cost more than these programs
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    function = _with_numpy(program.function, torch)

    def tensor(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return torch.tensor(value, requires_grad=True)
        return torch.tensor(float(value), dtype=torch.float64, requires_grad=True)

    def call(*args: Any) -> Any:
        moved = [torch.tensor(value) if isinstance(value, np.ndarray) else value for value in args]
        for number in _argnums(program):
            moved[number] = list(map(tensor, moved[number])) if isinstance(moved[number], list) else tensor(args[number])
        leaves = [leaf for n in _argnums(program) for leaf in (moved[n] if isinstance(moved[n], list) else [moved[n]])]
        gradients = [g.numpy() if g.ndim else g.item() for g in torch.autograd.grad(function(*moved), leaves)]
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
    if isinstance(ours, np.ndarray):
        theirs = np.asarray(theirs)
        return ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=1e-8, atol=1e-10 * float(np.max(np.abs(ours))))
    return math.isclose(ours, theirs, rel_tol=1e-8, abs_tol=1e-12)
