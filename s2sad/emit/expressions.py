"""From one operation to Python syntax: ``Call(operator.getitem, (x, slice(1, n)))`` becomes ``x[1:n]``.

Names are placeholders until everything is known: ``%3`` a variable, ``@2`` an object that is referred to, ``!abs`` a
built-in. `Names` keeps what they stand for.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import math
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from inspect import getattr_static
from types import EllipsisType, FunctionType, ModuleType
from typing import Final

import numpy

from s2sad.analysis.simple_types import INDEX_TRICKS
from s2sad.emit.coalesce import Variable
from s2sad.emit.printer import walk_tree
from s2sad.ir import operations
from s2sad.ir.effects import Callee, Effects
from s2sad.ir.nodes import UNBOUND, Call, Constant, Operand, Value
from s2sad.transform.purity import region_of

BINARY: Final[dict[object, type[ast.operator]]] = {
    operator.add: ast.Add,
    operator.sub: ast.Sub,
    operator.mul: ast.Mult,
    operator.truediv: ast.Div,
    operator.floordiv: ast.FloorDiv,
    operator.mod: ast.Mod,
    operator.pow: ast.Pow,
    operator.matmul: ast.MatMult,
    operator.and_: ast.BitAnd,
    operator.or_: ast.BitOr,
    operator.xor: ast.BitXor,
    operator.lshift: ast.LShift,
    operator.rshift: ast.RShift,
}
INPLACE: Final[dict[object, type[ast.operator]]] = {
    operator.iadd: ast.Add,
    operator.isub: ast.Sub,
    operator.imul: ast.Mult,
    operator.itruediv: ast.Div,
    operator.ifloordiv: ast.FloorDiv,
    operator.imod: ast.Mod,
    operator.ipow: ast.Pow,
    operator.imatmul: ast.MatMult,
    operator.iand: ast.BitAnd,
    operator.ior: ast.BitOr,
    operator.ixor: ast.BitXor,
    operator.ilshift: ast.LShift,
    operator.irshift: ast.RShift,
}
UNARY: Final[dict[object, type[ast.unaryop]]] = {
    operator.neg: ast.USub,
    operator.pos: ast.UAdd,
    operator.invert: ast.Invert,
    operator.not_: ast.Not,
}
COMPARISON: Final[dict[object, type[ast.cmpop]]] = {
    operator.lt: ast.Lt,
    operator.le: ast.LtE,
    operator.gt: ast.Gt,
    operator.ge: ast.GtE,
    operator.eq: ast.Eq,
    operator.ne: ast.NotEq,
    operator.is_: ast.Is,
    operator.is_not: ast.IsNot,
}
_INVERSE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
#: Where functions are looked for that do not say where they live.
_MODULES: Final = ("math", "cmath", "numpy", "numpy.linalg", "operator")


@dataclass(frozen=True, slots=True)
class Atom:
    """One step of an expression that must not change places with some others: its place in the program, what it does; and the
    one container that it reads or changes, if it does nothing else to memory (`is_own`: which has no other name)."""

    place: int
    effects: Effects
    exact: bool
    container: Value | None = None
    is_own: bool = False

    def conflicts(self, other: Atom) -> bool:
        """Whether a program can tell in which order the two happen."""
        mine, theirs = self.effects, other.effects
        if self.is_elsewhere(other):
            is_seen = (mine.writes and self.exact and theirs.raises) or (theirs.writes and other.exact and mine.raises)
            return is_seen or (mine.raises and theirs.raises and self.exact and other.exact)
        # what an exception leaves behind of adjoint code is seen by nobody
        if mine.writes or mine.acts:
            return theirs.reads or theirs.writes or theirs.acts or (theirs.raises and (self.exact or mine.acts))
        if theirs.writes or theirs.acts:
            return mine.reads or (mine.raises and (other.exact or theirs.acts))
        return mine.raises and theirs.raises and self.exact and other.exact

    def is_elsewhere(self, other: Atom) -> bool:
        """Whether the two are about two containers for certain."""
        if self.container is None or other.container is None or self.container is other.container:
            return False
        regions = (region_of(self.container), region_of(other.container))
        return self.is_own or other.is_own or (None not in regions and regions[0] != regions[1])


@dataclass(slots=True, eq=False)
class Expression:
    """Syntax, with what must be known to move it: the steps with effects, in the order of evaluation, and the variables read."""

    node: ast.expr
    atoms: tuple[Atom, ...] = ()
    reads: frozenset[Variable] = frozenset()
    size: int = 8


@dataclass(slots=True, eq=False)
class Names:
    """What placeholders stand for. One serves a function and all functions nested in it."""

    objects: list[object] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    live: set[str] = field(default_factory=set)
    builtins: set[str] = field(default_factory=set)
    _objects: dict[int, str] = field(default_factory=dict)
    _variables: dict[Variable, str] = field(default_factory=dict)

    def variable(self, variable: Variable) -> str:
        known = self._variables.get(variable)
        if known is None:
            known = self._variables[variable] = f"%{len(self.variables)}"
            self.variables.append(variable)
        return known

    def reference(self, value: object) -> ast.expr:
        if id(value) not in self._objects:
            self._objects[id(value)] = f"@{len(self.objects)}"
            self.objects.append(value)
        return name(self._objects[id(value)])

    def builtin(self, text: str) -> ast.expr:
        self.builtins.add(text)
        return name(f"!{text}")

    def global_name(self, text: str) -> ast.expr:
        self.live.add(text)
        return name(text)

    def constant(self, value: object) -> ast.expr:
        """A literal, or a reference."""
        if type(value) is float or type(value) is int:  # most constants
            return self._number(value)
        if value is UNBOUND.value:
            return ast.Constant(None)
        match value:
            case bool() | None | EllipsisType() | str() | bytes() if value is None or type(value) in _LITERALS:
                return ast.Constant(value)
            case complex() if type(value) is complex and str(value.real) == "0.0" and 0 < value.imag < math.inf:
                return ast.Constant(value)
            case complex() if type(value) is complex:
                parts = [self._number(value.real), self._number(value.imag)]
                return call(self.builtin("complex"), parts)
            case tuple() if type(value) is tuple:
                return ast.Tuple([self.constant(element) for element in value], ast.Load())
            case slice():
                return self.slice([Constant(part) for part in (value.start, value.stop, value.step)])
            case numpy.generic() if type(value).__name__ in _NUMPY_SCALARS:
                return call(ast.Attribute(self.reference(numpy), type(value).__name__, ast.Load()), [self.constant(value.item())])
            case _:
                return self.object(value)

    def _number(self, value: float) -> ast.expr:
        if value != value:
            return ast.Attribute(self.reference(math), "nan", ast.Load())
        if math.copysign(1, value) < 0:
            return ast.UnaryOp(ast.USub(), self._number(-value))
        if isinstance(value, float) and math.isinf(value):
            return ast.Attribute(self.reference(math), "inf", ast.Load())
        return ast.Constant(value)

    def slice(self, parts: Sequence[Operand]) -> ast.expr:
        return call(
            self.builtin("slice"), [self.constant(part.value) for part in _short_slice(parts) if isinstance(part, Constant)]
        )

    def object(self, value: object) -> ast.expr:
        """A built-in by name, ``math.sin``, or a name that refers to the object."""
        own_name = getattr(value, "__name__", None)
        if isinstance(value, ModuleType):
            return self.reference(value)
        if not isinstance(own_name, str):
            trick = next((name for name, one in INDEX_TRICKS.items() if one is value), None)
            return self.reference(value) if trick is None else ast.Attribute(self.reference(numpy), trick, ast.Load())
        if getattr(builtins, own_name, None) is value:
            return self.builtin(own_name)
        owner = getattr(value, "__self__", None)
        if isinstance(owner, numpy.ufunc):  # np.add.at
            return ast.Attribute(self.object(owner), own_name, ast.Load())
        home = home_of(value)
        if home is None:
            return self.reference(value)
        if home == "numpy.linalg":
            return ast.Attribute(ast.Attribute(self.reference(numpy), "linalg", ast.Load()), own_name, ast.Load())
        if home in _MODULES:
            return ast.Attribute(self.reference(sys.modules[home]), own_name, ast.Load())
        return self.reference(value)


_LITERALS: Final = (bool, type(None), EllipsisType, str, bytes)
_NUMPY_SCALARS: Final = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "complex128", "complex64")


def home_of(value: object) -> str | None:
    """The module from which ``value`` can be had under its own name."""
    own_name = getattr(value, "__name__", "")
    own_module = getattr(value, "__module__", None)
    of_c_code = own_module.removeprefix("_") if isinstance(own_module, str) else None  # heapq.heappush is at home in _heapq
    for module in (*_MODULES, of_c_code, own_module):
        if isinstance(module, str) and getattr(sys.modules.get(module), own_name, None) is value:
            return module
    return None


#: One for all names, as `ast.parse` has it.
_LOAD: Final = ast.Load()


def name(text: str) -> ast.Name:
    return ast.Name(text, _LOAD)


def call(function: ast.expr, arguments: Iterable[ast.expr]) -> ast.Call:
    return ast.Call(function, list(arguments), [])


def is_call_of_slice(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "!slice"


def subscript(container: ast.expr, index: ast.expr) -> ast.Subscript:
    """``container[index]``, with slices as slices."""
    if isinstance(index, ast.Tuple) and index.elts:
        index = ast.Tuple([_as_slice(element) for element in index.elts], ast.Load())
    return ast.Subscript(container, _as_slice(index), ast.Load())


def _as_slice(node: ast.expr) -> ast.expr:
    if not is_call_of_slice(node):
        return node
    assert isinstance(node, ast.Call)
    given = node.args if len(node.args) > 1 else [ast.Constant(None), *node.args]
    parts = [None if isinstance(part, ast.Constant) and part.value is None else part for part in given]
    return ast.Slice(*parts)


def negate(node: ast.expr) -> ast.expr:
    """``not node``."""
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Compare(left, [comparison], right) if type(comparison) in _INVERSE:
            return ast.Compare(left, [_INVERSE[type(comparison)]()], right)
        case _:
            return ast.UnaryOp(ast.Not(), node)


def evaluation_order(node: Call) -> list[Operand]:
    """The operands in the order in which the printed syntax evaluates them."""
    function = node.function
    arguments = list(node.arguments)
    if isinstance(function, Constant):
        if function.value is operator.setitem or function.value is setattr:
            arguments = [arguments[-1], *arguments[:-1]]
        elif function.value is operator.contains:
            arguments.reverse()
    return [function, *arguments, *[operand for _, operand in node.keywords]]


def syntax(node: Call, names: Names, operand: Callable[[Operand], ast.expr]) -> ast.expr:
    """The expression for a call; `operand` gives the syntax of operands. Statements (`setitem` …) are not made here."""
    if not isinstance(node.function, Constant):
        return _plain_call(operand(node.function), node, operand)
    function = node.function.value
    arguments = node.arguments
    count = len(arguments)
    if not node.keywords and _is_hashable(function):
        if function in BINARY and count == 2:
            return binary(BINARY[function](), operand(arguments[0]), operand(arguments[1]))
        if function in INPLACE and count == 2:
            return binary(INPLACE[function](), operand(arguments[0]), operand(arguments[1]))
        if function in UNARY and count == 1:
            inner = operand(arguments[0])
            return negate(inner) if function is operator.not_ else ast.UnaryOp(UNARY[function](), inner)
        if function in COMPARISON and count == 2:
            return ast.Compare(operand(arguments[0]), [COMPARISON[function]()], [operand(arguments[1])])
    special = _special(function, node, names, operand)
    if special is not None:
        return special
    if isinstance(function, Callee):
        method = _method(function)
        called = ast.Attribute(names.reference(method[0]), method[1], ast.Load()) if method else names.reference(function)
        return _plain_call(called, node, operand)
    if function is operations.new_object and _makes_its_own(arguments[0]):
        return ast.Call(operand(arguments[0]), [], [])
    if function is operations.set_frozen or function is operations.new_object:
        return _plain_call(ast.Attribute(names.object(object), function.__name__, ast.Load()), node, operand)
    if function is range:
        node = _short_range(node)
    if function is slice:
        node = Call(node.result, node.function, _short_slice(node.arguments), node.keywords)
    return _plain_call(names.object(function), node, operand)


def _makes_its_own(cls: Operand) -> bool:
    """Whether a class has a constructor of its own, as `SimpleNamespace` has, which needs no arguments."""
    return isinstance(cls, Constant) and getattr(cls.value, "__new__", None) is not object.__new__


def _method(callee: Callee) -> tuple[type, str] | None:
    """The class, and the name there, of a method that is called as it is."""
    try:
        function = callee.cell.cell_contents
    except ValueError:  # not there yet: it is generated
        return None
    if not isinstance(function, FunctionType):
        return None
    home, _, own_name = function.__qualname__.rpartition(".")
    cls = function.__globals__.get(home)
    return (cls, own_name) if isinstance(cls, type) and getattr_static(cls, own_name, None) is function else None


def _short_range(node: Call) -> Call:
    """``range(n)`` for ``range(0, n, 1)``."""
    arguments = node.arguments
    if len(arguments) == 3 and _is_integer(arguments[2], 1):
        arguments = arguments[:2]
    if len(arguments) == 2 and _is_integer(arguments[0], 0):
        arguments = arguments[1:]
    return Call(node.result, node.function, arguments, node.keywords)


def _short_slice(parts: Sequence[Operand]) -> tuple[Operand, ...]:
    """``slice(n)`` for ``slice(None, n, None)``, ``slice(1, n)`` for ``slice(1, n, None)``."""

    def is_none(operand: Operand) -> bool:
        return isinstance(operand, Constant) and operand.value is None

    if len(parts) == 3 and is_none(parts[2]):
        parts = parts[:2]
    if len(parts) == 2 and is_none(parts[0]):
        parts = parts[1:]
    return tuple(parts)


def _is_integer(operand: Operand, value: int) -> bool:
    return isinstance(operand, Constant) and type(operand.value) is int and operand.value == value


def binary(symbol: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, symbol, right)


def positive_part(node: ast.expr) -> ast.expr | None:
    """What `node` is the negation of: ``a * b`` for ``-a * b``, where ``x + -a * b`` reads better as ``x - a * b``."""
    match node:
        case ast.UnaryOp(ast.USub(), operand):
            return operand
        case ast.BinOp(left, ast.Mult() | ast.Div() as symbol, right):
            inner = positive_part(left)
            return None if inner is None else ast.BinOp(inner, symbol, right)
        case _:
            return None


def tidy(node: ast.expr) -> ast.expr:
    """``a - b`` for ``a + -b``, ``a + b`` for ``a - -b`` (numbers only: the results are the same to the bit)."""
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() as symbol, right) if (positive := positive_part(right)) is not None:
            return ast.BinOp(left, ast.Sub() if isinstance(symbol, ast.Add) else ast.Add(), positive)
        case _:
            return node


def _special(function: object, node: Call, names: Names, operand: Callable[[Operand], ast.expr]) -> ast.expr | None:
    arguments = node.arguments
    elements = [operand(argument) for argument in arguments] if function in _DISPLAYS else []
    if function is operations.make_tuple:
        return ast.Tuple(elements, ast.Load())
    if function is operations.make_list:
        return ast.List(elements, ast.Load())
    if function is operations.make_set:
        return ast.Set(elements) if elements else call(names.builtin("set"), [])
    if function is operations.make_dict:
        return ast.Dict(list(elements[::2]), elements[1::2])
    if function is operations.make_cell:
        is_bound = not (isinstance(arguments[0], Constant) and arguments[0].value is UNBOUND.value)
        return ast.List([operand(arguments[0]) if is_bound else ast.Constant(None)], ast.Load())
    if function is operations.load_cell:
        return ast.Subscript(operand(arguments[0]), ast.Constant(0), ast.Load())
    if function is operator.getitem:
        return subscript(operand(arguments[0]), operand(arguments[1]))
    if function is operator.contains:
        member = operand(arguments[1])
        return ast.Compare(member, [ast.In()], [operand(arguments[0])])
    if function is operator.truth:
        return call(names.builtin("bool"), [operand(arguments[0])])
    if function in (operations.load_global, operations.load_captured):
        return names.global_name(_text(arguments[0]))
    if function is operations.call_method and _is_identifier(arguments[1]):
        method = ast.Attribute(operand(arguments[0]), _text(arguments[1]), ast.Load())
        return _plain_call(method, Call(node.result, node.function, arguments[2:], node.keywords), operand)
    if function is operations.call_method:
        getter = call(names.builtin("getattr"), [operand(arguments[0]), operand(arguments[1])])
        return _plain_call(getter, Call(node.result, node.function, arguments[2:], node.keywords), operand)
    if function is getattr and len(arguments) == 2 and _is_identifier(arguments[1]):
        return ast.Attribute(operand(arguments[0]), _text(arguments[1]), ast.Load())
    if function is operations.call_unpacked:
        return _unpacked_call(operand(arguments[0]), operand(arguments[1]), operand(arguments[2]))
    return None


_DISPLAYS: Final = (operations.make_tuple, operations.make_list, operations.make_set, operations.make_dict)


def _plain_call(function: ast.expr, node: Call, operand: Callable[[Operand], ast.expr]) -> ast.expr:
    arguments = [operand(argument) for argument in node.arguments]
    return ast.Call(function, arguments, [ast.keyword(key, operand(value)) for key, value in node.keywords])


def _unpacked_call(function: ast.expr, positional: ast.expr, keywords: ast.expr) -> ast.expr:
    arguments: list[ast.expr] = [ast.Starred(positional, ast.Load())]
    if isinstance(positional, (ast.Tuple, ast.List)):
        arguments = positional.elts
    match keywords:
        case ast.Dict(keys, values) if all(isinstance(key, ast.Constant) and _is_name(key.value) for key in keys):
            named = [ast.keyword(getattr(key, "value", None), value) for key, value in zip(keys, values, strict=True)]
        case ast.Constant(None):
            named = []
        case _:
            named = [ast.keyword(None, keywords)]
    return ast.Call(function, arguments, named)


def _is_identifier(operand: Operand) -> bool:
    return isinstance(operand, Constant) and _is_name(operand.value)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value)


def _text(operand: Operand) -> str:
    assert isinstance(operand, Constant)
    return str(operand.value)


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def size_of(node: ast.expr) -> int:
    """About how many characters the printed text has."""
    if isinstance(node, ast.Constant):
        return len(repr(node.value))
    total = 0
    for inner in walk_tree(node):
        match inner:
            case ast.Name(text):
                total += 6 if text[0] in "%@" else len(text)
            case ast.Constant(value):
                total += len(repr(value))
            case ast.Attribute():
                total += 1 + len(inner.attr)
            case ast.BinOp() | ast.Compare() | ast.BoolOp() | ast.UnaryOp():
                total += 3
            case ast.IfExp():
                total += 10
            case ast.expr():
                total += 2
    return total
