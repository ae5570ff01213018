"""Multiply first what several products of adjoint code have in common.

Before::

    a ~= mul(s_bar, s)
    b ~= mul(a, ratio)
    c ~= mul(ratio, t)
    d ~= mul(s_bar, c)

After, with dead code gone::

    p ~= mul(s_bar, ratio)
    b ~= mul(p, s)
    d ~= mul(p, t)

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.operations import make_tuple
>>> from s2sad.ir.types import FLOAT
>>> x, y, z, w, a, b, c, d = (Value(name, FLOAT) for name in "xyzwabcd")
>>> products = [(a, x, y), (b, a, z), (c, z, w), (d, x, c)]
>>> calls = [Call(result, Constant(operator.mul), operands, exact=False) for result, *operands in products]
>>> pair = Value("pair")
>>> calls.append(Call(pair, Constant(make_tuple), (b, d)))
>>> f = share_products(Function("f", tuple(map(Parameter, (x, y, z, w))), Block(tuple(calls), Return(pair))))
>>> [(call.result, call.arguments) for call in f.body.operations[1:2]]
[(<temporary: float>, (<x: float>, <z: float>))]

Only products within one block, and only what nobody else uses of them, are taken apart, so that no operation is added. A quotient
counts as a product: its denominator is divided by at the end. A product of the primal that only one of adjoint code reads is part
of that.
"""

from __future__ import annotations

import heapq
import itertools
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.types import FLOAT, INT
from s2sad.transform.algebra import symbol_of
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations

#: Longer products are left alone.
MOST_FACTORS = 8

Pair = tuple[Value, Value]


def share_products(fn: Function) -> Function:
    """Reorder products that have two factors in common, so that these are multiplied once."""
    uses = count_uses(fn)

    def visit(block: Block) -> Block:
        operations = _share([map_blocks(operation, visit) for operation in block.operations], uses)
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    return with_body(fn, visit(fn.body))


@dataclass(slots=True, eq=False)
class _Product:
    """The product that a call computes. `factors` are multiplied in this order, then divided by `divisors`."""

    call: Call
    position: int
    factors: list[Operand]
    divisors: list[Operand]
    #: Products of two factors to be computed just before.
    before: list[Call] = field(default_factory=list)
    changed: bool = False

    def pairs(self) -> Iterator[Pair]:
        """Two of the factors, in one order whatever the order in the product."""
        values = [factor for factor in self.factors if isinstance(factor, Value) and factor.type == FLOAT]
        found: dict[frozenset[Value], Pair] = {}
        for first, second in itertools.combinations(values, 2):
            found.setdefault(frozenset((first, second)), (first, second))
        yield from found.values()

    def written(self) -> list[Call]:
        """The calls that compute the product as it is now."""
        calls = list(self.before)
        if not self.changed:
            return [*calls, self.call]
        steps = [(operator.mul, factor) for factor in self.factors[1:]] + [(operator.truediv, part) for part in self.divisors]
        value = self.factors[0]
        for number, (function, operand) in enumerate(steps, 1):
            result = self.call.result if number == len(steps) else Value("", FLOAT, temporary=True)
            calls.append(Call(result, Constant(function), (value, operand), (), self.call.span, False))
            value = result
        return calls


def _share(operations: list[Operation], uses: Mapping[Value, int]) -> list[Operation]:
    products = _find_products(operations, uses)
    if len(products) < 2:
        return operations
    _Pairs(products).multiply_common()
    if not any(product.changed or product.before for product in products):
        return operations
    by_position = {product.position: product for product in products}
    result: list[Operation] = []
    for position, operation in enumerate(operations):
        result += by_position[position].written() if position in by_position else [operation]
    return result


def _find_products(operations: list[Operation], uses: Mapping[Value, int]) -> list[_Product]:
    """The products of a block that are not themselves factors of one of its products."""
    calls: dict[Value, Call] = {}
    whole: dict[Value, _Product] = {}
    for position, call in enumerate(operations):
        if not isinstance(call, Call) or not _is_product(call):
            continue
        first = _owned(call.arguments[0], whole, uses)
        second = _owned(call.arguments[1], whole, uses) if symbol_of(call) == "*" else None
        if call.exact and any(part is not None and not part.call.exact for part in (first, second)):
            continue
        left = (first.factors, first.divisors) if first is not None else ([call.arguments[0]], [])
        right = (second.factors, second.divisors) if second is not None else ([call.arguments[1]], [])
        if symbol_of(call) == "/":
            product = _Product(call, position, list(left[0]), [*left[1], call.arguments[1]])
        else:
            product = _Product(call, position, [*left[0], *right[0]], [*left[1], *right[1]])
        if len(product.factors) + len(product.divisors) > MOST_FACTORS:
            product = _Product(call, position, [call.result], [])
            whole[call.result] = product
            continue
        for part in (first, second):
            if part is not None:
                del whole[part.call.result]
        calls[call.result] = call
        whole[call.result] = product
    return [
        product
        for product in whole.values()
        if len(product.factors) > 1 and not product.call.exact and uses.get(product.call.result, 0)
    ]


def _is_product(call: Call) -> bool:
    if call.result.type != FLOAT or symbol_of(call) not in (("*",) if call.exact else ("*", "/")):
        return False
    return all(
        operand.type in (FLOAT, INT) if isinstance(operand, Value) else operand.value.__class__ in (int, float)
        for operand in call.arguments
    )


def _owned(operand: Operand, whole: dict[Value, _Product], uses: Mapping[Value, int]) -> _Product | None:
    """The product that is an operand, if nobody else uses it."""
    return whole.get(operand) if isinstance(operand, Value) and uses.get(operand, 0) == 1 else None


class _Pairs:
    """Which products contain which pairs of factors; the most frequent pair comes next."""

    def __init__(self, products: list[_Product]) -> None:
        self.users: dict[frozenset[Value], dict[_Product, Pair]] = {}
        self.heap: list[tuple[int, int, frozenset[Value]]] = []
        self.count = itertools.count()
        for product in products:
            self.add(product)

    def add(self, product: _Product) -> None:
        for pair in product.pairs():
            key = frozenset(pair)
            users = self.users.setdefault(key, {})
            users[product] = pair
            if len(users) > 1:
                heapq.heappush(self.heap, (-len(users), next(self.count), key))

    def remove(self, product: _Product) -> None:
        for pair in product.pairs():
            self.users[frozenset(pair)].pop(product, None)

    def multiply_common(self) -> None:
        while self.heap:
            number, _, key = heapq.heappop(self.heap)
            users = self.users[key]
            if len(users) != -number:
                if len(users) > 1 and len(users) < -number:
                    heapq.heappush(self.heap, (-len(users), next(self.count), key))
                continue
            self.multiply(sorted(users, key=lambda product: product.position), key)

    def multiply(self, products: list[_Product], key: frozenset[Value]) -> None:
        """Compute a pair before the first of the products, and put it in its place everywhere."""
        first = products[0]
        pair = self.users[key][first]
        if len(first.factors) == 2 and not first.divisors:
            shared, rest = first.call.result, products[1:]
            self.remove(first)
        else:
            shared, rest = Value("", FLOAT, temporary=True), products
            first.before.append(Call(shared, Constant(operator.mul), pair, (), first.call.span, False))
        one, other = pair
        for product in rest:
            self.remove(product)
            if len(product.factors) == 2 and not product.divisors:
                continue  # the pair itself, which is now computed twice: that is for `share_subexpressions`
            place = min(product.factors.index(one), product.factors.index(other))
            product.factors.remove(one)
            product.factors.remove(other)
            product.factors.insert(place, shared)
            product.changed = True
            self.add(product)
