"""Arrays of indices and masks that random array programs keep in variables, change in place and use as indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2sad.testing.array_programs import Scope, Shape, Writer

#: Permutations of the places of a vector, by its length.
_PERMUTATIONS = {
    2: ("[1, 0]",),
    3: ("[1, 2, 0]", "[2, 0, 1]", "[0, 2, 1]"),
    4: ("[1, 2, 3, 0]", "[3, 1, 0, 2]"),
    5: ("[1, 2, 3, 4, 0]", "[4, 2, 0, 1, 3]"),
    6: ("[5, 3, 1, 0, 2, 4]", "[1, 0, 3, 2, 5, 4]"),
}
#: What is done to an array ``p`` of `n` indices; ``{o}``: another one, or the same.
_CHANGES = (
    "{p}[0], {p}[-1] = {p}[-1], {p}[0]",
    "{p}[:] = np.roll({p}, 1)",
    "{p}[{o}] = {p}[::-1].copy()",
    "{p}[{o}[:2]] = 0",
    "{p}[[0, 1]] = {p}[[1, 0]]",
    "{p}[:] = ({o} + 1) % {n}",
    "np.copyto({p}, {o}[::-1].copy())",
    "{p}[{p} > 1] -= 1",
    "{p}[{o}[0]] = {o}[1]",
)
_CHANGES_OF_MASKS = (
    "{m}[0] = not {m}[0]",
    "{m} &= {x} > 0.1",
    "{m} |= {x} < -0.4",
    "{m}[{o}] = {x}[{o}] > 0.3",
    "{m}[{m}[::-1]] = False",
    "np.logical_not({m}, out={m})",
    "np.logical_not({m}, out={m}, where={o})",
    "{m}[:] = {m}[::-1].copy()",
)
_STORES = (
    "{x}[{k}] *= np.cos({e})",
    "{x}[{k}] = {e}",
    "{x}[{k}] += 0.5 * {y}[{k}]",
    "{x}[{k}] = {y}[{k}] * {e}",
    "{x}[{k}] -= {e}",
)


def write_first(writer: Writer, scope: Scope) -> None:
    """Bind some for the first vector, before everything else."""
    vector = scope.vectors()[0]
    for is_mask in (False, True):
        _bind(writer, scope, 1, vector, [], is_mask=is_mask)


def write_places(writer: Writer, scope: Scope, indent: int) -> None:
    """Bind an array of indices or a mask for a vector, or change one."""
    vectors = [name for name in scope.vectors(2) if scope.arrays[name][0] in _PERMUTATIONS]
    if not vectors:
        writer.augment(scope, indent)
        return
    vector = writer.pick(vectors)
    length = scope.arrays[vector][0]
    places, masks = _of(scope.places, length), _of(scope.masks, length)
    is_mask = writer.chance(2)
    known = masks if is_mask else places
    if not known or writer.chance(4):
        _bind(writer, scope, indent, vector, known, is_mask=is_mask)
    elif is_mask:
        change = writer.pick(_CHANGES_OF_MASKS)
        writer.write(indent, change.format(m=writer.pick(masks), o=writer.pick(masks), x=vector))
    else:
        change = writer.pick(_CHANGES)
        writer.write(indent, change.format(p=writer.pick(places), o=writer.pick(places), n=length))


def write_store(writer: Writer, scope: Scope, indent: int) -> None:
    """Store into a vector where an array of indices or a mask says."""
    found = [(name, keys) for name in scope.vectors(2) if (keys := keys_for(scope, scope.arrays[name][0]))]
    if not found:
        write_places(writer, scope, indent)
        return
    name, keys = writer.pick(found)
    other = writer.pick(scope.of(scope.arrays[name]))
    form = writer.pick(_STORES)
    writer.write(indent, form.format(x=name, y=other, k=writer.pick(keys), e=writer.number(scope)))


def random_elements(writer: Writer, scope: Scope, shape: Shape) -> str | None:
    """A vector of a shape, taken from another by an array of indices, or chosen by a mask."""
    length, names = shape[0], scope.of(shape) if len(shape) == 1 else []
    places, masks = _of(scope.places, length), _of(scope.masks, length)
    forms: list[str] = []
    if places and names:
        forms += ["{x}[{p}]", "{x}[{p}] * {y}", "np.take({x}, {p})", "{x}[{p}[{p}]]"]
    if masks and names:
        forms += ["np.where({m}, {x}, {y})", "{x} * {m}"]
    if not forms:
        return None
    values = {"p": places, "m": masks, "x": names, "y": names}
    return writer.pick(forms).format(**{key: writer.pick(known) for key, known in values.items() if known})


def keys_for(scope: Scope, length: int) -> list[str]:
    """The arrays of indices and the masks for vectors of a length."""
    return [*_of(scope.places, length), *_of(scope.masks, length)]


def _of(known: dict[str, int], length: int) -> list[str]:
    return [name for name, other in known.items() if other == length]


def _bind(writer: Writer, scope: Scope, indent: int, vector: str, known: list[str], *, is_mask: bool) -> None:
    length = scope.arrays[vector][0]
    name = writer.pick(("on", "off") if is_mask else ("p", "q")) + str(length)
    forms = (
        [f"{vector} > 0.2", f"np.ones({length}, dtype=bool)"] if is_mask else [f"np.array({writer.pick(_PERMUTATIONS[length])})"]
    )
    if known:
        forms += [writer.pick(known), f"{writer.pick(known)}[::-1]"]
        forms += [f"{writer.pick(known)} if {writer.number(scope)} > 0.2 else {writer.pick(known)}"]
    writer.write(indent, f"{name} = {writer.pick(forms)}")
    (scope.masks if is_mask else scope.places)[name] = length
