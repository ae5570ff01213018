# ruff: noqa: E501
"""Item 4: calls, arguments, closures, recursion, functions as values."""

import functools
import itertools
import math
import operator

from s2sad import grad
from tests.corpus import neighbour
from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)
scale_of_the_module = 1.5


def helper(x, y=2.0, *, power=2):
    return x**power * y


def keywords_and_defaults(x):
    return helper(x) + helper(y=x, x=3.0) + helper(x, power=3) + helper(x, 4.0, power=1)


add(keywords_and_defaults, 1.2, derivative=lambda x: 4 * x + 9 + 6 * x * x + 4)


def defaults(x, scale=2.0, *, power=3):
    return scale * x**power


add(defaults, 1.5, at(1.5, 1.0, power=2), at(1.5, scale=4.0))
add(defaults, (1.5, 3.0), argnums=("x", "scale"), name="argnums_by_name")


def positional_only(x, /, y, *, z):
    return x * y * z


add(positional_only, at(1.5, 2.0, z=3.0), argnums=(0, "y"))


def star_arguments(x, *rest, **options):
    y = x
    for r in rest:
        y = y * r + x
    return y * options.get("gain", 1.0)


add(star_arguments, at(2.0, 3.0, 4.0, gain=0.5), at(2.0), at(2.0, gain=3.0))
add(star_arguments, at(2.0, 3.0, 4.0, gain=0.5), argnums=1, name="star_argument_asked_for", derivative=lambda *a, **k: 4.0)


def collected(*values, **named):
    total = 0.0
    for value in values:
        total += value * value
    for name, value in named.items():
        total *= value + len(name)
    return total


def star_calls(x, y):
    pair = (x, y)
    options = {"a": x, "bb": y}
    return collected(*pair) + collected(x, *[y, x], y) + collected(*pair, **options) + collected(*pair, a=y, **{"c": x})


add(star_calls, (0.7, 1.2), argnums=(0, 1))


def passes_on(*arguments, **keywords):
    return helper(*arguments, **keywords) * collected(*arguments)


def star_through(x):
    return passes_on(x, x * x, power=3)


add(star_through, 0.9)


def factorial_like(x, n):
    return x if n == 0 else n * x * factorial_like(x, n - 1)


add(factorial_like, (0.7, 0), (0.7, 4))


def recursion_in_two_places(x, n):
    if n == 0:
        return x
    return math.sin(recursion_in_two_places(x, n - 1)) + 0.1 * recursion_in_two_places(x, n - 2 if n > 1 else 0) * x


add(recursion_in_two_places, (0.7, 0), (0.7, 4))


def even(x, n):
    return x if n == 0 else math.sin(odd(x, n - 1))


def odd(x, n):
    return x * x if n == 0 else even(x, n - 1) * x


add(even, (0.7, 4), (0.7, 3), name="mutual_recursion")


def depth_on_data(x):
    if x > 10.0:
        return x
    return depth_on_data(x * x + 1.0) / 2.0


add(depth_on_data, 0.5, 3.5)


def nested_recursion(x, n):
    def walk(y, k):
        if k == 0:
            return y * x
        return walk(math.cos(y), k - 1) + y

    return walk(x, n)


add(nested_recursion, (0.7, 3))


def tree_sum(tree):
    if isinstance(tree, (list, tuple)):
        return sum(tree_sum(part) for part in tree)
    return tree * tree


add(tree_sum, [1.0, (2.0, [3.0]), []], derivative=lambda tree: [2.0, (4.0, [6.0]), []])


def nested_functions(x):
    def square(z):
        return z * z

    def twice(function, z):
        return function(function(z)) + z

    return twice(square, x) * square(x)


add(nested_functions, 1.1, derivative=lambda x: 6 * x**5 + 3 * x * x)


def closure_over_active(x, y):
    product = x * y

    def inner(z):
        return product * z + x

    return inner(y) + inner(x)


add(closure_over_active, (1.1, 0.6), argnums=(0, 1))


def closure_bound_anew(x):
    factor = x

    def inner(z):
        return factor * z

    first = inner(x)
    factor = x * x
    return first + inner(x)


add(closure_bound_anew, 1.1, derivative=lambda x: 2 * x + 3 * x * x)


def late_binding(x):
    functions = []
    for k in range(3):
        functions.append(lambda z: z ** (k + 1) * x)
    return sum(function(x) * (i + 1) for i, function in enumerate(functions))


add(late_binding, 0.9, derivative=lambda x: 24 * x**3)


def early_binding(x):
    functions = [lambda z, k=k, y=k * x: z**k + y for k in range(3)]
    return sum(function(x) for function in functions)


add(early_binding, 0.9, derivative=lambda x: 1 + 2 * x + 3)


def nonlocal_inside(x):
    total = x

    def push(z):
        nonlocal total
        total = total * z + x
        return total

    push(x)
    push(2.0)
    return total


add(nonlocal_inside, 1.5, derivative=lambda x: 4 * x + 3)


def counter(x):
    def make():
        count = 0.0

        def step(by):
            nonlocal count
            count += by
            return count

        return step

    first, second = make(), make()
    first(x)
    second(x * x)
    return first(x) * second(1.0)


add(counter, 1.5, derivative=lambda x: 2 * (x * x + 1) + 2 * x * 2 * x)


def nonlocal_in_a_loop(x):
    state = 1.0

    def step(k):
        nonlocal state
        state = state * x + k
        return state > 20.0

    for k in range(10):
        if step(k):
            break
    return state


add(nonlocal_in_a_loop, 1.3, 0.5)


def compose(*functions):
    def composed(x):
        for function in functions:
            x = function(x)
        return x

    return composed


def functions_as_results(x):
    return compose(math.sin, lambda y: y * x, math.exp)(x)


add(functions_as_results, 0.7)
add(compose(math.sin, math.exp, lambda x: x * x), 0.7, name="made_by_compose",
    derivative=lambda x: 2 * math.exp(2 * math.sin(x)) * math.cos(x), smooth=False)  # fmt: skip


def chosen_function(x, name):
    table = {"sin": math.sin, "square": lambda y: y * y, "helper": helper}
    function = table[name] if name in table else abs
    return function(x) * x


add(chosen_function, (0.7, "sin"), (0.7, "square"), (0.7, "helper"), (-0.7, "other"))


def function_argument(x, function):
    return function(function(x)) * x


add(function_argument, (0.7, math.sin), (0.7, helper), (0.7, lambda y: y * 3.0), smooth=False,
    derivative=lambda x, f: {math.sin: math.sin(math.sin(x)) + x * math.cos(math.sin(x)) * math.cos(x), helper: 5 * 8 * x**4}.get(f, 18 * x))  # fmt: skip


def reduced(xs):
    return functools.reduce(lambda acc, v: acc * acc + v, xs, 0.5 * xs[0])


add(reduced, [1.0, 2.0, 3.0], [0.4])


def reduced_without_start(xs):
    return functools.reduce(operator.mul, xs) + functools.reduce(max, xs)


add(reduced_without_start, [1.0, 2.5, 0.5])


def mapped(xs, ys):
    total = sum(map(math.sin, xs))
    for product in map(lambda a, b: a * b, xs, ys):
        total += product
    doubled = list(map(helper, xs))
    return total * doubled[0] + sum(filter(lambda v: v > 1.0, ys))


add(mapped, ([1.0, 0.3], [0.4, 2.0]), argnums=(0, 1))


def extremes(x, y, items):
    return max(x, y, 0.3) * min(items) + max(items) ** 2 + min(x, y) + max([x, y], key=lambda v: -v) + max([], default=x)


add(extremes, (0.7, 1.2, [3.0, -1.0, 2.0]), (0.1, -0.2, [0.5]), argnums=(0, 1, 2))


def summed(xs):
    return sum(xs) + sum(xs, 3.0) * sum(x * x for x in xs) + sum([x for x in xs if x > 0]) + sum(range(4)) + sum([])


add(summed, [1.0, -2.0, 0.5], [])


def quantifiers(x, items):
    total = x
    if any(item > 2.0 for item in items):
        total *= 2.0
    if all(items):
        total *= x
    if all(item > x for item in items):
        total += 1.0 / (1.0 + x)
    return total


add(quantifiers, (0.7, [1.0, 3.0]), (0.7, []), (0.7, [0.0]), (0.7, [0.5]))


def sorted_by_keys(x, words):
    total = x
    for k, word in enumerate(sorted(words, key=len, reverse=True)):
        total = total * x + k * len(word)
    return total


add(sorted_by_keys, (0.7, ["a", "ccc", "bb"]))


def comprehension_calls(xs):
    values = [helper(x, k) for k, x in enumerate(xs)]
    return sum(even(v, 2) for v in values) + {k: helper(x) for k, x in enumerate(xs)}[1]


add(comprehension_calls, [0.3, 0.8, 0.5])


def partial_inside(x):
    cube = functools.partial(helper, power=3)
    add_to = functools.partial(lambda a, b: a + b * b, x)
    return cube(x) + add_to(3.0 * x)


add(partial_inside, 0.7, derivative=lambda x: 6 * x * x + 1 + 18 * x)


def operators_as_functions(x, y):
    pick = operator.itemgetter(1)
    return operator.mul(x, y) + operator.pow(x, 2) - operator.neg(y) + operator.truediv(x, y) + pick([x, y])


add(operators_as_functions, (0.7, 1.3), argnums=(0, 1))


def returns_several(x, y):
    return x * y, (x + y, [x, 2.0])


def uses_several(x):
    product, (total, parts) = returns_several(x, 3.0)
    return product * total + parts[0] * parts[1]


add(uses_several, 0.7, derivative=lambda x: 3 * (x + 3) + 3 * x + 2)


def returns_none_sometimes(x, limit):
    if x > limit:
        return None
    return x * x


def uses_none(x):
    first = returns_none_sometimes(x, 1.0)
    return x if first is None else first


add(uses_none, 0.7, 1.7)


def mutable_default(x, memory=[]):
    total = x
    for item in memory:
        total += item
    return total * x


add(mutable_default, 0.7, derivative=lambda x: 2 * x)


def helper_in_a_loop(x, n):
    t = 0.0
    for k in range(n):
        x = x + 0.01 * right_hand_side(t, x, k)
        t += 0.01
    return x


def right_hand_side(t, x, k):
    return math.sin(t) - x * x if k % 2 else -x


add(helper_in_a_loop, (0.7, 30), (0.7, 0))


def accumulated(xs):
    total = 0.0
    for partial_sum in itertools.accumulate([1, 2, 3]):
        total = total * xs[0] + partial_sum
    for a, b in itertools.product([1, 2], repeat=2):
        total += a * xs[1] ** b
    return total


add(accumulated, [0.5, 0.8])


def unused_and_shadowing_parameters(x, math=2.0, helper=3.0):
    return x * math * helper


add(unused_and_shadowing_parameters, 0.5, derivative=lambda x: 6.0)


def immediately_called(x):
    return (lambda y, z: y * z * x)(x, (lambda: x + 1.0)())


add(immediately_called, 0.5, derivative=lambda x: 3 * x * x + 2 * x)


def three_levels(x):
    def a(y):
        def b(z):
            def c():
                return x * y * z

            return c() + z

        return b(y * x)

    return a(x + 1.0)


add(three_levels, 0.5, -1.3)


# What the free names of a nested function mean does not depend on where it is called


GAIN = 7.0


def amplified(x):
    return GAIN * x * x


def names_of_the_module_that_made_it(x):
    return neighbour.apply(lambda v: v * v * GAIN, x)


add(names_of_the_module_that_made_it, 0.7)


def function_of_the_module_that_made_it(x):
    def inner(v):
        return amplified(v) * GAIN

    return neighbour.apply(inner, x)


add(function_of_the_module_that_made_it, 0.7)


def names_in_what_is_reduced(x):
    return functools.reduce(lambda total, part: amplified(total) + GAIN * part, [x, x * x, math.sin(x)])


add(names_in_what_is_reduced, 0.7)


def names_in_what_is_mapped_and_sorted(x):
    largest = sorted(map(lambda v: amplified(v) + GAIN, [x, x * x, -x]), key=lambda v: -amplified(v))[0]
    return largest + max([x, 2 * x], key=lambda v: amplified(v) * GAIN)


add(names_in_what_is_mapped_and_sorted, 0.7)


def derivative_of_what_another_module_applies(x):
    return grad(lambda v: neighbour.apply(lambda w: w * w * GAIN * x, v))(x)


add(derivative_of_what_another_module_applies, 0.7, 1.3, derivative=lambda x: 4 * 5.0 * GAIN * x, smooth=False)


class Held:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def getters_of_several(x):
    rows = [(2, "b", x), (1, "a", x * x), (1, "b", 3.0 * x)]
    rows.sort(key=operator.itemgetter(0, 1))
    first, place = operator.itemgetter(2, 0)(rows[0])
    total = sum(a * b for a, b in map(operator.itemgetter(0, 2), [(x, 1, x * x), (2.0, 1, x)]))
    held = Held(x, Held(x * x, 3.0))
    a, b = operator.attrgetter("a", "b.a")(held)
    return total + first * place + rows[1][2] * a * b + operator.attrgetter("b.a")(held) * x


add(getters_of_several, 0.7)
