"""An instance's files: its own, and those that it takes parts from."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.instance.document import Document, read_document
from hypar_opt.instance.wording import dotted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.wording import FieldPath

_PARTS = ("network", "array")


@dataclass(frozen=True)
class Sources:
    """Which file says what.

    Parameters
    ----------
    main
        The instance's own file.
    parts
        For a part of the instance that stands in another file, that file.
    """

    main: Document
    parts: Mapping[str, Document]

    @property
    def data(self) -> dict[str, object]:
        """What the files say together, references replaced by what they refer to."""
        return {**self.main.data, **{part: document.data for part, document in self.parts.items()}}

    def error(self, message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
        """Return the error with the file and line of a field."""
        document, inner = self.main, path
        if path and path[0] in self.parts:
            document, inner = self.parts[str(path[0])], path[1:]
        line = document.line(inner, of_key=of_key)
        return InputError(message, file=document.path, line=line, field=dotted(path) or None)


def read_sources(path: Path) -> Sources:
    """Read an instance's file and the files that it refers to.

    Raises
    ------
    InputError
        If one of them cannot be read. It names the line that refers to a file if the whole of that file is
        to blame, as when there is none.
    """
    main = read_document(path)
    alone = Sources(main, {})
    values = ((part, main.data.get(part)) for part in _PARTS)
    parts = {part: _referred(alone, part, x) for part, x in values if isinstance(x, dict) and "file" in x}
    return Sources(main, parts)


def _referred(alone: Sources, part: str, value: Mapping[str, object]) -> Document:
    for key in value:
        if key != "file":
            raise alone.error(f"unknown field {shown(key)} beside 'file', expected none", (part, key), of_key=True)
    name = value["file"]
    if not isinstance(name, str) or not name:
        raise alone.error(f"expected the path of a file, got {shown(name)}", (part, "file"))
    try:
        return read_document(_tidy(alone.main.path.parent / name))
    except InputError as error:
        if error.line is not None:
            raise
        raise alone.error(f"{error.file}: {error.message}", (part, "file")) from None


def _tidy(path: Path) -> Path:
    """Return a path without `..` where that is the same file, which it need not be behind a symbolic link."""
    tidy = Path(os.path.normpath(path))
    try:
        return tidy if tidy.samefile(path) else path
    except (OSError, ValueError):
        return path
