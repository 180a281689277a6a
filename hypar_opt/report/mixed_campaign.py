"""What a campaign over arrays of several kinds found, as text and as plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.random_instances import row as flat
from hypar_opt.report.random_instances import table
from hypar_opt.report.tables import csv_lines, markdown_grid, text_table
from hypar_opt.studies.mixed.baselines import BASELINES
from hypar_opt.util.files import write_to_folder

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.studies.mixed.campaign import MixedOutcome

LEGEND: Final = (
    "missed: a step of the rule's plan takes longer than the optimum that was proven, as a share of the instances with "
    "such a proof, with its exact 95 % confidence interval (Clopper-Pearson); median to largest: of the missed "
    "instances' gaps, (time - optimum) / optimum; worst: the index of the instance with the largest"
)
FILES: Final = ("campaign.csv", "campaign.md", "campaign.json")


def headline(outcome: MixedOutcome) -> str:
    """Say what the numbers are of."""
    family, found = outcome.family, len(outcome.rows)
    extent = f"all {outcome.count:,}" if found == outcome.count else f"{found:,} of {outcome.count:,}"
    return (
        f"family {family.name} ({family.summary}; shares k of {family.parts}), seed {outcome.seed}: {extent} instances"
        ". A sample of this family; other instances fare otherwise"
    )


def mixed_document(outcome: MixedOutcome) -> dict[str, Any]:
    """Return what was found as plain data; times and gaps as exact text."""
    return {
        "family": outcome.family.name,
        "seed": outcome.seed,
        "count": outcome.count,
        "tallies": [_row(outcome, place) for place in range(len(BASELINES))],
        "instances": [
            {
                "index": one.index,
                "status": one.status.value,
                "optimum": None if one.optimum is None else str(one.optimum),
                "gaps": {name: None if gap is None else str(gap) for name, gap in one.gaps.items()},
            }
            for one in outcome.rows
        ],
    }


def show_mixed(console: Console, outcome: MixedOutcome) -> None:
    """Print the tallies."""
    from hypar_opt.report.console import show

    console.print(headline(outcome))
    show(console, _table(outcome))
    console.print(LEGEND)
    for one in BASELINES.values():
        console.print(f"{one.name}: {one.summary}")


def write_mixed(outcome: MixedOutcome, folder: Path) -> list[Path]:
    """Write campaign.csv, .md and .json."""
    rules = "\n".join(f"* {one.name}: {one.summary}" for one in BASELINES.values())
    text = (
        f"# Campaign\n\n{headline(outcome)}.\n\n{markdown_grid(text_table(_table(outcome)))}\n\n{LEGEND}.\n\n{rules}\n"
    )
    rows = [_row(outcome, place) for place in range(len(BASELINES))]
    contents = {
        "campaign.csv": csv_lines([*rows[0]], ([*one.values()] for one in rows)),
        "campaign.md": text,
        "campaign.json": json.dumps(mixed_document(outcome), indent=1) + "\n",
    }
    return write_to_folder(folder, contents)


def _row(outcome: MixedOutcome, place: int) -> dict[str, Any]:
    found = flat(outcome.tallies[place])
    del found["accounting"]
    return found


def _table(outcome: MixedOutcome) -> list[dict[str, str]]:
    rows = table(outcome.tallies)
    return [{name: text for name, text in row.items() if name != "accounting"} for row in rows]
