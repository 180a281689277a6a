"""Formulae of lectures beside what plans of operators move."""

from __future__ import annotations

from hypar_opt.studies.operators.formulae import integrated, not_needed

from .page import page

BATCH, WIDTHS = 1024, (3072, 16000, 16000, 16000, 10)
GRIDS = tuple((2**row, 1024 // 2**row) for row in range(11))
DIFFERENCES = (
    ("batch parallelism", "none: numbers and messages"),
    (
        "model, integrated",
        "the formula gathers the last layer's output, which nobody reads; and it adds up the errors between layers for "
        "all by all-reduces, where each process needs its own features only: a reduce-scatter, half of it",
    ),
    (
        "model, integrated",
        "printed with the width of layer i for the error that layer i hands on; it is that of the layer before",
    ),
    (
        "model against batch",
        "the crossover is printed without the factor 2 of batch parallelism's own formula: it is at widths of 1.5 "
        "batches, not 3",
    ),
    (
        "domain parallelism",
        "k / 2 is floor(k / 2): a window of 1 reaches over no border; and a strip has two sides but for the outermost "
        "two, 2 (P - 1) in all, where the formula has P",
    ),
    ("domain parallelism", "sums of gradients take log P messages there, by a tree, and 2 (P - 1) by a ring here"),
    ("domain parallelism", "the input is loaded with its halos, and its gradient is not needed"),
    ("leaf-exact", "the formula but for the gather of the last output, on all grids of up to 64 processes"),
)
"""Of what, and where what the plans move is not what the formula says; each is a test of tests/studies/operators."""


def row(rows, columns):
    """Return a grid's row: what the formula has for a process, and what of it the plan needs."""
    printed, needless = integrated(rows, columns, BATCH, WIDTHS), not_needed(rows, columns, BATCH, WIDTHS)
    return {
        "P_r x P_c": f"{rows} x {columns}",
        "numbers by the formula": f"{float(printed.numbers):,.0f}",
        "messages": f"{printed.messages:,}",
        "numbers needed": f"{float(printed.numbers - needless.numbers):,.0f}",
        "messages needed": f"{printed.messages - needless.messages:,}",
    }


def written():
    """Return the page."""
    return page(
        "Formulae of lectures",
        "Written by `make operators`; tests/studies/operators compares each with what the evaluator counts: integrated "
        "parallelism on all grids of up to 1,024 processes, of sizes that divide or not. The formulae are those of "
        "Gholami et al., arXiv:1712.04432; `hypar_opt.studies.operators.formulae` has them.",
        "## Where they differ",
        [{"formula": name, "difference": text} for name, text in DIFFERENCES],
        "## Integrated parallelism on 1,024 processes",
        f"Linear layers {' - '.join(map(str, WIDTHS))}, batch {BATCH}; for each process, in a step.",
        [row(*grid) for grid in GRIDS],
    )
