"""Calls of functions on arrays, their methods and their attributes."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis import (
    array_creation,
    array_data,
    array_products,
    array_queries,
    array_runtime,
    array_selection,
    array_signals,
    array_updates,
    array_views,
)
from s2sad.analysis.array_facts import fact_of_call
from s2sad.analysis.array_operands import NotKnownError, Operands, arrays_in, scalar
from s2sad.analysis.array_random import drawn, is_random_function
from s2sad.analysis.array_types import (
    UFUNCS,
    attempt,
    changed_operands,
    is_array_function,
    method_named,
    takes_sequences,
    type_of_array_call,
)
from s2sad.analysis.index_tricks import (
    Slice,
    gives_index,
    makes_grid,
    makes_row,
    makes_tuple,
    shorthand,
    type_of_grid,
    type_of_row,
)
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.simple_types import integers, type_of_constant
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Call, Constant, Operand
from s2sad.ir.operations import call_method, make_tuple
from s2sad.ir.types import (
    ANY,
    INT,
    AnyType,
    ArrayType,
    ConstantType,
    ListType,
    NoneType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)
from s2sad.rules.applied import block_of, part_of_number, to_list
from s2sad.rules.other_names import renamed, written_out
from s2sad.rules.updates import store_in_flat

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

#: The modules whose import fills the table.
TABLES: Final = (
    array_creation,
    array_products,
    array_data,
    array_queries,
    array_runtime,
    array_selection,
    array_signals,
    array_updates,
    array_views,
)
#: Functions that numbers have a table of their own for.
_ALSO_OF_NUMBERS: Final = (np.clip, np.sinc, runtime.digamma, runtime.polygamma, runtime.bessel_i)
_OPERATORS: Final = (operator.getitem, operator.setitem, operator.matmul, operator.imatmul)
#: What these give for a number.
_OF_NUMBERS: Final[tuple[tuple[object, object], ...]] = ((np.ndim, 0), (np.size, 1), (np.shape, ()))
#: Methods and attributes that are other ways to the memory, and what to write.
_REFUSED: Final[dict[object, str]] = {
    "base": ".base is another way to the memory of an array; keep that array in a variable of its own",
    "data": ".data is another way to the memory of an array; use the array itself",
    "ctypes": ".ctypes is another way to the memory of an array; use the array itself",
    "view": ".view() looks at the same memory as another type; write .astype(), or [...] for a view of the same type",
    "getfield": ".getfield() looks at the same memory as another type; write .astype()",
    "setfield": ".setfield() stores into memory as another type; assign to elements",
    "byteswap": ".byteswap() gives other numbers in the same memory; leave the array in the machine's byte order",
    np.frombuffer: "np.frombuffer() gives the memory of an array another name; use the array itself, or its .ravel()",
    "resize": ".resize() changes the shape of an array in place; write np.resize(), or a new array and a copy of the elements",
}
_WAYS_OUT: Final = {
    "shape": "an assignment to .shape changes an array in place; write .reshape()",
    "real": "an assignment to .real changes an array in place; write .real[...] = …",
    "imag": "an assignment to .imag changes an array in place; write .imag[...] = …",
}
_NO_ATTRIBUTE: Final = "attributes of arrays are not assigned to; write the operation that gives another array"
_KNOWN_NUMBERS: Final = (len, getattr, np.ndim, np.size)


def resolve_array_function(
    resolver: Resolver,
    call: Call,
    function: object,
    arguments: Sequence[Operand],
    keywords: Sequence[tuple[str, Operand]],
) -> Resolution | None:
    """A function or operator on arrays, or one that makes an array; None for others."""
    inference = resolver.inference
    operands = [*arguments, *(operand for _, operand in keywords)]
    kinds = [inference.type_of(operand) for operand in operands]
    if function is np.frombuffer and any(arrays_in(kinds)):
        raise UnsupportedSyntaxError(f"{_REFUSED[function]}.\n{describe_place(call.span)}")
    other = _by_another_name(resolver, call, function, arguments, keywords, kinds)
    if other is not None:
        return other
    of_number = _of_number(function, arguments, kinds)
    if of_number is not None:
        is_sure = arguments[0] not in inference.assumed
        return of_number if is_sure else Resolution(ANY, None, function, tuple(arguments), tuple(keywords))
    if function is operator.getitem and isinstance(kinds[0], ScalarType) and kinds[0].dtype:
        return _part_of_number(resolver, call, kinds, arguments)
    if function is setattr and any(arrays_in(kinds[:1])):
        name = arguments[1].value if isinstance(arguments[1], Constant) else ""
        if name == "flat":
            store: Any = store_in_flat  # type checkers take a function for a method
            return resolver.call_function(call, store, (arguments[0], Constant(slice(None)), arguments[2]), ())
        raise UnsupportedSyntaxError(f"{_WAYS_OUT.get(str(name), _NO_ATTRIBUTE)}.\n{describe_place(call.span)}")
    if not isinstance(function, np.ufunc) and not (_is_operator(function) or is_array_function(function)):
        if is_random_function(function):
            made = Resolution(ANY, None, function, tuple(arguments), tuple(keywords))
            return resolve_random(resolver, call, getattr(function, "__name__", ""), arguments, keywords, made)
        if isinstance(function, type) and issubclass(function, np.number | np.bool) and len(arguments) == 1 and not keywords:
            cast = attempt(lambda given: _cast(given, function, arguments[0]), given_of(resolver, call, {}))
            return Resolution(cast, None, function, tuple(arguments))
        if any(function is known for known in (len, np.size, np.ndim)) and any(arrays_in(kinds)):
            return _with_number(resolver, INT, function, arguments, keywords)
        return None
    if function is np.block and len(arguments) == 1 and not keywords:
        instead: Any = block_of
        return resolver.call_function(call, instead, arguments, ())
    if _is_imaginary_part(function) and any(array.kind != "complex" for array in arrays_in(kinds[:1])):
        return resolve_array_function(resolver, call, np.zeros_like, arguments[:1], ())
    if function is operator.getitem and (instead_of := shorthand(kinds[0])) is not None:
        found = _resolve_shorthand(resolver, call, instead_of, arguments[1], kinds[1])
        return found or _resolve_row(resolver, call, arguments, kinds)
    if function is operator.getitem and gives_index(kinds[0]):
        return _resolve_index(resolver, arguments, kinds)
    if function is operator.getitem and makes_grid(kinds[0]):
        return _resolve_grid(resolver, call, arguments, kinds)
    if _is_operator(function) or _is_also_of_numbers(function):
        relevant = kinds[:1] if function in (operator.getitem, operator.setitem) else kinds
        lists = _is_also_of_numbers(function) and any(isinstance(kind, ListType | TupleType) for kind in relevant)
        if not any(arrays_in(relevant)) and not lists and not takes_sequences(function, relevant):
            return None
    named = {name: _as_option(resolver, operand) for name, operand in keywords}
    positional = [_as_option(resolver, operand) for operand in arguments]
    _check_options(call, function, positional, named)
    kind = type_of_array_call(
        inference.memory,
        inference.site(call),
        function,
        positional,
        named,
        inference.type_of,
        inference.fact_of,
        resolver.elements_of_display,
    )
    if kind is None:
        return None
    _check_stored(resolver, call, function, positional, named)
    arguments = [_text_for(known, operand) for known, operand in zip(positional, arguments, strict=True)]
    keywords = [(name, _text_for(named[name], operand)) for name, operand in keywords]
    return _with_number(resolver, kind, function, arguments, keywords)


def _by_another_name(
    resolver: Resolver,
    call: Call,
    function: object,
    arguments: Sequence[Operand],
    keywords: Sequence[tuple[str, Operand]],
    kinds: Sequence[Type],
) -> Resolution | None:
    """What is called in place of a function that NumPy has under several names."""
    if not any(arrays_in(kinds)) or (function is np.copyto and not _keeps_reals(kinds)):
        return None
    found = renamed(function, arguments, dict(keywords))
    if found is not None:
        return resolve_array_function(resolver, call, found.function, found.arguments, found.keywords)
    axes = next(arrays_in(kinds)).dimensions
    body: Any = written_out(function, arguments, dict(keywords), axes)  # type checkers take a function for a method
    return None if body is None else resolver.call_function(call, body, arguments, keywords)


def _as_option(resolver: Resolver, operand: Operand) -> Operand:
    """An operand, or what it is known to be: a text or a tuple of integers outside is looked at, and must stay what it is."""
    inference = resolver.inference
    known = inference.constant_of(operand)
    if known is None and (variable := inference.options.get(operand)) is not None:
        inference.analyser.guard(variable)
        known = Constant(variable.expected)
    return known or operand


def _text_for(known: Operand, operand: Operand) -> Operand:
    """A text that an operand is known to be: rules ask for it while code is generated."""
    return known if isinstance(known, Constant) and isinstance(known.value, str) else operand


def _keeps_reals(kinds: Sequence[Type]) -> bool:
    """Whether real numbers are stored into an array of real numbers: NumPy raises nothing for their types."""
    known = [kind for kind in kinds if isinstance(kind, ScalarType | ArrayType)]
    return len(known) == len(kinds) and known[0].kind == "float" and known[-1].kind != "complex"


#: Options by which a function changes what it is given: their names, places, and what they are otherwise.
_CHANGING_OPTIONS: Final[dict[object, tuple[str, int, bool]]] = {
    np.nan_to_num: ("copy", 1, True),
    np.median: ("overwrite_input", 3, False),
    np.nanmedian: ("overwrite_input", 3, False),
    np.percentile: ("overwrite_input", 4, False),
    np.quantile: ("overwrite_input", 4, False),
}


def _check_options(call: Call, function: object, arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> None:
    """Refuse options by which a function changes its operand in place."""
    option = next((found for known, found in _CHANGING_OPTIONS.items() if known is function), None)
    if option is None:
        return
    name, place, usual = option
    given = keywords.get(name) or (arguments[place] if len(arguments) > place else Constant(usual))
    if not isinstance(given, Constant) or bool(given.value) is not usual:
        raise UnsupportedSyntaxError(
            f"{name}={not usual} lets a function change the array that it is given, which is not followed; assign what it "
            f"gives: x[...] = f(x).\n{describe_place(call.span)}"
        )


def _check_stored(
    resolver: Resolver, call: Call, function: object, arguments: Sequence[Operand], keywords: Mapping[str, Operand]
) -> None:
    """Real numbers that are stored into an array of integers lose their fraction; whether they do must be known."""
    memory, type_of = resolver.inference.memory, resolver.inference.type_of
    changed = changed_operands(function, arguments, keywords)
    for array in arrays_in([type_of(operand) for operand in changed]):
        others = [type_of(operand) for operand in arguments if operand not in changed]
        is_real = any(isinstance(kind, ScalarType | ArrayType) and kind.is_real for kind in others)
        if is_real and "mixed" in memory.flags[memory.find(array.region)]:
            raise UnsupportedSyntaxError(
                "this array may be one of integers or one of real numbers, which is not known before the program runs; make both "
                f"of the same dtype, with astype(float) or dtype=float.\n{describe_place(call.span)}"
            )
        if is_real and array.kind == "int" and isinstance(function, np.ufunc) and _gives_numbers(function):
            raise UnsupportedSyntaxError(
                "NumPy does not put real numbers into an array of integers by out=, and raises here; make the array one of "
                f"dtype=float.\n{describe_place(call.span)}"
            )


def _gives_numbers(function: np.ufunc) -> bool:
    """Whether a ufunc gives something else than truth values, of floats."""
    return any("d" in signature and not signature.endswith("?") for signature in function.types)


def _of_number(function: object, arguments: Sequence[Operand], kinds: Sequence[Type]) -> Resolution | None:
    """The number of axes, the shape or the size of a number."""
    for known, value in _OF_NUMBERS:
        if function is known and len(kinds) == 1 and isinstance(kinds[0], ScalarType):
            return Resolution(type_of_constant(Constant(value)), Constant(value), function, tuple(arguments))
    return None


def _part_of_number(resolver: Resolver, call: Call, kinds: Sequence[Type], arguments: Sequence[Operand]) -> Resolution | None:
    """``number[()]`` is the number itself, where it is NumPy's; with ``...`` and ``newaxis`` it gives an array of that number."""
    keys = kinds[1].elements if isinstance(kinds[1], TupleType) else (kinds[1],)
    if not keys:
        return Resolution(kinds[0], None, operator.getitem, tuple(arguments), alias=arguments[0])
    instead: Any = part_of_number  # type checkers take a function for a method
    return resolver.call_function(call, instead, arguments, ()) if all(map(_adds_no_choice, keys)) else None


def _adds_no_choice(key: Type) -> bool:
    """Whether a part of an index is ``...`` or ``newaxis``."""
    is_ellipsis = isinstance(key, OpaqueType) and key.cls is type(Ellipsis)
    return isinstance(key, NoneType) or is_ellipsis or (isinstance(key, ConstantType) and key.value is Ellipsis)


def _resolve_shorthand(resolver: Resolver, call: Call, function: object, key: Operand, kind: Type) -> Resolution | None:
    """``np.r_[a, b]`` is ``np.hstack((a, b))`` for vectors and numbers of one dtype, and `np.concatenate` where all have one more
    axis; ``np.c_[a, b]`` is ``np.column_stack((a, b))`` also for matrices."""
    parts = kind.elements if isinstance(kind, TupleType) else ()
    given = given_of(resolver, call, {})
    try:
        seen = [given.see_type(part) for part in parts]
    except NotKnownError:
        return None
    ranks = {-1 if part.shape is None else len(part.shape) for part in seen}
    if not parts or len({part.dtype for part in seen}) > 1 or not ranks <= {0, 1, 2}:
        return None
    if 2 in ranks and function is np.hstack:
        return resolve_array_function(resolver, call, np.concatenate, (key,), ()) if ranks == {2} else None
    return resolve_array_function(resolver, call, function, (key,), ())


def _resolve_row(resolver: Resolver, call: Call, arguments: Sequence[Operand], kinds: Sequence[Type]) -> Resolution | None:
    """``np.r_[1:n, 0]``: ranges, numbers and vectors one after the other, as far as they are no functions of real numbers."""
    is_tuple = isinstance(kinds[1], TupleType)
    operands = _elements_of(resolver, arguments[1]) if is_tuple else arguments[1:]
    if not makes_row(kinds[0]) or not operands:
        return None
    parts = [_slice_of(resolver, operand) or operand for operand in operands]
    kind = attempt(lambda given: type_of_row(given, parts), given_of(resolver, call, {}))
    return None if kind == ANY else Resolution(kind, None, operator.getitem, tuple(arguments))


def _resolve_index(resolver: Resolver, arguments: Sequence[Operand], kinds: Sequence[Type]) -> Resolution | None:
    """``np.s_[key]`` is the key, and ``np.index_exp[key]`` a tuple of it."""
    key = arguments[1]
    if isinstance(kinds[1], AnyType | UnknownType):
        return None
    if makes_tuple(kinds[0]) and not isinstance(kinds[1], TupleType):
        fact = resolver.inference.fact_of(key)
        return Resolution(TupleType((kinds[1],)), None, make_tuple, (key,), fact=None if fact is None else (fact,))
    return Resolution(kinds[1], alias=key)


def _resolve_grid(resolver: Resolver, call: Call, arguments: Sequence[Operand], kinds: Sequence[Type]) -> Resolution | None:
    """``np.mgrid[a:b, c:d]`` and the like make arrays."""
    is_tuple = isinstance(kinds[1], TupleType)
    parts = [_slice_of(resolver, part) for part in (_elements_of(resolver, arguments[1]) if is_tuple else arguments[1:])]
    if not parts:
        return None
    kind = attempt(
        lambda given: type_of_grid(given, kinds[0], [part for part in parts if part is not None], is_tuple),
        given_of(resolver, call, {}),
    )
    return None if None in parts or kind == ANY else Resolution(kind, None, operator.getitem, tuple(arguments))


def _elements_of(resolver: Resolver, operand: Operand) -> tuple[Operand, ...]:
    """The operands of which a tuple was made."""
    constant = resolver.inference.constant_of(operand)
    if constant is not None:
        return tuple(map(Constant, constant.value)) if isinstance(constant.value, tuple) else ()
    maker = resolver.inference.makers_of_tuples.get(operand)
    is_display = maker is not None and isinstance(maker.function, Constant) and maker.function.value is make_tuple
    return maker.arguments if maker is not None and is_display else ()


def _slice_of(resolver: Resolver, operand: Operand) -> Slice | None:
    """The bounds of a slice."""
    constant = resolver.inference.constant_of(operand)
    if constant is not None:
        found = constant.value
        return (Constant(found.start), Constant(found.stop), Constant(found.step)) if isinstance(found, slice) else None
    maker = resolver.inference.makers_of_slices.get(operand)
    if maker is None or len(maker.arguments) != 3:
        return None
    start, stop, step = (resolver.inference.constant_of(bound) or bound for bound in maker.arguments)
    return start, stop, step


def _is_imaginary_part(function: object) -> bool:
    return function is np.imag or function is np.ndarray.imag


def _is_operator(function: object) -> bool:
    return any(function is known for known in (*UFUNCS, *_OPERATORS))


def _is_also_of_numbers(function: object) -> bool:
    return any(function is known for known in _ALSO_OF_NUMBERS)


def _with_number(
    resolver: Resolver,
    kind: Type,
    function: object,
    arguments: Sequence[Operand],
    keywords: Sequence[tuple[str, Operand]],
) -> Resolution:
    """The result is a known number where the types say which: the number of axes, the length of an axis."""
    inference = resolver.inference
    constant = None
    if kind == INT and any(function is known for known in _KNOWN_NUMBERS):
        fact = fact_of_call(function, arguments, dict(keywords), inference.type_of, inference.fact_of)
        constant = Constant(fact) if isinstance(fact, int) else None
    return Resolution(kind, constant, function, tuple(arguments), tuple(keywords))


def resolve_array_method(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``array.name(…)``: by the method that arrays have."""
    receiver, label, *rest = arguments
    assert isinstance(label, Constant)
    if label.value == "view" and not rest and not keywords:
        found = resolve_array_function(resolver, call, operator.getitem, (receiver, Constant(Ellipsis)), ())
        return found or Resolution(ANY, None, call_method, arguments, keywords)
    array = strip_optional(resolver.inference.type_of(receiver))
    is_list = label.value == "tolist" and not rest
    if is_list and isinstance(array, ArrayType) and array.kind != "complex" and array.shape:
        instead: Any = to_list  # type checkers take a function for a method
        return resolver.call_function(call, instead, (receiver,), ())
    if label.value in _REFUSED:
        raise UnsupportedSyntaxError(f"{_REFUSED[label.value]}.\n{describe_place(call.span)}")
    method = method_named(str(label.value))
    if not is_array_function(method):
        mark_unknown(resolver, arguments)
        return Resolution(ANY, None, call_method, arguments, keywords)
    found = resolve_array_function(resolver, call, method, (receiver, *rest), keywords)
    kind = ANY if found is None else found.kind
    receives_number = isinstance(strip_optional(resolver.inference.type_of(receiver)), ScalarType)
    if receives_number and isinstance(kind, ArrayType) and kind.shape == () and label.value != "reshape":
        kind = scalar(np.dtype(kind.dtype))  # NumPy's numbers stay numbers
    return Resolution(kind, None, call_method, arguments, keywords)


def resolve_array_attribute(
    resolver: Resolver, call: Call, kind: ArrayType, name: str, arguments: tuple[Operand, ...]
) -> Resolution:
    """``array.name``"""
    match name:
        case "shape" | "strides":
            return Resolution(integers(kind.dimensions), None, getattr, arguments)
        case "ndim" | "size" | "itemsize" | "nbytes":
            return _with_number(resolver, INT, getattr, arguments, ())
        case "dtype":
            return Resolution(OpaqueType(np.dtype, exact=False), None, getattr, arguments)
        case "flat":
            resolver.inference.flats[call.result] = arguments[0]
            line = Constant(call.span.line if call.span is not None else 0)
            memory = resolver.inference.memory
            changes = "stored" in memory.flags[memory.find(kind.region)]
            flat, operands = (runtime.flat_view, (arguments[0], line)) if changes else (np.ravel, arguments[:1])
            return resolve_array_function(resolver, call, flat, operands, ()) or Resolution(ANY, None, getattr, arguments)
        case _ if name in _REFUSED:
            raise UnsupportedSyntaxError(f"{_REFUSED[name]}.\n{describe_place(call.span)}")
    descriptor = method_named(name)
    if is_array_function(descriptor) and not callable(descriptor):
        found = resolve_array_function(resolver, call, descriptor, arguments[:1], ())
        if found is not None and found.function is np.zeros_like:
            return found
        return Resolution(ANY if found is None else found.kind, None, getattr, arguments)
    mark_unknown(resolver, arguments[:1])
    return Resolution(ANY, None, getattr, arguments)


def resolve_random(
    resolver: Resolver,
    call: Call,
    name: str,
    operands: Sequence[Operand],
    keywords: Sequence[tuple[str, Operand]],
    made: Resolution,
) -> Resolution:
    """A method of a generator of random numbers, or a function of `numpy.random`."""
    named = {label: resolver.inference.constant_of(operand) or operand for label, operand in keywords}
    positional = [resolver.inference.constant_of(operand) or operand for operand in operands]
    kind = attempt(lambda given: drawn(given, name, positional, named), given_of(resolver, call, {}))
    if kind == ANY:
        mark_unknown(resolver, [*operands, *(operand for _, operand in keywords)])
    return replace(made, kind=kind)


def _cast(given: Operands, cls: type[np.generic], operand: Operand) -> Type:
    """``np.float32(x)``: a number, or an array."""
    seen = given.see(operand)
    return given.new(seen.shape, np.dtype(cls))


def given_of(resolver: Resolver, call: Call, named: Mapping[str, Operand]) -> Operands:
    """The operands of a call, by names."""
    inference = resolver.inference
    lookups = (inference.type_of, inference.fact_of, resolver.elements_of_display)
    return Operands(inference.memory, inference.site(call), named, *lookups)


_OF_NUMPY_NUMBERS: Final[dict[str, object]] = {"ndim": 0, "size": 1}


def resolve_number_attribute(kind: ScalarType, owner: Operand, name: str, arguments: tuple[Operand, ...]) -> Resolution | None:
    """``number.name`` for a number of NumPy, which has an array's attributes."""
    if not kind.dtype:
        return None
    if name in _OF_NUMPY_NUMBERS:
        return Resolution(INT, Constant(_OF_NUMPY_NUMBERS[name]), getattr, arguments)
    if name == "T":
        return Resolution(kind, alias=owner)
    if name == "shape":
        return Resolution(TupleType(()), None, getattr, arguments)
    return Resolution(OpaqueType(np.dtype, exact=False), None, getattr, arguments) if name == "dtype" else None


def mark_unknown(resolver: Resolver, arguments: Sequence[Operand]) -> None:
    """Arrays are given to code that is not known: it may change them."""
    for kind in arrays_in([resolver.inference.type_of(operand) for operand in arguments]):
        resolver.inference.memory.mark(kind.region, "stored", "unknown")


def has_methods_of_arrays(kind: Type, name: str) -> bool:
    """Whether it is a number of NumPy, and a method that arrays have."""
    return isinstance(kind, ScalarType) and bool(kind.dtype) and is_array_function(method_named(name))
