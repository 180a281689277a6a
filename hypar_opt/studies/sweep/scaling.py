"""One network on arrays of 1, 2, 4, ... accelerators, as in the paper's Figure 11."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load_instance
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.cell_pieces import attempt
from hypar_opt.studies.sweep.exploration import recomputed_costs
from hypar_opt.studies.sweep.space import checked_components, counted, usual_component
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


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


def scale(
    instance: str | Path,
    levels: Sequence[int],
    *,
    overrides: Mapping[str, Any] | None = None,
    components: Sequence[str] | None = None,
    limits: Limits | None = None,
    listener: Listener | None = None,
    on_point: Callable[[Point], None] | None = None,
    keep_unfit: bool = False,
) -> list[Point]:
    """Put one network on arrays of several sizes, with three plans each.

    The batch stays, so that the accelerators share the same work; so does what the array's file says of links: the
    bandwidth of a leaf's, or of a root's link.

    Parameters
    ----------
    instance
        A file, or the name of a shipped one.
    levels
        Of every array.
    overrides
        Of the instance: accounting, batch, array, placement.
    components
        What is reported; the first is what joint-dp finds the least of.
    limits
        Of all solves together.
    listener
        Called with the events of every solve, and with how many solves are done.
    on_point
        Called with every result as it comes.
    keep_unfit
        Whether a size that the array cannot have is a point without a plan, which says why; else it is an error.

    Returns
    -------
    Three points an array; fewer arrays where the limits came first.

    Raises
    ------
    InputError
        If the instance cannot be read, has fixed strategies or a listed placement, which are of one size only, or its
        array lacks what a component needs; of unfit sizes that are kept, where none fits.
    Refusal
        If a component depends on a placement that is to be decided.
    """
    limits = limits or Limits()
    unfit: dict[int, str] = {}
    problems = _problems(instance, levels, overrides or {}, unfit if keep_unfit else None)
    first = next(iter(problems.values()))
    names = (usual_component(first),) if components is None else checked_components(components)
    for component in names:  # what the array does not say of one is an error before anything is solved
        first.weighing({component: Fraction(1)})
    found: list[Point] = []
    alone: dict[str, Mapping[str, Fraction]] = {}
    # each array is larger than the one before, so that nothing follows from what those before took
    tracker = Tracker(listener, SOURCE, "solves", len(problems) * len(PLANS), estimated=False)
    for h, problem in problems.items():
        if limits.over:
            break
        Run(SOURCE, limits, listener=listener).phase(counted(problem.instance.partition.leaves, "accelerator"))
        for name in PLANS:
            point = _point(problem, name, names, alone.get(name, {}), limits, listener)
            if h == 0:
                alone[name] = point.costs or _costs_of_one(problem, names)
                point = replace(point, alone=alone[name])
            tracker.add()
            if h in levels:
                found.append(point)
                if on_point is not None:
                    on_point(point)
    found += [Point(h, name, None, {}, {}, why) for h, why in unfit.items() if h in levels for name in PLANS]
    return sorted(found, key=lambda point: point.levels)


def _problems(
    instance: str | Path, levels: Sequence[int], overrides: Mapping[str, Any], unfit: dict[int, str] | None
) -> dict[int, NetworkProblem]:
    """Return the instance on every size of its array, and on one accelerator; put down why where that cannot be."""
    found: dict[int, NetworkProblem] = {}
    for h in dict.fromkeys((0, *sorted(levels))):
        try:
            found[h] = NetworkProblem(load_instance(instance, levels=h, **overrides))
        except InputError as error:
            if unfit is None:
                _check_fits_all_sizes(instance, overrides)
                raise
            unfit[h] = error.message
    if not found:
        _check_fits_all_sizes(instance, overrides)
        raise InputError(f"no size of the array fits: {next(iter((unfit or {}).values()))}")
    return found


def _check_fits_all_sizes(instance: str | Path, overrides: Mapping[str, Any]) -> None:
    """Say what in the instance is of one size only, rather than blame a number of levels that nobody chose."""
    given = load_instance(instance, **overrides)
    if given.spec.fix:
        what = f"an instance that fixes no strategies; these are for {counted(given.levels, 'level')}"
        if "fix" in given.overrides:
            raise InputError(f"--scale needs {what}", field="--fix")
        raise InputError(f"--scale needs {what}", file=given.source, field="fix")
    listed = given.spec.array.placement
    if listed is not None and not isinstance(listed, str):
        what = f"a placement for every size; this one lists {counted(len(listed), 'accelerator')}"
        message = f"--scale needs {what}; try --placement identity"
        if "array" in given.overrides:
            raise InputError(message, field="--array placement")
        raise InputError(message, file=given.source, field="array.placement")


def _point(
    problem: NetworkProblem,
    name: str,
    components: Sequence[str],
    alone: Mapping[str, Fraction],
    limits: Limits,
    listener: Listener | None,
) -> Point:
    none = Point(problem.instance.levels, name, None, {}, alone, bounds=problem.instance.bounds)
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


def _costs_of_one(problem: NetworkProblem, components: Sequence[str]) -> Mapping[str, Fraction]:
    """Return what the only plan on one accelerator costs, within bounds or not; nothing where memory does not suffice.

    A gain is over a step that can be taken, be it slower than was asked for.
    """
    only = {layer.name: "" for layer in problem.work.layers}
    return {} if problem.overflow(only) is not None else _costs(problem, only, components)


def _costs(problem: NetworkProblem, strategies: Mapping[str, str], components: Sequence[str]) -> Mapping[str, Fraction]:
    costs = recomputed_costs(problem, strategies, (*components, COMMUNICATION))
    return {one: costs[one] for one in (*components, COMMUNICATION)}
