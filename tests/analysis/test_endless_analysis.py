"""An analysis that does not come to an end is refused, and what stops the machine is not taken for the program's fault."""

import re

import pytest

from s2sad import grad
from s2sad.analysis.fuse_iterators import FusionError
from s2sad.analysis.infer_types import Inference
from s2sad.analysis.resolve_calls import Resolver
from s2sad.errors import UnsupportedSyntaxError


def square(x):
    return x * x


def test_a_function_that_is_rewritten_again_and_again_is_refused(monkeypatch):
    def run(inference):
        raise FusionError(inference.definition)

    monkeypatch.setattr(Inference, "run", run)
    with pytest.raises(UnsupportedSyntaxError, match=re.escape("the analysis of square() does not come to an end")) as caught:
        grad(square).source(1.0)
    assert "def square(x):" in str(caught.value)


@pytest.mark.parametrize("error", [TimeoutError("time is over"), MemoryError("memory is full")])
def test_errors_of_the_machine_are_handed_on(monkeypatch, error):
    def resolve(resolver, call):
        raise error

    monkeypatch.setattr(Resolver, "resolve", resolve)
    with pytest.raises(type(error), match=str(error)):
        grad(square).source(1.0)
