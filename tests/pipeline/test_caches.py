"""What is generated is kept as long as it is right, found again where it may be, and let go with what it was made of."""

from __future__ import annotations

import copy
import functools
import gc
import linecache
import math
import sys
import threading
import types
import weakref

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.pipeline import caches
from s2sad.pipeline.generate import Generator


class Payload:
    def __init__(self, k):
        self.k = k


@pytest.fixture
def generated(monkeypatch):
    """The names of the functions for which code is generated, in order."""
    names: list[str] = []
    gradient = Generator.gradient

    def counted(self, function, *args, **kwargs):
        names.append(function.__name__)
        return gradient(self, function, *args, **kwargs)

    monkeypatch.setattr(Generator, "gradient", counted)
    return names


def test_one_run_a_signature(generated):
    def f(x, y):
        return x * y

    derivative = grad(f)
    for _ in range(3):
        assert derivative(2.0, 3.0) == 3.0
        assert derivative(2.0, 3) == 3.0
    assert generated == ["f", "f"]
    assert grad(f)(5.0, 7.0) == 7.0  # another derivative of the same function
    assert grad(f, 0)(5.0, 7.0) == 7.0
    assert generated == ["f", "f"]
    assert grad(f, (0,))(5.0, 7.0) == (7.0,)
    assert grad(f, 1)(5.0, 7.0) == 5.0
    assert value_and_grad(f)(5.0, 7.0) == (35.0, 7.0)
    assert len(generated) == 5


def test_closures_of_one_code_share_what_is_generated(generated):
    def make(factor):
        def f(x):
            return factor * x * x

        return f

    derivatives = [grad(make(float(k))) for k in range(20)]
    assert [derivative(1.0) for derivative in derivatives] == [2.0 * k for k in range(20)]
    assert [derivative(2.0) for derivative in reversed(derivatives)] == [4.0 * k for k in reversed(range(20))]
    assert generated == ["f"]
    assert grad(make(3))(1.0) == 6.0  # an integer: other code
    assert generated == ["f", "f"]


def test_closures_that_capture_helpers(generated):
    def make(helper, factor):
        def f(x):
            def inner(y):
                return helper(y) * factor

            return inner(x) * x

        return f

    square, sine = (lambda y: y * y), (lambda y: math.sin(y))
    first, second = grad(make(square, 2.0)), grad(make(square, 5.0))
    assert (first(1.0), second(1.0)) == (6.0, 15.0)
    assert generated == ["f"]
    third = grad(make(sine, 2.0))
    assert third(0.5) == pytest.approx(2.0 * (math.cos(0.5) * 0.5 + math.sin(0.5)), rel=1e-15)
    assert (first(2.0), second(2.0)) == (24.0, 60.0)  # each has its own helper still


def test_closures_that_capture_objects_of_other_types():
    def make(payload):
        def f(x):
            if isinstance(payload.k, int):
                return 1000.0 * x
            return payload.k * x

        return f

    payloads = [Payload(2.0), Payload(3), Payload(4.0), Payload(True), Payload(5.0)]
    derivatives = [grad(make(payload)) for payload in payloads]
    for _ in range(2):
        assert [derivative(1.0) for derivative in derivatives] == [2.0, 1000.0, 4.0, 1000.0, 5.0]
    payloads[0].k = 7
    assert [derivative(1.0) for derivative in derivatives] == [1000.0, 1000.0, 4.0, 1000.0, 5.0]


def test_closures_that_capture_arrays_and_lists_share_what_is_generated(generated):
    def make(weights, factors):
        def f(x):
            return x * x * len(weights) * factors[0]

        return f

    made = [grad(make(np.zeros(length), [float(length)])) for length in range(2, 9)]
    for _ in range(2):
        assert [derivative(1.0) for derivative in made] == [2.0 * length * length for length in range(2, 9)]
    assert generated == ["f"]
    assert grad(make(np.zeros(3, int), [1.0]))(1.0) == 6.0  # other types: other code
    assert grad(make(np.zeros((3, 3)), [1.0]))(1.0) == 6.0
    assert grad(make(np.zeros(1), [1.0]))(1.0) == 2.0
    assert grad(make(np.zeros(3), [1]))(1.0) == 6.0
    assert generated == ["f"] * 5


def test_what_a_closure_captured_is_not_kept(generated):
    def make(weights):
        def f(x):
            return x * x * len(weights)

        return f

    kept = []
    for _ in range(2):
        weights = np.zeros(1000)
        kept.append(weakref.ref(weights))
        grad(make(weights))(1.0)
    del weights
    gc.collect()
    assert [reference() for reference in kept] == [None, None]
    assert generated == ["f"]


def test_closures_that_capture_closures(generated):
    def make(k, power):
        def helper(y):
            return k * y**power

        def f(x):
            return helper(x) * x

        return f

    derivatives = [grad(make(2.0, 1)), grad(make(3.0, 1)), grad(make(2.0, 2)), grad(make(3, 1.0))]
    for _ in range(2):
        assert [derivative(2.0) for derivative in derivatives] == [8.0, 12.0, 24.0, 12.0]


def test_closures_made_of_closures():
    def make(depth):
        if depth == 0:
            return lambda x: x * 2.0
        inner = make(depth - 1)
        return lambda x: inner(x) * depth

    derivatives = [grad(make(depth)) for depth in range(5)]
    assert [derivative(1.0) for derivative in derivatives] == [2.0 * math.factorial(depth) for depth in range(5)]
    assert [derivative(1.0) for derivative in derivatives] == [2.0 * math.factorial(depth) for depth in range(5)]


def test_a_cell_that_changes_its_type():
    factor: object = 2.0

    def f(x):
        return factor * x if factor is not None else 100.0 * x

    derivative = grad(f)
    for value, expected in [(2.0, 2.0), (3, 3.0), (5.0, 5.0), (None, 100.0), (7.0, 7.0), (True, 1.0)]:
        factor = value
        assert derivative(1.0) == expected


def test_a_cell_that_is_empty_and_filled():
    def f(x):
        return later * x  # noqa: F821

    derivative = grad(f)
    with pytest.raises(NameError):
        derivative(1.0)
    later = 4.0
    assert derivative(1.0) == 4.0
    del later
    with pytest.raises(NameError):
        derivative(1.0)


def test_two_functions_of_one_name_and_one_text():
    functions = []
    for k in (2.0, 3.0):
        text = f"def same(x):\n    return {k} * x\n"
        filename = f"<same {k}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
        space: dict[str, object] = {"__name__": "same_module"}
        exec(compile(text, filename, "exec"), space)
        functions.append(space["same"])
    derivatives = [grad(function) for function in functions]
    assert [derivative(1.0) for derivative in derivatives] == [2.0, 3.0]
    assert [derivative(1.0) for derivative in derivatives] == [2.0, 3.0]


def test_one_code_in_two_modules():
    text = "def same(x):\n    return K * x\n"
    linecache.cache["<shared code>"] = (len(text), None, text.splitlines(keepends=True), "<shared code>")
    code = compile(text, "<shared code>", "exec")
    spaces: list[dict[str, object]] = [{"__name__": f"module_{k}", "K": k} for k in (2.0, 3.0, 5)]
    for space in spaces:
        exec(code, space)
    derivatives = [grad(space["same"]) for space in spaces]
    assert [derivative(1.0) for derivative in derivatives] == [2.0, 3.0, 5.0]
    assert [derivative(1.0) for derivative in derivatives] == [2.0, 3.0, 5.0]
    assert [grad(d)(1.0) for d in derivatives] == [0.0, 0.0, 0.0]
    for space in spaces:
        assert set(space) == {"__name__", "__builtins__", "K", "same"}  # nothing was written


def test_a_helper_in_a_module_that_is_replaced():
    module = types.ModuleType("helpers_of_the_test")
    module.helper = lambda x: x * x

    def f(x):
        return module.helper(x)

    derivative = grad(f)
    assert derivative(3.0) == 6.0
    module.helper = lambda x: 5.0 * x
    assert derivative(3.0) == 5.0
    module.helper = math.sqrt
    assert derivative(4.0) == 0.25
    del module.helper
    with pytest.raises(AttributeError, match="helpers_of_the_test has no attribute 'helper'"):
        derivative(4.0)


@pytest.mark.parametrize("in_modules", [True, False])  # globals of a module, and of a namespace that no module has
def test_globals_that_change(in_modules, monkeypatch):
    text = "def f(x):\n    return helper(x) * scale\n"
    linecache.cache["<changing globals>"] = (len(text), None, text.splitlines(keepends=True), "<changing globals>")
    module = types.ModuleType("changing_globals")
    if in_modules:
        monkeypatch.setitem(sys.modules, module.__name__, module)
    space = vars(module)
    exec(compile(text, "<changing globals>", "exec"), space)
    space.update(helper=lambda x: x * x, scale=2.0)
    derivative = grad(space["f"])
    assert derivative(3.0) == 12.0
    space["scale"] = 3
    assert derivative(3.0) == 18.0
    space["helper"] = lambda x: 5.0 * x
    assert derivative(3.0) == 15.0
    del space["helper"]
    with pytest.raises(NameError, match="helper"):  # not an error of the check itself
        derivative(3.0)
    space["helper"] = math.sqrt
    assert derivative(4.0) == 0.75
    del space["scale"]
    with pytest.raises(NameError):
        derivative(4.0)


def test_globals_that_have_the_names_of_attributes_of_modules(monkeypatch):
    text = "def f(x):\n    return x * __doc__(x) * __class__(x)\n"
    linecache.cache["<module attributes>"] = (len(text), None, text.splitlines(keepends=True), "<module attributes>")
    module = types.ModuleType("module_attributes")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    vars(module).update(__doc__=math.sqrt, __class__=math.exp)
    exec(compile(text, "<module attributes>", "exec"), vars(module))
    derivative = grad(vars(module)["f"])
    for _ in range(2):
        assert derivative(4.0) == pytest.approx((4 * 2 + 2 + 4 * 0.25) * math.exp(4.0), rel=1e-15)
    vars(module)["__class__"] = lambda x: 2 * x
    assert derivative(4.0) == pytest.approx(2 * 2.5 * 4.0**1.5, rel=1e-15)


def test_local_names_like_those_of_the_entry():
    def f(x, s2sad_int_0=1.0):
        s2sad_math_0 = math.sin(x)
        __s2sad_dispatch = s2sad_math_0 * s2sad_math_0
        return math.cos(__s2sad_dispatch) * s2sad_int_0

    derivative = grad(f)
    for _ in range(2):
        expected = -math.sin(math.sin(0.3) ** 2) * math.sin(0.6)
        assert derivative(0.3) == pytest.approx(expected, rel=1e-14)
        assert derivative(0.3, 2.0) == pytest.approx(2 * expected, rel=1e-14)


@pytest.mark.parametrize("default", [0.1, 1e-320, math.inf, -math.inf, 3, True])
def test_defaults_that_are_literals_or_not(default):
    def f(x, k=default):
        return x * k

    derivative = value_and_grad(f)
    for _ in range(2):
        assert derivative(1.0) == (default, default)
        assert derivative(2.0, 3.0) == (6.0, 3.0)


def test_defaults_that_change(generated):
    def helper(x, k=2.0):
        return x * k

    def f(x, n=3):
        return helper(x) ** n

    derivative = grad(f)
    assert derivative(1.0) == 24.0
    f.__defaults__ = (2,)
    assert grad(f)(1.0) == 8.0
    assert derivative(1.0) == 8.0
    helper.__defaults__ = (1.0,)
    assert derivative(1.0, 3) == 3.0
    assert grad(f)(1.0) == 2.0


def test_code_that_changes():
    def f(x):
        return 2.0 * x

    def g(x):
        return 3.0 * x

    derivative = grad(f)
    assert derivative(1.0) == 2.0
    f.__code__ = g.__code__
    assert derivative(1.0) == 3.0
    assert grad(f)(1.0) == 3.0


@pytest.mark.parametrize("is_recursive", [True, False])
def test_functions_let_go_are_forgotten(is_recursive):
    def make(k):
        payload = Payload(k)

        def recursive(x, n=2):
            return x if n == 0 else recursive(x, n - 1) * payload.k

        def plain(x):
            return x * payload.k * payload.k

        f = recursive if is_recursive else plain
        return f, weakref.ref(payload), weakref.ref(f)

    references = []
    for k in range(6):
        f, payload, function = make(float(k))
        assert grad(f)(1.0) == k * k
        assert grad(grad(f))(1.0) == 0.0
        references += [payload, function]
    del f
    gc.collect()
    assert [reference() for reference in references] == [None] * 12


def test_generated_text_is_let_go_with_its_function():
    def texts() -> int:
        gc.collect()
        assert grad(lambda x: 2.0 * x)(1.0) == 2.0  # what is gone is forgotten when the next function is loaded
        return sum(name.startswith("<s2sad ") for name in linecache.cache)

    before = texts()

    def use():
        for k in range(10):
            space: dict[str, object] = {"__name__": "let_go"}
            text = f"def f(x):\n    return {k} * x\n"
            linecache.cache[f"<let go {k}>"] = (len(text), None, text.splitlines(keepends=True), f"<let go {k}>")
            exec(compile(text, f"<let go {k}>", "exec"), space)
            assert grad(space["f"])(1.0) == k
            del linecache.cache[f"<let go {k}>"]

    use()
    assert texts() <= before + 1


def test_what_is_kept_for_a_function_is_not_copied_to_another():
    def f(x):
        return 2.0 * x

    assert grad(f)(1.0) == 2.0

    @functools.wraps(f)
    def g(x):
        return 5.0 * f(x)

    assert grad(g)(1.0) == 10.0
    assert grad(f)(1.0) == 2.0
    copied = copy.deepcopy(f.__dict__)
    assert all(not value for value in copied.values())


def test_alternating_signatures_leave_nothing_behind():
    def f(x, pair):
        return x * pair[0]

    derivative = grad(f)
    for _ in range(5):
        derivative(1.0, (2.0, 3.0)), derivative(1.0, (2, 3))
    values = derivative.derivative._entry.values
    before = len(values.named), len(values.elements)
    for _ in range(50):
        assert derivative(1.0, (2.0, 3.0)) == 2.0
        assert derivative(1.0, (2, 3)) == 2.0
    assert (len(values.named), len(values.elements)) == before


def test_keyword_only_defaults_that_change():
    def f(x, *, k=2.0):
        return x * k

    derivative = grad(f)
    assert (derivative(1.0), derivative(1.0, k=5.0)) == (2.0, 5.0)
    f.__kwdefaults__["k"] = 3.0
    assert (derivative(1.0), derivative(1.0, k=2.0)) == (3.0, 2.0)
    f.__kwdefaults__ = {"k": 4}
    assert (derivative(1.0), derivative(1.0, k=2.0)) == (4.0, 2.0)


def test_the_caches_are_bounded():
    def f(x, n):
        return x * len(n)

    derivative = grad(f)
    for count in range(caches.MOST_SIGNATURES + 20):
        if count % 60 == 0 or count > caches.MOST_SIGNATURES:
            derivative(1.0, (1,) * count)
    assert len(derivative.derivative._loaded) <= caches.MOST_SIGNATURES
    assert len(caches._of_closures) <= caches.MOST_SIGNATURES


# --- threads --------------------------------------------------------------------------------------------------------------------


def in_threads(*works) -> None:
    failures: list[BaseException] = []
    barrier = threading.Barrier(len(works))

    def run(work):
        try:
            barrier.wait(30)
            work()
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    assert failures == []


def test_threads_race_on_the_first_call(generated):
    def f(x):
        for _ in range(3):
            x = math.sin(x) * 2.0
        return x

    derivative = grad(f)
    results: list[float] = []
    in_threads(*[lambda: results.append(derivative(0.3))] * 8)
    assert len(results) == 8
    assert len(set(results)) == 1
    assert generated == ["f"]


def test_two_threads_with_two_signatures_alternate():
    def f(x, k):
        return k * x * x if isinstance(k, int) else k * x

    derivative = grad(f)

    def work(k, expected):
        for _ in range(200):
            assert derivative(3.0, k) == expected

    in_threads(
        *[functools.partial(work, k, expected) for k, expected in [(2, 12.0), (2.0, 2.0), (5, 30.0), (7.0, 7.0)]],
    )


def test_threads_while_a_helper_is_redefined():
    module = types.ModuleType("redefined")
    module.helper = first = lambda x: 2.0 * x
    second = lambda x: 3.0 * x

    def f(x):
        return module.helper(x) * 1.0

    derivative = grad(f)
    stop = threading.Event()

    def redefine():
        for k in range(40):
            module.helper = first if k % 2 else second
        stop.set()

    def call():
        while not stop.is_set():
            assert derivative(1.0) in (2.0, 3.0)

    in_threads(redefine, call, call)
    module.helper = first
    assert derivative(1.0) == 2.0
    module.helper = second
    assert derivative(1.0) == 3.0


def applied(function, x):
    return function(x) * 5.0


def squared_by(factor):
    """The closure is read by the nested function, which another function calls."""
    return grad(lambda v: applied(lambda w: w * w * factor, v))


def test_another_closure_reaches_what_other_functions_call():
    for factor in (1.5, 2.0, 0.5):
        assert squared_by(factor)(1.0) == 10.0 * factor
    assert "factor" in squared_by(3.0).source(1.0)
