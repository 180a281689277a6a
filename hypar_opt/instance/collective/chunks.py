"""The chunks of a collective: where each begins, and where it has to be at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.instance.collective.schema import CollectiveName


@dataclass(frozen=True)
class Chunk:
    """A part of the data that is moved as a whole.

    Parameters
    ----------
    name
        What schedules call it.
    sources
        Positions of the accelerators that contribute to it: the one that has it, or all whose parts are added up.
    targets
        Positions of those that have to have it at the end, with every source's contribution in it exactly once.
    """

    name: str
    sources: tuple[int, ...]
    targets: tuple[int, ...]

    @property
    def summed(self) -> bool:
        """Whether contributions are added up."""
        return len(self.sources) > 1


def chunk_count(collective: CollectiveName, group: int, chunks: int) -> int:
    """Return how many chunks there are in all, in a group of so many, of so many each."""
    each = {"broadcast": 1, "all-to-all": group * (group - 1)}.get(collective, group)
    return each * chunks


def chunks_of(
    collective: CollectiveName, names: Sequence[str], group: Sequence[int], root: int | None, chunks: int
) -> tuple[Chunk, ...]:
    """Return the chunks of a collective.

    Parameters
    ----------
    names
        Of all accelerators, by position.
    group, root
        Positions of those that take part, and of the one that has what is broadcast.
    chunks
        How many each gives, or gets.
    """
    everyone = tuple(group)
    makers: Mapping[str, Callable[[], Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]]] = {
        "all-gather": lambda: ((names[one], (one,), everyone) for one in everyone),
        "reduce-scatter": lambda: ((names[one], everyone, (one,)) for one in everyone),
        "all-reduce": lambda: ((names[one], everyone, everyone) for one in everyone),
        "broadcast": lambda: ((names[one], (one,), everyone) for one in everyone if one == root),
        "all-to-all": lambda: (
            (f"{names[one]}>{names[other]}", (one,), (other,)) for one in everyone for other in everyone if one != other
        ),
    }
    return tuple(
        Chunk(name if chunks == 1 else f"{name}.{number}", sources, targets)
        for name, sources, targets in makers[collective]()
        for number in range(1, chunks + 1)
    )
