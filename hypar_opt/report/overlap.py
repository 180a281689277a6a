"""How long a step takes, by how much of its exchange hides behind computing: in words and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_si
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.evaluation.step import OverlapBounds


def overlap_line(together: OverlapBounds) -> str:
    """Return the step's time by how much of the exchange hides."""
    none, by_layer, perfect = (in_si(float(one), "s") for one in (together.none, together.by_layer, together.perfect))
    return (
        f"a step takes {none} without overlap, {by_layer} with overlap layer by layer, at least {perfect} in any order"
    )


def overlap_document(together: OverlapBounds) -> dict[str, Any]:
    """Return the same seconds, exact."""
    bounds = {"none_s": together.none, "by_layer_s": together.by_layer, "perfect_s": together.perfect}
    return {name: exact(seconds) for name, seconds in bounds.items()}
