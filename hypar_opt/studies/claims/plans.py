"""Problems, plans and optima that claims are about, each found once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import PLACED, depends_on, unknown_needs
from hypar_opt.instance.text import dotted
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.problem import Start
from hypar_opt.solver.solve import solve
from hypar_opt.studies.cell_pieces import attempt
from hypar_opt.studies.cells import each
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, Settled
from hypar_opt.studies.claims.least_makespans import LeastMakespans
from hypar_opt.studies.claims.legality import forbidden, require_allowed, require_rule_allowed, require_some_plan
from hypar_opt.studies.claims.recounted import RecountedSchedules
from hypar_opt.studies.claims.replacements import Case, words_of
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.studies.claims.statement_parts import PlanGiven
    from hypar_opt.verification import Evidence


@dataclass(frozen=True)
class Optimum:
    """What is proven of a problem's optimum.

    Parameters
    ----------
    bound
        No plan's objective is lower; None where nothing is proven.
    strategies
        The best plan that is known, or None.
    text
        What the bound rests on.
    claimed
        Each single bound, where it takes several to prove one.
    """

    bound: Fraction | None
    strategies: Mapping[str, str] | None
    text: str
    claimed: tuple[Fraction, ...] = ()

    @property
    def highest(self) -> Fraction | None:
        """The highest bound; a plan below it contradicts it, whatever else is proven."""
        return max((one for one in (self.bound, *self.claimed) if one is not None), default=None)


def optimum(ask: Callable[[str], Evidence], besides: str = "") -> Optimum:
    """Return what is proven of a problem's optimum: by a certificate, or by two formulations.

    Parameters
    ----------
    ask
        Returns evidence that does not rest on the word of the formulation that it is given.
    besides
        A formulation that has proven the plan in question to be an optimum, so that one other is enough; empty
        where the plan is nobody's, or its maker's that proves nothing of it.
    """
    first = ask(besides)
    if besides or not first.word_of:
        return Optimum(first.bound, None if first.best is None else first.best.strategies, first.text)
    if first.best is None:
        return Optimum(None, None, first.text, () if first.bound is None else (first.bound,))
    second = ask(first.word_of)
    bounds = [one.bound for one in (first, second) if one.bound is not None]
    best = min((one.best for one in (first, second) if one.best is not None), key=lambda plan: plan.objective)
    text = f"{first.text}; beside it, {second.text}"
    return Optimum(min(bounds) if len(bounds) == 2 else None, best.strategies, text, tuple(bounds))


PLACING = "placement-cp-sat"
"""Which formulation finds the best placement of a plan."""


class PlanCache:
    """What evaluators ask for; `judgements` are those of claims that were judged, by id.

    `schedules` are of collectives, `makespans` of task graphs; `comm_seconds` what the communication of a plan takes,
    by the case, the array in its place, how it is placed there, and the plan's words.

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
        self._problems: dict[Case, NetworkProblem] = {}
        self._possible: set[Case] = set()
        self._plans: dict[tuple[Case, str], Plan | Refusal] = {}
        self._optima: dict[tuple[Case, str], Optimum] = {}
        self._costs: dict[tuple[Case, frozenset[tuple[str, str]], str], Fraction] = {}
        self.comm_seconds: dict[tuple[Case, str | None, str, frozenset[tuple[str, str]]], Fraction] = {}
        self.schedules = RecountedSchedules(self._own_limits, listener)
        self.makespans = LeastMakespans(self._own_limits, listener)
        self.judgements: dict[str, Judgement] = {}

    def problem(self, case: Case) -> NetworkProblem:
        """Return a case compiled."""
        if case not in self._problems:
            self._problems[case] = NetworkProblem(case.instance)
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
            raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=str(found)))
        return found

    def strategies(self, case: Case, formulation: str) -> Mapping[str, str]:
        """Return the words of the plan that a formulation yields.

        Raises
        ------
        Settled
            If there is none; `MissingPlan` if there cannot be one, on the word of boxes and not of the formulation.
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
            raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=f"{formulation} did not come to its end: {said}"))
        fault = forbidden(problem, plan.strategies)
        if fault is not None:
            why = f"a contradiction: {formulation} says {plan.status}, and recounted {fault}"
            raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=why))
        return plan.strategies

    def words(self, case: Case, statement: PlanGiven) -> Mapping[str, str]:
        """Return the words of the plan that a statement names or spells.

        Raises
        ------
        Settled
            If there is none, or the instance does not allow it.
        """
        if statement.formulation is not None:
            return self.strategies(case, statement.formulation)
        words = words_of(case, statement.strategies, statement.others)
        require_allowed(case, self.problem(case), words)
        return words

    def cost(self, case: Case, words: Mapping[str, str], component: str) -> Fraction:
        """Return what a plan costs on the machine of a case, exactly.

        By code that shares nothing with what formulations minimise.

        Raises
        ------
        Settled
            If the case does not say what the component needs to be known.
        """
        _require_machine(case, component)
        key = case, frozenset(words.items()), component
        if key not in self._costs:
            problem = self.problem(case)
            found = problem.costs(problem.bytes_of(words), case.instance.placement, (component,))
            self._costs[key] = found[component]
        return self._costs[key]

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

    def placed(self, problem: NetworkProblem, strategies: Mapping[str, str]) -> Plan:
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
            raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=str(refusal))) from None
        if plan.status is not Status.OPTIMAL:
            raise Settled(
                Judgement(ClaimVerdict.UNDECIDED, why=f"{PLACING} proves no placement the best: {plan.status}")
            )
        return plan

    def _evidence(self, case: Case, besides: str) -> Evidence:
        from hypar_opt.verification import lower_bound

        limits = self._own_limits()
        return lower_bound(self.problem(case), besides=besides, limits=limits, listener=self._listener)

    def _solved(self, case: Case, formulation: str) -> Plan | Refusal:
        limits = self._own_limits()
        plan, refusal = attempt(self.problem(case), formulation, limits, self._listener)
        if plan is None:
            return Refusal(refusal)
        if plan.status is Status.FEASIBLE and limits.over:
            return Refusal(f"{formulation} was stopped before its end")
        return plan

    def _own_limits(self) -> Limits:
        return each(self._limits, self._time_limit_s)


def byte_cost(case: Case, words: Mapping[str, str], component: str, problem: NetworkProblem) -> Fraction:
    """Return what a byte more adds to what a plan costs, at whichever level it is exchanged.

    Raises
    ------
    Settled
        If that depends on the level, so that bytes in all do not say what they cost.
    """
    _require_machine(case, component)
    breakdown, placed = problem.bytes_of(words), case.instance.placement
    before = problem.costs(breakdown, placed, (component,))[component]
    first, *others = breakdown.intra
    added = set()
    for h in range(case.instance.levels):  # a byte more at the level, inside the first layer
        more = replace(breakdown, intra=((*first[:h], first[h] + 1, *first[h + 1 :]), *others))
        added.add(problem.costs(more, placed, (component,))[component] - before)
    if len(added) > 1:
        raise not_reproducible(case, f"a byte of one level costs more {component} than one of another")
    return added.pop() if added else Fraction(0)


def _require_machine(case: Case, component: str) -> None:
    fault = unknown_needs(case.instance.spec.array, [component])
    if fault is not None:
        lacks = f"the {component} of a plan needs {dotted(fault[0])}, which is missing"
        raise not_reproducible(case, f"{lacks}; the array hypar-16 has it")
    if case.instance.placement is None and depends_on(component, PLACED):
        raise not_reproducible(case, f"{component} depends on the placement, which the array does not give")


def not_reproducible(case: Case, why: str) -> Settled:
    """Return what to raise where nothing here can recompute what is claimed of a case."""
    return Settled(Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=why, evidence=case.label))
