"""The text of a layer's entry where bits are chosen: its word, and behind it the bits of what it sends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.instance.precision_schema import COVERED

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_DIGITS = 6
"""Of a number of bits."""


@dataclass(frozen=True)
class SentWord:
    """A word, and bits, as `dm gradient:8 error:16`, or `dm all:8`.

    Parameters
    ----------
    word
        A letter a level.
    bits
        By what they are given of: a tensor, or all.
    """

    word: str
    bits: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.word, *(f"{name}:{count}" for name, count in self.bits.items())])

    @classmethod
    def read(cls, text: object) -> SentWord | None:
        """Return what a text says; None where it says nothing of the kind."""
        if not isinstance(text, str):
            return None
        word, *others = text.split(" ")
        bits: dict[str, int] = {}
        for one in others:
            name, colon, count = one.partition(":")
            is_number = count.isdecimal() and count.isascii() and len(count) <= MOST_DIGITS
            if not colon or name not in COVERED or name in bits or not is_number:
                return None
            bits[name] = int(count)
        return cls(word, bits)

    def by_tensor(self, full: int) -> dict[str, int]:
        """Return the bits of every tensor; in full, where none are chosen."""
        found = {name: full for names in COVERED.values() for name in names}
        return found | {name: count for given, count in self.bits.items() for name in COVERED[given]}
