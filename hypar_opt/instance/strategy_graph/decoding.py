"""From JSON to types, with errors that say where."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from hypar_opt.instance.strategy_graph.schema import FIELDS, LARGEST, Document, Edges, Nodes, Problem
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")
_PLACED = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<field>.*)`)?", re.DOTALL)
_TEXT = re.compile(rb'"(?:(?P<key>(?:[^"\\]|\\.)*+)"\s*:|(?:[^"\\]|\\.)*+")', re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`", re.DOTALL)
_WORDS: Final = MappingProxyType(
    {
        "`int`": "an integer",
        "`array`": "a list",
        "`object`": "a mapping",
        "`str`": "text",
        "`": "",
        "length >= ": "length at least ",
        "length <= ": "length at most ",
        " >= ": " of at least ",
        " <= ": " of at most ",
        " > ": " above ",
    }
)
"""What msgspec says, and we."""
_KNOWN: Final = {"": Document, "problem": Problem, "problem.nodes": Nodes, "problem.edges": Edges}


def decode(content: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T], path: Path, field: str = "") -> T:
    """Decode JSON, or a part of it that stands at a field.

    Raises
    ------
    InputError
        If it is no JSON, or not of the decoder's type: with the field.
    """
    try:
        return decoder.decode(content)
    except msgspec.ValidationError as error:
        match = _PLACED.fullmatch(str(error))
        assert match is not None  # everything is optional in it
        place = field + (match["field"] or "")
        raise InputError(_wording(match["what"], place), file=path, field=place or None) from None
    except msgspec.DecodeError as error:
        reason = str(error).removeprefix("JSON is malformed: ").replace("Input data was truncated", "it ends too early")
        raise InputError(f"not JSON: {reason}", file=path, field=field or None) from None
    except RecursionError:
        raise InputError("nested too deep for a strategy graph", file=path) from None


def _wording(what: str, place: str) -> str:
    """Return what is wrong in the words of our other errors."""
    unknown, missing = _UNKNOWN.fullmatch(what), _MISSING.fullmatch(what)
    if unknown:
        known = _KNOWN[place].__struct_fields__
        hint = did_you_mean(unknown["name"], known) or f"; there are {', '.join(known)}"
        return f"unknown field '{unknown['name']}'{hint}"
    if missing:
        return f"the field '{missing['name']}' is missing"
    words = what[:1].lower() + what[1:]
    for theirs, ours in _WORDS.items():
        words = words.replace(theirs, ours)
    return f"{words}, the largest of 64 bits" if str(LARGEST) in words else words


def check_no_duplicates(content: bytes, path: Path) -> None:
    """Find keys that come twice in one mapping, of which a decoder would take the last.

    It has been decoded before: every key is that of a field, and needs no escapes.

    Raises
    ------
    InputError
        If there are, or a key has escapes, by which it could be another's double.
    """
    for text in _TEXT.finditer(content) if b"\\" in content else ():
        if text["key"] is not None and b"\\" in text["key"]:
            raise InputError(f"the key at byte {text.start()} is written with escapes, and needs none", file=path)
    for name, most in FIELDS.items():
        key = f'"{name}"'.encode()
        if content.count(key) > most:  # a graph may be called 'nodes'
            times = sum(1 for _ in re.finditer(key + rb"\s*:", content))
            if times > most:
                raise InputError(f"the key '{name}' comes {times} times, expected {most}", file=path)
