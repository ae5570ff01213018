"""What a call refers to: names to objects, methods to functions, functions with source to specialisations."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import operator
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from s2sad.analysis.binding import Bound, Packed, bind_arguments
from s2sad.analysis.choose_functions import check_choice
from s2sad.analysis.constructors import constructor_of
from s2sad.analysis.memory import ELEMENT
from s2sad.analysis.partials import GETTERS, Partial, call_getter, call_partial, make_partial
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import DERIVED_OF, TRANSFORMATIONS, NestedDerivative, Resolution
from s2sad.analysis.resolve_derivatives import call_derivative, call_nested_derivative, make_derivative
from s2sad.analysis.resolve_matching import are_never_equal, class_of, resolve_pattern
from s2sad.analysis.resolve_names import attribute_of_constant, guard_function, resolve_attribute, resolve_captured, resolve_name
from s2sad.analysis.result_types import method_type, strip, transfer_of, type_of_constant
from s2sad.analysis.signatures import is_function_like
from s2sad.analysis.specialisation import Context, Specialisation
from s2sad.errors import UnsupportedSyntaxError
from s2sad.frontend.lower_match import has_keys, is_mapping, is_sequence, match_positional
from s2sad.ir.nodes import Call, Constant, Function, Operand, Parameter, Value
from s2sad.ir.operations import call_method, call_unpacked, load_captured, load_global, make_dict, make_list, make_tuple, unpack
from s2sad.ir.types import (
    ANY,
    BOOL,
    FLOAT,
    UNKNOWN,
    AnyType,
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)
from s2sad.rules import lookup
from s2sad.rules.containers import container_rule
from s2sad.rules.core import ModelRule

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


class Resolver:
    """Resolution of calls for one run of type inference."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference

    def resolve(self, call: Call) -> Resolution:
        """What one call means now."""
        constant = self.inference.constant_of(call.function)
        if constant is not None:
            return self.resolve_known(call, constant.value, call.arguments, call.keywords)
        kind = strip(self.inference.type_of(call.function))
        if isinstance(kind, FunctionType):
            return self.call_nested(call, kind, call.function, call.arguments, call.keywords)
        if isinstance(kind, ObjectType):
            return self.call_object_method(call, kind, call.function, "__call__", call.arguments, call.keywords)
        if not isinstance(kind, UnknownType):
            check_choice(self.inference, call.function)
        return self.opaque(call, None)

    def opaque(self, call: Call, function: object) -> Resolution:
        """A call that nothing is known of."""
        pending = any(isinstance(self.inference.type_of(operand), UnknownType) for operand in call.arguments)
        for operand in call.arguments if function is not None else ():
            kind = strip(self.inference.type_of(operand))
            if isinstance(kind, ListType) and isinstance(self.inference.memory.load(kind.region, ELEMENT), UnknownType):
                self.inference.memory.store(kind.region, ELEMENT, ANY)  # who knows what it puts there
            if isinstance(kind, ObjectType):
                self.inference.memory.mark(kind.region, "unknown")
        unknown = pending or (function is None and isinstance(self.inference.type_of(call.function), UnknownType))
        return Resolution(UNKNOWN if unknown else ANY, None, function, call.arguments, call.keywords)

    def resolve_known(
        self, call: Call, function: object, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
    ) -> Resolution:
        """A call of an object that is known by identity."""
        special = _SPECIAL.get(function) if _is_hashable(function) else None
        if special is not None:
            return special(self, call, arguments, keywords)
        rule = lookup(function, len(arguments), [name for name, _ in keywords])
        takes_functions = any(map(self._is_function, (*arguments, *(operand for _, operand in keywords))))
        if isinstance(rule, ModelRule) and takes_functions:
            return self.call_function(call, _body_of(rule), arguments, keywords)
        if function in _READING_LOCALS and len(arguments) <= (0 if function is vars else 1):
            raise UnsupportedSyntaxError(
                f"{getattr(function, '__name__', function)}() sees the variables of the function that calls it, which are not "
                f"the same in generated code; write the expression out.\n{describe_place(call.span)}"
            )
        label = self.method_of_class(function)
        if label is not None and arguments:
            return self.call_method(call, (arguments[0], Constant(label), *arguments[1:]), keywords)
        method_of_user = self._operator_method(function, arguments)
        if method_of_user is not None:
            return self.resolve_known(call, *method_of_user, ())
        transfer = transfer_of(function)
        if function is type and len(arguments) == 1 and not keywords:
            cls = class_of(self.inference.type_of(arguments[0]))
            if cls is not None:
                return Resolution(ConstantType(cls, id(cls)), Constant(cls), function, arguments)
        if function in (list, dict) and not arguments and not keywords:
            return self.transfer(call, make_list if function is list else make_dict, (), ())
        if function is tuple and len(arguments) == 1:
            elements = self.elements_of_display(arguments[0])
            if elements is not None:
                return Resolution(TupleType(tuple(map(self.inference.type_of, elements))), None, make_tuple, elements)
        if function is unpack and len(arguments) == 2:
            elements = self.elements_of_display(arguments[0])
            count = self.inference.constant_of(arguments[1])
            if elements is not None and count is not None and count.value == len(elements):
                return Resolution(TupleType(tuple(map(self.inference.type_of, elements))), None, make_tuple, elements)
        if function is dict and keywords:
            items = Packed(make_dict, tuple(part for name, operand in keywords for part in (Constant(name), operand)))
            return self.make_dict(call, arguments, items)
        if function is tuple and arguments and isinstance(strip(self.inference.type_of(arguments[0])), TupleType):
            return Resolution(self.inference.type_of(arguments[0]), alias=arguments[0])
        if transfer is not None:
            return self.transfer(call, function, arguments, keywords)
        for derived_of in DERIVED_OF:
            if (derived := derived_of(function)) is not None:
                return call_derivative(self, call, derived, arguments, keywords)
        match function:
            case types.FunctionType():
                if rule is not None:
                    return Resolution(self.number(arguments), None, function, arguments, keywords)
                if function in TRANSFORMATIONS:
                    return make_derivative(self, call, TRANSFORMATIONS[function], arguments, keywords)
                return self.call_function(call, function, arguments, keywords)
            case types.MethodType():
                return self.resolve_known(call, function.__func__, (Constant(function.__self__), *arguments), keywords)
            case functools.partial():
                given = dict(function.keywords) | {}
                extra = tuple((key, Constant(value)) for key, value in given.items() if key not in dict(keywords))
                positional = (*(Constant(value) for value in function.args), *arguments)
                return self.resolve_known(call, function.func, positional, (*keywords, *extra))
            case type():
                return self.construct(call, function, arguments, keywords)
            case operator.itemgetter() | operator.attrgetter() if len(arguments) == 1:
                found = call_getter(self, call, function, arguments[0])
                if found is not None:
                    return found
        if rule is not None:
            return Resolution(self.number(arguments), None, function, arguments, keywords)
        method = inspect.getattr_static(type(function), "__call__", None)
        if isinstance(method, types.FunctionType) and not isinstance(function, types.BuiltinFunctionType):
            return self.resolve_known(call, method, (Constant(function), *arguments), keywords)
        return Resolution(self.opaque(call, function).kind, None, function, arguments, keywords)

    def _operator_method(self, function: object, arguments: tuple[Operand, ...]) -> tuple[object, tuple[Operand, ...]] | None:
        """``a + b`` for instances of a user's class: the method that Python calls."""
        if function is setattr and len(arguments) == 3:
            return self._setter(arguments)
        name = getattr(function, "__name__", "")
        if getattr(operator, name, None) is not function and function not in (len, abs):
            return None
        kinds = [strip(self.inference.type_of(operand)) for operand in arguments]
        if arguments and isinstance(kinds[0], ObjectType):
            for label in [f"__{name}__", f"__{name[1:]}__"] if name[:1] == "i" else [f"__{name.rstrip('_')}__"]:
                method = inspect.getattr_static(kinds[0].cls, label, None)
                if isinstance(method, types.FunctionType):
                    return method, arguments
        if len(arguments) == 2 and isinstance(kinds[1], ObjectType):
            method = inspect.getattr_static(kinds[1].cls, f"__r{name.rstrip('_')}__", None)
            if isinstance(method, types.FunctionType):
                return method, arguments[::-1]
        return None

    def _setter(self, arguments: tuple[Operand, ...]) -> tuple[object, tuple[Operand, ...]] | None:
        """``a.name = b`` where a property or ``__setattr__`` takes it."""
        kind, name = strip(self.inference.type_of(arguments[0])), self.inference.constant_of(arguments[1])
        if not isinstance(kind, ObjectType):
            return None
        method = inspect.getattr_static(kind.cls, "__setattr__", None)
        if isinstance(method, types.FunctionType) and not dataclasses.is_dataclass(kind.cls):
            return method, arguments
        descriptor = inspect.getattr_static(kind.cls, str(name.value), None) if name is not None else None
        if isinstance(descriptor, property) and isinstance(descriptor.fset, types.FunctionType):
            return descriptor.fset, (arguments[0], arguments[2])
        return None

    def elements_of_display(self, operand: Operand) -> tuple[Operand, ...] | None:
        """The elements of a list display that is not changed."""
        kind = self.inference.type_of(operand)
        if not isinstance(kind, ListType) or self.inference.memory.flags[self.inference.memory.find(kind.region)]:
            return None
        display = self.inference.displays.get(operand) if isinstance(operand, Value) else None
        return display.arguments if display is not None else None

    def _is_function(self, operand: Operand) -> bool:
        if isinstance(strip(self.inference.type_of(operand)), FunctionType):
            return True
        constant = self.inference.constant_of(operand)
        return constant is not None and callable(constant.value)

    def number(self, arguments: Sequence[Operand]) -> Type:
        """The result of a function of numbers with a rule."""
        kinds = [strip(self.inference.type_of(operand)) for operand in arguments]
        if any(isinstance(kind, UnknownType) for kind in kinds):
            return UNKNOWN
        return FLOAT if all(isinstance(kind, ScalarType | AnyType) for kind in kinds) else ANY

    def make_dict(self, call: Call, arguments: tuple[Operand, ...], items: Packed) -> Resolution:
        """``dict(a=x)``"""
        if arguments:
            return self.opaque(call, dict)
        kind = self.kind_of_bound(call, 0, items)
        return Resolution(kind, None, make_dict, items.operands)

    def transfer(
        self, call: Call, function: object, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
    ) -> Resolution:
        """A function whose result type a table gives."""
        transfer = transfer_of(function)
        assert transfer is not None
        kinds = [self.inference.type_of(operand) for operand in arguments]
        named = [self.inference.constant_of(operand) or operand for operand in arguments]
        if function is slice and all(isinstance(operand, Constant) for operand in named):
            self.inference.slices[call.result] = Constant(slice(*(c.value for c in named if isinstance(c, Constant))))
        if function is operator.getitem and isinstance(strip(kinds[0]), TupleType):
            named = [self.inference.slices.get(operand, operand) if isinstance(operand, Value) else operand for operand in named]
        try:
            kind = transfer(self.inference.memory, kinds, named, self.inference.site(call))
        except (IndexError, ValueError):  # not enough operands: the primal will say so
            kind = ANY
        given = dict(keywords)
        if function in (min, max) and "default" in given:
            kind = self.inference.memory.join(kind, self.inference.type_of(given["default"]))
        constants = [self.inference.constant_of(operand) for operand in arguments]
        if function is make_tuple and constants and all(c is not None and isinstance(c.value, type) for c in constants):
            return Resolution(kind, Constant(tuple(c.value for c in constants if c is not None)), function, arguments)
        return Resolution(kind, None, function, arguments, keywords)

    # --- functions with source -----------------------------------------------------------------------------------------------

    def call_function(
        self, call: Call, function: types.FunctionType, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
    ) -> Resolution:
        """A Python function at module level (or one that exists already)."""
        definition = self.inference.analyser.lower(function)
        context = self.inference.analyser.context_of(function)
        guard_function(self, function)
        signature_defaults = _defaults_of(function)
        bound = bind_arguments(definition.name, definition.parameters, arguments, keywords, signature_defaults)
        resolution = self.call_definition(call, definition, context, bound)
        assert resolution.specialisation is not None
        resolution.specialisation.python_function = function
        return resolution

    def call_nested(
        self,
        call: Call,
        kind: FunctionType,
        closure: Operand,
        arguments: Sequence[Operand],
        keywords: Sequence[tuple[str, Operand]],
    ) -> Resolution:
        """A nested function: what it captures is passed first."""
        if isinstance(kind.definition, Partial):
            return call_partial(self, call, kind, closure, arguments, keywords)
        closure = self.inference.derived.get(closure, closure) if isinstance(closure, Value) else closure
        maker = self.inference.makers.get(closure) if isinstance(closure, Value) else None
        derivative = kind.definition if isinstance(kind.definition, NestedDerivative) else None
        definition = derivative.definition if derivative is not None else kind.definition
        parts: list[Operand]
        is_itself = definition is self.inference.definition_at_start and closure in self.inference.own_cells
        if is_itself and derivative is None and not self._has_defaults(definition):
            parts = list(self.inference.definition.captured)  # it calls itself: the same function value
        elif maker is not None:
            parts = [*maker.captured, *maker.defaults]
        else:
            parts = [self.inference.part(closure, index, part) for index, part in enumerate(kind.captured)]
        captured, defaults = parts[: len(definition.captured)], parts[len(definition.captured) :]  # type: ignore[attr-defined]
        names = [parameter.value.name for parameter in definition.parameters if parameter.has_default]  # type: ignore[attr-defined]
        bound = bind_arguments(
            definition.name,  # type: ignore[attr-defined]
            definition.parameters,  # type: ignore[attr-defined]
            arguments,
            keywords,
            dict(zip(names, defaults, strict=True)),
        )
        if derivative is not None:
            return call_nested_derivative(self, call, derivative, captured, bound, len(arguments))
        return self.call_definition(call, definition, self.inference.context, [*captured, *bound])

    def method_of_class(self, function: object) -> str | None:
        """The name of a method of a built-in class that is called on the class: ``list.append(x, 1)``."""
        if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType):
            return function.__name__ if function.__objclass__ in (list, dict, float, int) else None
        return None

    def _has_defaults(self, definition: object) -> bool:
        return isinstance(definition, Function) and any(parameter.has_default for parameter in definition.parameters)

    def call_definition(self, call: Call, definition: Any, context: Context, bound: Sequence[Bound]) -> Resolution:
        """A call of IR, for the types that its arguments have now."""
        kinds = [self.kind_of_bound(call, index, item) for index, item in enumerate(bound)]
        if any(isinstance(kind, UnknownType) for kind in kinds):
            pending = Specialisation(definition, context, tuple(kinds), definition)
            return Resolution(UNKNOWN, None, None, tuple(bound), (), pending)
        callee, result = self.inference.call_specialisation(call, definition, context, kinds)
        return Resolution(result, None, None, tuple(bound), (), callee)

    def kind_of_bound(self, call: Call, index: int, item: Bound) -> Type:
        """The type of an argument, packed or not. A known function is part of the signature."""
        if isinstance(item, Packed):
            kinds = [self.kind_of_bound(call, index, operand) for operand in item.operands]
            transfer = transfer_of(item.function)
            assert transfer is not None
            return transfer(self.inference.memory, kinds, item.operands, self.inference.site((call, "packed", index)))
        constant = self.inference.constant_of(item)
        if constant is not None and is_function_like(constant.value):
            return ConstantType(constant.value, id(constant.value))
        return self.inference.type_of(item)

    def construct(
        self, call: Call, cls: type, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
    ) -> Resolution:
        """An instance of a class."""
        if cls is functools.partial and arguments:
            return make_partial(self, call, arguments, keywords)
        constants = [self.inference.constant_of(operand) for operand in arguments]
        if cls in GETTERS and None not in constants:
            keys: Any = [constant.value for constant in constants if constant is not None]
            made = cls(*keys)
            kept = self.inference.keep(call, made)
            return Resolution(ConstantType(kept.value, id(kept.value)), kept, cls, tuple(arguments))
        if _is_named_tuple(cls):
            return self.named_tuple(call, cls, arguments, keywords)
        definition = constructor_of(cls, len(arguments), tuple(name for name, _ in keywords))
        if definition is None:
            return Resolution(OpaqueType(cls), None, cls, tuple(arguments), tuple(keywords))
        initialiser = inspect.getattr_static(cls, "__init__", None)
        defaults = _defaults_of(initialiser) if isinstance(initialiser, types.FunctionType) else {}
        bound = bind_arguments(cls.__name__, definition.parameters, list(arguments), list(keywords), defaults)
        return self.call_definition(call, definition, self.inference.context, bound)

    def named_tuple(
        self, call: Call, cls: Any, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
    ) -> Resolution:
        """``Point(x, y)`` is a tuple whose elements have names."""
        parameters = [Parameter(Value(name), has_default=name in cls._field_defaults) for name in cls._fields]
        defaults: dict[str, Operand] = {name: Constant(value) for name, value in cls._field_defaults.items()}
        bound = bind_arguments(cls.__name__, parameters, arguments, keywords, defaults)
        kinds = tuple(self.kind_of_bound(call, index, item) for index, item in enumerate(bound))
        return Resolution(TupleType(kinds, cls), None, make_tuple, tuple(bound))

    def super_method(self, name: str) -> tuple[object, Operand] | None:
        """``super().name`` inside a method: the function, and ``self``."""
        cell = self.inference.context.captured.get("__class__")
        definition = self.inference.definition
        if cell is None or not definition.parameters:
            return None
        instance = definition.parameters[0].value
        constant = self.inference.constant_of(instance)
        cls = type(constant.value) if constant is not None else class_of(strip(self.inference.type_of(instance)))
        if cls is None or cell.cell_contents not in cls.__mro__:
            return None
        after = cls.__mro__[cls.__mro__.index(cell.cell_contents) + 1 :]
        for base in after:
            if name in vars(base):
                method = vars(base)[name]
                return (method, instance) if isinstance(method, types.FunctionType) else None
        return None

    # --- attributes and methods -----------------------------------------------------------------------------------------------

    def call_method(self, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]) -> Resolution:
        """``receiver.name(…)``."""
        receiver, label, *rest = arguments
        assert isinstance(label, Constant)
        name = str(label.value)
        constant = self.inference.constant_of(receiver)
        if constant is not None and is_function_like(constant.value):
            found = attribute_of_constant(self, constant.value, name)
            if found is None:
                return self.opaque(call, None)
            return self.resolve_known(call, found, tuple(rest), keywords)
        kind = strip(self.inference.type_of(receiver))
        if name == "__class__" and (cls := class_of(self.inference.type_of(receiver))) is not None:
            return self.resolve_known(call, cls, tuple(rest), keywords)
        if isinstance(kind, ScalarType | ListType | DictType | TupleType) and name[:2] == "__" and name.strip("_") in _OPERATORS:
            return self.resolve_known(call, _OPERATORS[name.strip("_")], (receiver, *rest), keywords)
        if kind == OpaqueType(super) and (inherited := self.super_method(name)) is not None:
            return self.resolve_known(call, inherited[0], (inherited[1], *rest), keywords)
        if isinstance(kind, ScalarType) and kind.kind != "complex" and name == "conjugate" and not rest:
            return Resolution(kind, alias=receiver)
        if isinstance(kind, TupleType) and kind.cls is not tuple:
            method = inspect.getattr_static(kind.cls, name, None)
            if name == "_replace" and not rest:
                fields: tuple[str, ...] = getattr(kind.cls, "_fields", ())
                pairs = enumerate(zip(fields, kind.elements, strict=True))
                parts: dict[str, Operand] = {field: self.inference.part(receiver, index, part) for index, (field, part) in pairs}
                return self.named_tuple(call, kind.cls, (), tuple((parts | dict(keywords)).items()))
            if isinstance(method, types.FunctionType) and name != "_asdict":
                return self.resolve_known(call, method, (receiver, *rest), keywords)
        if isinstance(kind, ObjectType):
            return self.call_object_method(call, kind, receiver, name, tuple(rest), keywords)
        if constant is not None and isinstance(type_of_constant(constant), ConstantType):
            method = inspect.getattr_static(type(constant.value), name, None)
            if isinstance(method, types.FunctionType) and name not in getattr(constant.value, "__dict__", {}):
                return self.resolve_known(call, method, (receiver, *rest), keywords)
            found = attribute_of_constant(self, constant.value, name)
            return self.resolve_known(call, found, tuple(rest), keywords) if callable(found) else self.opaque(call, None)
        if isinstance(kind, ListType | DictType) and any(map(self._is_function, (*rest, *(operand for _, operand in keywords)))):
            cls = list if isinstance(kind, ListType) else dict
            rule = container_rule(cls, name, len(rest) + 1, tuple(label for label, _ in keywords))
            if isinstance(rule, ModelRule):
                return self.call_function(call, _body_of(rule), (receiver, *rest), keywords)
        passed: tuple[Bound, ...] = arguments
        if name == "update" and keywords and not rest:
            items = Packed(make_dict, tuple(part for key, operand in keywords for part in (Constant(key), operand)))
            passed, keywords = (receiver, label, items), ()
            kinds: list[Type] = [self.kind_of_bound(call, 2, items)]
        else:
            kinds = [self.inference.type_of(operand) for operand in rest]
        named = [self.inference.constant_of(operand) or operand for operand in rest]
        try:
            result = method_type(self.inference.memory, name, kind, kinds, named, self.inference.site(call))
        except IndexError:
            result = ANY
        return Resolution(result, None, call_method, passed, keywords)

    def call_object_method(
        self,
        call: Call,
        kind: ObjectType,
        receiver: Operand,
        name: str,
        arguments: tuple[Operand, ...],
        keywords: tuple[tuple[str, Operand], ...],
    ) -> Resolution:
        """A method of an instance whose class is known."""
        method = inspect.getattr_static(kind.cls, name, None)
        match method:
            case types.FunctionType():
                return self.resolve_known(call, method, (receiver, *arguments), keywords)
            case staticmethod():
                return self.resolve_known(call, method.__func__, arguments, keywords)
            case classmethod():
                return self.resolve_known(call, method.__func__, (Constant(kind.cls), *arguments), keywords)
        held = strip(self.inference.memory.load(kind.region, name))
        if isinstance(held, ConstantType):
            return self.resolve_known(call, held.value, arguments, keywords)
        return self.opaque(call, None)

    # --- conditions that types decide -------------------------------------------------------------------------------------------

    def is_instance(self, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]) -> Resolution:
        """isinstance on a number or a container."""
        classes = self.inference.constant_of(arguments[1])
        kind = self.inference.type_of(arguments[0])
        cls = class_of(kind)
        if classes is None or cls is None:
            return Resolution(UNKNOWN if isinstance(kind, UnknownType) else BOOL, None, isinstance, arguments)
        try:
            answer = issubclass(cls, classes.value)  # type: ignore[arg-type]
        except TypeError:
            return Resolution(BOOL, None, isinstance, arguments)
        return Resolution(BOOL, Constant(answer), isinstance, arguments)

    def is_same(self, function: object, negate: bool, arguments: tuple[Operand, ...]) -> Resolution:
        """``x is None`` where the type of x decides it; ``f is g`` for known objects."""
        kinds = [self.inference.type_of(operand) for operand in arguments]
        constants = [self.inference.constant_of(operand) for operand in arguments]
        if any(isinstance(kind, UnknownType) and constant is None for kind, constant in zip(kinds, constants, strict=True)):
            return Resolution(UNKNOWN, None, function, arguments)
        answer: bool | None = None
        first, second = constants
        if first is not None and second is not None:
            answer = first.value is second.value
        elif any(isinstance(kind, NoneType) for kind in kinds):
            other = kinds[1] if isinstance(kinds[0], NoneType) else kinds[0]
            if isinstance(other, NoneType):
                answer = True
            elif not isinstance(other, AnyType | OptionalType):
                answer = False
        constant = None if answer is None else Constant(answer is not negate)
        return Resolution(BOOL, constant, function, arguments)

    def is_equal(self, function: object, negate: bool, arguments: tuple[Operand, ...]) -> Resolution:
        """``x == y`` where the types differ for good, or both are known texts."""
        kinds = [self.inference.type_of(operand) for operand in arguments]
        if any(isinstance(kind, UnknownType) for kind in kinds):
            return Resolution(UNKNOWN, None, function, arguments)
        constants = [self.inference.constant_of(operand) for operand in arguments]
        if all(isinstance(kind, ConstantType) for kind in kinds) and None not in constants:
            values = [constant.value for constant in constants if constant is not None]
            if all(isinstance(value, type | enum.Enum | types.FunctionType) for value in values):
                return Resolution(BOOL, Constant((values[0] == values[1]) is not negate), function, arguments)
        never = are_never_equal(*kinds)
        return Resolution(BOOL, Constant(negate) if never else None, function, arguments)

    def negation(self, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]) -> Resolution:
        """``not x`` for a known x."""
        constant = self.inference.constant_of(arguments[0])
        if constant is None and isinstance(self.inference.type_of(arguments[0]), UnknownType):
            return Resolution(UNKNOWN, None, operator.not_, arguments)
        return Resolution(BOOL, None if constant is None else Constant(not constant.value), operator.not_, arguments)

    def unpacked(self, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]) -> Resolution:
        """``f(*a, **b)`` where the lengths and keys are known."""
        function, positional, named = arguments
        kind = strip(self.inference.type_of(positional))
        names = strip(self.inference.type_of(named))
        spread: list[Operand]
        match kind:
            case TupleType(elements=elements):
                spread = [self.inference.part(positional, index, part) for index, part in enumerate(elements)]
            case _:
                return self.opaque(call, call_unpacked)
        pairs: list[tuple[str, Operand]] = []
        match names:
            case DictType(region=region):
                for slot, part in list(self.inference.memory.content[self.inference.memory.find(region)].items()):
                    if isinstance(slot, tuple):
                        pairs.append((slot[1], self.inference.part(named, slot[1], part)))
            case NoneType():
                pass
            case _:
                return self.opaque(call, call_unpacked)
        constant = self.inference.constant_of(function)
        if constant is not None:
            return self.resolve_known(call, constant.value, tuple(spread), tuple(pairs))
        target = strip(self.inference.type_of(function))
        if isinstance(target, FunctionType):
            return self.call_nested(call, target, function, spread, pairs)
        return self.opaque(call, call_unpacked)


def _body_of(rule: ModelRule) -> types.FunctionType:
    body: Any = rule.body  # type checkers take a function in a class for a method
    assert isinstance(body, types.FunctionType)
    return body


def _defaults_of(function: types.FunctionType) -> dict[str, Operand]:
    """The defaults of a function by parameter name."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    positional = function.__defaults__ or ()
    found: dict[str, Operand] = {
        name: Constant(value) for name, value in zip(names[len(names) - len(positional) :], positional, strict=True)
    }
    found.update({name: Constant(value) for name, value in (function.__kwdefaults__ or {}).items()})
    return found


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_named_tuple(cls: type) -> bool:
    """Whether a class makes its instances as `collections.namedtuple` does."""
    maker = next((base for base in cls.__mro__ if "__new__" in vars(base)), object)
    return issubclass(cls, tuple) and "_fields" in vars(maker)


_OPERATORS: Final[dict[str, object]] = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "pos", "abs", "getitem", "setitem", "delitem")
} | {"len": len, "float": float, "int": int, "contains": operator.contains}
_READING_LOCALS: Final = (eval, exec, locals, vars)
_SPECIAL: Final[dict[object, Callable[..., Resolution]]] = {
    call_method: Resolver.call_method,
    call_unpacked: Resolver.unpacked,
    getattr: resolve_attribute,
    load_global: resolve_name,
    load_captured: resolve_captured,
    isinstance: Resolver.is_instance,
    operator.not_: Resolver.negation,
    operator.eq: lambda resolver, call, arguments, keywords: resolver.is_equal(operator.eq, False, arguments),
    operator.ne: lambda resolver, call, arguments, keywords: resolver.is_equal(operator.ne, True, arguments),
    **{
        test: lambda resolver, call, arguments, keywords, test=test: resolve_pattern(resolver, call, test, arguments)
        for test in (is_sequence, is_mapping, has_keys, match_positional)
    },
    operator.is_: lambda resolver, call, arguments, keywords: resolver.is_same(operator.is_, False, arguments),
    operator.is_not: lambda resolver, call, arguments, keywords: resolver.is_same(operator.is_not, True, arguments),
}
