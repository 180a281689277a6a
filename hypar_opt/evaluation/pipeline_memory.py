"""What each device of a stage keeps, recounted operator by operator, by how many replicas stand behind it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.pipeline import OperatorWay, PipelineInstance


@dataclass(frozen=True)
class StageMemory:
    """The bytes of a stage.

    Parameters
    ----------
    instance, operators
        Whose, and how each of the stage's operators is done.
    replicas, capacity
        How many do it, and bytes of each; None where any amount fits.
    """

    instance: PipelineInstance
    operators: Sequence[OperatorWay]
    replicas: int
    capacity: Fraction | None

    def in_flight(self, behind: int) -> int | None:
        """Return how many microbatches each replica has in flight; None where these are not counted.

        Parameters
        ----------
        behind
            Replicas of the stage and of all behind it.
        """
        schedule = self.instance.in_flight
        return None if schedule is None else schedule.count(self.replicas, behind, self.instance.microbatches)

    def kept(self, behind: int) -> Fraction:
        """Return the bytes that each replica keeps."""
        memory = sum((one.memory for one in self.operators), start=Fraction(0))
        schedule, count = self.instance.in_flight, self.in_flight(behind)
        if schedule is None or count is None:
            return memory
        activations = sum((one.activations for one in self.operators), start=Fraction(0))
        parameters = sum((one.parameters for one in self.operators), start=Fraction(0))
        return schedule.kept(memory, activations, parameters, count)

    def most_behind(self, replicas: int) -> int:
        """Return how many of so many replicas may stand behind it, its own included; too few if it never fits."""
        tried = range(self.replicas, replicas + 1)
        if self.capacity is None:
            return replicas
        return self.replicas - 1 + bisect_right(tried, self.capacity, key=self.kept)
