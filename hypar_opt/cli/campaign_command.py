"""hypar-opt campaign."""

from __future__ import annotations

import json
import re
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.display import json_lines, progress, several
from hypar_opt.cli.options import Wanted, output_options, process_age_s
from hypar_opt.cli.signals import stopping
from hypar_opt.run import MOST_WORKERS, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.campaign import Family, Outcome, Shrunk

CHOICES = {"dm": ("dp", "mp"), "dmo": ("dp", "mp", "op")}
EPILOG = """\b
Families:
  chains     2 to 8 layers: convolutions, then linear layers
  linear     the same, linear layers only
  conv       the same, convolutions only
  powers     as chains, all sizes powers of two
  deep       as chains, 16 to 32 layers
  one-level  as chains, H = 1, where Algorithm 1 is exact

\b
Examples:
  hypar-opt campaign --count 2000
  hypar-opt campaign linear --accounting published --accounting receiver --choices dmo
  hypar-opt campaign chains --count 100000 --store chains.sqlite -o reports/chains
  hypar-opt campaign chains --layers 3 --levels 2-3 --seed 7 --starts 20

With --store a campaign can be stopped, or killed, and started again: it goes on where it was. docs/campaigns.md
says how chains are drawn. Exit codes: 0 done; 1 a result did not stand up to recomputation; 2 bad input;
130 and 143 after SIGINT and SIGTERM, with the summary so far."""


@dataclass(frozen=True)
class Order:
    """What to do beside the family."""

    count: int
    seed: int
    accountings: tuple[str, ...]
    store: Path | None
    workers: int | None
    starts: int
    output: Path | None


def _range(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", value)
    if found is None:
        raise click.BadParameter(f"expected a number or a range such as 2-4, got '{value}'")
    least = int(found[1])
    return least, least if found[2] is None else int(found[2])


@click.command("campaign", epilog=EPILOG)
@click.argument("family", default="chains")
@click.option("--count", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N", help="Chains.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, metavar="N")
@click.option("--accounting", "accountings", multiple=True, metavar="A", help="Repeatable. Default: all that fit.")
@click.option("--choices", type=click.Choice(list(CHOICES)), help="Letters of the choices. Default: the family's, dm.")
@click.option("--layers", metavar="L|L1-L2", callback=_range, help="Weighted layers, instead of the family's.")
@click.option("--levels", metavar="H|H1-H2", callback=_range, help="Levels, instead of the family's.")
@click.option("--store", type=click.Path(path_type=Path), metavar="FILE.sqlite", help="Keep the rows, and go on here.")
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), metavar="N", help="Processes. Default: all cores.")
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop after S seconds.")
@click.option("--shrink/--no-shrink", "shrinking", default=True, help="Shrink the worst chains. Default: yes.")
@click.option(
    "--starts",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    metavar="N",
    help="Shrink so many of the worst chains by accounting, and keep the smallest result.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write CSV, Markdown, JSON.")
@output_options
def command(
    family: str,
    count: int,
    seed: int,
    accountings: tuple[str, ...],
    choices: str | None,
    layers: tuple[int, int] | None,
    levels: tuple[int, int] | None,
    store: Path | None,
    workers: int | None,
    time_limit: float | None,
    shrinking: bool,
    starts: int,
    output: Path | None,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
) -> int:
    """Measure how often the greedy search (hypar-dp) misses the optimum (joint-dp) on random chains of a FAMILY.

    A chain is drawn from the family, the seed and its index alone; every accounting sees the same chains.
    """
    from hypar_opt.report.campaign import prepare

    wanted = Wanted(as_json, json_lines, quiet)
    chosen = _family(family, choices, layers, levels)
    order = Order(count, seed, accountings, store, workers, starts if shrinking else 0, output)
    if output is not None:
        prepare(output)
    deadline = None if time_limit is None else time.monotonic() + max(0.0, time_limit - process_age_s())
    return _run(chosen, order, Limits(deadline), wanted)


def _family(name: str, choices: str | None, layers: tuple[int, int] | None, levels: tuple[int, int] | None) -> Family:
    from hypar_opt.campaign import family

    chosen = family(name)
    return replace(
        chosen,
        choices=CHOICES[choices] if choices else chosen.choices,
        layers=layers or chosen.layers,
        levels=levels or chosen.levels,
    )


def _run(family: Family, order: Order, limits: Limits, wanted: Wanted) -> int:
    from hypar_opt.campaign import run, shrink_worst
    from hypar_opt.report.campaign import write_files

    with ExitStack() as stack:
        caught = stack.enter_context(stopping(limits.stop))
        shown = stack.enter_context(progress("campaign", enabled=not (wanted.machine or wanted.quiet)))
        listener = several(shown, json_lines(click.echo) if wanted.json_lines else None)
        outcome = run(
            family,
            order.count,
            seed=order.seed,
            accountings=order.accountings or None,
            store=order.store,
            workers=order.workers,
            limits=limits,
            listener=listener,
        )
        shrunk = shrink_worst(outcome, starts=order.starts, limits=limits, listener=listener) if order.starts else []
        written = [] if order.output is None else write_files(outcome, shrunk, order.output)
    _show(outcome, shrunk, wanted)
    if written and not (wanted.machine or wanted.quiet):
        click.echo(f"written: {', '.join(map(str, written))}")
    return caught.exit_code or _judged(outcome)


def _judged(outcome: Outcome) -> int:
    if outcome.faulty:
        click.echo(f"error: {outcome.faulty} results cannot be true; the rows say which", err=True)
    return 1 if outcome.faulty else 0


def _show(outcome: Outcome, shrunk: Sequence[Shrunk], wanted: Wanted) -> None:
    from hypar_opt.report.campaign import document, show
    from hypar_opt.report.console import console

    if wanted.as_json:
        click.echo(json.dumps(document(outcome, shrunk), indent=1))
    elif wanted.json_lines:
        click.echo(json.dumps({"event": "result", **document(outcome, shrunk)}))
    else:
        show(console(), outcome, shrunk)
