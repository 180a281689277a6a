"""Whether boxes of shares hold no better plan, from what the evaluator says words cost: box by box, from the first.

Of a box with weights every word goes whose least weighted sum is no better at any corner; those within begin with what
is left. A box without words has no better plan. In others the words that are left are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hypar_opt.evaluation.mixed import forbidden
from hypar_opt.verification.mixed_boxes.box_words import MARGIN, BoxWords
from hypar_opt.verification.mixed_boxes.cover import parts_of
from hypar_opt.verification.mixed_boxes.elimination import TooLarge
from hypar_opt.verification.mixed_boxes.plan_checks import PlanCheck
from hypar_opt.verification.mixed_boxes.word_search import words_within

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.evaluation.mixed import MixedRules, MixedSetting
    from hypar_opt.evaluation.mixed.word_sums import Weights
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.share_evidence import SearchedBox, ShareEvidence

MOST_WEIGHTS: Final = 4
"""Of a box and those around it, by which the words that are left are tried."""
MOST_PLANS: Final = 2**11
"""Words of all layers that are looked at one by one in a box."""
How: TypeAlias = Literal["weights", "words", "not shown"]
"""No words are left; those that are left were tried; neither."""


class ShownBox(NamedTuple):
    """What was found of a box that is not cut.

    Parameters
    ----------
    box
        Which.
    how
        By what it is shown that it has no better plan.
    why_not
        Why it is not shown.
    """

    box: SearchedBox
    how: How
    why_not: str = ""


class WordsLeft(NamedTuple):
    """What is left of all words in a box.

    Parameters
    ----------
    kept
        By layer, positions among all its words; in the order of these.
    weights
        Of the box and those around it, the nearest last.
    bound
        Seconds, in floating point: what better plans take at least by these.
    has_ties
        Whether words were kept that are perhaps no better, but not by more than the margin: with them sums may be
        smaller than those of a search that is without them.
    """

    kept: tuple[NDArray[np.int64], ...]
    weights: tuple[Weights, ...] = ()
    bound: float = 0.0
    has_ties: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is a layer without a word."""
        return not all(map(len, self.kept))


class Faulty(Exception):
    """A box says what is not so."""


@dataclass(frozen=True, eq=False)
class BoxShowing:
    """The boxes of a plan, and what is to be shown of them.

    Parameters
    ----------
    work, setting, rules
        The network, and what plans are judged for and by.
    evidence
        The boxes, which cover all shares.
    most
        Seconds that no plan is claimed to take less than; None where there is said to be no plan.
    is_over
        Whether the time is.
    """

    work: Workload
    setting: MixedSetting
    rules: MixedRules
    evidence: ShareEvidence
    most: Fraction | None
    is_over: Callable[[], bool]

    def shown(self) -> tuple[ShownBox, ...]:
        """Return what is found of every box that is not cut.

        Raises
        ------
        Faulty
            If a box has another bound than it says.
        Witness
            If there is a better plan.
        """
        parts, left = parts_of(self.evidence), {0: WordsLeft(tuple(np.arange(len(own)) for own in self.words))}
        waiting = {one.number: len(parts[one.number]) for one in self.evidence.boxes}
        found = []
        for box in self.evidence.boxes:
            here = left[box.number] = self._narrowed(left[box.within], box)
            if not waiting[box.number]:
                found.append(self._shown(box, here))
                del left[box.number]
            if box.within:
                waiting[box.within] -= 1
                if not waiting[box.within]:
                    del left[box.within]
        return tuple(found)

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """By layer, all that it may have."""
        every = ["".join(letters) for letters in product(self.rules.choices, repeat=self.setting.levels)]
        return tuple(
            tuple(word for word in every if forbidden(layer, word, self.setting, self.rules) is None)
            for layer in self.work.layers
        )

    @property
    def below(self) -> float:
        """What a sum in floating point has to be below for a better plan."""
        return np.inf if self.most is None else float(self.most) * (1 + MARGIN)

    def _words_in(self, box: SearchedBox, left: WordsLeft) -> BoxWords:
        words = (tuple(own[one] for one in kept) for own, kept in zip(self.words, left.kept, strict=True))
        return BoxWords(self.work, self.setting, box.low, box.high, tuple(words))

    def _narrowed(self, around: WordsLeft, box: SearchedBox) -> WordsLeft:
        """Return the words that are left by a box's memories and weights."""
        if around.is_empty or self.is_over():
            return around
        left = self._fitting(around, box)
        if left.is_empty or box.weights is None or self.most is None:
            return left
        weights = (*(one for one in around.weights if one != box.weights), box.weights)
        left = left._replace(weights=weights[-MOST_WEIGHTS:])
        known = self._words_in(box, left)
        try:
            sums = [known.weighed(corner, box.weights) for corner in known.corners]
            bound = max(left.bound, min(one.least for one in sums))
            least = [np.minimum.reduce(own) for own in zip(*(one.marginals for one in sums), strict=True)]
        except TooLarge:
            return left
        if not left.has_ties:
            self._check_bound(box, bound)
        kept = tuple(own[costs < self.below] for own, costs in zip(left.kept, least, strict=True))
        surely = [costs < self.below * (1 - MARGIN) ** 2 for costs in least]
        ties = any(len(own) > np.count_nonzero(sure) for own, sure in zip(kept, surely, strict=True))
        return left._replace(kept=kept, bound=bound, has_ties=left.has_ties or ties)

    def _check_bound(self, box: SearchedBox, bound: float) -> None:
        """Check what a box says of its bound, where this is below what is claimed of all plans.

        Where memories may raise it, there is nothing to compare.
        """
        has_memory = any(one.accelerator.capacity is not None for one in self.setting.array.kinds)
        if box.bound is None or has_memory or not bound < self.below * (1 - MARGIN) ** 2:
            return
        if float(box.bound) > bound * (1 + MARGIN):
            raise Faulty(
                f"box {box.number} is said to have the bound {float(box.bound):.6g} s; at its weights the least sum "
                f"of words that are left is {bound:.6g} s"
            )

    def _fitting(self, left: WordsLeft, box: SearchedBox) -> WordsLeft:
        """Return the words that fit at some shares of a box beside the smallest of all other layers."""
        kept = list(left.kept)
        for capacity, own in self._words_in(box, left).memories():
            least = sum(float(one.min()) for one in own)
            for at, one in enumerate(own):
                fits = left.kept[at][one + (least - float(one.min())) * (1 - MARGIN) <= capacity]
                kept[at] = np.intersect1d(kept[at], fits)
        return left._replace(kept=tuple(kept))

    def _shown(self, box: SearchedBox, left: WordsLeft) -> ShownBox:
        """Return what is found of a box that is not cut."""
        if left.is_empty:
            return ShownBox(box, "weights")
        if self.is_over():
            return ShownBox(box, "not shown", "the time was over")
        known = self._words_in(box, left)
        try:
            rules = list(known.memory_rules())
            if self.most is not None:
                rules += [known.class_rule(self.below), *(known.weight_rule(w, self.below) for w in left.weights)]
            plans = words_within(rules, known.order, known.sizes)
        except TooLarge as error:
            return ShownBox(box, "not shown", f"words that are left: {error}")
        if len(plans) > MOST_PLANS:
            return ShownBox(box, "not shown", f"{len(plans):,} plans that are left")
        check = PlanCheck(self.work, self.setting, self.rules, box, self.evidence.parts, self.most, left.weights)
        for one in plans:
            chosen = (words[place] for words, place in zip(known.words, one, strict=True))
            if not check.is_no_better(dict(zip((layer.name for layer in self.work.layers), chosen, strict=True))):
                return ShownBox(box, "not shown", "words that may be better at some of its shares")
        return ShownBox(box, "words")
