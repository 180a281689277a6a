"""The pieces that all builders put together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.array.machine import Link

if TYPE_CHECKING:
    from hypar_opt.array.shape import Wire


def numbered(letter: str, count: int) -> tuple[str, ...]:
    """Return names: a0, a1, ..."""
    return tuple(f"{letter}{i}" for i in range(count))


def connect(first: int, second: int, wire: Wire) -> Link:
    """Return a link of two nodes."""
    return Link((first, second), wire.bandwidth, wire.latency, wire.energy)


def widened(wire: Wire, times: int) -> Wire:
    """Return a bundle of links side by side: their bandwidths together, the latency and energy of one."""
    return wire if wire.bandwidth is None else replace(wire, bandwidth=wire.bandwidth * times)
