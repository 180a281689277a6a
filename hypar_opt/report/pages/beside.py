"""The files beside pages: tables and figures with their numbers, and what came of drawing them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from hypar_opt.report.tables import csv_text
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.tables import Table


@dataclass(frozen=True)
class PageFigure:
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


@dataclass(frozen=True)
class Drawn:
    """What came of drawing a figure.

    Parameters
    ----------
    shown
        The figure, if there is one.
    missing
        Why there can be none.
    fault
        What went wrong.
    """

    shown: PageFigure | None = None
    missing: str = ""
    fault: str = ""


@dataclass
class Beside:
    """The files that pages lead to, as they come.

    Parameters
    ----------
    printed
        Where figures are printed to; None where they are not.
    files
        By path.
    faults
        What went wrong with figures, in sentences.
    """

    printed: Path | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def table(self, table: Table, folder: str = "data") -> str:
        """Keep a table as CSV; return its path."""
        path = f"{folder}/{table.name}.csv"
        self.files[path] = csv_text(table).encode()
        return path

    def drawn(self, draw: Callable[[], Figure], folder: str, what: str) -> Drawn:
        """Draw a figure and keep it; one that fails takes no other with it, and is named.

        Parameters
        ----------
        folder
            Of the page that shows it.
        what
            It is, should it fail.
        """
        try:
            return Drawn(self.figure(draw(), folder))
        except (InputError, Refusal) as error:
            return Drawn(missing=str(error))
        except Exception as error:  # noqa: BLE001 - hours of solving are worth more than one chart; it is told, not hidden
            fault = f"{folder}: the chart '{what}' failed: {_told(error)}"
            self.faults.append(fault)
            return Drawn(fault=fault)

    def figure(self, figure: Figure, folder: str) -> PageFigure:
        """Keep a figure's numbers as CSV, and print it where that is wanted.

        Parameters
        ----------
        folder
            Of the page that shows it, on which no other figure has its name.

        Raises
        ------
        ValueError
            If one has.
        """
        path = f"data/{folder}/{figure.name}.csv"
        if path in self.files:
            raise ValueError(f"two figures of a page are called '{figure.name}'")
        self.files[path] = csv_text(figure.table).encode()
        return PageFigure(figure, figure.name, {"Numbers as CSV": path, **self._printed(figure, folder)})

    def _printed(self, figure: Figure, folder: str) -> dict[str, str]:
        from hypar_opt.report.charts.export import write_figure

        found: dict[str, str] = {}
        if self.printed is not None:
            for path in write_figure(figure, self.printed, "page"):
                name = f"figures/{folder}/{path.name}"
                self.files[name] = path.read_bytes()
                found[path.suffix.removeprefix(".").upper()] = name
        return found


def _told(error: Exception) -> str:
    """Return what went wrong and where, in a line: whoever reads it can report it."""
    *_, (frame, line) = walk_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({Path(frame.f_code.co_filename).name}, line {line})"
