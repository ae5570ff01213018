"""Which values of a function may share the memory of arrays, which of that memory is written, and who can reach it.

Every call that makes an array, every container made, and every region of the arguments is a *root*; the rest of the world
(globals, captured objects, what was handed to unknown code) is one more. A value has the roots that its memory may come from: a
view has those of its base, a loop's parameter those of all that is carried into it. What a container holds is kept for each
root. Sets of roots are the bits of an `int`, so that two values may share memory only if ``roots(a) & roots(b)``::

    >>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
    >>> from s2sad.ir.types import ArrayType, Extent
    >>> import operator
    >>> vector = ArrayType("float64", (Extent("n"),), 1)
    >>> x, y, z = Value("x", vector), Value("y", vector), Value("z", vector)
    >>> calls = (
    ...     Call(y, Constant(operator.add), (x, x)),
    ...     Call(z, Constant(getattr), (y, Constant("T"))),
    ... )
    >>> memory = find_array_memory(Function("f", (Parameter(x),), Block(calls, Return(z))))
    >>> bool(memory.roots(y) & memory.roots(z)), bool(memory.roots(y) & memory.roots(x))
    (True, False)

Nothing here depends on the order of statements: a root stands for all arrays that its call makes, in every trip of a loop.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy

from s2sad import runtime
from s2sad.analysis.shadow_types import MAKERS_OF_ZEROS
from s2sad.ir.contents import kinds_made, nodes_of, regions_of
from s2sad.ir.effects import IMMUTABLE_CLASSES, Callee, effects_of, way_on_arrays
from s2sad.ir.memo import MOST_FUNCTIONS, remembered
from s2sad.ir.nodes import (
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
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    operands_of,
    parameters_of,
    results_of,
)
from s2sad.ir.operations import IN_PLACE, call_method, comment, make_cell, make_dict, make_list, make_set, store_cell
from s2sad.ir.types import (
    ArrayType,
    ConstantType,
    DictType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
)
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import leaves, rename_values

#: The root of all memory that is not known.
WORLD: Final = 1

_CONTAINER_MAKERS: Final[frozenset[object]] = frozenset({make_list, make_dict, make_set, make_cell, list, dict, set, sorted})
_FILLING_METHODS: Final = frozenset({"append", "insert", "extend", "add", "update", "setdefault", "appendleft"})
_EMPTYING_METHODS: Final = frozenset({"pop", "clear", "popitem", "discard", "remove", "reverse", "popleft"})
#: Functions that look at the shape and dtype of their first operand.
_LIKE: Final[frozenset[object]] = frozenset(
    {numpy.zeros_like, numpy.ones_like, numpy.empty_like, numpy.full_like, numpy.shape, numpy.size, numpy.ndim, len}
    | {runtime.zeros_like, runtime.zeros_like_in_arrays}
)
#: Functions that make containers of new arrays, as many as there are in what they are given.
_SHADOW_MAKERS: Final[frozenset[object]] = frozenset({*MAKERS_OF_ZEROS, runtime.zeros_like_all})
_OF_SHAPES: Final = frozenset({"shape", "ndim", "size", "dtype"})
#: Values of these types hold no array.
_PLAIN: Final = (ScalarType, NoneType)
_CONTAINERS: Final = (ListType, DictType)
_HARMLESS: Final = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type, numpy.generic, numpy.dtype)
_FUNCTIONS: Final = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, numpy.ufunc)


def is_array(operand: Operand) -> bool:
    """Whether an operand is an array for certain."""
    return isinstance(operand, Value) and isinstance(operand.type, ArrayType) and operand.type.shape not in (None, ())


def is_alike(first: Operand | None, second: Operand | None) -> bool:
    """Whether two arrays have one dtype and, for certain, one shape."""
    one, other = (operand.type if isinstance(operand, Value) else None for operand in (first, second))
    if not isinstance(one, ArrayType) or not isinstance(other, ArrayType) or one.shape is None or None in one.shape:
        return False
    return (one.dtype, one.shape) == (other.dtype, other.shape)


def may_be_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ArrayType)


@remembered()
def makes_array(call: Call) -> bool:
    """Whether the result of a call is an array in new memory, and making it changes nothing."""
    if not may_be_array(call.result) or any(name in ("out", "copy") for name, _ in call.keywords):
        return False
    if isinstance(function_of(call), Callee):
        return False  # what it gives may be what it was given, or a view of that
    effects, way = effects_of(call), way_on_arrays(call)
    if effects.writes or effects.acts:
        return False
    return way == "make" or (way is None and effects.allocates)


def _may_make_array(call: Call) -> bool:
    """Whether the result of a call is an array in new memory, or in that of an operand: ``np.array((x, y))``."""
    return may_be_array(call.result) and not makes_array(call) and way_on_arrays(call) == "either"


def makes_view(call: Call) -> bool:
    """Whether a call gives a view of its first operand, whatever the memory holds."""
    return is_array(call.result) and way_on_arrays(call) == "view"


def changes_array(node: Operation | Terminator) -> bool:
    """Whether all that a node itself does is to change one array in place."""
    if not isinstance(node, Call) or not node.arguments or not is_array(node.arguments[0]):
        return False
    function = function_of(node)
    return function is operator.setitem or is_one_of(function, IN_PLACE) or is_at(function)


def is_at(function: object) -> bool:
    """Whether it is `np.add.at`, or the same of another ufunc: it changes its first operand."""
    is_method = isinstance(function, types.BuiltinFunctionType) and isinstance(function.__self__, numpy.ufunc)
    return is_method and getattr(function, "__name__", "") == "at"


def asked_for_shape(call: Call) -> Value | None:
    """The array of which a call wants to know the shape and dtype only."""
    function = function_of(call)
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, Value) or not is_array(first):
        return None
    if function is getattr:
        return first if _method(call) in _OF_SHAPES else None
    return first if is_one_of(function, _LIKE) else None


def asks_for_lengths(call: Call) -> bool:
    """Whether neither the dtype of an array nor how it lies in memory matters to a call."""
    if function_of(call) is getattr:
        name = call.arguments[1]
        return isinstance(name, Constant) and name.value in ("shape", "ndim", "size")
    return function_of(call) in (len, numpy.shape, numpy.ndim, numpy.size)


@dataclass(slots=True)
class ArrayMemory:
    """See the module's docstring."""

    of: dict[Value, int] = field(default_factory=dict)
    #: What the containers of a root hold; for the world, all that it was handed.
    contents: dict[int, int] = field(default_factory=dict)
    #: The roots whose arrays the function makes itself.
    made: int = 0
    #: The roots that some call writes to.
    written: int = 0
    #: What the function returns, in containers too.
    returned: int = 0
    #: Arguments, and what others can reach or change at any time.
    given: int = 0
    public: int = WORLD
    #: Whether there is an array in the function at all.
    has_arrays: bool = False
    #: What operations, with what is inside them, may write to, as far as somebody has asked.
    written_inside: dict[Operation, int] = field(default_factory=dict)

    def roots(self, operand: Operand) -> int:
        """Where the memory of an operand may come from."""
        if isinstance(operand, Value):
            found = self.of.get(operand)
            # an array that was not there when memory was looked at may be any
            return found if found is not None else self.given | self.public | self.made if is_array(operand) else 0
        return 0 if _is_harmless(operand.value) else WORLD

    def note_copy(self, copied: Value, of: Operand) -> None:
        """Another name was given to what a call computes, which is made again."""
        self.of[copied] = self.roots(of)

    def reach(self, roots: int) -> int:
        """These roots and what can be reached from their containers."""
        while True:
            new = roots
            for root in bits(roots):
                new |= self.contents.get(root, 0)
            if new == roots:
                return roots
            roots = new

    def content(self, roots: int) -> int:
        """What an element of these may be: an array's rows are views of it."""
        new = roots
        for root in bits(roots):
            new |= self.contents.get(root, 0)
        return new

    def is_owned(self, operand: Operand) -> bool:
        """Whether an array was made in this function, in all cases, and nobody outside has seen it."""
        roots = self.roots(operand)
        return roots != 0 and not roots & ~self.made and not roots & self.public

    def is_constant(self, operand: Operand) -> bool:
        """Whether the content of an array made here never changes once it is made, and its identity does not matter."""
        return self.is_owned(operand) and not self.roots(operand) & (self.written | self.returned)

    def read_by(self, call: Call) -> int:
        """The memory that a call may read."""
        found = 0
        for operand in operands_of(call):
            found |= self.roots(operand)
        return self.reach(found)

    def written_by(self, node: Operation | Terminator) -> int:
        """The memory of arrays that a call itself may write to."""
        if not isinstance(node, Call) or not may_write(node):
            return 0
        function = function_of(node)
        first = node.arguments[0] if node.arguments else None
        if first is not None and (function is operator.setitem or is_one_of(function, IN_PLACE) or is_at(function)):
            return self.roots(first)
        if first is not None and function is call_method and _is_container(first) and _method(node) in _CHANGES:
            return 0
        effects = effects_of(node)
        if effects.acts or (effects.writes and not isinstance(function, _FUNCTIONS)):
            return self.public | self.given | self.read_by(node)
        return self.read_by(node) if effects.writes else 0


_CHANGES: Final = _FILLING_METHODS | _EMPTYING_METHODS


def may_write(call: Call) -> bool:
    """Whether a call may write to arrays at all, whatever its operands turn out to be."""
    if isinstance(function_of(call), Callee):  # what it does may not be known yet
        return _may_write(call)
    return _known_may_write(call)


def _may_write(call: Call) -> bool:
    function, effects = function_of(call), effects_of(call)
    if function is comment:
        return False
    return effects.writes or effects.acts or is_one_of(function, IN_PLACE) or is_at(function)


_known_may_write = remembered()(_may_write)


def _method(call: Call) -> object:
    name = call.arguments[1]
    return name.value if isinstance(name, Constant) else None


def _is_container(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, _CONTAINERS)


def _is_harmless(value: object) -> bool:
    """Whether a constant is no array, and holds none."""
    if isinstance(value, tuple):
        return all(map(_is_harmless, value))
    return isinstance(value, (*_HARMLESS, *_FUNCTIONS)) or type(value) in IMMUTABLE_CLASSES or callable(value)


def bits(roots: int) -> Iterator[int]:
    while roots:
        lowest = roots & -roots
        yield lowest
        roots ^= lowest


def holds_memory(kind: Type) -> bool:
    """Whether a value of this type may be, or hold, an array."""
    if isinstance(kind, TupleType):
        return any(map(holds_memory, kind.elements)) if kind.elements else True
    if isinstance(kind, OpaqueType):
        return kind.cls not in IMMUTABLE_CLASSES
    if isinstance(kind, ConstantType):
        return not _is_harmless(kind.value)
    return not isinstance(kind, _PLAIN)


@remembered(MOST_FUNCTIONS)
def find_array_memory(fn: Function) -> ArrayMemory:
    """Find out where the memory of each value may come from. Without arrays in the function, nothing is looked at."""
    memory = ArrayMemory()
    memory.has_arrays = _has_arrays(fn)
    if memory.has_arrays:
        _Finding(fn, memory).run(nodes_of(fn))
    return memory


def _has_arrays(fn: Function) -> bool:
    """Whether an array is given or made."""
    given = (*fn.captured, *(parameter.value for parameter in fn.parameters))
    regions = [node for node in regions_of(fn) if not isinstance(node, Branch)]
    defined = [value for node in regions for value in (*results_of(node), *parameters_of(node))]
    if any(map(may_be_array, (*given, *defined))):
        return True
    return ArrayType in kinds_made(fn)


class _Finding:
    """Grows the sets of roots until nothing is missing."""

    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.fn = fn
        self.memory = memory
        self.next_root = WORLD << 1
        self.changed = True
        self.own: dict[Call, int] = {}
        #: The roots of containers made here.
        self.containers = 0
        self.steps: list[Callable[[], None]] = []

    def new_root(self) -> int:
        root = self.next_root
        self.next_root <<= 1
        return root

    def run(self, nodes: Sequence[Operation | Terminator]) -> None:
        memory = self.memory
        memory.contents[WORLD] = WORLD
        self.enter_parameters()
        for node in nodes:
            if isinstance(node, Call) and _makes_memory(node):
                self.own[node] = self.new_root()
                memory.made |= self.own[node]
                if not may_be_array(node.result):
                    self.containers |= self.own[node]
        self.visit(self.fn.body)
        while self.changed:
            self.changed = False
            for step in self.steps:
                step()
        memory.public = memory.reach(WORLD)
        memory.given = memory.reach((self.next_root - 1) & ~memory.made)
        for node in nodes:
            memory.written |= memory.written_by(node)
            if isinstance(node, Return):
                memory.returned |= memory.reach(memory.roots(node.value))

    def enter_parameters(self) -> None:
        """Arrays of one region share memory; of containers and of what is not known, anything may."""
        regions: dict[int, int] = {}
        values = [parameter.value for parameter in self.fn.parameters]
        for value in values:
            if not isinstance(value.type, ArrayType):
                regions.update(dict.fromkeys(_regions_in(value.type), WORLD))
        for value in values:
            if isinstance(value.type, ArrayType) and value.type.region:
                self.add(value, regions.setdefault(value.type.region, 0) or self.enter_region(regions, value.type.region))
            elif holds_memory(value.type):
                self.add(value, WORLD)
        for value in self.fn.captured:
            if holds_memory(value.type):
                self.add(value, WORLD)

    def enter_region(self, regions: dict[int, int], region: int) -> int:
        regions[region] = self.new_root()
        return regions[region]

    def add(self, value: Value, roots: int) -> None:
        if roots and holds_memory(value.type):
            old = self.memory.of.get(value, 0)
            if roots | old != old:
                self.memory.of[value] = roots | old
                self.changed = True

    def put(self, containers: int, roots: int) -> None:
        """Something goes into containers."""
        if not roots:
            return
        for root in bits(containers):
            old = self.memory.contents.get(root, 0)
            if roots | old != old:
                self.memory.contents[root] = roots | old
                self.changed = True

    def union(self, operands: Iterable[Operand]) -> int:
        found = 0
        for operand in operands:
            found |= self.memory.roots(operand)
        return found

    def visit(self, block: Block) -> None:
        """Note what moves memory in a block, in source order; most calls do not."""
        for operation in block.operations:
            match operation:
                case Call():
                    if operation in self.own or moves_memory(operation):
                        self.steps.append(partial(self.visit_call, operation))
                case MakeFunction():
                    self.steps.append(partial(self.visit_definition, operation))
                case If(_, then, orelse, results):
                    self.visit(then)
                    self.visit(orelse)
                    self.join(results, (then, orelse))
                case For(target, iterable, _, body):
                    if holds_memory(target.type):
                        self.steps.append(partial(self.visit_target, target, iterable))
                    self.visit_loop(operation, body)
                case While(header, _, body):
                    self.visit(header)
                    self.visit_loop(operation, body)
                case Try(body, handlers, results):
                    blocks = (body, *(handler.body for handler in handlers))
                    for inner in blocks:
                        self.visit(inner)
                    for handler in handlers:
                        if handler.name is not None:
                            self.steps.append(partial(self.add, handler.name, WORLD))
                    self.join(results, blocks)
                case With(_, _, body, results):
                    self.steps.append(partial(self.visit_context, operation))
                    self.visit(body)
                    self.join(results, (body,))
        for inner in blocks_of(block.terminator):
            self.visit(inner)

    def join(self, results: tuple[Value, ...], blocks: Iterable[Block]) -> None:
        ends = [end for block in blocks for end in leaves(block) if isinstance(end, Yield)]
        self.note_flow((result, operand) for end in ends for result, operand in zip(results, end.values, strict=True))

    def visit_loop(self, loop: For | While, body: Block) -> None:
        self.note_flow((item.parameter, item.initial) for item in loop.carried)
        self.visit(body)
        ends = [end for end in leaves(body) if isinstance(end, (Yield, Break))]
        self.note_flow((item.parameter, value) for end in ends for item, value in zip(loop.carried, end.values, strict=True))
        self.note_flow((item.result, item.parameter) for item in loop.carried)

    def note_flow(self, pairs: Iterable[tuple[Value, Operand]]) -> None:
        """Each value may be the operand beside it."""
        flow = [(value, operand) for value, operand in pairs if holds_memory(value.type)]
        if flow:
            self.steps.append(partial(self.follow, flow))

    # what each step does, again and again until nothing is new

    def follow(self, flow: Sequence[tuple[Value, Operand]]) -> None:
        for value, operand in flow:
            self.add(value, self.memory.roots(operand))

    def visit_target(self, target: Value, iterable: Operand) -> None:
        self.add(target, self.memory.content(self.memory.roots(iterable)))

    def visit_definition(self, node: MakeFunction) -> None:
        self.put(WORLD, self.union((*node.captured, *node.defaults)))
        self.add(node.result, WORLD)

    def visit_context(self, node: With) -> None:
        self.put(WORLD, self.memory.roots(node.context))
        if node.name is not None:
            self.add(node.name, WORLD)

    def visit_call(self, call: Call) -> None:
        memory, function = self.memory, function_of(call)
        own = self.own.get(call)
        if own is not None:
            self.add(call.result, own)
            makes_several = _makes_shadows(call)  # arrays that nothing else is, but which one is not known by the root
            if makes_several or _may_make_array(call):
                self.add(call.result, self.union(operands_of(call)))
            if not may_be_array(call.result):  # a container holds what it is made of, and what that holds
                self.put(own, memory.content(self.union(call.arguments)) | (own if makes_several else 0))
            return
        operands = self.union(operands_of(call))
        if not operands:
            if effects_of(call).acts or effects_of(call).reads:
                self.add(call.result, WORLD)
            return
        first = call.arguments[0] if call.arguments else None
        if first is not None and (function is operator.setitem or function is store_cell):
            if not may_be_array(first):
                self.put(memory.roots(first), self.union(call.arguments[1:]))
            return
        if first is not None and function is call_method and _is_container(first) and _method(call) in _CHANGES:
            self.put(memory.roots(first), memory.content(self.union(call.arguments[2:])))
            self.add(call.result, memory.content(memory.roots(first)))
            return
        if first is not None and (makes_view(call) or (is_array(first) and is_one_of(function, IN_PLACE))):
            self.add(call.result, memory.roots(first))
            return
        effects = effects_of(call)
        if effects.acts or (effects.writes and not may_be_array(call.arguments[0] if call.arguments else call.function)):
            # whoever keeps one operand may put it into another
            self.put(WORLD | (operands & self.containers), operands)
            self.add(call.result, memory.reach(operands | WORLD))
            return
        self.add(call.result, memory.content(operands) if isinstance(function, _FUNCTIONS) else memory.reach(operands))


def _makes_memory(call: Call) -> bool:
    """Whether what a call gives has a root of its own."""
    if not holds_memory(call.result.type):
        return False
    return makes_array(call) or _may_make_array(call) or _makes_container(call) or _makes_shadows(call)


def _makes_shadows(call: Call) -> bool:
    return is_one_of(function_of(call), _SHADOW_MAKERS) and not may_be_array(call.result)


def moves_memory(call: Call) -> bool:
    """Whether a call gives anything that may be or hold an array, or puts something where others find it."""
    if holds_memory(call.result.type):
        return True
    if function_of(call) is operator.setitem:
        return not may_be_array(call.arguments[0])
    return may_write(call)


def _makes_container(call: Call) -> bool:
    function = function_of(call)
    if is_one_of(function, _CONTAINER_MAKERS):
        return True
    return isinstance(call.result.type, _CONTAINERS) and effects_of(call).allocates and not effects_of(call).acts


def _regions_in(kind: Type) -> Iterator[int]:
    """The regions of all arrays that a value of this type holds."""
    match kind:
        case ArrayType(region=region):
            yield region
        case TupleType(elements=elements):
            for element in elements:
                yield from _regions_in(element)
        case ListType(element=element):
            yield from _regions_in(element)
        case DictType(key=key, value=value, fields=fields):
            for part in (key, value, *(part for _, part in fields)):
                yield from _regions_in(part)
        case ObjectType(fields=fields):
            for _, part in fields:
                yield from _regions_in(part)


def unfix(fn: Function) -> Function:
    """The function with types that tell of arrays made here that they are written to, where a pass has made it so."""
    memory = find_array_memory(fn)
    written = memory.written & memory.made
    renamed = {
        value: Value(value.name, replace(value.type, fixed=False), value.temporary)
        for value, roots in memory.of.items()
        if roots & written and isinstance(value.type, ArrayType) and value.type.fixed
    }
    return rename_values(fn, renamed)
