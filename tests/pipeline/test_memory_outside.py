"""What functions change outside of themselves: global variables, attributes of classes, default arguments. Each of several calls
in a row finds what the last one left, and the reverse of a call what the call found."""

import collections

import numpy as np
import pytest

from s2sad import S2sadError, grad, value_and_grad

CALLS = []
COUNTS = []
TABLE = {}
BUFFER = np.zeros(2)
QUEUE = collections.deque()
MEMBERS = set()
NESTED = ([1.0], [2.0])


class Settings:
    scale = 1.0


class Counter:
    def __init__(self):
        self.count = 0.0
        self.counts = [0]


COUNTER = Counter()


@pytest.fixture(autouse=True)
def fresh():
    CALLS[:] = [0.0]
    COUNTS[:] = [0]
    TABLE.clear()
    TABLE["calls"] = 0.0
    BUFFER[:] = 0.0
    QUEUE.clear()
    QUEUE.extend([1.0, 2.0])
    MEMBERS.clear()
    NESTED[0][0] = 0.0
    Settings.scale = 0.0
    COUNTER.count = 0.0
    COUNTER.counts = [0]


def by_list(v):
    CALLS[0] += 1.0
    return CALLS[0] * v


def by_list_of_integers(v):
    COUNTS[0] += 1
    return COUNTS[0] * v


def by_dict(v):
    TABLE["calls"] += 1.0
    return TABLE["calls"] * v


def by_length(v):
    CALLS.append(1.0)
    return (len(CALLS) - 1) * v


def by_array(v):
    BUFFER[0] += 1.0
    return np.sum(BUFFER) * v


def by_attribute_of_class(v):
    Settings.scale += 1.0
    return Settings.scale * v


def by_object(v):
    COUNTER.count += 1.0
    return COUNTER.count * v


def by_list_in_tuple(v):
    NESTED[0][0] += 1.0
    return NESTED[0][0] * NESTED[1][0] * 0.5 * v


def by_queue(v):
    QUEUE[0] += 1.0
    return (QUEUE[0] - 1.0) * v


def by_set(v):
    MEMBERS.add(float(len(MEMBERS)))
    return len(MEMBERS) * v


def count_up():
    COUNTS[0] += 1


def by_another_function(v):
    count_up()
    return COUNTS[0] * v


@pytest.mark.parametrize(
    "times",
    [
        *(by_list, by_list_of_integers, by_dict, by_length, by_array, by_attribute_of_class, by_object, by_list_in_tuple),
        *(by_queue, by_set, by_another_function),
    ],
)
def test_the_reverse_of_a_call_sees_what_the_call_saw(times):
    def product(x):
        return times(x) * times(x * x)

    derivative = value_and_grad(product)
    x = 1.5
    for call in range(3):
        factor = (2 * call + 1) * (2 * call + 2)
        value, gradient = derivative(x)
        assert value == pytest.approx(factor * x**3, rel=1e-14)
        assert gradient == pytest.approx(factor * 3 * x**2, rel=1e-14)


def test_in_a_loop():
    def total(x):
        result = 0.0
        for _ in range(3):
            result += by_list(x) * x
        return result

    assert [grad(total)(1.5) for _ in range(2)] == pytest.approx([2 * 1.5 * 6, 2 * 1.5 * 15], rel=1e-14)


# --- Default arguments ----------------------------------------------------------------------------------------------------------


def make_functions_with_defaults():
    def appends(x, seen=[]):
        seen.append(1.0)
        return sum(seen) * x

    def sets_element(x, n=1, seen=[0.0]):
        seen[0] += n
        return seen[0] * x

    def sets_key(x, *, seen={}):
        seen["calls"] = seen.get("calls", 0) + 1
        return seen["calls"] * x

    def adds_to_array(x, buffer=np.zeros(2)):
        buffer += 0.5
        return np.sum(buffer) * x

    def sets_attribute(x, counter=Counter()):
        counter.count += 1.0
        return counter.count * x

    return appends, sets_element, sets_key, adds_to_array, sets_attribute


@pytest.mark.parametrize("place", range(5))
def test_defaults_live_on(place):
    primal, function = (make_functions_with_defaults()[place] for _ in range(2))
    derivative = value_and_grad(function)
    for call in range(1, 4):
        assert derivative(1.5) == (primal(1.5), call)


@pytest.mark.parametrize("place", range(5))
def test_defaults_of_functions_that_are_called(place):
    function = make_functions_with_defaults()[place]

    def product(x):
        return function(x) * function(x * x)

    derivative = value_and_grad(product)
    for call in range(3):
        factor = (2 * call + 1) * (2 * call + 2)
        assert derivative(1.5) == pytest.approx((factor * 1.5**3, factor * 3 * 1.5**2), rel=1e-14)


def test_defaults_of_methods():
    class Model:
        def step(self, v, seen=[0.0]):
            seen[0] += 1.0
            return seen[0] * v

    model = Model()
    assert grad(lambda x: model.step(x) * model.step(x))(1.5) == pytest.approx(2 * 2 * 1.5, rel=1e-14)


def test_an_argument_in_place_of_the_default_stays_as_it_is():
    def appends(x, seen=[]):
        seen.append(1.0)
        return sum(seen) * x

    derivative, given = value_and_grad(appends), [2.0]
    assert derivative(1.5, given) == (4.5, 3.0)
    assert given == [2.0]
    assert derivative(1.5) == (1.5, 1.0)
    assert derivative(1.5, seen=given) == (4.5, 3.0)
    assert derivative(1.5) == (3.0, 2.0)


def test_several_arguments_are_asked_for():
    def weighted(x, y, seen=[], *, power=2):
        seen.append(1.0)
        return len(seen) * x**power * y

    derivative = grad(weighted, argnums=("y", 0))
    assert derivative(3.0, 2.0) == (9.0, 12.0)
    assert derivative(3.0, 2.0, power=1) == (6.0, 4.0)


def test_active_numbers_in_a_default():
    def remembers(x, seen=[]):
        seen.append(x)
        return sum(seen) * x

    derivative = grad(remembers)
    assert "seen" in derivative.source(1.5)
    assert [derivative(1.5), derivative(1.5), grad(remembers)(1.5)] == [3.0, 4.5, 6.0]  # before + 2 x
    assert remembers.__defaults__ == ([1.5, 1.5, 1.5],)


def test_active_numbers_in_the_default_of_a_callee():
    def remembers(v, buffer=np.zeros(2)):
        buffer[0] += v
        return np.sum(buffer) * v

    derivative = grad(lambda x: remembers(x) * remembers(x))
    for before in (0.0, 3.0, 6.0):  # of (before + x) x (before + 2 x) x
        expected = 2 * before**2 * 1.5 + 9 * before * 1.5**2 + 8 * 1.5**3
        assert derivative(1.5) == pytest.approx(expected, rel=1e-14)


def test_a_default_that_is_a_global_variable_as_well():
    def reads(v, buffer=BUFFER):
        buffer[0] += v
        return np.sum(buffer) * v

    with pytest.raises(S2sadError, match="'buffer' and 'BUFFER', variables outside of it that share memory"):
        grad(lambda x: reads(x) * BUFFER[0])(1.5)


def test_second_derivatives_with_a_default_that_changes_are_refused():
    def appends(x, seen=[]):
        seen.append(1.0)
        return sum(seen) * x * x

    with pytest.raises(S2sadError, match=r"changes the default of 'seen'(.|\n)*def appends\(x, seen=\[\]\):\n {19}\^\^\^\^$"):
        grad(grad(appends))(1.5)
    with pytest.raises(S2sadError, match="changes the default of 'seen'"):
        grad(lambda x: grad(appends)(x) * x)(1.5)


# --- Objects that hold arrays ---------------------------------------------------------------------------------------------------


class Queue:
    def __init__(self, array):
        self.items = collections.deque([array])


class Listed:
    def __init__(self, array):
        self.items = [array]


class Keyed:
    def __init__(self, array):
        self.items = {0: array}


def scaled_in_place(holder, x):
    holder.items[0] *= x


def stored_by_slice(holder, x):
    holder.items[0][:] = holder.items[0] * x


def filled_by_method(holder, x):
    holder.items[0].fill(x * x)


def by_name_of_element(holder, x):
    element = holder.items[0]
    element *= x


@pytest.mark.parametrize("cls", [Queue, Listed, Keyed])
@pytest.mark.parametrize("change", [scaled_in_place, stored_by_slice, filled_by_method, by_name_of_element])
def test_an_array_is_changed_through_an_object_that_holds_it(cls, change):
    def norm_squared(x):
        array = np.array([x, np.sqrt(2.0)])
        holder = cls(array)
        change(holder, x)
        return np.sum(array * array)

    def closed_form(x):
        return 4 * x**3 + 4 * x if change is not filled_by_method else 8 * x**3

    try:
        found = grad(norm_squared)(1.5)
    except S2sadError:
        assert cls is Queue
    else:
        assert found == pytest.approx(closed_form(1.5), rel=1e-14)


def test_an_array_in_an_object_outside_is_left_as_the_primal_leaves_it():
    class Model:
        def __init__(self):
            self.buffer = np.zeros(2)

        def step(self, v):
            self.buffer[0] += 1.0
            return np.sum(self.buffer) * v

    model = Model()
    try:
        found = [grad(lambda x: model.step(x) * model.step(x))(1.5) for _ in range(2)]
    except S2sadError:
        return
    assert found == pytest.approx([2 * 2 * 1.5, 12 * 2 * 1.5], rel=1e-14)


# --- What the objects of a class share ------------------------------------------------------------------------------------------


def test_a_list_of_the_class_is_one_in_all_its_objects():
    class Model:
        scales = [0.0]  # noqa: RUF012

        def step(self, v):
            self.scales[0] += 1.0
            return self.scales[0] * v

    def product(x):
        return Model().step(x) * Model().step(x * x)

    derivative = grad(product)
    assert [derivative(1.5) for _ in range(2)] == pytest.approx([2 * 3 * 1.5**2, 12 * 3 * 1.5**2], rel=1e-14)


def test_active_numbers_in_a_list_of_the_class():
    class Model:
        seen = []  # noqa: RUF012

        def see(self, v):
            self.seen.append(v)

    def total(x):
        Model().see(x)
        return sum(Model.seen) * x

    derivative = grad(total)
    assert [derivative(1.5) for _ in range(2)] == pytest.approx([2 * 1.5, 1.5 + 2 * 1.5], rel=1e-14)  # earlier numbers stay


def test_active_numbers_in_an_empty_list_outside():
    kept = []

    def keep(array):
        kept.append(array)

    def total(x):
        array = np.array([x, 2.0])
        keep(array)
        kept[-1][0] *= x
        return np.sum(array)

    derivative = grad(total)
    assert [derivative(1.5), derivative(1.5)] == [3.0, 3.0]  # of x^2 + 2
    assert [array.tolist() for array in kept] == [[2.25, 2.0], [2.25, 2.0]]


# --- Objects outside that are not followed, in several functions ----------------------------------------------------------------


class Box:
    last = 0.0

    def __init__(self):
        self.items = collections.deque()

    def put(self, v):
        self.items.append(v)

    def take(self):
        return self.items.pop()


BOX = Box()


def put_into_queue(v):
    QUEUE.append(v)


def add_to_set(v):
    MEMBERS.add(v)


def set_attribute_of_class(v):
    Box.last = v


def set_attribute_of_function(v):
    set_attribute_of_function.last = v


def taken_from_queue():
    return QUEUE[-1]


def by_queue_in_two_functions(x):
    put_into_queue(x * x)
    return taken_from_queue() * x


def by_queue_in_one_function(x):
    put_into_queue(x * x)
    return QUEUE[-1] * x


def by_set_of_numbers(x):
    add_to_set(x * x)
    return sum(MEMBERS) * x


def by_attribute_of_class_in_two(x):
    set_attribute_of_class(x * x)
    return Box.last * x


def by_attribute_of_function(x):
    set_attribute_of_function(x * x)
    return set_attribute_of_function.last * x


def by_method_of_global_object(x):
    BOX.put(x * x)
    return BOX.take() * x


def by_queue_of_global_object(x):
    BOX.put(x * x)
    return BOX.items[-1] * x


@pytest.mark.parametrize(
    "function",
    [
        *(by_queue_in_two_functions, by_queue_in_one_function, by_set_of_numbers, by_attribute_of_class_in_two),
        *(by_attribute_of_function, by_method_of_global_object, by_queue_of_global_object),
    ],
)
def test_a_derivative_through_an_object_outside_is_refused(function):
    with pytest.raises(S2sadError, match="a derivative passes through"):
        grad(function)(1.5)


def test_numbers_that_are_only_kept_outside_are_no_matter():
    def kept(x):
        put_into_queue(x)
        set_attribute_of_class(x)
        BOX.put(x)
        return x * x

    assert value_and_grad(kept)(1.5) == (2.25, 3.0)
    assert (QUEUE[-1], Box.last, BOX.items[-1]) == (1.5, 1.5, 1.5)


class Grid:
    """Keeps an array, what is made of it, and what is not changed."""

    def __init__(self, view):
        self.x = np.array([1.0, 2.0])
        self.wide = np.broadcast_to(self.x, (3, 2))
        self.u = np.zeros(4)
        self.v = view(self.u)


def through_the_view(grid):
    def run(x):
        grid.u[:] = x
        return np.sum(grid.v**2) + np.sum(grid.wide)

    return run


def past_the_view(grid):
    def run(x):
        grid.u[:] = x
        grid.u[0] *= grid.wide[0, 1]
        return np.sum(grid.u**2)

    return run


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(lambda u: np.broadcast_to(u, (3, 4)), id="broadcast"),
        pytest.param(lambda u: np.lib.stride_tricks.sliding_window_view(u, 2), id="windows"),
        pytest.param(lambda u: u.view(np.float32), id="dtype"),
    ],
)
def test_a_kept_object_with_a_view_that_has_other_elements(view):
    x = np.array([0.3, 0.5, -0.4, 0.2])
    assert np.allclose(grad(past_the_view(Grid(view)))(x), 2 * x * [4, 1, 1, 1])
    said = r"overlap in memory, and have other elements there.*: x.copy\(\)\.\n  File .*test_memory_outside.py.*\n +return np.sum"
    with pytest.raises(S2sadError, match=said):
        grad(through_the_view(Grid(view)))(x)


class Holder:
    """Keeps an array and a view of it as attributes of its own."""

    def __init__(self):
        self.u = np.zeros(4)
        self.inner = self.u[1:-1]

    def run(self, x):
        self.u[:] = x
        self.inner[:] *= self.u[0]
        return np.sum(self.u**2)


def test_attributes_of_the_object_of_a_method_may_overlap():
    x, weights = np.array([0.3, 0.5, -0.4, 0.2]), np.array([1.0, 2.0, 3.0, 4.0])
    a, b, c, d = x  # of a**2 + (a b)**2 + (a c)**2 + d**2
    first = [2 * a * (1 + b * b + c * c), 2 * a * a * b, 2 * a * a * c, 2 * d]
    assert np.allclose(grad(Holder().run)(x), first, rtol=1e-14)
    second = grad(lambda v: (grad(Holder().run)(v) * weights).sum())(x)
    mixed = 2 * (1 + b * b + c * c) + 2 * 4 * a * b + 3 * 4 * a * c
    assert np.allclose(second, [mixed, 4 * a * b + 2 * 2 * a * a, 4 * a * c + 3 * 2 * a * a, 8.0], rtol=1e-14)


def test_those_of_a_kept_object_are_named_in_second_derivatives():
    derivative = grad(Holder().run)
    with pytest.raises(S2sadError, match="'u' and 'inner', variables outside of it that share memory"):
        grad(lambda v: derivative(v).sum())(np.ones(4))


def test_a_view_that_comes_later_is_noticed():
    grid = Grid(lambda u: np.zeros(4))
    derivative = grad(through_the_view(grid))
    x = np.array([0.3, 0.5, -0.4, 0.2])
    assert np.array_equal(derivative(x), np.zeros(4))
    grid.v = grid.u[1:]
    assert np.allclose(derivative(x), 2 * x * [0, 1, 1, 1])


ROWS = [[1.0, 2.0], [3.0]]


@grad
def sum_over_rows(x):
    total = 0.0
    for row in ROWS:
        for value in row:
            total += value * x
    return total


def test_containers_that_get_other_elements_after_many_calls():
    """What was recognised a moment ago is looked at again in each call."""
    ROWS[:] = [[1.0, 2.0], [3.0]]
    assert [sum_over_rows(0.5) for _ in range(3)] == [6.0] * 3
    ROWS[1].append(4.0)
    assert sum_over_rows(0.5) == 10.0
    ROWS[1][0] = 3  # an integer
    assert sum_over_rows(0.5) == 10.0
    ROWS[0] = ROWS[1]
    assert sum_over_rows(0.5) == 14.0
    ROWS.clear()
    assert sum_over_rows(0.5) == 0.0
    ROWS.append([2.0])
    assert [sum_over_rows(0.5) for _ in range(2)] == [2.0] * 2
