"""Errors that name their place in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.instance.formats import Document
    from hypar_opt.instance.text import FieldPath
    from hypar_opt.util.errors import InputError


@dataclass(frozen=True)
class Located:
    """A part of a file.

    Parameters
    ----------
    document
        The file.
    path
        Of the part.
    """

    document: Document
    path: FieldPath

    def error(self, message: str, path: FieldPath = (), *, of_key: bool = False) -> InputError:
        """Return the error with the file, line and field of a value inside the part."""
        return self.document.error(message, (*self.path, *path), of_key=of_key)
