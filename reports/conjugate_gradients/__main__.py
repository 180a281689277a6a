"""python -m reports.conjugate_gradients: iterations of conjugate gradients in tasks; some 20 minutes."""

from __future__ import annotations

from pathlib import Path

from hypar_opt.report.charts.export import picture
from hypar_opt.util.files import write_bytes_to_folder, write_to_folder
from reports.operators.page import as_csv, page

from . import texts
from .figure import gantt_figure, makespan_figure
from .makespans import COMPARED, as_table, bars, makespans
from .modelled import (
    even_table,
    fuse_rows,
    fuse_table,
    iteration_table,
    iteration_times,
    noise_rows,
    noise_table,
    points,
    published_iterations,
)  # fmt: skip

FOLDER = Path(__file__).parent
DRAWN = ("pipelined-cg", "ifcg1", "ifcg2")


def main():
    """Write the page, its tables and its pictures."""
    first = list(makespans(range(1, 17)))
    in_place = list(makespans(range(6, 13), "in-place", DRAWN))
    times, fused, noisy = list(iteration_times()), list(fuse_rows()), list(noise_rows())
    parts = (
        texts.OPENING, as_table(first), texts.of_makespans(first), as_table(in_place), texts.STORAGE, list(points()),
        texts.POINTS, iteration_table(times), texts.TIMES, even_table(), texts.EVEN, fuse_table(fused),
        texts.of_fused(fused), published_iterations(), texts.ITERATIONS, noise_table(noisy), texts.NOISE,
    )  # fmt: skip
    tables = {"makespans": [*first, *in_place], "times": times, "fuse": fused, "noise": noisy}
    write_to_folder(
        FOLDER,
        {
            "conjugate-gradients.md": page(texts.TITLE, *parts),
            **{f"{name}.csv": as_csv(rows) for name, rows in tables.items()},
        },
    )
    drawn = [bar for variant in DRAWN for bar in bars(variant, 8)]
    figures = {
        "makespans.svg": makespan_figure(first, COMPARED),
        "optima.svg": gantt_figure(drawn, "Optima of two iterations on eight workers"),
    }
    write_bytes_to_folder(FOLDER, {name: picture(one, "svg") for name, one in figures.items()})


if __name__ == "__main__":
    main()
