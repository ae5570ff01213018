"""Finds the source of a function by its code object.

The name and line of a code object narrow down the candidates; lambdas of one line are told apart by the columns of their
instructions. The candidate is compiled and compared with the function, so that a file edited since import is noticed, and a
function that merely moved in its file is still found.
"""

from __future__ import annotations

import ast
import copy
import linecache
import types
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from s2sad.errors import SourceUnavailableError
from s2sad.ir.nodes import Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_FUTURE_FLAGS: Final = 0x1FF0000  # CO_FUTURE_*: what `compile` takes from the file around a function
_MARKED_LINE: Final = 1_000_000_000
_MOST_FILES: Final = 64
#: What `exec` calls every text, and since Python 3.13 also that of `python -c`, whose lines are kept.
_ANY_TEXT: Final = "<string>"
_trees: Final[dict[str, tuple[str, tuple[Candidate, ...]]]] = {}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function in a file: its node, the class around it, and the statement of the module that holds it."""

    node: FunctionNode
    class_name: str
    statement: ast.stmt
    #: The imports of the module: code that calls a member of an imported module is compiled differently.
    imports: tuple[ast.stmt, ...]

    @property
    def name(self) -> str:
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name

    @property
    def first_line(self) -> int:
        decorators = getattr(self.node, "decorator_list", [])
        return min(int(node.lineno) for node in (self.node, *decorators))


def find_node(code: types.CodeType) -> Candidate:
    """The function definition or lambda that a code object was compiled from."""
    candidates = [candidate for candidate in _candidates(code) if _same_name(candidate, code)]
    in_place = _narrow([candidate for candidate in candidates if candidate.first_line == code.co_firstlineno], code)
    entry = linecache.cache.get(code.co_filename)
    if in_place and entry is not None and len(entry) == 4 and entry[1] is None and code.co_filename != _ANY_TEXT:
        return in_place[0]  # a text without a file (a notebook's cell, generated code) cannot have been edited
    compiled: dict[int, list[types.CodeType]] = {}
    for candidate in in_place:
        if _compiles_to(candidate, code, compiled):
            return candidate
    if in_place and _is_rewritten(code):
        return in_place[0]
    moved = sorted(candidates, key=lambda candidate: abs(candidate.first_line - code.co_firstlineno))
    for candidate in moved:
        if _compiles_to(candidate, code, compiled):
            return candidate
    if code.co_filename == _ANY_TEXT:
        raise _without_source(code)
    raise SourceUnavailableError(
        f"{_describe(code)} is not what its file says now; was the file edited since it was imported? Import it again (restart)."
    )


def find_parameter(code: types.CodeType, name: str) -> Span:
    """Where a parameter of a function stands; the function, if its signature says otherwise."""
    function = find_node(code).node
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    node = next((one for one in named if one.arg == name), function)
    return Span(code.co_filename, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


def _without_source(code: types.CodeType) -> SourceUnavailableError:
    return SourceUnavailableError(
        f"{_describe(code)} has no source; define it in a file, a notebook or a doctest (not by `exec` or at a plain prompt)."
    )


def _describe(code: types.CodeType) -> str:
    return f'the function `{code.co_qualname}` of line {code.co_firstlineno} in "{code.co_filename}"'


def _same_name(candidate: Candidate, code: types.CodeType) -> bool:
    return candidate.name == code.co_name


def _candidates(code: types.CodeType) -> tuple[Candidate, ...]:
    filename = code.co_filename
    linecache.checkcache(filename)
    text = "".join(linecache.getlines(filename))
    if not text.strip():
        raise _without_source(code)
    cached = _trees.get(filename)
    if cached is not None and cached[0] == text:
        return cached[1]
    try:
        tree = ast.parse(text, filename)
    except SyntaxError as error:
        raise SourceUnavailableError(f"{_describe(code)} cannot be read: its source does not parse ({error.msg}).") from error
    candidates = tuple(_collect(tree))
    while len(_trees) >= _MOST_FILES:
        _trees.pop(next(iter(_trees)), None)
    _trees[filename] = (text, candidates)
    return candidates


def _collect(tree: ast.Module) -> Iterator[Candidate]:
    imports = tuple(_module_imports(tree))
    for statement in tree.body:
        stack: list[tuple[ast.AST, str]] = [(statement, "")]
        while stack:
            node, class_name = stack.pop()
            if isinstance(node, FunctionNode):
                yield Candidate(node, class_name, statement, imports)
            inner = node.name if isinstance(node, ast.ClassDef) else class_name
            if not isinstance(node, (ast.Name, ast.Constant)):  # most nodes
                stack += [(child, inner) for child in ast.iter_child_nodes(node) if child._fields][::-1]


def _module_imports(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import) or (isinstance(child, ast.ImportFrom) and child.module != "__future__"):
            yield child
        elif not isinstance(child, (FunctionNode, ast.ClassDef, ast.expr)):
            yield from _module_imports(child)


def _narrow(candidates: Sequence[Candidate], code: types.CodeType) -> list[Candidate]:
    """The candidates whose body covers all instructions, the innermost first."""
    places = [
        (line, column, end) for line, _, column, end in code.co_positions() if line is not None and column is not None and end
    ]
    if len(candidates) < 2 or not places:
        return list(candidates)
    start = min((line, column) for line, column, _ in places)
    covering: list[tuple[tuple[int, int], Candidate]] = []
    for candidate in candidates:
        if isinstance(candidate.node, ast.Lambda):
            body = candidate.node.body
            begin = (body.lineno, body.col_offset)
            if begin <= start and all(line != body.end_lineno or end <= (body.end_col_offset or 0) for line, _, end in places):
                covering.append((begin, candidate))
    return [candidate for _, candidate in sorted(covering, key=lambda pair: pair[0], reverse=True)] or list(candidates)


def _compiles_to(candidate: Candidate, code: types.CodeType, compiled: dict[int, list[types.CodeType]]) -> bool:
    if isinstance(candidate.node, ast.Lambda):
        # a line of its own tells its code from that of its neighbours
        memo: dict[int, ast.AST] = {}
        statement = copy.deepcopy(candidate.statement, memo)
        marked = memo[id(candidate.node)]
        assert isinstance(marked, ast.Lambda)
        line = _MARKED_LINE
        for node in (marked, *ast.walk(marked.body)):  # the body too: the compiler puts in NOPs where lines change
            if isinstance(node, (ast.expr, ast.arg, ast.keyword)):
                node.lineno += line - candidate.node.lineno
                node.end_lineno = (node.end_lineno or candidate.node.lineno) + line - candidate.node.lineno
        # what is nested in it may have the same line, and comes after it
        codes = [other for other in _compile(candidate, statement, code) if other.co_firstlineno == line][:1]
    else:
        line = candidate.first_line
        key = id(candidate.statement)
        if key not in compiled:
            compiled[key] = _compile(candidate, candidate.statement, code)
        codes = compiled[key]
    return any(other.co_firstlineno == line and _is_same_code(other, code) for other in codes)


def _compile(candidate: Candidate, statement: ast.stmt, code: types.CodeType) -> list[types.CodeType]:
    module = ast.Module([*candidate.imports, statement], [])
    with warnings.catch_warnings():  # what Python warns of, it has said already
        warnings.simplefilter("ignore", SyntaxWarning)
        compiled = compile(module, code.co_filename, "exec", flags=code.co_flags & _FUTURE_FLAGS, dont_inherit=True)
    return list(_walk_codes(compiled))


def _walk_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _walk_codes(constant)


def _is_same_code(first: types.CodeType, second: types.CodeType) -> bool:
    """Whether two code objects do the same; where they stand does not count."""
    return (
        first.co_code == second.co_code
        and first.co_names == second.co_names
        and first.co_varnames == second.co_varnames
        and first.co_freevars == second.co_freevars
        and first.co_cellvars == second.co_cellvars
        and len(first.co_consts) == len(second.co_consts)
        and all(
            _is_same_code(a, b)
            if isinstance(a, types.CodeType) and isinstance(b, types.CodeType)
            else type(a) is type(b) and repr(a) == repr(b)
            for a, b in zip(first.co_consts, second.co_consts, strict=True)
        )
    )


def _is_rewritten(code: types.CodeType) -> bool:
    """Whether pytest has rewritten the assertions in a function, so that its code cannot be compared."""
    names = {*code.co_names, *code.co_varnames}
    return any(name.startswith("@py") for name in names) or any(
        _is_rewritten(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)
    )
