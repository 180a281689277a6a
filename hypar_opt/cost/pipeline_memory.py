"""What operators of a pipeline keep: for all microbatches of a batch, or the more the more replicas stand behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.instance.pipeline import OperatorWay, PipelineInstance


@dataclass(frozen=True, eq=False)
class KeptBytes:
    """What operators keep by their number of microbatches in flight.

    Parameters
    ----------
    instance
        Whose operators.
    """

    instance: PipelineInstance

    @property
    def least(self) -> int:
        """Microbatches in flight at the last stage, without replicas."""
        return self._count(1)

    @property
    def most(self) -> int:
        """At a first stage that has all devices behind it."""
        return self._count(self.instance.devices)

    @property
    def told(self) -> tuple[int, int]:
        """The numbers of microbatches whose bytes say what any number of them keeps."""
        return self.least, min(self.most, self.least + 1)

    @property
    def further(self) -> int:
        """How many microbatches more at such a first stage than at the last one."""
        return self.most - self.least

    def _count(self, behind: int) -> int:
        schedule = self.instance.in_flight
        return 1 if schedule is None else schedule.count(1, behind, self.instance.microbatches)

    def of(self, way: OperatorWay, count: int) -> Fraction:
        """Return the bytes that an operator keeps, done in a way, with so many microbatches in flight."""
        schedule = self.instance.in_flight
        if schedule is None:
            return way.memory
        return schedule.kept(way.memory, way.activations, way.parameters, count)
