"""Where tables are written, and whether figures beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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

    def prepare(self, names: Sequence[str]) -> None:
        """Make the folder, and find out before the work whether files of these names can be written to it."""
        from hypar_opt.files import prepare_folder

        if self.folder is not None:
            prepare_folder(self.folder, names)

    def write(self, tables: Callable[[Path], Sequence[Path]], figures: Callable[[Path], Sequence[Path]]) -> list[Path]:
        """Write what is wanted; return the paths."""
        if self.folder is None:
            return []
        return [*tables(self.folder), *(figures(self.folder) if self.figures else ())]
