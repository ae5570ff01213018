"""Every class of error is raised where it should be, with file, line and caret where there is a place, and with a way out."""

from __future__ import annotations

import inspect
import linecache
import math
import operator
import re
import sys
import threading

import numpy as np
import pytest

import s2sad
from s2sad import errors, grad, show
from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
from s2sad.ir.operations import load_captured, load_global
from s2sad.ir.types import FLOAT
from s2sad.ir.verify import verify
from s2sad.rules import registered_rules
from s2sad.rules.core import REGISTRY
from s2sad.testing.check_grads import check_grads

CLASSES = [
    cls
    for cls in vars(errors).values()
    if isinstance(cls, type) and issubclass(cls, errors.S2sadError) and cls is not errors.S2sadError
]


@pytest.fixture(autouse=True)
def forget():
    """Rules declared by a test are gone after it."""
    before = registered_rules()
    yield
    for declared in registered_rules():
        if declared not in before:
            REGISTRY.remove(declared)


@pytest.mark.parametrize("cls", CLASSES)
def test_each_class_is_also_what_a_caller_would_catch(cls):
    others = [base for base in cls.__bases__ if base is not errors.S2sadError]
    assert len(others) == 1
    assert others[0].__module__ == "builtins"
    assert cls.__doc__


def place_of(error: BaseException) -> tuple[str, int, str, str]:
    """File, line, its text and what the caret marks, as the message shows them."""
    found = re.search(r'  File "(?P<file>[^"]+)", line (?P<line>\d+)\n    (?P<text>.+)\n    (?P<caret> *\^+)', str(error))
    assert found is not None, str(error)
    caret = found["caret"]
    return found["file"], int(found["line"]), found["text"], found["text"][len(caret) - caret.count("^") : len(caret)]


def yields(x):
    y = x * x
    yield y


def writes_a_global(x):
    global CLASSES
    CLASSES = x
    return x


def frexp(x):
    mantissa, exponent = math.frexp(x)
    return mantissa * exponent


def unknown_method(x):
    ratio = x.as_integer_ratio()
    return ratio[0] / ratio[1]


def through_text(x):
    text = str(x)
    return float(text)


def helper_without_source(x):
    y = 2.0 * x
    return hidden(y)


def one_of_two_functions(x, flag, first, second):
    chosen = first if flag else second
    return chosen(x)


def wrong_helper_call(x):
    y = one(x, 3)
    return y


def one(x):
    return x


_SPACE: dict[str, object] = {}
exec("def hidden(x):\n    return x ** 3\n", _SPACE)
hidden = _SPACE["hidden"]

REFUSED = [
    (yields, (1.5,), errors.UnsupportedSyntaxError, "yield", "yield y"),
    (writes_a_global, (1.5,), errors.UnsupportedSyntaxError, "global", "global CLASSES"),
    (unknown_method, (1.5,), errors.MissingRuleError, "is a method", "ratio = x.as_integer_ratio()"),
    (frexp, (1.5,), errors.S2sadError, "frexp", "mantissa, exponent = math.frexp(x)"),
    (through_text, (1.5,), errors.S2sadError, "text", "text"),
]


@pytest.mark.parametrize(("function", "args", "cls", "says", "marked"), REFUSED)
def test_refused_with_the_place(function, args, cls, says, marked):
    with pytest.raises(cls, match=says) as caught:
        grad(function)(*args)
    file, line, text, under_caret = place_of(caught.value)
    lines, first = inspect.getsourcelines(function)
    assert file == __file__
    assert text == lines[line - first].strip()
    assert marked in text
    assert under_caret.strip()
    assert CLASSES.__class__ is list
    # nothing is kept from the failed attempt: the second call says the same
    with pytest.raises(cls) as again:
        grad(function)(*args)
    assert str(again.value) == str(caught.value)


def test_syntax_errors_carry_their_place():
    with pytest.raises(SyntaxError) as caught:
        grad(yields)(1.5)
    lines, first = inspect.getsourcelines(yields)
    assert caught.value.filename == __file__
    assert caught.value.lineno in range(first, first + len(lines))


def test_the_rule_that_a_message_shows_is_accepted():
    def opaque(x, y):
        return _opaque(x, y)

    with pytest.raises(errors.MissingRuleError) as caught:
        grad(opaque)(1.5, 2.0)
    shown = re.search(
        r"( +@s2sad\.rule\.pointwise\((?P<name>.+)\)\n +def derivative\(result, (?P<operands>.+)\):\n)", str(caught.value)
    )
    assert shown is not None, str(caught.value)
    assert shown["operands"] == "x, y"

    @s2sad.rule.pointwise(_opaque)
    def derivative(result, x, y):
        return 7.0, 11.0

    assert grad(opaque, (0, 1))(1.5, 2.0) == (7.0, 11.0)


# without rule and without source
_opaque = np.frompyfunc(lambda x, y: 7.0 * x + 11.0 * y, 2, 1)


def test_the_source_cannot_be_found():
    with pytest.raises(errors.SourceUnavailableError, match="hidden"):
        grad(hidden)(1.5)
    with pytest.raises(OSError):
        grad(hidden)(1.5)
    with pytest.raises(errors.S2sadError, match="hidden"):
        grad(helper_without_source)(1.5)
    with pytest.raises(errors.SourceUnavailableError, match=r"wrap it in a function: lambda x: f\(x\)"):
        grad(int)(1.5)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: [x, x], "list"),
        (lambda x: (x, x), "tuple"),
        (lambda x: None, "None"),
        (lambda x: "text", "str"),
        (lambda x: {"a": x}, "dict"),
        (lambda x: x * 1j, "complex"),
    ],
)
def test_results_that_are_no_real_number(function, says):
    with pytest.raises(errors.NonDifferentiableError, match=f"needs a function whose result is one real number.*{says}"):
        grad(function)(1.5)


def test_source_without_arguments_needs_annotations():
    with pytest.raises(
        errors.NonDifferentiableError, match=r"the type of 'x' is not known: call source\(\) with arguments, or annotate"
    ):
        grad(lambda x: x).source()


def test_rules_that_are_wrong():
    with pytest.raises(errors.InvalidRuleError, match="names no function"):

        @s2sad.rule.pointwise()
        def nothing(result, x):
            return 1.0

    with pytest.raises(TypeError):

        @s2sad.rule.pointwise(3)
        def three(result, x):
            return 1.0


def test_invalid_ir_is_printed_with_the_place_marked():
    stranger, x = Value("stranger", FLOAT), Value("x", FLOAT)
    call = Call(Value("y", FLOAT), Constant(operator.neg), (stranger,))
    function = Function("f", (Parameter(x),), Block((call,), Return(call.result)))
    with pytest.raises(errors.InvalidIRError, match="stranger") as caught:
        verify(function)
    assert "# <-- here" in str(caught.value)
    with pytest.raises(AssertionError):
        verify(function)


def test_operations_of_the_ir_do_not_run():
    with pytest.raises(errors.S2sadError, match="'name' can only be read by generated code"):
        load_global("name")
    with pytest.raises(errors.S2sadError, match="'name' can only be read by generated code"):
        load_captured("name")


def test_a_missing_extra(monkeypatch):
    derivative = grad(math.gamma)
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    try:
        derivative(2.5)
    except errors.MissingExtraError as error:
        assert "s2sad[scipy]" in str(error)  # noqa: PT017
        assert isinstance(error, ImportError)  # noqa: PT017
    else:
        pytest.skip("SciPy was loaded before")


def test_a_gradient_that_differs():
    @s2sad.rule.pointwise(_wrong)
    def derivative(result, x):
        return 5.0 * x

    with pytest.raises(errors.GradientCheckError, match="differs from numeric differences"):
        check_grads(lambda x: _wrong(x), (1.5,))


def _wrong(x):
    return x * x


@pytest.mark.parametrize("argument", [3.0, None, "f"])
def test_the_value_instead_of_the_function(argument):
    if argument is None:
        assert callable(grad(argument))
        return
    with pytest.raises(TypeError, match=r"write grad\(f\)\(x\), not grad\(f\(x\)\)"):
        grad(argument)


def test_an_unknown_stage():
    with pytest.raises(ValueError, match="there is no stage 'all'; the stages are source, ir, types"):
        show(lambda x: x * x, 1.0, stage="all")


def test_exceptions_of_the_primal_come_through_as_they_are():
    class Own(Exception):
        pass

    def f(x):
        if x > 1.0:
            raise Own("too much", x)
        return math.sqrt(x)

    derivative = grad(f)
    assert derivative(0.25) == 1.0
    with pytest.raises(Own) as caught:
        derivative(2.0)
    assert caught.value.args == ("too much", 2.0)
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        derivative(-1.0)


def test_wrong_calls_of_helpers_are_left_to_python():
    with pytest.raises(TypeError):
        wrong_helper_call(1.0)
    with pytest.raises(TypeError, match=r"one\(\) takes 1 (positional )?arguments? but 2 were given|too many"):
        grad(wrong_helper_call)(1.0)


def test_which_function_is_called_is_not_known():
    """Right, or refused with the place."""
    derivative = grad(one_of_two_functions)
    try:
        found = derivative(0.5, True, math.sin, math.cos)
    except errors.S2sadError as error:
        assert "File" in str(error)  # noqa: PT017
    else:
        assert found == math.cos(0.5)


def test_an_error_in_one_thread_does_not_hold_up_the_others():
    failed: list[BaseException] = []

    def work():
        try:
            grad(yields)(1.5)
        except errors.S2sadError as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(failed) == 4
    assert grad(one)(1.5) == 1.0


@pytest.mark.parametrize(
    ("line", "column", "end", "expected"),
    [
        ("    y = f(x)\n", 8, 12, '  File "<place>", line 1\n    y = f(x)\n        ^^^^'),
        ("    y = f(x)\n", 8, 0, '  File "<place>", line 1\n    y = f(x)\n        ^'),
        ("y = f(x)\n", 4, 99, '  File "<place>", line 1\n    y = f(x)\n        ^^^^'),
        ("\n", 4, 99, '  File "<place>", line 1'),
        ("    y\n", 0, 0, '  File "<place>", line 1\n    y\n    ^'),
    ],
)
def test_places(line, column, end, expected):
    linecache.cache["<place>"] = (len(line), None, [line], "<place>")
    try:
        assert errors.describe_location("<place>", 1, column, end) == expected
    finally:
        del linecache.cache["<place>"]


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __iter__(self):
        yield from (self.a, self.b)


def sum_of_an_object(x):
    return sum(Pair(x, x))


def rest_of_a_mapping(table):
    match table:
        case {"kind": _, **rest}:
            return sum(rest.values())


@pytest.mark.parametrize(
    ("function", "argument", "line"),
    [(sum_of_an_object, 1.5, "sum(Pair(x, x))"), (rest_of_a_mapping, {"kind": "a", "x": 1.0}, 'case {"kind": _, **rest}')],
)
def test_what_fails_in_a_model_is_told_of_the_call(function, argument, line):
    with pytest.raises(errors.UnsupportedSyntaxError, match=r"test_errors\.py") as caught:
        grad(function)(argument)
    assert line in str(caught.value)
