"""The SQLite file of a campaign's rows: its tables, what it is asked, and errors that name it."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.studies.random_instances.store.identity import CampaignIdentity


TABLES: Final = (
    "CREATE TABLE campaign (field TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE rows (
        family TEXT NOT NULL, seed INTEGER NOT NULL, chain INTEGER NOT NULL, accounting TEXT NOT NULL,
        layers INTEGER NOT NULL, levels INTEGER NOT NULL, batch INTEGER NOT NULL, choices TEXT NOT NULL,
        sha256 TEXT NOT NULL, greedy_status TEXT NOT NULL, optimum_status TEXT NOT NULL,
        greedy TEXT, optimum TEXT, gap TEXT, gap_float REAL, published_plan TEXT,
        PRIMARY KEY (accounting, chain))""",
)
ASIDE: Final = "set_aside"
ASIDE_TABLE: Final = f"""CREATE TABLE IF NOT EXISTS {ASIDE} (
    accounting TEXT NOT NULL, chain INTEGER NOT NULL, why TEXT NOT NULL, PRIMARY KEY (accounting, chain))"""
"""Made when something is set aside for the first time; stores that lack it have nothing in it."""


PATIENCE_S: Final = 30.0
"""How long a write waits for another campaign's."""


class Database:
    """A database with a campaign's tables.

    Parameters
    ----------
    path
        The file, made where there is none; None for one in memory.
    wanted
        The campaign that it has to be of, and is of where it is new; None only to read what is there.

    Raises
    ------
    InputError
        If the file is no database of this campaign, or cannot be read and written. It is left as it was.
    """

    def __init__(self, path: Path | None, wanted: CampaignIdentity | None) -> None:
        self._path = path
        # an absolute path is a file, whatever it is called: SQLite reads `:memory:` and `file:` in its own way
        place = "file::memory:" if path is None else Path(path).absolute().as_uri()
        with self._explained():
            reads = wanted is None and path is not None
            self._connection = _connected(f"{place}?mode=ro" if reads else place)
            # closed where it is not opened to the end: nobody else could
            try:
                if reads and self._is_half_written():
                    # only who may write can undo what a killed campaign had not written to its end, as SQLite does
                    self.close()
                    self._connection = _connected(f"{place}?mode=rw")
                self._check()
                if wanted is not None:
                    self._begin(wanted)
                    wanted.check(self.recorded(), path)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def all(self, query: str, *parameters: object) -> list[Any]:
        """Return all rows of a query; the file is not held on to while they are looked at."""
        with self._explained():
            return self._connection.execute(query, parameters).fetchall()

    def change(self, statement: str, *parameters: object) -> int:
        """Return how many rows a statement changed."""
        with self._explained():
            return self._connection.execute(statement, parameters).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all of what is written within, or nothing; wait for other writers first."""
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk, for one, has ended it already
                    self._connection.execute("ROLLBACK")
                raise

    def recorded(self) -> dict[str, object]:
        """Return what the table `campaign` says."""
        if not self.tables() >= {"campaign", "rows"}:
            raise InputError("an SQLite database of something else, expected a campaign's", file=self._path)
        return dict(self.all("SELECT field, value FROM campaign"))

    def _is_half_written(self) -> bool:
        """Say whether a killed campaign has left a transaction in the middle."""
        try:
            self._connection.execute("SELECT 1 FROM sqlite_schema")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK
        return False

    def _check(self) -> None:
        ((health,),) = self.all("PRAGMA quick_check(1)")
        if health != "ok":
            raise sqlite3.DatabaseError(health)

    def _begin(self, wanted: CampaignIdentity) -> None:
        """Make the tables where there are none; also finds out whether the file can be written."""
        with self.transaction():
            if not self.tables():
                for table in TABLES:
                    self.change(table)
                for field, value in wanted.fields().items():
                    self.change("INSERT INTO campaign VALUES (?, ?)", field, value)

    def tables(self) -> set[str]:
        """Return the names of the tables."""
        return {name for (name,) in self.all("SELECT name FROM sqlite_schema WHERE type = 'table'")}

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say which file an error of the database is about."""
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"cannot be used as a campaign's store: {error}", file=self._path) from None


def _connected(place: str) -> sqlite3.Connection:
    return sqlite3.connect(place, timeout=PATIENCE_S, isolation_level=None, uri=True)
