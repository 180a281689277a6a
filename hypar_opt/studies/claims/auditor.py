"""Claims in, a table of verdicts out."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits
from hypar_opt.studies.claims.judge_gains import judge_energy, judge_performance
from hypar_opt.studies.claims.judge_means import judge_mean_of
from hypar_opt.studies.claims.judge_optimality import judge_also_optimal, judge_exact, judge_optimal
from hypar_opt.studies.claims.judge_peaks import judge_peak
from hypar_opt.studies.claims.judge_plans import judge_plan
from hypar_opt.studies.claims.judge_proxies import judge_proxy
from hypar_opt.studies.claims.judge_times import judge_slower
from hypar_opt.studies.claims.judge_totals import judge_gmean, judge_total
from hypar_opt.studies.claims.plans import PlanCache
from hypar_opt.studies.claims.verdict import ClaimRow, ClaimVerdict, Judgement, Settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hypar_opt.formulation.run import Listener
    from hypar_opt.studies.claims.claims import PublishedClaim


class Evaluator(Protocol):
    """What judges a claim of its kind."""

    def __call__(self, claim: PublishedClaim, plans: PlanCache) -> Judgement:
        """Return the judgement; raise `Settled` where it is clear early."""


def judged(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a claim, once."""
    if claim.id not in plans.judgements:
        try:
            plans.judgements[claim.id] = EVALUATORS[claim.kind](claim, plans)
        except Settled as settled:
            plans.judgements[claim.id] = settled.judgement
    return plans.judgements[claim.id]


def _judge_mean_of(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    return judge_mean_of(claim, plans, judged)


EVALUATORS: Final[Mapping[str, Evaluator]] = MappingProxyType(
    {
        "total": judge_total,
        "gmean": judge_gmean,
        "plan": judge_plan,
        "optimal": judge_optimal,
        "exact": judge_exact,
        "also_optimal": judge_also_optimal,
        "performance_gain": judge_performance,
        "energy_gain": judge_energy,
        "mean_of": _judge_mean_of,
        "peak": judge_peak,
        "proxy": judge_proxy,
        "slower": judge_slower,
    }
)
"""By the field of a claim that holds the statement; a new kind needs its model there and its evaluator here."""


SOURCE: Final = "audit"
"""Of its progress."""


def audit(
    claims: Iterable[PublishedClaim],
    *,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_row: Callable[[ClaimRow], None] | None = None,
) -> list[ClaimRow]:
    """Judge claims.

    Parameters
    ----------
    claims
        As read.
    limits
        Of all: seed, workers, memory, the flag that stops.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many claims are judged.
    on_row
        Called with every row as it comes.

    Returns
    -------
    A row for every claim that was judged before a stop.
    """
    limits = limits or Limits()
    plans = PlanCache(limits, time_limit_s, listener)
    wanted = list(claims)
    tracker = Tracker(listener, SOURCE, "claims", len(wanted))
    rows: list[ClaimRow] = []
    for claim in wanted:
        if limits.stop.is_set():
            break
        row = ClaimRow(claim, judged(claim, plans))
        if row.verdict is ClaimVerdict.UNDECIDED and limits.stop.is_set():
            break  # the stop is why it is undecided, and that is no verdict on the claim
        rows.append(row)
        tracker.add()
        if on_row is not None:
            on_row(row)
    return rows
