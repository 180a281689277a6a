"""One front of (sums, moved, turned) for every pair of machines: the best share and plan of each, in closed form.

Of two unlike halves the first computes a part a of everything and reads, of S bytes of partial sums, M that are moved
and R that are turned (as equal halves read them together), half of S, b = 1 - a of M and 2 a b of R:

    T_A(a) = a C_A + (S / 2 + b M + 2 a b R) / w_A,    T_B(a) = b C_B + (S / 2 + a M + 2 a b R) / w_B,

with the seconds C that a machine alone would compute, and bytes w that it reads a second. Both rise with S, M and R,
whatever the share is: a plan that another one is not worse than in all three is not needed on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from hypar_opt.evaluation.mixed import Quadratic
from hypar_opt.evaluation.mixed.waiting import alone_seconds
from hypar_opt.instance.objective.components import EXCHANGES
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.solver.front import ParetoFront
    from hypar_opt.solver.mixed.problem import MixedProblem


@dataclass(frozen=True)
class TwoMachines:
    """The two halves of an array.

    Parameters
    ----------
    seconds
        That each alone would compute.
    bandwidths
        Bytes that each reads a second.
    """

    seconds: tuple[Fraction, Fraction]
    bandwidths: tuple[Fraction, Fraction]

    @classmethod
    def of(cls, problem: MixedProblem) -> TwoMachines:
        """Return the halves of an array that is one split; memories are not looked at.

        Raises
        ------
        Refusal
            If it is another, or groups wait for each other within a step.
        """
        array, barrier = problem.array, problem.instance.spec.cost.barrier
        if array.levels != 1 or len(array.splits) != 1 or barrier != "step":
            raise Refusal("one front serves two unlike machines that wait for each other at the end of a step alone")
        setting = problem.judged_by
        halves = sorted(array.classes, key=lambda one: one.leaf)
        first, second = (
            sum((alone_seconds(layer, array.kinds[one.kind], setting) for layer in problem.work.layers), Fraction(0))
            for one in halves
        )
        return cls((first, second), (array.bandwidth(halves[0].leaf, 0), array.bandwidth(halves[1].leaf, 0)))

    def times(self, point: Sequence[Fraction]) -> tuple[Quadratic, Quadratic]:
        """Return the seconds of both as functions of the first one's share.

        Parameters
        ----------
        point
            Bytes of sums, moved and turned.
        """
        (alone, other), (fast, slow) = self.seconds, self.bandwidths
        sums, moved, turned = point[0] / 2, point[1], 2 * point[2]
        first = Quadratic((sums + moved) / fast, alone + (turned - moved) / fast, -turned / fast)
        return first, Quadratic(other + sums / slow, (moved + turned) / slow - other, -turned / slow)


class Served(NamedTuple):
    """What a front says of two machines.

    Parameters
    ----------
    seconds
        Of a step, the least.
    share
        Of the first machine.
    place
        Which point of the front, from 0.
    """

    seconds: Fraction
    share: Fraction
    place: int


def served(front: ParetoFront, machines: TwoMachines, parts: int) -> Served:
    """Return the best share and plan on two machines: no other plan, and no other share k of so many parts, is faster.

    Parameters
    ----------
    front
        Of sums, moved and turned, complete, of the same network on two accelerators that are alike.
    parts
        Of a share.

    Raises
    ------
    Refusal
        If the front is another, or not complete.
    """
    if front.components != EXCHANGES or not front.complete:
        raise Refusal(f"expected a complete front of {', '.join(EXCHANGES)}, got one of {', '.join(front.components)}")
    return min(
        Served(max(one.at(share) for one in times), share, place)
        for place, point in enumerate(front.points)
        for times in (machines.times(point.values),)
        for share in candidates(times, parts)
    )


def candidates(times: tuple[Quadratic, Quadratic], parts: int) -> Iterator[Fraction]:
    """Yield the shares of which one is best: both ends, and the neighbours of where both machines need as long.

    Between two of these one machine is the last, and how long it needs is concave in the share.
    """
    first, second = times
    difference = Quadratic(*(a - b for a, b in zip(first, second, strict=True)))
    steps = {1, parts - 1}
    if difference.square:  # rises on one side of the vertex, falls on the other
        vertex = floor(parts * -difference.linear / (2 * difference.square))
        steps |= {step for step in (vertex, vertex + 1) if 0 < step < parts}
    for low, high in pairwise(sorted(steps)):
        steps |= set(_sign_change(difference, low, high, parts))
    yield from (Fraction(step, parts) for step in sorted(steps))


def _sign_change(difference: Quadratic, low: int, high: int, parts: int) -> tuple[int, ...]:
    """Return the two neighbouring steps between which a monotone difference changes its sign; none if it does not."""

    def is_less(step: int) -> bool:
        return difference.at(Fraction(step, parts)) < 0

    if is_less(low) == is_less(high):
        return ()
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_less(middle) == is_less(low) else (low, middle)
    return low, high
