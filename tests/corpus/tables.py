"""Functions kept in lists, dicts and objects outside of the function, or handed over in them."""

import functools
import math
import typing

from tests.corpus.reference import at, collector

ENTRIES = []
add = collector(ENTRIES)


def square(x):
    return x * x


def wave(x):
    return math.sin(x)


def rectified(x):
    return x if x > 0 else 0.0


def squashed(x):
    return math.tanh(x)


FUNCTIONS = [rectified, squashed, square]
BY_NAME = {"square": square, "wave": wave, "squashed": squashed}
OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
RATES = [lambda x, v: v, lambda x, v: -x * v]


class Layer:
    """One number in, one out."""

    def __init__(self, weight, bias, activation):
        self.weight, self.bias, self.activation = weight, bias, activation

    def __call__(self, x):
        return self.activation(self.weight * x + self.bias)


LAYERS = [Layer(1.0, 0.5, squashed), Layer(2.0, -0.3, square), Layer(0.7, 0.1, wave)]
SETTINGS = {"layers": [{"weight": 1.0, "activation": squashed}, {"weight": 2.0, "activation": square}], "last": wave}


class Machine:
    """Looks functions up in what it has, and in what its class has."""

    methods: typing.ClassVar = {"square": square, "wave": wave}
    stages: typing.ClassVar = [square, wave]

    def __init__(self):
        self.own = {"double": self.double, "cube": self.cube}
        self.steps = [squashed, square]

    def double(self, x):
        return x + x

    def cube(self, x):
        return x**3

    def run(self, x):
        for step in self.steps:
            x = step(x)
        return x

    def run_stages(self, x):
        for stage in self.stages:
            x = stage(x) + x
        return x


MACHINE = Machine()


# one after the other


def summed(x):
    total = 0.0
    for function in FUNCTIONS:
        total += function(x)
    return total


add(summed, 0.7)


def composed(x):
    for function in FUNCTIONS:
        x = function(x)
    return x


add(composed, 0.7)


def summed_by_generator(x):
    return sum(function(x) for function in FUNCTIONS)


add(summed_by_generator, 0.7)


def listed(x):
    values = [function(x) for function in FUNCTIONS]
    return values[0] * values[1] - values[2]


add(listed, 0.7)


def reduced(x):
    return functools.reduce(lambda value, function: function(value), FUNCTIONS, x)


add(reduced, 0.7)


def weighted(x):
    return sum(weight * function(x) for weight, function in zip([1.0, 2.0, 3.0], FUNCTIONS, strict=True))


add(weighted, 0.7)


def by_index(x):
    total = 0.0
    for index in range(len(FUNCTIONS)):
        total += index * FUNCTIONS[index](x)
    return total


add(by_index, 0.7)


def from_the_end(x):
    return FUNCTIONS[-1](x) + FUNCTIONS[0](x) * FUNCTIONS[1](x)


add(from_the_end, 0.7)


def unpacked(x):
    first, second, third = FUNCTIONS
    return first(second(third(x)))


add(unpacked, 0.7)


def rates(x, step=0.1):
    v = 0.5
    for _ in range(5):
        slopes = [rate(x, v) for rate in RATES]
        x, v = x + step * slopes[0], v + step * slopes[1]
    return x


add(rates, 0.7)


# by name


def by_name(x, name):
    return BY_NAME[name](x)


add(by_name, at(0.7, "square"), at(0.7, "wave"))


def by_name_or_default(x, name):
    function = BY_NAME.get(name, rectified)
    return function(x) * function(2 * x)


add(by_name_or_default, at(0.7, "square"), at(0.7, "none of them"))


def by_several_names(x, names):
    for name in names:
        x = BY_NAME[name](x) + 0.1 * x
    return x


add(by_several_names, at(0.7, ["square", "squashed", "wave", "square"]), at(0.7, []))


def over_items(x):
    total = 0.0
    for name, function in BY_NAME.items():
        total += function(x) * len(name)
    return total


add(over_items, 0.7)


def over_values(x):
    return sum(function(x) for function in BY_NAME.values())


add(over_values, 0.7)


def over_keys(x):
    result = 1.0
    for name in BY_NAME:
        result *= BY_NAME[name](x)
    return result


add(over_keys, 0.7)


def postfix(x, text):
    stack = []
    for token in text.split():
        if token in OPERATORS:
            second = stack.pop()
            first = stack.pop()
            stack.append(OPERATORS[token](first, second))
        elif token == "x":
            stack.append(x)
        else:
            stack.append(int(token))
    return stack.pop()


add(postfix, at(0.7, "x 3 + x * 2 /"), at(0.7, "x"))


# in objects, and handed over


def over_layers(x):
    for layer in LAYERS:
        x = layer(x)
    return x


add(over_layers, 0.7)


def over_settings(x):
    for layer in SETTINGS["layers"]:
        x = layer["activation"](layer["weight"] * x)
    return SETTINGS["last"](x)


add(over_settings, 0.7)


def over_triples(x, layers):
    for weight, bias, activation in layers:
        x = activation(weight * x + bias)
    return x


add(over_triples, at(0.7, [(1.0, 0.5, squashed), (2.0, -0.3, square)]), at(0.7, [(1.0, 0.5, wave)]))


def handed_over(x, functions):
    return sum(function(x) for function in functions)


add(handed_over, at(0.7, [square, wave]), at(0.7, [wave, wave, square]))


def by_attribute(x):
    return MACHINE.run(x)


add(by_attribute, 0.7)


def by_attribute_of_class(x):
    return MACHINE.run_stages(x)


add(by_attribute_of_class, 0.7)


def by_name_in_class(x, name):
    return Machine.methods[name](x)


add(by_name_in_class, at(0.7, "wave"), at(0.7, "square"))


def by_name_of_method(x, name):
    return MACHINE.own[name](x)


add(by_name_of_method, at(0.7, "cube"), at(0.7, "double"))


def local_table(x, name):
    table = {"square": lambda y: y * y, "wave": lambda y: math.sin(x * y)}
    total = table[name](x)
    for key, function in table.items():
        total += len(key) * function(total)
    return total


add(local_table, at(0.7, "wave"), at(0.7, "square"))


# beside lists of any length


def beside_weights(x, weights):
    for weight, function in zip(weights, FUNCTIONS):
        x = function(weight * x)
    return x


add(beside_weights, at(0.7, [0.5, 0.6]), at(0.7, [0.5, 0.6, 0.7, 0.8]), at(0.7, []), argnums="x")


def beside_two_lists(x, weights, biases):
    for index, (function, weight, bias) in enumerate(zip(FUNCTIONS, weights, biases)):
        if index == 1:
            continue
        x = function(weight * x) + bias
        if x > 5:
            break
    else:
        x = 2 * x
    return x


add(
    beside_two_lists,
    at(0.7, [0.5, 0.6, 2.0], [1.0, 2.0, 3.0]),
    at(0.7, [9.0, 0.6, 2.0], [1.0, 2.0, 3.0]),
    at(0.7, [9.0], [1.0, 2.0]),
    argnums=(0, 1),
)


def beside_what_grows(x):
    weights = []
    for _ in range(4):
        for weight, function in zip(weights, FUNCTIONS):
            x = x + 0.1 * function(weight * x)
        weights.append(x)
    return x


add(beside_what_grows, 0.7)
