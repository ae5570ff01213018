"""The function at the door of a derivative: it checks in a few machine steps that the arguments have the types that the code was
generated for, and calls it.

For ``besselj(nu, z, atol=1e-8)`` called with an int and a float its code reads::

    def besselj(nu, z, atol=missing):
        while True:
            try:
                if atol is missing and primal.__defaults__ is defaults and nu.__class__ is int and z.__class__ is float and …:
                    atol = 1e-08
                    break
            except (AttributeError, LookupError, NameError, ValueError):
                pass
            # the same with `atol` from `primal.__defaults__`, if it is missing, and with a test of its class
            return dispatch(nu, z, atol)
        # here follows the code of the derivative, or a call of it

The further tests are that ``primal.__code__ is code`` and ``math is expected``.

Each of these tests counts where a derivative takes a microsecond. So the function has the globals of the primal, where what
was read from the module is read again; all else is a value in its code (see :mod:`s2sad.emit.values`). While one thread still
runs the check for one signature, another may put that for a second one in its place.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import keyword
import math
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad.analysis.held_outside import may_hold_another
from s2sad.analysis.memory import references_in
from s2sad.analysis.sharing import may_overlap
from s2sad.analysis.specialisation import BuiltIn, Contents, Guard
from s2sad.emit.values import Values, compile_function, splice
from s2sad.ir.effects import Callee
from s2sad.ir.types import ArrayType, Extent, ListType, NoneType, OpaqueType, ScalarType, Type
from s2sad.pipeline.overlap import pairs_to_keep_apart
from s2sad.rules.core import REGISTRY

if TYPE_CHECKING:
    from s2sad.pipeline.units import Generated, Unit

_PLAIN = {"bool": bool, "int": int, "float": float, "complex": complex}
_PREFIX = "s2sad_"


#: Stands for an argument that was not given. Parameters without default have it too: what is missing is told as Python tells it
#: of the primal.
_MISSING: Final = object()
_ENTRIES: Final[weakref.WeakSet[Entry]] = weakref.WeakSet()


def is_list_of_floats(x: Any) -> bool:
    """Whether a list holds Python floats (or floats and integers), and nothing that is not a number."""
    try:
        return x.__class__ is list and sum(x).__class__ is float
    except TypeError:
        return False


class Entry:
    """The function that a user calls. `function` keeps its identity; its code changes with the signature last seen."""

    def __init__(
        self, signature: inspect.Signature, dispatch: Callable[..., Any], primal: types.FunctionType | None = None
    ) -> None:
        self.signature = signature
        self.primal = primal
        #: The primal's name, if the function has another one.
        self.shown_name = ""
        #: No parameter may hide a global of the entry.
        self.prefix = _PREFIX
        while any(name.startswith(self.prefix) for name in signature.parameters):
            self.prefix = "_" + self.prefix
        self.codes: dict[types.FunctionType, types.CodeType] = {}
        #: What the names with this prefix mean.
        self.values = Values(
            {self.prefix + "dispatch": self.dispatch, self.prefix + "primal_0": primal},
            captured=(self.prefix + "primal_0",),
            elements=self.prefix + "elements",
        )
        self.globals: dict[str, Any] = {"__builtins__": builtins} if primal is None else primal.__globals__
        self._dispatch = dispatch
        found = self._live_defaults()
        self.live = [(name, self._live(name, place)) for name, place in found.items()]
        values = {
            p.name: _MISSING if p.name in found or p.default is p.empty else p.default
            for p in signature.parameters.values()
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        }
        kinds = {name: signature.parameters[name].kind for name in values}
        keyword_only = inspect.Parameter.KEYWORD_ONLY
        code = self._closed = self._compile(self._text())
        defaults = tuple(value for name, value in values.items() if kinds[name] is not keyword_only)
        closure = self.values.closure_of(code)
        self.function = types.FunctionType(code, self.globals, "entry", defaults or None, closure)
        self.function.__kwdefaults__ = {name: value for name, value in values.items() if kinds[name] is keyword_only}
        _ENTRIES.add(self)

    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        """Call what finds the code for these arguments, if there are all that the primal needs."""
        if any(value is _MISSING for value in (*args, *kwargs.values())):
            self._refuse(args, kwargs)
        return self._dispatch(*args, **kwargs)

    def _refuse(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise what Python raises for a call of the primal with these arguments."""
        texts, _, _ = self._parameters(needed=True)
        code = self._compile(f"def entry({', '.join(texts)}): pass\n")
        primal = types.FunctionType(code, {}, self.function.__name__, None, self.values.closure_of(code))
        primal.__qualname__ = self.shown_name or self.function.__qualname__
        defaults = [p for p in self.signature.parameters.values() if p.default is not p.empty]
        primal.__defaults__ = tuple(None for p in defaults if p.kind is not p.KEYWORD_ONLY)
        primal.__kwdefaults__ = {p.name: None for p in defaults if p.kind is p.KEYWORD_ONLY}
        given = dict(zip(self.signature.parameters, args, strict=False)) | kwargs
        given = {name: value for name, value in given.items() if value is not _MISSING}
        only = [p.name for p in self.signature.parameters.values() if p.kind is p.POSITIONAL_ONLY and p.name in given]
        positional = [given.pop(name) for name in only]
        primal(*positional, **given)

    def _live_defaults(self) -> dict[str, int | str]:
        """The parameters whose default is the primal's own, and where the primal keeps it: it may be changed there."""
        primal = self.primal
        if primal is None:
            return {}
        code = primal.__code__
        positional = code.co_varnames[: code.co_argcount]
        defaults = primal.__defaults__ or ()
        places: dict[str, int | str] = dict(zip(positional[::-1], range(-1, -len(defaults) - 1, -1), strict=False))
        found: dict[str, int | str] = {
            name: place for name, place in places.items() if isinstance(place, int) and self._default(name) is defaults[place]
        }
        named = primal.__kwdefaults__ or {}
        found.update({name: name for name, value in named.items() if self._default(name) is value})
        return found

    def _default(self, name: str) -> object:
        return self.signature.parameters[name].default if name in self.signature.parameters else _MISSING

    def _live(self, name: str, place: int | str) -> str:
        """The statement that fills in a default."""
        table = "__defaults__" if isinstance(place, int) else "__kwdefaults__"
        missing, primal = self.name("missing", _MISSING), self.name("primal", self.primal)
        live = f"{primal}.{table}[{place!r}]"
        if isinstance(place, int) and self.primal is not None and self.primal.__defaults__ is not None:
            defaults = self.primal.__defaults__  # looked up in full only if it was replaced
            default = defaults[place]
            known = self.name("defaults", defaults)
            value = repr(default) if _has_literal(default) else self.name("default", default)
            live = f"{value} if {primal}.{table} is {known} else {live}"
        return f"if {name} is {missing}: {name} = {live}"

    def _text(
        self,
        checks: Sequence[str] = (),
        *,
        settled: Mapping[str, str] = types.MappingProxyType({}),
        may_fail: bool = False,
        fitting: str = "",
    ) -> str:
        """The whole entry: one statement to execute where all checks hold. Without one, it dispatches every call. `settled` are
        all defaults, where each is a literal of the class that is checked for: if none was given, they need no check."""
        parameters, _, forwarded = self._parameters()
        lines = [f"def entry({', '.join(parameters)}):"]
        filled = [statement for _, statement in self.live]
        dispatched = f"return {self.prefix}dispatch({', '.join(forwarded)})"
        if not fitting:
            return "\n".join([*lines, *_indented(filled), f"    {dispatched}", ""])

        def decided(needed: Sequence[str], assigned: Iterable[str] = ()) -> list[str]:
            decide = [f"if {' and '.join(needed) or 'True'}:", *_indented([*assigned, "break"])]
            if not may_fail:
                return decide
            errors = "(AttributeError, LookupError, NameError, ValueError)"  # what was read is not there any more
            return ["try:", *_indented(decide), f"except {errors}: pass"]

        decide = [*filled, *decided(checks)]
        if settled:
            missing, primal = self.name("missing", _MISSING), self.name("primal", self.primal)
            defaults = self.name("defaults", getattr(self.primal, "__defaults__", None))
            none_given = [*(f"{name} is {missing}" for name in settled), f"{primal}.__defaults__ is {defaults}"]
            known = tuple(f"{name}.__class__ is " for name in settled)
            rest = [check for check in checks if not check.startswith(known)]
            assigned = [f"{name} = {value}" for name, value in settled.items()]
            decide = [*decided([*none_given, *rest], assigned), *decide]
        # a loop that is left where all checks hold: a variable that tells would take time
        return "\n".join([*lines, "    while True:", *_indented(_indented([*decide, dispatched])), f"    {fitting}", ""])

    def _settled(self, kinds: Mapping[str, Type]) -> dict[str, str]:
        """The text of all defaults, if each is a literal of the class that is checked for; else nothing."""
        found = {}
        for name, _ in self.live:
            default, kind = self._default(name), kinds.get(name)
            is_positional = self.signature.parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY
            if not (is_positional and _has_literal(default) and isinstance(kind, ScalarType) and not kind.dtype):
                return {}
            if _PLAIN[kind.kind] is not default.__class__:
                return {}
            found[name] = repr(default)
        return found

    def name(self, proposal: str, value: object) -> str:
        """The name that stands for a value."""
        return self.values.name(self.prefix + proposal, value)

    def _compile(self, text: str) -> types.CodeType:
        return compile_function(text, "<s2sad entry>", self.values)

    def install(
        self,
        kinds: Sequence[Type] | None,
        generated: Generated,
        derivative: types.FunctionType,
        matches: Callable[..., bool],
        primal: object,
        bound: Sequence[object],
    ) -> None:
        """Check for this signature from now on. `kinds` are the types of `bound`, arguments that are given already, and of
        the entry's parameters (None: ask `matches`). The derivative's own code follows the check where it reads nothing from the
        user's module; elsewhere the derivative is called."""
        if derivative not in self.codes:
            code = self._code(kinds, generated, derivative, matches, primal, bound)
            names = self.function.__code__
            self.codes[derivative] = code.replace(co_name=names.co_name, co_qualname=names.co_qualname)
        self.function.__code__ = self.codes[derivative]

    def close(self) -> None:
        """Ask the dispatcher at the next call, whatever the signature."""
        self.codes.clear()
        names = self.function.__code__
        self.function.__code__ = self._closed.replace(co_name=names.co_name, co_qualname=names.co_qualname)

    def _code(
        self,
        kinds: Sequence[Type] | None,
        generated: Generated,
        derivative: types.FunctionType,
        matches: Callable[..., bool],
        primal: object,
        bound: Sequence[object],
    ) -> types.CodeType:
        guards, unit = generated.guards, generated.main
        _, passed, _ = self._parameters()
        given = [self.name("bound", value) for value in bound]
        is_inline = (
            not bound
            and unit.is_self_contained
            and unit.context.globals is self.globals
            and self.prefix not in unit.emitted.text
            and [p.value.name for p in unit.function.parameters] == passed
        )
        local = {*passed, *derivative.__code__.co_varnames, *derivative.__code__.co_cellvars} if is_inline else {*passed}
        checks: list[str | None] = [None]
        settled: dict[str, str] = {}
        if kinds is not None:
            lengths: dict[str, str] = {}
            known = dict(zip([*given, *passed], kinds, strict=True))
            # what is bound stays the same object: of arrays the lengths count, as others have equal ones
            known = {name: kind for name, kind in known.items() if name in passed or isinstance(kind, ArrayType)}
            checks = [self._check(name, kind, lengths) for name, kind in known.items()]
            if sum(isinstance(kind, ListType) for kind in kinds) > 1 or may_hold_another(kinds):
                checks.append(None)  # two lists may be one object, and one argument may stand in another
            checks += self._apart(known, generated.written)
            checks += self._apart_from_outside([*given, *passed], kinds, generated, local)
            settled = self._settled(known)
        if None in checks:
            settled = {}
            checks = [f"{self.name('matches', matches)}({', '.join(passed)})"]
        if isinstance(primal, types.FunctionType):
            checks.append(f"{self.name('primal', primal)}.__code__ is {self.name('code', primal.__code__)}")
        checks.extend(self._guard(guard, local) for guard in guards)
        needed = [check for check in checks if check]
        if is_inline:
            return self._inline(self._text(needed, settled=settled, may_fail=bool(guards), fitting="pass"), unit)
        call = f"{self.name('adjoint', derivative)}({', '.join([*given, *passed])})"
        return self._compile(self._text(needed, settled=settled, may_fail=bool(guards), fitting=f"return {call}"))

    def _inline(self, text: str, unit: Unit) -> types.CodeType:
        """The entry with the derivative's body in place of ``pass``."""
        emitted = unit.emitted
        references = {
            name: value.cell.cell_contents if isinstance(value, Callee) else value for name, value in emitted.references.items()
        }
        built_in = {name: getattr(builtins, name) for name in emitted.builtins}
        return splice(text, emitted, unit.filename, self.values, built_in | references)

    def _check(self, name: str, kind: Type, lengths: dict[str, str]) -> str | None:
        """A quick test that an argument has a type; None where there is no quick one. `lengths` tells where the lengths with a
        name are found, and is filled."""
        match kind:
            case ScalarType(kind=number, dtype=""):
                return f"{name}.__class__ is {self.name(number, _PLAIN[number])}"
            case ScalarType(dtype=dtype):
                return f"{name}.__class__ is {self.name(dtype, getattr(np, dtype))}"
            case NoneType():
                return f"{name} is None"
            case OpaqueType(cls=cls, dtype=""):
                return f"{name}.__class__ is {self.name('class', cls)}"
            case ArrayType():
                return self._check_array(name, kind, lengths)
            case ListType(element=ScalarType(kind="float", dtype="")):
                return f"{self.name('is_list_of_floats', is_list_of_floats)}({name})"
        return None

    def _check_array(self, name: str, kind: ArrayType, lengths: dict[str, str]) -> str | None:
        """The class, the dtype, the number of axes, and which of these are equally long, or have the length 1.

        A dtype is compared by value: that of an array that was pickled is another object."""
        if kind.shape is None:
            return None
        checks = [
            f"{name}.__class__ is {self.name('ndarray', np.ndarray)}",
            f"{name}.dtype == {self.name(kind.dtype, np.dtype(kind.dtype))}",
            f"{name}.ndim == {len(kind.shape)}",
        ]
        place = functools.partial(self._place, name, len(kind.shape))
        named = [length for length in kind.shape if isinstance(length, Extent)]
        if any(length.name not in lengths for length in named):
            if len(kind.shape) > 1 and len(named) == len(kind.shape):
                checks.append(f"1 not in {self._shape(name)}")
            else:
                first = {length.name: axis for axis, length in reversed([*enumerate(kind.shape)]) if isinstance(length, Extent)}
                checks += [f"{place(axis)} != 1" for length, axis in first.items() if length not in lengths]
        for axis, length in enumerate(kind.shape):
            here = place(axis)
            if length == 1:
                checks.append(f"{here} == 1")
            elif isinstance(length, Extent) and lengths.setdefault(length.name, here) != here:
                checks.append(f"{here} == {lengths[length.name]}")
        shape = self._shape(name)
        for position, check in enumerate(checks if shape.isidentifier() else ()):
            if shape in check:  # where it is looked up for the first time
                checks[position] = check.replace(shape, f"({shape} := {name}.shape)", 1)
                break
        return " and ".join(checks)

    def _shape(self, name: str) -> str:
        """The variable that holds the shape of an array: to ask for it takes longer than all else."""
        return f"{self.prefix}shape_of_{name}" if name.isidentifier() else f"{name}.shape"

    def _place(self, name: str, axes: int, axis: int) -> str:
        """An expression for the length of an axis."""
        return f"{self.name('len', len)}({name})" if axes == 1 else f"{self._shape(name)}[{axis}]"

    def _apart(self, kinds: dict[str, Type], written: Set[int]) -> list[str | None]:
        """Arrays of which one is changed do not overlap. None: ask `matches`."""
        holders = {name: set(references_in(kind)) for name, kind in kinds.items()}
        found: dict[frozenset[str], str | None] = {}
        for first in (name for name, regions in holders.items() if regions & written):
            for second in kinds:
                if first != second and may_overlap(kinds[first], kinds[second]):
                    is_one = holders[first] & holders[second]  # whether it is one here as well, `matches` finds out
                    quick = None if is_one else self._quick(first, second, kinds[first], kinds[second])
                    found[frozenset((first, second))] = quick
        return [*found.values()]

    def _apart_from_outside(
        self, names: Sequence[str], kinds: Sequence[Type], generated: Generated, local: Set[str]
    ) -> list[str | None]:
        """Arguments and what the function changes outside share no memory. None: ask `matches`."""
        found: list[str | None] = []
        for index, outside in pairs_to_keep_apart(generated, kinds):
            variable = self._read(outside.variable, local)
            found.append(variable and self._quick(names[index], variable, kinds[index], outside.kind))
        return found

    def _quick(self, first: str, second: str, kind: Type, other: Type) -> str | None:
        """An expression that tells of two operands that they are apart; None where there is no quick one."""
        if isinstance(kind, ArrayType) and isinstance(other, ArrayType):
            return f"not {self.name('may_share_memory', np.may_share_memory)}({first}, {second})"
        if isinstance(kind, ListType) and isinstance(other, ListType) and not references_in(kind.element):
            return f"{first} is not {second}" if not references_in(other.element) else None
        return None

    def _guard(self, guard: Guard, local: Set[str]) -> str:
        """What was read from a module must be so still. `local` are the variables of the entry."""
        if isinstance(guard.namespace, Contents) and isinstance(guard.namespace.kind, ArrayType):
            found = self._read(guard.namespace.variable, local)
            checked = found and self._check_array(found, guard.namespace.kind, {})
            if checked:
                return checked
        if isinstance(guard.namespace, BuiltIn):
            name = guard.namespace.name
            if self._is_global(guard.namespace.namespace, name, local):
                return f"{name} is {self.name('expected', getattr(builtins, name))}"
            return f"{name!r} not in {self.name('namespace', guard.namespace.namespace)}"
        found = self._read(guard, local)
        if found is None:
            return f"{self.name('guard', guard)}.holds()"
        return f"{found}{'.__class__' if guard.by_class else ''} is {self.name('expected', guard.expected)}"

    def _is_global(self, namespace: object, name: str, local: Set[str]) -> bool:
        """Whether a name in the text of the entry is read from a namespace."""
        is_name = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith(self.prefix)
        return namespace is self.globals and is_name and name not in local

    def _read(self, guard: Guard, local: Set[str]) -> str | None:
        """What a guarded variable holds, as an expression. None: Python's syntax has none, as for keys that are no names."""
        if not isinstance(guard.name, str):
            return None
        if self._is_global(guard.namespace, guard.name, local):
            return guard.name
        module = _module_of(guard.namespace) if _is_plain_global(guard.name) else None
        if module is not None:
            return f"{self.name('module', module)}.{guard.name}"
        if isinstance(guard.namespace, dict):
            return f"{self.name('namespace', guard.namespace)}[{guard.name!r}]"
        if isinstance(guard.namespace, types.ModuleType | types.FunctionType) and guard.name.isidentifier():
            return f"{self.name('module', guard.namespace)}.{guard.name}"
        if isinstance(guard.namespace, types.CellType):
            return f"{self.name('cell', guard.namespace)}.cell_contents"
        return None

    def _parameters(self, *, needed: bool = False) -> tuple[list[str], list[str], list[str]]:
        """The parameter list as text, what is passed on to the adjoint, and to the dispatcher. Arguments without default are
        `needed`, or may be missing: the dispatcher finds out."""
        texts: list[str] = []
        passed: list[str] = []
        forwarded: list[str] = []
        positional_only = keyword_only = False
        for parameter in self.signature.parameters.values():
            name = parameter.name
            if positional_only and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
                texts.append("/")
            positional_only = parameter.kind is inspect.Parameter.POSITIONAL_ONLY
            default = "" if needed and parameter.default is inspect.Parameter.empty else "=None"
            passed.append(name)
            match parameter.kind:
                case inspect.Parameter.VAR_POSITIONAL:
                    texts.append(f"*{name}")
                    forwarded.append(f"*{name}")
                    keyword_only = True
                case inspect.Parameter.VAR_KEYWORD:
                    texts.append(f"**{name}")
                    forwarded.append(f"**{name}")
                case inspect.Parameter.KEYWORD_ONLY:
                    if not keyword_only:
                        texts.append("*")
                        keyword_only = True
                    texts.append(name + default)
                    forwarded.append(f"{name}={name}")
                case _:
                    texts.append(name + default)
                    forwarded.append(name)
        if positional_only:
            texts.append("/")
        return texts, passed, forwarded


def _close_all() -> None:
    """A rule was declared: derivatives that are there already follow it."""
    for entry in list(_ENTRIES):
        entry.close()


REGISTRY.watchers.append(_close_all)


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _module_of(namespace: object) -> types.ModuleType | None:
    """The module whose globals these are, if it is an ordinary one."""
    name = namespace.get("__name__") if isinstance(namespace, dict) else None
    module = sys.modules.get(name) if isinstance(name, str) else None
    return module if type(module) is types.ModuleType and vars(module) is namespace else None


def _has_literal(value: object) -> bool:
    """Whether what `repr` gives is read back as the same value."""
    if value.__class__ is float:
        return math.isfinite(value)
    return value.__class__ in (int, bool, str, types.NoneType)


def _is_plain_global(name: str) -> bool:
    """Whether a module's attribute of this name is its global: a few belong to the class of modules."""
    return name.isidentifier() and not hasattr(types.ModuleType, name)
