"""hypar-opt solve."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document, to_file
from hypar_opt.cli.options import (
    Wanted,
    check_files,
    check_json,
    limit_options,
    output_options,
    override_options,
    path_option,
)
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.choices import LETTERS
from hypar_opt.instance.objective.components import PLACED
from hypar_opt.util.errors import Refusal
from hypar_opt.util.files import atomically, open_log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.regrets import Explanation

NOT_WHY = {
    "strategy-graph": "a strategy graph says what strategies cost, not what they exchange",
    "staged": "of stages the table says what each does",
    "pipeline": "of a pipeline the table says what every stage does",
    "collective": "of a collective the tables say what every step sends, and what links carry",
    "packing": "of a collective the tables say which trees there are, and what links carry",
    "task-graph": "of a task graph the table says when every task begins",
    "precision": "of bits the tables say what every layer sends",
    "mixed": "of unlike groups it is not a sum over layers that is the least, but who waits for whom",
}
"""By the kind of a problem, why its layers cannot be explained one by one."""
EXIT_CODES = {Status.NO_SOLUTION: 3, Status.ERROR: 1}
"""Of what is no result; of all else 0."""


def _listed(command: click.Command) -> click.Command:
    """Fill in the choices, and the components that depend on a placement."""
    choices = ", ".join(f"{letter}: {name}" for name, letter in LETTERS.items())
    command.help = (command.help or "").format(choices=choices, placed=", ".join(PLACED))
    return command


EPILOG = epilog(
    "hypar-opt solve vgg-e",
    "hypar-opt solve my-network.yaml --levels 10 --time-limit 60 -o plan.json",
    "hypar-opt solve vgg-e --array hypar-16 --objective time --json",
    "hypar-opt solve vgg-a --array hypar-16 --objective energy --at-most time=14.8",
    "hypar-opt solve vgg-e --fix 'conv*=d...' --why",
    "hypar-opt solve vgg-e --levels 16 -o plan.json --certificate plan.cert",
    "hypar-opt solve gpt2-small --axes node=2,gpu=8   # operators, split along named dimensions on axes of any size",
    "hypar-opt solve gpt2-small --batch 16 --array h100-8x8 --objective time",
    codes={
        0: "a plan, or a proof that there is none",
        1: "a result did not stand up to recomputation; no plan is written",
        2: "bad input, or a formulation declines",
        3: "stopped at the time limit without a plan",
    },
    stopped=", with the best plan so far",
)


@_listed
@click.command("solve", epilog=EPILOG)
@click.argument("instance", shell_complete=words.problems)
@click.option(
    "-f",
    "--formulation",
    metavar="NAME",
    shell_complete=words.formulation,
    help="Default: joint-dp; with a placement to decide joint-enumeration; where they do not fit cp-sat, alternating; "
    "portfolio on strategy graphs.",
)
@override_options
@limit_options
@path_option("-o", "--output", metavar="PLAN.json", help="Write the plan here.")
@path_option("--start", metavar="PLAN.json", help="A plan to start from.", shell_complete=files.plans)
@path_option(
    "--certificate",
    metavar="FILE",
    help="Write evidence of the bound (joint-dp; portfolio, milp-highs, lagrangian, branch-and-bound).",
)
@path_option("--log", metavar="FILE", help="Write events here, as JSON lines.")
@click.option(
    "--explain/--no-explain",
    default=None,
    help="Regrets of second-best strategies. Default: on the terminal yes, as JSON no.",
)
@click.option("--why", is_flag=True, help="Why every layer is as it is: a sentence each, with its bytes.")
@click.option(
    "--all", "every_row", is_flag=True, help="Every layer in a row of its own, where equal ones would share one."
)
@click.option("--presolve/--no-presolve", default=True, help="Reduce a strategy graph before it is searched.")
@output_options
def command(
    instance: str,
    formulation: str | None,
    limits: Limits,
    output: Path | None,
    start: Path | None,
    certificate: Path | None,
    log: Path | None,
    explain: bool | None,
    why: bool,
    every_row: bool,
    presolve: bool,
    wanted: Wanted,
    **overrides: Any,
) -> int:
    """Find a plan for INSTANCE and say what is proven of it.

    INSTANCE is a file, or the name of a shipped instance (hypar-opt list instances); or a strategy graph, of which
    hypar-opt import says more: JSON with `problem` at the top, compressed by gzip or not. The plan is shown as a
    grid of layers and levels ({choices}; root level first) with the bytes that each layer exchanges
    and the regret of its second-best strategy: what forcing any other costs, the rest chosen anew.

    Where the objective depends on where in the array the groups stand ({placed}), the
    placement is decided too; -f placement-... decides it alone, for the strategies of --start or of least bytes.

    Where the array says what an accelerator can do (--array hypar-16), every plan has a time and an energy, which
    can be the objective: --objective time, time=1,energy=0.1, product:time,energy or lexicographic:energy,time.

    A network of operators (attention, norms, experts, ...) is split along its operators' own dimensions, by name, on
    an array that is a product of axes, outermost first: --axes node=2,gpu=8, or an --array that has axes. The plan is
    shown as a dimension for each operator and axis, with the collectives, the memory, and the time that it means.
    """
    from hypar_opt.instance.read import load
    from hypar_opt.solver.given_price import with_price
    from hypar_opt.solver.kinds import problem_of, read_start_of
    from hypar_opt.solver.plan import write_plan
    from hypar_opt.solver.solve import solve
    from hypar_opt.studies.reasons import REASONS
    from hypar_opt.studies.sensitivity import explain as explanation_of

    check_json(output, "tables and pictures of a plan: hypar-opt show INSTANCE --plan PLAN.json -o NAME")
    written = {"--output": output, "--certificate": certificate, "--log": log}
    check_apart(written, instance, overrides["array"], start)
    problem = problem_of(load(instance, **overrides)).within(limits, presolved=presolve)
    if why and problem.kind in NOT_WHY:
        raise Refusal(f"--why is of networks; {NOT_WHY[problem.kind]}")
    check_files(output=output, certificate=certificate, log=log)
    begin = None if start is None else read_start_of(problem, start)
    proofs: list[Any] = []
    with ExitStack() as stack:
        others = [] if log is None else [to_file(stack.enter_context(open_log(log)), partial(click.echo, err=True))]
        watch = stack.enter_context(watching(f"solving {problem.instance.name}", limits, wanted, *others))
        proof = None if certificate is None else proofs.append
        plan = solve(problem, formulation, limits=limits, start=begin, listener=watch.listener, proof=proof)
        plan = with_price(problem, plan, limits)
        if output is not None and plan.status not in EXIT_CODES:
            write_plan(plan, output)
        if certificate is not None:
            watch.doing("writing the certificate")
            _write_certificate(problem, plan, proofs, certificate)
        explanation, reasons = None, None
        explained = explain if explain is not None else not (wanted.machine or wanted.quiet)
        if explained and problem.is_explained and plan.strategies is not None:
            explanation = explanation_of(problem, plan, limits, watch.shown.hear)
        if why and plan.strategies is not None:
            reasons = REASONS[problem.kind](problem, plan, lambda: limits.over)
    _show(problem, plan, explanation, wanted, reasons, every_row)
    return watch.exit_code or EXIT_CODES.get(plan.status, 0)


def _write_certificate(problem: Problem, plan: Plan, proofs: list[Any], path: Path) -> None:
    """Write the certificate; the plan is worth showing where that can't be done."""
    from hypar_opt.verification.verifier import CASES

    kind = CASES[problem.kind]
    if plan.status not in kind.certified or not proofs:
        click.echo(f"warning: no certificate is written, the plan is {plan.status}", err=True)
        return
    try:
        with atomically(path) as stream:
            kind.write(stream, problem, proofs.pop(), plan)
    except Refusal as refusal:
        click.echo(f"warning: no certificate is written: {refusal}", err=True)


def _show(
    problem: Problem,
    plan: Plan,
    explained: Explanation | None,
    wanted: Wanted,
    reasons: Sequence[Any] | None,
    every_row: bool,
) -> None:
    if wanted.machine:
        from hypar_opt.report.plan import DOCUMENTS, EXPLANATIONS
        from hypar_opt.report.reasons import WHY_DOCUMENTS

        document = DOCUMENTS[problem.kind](problem, plan)
        if explained is not None:
            document["explanation"] = EXPLANATIONS[problem.kind](problem, explained)
        if reasons is not None:
            document["why"] = WHY_DOCUMENTS[problem.kind](problem, reasons)
        echo_document(document, wanted)
        return
    from hypar_opt.report.console import console
    from hypar_opt.report.plan import show_plan
    from hypar_opt.report.reasons import WHY

    show_plan(console(), problem, plan, explained, every_row=every_row)
    if reasons is not None:
        console().print("\n".join(WHY[problem.kind](problem, reasons, every_row)))
