"""A campaign's rows in an SQLite file: kept in small transactions, so that nothing is lost or double after any end."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.studies.random_instances.row import COLUMNS, CampaignRow, RowChecker
from hypar_opt.util.errors import HyparError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from hypar_opt.studies.random_instances.generator import Family
    from hypar_opt.studies.random_instances.measurement import Task


FORMAT: Final = "hypar-opt/campaign/1"
"""Changes with the rows' fields, with what they mean, and with how chains are drawn."""
TABLES: Final = (
    "CREATE TABLE campaign (field TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE rows (
        family TEXT NOT NULL, seed INTEGER NOT NULL, chain INTEGER NOT NULL, accounting TEXT NOT NULL,
        layers INTEGER NOT NULL, levels INTEGER NOT NULL, batch INTEGER NOT NULL, choices TEXT NOT NULL,
        sha256 TEXT NOT NULL, greedy_status TEXT NOT NULL, optimum_status TEXT NOT NULL,
        greedy TEXT, optimum TEXT, gap TEXT, gap_float REAL, published_plan TEXT,
        PRIMARY KEY (accounting, chain))""",
)


def difference(there: object, wanted: str) -> str:
    """Return what differs in a value of the table `campaign`, field by field where both are mappings."""
    if there is None:
        return f"it does not say its own, expected {wanted}"
    old, new = _loaded(there), _loaded(wanted)
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"its is {there!s:.200}, this one's {wanted}"
    fields = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(f"its {name} is {old.get(name)}, this one's {new.get(name)}" for name in fields)


def _loaded(text: object) -> Any:
    """Return what JSON text says, or None where it is none."""
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


PATIENCE_S: Final = 30.0
"""How long a write waits for another campaign's."""


class Database:
    """A database with a campaign's tables.

    Parameters
    ----------
    path
        The file, made where there is none; None for one in memory.
    wanted
        What its table `campaign` has to say, and says where it is new.

    Raises
    ------
    InputError
        If the file is no database of this campaign, or cannot be read and written. It is left as it was.
    """

    def __init__(self, path: Path | None, wanted: Mapping[str, str]) -> None:
        self._path = path
        # an absolute path is a file, whatever it is called: SQLite reads `:memory:` and `file:` in its own way
        place = ":memory:" if path is None else str(Path(path).absolute())
        with self._explained():
            # closed where it is not opened to the end: nobody else could
            self._connection = sqlite3.connect(place, timeout=PATIENCE_S, isolation_level=None)
            try:
                self._open(wanted)
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

    def _open(self, wanted: Mapping[str, str]) -> None:
        ((health,),) = self.all("PRAGMA quick_check(1)")
        if health != "ok":
            raise sqlite3.DatabaseError(health)
        with self.transaction():  # also finds out whether the file can be written
            tables = {name for (name,) in self.all("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if not tables:
                for table in TABLES:
                    self.change(table)
                for field, value in wanted.items():
                    self.change("INSERT INTO campaign VALUES (?, ?)", field, value)
            elif not tables >= {"campaign", "rows"}:
                raise InputError("an SQLite database of something else, expected a campaign's", file=self._path)
        self._identify(wanted)

    def _identify(self, wanted: Mapping[str, str]) -> None:
        there = dict(self.all("SELECT field, value FROM campaign"))
        for field, value in wanted.items():
            if there.get(field) != value:
                message = f"holds another campaign: {difference(there.get(field), value)}; name another file"
                raise InputError(message, file=self._path, field=field)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say which file an error of the database is about."""
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"cannot be used as a campaign's store: {error}", file=self._path) from None


WINDOW: Final = 4096
"""Chains that are looked up at a time: no list of all chains is ever made."""
_NAMES: Final = ", ".join(COLUMNS)
_INSERT: Final = f"INSERT OR IGNORE INTO rows ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"
_ROWS: Final = f"SELECT {_NAMES} FROM rows WHERE accounting = ? AND chain > ? AND chain < ? ORDER BY chain LIMIT ?"
_CHAINS: Final = "SELECT chain FROM rows WHERE accounting = ? AND chain >= ? AND chain < ?"
_EVERY: Final = f"SELECT rowid, {_NAMES} FROM rows WHERE rowid > ? ORDER BY rowid LIMIT ?"


class CampaignStore:
    """The rows of one family and one seed, in a file or in memory; a context manager.

    Several processes may write to one file: a row that is there already is left, and has to be the same.

    Parameters
    ----------
    path
        The file, made where there is none; None to keep the rows in memory.
    family, seed
        Whose rows.

    Raises
    ------
    InputError
        If the file is no database of this family and seed, has a row that cannot be, or cannot be read and written.
        It is left as it was.
    """

    def __init__(self, path: Path | None, family: Family, seed: int) -> None:
        self.path = path
        self._checker = RowChecker(family, seed, path)
        wanted = {"format": FORMAT, "family": json.dumps(family.document()), "seed": str(seed)}
        self._database = Database(path, wanted)
        try:
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

    def _check_all(self) -> None:
        """Look at all rows, before anything is measured or written."""
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
