"""What a search notes of its boxes, so that others can check it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hypar_opt.solver.share_evidence import SearchedBox, ShareEvidence

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.cost.mixed.model import WaitWeights
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.share_evidence import Closing


@dataclass
class BoxTrace:
    """The boxes looked at so far.

    Parameters
    ----------
    parts
        Of shares that are decided.
    boxes
        By number.
    """

    parts: int | None
    boxes: dict[int, SearchedBox] = field(default_factory=dict)

    def begin(self, number: int, within: int, box: ShareBox) -> None:
        """Note that a box is looked at, a part of another."""
        self.boxes[number] = SearchedBox(number, within, box.low, box.high)

    def weigh(self, number: int, weights: WaitWeights, bound: Fraction | None) -> None:
        """Note the weights of a box, and what they and those of the boxes around it bound it by."""
        self.boxes[number] = replace(self.boxes[number], weights=weights, bound=bound)

    def close(self, number: int, how: Closing, weights: WaitWeights | None = None) -> None:
        """Note how a box was closed, and by which weights words were left out of it, where these are new."""
        box = self.boxes[number]
        self.boxes[number] = replace(box, closed=how.name, weights=box.weights if weights is None else weights)

    @property
    def evidence(self) -> ShareEvidence:
        """All of it."""
        return ShareEvidence(self.parts, tuple(self.boxes.values()))
