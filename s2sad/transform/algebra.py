"""The rules of :mod:`s2sad.transform.simplify_algebra`: from one term over scalars to an equal and plainer one.

>>> from s2sad.ir.nodes import Constant, Value
>>> from s2sad.ir.types import FLOAT
>>> class Nothing:
...     def term(self, operand): return None
...     def is_single(self, operand): return False
...     def is_invariant(self, operand): return False
...     def quotient(self, numerator, denominator, before): return None
>>> x = Value("x", FLOAT)
>>> rewrite_inexact(Term("*", (Constant(-1.0), x)), Nothing())
Term(symbol='neg', operands=(<x: float>,))
>>> rewrite_inexact(Term("*", (x, Constant(1))), Nothing())
<x: float>
>>> rewrite_exact(Term("+", (x, Constant(0.0)))) is None  # -0.0 + 0.0 is 0.0
True
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Final, Protocol

from s2sad.ir.memo import remembered
from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.types import BOOL, COMPLEX, FLOAT, INT, UNKNOWN, ScalarType, Type
from s2sad.transform.purity import function_of, is_number
from s2sad.transform.rewrite import is_same

Number = int | float | complex

_SYMBOLS: Final[dict[object, str]] = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.pow: "**",
    operator.neg: "neg",
    operator.iadd: "+",
    operator.isub: "-",
    operator.imul: "*",
    operator.itruediv: "/",
}
_IN_PLACE: Final = {"+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv}
_PLAIN: Final = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
}
_RANKS: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_OF_CLASS: Final[dict[type, ScalarType]] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
#: A constant that takes more characters than this reads worse than the two that it stands for.
_LONGEST: Final = 7
#: Integers below are floats exactly.
_LARGEST_EXACT: Final = 2**53


@dataclass(slots=True, eq=False)
class Term:
    """An operation on operands and terms."""

    symbol: str
    operands: tuple[Operand | Term, ...]


class Context(Protocol):
    """What the rules ask about operands."""

    def term(self, operand: Operand) -> Term | None: ...
    def is_single(self, operand: Operand) -> bool: ...
    def is_invariant(self, operand: Operand) -> bool: ...
    def quotient(self, numerator: Operand, denominator: Operand, before: Operand) -> Value | None: ...


@remembered()
def symbol_of(call: Call) -> str | None:
    """The symbol of plain arithmetic, None for any other call."""
    if call.keywords or not isinstance(call.function, Constant):
        return None
    try:
        symbol = _SYMBOLS.get(call.function.value)
    except TypeError:  # an object that cannot be hashed
        return None
    return symbol if symbol is None or len(call.arguments) == (1 if symbol == "neg" else 2) else None


def function_for(symbol: str, operands: tuple[Operand, ...], old: Call | None) -> Constant:
    """The function of a call with this symbol; in place if the old one was and the target is the same."""
    in_place = old is not None and function_of(old) in _IN_PLACE.values() and operands[0] is old.arguments[0]
    return Constant(_IN_PLACE[symbol] if in_place and symbol in _IN_PLACE else _PLAIN[symbol])


def kind_of_term(operands: tuple[Operand, ...]) -> Type:
    """The type of a product, sum or negation."""
    if not all(map(is_number, operands)):
        return UNKNOWN
    kinds = [_kind(operand) for operand in operands]
    largest = max(kinds, key=lambda kind: _RANKS[kind.kind])
    of_numpy = {kind for kind in kinds if kind.dtype}
    if not of_numpy:
        return INT if largest == BOOL else largest
    # a Python number takes the type of the NumPy scalar that it meets, unless it is of a larger kind
    only = of_numpy.pop()
    return only if not of_numpy and only.kind == largest.kind else UNKNOWN


def _kind(operand: Operand) -> ScalarType:
    if isinstance(operand, Constant):
        return _OF_CLASS.get(operand.value.__class__, FLOAT)  # unbound: on a path that is never taken
    assert isinstance(operand.type, ScalarType)
    return operand.type


def _number(operand: Operand | Term) -> Number | None:
    if not isinstance(operand, Constant):  # most operands
        return None
    value = operand.value
    return value if isinstance(value, (int, float)) and value.__class__ is not bool else None


def _integer(operand: Operand | Term) -> int | None:
    number = _number(operand)
    return number if isinstance(number, int) else None


def _is_float(operand: Operand | Term) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ScalarType) and operand.type.kind == "float"


def _keeps_type(operand: Operand | Term, constant: Number) -> bool:
    """Whether arithmetic with a constant has the type of the operand."""
    if not isinstance(operand, (Value, Constant)):
        return False
    kind = _kind(operand).kind
    return kind != "bool" and _RANKS[kind] >= _RANKS[constant.__class__.__name__]


# --- the primal: bitwise the same ---------------------------------------------------------------------------------------------


def rewrite_exact(term: Term) -> Operand | Term | None:
    """A bitwise equal and plainer term, None if there is none."""
    first, second = term.operands[0], term.operands[-1]
    if not isinstance(first, (Value, Constant)) or not isinstance(second, (Value, Constant)):
        return None
    if not isinstance(first, Constant) and not isinstance(second, Constant):
        return None
    number = _integer(second)  # with 1.0, an integer that stands where a float is expected becomes a float
    one = _integer(first)
    plain = isinstance(first, Value) and first.type in (FLOAT, INT)
    match term.symbol:
        case "*" if number == 1 and plain and _keeps_type(first, number):
            return first
        case "*" if one == 1 and isinstance(second, Value) and second.type in (FLOAT, INT) and _keeps_type(second, one):
            return second
        case "-" if number == 0 and plain and _keeps_type(first, number):
            return first
        case "+" if is_same(second, Constant(0)) and isinstance(first, Value) and first.type == INT:
            return first
        case _:
            return None


# --- adjoint code: equal in real arithmetic -----------------------------------------------------------------------------------

#: The operations whose operands the rules for an operation on their result look at.
_TAKEN_APART: Final = {
    "+": frozenset({"neg", "+", "-", "*", "/"}),
    "-": frozenset({"neg", "+", "-", "*", "/"}),
    "*": frozenset({"neg", "*", "/"}),
    "/": frozenset({"neg", "*", "/"}),
    "**": frozenset[str](),
    "neg": frozenset({"neg", "-", "*", "/"}),
}


def rewrite_inexact(term: Term, context: Context) -> Operand | Term | None:
    """An equal and plainer term, None if there is none."""
    return join_integers(term, context) or _rearrange(term, context) or _use_floats(term)


def _use_floats(term: Term) -> Term | None:
    """Python computes ``2.0 * x`` twice as fast as ``2 * x``."""
    first, second = term.operands[0], term.operands[-1]
    if term.symbol not in "+-*/" or not (isinstance(first, Constant) or isinstance(second, Constant)):
        return None
    for position, operand in enumerate(term.operands):
        number = _number(operand)
        if isinstance(number, int) and abs(number) < _LARGEST_EXACT and any(map(_is_float, term.operands)):
            return Term(term.symbol, (*term.operands[:position], Constant(float(number)), *term.operands[position + 1 :]))
    return None


def join_integers(term: Term, context: Context) -> Operand | Term | None:
    """``n - 2`` for ``n - 1 - 1``: Python's integers are exact."""
    if term.symbol not in "+-" or not isinstance(term.operands[-1], Constant):
        return None
    first, second = term.operands[0], _integer(term.operands[-1])
    if second is None or not isinstance(first, Value) or first.type != INT:
        return None
    inner = context.term(first)
    if inner is None or inner.symbol not in ("+", "-"):
        return None
    start, step = inner.operands[0], _integer(inner.operands[-1])
    if step is None or not isinstance(start, Value) or start.type != INT or not context.is_single(first):
        return None
    total = (step if inner.symbol == "+" else -step) + (second if term.symbol == "+" else -second)
    return start if total == 0 else Term("+" if total > 0 else "-", (start, Constant(abs(total))))


def _rearrange(term: Term, context: Context) -> Operand | Term | None:
    symbol, a, b = term.symbol, term.operands[0], term.operands[-1]
    if isinstance(a, Term) or isinstance(b, Term):
        return None
    if a is not b or symbol != "+":
        taken_apart = _TAKEN_APART[symbol]
        of_a, of_b = context.term(a), context.term(b)
        if (of_a is None or of_a.symbol not in taken_apart) and (of_b is None or of_b.symbol not in taken_apart):
            return _rearrange_constants(symbol, a, b)
    match symbol:
        case "neg":
            return _negate(a, context)
        case "+":
            return _add(a, b, context)
        case "-":
            return _subtract(a, b, context)
        case "*":
            return _multiply(a, b, context) or _multiply(b, a, context) or _divide_product(a, b, context) or _order(a, b)
        case "/":
            return _divide(a, b, context)
        case "**":
            return _power(a, b)
        case _:
            return None


def _rearrange_constants(symbol: str, a: Operand, b: Operand) -> Operand | Term | None:
    """The same where neither operand is computed in a way that the rules look at: constants are all that is left to see to."""
    if isinstance(a, Value) and isinstance(b, Value):
        return None
    match symbol:
        case "neg":
            number = _number(a)
            return None if number is None else Constant(-number)
        case "+":
            return _add_zero(a, b)
        case "-":
            return _subtract_zero(a, b)
        case "*":
            return _scale_plainly(a, b) or _scale_plainly(b, a) or _order(a, b)
        case "/":
            return _divide_plainly(a, b)
        case _:
            return _power(a, b)


def _negated(operand: Operand, context: Context) -> Operand | None:
    """What an operand is the negative of, if it is computed so."""
    term = context.term(operand)
    inner = term.operands[0] if term is not None and term.symbol == "neg" else None
    return inner if isinstance(inner, (Value, Constant)) else None


def _single(operand: Operand, symbol: str, context: Context) -> tuple[Operand, Operand] | None:
    """The operands of an operand that is computed so, for one use only."""
    term = context.term(operand)
    if term is None or term.symbol != symbol or not context.is_single(operand):
        return None
    a, b = term.operands[0], term.operands[-1]
    return None if isinstance(a, Term) or isinstance(b, Term) else (a, b)


def _opposite(operand: Operand, context: Context, *, negative: bool) -> Term | None:
    """``-2 * x * y`` for the operand ``2 * x * y``; with `negative`, only where that takes a sign away."""
    term = context.term(operand)
    parts = _single(operand, term.symbol, context) if term is not None and term.symbol in "*/" else None
    if term is None or parts is None:
        return None
    number = _number(parts[0])
    if number is not None and not isinstance(number, complex):
        return Term(term.symbol, (Constant(-number), parts[1])) if number < 0 or not negative else None
    inner = _opposite(parts[0], context, negative=negative)
    return Term(term.symbol, (inner, parts[1])) if inner is not None else None


def _negate(a: Operand, context: Context) -> Operand | Term | None:
    number = _number(a)
    if number is not None:
        return Constant(-number)
    inner = _negated(a, context)
    if inner is not None:
        return inner
    difference = _single(a, "-", context)
    if difference is not None:
        return Term("-", (difference[1], difference[0]))
    return _opposite(a, context, negative=False)


def _shift(operand: Operand, by: int, context: Context) -> Operand | Term | None:
    """``i + 1`` for ``i - 1 + 2``: of integers, and exact."""
    term = context.term(operand)
    if term is None or term.symbol not in "+-" or len(term.operands) != 2:
        return None
    base, constant = term.operands
    known = _integer(constant)
    if known is None or not isinstance(base, Value) or base.type != INT:
        return None
    total = by + (known if term.symbol == "+" else -known)
    return Term("+" if total > 0 else "-", (base, Constant(abs(total)))) if total else base


def _add(a: Operand, b: Operand, context: Context) -> Operand | Term | None:
    pairs = ((a, b), (b, a))
    if isinstance(a, Constant) or isinstance(b, Constant):
        for one, other in pairs:
            by = _integer(other)
            if by is not None and (shifted := _shift(one, by, context)) is not None:
                return shifted
        if (same := _add_zero(a, b)) is not None:
            return same
    for one, other in pairs:
        subtracted = _negated(other, context) or _opposite(other, context, negative=True)
        if subtracted is not None:
            return Term("-", (one, subtracted))
    for one, other in pairs:
        integer = _uncast(other, one, context)
        if integer is not None:
            return Term("+", (one, integer))
    if a is b:
        return Term("*", (Constant(2), a))
    return _twice("+", a, b, context)


def _add_zero(a: Operand, b: Operand) -> Operand | None:
    """``x`` for ``x + 0``."""
    for one, other in ((a, b), (b, a)):
        number = _number(other)
        if number == 0 and _keeps_type(one, number):
            return one
    return None


def _uncast(operand: Operand, partner: Operand, context: Context) -> Operand | None:
    """``i`` for the operand ``1.0 * i``, which need not be made a float before it meets one."""
    parts = _single(operand, "*", context)
    if parts is None or _number(parts[0]) != 1 or not isinstance(parts[1], Value) or parts[1].type != INT:
        return None
    return parts[1] if _is_float(partner) else None


def _twice(symbol: str, a: Operand, b: Operand, context: Context) -> Term | None:
    """``p + b + b`` is ``p + 2 * b``."""
    parts = _single(a, symbol, context)
    return Term(symbol, (parts[0], Term("*", (Constant(2), b)))) if parts is not None and parts[1] is b else None


def _subtract(a: Operand, b: Operand, context: Context) -> Operand | Term | None:
    by = _integer(b)
    if by is not None and (shifted := _shift(a, -by, context)) is not None:
        return shifted
    if (plain := _subtract_zero(a, b)) is not None:
        return plain
    integers = _uncast(a, b, context), _uncast(b, a, context)
    if integers != (None, None):
        return Term("-", (integers[0] or a, integers[1] or b))
    added = _negated(b, context) or _opposite(b, context, negative=True)
    return Term("+", (a, added)) if added is not None else _twice("-", a, b, context)


def _subtract_zero(a: Operand, b: Operand) -> Operand | Term | None:
    """``x`` for ``x - 0``, and ``-x`` for ``0 - x``."""
    number = _number(b)
    if number == 0 and _keeps_type(a, number):
        return a
    number = _number(a)
    return Term("neg", (b,)) if number == 0 and _keeps_type(b, number) else None


def _multiply(a: Operand, b: Operand, context: Context) -> Operand | Term | None:
    """Rules for ``a * b`` that hold for ``b * a`` as well."""
    number = _number(a)
    if number is not None:
        return _scale_plainly(a, b) or (_scale(number, b, context) if number else None)
    negated = _negated(a, context)
    if negated is not None:
        other = _negated(b, context)
        if other is not None:
            return Term("*", (negated, other))
        if context.is_single(a):
            return Term("neg", (Term("*", (negated, b)),))
    integer = _uncast(a, b, context)
    if integer is not None:
        return Term("*", (integer, b))
    inner = context.term(b)
    match None if inner is None else inner.symbol:
        case "*":
            return _join_constants(a, b, context) or _gather_invariants(a, b, context)
        case "/":
            return _cancel_denominator(a, b, context) or _use_quotient(a, b, context)
        case _:
            return None


def _join_constants(a: Operand, b: Operand, context: Context) -> Term | None:
    """``(6 * x) * y`` for ``(2 * x) * (3 * y)``."""
    first = _split_constant(a, context)
    second = _split_constant(b, context) if first is not None else None
    if first is None or second is None:
        return None
    product = first[0] * second[0]
    return Term("*", (Term("*", (Constant(product), first[1])), second[1])) if _is_short(product) else None


def _split_constant(operand: Operand, context: Context) -> tuple[Number, Operand | Term] | None:
    """The constant that a product starts with, and the rest: of real numbers, computed for one use only."""
    parts = _single(operand, "*", context) if _is_float(operand) else None
    if parts is None:
        return None
    number = _number(parts[0])
    if number is not None:
        return number, parts[1]
    inner = _split_constant(parts[0], context)
    return (inner[0], Term("*", (inner[1], parts[1]))) if inner is not None else None


def _cancel_denominator(a: Operand, b: Operand, context: Context) -> Term | None:
    """``n / d`` for ``a * (n / (a * d))``."""
    parts = _single(b, "/", context)
    rest = _cofactor(parts[1], a, context) if parts is not None else None
    return Term("/", (parts[0], rest)) if parts is not None and rest is not None else None


def _cofactor(product: Operand, factor: Operand, context: Context) -> Operand | None:
    """What a real number is multiplied by to give the product."""
    term = context.term(product)
    if term is None or term.symbol != "*" or not _is_float(product):
        return None
    for one, other in (term.operands, term.operands[::-1]):
        if one is factor and _are_alike(product, factor, other):
            assert not isinstance(other, Term)
            return other
    return None


def _are_alike(*operands: Operand | Term) -> bool:
    """Whether operands are numbers of one type that are computed."""
    return len({operand.type if isinstance(operand, Value) else None for operand in operands}) == 1 and _is_float(operands[0])


def _use_quotient(a: Operand, b: Operand, context: Context) -> Term | None:
    """``q * n`` for ``a * (n / d)``, if ``q = a / d`` is computed already."""
    parts = _single(b, "/", context)
    if parts is None:
        return None
    quotient = context.quotient(a, parts[1], b)
    if quotient is not None:
        return Term("*", (quotient, parts[0]))
    for one, other in (factors, factors[::-1]) if (factors := _single(a, "*", context)) is not None else ():
        quotient = context.quotient(one, parts[1], b)
        if quotient is not None:
            return Term("*", (Term("*", (other, quotient)), parts[0]))
    return None


def _gather_invariants(a: Operand, b: Operand, context: Context) -> Term | None:
    """``(a * c) * d`` for ``a * (c * d)``, if the inner product then leaves the loop."""
    parts = _single(b, "*", context)
    if parts is None or not context.is_invariant(a):
        return None
    for one, other in (parts, parts[::-1]):
        if context.is_invariant(one) and not context.is_invariant(other):
            return Term("*", (Term("*", (a, one)), other))
    return None


def _scale_plainly(a: Operand, b: Operand) -> Operand | Term | None:
    """Zero, one and minus one as factors of what may be computed in any way."""
    number = _number(a)
    if number == 0:  # a structural zero
        kind = _kind(b).kind
        return Constant(0.0) if kind == "float" or isinstance(number, float) else Constant(0) if kind == "int" else None
    if number == 1 and _keeps_type(b, number):
        return b
    return Term("neg", (b,)) if number == -1 and _keeps_type(b, number) else None


def _scale(number: Number, b: Operand, context: Context) -> Operand | Term | None:
    """Rules for a constant factor."""
    negated = _negated(b, context)
    if negated is not None:
        return Term("*", (Constant(-number), negated))
    for symbol in "*/":
        parts = _single(b, symbol, context)
        if parts is None:
            continue
        for position in (0, 1):
            factor = _number(parts[position])
            rest = parts[1 - position]
            if factor is None or (symbol == "/" and position == 1):
                continue
            product = number * factor
            if _is_short(product) and (_is_float(rest) or product.__class__ is int):
                return Term(symbol, (Constant(product), rest))
        divisor = _number(parts[1]) if symbol == "/" else None
        if divisor:
            return _ratio(number, parts[0], divisor)
    inner = _single(b, "*", context)
    if inner is None or _number(inner[0]) is not None or _number(inner[1]) is not None:
        return None
    return _gather_invariants(Constant(number), b, context) or Term("*", (Term("*", (Constant(number), inner[0])), inner[1]))


def _ratio(number: Number, operand: Operand, divisor: Number) -> Term | None:
    """``number * operand / divisor`` with one constant, if that is exact and short."""
    if not _is_float(operand) or isinstance(number, complex) or isinstance(divisor, complex) or not number or not divisor:
        return None
    ratio = number / divisor
    if _is_short(ratio) and ratio * divisor == number:
        return Term("*", (Constant(ratio), operand))
    inverse = divisor / number
    return Term("/", (operand, Constant(inverse))) if _is_short(inverse) and inverse * number == divisor else None


def _is_short(number: Number) -> bool:
    return isinstance(number, (int, float)) and math.isfinite(number) and len(repr(number)) <= _LONGEST


def _divide_product(a: Operand, b: Operand, context: Context) -> Term | None:
    """``a * (1 / b)`` is ``a / b``."""
    for one, other in ((a, b), (b, a)):
        parts = _single(other, "/", context)
        if parts is not None and _number(parts[0]) == 1:
            return Term("/", (one, parts[1]))
        if parts is not None and _number(parts[0]) == -1:
            return Term("neg", (Term("/", (one, parts[1])),))
    return None


def _order(a: Operand, b: Operand) -> Term | None:
    """Constant factors come first."""
    return Term("*", (b, a)) if _number(b) is not None and _number(a) is None else None


def _divide(a: Operand, b: Operand, context: Context) -> Operand | Term | None:
    rest = _cofactor(b, a, context)
    if rest is not None:  # a / (a * d)
        return Term("/", (Constant(1.0), rest))
    outer = _single(a, "/", context)
    below = context.term(outer[1]) if outer is not None else None
    if outer is not None and below is not None and below.symbol == "/" and below.operands[1] is b and _are_alike(*below.operands):
        return Term("/", (outer[0], below.operands[0]))  # n / (d / b) / b
    if (plain := _divide_plainly(a, b)) is not None:
        return plain
    number = _number(b)
    for one, inner in ((a, _negated(a, context)), (b, _negated(b, context))):
        if inner is not None and context.is_single(one):
            return Term("neg", (Term("/", (inner, b) if one is a else (a, inner)),))
    product = _single(a, "*", context)
    factor = _number(product[0]) if product is not None else None
    if product is not None and number and factor is not None:
        return _ratio(factor, product[1], number)
    reciprocal = _single(b, "/", context)
    if reciprocal is not None and _number(reciprocal[0]) == 1:
        return Term("*", (a, reciprocal[1]))
    return None


def _divide_plainly(a: Operand, b: Operand) -> Operand | Term | None:
    """One and minus one as divisors, zero as dividend."""
    number = _number(b)
    if number == 1 and _is_float(a):
        return a
    if number == -1 and _is_float(a):
        return Term("neg", (a,))
    return Constant(0.0) if _number(a) == 0 else None  # a structural zero


def _power(a: Operand, b: Operand) -> Operand | Term | None:
    number = _number(b)
    if number is None or not _is_float(a):
        return None
    if number == 0:
        return Constant(1.0)
    if number == 1:
        return a
    return Term("*", (a, a)) if number == 2 else None
