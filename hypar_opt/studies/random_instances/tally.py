"""Summing rows up: how often a plan misses the optimum, and by how much."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, replace
from heapq import heappush, heappushpop
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.studies.random_instances.gap_spool import GapSpool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction
    from types import TracebackType

    from hypar_opt.studies.random_instances.generator import Family
    from hypar_opt.studies.random_instances.row import CampaignRow
    from hypar_opt.studies.random_instances.store import RowStore
    from hypar_opt.studies.set_aside import SetAside


Gap: TypeAlias = "tuple[int, Fraction | None]"
"""Of a chain; None is undecided."""
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
    percentiles
        Of the missed ones' gaps, rounded: the 1st to the 100th; none where none was missed.
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
    percentiles: tuple[float, ...] = ()

    @property
    def fraction(self) -> float | None:
        """The share of the decided chains that were missed."""
        return self.missed / self.decided if self.decided else None


def tallies(store: RowStore, count: int, accountings: Sequence[str]) -> tuple[Tally, ...]:
    """Return a tally for every accounting, those of the published optimum, and that of all together.

    Rows are looked at once, in the order of their chains, and none is kept: see `Tallying` for what is.
    """
    with ExitStack() as opened:

        def tallying(accounting: str, plan: str = GREEDY_PLAN) -> Tallying:
            return opened.enter_context(Tallying(accounting, plan))

        sums = {name: tallying(name) for name in accountings}
        published = {name: tallying(name, PUBLISHED_PLAN) for name in accountings if name == LEAF_EXACT}
        together = [tallying(ANY)] if len(accountings) > 1 else []
        streams = [_noted(store.rows(count, name), sums[name], published.get(name)) for name in accountings]
        for one in together:
            for chain, gap in largest_of(streams):
                one.add(chain, gap)
        for stream in streams:
            deque(stream, maxlen=0)  # what stands behind the last chain that all have
        of_plans = [one for name in accountings for one in (sums[name], published.get(name)) if one is not None]
        return tuple(one.tally() for one in (*of_plans, *together))


def _noted(rows: Iterator[CampaignRow], greedy: Tallying, published: Tallying | None) -> Iterator[Gap]:
    """Yield the gaps of rows, and count them on the way."""
    for row in rows:
        gap = row.exact_gap
        greedy.add(row.chain, gap, faulty=row.faulty)
        if published is not None:
            published.add(row.chain, row.published_gap)
        yield row.chain, gap


def largest_of(streams: Sequence[Iterator[Gap]]) -> Iterator[Gap]:
    """Yield the largest gap of every chain that is in all streams, which rise; undecided in one is undecided.

    A chain that counted as soon as one accounting misses it, but not as soon as one does not, would raise the share.
    """
    heads = [next(stream, None) for stream in streams]
    while heads and all(heads):
        there = [head for head in heads if head is not None]
        last = max(chain for chain, _ in there)
        same = all(chain == last for chain, _ in there)
        if same:
            gaps = [gap for _, gap in there if gap is not None]
            yield last, max(gaps) if len(gaps) == len(there) else None
        heads = [
            next(stream, None) if same or chain < last else (chain, gap)
            for stream, (chain, gap) in zip(streams, there, strict=True)
        ]


def tally(accounting: str, plan: str, gaps: Mapping[int, Fraction | None], faulty: Sequence[int] = ()) -> Tally:
    """Sum up gaps by chain; None is undecided."""
    with Tallying(accounting, plan) as sums:
        for chain, gap in gaps.items():
            sums.add(chain, gap)
        return replace(sums.tally(), faulty=tuple(faulty))


class Tallying:
    """Sums gaps up as they come: of millions it keeps the worst hundred, and the missed ones on the disk.

    Parameters
    ----------
    accounting, plan
        As in `Tally`.
    """

    def __init__(self, accounting: str, plan: str) -> None:
        self._accounting, self._plan = accounting, plan
        self._decided = self._undecided = 0
        self._spool = GapSpool()
        self._worst: list[tuple[Fraction, int]] = []
        self._faulty: list[int] = []

    def __enter__(self) -> Tallying:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._spool.close()

    def add(self, chain: int, gap: Fraction | None, *, faulty: bool = False) -> None:
        """Count a chain; None is undecided."""
        if faulty:
            self._faulty.append(chain)
        if gap is None:
            self._undecided += 1
            return
        self._decided += 1
        if gap:
            self._spool.add(gap)
            push = heappush if len(self._worst) < WORST else heappushpop
            push(self._worst, (gap, -chain))

    def tally(self) -> Tally:
        """Return what the chains so far come to."""
        missed = self._spool.count
        low, high = interval(missed, self._decided)
        worst = sorted(self._worst, reverse=True)
        percentiles = self._spool.percentiles()
        return Tally(
            accounting=self._accounting,
            plan=self._plan,
            decided=self._decided,
            undecided=self._undecided,
            missed=missed,
            low=low,
            high=high,
            median=self._spool.exactly(50, percentiles),
            ninetieth=self._spool.exactly(90, percentiles),
            ninety_ninth=self._spool.exactly(99, percentiles),
            largest=worst[0][0] if worst else None,
            worst=tuple(-negative for _, negative in worst),
            faulty=tuple(self._faulty),
            percentiles=percentiles,
        )


def interval(hits: int, trials: int) -> tuple[float | None, float | None]:
    """Return the exact 95 % confidence interval of a probability (Clopper and Pearson, 1934)."""
    from scipy.stats import binomtest

    if trials == 0:
        return None, None
    found = binomtest(hits, trials).proportion_ci(confidence_level=CONFIDENCE, method="exact")
    return float(found.low), float(found.high)


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
