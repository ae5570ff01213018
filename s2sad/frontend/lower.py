"""From Python functions to IR: the entry of the frontend.

>>> from s2sad.ir.printer import print_function
>>> print(print_function(lower_source("def f(x):\\n    y = x * 2\\n    return y + x")))
def f(x):
  y_1 = mul(x, 2)
  t_2 = add(y_1, x)
  return t_2
"""

from __future__ import annotations

import functools
import linecache
import types
import weakref
from typing import Final

import gast

from s2sad.frontend import (
    lower_comprehensions,
    lower_expressions,
    lower_generators,
    lower_loops,
    lower_match,
    lower_regions,
    lower_statements,
)
from s2sad.frontend.certain_bindings import find_uncertain_reads
from s2sad.frontend.lower_functions import build_function
from s2sad.frontend.parse import FunctionSource, parse_function, parse_text
from s2sad.frontend.prune import prune_unused
from s2sad.frontend.scopes import analyze_scopes
from s2sad.frontend.unbound_reads import find_flagged_variables
from s2sad.frontend.unsupported import refuse
from s2sad.ir.nodes import Function

#: The modules that register how constructs are lowered.
CONSTRUCTS: Final = (
    lower_comprehensions,
    lower_expressions,
    lower_generators,
    lower_loops,
    lower_match,
    lower_regions,
    lower_statements,
)

# by identity: code objects of two files may compare equal
_cache: Final[dict[int, tuple[weakref.ref[types.CodeType], Function]]] = {}


def lower_function(function: types.FunctionType | types.MethodType | types.CodeType) -> Function:
    """The IR of a Python function. The same code gives the same object, as long as it lives."""
    package = ""
    underlying: object = function.__func__ if isinstance(function, types.MethodType) else function
    if isinstance(underlying, types.CodeType):
        code = underlying
    else:
        assert isinstance(underlying, types.FunctionType)
        code = underlying.__code__
        package = underlying.__globals__.get("__package__") or ""
    key = id(code)
    found = _cache.get(key)
    if found is not None and found[0]() is code:
        return found[1]
    lowered = _lower(parse_function(code), package)
    _cache[key] = (weakref.ref(code, functools.partial(_forget, _cache, key)), lowered)
    return lowered


def _forget(cache: dict[int, tuple[weakref.ref[types.CodeType], Function]], key: int, reference: object) -> None:
    """Called when a code object dies, also while the interpreter ends and this module has no globals any more."""
    if cache.get(key, (None,))[0] is reference:
        del cache[key]


def lower_source(text: str, filename: str = "<rule>") -> Function:
    """The IR of the one function that a text defines (or of a lambda expression)."""
    linecache.cache.setdefault(filename, (len(text), None, text.splitlines(keepends=True), filename))
    return _lower(parse_text(text, filename), "")


def _lower(source: FunctionSource, package: str) -> Function:
    node = source.node
    if isinstance(node, gast.AsyncFunctionDef):
        refuse(source.filename, node, "asynchronous code", "write a plain function or loop")
    scopes = analyze_scopes(node)
    uncertain = find_uncertain_reads(scopes.by_node)
    scopes.uncertain.update(uncertain.nodes)
    scopes.flags.update(find_flagged_variables(scopes.by_node, uncertain.variables))
    function, _ = build_function(
        node,
        scopes,
        filename=source.filename,
        free_names=source.free_names,
        package=package,
        class_name=source.class_name,
    )
    return prune_unused(function)
