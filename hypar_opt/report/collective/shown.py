"""What `show` says of a collective, and of a schedule of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.report.collective.plan import about, headline, schedule_document, show_schedule
from hypar_opt.report.collective.tables import schedule_tables
from hypar_opt.report.collective.ways import ways_of_schedule
from hypar_opt.report.shown import Shown
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.util.numbers import exact
from hypar_opt.verification.checks import read_judged

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.report.charts import Figure


def of_instance(instance: CollectiveInstance) -> Shown:
    """Return a collective: who takes part, and how much is moved."""

    def show(console: Console) -> None:
        for line in instance_headline(instance):
            console.print(line)

    def drawn() -> Figure:
        from hypar_opt.report.charts.collective_instance import collective_figure

        return collective_figure(instance)

    return Shown(partial(instance_document, instance), partial(instance_headline, instance), show, drawn)


def instance_headline(instance: CollectiveInstance) -> list[str]:
    """Return what it is, in lines."""
    machine = instance.machine
    least = f"rounds in {instance.steps:,} steps" if instance.steps is not None else instance.goal
    links = f"{len(machine.links):,} links, {len(machine.switches):,} switches"
    joined = ", chunks that go together are one message" if instance.messages == "joined" else ""
    return [f"{instance.name}: {about(instance)}", f"{links}; least {least}{joined}"]


def instance_document(instance: CollectiveInstance) -> dict[str, Any]:
    """Return the same for machines."""
    names = instance.machine.names
    return {
        "name": instance.name,
        "sha256": instance.sha256,
        "collective": instance.collective,
        "group": [names[one] for one in instance.group],
        "root": None if instance.root is None else names[instance.root],
        "chunks": len(instance.chunks),
        "chunk_bytes": exact(instance.chunk_bytes),
        "messages": instance.messages,
        "objective": instance.goal,
        "steps": instance.steps,
    }


def of_plan(instance: CollectiveInstance, path: Path) -> Shown:
    """Return a schedule of a collective, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    if instance.goal == "bandwidth":
        from hypar_opt.report.collective.packing_shown import of_packing

        return of_packing(instance, path)
    problem = CollectiveProblem(instance)
    claim, plan, judged = read_judged(path, problem, problem.judged)

    def drawn() -> Figure:
        from hypar_opt.report.charts.space_time import space_time_figure

        return space_time_figure(judged)

    def ways() -> Figure:
        from hypar_opt.report.charts.collective_ways import ways_figure

        return ways_figure(ways_of_schedule(judged))

    return Shown(
        partial(schedule_document, problem, plan),
        lambda: headline(problem, plan, judged).split("\n"),
        lambda to: show_schedule(to, problem, plan),
        drawn,
        tables=partial(schedule_tables, problem, claim),
        graph=ways,
    )
