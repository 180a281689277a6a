"""A campaign's rows in an SQLite file: kept in small transactions, so that nothing is lost or double after any end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.studies.random_instances.row import COLUMNS, CampaignRow, RowChecker
from hypar_opt.studies.random_instances.store.aside import AsideChain, by_chain, checked
from hypar_opt.studies.random_instances.store.database import ASIDE, ASIDE_TABLE, Database
from hypar_opt.studies.random_instances.store.identity import CampaignIdentity, recorded_identity
from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from hypar_opt.studies.random_instances.generator import Family
    from hypar_opt.studies.random_instances.measurement import Task


WINDOW: Final = 4096
"""Chains that are looked up at a time: no list of all chains is ever made."""
_NAMES: Final = ", ".join(COLUMNS)
_INSERT: Final = f"INSERT OR IGNORE INTO rows ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"
_ROWS: Final = f"SELECT {_NAMES} FROM rows WHERE accounting = ? AND chain > ? AND chain < ? ORDER BY chain LIMIT ?"
_LAST: Final = "SELECT MAX(chain) FROM rows WHERE accounting = ?"
_CHAINS: Final = "SELECT chain FROM rows WHERE accounting = ? AND chain >= ? AND chain < ?"
_PUT_ASIDE: Final = f"INSERT OR REPLACE INTO {ASIDE} (accounting, chain, why) VALUES (?, ?, ?)"
_ASIDE: Final = f"""SELECT accounting, chain, why FROM {ASIDE} AS one
    WHERE NOT EXISTS (SELECT 1 FROM rows WHERE accounting = one.accounting AND chain = one.chain)"""
_EVERY: Final = f"SELECT rowid, {_NAMES} FROM rows WHERE rowid > ? ORDER BY rowid LIMIT ?"


class CampaignStore:
    """The rows of one family and one seed, in a file or in memory; a context manager.

    Several processes may write to one file: a row that is there already is left, and has to be the same.

    Parameters
    ----------
    path
        The file, made where there is none; None to keep the rows in memory.
    family, seed
        Whose rows; without them the file is only read, and says itself whose rows it has.

    Raises
    ------
    InputError
        If the file is no database of this family and seed, has a row that cannot be, or cannot be read and written.
        It is left as it was.
    """

    def __init__(self, path: Path | None, family: Family | None = None, seed: int = 0) -> None:
        self.path = path
        wanted = None if family is None else CampaignIdentity(family, seed)
        self._database = Database(path, wanted)
        try:
            self.identity = wanted or recorded_identity(self._database.recorded(), path)
            self._checker = RowChecker(self.identity.family, self.identity.seed, path)
            if wanted is not None:  # who only reads looks at rows as they come
                self._check_all()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> CampaignStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._database.close()

    def add(self, rows: Sequence[CampaignRow]) -> None:
        """Write rows, all of them or none; those that are there already are compared with what is there.

        Raises
        ------
        HyparError
            If a row is there with other contents: it was made by another version, or something is not repeatable.
        """
        if not rows:
            return
        with self._database.transaction():
            for row in rows:
                if self._database.change(_INSERT, *row.values()) == 0:
                    self._compare(row)

    def extents(self) -> dict[str, int]:
        """Return by accounting that has rows, in the order of `ACCOUNTINGS`, one more than the last chain's index."""
        found = {name: self._database.all(_LAST, name) for name in ACCOUNTINGS}
        return {name: last + 1 for name, ((last,),) in found.items() if isinstance(last, int)}

    def complete(self, count: int, accountings: Sequence[str]) -> int:
        """Return how many of the chains below a count have a row under each of some accountings."""
        marks = ", ".join("?" * len(accountings))
        query = (
            f"SELECT COUNT(*) FROM (SELECT 1 FROM rows WHERE accounting IN ({marks}) AND chain < ? "
            "GROUP BY chain HAVING COUNT(*) = ?)"
        )
        ((found,),) = self._database.all(query, *accountings, count, len(accountings))
        return int(found)

    def missing(self, count: int, accountings: Sequence[str]) -> Iterator[Task]:
        """Yield the chains below a count that lack rows, with the accountings they lack; looked up as they are used."""
        for start in range(0, count, WINDOW):
            end = min(count, start + WINDOW)
            found = {name: self._database.all(_CHAINS, name, start, end) for name in accountings}
            there = {name: {chain for (chain,) in chains} for name, chains in found.items()}
            for chain in range(start, end):
                names = tuple(name for name in accountings if chain not in there[name])
                if names:
                    yield chain, names

    def rows(self, count: int, accounting: str) -> Iterator[CampaignRow]:
        """Yield an accounting's rows of the chains below a count, in order.

        Raises
        ------
        InputError
            If a row cannot be.
        """
        last = -1
        while page := self._database.all(_ROWS, accounting, last, count, WINDOW):
            for values in page:
                row = self._checker.row(values)
                yield row
                last = row.chain

    def put_aside(self, chain: int, accountings: Sequence[str], why: str) -> None:
        """Keep that a chain killed what measured it; rows that are added later make up for it."""
        with self._database.transaction():
            self._database.change(ASIDE_TABLE)
            for name in accountings:
                self._database.change(_PUT_ASIDE, name, chain, why)

    def aside(self, count: int, accountings: Sequence[str]) -> list[AsideChain]:
        """Return which chains below a count were put aside and lack rows under some of these accountings, by index.

        Raises
        ------
        InputError
            If the file has what cannot be.
        """
        found = self._database.all(_ASIDE) if ASIDE in self._database.tables() else []
        return by_chain([checked(one, self.path) for one in found], count, accountings)

    def _check_all(self) -> None:
        """Look at all rows, before anything is measured or written."""
        self.aside(0, ())
        last = -(2**63)
        while page := self._database.all(_EVERY, last, WINDOW):
            for _, *values in page:
                self._checker.row(values)
            last = page[-1][0]

    def _compare(self, row: CampaignRow) -> None:
        (there,) = self._database.all(_ROWS, row.accounting, row.chain - 1, row.chain + 1, 1)
        if CampaignRow(*there) != row:
            raise HyparError(
                f"{self.path}: chain {row.chain} under {row.accounting} is there with another result; "
                "it was made by another version of hypar-opt. Start a new store"
            )
