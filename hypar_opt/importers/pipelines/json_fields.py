"""Fields of JSON files of others: each is there and of its kind, or the error says which is not, and in which line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.formats.format import Document, document_of
from hypar_opt.instance.formats.json import json_tokens, parse_json
from hypar_opt.instance.limits import MOST_LAYERS
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.formats.format import File
    from hypar_opt.instance.text import FieldPath


def looks_like(text: str, *keys: str) -> bool:
    """Return whether a text begins as JSON and has all keys somewhere."""
    return text.lstrip()[:1] == "{" and all(f'"{key}"' in text for key in keys)


def read_json(file: File) -> Document:
    """Return what a JSON file says.

    Raises
    ------
    InputError
        If it is not JSON, or no mapping.
    """
    try:
        return document_of(file, parse_json, json_tokens)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", file=file.path, line=error.lineno) from None


@dataclass(frozen=True)
class JsonFields:
    """Fields by their paths.

    Parameters
    ----------
    document
        The file's.
    """

    document: Document

    def value(self, *path: str | int) -> Any:
        """Return what stands at a path.

        Raises
        ------
        InputError
            If there is nothing.
        """
        found: Any = self.document.data
        for step, key in enumerate(path):
            if isinstance(key, str) and key not in found:
                hint = did_you_mean(key, found)
                near = f"; it has {hint.removeprefix('; did you mean ').rstrip('?')}" if hint else ""
                raise self.document.error(f"{key} is missing{near}", path[:step])
            found = found[key]
        return found

    def records(self, key: str) -> list[Mapping[str, Any]]:
        """Return a list of mappings."""
        found = self.value(key)
        if not isinstance(found, list):
            raise self.document.error(f"expected a list, got {shown(found)}", (key,))
        if len(found) > 10 * MOST_LAYERS:
            raise self.document.error(f"expected at most {10 * MOST_LAYERS:,} entries, got {len(found):,}", (key,))
        wrong = next((place for place, one in enumerate(found) if not isinstance(one, dict)), None)
        if wrong is not None:
            raise self.document.error(f"expected a mapping, got {shown(found[wrong])}", (key, wrong))
        return found

    def number(self, *path: str | int) -> Decimal:
        """Return a number of at least 0."""
        found = self.value(*path)
        if isinstance(found, bool) or not isinstance(found, int | Decimal) or found < 0:
            raise self.document.error(f"expected a number of at least 0, got {shown(found)}", path)
        return Decimal(found)

    def integer(self, *path: str | int) -> int:
        """Return an integer."""
        found = self.value(*path)
        if isinstance(found, bool) or not isinstance(found, int):
            raise self.document.error(f"expected an integer, got {shown(found)}", path)
        return found

    def count(self, *path: str | int) -> int:
        """Return an integer of at least 0."""
        found = self.integer(*path)
        if found < 0:
            raise self.document.error(f"expected an integer of at least 0, got {found}", path)
        return found

    def truth(self, *path: str | int) -> bool:
        """Return whether something is so, said as true and false or as 1 and 0."""
        found = self.value(*path)
        if found not in (0, 1):
            raise self.document.error(f"expected true or false, or 1 or 0, got {shown(found)}", path)
        return bool(found)


def error_at_node(document: Document, places: Sequence[int], message: str, path: FieldPath, **_: bool) -> InputError:
    """Return the error of an operator's field, at the node that it was read from.

    Parameters
    ----------
    places
        By operator, its node.
    """
    inside = path[:1] == ("operators",) and len(path) > 1
    return document.error(message, ("nodes", places[int(path[1])]) if inside else ())
