"""Claims in, a table of verdicts out."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.instance.objective.components import ENERGY, TIME
from hypar_opt.studies.claims.claims import ClaimRow, ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.judge_arithmetic import judge_arithmetic
from hypar_opt.studies.claims.judge_collectives import judge_unfused
from hypar_opt.studies.claims.judge_conjugate_gradients import judge_conjugate_gradient
from hypar_opt.studies.claims.judge_counts import judge_count
from hypar_opt.studies.claims.judge_formulae import judge_formula
from hypar_opt.studies.claims.judge_gains import judge_gain
from hypar_opt.studies.claims.judge_identities import judge_agreeing, judge_identity
from hypar_opt.studies.claims.judge_makespans import judge_makespan
from hypar_opt.studies.claims.judge_means import judge_mean_of
from hypar_opt.studies.claims.judge_number_means import judge_mean_of_numbers
from hypar_opt.studies.claims.judge_optimality import judge_also_optimal, judge_exact, judge_optimal
from hypar_opt.studies.claims.judge_part_speedups import judge_part_speedup
from hypar_opt.studies.claims.judge_peaks import judge_peak
from hypar_opt.studies.claims.judge_plans import judge_gmean, judge_plan, judge_total
from hypar_opt.studies.claims.judge_proxies import judge_proxy
from hypar_opt.studies.claims.judge_ratios import judge_ratio
from hypar_opt.studies.claims.judge_savings import judge_saving, judge_step_saving
from hypar_opt.studies.claims.judge_schedules import judge_schedules, judge_unmodelled
from hypar_opt.studies.claims.judge_sends import judge_collective, judge_collective_gain, judge_fewest
from hypar_opt.studies.claims.judge_times import judge_slower
from hypar_opt.studies.claims.judge_unjudged import judge_not_reproducible, judge_out_of_scope
from hypar_opt.studies.claims.plans import PlanCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def judged(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a claim, once."""
    if claim.id not in plans.judgements:
        try:
            plans.judgements[claim.id] = EVALUATORS[claim.kind](claim, plans)
        except Settled as settled:
            plans.judgements[claim.id] = settled.judgement
    return plans.judgements[claim.id]


EVALUATORS: Final[Mapping[str, Callable[[PublishedClaim, PlanCache], Judgement]]] = MappingProxyType(
    {
        "total": judge_total,
        "gmean": judge_gmean,
        "plan": judge_plan,
        "optimal": judge_optimal,
        "exact": judge_exact,
        "also_optimal": judge_also_optimal,
        "performance_gain": partial(judge_gain, component=TIME),
        "energy_gain": partial(judge_gain, component=ENERGY),
        "mean_of": partial(judge_mean_of, judge=judged),
        "peak": judge_peak,
        "proxy": judge_proxy,
        "slower": judge_slower,
        "unfused": judge_unfused,
        "schedule": judge_schedules,
        "collective": judge_collective,
        "fewest_steps": judge_fewest,
        "collective_gain": judge_collective_gain,
        "saving": judge_saving,
        "step_saving": judge_step_saving,
        "plan_ratio": judge_ratio,
        "collectives": judge_count,
        "formula": judge_formula,
        "unmodelled": judge_unmodelled,
        "arithmetic": judge_arithmetic,
        "mean": judge_mean_of_numbers,
        "same": judge_agreeing,
        "identity": judge_identity,
        "part_speedup": judge_part_speedup,
        "conjugate_gradient": judge_conjugate_gradient,
        "task_graph": judge_makespan,
        "not_reproducible": judge_not_reproducible,
        "out_of_scope": judge_out_of_scope,
    }
)
"""What judges a claim, or raises `Settled` where that is clear early, by the field that holds the statement.

A new kind needs its model there and its evaluator here.
"""


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
