"""Lists of lists of integers, decoded one at a time: as Python's integers all together take ten times the memory."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from hypar_opt.strategy_graph.bounding import check_lists, check_numbers
from hypar_opt.strategy_graph.decoding import decode
from hypar_opt.strategy_graph.schema import Anything

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.strategy_graph.graph import Integers


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
