"""Functions: parameters, bodies, nested definitions and lambdas."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace

import gast

from s2sad.frontend.builder import TRUE, Builder, FunctionState, Mode
from s2sad.frontend.dispatch import expression, lower_expression, lower_statements, statement
from s2sad.frontend.lower_statements import Statements
from s2sad.frontend.prune import prune_unused
from s2sad.frontend.scopes import Scope, Scopes
from s2sad.frontend.unbound_reads import is_unbound_at_start
from s2sad.frontend.unsupported import refuse
from s2sad.frontend.walking import FunctionNode, bound_names, parameter_nodes
from s2sad.ir.nodes import Function, MakeFunction, Operand, Parameter, Return, Value


def build_function(
    node: FunctionNode,
    scopes: Scopes,
    *,
    filename: str,
    free_names: frozenset[str],
    package: str,
    class_name: str,
    parent: Builder | None = None,
) -> tuple[Function, FunctionState]:
    """The IR of a function, and what it captures (`FunctionState.captured`)."""
    scope = scopes.by_node[node]
    _refuse_outer_writes(node, scope, filename)
    state = FunctionState(filename, scopes, scope, parent, free_names, package, class_name)
    builder = Builder(state, scope, Mode.FUNCTION)
    for variable, flag in scopes.flags.items():
        if variable.owner is scope and is_unbound_at_start(variable, flag):
            builder.environment[flag] = TRUE
    parameters = _parameters(node.args)
    for parameter in parameters:
        builder.environment[scope.variables[parameter.value.name]] = parameter.value
    builder.make_cells(scope, node)
    docstring = None
    if isinstance(node, gast.Lambda):
        builder.terminator = Return(lower_expression(builder, node.body), builder.span(node.body))
    else:
        docstring, statements = _split_docstring(node.body)
        lower_statements(builder, statements)
    name = "<lambda>" if isinstance(node, gast.Lambda) else node.name
    function = Function(name, parameters, builder.block(), tuple(state.captured.values()), builder.span(node), docstring)
    return function, state


def _split_docstring(body: Sequence[gast.stmt]) -> tuple[str | None, Sequence[gast.stmt]]:
    match body:
        case [gast.Expr(value=gast.Constant(value=str() as text)), *rest]:
            return inspect.cleandoc(text), rest
    return None, body


def _parameters(arguments: gast.arguments) -> tuple[Parameter, ...]:
    first_default = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    parameters = []
    for index, node in enumerate([*arguments.posonlyargs, *arguments.args]):
        positional_only = index < len(arguments.posonlyargs)
        kind = inspect.Parameter.POSITIONAL_ONLY if positional_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(Parameter(Value(node.id), kind, index >= first_default))
    if arguments.vararg is not None:
        parameters.append(Parameter(Value(arguments.vararg.id), inspect.Parameter.VAR_POSITIONAL))
    for node, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append(Parameter(Value(node.id), inspect.Parameter.KEYWORD_ONLY, default is not None))
    if arguments.kwarg is not None:
        parameters.append(Parameter(Value(arguments.kwarg.id), inspect.Parameter.VAR_KEYWORD))
    assert [parameter.value.name for parameter in parameters] == [node.id for node in parameter_nodes(arguments)]
    return tuple(parameters)


def _refuse_outer_writes(node: FunctionNode, scope: Scope, filename: str) -> None:
    if isinstance(node, gast.Lambda):
        return
    declarations = [inner for inner in scope.nodes if isinstance(inner, (gast.Global, gast.Nonlocal))]
    if not declarations:
        return
    written = {name for inner in scope.nodes for name in bound_names(inner)}
    for inner in declarations:
        match inner:
            case gast.Global(names=names):
                if any(name in written for name in names):
                    refuse(filename, inner, "writing a global variable", "return the new value instead")
            case gast.Nonlocal(names=names):
                for name in names:
                    if name in written and scope.resolve(name) is None:
                        refuse(filename, inner, "writing a variable of an enclosing function", "return the new value instead")


# -- nested functions -----------------------------------------------------------------------------------------------------


def make_function(builder: Builder, node: FunctionNode, name: str) -> Value:
    """Append a `MakeFunction`. Defaults are evaluated here; what the function captures is read here."""
    defaults = [
        lower_expression(builder, default) for default in [*node.args.defaults, *node.args.kw_defaults] if default is not None
    ]
    state = builder.state
    definition, inner = build_function(
        node,
        state.scopes,
        filename=state.filename,
        free_names=state.free_names,
        package=state.package,
        class_name=state.class_name,
        parent=builder,
    )
    if isinstance(node, gast.Lambda) and name:
        definition = replace(definition, name=f"<{name}>")  # what it is assigned to says more than `lambda`
    captured: list[Operand] = [builder.place(variable) for variable in inner.captured]
    result = Value(name, temporary=not name)
    builder.operations.append(
        MakeFunction(result, prune_unused(definition), tuple(captured), tuple(defaults), builder.span(node))
    )
    return result


@expression(gast.Lambda)
def _lower_lambda(builder: Builder, node: gast.Lambda, name: str) -> Operand:
    return make_function(builder, node, name)


@statement(gast.FunctionDef)
def _lower_definition(builder: Builder, node: gast.FunctionDef, rest: Statements) -> Statements:
    decorators = [lower_expression(builder, decorator) for decorator in node.decorator_list]
    function = make_function(builder, node, "" if decorators else builder.hint(node.name))
    for index, decorator in enumerate(reversed(decorators), 1):
        last = index == len(decorators)
        function = builder.call(node, decorator, function, name=builder.hint(node.name) if last else "")
    builder.bind(node.name, function, node)
    return rest
