"""The components of a plan's cost that an objective can weigh: what each is counted in, depends on and is part of.

Whatever offers, checks, weighs or shows a component reads it here; who judges plans is told apart from this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec


class Origin(Enum):
    """What a component is counted from."""

    BYTES = "the bytes that are exchanged"
    LINKS = "where in the array the groups stand"
    ACCELERATORS = "what an accelerator can do"
    PARTS = "the components that are part of it"
    BITS = "in how many bits layers send what they send"


@dataclass(frozen=True)
class CostComponent:
    """A component of a plan's cost.

    Parameters
    ----------
    name
        As in objectives.
    unit, times
        What it is counted in: B, s or J; and what is written behind that.
    origin
        What it depends on.
    summary
        What is counted, in a few words.
    needs
        Fields of an array, dotted, without which it is not known: of an accelerator, or of every link.
    part_of
        The component that is the sum of this and others.
    colour
        Of its part of a bar of that one.
    """

    name: str
    unit: str
    origin: Origin
    summary: str
    needs: tuple[str, ...] = ()
    part_of: str = ""
    colour: str = ""
    times: str = ""

    @property
    def field(self) -> str:
        """Its field in plan files: the name with the unit."""
        name = self.name.replace("-", "_")
        unit = {"B": "bytes"}.get(self.unit, self.unit)
        return name if not unit or name.endswith(f"_{unit}") else f"{name}_{unit}"

    @property
    def measured_in(self) -> str:
        """The unit with what is written behind it: B, s, J, or `B x hops`."""
        return f"{self.unit} {self.times}".rstrip()

    @property
    def unit_word(self) -> str:
        """The same in words: `bytes`, `seconds`, `joules`, or `bytes x hops`."""
        return f"{UNIT_WORDS[self.unit]} {self.times}".rstrip()


UNIT_WORDS: Final[Mapping[str, str]] = MappingProxyType({"B": "bytes", "s": "seconds", "J": "joules", "": "its own"})
"""By unit, what sentences call it."""
COMMUNICATION: Final = "communication"
HOP_BYTES: Final = "hop-bytes"
COMM_TIME: Final = "comm-time"
COMM_ENERGY: Final = "comm-energy"
COMPUTE_TIME: Final = "compute-time"
MULTIPLY_ENERGY: Final = "multiply-energy"
ADD_ENERGY: Final = "add-energy"
SRAM_ENERGY: Final = "sram-energy"
DRAM_ENERGY: Final = "dram-energy"
TIME: Final = "time"
ENERGY: Final = "energy"
SUMS: Final = "sums"
MOVED: Final = "moved"
TURNED: Final = "turned"
ROUNDING: Final = "rounding-error"
TOTAL: Final = "total"
"""Of a strategy graph: whatever its costs count, summed; no component of a network's plan."""
COUNTS: Final = ("steps", "rounds")
"""Of a collective's schedule, what is counted of it: no components of a network's plan either."""

_LINKS, _ACCELERATORS, _PARTS = Origin.LINKS, Origin.ACCELERATORS, Origin.PARTS
_JOULES: Final = ("accelerator", "accelerator.energy")
_MOVED: Final = "#E69F00"
"""The colour of communication, in time and in energy."""
_ALL: Final = (
    CostComponent(COMMUNICATION, "B", Origin.BYTES, "over all levels, both directions, exact"),
    CostComponent(HOP_BYTES, "B", _LINKS, "every byte times the links that it crosses", times="x hops"),
    CostComponent(COMM_TIME, "s", _LINKS, "of every level its busiest link's time", ("link.bandwidth",), TIME, _MOVED),
    CostComponent(
        COMM_ENERGY, "J", _LINKS, "every byte times the energy of the links that it crosses",
        ("link.energy",), ENERGY, _MOVED,
    ),
    CostComponent(
        COMPUTE_TIME, "s", _ACCELERATORS, "every layer's phases one after the other", ("accelerator",), TIME, "#56B4E9"
    ),
    CostComponent(MULTIPLY_ENERGY, "J", _ACCELERATORS, "of all multiplications", _JOULES, ENERGY, "#0072B2"),
    CostComponent(ADD_ENERGY, "J", _ACCELERATORS, "of all additions", _JOULES, ENERGY, "#56B4E9"),
    CostComponent(SRAM_ENERGY, "J", _ACCELERATORS, "of all accesses to the buffers", _JOULES, ENERGY, "#009E73"),
    CostComponent(DRAM_ENERGY, "J", _ACCELERATORS, "of all accesses to the memories", _JOULES, ENERGY, "#F0E442"),
    CostComponent(TIME, "s", _PARTS, "computing, then communicating"),
    CostComponent(ENERGY, "J", _PARTS, "operations, accesses and links"),
    CostComponent(SUMS, "B", Origin.BYTES, "of the communication, partial sums"),
    CostComponent(MOVED, "B", Origin.BYTES, "of the communication, what is cut and needed whole"),
    CostComponent(TURNED, "B", Origin.BYTES, "of the communication, what is cut and needed along the other dimension"),
    CostComponent(ROUNDING, "", Origin.BITS, "the sensitivities of layers to the bits that they send, added up"),
)  # fmt: skip
COMPONENTS: Final[Mapping[str, CostComponent]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""
PLACED: Final = tuple(one.name for one in _ALL if one.origin is Origin.LINKS)
"""Those that depend on where in the array the groups stand."""
EXCHANGES: Final = tuple(one.name for one in _ALL if one.origin is Origin.BYTES and one.name != COMMUNICATION)
"""Those that are parts of the communication, by how tensors lie: of every plan they add up to it."""
COMPUTED: Final = tuple(one.name for one in _ALL if one.origin is Origin.ACCELERATORS)
"""Those that depend on what an accelerator can do."""
TOTALS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        one.name: tuple(part for part in (*COMPUTED, *PLACED) if COMPONENTS[part].part_of == one.name)
        for one in _ALL
        if one.origin is Origin.PARTS
    }
)
"""Those that are sums of others."""
SUMMED: Final = tuple(one.name for one in _ALL if one.unit not in ("s", "") and one.name not in EXCHANGES)
"""Those that are sums over all groups whoever waits for whom: all but times, and parts that shares have no equal of."""
LEVELLED: Final = (*PLACED, *EXCHANGES, *(name for name, parts in TOTALS.items() if not set(parts).isdisjoint(PLACED)))
"""Those in which a byte of one level may weigh more than one of another, or that say of each what it is."""

COST_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {name: one.field for name, one in COMPONENTS.items() if name != COMMUNICATION}
)
"""By component, the field of a plan's cost in its file."""


def parts_of(component: str) -> tuple[str, ...]:
    """Return the components that one is the sum of: itself, unless it is a total."""
    return TOTALS.get(component, (component,))


def depends_on(component: str, others: Collection[str]) -> bool:
    """Return whether a component, or a part of it, is among others."""
    return any(part in others for part in parts_of(component))


def needs_of(component: str) -> set[str]:
    """Return the fields of an array without which a component, or a part of it, is not known."""
    return {field for part in parts_of(component) for field in COMPONENTS[part].needs}


def check_known(names: Iterable[str], field: str) -> None:
    """Raise `InputError` at the first name that is no component; the nearest one is in the message.

    Parameters
    ----------
    field
        What is to blame.
    """
    for name in names:
        if name not in COMPONENTS:
            hint = did_you_mean(name, COMPONENTS)
            raise InputError(f"expected {', '.join(COMPONENTS)}, got {shown(name)}{hint}", field=field)


def levelled_fault(accounting: str, components: Sequence[str]) -> str | None:
    """Return which component an accounting without levels does not know, or None."""
    name = next((name for name in LEVELLED if name in components), None)
    if not ACCOUNTINGS[accounting].by_leaves or name is None:
        return None
    return f"{name} weighs the bytes of each level, and accounting '{accounting}' counts all levels together"


def unknown_needs(array: ArraySpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    """Return the field of an array that keeps it from saying what components cost, and why; or None."""
    if ROUNDING in components:
        return ("precision",), f"missing, and {ROUNDING} needs it: sensitivities of layers to the bits that they send"
    for field in sorted({field for name in components for field in needs_of(name)}):
        component = next(name for name in components if field in needs_of(name))
        part, _, inside = field.partition(".")
        fault = (links_lack if part == "link" else _lacks)(array, part, inside, component)
        if fault is not None:
            return fault
    return None


def _lacks(array: ArraySpec, part: str, inside: str, component: str) -> tuple[FieldPath, str] | None:
    found = getattr(array, part)
    if found is None:
        return ("array", part), f"missing, and {component} needs it; try --array hypar-16"
    if inside and getattr(found, inside) is None:
        return ("array", part, inside), f"missing, and {component} needs it"
    return None


def links_lack(
    array: ArraySpec | AxesArraySpec, part: str, inside: str, component: str
) -> tuple[FieldPath, str] | None:
    """Return the field of a graph's links that a component needs and one of them lacks, and why; or None.

    Parameters
    ----------
    part, inside
        The array's field, and the field in it.
    """
    if getattr(array.link, inside, None) is not None:
        return None
    if array.graph is None:
        return ("array", part, inside), f"missing, and {component} needs it"
    for number, link in enumerate(array.graph.links):
        if getattr(link, inside) is None:
            path = ("array", "graph", "links", number, inside)
            return path, f"missing here and in array.link, and {component} needs it"
    return None
