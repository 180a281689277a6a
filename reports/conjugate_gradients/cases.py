"""What is looked at, and on which machine."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from hypar_opt.studies.conjugate_gradient import VARIANTS, Durations, Loop, MatrixWork, unroll
from hypar_opt.studies.conjugate_gradient.matrices import MATRICES
from hypar_opt.studies.conjugate_gradient.synchronisations import synchronisations

RATE, BANDWIDTH = 20_800_000_000, 6_400_000_000
"""Of one of eight cores of a Xeon E5-2670: 8 flops a tick of 2.6 GHz, and an eighth of 51.2 GB/s (data sheet)."""
WORKERS = 16
BLOCKS = 16
"""One a worker."""
ITERATIONS = 20
"""Between two barriers of fused variants; others have one after each."""
SYNCHRONISATIONS = (0, 10, 100)
"""Microseconds of a sum over all blocks, or of two at once, and of a barrier."""
FUSES = (1, 2, 5, 10, 20, 40, 50, 80, 100, 200)
SEEDS = range(3)
NOISE, FREQUENCIES = Fraction(1, 100_000), (2000, 8000)
"""Seconds of a delay, and delays a second (those of the thesis)."""
PUBLISHED_BEST = {"af_shell8": 80, "G3_circuit": 5}
"""Iterations to fuse that were measured best; 20 on the other matrices."""
PUBLISHED_NOISE = {
    2000: {"pcg": 6.1, "chronopoulos-cg": 5.1, "ifcg1": 1.1, "ifcg2": 1.7},
    8000: {"pcg": 19.0, "chronopoulos-cg": 14.6, "ifcg1": 6.2, "ifcg2": 6.9},
}
"""Per cent by which it took longer on average, as published."""


def durations(matrix, microseconds, variant):
    """Return what tasks of a matrix take: who synchronises the pause, a coefficient of sums that are there nothing.

    Otherwise one reduction of two sums would cost as much as two reductions, for either coefficient is a line.
    """
    pause = Fraction(microseconds, 1_000_000)
    found = MATRICES[matrix]
    counted = MatrixWork(found.rows, found.nonzeros, Fraction(RATE), Fraction(BANDWIDTH))
    return Durations({**dict.fromkeys(coefficients(variant), Fraction(0)), "scalar": pause, "barrier": pause}, counted)


@cache
def coefficients(variant):
    """Return the lines that are done once and add nothing up, another having added up what they need."""
    steps = unroll(Loop(VARIANTS[variant], 2, 3, fuse=3), closed=True)
    points = {one.name.split(".")[0] for one in synchronisations(steps, 2)}
    lines = [line for line in VARIANTS[variant].kernels if line.operation.once]
    return tuple(line.writes for line in lines if line.writes not in points)


def loop(variant, iterations=ITERATIONS, fuse=ITERATIONS):
    """Return iterations of a matrix in blocks, the residual computed anew where they are fused."""
    return Loop(VARIANTS[variant], BLOCKS, iterations, fuse, check=True)
