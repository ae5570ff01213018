"""What Python warns of when it compiles the user's text does not stop generated code under ``-W error``."""

import linecache
import warnings

import pytest

from s2sad import value_and_grad

SOURCE = """
def f(x, n):
    if n is 1:
        return x * x
    return x
"""


@pytest.mark.filterwarnings("error")
def test_a_warning_of_the_compiler_is_given_once():
    filename = "<function with a comparison that Python warns of>"
    linecache.cache[filename] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), filename)
    namespace = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(SOURCE, filename, "exec", dont_inherit=True), namespace)
    assert value_and_grad(namespace["f"])(3.0, 1) == (9.0, 6.0)
    assert value_and_grad(namespace["f"])(3.0, 2) == (3.0, 1.0)
