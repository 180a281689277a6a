"""What a framework's own partitioner moves for a tensor's way from a placement to another: read from what was counted.

A table names pairs of placements by letters: by axis the number of a dimension, counted as they come first, R for
whole, P for partial sums. What a plan leaves in partial sums a partitioner adds up for all, as no sharding says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, cast

from hypar_opt.evaluation.operators.placements import WHOLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators.conversion import Kind
    from hypar_opt.evaluation.operators.placements import Placement


@dataclass(frozen=True, eq=False)
class Emitted:
    """A table of what is moved.

    Parameters
    ----------
    pairs
        By pair, kinds of collectives, numbers of axes, and what all devices receive, the whole tensor being one.
    """

    pairs: Mapping[str, Sequence[tuple[str, int, str]]]

    def moved(self, have: Placement, need: Placement) -> Iterator[tuple[Kind, int, Fraction]]:
        """Yield kind, axis and what all devices receive, the tensor's whole being one."""
        need = tuple(WHOLE if entry.is_partial else entry for entry in need)
        if have != need:
            for kind, axis, share in self.pairs[_pair(have, need)]:
                yield cast("Kind", kind), axis, Fraction(share)


@cache
def _pair(have: Placement, need: Placement) -> str:
    numbers: dict[int, int] = {}
    letters = [
        "P" if one.is_partial else "R" if one.position is None else str(numbers.setdefault(one.position, len(numbers)))
        for one in (*have, *need)
    ]
    return f"{''.join(letters[: len(have)])}>{''.join(letters[len(have) :])}"
