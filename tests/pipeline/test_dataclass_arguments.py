"""Instances of dataclasses as differentiated arguments: the gradient is an instance of the same class."""

import dataclasses

import numpy as np
import pytest

from s2sad import S2sadError, grad, value_and_grad


@dataclasses.dataclass
class Layer:
    weights: np.ndarray
    bias: float
    name: str = "layer"


@dataclasses.dataclass(frozen=True)
class Network:
    layers: list
    scale: float
    shape: tuple = (1.0, 2.0)


@dataclasses.dataclass
class Point:
    x: float
    y: float = 2.0

    def area(self):
        return self.x * self.y


@dataclasses.dataclass
class Particle(Point):
    mass: float = 1.0


@dataclasses.dataclass
class Tree:
    value: float
    left: object = None
    right: object = None


def test_a_gradient_is_an_instance_of_the_class():
    assert grad(lambda p: p.area() * p.x)(Point(3.0, 5.0)) == Point(30.0, 9.0)
    assert grad(lambda p: p.x**3)(Point(2.0)) == Point(12.0, 0.0)
    assert grad(lambda p: p.area() * p.mass)(Particle(2.0, 3.0, 5.0)) == Particle(15.0, 10.0, 6.0)


def test_what_it_holds_has_the_same_structure():
    def loss(network):
        first, second = network.layers
        return network.scale * np.sum(first.weights**2) * second.bias * network.shape[1]

    network = Network([Layer(np.array([1.0, 2.0]), 0.5), Layer(np.array([3.0]), 0.25, "last")], 4.0)
    found = grad(loss)(network)
    assert type(found) is Network
    assert found.layers[0].weights == pytest.approx([4.0, 8.0], rel=1e-14)
    assert found.layers[1].weights.tolist() == [0.0]
    assert (found.layers[0].bias, found.layers[1].bias, found.scale, found.shape) == (0.0, 40.0, 2.5, (0.0, 5.0))
    assert (found.layers[0].name, network.layers[1].name) == (None, "last")


def test_an_argument_that_the_function_changes_stays_as_it_is():
    def moved(point, weights):
        point.x *= 2.0
        point.y += point.x
        weights["w"] *= point.y
        return np.sum(weights["w"]) * point.x

    point, weights = Point(1.5, 0.5), {"w": np.array([1.0, 2.0])}
    value, (by_point, by_weights) = value_and_grad(moved, argnums=(0, 1))(point, weights)
    assert value == pytest.approx(3 * (0.5 + 3.0) * 3.0, rel=1e-14)  # 3 (y + 2 x) 2 x
    assert by_point.x == pytest.approx(6 * 0.5 + 24 * 1.5, rel=1e-14)
    assert by_point.y == pytest.approx(6 * 1.5, rel=1e-14)
    assert by_weights["w"] == pytest.approx([3.5 * 3.0] * 2, rel=1e-14)
    assert (point, weights["w"].tolist()) == (Point(1.5, 0.5), [1.0, 2.0])


def test_instances_in_lists_and_dicts():
    assert grad(lambda points: sum(p.area() for p in points))([Point(1.0, 2.0), Point(3.0, 4.0)]) == [
        Point(2.0, 1.0),
        Point(4.0, 3.0),
    ]
    assert grad(lambda d: d["a"].x * d["b"].y)({"a": Point(1.0), "b": Point(3.0, 4.0)}) == {
        "a": Point(4.0, 0.0),
        "b": Point(0.0, 1.0),
    }


def test_trees():
    def norm_squared(tree):
        return 0.0 if tree is None else tree.value**2 + norm_squared(tree.left) + norm_squared(tree.right)

    found = grad(norm_squared)(Tree(1.0, Tree(2.0), Tree(3.0, Tree(4.0))))
    assert found == Tree(2.0, Tree(4.0), Tree(6.0, Tree(8.0)))


def test_integers_count_as_real_numbers():
    @dataclasses.dataclass
    class Power:
        base: float
        exponent: int

    def repeated(power):
        total = 0.0
        for _ in range(power.exponent):
            total += power.base * power.base
        return total

    assert grad(repeated)(Power(1.5, 3)) == Power(9.0, 0.0)
    assert grad(lambda p: p.base * p.exponent)(Power(1.5, 3)) == Power(3.0, 1.5)


def test_objects_of_other_classes_are_refused():
    class Plain:
        def __init__(self):
            self.x = 1.0

    with pytest.raises(S2sadError, match="a list, tuple, dict or dataclass of these is needed"):
        grad(lambda p: p.x * p.x)(Plain())
