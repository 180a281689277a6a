"""Where tables are written, and whether figures beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.files import check_writable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.report.charts.registry import Need


F = TypeVar("F", bound="Callable[..., Any]")

folder_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Write CSV, Markdown, LaTeX, JSON."
)
figures_option = click.option("--figures", is_flag=True, help="With -o: figures too, as SVG, PDF and PNG.")


def folder_options(function: F) -> F:
    """Add -o and --figures to a command."""
    return folder_option(figures_option(function))


@dataclass(frozen=True)
class Place:
    """Where the user wants files.

    Parameters
    ----------
    folder
        None for nowhere.
    figures
        Whether figures are wanted beside the tables.
    """

    folder: Path | None
    figures: bool = False

    def __post_init__(self) -> None:
        if self.figures and self.folder is None:
            raise click.UsageError("--figures are written beside the tables; say where with -o DIR")
        if self.figures:
            require("report")

    def prepare(self, names: Sequence[str]) -> None:
        """Make the folder, and find out before the work whether files of these names can be written to it."""
        from hypar_opt.util.files import prepare_folder

        if self.folder is not None:
            prepare_folder(self.folder, names)

    def write(self, tables: Callable[[Path], Sequence[Path]], needs: Need, what: Any) -> list[Path]:
        """Write the tables and, if they are wanted, all figures of what they show; return the paths."""
        if self.folder is None:
            return []
        written = list(tables(self.folder))
        if self.figures:
            from hypar_opt.report.charts.registry import write_figures

            written += write_figures(needs, what, self.folder)
        return written


ENDINGS = (".json", ".json.gz")


def check_graph_file(path: Path) -> None:
    """Find out before the work whether a strategy graph can be written to a file of this name.

    Raises
    ------
    InputError
        If it cannot.
    """
    if not path.name.endswith(ENDINGS):
        raise InputError(f"expected a name that ends in {' or '.join(ENDINGS)}, got '{path.name}'", field="--output")
    check_writable(path)
