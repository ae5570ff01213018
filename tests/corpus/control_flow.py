"""Item 3: branches, loops, and every way to leave them."""

import math

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)


def chosen(x):
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        y = math.sin(x)
    else:
        y = -3.0 * x
    return y * x


add(chosen, 1.5, 0.4, -0.7)


def bound_in_one_branch(x):
    if x > 0.0:
        extra = x * x
    y = 3.0 * x
    if x > 0.0:
        y = y + extra * x
    return y


add(bound_in_one_branch, 1.5, -2.0, derivative=lambda x: 3 + 3 * x * x if x > 0 else 3.0)


def bound_in_the_loop_only(x, n):
    for k in range(n):
        last = x**k * math.cos(x)
    if n > 0:
        return last * x
    return x


add(bound_in_the_loop_only, (0.7, 0), (0.7, 1), (0.7, 4))


def bound_in_a_nested_branch(x, a, b):
    if a:
        if b:
            inner = math.exp(x)
        outer = x * x
    total = x
    if a and b:
        total += inner * outer
    elif a:
        total *= outer
    return total


add(bound_in_a_nested_branch, (0.3, True, True), (0.3, True, False), (0.3, False, True))


def conditional_expression(x, limit):
    y = x * x if x > limit else 3.0 * x
    z = math.sin(y) if y < 2.0 else (math.cos(y) if y < 5.0 else 1.0)
    return y * z


add(conditional_expression, (0.5, 0.0), (1.9, 1.0), (2.5, 1.0), (0.5, 1.0))


def values_of_or_and_and(x, y):
    first = x or y
    second = x and y * x
    third = (x > 1.0 and x * y) or math.sin(x)
    return first * 2.0 + second + third


add(values_of_or_and_and, (0.5, 2.0), (1.5, 0.3), argnums=(0, 1))
add(values_of_or_and_and, (0.0, 2.0), argnums=1, name="values_of_or_and_and_at_zero", derivative=lambda x, y: 2.0, smooth=False)


def short_circuit(x, items):
    total = x
    if len(items) > 2 and items[2] > 0.0:
        total = total * items[2]
    if not items or items[0] < 0.0:
        total = total + x * x
    return total


add(short_circuit, (1.3, []), (1.3, [1.0]), (1.3, [1.0, 2.0, 3.0]), (1.3, [-1.0, 2.0, -3.0]))


def chained_comparison(x):
    count = 0.0
    for k in range(-3, 4):
        if -1 < k * x <= 2 < 10:
            count += k * x * x
    return count


add(chained_comparison, 0.8, 1.7)


def newton(a):
    x = a if a > 1 else 1.0
    while True:
        step = (x - a / x) / 2
        if abs(step) < 1e-12:
            break
        x -= step
    return x


add(newton, 2.0, 0.3, rtol=1e-7, derivative=lambda a: 0.5 / math.sqrt(a), smooth=False)


def series(x):
    total, term, k = 0.0, 1.0, 0
    while abs(term) > 1e-15:
        total += term
        k += 1
        term *= x / k
    return total


add(series, 1.0, -0.7, derivative=math.exp, rtol=1e-12)


def while_never_entered(x):
    while x > 100.0:
        x = x * 2.0
    return x * x


add(while_never_entered, 3.0, derivative=lambda x: 2 * x)


def while_on_data(x):
    count = 0
    while x < 20.0:
        x = x * x + 0.5
        count += 1
    return x / count


add(while_on_data, 0.9, 1.7)


def while_with_everything(x):
    n = 0
    total = 0.0
    while n < 12:
        n += 1
        if n % 3 == 0:
            continue
        total += math.sin(n * x)
        if total > 1.6:
            total *= x
            break
        elif total < -1.0:
            return total * x * x
    else:
        total = total * total
    return total + n * x


add(while_with_everything, 0.9, 0.2, -0.8, 3.05)


def break_and_continue(x):
    total = 0.0
    for k in range(1, 20):
        term = x**k / k
        if k == 3:
            continue
        if term < 0.05:
            break
        total = total + term
    return total


add(break_and_continue, 0.6, 0.85)


def break_out_of_the_inner_only(x):
    total = 0.0
    for i in range(4):
        for j in range(5):
            if i * j > 5:
                break
            if j == i:
                continue
            total += x ** (i + 1) * math.cos(j * x)
        total *= 1.1
    return total


add(break_out_of_the_inner_only, 0.7)


def return_from_deep_inside(x, limit):
    y = x
    for i in range(3):
        for j in range(3):
            while y < 50.0:
                y = y * x + i + j
                if y > limit:
                    if i == 1:
                        return y * y
                    return y * x
            y = y / 10.0
        y = math.sqrt(1.0 + y)
    return y


add(return_from_deep_inside, (1.3, 4.0), (1.3, 48.0), (1.3, 1e9), (2.0, 30.0))


def return_in_each_arm(x, y):
    if x < 0.0:
        return -x * y
    elif y < 0.0:
        return x * y * y
    z = x * y
    for _ in range(3):
        z = z + x
        if z > 5.0:
            return z * z
    return z


add(return_in_each_arm, (-1.0, 2.0), (1.0, -2.0), (2.0, 2.0), (0.5, 1.0), argnums=(0, 1))


def loop_else(x, limit):
    y = x
    for _ in range(4):
        y = y * x
        if y > limit:
            y = y + 10.0 * x
            break
    else:
        y = y * y
    return y


add(
    loop_else,
    (1.5, 4.0),
    (1.5, 100.0),
    derivative=lambda x, limit: 4 * x**3 + 10 if limit < 50 else 10 * x**9,
)


def nested_loop_else(x):
    total = 0.0
    for n in range(2, 12):
        for d in range(2, n):
            if n % d == 0:
                break
        else:
            total += x**n
            if n > 6:
                continue
            total *= x
    else:
        total += 1.0 / x
    return total


add(nested_loop_else, 0.9, 1.1)


def while_else(x):
    n = 0
    while n < 3:
        n += 1
        if n * x > 4.0:
            break
    else:
        return x * n
    return x**n


add(while_else, 1.2, 1.7)


def zero_trips(x, n):
    y = x * x
    for _ in range(n):
        y = math.sin(y) * x
    return y


add(zero_trips, (1.3, 0), (1.3, 2), (1.3, -4))


def zero_trips_inside(x, counts):
    total = 1.0
    for n in counts:
        part = x
        for _ in range(n):
            part = part * math.cos(part)
        total = total * part
    return total


add(zero_trips_inside, (0.8, [0, 2, 0, 1]), (0.8, []), (0.8, [3]))


def loop_variable_as_number(x):
    s = 0.0
    for k in range(1, 5):
        s = s + k * x**k
    return s * k


add(loop_variable_as_number, 0.5, derivative=lambda x: 4 * (1 + 4 * x + 9 * x * x + 16 * x**3))


def loop_variable_after_break(x):
    for k in range(100):
        if x**k < 0.3:
            break
    for i in range(k):
        x = x + i * x * x
    return x * k * i


add(loop_variable_after_break, 0.6)


def loop_variable_rebound_in_the_body(x):
    total = 0.0
    for k in range(4):
        k = k * x
        total += k * k
    return total * k


add(loop_variable_rebound_in_the_body, 0.6, derivative=lambda x: 14 * 3 * 3 * x * x)


def loop_variable_shadows_the_argument(x):
    for x in [x, 2.0 * x, x * x]:
        y = x + 1.0
    x = y * x
    return x


add(loop_variable_shadows_the_argument, 1.5, derivative=lambda x: 4 * x**3 + 2 * x)


def ranges(x, n):
    total = 0.0
    for k in range(n, 0, -1):
        total = total * x + k
    for k in range(1, 2 * n, 2):
        total += math.sin(k * x)
    for k in range(5, n):
        total *= k * x
    for k in range(n, -n, -3):
        total += x**2 / (k * k + 1)
    return total


add(ranges, (0.7, 0), (0.7, 3), (0.7, 7))


def bounds_of_the_outer_loop(x):
    total = 0.0
    for i in range(5):
        row = 1.0
        for j in range(i):
            for k in range(j, i, 2):
                row = row * x + k
        total = total + row * row
    return total


add(bounds_of_the_outer_loop, 0.4)


def bounds_changed_in_the_loop(x, n):
    total = x
    for k in range(n):
        n = n - 1
        total = total * x + n
    return total


add(bounds_changed_in_the_loop, (0.8, 5))


def over_list_and_tuple(xs, ws):
    total = 0.0
    for x in xs:
        total += x * x
        for w in ws:
            total *= w + x
    return total


add(over_list_and_tuple, ([1.0, -0.5, 0.3], (0.4, 1.2)), ([], (1.0,)), ([2.0], ()), argnums=(0, 1))


def over_dicts(table):
    total = 1.0
    for key in table:
        total += table[key] * len(key)
    for value in table.values():
        total *= value
    for key, value in table.items():
        if key != "skipped":
            total += math.sin(value)
    return total


add(over_dicts, {"a": 1.5, "bb": 0.3, "skipped": -0.8})


def over_a_string(x, word):
    total = 0.0
    for letter in word:
        if letter == "a":
            total += x
        elif letter in "bc":
            total *= x
        else:
            total = total + ord(letter) * 0.001 * x
    return total


add(over_a_string, (1.3, "abacad"), (1.3, ""))


def enumerate_zip_reversed(xs, ys):
    total = 0.0
    for k, (x, y) in enumerate(zip(xs, ys), 1):
        total += x * y**k
    for x in reversed(xs):
        total = total * 0.5 + x * x
    for k, y in reversed(list(enumerate(ys))):
        total += k * y
    return total


add(enumerate_zip_reversed, ([1.0, 2.0, 3.0], [2.0, 0.5, 1.5]), ([1.0, 2.0], [0.4, 0.5, 0.6]), argnums=(0, 1))


def over_any_iterator(x, words):
    total = 0.0
    for word, n in sorted(words.items()):
        total += n * x ** len(word)
    for n in map(int, "123"):
        total += n * x
    for n in {1, 2, 3}:
        total *= 1 + x / n
    for n in (k * k for k in range(3)):
        total += n * x
    return total


add(over_any_iterator, (0.7, {"b": 2, "aa": 3}))


def carried_nonlinear(x):
    a = 0.3 * x
    for _ in range(5):
        a = math.tanh(a * x) + math.exp(-a)
    return a


add(carried_nonlinear, 0.8)


def rotating(x):
    a, b, c = x, x * x, 2.0
    for _ in range(5):
        a, b, c = b, c, a
    return a * x + b * b * c


add(rotating, 1.1, derivative=lambda x: 2 + 4 * x**3)


def swaps_under_a_condition(x, y):
    for k in range(7):
        if x > y:
            x, y = y, x * 0.9
        else:
            x = x * x + 0.1 * k
    return x - y * y


add(swaps_under_a_condition, (0.5, 0.8), (1.4, 0.2), argnums=(0, 1))


def fibonacci_like(x):
    a, b = 1.0, x
    for _ in range(10):
        a, b = b, a + b * x
    return b / a


add(fibonacci_like, 0.6)


def logistic(r, x):
    for _ in range(50):
        x = r * x * (1.0 - x)
    return x


add(logistic, (2.7, 0.3), (3.1, 0.4), argnums=(0, 1), rtol=1e-8)


def sum_before_and_after(x, n):
    pre = x**3
    total = 0.0
    for k in range(n):
        total = total + math.sin(x) / (k + 1.0)
    return pre * total + pre


add(sum_before_and_after, (0.8, 4), (0.8, 0))


def collatz(x, n):
    while n != 1:
        if n % 2:
            n = 3 * n + 1
            x = math.sin(x) + 1
        else:
            n //= 2
            x = x * 0.9
    return x


add(collatz, (0.5, 7), (0.5, 1), (0.5, 16))


def flag_carried(x):
    found = False
    best = None
    for k in range(6):
        value = math.sin(k + x)
        if not found and value < -0.2:
            found = True
            best = value
        elif found:
            best = best * 0.5 + value
    return best if best is not None else x


add(flag_carried, 0.4, 2.9)


def integer_then_float(x, n):
    total = 0
    product = 1
    for k in range(n):
        total += k * x
        product *= x
    return total + product


add(integer_then_float, (0.8, 3), (0.8, 1), derivative=lambda x, n: {3: 3 + 3 * x * x, 1: 1.0}[n])


def while_walking_a_list(xs):
    i, total = 0, 0.0
    while i < len(xs) and xs[i] >= 0.0:
        total += xs[i] ** 2
        i += 1
    return total if i else xs[0]


add(while_walking_a_list, [1.0, 2.0, -1.0, 4.0], [1.0, 2.0], [-1.0, 3.0], name="while_walking_a_list")


def bisection(a):
    low, high = 0.0, a + 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if middle * middle < a:
            low = middle
        else:
            high = middle
    return middle - (middle * middle - a) / (2 * middle)


add(bisection, 2.0, derivative=lambda a: 0.5 / math.sqrt(2.0), smooth=False, rtol=1e-8)


def many_exits(x):
    for i in range(10):
        x = x * 1.1
        if x > 4.0:
            continue
        if x > 3.0:
            if i > 2:
                break
            return x + i
        for j in range(3):
            if j == 2 and x < 0.3:
                return x * x * j
            if j == 1 and x > 2.8:
                break
            x += 0.01 * j * x
        else:
            continue
        x *= 2.0
    return x * i


add(many_exits, 0.2, 0.9, 2.6, 3.5, -1.0)


def bound_in_one_arm_beside_a_captured_variable(x, y):
    product = y * x * math.atan(y - x)
    if y < x:
        return y
        unused = lambda v: v * product
    is_less = x < product
    if is_less:
        extra = x if y > 0.3 else (product and product)
    product = product**3 * max(0, 0.5) + product
    if is_less:
        y += 0.5 * extra
    return y + product


add(bound_in_one_arm_beside_a_captured_variable, (-1.337, 1.213), (-1.337, 0.1), (0.3, 0.2), (-2.0, 0.7), argnums=(0, 1))
