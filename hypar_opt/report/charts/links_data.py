"""What is known of an array's nodes and links, and the table of the links."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.communication.breakdown import whole
from hypar_opt.report.charts.links_geometry import Geometry, geometry_of
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.numbers import in_full, is_whole
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.hardware import Hop
    from hypar_opt.report.arrays.shown import LinksBy, PlacedArray


LARGEST: Final = 2**53
"""Integers up to here are exact in a browser."""
SHOWN_LEVELS: Final = 2
"""Levels whose groups have colours of their own."""
UNUSED, SWITCH = "unused", "switch"


@dataclass(frozen=True)
class LinkLoads:
    """An array with its traffic, link by link and direction.

    Parameters
    ----------
    shown
        The array.
    """

    shown: PlacedArray

    @cached_property
    def geometry(self) -> Geometry:
        """Where everything stands."""
        return geometry_of(self.shown.machine, self.shown.levels)

    @cached_property
    def hops(self) -> tuple[Hop, ...]:
        """All links, each in both directions."""
        return tuple(hop for link in self.shown.machine.links for hop in (link.ends, link.ends[::-1]))

    @cached_property
    def loads(self) -> Mapping[Hop, list[Fraction]]:
        """By link and direction, what crosses it: over all levels, then at each."""
        carried = (self.shown.measured.loads, *self.shown.measured.levels)
        return {hop: [exact_number(loads.get(hop, 0)) for loads in carried] for hop in self.hops}

    def most(self, level: int, by: LinksBy) -> float:
        """Return what is the most for a link over all levels, or at one of them from 1; 1 where nothing is carried."""
        shown = replace(self.shown, links_by=by)
        return float(max((shown.busy(hop, self.loads[hop][level]) for hop in self.hops), default=0) or 1)

    @cached_property
    def exact(self) -> bool:
        """Whether a browser's numbers are exact for all loads."""
        return all(is_whole(load) and load < LARGEST for hop in self.hops for load in self.loads[hop])

    @property
    def unit(self) -> str:
        """What loads are counted in."""
        return "bytes" if self.shown.traffic is not None else "routes"

    def strokes(self) -> list[dict[str, Any]]:
        """Return every half of a link: the nodes, where it is drawn, loads by level, bandwidth."""
        names, found = self.shown.machine.names, []
        # busier ones over idler ones
        for hop in sorted(self.hops, key=lambda hop: self.shown.busy(hop, self.loads[hop][0])):
            loads = self.loads[hop]
            datum: dict[str, Any] = {"s": names[hop[0]], "t": names[hop[1]]}
            datum["b"] = [int(load) if self.exact else float(load) for load in loads]
            if not self.exact:
                datum["B"] = [in_full(load) for load in loads]
            rate = self.shown.machine.link_of[hop].bandwidth
            if rate is not None:
                datum |= {"r": float(rate), "q": f"{in_bytes(rate)}/s"}
            for stroke in self.geometry.halves[hop]:
                ends = zip("xyXY", stroke, strict=True)
                found.append(datum | {key: round(place, 1) for key, place in ends})
        return found

    def nodes(self) -> list[dict[str, Any]]:
        """Return every node: its name, its leaf, its group, where it stands and which way its label goes."""
        machine, partition, groups = self.shown.machine, self.shown.partition, self.groups()
        leaf_of = {site: leaf for leaf, site in enumerate(self.shown.placed)}
        found = []
        for node, (name, (x, y)) in enumerate(zip(machine.names, self.geometry.layout.points, strict=True)):
            leaf = leaf_of.get(node)
            word = "" if leaf is None else partition.address(leaf) or "-"
            group = UNUSED if leaf is None else groups[partition.group(leaf, SHOWN_LEVELS)]
            group = SWITCH if node >= len(machine.accelerators) else group
            datum = {"n": name, "w": word, "g": group, "x": round(x, 1), "y": round(y, 1)}
            found.append(datum | self.geometry.beyond(node))
        return found

    def groups(self) -> list[str]:
        """Return all groups of the second level in order, or of the first if there is but one."""
        count, above = self.shown.partition.groups(SHOWN_LEVELS), self.shown.partition.above(SHOWN_LEVELS)
        return [f"group {above.address(number)}" if above.levels else "the leaf" for number in range(count)]

    def table(self, name: str) -> Table:
        """Return what every link carries, a row a direction."""
        unit = "B" if self.shown.traffic is not None else ""
        columns = [Column("from", "from"), Column("to", "to"), Column("load", "load", unit)]
        columns += [Column(f"level_{h + 1}", f"level {h + 1}", unit) for h in range(self.shown.levels)]
        rated = any(link.bandwidth is not None for link in self.shown.machine.links)
        if rated:
            columns.append(Column("bandwidth", "bandwidth", "B/s"))
        if self.shown.is_timed:
            columns.append(Column("seconds", "time", "ms", Fraction(1, 1000), 4))
        rows = []
        for hop in self.hops:
            loads = list(map(whole, self.loads[hop]))
            values: list[Any] = [self.shown.machine.names[hop[0]], self.shown.machine.names[hop[1]], *loads]
            if rated:
                values.append(self.shown.machine.link_of[hop].bandwidth)
            if self.shown.is_timed:
                values.append(self.shown.measured.time(hop, self.loads[hop][0]))
            rows.append(values)
        what = "Bytes of one training step" if unit else "Routes, one from every accelerator at every level"
        return Table(
            name, "Links", tuple(columns), entry_rows(columns, rows), (f"{what}, exact, by link and direction.",)
        )
