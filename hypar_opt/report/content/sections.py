"""What else a report shows of an instance, where the instance allows it: a front, an exploration, scaling."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Stopped
from hypar_opt.instance.objective.components import ENERGY, TIME
from hypar_opt.report.content.content import best_first
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.studies.sweep import Exploration, Point, explore, scale
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from fractions import Fraction
    from typing import TypeVar

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.report.content.content import NamedPlan, Subject
    from hypar_opt.solver.network_problem import NetworkProblem

    T = TypeVar("T")

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
    except (InputError, Refusal) as error:
        return None, str(error)
    except Stopped:
        return None, "stopped by the limit"
