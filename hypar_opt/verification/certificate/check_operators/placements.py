"""How tensors lie, and what converting them moves: the formulas of docs/operators.md."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from .exact import ExactTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .archive import Array
    from .domains import WordDomain

FLAT, PARTIAL, WHOLE = -3, -2, -1  # and from 0 on, the number of the tensor's dimension that lies in shards
POWERS = {  # of 1 / size of the axis in n0, m, n1 and n2, by how a tensor lies and is needed on an axis
    ("shards", "the same"): (1, 1, 1, 1),
    ("shards", "shards"): (1, 1, 1, 2),
    ("shards", "whole"): (1, 0, 1, 1),
    ("shards", "partial"): (1, 1, 1, 1),
    ("whole", "shards"): (1, 1, 1, 1),
    ("whole", "whole"): (0, 0, 0, 0),
    ("whole", "partial"): (1, 1, 1, 1),
    ("partial", "shards"): (0, 1, 1, 1),
    ("partial", "whole"): (0, 0, 1, 1),
    ("partial", "partial"): (0, 0, 0, 0),
}


@dataclass(frozen=True)
class Lies:
    """How a tensor lies by the words of a domain.

    Parameters
    ----------
    domain
        Whose.
    codes
        By letter: `PARTIAL`, `WHOLE`, or the number of a dimension.
    """

    domain: WordDomain
    codes: tuple[int, ...]

    @property
    def rows(self) -> Array:
        """By value; shape (values, axes)."""
        found: Array = np.array(self.codes, np.int64)[self.domain.words]
        return found

    @property
    def summed_up(self) -> Lies:
        """The same, partial sums added up so that each part has all of them."""
        return Lies(self.domain, tuple(WHOLE if code == PARTIAL else code for code in self.codes))

    def stored(self, need: Lies) -> Lies:
        """Return how a parameter lies that is shared out where its gradient, this, is partial.

        It is cut as numbers in a row.
        """
        pairs = zip(self.codes, need.codes, strict=True)
        return Lies(self.domain, tuple(FLAT if (a, b) == (PARTIAL, WHOLE) else b for a, b in pairs))


def _kind(code: int) -> str:
    return {PARTIAL: "partial", WHOLE: "whole"}.get(code, "shards")


def received(size: int, have: Array, need: Array, axes: Sequence[int]) -> ExactTable:
    """Return D^2 (prod n0 + prod m - prod n1 - prod n2) of a tensor's bytes: what D devices receive, in 1/D of a byte.

    Parameters
    ----------
    size
        Bytes.
    have, need
        By row, an entry an axis; the other dimensions are broadcast.
    axes
        Their sizes; all squares together fit 64 bits.
    """
    known = range(FLAT, max(int(have.max()), int(need.max())) + 1)
    factors = [np.ones(1, np.int64) for _ in range(4)]
    for axis, length in enumerate(axes):
        of_axis = np.ones((4, len(known), len(known)), np.int64)
        for a, b in product(known, known):
            powers = POWERS[_kind(a), "the same" if a == b and _kind(a) == "shards" else _kind(b)]
            of_axis[:, a - FLAT, b - FLAT] = [length ** (2 - power) for power in powers]
        place = have[..., axis] - FLAT, need[..., axis] - FLAT
        factors = [one * more[place] for one, more in zip(factors, of_axis, strict=True)]
    before, behind, scattered, exchanged = factors
    return ExactTable(before + behind - scattered - exchanged, 2 * prod(axes) ** 2).times(size)
