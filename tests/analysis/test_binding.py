"""Arguments of calls go where Python puts them."""

import inspect

import pytest

from s2sad.analysis.binding import Packed, bind_arguments
from s2sad.ir.nodes import Constant, Parameter, Value
from s2sad.ir.operations import make_dict, make_tuple

KINDS = inspect.Parameter


def parts_of(bound):
    """What is bound, with the values of constants."""
    return [(item.function, [part.value for part in item.operands]) if isinstance(item, Packed) else item.value for item in bound]


@pytest.mark.parametrize("name", ["args", "kwargs"])
def test_a_keyword_may_have_the_name_of_a_parameter_with_a_star(name):
    parameters = [Parameter(Value("args"), KINDS.VAR_POSITIONAL), Parameter(Value("kwargs"), KINDS.VAR_KEYWORD)]
    bound = bind_arguments("f", parameters, [Constant(1.0)], [(name, Constant(2.0))], {})
    assert parts_of(bound) == [(make_tuple, [1.0]), (make_dict, [name, 2.0])]


def test_a_keyword_may_have_the_name_of_a_positional_only_parameter():
    parameters = [Parameter(Value("x"), KINDS.POSITIONAL_ONLY), Parameter(Value("kwargs"), KINDS.VAR_KEYWORD)]
    bound = bind_arguments("f", parameters, [Constant(1.0)], [("x", Constant(2.0))], {})
    assert parts_of(bound) == [1.0, (make_dict, ["x", 2.0])]
