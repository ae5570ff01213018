"""What generated code may call: functions that the standard library lacks, shadows of containers, adjoints of arrays.

The modules inside import NumPy, errors and each other alone. Generated code imports from here, so that its text does not
depend on how they are cut: functions say that they live here.
"""

from __future__ import annotations

from s2sad.runtime.arrays import (
    add_copied,
    add_elements,
    broadcast_like,
    eye_along,
    first_element,
    last_stored,
    length_along,
    shadow_of_view,
    shape_of_tiles,
    sources_of_store,
    split_columns_like,
    split_like,
    split_rows_like,
    turns_of,
    unbroadcast,
    width_before,
)
from s2sad.runtime.axes import (
    axes_from,
    axes_of_tensordot,
    axes_without,
    every_other_axis,
    inverse_permutation,
    last_axes,
    opposite,
    plan_of_einsum,
)
from s2sad.runtime.checks import (
    check_apart,
    check_array,
    check_number,
    check_result,
    flat_view,
    imaginary_part,
    never_called,
    real_part,
)
from s2sad.runtime.copies import (
    check_separate,
    collect_arrays,
    contents_of_arrays,
    copy_containers,
    copy_in_layout,
    put_back,
    real_arrays,
)
from s2sad.runtime.order import bounds_of, indices_of, largest, least, order_of
from s2sad.runtime.overlap import check_one_array, is_same_view, overlapping
from s2sad.runtime.shadows import (
    Shadow,
    as_gradient,
    hold_in_arrays,
    zeros_like,
    zeros_like_all,
    zeros_like_array,
    zeros_like_in_arrays,
    zeros_like_with_views,
    zeros_like_with_views_in_arrays,
)
from s2sad.runtime.special import bessel_i, digamma, polygamma

__all__ = [
    "Shadow",
    "add_copied",
    "add_elements",
    "as_gradient",
    "axes_from",
    "axes_of_tensordot",
    "axes_without",
    "bessel_i",
    "bounds_of",
    "broadcast_like",
    "check_apart",
    "check_array",
    "check_number",
    "check_one_array",
    "check_result",
    "check_separate",
    "collect_arrays",
    "contents_of_arrays",
    "copy_containers",
    "copy_in_layout",
    "digamma",
    "every_other_axis",
    "eye_along",
    "first_element",
    "flat_view",
    "hold_in_arrays",
    "imaginary_part",
    "indices_of",
    "inverse_permutation",
    "is_same_view",
    "largest",
    "last_axes",
    "last_stored",
    "least",
    "length_along",
    "never_called",
    "opposite",
    "order_of",
    "overlapping",
    "plan_of_einsum",
    "polygamma",
    "put_back",
    "real_arrays",
    "real_part",
    "shadow_of_view",
    "shape_of_tiles",
    "sources_of_store",
    "split_columns_like",
    "split_like",
    "split_rows_like",
    "turns_of",
    "unbroadcast",
    "width_before",
    "zeros_like",
    "zeros_like_all",
    "zeros_like_array",
    "zeros_like_in_arrays",
    "zeros_like_with_views",
    "zeros_like_with_views_in_arrays",
]

for _name in __all__:
    globals()[_name].__module__ = __name__
