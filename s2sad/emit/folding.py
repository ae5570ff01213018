"""Writes straight-line code: folds temporaries that are used once into the expression that uses them.

A foldable temporary stays *pending* until its use. It gets a statement of its own after all when something between would
change it (a variable that it reads is assigned, memory that it reads is written), when the order of two steps that a
program can tell apart would change, or when the expression becomes too long to read.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from s2sad.emit.coalesce import Assignment, Variable
from s2sad.emit.expressions import (
    INPLACE,
    Atom,
    Expression,
    Names,
    evaluation_order,
    name,
    size_of,
    subscript,
    syntax,
    tidy,
)
from s2sad.emit.layout import Comment, Simple, Statement
from s2sad.emit.liveness import is_inplace
from s2sad.emit.updates import assignment, keep_mark, mark_loose, mark_rebinding, negated
from s2sad.ir import operations
from s2sad.ir.contents import is_of_numbers
from s2sad.ir.effects import Effects, effects_of
from s2sad.ir.nodes import UNBOUND, Call, Constant, Operand, Span, Value
from s2sad.ir.types import ScalarType, strip_optional
from s2sad.transform.caught import may_be_caught
from s2sad.transform.purity import touched_container

#: About how long an expression may become by folding.
_LONGEST = 76
#: What a loop runs over together is best seen together; of `x[i] = x[i] + ...`, the left side is not printed again.
_LONGEST_STATEMENT = 104
_WORTH_A_NAME = 16
_NOTHING: Final[frozenset[Variable]] = frozenset()
_UNNAMED = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of a function before its statements are written."""

    assignment: Assignment
    names: Names
    #: temporaries with one use, in the block that defines them
    foldable: frozenset[Value]
    #: index expressions: written out wherever they are used
    repeated: dict[Value, Call]
    places: dict[Value, int]
    throwaway: Variable
    #: containers made in the function that have no other name
    own: frozenset[Value] = frozenset()

    def step(self, node: Call) -> Atom:
        """What a call does, at its place."""
        known = touched_container(node)
        return Atom(self.places[node.result], effects_of(node), node.exact, known, known in self.own)

    def variable(self, value: Value) -> Variable:
        return self.assignment.variables[value]

    def is_used(self, value: Value) -> bool:
        return self.assignment.uses[value] > 0


@dataclass(slots=True, eq=False)
class Pending:
    value: Value
    expression: Expression
    span: Span | None
    exact: bool = True


@dataclass(slots=True)
class Writer:
    """The statements of one block, and its pending temporaries in program order."""

    plan: Plan
    statements: list[Statement] = field(default_factory=list)
    pending: dict[Value, Pending] = field(default_factory=dict)
    #: taken, and not yet part of a statement: what these read must not be assigned
    in_flight: list[Expression] = field(default_factory=list)

    def take(
        self,
        operands: Sequence[Operand],
        own: tuple[Atom, ...] = (),
        assigned: Sequence[Variable] = (),
        longest: int = _LONGEST,
    ) -> list[Expression]:
        """The expressions of some operands that are evaluated in this order, then do `own` and assign some variables."""
        while True:
            used = [self.pending[operand] for operand in operands if isinstance(operand, Value) and operand in self.pending]
            atoms = [atom for entry in used for atom in entry.expression.atoms] + list(own)
            late = self._out_of_order(used, atoms) or self._out_of_step(used, own, assigned)
            late = late or (self._too_long(used, longest) if len(operands) > 1 else None)
            if late is None:
                break
            self.flush(late)
        return [self._operand(operand) for operand in operands]

    def _out_of_order(self, used: list[Pending], atoms: list[Atom]) -> Pending | None:
        for index, later in enumerate(atoms):
            for earlier in atoms[:index]:
                if earlier.place > later.place and earlier.conflicts(later):
                    return next((entry for entry in used if later in entry.expression.atoms), None)
        return None

    def _out_of_step(self, used: list[Pending], own: Sequence[Atom], assigned: Sequence[Variable]) -> Pending | None:
        """One that must come before something pending which in turn must come before `own`, before another of those used, or
        before the assignment."""
        if not used or not any(entry.expression.atoms for entry in used):
            return None
        steps = [*own, *(atom for entry in used for atom in entry.expression.atoms)]
        between = self._settled_first(steps, assigned, used)
        return next((entry for entry in used if _precedes(entry.expression.atoms, between)), None)

    def _settled_first(self, steps: Sequence[Atom], assigned: Sequence[Variable], used: Sequence[Pending] = ()) -> list[Pending]:
        """What gets a statement of its own before one that does `steps` and assigns some variables, `used` excepted."""
        steps, written = list(steps), set(assigned)
        rest = [entry for entry in self.pending.values() if entry not in used]
        found: list[Pending] = []
        while (entry := next((entry for entry in rest if _is_barred(entry, steps, written)), None)) is not None:
            rest.remove(entry)
            found.append(entry)
            steps += entry.expression.atoms
            written.add(self.plan.variable(entry.value))
        return found

    def _too_long(self, used: list[Pending], longest: int) -> Pending | None:
        if sum([entry.expression.size for entry in used]) <= longest:
            return None
        first = max(used, key=lambda entry: entry.expression.size)
        return first if first.expression.size > _WORTH_A_NAME else None

    def _operand(self, operand: Operand) -> Expression:
        names = self.plan.names
        if isinstance(operand, Constant):
            node = names.constant(operand.value)
            return Expression(node, size=_size_of_slice(operand.value) if isinstance(operand.value, slice) else size_of(node))
        if operand in self.pending:
            expression = self.pending.pop(operand).expression
            self.in_flight.append(expression)
            return expression
        if operand in self.plan.repeated:
            return self._repeat(self.plan.repeated[operand])
        variable = self.plan.variable(operand)
        return Expression(name(names.variable(variable)), reads=frozenset((variable,)), size=variable.length or _UNNAMED)

    def _repeat(self, node: Call) -> Expression:
        parts: dict[int, Expression] = {}

        def operand(item: Operand) -> ast.expr:
            parts[len(parts)] = part = self._operand(item)
            return part.node

        tree = syntax(node, self.plan.names, operand)
        reads = frozenset(variable for part in parts.values() for variable in part.reads)
        return Expression(tree, (), reads, size_of(tree))

    def expression(self, node: Call) -> Expression:
        """The expression for a call, with pending operands folded in."""
        is_assigned = node.result not in self.plan.foldable and self.plan.is_used(node.result)
        effects = effects_of(node)
        is_quiet = effects.is_pure and not effects.raises
        if is_quiet and node.exact and not self.plan.is_used(node.result) and may_be_caught(node):
            is_quiet = False  # it stands in `try` for what it may raise
        own = () if is_quiet else (self.plan.step(node),)
        order = evaluation_order(node)
        if isinstance(node.function, Constant):
            order = order[1:]
        longest = _LONGEST_STATEMENT if self._may_be_long(node) else _LONGEST
        taken = self.take(order, own, [self.plan.variable(node.result)] if is_assigned else (), longest)
        by_operand: dict[int, list[Expression]] = {}
        for operand, part in zip(order, taken, strict=True):
            by_operand.setdefault(id(operand), []).append(part)

        def lookup(operand: Operand) -> ast.expr:
            found = by_operand[id(operand)]
            return (found.pop(0) if len(found) > 1 else found[0]).node

        tree = syntax(node, self.plan.names, lookup)
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            is_number = isinstance(node.result.type, ScalarType)
            # of an array, the opposite of the opposite is another array
            if is_number or (not node.exact and not isinstance(tree.operand, ast.UnaryOp)):
                tree = negated(tree.operand)
        elif isinstance(tree, ast.BinOp):
            if not node.exact:
                mark_loose(tree)
            if arrays := _operands_made_numbers(node):
                mark_rebinding(tree, arrays)
            if isinstance(node.result.type, ScalarType) or not node.exact:
                tree = keep_mark(tree, tidy(tree))
        return combine(tree, taken, own)

    def _may_be_long(self, node: Call) -> bool:
        """Whether a call is a `zip`, or changes a variable: ``x += ...``."""
        if not isinstance(node.function, Constant) or not node.arguments:
            return False
        first = node.arguments[0]
        is_sum = node.function.value is operator.add or node.function.value is operator.sub
        is_step = is_sum and isinstance(first, Value) and self.plan.variable(first) is self.plan.variable(node.result)
        return is_step or node.function.value is zip

    def add(self, statement: Statement, parts: Sequence[Expression], assigned: Sequence[Variable] = ()) -> None:
        """Append a statement; pending temporaries that may not stand after it come first."""
        atoms = [atom for part in parts for atom in part.atoms]
        self.settle(atoms, assigned)
        self.statements.append(statement)
        self.in_flight.clear()

    def settle(self, atoms: Sequence[Atom], assigned: Sequence[Variable] = ()) -> None:
        """Flush what may not be evaluated after a statement that does `atoms` and assigns some variables."""
        while (entry := self._overtaken(atoms, assigned)) is not None:
            self.flush(entry)

    def _overtaken(self, atoms: Sequence[Atom], assigned: Sequence[Variable]) -> Pending | None:
        return next((entry for entry in self.pending.values() if _is_barred(entry, atoms, assigned)), None)

    def flush(self, entry: Pending) -> None:
        """Give a pending temporary its own statement, and a variable of its own where its variable is about to be read, before or
        after the statement."""
        del self.pending[entry.value]
        variables = self.plan.assignment.variables
        held = list(self.in_flight)
        atoms = [atom for expression in (entry.expression, *held) for atom in expression.atoms]
        before = self._settled_first(entry.expression.atoms, [variables[entry.value]]) if atoms else []
        if any(variables[entry.value] in expression.reads for expression in held) or _precedes(atoms, before):
            variables[entry.value] = Variable([entry.value], variables[entry.value].order)
        self.in_flight.append(entry.expression)
        self.assign(entry.value, entry.expression, entry.span)
        self.in_flight[:] = held

    def drain(self) -> None:
        """At the end of a block: what is still pending is read by nobody, only its effects count."""
        while self.pending:
            value = next(iter(self.pending))
            entry = self.pending.pop(value)
            if entry.expression.atoms:
                self.add(Simple(ast.Expr(entry.expression.node), entry.span), [entry.expression])

    def define(self, value: Value, expression: Expression, span: Span | None, exact: bool = True) -> None:
        """Bind a value: pending, as an assignment, or as an expression statement when nobody reads it."""
        if value in self.plan.foldable:
            self.pending[value] = Pending(value, expression, span, exact)
            self.in_flight.clear()
        elif self.plan.is_used(value):
            self.assign(value, expression, span)
        elif expression.atoms:
            self.add(Simple(ast.Expr(expression.node), span), [expression])

    def assign(self, value: Value, expression: Expression, span: Span | None) -> None:
        variable = self.plan.variable(value)
        target = name(self.plan.names.variable(variable))
        if isinstance(expression.node, ast.Name) and expression.node.id == target.id:
            return
        statement = assignment(target, expression.node, isinstance(value.type, ScalarType), span)
        self.add(statement, [expression], [variable])

    def copies(self, pairs: Sequence[tuple[Value, Operand, Expression]], span: Span | None = None) -> None:
        """Assign all at once: one by one where the order allows it, else as a tuple."""
        rest = [
            (target, expression)
            for target, source, expression in pairs
            if source is not UNBOUND and not self._is_variable(expression, target)
        ]
        ordered: list[tuple[Value, Expression]] = []
        original = list(rest)
        while rest:
            variables = [self.plan.variable(target) for target, _ in rest]
            free = next(
                (
                    index
                    for index, variable in enumerate(variables)
                    if all(variable not in rest[other][1].reads for other in range(len(rest)) if other != index)
                ),
                None,
            )
            if free is None:
                break
            ordered.append(rest.pop(free))
        if not _keeps_order([*(item for _, item in ordered), *(item for _, item in rest)]):
            ordered, rest = [], original
        for index, (target, expression) in enumerate(ordered):
            self.in_flight[:] = [later for _, later in (*ordered[index:], *rest)]
            self.assign(target, expression, span)
        if len(rest) == 1:
            self.assign(*rest[0], span)
        elif rest:
            targets: list[ast.expr] = [name(self.plan.names.variable(self.plan.variable(target))) for target, _ in rest]
            values = ast.Tuple([expression.node for _, expression in rest], ast.Load())
            node = ast.Assign([ast.Tuple(targets, ast.Store())], values)
            self.add(Simple(node, span), [item for _, item in rest], [self.plan.variable(target) for target, _ in rest])

    def _is_variable(self, expression: Expression, target: Value) -> bool:
        node = expression.node
        return isinstance(node, ast.Name) and node.id == self.plan.names.variable(self.plan.variable(target))

    def call(self, node: Call) -> None:
        """Write one call."""
        function = node.function.value if isinstance(node.function, Constant) else None
        if node.result in self.plan.repeated:
            return
        if function is operations.comment:
            self.settle([self.plan.step(node)])
            assert isinstance(node.arguments[0], Constant)
            self.statements.append(Comment(str(node.arguments[0].value)))
        elif function is operator.setitem or function is operations.store_cell:
            self._store(node)
        elif function in (operator.delitem, setattr, delattr) and self._statement(node):
            pass
        elif not isinstance(node.result.type, ScalarType) and is_inplace(node.function):
            self._update(node)
        else:
            self.define(node.result, self.expression(node), node.span, node.exact)

    def _own(self, node: Call) -> tuple[Atom, ...]:
        return (self.plan.step(node),)

    def _store(self, node: Call) -> None:
        """``container[index] = value``."""
        if len(node.arguments) == 3:
            container, index, value = node.arguments
        else:
            (container, value), index = node.arguments, Constant(0)
        is_number = self._may_step(value)
        taken = self.take([value, container, index], self._own(node), longest=_LONGEST_STATEMENT)
        target = subscript(taken[1].node, taken[2].node)
        # evaluating the container and the index once instead of twice must make no difference
        once = not taken[1].atoms and not taken[2].atoms
        statement = assignment(target, taken[0].node, once and is_number, node.span)
        self.add(statement, [combine(target, taken, self._own(node))])
        self._fold_owner(container, statement)

    def _may_step(self, value: Operand) -> bool:
        """Whether ``x += y`` is as good as ``x = x + y`` for this sum: of numbers, or in adjoint code."""
        if not isinstance(value, Value):
            return False
        return isinstance(value.type, ScalarType) or (value in self.pending and not self.pending[value].exact)

    def _statement(self, node: Call) -> bool:
        """``del container[index]``, ``receiver.name = value``, ``del receiver.name``; False where a call must stand."""
        assert isinstance(node.function, Constant)
        function = node.function.value
        if function is operator.delitem:
            taken = self.take(node.arguments, self._own(node))
            target: ast.expr = subscript(taken[0].node, taken[1].node)
            statement: ast.stmt = ast.Delete([target])
        else:
            attribute = node.arguments[1]
            if not (isinstance(attribute, Constant) and str(attribute.value).isidentifier()):
                return False
            operands = [*node.arguments[2:], node.arguments[0]]
            is_number = self._may_step(operands[0])
            taken = self.take(operands, self._own(node))
            target = ast.Attribute(taken[-1].node, str(attribute.value), ast.Store())
            if function is setattr:
                step = assignment(target, taken[0].node, is_number and not taken[-1].atoms, node.span)
                self.add(step, [combine(target, taken, self._own(node))])
                self._fold_owner(node.arguments[0], step)
                return True
            statement = ast.Delete([target])
        self.add(Simple(statement, node.span), [combine(target, taken, self._own(node))])
        return True

    def _fold_owner(self, owner: Operand, statement: Simple) -> None:
        """``rows[i][j] += e`` for ``row = rows[i]; row[j] += e`` where the container is taken for this statement alone."""
        if not (isinstance(owner, Value) and owner.temporary and isinstance(statement.node, ast.AugAssign)):
            return
        target, before = statement.node.target, self.statements[-2] if len(self.statements) > 1 else None
        if self.plan.assignment.uses[owner] != 2 or not isinstance(before, Simple):  # what is read, and what is set
            return
        match target, before.node:
            case (ast.Subscript(ast.Name(used)) | ast.Attribute(ast.Name(used)), ast.Assign([ast.Name(assigned)], value)) if (
                used == assigned == self.plan.names.variable(self.plan.variable(owner))
            ):
                target.value = value
                del self.statements[-2]

    def _update(self, node: Call) -> None:
        """``left += right`` of what may change in place."""
        assert isinstance(node.function, Constant)
        left, right = node.arguments
        for operand in node.arguments:
            if (
                isinstance(operand, Value)
                and operand in self.pending
                and (operand is left or _changes_something(self.pending[operand].expression))
            ):
                self.flush(self.pending[operand])
        used = self.plan.is_used(node.result)
        variable = self.plan.variable(node.result if used or isinstance(left, Constant) else left)
        target = name(self.plan.names.variable(variable))
        if isinstance(left, Constant) or self.plan.variable(left) is not variable:
            first = self.take([left])[0]
            if isinstance(right, Value) and right in self.pending and variable in self.pending[right].expression.reads:
                self.flush(self.pending[right])
            self.add(Simple(ast.Assign([target], first.node), node.span), [first], [variable])
        taken = self.take([right], self._own(node), [variable])
        step = ast.AugAssign(target, INPLACE[node.function.value](), taken[0].node)
        self.add(Simple(step, node.span), [combine(target, taken, self._own(node))], [variable])


def _operands_made_numbers(node: Call) -> frozenset[str]:
    """The operands, "left" or "right", that may be arrays where an operator gives a number."""
    if is_of_numbers(node) or not isinstance(node.result.type, ScalarType):
        return frozenset()
    return frozenset(side for side, item in zip(("left", "right"), node.arguments, strict=False) if not _is_number(item))


def _is_number(operand: Operand) -> bool:
    return isinstance(operand, Constant) or isinstance(strip_optional(operand.type), ScalarType)


def _changes_something(expression: Expression) -> bool:
    return any(atom.effects.writes or atom.effects.acts for atom in expression.atoms)


def _precedes(atoms: Sequence[Atom], entries: Sequence[Pending]) -> bool:
    """Whether one of some steps must come before something pending."""
    later = [atom for entry in entries for atom in entry.expression.atoms]
    return any(mine.place < other.place and mine.conflicts(other) for mine in atoms for other in later)


def _is_barred(entry: Pending, steps: Sequence[Atom], assigned: Collection[Variable]) -> bool:
    """Whether something pending may not be evaluated after a statement that does `steps` and assigns some variables."""
    if not entry.expression.reads.isdisjoint(assigned):
        return True
    return any(mine.place < other.place and mine.conflicts(other) for mine in entry.expression.atoms for other in steps)


def combine(tree: ast.expr, parts: Sequence[Expression], own: tuple[Atom, ...] = ()) -> Expression:
    atoms = (*[atom for part in parts for atom in part.atoms], *own)
    reads = _NOTHING.union(*[part.reads for part in parts])
    called = size_of(tree.func) if isinstance(tree, ast.Call) else 0
    return Expression(tree, atoms, reads, called + sum([part.size + 3 for part in parts]))


def _size_of_slice(part: slice) -> int:
    """About how long a slice is where it is an index: ``::-1``."""
    return 2 + sum(len(repr(bound)) for bound in (part.start, part.stop, part.step) if bound is not None)


def _keeps_order(expressions: Sequence[Expression]) -> bool:
    atoms = [atom for expression in expressions for atom in expression.atoms]
    return not any(
        earlier.place > later.place and earlier.conflicts(later) for index, later in enumerate(atoms) for earlier in atoms[:index]
    )


def merged(effects: Sequence[Effects]) -> Effects:
    """All that some operations do."""
    return Effects(
        reads=any(item.reads for item in effects),
        writes=any(item.writes for item in effects),
        allocates=any(item.allocates for item in effects),
        raises=any(item.raises for item in effects),
        acts=any(item.acts for item in effects),
    )
