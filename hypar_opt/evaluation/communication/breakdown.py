"""In which phase of a training step each of a plan's bytes moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.boxes.breakdown import Breakdown, Bytes
    from hypar_opt.network import Workload

Phase: TypeAlias = Literal["forward", "backward", "gradient"]
"""A third of a training step."""
PHASES: Final[tuple[Phase, ...]] = ("forward", "backward", "gradient")
"""In the order of a training step."""
SUMMED_IN: Final[Mapping[str, Phase]] = {"m": "forward", "o": "backward", "d": "gradient"}
"""By letter: the phase that ends in partial sums, because it sums over the dimension that is split."""


@dataclass(frozen=True)
class Part:
    """What one layer, or one boundary, exchanges in one phase.

    Parameters
    ----------
    name
        The layer's, or `producer -> reader`.
    kind
        Which of the two it is.
    phase
        When it is exchanged.
    levels
        Bytes at each level, both directions together.
    """

    name: str
    kind: Literal["layer", "boundary"]
    phase: Phase
    levels: tuple[Bytes, ...]


def by_phase(work: Workload, strategies: Mapping[str, str], breakdown: Breakdown) -> tuple[Part, ...]:
    """Return what every layer and boundary exchanges, by phase; what exchanges nothing is left out.

    Parameters
    ----------
    strategies
        By layer, the words that the breakdown is of.
    """
    parts = (*_of_layers(work, strategies, breakdown), *_of_boundaries(work, breakdown))
    return tuple(part for part in parts if any(part.levels))


def _of_layers(work: Workload, strategies: Mapping[str, str], breakdown: Breakdown) -> Iterator[Part]:
    for layer, row in zip(work.layers, breakdown.intra, strict=True):
        phases = [SUMMED_IN[letter] for letter in strategies[layer.name]]
        for phase in PHASES:
            levels = tuple(count if summed_in == phase else 0 for count, summed_in in zip(row, phases, strict=True))
            yield Part(layer.name, "layer", phase, levels)


def _of_boundaries(work: Workload, breakdown: Breakdown) -> Iterator[Part]:
    """Yield F, which its reader lacks, forward, and E, which the layer before lacks, backward."""
    for edge, feature, error in zip(work.boundaries, breakdown.forward, breakdown.backward, strict=True):
        name = f"{work.layers[edge.producer].name} -> {work.layers[edge.reader].name}"
        yield Part(name, "boundary", "forward", feature)
        yield Part(name, "boundary", "backward", error)
