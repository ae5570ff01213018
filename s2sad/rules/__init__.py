"""Derivatives of the primitives: importing this package registers them."""

from s2sad.rules import (
    applied,
    arrays,
    averages,
    containers,
    decompositions,
    editing,
    elementary,
    iteration,
    iterators,
    joining,
    linalg,
    mathematics,
    order,
    reductions,
    selection,
    shapes,
    special,
    ufunc_methods,
    ufuncs,
    updates,
)
from s2sad.rules.containers import container_rule
from s2sad.rules.core import lookup, registered_rules
from s2sad.rules.declare import rule

__all__ = [
    "applied",
    "arrays",
    "averages",
    "container_rule",
    "containers",
    "decompositions",
    "editing",
    "elementary",
    "iteration",
    "iterators",
    "joining",
    "linalg",
    "lookup",
    "mathematics",
    "order",
    "reductions",
    "registered_rules",
    "rule",
    "selection",
    "shapes",
    "special",
    "ufunc_methods",
    "ufuncs",
    "updates",
]
