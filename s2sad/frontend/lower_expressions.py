"""Expressions other than comprehensions and lambdas."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

import gast

from s2sad.frontend.builder import Builder, merge
from s2sad.frontend.dispatch import Lowered, as_generator, expression, lower_expression
from s2sad.frontend.unsupported import refuse
from s2sad.ir.nodes import Constant, If, Operand, Value
from s2sad.ir.operations import call_method, call_unpacked, load_captured, make_dict, make_list, make_set, make_tuple

BINARY: Final[dict[type, Callable[[Any, Any], Any]]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.Pow: operator.pow,
    gast.MatMult: operator.matmul,
    gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
    gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}
IN_PLACE: Final[dict[type, Callable[[Any, Any], Any]]] = {
    gast.Add: operator.iadd,
    gast.Sub: operator.isub,
    gast.Mult: operator.imul,
    gast.Div: operator.itruediv,
    gast.FloorDiv: operator.ifloordiv,
    gast.Mod: operator.imod,
    gast.Pow: operator.ipow,
    gast.MatMult: operator.imatmul,
    gast.LShift: operator.ilshift,
    gast.RShift: operator.irshift,
    gast.BitAnd: operator.iand,
    gast.BitOr: operator.ior,
    gast.BitXor: operator.ixor,
}
_UNARY: Final[dict[type, Callable[[Any], Any]]] = {
    gast.USub: operator.neg,
    gast.UAdd: operator.pos,
    gast.Invert: operator.invert,
    gast.Not: operator.not_,
}
_COMPARE: Final[dict[type, Callable[[Any, Any], Any]]] = {
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Is: operator.is_,
    gast.IsNot: operator.is_not,
}


@expression(Lowered)
def _lower_lowered(builder: Builder, node: Lowered, name: str) -> Operand:
    return node.operand


@expression(gast.Constant)
def _lower_constant(builder: Builder, node: gast.Constant, name: str) -> Operand:
    return Constant(node.value)


@expression(gast.Name)
def _lower_name(builder: Builder, node: gast.Name, name: str) -> Operand:
    generator = as_generator(builder, node)
    return builder.read(node.id, node) if generator is None else lower_expression(builder, generator, name)


@expression(gast.BinOp)
def _lower_binary(builder: Builder, node: gast.BinOp, name: str) -> Operand:
    left = lower_expression(builder, node.left)
    right = lower_expression(builder, node.right)
    return builder.call(node, BINARY[type(node.op)], left, right, name=name)


@expression(gast.UnaryOp)
def _lower_unary(builder: Builder, node: gast.UnaryOp, name: str) -> Operand:
    operand = lower_expression(builder, node.operand)
    match node.op, operand:
        case gast.USub(), Constant(value=int() | float() | complex() as number) if not isinstance(number, bool):
            return Constant(-number)
    return builder.call(node, _UNARY[type(node.op)], operand, name=name)


def select(
    builder: Builder,
    node: gast.AST,
    condition: Operand,
    then: Callable[[Builder], Operand],
    orelse: Callable[[Builder], Operand],
    name: str = "",
) -> Value:
    """An `If` with one result, the operand of the arm that is taken."""
    arms = [builder.region(), builder.region()]
    operands = [[then(arms[0])], [orelse(arms[1])]]
    result = Value(name, temporary=not name)
    (then_block, orelse_block), results = merge(builder, arms, [result], operands)
    builder.operations.append(If(condition, then_block, orelse_block, results, builder.span(node)))
    return result


@expression(gast.BoolOp)
def _lower_boolean(builder: Builder, node: gast.BoolOp, name: str) -> Operand:
    def rest(inner: Builder, values: Sequence[gast.expr], hint: str) -> Operand:
        first = lower_expression(inner, values[0], hint if len(values) == 1 else "")
        if len(values) == 1:
            return first
        if isinstance(node.op, gast.And):
            return select(inner, node, first, lambda arm: rest(arm, values[1:], ""), lambda arm: first, hint)
        return select(inner, node, first, lambda arm: first, lambda arm: rest(arm, values[1:], ""), hint)

    return rest(builder, node.values, name)


@expression(gast.IfExp)
def _lower_conditional(builder: Builder, node: gast.IfExp, name: str) -> Operand:
    condition = lower_expression(builder, node.test)
    return select(
        builder,
        node,
        condition,
        lambda arm: lower_expression(arm, node.body),
        lambda arm: lower_expression(arm, node.orelse),
        name,
    )


@expression(gast.Compare)
def _lower_comparison(builder: Builder, node: gast.Compare, name: str) -> Operand:
    def rest(inner: Builder, left: Operand, index: int, hint: str) -> Operand:
        right = lower_expression(inner, node.comparators[index])
        last = index == len(node.ops) - 1
        test = _compare(inner, node, node.ops[index], left, right, hint if last else "")
        if last:
            return test
        return select(inner, node, test, lambda arm: rest(arm, right, index + 1, ""), lambda arm: test, hint)

    return rest(builder, lower_expression(builder, node.left), 0, name)


def _compare(builder: Builder, node: gast.Compare, op: gast.AST, left: Operand, right: Operand, name: str) -> Operand:
    if isinstance(op, gast.In):
        return builder.call(node, operator.contains, right, left, name=name)
    if isinstance(op, gast.NotIn):
        return builder.call(node, operator.not_, builder.call(node, operator.contains, right, left), name=name)
    return builder.call(node, _COMPARE[type(op)], left, right, name=name)


@expression(gast.NamedExpr)
def _lower_walrus(builder: Builder, node: gast.NamedExpr, name: str) -> Operand:
    value = lower_expression(builder, node.value, builder.hint(node.target))
    builder.bind(node.target.id, value, node)
    return value


# -- loads ----------------------------------------------------------------------------------------------------------------


def mangle(builder: Builder, name: str) -> str:
    """Private names of a class, as the compiler changes them."""
    owner = builder.state.class_name.lstrip("_")
    return f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name


@expression(gast.Attribute)
def _lower_attribute(builder: Builder, node: gast.Attribute, name: str) -> Operand:
    base = lower_expression(builder, node.value)
    return builder.call(node, getattr, base, Constant(mangle(builder, node.attr)), name=name)


@expression(gast.Subscript)
def _lower_subscript(builder: Builder, node: gast.Subscript, name: str) -> Operand:
    base = lower_expression(builder, node.value)
    index = lower_expression(builder, node.slice)
    return builder.call(node, operator.getitem, base, index, name=name)


@expression(gast.Slice)
def _lower_slice(builder: Builder, node: gast.Slice, name: str) -> Operand:
    parts = [Constant(None) if part is None else lower_expression(builder, part) for part in (node.lower, node.upper, node.step)]
    return builder.call(node, slice, *parts)


# -- displays -------------------------------------------------------------------------------------------------------------


@expression(gast.Tuple, gast.List, gast.Set)
def _lower_display(builder: Builder, node: gast.Tuple | gast.List | gast.Set, name: str) -> Operand:
    make, convert = {gast.Tuple: (make_tuple, tuple), gast.List: (make_list, list), gast.Set: (make_set, set)}[type(node)]
    return sequence(builder, node, node.elts, make, convert, name)


def sequence(
    builder: Builder, node: gast.AST, elements: Sequence[gast.expr], make: object, convert: type, name: str = ""
) -> Operand:
    """A tuple, list or set of elements, some of which may be starred."""
    parts: list[Operand] = []
    plain: list[Operand] = []
    for element in elements:
        if isinstance(element, gast.Starred):
            if plain:
                parts.append(builder.call(node, make, *plain))
                plain = []
            parts.append(builder.call(element, convert, lower_expression(builder, element.value)))
        else:
            plain.append(lower_expression(builder, element))
    if not parts:
        return builder.call(node, make, *plain, name=name)
    if plain:
        parts.append(builder.call(node, make, *plain))
    return _join(builder, node, operator.or_ if convert is set else operator.add, parts, name)


def _join(builder: Builder, node: gast.AST, join: object, parts: Sequence[Operand], name: str) -> Operand:
    total = parts[0]
    for index, part in enumerate(parts[1:], 2):
        total = builder.call(node, join, total, part, name=name if index == len(parts) else "")
    return total


@expression(gast.Dict)
def _lower_dict(builder: Builder, node: gast.Dict, name: str) -> Operand:
    return mapping(builder, node, list(zip(node.keys, node.values, strict=True)), name)


def mapping(builder: Builder, node: gast.AST, items: Sequence[tuple[gast.expr | None, gast.expr]], name: str = "") -> Operand:
    """A dict; an item without key is a ``**mapping``."""
    parts: list[Operand] = []
    plain: list[Operand] = []
    for key, value in items:
        if key is None:
            if plain:
                parts.append(builder.call(node, make_dict, *plain))
                plain = []
            parts.append(builder.call(node, dict, lower_expression(builder, value)))
        else:
            plain.append(lower_expression(builder, key))
            plain.append(lower_expression(builder, value))
    if not parts:
        return builder.call(node, make_dict, *plain, name=name)
    if plain:
        parts.append(builder.call(node, make_dict, *plain))
    return _join(builder, node, operator.or_, parts, name)


# -- text -----------------------------------------------------------------------------------------------------------------


@expression(gast.JoinedStr, gast.FormattedValue)
def _lower_format(builder: Builder, node: gast.JoinedStr | gast.FormattedValue, name: str) -> Operand:
    arguments: list[Operand] = []
    parts = node.values if isinstance(node, gast.JoinedStr) else [node]
    template = _template(builder, parts, arguments)
    if not arguments:
        return Constant(template.format())
    return builder.call(node, call_method, Constant(template), Constant("format"), *arguments, name=name)


def _template(builder: Builder, parts: Sequence[gast.expr], arguments: list[Operand]) -> str:
    text = ""
    for part in parts:
        if isinstance(part, gast.Constant):
            text += str(part.value).replace("{", "{{").replace("}", "}}")
            continue
        arguments.append(lower_expression(builder, part.value))
        conversion = f"!{chr(part.conversion)}" if part.conversion is not None and part.conversion >= 0 else ""
        spec = ":" + _template(builder, part.format_spec.values, arguments) if part.format_spec is not None else ""
        text += "{" + conversion + spec + "}"
    return text


# -- calls ----------------------------------------------------------------------------------------------------------------


@expression(gast.Call)
def _lower_call(builder: Builder, node: gast.Call, name: str) -> Operand:
    for special in _SPECIAL_CALLS:
        result = special(builder, node, name)
        if result is not None:
            return result
    starred = any(isinstance(argument, gast.Starred) for argument in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )
    if starred:
        function = lower_expression(builder, node.func)
        positional = sequence(builder, node, node.args, make_tuple, tuple)
        items = [(None if keyword.arg is None else gast.Constant(keyword.arg, None), keyword.value) for keyword in node.keywords]
        return builder.call(node, call_unpacked, function, positional, mapping(builder, node, items), name=name)
    if isinstance(node.func, gast.Attribute):
        receiver = lower_expression(builder, node.func.value)
        head: tuple[Operand, ...] = (receiver, Constant(mangle(builder, node.func.attr)))
        callee: object = call_method
    else:
        head = ()
        callee = lower_expression(builder, node.func)
    arguments = [lower_expression(builder, _argument(builder, node.func, argument)) for argument in node.args]
    keywords = [(keyword.arg, lower_expression(builder, keyword.value)) for keyword in node.keywords]
    return builder.call(node, callee, *head, *arguments, name=name, keywords=keywords)


#: Functions that take all elements of a generator expression at once.
_CONSUMING: Final = ("sum", "min", "max", "sorted", "list", "tuple", "set", "frozenset", "dict", "any", "all")


def _argument(builder: Builder, function: gast.expr, argument: gast.expr) -> gast.expr:
    return as_generator(builder, argument, consumed=is_global(builder, function, *_CONSUMING)) or argument


SpecialCall = Callable[[Builder, gast.Call, str], Operand | None]
_SPECIAL_CALLS: Final[list[SpecialCall]] = []


def special_call(function: SpecialCall) -> SpecialCall:
    """Register a form of call that is lowered in its own way; it returns None where it does not apply."""
    _SPECIAL_CALLS.append(function)
    return function


def is_global(builder: Builder, node: gast.expr, *names: str) -> bool:
    """Whether an expression is one of these names, and the name is not bound locally."""
    return (
        isinstance(node, gast.Name)
        and node.id in names
        and builder.variable(node.id) is None
        and node.id not in builder.state.free_names
    )


@special_call
def _lower_super(builder: Builder, node: gast.Call, name: str) -> Operand | None:
    if not is_global(builder, node.func, "super") or node.args or node.keywords or "__class__" not in builder.state.free_names:
        return None
    parameters = builder.state.scope.node.args
    first = [*parameters.posonlyargs, *parameters.args][0]
    own = builder.call(node, load_captured, Constant("__class__"))
    return builder.call(node, lower_expression(builder, node.func), own, builder.read(first.id, node), name=name)


@special_call
def _lower_getattr(builder: Builder, node: gast.Call, name: str) -> Operand | None:
    """``getattr(a, b, default)`` has one of two values: ``getattr(a, b) if hasattr(a, b) else default``."""
    if not is_global(builder, node.func, "getattr") or node.keywords or len(node.args) != 3:
        return None
    if any(isinstance(argument, gast.Starred) for argument in node.args):
        return None
    owner, label, default = [lower_expression(builder, argument) for argument in node.args]
    is_there = builder.call(node, hasattr, owner, label)
    return select(builder, node, is_there, lambda inner: inner.call(node, getattr, owner, label), lambda inner: default, name)


@expression(gast.Yield, gast.YieldFrom)
def _refuse_yield(builder: Builder, node: gast.expr, name: str) -> Operand:
    refuse(builder.state.filename, node, "a generator (`yield`)", "append the values to a list and return it")


@expression(gast.Await)
def _refuse_await(builder: Builder, node: gast.expr, name: str) -> Operand:
    refuse(builder.state.filename, node, "`await`", "call a plain function")


@expression(gast.Starred)
def _refuse_starred(builder: Builder, node: gast.expr, name: str) -> Operand:
    refuse(builder.state.filename, node, "a starred expression here", "write a tuple, `(*a, b)`")
