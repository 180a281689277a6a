"""What every letter does to a layer, as whoever judges plans is told: apart from the records that costs are made from.

How often a tensor is halved is written as a box: along batch (or rows), and along channels (or columns).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.network import WorkLayer

Box: TypeAlias = tuple[int, int]
"""How often a tensor was halved along batch (or rows) and along channels (or columns)."""
Operand: TypeAlias = Literal["read", "written", "weight"]
"""A tensor of a layer: F[l] and E[l], F[l+1] and E[l+1], W[l]."""
Phase: TypeAlias = Literal["forward", "backward", "gradient"]
"""A third of a training step."""
WHOLE: Final[Box] = (0, 0)


@dataclass(frozen=True)
class Halving:
    """What a letter halves of a layer, and what it leaves to be added up.

    Parameters
    ----------
    splits
        The dimension; None for a letter that splits nothing.
    read, written, weight
        How it halves each tensor.
    summed, phase
        The tensor that is left in partial sums, and the phase that ends in them, because it sums over the dimension
        that is split; None where there are none.
    """

    splits: Literal["batch", "input", "output", "groups"] | None
    read: Box = WHOLE
    written: Box = WHOLE
    weight: Box = WHOLE
    summed: Operand | None = None
    phase: Phase | None = None


_NOTHING: Final = Halving(None)
_DATA: Final = Halving("batch", read=(1, 0), written=(1, 0), summed="weight", phase="gradient")
HALVINGS: Final[Mapping[str, Mapping[str, Halving]]] = MappingProxyType(
    {
        "weighted": {
            "d": _DATA,
            "m": Halving("input", read=(0, 1), weight=(1, 0), summed="written", phase="forward"),
            "o": Halving("output", written=(0, 1), weight=(0, 1), summed="read", phase="backward"),
            "n": _NOTHING,
        },
        "grouped": {
            "d": _DATA,
            "m": Halving("groups", read=(0, 1), written=(0, 1), weight=(1, 0)),
            "n": _NOTHING,
        },
        "join": {
            "d": Halving("batch", read=(1, 0), written=(1, 0)),
            "m": Halving("input", read=(0, 1), written=(0, 1)),
            "n": _NOTHING,
            "r": _NOTHING,  # but that both halves have all
        },
    }
)
"""By the role of a layer and letter: those that such a layer may have, n only between unlike accelerators.

Neither n nor r splits anything; boxes of unlike halves tell them apart.
"""


def halvings_of(layer: WorkLayer) -> Mapping[str, Halving]:
    """Return what each letter that a layer may have does to it."""
    return HALVINGS[layer.role]


def halving_of(layer: WorkLayer, letter: str) -> Halving:
    """Return what a letter does to a layer: nothing, if it may not have it, so that any plan can be recomputed."""
    return HALVINGS[layer.role].get(letter, Halving(None))


def boxes(above: Sequence[Halving], operand: Operand) -> list[Box]:
    """Return how a tensor is halved at each level."""
    return [getattr(one, operand) for one in above]
