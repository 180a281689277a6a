"""What a report holds, and what else is shown of an instance that allows it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar

from hypar_opt.formulation.run import Limits, Listener, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import ENERGY, TIME
from hypar_opt.report.content.baseline import baseline_of
from hypar_opt.report.content.named_plan import NamedPlan, best_first
from hypar_opt.solver.front import ParetoFront
from hypar_opt.solver.given_price import price_of
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.studies.reasons import LayerReason, reasons_of
from hypar_opt.studies.regrets import Explanation
from hypar_opt.studies.sensitivity import explain
from hypar_opt.studies.sweep import Exploration, Point, explore, scale
from hypar_opt.util.errors import HyparError, InputError, MachineError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.report.content.operator_rules import RuleBeside
    from hypar_opt.report.content.provenance import Provenance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.claims import ClaimRow, Claims
    from hypar_opt.studies.compare import Cell

    T = TypeVar("T")


def is_shown(plan: Plan | None) -> TypeGuard[Plan]:
    """Return whether reports show a plan: one that has strategies, and that no solver failed at."""
    return plan is not None and plan.strategies is not None and plan.status is not Status.ERROR


@dataclass(frozen=True)
class LayerRegrets:
    """What it costs to force the layers of a plan off their strategies, one at a time.

    Parameters
    ----------
    named
        The plan.
    explanation
        Has a regret for every layer that has another allowed strategy.
    """

    named: NamedPlan
    explanation: Explanation


@dataclass(frozen=True)
class Subject:
    """One instance with all that was found of it.

    Parameters
    ----------
    slug
        Of its page; unique in a report; letters, digits and hyphens.
    problem
        The instance, compiled; of one of the kinds in `hypar_opt.report.content.kinds`.
    cells
        A result a formulation, those that declined included.
    plans
        Those of the cells that have strategies, and those of plan files; each a `FoundPlan` of the problem's kind.
    front
        Of time and energy, of operators of time and communication; None where there is none, and `missing` says why.
    exploration
        Of two layers; None likewise.
    scaling
        A plan for 1, 2, 4, ... accelerators; empty likewise.
    baseline
        Data parallelism, whether a formulation was asked for it or not; None where it is not allowed.
    rules
        Of operators, what rules come to that everybody knows, data parallelism among them.
    regrets
        What other strategies of each layer would cost; None likewise.
    price
        What the strategies that were given cost, in a sentence; nothing without any.
    reasons
        Why each layer of the best plan is as it is, where regrets were asked for.
    missing
        By section (`front`, `exploration`, `scaling`, `regrets`, `baseline`), why the report has none.
    """

    slug: str
    problem: Any
    cells: tuple[Cell, ...]
    plans: tuple[Any, ...]
    front: ParetoFront | None = None
    exploration: Exploration | None = None
    scaling: tuple[Point, ...] = ()
    baseline: Any = None
    rules: tuple[RuleBeside, ...] = ()
    regrets: LayerRegrets | None = None
    price: str = ""
    reasons: tuple[LayerReason, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def instance(self) -> Any:
        """As read, of whichever kind."""
        return self.problem.instance

    @property
    def kind(self) -> str:
        """The kind of its problem."""
        kind: str = self.problem.kind
        return kind


@dataclass(frozen=True)
class Report:
    """Everything that the pages show.

    Parameters
    ----------
    title
        A line.
    subjects
        A page each.
    provenance
        Where all this comes from.
    claims, rows
        An audit, where the report has one.
    faults
        What cannot be: two proofs that disagree, a solver that failed.
    stopped
        Whether a signal cut it short.
    """

    title: str
    subjects: tuple[Subject, ...]
    provenance: Provenance
    claims: Claims | None = None
    rows: tuple[ClaimRow, ...] = ()
    faults: tuple[str, ...] = ()
    stopped: bool = False


FRONT, EXPLORATION, SCALING, REGRETS = "front", "exploration", "scaling", "regrets"
SECTIONS: Final = (FRONT, EXPLORATION, SCALING, REGRETS)
"""Those that take long, and can be left out."""
BASELINE: Final = "baseline"
SCALES: Final = range(7)
"""Levels of the arrays in a scaling curve: 1 to 64 accelerators, as in the paper's Figure 11."""


def with_sections(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with its sections; `missing` says of those that are not there why.

    Parameters
    ----------
    wanted
        Which of them.
    limits
        Returns those of a section that begins now.
    """
    problem, missing = subject.problem, dict.fromkeys(SECTIONS, "not asked for")
    front = exploration = scaling = None
    if FRONT in wanted:
        front, missing[FRONT] = _tried(
            lambda: pareto_front(problem, (TIME, ENERGY), limits=limits(), listener=listener)
        )
    if EXPLORATION in wanted:
        exploration, missing[EXPLORATION] = _tried(lambda: _exploration(problem, subject.plans, limits(), listener))
    if SCALING in wanted:
        scaling, missing[SCALING] = _tried(lambda: _scaling(problem, limits(), listener))
    regrets, reasons = None, None
    best = min(subject.plans, key=best_first, default=None)
    if REGRETS in wanted:
        given = limits()
        reasons = None if best is None else reasons_of(problem, best.plan, lambda: given.over)
        regrets, missing[REGRETS] = _tried(lambda: _regrets(problem, subject.plans, limits(), listener))
    baseline, missing[BASELINE] = _tried(lambda: baseline_of(problem, subject.plans, limits(), listener))
    left = {name: why for name, why in missing.items() if why}
    return replace(
        subject, front=front, exploration=exploration, scaling=scaling or (), regrets=regrets, baseline=baseline,
        price=_price(subject, best, limits()), reasons=reasons or (), missing=left,
    )  # fmt: skip


def _regrets(
    problem: NetworkProblem, plans: Sequence[NamedPlan], limits: Limits, listener: Listener | None
) -> LayerRegrets:
    """Return the regrets of the best plan's layers."""
    best = min(plans, key=best_first, default=None)
    if best is None:
        raise Refusal("there is no plan")
    explanation = explain(problem, best.plan, limits, listener)
    if explanation.missing:
        raise Refusal(explanation.missing)
    return LayerRegrets(best, explanation)


def _price(subject: Subject, best: NamedPlan | None, limits: Limits) -> str:
    """Return what the given strategies cost, of the best plan, or of the proof that there is none."""
    proofs = (cell.plan for cell in subject.cells if cell.plan and cell.plan.status is Status.INFEASIBLE)
    plan = next(proofs, None) if best is None else best.plan
    try:
        return "" if plan is None else price_of(subject.problem, plan, limits)
    except HyparError as error:
        return str(error)


def _exploration(
    problem: NetworkProblem, plans: Sequence[NamedPlan], limits: Limits, listener: Listener | None
) -> Exploration:
    """Weigh all strategies of the two layers that exchange most, the rest as in the best plan."""
    best = min(plans, key=best_first, default=None)
    if best is None:
        raise Refusal("there is no plan to begin with")
    if not problem.instance.levels:
        raise Refusal("on one accelerator every layer has one strategy only")
    return explore(problem, _busiest(best), plan=best.strategies, limits=limits, listener=listener)


def _busiest(named: NamedPlan) -> list[str]:
    """Return two layers: those with the most bytes inside them and before them, in the network's order."""
    bytes_of: dict[str, Fraction | int] = {
        layer.name: sum(row) for layer, row in zip(named.problem.work.layers, named.breakdown.intra, strict=True)
    }
    for boundary, row in zip(named.problem.work.boundaries, named.breakdown.inter, strict=True):
        bytes_of[named.problem.work.layers[boundary.reader].name] += sum(row)
    most = sorted(bytes_of, key=lambda name: -bytes_of[name])[:2]
    return [name for name in bytes_of if name in most]


def _scaling(problem: NetworkProblem, limits: Limits, listener: Listener | None) -> tuple[Point, ...]:
    """Put the network on arrays of 1 to 64 accelerators."""
    source = problem.instance.source
    if source is None:
        raise Refusal("the instance comes from no file that could be read again for other arrays")
    rest = {name: value for name, value in problem.instance.overrides.items() if name != "levels"}
    if problem.instance.spec.fix:
        raise Refusal("strategies are given, and on arrays of other sizes they would be others")
    return tuple(scale(source, SCALES, overrides=rest, limits=limits, listener=listener, keep_unfit=True))


def _tried(ask: Callable[[], T]) -> tuple[T | None, str]:
    """Return what can be had, or why it cannot."""
    try:
        return ask(), ""
    except (InputError, MachineError, Refusal) as error:  # links may have no energy, or no bandwidth
        return None, str(error)
    except Stopped:
        return None, "stopped by the limit"
