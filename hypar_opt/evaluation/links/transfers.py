"""Who sends how much to whom, by layer or boundary, phase and level."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.links.loads import weigh
from hypar_opt.evaluation.links.routes import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.communication import PhaseExchange
    from hypar_opt.evaluation.links.loads import Loads, Measured
    from hypar_opt.evaluation.links.routes import Walked
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Sent:
    """Bytes from one accelerator to another.

    Parameters
    ----------
    part
        Of which layer or boundary, in which phase.
    level
        From 0, the root's.
    source, target
        Positions of accelerators.
    amount
        Bytes, which need not be whole.
    """

    part: PhaseExchange
    level: int
    source: int
    target: int
    amount: Fraction


@dataclass(frozen=True)
class Traffic:
    """The traffic of a plan on an array.

    Parameters
    ----------
    machine
        The array.
    placed
        An accelerator's position for every leaf.
    parts
        What each layer and boundary exchanges in each phase.
    walked
        The placement's routes.
    """

    machine: Machine
    placed: tuple[int, ...]
    parts: tuple[PhaseExchange, ...]
    walked: Walked

    @property
    def levels(self) -> int:
        """H."""
        return self.walked.levels

    def matrix(self) -> Iterator[Sent]:
        """Yield the entries of the traffic matrix that are not 0, one at a time: it is large."""
        for part in self.parts:
            for h, volume in enumerate(part.levels):
                if volume:
                    yield from self._exchange(part, h, Fraction(volume) / self.walked.partition.routes(h))

    def _exchange(self, part: PhaseExchange, h: int, amount: Fraction) -> Iterator[Sent]:
        """Yield what every leaf sends to each of its peers at the level."""
        for leaf, source in enumerate(self.placed):
            for peer in self.walked.partition.peers(leaf, h):
                yield Sent(part, h, source, self.placed[peer], amount)

    def of_part(self, part: PhaseExchange) -> Measured:
        """Return what one layer or boundary puts on the links in one phase."""
        return weigh(self.machine, self.walked, part.levels)

    def in_all(self) -> Measured:
        """Return what all of them put on the links."""
        volumes = [sum((Fraction(part.levels[h]) for part in self.parts), Fraction(0)) for h in range(self.levels)]
        return weigh(self.machine, self.walked, volumes)

    def loads(self, part: PhaseExchange, level: int) -> Loads:
        """Return what one layer or boundary puts on the links in one phase at one level."""
        return self.of_part(part).levels[level]


def traffic_of(
    machine: Machine, placed: Sequence[int], parts: Sequence[PhaseExchange], partition: Partition | None = None
) -> Traffic:
    """Walk every route of a placement for what a plan exchanges.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    parts
        See `hypar_opt.evaluation.communication.by_phase`.
    partition
        How the array is cut; into halves if None.

    Raises
    ------
    ValueError
        If it is no placement, or the parts have other levels.
    Refusal
        If the routes are too many or too long to be walked.
    """
    walked = walk(machine, placed, partition=partition)
    wrong = next((part for part in parts if len(part.levels) != walked.levels), None)
    if wrong is not None:
        raise ValueError(f"'{wrong.name}' has {len(wrong.levels)} levels, the placement has {walked.levels}")
    return Traffic(machine, tuple(placed), tuple(parts), walked)
