"""What a campaign found, in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.campaign.family import Family
    from hypar_opt.campaign.tally import Tally


@dataclass(frozen=True)
class Outcome:
    """What a campaign found.

    Parameters
    ----------
    family, seed, count, accountings
        What was asked for.
    chains
        Of how many of the chains there are all rows.
    tallies
        One by accounting, and those of all together.
    """

    family: Family
    seed: int
    count: int
    accountings: tuple[str, ...]
    chains: int
    tallies: tuple[Tally, ...]

    @property
    def complete(self) -> bool:
        """Whether all chains were measured."""
        return self.chains == self.count

    @property
    def faulty(self) -> tuple[tuple[str, int], ...]:
        """The accounting and the chain of rows in which a result did not stand up to recomputation or beats an optimum.

        None, we hope.
        """
        return tuple((tally.accounting, chain) for tally in self.tallies for chain in tally.faulty)
