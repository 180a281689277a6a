"""What a schedule of a collective comes to, and whether it is one: recounted from its sends, one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.contents import fault_of_contents
from hypar_opt.evaluation.collective.faults import ScheduleFault
from hypar_opt.evaluation.collective.links import LinkUse, fault_of_links
from hypar_opt.evaluation.collective.lockstep import lockstep_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.collective.lockstep import LockstepTimes
    from hypar_opt.instance.collective import CollectiveInstance, SendSchedule

__all__ = ["JudgedCollective", "ScheduleFault"]


@dataclass(frozen=True)
class JudgedCollective:
    """A schedule, recounted.

    Parameters
    ----------
    instance
        The collective.
    schedule
        What is sent when.
    """

    instance: CollectiveInstance
    schedule: SendSchedule

    @cached_property
    def use(self) -> LinkUse:
        """What every link carries, and when."""
        return LinkUse(self.instance)

    @cached_property
    def fault(self) -> ScheduleFault | None:
        """The first thing that is wrong, or None."""
        return fault_of_links(self.use, self.schedule) or fault_of_contents(self.instance, self.schedule)

    @cached_property
    def steps(self) -> int | None:
        """How many synchronous steps there are; None of a schedule in seconds."""
        if self.instance.goal == "time":
            return None
        return int(max((one.end for one in self.schedule.sends), default=0))

    @cached_property
    def by_step(self) -> Mapping[int, Counter[tuple[int, int]]]:
        """By synchronous step, how many chunks each direction of a link carries."""
        found: dict[int, Counter[tuple[int, int]]] = {}
        for one in self.schedule.sends if self.steps is not None else ():
            found.setdefault(int(one.end), Counter()).update(pairwise(one.route))
        return dict(sorted(found.items()))

    @cached_property
    def rounds(self) -> int | None:
        """In how many rounds all steps are done, in each of which a link carries what it does in a step."""
        if self.steps is None:
            return None
        messages = self.use.messages
        return sum(max(-(-count // messages[hop]) for hop, count in loads.items()) for loads in self.by_step.values())

    @cached_property
    def seconds(self) -> Fraction | None:
        """The last end; of synchronous steps, which wait for all sends of the one before, their sum; None if unknown.

        A step takes what its slowest send does: the latencies of its route, and what its busiest link carries.
        """
        if self.steps is None:
            return Fraction(max((one.end for one in self.schedule.sends), default=0))
        return None if self.lockstep is None else self.lockstep.seconds(self.instance.chunk_bytes)

    @cached_property
    def lockstep(self) -> LockstepTimes | None:
        """The same of chunks of any size; None where there are no synchronous steps, or no bandwidths."""
        if self.steps is None or not self.instance.is_timed:
            return None
        return lockstep_of(self.use, self.schedule, self.by_step)

    @cached_property
    def bytes_by_link(self) -> Mapping[tuple[int, int], Fraction]:
        """By (from, to), what each direction of a link carries in all."""
        chunks = Counter(hop for one in self.schedule.sends for hop in pairwise(one.route))
        return {hop: count * self.instance.chunk_bytes for hop, count in sorted(chunks.items())}

    @property
    def bytes_sent(self) -> Fraction:
        """By all accelerators, however many links it crosses."""
        return len(self.schedule.sends) * self.instance.chunk_bytes

    @property
    def objective(self) -> Fraction:
        """What is to be least."""
        found = {"steps": self.steps, "rounds": self.rounds, "time": self.seconds}[self.instance.goal]
        assert found is not None  # a schedule in seconds has these, one in steps has both others
        return Fraction(found)
