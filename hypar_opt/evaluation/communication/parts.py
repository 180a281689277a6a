"""The bytes of a plan in parts: partial sums, what is cut and needed whole, and what is needed along the other cut.

Told from the boxes of both ends of a boundary, level by level, by code that shares nothing with the CostGraph.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.choices import WHOLE, halving_of
from hypar_opt.instance.objective.components import MOVED, SUMS, TURNED

if TYPE_CHECKING:
    from hypar_opt.evaluation.communication.breakdown import Breakdown
    from hypar_opt.instance.network import Workload


def parts_of_bytes(work: Workload, breakdown: Breakdown) -> dict[str, Fraction]:
    """Return what a plan's bytes are, by component; together they are all bytes.

    Parameters
    ----------
    breakdown
        Of the plan, under an accounting that says what each level exchanges.
    """
    found = {SUMS: Fraction(sum(map(sum, breakdown.intra))), MOVED: Fraction(0), TURNED: Fraction(0)}
    for edge, feature, error in zip(work.boundaries, breakdown.forward, breakdown.backward, strict=True):
        ends = work.layers[edge.producer], work.layers[edge.reader]
        words = (breakdown.strategies[layer.name] for layer in ends)
        for h, (before, after) in enumerate(zip(*words, strict=True)):
            left, right = halving_of(ends[0], before).written, halving_of(ends[1], after).read
            found[MOVED if right == WHOLE else TURNED] += feature[h]
            found[MOVED if left == WHOLE else TURNED] += error[h]
    return found
