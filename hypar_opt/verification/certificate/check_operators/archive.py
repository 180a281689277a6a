"""The members of a certificate's archive: a header whose fields have the types and ranges said, and tables."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from reprlib import repr as short
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Array: TypeAlias = np.ndarray[Any, Any]

MEMBERS = ("header.json", "messages.npy")
NPY = re.compile(  # not left to NumPy, which evaluates what stands there
    rb"\x93NUMPY((?s:\x01\0..|\x02\0....))\{'descr': '(<i8|\|u1)', 'fortran_order': False, "
    rb"'shape': \((\d{1,12}),(?: ([1-9]\d?))?\), \} *\n"
)


class OperatorCertificateError(Exception):
    """A file is not a certificate, or damaged."""


def expect(is_so: object, message: str) -> None:
    """Refuse the file with a message unless something is so."""
    if not is_so:
        raise OperatorCertificateError(message)


def conform(value: Any, shape: Any, where: str) -> None:
    """Check the types and ranges of a value and of all in it.

    Parameters
    ----------
    value
        As read from JSON.
    shape
        A range of integers, a pattern of texts, a truth value for either of the two, a list with the shape of every
        entry, an object with that of every field ("*": any names), a tuple with the shape of what may be null, or None
        for anything.
    where
        What it is called.
    """
    if shape is None or (value is None and isinstance(shape, tuple)):
        return
    (shape,) = shape if isinstance(shape, tuple) else (shape,)
    kind = int if isinstance(shape, range) else type(shape)
    fits = type(value) is kind  # true is no integer
    fits = fits and (kind is not int or value in shape) and (kind is not str or bool(re.fullmatch(shape, value)))
    if not fits:
        expected = shape if kind in (int, str) else kind.__name__
        raise OperatorCertificateError(f"{where}: expected {expected}, got {short(value)}")
    if kind is dict:
        fields = dict.fromkeys(value, shape["*"]) if "*" in shape else shape
        wrong = short(sorted(fields.keys() ^ value.keys()))
        expect(wrong == "[]", f"{where}: missing or unknown fields: {wrong}")
        for name in fields:
            conform(value[name], fields[name], f"{where}: {name}")
    for number, one in enumerate(value if kind is list else ()):
        conform(one, shape[0], f"{where}[{number}]")


def read_header(archive: zipfile.ZipFile) -> Any:
    """Return what header.json holds, once the archive's members are known to claim no more than there is."""
    for one in archive.infolist():
        is_plain = one.compress_type == zipfile.ZIP_STORED and not one.flag_bits & 1
        is_there = one.file_size == one.compress_size <= archive.start_dir  # which is behind the members
        expect(is_plain and is_there, f"{one.filename}: expected to be stored as it is, in all its length")
    names = sorted(archive.namelist())
    expect(names == sorted(MEMBERS), f"expected {' and '.join(MEMBERS)}, got {short(names)}")
    return json.loads(archive.read("header.json").decode("utf-8"))


def read_tables(
    archive: zipfile.ZipFile, sizes: Sequence[int], digest: str, fit: Callable[[int, int], object]
) -> Iterator[Array]:
    """Yield one table of messages.npy after the other; behind the last, compare the digest.

    Parameters
    ----------
    archive
        With this member.
    sizes
        Of every table, in entries.
    digest
        SHA-256 of all entries' bytes.
    fit
        Refuses a table of so many entries, none of which exceeds a number, before it is read.
    """
    with archive.open("messages.npy") as member:
        entries, row = _beginning(member)
        width, count, hashed = row or 8, sum(sizes), hashlib.sha256()
        left = archive.getinfo("messages.npy").file_size - member.tell()
        is_so = entries == count and left == count * width
        expect(is_so, f"messages.npy: expected {count} entries of {width} bytes, got {entries} and {left} bytes")
        for size in sizes:
            fit(size, 2 ** (8 * width - 1) if row else 0)
            raw = member.read(size * width)
            hashed.update(raw)
            if row:
                rows = (raw[at : at + width] for at in range(0, len(raw), width))
                yield np.array([int.from_bytes(one, "little", signed=True) for one in rows], object)
            else:
                yield np.frombuffer(raw, "<i8").astype(np.int64)
        expect(hashed.hexdigest() == digest, "header.json: arrays_sha256: messages.npy has another digest")


def _beginning(member: IO[bytes]) -> tuple[int, int | None]:
    """Read what stands before the entries: how many there are, and the bytes of a row if there are rows."""
    found = NPY.fullmatch(text := member.readline(1000))
    is_so = found and int.from_bytes(found[1][2:], "little") == len(text) - 6 - len(found[1])
    if not found or not is_so or (found[2] == b"<i8") != (found[4] is None):
        raise OperatorCertificateError(f"messages.npy: expected '<i8' (n,) or '|u1' (n, bytes), got {short(text)}")
    return int(found[3]), int(found[4]) if found[4] else None
