"""A campaign's files: its tallies as CSV, Markdown and JSON, and an instance for every counterexample."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.campaign import instance_text
from hypar_opt.files import write_to_folder
from hypar_opt.report.campaigns.terminal import LEGEND, document, headline, lines, row, table
from hypar_opt.report.tables import csv_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hypar_opt.campaign import Outcome, Shrunk

LISTING: Final = "campaign.json"
FILES: Final = ("campaign.csv", "campaign.md", LISTING)


def write_files(outcome: Outcome, shrunk: Sequence[Shrunk], folder: Path) -> tuple[list[Path], list[Path]]:
    """Write campaign.csv, .md and .json and an instance file for every counterexample.

    Returns
    -------
    What was written, and what was removed: the instance files of an earlier campaign that its campaign.json has.
    """
    flat = [row(tally) for tally in outcome.tallies]
    texts = {
        "campaign.csv": csv_lines([*flat[0]], ([*one.values()] for one in flat)),
        "campaign.md": markdown(outcome, shrunk),
        LISTING: json.dumps(document(outcome, shrunk), indent=1),
    }
    texts |= {f"{one.document['name']}.yaml": instance_text(one.document, *lines([one])) for one in shrunk}
    earlier = [path for path in _listed(folder) if path.name not in texts]
    written = write_to_folder(folder, texts)
    for path in earlier:
        path.unlink(missing_ok=True)
    return written, earlier


def markdown(outcome: Outcome, shrunk: Sequence[Shrunk] = ()) -> str:
    """Return the tallies as Markdown, with what they are of."""
    import pandas as pd

    body = pd.DataFrame(table(outcome.tallies)).to_markdown(index=False, disable_numparse=True)
    parts = ["# Campaign", "", f"{headline(outcome)}.", "", body, "", f"{LEGEND}.", ""]
    for text, one in zip(lines(shrunk), shrunk, strict=True):
        parts += [f"{text}.", "", *(f"    {line}" for line in instance_text(one.document).splitlines()), ""]
    return "\n".join(parts)


def _listed(folder: Path) -> list[Path]:
    """Return the instance files that a folder's campaign.json has and that still are what it wrote."""
    try:
        found = json.loads((folder / LISTING).read_text(encoding="utf-8"))
        named = list(_named(found))
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return []  # none, or somebody else's
    return [folder / name for name, instance in named if _is(folder / name, instance)]


def _named(found: Any) -> Iterator[tuple[str, Any]]:
    """Yield what campaigns call the instance files that they list, and what is in them."""
    for one in found["counterexamples"]:
        name = f"{found['family']['name']}-{found['seed']}-{one['chain']}-{one['accounting']}"
        if one["instance"]["name"] == name and not set(name) & set("/\\\0"):
            yield f"{name}.yaml", one["instance"]


def _is(path: Path, instance: Any) -> bool:
    """Say whether a file has an instance: one that was changed by hand is no campaign's any more."""
    import yaml

    try:
        return not path.is_symlink() and yaml.safe_load(path.read_bytes()) == instance
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return False
