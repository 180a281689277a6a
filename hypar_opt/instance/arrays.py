"""From what an instance says of its array to the array itself, and what can be wrong with it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.array import Machine, Shape, Wire, accelerator_count, custom, machine_of
from hypar_opt.components import COMM_ENERGY, COMM_TIME, COMPUTE_TIME, COMPUTED, depends_on, parts_of
from hypar_opt.errors import MachineError, did_you_mean
from hypar_opt.instance.wording import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from hypar_opt.instance.array_schema import ArraySpec, GraphSpec, WireSpec
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.wording import FieldPath

LONGEST_NUMBER = 20
"""Digits of an accelerator's."""
MOST_COMPARED = 4096
"""Names among which the nearest is looked for."""
NEEDS = {COMM_TIME: "bandwidth", COMM_ENERGY: "energy"}
"""What every link has to have for a component of the objective."""
ENERGIES = frozenset(COMPUTED) - {COMPUTE_TIME}
"""Components that need the energies of an accelerator."""


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
    array = spec.array
    try:
        names = _names(array)
    except MachineError as error:
        return _path(error, array), error.message
    return _at_fault(array) or _placement_fault(array, names) or unknown_needs(spec, spec.aim.components)


def _names(array: ArraySpec) -> tuple[str, ...] | int:
    """Return the accelerators, or how many there are where they are called a0, a1, ..."""
    if (array.topology == "custom") != (array.graph is not None):
        expected = "a custom topology needs a graph" if array.graph is None else "only a custom topology has one"
        raise MachineError(expected, field="graph")
    if array.graph is not None:
        return _custom(array.graph, _shape(array)).accelerators
    return accelerators_of(array)


def _placement_fault(array: ArraySpec, names: tuple[str, ...] | int) -> tuple[FieldPath, str] | None:
    placement = array.placement
    if isinstance(placement, str):
        return None
    if len(placement) != 1 << array.levels:
        found = f"expected {1 << array.levels} accelerators, one for every leaf, got {len(placement)}"
        return ("array", "placement"), found
    places: dict[str, int] = {}
    known = names if isinstance(names, int) else frozenset(names)
    for leaf, name in enumerate(placement):
        if not _is_one(name, known):
            return ("array", "placement", leaf), f"{shown(name)} is no accelerator{_hint(name, names)}"
        if name in places:
            return ("array", "placement", leaf), f"{shown(name)} is given to leaf {places[name]} already"
        places[name] = leaf
    return None


def _is_one(name: str, known: frozenset[str] | int) -> bool:
    """Return whether a name is an accelerator's: one of a graph's, or of a0, a1, ... up to a count."""
    if not isinstance(known, int):
        return name in known
    number = name.removeprefix("a")
    is_number = number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER
    return name == f"a{number}" and is_number and str(int(number)) == number and int(number) < known


def _hint(name: str, names: tuple[str, ...] | int) -> str:
    if isinstance(names, int):
        return f"; there are a0 to a{names - 1}"
    return did_you_mean(name, names) if len(names) <= MOST_COMPARED else ""


def _at_fault(array: ArraySpec) -> tuple[FieldPath, str] | None:
    if array.link is None or array.link.at == "leaf" or array.topology == "h-tree":
        return None
    return ("array", "link", "at"), f"a root's bandwidth is given of an h-tree only, and this is a {array.topology}"


def unknown_needs(spec: InstanceSpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    """Return the field that keeps an instance from saying what components cost, and why; or None."""
    return _computing_fault(spec, components) or _needs_fault(spec, components)


def _computing_fault(spec: InstanceSpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    whole = next((name for name in components if depends_on(name, COMPUTED)), None)
    if whole is None:
        return None
    if spec.array.accelerator is None:
        return ("array", "accelerator"), f"missing, and {whole} needs it; try --array hypar-16"
    energy = next((name for name in components if depends_on(name, ENERGIES)), None)
    if energy is not None and spec.array.accelerator.energy is None:
        return ("array", "accelerator", "energy"), f"missing, and {energy} needs it"
    return None


def _needs_fault(spec: InstanceSpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    array = spec.array
    for part, field in NEEDS.items():
        component = next((name for name in components if part in parts_of(name)), None)
        if component is None or getattr(array.link, field, None) is not None:
            continue
        if array.graph is None:
            return ("array", "link", field), f"missing, and {component} needs it"
        for number, link in enumerate(array.graph.links):
            if getattr(link, field) is None:
                path = ("array", "graph", "links", number, field)
                return path, f"missing here and in array.link, and {component} needs it"
    return None


def _shape(spec: ArraySpec) -> Shape:
    wire = _wire(spec.link)
    if spec.link is not None and spec.link.at == "root" and wire.bandwidth is not None:
        count = spec.accelerators or 1 << spec.levels
        wire = replace(wire, bandwidth=wire.bandwidth * 2 / count)  # it doubles with every level above a leaf's
    return Shape(spec.levels, spec.accelerators, spec.dims, spec.ports, spec.switches, wire)


def _wire(spec: WireSpec | None) -> Wire:
    if spec is None:
        return Wire()
    latency = Fraction(0) if spec.latency is None else Fraction(spec.latency)
    return Wire(_exact(spec.bandwidth), latency, _exact(spec.energy))


def _custom(graph: GraphSpec, shape: Shape) -> Machine:
    nodes: list[Mapping[str, object]] = [node.model_dump() for node in graph.nodes]
    links: list[Mapping[str, object]] = [link.model_dump(exclude_none=True) for link in graph.links]
    return custom(nodes, links, shape.wire, shape.levels)


def _exact(number: Decimal | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def _path(error: MachineError, array: ArraySpec) -> FieldPath:
    graph: FieldPath = () if array.graph is None or error.field == "graph" else ("graph",)
    link: FieldPath = () if error.link is None else ("links", error.link)
    node: FieldPath = () if error.node is None else ("nodes", error.node)
    return ("array", *graph, *link, *node, *filter(None, [error.field]))
