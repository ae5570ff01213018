"""Which variable a name means, and which variables need a cell.

A :class:`Variable` belongs to one function (or to a comprehension inside it). A nested function captures the *value* of a
variable when no binding can run after the function was made; otherwise the variable is `shared`: it lives in a cell that both
hold. Variables that an exception handler may see half-way through its ``try`` body live in a cell too, for a handler starts from
memory as the exception left it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import gast

from s2sad.frontend.exits import may_fall
from s2sad.frontend.walking import (
    COMPREHENSIONS,
    FUNCTIONS,
    FunctionNode,
    body_of,
    bound_names,
    parameter_nodes,
    walk_all,
    walk_own,
)

# consumers that call their function argument before they return, and do not keep it
_IMMEDIATE = {"sorted", "min", "max", "reduce"}
_CONSUMERS = {"list", "tuple", "sum", "set", "sorted", "min", "max", "any", "all", "fsum", "prod", "reduce", "dict"}


@dataclass(eq=False, slots=True)
class Variable:
    """A variable of the user's program, or (`hidden`) a flag that lowering needs."""

    name: str
    owner: Scope | None = None
    shared: bool = False
    hidden: bool = False
    #: It holds None while it is unbound: its flag tells, and it may be handed to a function that does not come to read it.
    filled: bool = False
    bindings: list[Moment] = field(default_factory=list)
    captures: list[Moment] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happens within a function: its place in the order of evaluation, and the loops around it."""

    position: int
    loops: frozenset[int]
    #: The function made at this moment is gone before the innermost loop comes round.
    contained: bool = False


@dataclass(eq=False, slots=True)
class Scope:
    """The names of a function or comprehension."""

    node: gast.AST
    parent: Scope | None
    variables: dict[str, Variable] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    #: The nodes of a function itself, in source order.
    nodes: list[gast.AST] = field(default_factory=list)

    @property
    def is_function(self) -> bool:
        return isinstance(self.node, FUNCTIONS)

    @property
    def function(self) -> Scope:
        scope = self
        while not scope.is_function:
            assert scope.parent is not None
            scope = scope.parent
        return scope

    def resolve(self, name: str) -> Variable | None:
        """The variable that a name means here, or None: a global, or a variable outside of the lowered source."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            if name in scope.globals:
                return None
            scope = scope.parent
        return None


@dataclass(eq=False, slots=True)
class Scopes:
    """The scopes of a function and of all that is nested in it."""

    root: Scope
    by_node: dict[gast.AST, Scope]
    #: After which statements the body of a ``try`` is split.
    splits: dict[gast.AST, tuple[int, ...]] = field(default_factory=dict)
    #: For each variable whose reads ask whether it is bound, the flag that tells that it is not.
    flags: dict[Variable, Variable] = field(default_factory=dict)
    #: The reads of variables that may be unbound there.
    uncertain: set[gast.AST] = field(default_factory=set)


def assigned_variables(scope: Scope, nodes: Sequence[gast.AST]) -> list[Variable]:
    """The variables of the enclosing function that some statement among `nodes` binds, in order of appearance;
    shared ones are left out, for their cell stays the same."""
    return [variable for variable in bound_variables(scope, nodes) if not variable.shared]


def bound_variables(scope: Scope, nodes: Sequence[gast.AST]) -> list[Variable]:
    """The variables of the enclosing function that some statement among `nodes` binds, shared ones too, in their order."""
    found: dict[Variable, None] = {}
    for node in walk_all(nodes):
        for name in bound_names(node):
            # a walrus inside a comprehension binds in the function, never in the comprehension
            owner = scope if name in scope.variables else scope.function
            variable = owner.resolve(name)
            if variable is not None and variable.owner is not None and variable.owner.function is scope.function:
                found[variable] = None
    return list(found)


#: Most nodes: they bind no name themselves.
_NEVER_BINDING: Final = (gast.operator, gast.Constant, gast.BinOp, gast.Call, gast.Attribute, gast.Subscript, gast.Assign)
#: What has a scope of its own inside a function.
_WITH_SCOPES: Final = (*COMPREHENSIONS, *FUNCTIONS)


def analyze_scopes(root: FunctionNode) -> Scopes:
    """The scopes of a function, with `Variable.shared` decided."""
    by_node: dict[gast.AST, Scope] = {}
    scope = _declare_function(root, None, by_node)
    walker = _Walker(by_node)
    walker.enter_function(scope, None)
    for inner in by_node.values():
        for variable in inner.variables.values():
            variable.shared = variable.shared or _may_change_after_capture(variable)
    splits: dict[gast.AST, tuple[int, ...]] = {}
    for inner in by_node.values():
        if inner.is_function:
            _share_across_handlers(inner, splits)
    return Scopes(scope, by_node, splits)


def _declare_function(node: FunctionNode, parent: Scope | None, by_node: dict[gast.AST, Scope]) -> Scope:
    scope = by_node[node] = Scope(node, parent)
    nodes = scope.nodes = list(walk_all(body_of(node)))
    for inner in nodes:
        if isinstance(inner, gast.Global):
            scope.globals.update(inner.names)
        elif isinstance(inner, gast.Nonlocal):
            scope.nonlocals.update(inner.names)
    for parameter in parameter_nodes(node.args):
        scope.variables[parameter.id] = Variable(parameter.id, scope)
    for inner in nodes:
        for name in bound_names(inner) if not isinstance(inner, _NEVER_BINDING) else ():
            if name not in scope.variables and name not in scope.globals and name not in scope.nonlocals:
                scope.variables[name] = Variable(name, scope)
    if any(isinstance(inner, _WITH_SCOPES) for inner in nodes):
        for inner in body_of(node):
            _declare_nested(inner, scope, by_node)
    return scope


def _declare_nested(node: gast.AST, scope: Scope, by_node: dict[gast.AST, Scope]) -> None:
    if isinstance(node, COMPREHENSIONS):
        inner = by_node[node] = Scope(node, scope)
        for generator in node.generators:
            for target in gast.walk(generator.target):
                for name in bound_names(target):
                    inner.variables.setdefault(name, Variable(name, inner))
        _declare_nested(node.generators[0].iter, scope, by_node)
        for child in gast.iter_child_nodes(node):
            _declare_nested(child, inner, by_node)
        return
    if isinstance(node, (gast.FunctionDef, gast.Lambda)):
        for child in [*node.args.defaults, *node.args.kw_defaults, *getattr(node, "decorator_list", [])]:
            if child is not None:
                _declare_nested(child, scope, by_node)
        _declare_function(node, scope, by_node)
        return
    if isinstance(node, gast.comprehension) and scope.node in by_node and isinstance(scope.node, COMPREHENSIONS):
        first = scope.node.generators[0] is node
        for child in gast.iter_child_nodes(node):
            if not (first and child is node.iter):
                _declare_nested(child, scope, by_node)
        return
    if not isinstance(node, (gast.Name, gast.Constant)):  # most nodes
        for child in gast.iter_child_nodes(node):
            _declare_nested(child, scope, by_node)


def _may_change_after_capture(variable: Variable) -> bool:
    return any(
        binding.position > capture.position or (not capture.contained and binding.loops & capture.loops)
        for capture in variable.captures
        for binding in variable.bindings
    )


class _Walker:
    """Visits a function in order of evaluation and notes when variables are bound and captured."""

    def __init__(self, by_node: dict[gast.AST, Scope]) -> None:
        self.by_node = by_node
        self.position = 0
        self.loops: frozenset[int] = frozenset()
        self.scope: Scope = next(iter(by_node.values()))
        self.made: list[tuple[Scope, Moment | None]] = []

    def moment(self, contained: bool = False) -> Moment:
        self.position += 1
        return Moment(self.position, self.loops, contained)

    def enter_function(self, scope: Scope, moment: Moment | None) -> None:
        saved = self.scope, self.loops
        self.scope, self.loops = scope, frozenset()
        self.made.append((scope, moment))
        assert isinstance(scope.node, (gast.FunctionDef, gast.Lambda))
        for parameter in parameter_nodes(scope.node.args):
            scope.variables[parameter.id].bindings.append(self.moment())
        for node in body_of(scope.node):
            self.visit(node)
        self.made.pop()
        self.scope, self.loops = saved

    def use(self, name: str, binds: bool) -> None:
        variable = self.scope.resolve(name)
        if binds and not self.scope.is_function and name not in self.scope.variables:
            variable = self.scope.function.resolve(name)
        if variable is None or variable.owner is None:
            return
        owner = variable.owner.function
        if owner is self.scope.function:
            if binds:
                variable.bindings.append(self.moment())
            return
        depth = next(index for index, (scope, _) in enumerate(self.made) if scope is owner)
        moment = self.made[depth + 1][1]
        assert moment is not None
        variable.captures.append(moment)
        variable.shared = variable.shared or binds

    def in_loop(self, node: gast.AST) -> frozenset[int]:
        saved = self.loops
        self.loops = saved | {id(node)}
        return saved

    def visit(self, node: gast.AST | None, contained: bool = False) -> None:
        match node:
            case None:
                return
            case gast.Name():
                self.use(node.id, isinstance(node.ctx, (gast.Store, gast.Del)))
            case gast.BinOp():
                self.visit(node.left)
                self.visit(node.right)
            case gast.Constant():
                return
            case gast.Assign():
                self.visit(node.value)
                for target in node.targets:
                    self.visit(target)
            case gast.AnnAssign():
                self.visit(node.value)
                if node.value is not None:
                    self.visit(node.target)
            case gast.AugAssign() | gast.NamedExpr():
                self.visit(node.value)
                self.visit(node.target)
            case gast.For():
                self.visit(node.iter)
                saved = self.in_loop(node)
                self.visit(node.target)
                self.visit_body(node.body)
                self.loops = saved
                for child in node.orelse:
                    self.visit(child)
            case gast.While():
                saved = self.in_loop(node)
                self.visit(node.test)
                self.visit_body(node.body)
                self.loops = saved
                for child in node.orelse:
                    self.visit(child)
            case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
                self.visit_comprehension(node)
            case gast.FunctionDef() | gast.Lambda():
                for child in [*getattr(node, "decorator_list", []), *node.args.defaults, *node.args.kw_defaults]:
                    self.visit(child)
                self.enter_function(self.by_node[node], self.moment(contained))
                if isinstance(node, gast.FunctionDef):
                    self.use(node.name, True)
            case gast.ClassDef() | gast.AsyncFunctionDef():  # which are refused, whatever stands in them
                self.use(node.name, True)
            case gast.Call():
                self.visit_call(node)
            case gast.Import() | gast.ImportFrom():
                for name in bound_names(node):
                    self.use(name, True)
            case _:
                for child in gast.iter_child_nodes(node):
                    self.visit(child)
                for name in bound_names(node):
                    self.use(name, True)

    def visit_body(self, statements: list[gast.AST]) -> None:
        for index, statement in enumerate(statements):
            contained = isinstance(statement, gast.FunctionDef) and _only_called(statement, statements[index + 1 :], self.scope)
            self.visit(statement, contained)

    def visit_call(self, node: gast.Call, consumed: bool = False) -> None:
        name = _function_name(node)
        self.visit(node.func)
        lazy = name in ("map", "filter") and consumed
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(argument, gast.Lambda):
                self.visit(argument, contained=name in _IMMEDIATE or lazy)
            elif isinstance(argument, gast.Call):
                self.visit_call(argument, consumed=name in _CONSUMERS)
            else:
                self.visit(argument)

    def visit_comprehension(self, node: gast.AST) -> None:
        self.visit(node.generators[0].iter)
        saved_scope, saved = self.scope, self.in_loop(node)
        self.scope = self.by_node[node]
        for index, generator in enumerate(node.generators):
            if index > 0:
                self.visit(generator.iter)
            self.visit(generator.target)
            for test in generator.ifs:
                self.visit(test)
        for child in (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,):
            self.visit(child)
        self.scope, self.loops = saved_scope, saved


def _function_name(node: gast.Call) -> str:
    match node.func:
        case gast.Name():
            return str(node.func.id)
        case gast.Attribute():
            return str(node.func.attr)
    return ""


def _only_called(definition: gast.FunctionDef, after: list[gast.AST], scope: Scope) -> bool:
    """Whether a function made in a loop body is used only as ``name(...)`` later in that body."""
    if definition.decorator_list:
        return False
    called = {id(node.func) for statement in after for node in walk_own(statement) if isinstance(node, gast.Call)}
    uses = [node for node in gast.walk(scope.function.node) if isinstance(node, gast.Name) and node.id == definition.name]
    return all(id(node) in called for node in uses)


def _share_across_handlers(scope: Scope, splits: dict[gast.AST, tuple[int, ...]]) -> None:
    assert isinstance(scope.node, (gast.FunctionDef, gast.Lambda))
    tries = [node for node in scope.nodes if isinstance(node, gast.Try)]
    everything = list(gast.walk(scope.node)) if tries else []
    for node in tries:
        positions: set[int] = set()
        for variable, places in _crossing(scope, node, everything):
            if places is None:
                variable.shared = True
            else:
                positions |= places
        splits[node] = tuple(sorted(positions))
    for node in scope.nodes:
        if isinstance(node, gast.With) and any(swallowed_by(item.context_expr) for item in node.items):
            for variable in assigned_variables(scope, node.body):
                variable.shared = True


def swallowed_by(context: gast.expr) -> list[gast.expr]:
    """The exceptions for which a context is known to end its block early and go on: those of `contextlib.suppress`."""
    return context.args if isinstance(context, gast.Call) and _function_name(context) == "suppress" else []


def _crossing(scope: Scope, node: gast.Try, everything: list[gast.AST]) -> Iterator[tuple[Variable, set[int] | None]]:
    """Variables bound in a ``try`` body that a handler, or what follows one, may read. The body can be split after these of its
    statements, so that a handler finds the variable as it was before the one that failed; None where it cannot."""
    covered = [*node.body, *((*node.handlers, *node.orelse) if node.finalbody else ())]
    for variable in assigned_variables(scope, covered):
        reads = [
            inner
            for inner in everything
            if isinstance(inner, gast.Name) and inner.id == variable.name and not isinstance(inner.ctx, gast.Store)
        ]
        binding = [index for index, inner in enumerate(node.body) if _binds(inner, variable.name)]
        can_split = all(_is_simple(node.body[index], variable.name) for index in binding)
        before = {index for index in binding if index < len(node.body) - 1}
        if node.finalbody and any(id(inner) in {id(own) for own in walk_all(node.finalbody)} for inner in reads):
            if before or not can_split or node.handlers or node.orelse:
                yield variable, None
            continue
        if not before and can_split:
            continue
        if binding and _is_local(node.body, binding[0], reads):
            continue
        for handler in node.handlers:
            bound = {
                name
                for statement in handler.body
                if isinstance(statement, gast.Assign)
                for inner in walk_all(statement.targets)
                for name in bound_names(inner)
            }
            own = {id(inner) for inner in walk_all(handler.body)}
            goes_on = may_fall(handler.body) or any(
                isinstance(inner, (gast.Break, gast.Continue)) for inner in walk_all(handler.body)
            )
            if any(id(inner) in own for inner in reads) or (goes_on and variable.name not in bound and reads):
                yield variable, before if can_split and not node.finalbody else None
                break


def _is_local(body: list[gast.stmt], first: int, reads: list[gast.Name]) -> bool:
    """Whether a variable is read in a ``try`` body alone, after a statement that always binds it."""
    if not isinstance(body[first], gast.Assign) or not all(isinstance(target, gast.Name) for target in body[first].targets):
        return False
    later = {id(inner) for inner in walk_all(body[first + 1 :])}
    return all(id(inner) in later for inner in reads)


def _binds(statement: gast.AST, name: str) -> bool:
    return any(name in bound_names(inner) for inner in walk_all([statement]))


def _is_simple(statement: gast.AST, name: str) -> bool:
    """Whether a statement binds a name as the last thing that it does: until then nothing has changed."""
    match statement:
        case gast.Assign(targets=[target]):
            names = target.elts if isinstance(target, gast.Tuple) else [target]
        case gast.AugAssign(target=target) | gast.AnnAssign(target=target):
            names = [target]
        case _:
            return False
    return all(isinstance(inner, gast.Name) for inner in names) and not _binds(statement.value, name)
