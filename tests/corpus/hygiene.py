"""Item 7: names that generated code might use itself, and functions of the same name."""

import math
import math as np

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)

x_saved, s_bar, seed = 2.0, 3.0, 5.0


def generated_names(d, s):
    s_bar = d * s
    s_saved = [s_bar]
    x_bar = s_bar + d
    for k in range(3):
        s *= s_bar * 0.5
        s_saved.append(s)
    s_bar_2, d_bar = s_saved.pop(), 2.0
    return s_bar_2 * x_bar + d_bar * s_saved[1]


add(generated_names, (0.7, 1.2), argnums=(0, 1))


def names_of_modules(x):
    math_ = math.sin(x)
    np_ = np.cos(x)

    def inner(math, np):
        return math * np * x

    return inner(math_, np_)


add(names_of_modules, 0.7)


def module_names_as_arguments(np, operator, functools):
    for s2sad in range(3):
        np = np * operator + functools * s2sad
    return np


add(module_names_as_arguments, (0.7, 1.2, 0.3), argnums=(0, 1, 2))


def builtins_shadowed(items):
    sum = 0.0
    len = 2
    range = [0, 1]
    list = []
    for max in range:
        sum = sum + items[max] ** 2 / len
        list.append(sum)
    abs = float = reversed = list[-1]
    return sum * abs


add(builtins_shadowed, [1.0, -2.0])


def underscores(_, __):
    for _ in [_, __]:
        _ = _ * __
    for _k in range(3):
        __ *= _
    return _ * __


add(underscores, (0.7, 1.2), argnums=(0, 1))


def value_and_grad_as_names(grad, value, adjoint, primal, pullback, tape):
    grad_bar = grad * value
    value_bar = adjoint * primal + grad_bar
    while value_bar < 10.0:
        value_bar = value_bar * pullback + tape
    return value_bar * grad_bar


add(value_and_grad_as_names, (0.7, 1.2, 0.3, 2.0, 1.6, 0.5), argnums=(0, 1, 2, 3, 4, 5))


def globals_with_generated_names(x):
    s = x * s_bar
    for _ in range(2):
        s = s * x_saved * x
    return s * seed


add(globals_with_generated_names, 0.7, derivative=lambda x: 3 * 60 * x * x)


def numbered(x, x_1, x_2):
    x = x * x_1
    x_1 = x * x_2
    x = x_1 * x
    x_1_bar = x * x_2
    x_2 = x_1_bar + x
    t_1 = x_2 * x_1
    return t_1 * x


add(numbered, (0.7, 1.2, 0.3), argnums=(0, 1, 2))


def primes(x, lamda, self, cls, args, kwargs, result, t, i):
    for i in range(2):
        t = t * x + lamda
    result = self * cls + args * kwargs * t
    return result * i


add(primes, (0.7, 1.2, 0.3, 0.4, 0.5, 0.6, 0.1, 2.0, 0), argnums=tuple(range(8)))


def twins():
    def twin(x):
        return x * x

    first = twin

    def twin(x):
        return x * x * x

    return first, twin


add(twins()[0], 0.7, name="first_of_one_name", derivative=lambda x: 2 * x)
add(twins()[1], 0.7, name="second_of_one_name", derivative=lambda x: 3 * x * x)


def calls_twins(x):
    first, second = twins()
    return first(x) + second(x) * forward(x)


def forward(x):
    return x


add(calls_twins, 0.7)


def local_named_like_the_function(local_named_like_the_function):
    return local_named_like_the_function**2


add(local_named_like_the_function, 0.7, derivative=lambda x: 2 * x)


def unicode_names(α, größe):
    Δ = α * größe
    return Δ * α


add(unicode_names, (0.7, 1.2), argnums=(0, 1))


class Private:
    __rate = 3.0

    def __hidden(self, x):
        return x * self.__rate

    def energy(self, x):
        __local = self.__hidden(x)
        return __local * x


add(Private().energy, 0.7, name="mangled_names", derivative=lambda x: 6 * x)
