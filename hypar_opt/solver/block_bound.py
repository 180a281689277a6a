"""How few blocks have to run once more, and what plans cost at least: by how many blocks do.

Plans of from `fewest` to `most` blocks that run once more cost at least, for prices p >= 0 of what is in the memory at
one moment of the step and any q of each such block,

    min over plans of (cost + p taken + q blocks)  -  p room  -  max(q most, q fewest),

which one pass finds. That is a bound of all plans that fit, since those fit at this moment, too. The best prices are
those of a linear programme over the plans that passes have found so far (Dantzig and Wolfe); each pass adds one to it.
Where the bound is below the best plan, the numbers are parted in two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.solver.operator_blocks import BITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.solver.operator_blocks import DecidedBlocks

PASSES: Final = 60
"""Of all together."""
EACH: Final = 12
"""For one range of numbers."""
LITTLE: Final = 10**6
"""By how much less the whole memory is worth than a plan costs, where it decides between plans that cost alike."""
FAR: Final = 8.0
"""What nothing costs at the beginning, in costs of the best plan: as if it were a plan."""
NEAR: Final = 1e-7
"""How near a bound is to the linear programme's where it is not raised any more."""


@dataclass(frozen=True)
class Known:
    """A plan that a pass has found: its cost, what it takes at the moment priced, and how many blocks run once more."""

    cost: int
    kept: int
    blocks: int


@dataclass
class BlockBound:
    """The search for the best number of blocks.

    Parameters
    ----------
    decided
        What is decided.
    best
        The choices that fit and cost least of all known.
    value
        What they cost.
    passes
        How many there were.
    known
        What they have found.
    found
        The bound, once it was asked for.
    """

    decided: DecidedBlocks
    best: tuple[int, ...] | None = None
    value: int | None = None
    passes: int = 0
    known: list[Known] = field(default_factory=list)
    found: int | None = None

    @property
    def total(self) -> int:
        """How many blocks may run once more or not."""
        return len(self.decided.speakers)

    @property
    def is_over(self) -> bool:
        """Whether there is no time left, or there have been enough passes."""
        return self.passes >= PASSES or self.decided.limits.over

    def begin(self) -> None:
        """Find a plan that fits in which as few of the first blocks as possible run once more."""
        names = tuple(self.decided.speakers)
        free = self.decided.free
        little = (
            Fraction(0)
            if free is None
            else Fraction(int(free.least * 2**BITS) // max(1, LITTLE * self.decided.limit), 2**BITS)
        )
        fewest, most = 0, self.total
        count = most
        while fewest <= most and not self.is_over:
            found = self.decided.cheapest(little, again=frozenset(names[:count]))
            self.passes += 1
            if found is None:
                return
            if self._hears(found.choices):
                most = count - 1
            elif self.best is None:
                return
            else:
                fewest = count + 1
            count = (fewest + most) // 2

    def bound(self) -> int | None:
        """Return what plans cost at least, in the graph's units; None where there is no plan to begin with."""
        if self.found is None and self.best is not None:
            self.found = self._least()
        return self.found

    def _least(self) -> int:
        assert self.best is not None and self.value is not None  # asked for then
        count = self.decided.count(self.best)
        ranges = [one for one in ((0, 0), (1, count - 1), (max(1, count), self.total)) if one[0] <= one[1]]
        bounds = {one: self._of_range(*one) for one in ranges}
        while not self.is_over:
            (fewest, most), (least, at) = min(bounds.items(), key=lambda one: one[1][0])
            if least >= self.value or fewest == most:
                break
            split = min(max(int(at), fewest), most - 1)
            del bounds[fewest, most]
            for one in ((fewest, split), (split + 1, most)):
                bounds[one] = max(self._of_range(*one), (least, 0.0), key=lambda pair: pair[0])
        return min(self.value, -((-min(least for least, _ in bounds.values())) // 1))

    def _hears(self, choices: Sequence[int]) -> bool:
        """Return whether a plan fits; it is kept, as the best where that is so."""
        one, chosen = self.decided, tuple(choices)
        cost = one.value(chosen)
        self.known.append(Known(cost, one.taken(chosen), one.count(chosen)))
        fits = one.fits(chosen)
        if fits and (self.best is None or (cost, one.count(chosen)) < (self.value, one.count(self.best))):
            self.best, self.value = chosen, cost
        return fits

    def _of_range(self, fewest: int, most: int) -> tuple[Fraction, float]:
        """Return what plans of so many blocks cost at least, and how many blocks the best prices are of."""
        one, least, at = self.decided, Fraction(0), float(fewest)
        room = one.limit
        again = None if most else frozenset[str]()
        for _ in range(EACH):
            if self.is_over or self.value is None or least >= self.value:
                break
            price, more, value, at = self._prices(room, fewest, most)
            if value <= float(least / self.value) * (1 + NEAR):
                break
            found = one.cheapest(price, Fraction(0) if again is not None else more, again, most=2 * self.value)
            self.passes += 1
            if found is None:
                break
            given = Fraction(0) if again is not None else max(more * most, more * fewest)
            least = max(least, found.least - price * room - given)
            before = len(set(self.known))
            self._hears(found.choices)
            if len(set(self.known)) == before:
                break
            names = tuple(one.speakers)[: round(at)]
            near = one.cheapest(price, again=frozenset(names))
            self.passes += 1
            if near is not None:
                self._hears(near.choices)
        return least, at

    def _prices(self, room: int, fewest: int, most: int) -> tuple[Fraction, Fraction, float, float]:
        """Return the prices of the linear programme, its value in costs of the best plan, and its number of blocks."""
        from scipy.optimize import linprog

        assert self.value is not None
        unit, size = max(1, self.value), max(1, room)
        costs = [FAR, *(float(Fraction(one.cost, unit)) for one in self.known)]
        kept = [0.0, *(float(Fraction(one.kept, size)) for one in self.known)]
        blocks = [float(fewest), *(float(one.blocks) for one in self.known)]
        rows = np.array([kept, blocks, [-x for x in blocks]])
        found = linprog(
            costs, A_ub=rows, b_ub=[1.0, most, -fewest], A_eq=np.ones((1, len(costs))), b_eq=[1.0], method="highs"
        )
        paid, above, below = (max(0.0, -float(x)) for x in found.ineqlin.marginals)
        price = Fraction(int(Fraction(paid) * unit * 2**BITS / size), 2**BITS)
        more = Fraction(round(Fraction(above - below) * unit))
        return price, more, float(found.fun), float(np.dot(found.x, blocks))
