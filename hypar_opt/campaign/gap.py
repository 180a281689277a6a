"""Whether an instance shows a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.campaign.measuring import cost, measure_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from hypar_opt.campaign.drawing import Document

Costs: TypeAlias = "tuple[Fraction, Fraction]"
"""What the greedy plan and the optimum cost."""
Keeps: TypeAlias = "Callable[[Document], Costs | None]"
"""Says of a document what both cost where it shows what is looked for, else None."""


def costs(document: Document) -> Costs | None:
    """Return the greedy cost and the proven optimum of an instance, or None where one of them is not known.

    Raises
    ------
    InputError
        If it is no instance.
    """
    pair = measure_document(document)
    greedy, optimum = cost(pair.greedy), pair.optimum
    return None if greedy is None or optimum is None else (greedy, optimum)


def missed(document: Document) -> Costs | None:
    """Return both costs where the greedy plan misses the optimum, else None.

    Raises
    ------
    InputError
        If it is no instance.
    """
    both = costs(document)
    return both if both is not None and both[0] > both[1] else None
