"""A picture of a simulated step: what every accelerator and link does when."""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hypar_opt.report.simulations.view import KINDS, headline
from hypar_opt.simulation.stopping import check, watched
from hypar_opt.step import PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hypar_opt.run import Limits
    from hypar_opt.simulation import Simulated, Simulation
    from hypar_opt.simulation.field import Kind
    from hypar_opt.step import StepPhase

MOST_ROWS: Final[Mapping[Kind, int]] = {"accelerator": 16, "link": 24, "memory": 16}
"""Rows of each kind in a picture that can still be read."""
COLOURS: Final[Mapping[StepPhase, str]] = {
    "forward": "#56B4E9", "backward": "#E69F00", "gradient": "#009E73", "update": "#CC79A7",
}  # fmt: skip
"""Okabe and Ito's palette."""
HELD: Final = "#DDDDDD"
PATH: Final = "critical path"
DRAWING: Final = "while the picture was drawn"
COLUMNS: Final = 2000
"""Pieces that a row is cut into at the most: what is nearer together than that is drawn as one."""
WIDE, ROW, ABOVE, BELOW, LEFT, RIGHT = 12.0, 0.2, 0.32, 0.85, 1.35, 0.25
"""Inches: the picture's width, a row's height, for a line of the title, for axis and legend, and beside the rows."""
DOTS: Final = 110
"""An inch, of a PNG."""
UNITS: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e-12, "ps"))


@dataclass(frozen=True)
class Row:
    """A row of the picture.

    Parameters
    ----------
    name
        To its left.
    bars
        Colour, beginning and end as shares of the step, in the order in which they are drawn.
    """

    name: str
    bars: tuple[tuple[str, float, float], ...]


def draw(name: str, simulated: Simulated, form: Literal["png", "svg"], limits: Limits | None = None) -> bytes:
    """Return the picture as a file's content; the same for the same simulation, byte by byte.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "hypar-opt", "font.family": "DejaVu Sans"}):
        figure = _figure(name, simulated, limits)
        check(limits, DRAWING)
        stream = io.BytesIO()
        unsaid = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(stream, format=form, dpi=DOTS, metadata=unsaid)
    check(limits, DRAWING)
    return stream.getvalue()


def rows_of(found: Simulation, limits: Limits | None = None) -> tuple[tuple[Row, ...], str]:
    """Return the rows, and which resources are left out of them, in words; of each kind the busiest are shown.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    rows, left_out = [_path(found)], []
    for kind, plural in KINDS.items():
        numbers = [i for i, one in enumerate(found.field.resources) if one.kind == kind]
        most = MOST_ROWS[kind]
        shown = sorted(sorted(numbers, key=lambda i: (-found.uses[i].busy, i))[:most])
        rows += [_row(found, number) for number in watched(shown, limits, DRAWING, every=1)]
        if len(shown) < len(numbers):
            left_out.append(f"the {len(shown)} busiest of {len(numbers):,} {plural}")
    return tuple(rows), f"shown: {' and '.join(left_out)}" if left_out else ""


def _path(found: Simulation) -> Row:
    tasks = found.graph.tasks
    pieces = ((COLOURS[tasks[step.task].phase], step.begin, step.end) for step in found.critical_path)
    return Row(PATH, tuple(_merged(pieces, found.end)))


def _row(found: Simulation, number: int) -> Row:
    tasks, spans = found.graph.tasks, sorted(found.spans[number], key=lambda span: (span.since, span.end))
    held = ((HELD, span.since, span.begin) for span in spans if span.begin > span.since)
    served = ((COLOURS[tasks[span.task].phase], span.begin, span.end) for span in spans)
    bars = (*_merged(held, found.end), *_merged(served, found.end))
    return Row(found.field.resources[number].name(found.machine), bars)


def _merged(pieces: Iterable[tuple[str, int, int]], end: int) -> list[tuple[str, float, float]]:
    """Return pieces as shares of the step; those of one colour that nearly touch become one."""
    found: list[tuple[str, float, float]] = []
    for colour, begin, stop in pieces:
        first, last = (begin / end, stop / end) if end else (0.0, 0.0)
        if found and found[-1][0] == colour and first - found[-1][2] < 0.5 / COLUMNS:
            found[-1] = (colour, found[-1][1], max(last, found[-1][2]))
        else:
            found.append((colour, first, last))
    return found


def _figure(name: str, simulated: Simulated, limits: Limits | None) -> Figure:
    from matplotlib.figure import Figure

    found = simulated.simulation
    rows, left_out = rows_of(found, limits)
    lines = [*headline(name, simulated), *([left_out] if left_out else [])]
    title = [line for text in lines for line in textwrap.wrap(text, int(WIDE * 13))]
    above, below = ABOVE * (len(title) * 0.55 + 0.7), BELOW
    tall = above + len(rows) * ROW + below
    figure = Figure(figsize=(WIDE, tall))
    axes = figure.add_axes((LEFT / WIDE, below / tall, (WIDE - LEFT - RIGHT) / WIDE, len(rows) * ROW / tall))
    _bars(axes, rows)
    _axis(axes, rows, float(found.time))
    _legend(figure, found)
    figure.text(LEFT / WIDE, 1 - 0.4 * ABOVE / tall, "\n".join(title), ha="left", va="top", fontsize=8.5)
    return figure


def _bars(axes: Axes, rows: tuple[Row, ...]) -> None:
    for height, row in enumerate(rows):
        for colour in dict.fromkeys(bar[0] for bar in row.bars):
            spans = [(first, last - first) for shade, first, last in row.bars if shade == colour]
            axes.broken_barh(spans, (height - 0.4, 0.8), facecolors=colour, linewidth=0)
    axes.axhline(0.5, color="#000000", linewidth=0.6)


def _axis(axes: Axes, rows: tuple[Row, ...], seconds: float) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    size, unit = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticks(range(len(rows)), [row.name for row in rows], fontsize=7.5)
    axes.tick_params(axis="y", length=0)
    ticks = [one for one in MaxNLocator(10).tick_values(0, seconds / size) if 0 <= one <= seconds / size]
    axes.set_xticks([tick * size / seconds for tick in ticks] if seconds else [0.0])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x * seconds / size:.4g}"))
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel(f"time, {unit}", fontsize=8.5)
    axes.grid(axis="x", color="#BBBBBB", linewidth=0.4)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _legend(figure: Figure, found: Simulation) -> None:
    from matplotlib.patches import Patch

    tasks = zip(found.graph.tasks, found.begins, found.ends, strict=True)
    phases = {task.phase for task, begin, end in tasks if end > begin}
    patches = [Patch(color=COLOURS[phase], label=phase) for phase in PHASES if phase in phases]
    if any(use.blocked for use in found.uses):
        patches.append(Patch(color=HELD, label="held, waiting for other links"))
    figure.legend(handles=patches, loc="lower right", ncols=5, fontsize=8, frameon=False)
