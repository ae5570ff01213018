"""Names for what a call computes: ``z / 2`` is `half_z`, ``x > limit`` is `x_above_limit`, ``x_bar[i]`` is `x_i_bar`."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from s2sad.analysis.shadow_types import MAKERS_OF_ZEROS
from s2sad.ir import operations
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, If, MakeFunction, Operand, Value, Yield, function_of

_LONGEST = 22
_LONGEST_OF_BARS = 18
_MOST_PARTS = 5
#: How many calls deep a name looks.
_DEEPEST = 4
_COMPARED: Final = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.is_, operator.is_not)
_NUMBERS: Final[dict[object, str]] = {0.5: "half", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 10: "ten", -1: "minus"}
_ORDINARY: Final[dict[object, str]] = {
    operator.add: "total",
    operator.iadd: "total",
    operator.sub: "difference",
    operator.isub: "difference",
    operator.mul: "product",
    operator.imul: "product",
    operator.truediv: "ratio",
    operator.itruediv: "ratio",
    operator.floordiv: "quotient",
    operator.mod: "remainder",
    operator.pow: "power",
    operator.getitem: "element",
    operator.neg: "negated",
    operator.not_: "condition",
    operator.contains: "condition",
    operations.make_tuple: "pair",
    operations.make_list: "items",
    operations.make_dict: "table",
    operations.make_set: "group",
    operations.make_cell: "cell",
    operations.unpack: "parts",
    slice: "part",
    **dict.fromkeys(_COMPARED, "condition"),
}
_BETWEEN: Final[dict[object, str]] = {
    operator.add: "plus",
    operator.sub: "minus",
    operator.mul: "times",
    operator.truediv: "over",
    operator.pow: "to",
    operator.lt: "below",
    operator.le: "at_most",
    operator.gt: "above",
    operator.ge: "at_least",
    operator.eq: "is",
    operator.ne: "is_not",
    operator.is_: "is",
    operator.is_not: "is_not",
    operator.mod: "modulo",
}


@dataclass(frozen=True, slots=True)
class Phrases:
    """Describes the values of one function; `known` is what an operand is called already, or ""."""

    definitions: Mapping[Value, Call | MakeFunction]
    known: Callable[[Value], str]

    def name(self, node: Call) -> str:
        """A name for the result of a call."""
        node = _as_printed(node)
        return self.describe(node) or self._short(node) or _ordinary(node)

    def bar(self, value: Value) -> str:
        """A name for the adjoint of a value that has no name: `half_z_bar`, `product_bar`, `tanh_bar`; "" for none."""
        node = self.definitions.get(value)
        if not isinstance(node, Call) or not isinstance(node.function, Constant):
            return ""
        node = _as_printed(node)
        function = node.function.value  # type: ignore[union-attr]
        said = self.describe(node)
        if isinstance(function, Callee):
            own = _name_of_primal(function) or "result"
            return f"{said or own}_bar"
        if not said or len(said) > _LONGEST_OF_BARS:
            own = _own_name(node)
            said = "sum" if function is operator.add else _ordinary(node) if function in _ORDINARY else own
        return f"{said}_bar" if said.isidentifier() and not said.startswith("_") else ""

    def word_at_least(self, operand: Operand) -> str:
        """What an operand is called, or would be."""
        node = self.definitions.get(operand) if isinstance(operand, Value) else None
        return self.word(operand) or (self.name(node) if isinstance(node, Call) else "")

    def describe(self, node: Call, depth: int = _DEEPEST) -> str:
        """A name that says all that a call computes, or "" where that would be long."""
        phrase = self._phrase(_as_printed(node), depth) if depth else ""
        return phrase if 0 < len(phrase) <= _LONGEST and phrase.count("_") < _MOST_PARTS else ""

    def of_conditional(self, node: If) -> str:
        """``1.0 if x > 0 else …`` is the derivative of something at a kink: a sign, or the share that an operand has in it."""
        condition = self.definitions.get(node.condition) if isinstance(node.condition, Value) else None
        about = self.word(condition.arguments[0]) if isinstance(condition, Call) and condition.arguments else ""
        yielded = [_constant_of(block) for block in (node.then, node.orelse)]
        if None in yielded:
            return ""
        if not about or len(f"share_{about}") > _LONGEST:
            return "share"
        return f"sign_{about}" if isinstance(condition, Call) and _is_against_zero(condition) else f"share_{about}"

    def word(self, operand: Operand, depth: int = _DEEPEST) -> str:
        """What an operand is called, or ""."""
        if isinstance(operand, Constant):
            value = operand.value
            return _NUMBERS.get(value, "") if isinstance(value, (int, float)) else ""
        if known := self.known(operand):
            return known
        if operand.name:
            return operand.name
        node = self.definitions.get(operand)
        return self.describe(node, depth - 1) if isinstance(node, Call) else ""

    def _short(self, node: Call) -> str:
        """A name that says only the most important thing."""
        if not isinstance(node.function, Constant):
            return ""
        function = node.function.value
        words = [word for operand in node.arguments if isinstance(operand, Value) and (word := self.word(operand))]
        bars = [word for word in words if word.endswith("_bar")]
        chosen = (bars or words or [""])[0]
        if function is operator.mul and chosen and len(chosen) < _LONGEST - 7:
            return f"scaled_{chosen.removeprefix('scaled_')}"
        if isinstance(function, Callee):
            return f"{_name_of_primal(function)}_result" if _name_of_primal(function) else "result"
        if function is operator.getitem and (given := self._result_of(*node.arguments)):
            return given
        own = getattr(function, "__name__", "")
        is_plain = isinstance(own, str) and own.isidentifier() and not hasattr(operator, own) and not hasattr(operations, own)
        return own if is_plain and not hasattr(builtins, own) else ""

    def _phrase(self, node: Call, depth: int) -> str:
        if not isinstance(node.function, Constant):
            return ""
        function = node.function.value
        words = [self.word(operand, depth) for operand in node.arguments]
        first, second = [*words, "", ""][:2]
        if function is operator.getitem and not first:
            first = self._unpacked(node.arguments[0], depth)
        match node.arguments:
            case (_, Constant(value), *_) if first and (phrase := _with_literal(function, first, value)):
                return phrase
            case (left, right) if function is operator.mul and self._is_zero(left):
                return f"{shadowed}_bar" if (shadowed := self._length_of(right)) and not node.exact else "zeros"
            case (left, right) if function is operator.mul and first and second:
                return _product(first, second, left, right)
        if function is operator.getitem and first and self._is_slice(node.arguments[1]):
            return f"{first[:-4]}_part_bar" if first.endswith("_bar") else f"{first}_part"
        if function in MAKERS_OF_ZEROS and first:
            return f"{first}_bar"
        if function is operator.getitem and first and second:
            return f"{first[:-4]}_{second}_bar" if first.endswith("_bar") else f"{first}_{second}"
        if function is operator.add and first == second and first.endswith("_bar"):
            return first  # two contributions to one adjoint
        if function in _BETWEEN and first and second:
            return f"{first}_{_BETWEEN[function]}_{second}"
        if function is operator.neg and first:
            return f"minus_{first}"
        if function is operator.not_ and first:
            return f"not_{first}"
        if function in (operations.load_global, operations.load_captured) and isinstance(node.arguments[0], Constant):
            return f"{node.arguments[0].value}_value"
        if isinstance(function, Callee):
            return self._of_arguments(_name_of_primal(function), words, node.arguments)
        own = _own_name(node)
        if function in _ORDINARY or not own or not str(own).isidentifier():
            return ""
        said = [word for word, operand in zip(words, node.arguments, strict=True) if isinstance(operand, Value)]
        if said and all(said) and function is not operations.call_method:
            return "_".join([own, *said])
        return str(own) if not hasattr(builtins, own) else ""

    def _of_arguments(self, own: str, words: Sequence[str], arguments: Sequence[Operand]) -> str:
        """`power_x_n_minus_one`; where that is long, of what is computed for the call alone: `power_n_minus_one`."""
        given = [(word, operand) for word, operand in zip(words, arguments, strict=True) if _is_of_numbers(operand)]
        if not own or not given or not all(word for word, _ in given):
            return ""
        short = [word for word, operand in given if isinstance(operand, Value) and operand.temporary]
        choices = ["_".join([own, *named]) for named in ([word for word, _ in given], short) if 0 < len(named) <= 2]
        return next((choice for choice in choices if len(choice) <= _LONGEST), "")

    def _unpacked(self, parts: Operand, depth: int) -> str:
        """What is said of what has been unpacked into these parts."""
        made = self.definitions.get(parts) if isinstance(parts, Value) else None
        return self.word(made.arguments[0], depth) if isinstance(made, Call) and function_of(made) is operations.unpack else ""

    def _result_of(self, whole: Operand, key: Operand) -> str:
        """`step_result` for the first of what a forward half gives."""
        made = self.definitions.get(whole) if isinstance(whole, Value) else None
        if isinstance(made, Call) and isinstance(made.function, Constant) and made.function.value is operations.unpack:
            return self._result_of(made.arguments[0], key)
        match made:
            case Call(_, Constant(Callee(name=name) as callee)) if name.endswith("_forward"):
                return f"{_name_of_primal(callee)}_result" if isinstance(key, Constant) and key.value == 0 else ""
        return ""

    def _is_slice(self, operand: Operand) -> bool:
        node = self.definitions.get(operand) if isinstance(operand, Value) else None
        return isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value is slice

    def _is_zero(self, operand: Operand) -> bool:
        """Whether an operand is ``[0.0]``."""
        match self.definitions.get(operand) if isinstance(operand, Value) else None:
            case Call(_, Constant(operations.make_list), (Constant(0.0),)):
                return True
        return False

    def _length_of(self, operand: Operand) -> str:
        """Of what an operand is the length, if the program has no name for that."""
        match self.definitions.get(operand) if isinstance(operand, Value) else None:
            case Call(Value(name=""), Constant(function), (whole,)) if function is len:
                return self.word(whole)
        return ""


def _as_printed(node: Call) -> Call:
    """A call without the mark that it has while a function is reversed."""
    if not isinstance(node.function, Constant) or node.function.value is not operations.modelled:
        return node
    return replace(node, function=node.arguments[0], arguments=node.arguments[1:-1])


def _name_of_primal(callee: Callee) -> str:
    """The name of a function, also where its forward half is called."""
    name = callee.name.removesuffix("_forward")
    return name if name.isidentifier() else ""


def _is_of_numbers(operand: Operand) -> bool:
    """Whether an operand is what a call is about: not a literal, and no stack."""
    return isinstance(operand, Value) and not operand.name.endswith("kept")


def _product(first: str, second: str, left: Operand, right: Operand) -> str:
    if left is right:
        return f"{first}_squared"
    if isinstance(right, Constant):
        first, second = second, first
    return f"{first}_{second}" if isinstance(left, Constant) or isinstance(right, Constant) else f"{first}_times_{second}"


def _with_literal(function: object, first: str, value: object) -> str:
    """A phrase for an operation whose second operand is a literal."""
    number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    if function is operator.truediv and number == 2:
        return f"half_{first}"
    if function is operator.pow and number in (2, 3):
        return f"{first}_squared" if number == 2 else f"{first}_cubed"
    if function is operator.getitem:
        place = "last" if number == -1 else str(value) if type(value) is int and value >= 0 else value
        if not isinstance(place, str) or not f"x{place}".isidentifier():
            return ""
        return f"{first[:-4]}_{place}_bar" if first.endswith("_bar") else f"{first}_{place}"
    if function in _COMPARED and (type(value) is str or type(value) is int) and f"x{value}".isidentifier():
        return f"{first}_{_BETWEEN[function]}_{value}"
    if function is getattr:
        return f"{value}_bar" if first.endswith("_bar") else str(value)
    if function is operations.call_method and value == "pop":
        if saved := base_of_saved(first):
            return f"saved_{saved}" if len(f"saved_{saved}") <= _LONGEST else saved
        return f"{first[:-4]}_last_bar" if first.endswith("_bar") else f"{first}_last"
    if function is operations.call_method:
        return f"{value}_{first}" if first not in _NUMBERS.values() else str(value)
    return ""


def _own_name(node: Call) -> str:
    """What the function of a call is called, or the method."""
    assert isinstance(node.function, Constant)
    if node.function.value is operations.call_method:
        name = node.arguments[1]
        return str(name.value) if isinstance(name, Constant) else ""
    return str(getattr(node.function.value, "__name__", ""))


def base_of_saved(text: str) -> str:
    """`x_i` for the list `x_i_saved` or `x_i_saved_2`."""
    base, mark, number = text.rpartition("_saved")
    return base if mark and (not number or number[1:].isdigit()) else ""


def _constant_of(block: Block) -> float | None:
    """The number that an arm gives; of an arm with a further decision, the first."""
    match block:
        case Block((), Yield((Constant(int() | float() as value),))):
            return value
        case Block((*_, If(_, then, orelse)), Yield()):
            first, second = _constant_of(then), _constant_of(orelse)
            return first if second is not None else None
        case _:
            return None


def _is_against_zero(condition: Call) -> bool:
    return len(condition.arguments) == 2 and isinstance(condition.arguments[1], Constant) and condition.arguments[1].value == 0


def _ordinary(node: Call) -> str:
    function = node.function.value if isinstance(node.function, Constant) else None
    if function is operations.make_tuple and len(node.arguments) != 2:
        return "parts"
    if function is operations.make_dict and not node.exact:
        return "table_bar"  # of zeros: adjoint code makes no others
    try:
        return _ORDINARY.get(function, "result")
    except TypeError:
        return "result"
