"""Devices that do a stage, as plans have them in front of its operators."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

_DEVICES: Final = re.compile(
    r"(?P<kind>.+?) (?P<first>[1-9][0-9]{0,5})(?:-(?P<last>[1-9][0-9]{0,5}))?(?: tensor (?P<tensor>[1-9][0-9]{0,5}))?"
)
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
    """

    kind: str
    first: int
    count: int = 1
    tensor: int = 1

    @property
    def replicas(self) -> int:
        """How many there are, each of which does a part of the samples."""
        return self.count // self.tensor

    def __str__(self) -> str:
        """As plans have it: `gpu 1`, `gpu 2-4`, `gpu 1-4 tensor 2`."""
        last = f"-{self.first + self.count - 1}" if self.count > 1 else ""
        return f"{self.kind} {self.first}{last}" + (f" tensor {self.tensor}" if self.tensor > 1 else "")

    @classmethod
    def read(cls, text: str) -> StageDevices | None:
        """Return what a text spells; None where it is nothing of the kind."""
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
