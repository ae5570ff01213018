"""The documentation is executed: its Python blocks run in order, its sessions are doctests, generated code in it is the real one.

python -m tests.test_documentation      write the generated code of today into the pages
"""

from __future__ import annotations

import contextlib
import doctest
import io
import linecache
import re
import shlex
from pathlib import Path

import pytest

from s2sad.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
GENERATED = re.compile(r"^<!-- generated: (?P<command>.+?) -->\n```python\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The blocks of code in one language, but for generated ones, and the lines that they begin in."""
    text = page.read_text(encoding="utf-8")
    generated = {match.start("code") for match in GENERATED.finditer(text)}
    return [
        (text.count("\n", 0, match.start(2)) + 1, match[2])
        for match in BLOCK.finditer(text)
        if match[1] == language and match.start(2) not in generated
    ]


def generate(command: str) -> str:
    output = io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(output):
        assert main(["source", *shlex.split(command)]) == 0
    return output.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_blocks_run(page, monkeypatch, capsys):
    namespace = {"__name__": f"page_{page.stem}"}
    for line, code in blocks(page, "python"):
        # the source is to be found as that of a notebook cell is
        filename = f"<{page.name}, line {line}>"
        monkeypatch.setitem(linecache.cache, filename, (len(code), None, code.splitlines(keepends=True), filename))
        exec(compile(code, filename, "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_sessions_run(page):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    output = io.StringIO()
    text = "\n".join(code for _, code in blocks(page, "pycon"))
    result = runner.run(parser.get_doctest(text, {"__name__": "__main__"}, page.name, str(page), 0), out=output.write)
    assert result.failed == 0, output.getvalue()


GENERATED_BLOCKS = [(page, match) for page in PAGES for match in GENERATED.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "match"), GENERATED_BLOCKS, ids=[match["command"] for _, match in GENERATED_BLOCKS])
def test_generated_code_is_what_is_generated(page, match):
    assert match["code"] == generate(match["command"]), "python -m tests.test_documentation writes it anew"


def test_the_main_example_is_shown():
    assert "examples/besselj.py:besselj 2 1.0 --wrt z" in [
        match["command"] for page, match in GENERATED_BLOCKS if page.name == "README.md"
    ]


def test_the_commands_of_the_readme_are_those_of_ci():
    commands = "".join(code for _, code in blocks(ROOT / "README.md", "sh"))
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for words in ("-m s2sad grad", "examples/besselj.py:besselj", "2 1.0 --wrt nu,z", "-m pytest"):
        assert words in commands
        assert words in ci


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def update() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = GENERATED.sub(
            lambda match: match[0].replace(f"```python\n{match['code']}", f"```python\n{generate(match['command'])}"), text
        )
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"{page.name} was updated")


if __name__ == "__main__":
    update()
