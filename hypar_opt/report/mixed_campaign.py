"""What a campaign over arrays of several kinds found, as text and as plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.report.earlier import LISTING, write_anew
from hypar_opt.report.random_instances import row as flat
from hypar_opt.report.random_instances import table
from hypar_opt.report.set_aside import set_aside_files, set_aside_rows, set_aside_texts, told_aside
from hypar_opt.report.tables import csv_lines, markdown_grid, text_table
from hypar_opt.studies.mixed.baselines import BASELINES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.studies.mixed.campaign import MixedOutcome
    from hypar_opt.studies.random_instances import Tally

LEGEND: Final = (
    "missed: a step of the rule's plan takes longer than the optimum that was proven, as a share of the instances with "
    "such a proof, with its exact 95 % confidence interval (Clopper-Pearson); median to largest: of the missed "
    "instances' gaps, (time - optimum) / optimum; worst: the index of the instance with the largest"
)
FILES: Final = ("campaign.csv", "campaign.md", LISTING)


def headline(outcome: MixedOutcome) -> str:
    """Say what the numbers are of."""
    family, found = outcome.family, len(outcome.rows)
    extent = f"all {outcome.count:,}" if found == outcome.count else f"{found:,} of {outcome.count:,}"
    aside = f", {len(outcome.set_aside):,} set aside" if outcome.set_aside else ""
    return (
        f"family {family.name} ({family.summary}; shares k of {family.parts}), seed {outcome.seed}: {extent} instances"
        f"{aside}"
        ". A sample of this family; other instances fare otherwise"
    )


def mixed_document(outcome: MixedOutcome) -> dict[str, Any]:
    """Return what was found as plain data; times and gaps as exact text."""
    return {
        "family": outcome.family.name,
        "seed": outcome.seed,
        "count": outcome.count,
        "tallies": [_row(one) for one in outcome.tallies],
        "instances": [
            {
                "index": one.index,
                "status": one.status.value,
                "optimum": None if one.optimum is None else str(one.optimum),
                "gaps": {name: None if gap is None else str(gap) for name, gap in one.gaps.items()},
            }
            for one in outcome.rows
        ],
        "set_aside": set_aside_rows(outcome.set_aside, "index"),
    }


def show_mixed(console: Console, outcome: MixedOutcome) -> None:
    """Print the tallies."""
    from hypar_opt.report.console import show

    console.print(headline(outcome))
    show(console, _table(outcome))
    console.print(LEGEND)
    for one in BASELINES.values():
        console.print(f"{one.name}: {one.summary}")


def write_mixed(outcome: MixedOutcome, folder: Path) -> tuple[list[Path], list[Path]]:
    """Write campaign.csv, .md and .json, and an instance file for what was set aside.

    Returns
    -------
    What was written, and what was removed: the instance files of an earlier campaign that its campaign.json has.
    """
    rules = "\n".join(f"* {one.name}: {one.summary}" for one in BASELINES.values())
    text = (
        f"# Campaign\n\n{headline(outcome)}.\n\n{markdown_grid(text_table(_table(outcome)))}\n\n{LEGEND}.\n\n{rules}\n"
    )
    text += "".join(f"\n{told_aside(one, 'instance')}.\n" for one in outcome.set_aside)
    rows = [_row(one) for one in outcome.tallies]
    contents = {
        "campaign.csv": csv_lines([*rows[0]], ([*one.values()] for one in rows)),
        "campaign.md": text,
        LISTING: json.dumps(mixed_document(outcome), indent=1) + "\n",
    }
    return write_anew(folder, contents | set_aside_texts(outcome.set_aside, "instance"), _named)


def _named(found: Any) -> Iterator[tuple[str, Any]]:
    """Yield what campaigns call the instance files that they list, and what is in them."""
    aside = found["set_aside"]
    names = set_aside_files("instance", ((int(one["index"]), ACCOUNTINGS[one["accountings"][0]].name) for one in aside))
    yield from zip(names, (one["instance"] for one in aside), strict=True)


def _row(one: Tally) -> dict[str, Any]:
    found = flat(one)
    del found["accounting"]
    return found


def _table(outcome: MixedOutcome) -> list[dict[str, str]]:
    rows = table(outcome.tallies)
    return [{name: text for name, text in row.items() if name != "accounting"} for row in rows]
