"""Type inference: which type each value has, what each name and call refers to.

Abstract interpretation over the structured IR, to a fixpoint: a value's type is the join of all that reaches it. The outcome
is a new `Function` whose values carry types and whose calls are resolved: ``math.sin`` to the object, a function with
source to a `Callee` for these argument types, a condition that the types decide to the arm that is taken. What the types do
not decide stays `ANY`; the derivative code checks or refuses it later, and only where a derivative passes through.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from s2sad.analysis.array_facts import fact_of_call
from s2sad.analysis.array_operands import Fact
from s2sad.analysis.array_types import is_elementwise
from s2sad.analysis.binding import ArgumentError, Packed
from s2sad.analysis.cached_functions import check_from_cache, note_from_cache
from s2sad.analysis.choose_functions import ChoiceError
from s2sad.analysis.container_types import iterated
from s2sad.analysis.contexts import may_swallow
from s2sad.analysis.early_elements import effects_of_maker, refusals_of_early_elements
from s2sad.analysis.freezing import Thawer
from s2sad.analysis.fuse_iterators import fuse_iterators
from s2sad.analysis.given_away import fill_given_away, note_given_away
from s2sad.analysis.given_once import check_readers
from s2sad.analysis.implicit_calls import ExplicitError, check_condition, check_iterable, note_changes
from s2sad.analysis.inference_state import State
from s2sad.analysis.iterated_objects import OtherMethodError
from s2sad.analysis.lengths import extents_in, name_lengths
from s2sad.analysis.lift_outside import MissingArgumentError, SharedOutsideError
from s2sad.analysis.memory import number_regions, numbers_of_regions, references_in, renumber
from s2sad.analysis.places import describe_place
from s2sad.analysis.plain_containers import check_local
from s2sad.analysis.reference_paths import paths_of_references
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_calls import Resolver
from s2sad.analysis.resolve_iterators import check_ends
from s2sad.analysis.resolve_matching import caught_type
from s2sad.analysis.signatures import types_of
from s2sad.analysis.specialisation import Contents, Context, Guard, Specialisation
from s2sad.analysis.spend_iterators import spend_iterators
from s2sad.analysis.summarise import summarise
from s2sad.analysis.unroll import UnrollError, check_carried, check_loop
from s2sad.analysis.write_types import write_types
from s2sad.errors import S2sadError, UnsupportedSyntaxError
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
from s2sad.ir.types import (
    ANY,
    UNKNOWN,
    ConstantType,
    FunctionType,
    ObjectType,
    OpaqueType,
    ScalarType,
    Type,
    may_be_anything,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.analyser import Analyser

MOST_ROUNDS: Final = 40

#: What asks for type inference to start again.
_STARTING_AGAIN: Final = (UnrollError, ChoiceError, ExplicitError, OtherMethodError, MissingArgumentError, SharedOutsideError)


class Inference(State):
    """Type inference of one function."""

    def __init__(self, analyser: Analyser, specialisation: Specialisation) -> None:
        super().__init__(analyser, specialisation)
        self.resolver = Resolver(self)

    def packed_type(self, call: Call, item: Packed) -> Type:
        """The type of ``*args`` or ``**kwargs`` of one call."""
        return self.resolver.kind_of_bound(call, self.resolutions[call].arguments.index(item), item)

    # --- the fixpoint -----------------------------------------------------------------------------------------------------------

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
        if (parameter := self.given_instead(variable)) is not None:
            return parameter
        return self.part(owner, name, self.outside(kind, value, variable), getattr)

    def bound_to(self, method: types.MethodType) -> Operand:
        """`self` of a bound method. An object that holds what it is called with is something outside, as a variable would be."""
        kind = types_of((method.__self__,))[0]
        if not isinstance(kind, ObjectType):
            return Constant(method.__self__)
        owner = self.analyser.bound_method(method)
        variable = Guard(owner.value, "__self__", method.__self__)
        self.analyser.guard(Contents(variable, kind).guard)
        kind = name_lengths([kind], "__self__.")[0] if any(extents_in([kind])) else kind
        if (parameter := self.given_instead(variable)) is not None:
            return parameter
        return self.part(owner, "__self__", self.outside(kind, method.__self__, variable), getattr)

    def run(self) -> None:
        """Visit the body until nothing changes, then note what callers need."""
        for _ in range(MOST_ROUNDS):
            self.changed = self.memory.changed = False
            self.visited.clear()
            self.visit_block(self.definition.body, ())
            if not (self.changed or self.memory.changed or fill_given_away(self)):
                break
        else:
            raise UnsupportedSyntaxError(
                f"the types in {self.definition.name}() do not settle, as where a tuple is put into another in each trip of a "
                f"loop; use objects of one class, or keep the numbers in a list.\n{describe_place(self.definition.span)}"
            )
        fuse_iterators(self, lambda maker: effects_of_maker(self, maker).acts)
        spend_iterators(self)
        check_ends(self)
        check_readers(self)
        self.specialisation.refusals = refusals_of_early_elements(self)
        check_local(self)
        check_from_cache(self)
        summarise(self)

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
                check_condition(self, block, condition)
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
                key = (operation.definition, self.context)
                kind = FunctionType(operation.definition, key, tuple(map(self.type_of, captured)), self.context)
                self.makers[operation.result] = operation
                self.assign(operation.result, kind)
            case If():
                check_condition(self, operation, operation.condition)
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
                        classes = None if handler.exception is None else self.constant_of(handler.exception)
                        self.assign(handler.name, caught_type(classes))
                    self.visit_block(handler.body, (join,))
            case With():
                if operation.name is not None:
                    self.assign(operation.name, ANY)
                    self.memory.give_away(self.type_of(operation.context))
                # what the body assigns is so after it, unless the context may cut the body short
                join = self.joiner(operation.results, is_only=not self.may_swallow(operation.context))
                self.visit_block(operation.body, (join,))

    def may_swallow(self, context: Operand) -> bool:
        """Whether a context is known to swallow exceptions of its body, or not known not to."""
        kind = strip_optional(self.type_of(context))
        if not isinstance(kind, ObjectType | OpaqueType):
            return False
        maker = next((found for call, found in self.resolutions.items() if call.result is context), None)
        called = None if maker is None else maker.function
        if maker is not None and maker.specialisation is not None:
            called = maker.specialisation.python_function
        return may_swallow(kind.cls, called)

    def joiner(self, results: Sequence[Value], is_only: bool = False) -> Callable[[Sequence[Operand]], None]:
        """What to do with values that become these results; `is_only`: no other values do."""

        def join(values: Sequence[Operand]) -> None:
            for result, value in zip(results, values, strict=True):
                self.assign(result, self.type_of(value))
                if value in self.assumed:
                    self.assume(result)
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

    def element_of(self, loop: For) -> Type:
        """The type of what a loop runs over."""
        elements = self.elements_of_sets.get(loop.iterable)
        if not elements:
            return iterated(self.memory, self.type_of(loop.iterable))
        return functools.reduce(self.memory.join, map(self.type_of, elements))

    def visit_loop(self, loop: For | While) -> None:
        into_parameters = self.joiner([item.parameter for item in loop.carried])
        into_results = self.joiner([item.result for item in loop.carried])
        into_parameters([item.initial for item in loop.carried])
        if isinstance(loop, For):
            into_results([item.initial for item in loop.carried])
            check_iterable(self, loop)
            check_loop(self, loop)
            element = self.element_of(loop)
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
            check_condition(self, loop.header, conditions[0])
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
        if isinstance(loop, For):
            check_carried(self, loop)

    def visit_call(self, call: Call) -> None:
        try:
            resolution = self.resolver.resolve(call)
        except (S2sadError, RecursionError, MemoryError, TimeoutError, *_STARTING_AGAIN):  # of the machine, or told already
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
        if resolution.specialisation is None and resolution.alias is None:
            note_changes(self, call)
            note_given_away(self, call)
        is_new, changed = call.result not in self.types, self.changed
        if resolution.constant is not None:
            self.learn(call.result, resolution.constant)
        elif call.result in self.known:
            self.learn(call.result, None)
        self.assign(call.result, resolution.kind)
        if isinstance(resolution.kind, ScalarType) and _is_assumed_number(self, resolution):
            self.assume(call.result)
        if resolution.kind is not UNKNOWN:
            self.learn_fact(call.result, self.fact_of_result(resolution))
        if is_new:  # what reads it is visited after it
            self.changed = changed

    def assume(self, value: Value) -> None:
        """A value counts as a number, and may be an array."""
        if value not in self.assumed:
            self.assumed.add(value)
            self.changed = True

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
            before = self.memory.freeze_all(kinds)
            callee, result = self._call_once(call, definition, context, kinds)
            if number_regions(before) == number_regions(self.memory.freeze_all(kinds)):
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
        frozen = self.memory.freeze_all(kinds)
        here = numbers_of_regions(frozen)
        callee = self.analyser.specialise(definition, context, frozen)
        if not callee.complete:
            callee.consulted = True
        regions = {number: region for region, number in here.items()}
        for outside in callee.handed_out:
            self.outside(outside.kind, outside.found, outside.variable)
            _, known = self.outside_regions[id(outside.found)]
            for inner, number in outside.numbers:
                self.memory.unite(known[inner], regions.setdefault(number, known[inner]))
        for place, kind in [("result", callee.result), *callee.regions]:
            if regions.keys() >= references_in(kind).keys():
                continue
            for number, path in paths_of_references(kind, (place,)).items():
                if number not in regions:
                    regions[number] = self.site((call, path))
        for first, second in callee.united:
            self.memory.unite(regions[first], regions[second])
        thawer = Thawer(self.memory, regions)
        for _, kind in callee.regions:
            thawer.thaw(kind)
        for number, flags in callee.flags:
            if flags and number in regions:
                self.memory.mark(regions[number], *flags)
        result = thawer.thaw(callee.result)
        for kind in callee.given_away:
            if regions.keys() >= references_in(kind).keys():
                self.memory.give_away(renumber(kind, regions))
        note_from_cache(self, callee, result, regions)
        if callee is self.specialisation and callee.is_nested_in_itself:
            # a tree: its branches are what the tree is, and live where it lives
            result = self.memory.join(result, self.result)
        return callee, result


def _is_assumed_number(inference: Inference, resolution: Resolution) -> bool:
    """Whether a number is made, element by element, of what may be an array."""
    if resolution.alias is not None:
        return resolution.alias in inference.assumed
    if resolution.specialisation is not None:
        return resolution.specialisation.assumes
    if not is_elementwise(resolution.function):
        return False
    operands = [item for item in resolution.arguments if isinstance(item, Value)]
    return any(item in inference.assumed or may_be_anything(inference.type_of(item)) for item in operands)


def _is_identity(value: object) -> bool:
    """Objects that a program passes around by identity, so that joining them must not lose which one it is."""
    return callable(value) or isinstance(value, types.ModuleType)
