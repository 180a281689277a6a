"""What a report holds, the order in which plans stand, and what else is shown of an instance that allows it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeGuard, TypeVar

from hypar_opt.formulation.registry import rank_of
from hypar_opt.formulation.run import Limits, Listener, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import ENERGY, TIME
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.solver.pareto import ParetoFront, pareto_front
from hypar_opt.studies.sweep import Exploration, Point, explore, scale
from hypar_opt.util.errors import InputError, MachineError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.step import Step
    from hypar_opt.instance import Instance
    from hypar_opt.report.content.provenance import Provenance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.claims import ClaimRow, Claims
    from hypar_opt.studies.compare import Cell

    T = TypeVar("T")


def best_first(named: NamedPlan) -> tuple[bool, Fraction | int, bool, int]:
    """Return what sorts plans: those of least objective first, of these those with a proof, then by formulation."""
    plan = named.plan
    return plan.objective is None, plan.objective or 0, not proves(plan), rank_of(plan.formulation)


def proves(plan: Plan) -> bool:
    """Return whether it is proven that no plan at all costs less; a proof of a placement is one for its strategies."""
    return plan.status is Status.OPTIMAL and plan.decided != "placement"


def is_shown(plan: Plan | None) -> TypeGuard[Plan]:
    """Return whether reports show a plan: one that has strategies, and that no solver failed at."""
    return plan is not None and plan.strategies is not None and plan.status is not Status.ERROR


@dataclass(frozen=True)
class NamedPlan:
    """A plan of a subject, checked, with what it costs layer by layer.

    Parameters
    ----------
    name
        Unique among a subject's plans: the formulation's, or the plan file's.
    problem
        What it is a plan of.
    plan
        Has strategies.
    source
        The plan file that it was given in, or nothing: its cost was recomputed, what it says of its optimality was not.
    """

    name: str
    problem: NetworkProblem
    plan: Plan
    source: str = ""

    @property
    def strategies(self) -> Mapping[str, str]:
        """By layer, a word of a letter a level."""
        if self.plan.strategies is None:
            raise ValueError(f"{self.name} has no strategies")
        return self.plan.strategies

    @cached_property
    def breakdown(self) -> Breakdown:
        """Bytes by layer, boundary and level, by boxes."""
        return self.problem.bytes_of(self.strategies)

    @cached_property
    def placed(self) -> tuple[int, ...] | None:
        """An accelerator's position for every leaf: the plan's own, else the instance's; None where neither is."""
        if self.plan.placement is None:
            return self.problem.sites
        return sites_of(self.problem, self.plan.placement)

    @cached_property
    def step(self) -> Step | None:
        """The training step; None where the array does not say what accelerators can do."""
        return self.problem.step(self.breakdown, self.placed)


@dataclass(frozen=True)
class Subject:
    """One instance with all that was found of it.

    Parameters
    ----------
    slug
        Of its page; unique in a report; letters, digits and hyphens.
    problem
        The instance, compiled.
    cells
        A result a formulation, those that declined included.
    plans
        Those of the cells that have strategies, and those of plan files.
    front
        Of time and energy; None where there is none, and `missing` says why.
    exploration
        Of two layers; None likewise.
    scaling
        A plan for 1, 2, 4, ... accelerators; empty likewise.
    missing
        By section (`front`, `exploration`, `scaling`, `time`, `array`), why the report has none.
    """

    slug: str
    problem: NetworkProblem
    cells: tuple[Cell, ...]
    plans: tuple[NamedPlan, ...]
    front: ParetoFront | None = None
    exploration: Exploration | None = None
    scaling: tuple[Point, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def instance(self) -> Instance:
        """As read."""
        return self.problem.instance


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


FRONT, EXPLORATION, SCALING = "front", "exploration", "scaling"
SECTIONS: Final = (FRONT, EXPLORATION, SCALING)
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
    left = {name: why for name, why in missing.items() if why}
    return replace(subject, front=front, exploration=exploration, scaling=scaling or (), missing=left)


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
    return tuple(scale(source, SCALES, overrides=rest, limits=limits, listener=listener))


def _tried(ask: Callable[[], T]) -> tuple[T | None, str]:
    """Return what can be had, or why it cannot."""
    try:
        return ask(), ""
    except (InputError, MachineError, Refusal) as error:  # links may have no energy, or no bandwidth
        return None, str(error)
    except Stopped:
        return None, "stopped by the limit"
