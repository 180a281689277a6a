"""Gaps on the disk, and their exact percentiles: as many as there are rows, in the memory of a few thousand."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final

from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Iterator


AT_A_TIME: Final = 4096
"""Gaps that wait in memory."""
PERCENT: Final = 100


class GapSpool:
    """Gaps in a temporary file, which SQLite makes where they outgrow its cache of some megabytes, and removes.

    Rounding to a float keeps the order, so floats are sorted, and only of the gaps with the very float that is looked
    for exact ones are compared.
    """

    def __init__(self) -> None:
        self.count = 0
        """Of all gaps."""
        self._waiting: list[tuple[float, str]] = []
        self._database: sqlite3.Connection | None = None

    def add(self, gap: Fraction) -> None:
        """Keep a gap."""
        self.count += 1
        self._waiting.append((float(gap), str(gap)))
        if len(self._waiting) >= AT_A_TIME:
            self._write()

    def percentiles(self) -> tuple[float, ...]:
        """Return the 1st to the 100th percentile, rounded: the least gap that so many per cent do not exceed."""
        if not self.count:
            return ()
        ranks = [rank_of(percent, self.count) for percent in range(1, PERCENT + 1)]
        found: list[float] = []
        at = -1
        database = self._write()
        with _explained():
            rising = (near for (near,) in database.execute("SELECT near FROM gaps ORDER BY near"))
            for rank in ranks:
                if rank > at:
                    value = next(islice(rising, rank - at - 1, None))
                    at = rank
                found.append(value)
        return tuple(found)

    def exactly(self, percent: int, percentiles: tuple[float, ...]) -> Fraction | None:
        """Return a percentile as it is; None where there is no gap."""
        if not self.count:
            return None
        near = percentiles[percent - 1]
        ((below,),) = self._write().execute("SELECT COUNT(*) FROM gaps WHERE near < ?", (near,))
        same = self._write().execute("SELECT gap, COUNT(*) FROM gaps WHERE near = ? GROUP BY gap", (near,))
        left = rank_of(percent, self.count) - below
        for gap, times in sorted((Fraction(text), times) for text, times in same):
            if left < times:
                return gap
            left -= times
        raise AssertionError("a percentile is one of the gaps")

    def close(self) -> None:
        """Remove the file."""
        if self._database is not None:
            self._database.close()

    def _write(self) -> sqlite3.Connection:
        """Write what waits; return the database."""
        with _explained():
            if self._database is None:
                self._database = sqlite3.connect("", isolation_level=None)  # on the disk, and nobody else's
                self._database.execute("CREATE TABLE gaps (near REAL NOT NULL, gap TEXT NOT NULL)")
                self._database.execute("BEGIN")
            self._database.executemany("INSERT INTO gaps VALUES (?, ?)", self._waiting)
        self._waiting = []
        return self._database


@contextmanager
def _explained() -> Iterator[None]:
    """Say what an error of the temporary file is about."""
    try:
        yield
    except sqlite3.Error as error:
        message = f"gaps cannot be sorted in a temporary file: {error}; TMPDIR names a folder with more room"
        raise HyparError(message) from None


def rank_of(percent: int, count: int) -> int:
    """Return which of so many values in rising order is the least that so many per cent of them do not exceed."""
    return -(-percent * count // 100) - 1
