"""A collective on an array: the one form that formulations of its schedules read.

Accelerators hold chunks and pass them on; switches hold nothing, so that a send crosses them on its way. A chunk is
where it has to be once the contributions of all its sources are in what its targets hold, each exactly once: of a
gathering there is one source, of a reduction there are several.

All numbers are integers. In synchronous steps a link carries so many chunks a step; in time, a chunk keeps it busy for
its transfer after the latencies of the route.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

T = TypeVar("T")
Goal: TypeAlias = Literal["steps", "rounds", "time", "bandwidth"]


@dataclass(frozen=True)
class CollectiveLink:
    """One direction of a link.

    Parameters
    ----------
    ends
        From, and to.
    messages
        Chunks that it carries in a synchronous step.
    latency, transfer
        Of a message, and of the bytes of a chunk, in the graph's unit; 0 where seconds are not known.
    """

    ends: tuple[int, int]
    messages: int = 1
    latency: int = 0
    transfer: int = 0


@dataclass(frozen=True)
class Demand:
    """A chunk: whose contributions it consists of, and who has to have it."""

    sources: tuple[int, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True)
class CollectiveGraph:
    """Links, chunks, and what is to be least of a schedule.

    Parameters
    ----------
    accelerators, switches
        How many nodes there are of either; accelerators come first.
    links
        Every direction of every link.
    demands
        The chunks.
    goal
        Steps, rounds in so many steps, time, or what the busiest link takes where chunks go by several trees.
    steps
        How many there may be where rounds are to be least.
    unit
        Times are in units of 1 / unit seconds.
    joined
        Whether moves with the same route, begin and end are one message, which takes the latencies once.
    shifts
        Of an array that looks the same from every accelerator, for each the permutation of accelerators that takes the
        first one to it, and links to links: a group. None of others.
    dims
        Of a torus or mesh: accelerators along each dimension, the last one fastest. None of others.
    """

    accelerators: int
    switches: int
    links: tuple[CollectiveLink, ...]
    demands: tuple[Demand, ...]
    goal: Goal = "steps"
    steps: int | None = None
    unit: int = 1
    joined: bool = False
    shifts: tuple[tuple[int, ...], ...] = ()
    dims: tuple[int, ...] = ()
    _known: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what formulations find out of it more than once: what was made for a key, or make it."""
        if key not in self._known:
            self._known[key] = make()
        return cast("T", self._known[key])

    @property
    def nodes(self) -> int:
        """Accelerators and switches."""
        return self.accelerators + self.switches

    @property
    def needs(self) -> Mapping[str, str]:
        """What a formulation has to be able to, and what is said of one that is not."""
        said = "chunks are cut into shares here, each with a tree of its own; try forestcoll"
        return {"reads_shares": said} if self.goal == "bandwidth" else {}

    @property
    def summed(self) -> bool:
        """Whether contributions are added up."""
        return any(len(one.sources) > 1 for one in self.demands)

    @property
    def reducing(self) -> bool:
        """Whether every chunk is a sum that one accelerator has to have: the mirror of a gathering."""
        return all(len(one.sources) > 1 and len(one.targets) == 1 for one in self.demands)

    @property
    def sums_to_all(self) -> bool:
        """Whether every chunk is a sum that several have to have, as in an all-reduce."""
        return all(len(one.sources) > 1 and len(one.targets) > 1 for one in self.demands)

    @property
    def exchanges(self) -> bool:
        """Whether every chunk goes from one accelerator to another: an all-to-all."""
        return all(len(one.sources) == len(one.targets) == 1 for one in self.demands)

    @cached_property
    def link_of(self) -> Mapping[tuple[int, int], CollectiveLink]:
        """By ends."""
        return {link.ends: link for link in self.links}

    @cached_property
    def after(self) -> tuple[tuple[int, ...], ...]:
        """For every node those that it has a link to, ascending."""
        found: list[list[int]] = [[] for _ in range(self.nodes)]
        for one in self.links:
            found[one.ends[0]].append(one.ends[1])
        return tuple(tuple(sorted(others)) for others in found)
