"""How many collectives a plan takes in a step, and of which kind: counted from layouts, whatever their sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.choices import WHOLE, Phase, halving_of

if TYPE_CHECKING:
    from hypar_opt.evaluation.choices import Box
    from hypar_opt.instance.network import Boundary, WorkLayer, Workload

CollectiveKind: TypeAlias = Literal["all-reduce", "all-gather", "all-to-all"]
"""What accelerators do together."""
COLLECTIVE_KINDS: Final[tuple[CollectiveKind, ...]] = ("all-reduce", "all-gather", "all-to-all")
"""In the order in which they are told."""


@dataclass(frozen=True)
class PlannedCollective:
    """A collective of a training step.

    Parameters
    ----------
    layer
        Whose partial sums are added up, or that which reads the map: its error goes back over the same boundary.
    kind, phase
        What it is, and when.
    """

    layer: str
    kind: CollectiveKind
    phase: Phase


def collectives_of(
    work: Workload, strategies: Mapping[str, str], *, input_error: bool = True
) -> tuple[PlannedCollective, ...]:
    """Return the collectives of a plan.

    Partial sums of one tensor are one all-reduce, over all levels that leave them. A map, or its error, that is
    read at a boundary is one all-gather where a level has a half and needs the whole, and one all-to-all where it has a
    half along one dimension and needs one along the other.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    input_error
        Whether the error of the network's input is added up, which trains nothing.
    """
    sums = [one for layer in work.layers for one in _sums(layer, strategies[layer.name], input_error)]
    return tuple(sums + [one for edge in work.boundaries for one in _passed(work, edge, strategies)])


def _sums(layer: WorkLayer, word: str, input_error: bool) -> Iterator[PlannedCollective]:
    for letter in dict.fromkeys(word):
        halving = halving_of(layer, letter)
        needless = halving.summed == "read" and layer.reads_input and not input_error
        if halving.phase is not None and not needless:
            yield PlannedCollective(layer.name, "all-reduce", halving.phase)


def _passed(work: Workload, edge: Boundary, strategies: Mapping[str, str]) -> Iterator[PlannedCollective]:
    producer, reader = work.layers[edge.producer], work.layers[edge.reader]
    before = [halving_of(producer, letter) for letter in strategies[producer.name]]
    left = [one.read if edge.is_skip else one.written for one in before]
    right = [halving_of(reader, letter).read for letter in strategies[reader.name]]
    both: tuple[tuple[Phase, list[Box], list[Box]], ...] = ("forward", left, right), ("backward", right, left)
    for phase, has, needs in both:
        unlike = [(one, other) for one, other in zip(has, needs, strict=True) if one not in (WHOLE, other)]
        if any(other == WHOLE for _, other in unlike):
            yield PlannedCollective(reader.name, "all-gather", phase)
        if any(other != WHOLE for _, other in unlike):
            yield PlannedCollective(reader.name, "all-to-all", phase)
