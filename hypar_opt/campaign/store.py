"""Rows in an SQLite database: written in small transactions, so that nothing is lost or double after any end."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.campaign.row import COLUMNS, Row
from hypar_opt.errors import HyparError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from hypar_opt.campaign.family import Family

FORMAT: Final = "hypar-opt/campaign/1"
"""Changes with the rows' fields, with what they mean, and with how chains are drawn."""
PATIENCE_S: Final = 30.0
"""How long a write waits for another campaign's."""
_TABLES: Final = (
    "CREATE TABLE campaign (field TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE rows (
        family TEXT NOT NULL, seed INTEGER NOT NULL, chain INTEGER NOT NULL, accounting TEXT NOT NULL,
        layers INTEGER NOT NULL, levels INTEGER NOT NULL, batch INTEGER NOT NULL, choices TEXT NOT NULL,
        sha256 TEXT NOT NULL, greedy_status TEXT NOT NULL, optimum_status TEXT NOT NULL,
        greedy TEXT, optimum TEXT, gap TEXT, gap_float REAL, published_plan TEXT,
        PRIMARY KEY (accounting, chain))""",
)
_INSERT: Final = f"INSERT OR IGNORE INTO rows ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
_SELECT: Final = f"SELECT {', '.join(COLUMNS)} FROM rows"


class Store:
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
        If the file is no database of this family and seed, or cannot be read and written. It is left as it was.
    """

    def __init__(self, path: Path | None, family: Family, seed: int) -> None:
        self.path = path
        self._wanted = {"format": FORMAT, "family": json.dumps(family.document()), "seed": str(seed)}
        with self._explained():
            # closed where it is not opened to the end: __enter__ is not called then
            self._database = sqlite3.connect(path or ":memory:", timeout=PATIENCE_S, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._database.close()

    def add(self, rows: Sequence[Row]) -> None:
        """Write rows, all of them or none; those that are there already are compared with what is there.

        Raises
        ------
        HyparError
            If a row is there with other contents: it was made by another version, or something is not repeatable.
        """
        if not rows:
            return
        with self._explained(), self._transaction():
            for row in rows:
                if self._database.execute(_INSERT, row.values()).rowcount == 0:
                    self._compare(row)

    def missing(self, count: int, accountings: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
        """Return the chains below a count that lack rows, each with the accountings it lacks."""
        there = {name: self._chains(count, name) for name in accountings}
        lacking = ((chain, tuple(name for name in accountings if chain not in there[name])) for chain in range(count))
        return [(chain, names) for chain, names in lacking if names]

    def rows(self, count: int, accounting: str) -> Iterator[Row]:
        """Yield an accounting's rows of the chains below a count, in order."""
        query = f"{_SELECT} WHERE accounting = ? AND chain < ? ORDER BY chain"
        with self._explained():
            for values in self._database.execute(query, (accounting, count)):
                yield Row(*values)

    def _chains(self, count: int, accounting: str) -> frozenset[int]:
        query = "SELECT chain FROM rows WHERE accounting = ? AND chain < ?"
        with self._explained():
            return frozenset(chain for (chain,) in self._database.execute(query, (accounting, count)))

    def _compare(self, row: Row) -> None:
        query = f"{_SELECT} WHERE accounting = ? AND chain = ?"
        there = Row(*self._database.execute(query, (row.accounting, row.chain)).fetchone())
        if there != row:
            raise HyparError(
                f"{self.path}: chain {row.chain} under {row.accounting} is there with another result; "
                "it was made by another version of hypar-opt. Start a new store"
            )

    def _open(self) -> None:
        (health,) = self._database.execute("PRAGMA quick_check(1)").fetchone()
        if health != "ok":
            raise sqlite3.DatabaseError(health)
        with self._transaction():  # also finds out whether the file can be written
            tables = {name for (name,) in self._database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if not tables:
                for table in _TABLES:
                    self._database.execute(table)
                self._database.executemany("INSERT INTO campaign VALUES (?, ?)", self._wanted.items())
            elif not tables >= {"campaign", "rows"}:
                raise InputError("an SQLite database of something else, expected a campaign's", file=self.path)
        self._check(dict(self._database.execute("SELECT field, value FROM campaign")))

    def _check(self, there: dict[str, Any]) -> None:
        for field, wanted in self._wanted.items():
            if there.get(field) != wanted:
                difference = _difference(there.get(field), wanted)
                raise InputError(
                    f"holds another campaign: {difference}; name another file", file=self.path, field=field
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say which file an error of the database is about, and what can be done."""
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"cannot be used as a campaign's store: {error}", file=self.path) from None


def _difference(there: str | None, wanted: str) -> str:
    """Return what differs, field by field where both are mappings."""
    if there is None:
        return f"it does not say its own, expected {wanted}"
    try:
        old, new = json.loads(there), json.loads(wanted)
    except json.JSONDecodeError:
        return f"its is {there}, this one's {wanted}"
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"its is {there}, this one's {wanted}"
    fields = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(f"its {name} is {old.get(name)}, this one's {new.get(name)}" for name in fields)
