"""Arrays of the user's own: any nodes and links."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from hypar_opt.instance.hardware.machine import Link, Machine
from hypar_opt.instance.hardware.shape import MOST_LINKS, MOST_NODES, Shape, Wire, check_enough
from hypar_opt.instance.hardware.topology import UNRANKED, Topology
from hypar_opt.instance.text import LONGEST, shown
from hypar_opt.util.errors import MachineError, did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


Entries: TypeAlias = list[dict[str, object]]
"""Nodes, or links, in the form that `custom` takes."""


def quoted(value: object) -> str:
    """Return `shown`, and how large a list, a mapping or a very long integer is."""
    if isinstance(value, list | tuple | dict):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST:
        return f"an integer of {value.bit_length()} bits"
    return shown(value)


FURTHEST: Final = 100
"""Numbers are 0 or from 1e-100 to 1e100: as a fraction, 1e999999999 would fill the memory."""
MOST_DIGITS: Final = 400
"""Of a decimal."""


def exact_number(value: object, field: str, link: int) -> Fraction:
    """Return a link's number as a fraction.

    Raises
    ------
    MachineError
        If it is not exact, not finite, too small for its field, or out of all proportion.
    """
    expected = "a number above 0" if field == "bandwidth" else "a number of at least 0"
    if isinstance(value, bool) or not isinstance(value, int | Decimal | Fraction):
        hint = "; a float is not exact" if isinstance(value, float) else ""
        raise MachineError(f"expected {expected}, got {quoted(value)}{hint}", link=link, field=field)
    is_finite = not isinstance(value, Decimal) or value.is_finite()
    if not is_finite or value < 0 or (value == 0 and field == "bandwidth"):
        raise MachineError(f"expected {expected}, got {quoted(value)}", link=link, field=field)
    if value and not _is_near(value):
        span = f"1e-{FURTHEST} to 1e{FURTHEST}, of at most {MOST_DIGITS} digits"
        raise MachineError(f"expected 0 or a number from {span}, got {quoted(value)}", link=link, field=field)
    return Fraction(value) if value else Fraction(0)


def _is_near(value: Decimal | int | Fraction) -> bool:
    if isinstance(value, Decimal):
        return -FURTHEST <= value.adjusted() < FURTHEST and len(value.as_tuple().digits) <= MOST_DIGITS
    furthest = Fraction(10) ** FURTHEST
    return 1 / furthest <= value < furthest


Entry: TypeAlias = "Mapping[str, object]"
"""A node (name, kind) or a link (ends, bandwidth, latency, energy) as plain data."""
KINDS: Final = ("accelerator", "switch")
"""Of nodes; the first unless it is said."""
NUMBERS: Final = tuple(one.name for one in fields(Wire))
"""What a link can do."""


def custom(nodes: Sequence[Entry], links: Sequence[Entry], wire: Wire | None = None, levels: int = 0) -> Machine:
    """Return an array from an edge list.

    Parameters
    ----------
    nodes
        Name, and kind: accelerator, unless it says switch. The accelerators keep their order, and so do the switches
        behind them.
    links
        The names of its two ends, and of bandwidth, latency and energy those that differ from `wire`; integers,
        decimals or fractions.
    wire
        What a link can do that does not say it.
    levels
        H.

    Raises
    ------
    MachineError
        If an entry is wrong, or the whole is no array of 2^H accelerators.
    """
    numbers = check_edge_list(nodes, links)
    placed = _positions(nodes)
    names = tuple(placed)
    count = sum(_kind(node) == "accelerator" for node in nodes)
    default = vars(wire or Wire())
    joined = tuple(
        Link((placed[first], placed[second]), **{**default, **own})
        for (first, second), own in zip((_ends(link, 0) for link in links), numbers, strict=True)
    )
    machine = Machine("custom", names[:count], names[count:], joined)
    check_enough(count, levels, "graph")
    return machine


def check_edge_list(nodes: Sequence[Entry], links: Sequence[Entry]) -> list[dict[str, Fraction]]:
    """Return what every link says that it can do.

    Raises
    ------
    MachineError
        At the first entry that is wrong by itself or does not fit the others.
    """
    for count, most, parts in ((len(nodes), MOST_NODES, "nodes"), (len(links), MOST_LINKS, "links")):
        if count > most:
            raise MachineError(f"has {count:,} {parts}; at most {most:,} are built", field="graph")
    names: set[str] = set()
    for number, node in enumerate(nodes):
        _check_node(node, number, names)
    if not any(_kind(node) == "accelerator" for node in nodes):
        raise MachineError("expected at least one accelerator", field="graph")
    seen: set[tuple[str, str]] = set()
    return [_numbers(link, number, names, seen) for number, link in enumerate(links)]


def _check_node(node: Entry, number: int, names: set[str]) -> None:
    check_keys(node, ("name", "kind"), node=number)
    name = node.get("name")
    if not isinstance(name, str) or not name:
        raise MachineError(f"expected a name, got {quoted(name)}", node=number, field="name")
    if name in names:
        raise MachineError(f"two nodes are called {quoted(name)}", node=number, field="name")
    names.add(name)
    if _kind(node) not in KINDS:
        known = " or ".join(KINDS)
        hint = did_you_mean(str(_kind(node)), KINDS)
        raise MachineError(f"expected {known}, got {quoted(_kind(node))}{hint}", node=number, field="kind")


def _numbers(link: Entry, number: int, names: Collection[str], seen: set[tuple[str, str]]) -> dict[str, Fraction]:
    check_keys(link, ("ends", *NUMBERS), link=number)
    first, second = _ends(link, number)
    for end in (first, second):
        if end not in names:
            raise MachineError(f"unknown node {quoted(end)}{nearest(end, names)}", link=number, field="ends")
    if first == second:
        raise MachineError(f"joins {quoted(first)} with itself", link=number, field="ends")
    pair = (min(first, second), max(first, second))
    if pair in seen:
        message = f"joins {quoted(first)} and {quoted(second)}, which are joined already"
        raise MachineError(message, link=number, field="ends")
    seen.add(pair)
    return {field: exact_number(link[field], field, number) for field in NUMBERS if field in link}


def _ends(link: Entry, number: int) -> tuple[str, str]:
    ends = link.get("ends")
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        raise MachineError(f"expected the names of two nodes, got {quoted(ends)}", link=number, field="ends")
    for end in ends:
        if not isinstance(end, str):
            raise MachineError(f"expected the name of a node, got {quoted(end)}", link=number, field="ends")
    return ends[0], ends[1]


def check_keys(entry: Entry, known: Sequence[str], **place: Any) -> None:
    """Raise `MachineError` at an attribute that is not known."""
    for key in entry:
        if key not in known:
            expected = f"{', '.join(known[:-1])} or {known[-1]}"
            hint = did_you_mean(str(key), known)
            raise MachineError(f"unknown attribute {quoted(key)}, expected {expected}{hint}", **place)


def _kind(node: Entry) -> object:
    return node.get("kind", KINDS[0])


def _positions(nodes: Sequence[Entry]) -> dict[str, int]:
    """Return where every node stands: accelerators first, else in order."""
    by_kind = sorted(nodes, key=lambda node: KINDS.index(str(_kind(node))))
    return {str(node["name"]): position for position, node in enumerate(by_kind)}


def _needs_a_graph(shape: Shape) -> NoReturn:
    raise MachineError("a custom topology is its nodes and links, not a shape", field="graph")


TOPOLOGIES: Final = (
    Topology("custom", "nodes and links of your own", _needs_a_graph, _needs_a_graph, ("graph",), rank=2 * UNRANKED),
)
