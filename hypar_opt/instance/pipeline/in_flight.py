"""What a stage keeps of the microbatches that are in flight, by the schedule that it does them in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

ScheduleName: TypeAlias = Literal["gpipe", "1f1b", "pipedream"]


@dataclass(frozen=True)
class InFlight:
    """What a schedule makes stages keep.

    Parameters
    ----------
    name
        The schedule's.
    whole_batch
        Whether all microbatches of a batch are in flight at every stage. Else a stage begins a further one only when
        one comes back: with d replicas, behind and among D in all, each of these has ceil(D / d) at most (Harlap et
        al., PipeDream, 2019, section 3.2; Tarnawski et al., Piper, 2021, section 3).
    versions
        Whether each microbatch in flight has a version of the parameters of its own.
    """

    name: ScheduleName
    whole_batch: bool = False
    versions: bool = False

    def count(self, replicas: int, behind: int, microbatches: int | None) -> int:
        """Return how many microbatches are in flight at each replica of a stage, at most.

        Parameters
        ----------
        replicas, behind
            Of the stage, and of it and of all stages behind it.
        microbatches
            Of a batch; None where any number follow each other.
        """
        most = -(-behind // replicas)
        if microbatches is None:
            return most
        return microbatches if self.whole_batch else min(most, microbatches)

    def kept(self, memory: Fraction, activations: Fraction, parameters: Fraction, count: int) -> Fraction:
        """Return the bytes of `count` microbatches in flight: memory and one version of parameters are there anyway."""
        return memory + count * activations + (count - 1) * (parameters if self.versions else 0)


_ALL: Final = (InFlight("gpipe", whole_batch=True), InFlight("1f1b"), InFlight("pipedream", versions=True))
IN_FLIGHT: Final[Mapping[str, InFlight]] = MappingProxyType({one.name: one for one in _ALL})
"""By the schedule's name."""
