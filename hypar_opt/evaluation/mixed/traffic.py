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

from hypar_opt.evaluation.links import Measured
from hypar_opt.evaluation.links.routes import length
from hypar_opt.evaluation.mixed.exchanges import exchanges
from hypar_opt.instance.hardware import routing_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.links import Walked
    from hypar_opt.evaluation.links.loads import Loads
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
class LeafTraffic(Measured):
    """What crosses the links of a graph, where leaves do not all send equally much.

    Parameters
    ----------
    placed
        By leaf, the position of its accelerator.
    read
        By level and leaf, the bytes that it reads from its counterpart.
    """

    placed: Sequence[int]
    read: tuple[tuple[Number, ...], ...]

    @cached_property
    def levels(self) -> tuple[Loads, ...]:
        """By level, every link's load."""
        return tuple(loads for loads, _ in self._walked)

    @property
    def hop_bytes(self) -> Fraction:
        """Every byte times the hops of its route: from the routes' lengths, not from the loads."""
        return sum((hops for _, hops in self._walked), start=Fraction(0))

    @cached_property
    def _walked(self) -> tuple[tuple[Loads, Fraction], ...]:
        """By level, the loads of links, and the bytes of all routes times their hops."""
        routing, partition = routing_of(self.machine), self.walked.partition
        found = []
        for level, sizes in enumerate(self.read):
            loads: dict[Hop, Fraction] = {}
            hops = Fraction(0)
            for leaf, size in enumerate(sizes):
                if not size:
                    continue
                source, target = self.placed[partition.peers(leaf, level)[0]], self.placed[leaf]
                route = routing.shares(source, target)
                hops += size * length(route, source, target)
                for hop, share in route.items():
                    loads[hop] = loads.get(hop, Fraction(0)) + share * size
            found.append((loads, hops))
        return tuple(found)


def traffic(
    machine: Machine, walked: Walked, placed: Sequence[int], read: tuple[tuple[Number, ...], ...]
) -> LeafTraffic:
    """Return what crosses the links where leaves stand somewhere.

    Parameters
    ----------
    walked
        The routes of the placement.
    placed
        By leaf, the position of its accelerator.
    read
        As of `read_by_leaf`.
    """
    return LeafTraffic(machine, walked, tuple(sum(sizes, start=Fraction(0)) for sizes in read), placed, read)
