"""The array as a graph: accelerators, switches, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from hypar_opt.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

Rule: TypeAlias = Literal["dimension-order", "e-cube", "shortest", "split"]
"""How routes are chosen; `routing` has what each means."""


@dataclass(frozen=True)
class Link:
    """A connection of two nodes that carries its bandwidth in both directions at once.

    Parameters
    ----------
    ends
        Positions of two nodes.
    bandwidth
        Bytes a second, each way; None where nobody needs it.
    latency
        Seconds.
    energy
        Joules a byte; None where nobody needs it.
    """

    ends: tuple[int, int]
    bandwidth: Fraction | None = None
    latency: Fraction = Fraction(0)
    energy: Fraction | None = None


@dataclass(frozen=True)
class Machine:
    """An array of accelerators.

    Parameters
    ----------
    topology
        A name of `TOPOLOGIES`.
    accelerators
        Names, in the order in which the placement `identity` takes them; nodes 0, 1, ...
    switches
        Names of the nodes behind them.
    links
        One for every two nodes that are connected.
    rule
        How routes are chosen.
    dims
        Of a torus or a mesh: accelerators along each dimension, the last one fastest.
    """

    topology: str
    accelerators: tuple[str, ...]
    switches: tuple[str, ...]
    links: tuple[Link, ...]
    rule: Rule = "shortest"
    dims: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _check_links(self.names, self.links)
        _check_connected(self)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of all nodes, by position."""
        return self.accelerators + self.switches

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For every node those that it is linked with, ascending."""
        found: list[list[int]] = [[] for _ in self.names]
        for link in self.links:
            first, second = link.ends
            found[first].append(second)
            found[second].append(first)
        return tuple(tuple(sorted(others)) for others in found)

    @cached_property
    def link_of(self) -> Mapping[tuple[int, int], Link]:
        """By (from, to), in both directions."""
        return {pair: link for link in self.links for pair in (link.ends, link.ends[::-1])}

    @cached_property
    def graph(self) -> nx.Graph[int]:
        """For networkx: nodes with `name` and `kind`, links with `bandwidth`, `latency` and `energy`."""
        import networkx as nx

        graph: nx.Graph[int] = nx.Graph(topology=self.topology)
        for node, name in enumerate(self.names):
            graph.add_node(node, name=name, kind="accelerator" if node < len(self.accelerators) else "switch")
        for link in self.links:
            graph.add_edge(*link.ends, bandwidth=link.bandwidth, latency=link.latency, energy=link.energy)
        return graph


def _check_links(names: tuple[str, ...], links: tuple[Link, ...]) -> None:
    """Raise `MachineError` unless links join two known nodes, once, and their numbers can be."""
    seen: set[frozenset[int]] = set()
    for number, link in enumerate(links):
        if not all(0 <= end < len(names) for end in link.ends):
            raise MachineError(f"names node {max(link.ends)}, there are {len(names)}", link=number)
        first, second = (names[end] for end in link.ends)
        if first == second:
            raise MachineError(f"joins '{first}' with itself", link=number)
        if frozenset(link.ends) in seen:
            raise MachineError(f"joins '{first}' and '{second}', which are joined already", link=number)
        seen.add(frozenset(link.ends))
        if link.bandwidth is not None and link.bandwidth <= 0:
            raise MachineError("expected a bandwidth above 0", link=number, field="bandwidth")
        for field in ("latency", "energy"):
            if (getattr(link, field) or 0) < 0:
                raise MachineError(f"expected at least 0, got {getattr(link, field)}", link=number, field=field)


def _check_connected(machine: Machine) -> None:
    """Raise `MachineError` unless every node can be reached from the first."""
    if not machine.accelerators:
        raise MachineError("expected at least one accelerator")
    reached, waiting = {0}, [0]
    while waiting:
        found = set(machine.neighbours[waiting.pop()]) - reached
        reached |= found
        waiting += found
    if len(reached) < len(machine.names):
        lost = next(name for node, name in enumerate(machine.names) if node not in reached)
        raise MachineError(f"is not connected: no path leads from '{machine.names[0]}' to '{lost}'")
