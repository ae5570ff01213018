"""What has no adjoint is refused before anything is reversed: a derivative that goes through it would be lost.

An active value of a type that is not followed (:func:`s2sad.analysis.activity.may_hide`) was made from an input, and the
result depends on it: a string that is converted back, a deque of numbers, the result of a function without rule or source.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final

from s2sad.analysis.activity_calls import is_unknown, may_change_arguments
from s2sad.analysis.activity_items import is_keyed_by_numbers
from s2sad.analysis.contexts import is_of_generator, may_swallow
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import is_written_at
from s2sad.ir.contents import calls_beyond_numbers, calls_of, is_of_numbers, nodes_of, regions_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, For, MakeFunction, Operand, Raise, Value, With, Yield, arguments_of
from s2sad.ir.operations import (
    IN_PLACE,
    call_method,
    load_captured,
    load_cell,
    load_global,
    make_dict,
    make_tuple,
    set_frozen,
    store_cell,
)
from s2sad.ir.protocols import iteration_may_change, may_change, may_change_by_itself, methods_run_by, takes_objects_as_numbers
from s2sad.ir.types import AnyType, ArrayType, ObjectType, OpaqueType, ScalarType, Type, strip_optional
from s2sad.rules.checks import name_of
from s2sad.transform.lower_stores import is_view_by_subscripts
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.joins import refuse_joins
from s2sad.transform.reverse.missing_rules import OF_FLOATS, dtype_of_others
from s2sad.transform.reverse.shadows import own_region

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_READS = (operator.getitem, operator.setitem, getattr, setattr, set_frozen, load_global, load_captured, make_tuple)
#: Arithmetic that does not raise on numbers.
_NEVER_RAISE: Final = (
    store_cell,
    load_cell,
    operator.add,
    operator.sub,
    operator.mul,
    operator.neg,
    operator.iadd,
    operator.isub,
    operator.imul,
)


def refuse_untracked(engine: Engine) -> None:
    """Raise where an active number disappears into something that has no adjoint."""
    refuse_joins(engine)
    for context in regions_of(engine.function):
        if isinstance(context, With):
            _refuse_active_context(engine, context)
            _refuse_swallowed(engine, context)
    for call in calls_of(engine.function):
        _refuse_complex(engine, call)
        if is_of_numbers(call):
            continue
        if is_view_by_subscripts(call) and call.result in engine.activity:
            what = "np.einsum() gives a view of this array here, which is changed in place or handed on"
            raise unsupported(
                call.span,
                what,
                "store into the elements by their indices, x[np.arange(n), np.arange(n)] = e, take np.transpose(x, axes), or "
                "copy it first: np.einsum(..., x.copy())",
            )
        operands = arguments_of(call)
        _refuse_hidden_store(engine, call)
        if takes_objects_as_numbers(call) and any(refers_to_active(engine, operand) for operand in operands):
            raise unsupported(call.span, "an object is taken for a number here", "take the number: float(object)")
        if call in engine.halves or not any(_is_tracked(engine, operand) for operand in operands):
            continue
        stores_into = operands[0] if isinstance(call.function, Constant) and not isinstance(call.function.value, Callee) else None
        if engine.activity.is_lost(call.result) or (stores_into is not None and engine.activity.is_lost(stores_into)):
            refuse(engine, call)
    for call in calls_beyond_numbers(engine.function):
        if (is_unknown(call) or may_change_arguments(call)) and call not in engine.halves:
            for operand in arguments_of(call):
                region = own_region(operand)
                if region is not None and engine.activity.is_region_active(region):
                    refuse(engine, call)  # it may change what it is given
                if may_change_by_itself(call) and refers_to_active(engine, operand):
                    refuse(engine, call)
                if _captures_active(engine, operand):
                    raise unsupported(
                        call.span,
                        "a function that has active numbers is handed to code which cannot be followed, and which may call it",
                        "call it where its effect is wanted",
                    )
        if keys := [key for key in keys_stored_by(call) if key in engine.activity]:
            raise unsupported(
                call.span,
                f"a derivative passes through {getattr(keys[0], 'name', '') or 'a number'} as a key of a dict",
                "keep the numbers among the values",
            )
    for node in nodes_of(engine.function):
        if isinstance(node, (Call, MakeFunction)) and engine.activity.is_lost(node.result):
            if isinstance(node, Call):
                refuse(engine, node)
        elif isinstance(node, For) and iteration_may_change(node) and refers_to_active(engine, node.iterable):
            raise unsupported(
                node.span,
                "this loop goes over an object whose class may change active numbers with every element",
                "write a method that takes one step, and call it in a `while` loop",
            )
        elif isinstance(node, For) and engine.activity.is_lost(node.target):
            raise unsupported(
                node.span,
                "a derivative passes through the elements of this iterator",
                "loop over a list or over a range of indices",
            )


def _captures_active(engine: Engine, operand: Operand) -> bool:
    """Whether an operand is a function that has active containers to work with."""
    definition = engine.structure.definition.get(operand) if isinstance(operand, Value) else None
    captured = (*definition.captured, *definition.defaults) if isinstance(definition, MakeFunction) else ()
    regions = [region for part in captured if isinstance(part, Value) for region in references_in(part.type)]
    return any(map(engine.activity.is_region_active, regions))


def refers_to_active(engine: Engine, operand: Operand) -> bool:
    """Whether active numbers can be reached from an operand."""
    regions = references_in(operand.type) if isinstance(operand, Value) else {}
    return operand in engine.activity or any(map(engine.activity.is_region_active, regions))


def keys_stored_by(call: Call) -> tuple[Operand, ...]:
    """The operands that become keys of a dict."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if function is make_dict:
        return call.arguments[::2]
    if function is dict and is_keyed_by_numbers(call.result):  # of pairs
        return tuple(operand for operand in call.arguments if not is_keyed_by_numbers(operand))
    if function == dict.fromkeys and is_keyed_by_numbers(call.result):
        return call.arguments[:1]
    if not call.arguments or not is_keyed_by_numbers(call.arguments[0]):
        return ()
    if function is call_method:
        name = call.arguments[1]
        return call.arguments[2:3] if isinstance(name, Constant) and name.value == "setdefault" else ()
    return call.arguments[1:2] if function is operator.setitem else ()


def _refuse_complex(engine: Engine, call: Call) -> None:
    """Adjoints are real: through a complex number, half of a derivative would be lost."""
    kind = call.result.type
    if not isinstance(kind, (ScalarType, ArrayType)) or kind.kind != "complex":
        return
    region = own_region(call.result)
    if call.result in engine.activity or (region is not None and engine.activity.is_region_active(region)):
        way = "compute with the real and the imaginary part, as two numbers"
        raise unsupported(call.span, "a derivative passes through complex numbers", way)


def refuse(engine: Engine, call: Call) -> None:
    """Name the function."""
    if may_change_by_itself(call):
        cls, label = next((cls, label) for cls, label in methods_run_by(call) if may_change(cls, label))
        raise unsupported(
            call.span,
            f"Python calls {cls.__name__}.{label}() by itself here, which may change numbers through which a derivative passes",
            "let it change nothing, or call a method by its name",
        )
    function = call.function.value if isinstance(call.function, Constant) else None
    if function is None:
        engine.calls.reverse_unknown(call, engine.root)
    unknown = [operand for operand in call.arguments if isinstance(operand, Value) and _may_be_anything(operand.type)]
    is_operator = getattr(function, "__module__", "") == operator.add.__module__
    if isinstance(function, Callee) or function in _READS or (is_operator and unknown):
        named = unknown[0] if is_operator and unknown and function not in _READS else call.result
        raise unsupported(call.span, *_why_not_followed(engine, call, named))
    engine.calls.refuse(call, function)


def _why_not_followed(engine: Engine, call: Call, named: Operand) -> tuple[str, str]:
    """What is said of a value of any type: which function of a library it comes from, or the name that the program has for it."""
    made = engine.structure.definition.get(named) if isinstance(named, Value) else None
    origin = _origin_of(engine, made if isinstance(made, Call) else call)
    function = origin.function.value if isinstance(origin.function, Constant) else None
    if isinstance(function, Callee):
        function = getattr(function.unit, "python_function", None)
    unknown = "of which only the running program knows what it is"
    if (dtype := dtype_of_others(origin)) is not None:
        return (
            f"a derivative passes through {name_of(function)}() with dtype={dtype}",
            OF_FLOATS,
        )
    if str(getattr(function, "__module__", "")).partition(".")[0] in ("numpy", "scipy"):
        way = "use numbers, and arrays of numbers: np.array(...), np.asarray(...)"
        return f"a derivative passes through what {name_of(function)}() gives, {unknown}", way
    name = getattr(named, "name", "")
    subject = name if is_written_at(call.span, name) else "what stands here"
    return (
        f"a derivative passes through {subject}, {unknown}",
        "let it be of one kind, whichever way it comes about: a number, an array, a list, a dict, or an object of one class",
    )


def _origin_of(engine: Engine, call: Call) -> Call:
    """The call that made what a chain of reads begins with."""
    while isinstance(call.function, Constant) and call.function.value in (operator.getitem, operator.setitem, getattr, setattr):
        owner = call.arguments[0]
        made = engine.structure.definition.get(owner) if isinstance(owner, Value) else None
        if not isinstance(made, Call):
            break
        call = made
    return call


def _may_be_anything(kind: Type) -> bool:
    """Whether a type says nothing: neither does that of keys of several types."""
    return isinstance(kind, AnyType) or strip_optional(kind) == OpaqueType(object)


def _refuse_hidden_store(engine: Engine, call: Call) -> None:
    """A store into an object that may be an array or list through which a derivative passes: what was there no longer counts."""
    function = call.function.value if isinstance(call.function, Constant) else None
    changes = function in (operator.setitem, *IN_PLACE)
    if function is call_method and isinstance(call.arguments[1], Constant):
        changes = call.arguments[1].value in ("fill", "sort", "put", "partition")
    owner = call.arguments[0] if changes else None
    if isinstance(owner, Value) and isinstance(owner.type, AnyType) and engine.activity.is_lost(owner):
        refuse(engine, call)


def _refuse_active_context(engine: Engine, node: With) -> None:
    """What a context does when it is entered and left is not followed: it must not have active numbers to do it with."""
    context = node.context
    regions = references_in(context.type) if isinstance(context, Value) else {}
    if context in engine.activity or engine.activity.is_lost(context) or any(map(engine.activity.is_region_active, regions)):
        raise unsupported(
            node.span,
            "this context has numbers or arrays through which a derivative passes, and what it does at its beginning and end is "
            "not followed",
            "do that in functions which are called before and after",
        )


def _refuse_swallowed(engine: Engine, node: With) -> None:
    """A context that swallows exceptions leaves open how far its body went."""
    kind = node.context.type if isinstance(node.context, Value) else None
    if all(
        isinstance(call, Call) and isinstance(call.function, Constant) and call.function.value in _NEVER_RAISE
        for call in node.body.operations
    ) and isinstance(node.body.terminator, Yield):
        return
    changes = node.results or isinstance(node.body.terminator, Raise) or engine.touches_memory(node)
    if not changes or not isinstance(kind, (ObjectType, OpaqueType)):
        return
    definition = engine.structure.definition.get(node.context) if isinstance(node.context, Value) else None
    called = definition.function if isinstance(definition, Call) else None
    function = called.value if isinstance(called, Constant) else None
    if isinstance(function, Callee):
        function = getattr(function.unit, "python_function", None)
    if may_swallow(kind.cls, function):
        what = "this context" if is_of_generator(kind.cls) else f"a {kind.cls.__name__}"
        raise unsupported(
            node.span,
            f"{what} may swallow an exception that leaves the body of `with` half way",
            "test for the condition with `if` instead",
        )


def _is_tracked(engine: Engine, operand: Operand) -> bool:
    return operand in engine.activity and not engine.activity.is_lost(operand)
