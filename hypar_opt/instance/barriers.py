"""Where the groups of an array wait for each other: what a step's time is the sum of.

Between two barriers every group does its part, and the step goes on when the last has done so: a step takes the sum,
over what lies between barriers, of the maximum over the groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from hypar_opt.instance.network import Workload


class Part(NamedTuple):
    """Something that every group does: it computes a layer, reads partial sums of it, or reads a boundary's tensor.

    Parameters
    ----------
    layer
        Position of the layer that is computed, or whose partial sums these are; of a boundary, of its reader.
    boundary
        Position of the boundary; None of a layer's own.
    level
        From 0; None where it is computed.
    """

    layer: int
    boundary: int | None = None
    level: int | None = None


@dataclass(frozen=True)
class Barrier:
    """Where groups wait.

    Parameters
    ----------
    name
        As in instance files.
    summary
        What is waited for, in a few words.
    waits
        Of a workload and a number of levels: how often groups wait.
    wait
        Of a workload and a part: which of these waits ends it, from 0.
    """

    name: str
    summary: str
    waits: Callable[[Workload, int], int]
    wait: Callable[[Workload, Part], int]


def _layer_waits(work: Workload, levels: int) -> int:
    """Return a wait a layer, and one for each further tensor that a layer reads."""
    return len(work.layers) + len(work.further_reads)


def _layer_wait(work: Workload, part: Part) -> int:
    if part.boundary not in work.further_reads:
        return part.layer
    return len(work.layers) + work.further_reads[part.boundary]


def _level_wait(work: Workload, part: Part) -> int:
    return 0 if part.level is None else part.level + 1


_ALL: Final = (
    Barrier("step", "groups wait once, at the end of the step", lambda work, levels: 1, lambda work, part: 0),
    Barrier(
        "level", "groups wait when all layers are computed, and when a level's exchange is over",
        lambda work, levels: levels + 1, _level_wait,
    ),
    Barrier(
        "layer", "groups wait when a layer has what it reads, is computed and its sums are added up",
        _layer_waits, _layer_wait,
    ),
)  # fmt: skip
BARRIERS: Final[Mapping[str, Barrier]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""
