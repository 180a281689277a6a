"""hypar-opt simulate of a task graph's schedule: its option, and what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import IntegerRange, together
from hypar_opt.cli.progress import watching
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.tasks import TaskGraphInstance

OF_TASKS: Final = ("periods",)
"""Parameters that say something of task graphs only."""
MOST_PERIODS: Final = 1_000_000

task_graph_options = together(
    click.option("--periods", type=IntegerRange(2, MOST_PERIODS), metavar="N",
                 help="Of a task graph that is repeated: how often. Default: so often that it settles."),
)  # fmt: skip


def replay_plan_of(
    instance: TaskGraphInstance, plan: Path, periods: int | None, trace: Path | None, limits: Limits, wanted: Wanted
) -> int:
    """Replay a schedule, write the trace, and print what was found.

    Raises
    ------
    InputError
        If it is a plan of another task graph, or no schedule of this one; if periods are asked for of what is not
        repeated.
    """
    from hypar_opt.report.tasks.replay import ReplayedSchedule, replay_document, replay_headline, show_replay
    from hypar_opt.studies.simulation.replay import replay_schedule
    from hypar_opt.studies.simulation.replay.trace import write_replay_trace
    from hypar_opt.studies.simulation.tasks import check

    if periods is not None and not instance.is_periodic:
        raise InputError("is of what is repeated; expected `objective: period`", field="--periods")
    judged = _judged(instance, plan)
    with watching(f"replaying {instance.name}", limits, wanted) as watch:
        planned = replay_schedule(instance, judged.schedule, "planned", periods, limits=limits, listener=watch.listener)
        earliest = replay_schedule(instance, judged.schedule, "earliest", periods, limits=limits)
        found = ReplayedSchedule(judged, planned, earliest)
        document = replay_document(found) if wanted.machine else None
        check(limits, "before anything was written")
        if trace is not None:
            watch.doing("writing")
            write_replay_trace(planned, trace, limits)
    if wanted.quiet and document is None:
        click.echo("\n".join(replay_headline(found)))
    else:
        show_result(wanted, lambda _: document, show_replay, found)
    return 0


def _judged(instance: TaskGraphInstance, path: Path) -> JudgedTasks:
    """Return the schedule of a plan's file, in which nothing is wrong."""
    from hypar_opt.solver.task_problem import TaskProblem
    from hypar_opt.verification.checks import check_binding, judged_plan
    from hypar_opt.verification.claim import read_claim

    claim, problem = read_claim(path), TaskProblem(instance)
    check_binding(problem, claim)
    try:
        return judged_plan(problem.judged, claim, "a plan to simulate")
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field or "plan") from None
