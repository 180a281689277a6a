"""hypar-opt task-graph plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.options import IntegerRange, Wanted, output_options, path_option
from hypar_opt.cli.progress import showing
from hypar_opt.cli.task_graph_output import check_task_graph_file, task_graph_option, tell_task_graph
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.files import check_writable

EPILOG = epilog(
    "hypar-opt solve alexnet --array hypar-16 --levels 2 --objective time -o plan.json",
    "hypar-opt task-graph plan alexnet plan.json -o tasks.yaml",
    "hypar-opt task-graph plan alexnet plan.json -o tasks.yaml --ruled first-come.json",
    "hypar-opt solve tasks.yaml --time-limit 30    # what overlap is possible at best",
    "hypar-opt task-graph plan branched-training stages.json --microbatches 4 --rule gpipe",
    codes={0: "printed or written", 2: BAD_INPUT},
)


@click.command("plan", epilog=EPILOG)
@click.argument("instance", shell_complete=words.problems)
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json", shell_complete=files.plans)
@task_graph_option
@click.option(
    "--contention/--no-contention", default=True, show_default=True,
    help="Of steps and sends: a transfer takes all links of its route at once, or is a task for each of them.",
)  # fmt: skip
@click.option(
    "--hold", type=click.Choice(["rate", "whole"]), default="rate", show_default=True,
    help="With contention: of every link the bandwidth of the route's slowest, or all of it.",
)  # fmt: skip
@click.option("--memory-ports", is_flag=True, help="Of steps: transfers cross the memories at both ends, too.")
@click.option(
    "--microbatches", type=IntegerRange(1, 10_000), help="Of stages, in a batch. Default: what INSTANCE says."
)
@click.option(
    "--rule", metavar="NAME", help="Of stages: how a backward phase is cut, gpipe, 1f1b or zero-bubble. Default: 1f1b."
)
@click.option("--links", is_flag=True, help="Of a pipeline: what crosses is a message on a link out and one in.")
@path_option(
    "--ruled", metavar="FILE", help="Write what the rule makes of it, first come first served or --rule's, as a plan."
)
@output_options
def command(instance: str, plan: Path, output: Path | None, ruled: Path | None, wanted: Wanted, **asked: Any) -> None:
    """Write PLAN.json of INSTANCE as a task graph, with everything that is to be done and no order.

    Of a training step every accelerator's computing and every transfer is a task, as in `simulate --overlap full`; of
    stages every microbatch's phases; of operators what one device computes and moves; of a collective every send.
    Overrides are taken from the plan's file. Twice the accelerators are more than twice the tasks: for a proof take few
    levels when the plan is made (--levels).
    """
    from hypar_opt.solver.plan import write_plan
    from hypar_opt.studies.tasks.of_plan import TaskWishes, plan_tasks

    check_task_graph_file(output, instance, plan)
    if ruled is not None:
        require("simulate")
        if output is not None and check_writable(ruled) == check_writable(output):
            raise InputError("expected another file than that of --output", field="--ruled")
        check_writable(ruled)
        check_apart({"--ruled": ruled}, instance, plan)
    with showing(f"reading {plan.name}", wanted):
        found = plan_tasks(instance, plan, TaskWishes(**asked))
        if ruled is not None:
            from hypar_opt.studies.tasks.overlap import ruled_plan

            write_plan(ruled_plan(found), ruled)
    said = f"The tasks of a plan of {found.document['name']}, in no order."
    tell_task_graph(found.document, output, wanted, [said])
    if ruled is not None:
        wanted.tell_of([ruled])
