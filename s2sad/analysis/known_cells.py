"""Variables in cells that only ever hold one nested function: its own name, in a recursive one.

In ::

    def outer(x):
        def walk(n):
            return x if n == 0 else walk(n - 1) * 2.0
        return walk(3)

the variable ``walk`` lives in a cell since ``walk`` reads it, and is bound once: ``walk(3)`` is a call of that function value.
"""

from __future__ import annotations

from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import Block, Branch, Call, Constant, Function, MakeFunction, Operand, Value, blocks_of, operands_of
from s2sad.ir.operations import load_cell, make_cell, store_cell


def functions_in_cells(function: Function) -> dict[Value, MakeFunction]:
    """What loads from such cells give, where the function value is visible."""
    known = known_cells(function)
    users = visible_users(function, known) if known else {}
    return {node.result: maker for node, maker in users.items() if isinstance(node, Call)}


def known_cells(function: Function) -> dict[Value, MakeFunction]:
    """These cells, and the functions that they hold."""
    return {cell: makers[0] for cell, makers in cells_of_functions(function).items() if len(makers) == 1}


def cells_of_functions(function: Function) -> dict[Value, list[MakeFunction]]:
    """The cells that hold nested functions and nothing else, with these: one for each place where the variable is bound."""
    if make_cell not in functions_called(function):
        return {}
    stores: dict[Value, list[Call]] = {}
    cells: set[Value] = set()
    spoiled: set[Operand] = set()
    makers: dict[Operand, MakeFunction] = {}
    for node in nodes_of(function):
        operation = _operation(node)
        if isinstance(node, MakeFunction):
            makers[node.result] = node
            for operand, inner in zip(node.captured, node.definition.captured, strict=True):
                if _is_stored(node.definition, inner):
                    spoiled.add(operand)
            spoiled.update(node.defaults)
        elif isinstance(node, Call) and operation is make_cell:
            cells.add(node.result)
        elif isinstance(node, Call) and operation is store_cell and isinstance(node.arguments[0], Value):
            stores.setdefault(node.arguments[0], []).append(node)
            spoiled.add(node.arguments[1])
        elif operation is not load_cell:
            spoiled.update(operands_of(node))
    return {
        cell: [makers[store.arguments[1]] for store in found]
        for cell, found in stores.items()
        if cell in cells and cell not in spoiled and all(store.arguments[1] in makers for store in found)
    }


def visible_users(function: Function, known: dict[Value, MakeFunction]) -> dict[Call | MakeFunction, MakeFunction]:
    """The loads from cells, and the nested functions that capture one, where the function in the cell is visible; and that."""
    users: dict[Call | MakeFunction, MakeFunction] = {}
    _visit(function.body, known, frozenset(), users)
    return users


def _operation(node: object) -> object:
    return node.function.value if isinstance(node, Call) and isinstance(node.function, Constant) else None


def _is_stored(definition: Function, cell: Value) -> bool:
    """Whether a nested function, or one inside it, binds the variable or lets the cell out of sight."""
    for node in nodes_of(definition):
        if isinstance(node, MakeFunction):
            for operand, inner in zip(node.captured, node.definition.captured, strict=True):
                if operand is cell and _is_stored(node.definition, inner):
                    return True
        elif cell in operands_of(node) and _operation(node) is not load_cell:
            return True
    return False


def _visit(
    block: Block, known: dict[Value, MakeFunction], visible: frozenset[Value], users: dict[Call | MakeFunction, MakeFunction]
) -> None:
    for operation in block.operations:
        if isinstance(operation, MakeFunction) or _operation(operation) is load_cell:
            for cell in operands_of(operation):
                maker = known.get(cell) if isinstance(cell, Value) else None
                if maker is not None and maker.result in visible and isinstance(operation, Call | MakeFunction):
                    users[operation] = maker
        if isinstance(operation, MakeFunction):
            visible |= {operation.result}
        for inner in blocks_of(operation):
            _visit(inner, known, visible, users)
    if isinstance(block.terminator, Branch):
        for inner in blocks_of(block.terminator):
            _visit(inner, known, visible, users)
