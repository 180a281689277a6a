"""hypar-opt task-graph transfers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.options import IntegerRange, Wanted, above_0, output_options, override_option
from hypar_opt.cli.task_graph_output import check_task_graph_file, task_graph_option, tell_task_graph
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from decimal import Decimal
    from pathlib import Path

    from hypar_opt.studies.transfers.layers import DataParallelStep

MOST_CHUNKS = 1000
MOST_WORKERS = 2**20
EPILOG = epilog(
    "hypar-opt task-graph transfers vgg-a --array hypar-16 -o tasks.yaml",
    "hypar-opt solve tasks.yaml --time-limit 30    # the best order of whole gradients",
    "hypar-opt task-graph transfers vgg-a --array hypar-16 --bandwidth 1e9 --start-up 1e-4 --chunks 4",
    "hypar-opt task-graph transfers vgg16.txt --workers 16 -o tasks.yaml    # a profile of PipeDream",
    codes={0: "printed or written", 2: BAD_INPUT},
)


@click.command("transfers", epilog=EPILOG)
@click.argument("source", shell_complete=words.problems)
@task_graph_option
@override_option("array", help="Of a network: as of `solve`.")
@override_option("levels", help="Of a network: as of `solve`, on 2^H workers.")
@override_option("batch", help="Of a network: as of `solve`.")
@click.option(
    "--workers", type=IntegerRange(2, MOST_WORKERS), metavar="N",
    help="Of a pipeline or a profile: how many do all of it, each on samples of its own.",
)  # fmt: skip
@click.option(
    "--bandwidth", callback=above_0(), metavar="B",
    help="Bytes a second of the link. Default: the array's slowest, or what the file says; PipeDream's have 1e9.",
)  # fmt: skip
@click.option(
    "--start-up",
    callback=above_0("seconds"),
    metavar="S",
    help="Seconds a message costs besides its bytes. Default: 0.",
)
@click.option(
    "--chunks", type=IntegerRange(1, MOST_CHUNKS), default=1, show_default=True, metavar="N",
    help="Equal parts of each gradient, every one a message.",
)  # fmt: skip
@output_options
def command(
    source: str,
    output: Path | None,
    workers: int | None,
    bandwidth: Decimal | None,
    start_up: Decimal | None,
    chunks: int,
    wanted: Wanted,
    **overrides: Any,
) -> None:
    """Write the backward pass of a data-parallel step, the transfers of its gradients, and the next forward pass.

    SOURCE is a network on an array that says what accelerators compute, a pipeline, or a profile of PipeDream. The last
    layer's gradient is ready first; all are summed around a ring, over one link, in any order; the next step goes
    forward layer by layer, each as soon as its gradient has arrived and its parameters are updated. What is to be least
    is the end of that.
    """
    from hypar_opt.studies.transfers.document import transfer_document
    from hypar_opt.studies.transfers.sources import load_step

    check_task_graph_file(output, source, overrides["array"])
    step = load_step(source, workers, **overrides)
    pace = _pace(step, bandwidth)
    problem = step.problem(pace, Fraction(start_up or 0))
    said = (
        f"Gradients of {step.name} on {step.workers:,} workers: {amount(step.sent, 'bytes')} around a ring, at "
        f"{amount(pace, 'bytes/s')}, between {amount(step.computing, 's')} of computing."
    )
    tell_task_graph(transfer_document(problem, chunks), output, wanted, [said])


def _pace(step: DataParallelStep, bandwidth: Decimal | None) -> Fraction:
    """Return the bytes a second of the link.

    Raises
    ------
    InputError
        If nobody says it, or there is nothing to send.
    """
    if not step.sent:
        message = "nothing is sent: expected parameters, and more than one worker"
        raise InputError(message, field="--levels" if step.workers == 1 else "source")
    found = step.bandwidth if bandwidth is None else Fraction(bandwidth)
    if found is None:
        raise InputError("it is not said how fast links are; expected --bandwidth B", field="--bandwidth")
    return found
