"""What the evaluator is told and what it answers: where a plan's bytes go, and in which phase of a step they move."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.choices import Phase, halving_of
from hypar_opt.util.numbers import is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.network import Workload
    from hypar_opt.util.partition import Partition

Bytes: TypeAlias = int | Fraction
"""Exact; only what is counted by leaves, or of unequal halves, can be fractions of a byte."""
PHASES: Final[tuple[Phase, ...]] = ("forward", "backward", "gradient")
"""In the order of a training step."""
LEAF_EXACT = "leaf-exact"
"""The accounting that lays out the boxes of all leaves."""
COLLECTIVE = "collective"
"""The accounting that follows the collectives of a program."""


@dataclass(frozen=True)
class ExchangeSetting:
    """What the bytes of a plan depend on beside the network.

    Parameters
    ----------
    batch, partition, accounting, bytes_per_element, input_error
        As in the instance.
    """

    batch: int
    partition: Partition
    accounting: str
    bytes_per_element: int
    input_error: bool = True


@dataclass(frozen=True)
class Breakdown:
    """Where the bytes of a plan go.

    Parameters
    ----------
    intra
        By layer, bytes at each level.
    forward
        By boundary (in the workload's order), bytes of F at each level.
    backward
        The same of E.
    strategies
        By layer: the plan.
    """

    intra: tuple[tuple[Bytes, ...], ...]
    forward: tuple[tuple[Bytes, ...], ...]
    backward: tuple[tuple[Bytes, ...], ...]
    strategies: Mapping[str, str]

    @cached_property
    def inter(self) -> tuple[tuple[Bytes, ...], ...]:
        """By boundary, bytes of F and E at each level."""
        return tuple(
            tuple(whole(feature + error) for feature, error in zip(*rows, strict=True))
            for rows in zip(self.forward, self.backward, strict=True)
        )

    @property
    def total(self) -> Bytes:
        """All bytes."""
        return whole(sum(sum(row) for row in (*self.intra, *self.inter)))

    def level(self, h: int) -> Bytes:
        """Return the bytes of one level (from 0)."""
        return whole(sum(row[h] for row in (*self.intra, *self.inter)))


def whole(number: Bytes) -> Bytes:
    """Return an integer where the number is one."""
    return int(number) if is_whole(number) else number


@dataclass(frozen=True)
class PhaseExchange:
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


def by_phase(work: Workload, strategies: Mapping[str, str], breakdown: Breakdown) -> tuple[PhaseExchange, ...]:
    """Return what every layer and boundary exchanges, by phase; what exchanges nothing is left out.

    Parameters
    ----------
    strategies
        By layer, the words that the breakdown is of.
    """
    parts = (*_of_layers(work, strategies, breakdown), *_of_boundaries(work, breakdown))
    return tuple(part for part in parts if any(part.levels))


def _of_layers(work: Workload, strategies: Mapping[str, str], breakdown: Breakdown) -> Iterator[PhaseExchange]:
    for layer, row in zip(work.layers, breakdown.intra, strict=True):
        phases = [halving_of(layer, letter).phase for letter in strategies[layer.name]]
        for phase in PHASES:
            levels = tuple(count if summed_in == phase else 0 for count, summed_in in zip(row, phases, strict=True))
            yield PhaseExchange(layer.name, "layer", phase, levels)


def _of_boundaries(work: Workload, breakdown: Breakdown) -> Iterator[PhaseExchange]:
    """Yield F, which its reader lacks, forward, and E, which the layer before lacks, backward."""
    for edge, feature, error in zip(work.boundaries, breakdown.forward, breakdown.backward, strict=True):
        name = f"{work.layers[edge.producer].name} -> {work.layers[edge.reader].name}"
        yield PhaseExchange(name, "boundary", "forward", feature)
        yield PhaseExchange(name, "boundary", "backward", error)
