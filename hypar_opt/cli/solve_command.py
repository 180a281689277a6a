"""hypar-opt solve."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.json_lines import echo_document, to_file
from hypar_opt.cli.options import Wanted, check_files, limit_options, output_options, override_options, path_option
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.choices import LETTERS
from hypar_opt.instance.objective.components import PLACED
from hypar_opt.util.errors import Refusal
from hypar_opt.util.files import atomically, open_log

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.sensitivity import Explanation

EXIT_CODES = {Status.NO_SOLUTION: 3, Status.ERROR: 1}
"""Of what is no result; of all else 0."""


def _listed(command: click.Command) -> click.Command:
    """Fill in the choices, and the components that depend on a placement."""
    choices = ", ".join(f"{letter}: {name}" for name, letter in LETTERS.items())
    command.help = (command.help or "").format(choices=choices, placed=", ".join(PLACED))
    return command


@_listed
@click.command("solve")
@click.argument("instance")
@click.option(
    "-f",
    "--formulation",
    metavar="NAME",
    help="Default: joint-dp; with a placement to decide joint-enumeration; where they do not fit cp-sat, alternating; "
    "portfolio on strategy graphs.",
)
@override_options
@limit_options
@path_option("-o", "--output", metavar="PLAN.json", help="Write the plan here.")
@path_option("--start", metavar="PLAN.json", help="A plan to start from.")
@path_option(
    "--certificate",
    metavar="FILE",
    help="Write evidence of the bound (joint-dp; portfolio, milp-highs, lagrangian).",
)
@path_option("--log", metavar="FILE", help="Write events here, as JSON lines.")
@click.option(
    "--explain/--no-explain",
    default=None,
    help="Regrets of second-best strategies. Default: on the terminal yes, as JSON no.",
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
    """
    from hypar_opt.instance.read import load
    from hypar_opt.solver.given_price import with_price
    from hypar_opt.solver.kinds import problem_of, read_start_of
    from hypar_opt.solver.plan import write_plan
    from hypar_opt.solver.solve import solve
    from hypar_opt.studies.sensitivity import explain as reasons_of

    problem = problem_of(load(instance, **overrides)).within(limits, presolved=presolve)
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
        reasons = None
        explained = explain if explain is not None else not (wanted.machine or wanted.quiet)
        if explained and problem.is_explained and plan.strategies is not None:
            reasons = reasons_of(problem, plan, limits, watch.shown.hear)
    _show(problem, plan, reasons, wanted)
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


def _show(problem: Problem, plan: Plan, explained: Explanation | None, wanted: Wanted) -> None:
    if wanted.machine:
        from hypar_opt.report.plan_costs import explanation_document
        from hypar_opt.solver.kinds import network_problem_of
        from hypar_opt.solver.plan import plan_document

        document = plan_document(plan)
        if explained is not None:
            document["explanation"] = explanation_document(network_problem_of(problem), explained)
        echo_document(document, wanted)
        return
    from hypar_opt.report.console import console
    from hypar_opt.report.plan import show_plan

    show_plan(console(), problem, plan, explained)
