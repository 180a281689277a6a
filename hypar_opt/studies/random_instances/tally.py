"""Summing rows up: how often a plan misses the optimum, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.evaluation.communication import LEAF_EXACT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.studies.random_instances.generator import Family
    from hypar_opt.studies.random_instances.store import CampaignStore
    from hypar_opt.studies.set_aside import SetAside


Gaps: TypeAlias = "Mapping[int, Fraction | None]"
"""By chain; None is undecided."""
CONFIDENCE: Final = 0.95
WORST: Final = 100
"""How many of the worst chains are named."""
GREEDY_PLAN, PUBLISHED_PLAN, ANY = "hypar-dp", "optimum of published", "any of them"


@dataclass(frozen=True)
class Tally:
    """How a sample of chains fares under one accounting.

    Parameters
    ----------
    accounting
        Which one; `any of them` counts a chain that is decided under all, as missed where it is under at least one,
        with its largest gap.
    plan
        Whose plan is measured against the optimum.
    decided, undecided
        Chains with a proven optimum, and without.
    missed
        Of the decided ones, those whose plan costs more than the optimum.
    low, high
        The 95 % interval (Clopper-Pearson, exact) of the family's fraction; None where nothing was decided.
    median, ninetieth, ninety_ninth, largest
        Of the missed ones' gaps: the least gap that so many of them do not exceed; None where none was missed.
    worst
        Chains by falling gap, at most `WORST`; of equal gaps the first drawn.
    faulty
        Chains with a row that cannot be.
    """

    accounting: str
    plan: str
    decided: int
    undecided: int
    missed: int
    low: float | None
    high: float | None
    median: Fraction | None
    ninetieth: Fraction | None
    ninety_ninth: Fraction | None
    largest: Fraction | None
    worst: tuple[int, ...]
    faulty: tuple[int, ...] = ()

    @property
    def fraction(self) -> float | None:
        """The share of the decided chains that were missed."""
        return self.missed / self.decided if self.decided else None


def tallies(store: CampaignStore, count: int, accountings: Sequence[str]) -> tuple[Tally, ...]:
    """Return a tally for every accounting, those of the published optimum, and that of all together."""
    found: list[Tally] = []
    together: Gaps | None = None
    for name in accountings:
        gaps: dict[int, Fraction | None] = {}
        published: dict[int, Fraction | None] = {}
        faulty: list[int] = []
        for row in store.rows(count, name):
            gaps[row.chain], published[row.chain] = row.exact_gap, row.published_gap
            faulty += [row.chain] if row.faulty else []
        found.append(tally(name, GREEDY_PLAN, gaps, faulty))
        if name == LEAF_EXACT:
            found.append(tally(name, PUBLISHED_PLAN, published))
        together = gaps if together is None else larger(together, gaps)
    return (*found, tally(ANY, GREEDY_PLAN, together or {})) if len(accountings) > 1 else tuple(found)


def larger(one: Gaps, other: Gaps) -> Gaps:
    """Return the larger gap of every chain that is in both; undecided in one is undecided.

    A chain that counted as soon as one accounting misses it, but not as soon as one does not, would raise the share.
    """
    both = ((chain, one[chain], other[chain]) for chain in one if chain in other)
    return {chain: None if a is None or b is None else max(a, b) for chain, a, b in both}


def tally(accounting: str, plan: str, gaps: Gaps, faulty: Sequence[int] = ()) -> Tally:
    """Sum up gaps by chain; None is undecided."""
    decided = [gap for gap in gaps.values() if gap is not None]
    missed = sorted(((gap, chain) for chain, gap in gaps.items() if gap), key=lambda pair: (-pair[0], pair[1]))
    low, high = interval(len(missed), len(decided))
    rising = [gap for gap, _ in reversed(missed)]
    return Tally(
        accounting=accounting,
        plan=plan,
        decided=len(decided),
        undecided=len(gaps) - len(decided),
        missed=len(missed),
        low=low,
        high=high,
        median=quantile(rising, 50),
        ninetieth=quantile(rising, 90),
        ninety_ninth=quantile(rising, 99),
        largest=rising[-1] if rising else None,
        worst=tuple(chain for _, chain in missed[:WORST]),
        faulty=tuple(faulty),
    )


def interval(hits: int, trials: int) -> tuple[float | None, float | None]:
    """Return the exact 95 % confidence interval of a probability (Clopper and Pearson, 1934)."""
    from scipy.stats import binomtest

    if trials == 0:
        return None, None
    found = binomtest(hits, trials).proportion_ci(confidence_level=CONFIDENCE, method="exact")
    return float(found.low), float(found.high)


def quantile(rising: Sequence[Fraction], percent: int) -> Fraction | None:
    """Return the least of some values in rising order that so many per cent of them do not exceed."""
    return rising[-(-percent * len(rising) // 100) - 1] if rising else None


@dataclass(frozen=True)
class CampaignOutcome:
    """What a campaign found.

    Parameters
    ----------
    family, seed, count, accountings
        What was asked for.
    chains
        Of how many of the chains there are all rows.
    tallies
        One by accounting, and those of all together.
    set_aside
        Chains that have no rows as they killed what measured them; by index.
    """

    family: Family
    seed: int
    count: int
    accountings: tuple[str, ...]
    chains: int
    tallies: tuple[Tally, ...]
    set_aside: tuple[SetAside, ...] = ()

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
