"""Words in a box whose one open share may be any number: where they fit, and when they take least, exactly.

What leaves keep is linear in the share, and what classes need before a wait is of degree two and concave; so a step's
time is least at an end of where the words fit, or where two classes need the same: a root.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import add
from typing import TYPE_CHECKING

from hypar_opt.evaluation.mixed import quadratics, resident, time_of
from hypar_opt.util.surd import roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.mixed import MixedSetting
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.share_evidence import SearchedBox


@dataclass(frozen=True)
class AnyShare:
    """Some words in a box.

    Parameters
    ----------
    work, setting
        The network, and what plans are judged for.
    strategies
        The words.
    box
        One of whose splits has a share that is open.
    """

    work: Workload
    setting: MixedSetting
    strategies: Mapping[str, str]
    box: SearchedBox

    def below(self, most: Fraction | None) -> Mapping[str, Fraction] | None:
        """Return shares of the box at which a step takes less, and all fits; None where there are none.

        Parameters
        ----------
        most
            Seconds; None where any plan takes less.
        """
        low, high = self._fitting
        if low > high:
            return None
        if most is None:
            return self._named(low)
        rows = quadratics(self.work, self.strategies, self._named(low), self.setting, self._split)
        apart = [
            [a - b for a, b in zip(one, other, strict=True)] for row in rows for one, other in combinations(row, 2)
        ]
        same = {root for constant, linear, square in apart for root in roots(constant, linear, square)}
        places = (low, high, *(place for place in sorted(same) if low < place < high))
        better = (place for place in places if time_of([[one.at(place) for one in row] for row in rows]) < most)
        return next(map(self._named, better), None)

    @property
    def _place(self) -> int:
        return next(place for place, low in enumerate(self.box.low) if low < self.box.high[place])

    @property
    def _split(self) -> str:
        return self.setting.array.splits[self._place]

    @property
    def _fitting(self) -> tuple[Fraction, Fraction]:
        """The ends of the shares at which the words fit, the first above the second where there are none."""
        low, high = self.box.low[self._place], self.box.high[self._place]
        for first, last, capacity in self._kept(low, high):
            if max(first, last) <= capacity:
                continue
            if min(first, last) > capacity:
                return self.box.high[self._place] + 1, low
            reached = self.box.low[self._place] + (capacity - first) * self._width / (last - first)
            low, high = (low, min(high, reached)) if last > first else (max(low, reached), high)
        return low, high

    @property
    def _width(self) -> Fraction:
        return self.box.high[self._place] - self.box.low[self._place]

    def _kept(self, *shares: Fraction) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """Yield by class with a capacity what it keeps at two shares, and the capacity."""
        each = [resident(self.work, self.strategies, self._named(share), self.setting) for share in shares]
        for one, first, last in zip(self.setting.array.classes, *each, strict=True):
            capacity = self.setting.array.kinds[one.kind].accelerator.capacity
            if capacity is not None:
                sums = (reduce(add, row.values(), Fraction(0)) for row in (first, last))
                yield (*sums, capacity)

    def _named(self, share: Fraction) -> dict[str, Fraction]:
        return {**dict(zip(self.setting.array.splits, self.box.low, strict=True)), self._split: share}
