"""Which chains have rows: a bit each, whatever their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence


PAGE: Final = 4096
"""Chains of a page, one number; a campaign without holes takes a bit and little more a chain."""
EVERY: Final = (1 << PAGE) - 1


class ChainSet:
    """A set of chains' indices."""

    def __init__(self) -> None:
        self._pages: dict[int, int] = {}

    def __contains__(self, chain: int) -> bool:
        return bool(self.page(chain // PAGE) >> chain % PAGE & 1)

    def add(self, chain: int) -> bool:
        """Add a chain; return whether it is new."""
        number, bit = chain // PAGE, 1 << chain % PAGE
        before = self.page(number)
        self._pages[number] = before | bit
        return not before & bit

    def page(self, number: int) -> int:
        """Return the chains of a page: bit k of page n is chain n PAGE + k."""
        return self._pages.get(number, 0)

    @property
    def end(self) -> int:
        """One more than the last chain; 0 where there is none."""
        last = max(self._pages, default=0)
        return last * PAGE + self.page(last).bit_length()


def in_all(sets: Sequence[ChainSet], number: int, count: int) -> int:
    """Return the chains of a page, below a count, that are in all of some sets."""
    found = (1 << max(0, min(PAGE, count - number * PAGE))) - 1
    for one in sets:
        found &= one.page(number)
    return found


def pages_of(count: int) -> range:
    """Return the numbers of the pages that have chains below a count."""
    return range(-(-count // PAGE))
