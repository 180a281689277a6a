"""What a format is: how files are told apart, and read as plain data that remembers its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

from hypar_opt.instance.file_kinds import kind_of_binary, mistaken
from hypar_opt.instance.formats.lines import Position, TextError, Token, find_line, positions
from hypar_opt.instance.limits import MOST_BYTES
from hypar_opt.instance.text import FieldPath, dotted, shown
from hypar_opt.util.errors import InputError

BOM: Final = b"\xef\xbb\xbf"
"""What some editors put before UTF-8."""
GZIP: Final = b"\x1f\x8b"
"""What a gzip file begins with."""
UNRANKED: Final = 500
"""When formats are asked that do not say when: before those that take nearly anything."""
_SMALL: Final = 2**22
"""Characters of a text of which all values' lines are kept, once one is asked for."""
_SEEN_FIRST: Final = 4096
_TOO_LARGE: Final = f"larger than {MOST_BYTES // 2**20} MiB, the limit for a file"


@dataclass(frozen=True)
class File:
    """A file whose text is read once, however many formats are asked of it: a pipe can be read no second time.

    Parameters
    ----------
    path
        Where it is.
    expected
        What texts there are, for messages.
    """

    path: Path
    expected: str

    @cached_property
    def start(self) -> bytes:
        """The first bytes, without a mark of their order; none of what cannot be read, or be read again."""
        try:
            if not self.path.is_file():
                return b""
            with self.path.open("rb") as file:
                return file.read(_SEEN_FIRST).removeprefix(BOM)
        except OSError:
            return b""

    @cached_property
    def text(self) -> str:
        """All of it.

        Raises
        ------
        InputError
            If it cannot be read, or is too large or no text.
        """
        content = self._content()
        if b"\0" in content:
            raise self._binary()
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            message = f"not UTF-8 text, expected {self.expected} in UTF-8"
            raise InputError(message, file=self.path, line=line) from None

    def _binary(self) -> InputError:
        kind = kind_of_binary(self.path)
        if kind is not None:
            return mistaken(kind, self.path, self.expected)
        return InputError(f"a binary file, expected {self.expected}", file=self.path)

    def _content(self) -> bytes:
        with reading(self.path):
            if self.path.stat().st_size > MOST_BYTES:
                raise InputError(_TOO_LARGE, file=self.path)
            with self.path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:  # a pipe or a device, which has no size
            raise InputError(_TOO_LARGE, file=self.path)
        return content


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Say what is wrong with a file that cannot be read.

    Raises
    ------
    InputError
        If it cannot.
    """
    try:
        yield
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except IsADirectoryError:
        raise InputError("is a folder, expected a file", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from None
    except ValueError:
        raise InputError("no file can be called so, there is a NUL in its name", file=path) from None


@dataclass(frozen=True)
class Document:
    """What a file says that holds one mapping.

    Parameters
    ----------
    path
        The file.
    data
        Mappings, lists, text, integers, exact decimals, truth values and None. Read only: parts are shared.
    text
        The file's text.
    tokens
        From the text to its pieces, by which lines are found; None where a format knows no lines.
    """

    path: Path
    data: dict[str, object]
    text: str
    tokens: Callable[[str], Iterable[Token]] | None = None

    def line(self, path: FieldPath, *, of_key: bool = False) -> int | None:
        """Return the line of a value (or of its key), or of its nearest parent that exists."""
        if self.tokens is None:
            return None
        places = self._places if len(self.text) <= _SMALL else positions(self.tokens(self.text))
        return find_line(places, path, of_key=of_key)

    @cached_property
    def _places(self) -> tuple[Position, ...]:
        """Of all values, for a text that may have several errors."""
        return () if self.tokens is None else tuple(positions(self.tokens(self.text)))

    def error(self, message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
        """Return the error with the file, line and field of a value (or of its key)."""
        line = self.line(path, of_key=of_key)
        return InputError(message, file=self.path, line=line, field=dotted(path) or None)


def document_of(
    file: File, parse: Callable[[str], object], tokens: Callable[[str], Iterable[Token]] | None = None
) -> Document:
    """Return what a text says.

    Parameters
    ----------
    parse
        From the text to plain data; raises `TextError` where it cannot.
    tokens
        As a document has them.

    Raises
    ------
    InputError
        If it cannot be read, or is no mapping. Without a line if the file as a whole is to blame.
    """
    try:
        data = parse(file.text)
    except TextError as error:
        raise InputError(error.message, file=file.path, line=error.line) from None
    if not isinstance(data, dict):
        raise Document(file.path, {}, file.text, tokens).error(f"expected a mapping at the top, got {shown(data)}", ())
    return Document(file.path, data, file.text, tokens)


@dataclass(frozen=True)
class Format:
    """A format of files with something to solve.

    Parameters
    ----------
    name
        As messages have it.
    holds
        What such files are.
    recognises
        Whether a file is in the format, by what is in it or by its name.
    read
        From a file to what it holds: an instance as a `Document`, a strategy graph as one. Raises `InputError`.
    rank
        When it is asked; the first that recognises a file reads it.
    endings
        Of names of such files, for those who pick one.
    media
        Types of them, for browsers.
    """

    name: str
    holds: Literal["instance", "strategy graph"]
    recognises: Callable[[File], bool]
    read: Callable[[File], Any]
    rank: int = UNRANKED
    endings: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
