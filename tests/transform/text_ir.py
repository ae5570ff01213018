"""A text form of IR for tests of passes: `parse` it, run a pass, and compare what `show` prints.

    function f(x: float, n: int):
      t = mul(x, 2.0)
      u ~= add(t, x)
      r, q = if c:
        yield t, 1
      else:
        yield x, 2
      k = while (k_1 = 0):
        header:
          yield lt(k_1, n)
        body:
          k_2 = add(k_1, 1)
          yield k_2
      s = for i in range(n) (s_1 = x):
        ...
      branch c:
        return r
      else:
        return s

A call may stand as an operand; ``~=`` makes an inexact call. Types follow from those of the
parameters, as far as arithmetic goes.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
import re
from textwrap import dedent
from typing import Any

import numpy as np

from s2sad.ir import operations
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    Handler,
    If,
    Operand,
    Operation,
    Parameter,
    Raise,
    Return,
    Try,
    Value,
    While,
    Yield,
)
from s2sad.ir.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    ArrayType,
    Extent,
    ListType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
)
from s2sad.runtime import Shadow

TYPES: dict[str, Type] = {"float": FLOAT, "int": INT, "bool": BOOL, "list": ListType(FLOAT, 1), "any": UNKNOWN}
TYPES |= {"shadow": ObjectType(Shadow, 2), "none": NONE}
#: Arrays: `vec`, `vec2` and `vec3` of one length, in three; `inner` lacks two of the elements; `single` has another dtype.
TYPES |= {
    "vec": ArrayType("float64", (Extent("n"),), 1),
    "vec2": ArrayType("float64", (Extent("n"),), 2),
    "vec3": ArrayType("float64", (Extent("n"),), 4),
    "inner": ArrayType("float64", (Extent("n", 2),), 1),
    "inner2": ArrayType("float64", (Extent("n", 2),), 2),
    "short": ArrayType("float64", (Extent("n", 1),), 1),
    "single": ArrayType("float32", (Extent("n"),), 3),
    "mat": ArrayType("float64", (Extent("m"), Extent("n")), 4),
    "row": ArrayType("float64", (1, Extent("n")), 5),
    "vague": ArrayType("float64", (None,), 6),
    "vecs": ListType(ArrayType("float64", (Extent("n"),), 7), 8),
    "float64": ScalarType("float", "float64"),
    "slice": OpaqueType(slice),
    "pair": TupleType((INT, INT)),
    "none": NONE,
}
COMPARISONS = {
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
    operator.not_,
    isinstance,
    operator.is_,
}
ARITHMETIC = {operator.add, operator.sub, operator.mul, operator.neg, operator.pow, abs, operator.mod}
AUGMENTED = {operator.iadd, operator.isub, operator.imul, operator.itruediv}
ORDER = ["bool", "int", "float", "complex"]


def infer(function: object, arguments: tuple[Operand, ...]) -> Type:
    kinds = [kind_of(operand) for operand in arguments]
    if function in COMPARISONS:
        return BOOL
    if function is builtins.slice:
        return OpaqueType(slice)
    if function in (np.sum, np.vdot):
        return TYPES["float64"]
    arrays = [kind for kind in kinds if isinstance(kind, ArrayType)]
    if arrays and (function in ARITHMETIC or function in AUGMENTED or function is operator.truediv):
        return arrays[0]
    if function is operations.make_list and kinds and all(kind == FLOAT for kind in kinds):
        return ListType(FLOAT)
    if function is operator.mul and isinstance(kinds[0], ListType):
        return kinds[0]
    if function is operator.getitem and isinstance(arguments[0], Value) and isinstance(arguments[0].type, ListType):
        return arguments[0].type.element
    if not all(isinstance(kind, ScalarType) for kind in kinds):
        return UNKNOWN
    if function in ARITHMETIC:
        return ScalarType(max((kind.kind for kind in kinds), key=ORDER.index))
    return FLOAT if function is operator.truediv or function in vars(math).values() else UNKNOWN


def kind_of(operand: Operand) -> Type:
    if isinstance(operand, Value):
        return operand.type
    return {bool: BOOL, int: INT, float: FLOAT}.get(type(operand.value), UNKNOWN)


def find_function(name: str) -> object:
    for module in (operations, operator, builtins, math):
        if hasattr(module, name):
            return getattr(module, name)
    raise LookupError(name)


class Parser:
    def __init__(self, text: str, names: dict[str, object]) -> None:
        self.lines = [line.split("#")[0].rstrip() for line in dedent(text).splitlines() if line.strip()]
        self.at = 0
        self.values: dict[str, Value] = {}
        self.names = names

    def function(self) -> Function:
        match = re.fullmatch(r"function (\w+)\((.*)\):", self.lines[self.at])
        assert match, self.lines[self.at]
        self.at += 1
        parameters = []
        for part in filter(None, match[2].split(", ")):
            name, _, kind = part.partition(": ")
            parameters.append(Parameter(self.define(name, TYPES[kind or "any"])))
        return Function(match[1], tuple(parameters), self.block(2))

    def define(self, name: str, kind: Type = UNKNOWN) -> Value:
        name, _, given = name.partition(": ")
        assert name not in self.values, f"{name} is defined twice"
        self.values[name] = Value(name, TYPES[given] if given else kind)
        return self.values[name]

    def peek(self, indent: int) -> str | None:
        if self.at == len(self.lines):
            return None
        line = self.lines[self.at]
        depth = len(line) - len(line.lstrip())
        return line.strip() if depth == indent else None

    def take(self, indent: int, expected: str) -> None:
        assert self.peek(indent) == expected, (expected, self.lines[self.at])
        self.at += 1

    def block(self, indent: int) -> Block:
        operations: list[Operation] = []
        while True:
            line = self.peek(indent)
            assert line is not None, f"a block ends without terminator before line {self.at}: {self.lines[self.at - 1]}"
            self.at += 1
            head, _, rest = line.partition(" ")
            match head:
                case "yield":
                    values = self.operands(rest, operations)
                    return Block(tuple(operations), Yield(values))
                case "break":
                    values = self.operands(rest, operations)
                    return Block(tuple(operations), Break(values))
                case "return":
                    value = self.operands(rest, operations)[0]
                    return Block(tuple(operations), Return(value))
                case "raise":
                    value = self.operands(rest, operations)[0]
                    return Block(tuple(operations), Raise(value))
                case "branch":
                    condition = self.operands(rest.removesuffix(":"), operations)[0]
                    then = self.block(indent + 2)
                    self.take(indent, "else:")
                    return Block(tuple(operations), Branch(condition, then, self.block(indent + 2)))
            self.operation(line, indent, operations)

    def operation(self, line: str, indent: int, into: list[Operation]) -> None:
        targets, exact, right = "", True, line
        if match := re.match(r"([\w, :]+?) (~?=) (.*)", line):
            targets, exact, right = match[1], match[2] == "=", match[3]
        if right.startswith("if "):
            condition = self.operands(right[3:-1], into)[0]
            then = self.block(indent + 2)
            self.take(indent, "else:")
            orelse = self.block(indent + 2)
            kinds = [list(map(kind_of, arm.terminator.values)) for arm in (then, orelse) if isinstance(arm.terminator, Yield)]
            names = split(targets)
            results = tuple(self.define(name, kinds[0][i] if kinds else UNKNOWN) for i, name in enumerate(names))
            into.append(If(condition, then, orelse, results))
        elif match := re.fullmatch(r"(while|for (\w+) in (.*?)) \((.*)\):", right):
            iterable = self.operands(match[3], into)[0] if match[3] else None
            pairs = [part.split(" = ") for part in split(match[4])]
            initial = [self.operands(right, into)[0] for _, right in pairs]
            parameters = [self.define(name, kind_of(value)) for (name, _), value in zip(pairs, initial, strict=True)]
            if match[2]:
                target = self.define(match[2], INT)
                body = self.block(indent + 2)
            else:
                self.take(indent + 2, "header:")
                header = self.block(indent + 4)
                self.take(indent + 2, "body:")
                body = self.block(indent + 4)
            results = [self.define(name, kind_of(value)) for name, value in zip(split(targets), initial, strict=True)]
            carried = tuple(map(Carried, initial, parameters, results))
            into.append(For(target, iterable, carried, body) if iterable is not None else While(header, carried, body))
        elif right == "try:":
            body = self.block(indent + 2)
            self.take(indent, "except:")
            handler = Handler(Constant(Exception), None, self.block(indent + 2))
            into.append(Try(body, (handler,), tuple(self.define(name) for name in split(targets))))
        else:
            tree = ast.parse(right, mode="eval").body
            assert isinstance(tree, ast.Call), right
            self.call(tree, into, targets or None, exact)

    def operands(self, text: str, into: list[Operation]) -> tuple[Operand, ...]:
        if not text:
            return ()
        tree = ast.parse(f"({text},)", mode="eval").body
        assert isinstance(tree, ast.Tuple)
        return tuple(self.operand(element, into) for element in tree.elts)

    def operand(self, tree: ast.expr, into: list[Operation]) -> Operand:
        match tree:
            case ast.Name(name) if name in self.values:
                return self.values[name]
            case ast.Attribute(ast.Name("np"), name):
                return Constant(getattr(np, name))
            case ast.Name(name):
                return Constant(self.names[name] if name in self.names else find_function(name))
            case ast.Call():
                return self.call(tree, into, None, True)
            case _:
                return Constant(ast.literal_eval(tree))

    def call(self, tree: ast.Call, into: list[Operation], target: str | None, exact: bool) -> Value:
        function = self.operand(tree.func, into)
        arguments = tuple(self.operand(argument, into) for argument in tree.args)
        kind = infer(function.value, arguments) if isinstance(function, Constant) else UNKNOWN
        if target is None:
            result = Value("", kind, temporary=True)
        else:
            result = self.define(target, kind)
        keywords = tuple((str(keyword.arg), self.operand(keyword.value, into)) for keyword in tree.keywords)
        into.append(Call(result, function, arguments, keywords, exact=exact))
        return result


def split(text: str) -> list[str]:
    """At the commas outside of parentheses."""
    return [part.strip() for part in re.split(r",\s*(?![^()]*\))", text) if part.strip()]


def parse(text: str, **names: object) -> Function:
    return Parser(text, names).function()


class Shower:
    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.taken: set[str] = set()

    def name(self, value: Value) -> str:
        if value not in self.names:
            base = value.name or "t"
            name, number = base, 1
            while name in self.taken:
                number += 1
                name = f"{base}_{number}"
            self.taken.add(name)
            self.names[value] = name
        return self.names[value]

    def operand(self, operand: Operand) -> str:
        if isinstance(operand, Value):
            return self.name(operand)
        return getattr(operand.value, "__name__", None) or repr(operand.value)

    def list(self, operands: Any) -> str:
        return ", ".join(map(self.operand, operands))

    def block(self, block: Block, indent: int) -> list[str]:
        pad = " " * indent
        lines = []
        for operation in block.operations:
            lines += self.operation(operation, indent)
        match block.terminator:
            case Yield(values):
                lines.append(f"{pad}yield {self.list(values)}".rstrip())
            case Break(values):
                lines.append(f"{pad}break {self.list(values)}".rstrip())
            case Return(value):
                lines.append(f"{pad}return {self.operand(value)}")
            case Raise(exception):
                lines.append(f"{pad}raise {self.list(filter(None, [exception]))}".rstrip())
            case Branch(condition, then, orelse):
                lines.append(f"{pad}branch {self.operand(condition)}:")
                lines += [*self.block(then, indent + 2), f"{pad}else:", *self.block(orelse, indent + 2)]
        return lines

    def operation(self, node: Operation, indent: int) -> list[str]:
        pad = " " * indent
        match node:
            case Call(result, function, arguments, keywords, _, exact):
                named = [f"{name}={self.operand(value)}" for name, value in keywords]
                right = f"{self.operand(function)}({', '.join([*map(self.operand, arguments), *named])})"
                return [f"{pad}{self.name(result)} {'=' if exact else '~='} {right}"]
            case If(condition, then, orelse, results):
                left = f"{self.list(results)} = " if results else ""
                head = f"{pad}{left}if {self.operand(condition)}:"
                return [head, *self.block(then, indent + 2), f"{pad}else:", *self.block(orelse, indent + 2)]
            case For(target, iterable, carried, body):
                head = f"for {self.name(target)} in {self.operand(iterable)}"
                return [f"{pad}{self.loop(head, carried)}", *self.block(body, indent + 2)]
            case While(header, carried, body):
                lines = [f"{pad}{self.loop('while', carried)}", f"{pad}  header:", *self.block(header, indent + 4)]
                return [*lines, f"{pad}  body:", *self.block(body, indent + 4)]
            case Try(body, (handler,), results):
                left = f"{self.list(results)} = " if results else ""
                return [f"{pad}{left}try:", *self.block(body, indent + 2), f"{pad}except:", *self.block(handler.body, indent + 2)]
            case _:
                return [f"{pad}{node}"]

    def loop(self, head: str, carried: tuple[Carried, ...]) -> str:
        parameters = ", ".join(f"{self.name(c.parameter)} = {self.operand(c.initial)}" for c in carried)
        results = ", ".join(self.name(c.result) for c in carried)
        return f"{results + ' = ' if results else ''}{head} ({parameters}):"


def show(fn: Function) -> str:
    shower = Shower()
    parameters = ", ".join(shower.name(parameter.value) for parameter in fn.parameters)
    return "\n".join([f"function {fn.name}({parameters}):", *shower.block(fn.body, 2)]) + "\n"
