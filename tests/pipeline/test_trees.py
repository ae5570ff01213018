"""Objects that refer to objects of their own class: trees and chains, made in loops and by recursion."""

import pytest

from s2sad import check_grads, errors, grad, value_and_grad


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right


class Branches:
    def __init__(self, value, inner):
        self.value, self.inner = value, inner

    def total(self):
        return self.value**2 + sum(part.total() for part in self.inner)


def full_tree(x, depth):
    return Node(x * depth, full_tree(x, depth - 1), full_tree(x + 1.0, depth - 1)) if depth else None


def sum_of_squares(node):
    return 0.0 if node is None else node.value**2 + sum_of_squares(node.left) + sum_of_squares(node.right)


def binary(x, depth):
    return sum_of_squares(full_tree(x, depth))


def branched(x, depth):
    return Branches(x * depth, [branched(x + k, depth - 1) for k in range(2)] if depth else [])


def total_of_branches(x, depth):
    return branched(x, depth).total()


def tree_of_dicts(x, depth):
    return {"value": x * depth, "inner": [tree_of_dicts(x + k, depth - 1) for k in range(2)] if depth else []}


def sum_of_dicts(node):
    return node["value"] ** 2 + sum(sum_of_dicts(part) for part in node["inner"])


def dicts(x, depth):
    return sum_of_dicts(tree_of_dicts(x, depth))


def inserted(node, value):
    if node is None:
        return Node(value)
    if value < node.value:
        node.left = inserted(node.left, value)
    else:
        node.right = inserted(node.right, value)
    return node


def weighted_depth(node, depth):
    if node is None:
        return 0.0
    return node.value * depth + weighted_depth(node.left, depth + 1) + weighted_depth(node.right, depth + 1)


def search_tree(xs):
    root = None
    for x in xs:
        root = inserted(root, x * x)
    return weighted_depth(root, 1)


def without_least(node):
    if node.left is None:
        return node.value, node.right
    least, node.left = without_least(node.left)
    return least, node


def sorted_by_tree(xs):
    root = None
    for x in xs:
        root = inserted(root, x)
    total, weight = 0.0, 1.0
    while root is not None:
        least, root = without_least(root)
        total += least * least * weight
        weight += 1.0
    return total


def attribute_that_was_none(xs):
    root = None
    for x in xs:
        if root is None:
            root = Node(x * x)
        else:
            root.left = Node(x)
    return root.value * 2 + root.left.value


def changed_by_a_helper(xs):
    def put(node, value):
        if node is None:
            return Node(value)
        node.left = Node(value)
        return node

    root = None
    for x in xs:
        root = put(root, x * x)
    return root.value * 2 + root.left.value


def chain_in_both_directions(xs):
    head = tail = None
    for x in xs:
        node = Node(x * x)
        if tail is None:
            head = tail = node
        else:
            tail.right = node
            node.left = tail
            tail = node
    total, k = 0.0, 1
    while head is not None:
        total += head.value * k * (head.left.value if head.left else 1.0)
        head = head.right
        k += 1
    return total


def turned_chain(xs):
    head = None
    for x in xs:
        head = Node(x, head)
    before = None
    while head is not None:
        head.left, before, head = before, head, head.left
    total, k = 0.0, 1
    while before:
        total += before.value**k
        k += 1
        before = before.left
    return total


def even_part(node, x):
    return 0.0 if node is None else node.value * x + odd_part(node.left, x)


def odd_part(node, x):
    return 0.0 if node is None else node.value * x * x + even_part(node.left, x)


def in_turns(xs, x):
    head = None
    for value in xs:
        head = Node(value, head)
    return even_part(head, x)


@pytest.mark.parametrize(
    ("function", "arguments", "argnums"),
    [
        (binary, (1.5, 3), 0),
        (total_of_branches, (1.5, 2), 0),
        (dicts, (1.5, 2), 0),
        (search_tree, ([2.0, 1.0, 3.0, 1.5, 2.5],), 0),
        (sorted_by_tree, ([2.0, 1.0, 3.0, 1.5, 2.5],), 0),
        (attribute_that_was_none, ([2.0, 3.0],), 0),
        (changed_by_a_helper, ([2.0, 3.0],), 0),
        (chain_in_both_directions, ([1.0, 3.0, 2.0],), 0),
        (turned_chain, ([1.0, 3.0, 2.0],), 0),
        (in_turns, ([1.0, 3.0, 2.0], 0.5), (0, 1)),
    ],
)
def test_gradients(function, arguments, argnums):
    check_grads(function, arguments, argnums=argnums)
    assert value_and_grad(function, argnums)(*arguments)[0] == function(*arguments)


def chain_and_product(x, n):
    if n == 0:
        return None, x
    below, product = chain_and_product(x, n - 1)
    return Node(product * x, below), product * x


def with_a_number(x, n):
    node, product = chain_and_product(x, n)
    total = 0.0
    while node is not None:
        total += node.value * product
        node = node.left
    return total


def two_chains(x, n):
    if n == 0:
        return None, None
    first, second = two_chains(x, n - 1)
    return Node(x * n, second), Node(x * x, first)


def crossed(x, n):
    first, second = two_chains(x, n)
    total = 0.0
    while first is not None:
        total += first.value**2
        first = first.left
    while second is not None:
        total *= second.value
        second = second.left
    return total


def turned(node, made):
    return made if node is None else turned(node.left, Node(node.value * 2, made))


def turned_by_recursion(x, n):
    node = turned(full_tree(x, n), None)
    total, weight = 0.0, 1.0
    while node is not None:
        total += node.value * weight
        node, weight = node.left, weight * x
    return total


def built_by_insertion(x, n):
    return search_tree([x, x + 1.0, x - 0.5, x * 0.3])


class Expression:
    """Its text tells what it computes."""

    def __init__(self, sign, left=None, right=None):
        self.sign, self.left, self.right = sign, left, right

    def value(self, x):
        if self.sign == "x":
            return x
        if self.sign == "+":
            return self.left.value(x) + self.right.value(x)
        return self.left.value(x) * self.right.value(x)


def built(n):
    return Expression("x") if n == 0 else Expression("*" if n % 2 else "+", built(n - 1), Expression("x"))


def expression(x, n):
    return built(n + 1).value(x)


@pytest.mark.parametrize("function", [with_a_number, crossed])
def test_trees_in_tuples(function):
    check_grads(function, (0.7, 3), argnums=0)


def assert_highest_is_right(function, order):
    """By central differences of the derivative below, which are exact to the fourth power of the step."""
    below = function
    for _ in range(order - 1):
        below = grad(below)
    at = {k: below(0.7 + k * 1e-3, 2) for k in (-2, -1, 1, 2)}
    expected = (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / 12e-3
    assert grad(below)(0.7, 2) == pytest.approx(expected, rel=1e-7, abs=1e-7)


# `with_a_number` has no third derivative: the shadow of a pair in a tuple that is kept is a tuple here and a list there
HIGHER = [binary, total_of_branches, dicts, built_by_insertion, turned_by_recursion, crossed, expression]


@pytest.mark.parametrize("function", [*HIGHER, with_a_number])
def test_second_derivatives(function):
    assert_highest_is_right(function, 2)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("function", HIGHER)
def test_third_derivatives(function):
    assert_highest_is_right(function, 3)


def perhaps_an_object(x, is_there):
    node = Node(x) if is_there else None
    if node is not None:
        node.value *= x
        node.left = node
        return node.left.value * node.value
    return x


def perhaps_a_dict(x, is_there):
    table = {"a": x} if is_there else None
    if table:
        table["a"] *= x
        table["b"] = table["a"] * 2
        return table["b"] * table["a"]
    return x


def perhaps_a_list(x, is_there):
    items = [x] if is_there else None
    if items:
        items.append(items[0] * x)
        items[0] = x * x * items[1]
        return items[0] * items[1]
    return x


@pytest.mark.parametrize("function", [perhaps_an_object, perhaps_a_dict, perhaps_a_list])
@pytest.mark.parametrize("is_there", [True, False])
def test_containers_that_may_be_none(function, is_there):
    check_grads(function, (1.5, is_there), argnums=0)


def first_kind(x, depth):
    return Node(x, second_kind(x * 2, depth - 1)) if depth else None


def second_kind(x, depth):
    return Node(x * x, first_kind(x + 1, depth - 1)) if depth else None


def test_trees_made_in_turns_are_refused():
    with pytest.raises(errors.UnsupportedSyntaxError, match="to any depth"):
        grad(lambda x: sum_of_squares(first_kind(x, 4)))(0.5)
