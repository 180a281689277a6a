"""What a path's doings weigh, part by part, where every layer has shares of its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.instance.barriers import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.mixed.model import MixedModel
    from hypar_opt.instance.hardware.mixed import Path
    from hypar_opt.instance.network import Workload

ByLevel: TypeAlias = "Sequence[Fraction]"


@dataclass(frozen=True)
class PathCharges:
    """What whoever is in the halves of a path is charged for.

    Parameters
    ----------
    path
        The halves.
    computing
        By layer, for all of it.
    sums, reading
        By layer, and by boundary, and by level: for an element that its half of the level reads.
    """

    path: Path
    computing: Sequence[Fraction]
    sums: Sequence[ByLevel]
    reading: Sequence[ByLevel]


def charges_of_class(work: Workload, model: MixedModel, place: int, weights: Sequence[Fraction]) -> PathCharges:
    """Return what a class of leaves is charged for.

    Parameters
    ----------
    place
        Of the class.
    weights
        By wait, what a second weighs.
    """
    one, wait, levels = model.array.classes[place], model.barrier.wait, range(model.array.levels)
    pace = [model.bytes_per_element / model.array.bandwidth(one.leaf, h) for h in levels]
    return PathCharges(
        one.path,
        [
            Fraction(0) if layer.is_join else weights[wait(work, Part(i))] * model.seconds(layer, one.kind)
            for i, layer in enumerate(work.layers)
        ],
        [[weights[wait(work, Part(i, None, h))] * pace[h] for h in levels] for i in range(len(work.layers))],
        [[weights[wait(work, Part(e.reader, i, h))] * pace[h] for h in levels] for i, e in enumerate(work.boundaries)],
    )


def charges_of_bytes(work: Workload, model: MixedModel) -> Iterator[PathCharges]:
    """Yield what the halves of every path are charged for where bytes are counted."""
    nothing = [Fraction(0)] * len(work.layers)
    for level in range(model.array.levels):
        for path, count in model.array.halves(level).items():
            each = [Fraction(model.bytes_per_element * count * (h == level)) for h in range(model.array.levels)]
            yield PathCharges(path, nothing, [each] * len(work.layers), [each] * len(work.boundaries))
