"""Data parallelism as what others are compared with: what it is called where strategies are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.choices import LETTERS
from hypar_opt.instance.fix import OPEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BASE: Final = "data-parallel"
"""The formulation."""
BATCH: Final = "batch"
"""What it splits operators along."""
MOST_NAMES: Final = 4
"""Layers that are named; of more it is said how many they are."""


def data_parallelism(fix: Mapping[str, str]) -> str:
    """Return what data parallelism is called that leaves given strategies as they are.

    Parameters
    ----------
    fix
        Words by layer; those that leave levels open or give dp are no exception.
    """
    return _called([layer for layer, word in fix.items() if word.strip(LETTERS["dp"] + OPEN)], "layers")


def operators_data_parallelism(fix: Mapping[str, tuple[str | None, ...]]) -> str:
    """Return what data parallelism of operators is called that leaves given words as they are.

    Parameters
    ----------
    fix
        Words by operator or placement, None at axes that are left open.
    """
    return _called([name for name, word in fix.items() if not {BATCH, None}.issuperset(word)], "words")


def _called(others: Sequence[str], what: str) -> str:
    several = f"{len(others)} {what}" if len(others) > MOST_NAMES else ", ".join(others)
    return f"data parallelism with {several} as fixed" if others else "data parallelism"
