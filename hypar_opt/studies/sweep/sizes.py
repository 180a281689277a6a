"""The plans of one network on arrays of several sizes, found in turn or by workers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.executor import run_pieces
from hypar_opt.formulation.run import Limits, Listener, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.cell_pieces import attempt
from hypar_opt.studies.cells import failed
from hypar_opt.studies.sweep.exploration import recomputed_costs
from hypar_opt.studies.sweep.space import counted
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.executor import Workers
    from hypar_opt.formulation.progress.tracker import Tracker
    from hypar_opt.instance import Instance


PLANS: Final = ("hypar-dp", "data-parallel", "joint-dp")
"""What finds the plans. The last is for the component that is compared, the others for the least communication."""
SOURCE: Final = "scale"


@dataclass(frozen=True)
class Point:
    """One array with one formulation's plan.

    Parameters
    ----------
    levels
        H: the array has 2^H accelerators.
    formulation
        What found the plan.
    plan
        None where it declined.
    costs
        By component, recomputed by boxes and routes; nothing where there is no plan.
    alone
        By component, what the same formulation's plan costs on one accelerator.
    refusal
        Why it declined, or has no plan; or nothing.
    bounds
        By component, what the plan may cost at most.
    """

    levels: int
    formulation: str
    plan: Plan | None
    costs: Mapping[str, Fraction]
    alone: Mapping[str, Fraction]
    refusal: str = ""
    bounds: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def accelerators(self) -> int:
        """How many."""
        return halves(self.levels).leaves

    @property
    def is_cut(self) -> bool:
        """Whether limits ended the search before there was a plan, or before joint-dp's was proven."""
        if self.plan is None:
            return False
        unproven = self.formulation == PLANS[-1] and self.plan.status is Status.FEASIBLE
        # the rule searches nothing: where it has no plan, its plan is not allowed
        return unproven or (self.plan.status is Status.NO_SOLUTION and self.formulation != PLANS[1])

    def gain(self, component: str) -> Fraction | None:
        """Return how many times as much one accelerator takes; None where that is not known, or either is nothing."""
        value, alone = self.costs.get(component), self.alone.get(component)
        return alone / value if value and alone else None


def plans_in_turn(
    problems: Mapping[int, NetworkProblem],
    names: Sequence[str],
    limits: Limits,
    listener: Listener | None,
    tracker: Tracker,
) -> Iterator[Point]:
    """Yield all plans of one size after the other."""
    for problem in problems.values():
        if limits.over:
            return
        Run(SOURCE, limits, listener=listener).phase(counted(problem.instance.partition.leaves, "accelerator"))
        for name in PLANS:
            point = _point(problem, name, names, limits, listener)
            tracker.add()
            yield point


@dataclass(frozen=True)
class _Size:
    """A network on an array of one size, with the formulation whose plan is wanted, and what it is weighed by."""

    instance: Instance
    formulation: str
    components: tuple[str, ...]


def _solved(size: _Size, limits: Limits) -> Point:
    return _point(NetworkProblem(size.instance), size.formulation, size.components, limits, None)


def plans_of_workers(
    workers: Workers, problems: Mapping[int, NetworkProblem], names: Sequence[str], limits: Limits, tracker: Tracker
) -> Iterator[Point]:
    """Yield what workers find of all sizes but one accelerator: of no size less than all plans.

    The largest arrays are begun first, so that nobody waits for them in the end; under a deadline the smallest, so
    that it cuts off the others.
    """
    sizes = [problem.instance for h, problem in problems.items() if h]
    if limits.deadline is None:
        sizes.reverse()
    pieces = [_Size(one, name, tuple(names)) for one in sizes for name in reversed(PLANS)]
    found: dict[int, list[Point]] = {}
    for one in run_pieces(workers, _solved, pieces, limits, tracker, most=1):
        size, point = one.piece, one.result
        if point is None:
            plan = failed(problems[size.instance.levels], size.formulation, one.killed, limits.seed)
            point = Point(size.instance.levels, size.formulation, plan, {}, {}, one.killed)
        found.setdefault(point.levels, []).append(point)
        if len(found[point.levels]) == len(PLANS):
            yield from found[point.levels]


def _point(
    problem: NetworkProblem,
    name: str,
    components: Sequence[str],
    limits: Limits,
    listener: Listener | None,
) -> Point:
    none = Point(problem.instance.levels, name, None, {}, {}, bounds=problem.instance.bounds)
    wanted = problem.weighed({components[0]: Fraction(1)}) if name == PLANS[-1] else problem.by_communication
    if name == PLANS[0]:  # which knows no bounds: its plan stands where it keeps them
        wanted = wanted.minimising(COMMUNICATION, ())
    plan, refusal = attempt(wanted, name, limits, listener)
    if plan is None:
        return replace(none, refusal=refusal)
    if plan.strategies is None or plan.status is Status.ERROR:
        return replace(none, plan=plan, refusal=plan.note or plan.native_status)
    beyond = problem.excess(plan.strategies)
    if beyond is not None:
        return replace(none, refusal=beyond)
    return replace(none, plan=plan, costs=_costs(problem, plan.strategies, components))


def costs_of_one(problem: NetworkProblem, components: Sequence[str]) -> Mapping[str, Fraction]:
    """Return what the only plan on one accelerator costs, within bounds or not; nothing where memory does not suffice.

    A gain is over a step that can be taken, be it slower than was asked for.
    """
    only = {layer.name: "" for layer in problem.work.layers}
    return {} if problem.overflow(only) is not None else _costs(problem, only, components)


def _costs(problem: NetworkProblem, strategies: Mapping[str, str], components: Sequence[str]) -> Mapping[str, Fraction]:
    costs = recomputed_costs(problem, strategies, (*components, COMMUNICATION))
    return {one: costs[one] for one in (*components, COMMUNICATION)}
