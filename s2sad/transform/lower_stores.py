"""Functions that store their result into an array become a computation and a store, and arrays outside are read once;
``np.einsum("ij->ji", x)``, which is a view of an array that is changed, becomes ``np.transpose(x, (1, 0))``.

Before::

    np.multiply(u, u, out=w)
    cache[:] = w
    s = np.sum(cache)

After::

    product = np.multiply(u, u)
    w[...] = product
    cache[:] = w                  # `cache`, an array of the module, has been read at the start,
    s = np.sum(cache)             # so that it has one name here

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.printer import print_function
>>> from s2sad.ir.types import ArrayType
>>> import numpy as np
>>> vector = ArrayType("float64", (3,), 1)
>>> u, w, r = Value("u", vector), Value("w", vector), Value("r", vector)
>>> call = Call(r, Constant(np.negative), (u,), (("out", w),))
>>> print(print_function(lower_stores(Function("f", (Parameter(u), Parameter(w)), Block((call,), Return(r))))))
def f(u, w):
  t_1 = negative(u)
  t_2 = setitem(w, Ellipsis, t_1)
  return w
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from s2sad.analysis.array_operands import type_of_operand
from s2sad.analysis.array_types import type_of_operation
from s2sad.analysis.memory import references_in
from s2sad.ir.contents import calls_beyond_numbers, nodes_of
from s2sad.ir.effects import reads_variable_outside, way_on_arrays
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Span, Value, blocks_of, operands_of
from s2sad.ir.operations import call_method, make_list, make_tuple, unpack
from s2sad.ir.types import INT, NONE, ArrayType, IteratorType, ListType, ScalarType, TupleType, Type
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.reverse.array_names import is_same_object
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.shadows import has_shadow, own_region, regions_changed
from s2sad.transform.rewrite import count_uses, find_definitions, substitute_block, with_blocks, with_body


def lower_stores(fn: Function) -> Function:
    """See the module's docstring."""
    calls = calls_beyond_numbers(fn)
    made = find_definitions(fn)
    outputs = {call: output for call in calls if (output := _output_of(call, made)) is not None}
    pairs = {call: several for call in calls if (several := _outputs_of(call, made)) is not None}
    loads = loads_of_memory(fn)
    listed = [call for call in calls if _has_list_as_index(call)]
    turned = {call: transposed for call in calls if (transposed := _as_transposed(call)) is not None}
    spread = [call for call in calls if isinstance(call.function, Constant) and call.function.value is np.broadcast_arrays]
    indexing = _count_indices(calls)
    in_keys = {call: known for call in calls if (known := _literals_in_key(call, fn, indexing))}
    literal_keys = {call.result for call, known in in_keys.items() if len(known) == len(_lists_in(call.result.type))}
    with_lists = [call for call in calls if _has_lists_in_key(call) and call.arguments[1] not in literal_keys]
    if not (outputs or pairs or loads or listed or turned or spread or in_keys or with_lists):
        return fn
    stored = _parts_stored_into(spread, calls, outputs, made) if spread else {}
    names: dict[Value, Operand] = {}
    first: dict[object, Call] = {}
    for load in loads:
        names[load.result] = first.setdefault(tuple(map(_key, (load.function, *load.arguments))), load).result
    names.update({call.result: output for call, (output, _) in outputs.items()})
    moved = set(loads)
    literals: dict[tuple[int, ...], list[Call]] = {}

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call):
                if node in outputs:
                    operations.extend(_stored(node, *outputs[node]))
                elif node in pairs:
                    operations.extend(_stored_each(node, *pairs[node]))
                elif node in listed:
                    listing = node.arguments[1]
                    literal = _literal_index(listing, fn, indexing[listing])
                    is_index = isinstance(listing, Value) and count_uses(fn).get(listing) == indexing[listing]
                    operations.extend(_with_array_as_index(node, literal, literals, made, is_index=is_index))
                elif node in with_lists:
                    operations.extend(_with_arrays_for_lists(node))
                elif node in in_keys:
                    operations.append(key := _with_arrays_in_key(node, in_keys[node], literals))
                    names[node.result] = key.result
                elif node in turned:
                    operations.append(turned[node])
                elif node in spread and isinstance(node.result.type, TupleType):
                    operations.extend(_broadcast_one_by_one(node, node.result.type, stored.get(node, frozenset())))
                elif node not in moved:
                    operations.append(node)
            else:
                operations.append(with_blocks(node, [visit(inner) for inner in blocks_of(node)]))
        end = with_blocks(block.terminator, [visit(inner) for inner in blocks_of(block.terminator)])
        return Block(tuple(operations), end)

    body = visit(fn.body)
    written_out = [call for calls in literals.values() for call in calls]
    body = Block((*written_out, *first.values(), *body.operations), body.terminator)
    substitution = {value: _final(operand, names) for value, operand in names.items() if operand is not value}
    return with_body(fn, substitute_block(body, substitution))


def _has_list_as_index(call: Call) -> bool:
    """Whether a call indexes an array with a list that has a name (it may be another one when the reverse sweep asks), or with a
    range."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if not is_one_of(function, (operator.getitem, operator.setitem, np.take)) or len(call.arguments) < 2:
        return False
    if not isinstance(getattr(call.arguments[0], "type", None), ArrayType):
        return False
    key = call.arguments[1]
    return isinstance(key, Value) and (isinstance(key.type, ListType) or _is_range(key))


def _is_range(key: Operand) -> bool:
    return isinstance(key, Value) and isinstance(key.type, IteratorType) and key.type.function is range


def _literal_index(key: Operand, fn: Function, uses: int) -> tuple[int, ...] | None:
    """The integers of a list that is nothing but an index, in so many uses, as it is written: they are the same at any time."""
    definition = find_definitions(fn).get(key) if isinstance(key, Value) else None
    if definition is None or not isinstance(definition.function, Constant) or definition.function.value is not make_list:
        return None
    values = [operand.value for operand in definition.arguments if isinstance(operand, Constant)]
    is_known = len(values) == len(definition.arguments) and all(value.__class__ is int for value in values)
    if not is_known or not values or not isinstance(key, Value) or count_uses(fn).get(key) != uses:
        return None
    return tuple(value for value in values if isinstance(value, int))


def _with_array_as_index(
    call: Call,
    literal: tuple[int, ...] | None,
    literals: dict[tuple[int, ...], list[Call]],
    definitions: Mapping[Value, Call],
    *,
    is_index: bool,
) -> list[Operation]:
    """The call with an array of integers instead of a list; one that is written out is made once, at the start. A display that is
    nothing but an index is an array of a tuple: it can be made again where the integers are at hand."""
    owner, key, *rest = call.arguments
    made: list[Operation] = []
    if literal is not None:
        indices = _array_of_literal(literal, literals, call)
    elif isinstance(key, Value) and _is_range(key) and key in definitions:
        indices = Value("indices", ArrayType("int64", (None,), 0, fixed=True), temporary=True)
        made.append(Call(indices, Constant(np.arange), definitions[key].arguments, (), call.span))
    else:
        if is_index and isinstance(key, Value) and (parts := _written_down(key, definitions)):
            key = Value("", TupleType(tuple(map(type_of_operand, parts))), temporary=True)
            made.append(Call(key, Constant(make_tuple), parts, (), call.span))
        found = type_of_operation(np.array, (key,))
        keywords: tuple[tuple[str, Operand], ...] = ()
        if isinstance(found, ArrayType):
            is_list = isinstance(type_of_operand(key), ListType)
            if is_list and found.kind != "bool" and _may_be_empty(key, definitions):  # which NumPy would make an array of floats
                found, keywords = ArrayType("int64", found.shape), (("dtype", Constant(int)),)
            found = ArrayType(found.dtype, found.shape, 0, fixed=True)
        indices = Value("indices", found, temporary=True)
        made.append(Call(indices, Constant(np.array), (key,), keywords, call.span))
    return [*made, Call(call.result, call.function, (owner, indices, *rest), call.keywords, call.span)]


def _written_down(key: Value, definitions: Mapping[Value, Call]) -> tuple[Operand, ...]:
    """The numbers in a list display."""
    definition = definitions.get(key)
    if definition is None or function_of(definition) is not make_list:
        return ()
    are_numbers = all(isinstance(type_of_operand(part), ScalarType) for part in definition.arguments)
    return definition.arguments if are_numbers else ()


def _array_of_literal(literal: tuple[int, ...], literals: dict[tuple[int, ...], list[Call]], call: Call) -> Value:
    if literal not in literals:
        listed = Value("", ListType(INT), temporary=True)
        kind = ArrayType(np.array(literal).dtype.name, (len(literal),), 0, fixed=True)
        indices = Value("indices", kind, temporary=True)
        literals[literal] = [
            Call(listed, Constant(make_list), tuple(map(Constant, literal)), (), call.span),
            Call(indices, Constant(np.array), (listed,), (), call.span),
        ]
    return literals[literal][-1].result


def _literals_in_key(call: Call, fn: Function, indexing: Counter[Operand]) -> dict[Operand, tuple[int, ...]]:
    """The lists of integers in a tuple that is nothing but an index: ``x[:, [0, -1]]``."""
    if (
        function_of(call) is not make_tuple
        or not indexing[call.result]
        or count_uses(fn).get(call.result) != indexing[call.result]
    ):
        return {}
    found = {part: _literal_index(part, fn, 1) for part in call.arguments}
    return {part: literal for part, literal in found.items() if literal is not None}


def _count_indices(calls: Sequence[Call]) -> Counter[Operand]:
    """How often values are indices of arrays."""
    is_indexing = (operator.getitem, operator.setitem, np.take)
    found = [call for call in calls if is_one_of(function_of(call), is_indexing) and len(call.arguments) > 1]
    return Counter(call.arguments[1] for call in found if isinstance(getattr(call.arguments[0], "type", None), ArrayType))


def _with_arrays_in_key(
    call: Call, known: Mapping[Operand, tuple[int, ...]], literals: dict[tuple[int, ...], list[Call]]
) -> Call:
    """The index with arrays of integers, made once, in place of lists."""
    parts = [_array_of_literal(known[part], literals, call) if part in known else part for part in call.arguments]
    key = Value("", TupleType(tuple(map(type_of_operand, parts))), temporary=True)
    return Call(key, call.function, tuple(parts), (), call.span)


def _lists_in(kind: Type) -> list[int]:
    """The places of a tuple at which lists stand."""
    elements = kind.elements if isinstance(kind, TupleType) else ()
    return [place for place, element in enumerate(elements) if isinstance(element, ListType)]


def _has_lists_in_key(call: Call) -> bool:
    """Whether a call indexes an array with a tuple in which there are lists, which may be others when the reverse sweep asks."""
    if not is_one_of(function_of(call), (operator.getitem, operator.setitem)):
        return False
    owner, key = call.arguments[:2]
    return isinstance(getattr(owner, "type", None), ArrayType) and isinstance(key, Value) and bool(_lists_in(key.type))


def _with_arrays_for_lists(call: Call) -> list[Operation]:
    """The call with arrays, made where it stands, in place of the lists in its index."""
    owner, key, *rest = call.arguments
    assert isinstance(key, Value)
    assert isinstance(key.type, TupleType)
    made: list[Operation] = []
    parts: list[Value] = []
    for place, kind in enumerate(key.type.elements):
        part = Value("", kind, temporary=True)
        made.append(Call(part, Constant(operator.getitem), (key, Constant(place)), (), call.span))
        if isinstance(kind, ListType):
            found = type_of_operation(np.array, (part,))
            if isinstance(found, ArrayType):
                found = ArrayType(found.dtype, found.shape, 0, fixed=True)
            indices = Value("indices", found, temporary=True)
            made.append(Call(indices, Constant(np.array), (part,), (), call.span))
            part = indices
        parts.append(part)
    index = Value("", TupleType(tuple(part.type for part in parts)), temporary=True)
    made.append(Call(index, Constant(make_tuple), tuple(parts), (), call.span))
    return [*made, Call(call.result, call.function, (owner, index, *rest), call.keywords, call.span)]


def _may_be_empty(key: Operand, definitions: Mapping[Value, Call]) -> bool:
    """Whether a list may have no elements: it is not one that is written out and used as an index at once."""
    definition = definitions.get(key) if isinstance(key, Value) and key.temporary else None
    if definition is None or not definition.arguments:
        return True
    return not isinstance(definition.function, Constant) or definition.function.value is not make_list


def _as_transposed(call: Call) -> Call | None:
    """The transposition that an einsum of one operand is, where it is a view of memory."""
    if not is_view_by_subscripts(call):
        return None
    text = call.arguments[0].value if isinstance(call.arguments[0], Constant) else None
    before, arrow, after = str(text).replace(" ", "").partition("->")
    if not arrow:
        after = "".join(sorted(before))
    if not before.isalpha() or sorted(before) != sorted(after) or len(set(before)) != len(before):
        return None
    axes = tuple(map(before.index, after))
    return Call(call.result, Constant(np.transpose), (call.arguments[1], Constant(axes)), (), call.span)


def is_view_by_subscripts(call: Call) -> bool:
    """Whether a call is an einsum that gives a view of its one operand, in memory."""
    if not isinstance(call.function, Constant) or call.function.value is not np.einsum or len(call.arguments) != 2:
        return False
    kind, given = call.result.type, getattr(call.arguments[1], "type", None)
    is_memory = isinstance(kind, ArrayType) and not kind.fixed
    return is_memory and isinstance(given, ArrayType) and isinstance(kind, ArrayType) and kind.region == given.region


def _broadcast_one_by_one(call: Call, kind: TupleType, stored: frozenset[int]) -> list[Operation]:
    """``np.broadcast_arrays(a, b)``: a tuple of `np.broadcast_to`, and of those that have the shape of all anyway. NumPy lets the
    others be stored into as well, though elements stand several times there: nobody can want that."""
    operations: list[Operation] = []

    def emit(function: object, *arguments: Operand, kind: Type | None = None) -> Value:
        found = type_of_operation(function, arguments) if kind is None else kind
        operations.append(made := Call(Value("", found, temporary=True), Constant(function), arguments, (), call.span))
        return made.result

    parts: list[Operand] = list(call.arguments)
    spread = [index for index, part in enumerate(kind.elements) if not _has_shape_of(call.arguments[index], part)]
    if not stored.isdisjoint(spread):
        raise unsupported(
            call.span,
            "an array that np.broadcast_arrays() gives is changed, and its elements may stand several times in it",
            "copy it first: a = a.copy()",
        )
    if spread:
        shape = emit(np.broadcast_shapes, *(emit(np.shape, operand) for operand in call.arguments))
    for index in spread:
        parts[index] = emit(np.broadcast_to, call.arguments[index], shape, kind=kind.elements[index])
    return [*operations, Call(call.result, Constant(make_tuple), tuple(parts), (), call.span)]


def _has_shape_of(operand: Operand, part: Type) -> bool:
    """Whether an array has the shape that it is brought to."""
    kind = operand.type if isinstance(operand, Value) else None
    lengths = kind.shape if isinstance(kind, ArrayType) else None
    return lengths is not None and None not in lengths and isinstance(part, ArrayType) and lengths == part.shape


def _parts_stored_into(
    spread: Sequence[Call], calls: Sequence[Call], outputs: Mapping[Call, tuple[Value, Call]], made: Mapping[Value, Call]
) -> dict[Call, frozenset[int]]:
    """Which arrays of those that `np.broadcast_arrays` gives are changed under the names that they get."""
    found: dict[Call, frozenset[int]] = {}
    for call in calls:
        target: Operand | None = outputs[call][0] if call in outputs else None
        if target is None and way_on_arrays(call) == "change" and call.arguments:
            target = call.arguments[0]
        key: object = None
        while isinstance(target, Value) and (definition := made.get(target)) is not None:
            function = definition.function.value if isinstance(definition.function, Constant) else None
            if function is np.broadcast_arrays:
                parts = [key] if isinstance(key, int) else range(len(definition.arguments))
                found[definition] = found.get(definition, frozenset()).union(part % len(definition.arguments) for part in parts)
                break
            if function is operator.getitem and not isinstance(target.type, TupleType):
                key = definition.arguments[1].value if isinstance(definition.arguments[1], Constant) else None
            elif not (function is unpack or is_same_object(definition) or way_on_arrays(definition) in ("view", "either")):
                break
            target = definition.arguments[0]
    return found


def _final(operand: Operand, names: dict[Value, Operand]) -> Operand:
    while isinstance(operand, Value) and names.get(operand, operand) is not operand:
        operand = names[operand]
    return operand


def loads_of_memory(fn: Function) -> list[Call]:
    """The calls that read variables outside, and the array or container that is there is changed."""
    loads = [call for call in calls_beyond_numbers(fn) if _is_load_of_memory(call)]
    if all(isinstance(load.result.type, ArrayType) for load in loads):
        return loads
    changed = regions_changed(fn)
    for call in nodes_of(fn):
        if isinstance(call, Call) and way_on_arrays(call) == "change":
            changed.update(region for operand in operands_of(call) if (region := own_region(operand)) is not None)
    return [load for load in loads if isinstance(load.result.type, ArrayType) or changed & set(references_in(load.result.type))]


def _is_load_of_memory(call: Call) -> bool:
    return has_shadow(call.result.type) and reads_variable_outside(call)


def _key(operand: Operand) -> object:
    """Equal for operands that are the same."""
    if not isinstance(operand, Constant):
        return operand
    return operand.value if isinstance(operand.value, str) else id(operand.value)


def _output_of(call: Call, made: Mapping[Value, Call]) -> tuple[Value, Call] | None:
    """The array that a call stores its result into, and the call without it."""
    if not isinstance(call.function, Constant) or way_on_arrays(call) != "change" or _has_several_results(call.function.value):
        return None
    if call.function.value is operator.imatmul and isinstance(output := call.arguments[0], Value):
        return output, Call(call.result, Constant(operator.matmul), call.arguments, (), call.span)
    named = [operand for name, operand in call.keywords if name == "out"]
    keywords = tuple((name, operand) for name, operand in call.keywords if name != "out")
    arguments, target = call.arguments, named[0] if named else None
    if target is None and isinstance(call.function.value, np.ufunc) and len(arguments) > call.function.value.nin:
        count = call.function.value.nin
        arguments, target = arguments[:count], arguments[count]
    if isinstance(target, Value) and isinstance(target.type, TupleType) and target in made and len(target.type.elements) == 1:
        (target,) = made[target].arguments
    if not isinstance(target, Value) or not isinstance(target.type, ArrayType):
        return None
    return target, Call(call.result, call.function, arguments, keywords, call.span)


def _has_several_results(function: object) -> TypeGuard[np.ufunc]:
    return isinstance(function, np.ufunc) and function.nout > 1


def _outputs_of(call: Call, made: Mapping[Value, Call]) -> tuple[tuple[Value, ...], Call] | None:
    """The arrays that a call with several results stores them into, ``np.divmod(x, y, out=(q, r))``; the call without them."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if not _has_several_results(function) or way_on_arrays(call) != "change":
        return None
    arguments, keywords = call.arguments[: function.nin], dict(call.keywords)
    out = keywords.pop("out", None)
    targets = made[out].arguments if isinstance(out, Value) and out in made else call.arguments[function.nin :]
    arrays = tuple(target for target in targets if isinstance(target, Value) and isinstance(target.type, ArrayType))
    if len(arrays) != function.nout or len(targets) != function.nout or "where" in keywords:
        raise unsupported(
            call.span,
            f"np.{function.__name__}() stores its results in a way that is not followed",
            "assign them, and store each: q, r = np.divmod(x, y), then a[:] = q",
        )
    return arrays, Call(call.result, call.function, arguments, tuple(keywords.items()), call.span)


def _stored_each(call: Call, outputs: Sequence[Value], without: Call) -> list[Operation]:
    """The computation, and the store of each of its results."""
    operations: list[Operation] = [made := _made_by(without, call.span, _dtype_of(outputs[0]))]
    for index, output in enumerate(outputs):
        kind = made.result.type.elements[index] if isinstance(made.result.type, TupleType) else output.type
        part = Value("", kind, temporary=True)
        operations.append(Call(part, Constant(operator.getitem), (made.result, Constant(index)), (), call.span))
        operations.append(_store(output, Constant(Ellipsis), part, call.span))
    return [*operations, Call(call.result, Constant(make_tuple), tuple(outputs), (), call.span)]


def _stored(call: Call, output: Value, without: Call) -> list[Operation]:
    """The computation, and the store of its result."""
    where = dict(without.keywords).get("where")
    if where is not None and isinstance(without.function, Constant) and isinstance(without.function.value, np.ufunc):
        return _stored_where(call, output, without, where)
    made = _made_by(without, call.span, _dtype_of(output))
    return [made, _store(output, Constant(Ellipsis), made.result, call.span)]


def _stored_where(call: Call, output: Value, without: Call, where: Operand) -> list[Operation]:
    """``np.log(x, out=y, where=mask)`` is ``y[mask] = np.log(x[mask])``, once they have one shape."""
    operations: list[Operation] = []

    def emit(function: object, *arguments: Operand, view_of: Operand | None = None) -> Operand:
        made = _made_by(Call(Value(""), Constant(function), arguments), call.span, _dtype_of(output))
        kind, viewed = made.result.type, view_of.type if isinstance(view_of, Value) else None
        if isinstance(kind, ArrayType) and isinstance(viewed, ArrayType):  # which may change later, here or afterwards
            view = replace(kind, region=viewed.region, fixed=viewed.fixed)
            made = replace(made, result=Value("", view, temporary=True))
        operations.append(made)
        return made.result

    shape = _shape_of(output)

    def spread(operand: Operand) -> Operand:
        kind = operand.type if isinstance(operand, Value) else None
        if isinstance(kind, ArrayType) and kind.shape is not None and kind.shape == shape and None not in kind.shape:
            return operand
        return emit(np.broadcast_to, operand, emit(np.shape, output), view_of=operand)

    chosen = spread(where)

    def elements(operand: Operand) -> Operand:
        if not _may_be_array(operand):
            return operand
        of_shape = spread(operand)
        if of_shape is not operand:  # a copy: what is kept for a second derivative is no view
            of_shape = emit(call_method, of_shape, Constant("copy"))
        return emit(operator.getitem, of_shape, chosen)

    operands = [elements(operand) for operand in without.arguments]
    rest = tuple((name, operand) for name, operand in without.keywords if name != "where")
    made = _made_by(Call(Value(""), without.function, tuple(operands), rest), call.span, _dtype_of(output))
    return [*operations, made, _store(output, chosen, made.result, call.span)]


def _may_be_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and not isinstance(operand.type, ScalarType)


def _shape_of(output: Value) -> object:
    return output.type.shape if isinstance(output.type, ArrayType) else None


def _made_by(call: Call, span: Span | None, dtype: str) -> Call:
    """A call whose result is a value; one of a type that is not known counts as an array of this dtype."""
    function = call.function.value if isinstance(call.function, Constant) else None
    operands = call.arguments
    if function is call_method and isinstance(operands[1], Constant):
        function, operands = getattr(np.ndarray, str(operands[1].value), None), (operands[0], *operands[2:])
    kind = type_of_operation(function, operands, dict(call.keywords))
    if isinstance(kind, ArrayType):
        kind = ArrayType(kind.dtype, kind.shape, 0, fixed=True)
    elif not isinstance(kind, (ScalarType, TupleType)):
        kind = ArrayType(dtype, None, 0, fixed=True)
    return Call(Value("", kind, temporary=True), call.function, call.arguments, call.keywords, span)


def _store(output: Value, key: Operand, stored: Operand, span: Span | None) -> Call:
    return Call(Value("", NONE, temporary=True), Constant(operator.setitem), (output, key, stored), (), span)


def _dtype_of(output: Value) -> str:
    return output.type.dtype if isinstance(output.type, ArrayType) else "float64"
