"""Gives every variable and every referred object its name.

A parameter keeps its name always and a user's variable wherever it can; what the generator makes gives way. A temporary
is named after what it computes: ``z / 2`` is `half_z`, ``x[i]`` is `x_i`, ``k + nu`` is `k_plus_nu`.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import operator
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final

import numpy

from s2sad.analysis.phrases import Phrases, base_of_saved
from s2sad.emit.coalesce import Variable
from s2sad.emit.expressions import Names
from s2sad.emit.layout import Statement, nodes_of
from s2sad.emit.liveness import is_append_of_sweep
from s2sad.emit.printer import walk_tree
from s2sad.emit.statements import Scope
from s2sad.ir import operations
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, For, If, MakeFunction, Operand, Value, walk
from s2sad.ir.types import INT

#: The prompt and doctest put the last result among them, under the name `_`.
_BUILTINS: Final = frozenset(dir(builtins)) - {"_"}
_SUMS: Final = (operator.add, operator.sub, operator.iadd, operator.isub)


@dataclass(slots=True, eq=False)
class NameTable:
    """Names of placeholders. `references` and `aliases` hold what the text refers to under which name."""

    names: dict[str, str] = field(default_factory=dict)
    references: dict[str, object] = field(default_factory=dict)
    builtins: set[str] = field(default_factory=set)


#: Where placeholders stand.
_Occurring = dict[str, list[ast.Name | ast.arg]]


def choose_names(root: Scope, statements: Sequence[Statement], names: Names, reserved: frozenset[str]) -> NameTable:
    """Names for all placeholders that occur in `statements`, where they are put in, in place."""
    occurring = _find_placeholders(statements)
    fixed = set(reserved) | names.live | set(keyword.kwlist)
    table = NameTable()
    scopes = [_ScopeNames(scope, names, table, fixed, occurring) for scope in _scopes(root)]
    for scope in scopes:
        scope.user_variables()
    _name_references(names, table, fixed, root.function.name, occurring)
    fixed |= table.references.keys() | table.builtins
    for scope in scopes:
        scope.temporaries()
    for placeholder, nodes in occurring.items():
        chosen = table.names.get(placeholder, placeholder)
        for node in nodes:
            if isinstance(node, ast.Name):
                node.id = chosen
            else:
                node.arg = chosen
    return table


def _scopes(scope: Scope) -> Iterable[Scope]:
    yield scope
    for child in scope.children:
        yield from _scopes(child)


def _find_placeholders(statements: Sequence[Statement]) -> _Occurring:
    found: _Occurring = {}
    for tree in nodes_of(statements):
        for node in walk_tree(tree):
            if isinstance(node, (ast.Name, ast.arg)):
                text = node.id if isinstance(node, ast.Name) else node.arg
                if text[:1] in ("%", "@", "!"):
                    found.setdefault(text, []).append(node)
    return found


def _name_references(names: Names, table: NameTable, fixed: set[str], own: str, occurring: Collection[str]) -> None:
    taken = fixed | set(table.names.values())
    for text in sorted(names.builtins):
        if f"!{text}" in occurring:
            chosen = text if text not in taken else unused(text, taken)
            table.names[f"!{text}"] = chosen
            if chosen == text:
                table.builtins.add(text)
            else:
                table.references[chosen] = getattr(builtins, text)
            taken.add(chosen)
    for index, value in enumerate(names.objects):
        if f"@{index}" in occurring:
            # a function that calls itself does so by its name
            is_self = isinstance(value, Callee) and value.name == own
            chosen = unused(_name_of_object(value), taken | _BUILTINS | (set() if is_self else {own}))
            table.names[f"@{index}"] = chosen
            table.references[chosen] = value
            taken.add(chosen)


def _name_of_object(value: object) -> str:
    if value is numpy:
        return "np"
    own = value.name if isinstance(value, Callee) else getattr(value, "__name__", "")
    if isinstance(value, ModuleType):
        own = value.__name__.rpartition(".")[2]
    return identifier(own) if isinstance(own, str) and own else "constant"


def unused(proposal: str, taken: Iterable[str], numbers: dict[str, int] | None = None) -> str:
    """The proposal, with a number when it is taken; `numbers` are those that are taken below, as long as no name becomes free."""
    held = taken if isinstance(taken, set) else set(taken)
    if proposal not in held:
        return proposal
    number = 2 if numbers is None else numbers.get(proposal, 2)
    while f"{proposal}_{number}" in held:
        number += 1
    if numbers is not None:
        numbers[proposal] = number
    return f"{proposal}_{number}"


def identifier(text: str) -> str:
    """`text` as a Python name."""
    plain = "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in text) or "value"
    plain = f"_{plain}" if plain[0].isdigit() else plain
    return f"{plain}_" if keyword.iskeyword(plain) else plain


@dataclass(slots=True, eq=False)
class _ScopeNames:
    scope: Scope
    names: Names
    table: NameTable
    fixed: set[str]
    occurring: Collection[str]
    definitions: dict[Value, Call | MakeFunction] = field(default_factory=dict)
    #: what loops run over, by their targets
    targets: dict[Value, Operand] = field(default_factory=dict)
    #: the first value that is appended to a list
    appended: dict[Value, Operand] = field(default_factory=dict)
    choices: dict[Value, If] = field(default_factory=dict)
    #: for what is added to something: the name of the sum
    sums: dict[Value, str] = field(default_factory=dict)
    phrases: Phrases = field(init=False)

    def __post_init__(self) -> None:
        for node in walk(self.scope.function.body):
            if isinstance(node, (Call, MakeFunction)):
                self.definitions[node.result] = node
                if isinstance(node, Call) and getattr(node.function, "value", None) in _SUMS and node.result.name:
                    self.sums.update((operand, node.result.name) for operand in node.arguments if isinstance(operand, Value))
                if isinstance(node, Call) and is_append_of_sweep(node) and isinstance(node.arguments[0], Value):
                    self.appended.setdefault(node.arguments[0], node.arguments[2])
            elif isinstance(node, For):
                self.targets[node.target] = node.iterable
            elif isinstance(node, If):
                self.choices.update(dict.fromkeys(node.results, node))
        self.phrases = Phrases(self.definitions, self.known)

    def variables(self) -> list[Variable]:
        found = {id(variable): variable for variable in self.scope.plan.assignment.variables.values()}
        return sorted(
            (variable for variable in found.values() if self.names.variable(variable) in self.occurring),
            key=lambda variable: variable.order,
        )

    def taken(self) -> set[str]:
        """Names that mean something else in this function."""
        mine = {self.table.names.get(self.names.variable(variable), "") for variable in self.variables()}
        borrowed = {
            self.table.names.get(self.names.variable(variable), "")
            for inner in _scopes(self.scope)
            for variable in inner.borrowed.values()
        }
        return self.fixed | mine | borrowed

    def user_variables(self) -> None:
        """Parameters first, then what the primal assigns, then the rest that has a name; the first of a name has it plain."""
        self.borrow()
        parameters = [parameter.value for parameter in self.scope.function.parameters]
        taken = self.taken()
        of_user = {value.name: value for value in parameters if value.name and not value.temporary}
        taken.update(of_user)
        for value in parameters:
            placeholder = self.names.variable(self.scope.plan.variable(value))
            keeps = of_user.get(value.name) is value
            self.table.names[placeholder] = value.name if keeps else unused(value.name or "argument", taken)
            taken.add(self.table.names[placeholder])
        wanted = [
            (self._rank(variable), variable.order, self.names.variable(variable), _user_name(variable))
            for variable in self.variables()
            if _user_name(variable) and self.names.variable(variable) not in self.table.names
        ]
        later = []
        for _, _, placeholder, own in sorted(wanted):
            if own in taken:
                later.append((placeholder, own))
            else:
                self.table.names[placeholder] = own
                taken.add(own)
        numbers: dict[str, int] = {}
        for placeholder, own in later:
            self.table.names[placeholder] = unused(own, taken, numbers)
            taken.add(self.table.names[placeholder])

    def borrow(self) -> None:
        """What is captured has the name that it has outside, as soon as it has one."""
        for inner, outer in self.scope.borrowed.items():
            if (known := self.table.names.get(self.names.variable(outer))) is not None:
                self.table.names[self.names.variable(self.scope.plan.variable(inner))] = known

    def _rank(self, variable: Variable) -> int:
        for member in variable.members:
            node = self.definitions.get(member)
            if member in self.targets or isinstance(node, MakeFunction) or (isinstance(node, Call) and node.exact):
                return 0
        return 1

    def temporaries(self) -> None:
        self.borrow()
        ancestors: set[str] = set()
        scope = self.scope.parent
        while scope is not None:
            ancestors |= {
                self.table.names.get(self.names.variable(item), "") for item in scope.plan.assignment.variables.values()
            }
            scope = scope.parent
        taken = self.taken() | ancestors | _BUILTINS
        throwaway = self.names.variable(self.scope.plan.throwaway)
        if throwaway in self.occurring:
            self.table.names[throwaway] = unused("_", taken)
            taken.add(self.table.names[throwaway])
        taken |= set(dir(builtins))  # among them, at a prompt, `_`
        numbers: dict[str, int] = {}
        for variable in self.variables():
            placeholder = self.names.variable(variable)
            if placeholder not in self.table.names:
                self.table.names[placeholder] = unused(self.propose(variable), taken, numbers)
                taken.add(self.table.names[placeholder])
        if self.scope.parent is None:
            for index in range(len(self.names.variables)):
                placeholder = f"%{index}"
                if placeholder in self.occurring and not self.names.variables[index].members and placeholder != throwaway:
                    self.table.names.setdefault(placeholder, unused("part", taken))
                    taken.add(self.table.names[placeholder])

    def propose(self, variable: Variable) -> str:
        for member in variable.members:
            if member.name:
                return identifier(member.name)
        for member in variable.members:
            choice = self.choices.get(member)
            if choice is not None and (said := self.phrases.of_conditional(choice)):
                return identifier(said)
        for member in variable.members:
            node = self.definitions.get(member)
            if isinstance(node, Call):
                return identifier(self.saved_values(member) or self.part_of(member) or self.phrases.name(node))
            if isinstance(node, MakeFunction):
                return identifier(node.definition.name) if node.definition.name.isidentifier() else "function"
            if member in self.targets:
                return self.element_of(self.targets[member]) or ("i" if member.type == INT else "item")
        return "value"

    def saved_values(self, value: Value) -> str:
        """`x_i_saved` for a list to which what is called `x_i` is appended."""
        appended = self.appended.get(value)
        word = self.phrases.word_at_least(appended) if appended is not None else ""
        return f"{word}_saved" if word else ""

    def element_of(self, iterable: Operand) -> str:
        """`x` for an element of `x_saved`."""
        node = self.definitions.get(iterable) if isinstance(iterable, Value) else None
        while isinstance(node, Call) and getattr(node.function, "value", None) is operator.getitem:
            iterable = node.arguments[0]
            node = self.definitions.get(iterable) if isinstance(iterable, Value) else None
        word = self.phrases.word(iterable)
        return f"saved_{base}" if (base := base_of_saved(word)) else ""

    def part_of(self, value: Value) -> str:
        """`u_bar_part` for what a reverse half gives that is added to `u_bar`: all of it, or an element of a tuple."""
        node = self.definitions[value]
        if isinstance(node, Call) and not node.exact and isinstance(getattr(node.function, "value", None), Callee):
            return f"{sums}_part" if (sums := self.sums.get(value, "")) else ""
        if not isinstance(node, Call) or not isinstance(node.function, Constant) or node.function.value is not operator.getitem:
            return ""
        whole = self.definitions.get(node.arguments[0]) if isinstance(node.arguments[0], Value) else None
        is_taken_apart = isinstance(whole, Call) and getattr(whole.function, "value", None) is operations.unpack
        sums = self.sums.get(value, "") if is_taken_apart else ""
        return f"{sums}_part" if sums else ""

    def known(self, value: Value) -> str:
        """The name that a value has been given."""
        placeholder = self.names.variable(self.scope.plan.variable(value))
        return self.table.names.get(placeholder, "") if placeholder in self.occurring else ""


def _user_name(variable: Variable) -> str:
    return next((member.name for member in variable.members if member.name and not member.temporary), "")
