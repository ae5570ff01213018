"""A block under construction: its operations so far, and which value each variable has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NoReturn

import gast

from s2sad.frontend.scopes import Scope, Scopes, Variable
from s2sad.ir.nodes import UNBOUND, Block, Call, Constant, If, Operand, Operation, Raise, Return, Span, Terminator, Value, Yield
from s2sad.ir.operations import load_captured, load_cell, load_global, make_cell, store_cell

TRUE: Final = Constant(True)
FALSE: Final = Constant(False)
NONE: Final = Constant(None)


class Mode(Enum):
    """What it takes to leave: a `Return`, the terminators of a loop body, or flags that are read after the region."""

    FUNCTION = "function"
    LOOP = "loop"
    REGION = "region"


def read_unbound(name: str) -> NoReturn:
    """The read of a variable that no path has bound."""
    raise UnboundLocalError(unbound_message(name))


def unbound_message(name: str) -> str:
    """What Python says where a variable is read that has no value."""
    return f"cannot access local variable {name!r} where it is not associated with a value"


@dataclass(eq=False, slots=True)
class Loop:
    """A loop under construction: what goes round, and its flags."""

    carried: tuple[Variable, ...]
    #: Carried: whether no ``break`` was met, for an ``else`` clause.
    completed: Variable | None
    broke: Variable = field(default_factory=lambda: Variable("broke", hidden=True))
    continued: Variable = field(default_factory=lambda: Variable("continued", hidden=True))


@dataclass(eq=False, slots=True)
class FunctionState:
    """One function under construction."""

    filename: str
    scopes: Scopes
    scope: Scope
    parent: Builder | None
    free_names: frozenset[str]
    package: str
    class_name: str
    returned: Variable = field(default_factory=lambda: Variable("returned", hidden=True))
    return_value: Variable = field(default_factory=lambda: Variable("return_value", hidden=True))
    captured: dict[Variable, Value] = field(default_factory=dict)
    #: Generator expressions that are lowered where their variable is read, each with its first iterable.
    generators: dict[Variable, tuple[gast.GeneratorExp, Operand]] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Builder:
    """A block under construction."""

    state: FunctionState
    scope: Scope
    mode: Mode
    loop: Loop | None = None
    environment: dict[Variable, Operand] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    terminator: Terminator | None = None
    #: A flag is set, or nested blocks hold the rest: nothing may follow in this block.
    left: bool = False

    @property
    def ended(self) -> bool:
        return self.left or self.terminator is not None

    @property
    def is_tree(self) -> bool:
        return self.mode is not Mode.REGION

    def arm(self, mode: Mode | None = None) -> Builder:
        """A block nested here, which starts from the present values."""
        return Builder(self.state, self.scope, mode or self.mode, self.loop, dict(self.environment))

    def region(self) -> Builder:
        return self.arm(Mode.REGION)

    def span(self, node: gast.AST) -> Span:
        return Span(
            self.state.filename,
            getattr(node, "lineno", None) or 0,
            getattr(node, "col_offset", None) or 0,
            getattr(node, "end_lineno", None) or 0,
            getattr(node, "end_col_offset", None) or 0,
        )

    def call(
        self,
        node: gast.AST,
        function: object,
        *arguments: Operand,
        name: str = "",
        keywords: Sequence[tuple[str, Operand]] = (),
        temporary: bool | None = None,
    ) -> Value:
        """Append a `Call`; with a name the result is a user variable."""
        result = Value(name, temporary=not name if temporary is None else temporary)
        callee = function if isinstance(function, (Value, Constant)) else Constant(function)
        self.operations.append(Call(result, callee, arguments, tuple(keywords), self.span(node)))
        return result

    # -- variables ----------------------------------------------------------------------------------------------------

    def place(self, variable: Variable) -> Operand:
        """What the environment holds: the value, or the cell of a shared variable."""
        if self.owns(variable):
            return value_in(self.environment, variable)
        captured = self.state.captured.get(variable)
        if captured is None:
            captured = self.state.captured[variable] = Value(variable.name)
        return captured

    def variable(self, name: str) -> Variable | None:
        return self.scope.resolve(name)

    def assigned_variable(self, name: str) -> Variable | None:
        """The variable that a binding means: a walrus inside a comprehension binds in the function around it."""
        scope = self.scope if name in self.scope.variables else self.scope.function
        return scope.resolve(name)

    def read(self, name: str, node: gast.AST) -> Operand:
        variable = self.variable(name)
        if variable is not None:
            place = self.place(variable)
            if place is UNBOUND:
                return self.call(node, read_unbound, Constant(name), temporary=True)
            self.check_bound(variable, node)
            return self.call(node, load_cell, place, name=name, temporary=True) if variable.shared else place
        captured = name in self.state.free_names and name not in self.scope.globals
        return self.call(node, load_captured if captured else load_global, Constant(name), name=name, temporary=True)

    def check_bound(self, variable: Variable, node: gast.AST) -> None:
        """Raise where a variable is unbound, if it has a flag."""
        flag = self.state.scopes.flags.get(variable)
        is_known = node not in self.state.scopes.uncertain
        if flag is None or (is_known and (flag.shared or not self.owns(variable))):
            return
        is_unbound = self.flag_of(variable)
        if is_unbound is FALSE:
            return
        if flag.shared:
            is_unbound = self.call(node, load_cell, is_unbound, name=flag.name, temporary=True)
        failed, fine = self.region(), self.region()
        error = failed.call(node, *self.error_of_unbound(variable))
        failed.terminator = Raise(error, None, self.span(node))
        self.operations.append(If(is_unbound, failed.block(), fine.block(), (), self.span(node)))
        if self.owns(variable) and not flag.shared:  # what follows is not reached otherwise
            self.environment[flag] = FALSE

    def error_of_unbound(self, variable: Variable) -> tuple[type[NameError], Constant]:
        """What Python raises where a variable is read that has no value: of this function, or of one around it."""
        if self.owns(variable):
            return UnboundLocalError, Constant(unbound_message(variable.name))
        message = f"cannot access free variable {variable.name!r} where it is not associated with a value in enclosing scope"
        return NameError, Constant(message)

    def flag_of(self, variable: Variable) -> Operand:
        """Whether a variable is unbound here. A function that is made where it is bound for good need not ask."""
        flag = self.state.scopes.flags.get(variable)
        if flag is None:
            return FALSE
        if self.owns(variable):
            return self.environment.get(flag, FALSE)
        assert self.state.parent is not None
        if flag.shared:
            return self.place(flag)
        return FALSE if variable.shared or self.state.parent.flag_of(variable) is FALSE else self.place(flag)

    def owns(self, variable: Variable) -> bool:
        """Whether it is a variable of this function, and not of one around it."""
        return variable.owner is None or variable.owner.function is self.state.scope

    def hint(self, target: gast.AST | str | None) -> str:
        """The name for a value that `target` will be bound to; none where it goes into a cell."""
        name = target if isinstance(target, str) else target.id if isinstance(target, gast.Name) else ""
        variable = self.assigned_variable(name) if name else None
        return "" if variable is None or variable.shared else name

    def bind(self, name: str, value: Operand, node: gast.AST) -> None:
        variable = self.assigned_variable(name)
        assert variable is not None, name
        # a cell cannot be emptied; only a program that fails anyway reads what is left in it
        self.set(variable, NONE if value is UNBOUND and (variable.shared or variable.filled) else value, node)
        if (flag := self.state.scopes.flags.get(variable)) is not None:
            self.set(flag, TRUE if value is UNBOUND else FALSE, node)

    def set(self, variable: Variable, value: Operand, node: gast.AST) -> None:
        if variable.shared:
            self.call(node, store_cell, self.place(variable), value)
        else:
            self.environment[variable] = value

    def make_cells(self, scope: Scope, node: gast.AST) -> None:
        """The cells of a scope's shared variables, made at its start, and of their flags."""
        flags = [flag for variable, flag in self.state.scopes.flags.items() if variable.owner is scope]
        for variable in (*scope.variables.values(), *flags):
            if variable.shared:
                content = value_in(self.environment, variable)
                self.environment[variable] = self.call(node, make_cell, content, name=variable.name, temporary=False)

    # -- ends ---------------------------------------------------------------------------------------------------------

    def carried_values(self) -> tuple[Operand, ...]:
        assert self.loop is not None
        return tuple(value_in(self.environment, variable) for variable in self.loop.carried)

    def finish(self) -> None:
        """End a tree that falls through."""
        if self.ended:
            return
        if self.mode is Mode.FUNCTION:
            self.terminator = Return(NONE)
        elif self.mode is Mode.LOOP:
            self.terminator = Yield(self.carried_values())

    def block(self, values: Sequence[Operand] = ()) -> Block:
        """The finished block; a region that falls through yields `values`."""
        return Block(tuple(self.operations), self.terminator or Yield(tuple(values)))


def initial_of(variable: Variable) -> Operand:
    """What a variable holds before anything was assigned: flags are down."""
    if variable.filled:
        return NONE
    return FALSE if variable.hidden and variable.name != "return_value" else UNBOUND


def value_in(environment: dict[Variable, Operand], variable: Variable) -> Operand:
    return environment.get(variable) or initial_of(variable)


def same(first: Operand, second: Operand) -> bool:
    if first is second:
        return True
    match first, second:
        case Constant(value=a), Constant(value=b):
            return a is b
    return False


def merge(
    builder: Builder,
    arms: Sequence[Builder],
    own: Sequence[Value] = (),
    yielded: Sequence[Sequence[Operand]] = (),
    may_stop: bool = False,
) -> tuple[list[Block], tuple[Value, ...]]:
    """Join regions: their blocks, and the results. `own` results come first, with the operands `yielded` by each arm; then one
    result for each variable that some arm has changed, which the environment of `builder` takes over. Where the arms `may_stop`
    half way and what follows is reached all the same, not even a constant is certain after them."""
    live = [index for index, arm in enumerate(arms) if arm.terminator is None]
    values: list[list[Operand]] = [list(yielded[index]) if yielded else [] for index in range(len(arms))]
    results = list(own)
    changed: dict[Variable, None] = {}
    for index in live:
        for variable, operand in arms[index].environment.items():
            if not same(operand, value_in(builder.environment, variable)):
                changed[variable] = None
    outer = {id(operand) for operand in builder.environment.values()}
    updates: dict[Variable, Operand] = {}
    for variable in changed:
        operands = [value_in(arms[index].environment, variable) for index in live]
        first = operands[0]
        if not may_stop and (isinstance(first, Constant) or id(first) in outer) and all(same(first, other) for other in operands):
            updates[variable] = first
            continue
        updates[variable] = result = Value(variable.name, temporary=variable.hidden)
        results.append(result)
        for index, operand in zip(live, operands, strict=True):
            values[index].append(operand)
    builder.environment.update(updates)
    return [arm.block(values[index]) for index, arm in enumerate(arms)], tuple(results)
