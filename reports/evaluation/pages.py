"""All pages, and their index."""

from __future__ import annotations

from . import (
    accpar,
    accpar_front,
    accpar_optima,
    accpar_shares,
    figure_6,
    figure_7,
    figure_9,
    figure_11,
    figure_12,
    figure_13,
    proxy,
)

FIGURES = (
    figure_6.sheet,
    figure_7.sheet,
    figure_9.sheet_9,
    figure_9.sheet_10,
    figure_11.sheet,
    figure_12.sheet,
    figure_13.sheet,
    accpar.sheet,
)
"""What takes seconds."""
SHEETS = (*FIGURES, accpar_optima.sheet, accpar_front.sheet, accpar_shares.sheet, proxy.sheet)
"""All, what is not among the figures taking longer than these together."""


def index(lines):
    """Return the index of pages, of which the lines are known."""
    parts = [
        "# The paper's evaluation, figure by figure",
        "HyPar (HPCA 2019), recomputed. Written by `make evaluation`, checked by tests/published; what is "
        "reproduced, fitted, or not reproducible, and why, is in [docs/evaluation.md](../../docs/evaluation.md). "
        "Figures 5 and 8 are in [published.md](../published.md).",
        "\n".join(["| page | table | what comes out |", "| --- | --- | --- |", *lines]),
    ]
    return "\n\n".join(parts)
