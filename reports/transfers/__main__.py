"""python -m reports.transfers [PROFILES]: in which order gradients are sent, by rules and at best; some 5 minutes.

PROFILES is a folder with profiles of PipeDream, which is not part of the project; what is kept was written with it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hypar_opt.report.charts.export import picture
from hypar_opt.util.files import write_bytes_to_folder, write_to_folder
from reports.operators.page import as_csv, page

from . import tables, texts
from .figure import transfers_figure
from .study import rows_of, steps_of, written

FOLDER = Path(__file__).parent


def page_of(rows):
    """Return the page."""
    return page(
        texts.TITLE, texts.opening(rows), texts.ENDS, tables.ends(rows), texts.ended(rows), texts.OPTIMAL,
        tables.optimal(rows), texts.GAINS, tables.gains(rows), texts.STEPS_OF_MUCH, tables.much(rows),
        texts.gained(rows), texts.STEPS, tables.steps(rows), texts.LEFT,
    )  # fmt: skip


def main():
    """Write the page, its table and its picture."""
    profiles = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    rows = [row for kind, step in steps_of(profiles) for row in rows_of(kind, step)]
    write_to_folder(FOLDER, {"transfers.md": page_of(rows), "transfers.csv": as_csv([*map(written, rows)])})
    write_bytes_to_folder(FOLDER, {"transfers.svg": picture(transfers_figure(rows), "svg")})


if __name__ == "__main__":
    main()
