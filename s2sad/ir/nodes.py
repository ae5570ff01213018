"""The intermediate representation: structured SSA.

A :class:`Function` holds one :class:`Block`. A block is a sequence of operations and one terminator. Every
:class:`Value` is defined exactly once, and is visible in the rest of its block and in the blocks nested there;
what leaves a region leaves it through the *results* of the region's node.

Operations (they stand inside a block):

===============  ===========================================================================================
`Call`           ``result = function(arguments)``: every computation, load, store and call
`MakeFunction`   ``result = a nested def or lambda with the values that it captures``
`If`             two arms; each ends with `Yield` (whose values become the results) or with `Raise`
`For`, `While`   a loop with carried values; see below
`Try`, `With`    regions that Python enters and leaves by itself
===============  ===========================================================================================

Terminators (they end a block): `Yield`, `Break`, `Return`, `Raise`, and `Branch`, whose two arms end the enclosing block
in two ways. A *tree* is a block whose terminator may be a `Branch`; the leaves of a function's tree are `Return` and
`Raise`, those of a loop body `Yield` (on to the next trip), `Break` and `Raise`. `continue` is a `Yield`; an early
`return` inside a loop is a `Break` with a carried flag. What follows an ``if`` that may leave stands inside the `Branch`.

A carried value has an initial operand, a parameter that the body (and the header of a `While`) sees, and a
result that is visible after the loop: `Yield` and `Break` list the values for the next trip and for the results, in the
order of ``carried``. For::

    k = 0
    while k < n:
        k += 1
    return k

the IR prints as::

    k_1 = while carried (k_2 = 0):
      header:
        t_3 = lt(k_2, n)
        yield t_3
      body:
        k_4 = add(k_2, 1)
        yield k_4
    return k_1
"""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final

from s2sad.ir.types import UNKNOWN, Type


@dataclass(frozen=True, slots=True)
class Span:
    """Where a node stands in the user's file: lines from 1, columns from 0, as in `ast`."""

    filename: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Value:
    """One SSA value. `name` is the user's variable, or a proposal for a temporary (``""``: none).

    A `temporary` may be folded into the expression that uses it; a user variable keeps a statement of its own.
    """

    name: str
    type: Type
    temporary: bool

    def __init__(self, name: str, type: Type = UNKNOWN, temporary: bool = False) -> None:
        _set_name(self, name)
        _set_type(self, type)
        _set_temporary(self, temporary)

    def __repr__(self) -> str:
        return f"<{self.name or 'temporary'}: {self.type}>"


# Values, constants and calls are made by the ten thousand. The `__init__` that `dataclass` writes for a frozen class sets each
# field through `object.__setattr__`, which looks it up by name; setting the slots themselves takes half the time.
_set_name, _set_type, _set_temporary = (vars(Value)[field].__set__ for field in ("name", "type", "temporary"))


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Constant:
    """An operand known when the code is generated: a literal, or an object that a name was resolved to."""

    value: object

    def __init__(self, value: object) -> None:
        _set_value(self, value)

    def __repr__(self) -> str:
        return f"Constant({self.value!r})"


_set_value = vars(Constant)["value"].__set__

type_of_unbound = type("Unbound", (), {"__repr__": lambda self: "unbound"})
#: The value of a variable that no path has bound so far.
UNBOUND: Final = Constant(type_of_unbound())

Operand = Value | Constant


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Call:
    """``result = function(*arguments, **keywords)``. `function` is a `Constant` holding an operation of
    :mod:`s2sad.ir.operations`, a function of `operator`, `math`, …, a `Callee`, or a `Value`.

    An `exact` call belongs to the primal: its result must be bitwise what Python computes. Adjoint code is not exact, and may
    be rearranged as algebra allows."""

    result: Value
    function: Operand
    arguments: tuple[Operand, ...]
    keywords: tuple[tuple[str, Operand], ...]
    span: Span | None
    exact: bool

    def __init__(
        self,
        result: Value,
        function: Operand,
        arguments: tuple[Operand, ...],
        keywords: tuple[tuple[str, Operand], ...] = (),
        span: Span | None = None,
        exact: bool = True,
    ) -> None:
        _set_result(self, result)
        _set_function(self, function)
        _set_arguments(self, arguments)
        _set_keywords(self, keywords)
        _set_span(self, span)
        _set_exact(self, exact)


_set_result, _set_function, _set_arguments = (vars(Call)[field].__set__ for field in ("result", "function", "arguments"))
_set_keywords, _set_span, _set_exact = (vars(Call)[field].__set__ for field in ("keywords", "span", "exact"))


@dataclass(frozen=True, slots=True, eq=False)
class MakeFunction:
    """``result = `` a nested function. `captured` stands in the order of ``definition.captured``; `defaults` in the
    order of the parameters that have one."""

    result: Value
    definition: Function
    captured: tuple[Operand, ...]
    defaults: tuple[Operand, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """``results = then's values if condition else orelse's values``; an arm may end with `Raise` instead."""

    condition: Operand
    then: Block
    orelse: Block
    results: tuple[Value, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A value that goes round a loop."""

    initial: Operand
    parameter: Value
    result: Value


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """``for target in iterable``; the target is visible in the body."""

    target: Value
    iterable: Operand
    carried: tuple[Carried, ...]
    body: Block
    span: Span | None = None

    @property
    def results(self) -> tuple[Value, ...]:
        return tuple(item.result for item in self.carried)


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while condition``: `header` yields the condition as its one value. `Break` in the body leaves; ``else`` clauses do
    not exist here, a carried flag stands for them."""

    header: Block
    carried: tuple[Carried, ...]
    body: Block
    span: Span | None = None

    @property
    def results(self) -> tuple[Value, ...]:
        return tuple(item.result for item in self.carried)


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """``except exception as name``; `exception` is None for a bare ``except``."""

    exception: Operand | None
    name: Value | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """The body's values, or those of the handler that was taken. ``else`` and ``finally`` are lowered to plain code."""

    body: Block
    handlers: tuple[Handler, ...]
    results: tuple[Value, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class With:
    """``with context as name``; one context a node."""

    context: Operand
    name: Value | None
    body: Block
    results: tuple[Value, ...] = ()
    span: Span | None = None


Operation = Call | MakeFunction | If | For | While | Try | With


@dataclass(frozen=True, slots=True, eq=False)
class Yield:
    """The block ends, with these values."""

    values: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """The innermost loop ends, with these values as its results."""

    values: tuple[Operand, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """The function ends."""

    value: Operand
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    """``raise exception from cause``; `exception` is None for a bare ``raise``."""

    exception: Operand | None
    cause: Operand | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """The block ends as one of two trees ends."""

    condition: Operand
    then: Block
    orelse: Block
    span: Span | None = None


Terminator = Yield | Break | Return | Raise | Branch


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Operations in order, and how the block ends."""

    operations: tuple[Operation, ...]
    terminator: Terminator


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter as `inspect` sees it. Generated functions have plain positional ones only; `default` is a literal to show in
    their text."""

    value: Value
    kind: inspect._ParameterKind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    has_default: bool = False
    default: Constant | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function. `captured` are the values that a nested function takes from its surroundings."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    captured: tuple[Value, ...] = ()
    span: Span | None = None
    docstring: str | None = None


def function_of(call: Call) -> object:
    """The object that is called, None when it is not known."""
    function = call.function
    return function.value if isinstance(function, Constant) else None


def is_one_of(function: object, known: Container[object]) -> bool:
    """Membership that bears with objects that cannot be hashed."""
    try:
        return function in known
    except TypeError:
        return False


def arguments_of(call: Call) -> tuple[Operand, ...]:
    """What a call is given, by position and by keyword."""
    if not call.keywords:  # most calls
        return call.arguments
    return (*call.arguments, *[operand for _, operand in call.keywords])


def operands_of(node: Operation | Terminator) -> tuple[Operand, ...]:
    """The operands that a node itself reads; not those of the blocks inside it."""
    if isinstance(node, Call):  # most nodes
        if not node.keywords:
            return (node.function, *node.arguments)
        return (node.function, *arguments_of(node))
    match node:
        case MakeFunction():
            return (*node.captured, *node.defaults)
        case If() | Branch():
            return (node.condition,)
        case For():
            return (node.iterable, *[item.initial for item in node.carried])
        case While():
            return tuple([item.initial for item in node.carried])
        case Try():
            return tuple(handler.exception for handler in node.handlers if handler.exception is not None)
        case With():
            return (node.context,)
        case Yield() | Break():
            return node.values
        case Return():
            return (node.value,)
        case Raise():
            return tuple(operand for operand in (node.exception, node.cause) if operand is not None)


def results_of(node: Operation) -> tuple[Value, ...]:
    """The values that a node defines for the rest of its block."""
    if isinstance(node, (Call, MakeFunction)):
        return (node.result,)
    return node.results


def blocks_of(node: Operation | Terminator) -> tuple[Block, ...]:
    """The blocks directly inside a node, in source order."""
    if isinstance(node, (Call, Yield)):  # most nodes
        return ()
    match node:
        case If() | Branch():
            return (node.then, node.orelse)
        case For():
            return (node.body,)
        case While():
            return (node.header, node.body)
        case Try():
            return (node.body, *(handler.body for handler in node.handlers))
        case With():
            return (node.body,)
        case _:
            return ()


def parameters_of(node: Operation) -> tuple[Value, ...]:
    """The values that a node defines inside its blocks only."""
    if isinstance(node, Call):  # most nodes
        return ()
    match node:
        case For():
            return (node.target, *[item.parameter for item in node.carried])
        case While():
            return tuple([item.parameter for item in node.carried])
        case Try():
            return tuple(handler.name for handler in node.handlers if handler.name is not None)
        case With() if node.name is not None:
            return (node.name,)
        case _:
            return ()


def walk(block: Block) -> Iterator[Operation | Terminator]:
    """Every node of a block and of the blocks inside it, in source order; nested functions are not entered."""
    for operation in block.operations:
        yield operation
        if not isinstance(operation, Call):
            for inner in blocks_of(operation):
                yield from walk(inner)
    yield block.terminator
    for inner in blocks_of(block.terminator):
        yield from walk(inner)


def leaves_of_block(block: Block) -> list[Terminator]:
    """The ways in which a block may end."""
    if isinstance(block.terminator, Branch):
        return [*leaves_of_block(block.terminator.then), *leaves_of_block(block.terminator.orelse)]
    return [block.terminator]


def operands_inside(operation: Operation) -> set[Value]:
    """The values that an operation reads, with those that the operations inside it read."""
    nodes = [operation, *(node for block in blocks_of(operation) for node in walk(block))]
    return {operand for node in nodes for operand in operands_of(node) if isinstance(operand, Value)}
