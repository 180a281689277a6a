"""An array with a placement, and with the traffic of a plan where there is one: what is drawn and printed of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.judging import costs_of
from hypar_opt.report.arrays.facts import Facts, facts
from hypar_opt.traffic import Measured, Traffic, traffic_of, walk, weigh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.accelerator import Accelerator
    from hypar_opt.array import Hop, Machine
    from hypar_opt.boxes import Part, Split
    from hypar_opt.step import Step


@dataclass(frozen=True)
class Shown:
    """What `show` shows.

    Parameters
    ----------
    name
        Of the array or the instance.
    machine
        The array.
    placed
        An accelerator's position for every leaf.
    placement
        Where that comes from, in words.
    measured
        The bytes on its links: a plan's, or, without one, of a byte from every accelerator at every level.
    traffic
        The plan's; None without one.
    accelerator
        What each can do; None where the array does not say.
    step
        The plan's training step; None without a plan, or where the array does not say what accelerators can do.
    splits
        What the plan splits unevenly.
    """

    name: str
    machine: Machine
    placed: tuple[int, ...]
    placement: str
    measured: Measured
    traffic: Traffic | None = None
    accelerator: Accelerator | None = None
    step: Step | None = None
    splits: tuple[Split, ...] = ()

    @property
    def levels(self) -> int:
        """H."""
        return self.measured.walked.levels

    @cached_property
    def facts(self) -> Facts:
        """What can be said of the array as a graph."""
        return facts(self.machine, self.placed)

    @property
    def costs(self) -> Mapping[str, Fraction]:
        """By component, what the plan costs, where the links say enough; empty without a plan."""
        if self.traffic is None:
            return {}
        known = costs_of(self.measured)
        return known if self.step is None else {**known, **self.step.costs}

    @cached_property
    def by_time(self) -> bool:
        """Whether links are compared by the time that they take: their bandwidths are known, and not all the same."""
        known = self.traffic is not None and self.measured.comm_time is not None
        return known and len({link.bandwidth for link in self.machine.links}) > 1

    def busy(self, hop: Hop, load: Fraction) -> Fraction:
        """Return what links are compared by: the seconds that a load takes, else the load itself."""
        seconds = self.measured.time(hop, load) if self.by_time else None
        return load if seconds is None else seconds

    def hop(self, hop: Hop) -> str:
        """Return a link and its direction by the names of its ends."""
        return f"{self.machine.names[hop[0]]} -> {self.machine.names[hop[1]]}"


def show(
    name: str, machine: Machine, placed: Sequence[int], placement: str, parts: Sequence[Part] | None = None
) -> Shown:
    """Walk every route of a placement and return what there is to show.

    Parameters
    ----------
    name
        Of the array or the instance.
    placed
        An accelerator's position for every leaf.
    placement
        Where that comes from, in words.
    parts
        What a plan's layers and boundaries exchange, by phase; None without a plan.

    Raises
    ------
    Refusal
        If the routes are too many or too long to be walked.
    """
    if parts is None:
        walked = walk(machine, placed)
        measured = weigh(machine, walked, [len(placed)] * walked.levels)
        return Shown(name, machine, tuple(placed), placement, measured)
    traffic = traffic_of(machine, placed, parts)
    return Shown(name, machine, tuple(placed), placement, traffic.in_all(), traffic)
