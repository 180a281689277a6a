"""A Pareto front as a picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.files import atomically
from hypar_opt.report.numbers import unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hypar_opt.pareto import ParetoFront

FORMATS = (".png", ".svg", ".pdf")
DOTS = 150
"""An inch, of a PNG."""
UNITS = {"B": ("GB", 1e9), "s": ("s", 1.0), "J": ("J", 1.0)}


def check_format(path: Path) -> None:
    """Raise `InputError` if a picture cannot be written in the format that a file's name ends with."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"expected a name that ends with {', '.join(FORMATS)}, got '{path.name}'", field="--plot")


def write_plot(front: ParetoFront, path: Path) -> None:
    """Draw the first two components of a front; a third is the points' colour."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.add_subplot()
    _draw(axes, front)
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=DOTS)
    with atomically(path) as stream:
        stream.write(drawn.getvalue())


def _draw(axes: Axes, front: ParetoFront) -> None:
    columns = [_column(front, i) for i in range(len(front.components))]
    labels = [f"{name} [{UNITS[unit_of(name)][0]}]" for name in front.components]
    supported = front.supported()
    if len(columns) == 2:
        axes.step(columns[0], columns[1], where="post", color="0.8", linewidth=1, zorder=1)
        inside = [i for i in range(len(front.points)) if i not in supported]
        weighed = _at(columns, sorted(supported))
        axes.scatter(*weighed, s=28, color="tab:blue", label="found by a weighted sum", zorder=3)
        if inside:
            axes.scatter(
                *_at(columns, inside), s=28, facecolor="white", edgecolor="tab:blue", label="by none", zorder=2
            )
    else:
        points = axes.scatter(columns[0], columns[1], c=columns[2], s=24)
        axes.figure.colorbar(points, ax=axes, label=labels[2])
    best = front.least_product()
    if best is not None:
        at = front.points.index(best)
        axes.scatter([columns[0][at]], [columns[1][at]], s=130, facecolor="none", edgecolor="tab:red", linewidth=1.6,
                     label=f"least {front.components[0]} x {front.components[1]}", zorder=4)  # fmt: skip
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    state = "complete" if front.complete else "not complete"
    axes.set_title(f"{front.instance}: {len(front.points):,} plans that none dominates ({state})", fontsize=11)
    if front.points:
        axes.legend(frameon=False, fontsize=9)
    axes.ticklabel_format(useOffset=False)


def _column(front: ParetoFront, component: int) -> list[float]:
    scale = UNITS[unit_of(front.components[component])][1]
    return [float(point.values[component]) / scale for point in front.points]


def _at(columns: list[list[float]], positions: list[int]) -> tuple[list[float], list[float]]:
    return [columns[0][i] for i in positions], [columns[1][i] for i in positions]
