"""What trees with shares come to, and whether they bring a collective about: recounted, tree by tree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.faults import ScheduleFault
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.collective import CollectiveInstance, TreePacking, TreeShare


@dataclass(frozen=True)
class JudgedPacking:
    """Trees with shares, recounted.

    Parameters
    ----------
    instance
        The collective.
    packing
        Which trees the shares of all chunks go by.
    """

    instance: CollectiveInstance
    packing: TreePacking

    @cached_property
    def fault(self) -> ScheduleFault | None:
        """The first thing that is wrong, or None."""
        return next(self._faults(), None)

    def _faults(self) -> Iterator[ScheduleFault]:
        whole = [Fraction(0)] * len(self.instance.chunks)
        for one in self.packing.shares:
            whole[one.chunk] += one.share
        for chunk, found in zip(self.instance.chunks, whole, strict=True):
            if found != 1:
                yield ScheduleFault("shares", f"chunk {shown(chunk.name)}: its shares add up to {found}, expected 1")
        for one in self.packing.shares:
            wrong = self._route_fault(one) or self._tree_fault(one)
            if wrong is not None:
                name = shown(self.instance.chunks[one.chunk].name)
                yield ScheduleFault(wrong.kind, f"chunk {name}, share {one.share}: {wrong.text}")

    def _route_fault(self, share: TreeShare) -> ScheduleFault | None:
        """Return which branch is no way from one accelerator to another."""
        machine = self.instance.machine
        links, accelerators = machine.link_of, len(machine.accelerators)
        for route, _ in share.branches:
            if max(route[0], route[-1]) >= accelerators:
                node = machine.names[max(route[0], route[-1])]
                return ScheduleFault("route", f"{node} is a switch, and branches are from one accelerator to another")
            for hop in pairwise(route):
                if hop not in links:
                    return ScheduleFault("route", f"there is no link {machine.path(hop)}")
        return None

    def _tree_fault(self, share: TreeShare) -> ScheduleFault | None:
        """Return what is wrong with a tree: its sums first, then what goes out from where they come together."""
        chunk, names = self.instance.chunks[share.chunk], self.instance.machine.names
        adders: dict[int, list[int]] = {}
        children: dict[int, list[int]] = {}
        for route, adds in share.branches:
            side, end = (adders, route[::-1]) if adds else (children, route)
            side.setdefault(end[0], []).append(end[-1])
        adding = {node for nodes in adders.values() for node in nodes}
        roots = [node for node in {*chunk.sources, *adders} if node not in adding]
        if len(roots) != 1:
            said = ", ".join(sorted(names[node] for node in roots)) or "no accelerator"
            return ScheduleFault("incomplete", f"its sum comes together in one place, and here in {said}")
        wrong = _walked(adders, roots[0])
        if isinstance(wrong, int):
            return ScheduleFault("added-twice", f"what {names[wrong]} adds is added twice")
        lost = next((node for node in (*chunk.sources, *adding) if node not in wrong), None)
        if lost is not None:
            return ScheduleFault("incomplete", f"what {names[lost]} adds never gets to {names[roots[0]]}")
        reached = _walked(children, roots[0])
        if isinstance(reached, int):
            return ScheduleFault("overwritten", f"{names[reached]} gets it twice")
        lost = next((node for node in (*chunk.targets, *children) if node not in reached), None)
        return None if lost is None else ScheduleFault("incomplete", f"{names[lost]} does not get it")

    @cached_property
    def carried(self) -> Mapping[tuple[int, int], Fraction]:
        """By (from, to), how many chunks each direction of a link carries in all."""
        unit = lcm(1, *{one.share.denominator for one in self.packing.shares})
        found: dict[tuple[int, int], int] = {}
        for one in self.packing.shares:
            amount = one.share.numerator * (unit // one.share.denominator)
            for route, _ in one.branches:
                for hop in pairwise(route):
                    found[hop] = found.get(hop, 0) + amount
        return {hop: Fraction(count, unit) for hop, count in sorted(found.items())}

    @cached_property
    def bytes_by_link(self) -> Mapping[tuple[int, int], Fraction]:
        """By (from, to), what each direction of a link carries in all."""
        return {hop: count * self.instance.chunk_bytes for hop, count in self.carried.items()}

    @cached_property
    def seconds_by_link(self) -> Mapping[tuple[int, int], Fraction]:
        """By (from, to), what each direction of a link takes for all its bytes."""
        links = self.instance.machine.link_of
        return {hop: bytes_ / (links[hop].bandwidth or 1) for hop, bytes_ in self.bytes_by_link.items()}

    @cached_property
    def bytes_sent(self) -> Fraction:
        """By all accelerators, however many links it crosses."""
        chunks = sum((one.share * len(one.branches) for one in self.packing.shares), start=Fraction(0))
        return chunks * self.instance.chunk_bytes

    @property
    def steps(self) -> None:
        """Nothing: shares have no dates."""
        return

    @property
    def by_step(self) -> Mapping[int, Mapping[tuple[int, int], int]]:
        """Nothing either."""
        return {}

    @property
    def seconds(self) -> Fraction:
        """What the busiest link takes: no schedule of these trees takes less, and cut finely enough one comes near."""
        return max(self.seconds_by_link.values(), default=Fraction(0))

    @property
    def objective(self) -> Fraction:
        """What is to be least."""
        return self.seconds


def _walked(after: Mapping[int, list[int]], begin: int) -> frozenset[int] | int:
    """Return what can be reached from a node, or a node that is reached twice."""
    reached, waiting = {begin}, [begin]
    while waiting:
        for node in after.get(waiting.pop(), ()):
            if node in reached:
                return node
            reached.add(node)
            waiting.append(node)
    return frozenset(reached)
