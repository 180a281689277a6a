"""What groups of operators take and keep in one way to do a stage."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.pipeline.option import StageOption, integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.pipeline_memory import KeptBytes
    from hypar_opt.instance.pipeline import DeviceKind, PipelineOperator


@dataclass(frozen=True)
class StageWay:
    """A way to do stages.

    Parameters
    ----------
    number, kind, devices
        Of which kind, by its number, and on how many of them.
    groups, sizes
        The groups' operators, and the bytes of outputs that cross between groups.
    kept
        What operators keep.
    """

    number: int
    kind: DeviceKind
    devices: int
    groups: Sequence[Sequence[PipelineOperator]]
    sizes: Sequence[Fraction]
    kept: KeptBytes

    @property
    def seconds(self) -> list[Fraction]:
        """By group: each replica does a part of the samples, and adds up its gradients with the others' for each."""
        return [
            sum(
                (
                    one.computing(self.kind.name) + self.kind.addition(one.parameters, self.devices)
                    for one in own
                    if self.kind.name in one.seconds
                ),
                start=Fraction(0),
            )
            / self.devices
            for own in self.groups
        ]

    @property
    def transfers(self) -> list[Fraction]:
        """By output."""
        return [self.kind.transfer(size, self.devices) for size in self.sizes]

    def option(self, unit: int, memory_unit: int) -> StageOption:
        """Return it in units."""
        usages, with_one_more = (
            [
                int(sum((self.kept.of(one, count) for one in own), start=Fraction(0)) * memory_unit)
                for own in self.groups
            ]
            for count in self.kept.told
        )
        activations = [more - usage for usage, more in zip(usages, with_one_more, strict=True)]
        most = sum(usages) + (self.kept.most - self.kept.least) * sum(activations)
        return StageOption(
            self.number,
            self.devices,
            integers([int(one * unit) for one in self.seconds]),
            integers([int(one * unit) for one in self.transfers]),
            integers(usages, most),
            None if self.kind.memory is None else int(self.kind.memory * memory_unit),
            np.array([all(self.kind.name in one.seconds for one in own) for own in self.groups], dtype=bool),
            integers(activations, most),
            self.devices,
        )
