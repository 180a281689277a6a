"""From a field to its line: only looked at when an error has to be reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hypar_opt.instance.text import FieldPath


class TextError(Exception):
    """A text that is not YAML or JSON as we allow it.

    Parameters
    ----------
    message
        What is wrong.
    line
        Counted from 1; None if no line is to blame.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class Token(NamedTuple):
    """A piece of a YAML or JSON text: `what` is map, list, close, text (quoted) or scalar."""

    what: str
    text: str
    line: int


class Position(NamedTuple):
    """Where a value and its key stand.

    A mapping or list stands at its key, which is where a reader looks for it, and an element of a list
    has its own line for a key's.
    """

    path: FieldPath
    line: int
    key_line: int


@dataclass
class _Open:
    """A mapping or list that is being read; `part` is the key or position of its current value."""

    is_map: bool
    part: str | int
    key_line: int = 0
    awaits_key: bool = True

    def advance(self) -> None:
        if isinstance(self.part, int):
            self.part += 1
        self.awaits_key = self.is_map


def positions(tokens: Iterable[Token]) -> Iterator[Position]:
    """Yield every value of a text in order; the position of a mapping or list comes before its content's."""
    opened: list[_Open] = []
    for token in tokens:
        top = opened[-1] if opened else None
        if token.what == "close":
            opened = opened[:-1]
            if opened:
                opened[-1].advance()
        elif top and top.awaits_key:
            top.part, top.key_line, top.awaits_key = token.text, token.line, False
        else:
            key_line = top.key_line if top and top.is_map else token.line
            is_container = token.what in ("map", "list")
            line = key_line if is_container else token.line
            yield Position(tuple(place.part for place in opened), line, key_line)
            if is_container:
                is_map = token.what == "map"
                opened.append(_Open(is_map, "" if is_map else 0, awaits_key=is_map))
            elif top:
                top.advance()


def find_line(places: Iterable[Position], path: FieldPath, *, of_key: bool = False) -> int:
    """Return the line of a value, or of the nearest parent that exists.

    Parameters
    ----------
    places
        The text's, in order.
    path
        Of the value.
    of_key
        Whether the line of the value's key is wanted.
    """
    depth, best = -1, 1
    for place in places:
        if len(place.path) > depth and place.path == path[: len(place.path)]:
            depth = len(place.path)
            best = place.key_line if of_key else place.line
        if depth == len(path):
            break
    return best
