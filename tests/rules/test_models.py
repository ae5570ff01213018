"""Models compute what the real functions compute, and change their operands as these do."""

from __future__ import annotations

import builtins
import copy
import functools
import itertools
import math
import operator
import statistics

import numpy as np
import pytest

from s2sad.rules import container_rule, lookup, registered_rules
from s2sad.rules.core import ModelRule, ZeroDerivative, model_of_iterator

nan, inf = math.nan, math.inf


def square(x):
    return x * x


# model's name -> the function that it is for, and calls: (positional arguments, keywords)
CASES = {
    "divide_with_remainder": (divmod, [((7.5, 2.0), {}), ((-7.5, 2.0), {}), ((7, -3), {}), ((1e308, 1e-10), {})]),
    "modf": (math.modf, [((x,), {}) for x in (0.0, 1.25, -1.25, 3.0, -3.0, 1e300, 1e-300)]),
    "sum_of": (
        sum,
        [(([1.0, 2.5, 3],), {}), (([],), {}), (([1, 2], 3.0), {}), (([1, 2],), {"start": 4}), (([[1.0], [2.0]], []), {})],
    ),
    "accurate_sum_of": (math.fsum, [(([1.0, 2.5, 3],), {}), (([],), {})]),
    "product_of": (math.prod, [(([1.0, 2.5, 3],), {}), (([],), {}), (([2, 4],), {"start": 0.5})]),
    "distance": (
        math.dist,
        [(([1.0, 2.5], (3.0, 4.0)), {}), (((1.0,), (1.0,)), {}), (([1e-200, 0], [0, 1e-200]), {}), (([], []), {})],
    ),
    "mean_of": (statistics.mean, [(([1.0, 2.5, 4.0],), {}), (((2.0,),), {}), (([2, 4],), {})]),
    "floating_mean_of": (
        statistics.fmean,
        [(([1.0, 2.5, 4.0],), {}), (([1.0, 2.5], [2.0, 3.0]), {}), (([1, 2],), {"weights": None})],
    ),
    "variance_of_all": (statistics.pvariance, [(([1.0, 2.5, 4.0],), {}), (([1.0, 2.0], 1.5), {})]),
    "variance_of": (statistics.variance, [(([1.0, 2.5, 4.0],), {}), (([1.0, 2.0],), {"xbar": 1.5})]),
    "deviation_of_all": (statistics.pstdev, [(([1.0, 2.5, 4.0],), {}), (([1.0, 2.0],), {"mu": 1.5})]),
    "deviation_of": (statistics.stdev, [(([1.0, 2.5, 4.0],), {}), (([1.0, 2.0], 1.5), {})]),
    "reduced": (functools.reduce, [((operator.add, [1.0, 2.0, 4.0]), {}), ((operator.sub, (1.0,)), {})]),
    "reduced_from": (functools.reduce, [((operator.sub, [1.0, 2.0, 4.0], 9.0), {}), ((operator.add, [], 3.0), {})]),
    "max_of_iterable": (max, [(([1.0, 5.0, 2.0],), {}), (((5, 5, 5),), {}), (([(1, 2.0), (1, 3.0)],), {}), (([nan, 1.0],), {})]),
    "min_of_iterable": (min, [(([1.0, 5.0, 2.0],), {}), (((5, 5, 5),), {}), (([(1, 2.0), (1, 3.0)],), {}), (([-inf, nan],), {})]),
    "max_of_iterable_or": (max, [(([1.0, 5.0],), {"default": 0.0}), (([],), {"default": 7.0})]),
    "min_of_iterable_or": (min, [(([1.0, 5.0],), {"default": 0.0}), (([],), {"default": 7.0})]),
    "max_by_key": (max, [(([1.0, -5.0, 5.0],), {"key": abs}), (([1.0, -5.0],), {"key": None})]),
    "min_by_key": (min, [(([3.0, -1.0, 1.0],), {"key": abs}), (([1.0, -5.0],), {"key": None})]),
    "max_by_key_or": (max, [(([1.0, -5.0],), {"key": abs, "default": 2.0}), (([],), {"key": abs, "default": 2.0})]),
    "min_by_key_or": (min, [(([1.0, -5.0],), {"key": abs, "default": 2.0}), (([],), {"key": abs, "default": 2.0})]),
    "max_of_arguments_by_key": (max, [((1.0, -5.0, 5.0), {"key": abs})]),
    "min_of_arguments_by_key": (min, [((3.0, -1.0, 1.0), {"key": abs})]),
    "sorted_elements": (
        sorted,
        [(([3.0, 1.0, 2.0],), {}), (([3.0, -1.0, 1.0],), {"key": abs, "reverse": True}), ((("b", "a"),), {"reverse": False})],
    ),
    "mapped": (map, [((square, [1.0, 2.0]), {}), ((square, ()), {})]),
    "mapped_over_two": (map, [((operator.mul, [1.0, 2.0], (3.0, 4.0, 5.0)), {})]),
    "mapped_over_three": (map, [((max, [1.0, 2.0], (3.0, 4.0), [5.0]), {})]),
    "filtered": (filter, [((bool, [1.0, 0.0]), {}), ((None, [1.0, 0.0, 2.0]), {})]),
    "starmapped": (itertools.starmap, [((operator.mul, [(1.0, 2.0), (3.0, 4.0)]), {})]),
    "rejected": (itertools.filterfalse, [((bool, [1.0, 0.0]), {}), ((None, [1.0, 0.0, 2.0]), {})]),
    "compressed": (itertools.compress, [(([1.0, 2.0, 3.0], [1, 0, 1, 1]), {}), (([1.0], []), {})]),
    "taken": (itertools.takewhile, [((bool, [1.0, 0.0, 2.0]), {}), ((bool, []), {})]),
    "dropped": (itertools.dropwhile, [((bool, [1.0, 0.0, 2.0]), {}), ((bool, [1.0]), {})]),
    "sliced_up_to": (itertools.islice, [(([1, 2, 3], n), {}) for n in (0, 2, 9, None)]),
    "sliced_from": (
        itertools.islice,
        [*((([1, 2, 3, 4], a, b), {}) for a in (0, 2, None) for b in (1, 9, None)), (([1, 2, 3, 4], 1, None, 2), {})],
    ),
    "chained_two": (itertools.chain, [(([1.0], (2.0,)), {})]),
    "chained_three": (itertools.chain, [(([1.0], (2.0,), {"a": 1}), {})]),
    "chained": (itertools.chain, [((), {}), (([1.0],), {}), (([1.0], [], [2.0], (3.0,)), {})]),
    "flattened": (itertools.chain.from_iterable, [(([[1.0], (2.0, 3.0), []],), {})]),
    "product_of_one": (itertools.product, [(([1.0, 2.0],), {})]),
    "product_of_two": (itertools.product, [(([1.0, 2.0], (3.0, 4.0)), {}), (([], [1]), {})]),
    "product_of_three": (itertools.product, [(([1.0, 2.0], (3.0, 4.0), [5, 6]), {})]),
    "product_of_four": (itertools.product, [(([1.0, 2.0], (3.0, 4.0), [5, 6], [7]), {})]),
    "product_with_itself": (itertools.product, [(([1.0, 2.0],), {"repeat": 2})]),
    "product_with_itself_twice": (itertools.product, [(([1.0, 2.0],), {"repeat": 3})]),
    "product_with_itself_three_times": (itertools.product, [(([1.0, 2.0],), {"repeat": 4})]),
    "accumulated": (itertools.accumulate, [(([1.0, 2.0, 4.0],), {}), (([],), {})]),
    "accumulated_by": (
        itertools.accumulate,
        [(([1.0, 2.0, 4.0], operator.mul), {}), (([1.0, 2.0], None), {}), (([1.0, 2.0],), {"func": operator.sub})],
    ),
    "accumulated_from": (
        itertools.accumulate,
        [(([1.0, 2.0],), {"initial": 3.0}), (([1.0, 2.0], operator.mul), {"initial": None}), (([],), {"initial": 3.0})],
    ),
    "neighbours": (itertools.pairwise, [(([1, 2, 3],), {}), (([1],), {}), (([],), {})]),
    "zipped_to_longest": (itertools.zip_longest, [(([1, 2, 3], [4]), {}), (([1], [2, 3]), {"fillvalue": 0.0})]),
    "pairs": (itertools.combinations, [(([1, 2, 3, 4], 2), {}), (([1],), {"r": 2})]),
    "triples": (itertools.combinations, [(([1, 2, 3, 4], 3), {}), (([1, 2], 3), {})]),
    "quadruples": (itertools.combinations, [(([1, 2, 3, 4, 5], 4), {}), (([1, 2], 4), {})]),
    "triples_with_replacement": (itertools.combinations_with_replacement, [(([1, 2, 3], 3), {})]),
    "ordered_triples": (itertools.permutations, [(([1, 2, 3, 4], 3), {}), (([1, 2], 3), {})]),
    "pairs_with_replacement": (itertools.combinations_with_replacement, [(([1, 2, 3], 2), {})]),
    "ordered_pairs": (itertools.permutations, [(([1, 2, 3], 2), {})]),
    "list_of": (list, [((), {}), (((1.0, 2.0),), {}), (({"a": 1.0},), {}), ((range(3),), {})]),
    "copied": (list.copy, [(([1.0, [2.0]],), {})]),
    "copied_by_module": (copy.copy, [(([1.0, [2.0]],), {}), (({"a": [1.0]},), {}), ((1.5,), {})]),
    "concatenated": (list.__add__, [(([1.0], [2.0, 3.0]), {}), (([], []), {})]),
    "repeated": (list.__mul__, [(([1.0, 2.0], n), {}) for n in (-1, 0, 1, 3)]),
    "sliced": (
        list.__getitem__,
        [(([1, 2, 3, 4, 5], s), {}) for s in (slice(1, 3), slice(None, None, -2), slice(-2, 99), slice(4, 1))],
    ),
    "extended": (list.extend, [(([1.0], [2.0, 3.0]), {}), (([1.0], (2.0,)), {}), (([1.0], {"a": 2}), {})]),
    "concatenated_in_place": (list.__iadd__, [(([1.0], [2.0, 3.0]), {}), (([], (1.0,)), {})]),
    "repeated_in_place": (list.__imul__, [(([1.0, 2.0], n), {}) for n in (-1, 0, 1, 3)]),
    "inserted": (list.insert, [(([1, 2, 3], i, 9.0), {}) for i in (0, 1, 3, 99, -1, -3, -99)]),
    "popped": (list.pop, [(([1, 2, 3],), {}), *((([1, 2, 3], i), {}) for i in (0, 1, 2, -1, -3))]),
    "removed": (list.remove, [(([1, 2, 1], 1), {}), (([1, 2, 3], 3), {})]),
    "cleared": (list.clear, [(([1, 2, 1],), {}), (([],), {})]),
    "turned": (list.reverse, [((list(range(n)),), {}) for n in range(5)]),
    "sorted_in_place": (list.sort, [(([3.0, 1.0, 2.0],), {}), (([3.0, -1.0, 1.0],), {"key": abs, "reverse": True})]),
    "assigned_to_slice": (
        list.__setitem__,
        [(([1, 2, 3, 4, 5], slice(a, b), [7.0] * n), {}) for a in (0, 2, 4, -2, None) for b in (0, 1, 3, None) for n in range(4)]
        + [(([1, 2, 3, 4, 5], slice(None, None, 2), (7, 8, 9)), {}), (([1, 2, 3, 4], slice(None, None, -1), [5, 6, 7, 8]), {})],
    ),
    "deleted": (
        list.__delitem__,
        [(([1, 2, 3, 4, 5], s), {}) for s in (0, -1, 2, slice(1, 3), slice(None, None, -2), slice(3, 1))],
    ),
    "dict_of": (dict, [((), {}), (({"a": 1.0},), {}), (([("a", 1.0)],), {})]),
    "made_with_names": (dict, [(({"a": 1.0},), {"a": 2.0, "b": 3.0}), (([("a", 1.0)],), {"b": 3.0})]),
    "updated_with_names": (
        dict.update,
        [(({"a": 1.0}, {"a": 3.0, "b": 2.0}), {"b": 4.0}), (({"a": 1.0}, [("b", 2.0)]), {"a": 3.0})],
    ),
    "dict_from_keys": (dict.fromkeys, [((["a", "b"], 2.0), {}), (("ab",), {})]),
    "copied_dict": (dict.copy, [(({"a": [1.0]},), {})]),
    "got": (dict.get, [(({"a": 1.0}, "a"), {}), (({"a": 1.0}, "b"), {}), (({"a": 1.0}, "b", 2.0), {})]),
    "keys_of": (dict.keys, [(({"a": 1.0, "b": 2.0},), {})]),
    "values_of": (dict.values, [(({"a": 1.0, "b": 2.0},), {})]),
    "items_of": (dict.items, [(({"a": 1.0, "b": 2.0},), {})]),
    "updated": (
        dict.update,
        [(({"a": 1.0}, {"a": 3.0, "b": 2.0}), {}), (({"a": 1.0}, [("b", 2.0)]), {}), (({},), {})],
    ),
    "got_or_set": (dict.setdefault, [(({"a": 1.0}, "a", 2.0), {}), (({"a": 1.0}, "b", 2.0), {}), (({}, "b"), {})]),
    "popped_key": (dict.pop, [(({"a": 1.0, "b": 2.0}, "a"), {})]),
    "popped_key_or": (dict.pop, [(({"a": 1.0, "b": 2.0}, "a", 5.0), {}), (({"a": 1.0}, "b", 5.0), {})]),
    "popped_item": (dict.popitem, [(({"a": 1.0, "b": 2.0},), {})]),
    "cleared_dict": (dict.clear, [(({"a": 1.0, "b": 2.0},), {})]),
    "selected": (np.where, [((True, 1.0, 2.0), {}), ((0.0, 1.0, 2.0), {})]),
    "enumerated": (np.ndenumerate, [((np.arange(6.0).reshape(2, 3),), {}), ((np.array(2.0),), {}), ((np.zeros(0),), {})]),
    "logspace": (
        np.logspace,
        [((0.5, 2.0), {}), ((np.array([0.0, 1.0]), 2.0, 5), {"base": 2.0}), ((1.0, 2.0, 3, False), {}), ((0, 1, 0), {})],
    ),
    "geomspace": (
        np.geomspace,
        [((0.5, 2.0), {}), ((-1.0, -8.0, 4), {}), ((1.0, 16.0, 4, False), {}), ((np.array([1.0, 2.0]), 8.0, 3), {})],
    ),
    "polyval": (np.polyval, [(([1.0, -2.0, 0.5], 3.0), {}), ((np.array([2.0]), np.arange(3.0)), {})]),
    "gradient": (np.gradient, [((np.array([1.0, 4.0, 9.0, 7.0]),), {}), ((np.array([1.0, 4.0]),), {})]),
    "lstsq": (
        np.linalg.lstsq,
        [
            ((np.arange(6.0).reshape(3, 2), np.array([1.0, 0.5, 3.0])), {"rcond": None}),
            ((np.arange(6.0).reshape(2, 3) ** 2, np.ones((2, 4))), {}),
        ],
    ),
    "split": (
        np.array_split,
        [((np.arange(7.0), 3), {}), ((np.ones((4, 2)), [1, 3]), {}), ((np.arange(2.0), 3), {}), ((np.arange(6.0), [-2, 9]), {})],
    ),
    "split_along": (np.array_split, [((np.arange(14.0).reshape(2, 7), 3, 1), {}), ((np.arange(7.0), 3), {"axis": -1})]),
    "hsplit": (np.hsplit, [((np.arange(12.0).reshape(2, 6), 3), {}), ((np.arange(4.0), [1]), {})]),
    "copied_to": (
        np.copyto,
        [((np.zeros((2, 3)), np.arange(3.0)), {}), ((np.zeros(3), np.arange(3.0)), {"where": np.array([True, False, True])})],
    ),
    "filled": (np.ndarray.fill, [((np.zeros((2, 3)), 2.5), {})]),
    "put": (
        np.put,
        [
            *(
                ((np.zeros((2, 3)), [0, -1, 4, 4], np.arange(4.0)), {}),
                ((np.zeros(3), [0, 2], 5.0), {}),
                ((np.zeros(3), 1, 5.0), {}),
            ),
            *(((np.zeros(3), [1, 7], 5.0), {"mode": "wrap"}), ((np.zeros(3), [1, 7, -5], np.arange(2.0), "clip"), {})),
        ],
    ),
    "put_where": (
        np.putmask,
        [((np.zeros(3), np.array([True, False, True]), np.arange(3.0)), {}), ((np.zeros((2, 2)), np.eye(2) > 0, 1.5), {})],
    ),
    "piecewise": (
        np.piecewise,
        [
            *(((np.arange(3.0), [np.arange(3) < 1], [np.sin, np.cos]), {}), ((np.arange(3.0), np.arange(3) < 1, [np.sin]), {})),
            ((np.arange(4.0), [np.arange(4) < 1, np.arange(4) > 2], [5.0, np.exp, -1.0]), {}),
        ],
    ),
    "apply_along_axis": (
        np.apply_along_axis,
        [((np.sum, 0, np.arange(6.0).reshape(2, 3)), {}), ((np.cumsum, 1, np.arange(12.0).reshape(2, 3, 2)), {})],
    ),
    "from_iterator": (np.fromiter, [(([1.0, 2.0], float), {}), (([1, 2], float, 2), {})]),
    "placed": (
        np.place,
        [
            ((np.zeros(4), np.array([True, False, True, True]), np.arange(2.0)), {}),
            ((np.zeros((2, 2)), np.eye(2), np.ones(1)), {}),
        ],
    ),
    "put_along_axis": (
        np.put_along_axis,
        [((np.zeros((2, 3)), np.array([[0, -1]]), 2.0, 1), {}), ((np.zeros(3), np.array([2, 0, 2]), np.arange(3.0), None), {})],
    ),
    "multiplied_at": (
        np.multiply.at,
        [((np.arange(4.0), np.array([1, 1, 3]), np.array([2.0, 5.0, 3.0])), {}), ((np.ones((2, 3)), (slice(None), 1), 2.0), {})],
    ),
    "divided_at": (np.divide.at, [((np.arange(4.0), np.array([1, 1, 3]), np.array([2.0, 5.0, 3.0])), {})]),
    "largest_at": (np.maximum.at, [((np.arange(4.0), np.array([1, 1, 3]), np.array([2.0, 5.0, 3.0])), {})]),
    "least_at": (np.minimum.at, [((np.arange(4.0), np.array([1, 1, 3]), np.array([2.0, 0.5, 3.0])), {})]),
    "negated_at": (np.negative.at, [((np.arange(4.0), np.array([1, 1, 3])), {}), ((np.arange(4.0), 2), {})]),
    "diagonal_filled": (np.fill_diagonal, [((np.zeros((3, 3)), 2.0), {}), ((np.zeros((2, 3)), np.arange(2.0)), {})]),
    "sorted_array": (
        np.ndarray.sort,
        [((np.array([3.0, 1.0, 2.0]),), {}), ((np.array([[3.0, 1.0], [0.0, 2.0]]),), {"axis": 0})],
    ),
    "partitioned_in_place": (np.ndarray.partition, [((np.array([3.0, 1.0, 2.0]), 1), {})]),
    "united": (dict.__or__, [(({"a": 1.0, "b": 2.0}, {"b": 3.0, "c": 4.0}), {})]),
    "united_in_place": (dict.__ior__, [(({"a": 1.0, "b": 2.0}, {"b": 3.0, "c": 4.0}), {})]),
}
if hasattr(math, "sumprod"):
    CASES["sum_of_products"] = (math.sumprod, [(([1.0, 2.0], (3.0, 4.0)), {}), (([], []), {})])

LAZY = (dict.keys, dict.values, dict.items)


def plain(x):
    """Arrays as lists, which can be compared; those of floats up to rounding."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.ndim:
        return [round(float(number), 12) for number in x.ravel()], x.shape
    if isinstance(x, list | tuple):
        return type(x)(map(plain, x))
    return x.tolist() if isinstance(x, np.ndarray) else x


def models():
    return [rule for rule in registered_rules() if isinstance(rule, ModelRule) and rule.body.__module__.startswith("s2sad.rules")]


def test_every_model_has_cases():
    assert {rule.name for rule in models()} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_model_computes_what_the_function_does(name):
    function, calls = CASES[name]
    for positional, keywords in calls:
        rule = model_of_iterator(function, positional, keywords) or lookup(function, len(positional), keywords)
        assert rule is not None
        assert rule.name == name
        theirs, ours = copy.deepcopy(positional), copy.deepcopy(positional)
        expected = function(*theirs, **keywords)
        if function in LAZY or rule.gives_iterator:
            expected = list(expected)
        result = rule.body(*ours, **keywords)
        assert plain(result) == plain(expected) or (result != result and expected != expected)
        assert plain(ours) == plain(theirs)
        if theirs and expected is theirs[0]:
            assert result is ours[0]
        elif isinstance(expected, (list, dict)):
            assert all(result is not operand for operand in ours)


@pytest.mark.parametrize("bounds", [(-1,), (-1, 2), (0, -1), (0, 2, 0)])
def test_slices_of_iterators_raise_as_in_python(bounds):
    with pytest.raises(ValueError, match="islice"):
        itertools.islice([1], *bounds)
    with pytest.raises(ValueError, match="islice"):
        model_of_iterator(itertools.islice, [None] * (1 + len(bounds)), {}).body([1], *bounds)


def test_only_literals_choose_a_length():
    assert model_of_iterator(itertools.combinations, [None, 5], {}) is None
    assert model_of_iterator(itertools.combinations, [None, None], {}) is None
    assert model_of_iterator(itertools.product, [None, None], {"repeat": 2}) is None


def test_extending_a_list_by_itself_ends():
    x = [1.0, 2.0]
    lookup(list.extend).body(x, x)
    assert x == [1.0, 2.0, 1.0, 2.0]


def test_the_fractional_part_of_infinity_raises_nothing():
    assert math.isnan(lookup(math.modf).body(inf)[0])


@pytest.mark.parametrize(
    ("cls", "operation", "name"),
    [
        (list, "extend", "extended"),
        (list, operator.add, "concatenated"),
        (list, operator.mul, "repeated"),
        (list, operator.getitem, "sliced"),
        (dict, operator.or_, "united"),
        (dict, "get", "got"),
    ],
)
def test_rules_of_methods_and_operators(cls, operation, name):
    assert container_rule(cls, operation).name.rpartition(".")[2] == name


def test_what_finds_an_element_has_derivative_zero():
    assert isinstance(container_rule(tuple, "index"), ZeroDerivative)
    assert isinstance(container_rule(list, operator.contains), ZeroDerivative)


def test_there_is_no_rule_for_an_unknown_method():
    assert container_rule(list, "no_such_method") is None
    assert container_rule(list, builtins.divmod) is None
