"""What functions store into arrays: values as NumPy's, gradients as by differences, whatever is repeated, cut off or wrapped."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import S2sadError
from s2sad.testing.check_grads import check_grads

X = np.array([0.371, 1.213, -0.643, 0.817, -1.337, 0.979])


def stores(store):
    """The function that lets `store` change an array, as the name says."""

    def function(x):
        y = x * x
        store(y, x)
        return np.sum(y * y * x)

    return function


STORES = {
    "put_numbers": lambda y, x: np.put(y, [0, 2], [x[3], 2.0]),
    "put_method": lambda y, x: y.put([1, -1], x[:2]),
    "put_again_and_again": lambda y, x: y.put([1, 2, 3, 4], x[:2]),
    "put_too_many": lambda y, x: np.put(y, [0, 1], x[:4]),
    "put_repeated_places": lambda y, x: np.put(y, [0, 0, 2], x[3:6]),
    "put_clipped": lambda y, x: y.put([1, 8, -3], x[:3], mode="clip"),
    "put_wrapped": lambda y, x: y.put([7, 3, -8], x[2:5], mode="wrap"),
    "put_one": lambda y, x: np.put(y, 4, x[5]),
    "put_into_rows": lambda y, x: np.put(y.reshape(2, 3).T, [1, 2], x[:2]),
    "putmask": lambda y, x: np.putmask(y, y > 0.5, x * 3.0),
    "putmask_repeated": lambda y, x: np.putmask(y, y > 0.5, x[:4]),
    "putmask_of_integers": lambda y, x: np.putmask(y, [1, 0, 0, 1, 1, 0], x[1]),
    "place": lambda y, x: np.place(y, y > 0.5, x[:2]),
    "place_one": lambda y, x: np.place(y, y > 0.5, x[:1] * x[4]),
    "diagonal": lambda y, x: np.fill_diagonal(y.reshape(2, 3), x[0]),
    "diagonal_of_several": lambda y, x: np.fill_diagonal(y.reshape(3, 2), x[2:4]),
    "diagonal_repeated": lambda y, x: np.fill_diagonal(y.reshape(3, 2), x[2:3]),
    "diagonal_cut_off": lambda y, x: np.fill_diagonal(y[:4].reshape(2, 2), x),
    "copyto_where": lambda y, x: np.copyto(y, x * 3.0, where=x > 0),
    "copyto_view": lambda y, x: np.copyto(y[::-1], x * y),
    "fill_view": lambda y, x: y[1::2].fill(x[0]),
}


@pytest.mark.parametrize("name", STORES)
def test_stores(name):
    function = stores(STORES[name])
    assert check_grads(function, (X,)).ok
    assert value_and_grad(function)(X)[0] == function(X)


def test_what_put_raises_is_raised():
    function = stores(lambda y, x: np.put(y, [7], x[0]))
    for run in (function, grad(function)):
        with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 6"):
            run(X)


def wrapped_diagonal(x):
    y = np.outer(x, x[:2])
    np.fill_diagonal(y, x[0], wrap=True)
    return np.sum(y)


def numbers_in_place(x):
    y = x * x
    np.nan_to_num(y, copy=False)
    return np.sum(y)


def median_that_sorts(x):
    y = x * x
    return np.median(y, overwrite_input=True) + y[0]


@pytest.mark.parametrize("function", [wrapped_diagonal, numbers_in_place, median_that_sorts])
def test_what_is_changed_in_another_way_is_refused(function):
    with pytest.raises((S2sadError, NotImplementedError)):
        grad(function)(X)
