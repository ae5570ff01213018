"""Derivatives of the primitives: importing this package registers them."""

from s2sad.rules import containers, elementary, iteration, iterators, mathematics, selection, special, ufuncs
from s2sad.rules.containers import container_rule
from s2sad.rules.core import lookup, registered_rules
from s2sad.rules.declare import rule

__all__ = [
    "container_rule",
    "containers",
    "elementary",
    "iteration",
    "iterators",
    "lookup",
    "mathematics",
    "registered_rules",
    "rule",
    "selection",
    "special",
    "ufuncs",
]
