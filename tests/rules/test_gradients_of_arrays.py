"""The gradient of every call that a rule for cotangents has as a sample, through the whole pipeline."""

from __future__ import annotations

import importlib.util
import linecache
import pathlib
import sys
import types
import warnings

import numpy as np
import pytest

import s2sad
from s2sad.rules import registered_rules
from s2sad.rules.checks import name_of
from s2sad.rules.core import VjpRule

_spec = importlib.util.spec_from_file_location("rules_array_check", pathlib.Path(__file__).with_name("array_check.py"))
assert _spec is not None
assert _spec.loader is not None
check = importlib.util.module_from_spec(_spec)
sys.modules["rules_array_check"] = check
_spec.loader.exec_module(check)

RULES = [rule for rule in registered_rules() if isinstance(rule, VjpRule) and rule.samples]
CALLS = [(rule.functions[0], text) for rule in RULES for text in rule.samples]
CALLS += [
    (function, rule.samples[0]) for rule in RULES for function in rule.functions[1:] if not name_of(function).endswith("imatmul")
]
NAMES = [f"{name_of(function)}({text})" for function, text in CALLS]


def is_active(x):
    return (isinstance(x, float) and np.isfinite(x)) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")


def program_for(function, sample, is_weighted=True):
    """``def f(x0, x1, …)``: a sum of what the call gives, with weights or without, and the arguments."""
    arguments = []

    def text_of(x):
        if is_active(x):
            arguments.append(x)
            return f"x{len(arguments) - 1}"
        if isinstance(x, np.ndarray):
            return f"np.array({x.tolist()!r})"
        if isinstance(x, list):
            return f"[{', '.join(map(text_of, x))}]"
        if isinstance(x, tuple):
            return f"({''.join(text_of(part) + ', ' for part in x)})"
        if isinstance(x, type):
            return x.__name__ if x is float else f"np.{x.__name__}"
        return "np.inf" if x == np.inf else repr(x)

    given = [text_of(x) for x in sample.arguments]
    named = [f"{key}={text_of(x)}" for key, x in sample.keywords.items()]
    name = name_of(function)
    if isinstance(function, types.GetSetDescriptorType):
        call = f"{given[0]}.{function.__name__}"
    elif name.startswith("np.ndarray."):
        call = f"{given[0]}.{function.__name__}({', '.join(given[1:] + named)})"
    elif name == "operator.matmul":
        call = " @ ".join(given)
    else:
        call = f"{name}({', '.join(given + named)})"
    y = check.call_primal(function, sample.arguments, sample.keywords)
    rng = np.random.default_rng(3)
    if isinstance(y, list | tuple):
        weights = [np.round(rng.normal(size=np.shape(part)), 3).tolist() for part in y]
        total = " + ".join(f"np.sum(np.array({w!r}) * y[{i}])" for i, w in enumerate(weights))
    else:
        weights = np.round(rng.normal(size=np.shape(y)), 3).tolist()
        total = f"np.sum(np.array({weights!r}).reshape({np.shape(y)}) * y)"
    if not is_weighted:
        total = " + ".join(f"np.sum(y[{i}])" for i in range(len(y))) if isinstance(y, list | tuple) else "np.sum(y)"
    return f"def f({', '.join(f'x{i}' for i in range(len(arguments)))}):\n    y = {call}\n    return {total}\n", arguments


def load(text, name="f"):
    filename = f"<sample {abs(hash(text))}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"np": np, "s2sad": s2sad}
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]


def compare_gradient(function, text, is_weighted):
    source, arguments = program_for(function, check.read_sample(text), is_weighted)
    f = load(source)
    found = s2sad.grad(f, argnums=tuple(range(len(arguments))))(*arguments)
    for index, argument in enumerate(arguments):
        expected = check.numeric_adjoint(lambda x, i=index: float(f(*arguments[:i], x, *arguments[i + 1 :])), argument)
        assert np.shape(found[index]) == np.shape(argument)
        np.testing.assert_allclose(found[index], expected, rtol=1e-6, atol=1e-6)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "text"), CALLS, ids=NAMES)
def test_gradients(function, text):
    compare_gradient(function, text, is_weighted=True)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_gradients_of_sums(rule):
    for text in rule.samples if rule.lazy else rule.samples[:2]:
        compare_gradient(rule.functions[0], text, is_weighted=False)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_single_precision(rule):
    function = rule.functions[0]
    source, arguments = program_for(function, check.read_sample(rule.samples[0]))
    f = load(source)
    short = [x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in arguments]
    argnums = tuple(range(len(arguments)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = s2sad.grad(f, argnums=argnums)(*short)
        expected = s2sad.grad(f, argnums=argnums)(*arguments)
    for ours, theirs, argument in zip(found, expected, short, strict=True):
        if isinstance(argument, np.ndarray):
            assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-4)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_second_derivatives(rule):
    """The gradient of a weighted sum over the gradient, by differences of the gradient."""
    source, arguments = program_for(rule.functions[0], check.read_sample(rule.samples[0]))
    names = ", ".join(f"x{i}" for i in range(len(arguments)))
    first = arguments[0]
    weights = f"np.sin(np.arange(1.0, {np.size(first) + 1}.0)).reshape({np.shape(first)})"
    source = source.replace("* y)", "* y * y)")  # so that it is not linear
    source += f"g = s2sad.grad(f)\ndef h({names}):\n    return np.sum({weights} * g({names}))\n"
    h = load(source, "h")
    found = s2sad.grad(h, argnums=tuple(range(len(arguments))))(*arguments)
    for index, argument in enumerate(arguments):
        expected = check.numeric_adjoint(lambda x, i=index: float(h(*arguments[:i], x, *arguments[i + 1 :])), argument)
        np.testing.assert_allclose(found[index], expected, rtol=1e-5, atol=1e-5)
