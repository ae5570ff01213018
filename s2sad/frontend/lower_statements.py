"""Statements: assignment, `if`, what leaves, `try`, `with`, imports."""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Sequence

import gast

from s2sad.frontend.builder import FALSE, NONE, TRUE, Builder, Mode, merge
from s2sad.frontend.dispatch import LeaveIf, as_generator, lower_expression, lower_statements, statement
from s2sad.frontend.exits import count_falling, is_trivial, leaves
from s2sad.frontend.lower_expressions import IN_PLACE, mangle
from s2sad.frontend.scopes import assigned_variables
from s2sad.frontend.unsupported import refuse
from s2sad.frontend.walking import is_read_in_one_place, walk_all
from s2sad.ir.nodes import UNBOUND, Branch, Break, Constant, If, Operand, Raise, Return, Yield
from s2sad.ir.operations import unpack

Statements = list[gast.stmt]

# -- assignment -----------------------------------------------------------------------------------------------------------


@statement(gast.Pass, gast.Global, gast.Nonlocal)
def _lower_nothing(builder: Builder, node: gast.stmt, rest: Statements) -> Statements:
    return rest


@statement(gast.Expr)
def _lower_expression_statement(builder: Builder, node: gast.Expr, rest: Statements) -> Statements:
    lower_expression(builder, node.value)
    return rest


@statement(gast.Assign)
def _lower_assign(builder: Builder, node: gast.Assign, rest: Statements) -> Statements:
    name = next(filter(None, map(builder.hint, node.targets)), "")
    if len(node.targets) == 1 and _assign_displays(builder, node.targets[0], node.value):
        return rest
    if len(node.targets) == 1 and _defer_generator(builder, node.targets[0], node.value, rest):
        return rest
    value = lower_expression(builder, _as_list(builder, node.targets, node.value), name)
    for target in node.targets:
        assign(builder, target, value)
    return rest


@statement(gast.AnnAssign)
def _lower_annotated(builder: Builder, node: gast.AnnAssign, rest: Statements) -> Statements:
    if node.value is not None:
        assign(builder, node.target, lower_expression(builder, node.value, builder.hint(node.target)))
    return rest


def _assign_displays(builder: Builder, target: gast.expr, value: gast.expr) -> bool:
    """``a, b = b, a``: no tuple is made."""
    if not (isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List))):
        return False
    if len(target.elts) != len(value.elts) or any(isinstance(element, gast.Starred) for element in [*target.elts, *value.elts]):
        return False
    values = [lower_expression(builder, element, builder.hint(own)) for own, element in zip(target.elts, value.elts, strict=True)]
    for own, operand in zip(target.elts, values, strict=True):
        assign(builder, own, operand)
    return True


def _defer_generator(builder: Builder, target: gast.expr, value: gast.expr, rest: Statements) -> bool:
    """``g = (… for v in x)`` that is read in one place: its elements are computed there, from the variables as they are then."""
    if not isinstance(value, gast.GeneratorExp) or not isinstance(target, gast.Name):
        return False
    variable = builder.assigned_variable(target.id)
    if variable is None or variable.shared or not is_read_in_one_place(target.id, builder.state.scope.node, rest):
        check_unchanged(builder, value, rest, "that is read in several places")
        return False
    builder.state.generators[variable] = value, lower_expression(builder, value.generators[0].iter)
    return True


def check_unchanged(builder: Builder, generator: gast.GeneratorExp, rest: Sequence[gast.AST], which: str) -> None:
    """The elements of a generator that is not lowered where it is read are computed at once: its variables must stay as they
    are."""
    later = [node for part in [generator.elt, *generator.generators] for node in walk_all([part])]
    names = {node.id for node in later if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)}
    read = {builder.variable(name) for name in names.difference(builder.state.scopes.by_node[generator].variables)}
    for changed in assigned_variables(builder.scope, rest):
        if changed in read:
            refuse(
                builder.state.filename,
                generator,
                f"a generator expression {which}, and sees `{changed.name}` change,",
                "make a list of it: `[… for …]`",
            )


def _as_list(builder: Builder, targets: Sequence[gast.expr], value: gast.expr) -> gast.expr:
    """``a, *b = (x, *y)`` takes the tuple apart at once, ``a, b = (x for …)`` the generator: a list does as well, and may have
    any length."""
    if len(targets) == 1 and isinstance(targets[0], (gast.Tuple, gast.List)):
        generator = as_generator(builder, value, consumed=True)
        if generator is not None:
            return generator
    if not isinstance(value, gast.Tuple) or not any(isinstance(element, gast.Starred) for element in value.elts):
        return value
    if not all(isinstance(target, (gast.Tuple, gast.List)) for target in targets):
        return value
    return gast.copy_location(gast.List(value.elts, value.ctx), value)


def assign(builder: Builder, target: gast.expr, value: Operand) -> None:
    """Bind a target to a value."""
    match target:
        case gast.Name():
            builder.bind(target.id, value, target)
        case gast.Tuple() | gast.List():
            _unpack(builder, target, value)
        case gast.Subscript():
            base = lower_expression(builder, target.value)
            builder.call(target, operator.setitem, base, lower_expression(builder, target.slice), value)
        case gast.Attribute():
            base = lower_expression(builder, target.value)
            builder.call(target, setattr, base, Constant(mangle(builder, target.attr)), value)
        case _:
            refuse(builder.state.filename, target, "assignment to this target", "assign to a name, an element or an attribute")


def _unpack(builder: Builder, target: gast.Tuple | gast.List, value: Operand) -> None:
    elements = list(target.elts)
    starred = next((index for index, element in enumerate(elements) if isinstance(element, gast.Starred)), None)
    if starred is None:
        counts = [Constant(len(elements))]
    else:
        counts = [Constant(starred), Constant(len(elements) - starred - 1)]
        elements[starred] = elements[starred].value
    parts = builder.call(target, unpack, value, *counts)
    for index, element in enumerate(elements):
        part = builder.call(element, operator.getitem, parts, Constant(index), name=builder.hint(element))
        assign(builder, element, part)


@statement(gast.AugAssign)
def _lower_augmented(builder: Builder, node: gast.AugAssign, rest: Statements) -> Statements:
    update = IN_PLACE[type(node.op)]
    match node.target:
        case gast.Name(id=name):
            old = builder.read(name, node.target)
            new = builder.call(node, update, old, lower_expression(builder, node.value), name=builder.hint(name))
            builder.bind(name, new, node)
        case gast.Subscript(value=base_node, slice=index_node):
            base = lower_expression(builder, base_node)
            index = lower_expression(builder, index_node)
            old = builder.call(node.target, operator.getitem, base, index)
            new = builder.call(node, update, old, lower_expression(builder, node.value))
            builder.call(node, operator.setitem, base, index, new)
        case gast.Attribute(value=base_node, attr=attribute):
            base = lower_expression(builder, base_node)
            key = Constant(mangle(builder, attribute))
            old = builder.call(node.target, getattr, base, key)
            new = builder.call(node, update, old, lower_expression(builder, node.value))
            builder.call(node, setattr, base, key, new)
    return rest


@statement(gast.Delete)
def _lower_delete(builder: Builder, node: gast.Delete, rest: Statements) -> Statements:
    for target in node.targets:
        _delete(builder, target)
    return rest


def _delete(builder: Builder, target: gast.expr) -> None:
    match target:
        case gast.Name():
            if (variable := builder.assigned_variable(target.id)) is not None:
                builder.check_bound(variable, target)
            builder.bind(target.id, UNBOUND, target)
        case gast.Tuple() | gast.List():
            for element in target.elts:
                _delete(builder, element)
        case gast.Subscript():
            base = lower_expression(builder, target.value)
            builder.call(target, operator.delitem, base, lower_expression(builder, target.slice))
        case gast.Attribute():
            builder.call(target, delattr, lower_expression(builder, target.value), Constant(mangle(builder, target.attr)))


# -- leaving --------------------------------------------------------------------------------------------------------------


def leave(builder: Builder, kind: str, value: Operand, node: gast.AST) -> None:
    """``return``, ``break`` or ``continue`` here: a terminator where the block may have it, otherwise a flag."""
    loop = builder.loop
    if builder.mode is Mode.FUNCTION:
        builder.terminator = Return(value, builder.span(node))
        return
    if kind == "return":
        builder.environment[builder.state.returned] = TRUE
        builder.environment[builder.state.return_value] = value
    if builder.mode is Mode.REGION:
        builder.left = True
        if kind != "return":
            assert loop is not None
            builder.environment[loop.broke if kind == "break" else loop.continued] = TRUE
        return
    assert loop is not None
    if kind == "continue":
        builder.terminator = Yield(builder.carried_values())
        return
    if loop.completed is not None:
        builder.environment[loop.completed] = FALSE
    builder.terminator = Break(builder.carried_values(), builder.span(node))


def take_exits(builder: Builder) -> tuple[tuple[str, Operand, Operand], ...]:
    """The flags that a region or loop may have set; they are down again afterwards."""
    flags = [("return", builder.state.returned)]
    if builder.loop is not None:
        flags += [("break", builder.loop.broke), ("continue", builder.loop.continued)]
    exits: list[tuple[str, Operand, Operand]] = []
    for kind, variable in flags:
        flag = builder.environment.pop(variable, FALSE)
        if not (isinstance(flag, Constant) and flag.value is not True):
            value = builder.environment.get(builder.state.return_value, UNBOUND) if kind == "return" else NONE
            exits.append((kind, flag, value))
    builder.environment.pop(builder.state.return_value, None)
    return tuple(exits)


@statement(LeaveIf)
def _lower_leave_if(builder: Builder, node: LeaveIf, rest: Statements) -> Statements:
    if not node.exits:
        return rest
    (kind, flag, value), *others = node.exits
    if isinstance(flag, Constant):
        leave(builder, kind, value, node)
        return []
    arms = [builder.arm(), builder.arm()]
    leave(arms[0], kind, value, node)
    following = LeaveIf(others)
    gast.copy_location(following, node)
    lower_statements(arms[1], [following, *rest])
    _end_with(builder, flag, arms, node)
    return []


@statement(gast.Return)
def _lower_return(builder: Builder, node: gast.Return, rest: Statements) -> Statements:
    leave(builder, "return", NONE if node.value is None else lower_expression(builder, node.value), node)
    return []


@statement(gast.Break, gast.Continue)
def _lower_leave_loop(builder: Builder, node: gast.stmt, rest: Statements) -> Statements:
    leave(builder, "break" if isinstance(node, gast.Break) else "continue", NONE, node)
    return []


@statement(gast.Raise)
def _lower_raise(builder: Builder, node: gast.Raise, rest: Statements) -> Statements:
    exception = None if node.exc is None else lower_expression(builder, node.exc)
    cause = None if node.cause is None else lower_expression(builder, node.cause)
    builder.terminator = Raise(exception, cause, builder.span(node))
    return []


@statement(gast.Assert)
def _lower_assert(builder: Builder, node: gast.Assert, rest: Statements) -> Statements:
    condition = lower_expression(builder, node.test)
    fine, failed = builder.region(), builder.region()
    message = () if node.msg is None else (lower_expression(failed, node.msg),)
    failed.terminator = Raise(failed.call(node, AssertionError, *message), None, builder.span(node))
    (then, orelse), results = merge(builder, [fine, failed])
    builder.operations.append(If(condition, then, orelse, results, builder.span(node)))
    return rest


# -- if -------------------------------------------------------------------------------------------------------------------


@statement(gast.If)
def _lower_if(builder: Builder, node: gast.If, rest: Statements) -> Statements:
    return branch(builder, lower_expression(builder, node.test), node.body, node.orelse, rest, node)


def branch(
    builder: Builder, condition: Operand, then: Sequence[gast.stmt], orelse: Sequence[gast.stmt], rest: Statements, node: gast.AST
) -> Statements:
    """``if condition`` with what follows; returns what is still to be lowered."""
    if isinstance(condition, Constant) and isinstance(condition.value, bool):
        return [*(then if condition.value else orelse), *rest]
    if (leaves(then) or leaves(orelse)) and (count_falling(then) + count_falling(orelse) <= 1 or is_trivial(rest)):
        arms = [builder.arm(), builder.arm()]
        lower_statements(arms[0], [*then, *rest])
        lower_statements(arms[1], [*orelse, *rest])
        _end_with(builder, condition, arms, node)
        return []
    arms = [builder.region(), builder.region()]
    lower_statements(arms[0], then)
    lower_statements(arms[1], orelse)
    if arms[0].terminator is not None and arms[1].terminator is not None:
        _hoist(builder, condition, arms, node)
        return []
    (then_block, orelse_block), results = merge(builder, arms)
    builder.operations.append(If(condition, then_block, orelse_block, results, builder.span(node)))
    return leave_after(builder, rest, node)


def leave_after(builder: Builder, rest: Statements, node: gast.AST) -> Statements:
    """What follows a region: first leave if the region says so."""
    exits = take_exits(builder)
    return [gast.copy_location(LeaveIf(exits), node), *rest] if exits else rest


def _end_with(builder: Builder, condition: Operand, arms: Sequence[Builder], node: gast.AST) -> None:
    """End a block by two arms that hold all the rest."""
    span = builder.span(node)
    if builder.is_tree:
        builder.terminator = Branch(condition, arms[0].block(), arms[1].block(), span)
    elif arms[0].terminator is not None and arms[1].terminator is not None:
        _hoist(builder, condition, arms, node)
    else:
        (then, orelse), results = merge(builder, arms)
        builder.operations.append(If(condition, then, orelse, results, span))
        builder.left = True


def _hoist(builder: Builder, condition: Operand, arms: Sequence[Builder], node: gast.AST) -> None:
    """Both arms raise: the second one ends the block itself."""
    empty = builder.region()
    builder.operations.append(If(condition, arms[0].block(), empty.block(), (), builder.span(node)))
    builder.operations.extend(arms[1].operations)
    builder.terminator = arms[1].terminator


# -- imports and refusals -------------------------------------------------------------------------------------------------


@statement(gast.Import)
def _lower_import(builder: Builder, node: gast.Import, rest: Statements) -> Statements:
    for alias in node.names:
        try:
            module = importlib.import_module(alias.name)
        except ImportError:
            value: Operand = builder.call(node, importlib.import_module, Constant(alias.name))
        else:
            value = Constant(module if alias.asname else sys.modules[alias.name.partition(".")[0]])
        builder.bind(alias.asname or alias.name.partition(".")[0], value, node)
    return rest


@statement(gast.ImportFrom)
def _lower_import_from(builder: Builder, node: gast.ImportFrom, rest: Statements) -> Statements:
    name = "." * (node.level or 0) + (node.module or "")
    try:
        module: Operand = Constant(importlib.import_module(name, builder.state.package or None))
    except ImportError:
        module = builder.call(node, importlib.import_module, Constant(name), Constant(builder.state.package or None))
    for alias in node.names:
        bound = alias.asname or alias.name
        builder.bind(bound, _member(builder, node, module, name, alias.name, bound), node)
    return rest


def _member(builder: Builder, node: gast.AST, module: Operand, package: str, member: str, name: str) -> Operand:
    if isinstance(module, Constant) and not hasattr(module.value, member):
        separator = "" if package.endswith(".") else "."
        try:
            return Constant(importlib.import_module(f"{package}{separator}{member}", builder.state.package or None))
        except ImportError:
            pass
    return builder.call(node, getattr, module, Constant(member), name=builder.hint(name))


@statement(gast.ClassDef)
def _refuse_class(builder: Builder, node: gast.stmt, rest: Statements) -> Statements:
    refuse(builder.state.filename, node, "a class statement inside a function", "define the class outside of it")


@statement(gast.AsyncFunctionDef, gast.AsyncFor, gast.AsyncWith)
def _refuse_async(builder: Builder, node: gast.stmt, rest: Statements) -> Statements:
    refuse(builder.state.filename, node, "asynchronous code", "write a plain function or loop")
