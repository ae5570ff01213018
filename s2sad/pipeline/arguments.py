"""Arguments and gradients of a derivative: what may be asked for, what is copied, and in which type gradients come back."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import operator
import types
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.signatures import is_foreign_array
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import NonDifferentiableError
from s2sad.ir.contents import calls_of, nodes_of
from s2sad.ir.effects import way_on_arrays
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Raise, Return, Value, function_of
from s2sad.ir.operations import call_method, make_tuple
from s2sad.ir.types import (
    ANY,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
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
from s2sad.pipeline.split import emit
from s2sad.transform.reverse.shadows import region_numbers
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def why_not_real(kind: Type) -> str:
    """What is wrong with an argument that is asked for; empty if nothing is."""
    match kind:
        case ScalarType(kind="bool" | "complex"):
            return f"a {kind}"
        case ArrayType(kind="complex"):
            return f"an array of {kind.dtype}: pass the real and the imaginary part as two arrays"
        case ArrayType(kind="bool"):
            return "an array of booleans: a derivative is with respect to real numbers"
        case OpaqueType(cls=cls) if _is_array_like(cls):
            return f"{_describe_array(cls, kind.dtype)}"
        case ObjectType(cls=cls) if cls is not list and not dataclasses.is_dataclass(cls):
            pass
        case ObjectType() if name := _shared_default(kind):
            return _describe_shared(kind, name)
        case NoneType() | OpaqueType() | ConstantType():
            pass
        case _:
            return next(filter(None, map(_why_not_in_container, parts_of(kind))), "")
    return f"which is {kind}: a number, an array of numbers, or a list, tuple, dict or dataclass of these is needed"


def _why_not_in_container(kind: Type) -> str:
    """An array that no derivative is known for, in a list or dict that is asked for; strings and the like have no derivative."""
    match kind:
        case ArrayType(kind="complex"):
            return f"which holds {why_not_real(kind)}"
        case OpaqueType(cls=cls) if _is_array_like(cls) and not (cls is np.ndarray and kind.dtype[:3] in ("str", "byt", "dat")):
            return f"which holds {why_not_real(kind)}"
        case ObjectType() if name := _shared_default(kind):
            return f"which holds {_describe_shared(kind, name)}"
    return next(filter(None, map(_why_not_in_container, parts_of(kind))), "")


def _shared_default(kind: ObjectType) -> str:
    """A number among the fields of a dataclass that its object has not: it is the default, of the class (``init=False``)."""
    fields = dataclasses.fields(kind.cls) if dataclasses.is_dataclass(kind.cls) and kind.fields else ()
    own = {place for place, _ in kind.fields}
    return next((one.name for one in fields if one.name not in own and isinstance(one.default, int | float)), "")


def _describe_shared(kind: ObjectType, name: str) -> str:
    owner = kind.cls.__name__
    return f"an object of class {owner} whose {name} is the default, which all objects share: set it in __post_init__"


def parts_of(kind: Type) -> list[Type]:
    """The types of what a container holds."""
    match kind:
        case TupleType():
            return list(kind.elements)
        case ListType():
            return [kind.element]
        case DictType():
            return [kind.value, *(part for _, part in kind.fields)]
        case ObjectType():
            return [part for _, part in kind.fields]
        case OptionalType():
            return [kind.inner]
    return []


def _is_array_like(cls: type) -> bool:
    return issubclass(cls, np.ndarray) or is_foreign_array(cls)


def _describe_array(cls: type, dtype: str) -> str:
    """What an array is that has no derivative, and the way out."""
    if issubclass(cls, np.ma.MaskedArray):
        return "a masked array: pass its numbers, x.filled(0.0), and its mask, np.ma.getmaskarray(x), as two arrays"
    if issubclass(cls, np.memmap):
        return "a memory map: pass a copy of it in memory, np.array(x)"
    if issubclass(cls, np.matrix):
        return "a matrix: pass an array, np.asarray(x)"
    if cls is np.ndarray and dtype == "object":
        return "an array of objects: pass an array of numbers, x.astype(float)"
    if cls is np.ndarray and dtype.startswith("void"):
        return 'an array of records: pass its fields as arrays of their own, x["name"]'
    if cls is np.ndarray:
        return f"an array of {dtype}: an array of numbers is needed"
    if issubclass(cls, np.ndarray):
        return f"an array of the class {cls.__name__}: pass a plain array, np.asarray(x)"
    return f"which is {cls.__name__}: pass its numbers as an array, np.asarray(x)"


def holds_integers(kind: Type) -> bool:
    """Whether an argument that is asked for is an integer (or a tuple with some), or holds arrays of integers."""
    if isinstance(kind, TupleType):
        return any(map(holds_integers, kind.elements))
    return (isinstance(kind, ScalarType) and kind.kind == "int") or holds_integer_arrays(kind)


def holds_integer_arrays(kind: Type) -> bool:
    """Whether there are arrays of integers in a value."""
    return (isinstance(kind, ArrayType) and kind.kind == "int") or any(map(holds_integer_arrays, parts_of(kind)))


def check_result(specialisation: Specialisation) -> None:
    """A gradient is of one real number."""
    kind = specialisation.result
    if isinstance(kind, OptionalType):
        kind = kind.inner
    if isinstance(kind, ScalarType | ArrayType) and kind.kind != "complex" and not getattr(kind, "shape", ()):
        return
    if isinstance(kind, AnyType | UnknownType):
        return
    what, way = "None" if isinstance(kind, NoneType) else str(kind), "the number of interest"
    if isinstance(kind, ArrayType) and kind.kind != "complex":
        what, way = f"an array ({kind})", "one number: the sum of the array, np.sum(y), or an element of it"
    raise NonDifferentiableError(
        f"grad needs a function whose result is one real number, and {specialisation.definition.name}() gives {what}; "
        f"differentiate a function that returns {way}.\n{describe_place(specialisation.definition.span)}"
    )


def refuse_none(function: Function) -> Function:
    """The function with an error on the ways that give None beside others that give a number: None has no derivative."""
    message = f"{function.name}() gives None here, and a gradient is of one real number"

    def visit(block: Block) -> Block:
        match block.terminator:
            case Return(Constant(None), span):
                error = Value("", ANY, temporary=True)
                made = Call(error, Constant(TypeError), (Constant(message),), (), span)
                return Block((*block.operations, made), Raise(error, None, span))
            case end:
                return with_operations(block, block.operations, map_blocks(end, visit))

    return with_body(function, visit(function.body))


def may_not_be_scalar(kind: Type) -> bool:
    """Whether only the run tells that a result is one number."""
    return isinstance(kind, AnyType | UnknownType) or (isinstance(kind, ArrayType) and kind.shape is None)


def own_value(operations: list[Operation], value: Operand) -> Operand:
    """The value that is returned: an array without axes may be an argument, and is copied."""
    if isinstance(value, Value) and isinstance(value.type, ArrayType):
        return emit(operations, copy.copy, value)
    return value


def copies_of_changed(
    parameters: Sequence[Parameter], kinds: Sequence[Type], specialisation: Specialisation
) -> tuple[list[Operation], dict[Value, Value]]:
    """Statements that copy the arguments which the primal changes (the caller's stay as they are), and what stands for what.
    `kinds` are the types of the arguments, of which those that share a region may be one object."""
    changed: dict[Value, set[int]] = {}
    for parameter, kind in zip(parameters, kinds, strict=True):
        if is_changed(parameter.value, specialisation):
            changed[parameter.value] = set(references_in(kind))
    copies = {value: Value(value.name, value.type) for value in changed}
    operations: list[Operation] = []
    for group in _groups(changed):
        first = group[0]
        if _is_one_array(group):  # the function knows the first one only
            emit(operations, runtime.check_one_array, *group)
            copies.update((other, copies[first]) for other in group)
        if (len(group) == 1 and _is_flat(first.type)) or _is_one_array(group):
            if isinstance(first.type, ArrayType) and _asks_for_layout(specialisation.function):
                operations.append(Call(copies[first], Constant(runtime.copy_in_layout), (first,)))
            else:
                operations.append(Call(copies[first], Constant(call_method), (first, Constant("copy"))))
            continue
        together = emit(operations, runtime.copy_containers, *group)
        for index, value in enumerate(group):
            operations.append(Call(copies[value], Constant(operator.getitem), (together, Constant(index))))
    return operations, copies


def _is_one_array(group: Sequence[Value]) -> bool:
    """Whether parameters are one array by several names."""
    arrays = [value.type for value in group if isinstance(value.type, ArrayType) and value.type.shape is not None]
    return len(arrays) == len(group) > 1 and len({kind.region for kind in arrays}) == 1


def _asks_for_layout(function: Function) -> bool:
    """Whether it matters how arrays lie in memory: there it is decided whether `reshape` gives a view."""
    return any(isinstance(node, Call) and way_on_arrays(node) == "either" for node in nodes_of(function))


def _groups(changed: dict[Value, set[int]]) -> list[list[Value]]:
    """Values that share a region are copied together: one object stays one."""
    groups: list[tuple[list[Value], set[int]]] = []
    for value, regions in changed.items():
        near = [group for group in groups if group[1] & regions]
        groups = [group for group in groups if group not in near]
        members = [member for group in near for member in group[0]]
        groups.append(([*members, value], regions.union(*(group[1] for group in near))))
    return [members for members, _ in groups]


def _is_flat(kind: Type) -> bool:
    """Whether a copy is a copy of all that is in it."""
    if isinstance(kind, ListType):
        return not references_in(kind.element)
    if isinstance(kind, DictType):
        return not any(map(references_in, (kind.key, kind.value, *(part for _, part in kind.fields))))
    return isinstance(kind, ArrayType) and kind.shape is not None


def real_arguments(
    function: Function,
    specialisation: Specialisation,
    wanted: Sequence[tuple[int, tuple[int, ...]]],
    integers: Set[tuple[int, tuple[int, ...]]],
) -> tuple[list[Operation], dict[Value, Value]]:
    """Statements that make arrays of integers which are asked for arrays of floats, and what stands for what."""
    operations: list[Operation] = []
    made: dict[Value, Value] = {}
    for index, path in wanted:
        parameter = function.parameters[index].value
        value = made.get(parameter, parameter)
        kind = parameter.type
        for step in path:
            kind = kind.elements[step] if isinstance(kind, TupleType) else kind
        if (index, path) not in integers or isinstance(kind, ScalarType):
            continue
        if _changes(specialisation, kind):
            raise NonDifferentiableError(
                f"{specialisation.definition.name}() changes an array of integers that its derivative is asked for, and "
                f"what it stores is rounded; pass an array of floats: {parameter.name}.astype(float)"
            )
        float_array = Value(parameter.name, parameter.type)
        if isinstance(kind, ArrayType) and not path:
            operations.append(Call(float_array, Constant(call_method), (value, Constant("astype"), Constant(float))))
        elif path and isinstance(parameter.type, TupleType):
            parts = [emit(operations, operator.getitem, value, Constant(i)) for i in range(len(parameter.type.elements))]
            parts[path[0]] = emit(operations, runtime.real_arrays, parts[path[0]])
            operations.append(Call(float_array, Constant(make_tuple), tuple(parts)))
        else:
            operations.append(Call(float_array, Constant(runtime.real_arrays), (value,)))
        made[parameter] = float_array
    return operations, made


def refuse_indices(functions: Iterable[Function]) -> None:
    """Arrays of integers that are asked for are made arrays of floats: they cannot say where elements are."""
    for function in functions:
        for call in calls_of(function):
            if function_of(call) not in (operator.getitem, operator.setitem) or not isinstance(call.arguments[1], Value):
                continue
            kind = call.arguments[1].type
            for part in kind.elements if isinstance(kind, TupleType) else (kind,):
                if isinstance(part, ArrayType | ScalarType) and part.dtype.startswith("float"):
                    raise NonDifferentiableError(
                        "an array of integers that is asked for counts as real numbers, and an index is taken from it here; "
                        f"leave it out of argnums, or pass the indices as another argument.\n{describe_place(call.span)}"
                    )


def check_left(specialisation: Specialisation, restored: Set[int], buffers: Sequence[Value]) -> None:
    """Arrays outside are left as the primal leaves them, also where the reverse sweep puts back what they held before: those that
    a name stands for."""
    named = {region for value in buffers for region in references_in(value.type)}
    if (restored & specialisation.outside.keys()) - named:
        raise NonDifferentiableError(
            f"{specialisation.definition.name}() changes an array that is part of an object or container outside of it, and "
            f"what it held before is needed; pass the array as an argument.\n{describe_place(specialisation.definition.span)}"
        )


def is_changed(parameter: Value, specialisation: Specialisation) -> bool:
    """Whether the primal changes an argument, or a container in it."""
    return _changes(specialisation, parameter.type)


def _changes(specialisation: Specialisation, kind: Type) -> bool:
    """Whether a function changes something in a value of a type that its arguments have."""
    numbers = region_numbers(specialisation)
    return any(specialisation.written(numbers.get(region, 0)) for region in references_in(kind))


def other_names_of_arrays(function: Function, specialisation: Specialisation) -> dict[Value, Operand]:
    """One array passed as two arguments, and changed, gets one name: it is copied once (`copy_containers` refuses two views that
    differ), and has one shadow. The parameters that are other names, each with the first of that array."""
    first: dict[int, Value] = {}
    others: dict[Value, Operand] = {}
    for parameter, kind in zip(function.parameters, specialisation.argument_types, strict=True):
        if not isinstance(kind, ArrayType) or not specialisation.written(kind.region):
            continue
        if first.setdefault(kind.region, parameter.value) is not parameter.value:
            others[parameter.value] = first[kind.region]
    return others


def slots_counted_before(
    specialisation: Specialisation, wanted: Sequence[tuple[int, tuple[int, ...]]]
) -> set[tuple[int, tuple[int, ...]]]:
    """One list passed as two arguments, and changed: its content at entry is one input, and the first slot has all of its
    gradient."""
    found: set[tuple[int, tuple[int, ...]]] = set()
    seen: list[Mapping[int, Type]] = []
    for slot in wanted:
        kind = specialisation.argument_types[slot[0]]
        regions = references_in(kind)
        for before in seen:
            common = [region for region in regions if region in before and specialisation.written(region)]
            if common and next(iter(regions)) == next(iter(before)):
                found.add(slot)
            elif common:
                raise NonDifferentiableError(
                    f"two arguments of {specialisation.definition.name}() share a list or an array that the function changes; "
                    "pass a copy of it in one of them"
                )
        seen.append(regions)
    return found


def literal_defaults(function: types.FunctionType) -> dict[str, Constant]:
    """The defaults that the text can show."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return {p.name: Constant(p.default) for p in parameters if is_literal(p.default)}


def is_literal(value: object) -> bool:
    """Whether a default can stand in a text."""
    if type(value) is tuple:
        return all(map(is_literal, value))
    return value is None or (type(value) in (bool, int, str)) or (type(value) is float and math.isfinite(value))
