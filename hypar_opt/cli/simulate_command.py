"""hypar-opt simulate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from hypar_opt.cli.collective_simulation import (
    OF_COLLECTIVES,
    OF_STEPS,
    CollectiveWishes,
    collective_options,
    simulate_schedule_of,
)
from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.halves import of_halves
from hypar_opt.cli.inputs import check_apart, check_not_given
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import Wanted, deadline_of, form_of, output_options, path_option, time_limit_option
from hypar_opt.cli.progress import watching
from hypar_opt.cli.task_graph_simulation import OF_TASKS, replay_plan_of, task_graph_options
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.files import atomically, check_writable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.simulation import Acquire, Hold, Overlap, Simulated

EPILOG = epilog(
    "hypar-opt solve vgg-e --array hypar-16 --objective time -o plan.json",
    "hypar-opt simulate vgg-e plan.json                       # what contention costs",
    "hypar-opt simulate vgg-e plan.json --no-contention       # the analytic time, event by event",
    "hypar-opt simulate vgg-e plan.json --overlap full --trace step.json --gantt step.png",
    "hypar-opt simulate six-tasks tasks.json --trace tasks-trace.json",
    "hypar-opt simulate torus-4x4-gather schedule.json --sends greedy --flit 16 --message-flits 16",
    codes={
        0: "simulated",
        2: "bad input, or a simulation that cannot go on (deadlock)",
        3: "stopped at the time limit; nothing is written",
    },
    stopped="; nothing is written",
)


@click.command("simulate", epilog=EPILOG)
@click.argument("instance", shell_complete=words.simulated)
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json", shell_complete=files.plans)
@click.option(
    "--overlap", type=click.Choice(["none", "full"]), default="none", show_default=True,
    help="Barriers between all phases and exchanges, or tasks as soon as their data are there.",
)  # fmt: skip
@click.option(
    "--contention/--no-contention", default=True, show_default=True,
    help="Transfers need all links of their route at once, or every link serves by itself.",
)  # fmt: skip
@click.option(
    "--hold", type=click.Choice(["rate", "whole"]), default="rate", show_default=True,
    help="With contention: of every link the bandwidth of the route's slowest, or all of it.",
)  # fmt: skip
@click.option(
    "--acquire", type=click.Choice(["together", "ordered", "route"]), default="together", show_default=True,
    help="With contention: a route taken as a whole when all of it has room; or link by link, each kept while the "
    "next is waited for, in one order for all or along the route, which can deadlock.",
)  # fmt: skip
@click.option("--memory-ports", is_flag=True, help="Transfers cross the memories at both ends, too.")
@click.option(
    "--array", metavar="ARRAY", shell_complete=words.arrays, help="Simulate on another array: a file, or a shipped one."
)
@collective_options
@task_graph_options
@path_option("--trace", metavar="FILE", help="Write a Chrome or Perfetto trace.")
@path_option("--gantt", metavar="FILE", help="Write a picture: .png or .svg.")
@time_limit_option
@output_options
@of_halves(
    "simulate follows exchanges between halves; of operators, show --plan has the seconds of a step and what overlap "
    "can hide, and export --to jax a program that count compiles and measures against them",
    "simulate follows exchanges between equal halves on links; show --plan says what each kind computes, reads and "
    "waits for in a step",
)
def command(
    instance: str,
    plan: Path,
    overlap: Overlap,
    contention: bool,
    hold: Hold,
    acquire: Acquire,
    memory_ports: bool,
    array: str | None,
    asked: CollectiveWishes,
    periods: int | None,
    trace: Path | None,
    gantt: Path | None,
    time_limit: float | None,
    wanted: Wanted,
) -> int:
    """Simulate one training step of INSTANCE under PLAN.json, event by event, or a schedule of another problem.

    Overrides that the plan was made with are taken from its file. Unless told otherwise the step keeps to the order
    of the analytic model, and transfers need all their links at once: the difference to the analytic time is what
    contention costs. Without contention and overlap both times are the same, exactly. Latency is not charged.

    Of accelerators of several kinds it shows who waits for whom, without contention.

    Of a collective it sends the plan's chunks along their links: in lockstep, or as soon as they can go. Latency is
    charged, and heads of messages are where --flit is given.

    Of a task graph it begins tasks when the plan says, and then as early as the plan's order lets them.
    """
    from hypar_opt.report.simulation import headline, show_simulation, simulation_document
    from hypar_opt.studies.simulation import Options, simulate_plan
    from hypar_opt.studies.simulation.plan_step import memory_bandwidth_of
    from hypar_opt.studies.simulation.tasks import check

    _check_contention(contention)
    # before the work: whether the files can be written, and whether the picture's form is known
    if gantt is not None:
        form_of(gantt, "--gantt")
    require("simulate", *(["report"] if gantt is not None else []))
    for path in (trace, gantt):
        if path is not None:
            check_writable(path)
    check_apart({"--trace": trace, "--gantt": gantt}, instance, plan, array)
    tasks = _task_graph(instance, plan)
    if tasks is not None:
        said = (*OF_STEPS, *OF_COLLECTIVES, "contention", "hold", "acquire", "gantt")
        check_not_given(said, "a task graph")
        return replay_plan_of(tasks, plan, periods, trace, Limits(deadline_of(time_limit)), wanted)
    check_not_given(OF_TASKS, "what is no task graph")
    collective = _collective(instance, plan)
    if collective is not None:
        check_not_given(OF_STEPS, "a collective")
        links, limits = Options(contention=contention, hold=hold, acquire=acquire), Limits(deadline_of(time_limit))
        return simulate_schedule_of(collective, plan, asked, links, (trace, gantt), limits, wanted)
    check_not_given(OF_COLLECTIVES, "a training step")
    mixed = _mixed(instance, plan)
    if mixed is not None:
        check_not_given(
            ("overlap", "contention", "hold", "acquire", "memory_ports", "array", "trace", "gantt"),
            "accelerators of several kinds",
        )
        return _simulate_mixed(*mixed, wanted)
    limits = Limits(deadline_of(time_limit))
    problem, strategies, placed = _read(instance, plan, array)
    options = Options(overlap, contention, hold, acquire, memory_bandwidth_of(problem) if memory_ports else None)
    name = problem.instance.name
    with watching(f"simulating {instance}", limits, wanted) as watch:
        found = simulate_plan(problem, strategies, placed, options, limits=limits, listener=watch.listener)
        watch.doing("summing up")
        found.simulation.complete(limits)
        document = simulation_document(name, found) if wanted.machine else None
        check(limits, "before anything was written")
        watch.doing("writing")
        _write(name, found, trace, gantt, limits)
    # whoever wanted to stop from here on came too late: the files are there, and so is the result
    if wanted.quiet and document is None:
        click.echo("\n".join(headline(name, found)))
    else:
        show_result(wanted, lambda *_: document, show_simulation, name, found)
    return 0


def _collective(instance: str, path: Path) -> CollectiveInstance | None:
    """Return the instance of a schedule; None of another."""
    from hypar_opt.instance.read import load_collective
    from hypar_opt.verification.claim import read_claim

    return load_collective(instance, **read_claim(path).overrides)


def _task_graph(instance: str, path: Path) -> TaskGraphInstance | None:
    """Return a task graph; None of another instance."""
    from hypar_opt.instance.read import load_task_graph
    from hypar_opt.verification.claim import read_claim

    return load_task_graph(instance, **read_claim(path).overrides)


def _mixed(instance: str, path: Path) -> tuple[MixedProblem, Plan, Path] | None:
    """Return the problem of a plan on several kinds of accelerators, and the plan; None of another."""
    from hypar_opt.instance import load_instance
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.plan_reader import read_plan
    from hypar_opt.verification.checks import check_binding
    from hypar_opt.verification.claim import read_claim

    claim = read_claim(path)
    read = load_instance(instance, **claim.overrides)
    if read.mixed is None:
        return None
    problem = MixedProblem(read)
    check_binding(problem, claim)
    claim.strategies_for("a plan to simulate")
    return problem, Plan(**read_plan(path).fields), path


def _simulate_mixed(problem: MixedProblem, plan: Plan, path: Path, wanted: Wanted) -> int:
    """Simulate a plan on several kinds of accelerators."""
    from hypar_opt.report.mixed_simulation import mixed_headline, mixed_simulation_document, show_mixed_simulation
    from hypar_opt.studies.simulation.mixed_step import simulate_mixed

    try:
        found = simulate_mixed(problem, plan.strategies or {}, plan.shares)
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field) from None
    name = problem.instance.name
    if wanted.quiet and not wanted.machine:
        click.echo("\n".join(mixed_headline(name, found)))
    else:
        show_result(wanted, mixed_simulation_document, show_mixed_simulation, name, found)
    return 0


def _check_contention(contention: bool) -> None:
    """Refuse what would say nothing: who holds links, and how they are taken, where nobody holds any."""
    context = click.get_current_context()
    for name in ("hold", "acquire"):
        if not contention and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} says what contention is like; it cannot be given with --no-contention")


def _read(instance: str, path: Path, array: str | None) -> tuple[NetworkProblem, Mapping[str, str], tuple[int, ...]]:
    """Return an instance with the array to simulate, a plan's strategies, and where its leaves stand.

    That is where the plan says, else where the instance does.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance.
    path
        The plan's file.
    array
        Another array than the plan was made for, or None.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, it is not allowed, or has other levels than the array.
    """
    from hypar_opt.instance import load_instance
    from hypar_opt.solver.kinds import network_problem_of
    from hypar_opt.solver.network_tasks import sites_of
    from hypar_opt.verification.checks import read_allowed, require_all, strategy_checks

    problem, claim, strategies = read_allowed(instance, path, "a plan to simulate")
    if array is None:
        placed = _given(problem) if claim.placement is None else sites_of(problem, claim.placement)
        return problem, strategies, placed
    other = network_problem_of(load_instance(instance, **{**claim.overrides, "array": array}))
    if other.instance.levels != problem.instance.levels:
        levels = f"levels {problem.instance.levels} (of the plan), got {other.instance.levels}"
        raise InputError(f"expected an array of {levels}", field="--array")
    require_all(strategy_checks(other, strategies), path)
    return other, strategies, _given(other)


def _given(problem: NetworkProblem) -> tuple[int, ...]:
    """Return the instance's placement; where it is free and nothing was decided, leaf i stands on accelerator i."""
    return problem.instance.placement or tuple(range(problem.instance.partition.leaves))


def _write(name: str, found: Simulated, trace: Path | None, gantt: Path | None, limits: Limits) -> None:
    """Write the files: what takes long first, and none if it is stopped meanwhile."""
    content = None
    if gantt is not None:
        from hypar_opt.report.charts.export import picture
        from hypar_opt.report.charts.gantt import DRAWING, gantt_figure
        from hypar_opt.studies.simulation.tasks import check

        content = picture(gantt_figure(name, found, limits), form_of(gantt, "--gantt"))
        check(limits, DRAWING)
    if trace is not None:
        from hypar_opt.studies.simulation import write_trace

        write_trace(found.simulation, trace, limits)
    if gantt is not None and content is not None:
        with atomically(gantt) as stream:
            stream.write(content)
