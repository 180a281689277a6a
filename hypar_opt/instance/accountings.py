"""The accountings: what each charges at a boundary, on which slices, and what it goes with.

Whatever offers, checks or compiles an accounting reads it here; who judges plans is told apart from this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.choices import ANYWHERE, HYPAR

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
    collectives
        Whether partial sums are reduced where the next layer reads them, scattered or whole as it needs, so that they
        are part of the boundary; of the last layer they are all-reduced, and of the network's input not computed. A
        tensor that several layers read would be converted once for all of them, which costs of single boundaries
        cannot say: it takes chains.
    summary
        One line for tables.
    choices
        The choices that it knows, of those that any array has.
    most_levels
        The most levels that it takes, if it takes fewer than arrays have.
    """

    name: str
    feature_box: Side
    error_box: Side
    free_after_mp: bool
    summary: str
    by_leaves: bool = False
    collectives: bool = False
    choices: tuple[str, ...] = ANYWHERE
    most_levels: int | None = None


_ALL: Final = (
    Accounting("published", Side.READER, Side.READER, False, "Table 2 in full, sized by what the reader needs"),
    Accounting(
        "as-evaluated", Side.READER, Side.READER, True, "nothing charged behind mp: the paper's figures",
        choices=HYPAR,
    ),
    Accounting("receiver", Side.READER, Side.PRODUCER, False, "each tensor sized by who receives it"),
    Accounting(
        "leaf-exact", Side.READER, Side.PRODUCER, False, "what the leaves' own boxes lack",
        by_leaves=True, most_levels=6,
    ),
    Accounting(
        "collective", Side.READER, Side.PRODUCER, False, "what the collectives of a program move; chains only",
        by_leaves=True, collectives=True, most_levels=6,
    ),
)  # fmt: skip
ACCOUNTINGS: Final[Mapping[str, Accounting]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""
GSPMD: Final = "gspmd"
"""The accounting of operators alone, by a table of what a framework's own partitioner was counted to move."""
LEVELLED: Final = tuple(name for name, one in ACCOUNTINGS.items() if not one.by_leaves)
"""Those that say what each level exchanges, so that a level's bytes can be weighed."""
