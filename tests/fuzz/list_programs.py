"""Random programs of list operations with aliases: text of a function ``f(x, y, n)`` that runs on complex numbers too."""

from collections.abc import Callable, Sequence
from typing import Any

Choose = Callable[[Sequence[Any]], Any]

HEADER = """\
def change(p, q, v):
    p[0] = p[0] * v
    q.append(p[0] + v)


def through(p, v):
    p[-1] = p[-1] + v
    return p


def fresh(p, v):
    made = [v, v * v]
    for e in p:
        made.append(e * v)
    return made


def either(p, q, c):
    return p if c else q


class Holder:
    def __init__(self, items):
        self.items = items
        self.factor = 1.0

    def put(self, e):
        self.items.append(e * self.factor)
        return self.items


def shrink(p):
    while len(p) > 2:
        p.pop()
    return p[0]

"""

LISTS = ("a", "b", "c")


class Writer:
    """Writes one program, asking `choose` at each step."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.lines: list[str] = []
        self.indent = 1

    def program(self, length: int) -> str:
        """The text."""
        self.line("s = x")
        for name in LISTS:
            self.line(f"{name} = [{', '.join(self.number() for _ in range(self.choose((2, 3, 4))))}]")
        self.line("d = {'k': a, 'l': [x * y]}")
        self.line("rows = [b, [y, x]]")
        self.line("holder = Holder(c)")
        self.line("pairs = [(x, a), (y, [x, y])]")
        for _ in range(length):
            self.statement()
        for name in LISTS:
            self.line(f"for v in {name}:")
            self.line("    s = s * 0.5 + v * y")
        self.line("return s + sum(d['k']) * x + sum(rows[0]) * y + rows[-1][0] + sum(holder.items) * y + pairs[0][0]")
        return HEADER + "\ndef f(x, y, n):\n" + "\n".join(self.lines) + "\n"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def name(self) -> str:
        return self.choose((*LISTS, *LISTS, "d['k']", "rows[0]", "rows[1]", "holder.items", "pairs[1][1]"))

    def index(self) -> str:
        return self.choose(("0", "1", "-1", "-2", "2", "n - 1"))

    def part(self) -> str:
        return self.choose((":", "1:", ":-1", ":2", "1:3", "-2:", "::2", "::-1", "n:", "1:1"))

    def number(self) -> str:
        return self.choose(("x", "y", "x * y", "x + 0.5", "s", "0.5", "2.0", "y * y - x"))

    def value(self) -> str:
        return self.choose((self.number(), f"{self.name()}[{self.index()}] * {self.number()}", f"{self.name()}[{self.index()}]"))

    def statement(self) -> None:
        """One statement, or a loop or branch with some."""
        kinds = [name for name in dir(self) if name.startswith("write_")]
        if self.indent > 2:
            kinds = [name for name in kinds if name not in ("write_loop", "write_branch")]
        getattr(self, self.choose(kinds))()

    def write_new(self) -> None:
        self.line(f"{self.choose(LISTS)} = [{self.value()}, {self.value()}, {self.number()}]")

    def write_alias(self) -> None:
        self.line(f"{self.choose(LISTS)} = {self.name()}")

    def write_append(self) -> None:
        self.line(f"{self.name()}.append({self.value()})")

    def write_pop(self) -> None:
        self.line(f"s = s * 0.5 + {self.name()}.pop({self.choose(('', '', '0', '-1', '1'))}) * {self.number()}")

    def write_insert(self) -> None:
        self.line(f"{self.name()}.insert({self.index()}, {self.value()})")

    def write_extend(self) -> None:
        self.line(f"{self.name()}.extend({self.choose((self.name(), f'[{self.value()}]', f'({self.value()}, x)'))})")

    def write_add_in_place(self) -> None:
        self.line(f"{self.choose(LISTS)} += {self.choose((self.choose(LISTS), f'[{self.value()}]'))}")

    def write_concatenate(self) -> None:
        self.line(f"{self.choose(LISTS)} = {self.name()} + {self.choose((self.name(), f'[{self.value()}] * 2'))}")

    def write_copy(self) -> None:
        source = self.name()
        self.line(f"{self.choose(LISTS)} = {self.choose((f'{source}.copy()', f'list({source})', f'{source}[{self.part()}]'))}")

    def write_slice_store(self) -> None:
        stored = self.choose((f"[{self.value()}]", f"[{self.value()}, {self.value()}]", self.name(), "[]"))
        self.line(f"{self.name()}[{self.choose((':', '1:', ':1', '1:2', '-1:', '1:1'))}] = {stored}")

    def write_store(self) -> None:
        self.line(f"{self.name()}[{self.index()}] {self.choose(('=', '=', '+=', '*='))} {self.value()}")

    def write_delete(self) -> None:
        self.line(f"del {self.name()}[{self.choose(('0', '-1', '1', '1:2', ':1'))}]")

    def write_reverse(self) -> None:
        self.line(f"{self.name()}.reverse()")

    def write_swap(self) -> None:
        first, second = self.choose((("a", "b"), ("b", "c"), ("a", "c")))
        self.line(f"{first}, {second} = {second}, {first}")

    def write_rotate(self) -> None:
        self.line("a, b, c = b, c, a")

    def write_choice(self) -> None:
        condition = self.choose(("n > 1", "len(a) > 2", "len(b) < len(c)"))
        target = self.choose(LISTS)
        self.line(f"{target} = {self.name()} if {condition} else {self.name()}")
        self.line(f"{target}[0] = {self.value()}")

    def write_change(self) -> None:
        self.line(f"change({self.name()}, {self.name()}, {self.value()})")

    def write_through(self) -> None:
        self.line(f"{self.choose(LISTS)} = through({self.name()}, {self.value()})")

    def write_fresh(self) -> None:
        self.line(f"{self.choose(LISTS)} = fresh({self.name()}, {self.value()})")

    def write_either(self) -> None:
        self.line(f"{self.choose(LISTS)} = either({self.name()}, {self.name()}, {self.choose(('n > 1', 'len(c) > 3'))})")

    def write_shrink(self) -> None:
        self.line(f"s = s + shrink({self.name()})")

    def write_row(self) -> None:
        self.line(f"rows[{self.choose(('0', '1'))}] = {self.name()}")

    def write_item(self) -> None:
        self.line(f"d['{self.choose(('k', 'l'))}'] = {self.name()}")

    def write_attribute(self) -> None:
        self.line(self.choose((f"holder.items = {self.name()}", f"holder.factor = {self.number()}")))

    def write_method(self) -> None:
        self.line(f"{self.choose(LISTS)} = holder.put({self.value()})")

    def write_pair(self) -> None:
        self.line(f"pairs[{self.choose(('0', '1'))}] = ({self.value()}, {self.name()})")

    def write_unpack(self) -> None:
        self.line(f"v, {self.choose(LISTS)} = pairs[{self.choose(('0', '1'))}]")
        self.line("s = s * 0.5 + v * y")

    def write_sum(self) -> None:
        self.line(f"s = s * 0.5 + sum({self.name()}) * {self.number()}")

    def write_comprehension(self) -> None:
        source = self.name()
        self.line(f"{self.choose(LISTS)} = [e * {self.number()} for e in {source}]")

    def write_pairs(self) -> None:
        self.line(f"for u, v in zip({self.name()}, {self.name()}):")
        self.line("    s = s * 0.5 + u * v")

    def write_loop(self) -> None:
        self.line(f"for i in range({self.choose(('n', '2', '3', '0'))}):")
        self.block()

    def write_branch(self) -> None:
        self.line(f"if {self.choose(('n > 1', 'len(a) > 3', 'len(b) < 4', 'c'))}:")
        self.block()
        if self.choose((False, True)):
            self.line("else:")
            self.block()

    def block(self) -> None:
        self.indent += 1
        for _ in range(self.choose((1, 2, 3))):
            self.statement()
        self.indent -= 1
