"""All functions met while one derivative is made, each analysed once for each signature of argument types."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final

from s2sad.analysis.cached_functions import check_cached
from s2sad.analysis.choose_functions import ChoiceError, expand_choice
from s2sad.analysis.fuse_iterators import FusionError
from s2sad.analysis.given_once import NativeIteratorError
from s2sad.analysis.hand_on_arrays import Marked, hand_on_arrays
from s2sad.analysis.implicit_calls import ExplicitError, write_out
from s2sad.analysis.infer_types import MOST_ROUNDS, Inference
from s2sad.analysis.iterated_objects import OtherMethodError
from s2sad.analysis.lengths import without_differences
from s2sad.analysis.lift_outside import Lifted, MissingArgumentError, Place, SharedOutsideError, lift
from s2sad.analysis.memory import number_regions
from s2sad.analysis.places import describe_place
from s2sad.analysis.specialisation import Context, Defaults, Guard, Outside, Specialisation
from s2sad.analysis.summarise import note_outside
from s2sad.analysis.unknown_calls import check_calls
from s2sad.analysis.unroll import UnrollError, has_other_lengths, unroll
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import ACTS, PURE, READS, Callee, Effects, effects_of
from s2sad.ir.nodes import (
    UNBOUND,
    Break,
    Call,
    Constant,
    For,
    Function,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Span,
    Terminator,
    Try,
    While,
    With,
    Yield,
)
from s2sad.ir.protocols import iteration_may_change
from s2sad.ir.types import DictType, ListType, ObjectType, OptionalType, TupleType, Type, strip_optional

#: How often in a row the type of a result may be nested deeper: types that settle do so in two or three rounds.
MOST_GROWTHS: Final = 8

#: How often a function may be written in another form before it is analysed: once a loop, a choice or an iterator that needs it.
MOST_REWRITINGS: Final = 2_000


class Analyser:
    """All functions met while one derivative is made, each once a signature."""

    def __init__(self, lower: Callable[[types.FunctionType], Function], handed_on: Set[Place] = frozenset()) -> None:
        self.lower = lower
        #: Variables outside whose content functions that are called take as an argument, and these functions as they are called.
        self.handed_on = handed_on
        self.lifted: dict[Function, Lifted] = {}
        #: Whether every loop over elements that are known one by one is written out (as in the bodies of rules).
        self.writes_out_loops = False
        #: Whether containers of `collections` are made as plain ones, and whether there are any.
        self.has_plain_containers = False
        self.met_containers = False
        self.specialisations: dict[object, Specialisation] = {}
        #: Those that were found while less was known of a function which calls itself through them: what they told is the least
        #: that they tell.
        self.outdated: dict[object, Specialisation] = {}
        #: Containers outside by identity: which functions use them, and whether they change them.
        self.outside: dict[int, dict[Function, bool]] = {}
        #: Objects outside, by identity, that hold numbers, and those that some function changes.
        self.numbers_outside: set[int] = set()
        self.changed_outside: set[int] = set()
        #: By which variables these are read.
        self.names_outside: dict[int, dict[Place, Guard]] = {}
        #: The variables outside that hold containers or arrays.
        self.outside_variables: dict[tuple[int, object, bool | str], Outside] = {}
        #: What the lengths of arrays in variables outside are named after.
        self.outside_names: dict[tuple[int, str], str] = {}
        self.guards: dict[tuple[int, object, bool | str], Guard] = {}
        #: Whether functions of the user are where anything may be.
        self.lost_functions = False
        #: Functions that `functools.wraps` gives the names of others.
        self.renamed: set[Function] = set()
        #: Functions that are called by way of a cache.
        self.cached: set[Function] = set()
        self.generated: dict[object, types.FunctionType] = {}
        #: Definitions in which arrays are handed on, and the calls that make arrays of which that is no use.
        self.marked: dict[Function, Marked] = {}
        self.changed_later: set[Call] = set()
        #: The functions whose types are being inferred, one called by the other.
        self.under_way: list[Function] = []
        #: Calls whose iterators are read more than once.
        self.native: set[Call] = set()
        #: Functions that are made of calls which Python makes by itself, and values that ``__iter__`` has given.
        self.written_out: dict[object, Function | None] = {}
        self.iterators: set[Operand] = set()
        #: What ``__iter__`` goes over.
        self.iterated_by: dict[types.FunctionType, object] = {}
        self._methods: dict[tuple[int, object], Constant] = {}
        self._defaults: dict[int, tuple[types.FunctionType, Constant]] = {}
        self._contexts: dict[int, tuple[types.FunctionType, Context]] = {}

    def context_of(self, function: types.FunctionType) -> Context:
        """The context of a Python function; the same function gives the same object."""
        if id(function) not in self._contexts:
            self._contexts[id(function)] = (function, Context.of(function))
        return self._contexts[id(function)][1]

    def defaults_of(self, function: types.FunctionType) -> Constant:
        """The `Defaults` of a function, as one operand."""
        if id(function) not in self._defaults:
            self._defaults[id(function)] = (function, Constant(Defaults(function)))
        return self._defaults[id(function)][1]

    def bound_method(self, method: types.MethodType) -> Constant:
        """A bound method, as one operand: Python makes a new one at each look."""
        return self._methods.setdefault((id(method.__self__), method.__func__), Constant(method))

    def as_called(self, definition: Function) -> Lifted:
        """A function with the variables outside that it takes as arguments."""
        return self.lifted.get(definition) or Lifted(definition)

    def add_argument(self, definition: Function, variable: Guard) -> None:
        """A function that is called takes what is in a variable as well."""
        self.lifted[definition] = lift(self.as_called(definition), variable)

    def is_as_written(self, specialisation: Specialisation) -> bool:
        """Whether a function takes no more arguments than its author gave it."""
        definition = specialisation.origin or specialisation.definition
        return not any(one.definition is definition for one in self.lifted.values())

    def guard(self, guard: Guard) -> None:
        """Remember what was read from the user's modules."""
        self.guards.setdefault(guard.key, guard)

    def specialise_function(self, function: types.FunctionType, argument_types: Sequence[Type]) -> Specialisation:
        """A Python function for these argument types."""
        found = self.specialise(self.lower(function), self.context_of(function), argument_types)
        found.python_function = function
        return found

    def specialise(self, definition: Function, context: Context, argument_types: Sequence[Type]) -> Specialisation:
        """A function for these types of captured values and parameters. A call of a function whose inference is under way
        (recursion) gives what is known so far; the outermost of them repeats until that is stable."""
        if definition in self.under_way:
            argument_types = without_differences(argument_types)
        kinds = number_regions(argument_types)
        key = (id(definition), id(context), kinds)
        found = self.specialisations.get(key)
        if found is not None:
            return found
        specialisation = Specialisation(definition, context, kinds, definition)
        specialisation.callee = Callee(definition.name, ACTS, unit=specialisation)
        self.specialisations[key] = specialisation
        outdated = self.outdated.pop(key, None)
        if outdated is not None:
            specialisation.start_from(outdated)
        before = None if outdated is None else specialisation.summary
        growths = 0
        for _ in range(MOST_ROUNDS):
            known = set(self.specialisations)
            nesting = _nesting(specialisation.result)
            inference = self._infer_inside(specialisation)
            if before == specialisation.summary or not specialisation.consulted:
                break
            before = specialisation.summary
            growths = growths + 1 if _nesting(specialisation.result) > nesting else 0
            specialisation.is_nested_in_itself |= growths == 2 and _has_memory(specialisation.result)
            if growths == MOST_GROWTHS:
                raise _endless(definition)
            self.outdated.update({other: self.specialisations.pop(other) for other in set(self.specialisations) - known})
        else:
            raise _endless(definition)
        note_outside(inference)
        self.check_outside()
        specialisation.complete = True
        specialisation.function = inference.write()
        specialisation.callee.effects = _effects_of_body(specialisation)
        if not self.under_way:
            self.outdated.clear()
            check_calls(self)
            check_cached(self)
        return specialisation

    def _infer_inside(self, specialisation: Specialisation) -> Inference:
        """The same as `infer`; the types of a function that calls itself with arguments nested deeper each time have no end."""
        definition = specialisation.definition
        self.under_way.append(definition)
        try:
            return self.infer(specialisation)
        except MissingArgumentError:
            self.specialisations = {key: one for key, one in self.specialisations.items() if one is not specialisation}
            raise
        except RecursionError:
            if self.under_way.count(definition) < MOST_GROWTHS:
                raise
            raise UnsupportedSyntaxError(
                f"{definition.name}() calls itself with arguments of a new type each time, such as tuples nested deeper; "
                f"keep the numbers in a list and go over it in a loop.\n{describe_place(definition.span)}"
            ) from None
        finally:
            self.under_way.pop()

    def check_outside(self) -> None:
        """A container of numbers outside that one function changes and another reads goes from the one to the other as an
        argument: by another way the derivative would not find it."""
        for identity, uses in self.outside.items():
            if identity not in self.numbers_outside:
                continue
            writers = [definition for definition, is_written in uses.items() if is_written]
            if writers and len(uses) > 1:
                refusal = UnsupportedSyntaxError(
                    f"{writers[0].name}() changes a container of numbers outside of it, which "
                    f"{_other_name(uses, writers[0])}() uses as well; "
                    f"pass the container as an argument.\n{describe_place(writers[0].span)}"
                )
                raise SharedOutsideError(self.names_outside[identity].values(), refusal)

    def infer(self, specialisation: Specialisation, known: Mapping[int, Constant] | None = None) -> Inference:
        """Type inference of one function; loops over several functions are written out on the way. `known` are the parameters
        that stand for a literal, by position."""
        chosen: set[Operand] = set()
        of_several_classes: set[Span | None] = set()
        for _ in range(MOST_REWRITINGS):
            inference = Inference(self, specialisation)
            inference.chosen, inference.of_several_classes = chosen, of_several_classes
            for position, constant in (known or {}).items():
                inference.known[specialisation.definition.parameters[position].value] = constant
                inference.types.pop(specialisation.definition.parameters[position].value, None)
            try:
                inference.run()
            except UnrollError as request:
                specialisation.origin = specialisation.origin or specialisation.definition
                specialisation.definition = unroll(inference.definition, request)
            except ChoiceError as request:
                specialisation.origin = specialisation.origin or specialisation.definition
                specialisation.definition, values = expand_choice(inference.definition, request)
                chosen |= values
            except ExplicitError as request:
                specialisation.origin = specialisation.origin or specialisation.definition
                specialisation.definition = write_out(inference.definition, request)
            except OtherMethodError as request:
                assert specialisation.origin is not None
                specialisation.definition = specialisation.origin
                of_several_classes.add(request.span)
            except FusionError as request:
                specialisation.origin = specialisation.origin or specialisation.definition
                specialisation.definition = request.definition
            except NativeIteratorError as request:
                self.native.add(request.call)
            else:
                if specialisation.origin is not None and has_other_lengths(inference):
                    specialisation.missed_lengths += 1
                    specialisation.definition = specialisation.origin
                    chosen = set()
                    continue
                handing = hand_on_arrays(inference)
                if handing is None:
                    self.lost_functions |= inference.memory.lost_functions
                    return inference
                specialisation.origin = specialisation.origin or specialisation.definition
                specialisation.definition = handing
        raise UnsupportedSyntaxError(
            f"the analysis of {specialisation.definition.name}() does not come to an end; write its loops over several kinds of "
            f"elements in another way, and please report it.\n{describe_place(specialisation.definition.span)}"
        )


def _other_name(uses: dict[Function, bool], writer: Function) -> str:
    return next(definition.name for definition in uses if definition is not writer)


def _effects_of_body(specialisation: Specialisation) -> Effects:
    """A function that only computes is as good as an operation."""
    reads = raises = False
    for node in nodes_of(specialisation.function):
        if isinstance(node, While | Raise) or _may_leave_unbound(node):
            raises = True
        if isinstance(node, Call):
            effects = effects_of(node)
            if effects.writes or effects.acts:
                return ACTS
            reads |= effects.reads or effects.allocates
            raises |= effects.raises
        elif isinstance(node, MakeFunction | Try | With) or (isinstance(node, For) and iteration_may_change(node)):
            return ACTS
    return READS if reads else Effects(raises=True) if raises else PURE


def _may_leave_unbound(node: Operation | Terminator) -> bool:
    """Whether a variable may be read, further on, that no way has bound."""
    if isinstance(node, For | While):
        return any(item.initial is UNBOUND for item in node.carried)
    return isinstance(node, Yield | Break) and any(value is UNBOUND for value in node.values)


def _has_memory(kind: Type) -> bool:
    """Whether a value is a reference to memory, or a tuple of some."""
    kind = strip_optional(kind)
    if isinstance(kind, TupleType):
        return any(map(_has_memory, kind.elements))
    return isinstance(kind, ListType | DictType | ObjectType)


def _nesting(kind: Type) -> int:
    """How deep containers are nested in a type."""
    match kind:
        case OptionalType(inner):
            return _nesting(inner)
        case TupleType(elements=elements):
            return 1 + max(map(_nesting, elements), default=0)
        case ListType(element=element):
            return 1 + _nesting(element)
        case DictType(value=value, fields=fields):
            return 1 + max(map(_nesting, (value, *(part for _, part in fields))))
        case ObjectType(fields=fields):
            return 1 + max((_nesting(part) for _, part in fields), default=0)
    return 0


def _endless(definition: Function) -> UnsupportedSyntaxError:
    """Types are followed to a depth only: what lies deeper would count as without derivative."""
    return UnsupportedSyntaxError(
        f"what {definition.name}() gives contains what it gives itself, to any depth; use objects of one class for its parts, or "
        f"keep the numbers in a list and go over it in a loop.\n{describe_place(definition.span)}"
    )
