"""What can be read: every stage, the source without arguments, tracebacks and `inspect` through generated code, pickles."""

from __future__ import annotations

import ast
import inspect
import linecache
import math
import os
import pathlib
import pickle
import re
import subprocess
import sys
import traceback

import pytest

import s2sad
from s2sad import errors, grad, show, value_and_grad
from s2sad.pipeline import references

STAGES = ["ir", "types", "prepared", "reverse", "simplified", "source"]


def model(x: float, n: int, scale: float = 2.0) -> float:
    y = x
    for _ in range(n):
        y = scale * math.sin(y)
    return y


def with_helper(x: float) -> float:
    return model(x, 3) * x


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_prints(stage):
    text = show(model, 0.5, 3, stage=stage)
    assert "def model" in text
    assert text == show(model, 0.5, 3, stage=stage)
    assert text == show(grad(model), 0.5, 3, stage=stage)


def test_stages_show_what_they_add():
    assert ": float" not in show(model, 0.5, 3, stage="ir")
    assert "x: float, n: int, scale: float" in show(model, 0.5, 3, stage="types")
    assert "y_bar" in show(model, 0.5, 3, stage="reverse")
    assert "y_bar" not in show(model, 0.5, 3, stage="prepared")
    assert len(show(model, 0.5, 3, stage="simplified")) <= len(show(model, 0.5, 3, stage="reverse"))


def test_show_takes_what_the_function_takes():
    assert show(model, 0.5, n=3) == show(model, 0.5, 3) == grad(model).source(0.5, 3) == grad(model).source(0.5, n=3)
    assert "scale_bar" in show(model, 0.5, 3, argnums="scale")
    assert show(model, 0.5, 3, argnums=(0, 2)) == grad(model, (0, 2)).source(0.5, 3)
    assert show(value_and_grad(model), 0.5, 3) == value_and_grad(model).source(0.5, 3)


@pytest.mark.parametrize("function", [model, with_helper])
def test_the_source_is_a_program(function):
    args = (0.5, 3) if function is model else (0.5,)
    source = grad(function).source(*args)
    space = dict(vars(sys.modules[__name__])) if __name__ in sys.modules else dict(globals())
    exec(source, space)
    name = ast.parse(source).body[-1].name  # type: ignore[attr-defined]
    filled = (*args, 2.0) if function is model else args
    assert space[name](*filled) == grad(function)(*args)


def test_the_source_from_annotations():
    derivative = grad(model)
    assert derivative.source() == derivative.source(0.5, 3)
    assert derivative(0.5, 3) == pytest.approx(central(model, 0.5, 3), rel=1e-8)

    def kinds(
        a: bool, b: int, x: float, c: str, d: complex, e: list[float], f: list, *rest: float, g: float, h=2.0, **more: float
    ):
        return x * g * h * e[0]

    source = grad(kinds, "x").source()
    assert source == grad(kinds, "x").source(True, 1, 1.0, "", 1j, [1.0], [1.0], g=1.0)

    def unknown(x: Nowhere):  # noqa: F821
        return x

    with pytest.raises(errors.NonDifferentiableError, match="'x' is not known"):
        grad(unknown).source()

    def nothing():
        return 1.0

    with pytest.raises(errors.S2sadError):
        grad(nothing).source()


def central(function, x, *rest, h=1e-5):
    return (function(x + h, *rest) - function(x - h, *rest)) / (2 * h)


def generated_function(derivative, *args):
    return derivative.derivative.find(*derivative.derivative.bind(args, {})).function


def test_inspect_shows_generated_code():
    derivative = grad(model)
    derivative(0.5, 3)
    function = generated_function(derivative, 0.5, 3)
    assert inspect.getsource(function).strip() in derivative.source(0.5, 3)
    assert function.__code__.co_filename.startswith("<s2sad ")
    assert "Gradient of model" in inspect.getdoc(function)


def test_tracebacks_show_generated_lines():
    def f(x, n):
        for _ in range(n):
            x = 1.0 / (x - 1.0)
        return x

    derivative = grad(f)
    derivative(3.0, 1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            derivative(1.0, 1)
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert frames[-1].filename.startswith("<s2sad ")
        assert frames[-1].line == "x = 1.0 / x_minus_one"
        assert frames[-1].line in derivative.source(3.0, 1)


def test_lines_name_the_users_lines():
    source = grad(model).source(0.5, 3)
    lines, first = inspect.getsourcelines(model)
    for number, text in re.findall(r"# line (\d+): (.+)", source):
        assert linecache.getline(__file__, int(number)).strip() == text.strip()
        assert first <= int(number) < first + len(lines)
    assert "# line" in source


def test_nothing_is_written_into_the_module_or_the_function():
    before = dict(globals())
    attributes = (model.__code__, model.__defaults__, dict(model.__annotations__), model.__doc__, model.__closure__)
    for derivative in (grad(model), value_and_grad(model, (0, 2)), grad(grad(model))):
        derivative(0.5, 3)
        derivative.source(0.5, 3)
    assert dict(globals()) == before
    assert (model.__code__, model.__defaults__, dict(model.__annotations__), model.__doc__, model.__closure__) == attributes


def test_user_names_like_generated_ones():
    def f(x, y_bar, x_bar, f_adjoint, math, trips, y_saved, s2sad):
        y = x
        for _ in range(3):
            y = y * y * y_bar + x_bar * f_adjoint * math * trips * y_saved * s2sad
        return y

    def g(a, b, c, d, e, p, q, r):
        y = a
        for _ in range(3):
            y = y * y * b + c * d * e * p * q * r
        return y

    args = (0.3, 0.5, 0.7, 1.1, 1.3, 0.2, 0.4, 0.6)
    assert grad(f, tuple(range(8)))(*args) == grad(g, tuple(range(8)))(*args)
    assert grad(f)(*args) == pytest.approx(central(f, *args), rel=1e-7)


# --- pickles --------------------------------------------------------------------------------------------------------------------


class Holder:
    @staticmethod
    def inner(x):
        return x**3

    @grad
    def decorated(x):
        return x**4


@grad
def decorated(x):
    """Documented."""
    return x**3


@value_and_grad(argnums=(0,))
def decorated_with_value(x):
    return x**3


MADE = {
    "grad": lambda: grad(model),
    "argnums": lambda: grad(model, (0, "scale")),
    "value_and_grad": lambda: value_and_grad(model, "x"),
    "second": lambda: grad(grad(model)),
    "third": lambda: grad(grad(grad(model))),
    "decorated": lambda: decorated,
    "decorated_with_value": lambda: decorated_with_value,
    "of decorated": lambda: grad(decorated),
    "static method": lambda: grad(Holder.inner),
    "decorated in a class": lambda: Holder.decorated,
    "rule": lambda: grad(math.sin),
}


@pytest.mark.parametrize("name", MADE)
def test_pickles(name):
    first = MADE[name]()
    second = MADE[name]()  # another derivative of the same function pickles too
    args = (0.5, 3) if first.__code__.co_argcount > 1 else (0.5,)
    expected = first(*args)
    for derivative in (first, second):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(derivative, protocol))(*args) == expected


def test_pickles_in_another_process(tmp_path):
    (tmp_path / "pickled_stages.py").write_text(
        "import math\nfrom s2sad import grad, value_and_grad\n"
        "def f(x, n):\n    for _ in range(n):\n        x = math.sin(x)\n    return x\n"
        "@grad\ndef g(x):\n    return x ** 3\n"
    )
    root = pathlib.Path(s2sad.__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(root)])}
    write = (
        "import pickle, sys, pickled_stages as m; from s2sad import grad, value_and_grad\n"
        "all = [grad(m.f), grad(m.f), value_and_grad(m.f), grad(grad(m.f)), m.g, grad(m.g)]; all[0](0.3, 2)\n"
        "sys.stdout.buffer.write(pickle.dumps(all))"
    )
    read = (
        "import pickle, sys; a, b, c, d, g, h = pickle.loads(sys.stdin.buffer.read())\n"
        "print(repr([a(0.3, 1), b(0.3, 1), c(0.3, 1), d(0.3, 1), g(2.0), h(2.0)]))"
    )
    run = lambda code, given=None: (
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, input=given).stdout
    )
    answer = ast.literal_eval(run(read, run(write)).decode())
    assert answer == [math.cos(0.3), math.cos(0.3), (math.sin(0.3), math.cos(0.3)), -math.sin(0.3), 12.0, 12.0]


def test_what_has_no_name_does_not_pickle():
    for derivative in (grad(lambda x: x * x), grad(grad(lambda x: x * x))):
        assert derivative(3.0) in (6.0, 2.0)
        with pytest.raises((pickle.PicklingError, AttributeError)):
            pickle.dumps(derivative)


@pytest.mark.parametrize("name", ["nothing", "grad(0) of nowhere", "grad of math:sin", "jvp(0) of math:sin", "__path__"])
def test_unknown_names_of_derivatives(name):
    import s2sad.derivatives

    with pytest.raises(AttributeError, match="has no attribute"):
        getattr(s2sad.derivatives, name)


def test_derivatives_are_found_by_name():
    found = references.find("grad(0) of math:sin")
    assert found(0.5) == math.cos(0.5)
    assert references.find("grad(0) of math:sin") is found
