"""Problems, plans and optima that claims are about, each found once."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.audit.evidence import Optimum, optimum
from hypar_opt.audit.legality import forbidden, require_rule_allowed, require_some_plan
from hypar_opt.audit.verdict import Judgement, Settled, Verdict
from hypar_opt.errors import Refusal
from hypar_opt.formulation import load_formulation
from hypar_opt.plan import Plan, Status
from hypar_opt.problem import Problem
from hypar_opt.solving import solve
from hypar_opt.tasks import Start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.audit.claims import Case
    from hypar_opt.run import Limits, Listener
    from hypar_opt.verification import Evidence

PLACING = "placement-cp-sat"
"""Which formulation finds the best placement of a plan."""


class Plans:
    """What evaluators ask for; `judgements` are those of claims that were judged, by id.

    Parameters
    ----------
    limits
        Of all: seed, workers, memory, the flag that stops.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve.
    """

    def __init__(self, limits: Limits, time_limit_s: float | None = None, listener: Listener | None = None) -> None:
        self._limits = limits
        self._time_limit_s = time_limit_s
        self._listener = listener
        self._problems: dict[Case, Problem] = {}
        self._possible: set[Case] = set()
        self._plans: dict[tuple[Case, str], Plan | Refusal] = {}
        self._optima: dict[tuple[Case, str], Optimum] = {}
        self.judgements: dict[str, Judgement] = {}

    def problem(self, case: Case) -> Problem:
        """Return a case compiled."""
        if case not in self._problems:
            self._problems[case] = Problem(case.instance)
        return self._problems[case]

    def plan(self, case: Case, formulation: str) -> Plan:
        """Return the plan that a formulation yields, if it came to its end.

        Raises
        ------
        Settled
            If there is none, or it is not its last word.
        """
        key = case, formulation
        if key not in self._plans:
            self._plans[key] = self._solved(case, formulation)
        found = self._plans[key]
        if isinstance(found, Refusal):
            raise Settled(Judgement(Verdict.UNDECIDED, why=str(found)))
        return found

    def strategies(self, case: Case, formulation: str) -> Mapping[str, str]:
        """Return the words of the plan that a formulation yields.

        Raises
        ------
        Settled
            If there is none; `NoPlan` if there cannot be one, on the word of boxes and not of the formulation.
        """
        problem = self.problem(case)
        if case not in self._possible:
            require_some_plan(case, problem)
            self._possible.add(case)
        plan = self.plan(case, formulation)
        if plan.strategies is None:
            require_rule_allowed(case, problem, formulation)
        unproven = not plan.proven and load_formulation(formulation).capabilities.exact
        if plan.strategies is None or unproven or plan.status is Status.ERROR:
            said = f"{plan.status}, {plan.native_status}" if plan.native_status else str(plan.status)
            raise Settled(Judgement(Verdict.UNDECIDED, why=f"{formulation} did not come to its end: {said}"))
        fault = forbidden(problem, plan.strategies)
        if fault is not None:
            why = f"a contradiction: {formulation} says {plan.status}, and recounted {fault}"
            raise Settled(Judgement(Verdict.UNDECIDED, why=why))
        return plan.strategies

    def optimum(self, case: Case, besides: str = "") -> Optimum:
        """Return what is proven of a case's optimum.

        Parameters
        ----------
        case
            Whose.
        besides
            The formulation whose proof is in question, or nothing where none has one.
        """
        key = case, besides
        if key not in self._optima:
            self._optima[key] = optimum(lambda name: self._evidence(case, name), besides)
        return self._optima[key]

    def placed(self, problem: Problem, strategies: Mapping[str, str]) -> Plan:
        """Return the best placement of strategies, proven.

        Raises
        ------
        Settled
            If none is proven to be the best.
        """
        start = Start(strategies)
        try:
            plan = solve(problem, PLACING, limits=self._own_limits(), start=start, listener=self._listener)
        except Refusal as refusal:
            raise Settled(Judgement(Verdict.UNDECIDED, why=str(refusal))) from None
        if plan.status is not Status.OPTIMAL:
            raise Settled(Judgement(Verdict.UNDECIDED, why=f"{PLACING} proves no placement the best: {plan.status}"))
        return plan

    def _evidence(self, case: Case, besides: str) -> Evidence:
        from hypar_opt.verification import lower_bound

        limits = self._own_limits()
        return lower_bound(self.problem(case), besides=besides, limits=limits, listener=self._listener)

    def _solved(self, case: Case, formulation: str) -> Plan | Refusal:
        try:
            limits = self._own_limits()
            plan = solve(self.problem(case), formulation, limits=limits, listener=self._listener)
        except Refusal as refusal:
            return refusal
        if plan.status is Status.FEASIBLE and limits.over:
            return Refusal(f"{formulation} was stopped before its end")
        return plan

    def _own_limits(self) -> Limits:
        if self._time_limit_s is None:
            return self._limits
        return replace(self._limits, deadline=time.monotonic() + self._time_limit_s)
