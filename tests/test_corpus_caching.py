"""Derivatives follow what they were made from: globals, helpers, closures, defaults, types; threads and processes share them."""

import gc
import linecache
import math
import os
import pathlib
import pickle
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest

import s2sad
from s2sad import grad, rule, value_and_grad
from s2sad.rules.core import REGISTRY
from tests.corpus import caching

RATE = 2.0


def helper(x):
    return x * x


def uses_rate(x):
    return RATE * x * x


def uses_helper(x):
    return helper(x) * x


def uses_helper_of_helper(x):
    return uses_helper(x) + 1.0


def test_globals_are_live(monkeypatch):
    derivative = grad(uses_rate)
    assert derivative(1.0) == 4.0
    monkeypatch.setitem(globals(), "RATE", 5.0)
    assert derivative(1.0) == 10.0
    monkeypatch.setitem(globals(), "RATE", 3)
    assert derivative(1.0) == 6.0
    assert grad(uses_rate)(1.0) == 6.0


def test_a_redefined_helper_is_noticed(monkeypatch):
    derivative, deep = grad(uses_helper), grad(uses_helper_of_helper)
    assert (derivative(2.0), deep(2.0)) == (12.0, 12.0)
    monkeypatch.setitem(globals(), "helper", lambda x: 5.0 * x)
    assert (derivative(2.0), deep(2.0)) == (20.0, 20.0)
    monkeypatch.setitem(globals(), "helper", math.sin)
    assert derivative(2.0) == pytest.approx(math.sin(2.0) + 2.0 * math.cos(2.0))


def test_a_helper_whose_code_was_replaced(monkeypatch):
    def first(x):
        return x * x

    def second(x):
        return x * x * x

    def f(x):
        return first(x)

    derivative = grad(f)
    assert derivative(2.0) == 4.0
    first.__code__ = second.__code__
    assert derivative(2.0) == 12.0


def test_a_closure_changed_between_calls():
    factor = 2.0

    def f(x):
        return factor * x * x

    derivative = grad(f)
    assert derivative(1.0) == 4.0
    factor = 7.0
    assert derivative(1.0) == 14.0

    table = {"k": 1.0}

    def g(x):
        return table["k"] * x

    derivative = grad(g)
    assert derivative(1.0) == 1.0
    table["k"] = -1.0
    assert derivative(1.0) == -1.0


def test_a_captured_function_changed_between_calls():
    inner = math.sin

    def f(x):
        return inner(x)

    derivative = grad(f)
    assert derivative(0.5) == math.cos(0.5)
    inner = lambda x: x * 3.0
    assert derivative(0.5) == 3.0


def test_closures_made_in_a_loop():
    made = [(lambda k: lambda x: k * x)(k) for k in (-1, -2, 1, 1.0, True)]
    assert [grad(f)(0.5) for f in made] == [-1.0, -2.0, 1.0, 1.0, 1.0]
    late = []
    for k in (-1, -2):
        late.append(lambda x: k * x)
    assert [grad(f)(0.5) for f in late] == [-2.0, -2.0]


def test_equal_hashes_do_not_meet():
    def f(x, n):
        return n * x

    derivative = grad(f)
    assert [derivative(0.5, n) for n in (-1, -2, -1.0, True, 1)] == [-1.0, -2.0, -1.0, 1.0, 1.0]

    class Same:
        def __init__(self, k):
            self.k = k

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 7

        def __call__(self, x):
            return self.k * x

    assert [grad(Same(k))(0.5) for k in (2.0, 3.0)] == [2.0, 3.0]
    assert [grad(lambda x, s: s(x))(0.5, Same(k)) for k in (2.0, 3.0)] == [2.0, 3.0]


def test_mutable_and_changed_defaults():
    def f(x, k=2.0):
        return k * x

    derivative = grad(f)
    assert derivative(1.0) == 2.0
    f.__defaults__ = (9.0,)
    assert derivative(1.0) == 9.0


def test_an_attribute_changed_between_calls():
    class Model:
        k = 2.0

        def energy(self, x):
            return self.k * x

    model = Model()
    derivative = grad(model.energy)
    assert derivative(1.0) == 2.0
    model.k = 5.0
    assert derivative(1.0) == 5.0
    Model.energy = lambda self, x: self.k * x * x
    assert grad(model.energy)(1.0) == 10.0


def test_argument_types_change_between_calls():
    derivative = grad(caching.any_types)
    for _ in range(2):
        assert derivative(0.5, 2) == pytest.approx(0.75)
        assert derivative(2, 2) == pytest.approx(12.0)
        assert derivative(0.5, 2.0) == pytest.approx(0.75)
        assert derivative(0.5, 2, "abc", True) == pytest.approx(2.25)
        assert derivative(0.5, 2, flag=True, label="abc") == pytest.approx(2.25)


def test_containers_of_other_shapes_between_calls():
    def f(items):
        total = 0.0
        for item in items:
            total += item * item if not isinstance(item, list) else item[0]
        return total

    derivative = grad(f)
    assert derivative([1.0, 2.0]) == [2.0, 4.0]
    assert derivative([1.0]) == [2.0]
    assert derivative([]) == []
    assert derivative((1.0, 2.0)) == (2.0, 4.0)
    assert derivative([1.0, [2.0]]) == [2.0, [1.0]]
    assert derivative([1, 2.0]) == [2.0, 4.0]


def test_subclasses_of_numbers():
    import numpy as np

    class Celsius(float):
        pass

    try:  # a subclass may compute as it likes: right, or refused
        assert grad(lambda x: x * x)(Celsius(3.0)) == 6.0
    except s2sad.errors.S2sadError as error:
        assert "Celsius" in str(error)  # noqa: PT017
    assert grad(lambda x: x * x)(np.float64(3.0)) == 6.0
    assert isinstance(grad(lambda x: x * x)(np.float32(3.0)), np.float32)


def test_threads_race_on_the_first_call():
    def make(k):
        def f(x):
            total = 0.0
            for i in range(5):
                total = math.sin(total + x * k) * (i + 1)
            return total

        return f

    for _ in range(5):
        f = make(1.5)
        expected = grad(make(1.5))(0.3)
        derivative, results, barrier = grad(f), [], threading.Barrier(8)

        def work():
            barrier.wait()
            results.extend(derivative(0.3) for _ in range(20))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [expected] * 160


def test_threads_with_arguments_of_their_own():
    def f(x, k):
        for _ in range(5):
            x = math.sin(x) * k
        return x

    derivative = grad(f)
    alone = {k: grad(f)(0.3, k) for k in (1.0, 1.5, 2, 2.5)}
    wrong = []

    def work(k):
        wrong.extend(k for _ in range(50) if derivative(0.3, k) != alone[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in alone for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@grad
def decorated(x, n=3):
    """Documented."""
    return x**n


@pytest.mark.parametrize(
    "make",
    [lambda: grad(uses_helper), lambda: value_and_grad(uses_helper, (0,)), lambda: grad(grad(uses_helper)), lambda: decorated],
)
def test_pickling(make):
    derivative = make()
    expected = derivative(2.0)
    assert pickle.loads(pickle.dumps(derivative))(2.0) == expected


def test_use_in_another_process(tmp_path):
    module = tmp_path / "pickled_model.py"
    module.write_text("import math\n\ndef model(x, n):\n    for _ in range(n):\n        x = math.sin(x)\n    return x\n")
    root = pathlib.Path(s2sad.__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(root)])}
    write = (
        "import pickle, sys, s2sad, pickled_model as m; d = s2sad.grad(m.model); d(0.3, 2)\n"
        "sys.stdout.buffer.write(pickle.dumps(d))"
    )
    read = "import pickle, sys; d = pickle.loads(sys.stdin.buffer.read()); print(repr(d(0.3, 2)))"
    pickled = subprocess.run([sys.executable, "-c", write], env=environment, check=True, capture_output=True).stdout
    answer = subprocess.run([sys.executable, "-c", read], env=environment, check=True, capture_output=True, input=pickled).stdout
    assert float(answer) == pytest.approx(math.cos(math.sin(0.3)) * math.cos(0.3), rel=1e-15)


def test_a_module_edited_and_reloaded(tmp_path, monkeypatch):
    import importlib
    import linecache

    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "edited_corpus_module.py"
    path.write_text("def model(x):\n    return 2.0 * x\n")
    importlib.invalidate_caches()
    module = importlib.import_module("edited_corpus_module")
    assert grad(module.model)(1.5) == 2.0
    path.write_text("\n\ndef model(x):\n    y = x * x\n    return 3.0 * y  # edited\n")
    linecache.checkcache()
    importlib.invalidate_caches()
    module = importlib.reload(module)
    assert grad(module.model)(1.5) == 9.0
    sys.modules.pop("edited_corpus_module")


def test_source_from_linecache_as_notebooks_do():
    import linecache

    derivatives = []
    for number, body in enumerate(["x * x", "x * x * x"]):
        text = f"def cell(x):\n    return {body}\n"
        filename = f"<ipython-input-{number}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
        space = {"__name__": "__main__"}
        exec(compile(text, filename, "exec"), space)
        derivatives.append(grad(space["cell"])(2.0))
    assert derivatives == [4.0, 12.0]


def test_doctests():
    import doctest

    text = textwrap.dedent("""
        >>> def f(x):
        ...     return x * x * x
        >>> from s2sad import grad
        >>> grad(f)(2.0)
        12.0
        >>> grad(lambda x: x * 2)(2.0)
        2.0
    """)
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, "notebook", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_nothing_is_written_into_the_users_module():
    before = {name: id(value) for name, value in globals().items()}
    value_and_grad(uses_helper_of_helper)(2.0)
    grad(grad(uses_helper_of_helper))(2.0)
    assert {name: id(value) for name, value in globals().items()} == before


def test_source_is_the_same_each_time():
    first = grad(uses_helper_of_helper).source(2.0)
    assert first == grad(uses_helper_of_helper).source(2.0)
    code = (
        "from tests import test_corpus_caching as m; from s2sad import grad\n"
        "print(grad(m.uses_helper_of_helper).source(2.0), end='')"
    )
    root = str(pathlib.Path(s2sad.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": "77"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert other.stdout == first


def test_the_derivative_looks_like_the_primal():
    import inspect

    assert decorated.__name__ == "decorated"
    assert decorated.__doc__ == "Documented."
    assert str(inspect.signature(decorated)) == "(x, n=3)"
    assert decorated.primal(2.0) == 8.0
    assert decorated(2.0, n=2) == 4.0


def test_closures_do_not_leak():
    class Big:
        pass

    references = []
    for k in range(5):
        big = Big()
        big.k = float(k)

        def f(x, big=None, captured=big):
            return captured.k * x

        assert grad(f)(1.0) == k
        references.append(weakref.ref(big))
        del big, f
    gc.collect()
    assert sum(reference() is not None for reference in references) <= 1


def _square(y):
    return y * y


def _itself(y):
    return y


class _Holder:
    apply = staticmethod(_square)


def _applied(z):
    return _Holder.apply(z) * z


_applied_adjoint = grad(_applied)


def test_a_derivative_of_a_derivative_notices_what_changed(monkeypatch):
    def with_nested(x):
        return grad(lambda z: _Holder.apply(z) * z)(x) * x

    def with_global(x):
        return _applied_adjoint(x) * x

    second, third = grad(grad(_applied)), grad(grad(grad(_applied)))
    derivatives = [second, third, grad(with_nested), grad(with_global)]
    cubed = [12.0, 6.0, 36.0, 36.0]  # z**3 at 2, 3 * x**3 at 2
    assert [derivative(2.0) for derivative in derivatives] == cubed
    monkeypatch.setattr(_Holder, "apply", staticmethod(_itself))
    assert [derivative(2.0) for derivative in derivatives] == [2.0, 0.0, 8.0, 8.0]  # z**2, 2 * x**2
    monkeypatch.setattr(_Holder, "apply", staticmethod(_square))
    assert [derivative(2.0) for derivative in derivatives] == cubed


def test_a_derivative_in_a_closure_reads_what_that_captured():
    def with_lambda(x):
        return grad(lambda y: grad(lambda z: z * z * x)(2.0) * y)(3.0)

    def with_functions(x):
        def outer(y):
            def inner(z):
                return z * z * x

            return grad(inner)(2.0) * y

        return grad(outer)(3.0)

    def in_two_steps(x):
        def outer(y):
            def middle(w):
                return value_and_grad(lambda z: z * z * x)(2.0)[1] * w

            return middle(y) * y

        return grad(outer)(0.5)

    def made(k):
        def f(x):
            return grad(lambda z: z * z * k)(x) * x  # 2 * k * x**2

        return f

    for factor in (1.0, 2.5, 3):
        assert with_lambda(factor) == with_functions(factor) == in_two_steps(factor) == 4.0 * factor
        f = made(factor)
        assert (f(1.0), grad(f)(1.0), grad(grad(f))(1.0)) == (2.0 * factor, 4.0 * factor, 4.0 * factor)


def _bisected(a):
    low, high = 0.0, abs(a)
    for _ in range(60):
        middle = (low + high) / 2
        if middle**3 + middle < a:
            low = middle
        else:
            high = middle
    return high


def test_a_rule_that_is_declared_later():
    def squared(a):
        return _bisected(a) ** 2

    def power(x, n=2.0):
        return x**n

    derivatives = [grad(_bisected), grad(squared), grad(grad(_bisected))]
    of_power = grad(power, argnums=(0, 1))
    before = [derivative(10.0) for derivative in derivatives]  # of the end of an interval that was halved
    assert of_power(3.0) == of_power(3.0, 2.0) == (6.0, 9.0 * math.log(3.0))

    @rule.pointwise(_bisected)
    def bisected_partial(x, a):
        return 1 / (3 * x * x + 1)

    @rule.pointwise(power)
    def power_partials(y, x, n):
        return 100.0 * n, 0.0

    try:
        assert [d(10.0) for d in derivatives] == pytest.approx([1 / 13, 4 / 13, -12 / 13**3], rel=1e-12)
        assert grad(_bisected)(10.0) == derivatives[0](10.0)
        assert of_power(3.0) == (200.0, 0.0)
        assert of_power(3.0, 3.0) == of_power(3.0, n=3.0) == (300.0, 0.0)
    finally:
        REGISTRY.remove(bisected_partial)
        REGISTRY.remove(power_partials)
    assert [derivative(10.0) for derivative in derivatives] == before


@pytest.mark.parametrize(("key", "container"), [(0, [math.sin]), (1, {1: math.sin}), (None, {None: math.sin})])
def test_a_function_in_a_container_by_index_or_key(key, container):
    def f(x):
        return container[key](x)

    derivative = grad(f)
    assert derivative(0.0) == 1.0
    container[key] = math.exp
    assert derivative(1.0) == math.e


def test_a_global_that_hides_a_built_in_function_later():
    namespace = {"__name__": "hides_later"}
    filename = "<hides later>"
    text = "def f(x):\n    return abs(x) * max(x, 1.0)\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), namespace)
    derivative = grad(namespace["f"])
    assert derivative(-2.0) == -1.0
    namespace["abs"] = lambda x: x * x
    assert derivative(-2.0) == -4.0
    del namespace["abs"]
    assert derivative(-2.0) == -1.0
    namespace["max"] = min
    assert derivative(-2.0) == 4.0
