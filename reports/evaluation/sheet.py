"""A figure's page: a table as CSV, everything as Markdown, a plot as PNG."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from hypar_opt.report.tables import csv_lines
from hypar_opt.util.files import atomically, write_to_folder

FOLDER = Path(__file__).parent
DOTS = 110


@dataclass(frozen=True)
class Sheet:
    """What is written of a figure: `stem`.csv, .md and .png.

    `rows` are the CSV's, `parts` the page's: text, or rows to be shown as a table.
    """

    stem: str
    title: str
    summary: str
    rows: list
    parts: list
    picture: object

    def write(self, folder=FOLDER):
        """Write the files."""
        write_to_folder(folder, {f"{self.stem}.csv": self.csv(), f"{self.stem}.md": self.page()})
        if self.picture is not None:
            stream = io.BytesIO()
            self.picture.savefig(stream, dpi=DOTS, metadata={"Software": None})
            with atomically(folder / f"{self.stem}.png") as file:
                file.write(stream.getvalue())

    def csv(self):
        """Return the table."""
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        return csv_lines(names, ([plain(row.get(name)) for name in names] for row in self.rows))

    def line(self):
        """Return what the index says of it."""
        return f"| [{self.title}]({self.stem}.md) | [CSV]({self.stem}.csv) | {self.summary} |"

    def page(self):
        """Return the Markdown."""
        drawn = [] if self.picture is None else [f"![{self.title}]({self.stem}.png)"]
        parts = [part if isinstance(part, str) else as_table(part) for part in self.parts]
        return "\n\n".join([f"# {self.title}", self.summary, *drawn, *parts]) + "\n"


def as_table(rows):
    """Return rows as a Markdown table; numbers are right-aligned text already."""
    import pandas as pd

    return pd.DataFrame(rows).fillna("").to_markdown(index=False, disable_numparse=True)


def plain(value):
    """Return a value for a CSV: six significant digits."""
    return value if value is None or isinstance(value, (str, int)) else f"{float(value):.6g}"


def short(value, digits=4):
    """Return a number for a table."""
    return "" if value is None else f"{float(value):.{digits}g}"


def fixed(value, places=3):
    """Return a number with so many decimal places."""
    return "" if value is None else f"{float(value):.{places}f}"


def percent(value, places=2):
    """Return a share as signed per cent."""
    return "" if value is None else f"{float(100 * value):+.{places}f} %"


def canvas(width=9.5, height=4.2):
    """Return a figure that needs no screen."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def bars(axes, names, series, *, log=False):
    """Draw groups of bars: printed and recomputed beside each other, unknown left out."""
    width = 0.8 / len(series)
    for offset, (label, (values, colour)) in enumerate(series.items()):
        known = [(i, float(value)) for i, value in enumerate(values) if value is not None]
        places = [i + (offset - (len(series) - 1) / 2) * width for i, _ in known]
        axes.bar(places, [value for _, value in known], width, label=label, color=colour)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right", fontsize=8)
    if log:
        axes.set_yscale("log")
    axes.axhline(1, color="0.4", lw=0.8)
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.legend(fontsize=8)
