"""Which containers need their shadows when.

A *late* shadow is made at the start of the reverse sweep of the block that made the container, with the structure that the
container has at the end: possible where one name is all there ever is for it. A *derived* shadow is looked up in the shadow
of the container that holds it, as the container itself was. All others are *mirrored*: the forward sweep makes the shadow
together with the container, and repeats on it whatever changes structure or moves references, so that both always have the
same shape and the same aliases.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence, Set

from s2sad.analysis.activity import Activity
from s2sad.analysis.memory import numbers_of_regions, references_in
from s2sad.analysis.specialisation import Specialisation
from s2sad.analysis.structure import Structure
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, way_on_arrays
from s2sad.ir.nodes import Call, Constant, For, Function, Operand, Operation, Return, Terminator, Value
from s2sad.ir.operations import call_method, make_tuple, set_frozen
from s2sad.ir.types import ArrayType, DictType, FunctionType, ListType, ObjectType, OptionalType, ScalarType, TupleType, Type
from s2sad.transform.reverse.array_names import find_origins, is_view, memory_of
from s2sad.transform.rewrite import find_readers

LATE = "late"
DERIVED = "derived"
MIRRORED = "mirrored"

_MOVING_METHODS = ("insert", "reverse", "sort", "remove", "clear", "popitem", "setdefault", "update", "extend")


def own_region(operand: Operand) -> int | None:
    """The region of a container itself."""
    if not isinstance(operand, Value):
        return None
    kind = operand.type.inner if isinstance(operand.type, OptionalType) else operand.type
    if isinstance(kind, ArrayType):
        return None if kind.fixed else kind.region
    return kind.region if isinstance(kind, (ListType, DictType, ObjectType)) else None


def has_shadow(kind: Type) -> bool:
    """Whether values of a type have a shadow: containers, and tuples and function values that refer to some."""
    match kind:
        case OptionalType(inner):
            return has_shadow(inner)
        case ListType() | DictType() | ObjectType():
            return True
        case ArrayType(fixed=fixed):
            return not fixed
        case TupleType() | FunctionType():
            return any(map(has_shadow, references_in(kind).values()))
    return False


def takes_shadow(function: Function, index: int, asked: Set[tuple[Function, int]] = frozenset()) -> bool:
    """Whether the reverse half of a function takes a shadow of a parameter, to which it adds: of containers, and of arrays of
    which it takes elements or slices. What was `asked` before are callers, to which functions that call each other come back."""
    value = function.parameters[index].value
    if has_shadow(value.type):
        return True
    if not isinstance(value.type, ArrayType):
        return False
    for node in nodes_of(function):
        if isinstance(node, For) and node.iterable is value:
            return True
        if not isinstance(node, Call) or not isinstance(node.function, Constant) or value not in node.arguments:
            continue
        called = node.function.value
        if called is operator.getitem and node.arguments[0] is value:
            return True
        unit = called.unit if isinstance(called, Callee) else None
        if isinstance(unit, Specialisation) and unit.function is not function and unit.complete:
            callers = {*asked, (function, index)}
            places = [place for place, operand in enumerate(node.arguments) if operand is value]
            if any(takes_shadow(unit.function, place, callers) for place in places if (unit.function, place) not in callers):
                return True
    return False


def find_shadow_modes(
    function: Function,
    structure: Structure,
    activity: Activity,
    mirrored_by_callees: Iterable[int],
    late_results: Iterable[Value] = (),
) -> dict[int, str]:
    """The mode of each active region. `late_results` are new containers that callees return and take the shadow of later."""
    members: dict[int, list[Value]] = {}
    parents: dict[int, set[int | None]] = {}
    passing = _passing_tuples(function)
    for value in structure.home:
        region = own_region(value)
        if region is not None:
            members.setdefault(region, []).append(value)
        if value not in passing:
            note_nesting(value.type, None, parents)
    changed = regions_changed(function)
    roots = {value for value in structure.home if _is_root(value, structure)} | set(late_results)
    origins = find_origins(function, structure)
    active = sorted(region for region in {*members, *parents} if activity.is_region_active(region))
    mirrored = set(mirrored_by_callees)
    while True:
        modes: dict[int, str] = {}
        for region in active:
            _choose_mode(region, modes, mirrored, members, parents, changed, structure, roots, origins)
        before = len(mirrored)
        for region in active:
            holders = {holder for holder in parents.get(region, ()) if holder is not None}
            if modes[region] == MIRRORED:
                mirrored |= {region, *holders}
            elif any(modes.get(holder) == MIRRORED for holder in holders):
                mirrored.add(region)
        if len(mirrored) == before:
            return modes


def _passing_tuples(function: Function) -> set[Value]:
    """Tuples that are written down for a function which makes a new array of what is in them, as in ``np.stack((u, v))``: nobody
    takes an array out again, and what they hold has its adjoint by its own name."""
    made = {
        node.result
        for node in nodes_of(function)
        if isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value is make_tuple
    }
    if not made:
        return made
    readers = find_readers(function)
    return {value for value in made if all(map(_makes_an_array, readers.get(value, ())))}


def _makes_an_array(node: Operation | Terminator) -> bool:
    return isinstance(node, Call) and isinstance(node.result.type, (ArrayType, ScalarType)) and way_on_arrays(node) == "make"


def _choose_mode(
    region: int,
    modes: dict[int, str],
    mirrored: set[int],
    members: dict[int, list[Value]],
    parents: dict[int, set[int | None]],
    changed: set[int],
    structure: Structure,
    roots: set[Value],
    origins: Mapping[Value, Value | None],
    seen: frozenset[int] = frozenset(),
) -> str:
    """The mode of one region, given those that must be mirrored."""
    if region in modes:
        return modes[region]
    if region in seen or region in mirrored:
        modes[region] = MIRRORED
        return MIRRORED
    holders = parents.get(region, set())
    names = members.get(region, [])
    if any(name in origins for name in names):
        found = [origins.get(name) for name in names]
        # the shadows of views are views of shadows
        names = [name for name in dict.fromkeys(found) if name is not None and not _is_view(name, structure)]
        if None in found:
            holders = {*holders, None}
    result = MIRRORED
    # two arrays that an operation made are two, two arguments may be one
    are_apart = all(name in origins and structure.definition[name] is not None for name in names)
    if not holders and names and (len(names) == 1 or are_apart) and all(name in roots for name in names):
        result = LATE
    elif len(holders) == 1 and None not in holders and all(_is_loaded(name, structure) for name in names):
        inner = seen | {region}
        if all(
            holder not in changed
            and _choose_mode(holder, modes, mirrored, members, parents, changed, structure, roots, origins, inner) != MIRRORED
            for holder in holders
            if holder is not None
        ):
            result = DERIVED
    modes[region] = result
    return result


def note_nesting(kind: Type, holder: int | None, parents: dict[int, set[int | None]], top: bool = True) -> None:
    """Which regions hold references to which; None stands for a tuple or a function value at hand."""
    match kind:
        case ListType(element=element, region=region):
            if not top:
                parents.setdefault(region, set()).add(holder)
            note_nesting(element, region, parents, False)
        case DictType(region=region):
            if not top:
                parents.setdefault(region, set()).add(holder)
            for part in (kind.value, *(part for _, part in kind.fields)):
                note_nesting(part, region, parents, False)
        case ObjectType(region=region):
            if not top:
                parents.setdefault(region, set()).add(holder)
            for _, part in kind.fields:
                note_nesting(part, region, parents, False)
        case ArrayType(region=region, fixed=fixed):
            if not top and not fixed:
                parents.setdefault(region, set()).add(holder)
        case OptionalType(inner):
            note_nesting(inner, holder, parents, top)
        case TupleType(elements=elements):
            for part in elements:
                note_nesting(part, holder, parents, False)
        case _:
            for region in references_in(kind):
                parents.setdefault(region, set()).add(None)


def _is_view(value: Value, structure: Structure) -> bool:
    definition = structure.definition[value]
    return isinstance(definition, Call) and is_view(definition)


def _is_root(value: Value, structure: Structure) -> bool:
    """Whether a value is where its container begins: a parameter of the function, or what a call made."""
    definition = structure.definition[value]
    if definition is None:
        return structure.home[value] is structure.root
    if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
        return False
    function = definition.function.value
    if is_slicing(definition):
        return True
    if memory_of(value) is not None:
        return not isinstance(function, Callee) and not is_view(definition) and not _is_loaded(value, structure)
    if function is call_method:
        name = definition.arguments[1]
        return isinstance(name, Constant) and name.value == "copy"
    return function not in (operator.getitem, getattr) and not isinstance(function, Callee)


def _is_loaded(value: Value, structure: Structure) -> bool:
    definition = structure.definition[value]
    if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
        return False
    if definition.function.value not in (operator.getitem, getattr) or is_slicing(definition):
        return False
    return not isinstance(getattr(definition.arguments[0], "type", None), ArrayType)  # a view, or a copy of elements


def is_slicing(call: Call) -> bool:
    """``x[a:b]`` on a list: makes a new one."""
    if not isinstance(call.function, Constant) or call.function.value is not operator.getitem:
        return False
    if isinstance(getattr(call.arguments[0], "type", None), ArrayType):
        return False
    key = call.arguments[1]
    return isinstance(key.value, slice) if isinstance(key, Constant) else getattr(key.type, "cls", None) is slice


def regions_changed(function: Function) -> set[int]:
    """Regions whose elements are replaced or moved anywhere in the function (appending alone does not count)."""
    found: set[int] = set()
    for node in nodes_of(function):
        if isinstance(node, Return) or not isinstance(node, Call) or not isinstance(node.function, Constant):
            continue
        function_called = node.function.value
        if function_called in (operator.setitem, operator.delitem, setattr, set_frozen, operator.iadd, operator.imul):
            found.add(own_region(node.arguments[0]) or 0)
        elif function_called is call_method and isinstance(node.arguments[1], Constant):
            if node.arguments[1].value in (*_MOVING_METHODS, "append", "pop"):
                found.add(own_region(node.arguments[0]) or 0)
        elif isinstance(function_called, Callee):
            for argument in node.arguments:
                if isinstance(argument, Value):
                    found.update(regions_changed_by(function_called.unit, node.arguments))
                    break
    return found


def regions_changed_by(unit: object, arguments: Sequence[Operand]) -> set[int]:
    """The regions of the arguments that a callee stores into or restructures."""
    written = getattr(unit, "written", None)
    return {region for region, number in numbers_of(arguments).items() if written is None or written(number)}


def numbers_of(arguments: Sequence[Operand]) -> dict[int, int]:
    """The regions of arguments, each with its number in the signature of a callee."""
    return numbers_of_regions(argument.type for argument in arguments if isinstance(argument, Value))


def region_numbers(specialisation: Specialisation) -> dict[int, int]:
    """The regions of the typed function, each with its number among those of the arguments."""
    numbers: dict[int, int] = {}
    for parameter, kind in zip(specialisation.function.parameters, specialisation.argument_types, strict=True):
        numbers.update(zip(references_in(parameter.value.type), references_in(kind), strict=False))
    return numbers


def regions_restructured_by(callee: Specialisation, arguments: Sequence[Operand]) -> set[int]:
    """The regions of the arguments whose shadows a callee restructures, or in which it moves references."""
    kinds: dict[int, Type] = {}
    for argument in arguments:
        if isinstance(argument, Value):
            note_containers(argument.type, kinds)
    found = set()
    for region, number in numbers_of(arguments).items():
        flags = callee.written(number)
        holds_numbers = isinstance(kind := kinds.get(region), ListType) and not references_in(kind.element)
        if flags and not (flags == {"stored"} and holds_numbers):
            found.add(region)
    return found


def note_containers(kind: Type, found: dict[int, Type]) -> None:
    """The containers in a type, each with its content."""
    match kind:
        case ListType(element=element, region=region):
            found.setdefault(region, kind)
            note_containers(element, found)
        case OptionalType(inner):
            note_containers(inner, found)
        case TupleType(elements=parts):
            for part in parts:
                note_containers(part, found)
        case DictType():
            found.setdefault(kind.region, kind)
            for part in (kind.value, *(part for _, part in kind.fields)):
                note_containers(part, found)
        case ObjectType():
            found.setdefault(kind.region, kind)
            for _, part in kind.fields:
                note_containers(part, found)
        case FunctionType(captured=parts):
            for part in parts:
                note_containers(part, found)


def regions_of_arguments(arguments: Mapping[int, Operand] | Iterable[Operand]) -> list[int]:
    """The regions that arguments refer to."""
    operands = arguments.values() if isinstance(arguments, Mapping) else arguments
    return [region for operand in operands if isinstance(operand, Value) for region in references_in(operand.type)]
