"""Devices that do a stage, as plans have them in front of its operators."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.pipeline.parts import DeviceKind

_DEVICES: Final = re.compile(
    r"(?P<kind>.+?) (?P<first>[1-9][0-9]{0,5})(?:-(?P<last>[1-9][0-9]{0,5}))?(?: tensor (?P<tensor>[1-9][0-9]{0,5}))?"
)
WITHIN: Final = " / "
"""Between machines and what is inside, in plans; in no kind's name."""
ANEW: Final = "recompute"
"""Behind the devices of an operator that computes its activations anew."""


@dataclass(frozen=True, order=True)
class StageDevices:
    """Devices that do a stage: of a kind, from a number on so many.

    Parameters
    ----------
    kind, first, count
        The kind's name, the first one's number from 1, and how many.
    tensor
        How many of them do it together, and are one replica.
    inside
        Of machines: which devices in each do the stage.
    """

    kind: str
    first: int
    count: int = 1
    tensor: int = 1
    inside: StageDevices | None = None

    @property
    def replicas(self) -> int:
        """How many there are, each of which does a part of the samples."""
        return self.count // self.tensor

    def __str__(self) -> str:
        """As plans have it: `gpu 1`, `gpu 2-4`, `gpu 1-4 tensor 2`, `machine 1-2 / gpu 3`."""
        last = f"-{self.first + self.count - 1}" if self.count > 1 else ""
        own = f"{self.kind} {self.first}{last}" + (f" tensor {self.tensor}" if self.tensor > 1 else "")
        return own if self.inside is None else f"{own}{WITHIN}{self.inside}"

    @property
    def outer(self) -> StageDevices:
        """The machines, whatever is inside."""
        return self if self.inside is None else replace(self, inside=None)

    @property
    def innermost(self) -> StageDevices:
        """The devices that have none inside."""
        return self if self.inside is None else self.inside.innermost

    def fit(self, kinds: Sequence[DeviceKind]) -> bool:
        """Return whether they are of some kinds, and those inside of the kinds inside, down to the last."""
        kind = next((one for one in kinds if one.name == self.kind), None)
        if kind is None or (self.inside is None) != (not kind.inside):
            return False
        return self.inside is None or self.inside.fit(kind.inside)

    @classmethod
    def read(cls, text: str) -> StageDevices | None:
        """Return what a text spells; None where it is nothing of the kind."""
        outer, within, rest = text.partition(WITHIN)
        if within:
            own, inside = cls.read(outer), cls.read(rest)
            return None if own is None or inside is None else replace(own, inside=inside)
        found = _DEVICES.fullmatch(text)
        if found is None:
            return None
        first, last = int(found["first"]), int(found["last"] or found["first"])
        read = cls(found["kind"], first, last - first + 1, int(found["tensor"] or 1))
        return read if str(read) == text and not read.count % read.tensor else None


class PlannedOperator(NamedTuple):
    """Where an operator is done, and how.

    Parameters
    ----------
    devices
        Of its stage.
    anew
        Whether it computes its activations anew.
    """

    devices: StageDevices
    anew: bool = False

    def __str__(self) -> str:
        """As plans have it: `gpu 1 recompute`."""
        return f"{self.devices}{f' {ANEW}' if self.anew else ''}"

    @classmethod
    def read(cls, text: str) -> PlannedOperator | None:
        """Return what a text spells; None where it is nothing of the kind."""
        devices = StageDevices.read(text.removesuffix(f" {ANEW}"))
        return None if devices is None else cls(devices, text.endswith(f" {ANEW}"))
