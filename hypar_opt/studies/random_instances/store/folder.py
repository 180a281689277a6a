"""The folder of a store of Parquet files: whose it is, who writes to it, and which files in it count."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.studies.random_instances.store.aside import checked
from hypar_opt.studies.random_instances.store.row_files import (
    IN_PATH,
    MergedMeanwhile,
    RowFile,
    describe,
    number_of,
)
from hypar_opt.util.errors import InputError, did_you_mean
from hypar_opt.util.files import TEMPORARY, make_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.studies.random_instances.store.identity import CampaignIdentity


IDENTITY: Final = "_campaign.json"
ASIDE: Final = "_set_aside.json"
LOCK: Final = "_lock"
"""Names that begin so are no rows to whoever reads folders of Parquet files."""
LISTINGS: Final = 20
"""How often a folder is listed anew where files are merged between the listing and the first look at them."""


@contextmanager
def held_for(folder: Path, wanted: CampaignIdentity) -> Iterator[None]:
    """Hold a folder for a campaign that writes to it; a new or an empty one becomes this campaign's.

    Raises
    ------
    InputError
        If it is another's, or something else, or cannot be made; what is in it is left as it was.
    """
    make_folder(folder)
    if any(not one.name.startswith(("_", TEMPORARY)) for one in folder.iterdir()):
        wanted.check(recorded(folder), folder / IDENTITY)
    with held(folder):
        if not (folder / IDENTITY).exists():
            fields = wanted.fields()
            document = {**fields, "family": json.loads(fields["family"]), "seed": wanted.seed}
            write_atomically(folder / IDENTITY, json.dumps(document, indent=1) + "\n")
        wanted.check(recorded(folder), folder / IDENTITY)
        yield


def recorded(folder: Path) -> dict[str, object]:
    """Return what a folder says of itself, as text by name.

    Raises
    ------
    InputError
        If it says nothing.
    """
    path = folder / IDENTITY
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        message = f"a folder of something else, expected a campaign's, which has {IDENTITY}, or an empty one"
        raise InputError(message, file=folder) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read as JSON: {error!s:.200}", file=path) from None
    if not isinstance(found, dict):
        raise InputError("expected an object with format, family and seed", file=path)
    return {name: one if isinstance(one, str) else json.dumps(one) for name, one in found.items()}


def aside_entries(folder: Path) -> dict[tuple[str, int], str]:
    """Return what was set aside, by accounting and chain, and why; also what has rows by now.

    Raises
    ------
    InputError
        If the file has what cannot be.
    """
    path = folder / ASIDE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read as JSON: {error!s:.200}", file=path) from None
    if not isinstance(found, list):
        raise InputError(
            f"expected a list, each of it with an accounting, a chain and why, got {found!r:.100}", file=path
        )
    entries = (checked(one, path) for one in found)
    return {(accounting, chain): why for accounting, chain, why in entries}


def write_aside(folder: Path, entries: Mapping[tuple[str, int], str]) -> None:
    """Write what is set aside."""
    write_atomically(folder / ASIDE, json.dumps([[*key, why] for key, why in sorted(entries.items())], indent=1) + "\n")


def row_files(folder: Path, *, keep_below: int = 0) -> list[RowFile]:
    """Return the files of rows that count; what a merge has replaced does not.

    Parameters
    ----------
    keep_below
        As `describe` takes it: for who reads while another writes.

    Raises
    ------
    InputError
        If something is there that no campaign has written, or a file is damaged.
    """
    for _ in range(LISTINGS - 1):
        with suppress(MergedMeanwhile):
            return _listed(folder, keep_below)
    return _listed(folder, keep_below)


def _listed(folder: Path, keep_below: int) -> list[RowFile]:
    found: list[RowFile] = []
    for path in sorted(_shown(folder)):
        name = path.name.removeprefix(f"{IN_PATH}=")
        if name not in ACCOUNTINGS or name == path.name or not path.is_dir():
            expected = f"expected folders as {IN_PATH}={next(iter(ACCOUNTINGS))}{did_you_mean(name, ACCOUNTINGS)}"
            raise InputError(f"is nothing that a campaign has written; {expected}", file=path)
        files = [describe(one, keep_below=keep_below) for one in sorted(_shown(path), key=number_of)]
        gone = {name for one in files for name in one.replaces}
        found += [one for one in files if one.path.name not in gone]
    return found


def tidy(folder: Path, files: Sequence[RowFile]) -> None:
    """Remove what counts no more: files that were replaced, and what a killed campaign had not written to its end.

    Parameters
    ----------
    files
        Those that count, whose rows were looked at; nobody else writes to the folder.
    """
    counted = {one.path for one in files}
    for place in _shown(folder):
        for old in (*(one for one in _shown(place) if one not in counted), *place.glob(f"{TEMPORARY}*")):
            old.unlink(missing_ok=True)


def _shown(folder: Path) -> list[Path]:
    """Return what is in a folder, but for hidden files."""
    return [one for one in folder.iterdir() if not one.name.startswith((".", "_"))]


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder for one writer: its end, of whatever kind, frees it.

    Raises
    ------
    InputError
        If another process, or another store of this one, writes to it.
    """
    import fcntl

    try:
        stream: IO[str] = (folder / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=folder) from None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            message = f"is written to by another campaign (process {stream.read(20).strip() or 'unknown'})"
            raise InputError(f"{message}; one at a time may: wait for its end, or name another", file=folder) from None
        stream.truncate(0)
        stream.write(f"{os.getpid()}\n")
        stream.flush()
        yield
        with suppress(OSError):
            stream.truncate(0)
