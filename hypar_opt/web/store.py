"""The jobs in a database, which outlives the server."""

from __future__ import annotations

import secrets
import sqlite3
import time
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, get_args

from pydantic import Field

from hypar_opt.instance.fields import Spec
from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import checked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


State: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled", "interrupted", "damaged"]
QUEUED, RUNNING, DONE, FAILED, CANCELLED, INTERRUPTED, DAMAGED = STATES = get_args(State)
ENDED: Final = frozenset(STATES) - {QUEUED, RUNNING}
TOKEN: Final = r"^[A-Za-z0-9_-]{24}$"
Moment: TypeAlias = Annotated[float, Field(ge=0, le=253402214400)]
"""Seconds since 1970, until the year 9999; 0 for a moment that nobody knows."""


class Job(Spec):
    """One job."""

    id: Annotated[str, Field(pattern=TOKEN)] = Field(
        description="a random token of 24 characters, which names its folder and its pages"
    )
    label: str = Field(description="the instance's name, or that of its file before it is read: a client's text")
    state: State = Field(description="what happens to it, or did")
    created: Moment = Field(description="when it was taken in")
    began: Moment | None = Field(None, description="when it was started, if it was")
    ended: Moment | None = Field(None, description="when it ended, if it did")
    error: str = Field("", description="why it failed, or what is wrong with what is stored of it, in words")
    headline: str = Field("", description="what was found, a line")
    place: str = Field("", description="whose workers run it, or did; nothing for a process of the server's own")

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen to it any more."""
        return self.state in ENDED


NAME: Final = "jobs.sqlite3"
_PLACE: Final = "place TEXT NOT NULL DEFAULT ''"
_TABLE = f"""
CREATE TABLE IF NOT EXISTS jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, label TEXT NOT NULL, state TEXT NOT NULL,
  created REAL NOT NULL, began REAL, ended REAL, error TEXT NOT NULL DEFAULT '', headline TEXT NOT NULL DEFAULT '',
  {_PLACE})
"""
_FIELDS: Final = tuple(Job.model_fields)
_COLUMNS: Final = ", ".join(_FIELDS)
_OVER: Final = ", ".join(f"'{state}'" for state in sorted(ENDED))


class JobStore:
    """All jobs; used from one thread. Each change is one transaction, on disk before it is told to anybody."""

    def __init__(self, path: Path) -> None:
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.text_factory = lambda content: content.decode(errors="replace")
            # one server a folder: the lock stays with this process until it ends, however it ends
            for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL"):
                self._db.execute(f"PRAGMA {setting}")
            self._db.execute(_TABLE)
            columns = {name for _, name, *_ in self._db.execute("PRAGMA table_info(jobs)")}
            if columns == {"number", *_FIELDS} - {"place"}:  # it was made before jobs ran elsewhere
                self._db.execute(f"ALTER TABLE jobs ADD COLUMN {_PLACE}")
            self._db.execute(f"SELECT {_COLUMNS} FROM jobs LIMIT 0")  # it could be another program's table
            (said,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                raise sqlite3.DatabaseError(said)
            self._db.execute("BEGIN IMMEDIATE")
            self._mark_damaged()
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            busy = "locked" in str(error)
            raise InputError("another server uses this folder" if busy else f"{error}", file=path) from None
        except sqlite3.DatabaseError as error:
            raise InputError(f"not a database of this program, or a damaged one: {error}", file=path) from None

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()

    def _mark_damaged(self) -> None:
        """Say of all rows that are no jobs what is wrong with them; what of them can be shown is kept."""
        for number, *values in self._db.execute(f"SELECT number, {_COLUMNS} FROM jobs").fetchall():
            row = dict(zip(_FIELDS, values, strict=True))
            try:
                _job(row)
            except InputError as error:
                kept = [_kept(row, "id", secrets.token_urlsafe(18)), _kept(row, "label", ""), DAMAGED]
                kept += [_kept(row, "created", 0.0), None, None, str(error), _kept(row, "headline", ""), ""]
                places = ", ".join(f"{name} = ?" for name in _FIELDS)
                self._db.execute(f"UPDATE jobs SET {places} WHERE number = ?", (*kept, number))

    def add(self, label: str, prepare: Callable[[str], None], discard: Callable[[str], None]) -> Job:
        """Take a new job into the queue, once what it needs is prepared under its token; discard that if it fails."""
        job = Job(id=secrets.token_urlsafe(18), label=label, state=QUEUED, created=time.time())
        values = (job.id, label, QUEUED, job.created)
        try:
            prepare(job.id)
            self._db.execute("INSERT INTO jobs (id, label, state, created) VALUES (?, ?, ?, ?)", values)
        except (OSError, sqlite3.Error):
            discard(job.id)
            raise
        return job

    def get(self, job: str) -> Job | None:
        """Return a job by its token."""
        return self._one("WHERE id = ?", job)

    def all(self, most: int = 1000) -> list[Job]:
        """Return the jobs, the newest first."""
        return self._all("ORDER BY number DESC LIMIT ?", most)

    def next(self) -> Job | None:
        """Return the job that has waited longest."""
        return self._one("WHERE state = ? ORDER BY number LIMIT 1", QUEUED)

    def count(self, state: str) -> int:
        """Return how many are in a state."""
        return self._count("state = ?", state)

    def position(self, job: str) -> int:
        """Return how many are before a job in the queue, itself included; 0 where it waits no more."""
        where = "state = ?1 AND number <= (SELECT number FROM jobs WHERE id = ?2 AND state = ?1)"
        return self._count(where, QUEUED, job)

    def begin(self, job: str, place: str = "") -> None:
        """Say that a job runs, and by whose workers."""
        values = (RUNNING, time.time(), place, job)
        self._db.execute("UPDATE jobs SET state = ?, began = ?, place = ? WHERE id = ?", values)

    def end(self, job: str, state: str, *, error: str = "", headline: str = "", label: str = "") -> None:
        """Say how a job ended; the first that says so is right."""
        self._db.execute(
            "UPDATE jobs SET state = ?, ended = ?, error = ?, headline = ?, label = COALESCE(NULLIF(?, ''), label) "
            "WHERE id = ? AND ended IS NULL",
            (state, time.time(), error, headline, label, job),
        )

    def running(self) -> list[Job]:
        """Return the jobs that run, or that ran when the server was killed."""
        return self._all("WHERE state = ? ORDER BY number", RUNNING)

    def remove(self, job: str) -> None:
        """Forget a job."""
        self._db.execute("DELETE FROM jobs WHERE id = ?", (job,))

    def remove_oldest(self, keep: int) -> list[str]:
        """Forget all ended jobs but the newest ones; return their tokens."""
        rows = self._db.execute(
            f"SELECT id FROM jobs WHERE state IN ({_OVER}) ORDER BY number DESC LIMIT -1 OFFSET ?", (keep,)
        ).fetchall()
        self._db.executemany("DELETE FROM jobs WHERE id = ?", rows)
        return [row[0] for row in rows]

    def _count(self, where: str, *values: str) -> int:
        return int(self._db.execute(f"SELECT COUNT(*) FROM jobs WHERE {where}", values).fetchone()[0])

    def _one(self, where: str, *values: Any) -> Job | None:
        return next(iter(self._all(where, *values)), None)

    def _all(self, where: str, *values: Any) -> list[Job]:
        rows = self._db.execute(f"SELECT {_COLUMNS} FROM jobs {where}", values)
        return [_job(dict(zip(_FIELDS, row, strict=True))) for row in rows]


def _job(row: dict[str, Any]) -> Job:
    return checked(row, Job, NAME)


def _kept(row: dict[str, Any], field: str, instead: Any) -> Any:
    """Return a field of a damaged row if it is what it should be by itself."""
    sound = {"id": "x" * 24, "label": "", "state": DAMAGED, "created": 0.0}
    try:
        _job({**sound, field: row[field]})
    except InputError:
        return instead
    return row[field]
