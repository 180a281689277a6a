"""Functions of JAX: traced to a jaxpr, whose calls are written out."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.called import called, told
from hypar_opt.importers.graph import FrameworkGraph, Node
from hypar_opt.instance.limits import MOST_LAYERS
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping

TESTED: Final = "0.10"
"""The version with which the records of its primitives were tried."""
EXPECTED: Final = "a function and its example arguments, trained ones first, `return apply, (parameters, x)`,"
CALLS: Final = ("jit", "pjit", "closed_call", "core_call", "remat", "checkpoint", "remat2", "custom_jvp_call",
                "custom_vjp_call", "custom_vjp_call_jaxpr")  # fmt: skip
"""Primitives that call others, which are written out."""
INNER: Final = ("jaxpr", "call_jaxpr", "fun_jaxpr")
"""Where they have what they call."""
KNOWN: Final = ("relu", "relu6", "silu", "swish", "gelu", "elu", "leaky_relu", "softplus", "log_sigmoid", "hard_swish")
"""Functions of every element that are one operator by their names."""
LEAVES: Final = ("w", "b", "kernel", "weight", "bias", "scale", "embedding", "gamma", "beta")
"""Names of arrays that stand for what a module has, and are not called after what they do."""
PLACE: Final = re.compile(r"[^A-Za-z0-9_]+")


def read_jax(named: str) -> FrameworkGraph:
    """Return what a function does.

    Parameters
    ----------
    named
        `MODULE:FUNCTION`; that returns a function and its example arguments: first what is trained, any tree of arrays,
        then inputs, each with samples along its first axis. `jax.ShapeDtypeStruct` stands for arrays without numbers.

    Raises
    ------
    InputError
        If it raises, or cannot be traced: because what it does depends on numbers.
    MissingPackage
        If jax is not installed.
    """
    require("jax")
    import jax

    function, arguments = called(named, EXPECTED)
    if not callable(function) or len(arguments) < 2:
        raise InputError(f"expected {EXPECTED} got {len(arguments)} arguments", field=named)
    try:
        closed = jax.make_jaxpr(function)(*arguments)
    except Exception as error:
        raise InputError(f"cannot be traced: {told(error)}", field=named) from error
    flat = jax.tree_util.tree_flatten_with_path(tuple(arguments))[0]
    names = [("w" if path[0].idx == 0 else "i", _name(path)) for path, _ in flat]
    return _JaxReader(closed, names).graph(named.rpartition(":")[2], jax.__version__)


def _name(path: Any) -> str:
    """Return the name of an argument by where it stands in the tree: `blocks.0.up`."""
    import jax

    said = PLACE.sub(".", jax.tree_util.keystr(path[1:])).strip(".")
    return said or f"input{path[0].idx}"


class _JaxReader:
    """Equations as they are written out, one after the other."""

    def __init__(self, closed: Any, names: list[tuple[str, str]]) -> None:
        self.closed = closed
        self.names = names
        self.sizes: dict[str, tuple[int, ...]] = {}
        self.bytes: dict[str, int] = {}
        self.trained: dict[str, None] = {}
        self.nodes: list[Node] = []

    def graph(self, name: str, version: str) -> FrameworkGraph:
        """Return the neutral form."""
        jaxpr, inputs, given = self.closed.jaxpr, list[str](), list[str]()
        for variable, (role, said) in zip(jaxpr.invars, self.names, strict=True):
            self._note(said, variable)
            inputs.append(said)
            if role == "w" and prod(variable.aval.shape) > 0:
                self.trained[said] = None
            elif role == "i":
                given.append(said)
        constants = [self._constant(one) for one in jaxpr.constvars]
        outputs = self._inside(jaxpr, [*constants, *inputs], "")
        notes = () if version.startswith(TESTED) else (f"jax is {version}, and {TESTED} was tried",)
        size = max((self.bytes[one] for one in self.trained), default=4)
        every = tuple(self.nodes)
        return FrameworkGraph(
            name, f"jax {version}", tuple(given), tuple(self.trained), self.sizes, every, tuple(outputs), size, notes
        )

    def _note(self, name: str, variable: Any) -> str:
        self.sizes[name] = tuple(int(size) for size in variable.aval.shape)
        self.bytes[name] = getattr(getattr(variable.aval, "dtype", None), "itemsize", 4)
        return name

    def _constant(self, variable: Any) -> str:
        return self._note(f"constant{len(self.sizes)}", variable)

    def _inside(self, jaxpr: Any, given: list[str], scope: str) -> list[str]:
        """Write out the equations of a jaxpr whose constants and inputs have names; return its outputs."""
        known: dict[Any, str] = dict(zip((*jaxpr.constvars, *jaxpr.invars), given, strict=True))

        def named(variable: Any) -> str:
            return self._constant(variable) if hasattr(variable, "val") else known[variable]

        for equation in jaxpr.eqns:
            inputs = [named(one) for one in equation.invars]
            stack = str(equation.source_info.name_stack).replace("/", ".")
            made = self._equation(equation, inputs, ".".join(filter(None, (scope, stack))))
            known.update(zip(equation.outvars, made, strict=True))
        return [named(one) for one in jaxpr.outvars]

    def _equation(self, equation: Any, inputs: list[str], scope: str) -> list[str]:
        if len(self.nodes) > MOST_LAYERS:
            raise InputError(f"expected at most {MOST_LAYERS:,} equations when loops are written out", field="MODEL")
        kind, said = equation.primitive.name, equation.params
        if kind in CALLS and str(said.get("name", "")) in KNOWN:
            inner = next((said[name] for name in INNER if name in said), None)
            fields = {"approximate": "none" if "erf" in str(inner) else "tanh"} if said["name"] == "gelu" else {}
            return self._node(f"jit.{said['name']}", equation, inputs, fields, scope)
        if kind in CALLS:
            inner = next(said[name] for name in INNER if name in said)
            return self._inside(getattr(inner, "jaxpr", inner), [*self._held(inner), *inputs], scope)
        if kind == "scan":
            return self._scan(equation, inputs, scope)
        return self._node(kind, equation, inputs, _attributes(kind, said), scope)

    def _held(self, inner: Any) -> list[str]:
        jaxpr = getattr(inner, "jaxpr", inner)
        return [self._constant(one) for one in jaxpr.constvars]

    def _node(self, kind: str, equation: Any, inputs: list[str], fields: Mapping[str, Any], scope: str) -> list[str]:
        names = [self._note(f"{kind}{len(self.nodes)}.{i}", one) for i, one in enumerate(equation.outvars)]
        weight = next((name for name in inputs if name in self.trained), "")
        before, _, last = weight.rpartition(".")
        module = scope or (before if last in LEAVES else weight)
        self.nodes.append(Node(kind, tuple(inputs), tuple(names), dict(fields), module))
        return names

    def _scan(self, equation: Any, inputs: list[str], scope: str) -> list[str]:
        """Write out a loop over layers, each of which reads its part of what is trained."""
        said = equation.params
        fixed, carried = said["num_consts"], said["num_carry"]
        held, state, stacked = inputs[:fixed], inputs[fixed : fixed + carried], inputs[fixed + carried :]
        if len(equation.outvars) > carried and any(one.aval.shape for one in equation.outvars[carried:]):
            return self._node("scan", equation, inputs, {}, scope)
        body, times = said["jaxpr"], said["length"]
        order = reversed(range(times)) if said.get("reverse") else range(times)
        for step in order:
            own = [self._slice(name, step) for name in stacked]
            at = f"{scope}.{step}" if scope else f"scan.{step}"
            given = [*self._held(body), *held, *state, *own]
            state = self._inside(body.jaxpr, given, at)[:carried]
        for name in stacked:
            self.trained.pop(name, None)
        left = [self._note(f"scan{len(self.nodes)}.{i}", one) for i, one in enumerate(equation.outvars[carried:])]
        return [*state, *left]

    def _slice(self, name: str, step: int) -> str:
        """Return the part of a stacked tensor that one step of a loop reads."""
        made = f"{name}.{step}"
        self.sizes[made], self.bytes[made] = self.sizes[name][1:], self.bytes[name]
        if name in self.trained:
            self.trained[made] = None
        else:
            self.nodes.append(Node("take", (name,), (made,), {"axis": 0}))
        return made


def _attributes(kind: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of an equation as JSON has them."""
    fields = {
        name: _plain(value) for name, value in said.items() if isinstance(value, bool | int | float | str | tuple)
    }
    numbers = said.get("dimension_numbers")
    if kind == "dot_general" and numbers is not None:
        fields["dimension_numbers"] = _plain(numbers)
    elif numbers is not None:
        for name in ("lhs_spec", "rhs_spec", "out_spec", "offset_dims", "collapsed_slice_dims", "start_index_map"):
            if hasattr(numbers, name):
                fields[name] = _plain(getattr(numbers, name))
    return fields


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
