"""The bytes of a file, decompressed where it is compressed, and never more of them than fit."""

from __future__ import annotations

import gzip
import zlib
from codecs import getincrementaldecoder
from io import BytesIO
from typing import IO, TYPE_CHECKING, Final

from hypar_opt.instance.formats.format import BOM, GZIP, reading
from hypar_opt.instance.limits import MOST_UNPACKED
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_CHUNK: Final = 2**20


def unpacked(path: Path) -> bytes:
    """Read a file of JSON, compressed by gzip or not, as its content says.

    Raises
    ------
    InputError
        If it cannot be read, is damaged, empty, no UTF-8, or larger than the limit: nothing beyond that is unpacked.
    """
    with reading(path), path.open("rb") as file:
        packed = file.peek(len(GZIP)).startswith(GZIP)
        try:
            content = _read(gzip.GzipFile(fileobj=file) if packed else file, path)
        except EOFError:
            raise InputError("the gzip file ends too early; is the download complete?", file=path) from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"the gzip file is damaged: {error}", file=path) from None
    content = content.removeprefix(BOM)
    if not content:
        raise InputError("the file is empty, expected a strategy graph as JSON", file=path)
    _check_text(content, path)
    return content


def _read(stream: IO[bytes] | gzip.GzipFile, path: Path) -> bytes:
    found, size = BytesIO(), 0
    while chunk := stream.read(_CHUNK):
        size += found.write(chunk)
        if size > MOST_UNPACKED:
            found.close()
            raise InputError(f"unpacks to more than {MOST_UNPACKED / 2**20:,.0f} MiB, the limit", file=path)
    return found.getvalue()


def _check_text(content: bytes, path: Path) -> None:
    """Check that it is UTF-8, part by part: one wide character makes text of four bytes a character."""
    if content.isascii():
        return
    decoder = getincrementaldecoder("utf-8")()
    for start in range(0, len(content), _CHUNK):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(content[start : start + _CHUNK], final=start + _CHUNK >= len(content))
        except UnicodeDecodeError as error:
            message = f"not UTF-8, expected JSON in UTF-8 (byte {start - held + error.start})"
            raise InputError(message, file=path) from None
