"""A check that a function is well formed: each value defined once and visible where it is read, ends that fit."""

from __future__ import annotations

from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    For,
    Function,
    If,
    Raise,
    Return,
    Value,
    While,
    Yield,
    blocks_of,
    operands_of,
    parameters_of,
    results_of,
)


def check_ir(fn: Function) -> None:
    defined: set[Value] = set()

    def define(values: tuple[Value, ...], scope: set[Value]) -> None:
        for value in values:
            assert value not in defined, f"{value} is defined twice"
            defined.add(value)
            scope.add(value)

    def check_reads(node: object, scope: set[Value]) -> None:
        for operand in operands_of(node):  # type: ignore[arg-type]
            assert not isinstance(operand, Value) or operand in scope, f"{operand} is not visible in {node}"

    def check(block: Block, outer: set[Value], ends: tuple[type, ...], width: int, parameters: tuple[Value, ...] = ()) -> None:
        scope = set(outer)
        define(parameters, scope)
        for node in block.operations:
            check_reads(node, scope)
            width_inside = len(results_of(node))
            match node:
                case If():
                    for arm in blocks_of(node):
                        check(arm, scope, (Yield, Raise), width_inside)
                case For():
                    check(node.body, scope, (Yield, Break, Raise, Branch), width_inside, parameters_of(node))
                case While():
                    inner = set(scope)
                    define(parameters_of(node), inner)
                    check(node.header, inner, (Yield,), 1)
                    check(node.body, inner, (Yield, Break, Raise, Branch), width_inside)
            define(results_of(node), scope)
        end = block.terminator
        assert isinstance(end, ends), f"{end} must not end this block"
        check_reads(end, scope)
        if isinstance(end, (Yield, Break)):
            assert len(end.values) == width, f"{end} lists {len(end.values)} values, not {width}"
        if isinstance(end, Branch):
            check(end.then, scope, ends, width)
            check(end.orelse, scope, ends, width)

    scope: set[Value] = set()
    define((*(parameter.value for parameter in fn.parameters), *fn.captured), scope)
    check(fn.body, scope, (Return, Raise, Branch), 0)
