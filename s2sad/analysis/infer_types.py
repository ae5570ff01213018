"""Type inference: which type each value has, what each name and call refers to.

Abstract interpretation over the structured IR, to a fixpoint: a value's type is the join of all that reaches it. The outcome
is a new `Function` whose values carry types and whose calls are resolved: ``math.sin`` to the object, a function with
source to a `Callee` for these argument types, a condition that the types decide to the arm that is taken. What the types do
not decide stays `ANY`; the derivative code checks or refuses it later, and only where a derivative passes through.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad.analysis.activity_items import carries_derivative
from s2sad.analysis.array_facts import Facts, fact_of_call
from s2sad.analysis.array_operands import Fact, fact_of_constant
from s2sad.analysis.array_shapes import Count
from s2sad.analysis.binding import ArgumentError, Packed
from s2sad.analysis.choose_functions import ChoiceError
from s2sad.analysis.container_types import iterated
from s2sad.analysis.displays import readers_of
from s2sad.analysis.given_once import check_readers, values_read_once
from s2sad.analysis.known_cells import functions_in_cells
from s2sad.analysis.lengths import extents_in, map_lengths, name_lengths
from s2sad.analysis.memory import Memory, number_regions, numbers_of_regions, references_in, renumber
from s2sad.analysis.places import describe_place
from s2sad.analysis.plain_containers import check_local
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_calls import Resolver
from s2sad.analysis.resolve_iterators import check_end
from s2sad.analysis.signatures import types_of
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import Contents, Context, Guard, Outside, Specialisation
from s2sad.analysis.unroll import UnrollError, check_loop
from s2sad.analysis.write_types import write_types
from s2sad.errors import S2sadError, UnsupportedSyntaxError
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Return,
    Try,
    Value,
    While,
    With,
    Yield,
)
from s2sad.ir.operations import load_cell, make_list, make_tuple
from s2sad.ir.types import (
    ANY,
    UNKNOWN,
    ArrayType,
    ConstantType,
    Extent,
    FunctionType,
    Length,
    ObjectType,
    OpaqueType,
    ScalarType,
    Type,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.analyser import Analyser

MOST_ROUNDS: Final = 40


class Inference:
    """Type inference of one function."""

    def __init__(self, analyser: Analyser, specialisation: Specialisation) -> None:
        self.analyser = analyser
        self.specialisation = specialisation
        self.definition = specialisation.definition
        #: Before loops were written out.
        self.definition_at_start = specialisation.origin or specialisation.definition
        self.context = specialisation.context
        self.memory = Memory()
        self.types: dict[Value, Type] = {}
        self.known: dict[Value, Constant] = {}
        self.unknowable: set[Value] = set()
        #: Lengths and shapes that values are.
        self.facts = Facts()
        self.result: Type = UNKNOWN
        self.changed = False
        self.sites: dict[object, int] = {}
        self.resolutions: dict[Call, Resolution] = {}
        self.displays: dict[Operand, Call] = {
            node.result: node
            for node in nodes_of(self.definition)
            if isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value is make_list
        }
        #: List displays with one use: which call reads them.
        self.readers = readers_of(self.definition.body)
        #: What makes the tuples of positional arguments with starred ones.
        self.makers_of_tuples: dict[Operand, Call] = {
            node.result: node
            for node in nodes_of(self.definition)
            if isinstance(node, Call)
            and isinstance(node.function, Constant)
            and any(node.function.value is one for one in (make_tuple, tuple, operator.add))
        }
        #: Reads of variables that this function captured in cells.
        self.own_cells: set[Operand] = {
            node.result
            for node in nodes_of(self.definition)
            if isinstance(node, Call)
            and isinstance(node.function, Constant)
            and node.function.value is load_cell
            and node.arguments[0] in self.definition.captured
        }
        self.makers: dict[Value, MakeFunction] = functions_in_cells(self.definition)
        self.parts: dict[tuple[Operand, object], Value] = {}
        self.part_sources: dict[Value, tuple[object, Operand, object]] = {}
        self.outside_regions: dict[int, tuple[object, dict[int, int]]] = {}
        #: The variables outside that are read, with what they hold.
        self.outside_variables: dict[tuple[int, object, bool | str], tuple[Guard, object, Type]] = {}
        #: The nested function that a derivative was made of.
        self.derived: dict[Value, Operand] = {}
        self.kept: dict[Call, Constant] = {}
        #: The array of which a value is the attribute `flat`.
        self.flats: dict[Operand, Operand] = {}
        #: Slices between literals, by the value that holds them.
        self.slices: dict[Value, Constant] = {}
        #: The class and the instance of which a value is ``super(cls, instance)``.
        self.supers: dict[Value, tuple[Operand, Operand]] = {}
        #: What uses a value up, for those that are used once.
        self.read_once = values_read_once(self.definition)
        #: Function values whose choice is explicit already.
        self.chosen: set[Operand] = set()
        #: Blocks that the types can reach.
        self.visited: set[Block] = set()
        self.resolver = Resolver(self)
        self.regions: dict[int, int] = {}
        parameters = (*self.definition.captured, *(parameter.value for parameter in self.definition.parameters))
        for value, kind in zip(parameters, specialisation.argument_types, strict=True):
            self.types[value] = self.memory.thaw(kind, self.regions)
            if isinstance(kind, ConstantType):
                self.known[value] = Constant(kind.value)
            if isinstance(kind, ScalarType) and kind.kind == "int":
                self.facts.known[value] = self.count_of(value)

    def count_of(self, parameter: Value) -> Count:
        """The number that an integer parameter is, by a name that the lengths of arguments have not got."""
        count = Count(parameter.name)
        names = {extent.name for extent in extents_in(self.specialisation.argument_types)}
        while isinstance(count.length, Extent) and count.length.name in names:
            count = Count(f"{count.name}'")
        return count

    # --- what the resolver and the transfer functions ask for -----------------------------------------------------------------

    def constant_of(self, operand: Operand) -> Constant | None:
        """The object that an operand stands for, if it is known."""
        return operand if isinstance(operand, Constant) else self.known.get(operand)

    def type_of(self, operand: Operand) -> Type:
        """The type of an operand so far."""
        if isinstance(operand, Constant):
            if isinstance(operand.value, np.ndarray):
                return self.type_of_array(operand.value)
            return type_of_constant(operand)
        constant = self.known.get(operand)
        if constant is not None and operand not in self.types:
            return type_of_constant(constant)
        return self.types.get(operand, UNKNOWN)

    def fact_of(self, operand: Operand) -> Fact:
        """What is known of an operand besides its type."""
        constant = self.constant_of(operand)
        if constant is not None:
            return fact_of_constant(constant)
        return self.facts.known.get(operand) if isinstance(operand, Value) else None

    def learn_fact(self, value: Value, fact: Fact) -> None:
        """A value has this fact on one way."""
        if self.facts.learn(value, fact):
            self.changed = True

    def default_of(self, function: types.FunctionType, name: str, value: object) -> Operand:
        """A default argument. A container, an array or an object is one and the same in all calls, as a variable outside is."""
        kind = types_of((value,))[0]
        if not references_in(kind):
            return Constant(value)
        owner = self.analyser.defaults_of(function)
        setattr(owner.value, name, value)
        variable = Guard(owner.value, name, value)
        self.analyser.guard(Contents(variable, kind).guard)
        kind = name_lengths([kind], f"{function.__name__}.{name}.")[0] if any(extents_in([kind])) else kind
        return self.part(owner, name, self.outside(kind, value, variable), getattr)

    def type_of_array(self, array: np.ndarray[Any, Any]) -> Type:
        """The type of an array that is a default argument."""
        names = self.analyser.outside_names
        name = names.setdefault((id(array), ""), f"default {len(names) + 1}")
        return self.thaw_outside(name_lengths(types_of((array,)), f"{name}.")[0], array)

    def site(self, node: object) -> int:
        """The region of what a node allocates."""
        if node not in self.sites:
            self.sites[node] = self.memory.allocate()
        return self.sites[node]

    def assign(self, value: Value, kind: Type) -> None:
        """A value may have this type too."""
        old = self.types.get(value, UNKNOWN)
        new = self.memory.join(old, kind)
        if value not in self.types or not self.memory.same(old, new):
            self.changed = True
        self.types[value] = new

    def learn(self, value: Value, constant: Constant | None) -> None:
        """A value is a known object, unless it turns out to be several."""
        old = self.known.get(value)
        if value in self.unknowable:
            return
        if constant is None or (
            old is not None and old.value is not constant.value and not _same_value(old.value, constant.value)
        ):
            if old is not None:
                self.changed = True
            self.known.pop(value, None)
            self.unknowable.add(value)
        elif old is None:
            self.known[value] = constant
            self.changed = True

    def part(self, owner: Operand, index: object, kind: Type, reader: object = operator.getitem) -> Value:
        """An element of a tuple, dict or function value, as an operand: `write_types` puts the operation that reads it."""
        key = (owner, index)
        if key not in self.parts:
            self.parts[key] = Value("", temporary=True)
            self.part_sources[self.parts[key]] = (reader, owner, index)
        if isinstance(kind, ConstantType):
            self.learn(self.parts[key], Constant(kind.value))
        self.assign(self.parts[key], kind)
        return self.parts[key]

    def keep(self, call: Call, made: object) -> Constant:
        """An object made while types are inferred: one for each call, however often it is visited."""
        return self.kept.setdefault(call, Constant(made))

    def generated(self, key: object, make: Callable[[], types.FunctionType]) -> types.FunctionType:
        """A function generated for a call inside, once a signature."""
        if key not in self.analyser.generated:
            self.analyser.generated[key] = make()
        return self.analyser.generated[key]

    def part_source(self, operand: Operand) -> tuple[object, Operand, object] | None:
        """How to read a part, if the operand is one."""
        return self.part_sources.get(operand) if isinstance(operand, Value) else None

    def packed_type(self, call: Call, item: Packed) -> Type:
        """The type of ``*args`` or ``**kwargs`` of one call."""
        return self.resolver.kind_of_bound(call, self.resolutions[call].arguments.index(item), item)

    def outside(self, kind: Type, found: object, variable: Guard) -> Type:
        """A type of data from outside the function; the same object has the same region wherever it is read."""
        if not references_in(kind):
            return kind
        self.outside_variables[variable.key] = (variable, found, kind)
        return self.thaw_outside(kind, found)

    def thaw_outside(self, kind: Type, found: object) -> Type:
        """A type of an object outside as one of this function."""
        is_new = id(found) not in self.outside_regions
        _, regions = self.outside_regions.setdefault(id(found), (found, {}))
        thawed = self.memory.thaw(kind, regions)
        if is_new and isinstance(found, np.ndarray):
            for other, (array, known) in self.outside_regions.items():
                if other != id(found) and isinstance(array, np.ndarray) and np.may_share_memory(array, found):
                    for region in regions.values():
                        self.memory.unite(region, *known.values())
        return thawed

    # --- the fixpoint -----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Visit the body until nothing changes, then note what callers need."""
        for _ in range(MOST_ROUNDS):
            self.changed = self.memory.changed = False
            self.visited.clear()
            self.visit_block(self.definition.body, ())
            if not (self.changed or self.memory.changed):
                break
        else:
            raise UnsupportedSyntaxError(
                f"the types in {self.definition.name}() do not settle, as where a tuple is put into another in each trip of a "
                f"loop; use objects of one class, or keep the numbers in a list.\n{describe_place(self.definition.span)}"
            )
        check_readers(self)
        check_local(self)
        self.summarise()

    def summarise(self) -> None:
        roots = {number: self.memory.find(region) for number, region in self.regions.items()}
        numbers: dict[int, int] = {}
        united = []
        for number, root in sorted(roots.items()):
            if root in numbers:
                united.append((numbers[root], number))
            numbers.setdefault(root, number)
        references = {n: kind for argument in self.specialisation.argument_types for n, kind in references_in(argument).items()}
        frozen = [
            (number, self.memory.freeze(self.memory.thaw(kind, self.regions))) for number, kind in sorted(references.items())
        ]
        result = self.memory.freeze(self.result)
        fresh = 1 + max(roots, default=0)
        for kind in (result, *(kind for _, kind in frozen)):
            for region in references_in(kind):
                if region not in numbers:
                    numbers[region] = fresh
                    fresh += 1
        target = self.specialisation
        names = {extent.name for extent in extents_in(target.argument_types)}

        def outward(length: Length) -> Length:
            """Numbers that have a name in here only are not known outside."""
            return None if isinstance(length, Extent) and length.name not in names else length

        target.result = map_lengths(renumber(result, numbers), outward)
        target.regions = tuple((number, map_lengths(renumber(kind, numbers), outward)) for number, kind in frozen)
        target.united = tuple(united)
        flags = {number: frozenset(self.memory.flags[root]) for number, root in roots.items()}
        for region, number in numbers.items():  # what is made here: whether all that it has is known
            flags.setdefault(number, frozenset(self.memory.flags[self.memory.find(region)] & {"unknown"}))
        target.flags = tuple(sorted((number, found) for number, found in flags.items() if number in roots or found))

    def note_outside(self) -> None:
        """Tell which containers of numbers outside are used and changed here."""
        for key, (variable, found, kind) in self.outside_variables.items():
            own = map(self.memory.find, self.outside_regions[id(found)][1].values())
            is_written = any(self.memory.flags[root] for root in own)
            before = self.analyser.outside_variables.get(key)
            is_written = is_written or (before is not None and before.is_written)
            self.analyser.outside_variables[key] = Outside(variable, kind, is_written)
        owners: dict[int, frozenset[int]] = {}
        for found, regions in self.outside_regions.values():
            roots = {self.memory.find(region) for region in regions.values()}
            identity = _identity_of_memory(found)
            owners.update({root: owners.get(root, frozenset()) | {identity} for root in roots})
            if any(self.memory.flags[root] for root in roots):
                self.analyser.changed_outside.add(identity)
            contents = [kind for root in roots for kind in self.memory.content[root].values()]
            if isinstance(found, np.ndarray) or any(isinstance(kind, ArrayType) or carries_derivative(kind) for kind in contents):
                self.analyser.numbers_outside.add(identity)  # others may have seen it while it was empty
            uses = self.analyser.outside.setdefault(identity, {})
            is_written = any(self.memory.flags[root] for root in roots)
            uses[self.definition_at_start] = is_written or uses.get(self.definition_at_start, False)
        self.specialisation.outside = owners

    def write(self) -> Function:
        """The typed function."""
        return write_types(self)

    # --- one visit of each node -----------------------------------------------------------------------------------------------

    def visit_block(self, block: Block, leaving: Sequence[Callable[[Sequence[Operand]], None]]) -> None:
        """`leaving`: what to do with the values of a `Yield` and of a `Break`."""
        self.visited.add(block)
        for operation in block.operations:
            self.visit(operation)
        match block.terminator:
            case Yield(values) if leaving:
                leaving[0](values)
            case Break(values) if len(leaving) > 1:
                leaving[1](values)
            case Return(value):
                self.result = self.join_result(self.type_of(value))
            case Branch(condition, then, orelse):
                for arm in self.taken(condition, then, orelse):
                    self.visit_block(arm, leaving)
            case _:
                pass

    def join_result(self, kind: Type) -> Type:
        new = self.memory.join(self.result, kind)
        if self.specialisation.is_nested_in_itself and not self.memory.same(self.result, new):
            self.changed = True  # nothing else reads it here
        return new

    def taken(self, condition: Operand, then: Block, orelse: Block) -> tuple[Block, ...]:
        """The arms that may be taken."""
        constant = self.constant_of(condition)
        if constant is not None:
            return (then,) if constant.value else (orelse,)
        return () if self.type_of(condition) is UNKNOWN and isinstance(condition, Value) else (then, orelse)

    def visit(self, operation: Operation) -> None:
        match operation:
            case Call():
                self.visit_call(operation)
            case MakeFunction():
                captured = (*operation.captured, *operation.defaults)
                kind = FunctionType(operation.definition, operation.definition, tuple(map(self.type_of, captured)))
                self.makers[operation.result] = operation
                self.assign(operation.result, kind)
            case If():
                arms = self.taken(operation.condition, operation.then, operation.orelse)
                join = self.joiner(operation.results, is_only=len(arms) == 1)
                for arm in arms:
                    self.visit_block(arm, (join,))
            case For() | While():
                self.visit_loop(operation)
            case Try():
                join = self.joiner(operation.results)
                self.visit_block(operation.body, (join,))
                for handler in operation.handlers:
                    if handler.name is not None:
                        self.assign(handler.name, OpaqueType(BaseException))
                    self.visit_block(handler.body, (join,))
            case With():
                if operation.name is not None:
                    self.assign(operation.name, ANY)
                self.visit_block(operation.body, (self.joiner(operation.results),))

    def joiner(self, results: Sequence[Value], is_only: bool = False) -> Callable[[Sequence[Operand]], None]:
        """What to do with values that become these results; `is_only`: no other values do."""

        def join(values: Sequence[Operand]) -> None:
            for result, value in zip(results, values, strict=True):
                self.assign(result, self.type_of(value))
                if is_only and value is not UNBOUND and (constant := self.constant_of(value)) is not None:
                    self.learn(result, constant)
                else:
                    self.learn_result(result, value)
                if self.type_of(value) is not UNKNOWN:
                    self.learn_fact(result, self.fact_of(value))

        return join

    def learn_result(self, result: Value, operand: Operand) -> None:
        """A joined value is a known object when all that reach it are (functions and modules; numbers may differ)."""
        if operand is UNBOUND and result in self.chosen:
            return
        constant = self.constant_of(operand)
        if constant is not None and _is_identity(constant.value):
            self.learn(result, constant)
        elif result in self.known:
            self.learn(result, None)
        else:
            self.unknowable.add(result)

    def visit_loop(self, loop: For | While) -> None:
        into_parameters = self.joiner([item.parameter for item in loop.carried])
        into_results = self.joiner([item.result for item in loop.carried])
        into_parameters([item.initial for item in loop.carried])
        if isinstance(loop, For):
            into_results([item.initial for item in loop.carried])
            check_loop(self, loop)
            check_end(self.type_of(loop.iterable), loop)
            element = iterated(self.memory, self.type_of(loop.iterable))
            self.assign(loop.target, element)
            if isinstance(element, ConstantType):
                self.learn(loop.target, Constant(element.value))
            elif loop.target in self.known:
                self.learn(loop.target, None)
            if element is UNKNOWN:
                return
        else:
            conditions: list[Operand] = []
            self.visit_block(loop.header, (conditions.extend,))
            constant = self.constant_of(conditions[0])
            if constant is None or not constant.value:
                into_results([item.parameter for item in loop.carried])
            if constant is not None and not constant.value:
                return

        def next_trip(values: Sequence[Operand]) -> None:
            into_parameters(values)
            if isinstance(loop, For):
                into_results(values)

        self.visit_block(loop.body, (next_trip, into_results))

    def visit_call(self, call: Call) -> None:
        try:
            resolution = self.resolver.resolve(call)
        except (S2sadError, UnrollError, ChoiceError, RecursionError):
            raise
        except ArgumentError:  # Python says so when the call is made
            constant = self.constant_of(call.function)
            resolution = Resolution(UNKNOWN, None, constant and constant.value, call.arguments, call.keywords)
        except Exception as error:
            message = (
                f"this call cannot be analysed ({type(error).__name__}: {error}); write it in another way, and please report it"
            )
            raise UnsupportedSyntaxError(f"{message}.\n{describe_place(call.span)}") from error
        if isinstance(resolution.kind, ConstantType) and resolution.constant is None and resolution.alias is None:
            resolution = dataclasses.replace(resolution, constant=Constant(resolution.kind.value))
        self.resolutions[call] = resolution
        is_new, changed = call.result not in self.types, self.changed
        if resolution.constant is not None:
            self.learn(call.result, resolution.constant)
        elif call.result in self.known:
            self.learn(call.result, None)
        self.assign(call.result, resolution.kind)
        if resolution.kind is not UNKNOWN:
            self.learn_fact(call.result, self.fact_of_result(resolution))
        if is_new:  # what reads it is visited after it
            self.changed = changed

    def fact_of_result(self, resolution: Resolution) -> Fact:
        """What is known of the result of a call."""
        if resolution.alias is not None:
            return self.fact_of(resolution.alias)
        if resolution.fact is not None:
            return resolution.fact
        operands = [item for item in resolution.arguments if not isinstance(item, Packed)]
        if resolution.specialisation is not None or len(operands) != len(resolution.arguments):
            return None
        return fact_of_call(resolution.function, operands, dict(resolution.keywords), self.type_of, self.fact_of)

    # --- calls of other functions -------------------------------------------------------------------------------------------

    def call_specialisation(
        self, call: object, definition: Function, context: Context, kinds: Sequence[Type]
    ) -> tuple[Specialisation, Type]:
        """The callee for these types, and the type of its result here; what it does to its arguments is done here too. Where that
        makes the arguments' types grow (a list that was empty), the callee is the one for the types as they are then."""
        if definition is self.definition_at_start:
            self.tie_trees(kinds)
        while True:
            before = [self.memory.freeze(kind) for kind in kinds]
            callee, result = self._call_once(call, definition, context, kinds)
            if number_regions(before) == number_regions([self.memory.freeze(kind) for kind in kinds]):
                return callee, result

    def tie_trees(self, kinds: Sequence[Type]) -> None:
        """A function that calls itself with a branch of a tree: branches live where the tree lives, to any depth."""
        own = [*self.definition.captured, *(parameter.value for parameter in self.definition.parameters)]
        for value, kind in zip(own, kinds, strict=True):
            tree, branch = strip_optional(self.types.get(value, UNKNOWN)), strip_optional(kind)
            if isinstance(tree, ObjectType) and isinstance(branch, ObjectType) and tree.cls is branch.cls is not list:
                self.memory.unite(tree.region, branch.region)

    def _call_once(
        self, call: object, definition: Function, context: Context, kinds: Sequence[Type]
    ) -> tuple[Specialisation, Type]:
        frozen = [self.memory.freeze(kind) for kind in kinds]
        here = numbers_of_regions(frozen)
        callee = self.analyser.specialise(definition, context, frozen)
        if not callee.complete:
            callee.consulted = True
        regions = {number: region for region, number in here.items()}
        named = {r for k in (callee.result, *(kind for _, kind in callee.regions)) for r in references_in(k)}
        for number in named - set(regions):
            regions[number] = self.site((call, number))
        for first, second in callee.united:
            self.memory.unite(regions[first], regions[second])
        for _, kind in callee.regions:
            self.memory.thaw(kind, regions)
        for number, flags in callee.flags:
            if flags and number in regions:
                self.memory.mark(regions[number], *flags)
        result = self.memory.thaw(callee.result, regions)
        if callee is self.specialisation and callee.is_nested_in_itself:
            # a tree: its branches are what the tree is, and live where it lives
            result = self.memory.join(result, self.result)
        return callee, result


def _identity_of_memory(found: object) -> int:
    """The identity of an object outside; of a view, that of the array that it is a view of."""
    while isinstance(found, np.ndarray) and isinstance(found.base, np.ndarray):
        found = found.base
    return id(found)


def _same_value(first: object, second: object) -> bool:
    """Tuples of classes, and lengths, are made anew at each visit."""
    return type(first) is type(second) and isinstance(first, tuple | int) and first == second


def _is_identity(value: object) -> bool:
    """Objects that a program passes around by identity, so that joining them must not lose which one it is."""
    return isinstance(value, types.FunctionType | types.BuiltinFunctionType | types.ModuleType | type | functools.partial) or (
        inspect.isroutine(value)
    )
