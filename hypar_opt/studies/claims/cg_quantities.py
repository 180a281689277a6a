"""What is counted of an iteration of conjugate gradients: each a record by its spelling in claims files."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.conjugate_gradient.synchronisations import synchronisations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.studies.conjugate_gradient.synchronisations import Synchronisation
    from hypar_opt.studies.conjugate_gradient.unrolling import LoopStep

    Counted = Callable[[Sequence[LoopStep], int], int]
MAKESPAN: Final = "makespan"
"""Which is no count: it is searched."""
BARRIER: Final = "end."
"""How barriers' names begin."""


@dataclass(frozen=True)
class CgQuantity:
    """Something that is counted.

    Parameters
    ----------
    name, summary
        As it is spelt, and what it is.
    of
        From the steps of one iteration, and into how many blocks vectors are cut, to the count.
    """

    name: str
    summary: str
    of: Counted


def _sums(steps: Sequence[LoopStep], blocks: int) -> list[Synchronisation]:
    return [one for one in synchronisations(steps, blocks) if not one.name.startswith(BARRIER)]


def _updates(steps: Sequence[LoopStep], blocks: int) -> int:
    return sum(step.kernel.operation.name == "axpy" and step.block == 1 for step in steps)


_QUANTITIES: Final = (
    CgQuantity(
        "synchronisations",
        "points at which all blocks meet, sums over all and barriers, in an iteration",
        lambda steps, blocks: len(synchronisations(steps, blocks)),
    ),
    CgQuantity("sums", "sums over all blocks in an iteration", lambda steps, blocks: len(_sums(steps, blocks))),
    CgQuantity("updates", "vectors that are updated in an iteration", _updates),
    CgQuantity(
        "beside",
        "the most tasks of its iteration that may go on while a sum is waited for",
        lambda steps, blocks: max(one.beside for one in _sums(steps, blocks)),
    ),
)
CG_QUANTITIES: Final[Mapping[str, CgQuantity]] = MappingProxyType({one.name: one for one in _QUANTITIES})
"""By name."""
