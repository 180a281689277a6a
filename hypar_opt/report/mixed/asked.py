"""What an instance with accelerators of several kinds asks for: its shares, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.shares import EQUAL, ExactShares, GivenShares, GridShares, WholeShares

if TYPE_CHECKING:
    from hypar_opt.instance import Instance


def shares_text(instance: Instance) -> str:
    """Return what decides the shares of an instance's splits; nothing where there are no splits."""
    splits = () if instance.mixed is None else instance.mixed.splits
    if not splits:
        return ""
    match instance.shares:
        case GivenShares(first):
            if set(first) == {EQUAL}:
                return "equal halves"
            return "given: " + ", ".join(f"{name} {share}" for name, share in zip(splits, first, strict=True))
        case WholeShares(parts):
            return f"decided: k of {parts:,} equal parts at every split"
        case GridShares(grid):
            return f"decided for each layer: k of {grid:,} equal parts at every split"
        case ExactShares():
            return "decided: any number"
