"""Ways of doing an operator: on one device or split over several, keeping its activations or computing them anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Recompute: TypeAlias = Literal["never", "operators", "stages"]
Gradients: TypeAlias = Literal["each-sample", "each-batch"]


@dataclass(frozen=True)
class OperatorWay:
    """What an operator takes, done in one way.

    Parameters
    ----------
    seconds, backward
        By kind of device that may have it so, of its two phases.
    memory, activations, parameters
        Bytes: kept, kept of each microbatch between the phases, and of gradients that replicas add up; of each device
        where several do it together.
    read_bytes, sent_bytes
        By operator that it reads, and by reader, bytes that are moved for that reader alone.
    """

    seconds: Mapping[str, Fraction] = field(hash=False)
    backward: Mapping[str, Fraction] = field(hash=False)
    memory: Fraction = Fraction(0)
    activations: Fraction = Fraction(0)
    parameters: Fraction = Fraction(0)
    read_bytes: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    sent_bytes: Mapping[str, Fraction] = field(default_factory=dict, hash=False)

    def computing(self, kind: str) -> Fraction:
        """Return the seconds that a device of a kind computes, both phases together."""
        return self.seconds[kind] + self.backward.get(kind, 0)

    def read(self, names: Iterable[str], outputs: Mapping[str, Fraction]) -> Fraction:
        """Return the bytes of all that it reads.

        Parameters
        ----------
        names, outputs
            Of the operators that it reads, and by operator bytes of what it makes.
        """
        return sum((self.read_bytes.get(name, outputs[name]) for name in names), start=Fraction(0))

    def anew(self, read: Fraction) -> OperatorWay:
        """Return the way in which its activations are not kept but computed anew before its backward phase.

        Its forward phase is done once more. It keeps what it reads, no more than its activations, and what it computes
        anew is there once, however many microbatches are in flight.

        Parameters
        ----------
        read
            Bytes of all that it reads.
        """
        kept = min(read, self.activations)
        return replace(
            self,
            backward={kind: self.backward.get(kind, Fraction(0)) + own for kind, own in self.seconds.items()},
            memory=self.memory + self.activations - kept,
            activations=kept,
        )

    def spares(self, other: OperatorWay) -> bool:
        """Return whether it keeps less of anything than another way does."""
        return self.activations < other.activations or self.memory < other.memory
