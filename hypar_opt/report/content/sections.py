"""What else a report shows of an instance, where the instance allows it: a front, an exploration, scaling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Stopped
from hypar_opt.instance.objective.components import ENERGY, TIME
from hypar_opt.report.content.content import best_first
from hypar_opt.solver.pareto import ParetoFront, pareto_front
from hypar_opt.studies.sweep import Exploration, Point, explore, scale
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction
    from typing import Any, TypeVar

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.report.content.content import NamedPlan
    from hypar_opt.solver.network_problem import NetworkProblem

    T = TypeVar("T")

FRONT, EXPLORATION, SCALING = "front", "exploration", "scaling"
SECTIONS: Final = (FRONT, EXPLORATION, SCALING)
SCALES: Final = range(7)
"""Levels of the arrays in a scaling curve: 1 to 64 accelerators, as in the paper's Figure 11."""


def front_of(problem: NetworkProblem, limits: Limits, listener: Listener | None) -> ParetoFront:
    """Return the front of time and energy."""
    return pareto_front(problem, (TIME, ENERGY), limits=limits, listener=listener)


def exploration_of(
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


def scaling_of(
    problem: NetworkProblem, overrides: Mapping[str, Any], limits: Limits, listener: Listener | None
) -> tuple[Point, ...]:
    """Put the network on arrays of 1 to 64 accelerators."""
    source = problem.instance.source
    if source is None:
        raise Refusal("the instance comes from no file that could be read again for other arrays")
    rest = {name: value for name, value in overrides.items() if name != "levels"}
    return tuple(scale(source, SCALES, overrides=rest, limits=limits, listener=listener))


def tried(ask: Callable[[], T]) -> tuple[T | None, str]:
    """Return what can be had, or why it cannot."""
    try:
        return ask(), ""
    except (InputError, Refusal) as error:
        return None, str(error)
    except Stopped:
        return None, "stopped by the limit"
