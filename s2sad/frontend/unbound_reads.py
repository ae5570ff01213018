"""Which variables need a flag that tells whether they are bound.

Python raises where a variable is read that has no value. A derivative that reads nothing there would go on. That is all the same
to a program that fails, but a handler around it may catch the exception, and what it does is part of the function::

    if x < 0:
        y = x
    try:
        return y * y
    except UnboundLocalError:
        return x * 3

So a variable that is read in such a body has a flag, and its reads there and elsewhere ask it; so has one that a `del` unbinds.
Where it is known at every read that the variable is bound, lowering drops the question.
"""

from __future__ import annotations

import builtins
from collections.abc import Container, Iterator, Mapping, Sequence

import gast

from s2sad.frontend.scopes import Scope, Variable, swallowed_by
from s2sad.frontend.walking import FUNCTIONS, parameter_nodes, walk_all


def find_flagged_variables(scopes: Mapping[gast.AST, Scope], uncertain: Container[Variable]) -> dict[Variable, Variable]:
    """For each variable that a read has to ask for, its flag. That of an `uncertain` variable in a cell is in a cell as well."""
    functions = [scope for scope in scopes.values() if scope.is_function]
    bound_elsewhere = {scope.resolve(name) for scope in functions for name in scope.nonlocals}  # where no flag is seen
    flagged: dict[Variable, Variable] = {}
    watched: set[Variable] = set()
    for scope in functions:
        bodies = list(_watched_bodies(scope))
        for node in walk_all([statement for body in bodies for statement in body]):
            variable = scope.resolve(node.id) if isinstance(node, gast.Name) else None
            if variable is not None:
                watched.add(variable)
        if bodies:  # a function that is made here may be called there
            watched.update(variable for other in scopes.values() for variable in other.variables.values() if variable.captures)
    for scope in functions:
        deleted = {one.id for one in scope.nodes if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Del)}
        for name, variable in scope.variables.items():
            if variable in uncertain:
                flagged[variable] = Variable(f"{name}_is_unbound", scope, shared=variable.shared, hidden=True)
                variable.filled = not variable.shared  # a cell has something in it anyway
                continue
            if variable in bound_elsewhere:
                continue
            if variable in watched and (name in deleted or not _is_parameter(scope, name)):
                flagged[variable] = Variable(f"{name}_is_unbound", scope, hidden=True)
            elif name in deleted:
                flagged[variable] = Variable(f"{name}_is_deleted", scope, hidden=True)
    return flagged


def is_unbound_at_start(variable: Variable, flag: Variable) -> bool:
    """Whether the flag is up where the function begins."""
    assert variable.owner is not None
    return flag.name.endswith("_is_unbound") and not _is_parameter(variable.owner, variable.name)


def _is_parameter(scope: Scope, name: str) -> bool:
    assert isinstance(scope.node, FUNCTIONS)
    return any(node.id == name for node in parameter_nodes(scope.node.args))


def _watched_bodies(scope: Scope) -> Iterator[Sequence[gast.AST]]:
    """What runs under a handler that may catch the read of an unbound variable."""
    return (body for classes, body in _guarded_bodies(scope) if classes is None or _may_catch(classes))


def _guarded_bodies(scope: Scope) -> Iterator[tuple[gast.expr | None, Sequence[gast.AST]]]:
    """What runs under a handler, or in a context that swallows exceptions, with what that catches."""
    for node in scope.nodes:
        match node:
            case gast.Try(body=body, handlers=handlers):
                yield from ((handler.type, body) for handler in handlers)
            case gast.With(items=items, body=body):
                yield from ((cls, body) for item in items for cls in swallowed_by(item.context_expr))


def _may_catch(classes: gast.expr) -> bool:
    """Whether ``except classes`` may catch `UnboundLocalError`."""
    match classes:
        case gast.Tuple(elts=parts):
            return any(map(_may_catch, parts))
        case gast.Name(id=name):
            known = getattr(builtins, name, None)
            return not isinstance(known, type) or issubclass(UnboundLocalError, known)
    return True
