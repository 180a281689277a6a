"""What hypar-opt explore does: exploring, scaling, showing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.run import Limits, Stopped
from hypar_opt.instance.overrides import OVERRIDES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.formulation.run import Listener
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.sweep import Exploration, Point


def run_explore(
    name: str,
    plan: Path | None,
    given: dict[str, Any],
    top: int,
    limits: Limits,
    output: Path | None,
    wanted: Wanted,
    overrides: dict[str, Any],
) -> int:
    """Explore; show and write what was found; return the exit code."""
    from hypar_opt.instance import load_instance
    from hypar_opt.report.exploration import FILES
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.sweep import explore
    from hypar_opt.util.files import prepare_folder

    problem = NetworkProblem(load_instance(name, **overrides))
    if plan is not None:
        given["plan"] = _read_plan(problem, plan, wanted)
    if output is not None:
        prepare_folder(output, FILES)
    found, interrupted = _watched(
        name, limits, wanted, lambda listener: explore(problem, limits=limits, listener=listener, **given)
    )
    if found is None:
        click.echo("stopped before all combinations were weighed", err=True)
        return interrupted or 3
    _show_exploration(found, top, output, wanted)
    return interrupted or int(bool(found.fault))


def _read_plan(problem: NetworkProblem, path: Path, wanted: Wanted) -> dict[str, str]:
    """Read the base plan: of this instance, under whatever overrides; what does not fit is a fault of its file.

    Overrides may differ on purpose: what a plan that was found for one machine costs on another.
    """
    from hypar_opt.util.errors import InputError
    from hypar_opt.verification import read_claim
    from hypar_opt.verification.checks import check_instance

    claim = read_claim(path)
    check_instance(problem, claim)
    if claim.strategies is None:
        raise InputError(f"has status {claim.status} and no plan, expected a base plan", file=path, field="plan")
    try:
        problem.choices(claim.strategies)
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field) from None
    own, here = dict(claim.overrides), dict(problem.instance.overrides)
    other = [name.replace("_", " ") for name in OVERRIDES if own.get(name) != here.get(name)]
    if other and not wanted.quiet:
        click.echo(
            f"{path} was made with another {' and another '.join(other)}; it is weighed as given here",
            err=True,
        )
    return dict(claim.strategies)


def _watched(title: str, limits: Limits, wanted: Wanted, work: Callable[[Listener], Any]) -> tuple[Any, int | None]:
    """Do the work under signals and progress; return None in place of a result that a stop cut off."""
    with watching(f"exploring {title}", limits, wanted) as watch:
        try:
            return work(watch.listener), watch.exit_code
        except Stopped:
            return None, watch.exit_code


def _show_exploration(found: Exploration, top: int, output: Path | None, wanted: Wanted) -> None:
    from hypar_opt.report.exploration import document, show, write_files

    written = [] if output is None else write_files(found, top, output)
    if wanted.machine:
        echo_document(document(found, top), wanted)
        return
    from hypar_opt.report.console import console

    show(console(), found, top)
    _tell(written, wanted)


def run_scale(
    name: str,
    levels: tuple[int, ...],
    components: tuple[str, ...] | None,
    limits: Limits,
    output: Path | None,
    wanted: Wanted,
    overrides: dict[str, Any],
) -> int:
    """Put a network on arrays of several sizes; show and write what was found; return the exit code."""
    from hypar_opt.report.scaling import FILES
    from hypar_opt.studies.sweep import scale
    from hypar_opt.util.files import prepare_folder

    if output is not None:
        prepare_folder(output, FILES)
    given = {key: value for key, value in overrides.items() if key != "levels"}
    points, interrupted = _watched(
        name,
        limits,
        wanted,
        lambda listener: scale(name, levels, overrides=given, components=components, limits=limits, listener=listener),
    )
    _show_scale(name, points, components, output, wanted)
    failed = any(point.plan is not None and point.plan.status == "ERROR" for point in points)
    cut = len({point.levels for point in points}) < len(set(levels)) or any(point.is_cut for point in points)
    return interrupted or (3 if cut else int(failed))


def _show_scale(
    name: str, points: list[Point], components: tuple[str, ...] | None, output: Path | None, wanted: Wanted
) -> None:
    from hypar_opt.report.scaling import rows, show, write_files

    known = [one for point in points for one in point.costs]
    names = components or tuple(dict.fromkeys(known))[:1] or ("time",)
    written = [] if output is None else write_files(points, names, name, output)
    if wanted.machine:
        echo_document({"instance": name, "points": rows(points, names)}, wanted)
        return
    from hypar_opt.report.console import console

    show(console(), points, names)
    _tell(written, wanted)


def _tell(written: list[Path], wanted: Wanted) -> None:
    if written and not wanted.quiet:
        click.echo(f"written: {', '.join(map(str, written))}")
