"""What a pipeline is made of: kinds of devices, and operators."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.pipeline.ways import OperatorWay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.pipeline.schema import Phase


@dataclass(frozen=True)
class DeviceKind:
    """Devices that are alike.

    Parameters
    ----------
    name, count
        What they are called, and how many there are.
    memory
        Bytes of each; None where any amount fits.
    bandwidth
        Bytes a second in and out; None where what others read or send takes no time.
    replicas
        How many may do one stage together, at most, each a part of the samples.
    inside
        Of a machine: devices in each, on which its stage is a pipeline; the bandwidth is of what crosses machines.
    """

    name: str
    count: int
    memory: Fraction | None = None
    bandwidth: Fraction | None = None
    replicas: int = 1
    inside: tuple[DeviceKind, ...] = ()

    @property
    def leaves(self) -> tuple[DeviceKind, ...]:
        """Kinds of devices that have no others inside, each with how many there are in all of these."""
        found = (leaf for one in self.inside for leaf in one.leaves)
        return tuple(replace(leaf, count=leaf.count * self.count) for leaf in found) or (self,)

    def may_have(self, operator: PipelineOperator) -> bool:
        """Return whether it, or a device inside, may have an operator."""
        return any(leaf.name in operator.seconds for leaf in self.leaves)

    def transfer(self, size: Fraction, replicas: int = 1) -> Fraction:
        """Return the seconds that replicas are busy with an output that their stage reads, or sends."""
        return Fraction(0) if self.bandwidth is None else size / (self.bandwidth * replicas)

    def addition(self, parameters: Fraction, replicas: int) -> Fraction:
        """Return the seconds in which replicas add up gradients, once for a sample of each.

        Around a ring each sends and takes 2 (m - 1) / m of them.
        """
        return self.transfer(4 * (replicas - 1) * parameters / replicas)


@dataclass(frozen=True)
class PipelineOperator:
    """What is done as a whole on one device.

    Parameters
    ----------
    name, phase
        What it is called, and whether it is of the forward phase or of the backward one.
    seconds, backward
        By kind of device that may have it; and of its own backward computing, unless operators of that phase say it.
    reads
        Operators whose outputs it needs.
    output, memory, parameters
        Bytes of what it makes, bytes that it keeps, and bytes whose gradients replicas add up.
    activations
        Bytes of each microbatch that it keeps between its forward and its backward computing.
    read_bytes, sent_bytes
        By operator that it reads, bytes that are moved for it alone; by reader such bytes that it sends, where these
        are others than are read.
    ways
        By number of devices that do it together, and whether it computes its activations anew, what it takes then;
        without the plain way.
    together
        Operators with the same text stand on one device; None where it stands where it likes.
    """

    name: str
    phase: Phase
    seconds: Mapping[str, Fraction] = field(hash=False)
    reads: tuple[str, ...] = ()
    output: Fraction = Fraction(0)
    memory: Fraction = Fraction(0)
    parameters: Fraction = Fraction(0)
    together: str | None = None
    backward: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    activations: Fraction = Fraction(0)
    read_bytes: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    sent_bytes: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    ways: Mapping[tuple[int, bool], OperatorWay] = field(default_factory=dict, hash=False)

    def way(self, tensor: int = 1, *, anew: bool = False) -> OperatorWay | None:
        """Return what it takes on so many devices together, and with activations computed anew; None where it cannot.

        Parameters
        ----------
        tensor
            How many devices do it together.
        anew
            Whether it computes its activations anew.
        """
        if tensor == 1 and not anew:
            return OperatorWay(
                self.seconds,
                self.backward,
                self.memory,
                self.activations,
                self.parameters,
                self.read_bytes,
                self.sent_bytes,
            )
        return self.ways.get((tensor, anew))

    def computing(self, kind: str) -> Fraction:
        """Return the seconds that a device of a kind computes, both phases together."""
        return self.seconds[kind] + self.backward.get(kind, 0)

    def is_quicker_anew(self, kind: str, tensor: int) -> bool:
        """Return whether computing its activations anew takes less than keeping them, as a file may have it.

        Parameters
        ----------
        kind, tensor
            Of devices, and how many do it together.
        """
        plain, anew = self.way(tensor), self.way(tensor, anew=True)
        if plain is None or anew is None or not (kind in plain.seconds and kind in anew.seconds):
            return False
        return anew.computing(kind) < plain.computing(kind)
