"""Lists of lists of integers, decoded one at a time: as Python's integers all together take ten times the memory.

How much there may be is limited: nothing is decoded that would take many times the memory of its text. As an object of
Python's a number of one digit takes twenty times its text, and an empty list forty times.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from hypar_opt.instance.strategy_graph.decoding import decode
from hypar_opt.instance.strategy_graph.schema import Anything
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.strategy_graph.graph import Integers

MOST_LISTS: Final = 2**21
"""Of nodes or edges; twenty times what the largest public instance has."""
MOST_NUMBERS: Final = 2**24
"""In the list of one node or edge: the pairs of 4,096 strategies and 4,096."""
LONGEST_TEXT: Final = 1200
"""Characters of a name as the file has it, where each may be two escapes of six: those that count are 100."""
_TEXT = re.compile(rb'"(?:(?P<long>(?:[^"\\]|\\.){%d})|(?:[^"\\]|\\.)*+"?)' % (LONGEST_TEXT + 1), re.DOTALL)


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
    check_lists(raw, path, field)
    decode(raw, msgspec.json.Decoder(list[Anything]), path, field)  # what is no list is not counted by check_lists
    decoder, sizes, values = msgspec.json.Decoder(kind), array("q"), array("q")
    for index, one in enumerate(decode(raw, msgspec.json.Decoder(list[msgspec.Raw]), path, field)):
        place = f"{field}[{index}]"
        check_numbers(one, path, place)
        numbers = decode(one, decoder, path, place)
        sizes.append(len(numbers))
        values.fromlist(list(numbers))  # an interval is a tuple
    return Lists(np.frombuffer(sizes, dtype=np.int64), np.frombuffer(values, dtype=np.int64))


def check_texts(content: bytes, path: Path) -> None:
    """Check that no text is far longer than the names that there are.

    Raises
    ------
    InputError
        If one is.
    """
    for text in _TEXT.finditer(content):
        if text["long"] is not None:
            place = f"byte {text.start()}"
            raise InputError(f"the text at {place} is longer than {LONGEST_TEXT:,} characters, the limit", file=path)


def check_lists(raw: msgspec.Raw, path: Path, field: str) -> None:
    """Check that a list of lists has not too many of them.

    Raises
    ------
    InputError
        If it has.
    """
    lists = bytes(raw).count(b"[") - 1
    if lists > MOST_LISTS:
        raise InputError(f"expected at most {MOST_LISTS:,} lists, got {lists:,}", file=path, field=field)


def check_numbers(raw: msgspec.Raw, path: Path, field: str) -> None:
    """Check that a list has not too many numbers.

    Raises
    ------
    InputError
        If it has.
    """
    if memoryview(raw).nbytes <= 2 * MOST_NUMBERS:  # a digit and a comma each: not worth counting
        return
    numbers = bytes(raw).count(b",") + 1
    if numbers > MOST_NUMBERS:
        raise InputError(f"expected at most {MOST_NUMBERS:,} numbers, got {numbers:,}", file=path, field=field)
