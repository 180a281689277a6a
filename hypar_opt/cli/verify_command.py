"""hypar-opt verify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import Wanted, limit_options, output_options, path_option
from hypar_opt.cli.progress import watching
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits

EXIT_CODES = {"confirmed": 0, "refuted": 1, "undecided": 3}

EPILOG = epilog(
    "hypar-opt solve sfc -f hypar-dp --accounting receiver -o plan.json",
    "hypar-opt verify sfc plan.json                 # it costs what it says",
    "hypar-opt verify sfc plan.json --as-optimal    # refuted, a better plan beside it",
    codes={
        0: "confirmed",
        1: "refuted",
        2: "bad input, such as a plan of another instance",
        3: "undecided within the limits",
    },
)


@click.command("verify", epilog=EPILOG)
@click.argument("instance", shell_complete=words.problems)
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json", shell_complete=files.plans)
@path_option("--certificate", metavar="FILE", help="Evidence that came with the plan.")
@click.option("--as-optimal", is_flag=True, help="Judge the plan as if it claimed to be optimal.")
@click.option("--no-evidence", is_flag=True, help="Leave out the evidence that stands in the plan's file.")
@click.option("--in", "framework", type=click.Choice(["jax"]), help="Also compile the plan's program, and count.")
@limit_options
@output_options
def command(
    instance: str,
    plan: Path,
    certificate: Path | None,
    as_optimal: bool,
    no_evidence: bool,
    framework: str | None,
    limits: Limits,
    wanted: Wanted,
) -> int:
    """Decide whether what PLAN.json claims of INSTANCE is true.

    Is it a complete and allowed plan of this instance; does it cost what it says, recomputed by boxes, to the byte;
    is nothing cheaper, if it says so. Overrides that the plan was made with are taken from its file. Optimality is
    decided by a certificate that code without a solver checks (see check-certificate), or, where there can be
    none, by a second formulation; the verdict says by which. The time limit is of the search; checking comes on top.
    Plans for accelerators of several kinds have evidence in their file, boxes of shares, of each of which it is shown
    that it holds no better plan; --no-evidence asks a second formulation instead.

    A point of a front's file is a plan, too (front.json#6); whether another plan dominates it is not decided here.

    INSTANCE may be a strategy graph: is there a strategy for every node, is none of the costs forbidden, does memory
    suffice at every time, is the total right. Without a time limit the search for a proof then ends after 12 s.

    With --in jax what the plan's program moves and computes is part of the verdict, as count says it.
    """
    from hypar_opt.count.verdict import with_program
    from hypar_opt.report.verdict import show_verdict, verdict_document
    from hypar_opt.verification import read_claim, verify
    from hypar_opt.verification.verdict import CheckOutcome

    if framework is not None:
        require(framework)
    claim = read_claim(plan)
    with watching(f"verifying {instance}", limits, wanted) as watch:
        verdict = verify(
            instance,
            claim,
            limits=limits,
            certificate=certificate,
            as_optimal=as_optimal,
            own_evidence=not no_evidence,
            listener=watch.listener,
        )
        if framework is not None and verdict.outcome is not CheckOutcome.REFUTED:
            verdict = with_program(verdict, instance, plan)
    if wanted.quiet and not wanted.machine:
        click.echo(verdict.outcome.value)
    else:
        show_result(wanted, verdict_document, show_verdict, claim, verdict)
    return watch.exit_code or EXIT_CODES[verdict.outcome]
