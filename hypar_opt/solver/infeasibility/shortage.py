"""What a memory is short of, whatever is kept in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


@dataclass(frozen=True)
class MemoryShortage:
    """What is needed and what there is, in bytes of one accelerator or device.

    Parameters
    ----------
    needed
        The least that any plan keeps.
    available
        The capacity.
    parts
        By layer, operator, or tensor that several read, the least that it keeps; they do not depend on each other here.
    levers
        Changes that would each make room for some plan.
    each
        What has the memory.
    otherwise
        What is said where no lever makes room.
    does, when
        What a plan does with it, and when, if that is said.
    """

    needed: Fraction
    available: Fraction
    parts: Mapping[str, Fraction]
    levers: tuple[str, ...]
    each: str = "accelerator"
    otherwise: str = ""
    does: str = "keeps"
    when: str = ""

    @property
    def text(self) -> str:
        """In a sentence or two."""
        name, most = max(self.parts.items(), key=lambda pair: pair[1])
        helps = f"; enough would be: {'; or '.join(self.levers)}" if self.levers else self.otherwise
        return (
            f"memory: any plan {self.does} at least {in_full(self.needed)} bytes on each {self.each}, which has "
            f"{in_full(self.available)}{self.when}; '{name}' needs most of them, {in_full(most)}{helps}"
        )
