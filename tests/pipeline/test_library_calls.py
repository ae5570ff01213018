"""Functions of Python's library that are about text are called as they are."""

from __future__ import annotations

import logging
import os
import os.path
import re

import pytest

from s2sad import grad, value_and_grad

log = logging.getLogger(__name__)
NUMBER = re.compile(r"[\d.]+")


def logged(x):
    log.info("start at step %d", 3)
    return x * x


def of_extension(x, path="/a/b.txt"):
    return x * len(os.path.splitext(path)[1])


def of_joined(x, path="a"):
    return x * len(os.path.join(path, "c"))


def of_matches(x, text="a=1,b=2.5"):
    return sum(float(m.group(1)) * x for m in re.finditer(r"=([\d.]+)", text))


def of_parts(x, text="a=1,b=2.5"):
    return x * len(re.split(r"[=,]", text))


def of_match(x, text="a=1"):
    found = re.match("z", text)
    return x if found is None else -x


def of_pattern(x, text="a=1,b=2.5"):
    total = 0.0
    for power, number in enumerate(NUMBER.findall(text)):
        total += float(number) * x**power
        log.debug("power %d of %s", power, number)
    return total


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (logged, 3.0),
        (of_extension, 4.0),
        (of_joined, 3.0),
        (of_matches, 3.5),
        (of_parts, 4.0),
        (of_match, 1.0),
        (of_pattern, 2.5),
    ],
)
def test_slopes(function, slope):
    value, gradient = value_and_grad(function)(1.5)
    assert value == function(1.5)
    assert gradient == pytest.approx(slope, rel=1e-14)


def of_logged_containers(x):
    parts = [x, {"square": x * x}]
    log.info("parts are %s", parts)
    log.info("square is %(square)g", parts[1])
    return parts[1]["square"] * x


def test_containers_may_be_logged():
    assert grad(of_logged_containers)(1.5) == pytest.approx(3 * 1.5**2)


def test_it_logs_once(caplog):
    with caplog.at_level(logging.INFO):
        grad(logged)(1.5)
    assert [record.getMessage() for record in caplog.records] == ["start at step 3"]
    assert 'log.info("start at step %d", 3)' in grad(logged).source(1.5)
