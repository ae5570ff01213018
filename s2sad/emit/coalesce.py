"""Leaves SSA: decides which values share one Python variable.

In the loop::

    k_1 = while carried (k_2 = k_0):     # k_0, k_2, k_3 and k_1 are never needed at the same time,
      header: ...                        # so the four are one variable `k`, and no copy is printed
      body:
        k_3 = add(k_2, 1)
        yield k_3

Two values may share a variable when neither is live where the other is defined. Candidates are the values that meet at
a region (initial, parameter, yielded, result), and values of one name.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
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
    walk,
)
from s2sad.ir.types import ScalarType

#: How many variables of a name are tried for one more value of that name.
_NEIGHBOURS = 6

#: Names that say what kind of thing a value is: two values of such a name are two things.
_GENERIC = frozenset(f"{word}_bar" for word in ("sum", "difference", "product", "ratio", "remainder", "power", "negated", "element", "result"))

_INPLACE = (
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.itruediv,
    operator.ifloordiv,
    operator.imod,
    operator.ipow,
    operator.imatmul,
    operator.iand,
    operator.ior,
    operator.ixor,
    operator.ilshift,
    operator.irshift,
)


@dataclass(slots=True, eq=False)
class Variable:
    """The values that share one Python variable, in program order."""

    members: list[Value]
    order: int
    #: of the longest name, once all members are there
    length: int = 0

    @property
    def is_stable(self) -> bool:
        """Whether it means one value wherever that value is visible."""
        return len(self.members) == 1


@dataclass(frozen=True, slots=True)
class Assignment:
    """The outcome: every value's variable, how often each value is read, and the loop parameters that must be set."""

    variables: dict[Value, Variable]
    uses: Counter[Value]
    set_at_head: frozenset[Value]
    #: how many loops a value's definition stands in
    depths: dict[Value, int]


def coalesce(function: Function) -> Assignment:
    """Give every value of `function` (nested functions excepted) its variable."""
    uses = count_uses(function.body)
    web = _Web(function, uses)
    _Liveness(web).run(function)
    return web.solve()


def count_uses(block: Block) -> Counter[Value]:
    return Counter(operand for node in walk(block) for operand in operands_of(node) if isinstance(operand, Value))


def never_exhausts(header: Block) -> bool:
    """Whether the loop is ``while True``."""
    match header:
        case Block((), Yield((Constant(value),))):
            return bool(value)
        case _:
            return False


def set_at_head(node: For | While, uses: Counter[Value]) -> frozenset[Value]:
    """The parameters that need a value when a trip starts: they are read, or become a result that is."""
    exhausts = isinstance(node, For) or not never_exhausts(node.header)
    return frozenset(item.parameter for item in node.carried if uses[item.parameter] or (exhausts and uses[item.result]))


def leaves(block: Block) -> Iterator[Terminator]:
    """The terminators, other than `Branch`, that end a tree."""
    terminator = block.terminator
    if isinstance(terminator, Branch):
        yield from leaves(terminator.then)
        yield from leaves(terminator.orelse)
    else:
        yield terminator


def _defined(block: Block) -> Iterator[Value]:
    for node in walk(block):
        if not isinstance(node, Yield | Break | Return | Raise | Branch):
            yield from parameters_of(node)
            yield from results_of(node)


@dataclass(slots=True, eq=False)
class _Web:
    """Affinities and interferences of the values of one function."""

    function: Function
    uses: Counter[Value]
    order: dict[Value, int] = field(default_factory=dict)
    depth: dict[Value, int] = field(default_factory=dict)
    forced: list[tuple[Value, Value]] = field(default_factory=list)
    #: pairs with the depth of the loop in which a copy would be paid for
    affine: list[tuple[int, Value, Value]] = field(default_factory=list)
    heads: set[Value] = field(default_factory=set)
    #: the values that could come to share a variable with a value (none: not listed)
    relevant: dict[Value, set[Value]] = field(default_factory=dict)
    #: what is live where a value is defined, both ways
    conflicts: dict[Value, set[Value]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for value in (*self.function.captured, *(parameter.value for parameter in self.function.parameters)):
            self._define(value, 0)
        self._visit(self.function.body, 0)
        self._find_components()

    def _define(self, value: Value, depth: int) -> None:
        self.order[value] = len(self.order)
        self.depth[value] = depth

    def _visit(self, block: Block, depth: int) -> None:
        for operation in block.operations:
            self._visit_operation(operation, depth)
        for inner in blocks_of(block.terminator):
            self._visit(inner, depth)

    def _visit_operation(self, operation: Operation, depth: int) -> None:
        inner_depth = depth + isinstance(operation, For | While)
        for value in parameters_of(operation):
            self._define(value, inner_depth)
        for block in blocks_of(operation):
            self._visit(block, inner_depth)
        for value in results_of(operation):
            self._define(value, depth)
        match operation:
            case Call(result, function, (left, _)) if is_inplace(function):
                self._attract(depth, result, left)
            case For(_, _, carried, body) | While(_, carried, body):
                self.heads |= set_at_head(operation, self.uses)
                for item in carried:
                    self.forced.append((item.parameter, item.result))
                    self._attract(depth, item.parameter, item.initial)
                for leaf in leaves(body):
                    if isinstance(leaf, Yield | Break):
                        for item, operand in zip(carried, leaf.values, strict=True):
                            self._attract(depth + isinstance(leaf, Yield), item.parameter, operand)
            case If() | Try() | With():
                for block in blocks_of(operation):
                    for leaf in leaves(block):
                        if isinstance(leaf, Yield):
                            for result, operand in zip(operation.results, leaf.values, strict=True):
                                self._attract(depth, result, operand)

    def _attract(self, depth: int, value: Value, operand: Operand) -> None:
        if isinstance(operand, Value):
            self.affine.append((depth, value, operand))

    def _find_components(self) -> None:
        """Interference matters only between values that could come to share a variable."""
        parent: dict[Value, Value] = {}

        def find(value: Value) -> Value:
            root = value
            while (up := parent.get(root, root)) is not root:
                root = up
            while value is not root:
                parent[value], value = root, parent.get(value, root)
            return root

        by_name: dict[str, Value] = {}
        pairs = [*self.forced, *((value, operand) for _, value, operand in self.affine)]
        pairs += [(by_name.setdefault(value.name, value), value) for value in self.order if value.name]
        for first, second in pairs:
            parent[find(first)] = find(second)
        components: defaultdict[Value, set[Value]] = defaultdict(set)
        for value in self.order:
            components[find(value)].add(value)
        self.relevant = {value: component for component in components.values() if len(component) > 1 for value in component}

    def meet(self, one: Variable, other: Variable) -> bool:
        """Whether some value of one is live where a value of the other is defined; `one` has the fewer values."""
        empty: set[Value] = set()
        return any(not self.conflicts.get(first, empty).isdisjoint(other.members) for first in one.members)

    def solve(self) -> Assignment:
        captured = set(self.function.captured)
        variables = {value: Variable([value], order) for value, order in self.order.items()}

        def merge(first: Value, second: Value, force: bool = False) -> bool:
            one, other = variables[first], variables[second]
            if one is other:
                return True
            if one.members[0] in captured or other.members[0] in captured:
                return False  # assigning to it would make it a local variable
            small, large = sorted((one, other), key=lambda variable: len(variable.members))
            if not force and self.meet(small, large):
                return False
            for member in small.members:
                variables[member] = large
            large.members += small.members
            large.order = min(one.order, other.order)
            return True

        for first, second in self.forced:
            merge(first, second, force=True)
        parameters = {parameter.value for parameter in self.function.parameters}
        for same_name in (True, False):
            for _, first, second in sorted(self.affine, key=lambda item: -item[0]):
                # what has two names is two variables to the reader, even where one would do
                mine, theirs = _name(variables[first]), _name(variables[second])
                if same_name == (first.name == second.name) and (not mine or not theirs or mine == theirs):
                    merge(first, second)
        recent: dict[str, list[Value]] = {}
        for value in self.order:
            if value.name and value.name not in _GENERIC and (self.uses[value] or value in parameters):
                others = recent.setdefault(value.name, [])
                for other in others[-_NEIGHBOURS:]:
                    # a generated name is shared within one type only: compiled code wants one type a variable
                    may_share = other.type == value.type or not (value.temporary or other.temporary)
                    if may_share and merge(value, other):
                        break
                else:
                    others.append(value)
        for variable in {id(variable): variable for variable in variables.values()}.values():
            variable.members.sort(key=self.order.__getitem__)
            variable.length = max(len(member.name) for member in variable.members)
        return Assignment(variables, self.uses, frozenset(self.heads), self.depth)


def _name(variable: Variable) -> str:
    return next((member.name for member in variable.members if member.name), "")


@dataclass(frozen=True, slots=True)
class _Exits:
    """What `Yield` and `Break` assign, and what is live after that; `always` is live wherever an exception may leave."""

    on_yield: tuple[Value | None, ...] = ()
    yield_live: frozenset[Value] = frozenset()
    on_break: tuple[Value, ...] = ()
    break_live: frozenset[Value] = frozenset()
    always: frozenset[Value] = frozenset()


@dataclass(frozen=True, slots=True)
class _Liveness:
    """Walks the program backwards and notes which values are live where another is defined."""

    web: _Web

    def run(self, function: Function) -> None:
        live = self.block(function.body, _Exits())
        entering = [*function.captured, *(parameter.value for parameter in function.parameters)]
        for value in entering:
            self.define(value, live | set(entering))

    def define(self, value: Value, live: set[Value] | frozenset[Value], source: Operand | None = None) -> None:
        component = self.web.relevant.get(value)
        if component is not None:
            others = component & live
            others.discard(value)
            if isinstance(source, Value):
                others.discard(source)
            self.web.conflicts.setdefault(value, set()).update(others)
            for other in others:
                self.web.conflicts.setdefault(other, set()).add(value)

    def block(self, block: Block, exits: _Exits) -> set[Value]:
        live = self.terminator(block.terminator, exits)
        last = next((operation for operation in reversed(block.operations) if _may_leave(operation)), None)
        # nothing leaves after the last step that may: what handlers read gives way to what that step binds
        if not (isinstance(last, Call) and not last.result.temporary):
            live |= exits.always
        for operation in reversed(block.operations):
            live = self.operation(operation, live, exits)
            if operation is last:
                live |= exits.always
        return live | exits.always

    def terminator(self, node: Terminator, exits: _Exits) -> set[Value]:
        match node:
            case Yield(values):
                return self.copies(exits.on_yield, values, exits.yield_live)
            case Break(values):
                return self.copies(exits.on_break, values, exits.break_live)
            case Branch(condition, then, orelse):
                return self.block(then, exits) | self.block(orelse, exits) | _values((condition,))
            case _:
                return _values(operands_of(node))

    def copies(self, targets: Iterable[Value | None], values: Iterable[Operand], live_after: Iterable[Value]) -> set[Value]:
        pairs = [(target, value) for target, value in zip(targets, values, strict=False) if target is not None]
        live = set(live_after)
        written = {target for target, _ in pairs if self.web.uses[target] or target in self.web.heads}
        for target, source in pairs:
            if target in written:
                self.define(target, live | written, source)
        return (live - written) | _values(source for target, source in pairs if target in written)

    def operation(self, node: Operation, live: set[Value], exits: _Exits) -> set[Value]:
        results = results_of(node)
        if isinstance(node, Call | MakeFunction):
            return self.step(node, live)
        after = frozenset(live - set(results)) | exits.always
        for result in results:
            if self.web.uses[result]:
                self.define(result, after | {other for other in results if self.web.uses[other]})
        match node:
            case If(condition, then, orelse):
                inner = self.region(results, after, live, exits)
                return self.block(then, inner) | self.block(orelse, inner) | _values((condition,))
            case For(target, iterable, carried, body):
                head = self.loop(node, carried, after, exits)
                inner = self.body_exits(carried, head, live, exits)
                body_live = self.block(body, inner)
                self.define(target, (body_live | head) - {target})
                return self.copies(
                    _parameters(carried), [item.initial for item in carried], head | _values((iterable,))
                ) | _values((iterable,))
            case While(header, carried, body):
                head = self.loop(node, carried, after, exits)
                inner = self.body_exits(carried, head, live, exits)
                body_live = self.block(body, inner)
                tested = _values(operands_of(header.terminator))
                self.block(header, _Exits(yield_live=frozenset(body_live | tested) | head, always=exits.always))
                return self.copies(_parameters(carried), [item.initial for item in carried], head)
            case Try(body, handlers):
                inner = self.region(results, after, live, exits)
                caught: set[Value] = set()
                for handler in handlers:
                    handler_live = self.block(handler.body, inner)
                    if handler.name is not None:
                        self.define(handler.name, handler_live)
                        handler_live.discard(handler.name)
                    caught |= handler_live | _values(() if handler.exception is None else (handler.exception,))
                guarded = _Exits(
                    inner.on_yield, inner.yield_live, inner.on_break, inner.break_live, inner.always | frozenset(caught)
                )
                return self.block(body, guarded) | caught
            case With(context, name, body):
                body_live = self.block(body, self.region(results, after, live, exits))
                if name is not None:
                    self.define(name, body_live)
                    body_live.discard(name)
                return body_live | _values((context,))

    def step(self, node: Call | MakeFunction, live: set[Value]) -> set[Value]:
        result = node.result
        live.discard(result)
        if self.web.uses[result]:
            self.define(result, live)
        live |= _values(operands_of(node))
        if isinstance(node, Call) and is_inplace(node.function) and not isinstance(result.type, ScalarType):
            # printed as `result = left; result += right` when left lives on
            self.define(result, _values(node.arguments[1:]))
        return live

    def region(self, results: tuple[Value, ...], after: frozenset[Value], live: set[Value], exits: _Exits) -> _Exits:
        used = frozenset(result for result in results if self.web.uses[result])
        return _Exits(results, after | used, exits.on_break, exits.break_live, exits.always)

    def loop(self, node: For | While, carried: tuple[Carried, ...], after: frozenset[Value], exits: _Exits) -> frozenset[Value]:
        """What is live whenever a trip may start: the parameters, and all that is read inside or after and defined before."""
        inside = set(parameters_of(node))
        read: set[Value] = set()
        for block in blocks_of(node):
            inside.update(_defined(block))
            for inner in walk(block):
                read |= _values(operands_of(inner))
        heads = {item.parameter for item in carried if item.parameter in self.web.heads}
        return after | frozenset(read - inside) | heads | exits.always

    def body_exits(self, carried: tuple[Carried, ...], head: frozenset[Value], live: set[Value], exits: _Exits) -> _Exits:
        results = tuple(item.result for item in carried)
        used = {result for result in results if self.web.uses[result]}
        return _Exits(
            tuple(item.parameter if item.parameter in self.web.heads else None for item in carried),
            head,
            results,
            frozenset(live) | used,
            exits.always,
        )


def _may_leave(operation: Operation) -> bool:
    """Whether an operation may raise, as far as is known."""
    if not isinstance(operation, Call):
        return not isinstance(operation, MakeFunction)
    effects = effects_of(operation)
    return effects.raises or effects.acts


def _parameters(carried: tuple[Carried, ...]) -> list[Value]:
    return [item.parameter for item in carried]


def _values(operands: Iterable[Operand]) -> set[Value]:
    return {operand for operand in operands if isinstance(operand, Value)}


def is_inplace(function: Operand) -> bool:
    """Whether a call is an augmented assignment."""
    return isinstance(function, Constant) and any(function.value is inplace for inplace in _INPLACE)
