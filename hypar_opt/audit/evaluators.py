"""Which evaluator judges which kind of statement."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from hypar_opt.audit.judge_gains import judge_energy, judge_performance
from hypar_opt.audit.judge_means import judge_mean_of
from hypar_opt.audit.judge_optimality import judge_also_optimal, judge_exact, judge_optimal
from hypar_opt.audit.judge_peaks import judge_peak
from hypar_opt.audit.judge_plans import judge_plan
from hypar_opt.audit.judge_proxies import judge_proxy
from hypar_opt.audit.judge_times import judge_slower
from hypar_opt.audit.judge_totals import judge_gmean, judge_total
from hypar_opt.audit.verdict import Judgement, Settled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.audit.claims import Claim
    from hypar_opt.audit.plans import Plans


class Evaluator(Protocol):
    """What judges a claim of its kind."""

    def __call__(self, claim: Claim, plans: Plans) -> Judgement:
        """Return the judgement; raise `Settled` where it is clear early."""


def judged(claim: Claim, plans: Plans) -> Judgement:
    """Judge a claim, once."""
    if claim.id not in plans.judgements:
        try:
            plans.judgements[claim.id] = EVALUATORS[claim.kind](claim, plans)
        except Settled as settled:
            plans.judgements[claim.id] = settled.judgement
    return plans.judgements[claim.id]


def _judge_mean_of(claim: Claim, plans: Plans) -> Judgement:
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
