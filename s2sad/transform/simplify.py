"""The simplify passes in their order, and how often they run.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> x, a, b, c = (Value(name, FLOAT) for name in "xabc")
>>> calls = (
...     Call(a, Constant(operator.mul), (x, Constant(1.0)), exact=False),
...     Call(b, Constant(operator.mul), (x, Constant(0.0)), exact=False),
...     Call(c, Constant(operator.add), (a, b), exact=False),
... )
>>> simplify(Function("f", (Parameter(x),), Block(calls, Return(c)))).body
Block(operations=(), terminator=Return(value=<x: float>, span=None))
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from s2sad.ir.nodes import Function
from s2sad.ir.verify import verify as verify_function
from s2sad.transform.add_parts import add_parts
from s2sad.transform.add_scattered import add_scattered
from s2sad.transform.add_without_axes import add_without_axes
from s2sad.transform.ask_for_shapes import ask_for_shapes
from s2sad.transform.assign_first_contributions import assign_first_contributions
from s2sad.transform.carry_sums import carry_sums
from s2sad.transform.compose_views import compose_views
from s2sad.transform.contract_products import contract_products
from s2sad.transform.drop_broadcasts import drop_broadcasts
from s2sad.transform.drop_dead_changes import drop_dead_changes
from s2sad.transform.drop_dead_stores import drop_dead_stores
from s2sad.transform.drop_vanishing_sums import drop_vanishing_sums
from s2sad.transform.elide_copies import elide_copies
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.eliminate_redundant_carried import eliminate_redundant_carried
from s2sad.transform.factor_accumulators import factor_accumulators
from s2sad.transform.factor_sums import factor_sums
from s2sad.transform.fill_containers import fill_containers
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.forward_stores import forward_stores
from s2sad.transform.hoist_invariants import CAUTIOUS, HoistOptions, hoist_invariants
from s2sad.transform.merge_accumulations import merge_accumulations
from s2sad.transform.merge_branches import merge_branches
from s2sad.transform.move_signs import move_signs
from s2sad.transform.name_buffers_once import name_buffers_once
from s2sad.transform.narrow_zips import narrow_zips
from s2sad.transform.repeat_ranges import repeat_ranges
from s2sad.transform.rewrite import map_definitions, with_body
from s2sad.transform.share_products import share_products
from s2sad.transform.share_subexpressions import share_subexpressions
from s2sad.transform.simplify_algebra import simplify_algebra
from s2sad.transform.simplify_array_algebra import simplify_array_algebra
from s2sad.transform.simplify_products import simplify_products
from s2sad.transform.sink_operations import sink_operations
from s2sad.transform.split_tuples import split_tuples
from s2sad.transform.spread_numbers import spread_numbers
from s2sad.transform.store_additions_first import store_additions_first
from s2sad.transform.store_directly import store_directly
from s2sad.transform.unpack_together import unpack_together
from s2sad.transform.use_conditions import use_conditions
from s2sad.transform.write_out_zeros import write_out_zeros

Pass = Callable[[Function], Function]

#: Run in this order, again and again until nothing changes.
PASSES: Final[tuple[Pass, ...]] = (
    ask_for_shapes,  # so that what is made for its shape only is dead
    eliminate_dead_code,  # first, so that the others do no work in vain, and see true use counts
    fold_constants,  # decides branches, so that values have fewer sources
    write_out_zeros,  # so that dicts which are read for their shadows alone are not made
    split_tuples,  # opens what tuples hide for the passes below
    name_buffers_once,  # arrays that are only changed in place are not carried
    eliminate_redundant_carried,  # what does not change in a loop becomes invariant
    use_conditions,  # what is needed in the first trip alone need not be carried
    hoist_invariants,  # before algebra, which would fold an invariant factor into a product that varies
    store_additions_first,  # so that what is taken and added again is seen to stay
    forward_stores,  # sums that go through memory become sums that algebra sees
    drop_dead_changes,
    drop_dead_stores,  # the same of arrays
    narrow_zips,  # when nobody reads what was stored for them
    repeat_ranges,  # the same of a list that stands alone
    store_directly,  # so that stores to one place look alike
    add_without_axes,
    merge_accumulations,  # the same for arrays
    drop_broadcasts,  # what is left is arithmetic, or a copy
    assign_first_contributions,  # when what is added first is one sum
    add_parts,  # when first contributions are assigned
    elide_copies,  # when stores that undo each other are gone
    compose_views,
    drop_vanishing_sums,  # before the sums that it compares are rearranged
    add_scattered,
    spread_numbers,
    move_signs,
    simplify_array_algebra,  # the numbers that it makes are for the next
    simplify_algebra,
    simplify_products,
    eliminate_dead_code,  # what algebra has replaced, so that the passes below see true use counts
    factor_accumulators,  # when products have their factors in order
    carry_sums,  # when constants stand on the right
    factor_sums,  # when signs and constants are where they belong
    share_subexpressions,  # after algebra has made equal things look equal
    merge_branches,  # when equal conditions have become one value
)
#: Run once, when nothing else changes: arms compute what only they need, and what stood between two of them may be gone. What is
#: a float for certain stays one from here on.
LAST_PASSES: Final[tuple[Pass, ...]] = (
    *(contract_products, fill_containers, eliminate_dead_code),
    *(sink_operations, merge_branches, eliminate_dead_code),
    unpack_together,  # the passes before see that the elements are views, and of what
)
#: A bound for programs on which passes keep finding something; each round leaves a valid program.
MOST_ROUNDS: Final = 8
#: How often products are regrouped when nothing else changes: late, so that what is the same in every trip stays together.
MOST_REGROUPINGS: Final = 3


def simplify(fn: Function, *, verify: bool = False, options: HoistOptions = CAUTIOUS) -> Function:
    """Run the simplify passes until nothing changes; `verify` checks the program after each pass."""
    fn = with_body(fn, map_definitions(fn.body, lambda definition: simplify(definition, verify=verify, options=options)))
    passes = tuple(functools.partial(hoist_invariants, options=options) if one is hoist_invariants else one for one in PASSES)
    runner = Runner(verify)
    for _ in range(MOST_REGROUPINGS):
        fn = runner.run_until_idle(passes, fn)
        before = fn
        fn = runner.run((share_products,), fn)
        if fn is before:
            break
    return runner.run(LAST_PASSES, fn)


class Runner:
    """Runs passes, and none on a function on which it would find nothing."""

    def __init__(self, verify: bool) -> None:
        self.verify = verify
        #: The function on which each pass has found nothing.
        self.settled: dict[Pass, Function] = {}

    def run_until_idle(self, passes: tuple[Pass, ...], fn: Function) -> Function:
        """Run passes in turn until none finds anything."""
        idle = 0  # how many passes in a row have found nothing
        for transform in passes * MOST_ROUNDS:
            new = self.run((transform,), fn)
            idle = idle + 1 if new is fn else 0
            fn = new
            if idle == len(passes):
                break
        return fn

    def run(self, passes: tuple[Pass, ...], fn: Function) -> Function:
        """Run passes one after the other."""
        for transform in passes:
            if self.settled.get(transform) is fn:
                continue
            new = transform(fn)
            if self.verify and new is not fn:
                verify_function(new)
            if new is fn or transform is eliminate_dead_code:  # which leaves nothing for a second run
                self.settled[transform] = new
            fn = new
        return fn
