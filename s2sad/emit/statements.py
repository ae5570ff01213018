"""Writes the statements of a function: control flow around the straight-line code of :mod:`s2sad.emit.folding`.

A tree that ends with `Branch` reads as a guard where one arm leaves::

    branch c:                      if c:
      then: break         ->           break
      orelse: y = …; yield         y = …
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from s2sad.analysis.own_names import group_maker, with_own_name
from s2sad.emit.coalesce import Variable, leaves, never_exhausts
from s2sad.emit.conditional_expressions import write_conditional_expression
from s2sad.emit.expressions import Atom, Expression, Names, name, negate
from s2sad.emit.folding import Plan, Writer, combine, merged
from s2sad.emit.forms import (
    if_statement,
    lambda_expression,
    number_of_targets,
    parameter_texts,
    shortest_count,
    unpacking_target,
    without_bool,
)
from s2sad.emit.idle_assignments import drop_idle_assignments
from s2sad.emit.layout import (
    DefStatement,
    Except,
    ForStatement,
    IfStatement,
    ParameterText,
    Simple,
    Statement,
    TryStatement,
    WhileStatement,
    WithStatement,
)
from s2sad.emit.plan import is_lambda, make_plan, yields_of_condition
from s2sad.emit.unbound import bind_copied
from s2sad.emit.unpacking import find_unpacking
from s2sad.ir import operations
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    function_of,
    walk,
)
from s2sad.ir.types import BOOL


@dataclass(slots=True, eq=False)
class Scope:
    """A function and what its names need: the plan, and the functions nested in it."""

    function: Function
    plan: Plan
    parent: Scope | None = None
    #: the variables of captured values belong to the surroundings
    borrowed: dict[Value, Variable] = field(default_factory=dict)
    children: list[Scope] = field(default_factory=list)
    #: conditionals that were found to be no expressions: nested ones are not tried again and again
    statements_only: set[If] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Flow:
    """What `Yield` and `Break` assign; None stands for a result that nobody reads."""

    on_yield: tuple[Value | None, ...] = ()
    on_break: tuple[Value | None, ...] = ()
    is_loop: bool = False


def write_function(function: Function, names: Names, parent: Scope | None = None) -> tuple[Scope, list[Statement]]:
    """The body of a function."""
    plan = make_plan(function, names)
    if (bound := bind_copied(function, plan.variable)) is not function:
        function, plan = bound, make_plan(bound, names)
    scope = Scope(function, plan, parent)
    if parent is not None:
        parent.children.append(scope)
    statements = drop_idle_assignments(FunctionWriter(scope).tree(function.body, _Flow()), _flags_of(names))
    return scope, _without_last_return(function, statements)


def _flags_of(names: Names) -> Callable[[str], bool]:
    """Whether a placeholder is a variable that only ever holds `True` or `False`."""

    def is_flag(text: str) -> bool:
        members = names.variables[int(text[1:])].members if text.startswith("%") else []
        return bool(members) and all(member.type == BOOL for member in members)

    return is_flag


def _without_last_return(function: Function, statements: list[Statement]) -> list[Statement]:
    """A function that returns nothing needs no `return` at its end."""
    returns = [node for node in leaves(function.body) if isinstance(node, Return)]
    if not all(isinstance(node.value, Constant) and node.value.value is None for node in returns):
        return statements
    match statements:
        case [*rest, Simple(ast.Return())]:
            return rest
        case _:
            return statements


@dataclass(frozen=True, slots=True)
class FunctionWriter:
    """Writes the regions of one function."""

    scope: Scope

    @property
    def plan(self) -> Plan:
        return self.scope.plan

    def target(self, value: Value) -> ast.Name:
        """The name to bind `value` to, or `_`."""
        variable = self.plan.variable(value) if self.plan.is_used(value) else self.plan.throwaway
        return name(self.plan.names.variable(variable))

    def needed(self, results: Sequence[Value]) -> tuple[Value | None, ...]:
        return tuple(result if self.plan.is_used(result) else None for result in results)

    def tree(self, block: Block, flow: _Flow) -> list[Statement]:
        """The statements of a block, up to its end."""
        writer = Writer(self.plan)
        self.operations(writer, block.operations)
        self.terminator(writer, block.terminator, flow)
        return writer.statements

    def operations(self, writer: Writer, nodes: Sequence[Operation]) -> None:
        index = 0
        while index < len(nodes):
            node = nodes[index]
            index += 1
            match node:
                case Call() if function_of(node) is operations.unpack:
                    index += self.unpack(writer, nodes, index - 1)
                case Call():
                    writer.call(node)
                case MakeFunction():
                    self.make_function(writer, node)
                case If():
                    self.conditional(writer, node)
                case For():
                    self.for_loop(writer, node)
                case While():
                    self.while_loop(writer, node)
                case Try():
                    self.attempt(writer, node)
                case With():
                    self.context(writer, node)

    # -- how blocks end

    def terminator(self, writer: Writer, node: Terminator, flow: _Flow) -> None:
        match node:
            case Yield(values):
                self.leave(writer, flow.on_yield, values)
            case Break(values, span):
                self.leave(writer, flow.on_break, values)
                writer.statements.append(Simple(ast.Break(), span))
            case Return(value, span):
                (returned,) = writer.take([value])
                writer.drain()
                is_none = isinstance(returned.node, ast.Constant) and returned.node.value is None
                writer.add(Simple(ast.Return(None if is_none else returned.node), span), [returned])
            case Raise(exception, cause, span):
                given = [operand for operand in (exception, cause) if operand is not None]
                nodes = [part.node for part in writer.take(given)]
                writer.drain()
                writer.statements.append(Simple(ast.Raise(*nodes), span))
            case Branch():
                self.branch(writer, node, flow)

    def leave(self, writer: Writer, targets: Sequence[Value | None], values: Sequence[Operand]) -> None:
        pairs = [(target, value) for target, value in zip(targets, values, strict=False) if target is not None]
        taken = writer.take([value for _, value in pairs])
        writer.drain()
        writer.copies([(target, value, part) for (target, value), part in zip(pairs, taken, strict=True)])

    def branch(self, writer: Writer, node: Branch, flow: _Flow) -> None:
        (test,) = writer.take([node.condition])
        writer.drain()
        then, orelse = self.tree(node.then, flow), self.tree(node.orelse, flow)
        statements = writer.statements
        if not then and not orelse:
            statements += [Simple(ast.Expr(test.node), node.span)] if test.atoms else []
        elif _always_leaves(node.then):
            statements += [if_statement(test.node, then, [], node.span), *orelse]
        elif _always_leaves(node.orelse):
            statements += [if_statement(negate(test.node), orelse, [], node.span), *then]
        elif not orelse:
            statements.append(if_statement(test.node, then, [], node.span))
        elif not then and not flow.is_loop:
            statements.append(if_statement(negate(test.node), orelse, [], node.span))
        elif flow.is_loop and isinstance(node.then.terminator, Yield) and not node.then.operations:
            statements += [if_statement(test.node, [*then, Simple(ast.Continue())], [], node.span), *orelse]
        elif flow.is_loop and isinstance(node.orelse.terminator, Yield) and not node.orelse.operations:
            statements += [if_statement(negate(test.node), [*orelse, Simple(ast.Continue())], [], node.span), *then]
        else:
            statements.append(if_statement(test.node, then, orelse, node.span))

    # -- conditionals

    def conditional(self, writer: Writer, node: If) -> None:
        flow = _Flow(self.needed(node.results))
        wanted = [result for result in node.results if self.plan.is_used(result)]
        if len(wanted) == 1 and node not in self.scope.statements_only:
            if write_conditional_expression(self, writer, node, wanted[0]):
                return
            self.scope.statements_only.add(node)
        if isinstance(node.condition, Value) and node.condition in writer.pending and yields_of_condition(node):
            writer.flush(writer.pending[node.condition])
        (test,) = writer.take([node.condition], self.steps_of(node), self.assigned(node))
        then, orelse = self.tree(node.then, flow), self.tree(node.orelse, flow)
        self.settle(writer, node, test)
        if then or orelse:
            writer.statements.append(if_statement(test.node, then, orelse, node.span))
        elif test.atoms:
            writer.statements.append(Simple(ast.Expr(test.node), node.span))

    def settle(self, writer: Writer, node: Operation, *parts: Expression) -> None:
        """Flush what may not be evaluated after a region: what reads a variable that it assigns, what its effects bar."""
        atoms = [atom for part in parts for atom in part.atoms]
        writer.settle([*atoms, *self.steps_of(node)], self.assigned(node))
        writer.in_flight.clear()

    def steps_of(self, node: Operation) -> tuple[Atom, ...]:
        """What a region does, as the last step so far."""
        inner = list(walk(Block((node,), Yield())))
        effects = merged([effects_of(item) for item in inner if isinstance(item, Call)])
        may_leave = any(isinstance(item, Raise) for item in inner) or isinstance(node, (Try, With))
        return (Atom(len(self.plan.places) + 1, merged([effects, _STOP]) if may_leave else effects, True),)

    def assigned(self, node: Operation) -> list[Variable]:
        return [self.plan.variable(value) for value in _assigned(Block((node,), Yield()))]

    # -- loops

    def enter(self, writer: Writer, carried: tuple[Carried, ...]) -> tuple[Value | None, ...]:
        """Assign the initial values; the parameters that each trip sets."""
        heads = tuple(item.parameter if item.parameter in self.plan.assignment.set_at_head else None for item in carried)
        pairs = [(head, item.initial) for head, item in zip(heads, carried, strict=True) if head is not None]
        taken = writer.take([initial for _, initial in pairs], (), [self.plan.variable(head) for head, _ in pairs])
        writer.copies([(head, initial, part) for (head, initial), part in zip(pairs, taken, strict=True)])
        return heads

    def set_by_trips(self, node: For | While, heads: tuple[Value | None, ...]) -> tuple[Value | None, ...]:
        """The parameters to assign at the end of a trip: not those that every trip leaves at the literal that they began with."""
        ends = [leaf for leaf in leaves(node.body) if isinstance(leaf, Yield)]
        inside = set(_assigned(Block(node.body.operations, node.body.terminator)))

        def stays(place: int, item: Carried) -> bool:
            values = [item.initial, *(leaf.values[place] for leaf in ends)]
            literals = {repr(value.value) for value in values if isinstance(value, Constant) and value is not UNBOUND}
            all_literal = all(isinstance(value, Constant) and value is not UNBOUND for value in values)
            members = self.plan.variable(item.parameter).members
            return all_literal and len(literals) == 1 and inside.isdisjoint(members)

        return tuple(
            None if head is not None and stays(place, item) else head
            for place, (head, item) in enumerate(zip(heads, node.carried, strict=True))
        )

    def for_loop(self, writer: Writer, node: For) -> None:
        heads = self.enter(writer, node.carried)
        (iterable,) = writer.take([node.iterable], self.steps_of(node), self.assigned(node))
        self.settle(writer, node, iterable)
        flow = _Flow(self.set_by_trips(node, heads), self.needed(node.results), is_loop=True)
        target: ast.expr = self.target(node.target)
        body = node.body
        first = body.operations[0] if body.operations else None
        match first:
            case Call(_, Constant(function), (unpacked, *_)) if (
                function is operations.unpack and unpacked is node.target and self.plan.assignment.uses[node.target] == 1
            ):
                pattern = find_unpacking(self.plan, body.operations, 0, self.target)
                if pattern is not None:
                    target = pattern.target
                    body = Block(body.operations[1 + pattern.consumed :], body.terminator)
        run_over = iterable.node if self.plan.is_used(node.target) else shortest_count(iterable.node)
        writer.statements.append(ForStatement(target, run_over, self.tree(body, flow), node.span))

    def while_loop(self, writer: Writer, node: While) -> None:
        heads = self.enter(writer, node.carried)
        self.settle(writer, node)
        flow = _Flow(self.set_by_trips(node, heads), self.needed(node.results), is_loop=True)
        header = Writer(self.plan)
        self.operations(header, node.header.operations)
        assert isinstance(node.header.terminator, Yield)
        (test,) = header.take(node.header.terminator.values)
        header.drain()
        body = self.tree(node.body, flow)
        if not header.statements:
            condition = ast.Constant(True) if never_exhausts(node.header) else without_bool(test.node)
            writer.statements.append(WhileStatement(condition, body, node.span))
            return
        stop = IfStatement(negate(test.node), [Simple(ast.Break())], [], node.span)
        writer.statements.append(WhileStatement(ast.Constant(True), [*header.statements, stop, *body], node.span))

    # -- other regions

    def attempt(self, writer: Writer, node: Try) -> None:
        flow = _Flow(self.needed(node.results))
        self.settle(writer, node)
        classes = writer.take([handler.exception for handler in node.handlers if handler.exception is not None])
        given = iter(classes)
        handlers = []
        for handler in node.handlers:
            exception = None if handler.exception is None else next(given).node
            bound = None if handler.name is None or not self.plan.is_used(handler.name) else self.target(handler.name)
            handlers.append(Except(exception, bound, self.tree(handler.body, flow)))
        writer.statements.append(TryStatement(self.tree(node.body, flow), handlers, node.span))

    def context(self, writer: Writer, node: With) -> None:
        flow = _Flow(self.needed(node.results))
        (context,) = writer.take([node.context], self.steps_of(node), self.assigned(node))
        self.settle(writer, node, context)
        bound = None if node.name is None or not self.plan.is_used(node.name) else self.target(node.name)
        writer.statements.append(WithStatement(context.node, bound, self.tree(node.body, flow), node.span))

    def make_function(self, writer: Writer, node: MakeFunction) -> None:
        maker_of_group = group_maker(node.definition)
        if maker_of_group is not None:
            self.make_group(writer, node, maker_of_group)
            return
        definition, own = with_own_name(node.definition) or (node.definition, None)
        scope, body = write_function(definition, self.plan.names, self.scope)
        if own is not None:
            scope.borrowed[own] = self.plan.variable(node.result)
        bound: list[tuple[Value, Operand]] = []
        for inner, outer in zip(node.definition.captured, node.captured, strict=True):
            if isinstance(outer, Value) and outer not in writer.pending and self.stays(outer, node.result):
                scope.borrowed[inner] = self.plan.variable(outer)
            else:
                # a closure would see later values of the variable: this one is bound by a call or a default
                bound.append((inner, outer))
        taken = writer.take([*(outer for _, outer in bound), *node.defaults])
        parameters = parameter_texts(definition, scope.plan, taken[len(bound) :])
        names = [name(self.plan.names.variable(scope.plan.variable(inner))) for inner, _ in bound]
        values = [part.node for part in taken[: len(bound)]]
        value = (
            body[0].node.value
            if len(body) == 1 and isinstance(body[0], Simple) and isinstance(body[0].node, ast.Return)
            else None
        )
        if is_lambda(definition) and value is not None:
            tree = lambda_expression(parameters, value)
            if bound:
                tree = ast.Call(lambda_expression([ParameterText("", text) for text in names], tree), values, [])
            writer.define(node.result, combine(tree, taken), node.span)
            return
        target = name(self.plan.names.variable(self.plan.variable(node.result)))
        assigned = [self.plan.variable(node.result)]
        is_made_anew = own is not None and self.plan.assignment.depths[node.result] > 0  # each is to call itself
        if is_made_anew or (bound and any(item.prefix for item in parameters)):
            maker = Variable([], -1)
            made: list[Statement] = [
                DefStatement(target, parameters, definition.docstring, body, node.span),
                Simple(ast.Return(target)),
            ]
            make = name(self.plan.names.variable(maker))
            outer_parameters = [ParameterText("", text) for text in names]
            writer.add(DefStatement(make, outer_parameters, None, made, node.span), taken, [maker])
            writer.add(Simple(ast.Assign([target], ast.Call(make, values, []))), taken, assigned)
            return
        parameters += [ParameterText("", text, value) for text, value in zip(names, values, strict=True)]
        writer.add(DefStatement(target, parameters, definition.docstring, body, node.span), taken, assigned)

    def make_group(self, writer: Writer, node: MakeFunction, maker: Function) -> None:
        """A function that others call which it calls: all of them are made by a function of their own."""
        scope, body = write_function(maker, self.plan.names, self.scope)
        taken = writer.take(node.captured)
        make = Variable([], -1)
        text = name(self.plan.names.variable(make))
        writer.add(DefStatement(text, parameter_texts(maker, scope.plan), None, body, node.span), taken, [make])
        target = name(self.plan.names.variable(self.plan.variable(node.result)))
        assigned = [self.plan.variable(node.result)]
        writer.add(Simple(ast.Assign([target], ast.Call(text, [part.node for part in taken], []))), taken, assigned)

    def stays(self, captured: Value, function: Value) -> bool:
        """Whether a variable keeps the value that it has where a function captures it."""
        depths = self.plan.assignment.depths
        return self.plan.variable(captured).members[-1] is captured and (not depths[function] or not depths[captured])

    # -- unpacking

    def unpack(self, writer: Writer, nodes: Sequence[Operation], index: int) -> int:
        """Write ``a, (b, *c) = x``; how many of the following operations that covers."""
        node = nodes[index]
        assert isinstance(node, Call)
        pattern = find_unpacking(self.plan, nodes, index, self.target)
        (source,) = writer.take([node.arguments[0]], writer._own(node))
        own = combine(source.node, [source], writer._own(node))
        if pattern is not None:
            statement = Simple(ast.Assign([pattern.target], source.node), node.span)
            writer.add(statement, [own], [self.plan.variable(value) for value in pattern.assigned])
            return pattern.consumed
        elements = [name(self.plan.names.variable(Variable([], -1))) for _ in range(number_of_targets(node))]
        writer.add(Simple(ast.Assign([unpacking_target(node, list(elements))], source.node), node.span), [own])
        writer.define(node.result, Expression(ast.Tuple(list(elements), ast.Load())), node.span)
        return 0


_STOP = merged([effects_of(Call(Value(""), Constant(operations.comment), ()))])


def _assigned(block: Block) -> list[Value]:
    """All values that are bound in a block."""
    values: list[Value] = []
    for item in walk(block):
        match item:
            case Call(result) | MakeFunction(result):
                values.append(result)
            case If() | Try():
                values += item.results
            case For(target, _, carried):
                values += [*item.results, target, *(entry.parameter for entry in carried)]
            case While(_, carried):
                values += [*item.results, *(entry.parameter for entry in carried)]
            case With(_, bound):
                values += [*item.results, *([] if bound is None else [bound])]
            case _:
                pass
    return values


def _always_leaves(block: Block) -> bool:
    """Whether no path runs on to the next trip."""
    return all(isinstance(leaf, (Break, Return, Raise)) for leaf in leaves(block))


def write_definition(function: Function, names: Names) -> tuple[Scope, DefStatement]:
    """A top-level function. Its name is not a placeholder."""
    scope, body = write_function(function, names)
    return scope, DefStatement(
        name(function.name), parameter_texts(function, scope.plan), function.docstring, body, function.span
    )
