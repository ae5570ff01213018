"""Where things stand in a function: the block and the node that define each value, and how deep in loops a block is."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.ir.nodes import (
    Block,
    Branch,
    For,
    Function,
    Operation,
    Terminator,
    Value,
    While,
    blocks_of,
    parameters_of,
    results_of,
)


@dataclass(slots=True)
class Structure:
    """`home`: the block in which a value is visible from its definition on. `definition`: the operation that defines it (None for
    parameters of the function, of loops and of handlers). `owner`: the node that a block stands in, and that node's block."""

    home: dict[Value, Block] = field(default_factory=dict)
    definition: dict[Value, Operation | None] = field(default_factory=dict)
    owner: dict[Block, tuple[Operation | Terminator, Block]] = field(default_factory=dict)
    depth: dict[Block, int] = field(default_factory=dict)
    root: Block | None = None

    @staticmethod
    def of(function: Function) -> Structure:
        """The structure of a function."""
        structure = Structure(root=function.body)
        for value in (*function.captured, *(parameter.value for parameter in function.parameters)):
            structure.define(value, function.body, None)
        structure.depth[function.body] = 0
        structure._visit(function.body)
        return structure

    def define(self, value: Value, home: Block, definition: Operation | None) -> None:
        """Note where a value is defined."""
        self.home[value] = home
        self.definition[value] = definition

    def _visit(self, block: Block) -> None:
        for operation in block.operations:
            for value in results_of(operation):
                self.define(value, block, operation)
            self._enter(operation, block)
        self._enter(block.terminator, block)

    def _enter(self, node: Operation | Terminator, block: Block) -> None:
        inner_depth = self.depth[block] + isinstance(node, (For, While))
        for inner in blocks_of(node):
            self.owner[inner] = (node, block)
            self.depth[inner] = inner_depth
        if not isinstance(node, Branch):
            body = blocks_of(node)[-1] if isinstance(node, (For, While)) else None
            for value in parameters_of(node):  # type: ignore[arg-type]
                for inner in (body,) if body is not None else blocks_of(node)[:1]:
                    self.define(value, inner, None)
        for inner in blocks_of(node):
            self._visit(inner)

    def encloses(self, outer: Block, inner: Block) -> bool:
        """Whether `inner` is `outer` or stands somewhere inside it."""
        while inner is not outer:
            if inner not in self.owner:
                return False
            inner = self.owner[inner][1]
        return True

    def is_inside(self, value: Value, block: Block) -> bool:
        """Whether a value is defined in a block or somewhere inside it."""
        return value in self.home and self.encloses(block, self.home[value])
