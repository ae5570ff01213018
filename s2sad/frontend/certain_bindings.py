"""Which variables may be unbound where they are read out of a cell, or inside of a nested function.

A local variable that is read where it has no value is read by the generated code as well, which raises as Python does. A cell is
never empty, and what a nested function captures is handed to it whether it comes to read it or not::

    def f(x):
        def scaled():
            return x if y is None else x * y   # NameError, since `y` is bound below
        z = scaled()
        y = 2.0
        return z * y

So the reads of such variables ask a flag. The statements are walked once, with the variables that are bound on every way; what a
nested function captures must be bound where its name is read, for it may be called there, and so must what the functions capture
that it may call. Functions that call each other need no flags where the first of them is called after the last one is made::

    def f(x):
        def even(n): return x if n == 0 else odd(n - 1)
        def odd(n): return 1.0 if n == 0 else even(n - 1)
        return even(3)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import gast

from s2sad.frontend.exits import is_irrefutable
from s2sad.frontend.scopes import Scope, Variable, swallowed_by
from s2sad.frontend.walking import COMPREHENSIONS, FUNCTIONS, body_of, bound_names, parameter_nodes, walk_all

#: The variables that are bound on every way to a place; None where no way leads.
Bound = frozenset[Variable] | None


@dataclass(slots=True)
class UncertainReads:
    """What is not certain to be bound."""

    #: The variables that are read out of a cell, or by a nested function, where they may be unbound.
    variables: dict[Variable, None] = field(default_factory=dict)
    #: The reads of variables that may be unbound there.
    nodes: set[gast.AST] = field(default_factory=set)


def find_uncertain_reads(scopes: Mapping[gast.AST, Scope]) -> UncertainReads:
    """The variables of all functions that need a flag since cells and captured values tell nothing."""
    found = UncertainReads()
    for scope in scopes.values():
        if scope.is_function and any(variable.shared or variable.captures for variable in scope.variables.values()):
            _Walk(scope, scopes, found).run()
    return found


def _names_of(nodes: Iterable[gast.AST], scope: Scope, scopes: Mapping[gast.AST, Scope]) -> Iterator[tuple[Variable, gast.Name]]:
    """The variables that are named in some nodes, and in functions nested there."""
    for node in nodes:
        if isinstance(node, gast.Name):
            if (variable := scope.resolve(node.id)) is not None:
                yield variable, node
        elif not isinstance(node, gast.Constant):
            yield from _names_of(gast.iter_child_nodes(node), scopes.get(node, scope), scopes)


@dataclass(frozen=True, slots=True)
class _Nested:
    """A nested function: its reads of each variable that it captures, and what is bound before it is made, or as it is given its
    name."""

    reads: Mapping[Variable, Sequence[gast.Name]]
    bound: frozenset[Variable]


class _Walk:
    """Visits the statements of one function in the order in which they run."""

    def __init__(self, scope: Scope, scopes: Mapping[gast.AST, Scope], found: UncertainReads) -> None:
        self.scope = scope
        self.scopes = scopes
        self.found = found
        self.bound: Bound = frozenset()
        self.unbound: set[Variable] = set()
        #: The functions that a variable is bound to, and other variables that have some.
        self.functions: dict[Variable, list[_Nested]] = {}
        self.others: dict[Variable, set[Variable]] = {}
        #: Variables that nested functions delete: nobody knows when. And all that are deleted.
        self.deleted_inside: frozenset[Variable] = frozenset()
        self.deleted: frozenset[Variable] = frozenset()
        #: For each loop around, what is bound where it is left by a ``break``, and where a trip ends early.
        self.breaks: list[list[Bound]] = []
        self.continues: list[list[Bound]] = []

    def run(self) -> None:
        node = self.scope.node
        assert isinstance(node, FUNCTIONS)
        nested = [one for one in self.scopes.values() if one.is_function and one is not self.scope]
        inside = [name for one in nested for name in _names_of(body_of(one.node), one, self.scopes)]
        self.deleted_inside = frozenset(variable for variable, name in inside if isinstance(name.ctx, gast.Del))
        self.deleted = self.deleted_inside | self.own(_deleted_names(self.scope.nodes))
        self.bind(parameter.id for parameter in parameter_nodes(node.args))
        self.visit_all(body_of(node))
        self.found.variables.update({variable: None for variable in self.scope.variables.values() if variable in self.unbound})

    # -- variables ----------------------------------------------------------------------------------------------------

    def own(self, names: Iterable[str]) -> set[Variable]:
        return {self.scope.variables[name] for name in names if name in self.scope.variables}

    def bind(self, names: Iterable[str]) -> None:
        if self.bound is not None:
            self.bound |= self.own(names) - self.deleted_inside

    def unbind(self, names: Iterable[str]) -> None:
        if self.bound is not None:
            self.bound -= self.own(names)

    def read(self, node: gast.Name, scope: Scope, is_called: bool = True) -> None:
        variable = scope.resolve(node.id)
        if self.bound is None or variable is None or variable.owner is not self.scope:
            return
        if variable not in self.bound:
            self.found.nodes.add(node)
            if variable.shared:
                self.unbound.add(variable)
        if is_called:
            self.may_call([variable])

    def may_call(self, variables: Iterable[Variable]) -> None:
        """What the functions that these variables are bound to capture is read here, and so on."""
        pending, seen = list(variables), set(variables)
        while pending:
            variable = pending.pop()
            found = set(self.others.get(variable, ()))
            for function in self.functions.get(variable, ()):
                self.read_inside(function)
                found |= function.reads.keys()
            pending.extend(found - seen)
            seen |= found

    def read_inside(self, function: _Nested) -> None:
        for variable, nodes in function.reads.items():
            if self.bound is not None and variable not in self.bound and variable not in function.bound:
                self.unbound.add(variable)
                self.found.nodes.update(nodes)

    def nested(self, node: gast.AST, name: str = "") -> _Nested:
        assert isinstance(node, FUNCTIONS)
        reads: dict[Variable, list[gast.Name]] = {}
        updated = {inner.target for inner in gast.walk(node) if isinstance(inner, gast.AugAssign)}
        for variable, inner in _names_of(body_of(node), self.scopes[node], self.scopes):
            if variable.owner is self.scope and (not isinstance(inner.ctx, gast.Store) or inner in updated):
                reads.setdefault(variable, []).append(inner)
        return _Nested(reads, (self.bound or frozenset()) - self.deleted | (self.own([name]) - self.deleted))

    # -- expressions --------------------------------------------------------------------------------------------------

    def visit(self, node: gast.AST | None, scope: Scope | None = None) -> None:
        """An expression, and the targets of an assignment."""
        scope = scope or self.scope
        match node:
            case None | gast.Constant():
                return
            case gast.Name(ctx=gast.Load()):
                self.read(node, scope)
            case gast.Name(ctx=gast.Del()):
                self.read(node, scope)
                self.unbind([node.id])
            case gast.Name():
                self.bind([node.id] if scope is self.scope or node.id not in scope.variables else [])
            case gast.NamedExpr():
                self.visit(node.value, scope)
                self.visit(node.target, scope)
            case gast.BoolOp(values=[first, *others]):
                self.visit(first, scope)
                self.visit_perhaps(others, scope)
            case gast.Compare(left=left, comparators=[first, *others]):
                self.visit(left, scope)
                self.visit(first, scope)
                self.visit_perhaps(others, scope)
            case gast.IfExp():
                self.visit(node.test, scope)
                self.visit_perhaps([node.body], scope)
                self.visit_perhaps([node.orelse], scope)
            case gast.Lambda():
                self.visit_defaults(node, scope)
                function = self.nested(node)
                self.read_inside(function)
                self.may_call(function.reads)
            case _ if isinstance(node, COMPREHENSIONS):
                self.visit(node.generators[0].iter, scope)
                results = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
                self.visit_perhaps([*node.generators, *results], self.scopes[node], node.generators[0].iter)
            case _:
                for child in gast.iter_child_nodes(node):
                    self.visit(child, scope)

    def visit_perhaps(self, nodes: Iterable[gast.AST], scope: Scope, without: gast.AST | None = None) -> None:
        """Expressions that are not evaluated on every way."""
        before = self.bound
        for node in nodes:
            children = [node.iter, node.target, *node.ifs] if isinstance(node, gast.comprehension) else [node]
            for child in children:
                if child is not without:
                    self.visit(child, scope)
        self.bound = before

    def visit_defaults(self, node: gast.FunctionDef | gast.Lambda, scope: Scope) -> None:
        for child in [*getattr(node, "decorator_list", []), *node.args.defaults, *node.args.kw_defaults]:
            self.visit(child, scope)

    # -- statements ---------------------------------------------------------------------------------------------------

    def visit_all(self, nodes: Sequence[gast.AST]) -> None:
        for node in nodes:
            self.statement(node)

    def statement(self, node: gast.AST) -> None:
        match node:
            case gast.FunctionDef():
                self.visit_defaults(node, self.scope)
                self.name_function(node.name, node)
            case gast.Assign() if _holds_functions(node.value):
                variables, functions = self.named(node.value)
                for target in node.targets:
                    self.visit(target)
                    for variable in self.own(name for inner in walk_all([target]) for name in bound_names(inner)):
                        self.functions.setdefault(variable, []).extend(functions)
                        self.others.setdefault(variable, set()).update(variables)
            case gast.Assign():
                self.visit(node.value)
                for target in node.targets:
                    self.visit(target)
            case gast.AnnAssign():
                if node.value is not None:
                    self.visit(node.value)
                    self.visit(node.target)
            case gast.AugAssign():
                if isinstance(node.target, gast.Name):
                    self.read(node.target, self.scope)
                self.visit(node.value)
                self.visit(node.target)
            case gast.If():
                self.visit(node.test)
                self.branches([node.body, node.orelse])
            case gast.For() | gast.While():
                self.loop(node)
            case gast.Try():
                self.guarded(node)
            case gast.With():
                self.context(node)
            case gast.Match():
                self.match_cases(node)
            case gast.Return() | gast.Raise() | gast.Break() | gast.Continue():
                for child in gast.iter_child_nodes(node):
                    self.visit(child)
                if isinstance(node, (gast.Break, gast.Continue)):
                    (self.breaks if isinstance(node, gast.Break) else self.continues)[-1].append(self.bound)
                self.bound = None
            case _:
                self.visit(node)
                self.bind(bound_names(node) if isinstance(node, (gast.Import, gast.ImportFrom)) else ())

    def name_function(self, name: str, node: gast.AST) -> None:
        function = self.nested(node, name)
        if not self.own([name]):  # a variable of a function around
            self.read_inside(function)
            self.may_call(function.reads)
        for variable in self.own([name]):
            self.functions.setdefault(variable, []).append(function)
        self.bind([name])

    def named(self, node: gast.AST) -> tuple[set[Variable], list[_Nested]]:
        """The variables that are given another name, or are kept in a table, and functions without a name."""
        match node:
            case gast.Name():
                self.read(node, self.scope, is_called=False)
                return self.own([node.id]), []
            case gast.Lambda():
                self.visit_defaults(node, self.scope)
                return set(), [self.nested(node)]
        found = [self.named(child) for child in gast.iter_child_nodes(node)]
        return {one for variables, _ in found for one in variables}, [one for _, functions in found for one in functions]

    def branches(self, bodies: Sequence[Sequence[gast.AST]]) -> None:
        before = self.bound
        ends = []
        for body in bodies:
            self.bound = before
            self.visit_all(body)
            ends.append(self.bound)
        self.bound = _join(ends)

    def loop(self, node: gast.For | gast.While) -> None:
        if isinstance(node, gast.For):
            self.visit(node.iter)
        self.unbind(_deleted_names([*node.body, *node.orelse]))  # by an earlier trip
        if isinstance(node, gast.While):
            self.visit(node.test)
        before = self.bound
        if isinstance(node, gast.For):
            self.visit(node.target)
        self.breaks.append([])
        self.continues.append([])
        self.visit_all(node.body)
        left, tripped = self.breaks.pop(), _join([self.bound, *self.continues.pop()])
        if isinstance(node, gast.While) and isinstance(node.test, gast.Constant) and node.test.value:
            self.bound = None
        else:
            self.bound = tripped if self.runs(node) else before
        self.visit_all(node.orelse)
        self.bound = _join([self.bound, *left])

    def runs(self, node: gast.For | gast.While) -> bool:
        """Whether there is a first trip in any case."""
        match node:
            case gast.For(iter=gast.List(elts=[first, *_]) | gast.Tuple(elts=[first, *_])):
                return not isinstance(first, gast.Starred)
            case gast.For(iter=gast.Call(func=gast.Name(id="range"), args=[gast.Constant(value=int() as count)])):
                return count > 0 and self.scope.resolve("range") is None
        return False

    def guarded(self, node: gast.Try) -> None:
        at_start = self.bound
        self.unbind(_deleted_names(node.body))
        before = self.bound
        self.bound = at_start
        self.visit_all([*node.body, *node.orelse])
        ends = [self.bound]
        for handler in node.handlers:
            self.bound = before
            self.visit(handler.type)
            name = handler.name.id if isinstance(handler.name, gast.Name) else handler.name
            self.bind([name] if name else ())
            self.visit_all(handler.body)
            self.unbind([name] if name else ())
            ends.append(self.bound)
        done = _join(ends)
        if node.finalbody:
            self.bound = before
            self.unbind(_deleted_names([*node.handlers, *node.orelse]))
            before = self.bound
            self.visit_all(node.finalbody)
            if done is not None and self.bound is not None and before is not None:
                done = (done - (before - self.bound)) | self.bound
            elif self.bound is None:
                done = None
        self.bound = done

    def context(self, node: gast.With) -> None:
        before = self.bound
        for item in node.items:
            self.visit(item.context_expr)
            self.visit(item.optional_vars)
        self.visit_all(node.body)
        if any(swallowed_by(item.context_expr) for item in node.items):
            self.bound = before
            self.unbind(_deleted_names(node.body))

    def match_cases(self, node: gast.Match) -> None:
        self.visit(node.subject)
        before = self.bound
        ends: list[Bound] = []
        for case in node.cases:
            self.bound = before
            self.visit(case.pattern)
            self.bind(name for inner in walk_all([case.pattern]) for name in bound_names(inner))
            self.visit(case.guard)
            self.visit_all(case.body)
            ends.append(self.bound)
        self.bound = _join(ends if any(map(is_irrefutable, node.cases)) else [before, *ends])


def _holds_functions(node: gast.AST) -> bool:
    """Whether nothing is called to evaluate an expression: functions may be named in it."""
    if isinstance(node, (gast.List, gast.Tuple, gast.Dict, gast.Set)):
        return all(map(_holds_functions, gast.iter_child_nodes(node)))
    return isinstance(node, (gast.Name, gast.Constant, gast.Lambda, gast.expr_context))


def _join(ends: Sequence[Bound]) -> Bound:
    reached = [end for end in ends if end is not None]
    return reduce(frozenset.intersection, reached) if reached else None


def _deleted_names(nodes: Sequence[gast.AST]) -> set[str]:
    return {node.id for node in walk_all(nodes) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Del)}
