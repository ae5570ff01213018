"""Random functions as text: every statement that moves values or control about, in random nesting."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ["a", "b", "c", "d"]


class Writer:
    """Draws the lines of one function. Loops run a few times only: each trip costs fuel, which runs out for all."""

    def __init__(self, draw: st.DrawFn, exceptions: bool) -> None:
        self.draw = draw
        self.exceptions = exceptions
        self.lines: list[str] = []
        self.count = 0
        self.final = False

    def pick(self, options: list[str]) -> str:
        return self.draw(st.sampled_from(options))

    def name(self) -> str:
        return self.pick(NAMES)

    def expression(self, depth: int = 2) -> str:
        if depth == 0:
            return self.pick([*NAMES, "1", "2", "3"])
        kind = self.draw(st.integers(0, 12))
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        match kind:
            case 0 | 1 | 2:
                return f"({left} {self.pick(['+', '-', '&', '%', '//'])} {right})"
            case 3:
                return f"({left} {self.pick(['<', '==', '!='])} {right} {self.pick(['<', '>='])} {self.expression(0)})"
            case 4:
                return f"({left} {self.pick(['and', 'or'])} {right})"
            case 5:
                return f"({left} if {right} else {self.expression(0)})"
            case 6:
                return f"({self.name()} := {left})"
            case 7:
                return f"sum([{left} for {self.name()} in range(3) if {self.expression(0)}])"
            case 8:
                return f"{self.pick(['any', 'all'])}({left} for {self.name()} in range(3))"
            case 9:
                return f"(lambda {self.name()}: {left})({right})"
            case 10:
                return f"note({left})"
            case _:
                return self.expression(0)

    def line(self, indent: str, text: str) -> None:
        self.lines.append(indent + text)

    def body(self, indent: str, depth: int, loop: bool) -> None:
        for _ in range(self.draw(st.integers(1, 3))):
            self.statement(indent + "    ", depth, loop)

    def statement(self, indent: str, depth: int, loop: bool) -> None:
        kind = self.draw(st.integers(0, 22 if depth > 0 else 7))
        match kind:
            case 0 | 1 | 2:
                self.line(indent, f"{self.name()} = {self.expression()}")
            case 3:
                self.line(indent, f"{self.name()} {self.pick(['+=', '-=', '|='])} {self.expression(1)}")
            case 4:
                self.line(indent, f"{self.name()}, {self.name()} = {self.expression(1)}, {self.expression(1)}")
            case 5:
                self.line(indent, self.pick(["break", "continue"] if loop and not self.final else ["pass"]))
            case 6:
                self.line(
                    indent, self.pick(["pass", f"del {self.name()}", "pass" if self.final else f"return {self.expression(1)}"])
                )
            case 7:
                self.line(indent, f"note({self.expression(1)})" if not self.exceptions else f"check({self.expression(1)})")
            case 8 | 9 | 10 | 11:
                self.line(indent, f"if {self.expression()}:")
                self.body(indent, depth - 1, loop)
                while self.draw(st.booleans()) and self.draw(st.booleans()):
                    self.line(indent, f"elif {self.expression(1)}:")
                    self.body(indent, depth - 1, loop)
                if self.draw(st.booleans()):
                    self.line(indent, "else:")
                    self.body(indent, depth - 1, loop)
            case 12 | 13 | 14:
                self.line(indent, f"for {self.name()} in range({self.pick(['2', '3', '0', 'n'])}):")
                self.line(indent, "    burn()")
                self.body(indent, depth - 1, True)
                self.loop_else(indent, depth, loop)
            case 15 | 16:
                self.line(indent, f"while {self.pick([self.expression(1), 'True'])}:")
                self.line(indent, "    burn()")
                self.body(indent, depth - 1, True)
                self.loop_else(indent, depth, loop)
            case 17:
                self.count += 1
                function = f"f{self.count}"
                self.line(indent, f"def {function}({self.name()}={self.expression(1)}):")
                self.line(indent, "    burn()")
                if self.draw(st.booleans()):
                    self.line(indent, f"    nonlocal {self.outer_name()}")
                self.body(indent, depth - 1, False)
                self.line(indent, f"{self.name()} = {function}()")
            case 18:
                self.line(indent, f"match {self.expression(1)}:")
                for pattern in ("0 | 1", f"int({self.name()}) if {self.expression(0)}", self.pick(["_", self.name(), "True"])):
                    self.line(indent, f"    case {pattern}:")
                    self.body(indent + "    ", depth - 1, loop)
            case 19:
                self.line(indent, f"with manager() as {self.name()}:")
                self.body(indent, depth - 1, loop)
            case _ if self.exceptions:
                self.line(indent, "try:")
                self.body(indent, depth - 1, loop)
                handled = self.draw(st.booleans())
                if handled:
                    self.line(indent, f"except {self.pick(['ValueError', 'KeyError', '(TypeError, ZeroDivisionError)'])}:")
                    self.body(indent, depth - 1, loop)
                    if self.draw(st.booleans()):
                        self.line(indent, "else:")
                        self.body(indent, depth - 1, loop)
                if not handled or self.draw(st.booleans()):
                    self.line(indent, "finally:")
                    # leaving from here would swallow the NameError of a variable that is not bound
                    self.final, outer = True, self.final
                    self.body(indent, depth - 1, loop)
                    self.final = outer
            case _:
                self.line(indent, f"{self.name()} = {self.expression()}")

    def outer_name(self) -> str:
        return "outer"

    def loop_else(self, indent: str, depth: int, loop: bool) -> None:
        if self.draw(st.booleans()) and self.draw(st.booleans()):
            self.line(indent, "else:")
            self.body(indent, depth - 1, loop)


@st.composite
def functions(draw: st.DrawFn, exceptions: bool = True) -> str:
    """The text of a function ``f(a, b, n)``."""
    writer = Writer(draw, exceptions)
    writer.line("", "def f(a, b, n):")
    writer.line("    ", "outer = a")
    for _ in range(draw(st.integers(1, 5))):
        writer.statement("    ", 3, False)
    if draw(st.booleans()):
        writer.line("    ", f"return {writer.expression()}, {', '.join(NAMES[:2])}, outer")
    return "\n".join(writer.lines) + "\n"
