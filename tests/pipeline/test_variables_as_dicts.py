"""Variables of modules, classes and functions that are written and read by way of dicts, or by names made when the program runs.

All programs compute ``2 * x``: those that hand an active number on in this way are refused, the others have the derivative 2.
"""

import builtins
import sys
from collections.abc import Callable, Iterator

import pytest

from s2sad import grad
from s2sad.errors import S2sadError

factor = 2.0
count = 0
made = 1.0
builtins.range_of = 1.0
table = {"factor": 2.0}
numbers = [1.0]
this = sys.modules[__name__]


class Shared:
    factor = 2.0

    @classmethod
    def put(cls, value):
        cls.factor = value


shared = Shared()


def scaled(x, by=2.0):
    return by * x


def scaled_by_name(x, *, by=2.0):
    return by * x


def plain(x):
    return x


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    globals().update(factor=2.0, count=0, made=1.0)
    builtins.range_of = 1.0
    numbers[:] = [1.0]
    table["factor"] = 2.0
    Shared.factor = 2.0
    vars(shared).clear()
    vars(plain).clear()
    scaled.__defaults__ = (2.0,)
    scaled_by_name.__kwdefaults__ = {"by": 2.0}


def stored_in_globals(x):
    globals()["factor"] = x
    return factor * 2


def read_from_globals(x):
    globals()["factor"] = x
    return globals()["factor"] * 2


def updated_globals(x):
    variables = globals()
    variables.update(factor=x)
    return factor * 2


def merged_globals(x):
    variables = globals()
    variables |= {"factor": x}
    return factor * 2


def globals_by_default(x):
    del globals()["made"]
    globals().setdefault("made", x)
    return made * 2


def popped_from_globals(x):
    globals()["made"] = x
    return globals().pop("made") * 2


def stored_in_vars(x):
    vars(this)["factor"] = x
    return factor * 2


def stored_in_dict_of_module(x):
    this.__dict__["factor"] = x
    return factor * 2


def attribute_of_module(x):
    this.factor = x
    return factor * 2


def attribute_of_module_by_name(x):
    for name in ("factor",):
        setattr(this, name, x)
    return factor * 2


def method_of_module(x):
    this.__setattr__("factor", x)
    return factor * 2


def bound_method_of_module(x):
    put = this.__setattr__
    put("factor", x)
    return factor * 2


def module_among_modules(x):
    sys.modules[__name__].factor = x
    return factor * 2


def globals_of_function(x):
    plain.__globals__["factor"] = x
    return factor * 2


def name_of_builtins(x):
    builtins.range_of = x
    return range_of * 2  # noqa: F821


def container_in_globals(x):
    globals()["numbers"][0] = x
    return numbers[0] * 2


def container_by_name(x):
    for name in ("numbers",):
        getattr(this, name)[0] = x
    return numbers[0] * 2


def container_among_modules(x):
    sys.modules[__name__].table["factor"] = x
    return table["factor"] * 2


def _put(name, value):
    globals()[name] = value


def _put_factor(value):
    this.factor = value


def _get():
    return factor


def _get_from_globals():
    return globals()["factor"]


def put_by_callee(x):
    _put("factor", x)
    return factor * 2


def put_and_got_by_callees(x):
    _put_factor(x)
    return _get() * 2


def got_from_globals_by_callee(x):
    _put_factor(x)
    return _get_from_globals() * 2


def put_by_nested_function(x):
    variables = globals()

    def put():
        variables["factor"] = x

    put()
    return factor * 2


def executed_in_globals(x):
    exec("global factor; factor = value", globals(), {"value": x})
    return factor * 2


def executed_in_dict(x):
    variables = {"x": x}
    exec("y = 2 * x", variables)
    return variables["y"]


def executed_in_dict_without_numbers(x):
    variables: dict[str, float] = {}
    exec("y = 2.0", variables)
    return variables["y"] * x


def defaults_of_function(x):
    scaled.__defaults__ = (x,)
    return scaled(2.0)


def defaults_by_keyword(x):
    scaled_by_name.__kwdefaults__ = {"by": x}
    return scaled_by_name(2.0)


def dict_of_defaults(x):
    scaled_by_name.__kwdefaults__["by"] = x
    return scaled_by_name(2.0)


def defaults_without_numbers(x):
    scaled.__defaults__ = (2.0,)
    return scaled(x)


def dict_of_function(x):
    plain.__dict__["factor"] = x
    return plain.factor * 2


def attribute_in_dict_of_function(x):
    plain.factor = x
    return plain.__dict__["factor"] * 2


def class_by_method_of_type(x):
    type.__setattr__(Shared, "factor", x)
    return shared.factor * 2


def class_in_vars(x):
    Shared.put(x)
    return vars(Shared)["factor"] * 2


def class_in_dict(x):
    Shared.put(x)
    return Shared.__dict__["factor"] * 2


def class_by_name(x):
    Shared.put(x)
    found = [getattr(shared, name) for name in ("factor",)]
    return found[0] * 2


def instance_by_name(x):
    for name in ("factor",):
        setattr(shared, name, x)
    return shared.factor * 2


@pytest.mark.parametrize(
    "function",
    [
        stored_in_globals,
        read_from_globals,
        updated_globals,
        merged_globals,
        globals_by_default,
        popped_from_globals,
        stored_in_vars,
        stored_in_dict_of_module,
        attribute_of_module,
        attribute_of_module_by_name,
        method_of_module,
        bound_method_of_module,
        module_among_modules,
        globals_of_function,
        name_of_builtins,
        container_in_globals,
        container_by_name,
        container_among_modules,
        put_by_callee,
        put_and_got_by_callees,
        got_from_globals_by_callee,
        put_by_nested_function,
        executed_in_globals,
        executed_in_dict,
        executed_in_dict_without_numbers,
        defaults_of_function,
        defaults_by_keyword,
        dict_of_defaults,
        defaults_without_numbers,
        dict_of_function,
        attribute_in_dict_of_function,
        class_by_method_of_type,
        class_in_vars,
        class_in_dict,
        class_by_name,
        instance_by_name,
    ],
)
def test_what_goes_through_a_variable_by_another_way_is_refused(function: Callable[[float], float]) -> None:
    """None of these has a derivative of zero."""
    with pytest.raises(S2sadError, match=r"test_variables_as_dicts\.py"):
        grad(function)(1.7)
    assert function(1.7) == 3.4


def passive_store(x):
    globals()["factor"] = 2.0
    return factor * x


def counted(x):
    globals()["count"] = globals()["count"] + 1
    this.count = this.count + 1
    return this.factor * x


def read_by_other_ways(x):
    return vars(this)["factor"] * x + globals()["table"]["factor"] * x - getattr(sys.modules[__name__], "factor") * x


def noted_only(x):
    globals()["made"] = x * x
    this.made = x * x
    plain.made = x * x
    return factor * x


def looked_for(x):
    return factor * x if "factor" in globals() else x


def read_from_class(x):
    return vars(Shared)["factor"] * x + Shared.__dict__["factor"] * x - shared.__class__.factor * x


@pytest.mark.parametrize("function", [passive_store, counted, read_by_other_ways, noted_only, looked_for, read_from_class])
def test_what_no_derivative_goes_through_is_as_good_as_ever(function: Callable[[float], float]) -> None:
    """Numbers that do not depend on the input, and notes that nobody reads."""
    assert grad(function)(1.7) == pytest.approx(2.0, rel=1e-12)
