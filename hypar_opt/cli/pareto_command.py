"""hypar-opt pareto."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import (
    IntegerRange,
    Wanted,
    check_files,
    check_json,
    limit_options,
    output_options,
    override_options,
    path_option,
    table_format_of,
)
from hypar_opt.cli.progress import watching
from hypar_opt.util.errors import InputError
from hypar_opt.util.files import check_writable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.executor import EngineSpec
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.front import ParetoFront

EPILOG = epilog(
    "hypar-opt pareto vgg-a --array hypar-row-stationary-16",
    "hypar-opt pareto lenet-c --array hypar-row-stationary-16 --check cp-sat",
    "hypar-opt pareto vgg-a --array hypar-row-stationary-16 -f cp-sat --workers 1 --on local",
    "hypar-opt pareto vgg-e --array hypar-row-stationary-16 --components communication,time,energy --plot front.png",
    "hypar-opt pareto vgg-a --array hypar-row-stationary-16 --table front.tex",
    "hypar-opt pareto vgg-a --array hypar-row-stationary-16 -o front.json",
    "hypar-opt verify vgg-a front.json#6            # a point is a plan for all commands that read one",
    "hypar-opt pareto vgg-a --array hypar-row-stationary-16 --point 6 -o plan.json",
    "hypar-opt pareto vgg-a --array hypar-16 --at-most communication=2e9",
    codes={
        0: "done",
        1: "two methods disagree (--check)",
        2: "bad input, or a formulation that declines",
        3: "stopped at a limit, or workers died (--on): the front is not complete, or not checked in full",
    },
)


@click.command("pareto", epilog=EPILOG)
@click.argument("instance", shell_complete=words.of_halves)
@click.option(
    "--components",
    default="time,energy",
    show_default=True,
    metavar="A,B[,C]",
    shell_complete=words.components,
    help="What is traded for what.",
)
@click.option(
    "-f",
    "--formulation",
    metavar="NAME",
    shell_complete=words.formulation,
    help="Default: joint-dp (labels), where it declines cp-sat.",
)
@click.option(
    "--check",
    metavar="NAME",
    shell_complete=words.formulation,
    help="Enumerate the front by this formulation too, and compare.",
)
@override_options
@limit_options
@on_option
@path_option("-o", "--output", metavar="FRONT.json", help="Write all plans here; with --point one.")
@click.option("--point", type=IntegerRange(1), metavar="N", help="With -o: write this point, as a plan's file.")
@path_option("--plot", metavar="FILE", help="Draw the front: .png, .svg or .pdf.")
@path_option("--table", metavar="FILE", help="Write the front as a table: .csv, .md, .tex or .json.")
@output_options
def command(
    instance: str,
    components: str,
    formulation: str | None,
    check: str | None,
    limits: Limits,
    on: EngineSpec | None,
    output: Path | None,
    point: int | None,
    plot: Path | None,
    table: Path | None,
    wanted: Wanted,
    **overrides: Any,
) -> int:
    """Enumerate every trade-off between components of INSTANCE's cost: its exact Pareto front.

    A plan is on the front if no other is as good by every component and better by one. Each point is shown with its
    plan's costs, recomputed layer by layer; the front is complete where that is proven. The least product of the
    first two (of time and energy: the energy-delay product) is marked, and so are the points that no weighted sum of
    the two finds.

    --on has the zones of the front that cp-sat searches, as -f or --check, searched by workers, several at a time;
    --workers says how many threads each of them uses.
    """
    from hypar_opt.instance import load, load_instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.report.pareto import check_format
    from hypar_opt.solver.kinds import problem_of
    from hypar_opt.solver.pareto import enumerating, pareto_front

    if point is not None and output is None:
        raise click.UsageError("--point is written as a plan's file; say where with -o PLAN.json")
    limits = replace(limits, began=None)  # a front's events tell the time since its own search began
    names = [name.strip() for name in components.split(",")]
    check_json(output, "a table of the front: --table NAME, a picture: --plot NAME")
    for path in filter(None, (output, plot, table)):
        check_writable(path)
    if plot is not None:
        check_format(plot)
    if table is not None:
        table_format_of(table, "--table")
    check_files(output=output, plot=plot, table=table)
    check_apart({"--output": output, "--plot": plot, "--table": table}, instance, overrides["array"])
    named = [enumerating(name) for name in (formulation, check) if name is not None]
    if on is not None and not any(one.capabilities.spreads for one in named):
        _refuse_workers([one.name for one in named])
    read = load(instance, **overrides)
    if not isinstance(read, OperatorInstance):
        read = load_instance(instance, **overrides)  # which says of a strategy graph what takes such
    problem = problem_of(read)
    title = f"front of {problem.instance.name}"
    with watching(title, limits, wanted) as watch, opened(on, limits, wanted, watch) as workers:
        front = partial(pareto_front, problem, names, limits=limits, listener=watch.listener, on=workers)
        found = front(formulation)
        _write(found, output, point, plot, table)
        other = None if check is None else front(check)
    agree = None if other is None else _same(found, other)
    _show(found, other, agree, wanted)
    unchecked = other is not None and agree is None
    return watch.exit_code or (1 if agree is False else 3 if unchecked or not found.complete else 0)


def _refuse_workers(named: Sequence[str]) -> NoReturn:
    """Say who would have workers do something."""
    from hypar_opt.formulation.registry import formulations

    others = [name for name, able in formulations().items() if able.spreads]
    why = f"{' and '.join(named)} would give workers nothing to do" if named else "whose searches are handed out?"
    ways = " or ".join(f"-f {name} or --check {name}" for name in others)
    raise click.UsageError(f"--on: {why}; name a formulation that hands out the zones of a front: {ways}")


def _same(found: ParetoFront, other: ParetoFront) -> bool | None:
    """Return whether two fronts have the same points; None where one is not complete and nothing speaks against it."""
    if not found.complete:
        return None
    if not other.complete:
        # what is not on the front is no better than a point of it, or the front is wrong
        return None if all(_is_reached(one.values, found) for one in other.points) else False
    return [one.values for one in found.points] == [one.values for one in other.points]


def _is_reached(values: tuple[Fraction, ...], front: ParetoFront) -> bool:
    return any(all(a <= b for a, b in zip(one.values, values, strict=True)) for one in front.points)


def _write(found: ParetoFront, output: Path | None, point: int | None, plot: Path | None, table: Path | None) -> None:
    from hypar_opt.report.pareto import write_plot

    count = len(found.points)
    if point is not None and point > count:
        known = f"a number from 1 to {count:,}, as many points as the front has" if count else "a front with points"
        raise InputError(f"expected {known}, got {point}", field="--point")
    if output is not None:
        what = found if point is None else found.points[point - 1].plan
        what.save(output)
    if plot is not None:
        write_plot(found, plot)
    if table is not None:
        from hypar_opt.report.front_tables import front_tables

        write_atomically(table, table_format_of(table, "--table").write(front_tables(found)))


def _show(found: ParetoFront, other: ParetoFront | None, agree: bool | None, wanted: Wanted) -> None:
    from hypar_opt.report.pareto import checked_text, show_front
    from hypar_opt.solver.front import front_document

    text = None if other is None else checked_text(found, other, agree=agree)
    checked = {} if text is None else {"check": text, "agree": agree}
    show_result(wanted, lambda front: front_document(front) | checked, show_front, found)
    if text is not None and not wanted.machine:
        click.echo(text)
