"""hypar-opt explore."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import click

from hypar_opt.cli.explore_run import run_explore, run_scale
from hypar_opt.cli.options import Wanted, limit_options, output_options, override_options, process_age_s
from hypar_opt.formulation.run import GIB, Limits
from hypar_opt.util.extras import require

MOST_LEVELS = 24
EPILOG = """\b
Examples:
  hypar-opt explore lenet-c --array hypar-16 --accounting as-evaluated --levels-free 1,4
  hypar-opt explore vgg-a --array hypar-16 --accounting as-evaluated --layers conv5_2,fc1 --components time,energy
  hypar-opt explore vgg-e --array hypar-16 --accounting as-evaluated --scale 0-6 -o scale

Exit codes: 0 done; 1 a result did not stand up to recomputation; 2 bad input, or too many combinations;
3 stopped by --time-limit before the end; 130 and 143 after SIGINT and SIGTERM."""


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
@click.argument("instance")
@click.option("--layers", metavar="L1,L2,...", callback=_names, help="Free layers. Default: all.")
@click.option("--levels-free", metavar="1,4", callback=_numbers, help="Free levels, from 1 at the root. Default: all.")
@click.option("--plan", type=click.Path(path_type=Path), metavar="PLAN.json", help="The base plan.")
@click.option("-f", "--formulation", metavar="NAME", help="What finds the base plan, for the instance's objective.")
@click.option(
    "--against",
    type=click.Choice(["data-parallel", "plan"]),
    help="What gains are over: data parallelism (the default), or the base plan.",
)
@click.option(
    "--components",
    metavar="C1,C2,...",
    callback=_names,
    help="What is weighed; the first is compared. Default: time, or communication where the array says too little.",
)
@click.option("--top", type=click.IntRange(0), metavar="N", help="Combinations shown, best first. Default: 10.")
@click.option("--scale", metavar="H1-H2", callback=_numbers, help="Instead: arrays of 2^H1 to 2^H2 accelerators.")
@override_options
@limit_options
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write CSV, Markdown, JSON, PNG.")
@output_options
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
    time_limit: float | None,
    seed: int,
    workers: int,
    memory_limit: float,
    output: Path | None,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
    **overrides: Any,
) -> int:
    """Weigh every plan of a corner of the search space of INSTANCE, the rest as in a base plan.

    All letters of the chosen layers at the chosen levels are combined, at most a million. The base plan is --plan, or
    what -f finds, or hypar-dp's for the least communication (as in the paper's Figures 9 and 10), joint-dp's where
    hypar-dp declines the network. With --scale the
    network is put on arrays of several sizes instead: hypar-dp's plan, data parallelism, and the optimum.
    """
    from hypar_opt.studies.sweep import checked_components

    if output is not None:
        require("report")
    wanted = Wanted(as_json, json_lines, quiet)
    names = None if components is None else checked_components(components)
    deadline = None if time_limit is None else time.monotonic() - process_age_s() + time_limit
    limits = Limits(deadline, seed, workers, int(memory_limit * GIB))
    only: dict[str, Any] = {"layers": layers, "levels-free": levels_free, "plan": plan, "formulation": formulation}
    only |= {"against": against, "top": top}
    if scale is not None:
        _check_scale(scale, {**only, "levels": overrides["levels"]})
        return run_scale(instance, scale, names, limits, output, wanted, overrides)
    if plan is not None and formulation is not None:
        raise click.UsageError("--plan and --formulation both give the base plan; choose one")
    given: dict[str, Any] = {"layers": layers, "levels": levels_free, "formulation": formulation, "components": names}
    given |= {"against": against or "data-parallel"}
    return run_explore(instance, plan, given, 10 if top is None else top, limits, output, wanted, overrides)


def _check_scale(levels: tuple[int, ...], others: dict[str, Any]) -> None:
    too = next((name for name, value in others.items() if value is not None), None)
    if too is not None:
        raise click.UsageError(
            f"--{too} has no meaning with --scale, which puts whole plans on arrays of several sizes"
        )
    if max(levels) > MOST_LEVELS:
        raise click.UsageError(f"--scale: expected levels up to {MOST_LEVELS}, got {max(levels)}")
