"""The formats of files with something to solve: every module here says in `FORMATS` what it adds."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.file_kinds import KINDS, check_kind, mistaken
from hypar_opt.instance.formats.format import Document, File, Format
from hypar_opt.util.lazy import records_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.instance.file_kinds import KindName

__all__ = ["EXPECTED", "FORMATS", "TEXTS", "Document", "File", "Format", "file_of", "format_of", "read_document"]
FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {one.name: one for one in records_of(__name__, __path__, "FORMATS")}
)
"""By name, in the order in which they are asked."""
TEXTS: Final = tuple(one for one in reversed(list(FORMATS.values())) if one.holds == "instance")
"""Those of instances, as people are told of them: the one that takes anything first."""
_NAMES: Final = [one.name for one in TEXTS]
EXPECTED: Final = " or ".join(filter(None, [", ".join(_NAMES[:-1]), _NAMES[-1]]))
"""Their names in words."""


def file_of(path: Path) -> File:
    """Return a file that formats are asked of."""
    return File(path, EXPECTED)


def format_of(file: File) -> Format:
    """Return the format of a file: the first that recognises it, the last of which takes any text.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    return next(one for one in FORMATS.values() if one.recognises(file))


def read_document(path: Path, expected: KindName | None = None) -> Document:
    """Read a file that holds one mapping.

    Parameters
    ----------
    path
        Of the file.
    expected
        What it has to be; anything unless given.

    Raises
    ------
    InputError
        If it cannot be read, is none of an instance's formats, not as we allow them, or a file of another kind. Without
        a line if the file as a whole is to blame.
    """
    file = file_of(path)
    one = format_of(file)
    if one.holds != "instance":
        raise mistaken(KINDS[one.holds], path, expected or "instance")
    document: Document = one.read(file)
    if expected is not None:
        check_kind(expected, document.data, path)
    return document
