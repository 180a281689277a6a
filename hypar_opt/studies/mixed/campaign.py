"""How often, and by how much, rules miss the optimum on random arrays of several kinds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.executor import GivenWorkers, run_pieces, workers_of
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.baselines import BASELINES, priced
from hypar_opt.studies.mixed.families import MIXED_FAMILIES, draw_mixed
from hypar_opt.studies.random_instances.generator import instance_of
from hypar_opt.studies.random_instances.row import relative
from hypar_opt.studies.random_instances.tally import Tally, tally
from hypar_opt.studies.set_aside import SetAside, spelled
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
        By index, from 0; where limits came first those that were measured by then.
    set_aside
        Instances that have no row as they killed what measured them; by index.
    """

    family: MixedFamily
    seed: int
    count: int
    rows: tuple[MixedRow, ...]
    set_aside: tuple[SetAside, ...] = ()

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


@dataclass(frozen=True)
class MixedPiece:
    """An instance to measure, and all that its row depends on.

    Parameters
    ----------
    family, seed, index
        Which one.
    """

    family: MixedFamily
    seed: int
    index: int

    def drawn(self) -> dict[str, Any]:
        """Return the instance's document."""
        return draw_mixed(self.family, self.seed, self.index)

    def set_aside(self, why: str) -> SetAside:
        """Return what is told of it where it killed its workers."""
        document = self.drawn()
        drawing = (
            "from dataclasses import replace; from hypar_opt.instance.data import instance_text; "
            "from hypar_opt.studies.mixed.families import *; from hypar_opt.studies.random_instances import Family; "
            f"print(instance_text(draw_mixed({spelled(self.family, MIXED_FAMILIES, 'mixed_family')}, {self.seed}, "
            f"{self.index})), end='')"
        )
        return SetAside(self.index, (document["cost"]["accounting"],), document, drawing, why)


def measure_mixed_piece(piece: MixedPiece, limits: Limits) -> MixedRow | None:
    """Return an instance's row; None where limits came first, as what was stopped in the middle says nothing."""
    row = measure_mixed(MixedProblem(instance_of(piece.drawn())), piece.index, replace(limits, workers=1))
    return None if limits.over else row


def run_mixed(
    family: MixedFamily,
    count: int,
    *,
    seed: int = 0,
    workers: GivenWorkers = 1,
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
    workers
        Open workers, or a number of processes, 1 being this one; None for as many as there are processors. The rows do
        not depend on it.
    limits
        A deadline, and a flag that stops the run: what was measured by then is summed up.
    listener
        Called with how far it is.

    Raises
    ------
    InputError
        If there cannot be so many processes.
    """
    limits = limits or Limits()
    run, tracker = Run("campaign", listener=listener), Tracker(listener, "campaign", "instances", count)
    rows: list[MixedRow] = []
    aside: list[SetAside] = []
    pieces = (MixedPiece(family, seed, index) for index in range(count))
    with workers_of(workers, count) as lent:
        for one in run_pieces(lent, measure_mixed_piece, pieces, limits, tracker):
            if one.killed:
                aside.append(one.piece.set_aside(one.killed))
            elif one.result is not None:
                rows.append(one.result)
                run.phase(f"{len(rows):,} of {count:,} instances")
    rows.sort(key=lambda row: row.index)
    aside.sort(key=lambda one: one.index)
    return MixedOutcome(family, seed, count, tuple(rows), tuple(aside))
