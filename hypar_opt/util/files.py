"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


TEMPORARY: Final = ".hypar-opt."
"""What the names of files begin with that are not written to their end yet."""


def write_atomically(path: Path, text: str) -> None:
    """Write a text file in one step; see `atomically`."""
    with atomically(path) as stream:
        # a name of a file that the locale could not decode stands there as the bytes that it is
        stream.write(text.encode(errors="surrogateescape"))


@contextmanager
def atomically(path: Path) -> Iterator[IO[bytes]]:
    """Write a file in one step: into a temporary file beside it, renamed over it at the end of the block.

    A link stays a link, its target is replaced. What is no regular file (a pipe, a device) is written to.

    Raises
    ------
    InputError
        If the place cannot be written to; what was there before is left as it was.
    """
    place = check_writable(path)
    temporary: str | None = None
    try:
        if not _replaceable(place):
            with place.open("wb") as stream:
                yield stream
            return
        handle, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=place.parent)
        with os.fdopen(handle, "wb") as stream:
            yield stream
        Path(temporary).chmod(_mode(place))
        Path(temporary).replace(place)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
    finally:
        if temporary is not None:
            with suppress(FileNotFoundError):
                Path(temporary).unlink()


def check_writable(path: Path) -> Path:
    """Find out before the work whether a file can be written after it.

    Returns
    -------
    The place itself, behind all links.

    Raises
    ------
    InputError
        If it cannot.
    """
    try:
        place = path.resolve()
        if place.is_dir():
            raise InputError("is a directory, expected the name of a file to write", file=path)
        if not place.parent.is_dir():
            raise InputError(f"there is no folder '{place.parent}' to write it in", file=path)
        if _replaceable(place):
            with suppress(FileNotFoundError):
                place.lstat()  # a name may be too long for the file system
            with tempfile.TemporaryFile(dir=place.parent):
                pass
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
    except RuntimeError:  # what Python 3.11 and 3.12 raise for links in a circle
        raise InputError("cannot be written: its links lead in a circle", file=path) from None
    return place


def _replaceable(path: Path) -> bool:
    return path.is_file() or not path.exists()


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where they are not there.

    Raises
    ------
    InputError
        If that cannot be.
    """
    if path.is_file():
        raise InputError("is a file, expected a folder to write to", file=path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}", file=path) from None


def prepare_folder(folder: Path, names: Iterable[str]) -> None:
    """Make a folder, and find out before the work whether files of these names can be written to it.

    Raises
    ------
    InputError
        If they cannot.
    """
    make_folder(folder)
    for name in names:
        check_writable(folder / name)


def write_to_folder(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write files by name, each atomically; return their paths."""
    make_folder(folder)
    for name, text in texts.items():
        write_atomically(folder / name, text if text.endswith("\n") else text + "\n")
    return [folder / name for name in texts]


def write_bytes_to_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by name, each atomically."""
    make_folder(folder)
    for name, content in contents.items():
        with atomically(folder / name) as stream:
            stream.write(content)


def open_log(path: Path) -> IO[bytes]:
    """Open a file to write lines to, unbuffered: what was written is there, and closing it cannot fail.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    try:
        return path.open("wb", buffering=0)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None


def _mode(path: Path) -> int:
    """Keep the permissions of a file that is replaced; a new one gets what the umask leaves."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
