"""Data parallelism as what others are compared with: what it is called where strategies are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.choices import LETTERS
from hypar_opt.instance.fix import OPEN

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE: Final = "data-parallel"
"""The formulation."""
MOST_NAMES: Final = 4
"""Layers that are named; of more it is said how many they are."""


def data_parallelism(fix: Mapping[str, str]) -> str:
    """Return what data parallelism is called that leaves given strategies as they are.

    Parameters
    ----------
    fix
        Words by layer; those that leave levels open or give dp are no exception.
    """
    others = [layer for layer, word in fix.items() if word.strip(LETTERS["dp"] + OPEN)]
    several = f"{len(others)} layers" if len(others) > MOST_NAMES else ", ".join(others)
    return f"data parallelism with {several} as fixed" if others else "data parallelism"
