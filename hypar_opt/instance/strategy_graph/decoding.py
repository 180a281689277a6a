"""From the JSON of a strategy graph to types, with errors that say where.

Lists of lists of integers are decoded one at a time: as Python's integers all together take ten times the memory. How
much there may be is limited: nothing is decoded that would take many times the memory of its text. As an object of
Python's a number of one digit takes twenty times its text, and an empty list forty times.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType

from hypar_opt.instance.limits import LONGEST_NAME
from hypar_opt.instance.strategy_graph.graph import FORBIDDEN_COST
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hypar_opt.instance.strategy_graph.graph import Integers


LARGEST: Final = 2**63 - 1

Time = Annotated[int, Meta(ge=-(2**63), le=LARGEST)]
Cost = Annotated[int, Meta(gt=-FORBIDDEN_COST, le=LARGEST)]
Usage = Annotated[int, Meta(ge=0, le=LARGEST)]
Index = Annotated[int, Meta(ge=0, le=LARGEST)]
Interval: TypeAlias = tuple[Time, Time]
Ends = Annotated[list[Index], Meta(min_length=1, max_length=2)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


class Anything(msgspec.Struct, array_like=True, gc=False):
    """A list, whatever is in it; nothing of that is kept."""


class Nodes(msgspec.Struct, forbid_unknown_fields=True):
    """One entry a node in each list; all that is long is decoded by itself, when it is known not to be too long."""

    intervals: msgspec.Raw
    costs: msgspec.Raw
    usages: msgspec.Raw


class Edges(msgspec.Struct, forbid_unknown_fields=True):
    """One entry an edge in each list; the costs are nearly all of a file."""

    nodes: msgspec.Raw
    costs: msgspec.Raw


class ContestProblem(msgspec.Struct, forbid_unknown_fields=True):
    """The whole; without a `usage_limit` there is none."""

    nodes: Nodes
    edges: Edges
    usage_limit: Usage | UnsetType = UNSET
    name: Name | UnsetType = UNSET


class Anyone(msgspec.Struct):
    """A mapping with `problem` in it, whatever else; nothing of that is kept."""

    problem: msgspec.Raw


class GraphFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file."""

    problem: ContestProblem


FIELDS: Final = MappingProxyType(
    {"problem": 1, "name": 1, "nodes": 2, "edges": 1, "intervals": 1, "costs": 2, "usages": 1, "usage_limit": 1}
)
"""How often each name is that of a field."""

T = TypeVar("T")
_PLACED = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<field>.*)`)?", re.DOTALL)
_TEXT = re.compile(rb'"(?:(?P<key>(?:[^"\\]|\\.)*+)"\s*:|(?:[^"\\]|\\.)*+")', re.DOTALL)
_KEY = re.compile(rb'"(?P<key>[^"\\]*)"\s*:')
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
_KNOWN: Final = {"": GraphFile, "problem": ContestProblem, "problem.nodes": Nodes, "problem.edges": Edges}


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
    times = Counter(match["key"] for match in _KEY.finditer(content))  # one pass, since nearly all of it is numbers
    for name, most in FIELDS.items():
        if times[name.encode()] > most:
            raise InputError(f"the key '{name}' comes {times[name.encode()]} times, expected {most}", file=path)


MOST_LISTS: Final = 2**21
"""Of nodes or edges; twenty times what the largest public instance has."""
MOST_NUMBERS: Final = 2**24
"""In the list of one node or edge: the pairs of 4,096 strategies and 4,096."""
AT_ONCE: Final = 2**16
"""Bytes of lists that are decoded in one call."""
LONGEST_TEXT: Final = 1200
"""Characters of a name as the file has it, where each may be two escapes of six: those that count are 100."""
_LONG_TEXT = re.compile(rb'"(?:(?P<long>(?:[^"\\]|\\.){%d})|(?:[^"\\]|\\.)*+"?)' % (LONGEST_TEXT + 1), re.DOTALL)


@dataclass(frozen=True, eq=False)
class Lists:
    """Lists of integers.

    Parameters
    ----------
    sizes
        By list, how many are in it.
    values
        Of all lists, one after the other.
    """

    sizes: Integers
    values: Integers

    @property
    def firsts(self) -> Integers:
        """Where in `values` a list's begin."""
        return np.cumsum(self.sizes) - self.sizes


def decode_lists(raw: msgspec.Raw, kind: Any, path: Path, field: str) -> Lists:
    """Decode a list of lists of integers.

    Parameters
    ----------
    kind
        The type of each.

    Raises
    ------
    InputError
        If it is none, or larger than the limits: with the field.
    """
    lists = bytes(raw).count(b"[") - 1
    if lists > MOST_LISTS:
        raise InputError(f"expected at most {MOST_LISTS:,} lists, got {lists:,}", file=path, field=field)
    decode(raw, msgspec.json.Decoder(list[Anything]), path, field)  # what is no list has not been counted
    one, many = msgspec.json.Decoder(kind), msgspec.json.Decoder(list[kind])
    sizes, values = array("q"), array("q")
    for begin, part in _in_parts(decode(raw, msgspec.json.Decoder(list[msgspec.Raw]), path, field)):
        try:
            found = many.decode(b"[" + b",".join(part) + b"]") if len(part) > 1 else None
        except msgspec.MsgspecError:
            found = None  # read one by one, to say which it is
        if found is None:
            found = [_one(each, one, path, f"{field}[{begin + at}]") for at, each in enumerate(part)]
        sizes.extend(map(len, found))
        values.fromlist(list(chain.from_iterable(found)))
    return Lists(np.frombuffer(sizes, dtype=np.int64), np.frombuffer(values, dtype=np.int64))


def _in_parts(lists: list[msgspec.Raw]) -> Iterator[tuple[int, list[msgspec.Raw]]]:
    """Yield lists that are short together, or a long one by itself, and the number of the first: calls take longest."""
    begin, size, most = 0, 0, min(AT_ONCE, 2 * MOST_NUMBERS)  # one that may have too many numbers stands by itself
    for index, one in enumerate(lists):
        length = memoryview(one).nbytes
        if size + length > most and index > begin:
            yield begin, lists[begin:index]
            begin, size = index, 0
        size += length
    if begin < len(lists):
        yield begin, lists[begin:]


def _one(raw: msgspec.Raw, decoder: msgspec.json.Decoder[Sequence[int]], path: Path, field: str) -> Sequence[int]:
    _check_numbers(raw, path, field)
    return decode(raw, decoder, path, field)


def check_texts(content: bytes, path: Path) -> None:
    """Check that no text is far longer than the names that there are.

    Raises
    ------
    InputError
        If one is.
    """
    for text in _LONG_TEXT.finditer(content):
        if text["long"] is not None:
            place = f"byte {text.start()}"
            raise InputError(f"the text at {place} is longer than {LONGEST_TEXT:,} characters, the limit", file=path)


def _check_numbers(raw: msgspec.Raw, path: Path, field: str) -> None:
    """Raise `InputError` if a list has too many numbers."""
    if memoryview(raw).nbytes <= 2 * MOST_NUMBERS:  # a digit and a comma each: not worth counting
        return
    numbers = bytes(raw).count(b",") + 1
    if numbers > MOST_NUMBERS:
        raise InputError(f"expected at most {MOST_NUMBERS:,} numbers, got {numbers:,}", file=path, field=field)
