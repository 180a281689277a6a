"""How often, and by how much, rules miss the optimum on random arrays of several kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.baselines import BASELINES, priced
from hypar_opt.studies.mixed.families import draw_mixed
from hypar_opt.studies.random_instances.generator import instance_of
from hypar_opt.studies.random_instances.row import relative
from hypar_opt.studies.random_instances.tally import Tally, tally
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.formulation.run import Listener
    from hypar_opt.studies.mixed.families import MixedFamily


@dataclass(frozen=True)
class MixedRow:
    """One random instance.

    Parameters
    ----------
    index
        In its family.
    status
        Of the optimum.
    optimum
        Seconds; None where none was proven.
    gaps
        By rule, how much its plan takes longer, in optima; None where that is not known, or the optimum is 0.
    """

    index: int
    status: Status
    optimum: Fraction | None
    gaps: Mapping[str, Fraction | None] = field(default_factory=dict)


@dataclass(frozen=True)
class MixedOutcome:
    """What a campaign found.

    Parameters
    ----------
    family, seed, count
        What was asked for.
    rows
        By index, from 0.
    """

    family: MixedFamily
    seed: int
    count: int
    rows: tuple[MixedRow, ...]

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """How rules fare, one after the other."""
        return tuple(
            tally("published", name, {row.index: row.gaps.get(name) for row in self.rows}, self._faulty(name))
            for name in BASELINES
        )

    @property
    def faulty(self) -> tuple[int, ...]:
        """Instances on which a rule beats what was proven to be the optimum. None, we hope."""
        return tuple(dict.fromkeys(index for name in BASELINES for index in self._faulty(name)))

    def _faulty(self, name: str) -> list[int]:
        gaps = ((row.index, row.gaps.get(name)) for row in self.rows)
        return [index for index, gap in gaps if gap is not None and gap < 0]


def measure_mixed(problem: MixedProblem, index: int = 0, limits: Limits | None = None) -> MixedRow:
    """Return how rules fare on one problem."""
    limits = limits or Limits(workers=1)
    plan = solve(problem, limits=limits)
    if plan.status is not Status.OPTIMAL or plan.objective is None:
        return MixedRow(index, plan.status, None)
    gaps: dict[str, Fraction | None] = {}
    for name, baseline in BASELINES.items():
        try:
            found = priced(baseline, problem, limits, plan).objective
        except Refusal:
            found = None
        gaps[name] = None if found is None or (found and not plan.objective) else relative(found, plan.objective)
    return MixedRow(index, plan.status, plan.objective, gaps)


def run_mixed(
    family: MixedFamily,
    count: int,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> MixedOutcome:
    """Measure how rules fare on a family's first instances.

    Parameters
    ----------
    count
        How many; those of a smaller count are the first of a larger.
    seed
        Another seed, other instances.
    limits
        A deadline, and a flag that stops the run: what was measured by then is summed up.
    listener
        Called with how far it is.
    """
    limits = limits or Limits()
    run, tracker = Run("campaign", listener=listener), Tracker(listener, "campaign", "instances", count)
    rows: list[MixedRow] = []
    for index in range(count):
        if limits.over:
            break
        row = measure_mixed(MixedProblem(instance_of(draw_mixed(family, seed, index))), index, limits)
        if limits.over:
            break  # what was stopped in the middle says nothing
        rows.append(row)
        run.phase(f"{len(rows):,} of {count:,} instances")
        tracker.add()
    return MixedOutcome(family, seed, count, tuple(rows))
