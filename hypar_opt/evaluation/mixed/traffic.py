"""Who reads how much from whom, and what that puts on the links between accelerators of several kinds.

What a half of a group reads, its leaves read together, each its part, from the leaf that is its counterpart in the
other half. Where these stand decides which links that crosses.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.links.routes import MOST_ACCELERATORS, length
from hypar_opt.evaluation.mixed.exchanges import exchanges
from hypar_opt.instance.hardware import routing_of
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, HOP_BYTES
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.instance.hardware.mixed import Path
    from hypar_opt.instance.network import Workload


def read_by_leaf(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> tuple[tuple[Number, ...], ...]:
    """Return the bytes that every leaf reads from its counterpart, by level and leaf.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    shares
        By split, what its first half gets.
    """
    array = setting.array
    totals: list[dict[Path, Number]] = [defaultdict(Fraction) for _ in range(setting.levels)]
    for one in exchanges(work, strategies, shares, setting):
        assert one.part.level is not None  # only what is computed is of no level
        for path, size in one.halves.items():
            totals[one.part.level][path] += size
    leaves = range(array.partition.leaves)
    return tuple(
        tuple(total[array.path(leaf)[: level + 1]] * array.reading_part(leaf, level) for leaf in leaves)
        for level, total in enumerate(totals)
    )


@dataclass(frozen=True)
class LeafTraffic:
    """What crosses the links of a graph.

    Parameters
    ----------
    machine
        The array as a graph.
    placed
        By leaf, the position of its accelerator.
    counterparts
        By level and leaf, from whom it reads.
    read
        By level and leaf, bytes.

    Raises
    ------
    Refusal
        If there are too many accelerators.
    """

    machine: Machine
    placed: Sequence[int]
    counterparts: tuple[tuple[int, ...], ...]
    read: tuple[tuple[Number, ...], ...]

    def __post_init__(self) -> None:
        if len(self.placed) > MOST_ACCELERATORS:
            raise Refusal(
                f"routes are walked from at most {MOST_ACCELERATORS:,} accelerators, got {len(self.placed):,}"
            )

    @cached_property
    def levels(self) -> tuple[Mapping[Hop, Number], ...]:
        """By level, every link's load in bytes by direction; links that carry nothing are left out."""
        return tuple(loads for loads, _ in self._walked)

    @property
    def hop_bytes(self) -> Number:
        """Every byte times the links that it crosses: from the routes' lengths, not from the loads."""
        return sum((hops for _, hops in self._walked), start=Fraction(0))

    @property
    def comm_energy(self) -> Number | None:
        """Joules: every link's load times its energy a byte; None where a link has none."""
        if any(link.energy is None for link in self.machine.links):
            return None
        link_of = self.machine.link_of
        each = (load * (link_of[hop].energy or 0) for loads in self.levels for hop, load in loads.items())
        return sum(each, start=Fraction(0))

    @property
    def comm_time(self) -> Number | None:
        """Seconds that the links would take if they were all that is waited for: of every level its busiest one's.

        None where a link has no bandwidth.
        """
        if any(link.bandwidth is None for link in self.machine.links):
            return None
        link_of = self.machine.link_of
        busiest = (
            max((load / (link_of[hop].bandwidth or 1) for hop, load in loads.items()), default=Fraction(0))
            for loads in self.levels
        )
        return sum(busiest, start=Fraction(0))

    @property
    def costs(self) -> dict[str, Number]:
        """The components that are known, by name."""
        found = {HOP_BYTES: self.hop_bytes, COMM_TIME: self.comm_time, COMM_ENERGY: self.comm_energy}
        return {name: cost for name, cost in found.items() if cost is not None}

    @cached_property
    def _walked(self) -> tuple[tuple[Mapping[Hop, Number], Number], ...]:
        """By level, the loads of links, and the bytes times hops of all routes."""
        routing, found = routing_of(self.machine), []
        for others, bytes_read in zip(self.counterparts, self.read, strict=True):
            loads: dict[Hop, Number] = {}
            hops: Number = Fraction(0)
            for leaf, size in enumerate(bytes_read):
                source, target = self.placed[others[leaf]], self.placed[leaf]
                route = routing.shares(source, target) if size else {}
                hops += size * length(route, source, target) if size else size
                for hop, share in route.items():
                    loads[hop] = loads.get(hop, Fraction(0)) + share * size
            found.append((loads, hops))
        return tuple(found)


def traffic(
    machine: Machine, placed: Sequence[int], read: tuple[tuple[Number, ...], ...], setting: MixedSetting
) -> LeafTraffic:
    """Return what crosses the links where leaves stand somewhere.

    Parameters
    ----------
    placed
        By leaf, the position of its accelerator.
    read
        As of `read_by_leaf`.
    """
    partition = setting.array.partition
    leaves = range(partition.leaves)
    others = tuple(tuple(partition.peers(leaf, level)[0] for leaf in leaves) for level in range(setting.levels))
    return LeafTraffic(machine, placed, others, read)
