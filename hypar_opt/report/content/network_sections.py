"""What a report shows of a network on links beside plans: a front, an exploration, scaling, regrets, a baseline."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import ENERGY, TIME
from hypar_opt.report.content.baseline import baseline_of
from hypar_opt.report.content.content import BASELINE, EXPLORATION, FRONT, REGRETS, SCALING, LayerRegrets, Subject
from hypar_opt.report.content.section import Section, tried
from hypar_opt.solver.given_price import price_of
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.studies.reasons import reasons_of
from hypar_opt.studies.sensitivity import explain
from hypar_opt.studies.sweep import Exploration, Point, SizedInstances, explore, read_sizes, scale_sizes
from hypar_opt.util.errors import HyparError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from fractions import Fraction

    from hypar_opt.report.content.named_plan import NamedPlan
    from hypar_opt.solver.front import ParetoFront

SCALES: Final = range(7)
"""Levels of the arrays in a scaling curve: 1 to 64 accelerators, as in the paper's Figure 11."""


def with_baseline(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with data parallelism, the price of given strategies, and why the best plan's are as they are.

    Parameters
    ----------
    wanted
        Which sections are: the last goes with regrets.
    limits
        Returns those of what begins now.
    """
    problem, best, reasons = subject.problem, subject.best, None
    if best is not None and REGRETS in wanted:
        given = limits()
        reasons = reasons_of(problem, best.plan, lambda: given.over)
    baseline, why = tried(lambda: baseline_of(problem, subject.plans, limits(), listener))
    missing = {**subject.missing, **({BASELINE: why} if why else {})}
    price = _price(subject, limits())
    return replace(subject, baseline=baseline, price=price, reasons=reasons or (), missing=missing)


def _price(subject: Subject, limits: Limits) -> str:
    """Return what the given strategies cost, of the best plan, or of the proof that there is none."""
    proofs = (cell.plan for cell in subject.cells if cell.plan and cell.plan.status is Status.INFEASIBLE)
    plan = next(proofs, None) if subject.best is None else subject.best.plan
    try:
        return "" if plan is None else price_of(subject.problem, plan, limits)
    except HyparError as error:
        return str(error)


def _front(subject: Subject, _: None, limits: Limits, listener: Listener | None) -> ParetoFront:
    return pareto_front(subject.problem, (TIME, ENERGY), limits=limits, listener=listener)


def _exploration(subject: Subject, _: None, limits: Limits, listener: Listener | None) -> Exploration:
    """Weigh all strategies of the two layers that exchange most, the rest as in the best plan."""
    best = subject.best
    if best is None:
        raise Refusal("there is no plan to begin with")
    if not subject.instance.levels:
        raise Refusal("on one accelerator every layer has one strategy only")
    return explore(subject.problem, _busiest(best), plan=best.strategies, limits=limits, listener=listener)


def _busiest(named: NamedPlan) -> list[str]:
    """Return two layers: those with the most bytes inside them and before them, in the network's order."""
    bytes_of: dict[str, Fraction | int] = {
        layer.name: sum(row) for layer, row in zip(named.problem.work.layers, named.breakdown.intra, strict=True)
    }
    for boundary, row in zip(named.problem.work.boundaries, named.breakdown.inter, strict=True):
        bytes_of[named.problem.work.layers[boundary.reader].name] += sum(row)
    most = sorted(bytes_of, key=lambda name: -bytes_of[name])[:2]
    return [name for name in bytes_of if name in most]


def _sizes(subject: Subject) -> SizedInstances:
    """Put the network on arrays of 1 to 64 accelerators."""
    instance = subject.instance
    if instance.source is None:
        raise Refusal("the instance comes from no file that could be read again for other arrays")
    if instance.spec.fix:
        raise Refusal("strategies are given, and on arrays of other sizes they would be others")
    rest = {name: value for name, value in instance.overrides.items() if name != "levels"}
    return read_sizes(instance.source, SCALES, rest, keep_unfit=True)


def _scaling(_: Subject, sizes: SizedInstances, limits: Limits, listener: Listener | None) -> tuple[Point, ...]:
    return tuple(scale_sizes(sizes, limits=limits, listener=listener))


def _regrets(subject: Subject, _: None, limits: Limits, listener: Listener | None) -> LayerRegrets:
    """Return the regrets of the best plan's layers."""
    if subject.best is None:
        raise Refusal("there is no plan")
    explanation = explain(subject.problem, subject.best.plan, limits, listener)
    if explanation.missing:
        raise Refusal(explanation.missing)
    return LayerRegrets(subject.best, explanation)


SECTIONS_OF_NETWORKS: Final[Mapping[str, Section]] = MappingProxyType(
    {
        FRONT: Section(_front),
        SCALING: Section(_scaling, _sizes),
        EXPLORATION: Section(_exploration),
        REGRETS: Section(_regrets),
    }
)
"""By name, those that take longest first."""
