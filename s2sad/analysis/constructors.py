"""Making an instance of a user's class, as IR: `new_object`, then ``__init__``.

``Point(x, y)`` becomes a call of a small function that is made here::

    def Point(x, y):
        self = new_object(Point)
        Point.__init__(self, x, y)
        return self
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import types
from collections.abc import Callable, Sequence

from s2sad.analysis.library_calls import STANDARD_LIBRARY
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Value, function_of
from s2sad.ir.operations import call_unpacked, make_dict, make_tuple, new_object, set_frozen


def constructor_of(cls: type, positional_count: int = 0, names: tuple[str, ...] = ()) -> Function | None:
    """The function for so many arguments, or None where Python code does not make the instance (built-in classes)."""
    return _constructor_of(cls, inspect.getattr_static(cls, "__init__", None), positional_count, names)


@functools.lru_cache(maxsize=256)
def _constructor_of(cls: type, initialiser: object, positional_count: int, names: tuple[str, ...]) -> Function | None:
    if cls is types.SimpleNamespace and not positional_count:
        named = tuple(Parameter(Value(name), inspect.Parameter.KEYWORD_ONLY) for name in names)
        return _constructor(cls, named, tuple((setattr, (Constant(p.value.name), p.value), ()) for p in named))
    maker: object = cls.__new__
    if type(cls).__call__ is not type.__call__ or maker is not object.__new__ or cls.__module__ == "builtins":
        return None
    if type(cls) is not type and cls.__module__.partition(".")[0] in STANDARD_LIBRARY:
        return None  # a container such as `UserDict`, made of methods of abstract classes
    owner = next((one for one in cls.__mro__ if vars(one).get("__init__") is initialiser), cls)
    if "__dataclass_params__" in vars(owner) and _is_of_dataclass(owner, initialiser):
        return _dataclass_constructor(cls, owner, positional_count, names)
    if initialiser is object.__init__:
        return _constructor(cls, (), ())
    if not isinstance(initialiser, types.FunctionType):
        return None
    parameters = [
        Parameter(Value(name), parameter.kind, parameter.default is not inspect.Parameter.empty)
        for name, parameter in list(inspect.signature(initialiser).parameters.items())[1:]
    ]
    if any(p.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for p in parameters):
        given = [p.value.name for p in parameters if p.kind < inspect.Parameter.VAR_POSITIONAL]
        rest = next((p.value.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL), "argument")
        given += [f"{rest}_{index}" for index in range(len(given), positional_count)]
        first = [Parameter(Value(name), inspect.Parameter.POSITIONAL_ONLY) for name in given[:positional_count]]
        others = [Parameter(Value(name), inspect.Parameter.KEYWORD_ONLY) for name in names]
        called = (initialiser, tuple(p.value for p in first), tuple((p.value.name, p.value) for p in others))
        return _constructor(cls, (*first, *others), (called,))
    positional = tuple(p.value for p in parameters if p.kind is not inspect.Parameter.KEYWORD_ONLY)
    by_name = tuple((p.value.name, p.value) for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY)
    return _constructor(cls, tuple(parameters), ((initialiser, positional, by_name),))


def constructor_with_rest(cls: type) -> Function | None:
    """The function for ``cls(*arguments)``, where how many there are is not known."""
    return _constructor_with_rest(cls, inspect.getattr_static(cls, "__init__", None))


@functools.lru_cache(maxsize=256)
def _constructor_with_rest(cls: type, initialiser: object) -> Function | None:
    if not isinstance(initialiser, types.FunctionType) or constructor_of(cls) is None:
        return None
    instance, rest = Value(cls.__name__.lower()), Value("arguments")
    first, others, together, names = (Value("", temporary=True) for _ in range(4))
    done = Value("", temporary=True)
    operations = (
        Call(instance, Constant(new_object), (Constant(cls),)),
        Call(first, Constant(make_tuple), (instance,)),
        Call(others, Constant(tuple), (rest,)),
        Call(together, Constant(operator.add), (first, others)),
        Call(names, Constant(make_dict), ()),
        Call(done, Constant(call_unpacked), (Constant(initialiser), together, names)),
    )
    parameter = Parameter(rest, inspect.Parameter.VAR_POSITIONAL)
    return Function(f"new_{cls.__name__}", (parameter,), Block(operations, Return(instance)))


def _is_of_dataclass(cls: type, initialiser: object) -> bool:
    """Whether `dataclasses.dataclass` wrote the ``__init__`` of a class, and nobody replaced it."""
    is_written = isinstance(initialiser, types.FunctionType) and initialiser.__code__.co_filename == "<string>"
    return is_written and vars(cls)["__dataclass_params__"].init


def _constructor(
    cls: type,
    parameters: tuple[Parameter, ...],
    steps: tuple[tuple[object, tuple[Operand, ...], tuple[tuple[str, Operand], ...]], ...],
    makers: Sequence[Operation] = (),
) -> Function:
    instance = Value(cls.__name__.lower())
    operations: list[Operation] = [*makers, Call(instance, Constant(new_object), (Constant(cls),))]
    for function, positional, named in steps:
        operations.append(Call(Value("", temporary=True), Constant(function), (instance, *positional), named))
    return Function(f"new_{cls.__name__}", parameters, Block(tuple(operations), Return(instance)))


def _dataclass_constructor(cls: type, owner: type, positional_count: int, names: tuple[str, ...]) -> Function | None:
    """The ``__init__`` of a dataclass, the class itself or the `owner` that it comes from, has no source, and is known."""
    store = set_frozen if vars(owner)["__dataclass_params__"].frozen else setattr
    parameters: list[Parameter] = []
    steps: list[tuple[object, tuple[Operand, ...], tuple[tuple[str, Operand], ...]]] = []
    makers: list[Operation] = []
    place = 0
    stored = {field.name for field in dataclasses.fields(owner)}
    taken = inspect.signature(vars(owner)["__init__"]).parameters
    handed_on: list[Operand] = []  # an `InitVar` is no attribute, but an argument of `__post_init__`
    for field in vars(owner)["__dataclass_fields__"].values():
        if field.name not in stored and field.name not in taken:
            continue  # a `ClassVar`
        is_given = field.init and ((not field.kw_only and place < positional_count) or field.name in names)
        place += field.init and not field.kw_only
        if not is_given and field.default_factory is not dataclasses.MISSING:
            made = Value(field.name)
            makers.append(Call(made, Constant(field.default_factory), ()))
            steps.append((store, (Constant(field.name), made), ()))
            continue
        if not field.init:
            if field.default is not dataclasses.MISSING:
                steps.append((store, (Constant(field.name), Constant(field.default)), ()))
            continue
        kind = inspect.Parameter.KEYWORD_ONLY if field.kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameter = Parameter(Value(field.name), kind, field.default is not dataclasses.MISSING)
        parameters.append(parameter)
        if field.name in stored:
            steps.append((store, (Constant(field.name), parameter.value), ()))
        else:
            handed_on.append(parameter.value)
    if hasattr(owner, "__post_init__") and hasattr(cls, "__post_init__"):
        steps.append((cls.__post_init__, tuple(handed_on), ()))
    return _constructor(cls, tuple(parameters), tuple(steps), makers)


def sets_attribute(lower: Callable[[types.FunctionType], Function], cls: type, name: str) -> bool:
    """Whether an object has an attribute of its own from the start: its constructor stores it, whatever happens."""
    if dataclasses.is_dataclass(cls) and any(field.name == name for field in dataclasses.fields(cls)):
        return True
    for one in cls.__mro__:
        constructor = vars(one).get("__init__")
        if not isinstance(constructor, types.FunctionType):
            continue
        lowered = lower(constructor)
        owner = lowered.parameters[0].value if lowered.parameters else None
        for node in lowered.body.operations:
            if isinstance(node, Call) and function_of(node) is setattr and node.arguments[0] is owner:
                label = node.arguments[1]
                if isinstance(label, Constant) and label.value == name:
                    return True
        if "super" not in constructor.__code__.co_names:
            return False
    return False
