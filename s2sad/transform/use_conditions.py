"""Replace values by what they are where a condition holds: in the trip for which a flag is still set, what is reset with it.

Before::                                            After::

    bar = if returned:                                  b = for i in r carried (last_1 = returned, b_1 = 0.0):
      yield 1.0                                           b_2 = if last_1:
    else:                                                   t = add(b_1, 1.0)
      yield 0.0                                             yield t
    b = for i in r carried (last_1 = returned,            else:
                            bar_1 = bar, b_1 = 0.0):        yield b_1
      b_2 = if last_1:                                    yield False, b_2
        t = add(b_1, bar_1)
        yield t
      else:
        yield b_1
      yield False, 0.0, b_2

`last_1` is false from the second trip on, so where it is true, every carried value is still its initial one, and what `last_1`
began as is true. This is what the reverse sweep of a loop with an early return consists of.

>>> from s2sad.ir.nodes import Block, Constant, Function, If, Parameter, Return, Value, Yield
>>> from s2sad.ir.types import BOOL
>>> c, x, y, z = Value("c", BOOL), Value("x"), Value("y"), Value("z")
>>> inner = If(c, Block((), Yield((y,))), Block((), Yield((x,))), (z,))
>>> choice = If(c, Block((), Yield((Constant(1.0),))), Block((), Yield((x,))), (y,))
>>> f = Function("f", (Parameter(c), Parameter(x)), Block((choice, inner), Return(z)))
>>> use_conditions(f).body.operations[1].then.terminator.values[0].value
1.0
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeGuard

from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Value,
    While,
    Yield,
    operands_of,
)
from s2sad.ir.types import ScalarType
from s2sad.transform.rewrite import (
    NodeT,
    defined_in,
    leaves,
    map_blocks,
    replace_operands,
    with_blocks,
    with_body,
    with_operations,
)

#: What is known to be true or false somewhere.
Facts = dict[Value, bool]


def use_conditions(fn: Function) -> Function:
    """Put in place of values what they are known to be where a condition was decided."""
    known = _Known.of(fn)
    if not known.choices and not known.flags:
        return fn
    return with_body(fn, _visit(fn.body, {}, known))


@dataclass(frozen=True, slots=True)
class _Known:
    """What a function says of its values. `flags` are carried parameters to which every trip gives the same literal;
    `reset` those to which every trip gives some literal."""

    parameters: frozenset[Value]
    choices: dict[Value, tuple[If, int]] = field(default_factory=dict)
    carried: dict[Value, tuple[For | While, Carried]] = field(default_factory=dict)
    flags: dict[Value, bool] = field(default_factory=dict)
    reset: set[Value] = field(default_factory=set)
    #: What is defined in arms, as far as somebody asked.
    inside: dict[Block, frozenset[Value]] = field(default_factory=dict)

    @staticmethod
    def of(fn: Function) -> _Known:
        known = _Known(frozenset(parameter.value for parameter in fn.parameters))
        for node in regions_of(fn):
            if isinstance(node, If):
                known.choices.update((result, (node, position)) for position, result in enumerate(node.results))
            elif isinstance(node, (For, While)):
                ends = [leaf.values for leaf in leaves(node.body) if isinstance(leaf, Yield)]
                for position, item in enumerate(node.carried):
                    known.carried[item.parameter] = (node, item)
                    given = [end[position] for end in ends]
                    if all(isinstance(operand, Constant) for operand in given):
                        known.reset.add(item.parameter)
                        literals = {operand.value for operand in given if isinstance(operand, Constant)}
                        if literals in ({True}, {False}) and all(map(_is_truth, given)):
                            known.flags[item.parameter] = literals == {True}
        return known

    def with_fact(self, facts: Facts, condition: Operand, truth: bool) -> Facts:
        """The facts, and what follows from one more: a flag that is not what trips make of it is what it began as."""
        found = dict(facts)
        while _is_steady(condition) and condition not in found:
            found[condition] = truth
            if self.flags.get(condition, truth) is truth:
                break
            condition = self.carried[condition][1].initial
        return found

    def in_first_trip(self, facts: Facts) -> set[For | While]:
        """The loops that are in their first trip."""
        return {self.carried[value][0] for value, truth in facts.items() if self.flags.get(value, truth) is not truth}

    def resolve(self, operand: Operand, facts: Facts) -> Operand:
        """What an operand is known to be: a literal or a parameter, or else what makes a carried value needless."""
        first = self.in_first_trip(facts)
        best = current = operand
        while isinstance(current, Value):
            if current in self.carried and self.carried[current][0] in first:
                is_reset = current in self.reset and best is current
                current = self.carried[current][1].initial
                best = current if is_reset else best
            elif current in self.choices and (chosen := self.chosen(current, facts)) is not None:
                current = chosen
            else:
                break
            if isinstance(current, Constant) or current in self.parameters:
                return current
        return best

    def chosen(self, result: Value, facts: Facts) -> Operand | None:
        """The operand that a decided conditional hands on, if that is to be had outside it."""
        node, position = self.choices[result]
        truth = facts.get(node.condition) if isinstance(node.condition, Value) else None
        if truth is None:
            return None
        arm = node.then if truth else node.orelse
        if not isinstance(arm.terminator, Yield):
            return None
        operand = arm.terminator.values[position]
        if arm not in self.inside:
            self.inside[arm] = frozenset(defined_in(arm))
        is_unbound = operand is UNBOUND  # Python raises where it is read, and names the variable
        return None if is_unbound or operand in self.inside[arm] else operand


def _is_steady(condition: Operand) -> TypeGuard[Value]:
    """Whether asking twice gives the same answer: what a list or an array is worth changes with it."""
    return isinstance(condition, Value) and isinstance(condition.type, ScalarType)


def _is_truth(operand: Operand) -> bool:
    return isinstance(operand, Constant) and isinstance(operand.value, bool)


def _visit(block: Block, facts: Facts, known: _Known) -> Block:
    operations = [_visit_node(operation, facts, known) for operation in block.operations]
    return with_operations(block, operations, _visit_node(block.terminator, facts, known))


def _visit_node(node: NodeT, facts: Facts, known: _Known) -> NodeT:
    if facts:
        operands = [operand for operand in operands_of(node) if isinstance(operand, Value)]
        if isinstance(node, (Yield, Break)):  # what is only handed on is best left in the variable that it is in
            operands = [operand for operand in operands if operand not in known.carried or operand in known.reset]
        resolved = {operand: known.resolve(operand, facts) for operand in operands}
        node = replace_operands(node, {old: new for old, new in resolved.items() if new is not old})
    if isinstance(node, (If, Branch)):
        arms = [
            _visit(arm, known.with_fact(facts, node.condition, truth), known)
            for arm, truth in ((node.then, True), (node.orelse, False))
        ]
        return with_blocks(node, arms)
    return map_blocks(node, lambda inner: _visit(inner, facts, known))
