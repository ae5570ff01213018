"""Derivatives of the primitives: importing this package registers them."""

from s2sad.rules import elementary, mathematics, special, ufuncs
from s2sad.rules.core import lookup, registered_rules, rule

__all__ = ["elementary", "lookup", "mathematics", "registered_rules", "rule", "special", "ufuncs"]
