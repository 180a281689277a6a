"""hypar-opt count."""

from __future__ import annotations

from pathlib import Path

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, output_options
from hypar_opt.cli.progress import showing
from hypar_opt.util.extras import require

EPILOG = epilog(
    "hypar-opt solve gpt2-block --batch 8 -o plan.json",
    "hypar-opt count gpt2-block plan.json           # what XLA's program moves, beside what is predicted",
    "hypar-opt count gpt2-block plan.json --in torch    # what DTensor moves by the exported placements",
    codes={
        0: "equal to the byte, and what was run computes what one device does",
        1: "different",
        2: "bad input, or no program, or none within the time",
    },
)


@click.command("count", epilog=EPILOG)
@click.argument("instance", shell_complete=words.instances)
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json", shell_complete=files.plans)
@click.option(
    "--in", "framework", type=click.Choice(["jax", "jax-gspmd", "torch"]), default="jax", show_default=True,
    help="Which program is compiled, as export --to has it.",
)  # fmt: skip
@click.option("--no-run", is_flag=True, help="Only compile it; do not compare what it computes with one device.")
@click.option(
    "--time-limit", type=click.FloatRange(min=1), default=600, show_default=True, metavar="S",
    help="Seconds for compiling and running.",
)  # fmt: skip
@output_options
def command(instance: str, plan: Path, framework: str, no_run: bool, time_limit: float, wanted: Wanted) -> int:
    """Count what the program of PLAN.json moves, and say where that is not what is predicted.

    The plan is exported (export --to jax) and compiled for devices of this host, in a process of its own. The
    collectives stand in the optimised program, with the conversion that each belongs to: bytes that all devices
    receive, by kind and axis. The step is also run, on small sizes where those of the instance are large, and its loss
    and gradients are compared with the same step on one device, in numbers of 64 bits.

    With --in jax-gspmd the compiler chooses the collectives, which belong to no conversion: a row is a kind and an
    axis, an all-reduce being a reduce-scatter and an all-gather, and nothing is run.

    With --in torch the exported placements (export --to torch) are applied to modules of PyTorch. What DTensor calls is
    counted on tensors without numbers and devices that need not be there, and each difference has its reason. The step
    is run by Gloo, a process for each of up to 8 devices.
    """
    from hypar_opt.count.jax_counter import TOLERANCE, count, count_constrained
    from hypar_opt.count.small import smaller
    from hypar_opt.export.read import read_step
    from hypar_opt.report.console import console
    from hypar_opt.report.count import counted_document, run_sentence, sentence, show_counted

    require("torch" if framework == "torch" else "jax")
    with showing(f"counting what {instance} moves", wanted):
        step = read_step(instance, plan)
        if framework == "torch":
            from hypar_opt.count.torch.counter import PROCESSES, count_torch

            is_run = not no_run and step.partition.leaves <= PROCESSES
            counted = count_torch(step, run=smaller(step) if is_run else None, seconds=time_limit)
        elif framework == "jax":
            counted = count(step, runs=None if no_run else smaller(step), seconds=time_limit)
        else:
            counted = count_constrained(step, seconds=time_limit)
    if wanted.machine:
        echo_document(counted_document(step.name, counted), wanted)
    elif wanted.quiet:
        click.echo(sentence(step.name, counted))
    else:
        show_counted(console(), step.name, counted)
    is_off = counted.run is not None and not counted.run.most <= TOLERANCE
    if is_off and wanted.quiet:
        click.echo(run_sentence(counted))
    return int(bool(counted.different) or is_off)
