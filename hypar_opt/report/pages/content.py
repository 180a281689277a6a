"""What stands on a page, and the files beside it that it leads to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hypar_opt.report.tables import csv_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.tables import Table


@dataclass(frozen=True)
class Shown:
    """A figure with the files that hold it.

    Parameters
    ----------
    figure
        What is drawn.
    id
        Its place on the page.
    files
        By what they are called, their paths.
    """

    figure: Figure
    id: str
    files: Mapping[str, str]


@dataclass
class Beside:
    """The files that pages lead to, as they come.

    Parameters
    ----------
    printed
        Where figures are printed to; None where they are not.
    files
        By path.
    """

    printed: Path | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    def table(self, table: Table, folder: str = "data") -> str:
        """Keep a table as CSV; return its path."""
        path = f"{folder}/{table.name}.csv"
        self.files[path] = csv_text(table).encode()
        return path

    def figure(self, figure: Figure, folder: str, number: int | None = None) -> Shown:
        """Keep a figure's numbers as CSV, and print it where that is wanted.

        Parameters
        ----------
        folder
            Of the page that shows it.
        number
            What tells it apart from others of its page that are called the same.
        """
        id = figure.name if number is None else f"{figure.name}-{number + 1}"
        path = f"data/{folder}/{id}.csv"
        self.files[path] = csv_text(figure.table).encode()
        return Shown(figure, id, {"Numbers as CSV": path, **self._printed(figure, folder, id)})

    def _printed(self, figure: Figure, folder: str, id: str) -> dict[str, str]:
        from hypar_opt.report.charts.printing import write_figure

        found: dict[str, str] = {}
        if self.printed is not None:
            for path in write_figure(replace(figure, name=id), self.printed, "page"):
                name = f"figures/{folder}/{path.name}"
                self.files[name] = path.read_bytes()
                found[path.suffix.removeprefix(".").upper()] = name
        return found
