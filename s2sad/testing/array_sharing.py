"""What random array programs do to give one array several names: containers, objects, helpers that return what they were given.

An element of a container or an attribute is a name as any other: ``box1[0]``, ``box2["k"]`` and ``box3.a`` are stored through,
taken views of, swapped with variables and handed to helpers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2sad.testing.array_programs import Scope, Shape, Writer

#: The class of objects in programs.
CLASS = "class Box:\n    def part(self):\n        return self.a[1:]\n"
#: What helpers return, after their kind: of arrays ``p`` and ``q`` of one shape and a number ``r``.
RETURNS = {
    "none": [],
    "number": ["return r + p[0] * q[1]"],
    "same": ["return p"],
    "view": ["return p[1:]"],
    "pair": ["return p, p[1:]"],
    "early": ["if r > 0.3:", "    return p[1:]", "if p[0] > 0.2:", "    return q[:-1] * r", "return q[::-1][1:]"],
    "either": ["return p if r > 0.2 else q"],
    "list": ["return [p, q[::-1], p[1:]]"],
    "dict": ['return {"k": p, "v": p[1:]}'],
}
HELPER_STATEMENTS = (
    "p[0] = r * q[-1]",
    "p += 0.3 * q",
    "p += q",
    "q -= p",
    "p[1:] *= np.cos(q[:-1])",
    "p[:] = np.sin(q) + r",
    "q = p[::-1] * r",
    "p[-1] += q[0] * q[1]",
    "r = r * p[0] + np.sum(q)",
    "p *= q",
    "p[::2] -= 0.1 * r",
    "np.flip(p)[1:] *= np.cos(q[0])",
    "np.squeeze(p[None])[-1] -= 0.1 * q[0]",
    "p.reshape(-1)[1] += r",
    "np.atleast_2d(p).T[0] *= 0.5 + r",
    "np.multiply(p, 0.5 * q, out=p)",
    "np.add.at(p, [0, 0, -1], q[1])",
    "np.copyto(p[1:], 0.7 * q[:-1])",
    "p[q > 0.3] = r",
    "q[0] = p[1] * r",
    "p, q = q, p",
    "q = p",
)


def write_box(writer: Writer, scope: Scope, indent: int) -> None:
    """A list, a dict or an object of arrays that have names."""
    names = [writer.pick(list(scope.arrays)) for _ in range(2)]
    writer.boxes += 1
    box = f"box{writer.boxes}"
    form = writer.pick(("list", "dict", "object"))
    if form == "list":
        writer.write(indent, f"{box} = [{names[0]}, {names[1]}]")
        parts = [f"{box}[0]", f"{box}[1]"]
    elif form == "dict":
        writer.write(indent, f'{box} = {{"k": {names[0]}, "v": {names[1]}}}')
        parts = [f'{box}["k"]', f'{box}["v"]']
    else:
        writer.write(indent, f"{box} = Box()")
        parts = [f"{box}.a", f"{box}.b"]
        for part, name in zip(parts, names, strict=True):
            writer.write(indent, f"{part} = {name}")
    for part, name in zip(parts, names, strict=True):
        scope.arrays[part] = scope.arrays[name]


def write_out(writer: Writer, scope: Scope, indent: int) -> None:
    """A function that stores its result, or what it is given, into an array."""
    name = writer.pick(list(scope.arrays))
    shape = scope.arrays[name]
    value, other = writer.array(scope, shape, 1), writer.array(scope, shape, 0)
    form = writer.pick(
        (
            "np.multiply({e}, np.cos({o}), out={n})",
            "np.add({e}, {n}, out={n})",
            "np.copyto({n}, np.sin({e}))",
            "np.sin({n}, out={n})",
            "{n}.fill({r})",
            "np.put({n}, [0, -1, 0], {r})",
            "np.cumsum({o}, axis=0, out={n})",
            "np.add({o}, {n}, out={n})",
            "np.subtract({n}, {o}, out={n})",
            "np.multiply({e}, {o}, out={n}, where={n} < 0.4)",
            "np.copyto({n}, {o} * 0.5, where={n} > 0.3)",
            "{n}[...] = {o}",
        )
    )
    writer.write(indent, form.format(n=name, e=value, o=other, r=writer.number(scope, 0)))


def write_call(writer: Writer, scope: Scope, indent: int, name: str, arguments: str, shape: Shape) -> None:
    """The call of a helper, with what it returns bound to names."""
    kind = name.rpartition("_")[2]
    call, shorter = f"{name}({arguments})", (shape[0] - 1,)
    if kind == "number":
        writer.write(indent, f"t = {call}")
        if "t" not in scope.numbers:
            scope.numbers.append("t")
    elif kind == "none":
        writer.write(indent, call)
    elif kind == "pair":
        first, second = writer.new_name(shape), writer.new_name(shorter)
        writer.write(indent, f"{first}, {second} = {call}")
        scope.arrays.update({first: shape, second: shorter})
    elif kind in ("list", "dict"):
        writer.boxes += 1
        box = f"box{writer.boxes}"
        writer.write(indent, f"{box} = {call}")
        keys = {"0": shape, "1": shape, "2": shorter} if kind == "list" else {'"k"': shape, '"v"': shorter}
        scope.arrays.update({f"{box}[{key}]": part for key, part in keys.items()})
    else:
        writer.bind(scope, indent, call, shorter if kind in ("view", "early") else shape)


def write_while(writer: Writer, scope: Scope, indent: int) -> None:
    """A loop that ends at numbers, or after some trips."""
    writer.boxes += 1
    count = f"count_{writer.boxes}"
    writer.write(indent, f"{count} = 0")
    writer.write(indent, f"while {count} < {writer.pick(('1', '2', '3'))} and {writer.number(scope)} < 1.4:")
    writer.write(indent + 1, f"{count} += 1")
    inner = scope.inner()
    writer.block(inner, indent + 1, writer.choices.integer(1, 3))


def write_return(writer: Writer, scope: Scope, indent: int) -> None:
    """A way out before the end."""
    name = writer.pick(list(scope.arrays))
    writer.write(indent, f"if {writer.number(scope)} > 1.3:")
    writer.write(indent + 1, f"return np.sum({name} * {name}) + {writer.number(scope)}")
