"""What an accounting charges at a boundary, and on which slices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Side(Enum):
    """Whose box a boundary tensor is sized by."""

    PRODUCER = 0
    READER = 1


@dataclass(frozen=True)
class Accounting:
    """A reading of HyPar's Table 2 for more than one level.

    Parameters
    ----------
    name
        As in instance files.
    feature_box, error_box
        Whose box F[l+1] and E[l+1] are sized by: they are halved by each choice above of that
        layer which splits them.
    free_after_mp
        Whether a boundary behind a weighted layer in mp costs nothing.
    by_leaves
        Whether it is counted what really has to move: at boundaries over the leaves' own boxes, which no sum over
        levels gives (the boxes above are then not used); of mp's partial sums what the layer writes, which has to be
        added up before its activation and its pools.
    summary
        One line for tables.
    """

    name: str
    feature_box: Side
    error_box: Side
    free_after_mp: bool
    summary: str
    by_leaves: bool = False


_ALL: Final = (
    Accounting("published", Side.READER, Side.READER, False, "Table 2 in full, sized by what the reader needs"),
    Accounting("as-evaluated", Side.READER, Side.READER, True, "nothing charged behind mp: the paper's figures"),
    Accounting("receiver", Side.READER, Side.PRODUCER, False, "each tensor sized by who receives it"),
    Accounting("leaf-exact", Side.READER, Side.PRODUCER, False, "what the leaves' own boxes lack", by_leaves=True),
)
ACCOUNTINGS: Final[Mapping[str, Accounting]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""
