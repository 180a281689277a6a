"""The array as a graph: accelerators, switches, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from hypar_opt.util.errors import MachineError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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

    Raises
    ------
    MachineError
        If it cannot be: two nodes of one name, no accelerator, a link to itself, twice or to nothing, a bandwidth that
        is not above 0, a part that cannot be reached, a rule for other topologies.
    """

    topology: str
    accelerators: tuple[str, ...]
    switches: tuple[str, ...]
    links: tuple[Link, ...]
    rule: Rule = "shortest"
    dims: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _check_names(self.names)
        _check_links(self.names, self.links)
        _check_connected(self)
        _check_rule(self)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of all nodes, by position."""
        return self.accelerators + self.switches

    def path(self, nodes: Iterable[int]) -> str:
        """Return the names of nodes, each with an arrow to the next: a link with its direction, or a single node."""
        return " -> ".join(self.names[node] for node in nodes)

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
    def numbers(self) -> Mapping[tuple[int, int], int]:
        """By (from, to), in both directions: a number of its own, that of a link's way back after that of its way."""
        return {hop: number for number, hop in enumerate(self.link_of)}

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


def _check_names(names: tuple[str, ...]) -> None:
    """Raise `MachineError` if two nodes have one name."""
    if len(set(names)) < len(names):
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise MachineError(f"two nodes are called '{twice}'")


def _check_rule(machine: Machine) -> None:
    """Raise `MachineError` if a rule is for other topologies: its routes would use links that are not there."""
    count = len(machine.accelerators)
    if machine.rule not in get_args(Rule):
        raise MachineError(f"unknown rule '{machine.rule}'{did_you_mean(machine.rule, get_args(Rule))}", field="rule")
    if machine.rule == "e-cube" and (machine.topology != "hypercube" or count & (count - 1)):
        raise MachineError("the routes of e-cube need a hypercube", field="rule")
    is_grid = machine.topology in ("torus", "mesh") and prod(machine.dims) == count
    if machine.rule == "dimension-order" and not is_grid:
        raise MachineError("the routes of dimension-order need a torus or a mesh with its dims", field="rule")


def _check_links(names: tuple[str, ...], links: tuple[Link, ...]) -> None:
    """Raise `MachineError` unless links join two known nodes, once, and their numbers can be."""
    seen: set[tuple[int, int]] = set()
    known: set[tuple[int, int, int]] = set()
    for number, link in enumerate(links):  # there may be millions
        low, high = pair = link.ends if link.ends[0] <= link.ends[1] else link.ends[::-1]
        if low < 0 or high >= len(names):
            raise MachineError(f"names node {low if low < 0 else high}, there are {len(names)}", link=number)
        if low == high:
            raise MachineError(f"joins '{names[low]}' with itself", link=number)
        if pair in seen:
            first, second = (names[end] for end in link.ends)
            raise MachineError(f"joins '{first}' and '{second}', which are joined already", link=number)
        seen.add(pair)
        made = (id(link.bandwidth), id(link.latency), id(link.energy))  # one for all that were made alike
        if made in known:
            continue
        known.add(made)
        if link.bandwidth is not None and link.bandwidth <= 0:
            raise MachineError(f"expected a bandwidth above 0, got {link.bandwidth}", link=number, field="bandwidth")
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
