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

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from s2sad.analysis.phrases import Phrases
from s2sad.emit.liveness import Liveness, is_inplace
from s2sad.ir.contents import nodes_of
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
from s2sad.transform import rewrite

#: How many variables of a name are tried for one more value of that name.
_NEIGHBOURS = 6
#: How many calls deep values are compared.
_DEEPEST = 3

#: Names that say what kind of thing a value is: two values of such a name are two things.
_GENERIC = frozenset(
    f"{word}_bar" for word in ("sum", "difference", "product", "ratio", "remainder", "power", "negated", "element", "result")
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
    uses = count_uses(function)
    web = _Web(function, uses)
    Liveness(web).run(function)
    return web.solve()


def count_uses(function: Function) -> Counter[Value]:
    """How often each value is read; 0 for one that is not."""
    return Counter(rewrite.count_uses(function))


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
    #: values that are set at the same time
    together: list[set[Value]] = field(default_factory=list)
    #: the bit that stands for a value in sets of values; of those that could come to share a variable with another
    bits: dict[Value, int] = field(default_factory=dict)
    #: what is live where a value is defined
    conflicts: dict[Value, int] = field(default_factory=dict)
    #: what computes a value
    made_by: dict[Value, Call | MakeFunction] = field(default_factory=dict)
    #: values by their names, or by what they will be named after
    alike: dict[Value, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for value in (*self.function.captured, *(parameter.value for parameter in self.function.parameters)):
            self._define(value, 0)
        self._visit(self.function.body, 0)
        self._name_alike()
        self._number_sharing()
        for values in self.together:
            whole = sum(self.bits.get(value, 0) for value in values)
            self.conflicts.update((value, whole & ~self.bits[value]) for value in values if value in self.bits)

    def _define(self, value: Value, depth: int) -> None:
        self.order[value] = len(self.order)
        self.depth[value] = depth

    def _visit(self, block: Block, depth: int) -> None:
        for operation in block.operations:
            self._visit_operation(operation, depth)
        for inner in blocks_of(block.terminator):
            self._visit(inner, depth)

    def _visit_operation(self, operation: Operation, depth: int) -> None:
        inner_depth = depth + isinstance(operation, (For, While))
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
                # all of them are set before the loop, also those that nobody reads
                taking = {item.parameter for item in carried}
                if len(taking) > 1:
                    self.together.append(taking)
                for item in carried:
                    self.forced.append((item.parameter, item.result))
                    self._attract(depth, item.parameter, item.initial)
                for leaf in leaves(body):
                    if isinstance(leaf, (Yield, Break)):
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

    def _name_alike(self) -> None:
        """Values that have a name, and temporaries read more than once that will be named after all they compute."""
        self.made_by = {node.result: node for node in nodes_of(self.function) if isinstance(node, (Call, MakeFunction))}
        phrases = Phrases(self.made_by, lambda value: "")
        for value in self.order:
            made = self.made_by.get(value)
            if value.name:
                self.alike[value] = value.name
            elif self.uses[value] > 1 and isinstance(made, Call) and (said := phrases.describe(made)):
                self.alike[value] = said

    def is_of_one_meaning(self, first: Operand, second: Operand, variables: dict[Value, Variable], depth: int = _DEEPEST) -> bool:
        """Whether two values without names are computed in one way from what will have one name."""
        if isinstance(first, Constant) or isinstance(second, Constant):
            return rewrite.is_same(first, second)
        made, other = (self.made_by.get(value) for value in (first, second))
        if not depth or first.name or second.name or not isinstance(made, Call) or not isinstance(other, Call):
            return variables[first] is variables[second]
        inputs, others = operands_of(made), operands_of(other)
        pairs = zip(inputs, others, strict=False)
        return len(inputs) == len(others) and all(self.is_of_one_meaning(*pair, variables, depth - 1) for pair in pairs)

    def _number_sharing(self) -> None:
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
        pairs += [(by_name.setdefault(name, value), value) for value, name in self.alike.items()]
        for first, second in pairs:
            parent[find(first)] = find(second)
        sizes = Counter(map(find, self.order))
        sharing = [value for value in self.order if sizes[find(value)] > 1]
        self.bits = {value: 1 << number for number, value in enumerate(sharing)}

    def solve(self) -> Assignment:
        captured = set(self.function.captured)
        variables = {value: Variable([value], order) for value, order in self.order.items()}
        #: The values of a variable, and what is live where they are defined.
        inside = {variables[value]: bit for value, bit in self.bits.items()}
        around = {variables[value]: self.conflicts.get(value, 0) for value in self.bits}

        def meet(one: Variable, other: Variable) -> bool:
            """Whether some value of one is live where a value of the other is defined."""
            return bool(inside[one] & around[other] or inside[other] & around[one])

        def merge(first: Value, second: Value, force: bool = False) -> bool:
            one, other = variables[first], variables[second]
            if one is other:
                return True
            if one.members[0] in captured or other.members[0] in captured:
                return False  # assigning to it would make it a local variable
            small, large = (one, other) if len(one.members) <= len(other.members) else (other, one)
            if not force and meet(small, large):
                return False
            for member in small.members:
                variables[member] = large
            large.members += small.members
            inside[large] |= inside[small]
            around[large] |= around[small]
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
        for value, name in self.alike.items():
            if name not in _GENERIC and (self.uses[value] or value in parameters):
                others = recent.setdefault(name, [])
                for other in others[-_NEIGHBOURS:]:
                    # a generated name is shared within one type only: compiled code wants one type a variable
                    may_share = other.type == value.type or not (value.temporary or other.temporary)
                    may_share = may_share and (value.name != "" or self.is_of_one_meaning(value, other, variables))
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
