"""A Pareto front as a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.pareto import ParetoFront

FORMATS = (".png", ".svg", ".pdf")


def check_format(path: Path) -> None:
    """Raise `InputError` if a picture cannot be written in the format that a file's name ends with."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"expected a name that ends with {', '.join(FORMATS)}, got '{path.name}'", field="--plot")


def write_plot(front: ParetoFront, path: Path) -> None:
    """Draw the first two components of a front, a third as colour, as wide as a page of a paper.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    from hypar_opt.report.charts.front import front_figure
    from hypar_opt.report.charts.printing import write_picture

    figure = front_figure(front)
    write_picture(replace(figure, title=f"{front.instance}: {figure.title}"), path)
