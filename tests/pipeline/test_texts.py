"""Texts that steer a program: what their methods give, and comparisons with texts of which nothing is known."""

import json
import math

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import MissingRuleError, NonDifferentiableError


def reverse_polish(x, text):
    stack = []
    for token in text.split():
        if token == "+" or token == "-":
            right, left = stack.pop(), stack.pop()
            stack.append(left + right if token == "+" else left - right)
        elif token == "*" and len(stack) > 1:
            right, left = stack.pop(), stack.pop()
            stack.append(left * right)
        elif token.isdigit() or token.startswith("-"):
            stack.append(float(token))
        else:
            stack.append(x)
    return stack[0]


def lines_of_a_file(x, text):
    total = 0.0
    for line in text.splitlines():
        name, _, value = line.strip().partition("=")
        is_scale = name.lower() == "scale" or name == "factor"
        if is_scale and value:
            x = x * float(value)
        elif name.find("off") == 0 or name.endswith("shift"):
            total += float(value.replace(",", "."))
    return math.sin(x) + total


def settings_of_unknown_kind(x, text):
    settings = json.loads(text)
    kind = settings["kind"]
    if kind == "square" or kind == "power" or kind is None:
        return x**2
    return x if "linear" != kind and settings["scale"] == [1, 2] else 3 * x


def places_in_a_text(x, text):
    sign = 1.0
    for word in text.title().rsplit(" "):
        if word.isupper() or word.count("n") == 2 or word.index(word[0]) == 1:
            sign = -sign
        x = x * x + sign
    return x


def parsed_by_closures(x, text):
    """A parser by recursive descent: expression = term {+ term}, term = factor {* factor}, factor = x | number | (expression)."""
    place = [0]

    def peek():
        return text[place[0]] if place[0] < len(text) else ""

    def factor():
        token = peek()
        place[0] += 1
        if token == "(":
            value = expression()
            place[0] += 1
            return value
        return x if token == "x" else float(token)

    def term():
        value = factor()
        while peek() == "*":
            place[0] += 1
            value = value * factor()
        return value

    def expression():
        value = term()
        while peek() == "+":
            place[0] += 1
            value = value + term()
        return value

    return expression()


def opened(x, tokens):
    if tokens.pop(0) == "(":
        return closed(x, tokens)
    return x


def closed(x, tokens):
    return opened(x, tokens) * x


def parsed_by_functions(x, text):
    return closed(x, list(text))


def mask_of_unknown_kind(x, load):
    names = load()
    mask = names == "a" if len(names) else 1.0
    return np.sum(x * mask)


@pytest.mark.parametrize(
    ("program", "text", "expected"),
    [
        (reverse_polish, "x 2 + x *", 8.0),
        (reverse_polish, "x 3 - x x * *", 9.0),
        (lines_of_a_file, "scale=2\n  offset=1,5\nfactor=0.5\nredshift=1", math.cos(3.0)),
        (settings_of_unknown_kind, '{"kind": "square", "scale": 1}', 6.0),
        (settings_of_unknown_kind, '{"kind": null, "scale": 1}', 6.0),
        (settings_of_unknown_kind, '{"kind": "other", "scale": [1, 2]}', 1.0),
        (settings_of_unknown_kind, '{"kind": "linear", "scale": [1, 2]}', 3.0),
        (parsed_by_closures, "x*(x+2)*x+3", 3 * 3.0**2 + 4 * 3.0),
        (parsed_by_functions, "((x", 4 * 3.0**3),
        (places_in_a_text, "one noon", 4 * 3.0 * (3.0**2 + 1.0)),
    ],
)
def test_texts_steer_the_program(program, text, expected):
    assert grad(program)(3.0, text) == pytest.approx(expected, rel=1e-14)


def test_an_array_of_texts_is_still_noticed():
    with pytest.raises(NonDifferentiableError, match="a number was expected"):
        grad(mask_of_unknown_kind)(np.ones(3), lambda: np.array(["a", "b", "a"]))


def split(x, y):
    left, right = f"{x!r},{y!r}".split(",")
    return float(left) * float(right)


def partitioned(x, y):
    left, _, right = f"{x!r},{y!r}".partition(",")
    return float(left) * float(right)


def stripped(x, y):
    return float(f" {x!r}".strip()) * y


def in_a_loop(x, y):
    total = 0.0
    for part in f"{x!r},{y!r}".split(","):
        total += float(part)
    return total


def in_a_dict(x, y):
    found = {key: float(value) for key, value in (pair.split("=") for pair in f"a={x!r},b={y!r}".split(","))}
    return found["a"] * found["b"]


@pytest.mark.parametrize("program", [split, partitioned, stripped, in_a_loop, in_a_dict])
def test_a_number_that_comes_back_from_a_text_is_refused(program):
    with pytest.raises(MissingRuleError, match="a text that is made of a number"):
        grad(program, argnums=(0, 1))(2.0, 3.0)
