"""What stands under `array.collectives`: by which algorithm the partial sums of levels are exchanged on the links."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from hypar_opt.instance.fields import Name, Size, Spec

PAIRWISE: Final = "pairwise"
"""Every accelerator and its counterpart send each other what they have, along their routes."""
BEST: Final = "best"
"""Whichever takes least for the bytes at hand."""


class CollectivesSpec(Spec):
    """How partial sums are exchanged."""

    algorithm: Name = Field(
        PAIRWISE,
        description="pairwise, best, or a formulation that constructs schedules of all-reduces, such as ring: what "
        "comm-time counts of partial sums",
    )
    chunks: Size = Field(1, description="into how many an accelerator's part of a sum is cut, of schedules")
    levels: Literal["together", "each"] = Field(
        "together",
        description="whether all levels at which a layer has the same choice exchange as one group, or each level's "
        "pairs by themselves",
    )

    @property
    def scheduled(self) -> bool:
        """Whether there are schedules: of a pairwise exchange there are none."""
        return self.algorithm != PAIRWISE
