"""Whether given words are better anywhere in a box of shares: in exact numbers, by the evaluator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.mixed import fault_of, step_time, waits
from hypar_opt.verification.mixed_boxes.any_share import AnyShare
from hypar_opt.verification.mixed_boxes.cover import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.mixed import MixedRules, MixedSetting
    from hypar_opt.evaluation.mixed.word_sums import Weights
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.share_evidence import SearchedBox

MOST_SHARES: Final = 256
"""Vectors of shares at which words are recounted."""


class Witness(Exception):
    """A plan that is better than any is claimed to be.

    Parameters
    ----------
    strategies, shares
        The plan.
    """

    def __init__(self, strategies: Mapping[str, str], shares: Mapping[str, Fraction]) -> None:
        super().__init__("a better plan")
        self.strategies, self.shares = dict(strategies), dict(shares)


@dataclass(frozen=True)
class PlanCheck:
    """What is asked of words in a box.

    Parameters
    ----------
    work, setting, rules
        The network, and what plans are judged for and by.
    box, parts
        Shares between two ends, multiples of one over so many; of None those that are given, or any.
    most
        Seconds; None where any plan is better than there is said to be.
    weights
        Any of which may show it.
    """

    work: Workload
    setting: MixedSetting
    rules: MixedRules
    box: SearchedBox
    parts: int | None
    most: Fraction | None
    weights: Sequence[Weights]

    def is_no_better(self, strategies: Mapping[str, str]) -> bool:
        """Return whether it is shown that words take no less, or do not fit, at any shares of the box.

        Raises
        ------
        Witness
            If they do.
        """
        if self.most is not None and self._is_bounded(strategies, self.most):
            return True
        if self.parts is None and self.box.low != self.box.high:
            better = AnyShare(self.work, self.setting, strategies, self.box).below(self.most)
            if better is not None:
                raise Witness(strategies, better)
            return True
        if count(self.box, self.parts) > MOST_SHARES:
            return False
        for shares in self._all_shares():
            is_better = self.most is None or step_time(self.work, strategies, shares, self.setting) < self.most
            if is_better and fault_of(self.work, strategies, shares, self.setting, self.rules) is None:
                raise Witness(strategies, shares)
        return True

    def _is_bounded(self, strategies: Mapping[str, str], most: Fraction) -> bool:
        """Return whether corners tell: by weights, or by what each class needs at least."""
        corners = [
            waits(self.work, strategies, self._named(corner), self.setting)
            for corner in product(*(dict.fromkeys(pair) for pair in zip(self.box.low, self.box.high, strict=True)))
        ]
        least = [[min(column) for column in zip(*rows, strict=True)] for rows in zip(*corners, strict=True)]
        if sum(map(max, least)) >= most:
            return True
        return any(min(_weighed(one, weights) for one in corners) >= most for weights in self.weights)

    def _all_shares(self) -> Iterator[dict[str, Fraction]]:
        if self.parts is None:
            yield self._named(self.box.low)
            return
        ends = zip(self.box.low, self.box.high, strict=True)
        each = [range(int(low * self.parts), int(high * self.parts) + 1) for low, high in ends]
        for whole in product(*each):
            yield self._named(tuple(Fraction(one, self.parts) for one in whole))

    def _named(self, shares: tuple[Fraction, ...]) -> dict[str, Fraction]:
        return dict(zip(self.setting.array.splits, shares, strict=True))


def _weighed(seconds: Sequence[Sequence[Fraction]], weights: Weights) -> Fraction:
    pairs = ((s, w) for row in zip(seconds, weights, strict=True) for s, w in zip(*row, strict=True))
    return sum((s * w for s, w in pairs), start=Fraction(0))
