"""How operators may be split and kept, and what is charged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.instance.operators.conversion_tables import ConversionTable
    from hypar_opt.util.partition import Partition

REPLICATED: Final = "replicated"
SHARDED: Final = "zero-3"
STORAGES: Final = (REPLICATED, "zero-1", "zero-2", SHARDED)
"""How an operator's parameters and what belongs to them are kept where their gradients are partial sums."""


@dataclass(frozen=True)
class OperatorModel:
    """How operators may be split, and what is charged.

    Parameters
    ----------
    partition
        How the array is cut.
    choices
        Names of dimensions that may be split, and `none` where every operator may be left whole; None for all of an
        operator's own, cheap ones left whole, too.
    divisible
        Whether only dimensions may be split that divide.
    storages
        Of `STORAGES`, those that an operator may choose from.
    memory
        Bytes of every device that a plan may take; None where that does not matter.
    states
        Numbers that the optimiser keeps for every parameter.
    fix
        Words that are given, by operator or `TENSOR:forward` and so on; None at axes that are left open.
    padded
        Whether what parts do not divide is padded; else parts are fractions.
    recompute
        Whether repeated `blocks` are run once more backward, and keep no maps inside, `none`, or those that are chosen
        (`choose`).
    conversions
        What a partitioner moves, where that is charged.
    """

    partition: Partition
    choices: tuple[str, ...] | None = None
    divisible: bool = False
    storages: tuple[str, ...] = (REPLICATED,)
    memory: Fraction | None = None
    states: int = 0
    fix: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict, hash=False)
    padded: bool = False
    recompute: str = "none"
    conversions: ConversionTable | None = field(default=None, hash=False)

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes' sizes."""
        return tuple(axis.size for axis in self.partition.axes)
