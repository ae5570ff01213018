"""What emitted text looks like, from IR built by hand."""

from __future__ import annotations

import copy
import math
import operator

import pytest

from s2sad.emit import emit_function, load
from s2sad.ir import operations
from s2sad.ir.effects import PURE, Callee
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Parameter,
    Raise,
    Return,
    Span,
    Value,
    While,
    Yield,
)
from s2sad.ir.types import ANY, BOOL, FLOAT, INT, ArrayType, ListType, TupleType


def var(name, kind=FLOAT):
    return Value(name, kind)


def temp(name="", kind=FLOAT):
    return Value(name, kind, temporary=True)


def call(result, function, *arguments, exact=True, span=None):
    operands = tuple(item if isinstance(item, Value | Constant) else Constant(item) for item in arguments)
    return Call(result, Constant(function), operands, (), span, exact)


def function(parameters, *nodes, end):
    return Function("f", tuple(Parameter(value) for value in parameters), Block(nodes, end))


def text(made, *arguments):
    """The text of the body, after a check that it computes what the IR means."""
    emitted = emit_function(made)
    if arguments:
        compiled = load(emitted, filename="<test>", namespace={"__name__": "m"})
        assert compiled(*copy.deepcopy(arguments)) == interpret(made, arguments)
    header, *lines = emitted.text.split("\n")
    assert header.startswith("def f(")
    return "\n".join(line[4:] for line in lines)


def test_temporaries_fold():
    x, y = var("x"), var("y")
    t, u, v = temp(), temp(), temp()
    made = function(
        [x, y], call(t, operator.add, x, y), call(u, operator.pow, t, 2), call(v, operator.truediv, -1, u), end=Return(v)
    )
    assert text(made, 1.0, 2.0) == "return -1 / (x + y) ** 2"


def test_names_say_what_is_computed():
    z, nu, k, x = var("z"), var("nu"), var("k"), var("x", ListType(FLOAT))
    half, squared, total, sine, item = temp(), temp(), temp(), temp(), temp()
    parts = [half, squared, total, sine, item]
    pairs = [temp() for _ in parts]
    made = function(
        [z, nu, k, x],
        call(half, operator.truediv, z, 2),
        call(squared, operator.pow, z, 2),
        call(total, operator.add, k, nu),
        call(sine, math.sin, z),
        call(item, operator.getitem, x, 0),
        *(call(pair, operations.make_tuple, part, part) for pair, part in zip(pairs, parts, strict=True)),
        call(answer := temp("", ANY), operations.make_tuple, *pairs),
        end=Return(answer),
    )
    names = [line.split(" = ")[0] for line in text(made, 1.0, 2.0, 3.0, [4.0]).split("\n")][:5]
    assert names == ["half_z", "z_squared", "k_plus_nu", "sin_z", "x_0"]


def test_swap_in_a_loop():
    a, b, n = var("a"), var("b"), var("n", INT)
    ap, bp, ar, br = var("a"), var("b"), var("a"), var("b")
    trips, answer = temp("", ANY), temp("", ANY)
    made = function(
        [a, b, n],
        call(trips, range, n),
        For(temp("", INT), trips, (Carried(a, ap, ar), Carried(b, bp, br)), Block((), Yield((bp, ap)))),
        call(answer, operations.make_tuple, ar, br),
        end=Return(answer),
    )
    assert text(made, 1.0, 2.0, 3) == "for _ in range(n):\n    a, b = b, a\nreturn a, b"


def test_break_is_a_guard_and_while_true_has_a_header():
    x, xp, xr, x1 = var("x"), var("x"), var("x"), var("x")
    small = temp("", BOOL)
    made = function(
        [x],
        While(
            Block((), Yield((Constant(True),))),
            (Carried(x, xp, xr),),
            Block(
                (call(x1, operator.truediv, xp, 2), call(small, operator.lt, x1, 1)),
                Branch(small, Block((), Break((x1,))), Block((), Yield((x1,)))),
            ),
        ),
        end=Return(xr),
    )
    assert text(made, 9.0) == "while True:\n    x /= 2\n    if x < 1:\n        break\nreturn x"


def test_while_with_statements_in_its_header():
    n, np_, nr, m, going = var("n", INT), var("n", INT), var("n", INT), var("m", INT), temp("", BOOL)
    n1 = var("n", INT)
    made = function(
        [n],
        While(
            Block((call(m, operator.mul, np_, np_), call(going, operator.gt, m, 10)), Yield((going,))),
            (Carried(n, np_, nr),),
            Block((call(n1, operator.sub, np_, 1),), Yield((n1,))),
        ),
        end=Return(nr),
    )
    assert text(made, 9) == "while True:\n    m = n * n\n    if not m > 10:\n        break\n    n -= 1\nreturn n"


def test_conditional_expressions_and_shortcuts():
    x, y, z = var("x"), var("y"), var("z")
    low, high, both = temp("", BOOL), temp("", BOOL), temp("", BOOL)
    value = temp()
    made = function(
        [x, y, z],
        call(low, operator.lt, x, y),
        If(low, Block((call(high, operator.lt, y, z),), Yield((high,))), Block((), Yield((low,))), (both,)),
        If(both, Block((), Yield((x,))), Block((), Yield((Constant(0.0),))), (value,)),
        end=Return(value),
    )
    assert text(made, 1.0, 2.0, 3.0) == "return x if x < y < z else 0.0"


def test_elif_and_empty_arms():
    x, y0, y1, y2 = var("x"), var("y"), var("y"), var("y")
    small, big = temp("", BOOL), temp("", BOOL)
    inner, outer = var("y"), var("y")
    made = function(
        [x],
        call(y0, operator.mul, x, x),
        call(small, operator.lt, x, 0),
        If(
            small,
            Block((call(y1, operator.neg, y0),), Yield((y1,))),
            Block(
                (
                    call(big, operator.gt, x, 10),
                    If(big, Block((call(y2, operator.sub, y0, 1),), Yield((y2,))), Block((), Yield((y0,))), (inner,)),
                ),
                Yield((inner,)),
            ),
            (outer,),
        ),
        end=Return(outer),
    )
    assert text(made, 11.0) == "y = x * x\nif x < 0:\n    y = -y\nelif x > 10:\n    y -= 1\nreturn y"


def test_unbound_is_not_assigned():
    x, y, c, done = var("x"), var("y"), temp("", BOOL), var("y")
    made = function(
        [x],
        call(c, operator.gt, x, 0),
        If(c, Block((call(y, operator.mul, x, 2),), Yield((y,))), Block((), Yield((UNBOUND,))), (done,)),
        end=Return(done),
    )
    assert text(made, 1.0) == "if x > 0:\n    y = x * 2\nreturn y"
    with pytest.raises(UnboundLocalError):
        load(emit_function(made), filename="<test>", namespace={})(-1.0)


def test_assertion_and_raise():
    x, c, error = var("x"), temp("", BOOL), temp("", ANY)
    raising = Block((call(error, AssertionError, "negative"),), Raise(error))
    made = function([x], call(c, operator.gt, x, 0), If(c, Block((), Yield()), raising), end=Return(x))
    assert text(made, 1.0) == 'assert x > 0, "negative"\nreturn x'


@pytest.mark.parametrize("exact", [True, False])
def test_element_update(exact):
    x, i = var("x", ListType(FLOAT)), var("i", INT)
    element, total, unused = temp(), temp(), temp("", ANY)
    made = function(
        [x, i],
        call(element, operator.getitem, x, i),
        call(total, operator.add, element, 2.5, exact=exact),
        call(unused, operator.setitem, x, i, total),
        end=Return(x),
    )
    assert text(made) == "x[i] += 2.5\nreturn x"


def test_a_store_keeps_earlier_reads_in_front():
    x = var("x", ListType(FLOAT))
    first, unused = temp(), temp("", ANY)
    made = function([x], call(first, operator.getitem, x, 0), call(unused, operator.setitem, x, 0, 1.0), end=Return(first))
    assert text(made, [5.0]) == "x_0 = x[0]\nx[0] = 1.0\nreturn x_0"


def test_slices_are_written_where_they_index():
    u, v = var("u", ArrayType("float64", 1)), var("v", ArrayType("float64", 1))
    inner, part, double, unused = temp("", ANY), temp("", ANY), temp("", ANY), temp("", ANY)
    made = function(
        [u, v],
        call(inner, slice, 1, -1, None),
        call(part, operator.getitem, u, inner),
        call(double, operator.mul, 2, part),
        call(unused, operator.setitem, v, inner, double),
        end=Return(v),
    )
    assert text(made) == "v[1:-1] = 2 * u[1:-1]\nreturn v"


def test_adjoint_code_is_regrouped_and_primal_code_is_not():
    s, a, b = var("s"), var("a"), var("b")
    for exact, want in [(False, "s += a - b\nreturn s"), (True, "s = s + a - b\nreturn s")]:
        t, s1 = temp(), var("s")
        made = function(
            [s, a, b], call(t, operator.add, s, a, exact=exact), call(s1, operator.sub, t, b, exact=exact), end=Return(s1)
        )
        assert text(made, 1.0, 2.0, 4.0) == want


def test_results_are_unpacked():
    x, total, other = var("x"), var("u_bar"), var("k_bar")
    helper = Callee("helper", PURE)
    helper.cell.cell_contents = lambda x: (x, 2 * x)
    pair, first, second = temp("", TupleType((FLOAT, FLOAT))), temp(), temp()
    answer = temp("", ANY)
    made = function(
        [x],
        call(pair, helper, x),
        call(first, operator.getitem, pair, 0),
        call(total, operator.add, x, first),
        call(second, operator.getitem, pair, 1),
        call(other, operator.add, x, second),
        call(answer, operations.make_tuple, total, other),
        end=Return(answer),
    )
    want = "u_bar_part, k_bar_part = helper(x)\nu_bar = x + u_bar_part\nk_bar = x + k_bar_part\nreturn u_bar, k_bar"
    assert text(made, 3.0) == want


def test_user_names_win():
    """A user's `math`, `np` and `s_bar` keep their names; modules and adjoints give way."""
    math_, s_bar, list_ = var("math"), var("s_bar"), var("list")
    sine, bar, items, answer = temp(), temp("s_bar"), temp("", ANY), temp("", ANY)
    made = function(
        [math_, s_bar, list_],
        call(sine, math.sin, math_),
        call(bar, operator.mul, sine, sine),
        call(items, list, ()),
        call(answer, operations.make_tuple, bar, bar, s_bar, items, list_),
        end=Return(answer),
    )
    emitted = emit_function(made)
    assert emitted.text.startswith("def f(math, s_bar, list):")
    assert "import math as math_2" in emitted.imports
    compiled = load(emitted, filename="<test>", namespace={})
    assert compiled(1.0, 2.0, 3.0) == (math.sin(1.0) ** 2, math.sin(1.0) ** 2, 2.0, [], 3.0)


def test_reserved_and_global_names_are_left_alone():
    x, half, loaded, total = var("x"), temp(), temp("", ANY), temp()
    uses = temp("", ANY)
    made = function(
        [x],
        call(half, operator.truediv, x, 2),
        call(loaded, operations.load_global, "half_x"),
        call(total, operator.mul, half, loaded),
        call(uses, operations.make_tuple, half, total),
        end=Return(uses),
    )
    emitted = emit_function(made, reserved=frozenset(["half_x_2"]))
    namespace = {"half_x": 10}
    compiled = load(emitted, filename="<test>", namespace=namespace)
    assert compiled(4.0) == (2.0, 20.0)
    namespace["half_x"] = 100
    assert compiled(4.0) == (2.0, 200.0)
    assert "half_x_3 = x / 2" in emitted.text


def test_a_single_section_has_no_heading():
    x, y = var("x"), var("y")
    marks = [temp("", ANY) for _ in range(3)]
    made = function(
        [x],
        call(marks[0], operations.comment, "forward sweep"),
        call(marks[1], operations.comment, "reverse sweep"),
        call(y, operator.mul, x, x),
        end=Return(y),
    )
    assert text(made, 2.0) == "y = x * x\nreturn y"


def test_source_lines_are_shown_once():
    x, y, z = var("x"), var("y"), var("z")
    span = Span(__file__, 1)
    made = function(
        [x],
        call(y, operator.mul, x, x, span=span),
        call(z, operator.mul, y, y),
        call(w := var("w"), operator.add, z, y, span=Span(__file__, 3)),
        end=Return(w, Span(__file__, 1)),
    )
    lines = text(made, 2.0).split("\n")
    assert lines[0].endswith('# line 1: """What emitted text looks like, from IR built by hand."""')
    assert "#" not in lines[1]
    assert lines[3].endswith("# line 1")
    assert "#" not in emit_function(made, source_lines=False).text


def test_closures_see_the_value_that_they_captured():
    x, x1 = var("x"), var("x")
    inner_x, y, total = var("x"), var("y"), temp()
    add = Function("add", (Parameter(y),), Block((call(total, operator.add, inner_x, y),), Return(total)), (inner_x,))
    made_function, answer = var("add", ANY), temp("", ANY)
    result = Call(answer, made_function, (x1,))
    made = function([x], MakeFunction(made_function, add, (x,)), call(x1, operator.mul, x, 10), result, end=Return(answer))
    assert text(made, 1.0) == "def add(y, x=x):\n    return x + y\nx *= 10\nreturn add(x)"


def test_long_expressions_are_broken_up():
    values = [var(f"long_variable_{index}") for index in range(8)]
    nodes, last = [], values[0]
    for value in values[1:]:
        product, last_ = temp(), temp()
        nodes += [call(product, operator.mul, last, value), call(last_, operator.add, product, value)]
        last = last_
    lines = text(function(values, *nodes, end=Return(last)), *map(float, range(8))).split("\n")
    assert all(len(line) < 120 for line in lines)


def test_a_thousand_statements_take_linear_time():
    """Not by the clock: one variable for a chain of updates, and a line each."""
    x = var("x")
    nodes, last = [], x
    for _ in range(1000):
        following = var("x")
        nodes.append(call(following, operator.mul, last, 1.5))
        last = following
    assert text(function([x], *nodes, end=Return(last))).split("\n") == ["x *= 1.5"] * 1000 + ["return x"]


def test_nested_conditionals_are_not_tried_again_and_again():
    """Forty levels: trying each arm twice at each level would never end."""
    x = var("x")
    block = Block((), Yield((Constant(0.0),)))
    for level in range(40):
        c, result = temp("", BOOL), temp()
        other = temp()
        arm = Block((call(other, operator.mul, x, float(level)),), Yield((other,)))
        block = Block((call(c, operator.lt, x, level), If(c, arm, block, (result,))), Yield((result,)))
    made = function([x], *block.operations, end=Return(block.terminator.values[0]))
    assert text(made, 3.5).count("elif") == 38


def test_strings_and_special_numbers():
    x, answer = var("x"), temp("", ANY)
    constants = ["it's\n\\", b"b", None, True, -2.5, 1e300, math.inf, -math.inf, 2j, (1, (2,)), (), ..., int]
    made = function([x], call(answer, operations.make_tuple, x, *constants), end=Return(answer))
    assert text(made, 1).startswith("return x, ")
