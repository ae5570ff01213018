"""Source-to-source automatic differentiation of plain Python functions.

>>> import s2sad
>>> @s2sad.grad
... def f(x):
...     return x * x
>>> f(3.0)
6.0
"""

from s2sad.api import grad, show, stop_gradient, value_and_grad
from s2sad.errors import S2sadError

__all__ = ["S2sadError", "check_grads", "grad", "rule", "show", "stop_gradient", "value_and_grad"]


def __getattr__(name: str) -> object:
    if name == "check_grads":
        from s2sad.testing import check_grads

        return check_grads
    if name == "rule":
        from s2sad.rules import rule

        return rule
    raise AttributeError(f"module 's2sad' has no attribute {name!r}")
