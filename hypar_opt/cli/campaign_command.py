"""hypar-opt campaign."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_not_given, check_outside
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.on import on_option, opened_or_processes
from hypar_opt.cli.options import Wanted, deadline_of, output_options, time_limit_option
from hypar_opt.cli.progress import watching
from hypar_opt.cli.with_others import WithOthers
from hypar_opt.formulation.run import MOST_WORKERS, Limits
from hypar_opt.instance.choices import HYPAR, LETTERS, WEIGHTED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from hypar_opt.cli.progress import Watch
    from hypar_opt.executor.engines import EngineSpec
    from hypar_opt.executor.workers import Workers
    from hypar_opt.studies.random_instances import CampaignOutcome, Family, Shrunk
    from hypar_opt.studies.set_aside import SetAside

MOST_CHAINS = 10**9
"""What campaigns take; importing it from them would slow --help down."""
CHOICES = {"".join(LETTERS[name] for name in WEIGHTED[:n]): WEIGHTED[:n] for n in range(len(HYPAR), len(WEIGHTED) + 1)}
"""By letters: the paper's, and those with one after the other of the rest."""
FAMILIES = """\b
Families:
  chains     2 to 8 layers: convolutions, then linear layers
  linear     the same, linear layers only
  conv       the same, convolutions only
  powers     as chains, all sizes powers of two
  deep       as chains, 16 to 32 layers
  one-level  as chains, H = 1, where Algorithm 1 is exact
  mixed, mixed-two-types, mixed-none, mixed-layer, mixed-below
             chains on accelerators of several kinds: rules for words and shares"""
MORE = """With --store a campaign can be stopped, or killed, and started again: it goes on where it was.
Parquet files are for millions of rows, and need pyarrow: pip install 'hypar-opt[parquet]'.
docs/campaigns.md says how chains are drawn."""
OTHERS = {"report": "Sum up what a campaign's --store has, without drawing or solving."}
"""By the first word, what is done instead; each stands in the module `campaign_NAME`."""
EPILOG = "\n\n".join(
    [
        FAMILIES,
        MORE,
        epilog(
            "hypar-opt campaign --count 2000",
            "hypar-opt campaign linear --accounting published --accounting receiver --choices dmo",
            "hypar-opt campaign chains --count 100000 --store chains.sqlite -o reports/chains",
            "hypar-opt campaign chains --count 1000000 --store chains.parquet",
            "hypar-opt campaign report chains.parquet -o reports/chains --figures",
            "hypar-opt campaign chains --layers 3 --levels 2-3 --seed 7 --starts 20",
            "hypar-opt campaign mixed --count 200 -o reports/mixed/mixed",
            codes={
                0: "done, or stopped by --time-limit with the summary so far",
                1: "a result did not stand up to recomputation, or a chain was set aside as it killed its workers",
                2: BAD_INPUT,
                3: "stopped by --time-limit before any chain was measured",
            },
            stopped=", with the summary so far",
        ),
    ]
)


def _path(_: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    if value == "":  # Path("") would be the current folder
        raise click.BadParameter("expected a name, got none")
    return None if value is None else Path(value)


def _store(_: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    path = _path(_, parameter, value)
    # a new name that ends in .parquet is made a folder, with a slash behind it or without
    is_new = path is not None and path.suffix == ".parquet" and not path.exists()
    if path is not None and value is not None and value.endswith("/") and not path.is_dir() and not is_new:
        message = f"there is no folder '{path}'; make it, or name one that ends in .parquet, which is made"
        raise click.BadParameter(message)
    return path


def _range(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", value)
    if found is None:
        raise click.BadParameter(f"expected a number or a range such as 2-4, got '{value}'")
    least = int(found[1])
    return least, least if found[2] is None else int(found[2])


@click.command("campaign", cls=WithOthers, epilog=EPILOG, summaries=OTHERS, module="hypar_opt.cli.campaign_{}")
@click.argument("family", default="chains", shell_complete=words.completer(lambda: OTHERS))
@click.option(
    "--count", type=click.IntRange(1, MOST_CHAINS), default=1000, show_default=True, metavar="N", help="Chains."
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, metavar="N")
@click.option(
    "--accounting",
    "accountings",
    multiple=True,
    metavar="A",
    shell_complete=words.accounting,
    help="Repeatable. Default: all that fit.",
)
@click.option("--choices", type=click.Choice(list(CHOICES)), help="Letters of the choices. Default: the family's, dm.")
@click.option("--layers", metavar="L|L1-L2", callback=_range, help="Weighted layers, instead of the family's.")
@click.option("--levels", metavar="H|H1-H2", callback=_range, help="Levels, instead of the family's.")
@click.option(
    "--store",
    callback=_store,
    metavar="PATH",
    help="Keep the rows, and go on here: Parquet in a folder or a new NAME.parquet, else SQLite.",
)
@click.option("--workers", type=click.IntRange(1, MOST_WORKERS), metavar="N", help="Processes. Default: all cores.")
@on_option
@time_limit_option
@click.option("--shrink/--no-shrink", "shrinking", default=True, help="Shrink the worst chains. Default: yes.")
@click.option(
    "--starts",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    metavar="N",
    help="Shrink so many of the worst chains by accounting, and keep the smallest result.",
)
@click.option("-o", "--output", callback=_path, metavar="DIR", help="Write CSV, Markdown, JSON.")
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
    on: EngineSpec | None,
    time_limit: float | None,
    shrinking: bool,
    starts: int,
    output: Path | None,
    wanted: Wanted,
) -> int:
    """Measure how often the greedy search (hypar-dp) misses the optimum (joint-dp) on random chains of a FAMILY.

    A chain is drawn from the family, the seed and its index alone; every accounting sees the same chains.
    """
    from hypar_opt.report.random_instances import FILES, write_files
    from hypar_opt.studies.mixed.families import MIXED_FAMILIES
    from hypar_opt.studies.random_instances import run, shrunk_worst
    from hypar_opt.studies.random_instances.campaign import applicable
    from hypar_opt.studies.random_instances.store import check_store
    from hypar_opt.util.files import prepare_folder

    limits = Limits(deadline_of(time_limit), workers=1)
    opening = opened_or_processes(on, workers, count, limits, wanted)
    if family in MIXED_FAMILIES:
        check_not_given(
            ("accountings", "choices", "layers", "levels", "store", "shrinking", "starts"), "a family of several kinds"
        )
        return _mixed(family, count, seed, opening, limits, output, wanted)
    chosen = _family(family, choices, layers, levels)
    # before engines are opened, which takes long where jobs have to wait
    applicable(chosen, accountings or None)
    if on is not None and store is not None:
        check_store(store, chosen, seed)
    if output is not None:
        check_outside(output, store)
        prepare_folder(output, FILES)
    with watching("campaign", limits, wanted) as watch, opening(watch) as pool:
        outcome = run(
            chosen,
            count,
            seed=seed,
            accountings=accountings or None,
            store=store,
            workers=1 if pool is None else pool,
            limits=limits,
            listener=watch.listener,
        )
        small = []
        if shrinking:
            worst = shrunk_worst(outcome, pool, starts=starts, limits=limits, listener=watch.listener)
            outcome, small = replace(outcome, set_aside=outcome.set_aside + worst.set_aside), [*worst.found]
        written, removed = ([], []) if output is None else write_files(outcome, small, output)
    tell_campaign(wanted, outcome, small, written, removed)
    is_aside = tell_aside(outcome.set_aside, "chain", output)
    return watch.exit_code or (1 if outcome.faulty or is_aside else 0 if outcome.chains else 3)


def tell_campaign(
    wanted: Wanted,
    outcome: CampaignOutcome,
    shrunk: Sequence[Shrunk],
    written: Sequence[Path],
    removed: Sequence[Path],
) -> None:
    """Show what a campaign found, which files were written and removed, and what is wrong with it."""
    from hypar_opt.report.random_instances import document, fault, show

    show_result(wanted, document, show, outcome, shrunk)
    wanted.tell_of(written)
    wanted.tell_of(removed, "removed, of an earlier campaign")
    wrong = fault(outcome)
    if wrong is not None:
        click.echo(f"error: {wrong}", err=True)


def _mixed(
    name: str,
    count: int,
    seed: int,
    opening: Callable[[Watch], AbstractContextManager[Workers | None]],
    limits: Limits,
    output: Path | None,
    wanted: Wanted,
) -> int:
    """Measure how often rules miss the optimum on accelerators of several kinds."""
    from hypar_opt.report.mixed_campaign import FILES, mixed_document, show_mixed, write_mixed
    from hypar_opt.studies.mixed.campaign import run_mixed
    from hypar_opt.studies.mixed.families import mixed_family
    from hypar_opt.util.files import prepare_folder

    if output is not None:
        prepare_folder(output, FILES)
    with watching("campaign", limits, wanted) as watch, opening(watch) as pool:
        outcome = run_mixed(
            mixed_family(name),
            count,
            seed=seed,
            workers=1 if pool is None else pool,
            limits=limits,
            listener=watch.listener,
        )
        written, removed = ([], []) if output is None else write_mixed(outcome, output)
    show_result(wanted, mixed_document, show_mixed, outcome)
    wanted.tell_of(written)
    wanted.tell_of(removed, "removed, of an earlier campaign")
    if outcome.faulty:
        click.echo(f"error: a rule beats what was proven to be the optimum on instance {outcome.faulty[0]}", err=True)
    is_aside = tell_aside(outcome.set_aside, "instance", output)
    return watch.exit_code or (1 if outcome.faulty or is_aside else 0 if outcome.rows else 3)


def tell_aside(aside: Sequence[SetAside], unit: str, output: Path | None) -> bool:
    """Say what was set aside, and return whether something was."""
    from hypar_opt.report.set_aside import set_aside_error

    error = set_aside_error(aside, unit, output)
    if error is not None:
        click.echo(f"error: {error}", err=True)
    return error is not None


def _family(name: str, choices: str | None, layers: tuple[int, int] | None, levels: tuple[int, int] | None) -> Family:
    from hypar_opt.studies.random_instances import family

    chosen = family(name)
    given = {"choices": choices and CHOICES[choices], "layers": layers, "levels": levels}
    return replace(chosen, **{field: value for field, value in given.items() if value})  # type: ignore[arg-type]
