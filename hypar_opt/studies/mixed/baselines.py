"""What plans others make for accelerators of several kinds: each a rule, priced by the evaluator beside the optimum."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.mixed_shares import said_shares
from hypar_opt.solver.check import undecoded
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.level_by_level import LevelSearch
from hypar_opt.studies.mixed.share_rules import OpenShare, allowed_shares, balanced, equal_shares, least, shares_by_rate
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.mixed.share_rules import ShareRule

DP: Final = "d"


class WordsAndShares(NamedTuple):
    """A plan, by layer and by split."""

    words: Mapping[str, str]
    shares: Mapping[str, Fraction]


@dataclass(frozen=True)
class RuleRequest:
    """What a rule is asked for.

    Parameters
    ----------
    problem
        Whose plan.
    limits
        Of its own solves.
    known
        The problem's optimum, where it is known.
    """

    problem: MixedProblem
    limits: Limits
    known: Plan | None = None

    @cached_property
    def optimum(self) -> Plan:
        """The best plan."""
        return self.known or solve(self.problem, limits=self.limits)

    @cached_property
    def allowed(self) -> dict[str, tuple[Fraction, ...]]:
        """By split, the shares that it may have."""
        return allowed_shares(self.problem.instance.shares, self.problem.array.splits)


@dataclass(frozen=True)
class PlanRule:
    """A rule that makes plans.

    Parameters
    ----------
    name, summary
        For tables.
    find
        Returns a problem's plan; raises `Refusal` where the rule knows none.
    """

    name: str
    summary: str
    find: Callable[[RuleRequest], WordsAndShares]


def priced(
    baseline: PlanRule, problem: MixedProblem, limits: Limits | None = None, optimum: Plan | None = None
) -> Plan:
    """Return a rule's plan with what it costs, recounted; without a plan where its own breaks the instance's rules.

    Parameters
    ----------
    optimum
        The problem's, if it is known.

    Raises
    ------
    Refusal
        If the rule knows none.
    """
    limits, began = limits or Limits(), time.perf_counter()
    found = baseline.find(RuleRequest(problem, limits, optimum))
    shares = tuple(found.shares[name] for name in problem.array.splits)
    fault = problem.fault_of(found.words, shares)
    said = Solution(Status.NO_SOLUTION, native_status=fault or "a rule, not a search")
    plan = undecoded(problem, load_formulation("joint-dp"), said, limits.seed, time.perf_counter() - began)
    plan = replace(plan, formulation=baseline.name)
    if fault is not None:
        return plan
    plan = problem.complete(replace(plan, status=Status.FEASIBLE), found.words, shares)
    return replace(plan, objective=problem.combined(plan.costs))


def words_at(problem: MixedProblem, shares: Mapping[str, Fraction], limits: Limits) -> WordsAndShares:
    """Return the best words at some shares.

    Raises
    ------
    Refusal
        If none were found.
    """
    instance = problem.instance
    if shares:
        said = said_shares({name: [str(share), str(1 - share)] for name, share in shares.items()})
        instance = instance.changed(cost=instance.spec.cost.model_copy(update={"shares": said}))
    plan = solve(MixedProblem(instance), limits=limits)
    if plan.strategies is None:
        raise Refusal(f"no words were found at these shares: {plan.status.value}")
    return WordsAndShares(plan.strategies, dict(shares))


def _equal(asked: RuleRequest) -> WordsAndShares:
    return words_at(asked.problem, equal_shares(asked.problem.array, asked.allowed), asked.limits)


def _by_rate(asked: RuleRequest) -> WordsAndShares:
    return words_at(asked.problem, shares_by_rate(asked.problem.array, asked.allowed), asked.limits)


def _samples_by_rate(asked: RuleRequest) -> WordsAndShares:
    array = asked.problem.array
    words = {layer.name: DP * array.levels for layer in asked.problem.work.layers}
    return WordsAndShares(words, shares_by_rate(array, asked.allowed))


def _balanced(asked: RuleRequest) -> WordsAndShares:
    """Return the optimum's words, every split balanced in turn, twice from the root down."""
    problem, plan = asked.problem, asked.optimum
    if plan.strategies is None:
        raise Refusal(f"no words were found: {plan.status.value}")
    shares = dict(plan.shares)
    for name in problem.array.splits * 2:
        shares[name] = balanced(
            OpenShare(problem.work, plan.strategies, shares, problem.judged_by, name, asked.allowed[name])
        )
    return WordsAndShares(plan.strategies, shares)


def _levels(letters: str | None, rule: ShareRule) -> Callable[[RuleRequest], WordsAndShares]:
    """Return the search level by level over some letters; over all that the instance has where none are named."""

    def find(asked: RuleRequest) -> WordsAndShares:
        problem, allowed = asked.problem, asked.allowed
        known = "".join(one for one in problem.rules.choices if letters is None or one in letters)
        if not known:
            raise Refusal(f"the instance has none of the letters '{letters}'")
        starts = [shares_by_rate(problem.array, allowed), equal_shares(problem.array, allowed)]
        rules = replace(problem.rules, choices=known)
        search = LevelSearch(problem.work, problem.judged_by, rules, allowed, rule)
        return WordsAndShares(*search.found(starts))

    return find


_ALL: Final = (
    PlanRule("equal-halves", "the best words, with equal shares", _equal),
    PlanRule("shares-by-rate", "the best words, shares in proportion to the rates", _by_rate),
    PlanRule("samples-by-rate", "dp everywhere, samples in proportion to the rates (DLion)", _samples_by_rate),
    PlanRule("balanced", "the optimum's words, with the shares at which both halves need as long", _balanced),
    PlanRule("level-by-level", "level by level, types and the best shares in turn", _levels(None, least)),
    PlanRule("accpar-balance", "AccPar, our reading: level by level, shares by balance", _levels("dmo", balanced)),
    PlanRule("hypar-balance", "the same with HyPar's two types", _levels("dm", balanced)),
)
BASELINES: Final[Mapping[str, PlanRule]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""
