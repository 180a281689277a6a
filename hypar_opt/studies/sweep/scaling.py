"""One network on arrays of 1, 2, 4, ... accelerators, as in the paper's Figure 11."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.instance import load_instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.sweep.sizes import PLANS, SOURCE, Point, costs_of_one, plans_in_turn, plans_of_workers
from hypar_opt.studies.sweep.space import checked_components, counted, usual_component
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.executor import Workers
    from hypar_opt.instance import Instance


@dataclass(frozen=True)
class SizedInstances:
    """One network on arrays of several sizes, as read.

    Parameters
    ----------
    levels
        Of the arrays that are wanted.
    instances
        By levels, on those that there can be; one accelerator is one of them, wanted or not.
    unfit
        By levels, why there can be none.
    """

    levels: tuple[int, ...]
    instances: Mapping[int, Instance]
    unfit: Mapping[int, str]


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
    workers: Workers | None = None,
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
        Called with the events of every solve, and with how many solves are done; of workers the latter alone.
    on_point
        Called with every result as it comes.
    keep_unfit
        Whether a size that the array cannot have is a point without a plan, which says why; else it is an error.
    workers
        Who finds the plans of all sizes but one accelerator's, each by itself; None for this process, in turn.

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
    sizes = read_sizes(instance, levels, overrides or {}, keep_unfit=keep_unfit)
    return scale_sizes(
        sizes, components=components, limits=limits, listener=listener, on_point=on_point, workers=workers
    )


def scale_sizes(
    sizes: SizedInstances,
    *,
    components: Sequence[str] | None = None,
    limits: Limits | None = None,
    listener: Listener | None = None,
    on_point: Callable[[Point], None] | None = None,
    workers: Workers | None = None,
) -> list[Point]:
    """Put a network on arrays of several sizes that were read before; as `scale`, and no file is read.

    Raises
    ------
    InputError
        If the array lacks what a component needs.
    Refusal
        If a component depends on a placement that is to be decided.
    """
    limits = limits or Limits()
    problems = {h: NetworkProblem(one) for h, one in sizes.instances.items()}
    first = next(iter(problems.values()))
    names = (usual_component(first),) if components is None else checked_components(components)
    for component in names:  # what the array does not say of one is an error before anything is solved
        first.weighing({component: Fraction(1)})
    # each array is larger than the one before, so that nothing follows from what those before took
    tracker = Tracker(listener, SOURCE, "solves", len(problems) * len(PLANS), estimated=False)
    here = problems if workers is None else {h: problem for h, problem in problems.items() if h == 0}
    points = plans_in_turn(here, names, limits, listener, tracker)
    if workers is not None:
        points = chain(points, plans_of_workers(workers, problems, names, limits, tracker))
    found: list[Point] = []
    alone: dict[str, Mapping[str, Fraction]] = {}
    for point in points:
        if point.levels == 0:
            alone[point.formulation] = point.costs or costs_of_one(problems[0], names)
        if point.levels in sizes.levels:
            found.append(replace(point, alone=alone.get(point.formulation, {})))
            if on_point is not None:
                on_point(found[-1])
    unfit = {h: why for h, why in sizes.unfit.items() if h in sizes.levels}
    found += [Point(h, name, None, {}, {}, why) for h, why in unfit.items() for name in PLANS]
    return sorted(found, key=lambda point: (point.levels, PLANS.index(point.formulation)))


def read_sizes(
    instance: str | Path, levels: Sequence[int], overrides: Mapping[str, Any], *, keep_unfit: bool
) -> SizedInstances:
    """Read an instance on every size of its array, and on one accelerator.

    Parameters
    ----------
    instance, levels, overrides, keep_unfit
        As of `scale`.

    Raises
    ------
    InputError
        As `scale` does.
    """
    found: dict[int, Instance] = {}
    unfit: dict[int, str] = {}
    for h in dict.fromkeys((0, *sorted(levels))):
        try:
            found[h] = load_instance(instance, levels=h, **overrides)
        except InputError as error:
            if not keep_unfit:
                _check_fits_all_sizes(instance, overrides)
                raise
            unfit[h] = error.message
    if not found:
        _check_fits_all_sizes(instance, overrides)
        raise InputError(f"no size of the array fits: {next(iter(unfit.values()))}")
    return SizedInstances(tuple(levels), found, unfit)


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
