"""Arrays made in Python; from what an instance says of its array to the array itself, and what can be wrong with it."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.array_schema import ArraySpec, GraphSpec, WireSpec
from hypar_opt.instance.exact import fraction
from hypar_opt.instance.faults import field_error, validated
from hypar_opt.instance.hardware import Machine, Shape, Wire, accelerator_count, custom, machine_of
from hypar_opt.instance.mixed_faults import filling_fault, kinds_fault, mixed_fault
from hypar_opt.instance.objective.components import ROUNDING, unknown_needs
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import MachineError, nearest
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.schema import InstanceSpec


class Array(ArraySpec):
    """An array of accelerators, made in Python: the arguments are the fields of `array` in an instance file.

    Parameters
    ----------
    topology
        How the accelerators are connected.
    levels
        H: 2^H accelerators are used.
    accelerators, dims, ports, switches
        Sizes of the topologies that have them; accelerators of several kinds as a list of these.
    link, accelerator
        What every link and every accelerator can do, by field.
    routing, placement, graph, reads, collectives
        As in a file.

    Raises
    ------
    InputError
        If there can be no such array; names the argument.
    """

    def __init__(
        self,
        topology: str,
        levels: int,
        *,
        accelerators: int | Sequence[Mapping[str, Any]] | None = None,
        dims: Sequence[int] | None = None,
        ports: int | None = None,
        switches: int | None = None,
        link: Mapping[str, Any] | None = None,
        accelerator: Mapping[str, Any] | None = None,
        routing: str | None = None,
        placement: str | Sequence[str] | None = None,
        graph: Mapping[str, Any] | None = None,
        reads: str | None = None,
        collectives: Mapping[str, Any] | None = None,
    ) -> None:
        given = {
            "topology": topology, "levels": levels, "accelerators": accelerators, "dims": dims, "ports": ports,
            "switches": switches, "link": link, "accelerator": accelerator, "routing": routing, "placement": placement,
            "graph": graph, "reads": reads, "collectives": collectives,
        }  # fmt: skip
        spec = validated(ArraySpec, {name: value for name, value in given.items() if value is not None})
        wrong = own_fault(spec)
        if wrong is not None:
            raise field_error(wrong[1], wrong[0][1:])
        super().__init__(**{name: getattr(spec, name) for name in spec.model_fields_set})

    def __repr__(self) -> str:
        return f"Array({self.topology!r}, levels={self.levels})"

    __str__ = __repr__


def build_machine(spec: ArraySpec) -> Machine:
    """Return the array.

    Raises
    ------
    MachineError
        If it cannot be.
    """
    shape = _shape(spec)
    machine = machine_of(spec.topology, shape) if spec.graph is None else _custom(spec.graph, shape)
    return replace(machine, rule="split") if spec.routing == "split" else machine


def accelerators_of(spec: ArraySpec) -> int:
    """Return how many accelerators there are, without building anything.

    Raises
    ------
    MachineError
        If the array cannot be.
    """
    if spec.graph is not None:
        return sum(node.kind == "accelerator" for node in spec.graph.nodes)
    return accelerator_count(spec.topology, _shape(spec))


def array_fault(spec: InstanceSpec) -> tuple[FieldPath, str] | None:
    """Return the field of an instance whose array cannot be, or not do what is asked of it, and why; or None."""
    wrong = own_fault(spec.array) or mixed_fault(spec)
    if wrong is not None or spec.array.mixed is not None:
        return wrong
    asked = [name for name in spec.components if name != ROUNDING]
    if spec.precision is None and len(asked) < len(spec.components):
        lacking = unknown_needs(spec.array, (ROUNDING,))
        where = "subject_to" if ROUNDING in spec.subject_to else "objective"
        return None if lacking is None else ((where, ROUNDING), f"expected {lacking[0][0]} beside it: {lacking[1]}")
    return unknown_needs(spec.array, asked)


def own_fault(array: ArraySpec) -> tuple[FieldPath, str] | None:
    """Return the field of an instance whose array cannot be, whatever is asked of it, and why; or None."""
    wrong = kinds_fault(array)
    if wrong is not None:
        return wrong
    try:
        names = names_of(array)
    except MachineError as error:
        return ("array", *machine_fault(error, array)), error.message
    if array.link is not None and array.link.at == "root" and array.topology != "h-tree":
        only = f"a root's bandwidth is given of an h-tree only, and this is a {array.topology}"
        return ("array", "link", "at"), only
    # how kinds fill the leaves may be said by the placement, which comes first
    leaves = halves(array.levels).leaves if array.kinds else array.partition.leaves
    return placement_fault(array.placement, leaves, names) or filling_fault(array, names)


def names_of(array: ArraySpec) -> tuple[str, ...] | int:
    """Return the accelerators, or how many there are where they are called a0, a1, ...

    Raises
    ------
    MachineError
        If the array cannot be.
    """
    if (array.topology == "custom") != (array.graph is not None):
        expected = "a custom topology needs a graph" if array.graph is None else "only a custom topology has one"
        raise MachineError(expected, field="graph")
    if array.graph is not None:
        return _custom(array.graph, _shape(array)).accelerators
    return accelerators_of(array)


def placement_fault(
    placement: str | Sequence[str], leaves: int, names: tuple[str, ...] | int, each: str = "leaf"
) -> tuple[FieldPath, str] | None:
    """Return the field of an array by which so many leaves cannot stand, and why; or None.

    Parameters
    ----------
    names
        As of `names_of`.
    each
        What stands on an accelerator.
    """
    if isinstance(placement, str):
        return None
    if len(placement) != leaves:
        found = f"expected {leaves} accelerators, one for every {each}, got {len(placement)}"
        return ("array", "placement"), found
    places: dict[str, int] = {}
    known = names if isinstance(names, int) else frozenset(names)
    for leaf, name in enumerate(placement):
        if not _is_one(name, known):
            return ("array", "placement", leaf), f"expected an accelerator, got {shown(name)}{hint_of(name, names)}"
        if name in places:
            again = f"{shown(name)} is given to {each} {places[name]} already"
            return ("array", "placement", leaf), f"expected each accelerator once, and {again}"
        places[name] = leaf
    return None


def _is_one(name: str, known: frozenset[str] | int) -> bool:
    """Return whether a name is an accelerator's: one of a graph's, or of a0, a1, ... up to a count."""
    if not isinstance(known, int):
        return name in known
    numbered = re.fullmatch(r"a(0|[1-9][0-9]{,19})", name)
    return numbered is not None and int(numbered[1]) < known


def hint_of(name: str, names: tuple[str, ...] | int) -> str:
    """Return what follows a name that is no accelerator's: the nearest one, or which there are."""
    if isinstance(names, int):
        return f"; there are a0 to a{names - 1}"
    return nearest(name, names)


def _shape(spec: ArraySpec) -> Shape:
    wire = _wire(spec.link)
    if spec.link is not None and spec.link.at == "root" and wire.bandwidth is not None:
        count = spec.count or spec.partition.leaves
        wire = replace(wire, bandwidth=wire.bandwidth * 2 / count)  # it doubles with every level above a leaf's
    return Shape(spec.levels, spec.count, spec.dims, spec.ports, spec.switches, wire)


def _wire(spec: WireSpec | None) -> Wire:
    if spec is None:
        return Wire()
    return Wire(fraction(spec.bandwidth), fraction(spec.latency) or Fraction(0), fraction(spec.energy))


def _custom(graph: GraphSpec, shape: Shape) -> Machine:
    nodes: list[Mapping[str, object]] = [node.model_dump() for node in graph.nodes]
    links: list[Mapping[str, object]] = [link.model_dump(exclude_none=True) for link in graph.links]
    return custom(nodes, links, shape.wire, shape.levels)


def machine_fault(error: MachineError, array: ArraySpec) -> FieldPath:
    """Return the field of an array that an error of its graph is about."""
    graph: FieldPath = () if array.graph is None or error.field == "graph" else ("graph",)
    link: FieldPath = () if error.link is None else ("links", error.link)
    node: FieldPath = () if error.node is None else ("nodes", error.node)
    return (*graph, *link, *node, *filter(None, [error.field]))
