"""What a layer has in a plan with stages: accelerators of its stage, and its strategy on these."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TEXT: Final = re.compile(r"(?P<first>[1-9][0-9]{,5})(-(?P<last>[1-9][0-9]{,5}))?( (?P<word>[a-z]+))?")


@dataclass(frozen=True, order=True)
class StageWord:
    """A word on a part of an array.

    Parameters
    ----------
    first, count
        The leaf that the stage's accelerators begin with, from 0, and how many they are.
    word
        A letter for every level in which they are cut.
    """

    first: int
    count: int
    word: str = ""

    def __str__(self) -> str:
        """As plans have it: `3`, `5-8 dm`."""
        return f"{self.leaves} {self.word}".rstrip()

    @property
    def leaves(self) -> str:
        """Its leaves, counted from 1: `3`, `5-8`."""
        return f"{self.first + 1}" + (f"-{self.end}" if self.count > 1 else "")

    @property
    def end(self) -> int:
        """The leaf behind its last one."""
        return self.first + self.count

    @property
    def levels(self) -> int:
        """In how many levels its leaves are cut, where they are a power of two."""
        return self.count.bit_length() - 1

    @property
    def place(self) -> tuple[int, int]:
        """Its first leaf, and how many it has: equal for all layers of a stage."""
        return self.first, self.count

    @classmethod
    def read(cls, text: object) -> StageWord | None:
        """Return what a text spells; None where it is nothing of the kind."""
        found = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            return None
        first, last = int(found["first"]), int(found["last"] or found["first"])
        read = cls(first - 1, last - first + 1, found["word"] or "")
        return read if str(read) == text else None
