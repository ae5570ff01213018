"""What a call refers to: names to objects, methods to functions, functions with source to specialisations."""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import inspect
import math
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.binding import Bound, Packed, Starred, bind_arguments, defaults_of
from s2sad.analysis.choose_functions import check_choice
from s2sad.analysis.container_types import has_places, iterated
from s2sad.analysis.copy_dicts import resolve_copy_of_dict
from s2sad.analysis.dataclass_comparisons import comparison_of_dataclass
from s2sad.analysis.displays import is_read_as_array
from s2sad.analysis.function_groups import Member
from s2sad.analysis.function_values import Partial, call_getter, call_partial, resolve_lru_cache, resolve_update_wrapper
from s2sad.analysis.implicit_calls import resolve_implicit
from s2sad.analysis.known_keys import keys_at
from s2sad.analysis.library_calls import is_about_text
from s2sad.analysis.library_errors import told_of_call, without_source
from s2sad.analysis.lift_outside import MissingArgumentError, load_of
from s2sad.analysis.loop_elements import HasKeys, HasLength
from s2sad.analysis.method_types import fill_unknown
from s2sad.analysis.operator_methods import resolve_operator_method, resolve_operator_of_tuple, resolve_operator_with_array
from s2sad.analysis.places import describe_place
from s2sad.analysis.plain_containers import check_passed, read_plain
from s2sad.analysis.python_random import drawn, is_drawing
from s2sad.analysis.resolution import DERIVED_OF, TRANSFORMATIONS, NestedDerivative, Resolution
from s2sad.analysis.resolve_arrays import mark_unknown, resolve_array_function
from s2sad.analysis.resolve_conditions import (
    resolve_callable,
    resolve_equal,
    resolve_is,
    resolve_isinstance,
    resolve_not,
    resolve_order,
)
from s2sad.analysis.resolve_copies import resolve_containers_copy, resolve_copy, resolve_deepcopy
from s2sad.analysis.resolve_derivatives import call_derivative, call_nested_derivative, make_derivative
from s2sad.analysis.resolve_gradients import resolve_as_gradient
from s2sad.analysis.resolve_iterators import make_iterator, resolve_elements, resolve_iter, resolve_next
from s2sad.analysis.resolve_matching import class_of, resolve_contains, resolve_pattern
from s2sad.analysis.resolve_names import guard_function, guard_member, resolve_captured, resolve_hasattr, resolve_name
from s2sad.analysis.resolve_objects import (
    call_method_of_object,
    call_vectorized,
    check_store_in_known,
    find_setter,
    replace_fields,
    resolve_construction,
    resolve_method,
    resolve_setattr_of_frozen,
    resolve_vectorized,
)
from s2sad.analysis.resolve_starred import resolve_unpacked
from s2sad.analysis.resolve_super import resolve_attribute_or_super
from s2sad.analysis.result_types import ARITHMETIC, transfer_of, type_of_arithmetic
from s2sad.analysis.signatures import is_function_like
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import Context, Guard, Specialisation
from s2sad.analysis.write_out_tuples import check_sum, check_tuple
from s2sad.errors import SourceUnavailableError, UnsupportedSyntaxError
from s2sad.frontend.lower_match import is_mapping, is_sequence, match_positional
from s2sad.ir.effects import ACTS, Callee
from s2sad.ir.nodes import Call, Constant, Function, MakeFunction, Operand, Value
from s2sad.ir.operations import (
    call_method,
    call_unpacked,
    elements_of,
    iterator_of,
    load_captured,
    load_global,
    make_dict,
    make_list,
    make_tuple,
    set_frozen,
    unpack,
)
from s2sad.ir.types import (
    ANY,
    FLOAT,
    UNKNOWN,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)
from s2sad.rules import lookup
from s2sad.rules.applied import vectorized
from s2sad.rules.checks import is_static
from s2sad.rules.containers import made_with_names
from s2sad.rules.core import ModelRule, Rule
from s2sad.rules.iteration import sum_of_objects
from s2sad.rules.list_functions import in_python
from s2sad.rules.updates import item_of_flat, store_in_flat

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


_POWERS: Final = (operator.pow, operator.ipow, pow)
#: What makes a member of an enumeration compute as the number that it is.
_OPERATORS: Final = tuple(
    f"__{reflected}{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow") for reflected in ("", "r")
)


class Resolver:
    """Resolution of calls for one run of type inference."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference

    def resolve(self, call: Call) -> Resolution:
        """What one call means now."""
        constant = self.inference.constant_of(call.function)
        if constant is not None and isinstance(constant.value, Member):
            return self.member(call, constant.value)
        if constant is not None:
            return self.resolve_known(call, constant.value, call.arguments, call.keywords)
        kind = strip_optional(self.inference.type_of(call.function))
        if isinstance(kind, FunctionType):
            return self.call_nested(call, kind, call.function, call.arguments, call.keywords)
        if isinstance(kind, ObjectType):
            return call_method_of_object(self, call, kind, call.function, "__call__", call.arguments, call.keywords)
        method = inspect.getattr_static(kind.cls, "__call__", None) if isinstance(kind, TupleType) else None
        if isinstance(method, types.FunctionType) and isinstance(kind, TupleType):
            guard_member(self, kind.cls, "__call__")
            return self.resolve_known(call, method, (call.function, *call.arguments), call.keywords)
        if not isinstance(kind, UnknownType):
            check_choice(self.inference, call.function)
        return self.opaque(call, None)

    def opaque(self, call: Call, function: object) -> Resolution:
        """A call that nothing is known of."""
        pending = any(isinstance(self.inference.type_of(operand), UnknownType) for operand in call.arguments)
        is_settled = function is not None or not isinstance(self.inference.type_of(call.function), UnknownType)
        for operand in call.arguments if is_settled else ():
            kind = strip_optional(self.inference.type_of(operand))
            if isinstance(kind, ListType | DictType):
                fill_unknown(self.inference.memory, kind)  # who knows what it puts there
            if isinstance(kind, ObjectType):
                self.inference.memory.lose_attributes(kind.region)
        if function not in (getattr, hasattr):
            mark_unknown(self, call.arguments)
        unknown = pending or (function is None and isinstance(self.inference.type_of(call.function), UnknownType))
        return Resolution(UNKNOWN if unknown else ANY, None, function, call.arguments, call.keywords)

    def resolve_known(
        self, call: Call, function: object, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
    ) -> Resolution:
        """A call of an object that is known by identity."""
        if _is_hashable(function) and (function in ARITHMETIC or function in _POWERS):
            arguments = tuple(map(self.as_plain_number, arguments))
        if _is_hashable(function) and function in ARITHMETIC:
            number = type_of_arithmetic(function, [self.inference.type_of(operand) for operand in arguments])
            if number is not None:
                return Resolution(number, None, function, arguments, keywords)
        if _is_hashable(function) and (merged := resolve_copy_of_dict(self, call, function, arguments, keywords)) is not None:
            return merged
        if isinstance(function, HasKeys | HasLength):
            return Resolution(self.inference.type_of(arguments[0]), alias=arguments[0])
        if (implicit := resolve_implicit(self, call, function, arguments, keywords)) is not None:
            return implicit
        if (own := resolve_operator_of_tuple(self, call, function, arguments, keywords)) is not None:
            return own
        special = _SPECIAL.get(function) if _is_hashable(function) else None
        if special is not None:
            return special(self, call, arguments, keywords)
        if function is operator.contains and (decided := resolve_contains(self, arguments)) is not None:
            return decided
        if (plain := read_plain(self, call, function, arguments)) is not None:
            return plain
        if function is runtime.copy_containers and (copied := resolve_containers_copy(self, call, arguments)) is not None:
            return copied
        if function is runtime.as_gradient and (restored := resolve_as_gradient(self, call, arguments)) is not None:
            return restored
        if function in _ORDER and (decided := resolve_order(self, function, arguments)) is not None:
            return decided
        if is_static(function) or (function is operator.getitem and self.is_literal_part(arguments)):
            return self.call_static(call, function, arguments)
        if arguments and arguments[0] in self.inference.flats and function in (operator.getitem, operator.setitem):
            accessor: Any = item_of_flat if function is operator.getitem else store_in_flat
            return self.call_function(call, accessor, (self.inference.flats[arguments[0]], *arguments[1:]), keywords)
        if (of_class := resolve_operator_with_array(self, call, function, arguments)) is not None:
            return of_class
        on_arrays = resolve_array_function(self, call, function, arguments, keywords)
        if on_arrays is not None:
            return on_arrays
        rule = lookup(function, len(arguments), [name for name, _ in keywords])
        takes_functions = any(map(self.is_function, (*arguments, *(operand for _, operand in keywords))))
        if isinstance(rule, ModelRule) and rule.gives_iterator:
            return make_iterator(self, call, function, arguments, keywords)
        if function in (min, max) and len(arguments) > 1 and self.are_no_numbers(arguments):
            together: Any = Packed(make_list, tuple(arguments))  # as of the elements of a list
            model: Any = lookup(function, 1, [name for name, _ in keywords])
            return self.call_function(call, model.body, [together], keywords)
        if isinstance(rule, ModelRule) and function in (sum, min, max) and len(arguments) <= 1 + (function is sum):
            # whose class says what + and < mean; tuples become longer, each sum of another type
            takes_functions = takes_functions or self.holds_objects(arguments[0]) or self.is_sum_of_tuples(function, arguments)
        if isinstance(rule, ModelRule) and takes_functions:
            if function is sum and len(arguments) == 1 and not keywords and self.holds_objects(arguments[0]):
                added: Any = sum_of_objects  # type checkers take a function for a method
                return self.call_function(call, added, [self.as_list(arguments[0])], ())
            if self.is_sum_of_tuples(function, arguments):
                check_sum(self.inference, call)
            return self.call_model(call, rule, arguments, keywords)
        if function in _READING_LOCALS and len(arguments) <= (0 if function is vars else 1):
            raise UnsupportedSyntaxError(
                f"{getattr(function, '__name__', function)}() sees the variables of the function that calls it, which are not "
                f"the same in generated code; write the expression out.\n{describe_place(call.span)}"
            )
        if function is exec and any(isinstance(self.inference.type_of(operand), DictType) for operand in arguments[1:]):
            raise UnsupportedSyntaxError(
                "exec() may put anything into this dict, which is not followed; write the statements out, or call a function.\n"
                f"{describe_place(call.span)}"
            )
        label = self.method_of_class(function)
        if label is not None and arguments:
            return resolve_method(self, call, (arguments[0], Constant(label), *arguments[1:]), keywords)
        if function is setattr and (refused := resolve_setattr_of_frozen(self, arguments)) is not None:
            return refused
        if function in (setattr, set_frozen) and len(arguments) == 3:
            setter = find_setter(self, call, function, arguments)
            if setter is not None:
                return self.resolve_known(call, *setter, ())
            check_store_in_known(self, call, arguments)
        if (of_class := resolve_operator_method(self, call, function, arguments)) is not None:
            return of_class
        body: Any = in_python(function, dict(keywords))
        if body is not None and arguments and isinstance(strip_optional(self.inference.type_of(arguments[0])), ListType):
            resolution = self.call_function(call, body, arguments, keywords)
            assert resolution.specialisation is not None
            if callable(function):
                resolution.specialisation.python_function = function  # where no derivative passes through the list
            return resolution
        transfer = transfer_of(function)
        if function is type and len(arguments) == 1 and not keywords:
            cls = class_of(self.inference.type_of(arguments[0]))
            if cls is not None:
                return Resolution(ConstantType(cls, id(cls)), Constant(cls), function, arguments)
        if function is type and len(arguments) > 1:  # it makes a class
            return self.opaque(call, function)
        if function is make_list and is_read_as_array(self.inference, call):
            return self.transfer(call, make_tuple, arguments, keywords)
        if function in (list, dict) and not arguments and not keywords:
            return self.transfer(call, make_list if function is list else make_dict, (), ())
        if function is list and len(arguments) == 1 and self.is_list_of_places(arguments[0]):
            return resolve_copy(self, call, arguments, ())
        if function is tuple and len(arguments) == 1:
            check_tuple(self.inference, call)
            elements = self.elements_of_display(arguments[0])
            if elements is not None:
                return Resolution(TupleType(tuple(map(self.inference.type_of, elements))), None, make_tuple, elements)
        if function is unpack and len(arguments) == 2:
            elements = self.elements_of_display(arguments[0])
            count = self.inference.constant_of(arguments[1])
            if elements is not None and count is not None and count.value == len(elements):
                return Resolution(TupleType(tuple(map(self.inference.type_of, elements))), None, make_tuple, elements)
        if function is dict and keywords and arguments:
            return self.call_model(call, made_with_names, arguments, keywords)
        if function is dict and keywords:
            items = Packed(make_dict, tuple(part for name, operand in keywords for part in (Constant(name), operand)))
            return self.make_dict(call, items)
        if function is tuple and arguments and isinstance(strip_optional(self.inference.type_of(arguments[0])), TupleType):
            return Resolution(self.inference.type_of(arguments[0]), alias=arguments[0])
        if transfer is not None:
            return self.transfer(call, function, arguments, keywords)
        for derived_of in DERIVED_OF:
            if (derived := derived_of(function)) is not None:
                return call_derivative(self, call, derived, arguments, keywords)
        match function:
            case types.FunctionType():
                if rule is not None:
                    kind = self.result_with_rule(call, function, rule, arguments, keywords)
                    return Resolution(kind, None, function, arguments, keywords)
                if function in TRANSFORMATIONS:
                    return make_derivative(self, call, TRANSFORMATIONS[function], arguments, keywords)
                return self.call_function(call, function, arguments, keywords)
            case types.MethodType() | types.BuiltinFunctionType() if is_drawing(function):
                return Resolution(drawn(self, call, function.__name__, arguments), None, function, arguments, keywords)
            case types.MethodType() if isinstance(function.__func__, types.FunctionType) and is_about_text(
                self, function.__func__, (Constant(function.__self__), *arguments), keywords
            ):
                return self.opaque(call, None)
            case types.MethodType():
                return self.resolve_known(call, function.__func__, (self.inference.bound_to(function), *arguments), keywords)
            case functools._lru_cache_wrapper() if not _calls_itself(function.__wrapped__):
                if isinstance(function.__wrapped__, types.FunctionType):
                    self.inference.analyser.cached.add(self.inference.analyser.lower(function.__wrapped__))
                return self.resolve_known(call, function.__wrapped__, arguments, keywords)
            case functools.partial():
                given: dict[str, object] = function.keywords
                extra = tuple((key, Constant(value)) for key, value in given.items() if key not in dict(keywords))
                positional = (*(Constant(value) for value in function.args), *arguments)
                return self.resolve_known(call, function.func, positional, (*keywords, *extra))
            case type():
                return resolve_construction(self, call, function, arguments, keywords)
            case operator.itemgetter() | operator.attrgetter() if len(arguments) == 1:
                found = call_getter(self, call, function, arguments[0])
                if found is not None:
                    return found
        if rule is not None:
            kind = self.result_with_rule(call, None, rule, arguments, keywords)
            return Resolution(kind, None, function, arguments, keywords)
        if isinstance(function, np.vectorize):
            return call_vectorized(self, call, function, arguments, keywords)
        method = inspect.getattr_static(type(function), "__call__", None)
        if isinstance(method, types.FunctionType) and not isinstance(function, types.BuiltinFunctionType):
            guard_member(self, type(function), "__call__")
            return self.resolve_known(call, method, (Constant(function), *arguments), keywords)
        return Resolution(self.opaque(call, function).kind, None, function, arguments, keywords)

    def as_plain_number(self, operand: Operand) -> Operand:
        """A member of an enumeration of numbers, whose operators are those of the numbers, as the number that it is."""
        kind = self.inference.type_of(operand)
        if not isinstance(kind, ConstantType) or not isinstance(kind.value, enum.Enum):
            return operand
        number: Any = next((one for one in (int, float) if isinstance(kind.value, one)), None)
        if number is None or any(getattr(type(kind.value), name) is not getattr(number, name) for name in _OPERATORS):
            return operand
        return Constant(number(kind.value))

    def is_literal_part(self, arguments: tuple[Operand, ...]) -> bool:
        """Whether it is an element of a tuple of literals."""
        constants = [self.inference.constant_of(operand) for operand in arguments]
        return [None if constant is None else constant.value.__class__ for constant in constants] == [tuple, int]

    def call_static(self, call: Call, function: Any, arguments: tuple[Operand, ...]) -> Resolution:
        """A function of literals that is computed now, if they are known."""
        values = [constant.value for operand in arguments if (constant := self.inference.constant_of(operand)) is not None]
        try:
            value = _computed(function, *values) if len(values) == len(arguments) else _NOT_KNOWN
        except (TypeError, ValueError, IndexError):  # on a path that is not taken
            value = _NOT_KNOWN
        if value is _NOT_KNOWN:
            return replace(self.opaque(call, function), arguments=arguments)
        return Resolution(type_of_constant(Constant(value)), Constant(value), function, arguments)

    def elements_of_display(self, operand: Operand) -> tuple[Operand, ...] | None:
        """The elements of a list display that is not changed."""
        kind = self.inference.type_of(operand)
        if not isinstance(kind, ListType) or self.inference.memory.flags[self.inference.memory.find(kind.region)]:
            return None
        display = self.inference.displays.get(operand) if isinstance(operand, Value) else None
        return display.arguments if display is not None else None

    def holds_objects(self, operand: Operand) -> bool:
        """Whether the elements of an operand are instances of a user's class."""
        element = strip_optional(iterated(self.inference.memory, self.inference.type_of(operand)))
        return isinstance(element, ObjectType | TupleType) and element.cls not in (list, tuple)

    def is_list_of_places(self, operand: Operand) -> bool:
        """Whether an operand is a list with a type for each place."""
        kind = self.inference.type_of(operand)
        return isinstance(kind, ObjectType) and kind.cls is list and has_places(self.inference.memory, kind.region)

    def is_sum_of_tuples(self, function: object, arguments: Sequence[Operand]) -> bool:
        """Whether `sum` begins with a tuple."""
        kind = strip_optional(self.inference.type_of(arguments[-1]))
        return function is sum and len(arguments) == 2 and isinstance(kind, TupleType)

    def are_no_numbers(self, operands: Sequence[Operand]) -> bool:
        """Whether operands are tuples, lists or objects."""
        kinds = (strip_optional(self.inference.type_of(operand)) for operand in operands)
        return all(isinstance(kind, TupleType | ListType | ObjectType) for kind in kinds)

    def is_function(self, operand: Operand) -> bool:
        """Whether an operand is known to be a function."""
        if isinstance(strip_optional(self.inference.type_of(operand)), FunctionType):
            return True
        display = self.inference.displays.get(operand) if isinstance(operand, Value) else None
        if display is not None and any(map(self.is_function, display.arguments)):
            return True
        constant = self.inference.constant_of(operand)
        return constant is not None and callable(constant.value)

    def result_with_rule(
        self,
        call: Call,
        function: types.FunctionType | None,
        rule: Rule,
        arguments: Sequence[Operand],
        keywords: Sequence[tuple[str, Operand]],
    ) -> Type:
        """The result of a function that has a rule: of numbers a number, of arrays what the code of the function tells, if it has
        source, or that of the model that the user has declared."""
        body: Any = rule.body if isinstance(rule, ModelRule) and not _is_own(rule.body) else None
        operands = (*arguments, *(operand for _, operand in keywords))
        kinds = [strip_optional(self.inference.type_of(operand)) for operand in operands]
        told = body or function
        followed = (ArrayType, ListType) if body is not None else (ArrayType,)
        if told is None or not any(isinstance(kind, followed) for kind in kinds):
            return self.number(arguments)
        try:
            return self.call_function(call, told, arguments, keywords).kind
        except UnsupportedSyntaxError:
            return ANY

    def number(self, arguments: Sequence[Operand]) -> Type:
        """The result of a function of numbers with a rule."""
        kinds = [strip_optional(self.inference.type_of(operand)) for operand in arguments]
        if any(isinstance(kind, UnknownType) for kind in kinds):
            return UNKNOWN
        return FLOAT if all(isinstance(kind, ScalarType | AnyType) for kind in kinds) else ANY

    def make_dict(self, call: Call, items: Packed) -> Resolution:
        """``dict(a=x)``"""
        kind = self.kind_of_bound(call, 0, items)
        return Resolution(kind, None, make_dict, items.operands)

    def transfer(
        self, call: Call, function: object, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
    ) -> Resolution:
        """A function whose result type a table gives."""
        transfer = transfer_of(function)
        assert transfer is not None
        type_of = self.type_of_part if function is make_tuple else self.inference.type_of
        kinds = [type_of(operand) for operand in arguments]
        given = dict(keywords)
        if function in (sum, math.prod) and "start" in given:
            kinds.append(self.inference.type_of(given["start"]))
        named = [self.inference.constant_of(operand) or operand for operand in arguments]
        if function is slice and all(isinstance(operand, Constant) for operand in named):
            self.inference.slices[call.result] = Constant(slice(*(c.value for c in named if isinstance(c, Constant))))
        owner = strip_optional(kinds[0]) if function is operator.getitem else None
        if isinstance(owner, TupleType) or (isinstance(owner, ObjectType) and owner.cls is list):
            named = [self.inference.slices.get(operand, operand) if isinstance(operand, Value) else operand for operand in named]
        try:
            kind = transfer(self.inference.memory, kinds, named, self.inference.site(call))
        except (IndexError, ValueError):  # not enough operands: the primal will say so
            kind = ANY
        if function in (min, max) and "default" in given:
            kind = self.inference.memory.join(kind, self.inference.type_of(given["default"]))
        constants = [self.inference.constant_of(operand) for operand in arguments]
        if function is make_tuple and constants and all(c is not None and isinstance(c.value, type) for c in constants):
            return Resolution(kind, Constant(tuple(c.value for c in constants if c is not None)), function, arguments)
        if function is operator.getitem and isinstance(kind, ConstantType):
            return Resolution(kind, Constant(kind.value), function, arguments)
        return Resolution(kind, None, function, arguments, keywords)

    def type_of_part(self, operand: Operand) -> Type:
        """The type of an element of a tuple: a known function stays known there."""
        constant = self.inference.constant_of(operand)
        if constant is not None and is_function_like(constant.value) and not isinstance(constant.value, type):
            return ConstantType(constant.value, id(constant.value))
        return self.inference.type_of(operand)

    # --- functions with source -----------------------------------------------------------------------------------------------

    def call_function(
        self,
        call: Call,
        function: types.FunctionType,
        arguments: Sequence[Operand | Starred],
        keywords: Sequence[tuple[str, Operand]],
    ) -> Resolution:
        """A Python function at module level (or one that exists already)."""
        if is_about_text(self, function, arguments, keywords):
            return self.opaque(call, None)
        if inspect.isgeneratorfunction(function):
            guard_function(self, function)
            resolution = self.opaque(call, function)  # constants may pass
            plain = tuple(operand for operand in arguments if not isinstance(operand, Starred))
            return replace(resolution, arguments=plain, keywords=tuple(keywords))
        classes = {class_of(self.inference.type_of(one)) if isinstance(one, Value) else None for one in arguments}
        if len(classes) == 1 and (comparison := comparison_of_dataclass(function, *classes)) is not None:
            compared = [one for one in arguments if not isinstance(one, Starred)]
            return self.call_definition(call, comparison, self.inference.context, compared)
        try:
            definition = self.inference.analyser.lower(function)
        except SourceUnavailableError as error:
            first = class_of(self.inference.type_of(arguments[0])) if arguments and isinstance(arguments[0], Value) else None
            raise without_source(error, function, first, call) from None
        context = self.inference.analyser.context_of(function)
        guard_function(self, function)
        signature_defaults = defaults_of(function, self.inference.default_of)
        bound = bind_arguments(definition.name, definition.parameters, arguments, keywords, signature_defaults)
        if not _is_own(function):
            check_passed(self, call, definition.name, [item for item in bound if not isinstance(item, Packed)])
        try:
            resolution = self.call_definition(call, definition, context, bound)
        except UnsupportedSyntaxError as error:
            raise told_of_call(error, function, call) from None
        assert resolution.specialisation is not None
        resolution.specialisation.python_function = function
        if resolution.specialisation.callee.unit is None:
            resolution.specialisation.callee.cell.cell_contents = function
        return resolution

    def call_model(
        self, call: Call, rule: ModelRule, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
    ) -> Resolution:
        """A call of a library function whose derivative is that of a Python function. It is given a list where the program has an
        iterator, whose elements are followed where they are gone over, and not in another function."""
        body: Any = rule.body  # type checkers take a function in a class for a method
        return self.call_function(call, body, [*map(self.as_list, arguments)], keywords)

    def as_list(self, operand: Any) -> Any:
        is_iterator = isinstance(operand, Value) and isinstance(self.inference.type_of(operand), IteratorType)
        return Packed(list, (operand,)) if is_iterator else operand

    def call_nested(
        self,
        call: Call,
        kind: FunctionType,
        closure: Operand,
        arguments: Sequence[Operand | Starred],
        keywords: Sequence[tuple[str, Operand]],
    ) -> Resolution:
        """A nested function: what it captures is passed first."""
        if isinstance(kind.definition, Partial):
            plain = tuple(operand for operand in arguments if not isinstance(operand, Starred))
            return call_partial(self, call, kind, closure, plain, keywords)
        closure = self.inference.derived.get(closure, closure) if isinstance(closure, Value) else closure
        maker = self.inference.makers.get(closure) if isinstance(closure, Value) else None
        derivative = kind.definition if isinstance(kind.definition, NestedDerivative) else None
        definition = derivative.definition if derivative is not None else kind.definition
        assert isinstance(definition, Function)
        parts: list[Operand]
        lifted = self.inference.analyser.as_called(definition)
        is_itself = lifted.definition is self.inference.definition_at_start and closure in self.inference.own_cells
        if is_itself and derivative is None and not self._has_defaults(definition):
            parts = [*self.inference.definition.captured[len(lifted.variables) :]]  # it calls itself: the same function value
        elif maker is not None:
            parts = [*maker.captured, *maker.defaults]
        else:
            parts = [self.inference.part(closure, index, part) for index, part in enumerate(kind.captured)]
        captured, defaults = parts[: len(definition.captured)], parts[len(definition.captured) :]
        names = [parameter.value.name for parameter in definition.parameters if parameter.has_default]
        bound = bind_arguments(
            definition.name,
            definition.parameters,
            arguments,
            keywords,
            dict(zip(names, defaults, strict=True)),
        )
        context = kind.context if isinstance(kind.context, Context) else self.inference.context
        if derivative is not None:
            return call_nested_derivative(self, call, derivative, context, captured, bound, len(arguments))
        check_passed(self, call, definition.name, [item for item in (*captured, *bound) if not isinstance(item, Packed)])
        return self.call_definition(call, definition, context, [*captured, *bound])

    def member(self, call: Call, member: Member) -> Resolution:
        """A function of the group that the one which is being called belongs to, as a value: both have captured the same."""
        definition, context = member.definition, self.inference.context
        assert definition is not None
        lifted = self.inference.lifted
        captured = self.inference.definition.captured[0 if lifted is None else len(lifted.variables) :]
        defaults = captured[member.first : member.end]
        self.inference.makers[call.result] = MakeFunction(call.result, definition, captured, defaults, call.span)
        kinds = tuple(map(self.inference.type_of, (*captured, *defaults)))
        kind = FunctionType(definition, (definition, context), kinds, context)
        return Resolution(kind, None, make_tuple, (*captured, *defaults) or (Constant(None),))

    def method_of_class(self, function: object) -> str | None:
        """The name of a method of a built-in class that is called on the class: ``list.append(x, 1)``."""
        if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType):
            return function.__name__ if function.__objclass__ in (list, dict, float, int) else None
        return None

    def _has_defaults(self, definition: object) -> bool:
        return isinstance(definition, Function) and any(parameter.has_default for parameter in definition.parameters)

    def call_definition(self, call: Call, definition: Any, context: Context, bound: Sequence[Bound]) -> Resolution:
        """A call of IR, for the types that its arguments have now."""
        lifted = self.inference.analyser.as_called(definition)
        given = [*(self.load_outside(call, variable) for variable in lifted.variables), *bound]
        kinds = [self.kind_of_bound(call, index, item) for index, item in enumerate(given)]
        if any(isinstance(kind, UnknownType) for kind in kinds):
            pending = Specialisation(lifted.definition, context, tuple(kinds), lifted.definition)
            # if it stays so, one of the arguments is never there: the program ends before the call
            pending.callee = Callee(lifted.definition.name, ACTS, types.CellType(runtime.never_called))
            return Resolution(UNKNOWN, None, None, tuple(given), (), pending)
        try:
            callee, result = self.inference.call_specialisation(call, lifted.definition, context, kinds)
        except MissingArgumentError as missing:
            if missing.definition is not lifted.definition:
                raise
            self.inference.analyser.add_argument(definition, missing.variable)
            return self.call_definition(call, definition, context, bound)
        return Resolution(result, None, None, tuple(given), (), callee)

    def call_made(
        self, call: Call, definition: Function, arguments: Sequence[Bound], as_it_is: Callable[..., object] | None = None
    ) -> Resolution:
        """A call of a function that is made here; `as_it_is`: what is called where no derivative passes through it."""
        resolution = self.call_definition(call, definition, self.inference.context, arguments)
        if resolution.specialisation is not None and as_it_is is not None:
            resolution.specialisation.python_function = as_it_is
        return resolution

    def load_outside(self, call: Call, variable: Guard) -> Bound:
        """What is in a variable outside, for a function that takes it as an argument."""
        load = load_of(variable, self.inference.context)
        if load is None:
            raise UnsupportedSyntaxError(
                f"{variable.name!r}, a variable of another module, is used by several functions, and one of them changes it; "
                f"pass it as an argument.\n{describe_place(call.span)}"
            )
        return self.inference.given_instead(variable) or load

    def kind_of_bound(self, call: Call, index: int, item: Bound) -> Type:
        """The type of an argument, packed or not. A known function is part of the signature."""
        if isinstance(item, Packed) and item.function in (load_global, load_captured, getattr):
            return self.resolve_known(call, item.function, item.operands, ()).kind
        if isinstance(item, Packed):
            kinds = [self.kind_of_bound(call, index, operand) for operand in item.operands]
            transfer = transfer_of(item.function)
            assert transfer is not None
            return transfer(self.inference.memory, kinds, item.operands, self.inference.site((call, "packed", index)))
        constant = self.inference.constant_of(item)
        if constant is not None and is_function_like(constant.value):
            return ConstantType(constant.value, id(constant.value))
        kind = self.inference.type_of(item)
        if isinstance(kind, DictType) and isinstance(item, Value):
            return replace(kind, keys=keys_at(self.inference, item, call))
        return kind


@functools.lru_cache(maxsize=1024, typed=True)
def _computed(function: Callable[..., object], *values: object) -> object:
    """What a function of literals gives: one object, however often it is asked for."""
    return function(*values)


def _calls_itself(function: object) -> bool:
    """Whether a function mentions itself: without its cache it may take for ever."""
    code = getattr(function, "__code__", None)
    return code is None or code.co_name in (*code.co_names, *code.co_freevars)


def _is_own(function: object) -> bool:
    """Whether a function is a model that this package declares."""
    return str(getattr(function, "__module__", "")).startswith("s2sad.rules.")


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


_NOT_KNOWN: Final = object()
_ORDER: Final[tuple[Callable[[Any, Any], bool], ...]] = (operator.lt, operator.le, operator.gt, operator.ge)
_READING_LOCALS: Final = (eval, exec, locals, vars)
_SPECIAL: Final[dict[object, Callable[..., Resolution]]] = {
    call_method: resolve_method,
    call_unpacked: resolve_unpacked,
    getattr: resolve_attribute_or_super,
    iter: resolve_iter,
    iterator_of: resolve_iter,
    elements_of: resolve_elements,
    next: resolve_next,
    load_global: resolve_name,
    load_captured: resolve_captured,
    isinstance: resolve_isinstance,
    callable: resolve_callable,
    hasattr: resolve_hasattr,
    functools.update_wrapper: resolve_update_wrapper,
    functools.lru_cache: resolve_lru_cache,
    functools.cache: resolve_lru_cache,
    dataclasses.replace: replace_fields,
    vectorized: resolve_vectorized,
    copy.copy: resolve_copy,
    copy.deepcopy: resolve_deepcopy,
    operator.not_: resolve_not,
    operator.eq: lambda resolver, call, arguments, keywords: resolve_equal(resolver, call, operator.eq, False, arguments),
    operator.ne: lambda resolver, call, arguments, keywords: resolve_equal(resolver, call, operator.ne, True, arguments),
    **{
        test: lambda resolver, call, arguments, keywords, test=test: resolve_pattern(resolver, call, test, arguments)
        for test in (is_sequence, is_mapping, match_positional)
    },
    operator.is_: lambda resolver, call, arguments, keywords: resolve_is(resolver, operator.is_, False, arguments),
    operator.is_not: lambda resolver, call, arguments, keywords: resolve_is(resolver, operator.is_not, True, arguments),
}
