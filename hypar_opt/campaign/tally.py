"""Summing rows up: how often a plan misses the optimum, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.campaign.measuring import LEAF_EXACT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.campaign.row import Row
    from hypar_opt.campaign.store import Store

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
        Which one; `any of them` counts a chain that is missed under at least one, with its largest gap.
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
        Rows that cannot be.
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
    faulty: int = 0

    @property
    def fraction(self) -> float | None:
        """The share of the decided chains that were missed."""
        return self.missed / self.decided if self.decided else None


def tallies(store: Store, count: int, accountings: Sequence[str]) -> tuple[Tally, ...]:
    """Return a tally for every accounting, those of the published optimum, and that of all together."""
    found = []
    together: dict[int, Fraction | None] = {}
    for name in accountings:
        gaps: dict[int, Fraction | None] = {}
        published: dict[int, Fraction | None] = {}
        faulty = 0
        for row in store.rows(count, name):
            gaps[row.chain], published[row.chain] = row.exact_gap, row.published_gap
            together[row.chain] = _larger(together, row)
            faulty += row.faulty
        found.append(tally(name, GREEDY_PLAN, gaps, faulty))
        if name == LEAF_EXACT:
            found.append(tally(name, PUBLISHED_PLAN, published))
    return (*found, tally(ANY, GREEDY_PLAN, together)) if len(accountings) > 1 else tuple(found)


def tally(accounting: str, plan: str, gaps: Mapping[int, Fraction | None], faulty: int = 0) -> Tally:
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
        faulty=faulty,
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


def _larger(known: Mapping[int, Fraction | None], row: Row) -> Fraction | None:
    """Return the larger gap; a chain that is undecided under one accounting is undecided unless missed."""
    if row.chain not in known:
        return row.exact_gap
    before, gap = known[row.chain], row.exact_gap
    if before is None or gap is None:
        return before or gap or None
    return max(before, gap)
