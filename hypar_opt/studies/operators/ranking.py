"""How well predictions rank plans by what compiled programs of them move: random plans, and rank correlations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators import movements, total
from hypar_opt.evaluation.operators.program import conversions
from hypar_opt.export.jax.program import jax_program
from hypar_opt.export.planned import planned_step
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.solver.operator_problem import OperatorProblem


@dataclass(frozen=True)
class Agreement:
    """How what is predicted of plans goes with what was counted.

    Parameters
    ----------
    plans, equal
        How many there are, and of how many both are equal.
    spearman, kendall
        Correlations of the ranks, Kendall's with ties (tau-b).
    least, median, most
        Of what was counted, in parts of what is predicted.
    """

    plans: int
    equal: int
    spearman: float
    kendall: float
    least: float
    median: float
    most: float


def agreement(predicted: Sequence[Fraction], counted: Sequence[Fraction]) -> Agreement:
    """Return how predictions go with counts, plan by plan; none is predicted to move nothing."""
    from scipy.stats import kendalltau, rankdata, spearmanr

    ranks = rankdata([float(one) for one in predicted]), rankdata([float(one) for one in counted])
    ratios = [float(one / other) for one, other in zip(counted, predicted, strict=True)]
    return Agreement(
        len(ratios),
        sum(one == other for one, other in zip(predicted, counted, strict=True)),
        float(spearmanr(*ranks).statistic),
        float(kendalltau(*ranks).statistic),
        min(ratios),
        median(ratios),
        max(ratios),
    )


def random_steps(problem: OperatorProblem, seed: int = 0) -> Iterator[tuple[Mapping[str, str], PlannedStep]]:
    """Yield random plans that programs can be written of, without end: each word drawn from all that are allowed."""
    random = Random(seed)
    while True:
        words = {one.name: random.choice(one.values).text for one in problem.compiled.domains}
        try:
            step = planned_step(problem.instance, problem.plan_of(words))
            jax_program(step)
        except Refusal:  # parts of different sizes, or no order of axes
            continue
        yield words, step


def predictions(problem: OperatorProblem, words: Mapping[str, str]) -> Mapping[str, Fraction]:
    """Return by accounting what a plan is said to move: collectives, what leaves lack, and the problem's own."""
    plan, one = problem.plan_of(words), problem.instance
    collectives = movements(one.graph, one.partition, replace(plan, emitted=None))
    halos = total(moved for moved in collectives if moved.kind == "halo")
    sizes = tuple(axis.size for axis in one.partition.axes)
    lacking = (way.size * lacked(sizes, way.have, way.need) for way in conversions(one.graph, plan))
    own = total(movements(one.graph, one.partition, plan))
    return {"collective": total(collectives), "lacking": sum(lacking, start=halos), one.accounting: own}


def lacked(sizes: Sequence[int], have: Placement, need: Placement) -> Fraction:
    """Return what all devices need and do not hold, of partial sums every summand, the tensor's whole being one."""
    if have == need:
        return Fraction(0)
    summands, wanted, held = 1, Fraction(1), Fraction(1)
    for size, one, other in zip(sizes, have, need, strict=True):
        part = Fraction(1, size if other.position is not None else 1)
        wanted *= part
        if one.position is None:
            held *= part
        else:
            held *= Fraction(1, size) if other.position in (None, one.position) else part / size
        summands *= size if one.is_partial and not other.is_partial else 1
    return prod(sizes) * (summands * wanted - held)
