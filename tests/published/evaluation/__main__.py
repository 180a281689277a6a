"""python -m tests.published.evaluation: the figures' tables and plots, and the proxy study, to reports/evaluation."""

from __future__ import annotations

import sys
import time

from hypar_opt.files import write_to_folder

from . import figure_6, figure_7, figure_9, figure_11, figure_12, figure_13, proxy
from .sheet import FOLDER

SHEETS = (
    figure_6.sheet,
    figure_7.sheet,
    figure_9.sheet_9,
    figure_9.sheet_10,
    figure_11.sheet,
    figure_12.sheet,
    figure_13.sheet,
    proxy.sheet,
)


def main():
    """Write all pages and their index, and say what comes out."""
    lines = [
        "# The paper's evaluation, figure by figure",
        "HyPar (HPCA 2019), recomputed. Written by `make evaluation`, checked by tests/published; what is "
        "reproduced, fitted, or not reproducible, and why, is in [docs/evaluation.md](../../docs/evaluation.md). "
        "Figures 5 and 8 are in [published.md](../published.md).",
        "\n".join(["| page | table | what comes out |", "| --- | --- | --- |", *map(_written, SHEETS)]),
    ]
    write_to_folder(FOLDER, {"README.md": "\n\n".join(lines)})


def _written(make):
    began = time.perf_counter()
    sheet = make()
    sheet.write()
    sys.stdout.write(f"{sheet.title}\n  {sheet.summary}\n  ({time.perf_counter() - began:.1f} s)\n")
    sys.stdout.flush()
    return f"| [{sheet.title}]({sheet.stem}.md) | [CSV]({sheet.stem}.csv) | {sheet.summary} |"


main()
