"""What is moved between groups of operators of a pipeline, by how many devices do a stage together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.instance.pipeline import PipelineOperator


@dataclass(frozen=True)
class Crossing:
    """Outputs of one group that the same other groups read together.

    Parameters
    ----------
    shared
        Operators whose outputs are moved once however many read them.
    alone
        Makers and readers of bytes that are moved for this reader alone.
    """

    shared: tuple[PipelineOperator, ...] = ()
    alone: tuple[tuple[PipelineOperator, PipelineOperator], ...] = ()

    def read(self, tensor: int) -> Fraction:
        """Return the bytes that a stage reads, so many devices of which do it together; without those it cannot do."""
        ways = ((maker, reader.way(tensor)) for maker, reader in self.alone)
        own = (way.read_bytes[maker.name] for maker, way in ways if way is not None)
        return sum((one.output for one in self.shared), start=Fraction(0)) + sum(own)

    def sent(self, tensor: int) -> Fraction:
        """Return the bytes that a stage sends."""
        ways = ((maker.way(tensor), maker, reader) for maker, reader in self.alone)
        own = (
            way.sent_bytes.get(reader.name, reader.read_bytes[maker.name])
            for way, maker, reader in ways
            if way is not None
        )
        return sum((one.output for one in self.shared), start=Fraction(0)) + sum(own)


def crossings_of(
    reads: Iterable[tuple[PipelineOperator, PipelineOperator]], group_of: Mapping[str, int]
) -> dict[tuple[int, tuple[int, ...]], Crossing]:
    """Return what other groups read, by the group that makes it and those that read it.

    Parameters
    ----------
    reads
        Makers and readers.
    group_of
        By operator, its group.
    """
    shared: dict[str, tuple[PipelineOperator, set[int]]] = {}
    found: dict[tuple[int, tuple[int, ...]], Crossing] = {}
    for maker, reader in reads:
        home, other = group_of[maker.name], group_of[reader.name]
        if home == other:
            continue
        if maker.name in reader.read_bytes:
            before = found.get((home, (other,)), Crossing())
            found[home, (other,)] = replace(before, alone=(*before.alone, (maker, reader)))
        elif maker.output:
            shared.setdefault(maker.name, (maker, set()))[1].add(other)
    for maker, others in shared.values():
        key = (group_of[maker.name], tuple(sorted(others)))
        before = found.get(key, Crossing())
        found[key] = replace(before, shared=(*before.shared, maker))
    return found
