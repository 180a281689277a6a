"""Dimensions that layers name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from hypar_opt.instance.operators.layers.value import Value


def position_of(value: Value, name: str, field: tuple[str, ...]) -> int:
    """Return where a dimension behind the batch stands.

    Raises
    ------
    ShapeError
        If there is none of that name.
    """
    known = value.names[1:]
    if name not in known:
        hint = did_you_mean(name, known)
        raise ShapeError(f"expected one of {', '.join(known) or 'no dimension'}, got '{name}'{hint}", field)
    return 1 + known.index(name)


def feature_position(value: Value, name: str | None, field: tuple[str, ...]) -> int:
    """Return where a dimension stands, by default the channels' or the last."""
    return value.features if name is None else position_of(value, name, field)
