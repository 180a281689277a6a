"""hypar-opt explore."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.halves import of_halves
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import Place, Wanted, limit_options, output_options, override_options, path_option
from hypar_opt.cli.progress import Watch, watching
from hypar_opt.formulation.run import Limits, Stopped
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hypar_opt.executor import EngineSpec
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.sweep import Point

MOST_LEVELS = 24
EPILOG = epilog(
    "hypar-opt explore lenet-c --array hypar-16 --accounting as-evaluated --levels-free 1,4",
    "hypar-opt explore vgg-a --array hypar-16 --accounting as-evaluated --layers conv5_2,fc1 --components time,energy",
    "hypar-opt explore vgg-e --array hypar-16 --accounting as-evaluated --scale 0-6 -o scale",
    "hypar-opt explore vgg-e --scale 0-16 --on local",
    codes={
        0: "done",
        1: "a result did not stand up to recomputation",
        2: "bad input, or too many combinations",
        3: "stopped by --time-limit before the end",
    },
)


def _names(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(part.strip() for part in value.split(",") if part.strip())


def _numbers(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Read levels as in 1,4 or 0-6."""
    if value is None:
        return None
    found: list[int] = []
    for part in value.split(","):
        match = re.fullmatch(r"\s*(\d{1,3})(?:-(\d{1,3}))?\s*", part)
        if match is None:
            raise click.BadParameter(f"expected numbers as in 1,4 or a range as in 0-6, got '{value}'")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise click.BadParameter(f"the range {first}-{last} is empty; the smaller number comes first")
        found += range(first, last + 1)
    return tuple(found)


@click.command("explore", epilog=EPILOG)
@click.argument("instance", shell_complete=words.of_halves)
@click.option("--layers", metavar="L1,L2,...", callback=_names, help="Free layers. Default: all.")
@click.option("--levels-free", metavar="1,4", callback=_numbers, help="Free levels, from 1 at the root. Default: all.")
@path_option("--plan", metavar="PLAN.json", help="The base plan.", shell_complete=files.plans)
@click.option(
    "-f",
    "--formulation",
    metavar="NAME",
    shell_complete=words.formulation,
    help="What finds the base plan, for the instance's objective.",
)
@click.option(
    "--against",
    type=click.Choice(["data-parallel", "plan"]),
    help="What gains are over: data parallelism (the default), or the base plan.",
)
@click.option(
    "--components",
    metavar="C1,C2,...",
    shell_complete=words.components,
    callback=_names,
    help="What is weighed; the first is compared. Default: time, or communication where the array says too little.",
)
@click.option("--top", type=click.IntRange(0), metavar="N", help="Combinations shown, best first. Default: 10.")
@click.option("--scale", metavar="H1-H2", callback=_numbers, help="Instead: arrays of 2^H1 to 2^H2 accelerators.")
@override_options
@limit_options
@on_option
@path_option("-o", "--output", metavar="DIR", help="Write CSV, Markdown, JSON, PNG.")
@output_options
@of_halves(
    "explore combines the letters of layers that are split in halves; of operators, solve says what each one's second "
    "best word costs, --why what each other dimension would, and pareto trades components",
    "explore weighs plans by sums over layers, and unlike groups wait for each other; solve finds the best plan and "
    "shares, and show --plan says what each kind does in a step",
)
def command(
    instance: str,
    layers: tuple[str, ...] | None,
    levels_free: tuple[int, ...] | None,
    plan: Path | None,
    formulation: str | None,
    against: str | None,
    components: tuple[str, ...] | None,
    top: int | None,
    scale: tuple[int, ...] | None,
    limits: Limits,
    on: EngineSpec | None,
    output: Path | None,
    wanted: Wanted,
    **overrides: Any,
) -> int:
    """Weigh every plan of a corner of the search space of INSTANCE, the rest as in a base plan.

    All letters of the chosen layers at the chosen levels are combined, at most a million. The base plan is --plan, or
    what -f finds, or hypar-dp's for the least communication (as in the paper's Figures 9 and 10), joint-dp's where
    hypar-dp declines the network. With --scale the
    network is put on arrays of several sizes instead: hypar-dp's plan, data parallelism, and the optimum; with --on
    several at a time.
    """
    from hypar_opt.studies.sweep import checked_components

    if output is not None:
        require("report")
    place = Place(output)
    names = None if components is None else checked_components(components)
    limits = replace(limits, began=None)  # the events of every search tell the time since that began
    only: dict[str, Any] = {"layers": layers, "levels-free": levels_free, "plan": plan, "formulation": formulation}
    only |= {"against": against, "top": top}
    if scale is not None:
        _check_scale(scale, {**only, "levels": overrides["levels"]})
        return _scale(instance, scale, names, limits, on, place, wanted, overrides)
    if on is not None:
        raise click.UsageError("--on is for --scale: all combinations together are weighed in one pass")
    if plan is not None and formulation is not None:
        raise click.UsageError("--plan and --formulation both give the base plan; choose one")
    given: dict[str, Any] = {"layers": layers, "levels": levels_free, "formulation": formulation, "components": names}
    given |= {"against": against or "data-parallel"}
    return _explore(instance, plan, given, 10 if top is None else top, limits, place, wanted, overrides)


def _check_scale(levels: tuple[int, ...], others: dict[str, Any]) -> None:
    too = next((name for name, value in others.items() if value is not None), None)
    if too is not None:
        raise click.UsageError(
            f"--{too} has no meaning with --scale, which puts whole plans on arrays of several sizes"
        )
    if max(levels) > MOST_LEVELS:
        raise click.UsageError(f"--scale: expected levels up to {MOST_LEVELS}, got {max(levels)}")


def _explore(
    name: str,
    plan: Path | None,
    given: dict[str, Any],
    top: int,
    limits: Limits,
    place: Place,
    wanted: Wanted,
    overrides: dict[str, Any],
) -> int:
    """Explore; show and write what was found; return the exit code."""
    from hypar_opt.instance import load_instance
    from hypar_opt.report.exploration import FILES, document, show, write_files
    from hypar_opt.solver.kinds import network_problem_of
    from hypar_opt.studies.sweep import explore

    problem = network_problem_of(load_instance(name, **overrides))
    if plan is not None:
        given["plan"] = _read_plan(problem, plan, wanted)
    place.prepare(FILES, name, overrides["array"], plan)
    found, interrupted = _watched(
        name, limits, wanted, lambda watch: explore(problem, limits=limits, listener=watch.listener, **given)
    )
    if found is None:
        click.echo("stopped before all combinations were weighed", err=True)
        return interrupted or 3
    written = place.write(lambda folder: write_files(found, top, folder))
    show_result(wanted, document, show, found, top)
    wanted.tell_of(written)
    return interrupted or int(bool(found.fault))


def _read_plan(problem: NetworkProblem, path: Path, wanted: Wanted) -> dict[str, str]:
    """Read the base plan: of this instance, under whatever overrides; what does not fit is a fault of its file.

    Overrides may differ on purpose: what a plan that was found for one machine costs on another.
    """
    from hypar_opt.verification import read_claim
    from hypar_opt.verification.checks import check_instance

    claim = read_claim(path)
    check_instance(problem, claim)
    strategies = claim.strategies_for("a base plan")
    try:
        problem.choices(strategies)
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field) from None
    own, here = dict(claim.overrides), dict(problem.instance.overrides)
    other = [name.replace("_", " ") for name in OVERRIDES if own.get(name) != here.get(name)]
    if other and not wanted.quiet:
        click.echo(f"{path} was made with another {' and another '.join(other)}; it is weighed as given here", err=True)
    return dict(strategies)


def _watched(title: str, limits: Limits, wanted: Wanted, work: Callable[[Watch], Any]) -> tuple[Any, int | None]:
    """Do the work under signals and progress; return None in place of a result that a stop cut off."""
    with watching(f"exploring {title}", limits, wanted) as watch:
        try:
            return work(watch), watch.exit_code
        except Stopped:
            return None, watch.exit_code


def _scale(
    name: str,
    levels: tuple[int, ...],
    components: tuple[str, ...] | None,
    limits: Limits,
    on: EngineSpec | None,
    place: Place,
    wanted: Wanted,
    overrides: dict[str, Any],
) -> int:
    """Put a network on arrays of several sizes; show and write what was found; return the exit code."""
    from hypar_opt.instance import load_instance
    from hypar_opt.report.scaling import FILES, rows, show, write_files
    from hypar_opt.solver.kinds import network_problem_of
    from hypar_opt.studies.sweep import scale

    network_problem_of(load_instance(name, **overrides))
    place.prepare(FILES, name, overrides["array"])
    given = {key: value for key, value in overrides.items() if key != "levels"}

    def scaled(watch: Watch) -> list[Point]:
        with opened(on, limits, wanted, watch) as workers:
            how: dict[str, Any] = {"limits": limits, "listener": watch.listener, "workers": workers}
            return scale(name, levels, overrides=given, components=components, **how)

    points, interrupted = _watched(name, limits, wanted, scaled)
    known = [one for point in points for one in point.costs]
    names = components or tuple(dict.fromkeys(known))[:1] or ("time",)
    written = place.write(lambda folder: write_files(points, names, name, folder))
    show_result(wanted, lambda *found: {"instance": name, "points": rows(*found)}, show, points, names)
    wanted.tell_of(written)
    failed = any(point.plan is not None and point.plan.status == "ERROR" for point in points)
    cut = len({point.levels for point in points}) < len(set(levels)) or any(point.is_cut for point in points)
    return interrupted or (3 if cut else int(failed))
