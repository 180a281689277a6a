"""What is published of the contest's instances, and what this project has set itself.

Limits, and the machine (8 cores, 32 GB): the contest's announcement, asplos-contest/2025, IOPDDL.md. Costs of the
contest: its organisers' misc/iopddl_final_results.csv in the same repository, the least of all teams and of the
production compiler (row XLA; it has no figure where there is none here). Costs after the contest, by its winners with
eight cores: ti2-group/iopddl_experiments (Soft Constraints, Strong Solutions), for K, M and S; of the others that
repository gives rounded figures only, which are not in this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTEST: Final[Mapping[str, int]] = MappingProxyType(
    {
        "A": 6548641531,
        "B": 532843,
        "C": 84102445260,
        "D": 313613524736,
        "E": 338965335230,
        "F": 364364563561,
        "G": 217039,
        "H": 527715404257,
        "I": 583706456444,
        "J": 1360981630371,
        "K": 2274276676,
        "L": 1970993742,
        "M": 49928460991,
        "N": 202739586553,
        "O": 222880199765,
        "P": 651833115436,
        "Q": 526776842042,
        "R": 371899551572,
        "S": 1534613444,
        "T": 682895254913,
        "U": 2569342178,
        "V": 1632051,
        "W": 11818845467155,
        "X": 280461191177,
        "Y": 621176568278,
    }
)
COMPILER: Final[Mapping[str, int]] = MappingProxyType(
    {
        "A": 13214846074,
        "B": 990205,
        "C": 4195881092919,
        "E": 6638829816582,
        "F": 2788507105840,
        "G": 1264777,
        "H": 7746779635221,
        "I": 6552890513792,
        "P": 651833115436,
        "Q": 1995944800323,
    }
)
AFTER: Final[Mapping[str, int]] = MappingProxyType({"K": 2242635784, "M": 49928157537, "S": 1521949307})
MINUTES: Final = ("ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY")
"""The instances with a limit of 1, 2, 3, 4 and 5 minutes."""
PROVEN: Final = "ABGP"
"""Instances to be proven optimal."""
AT_MOST: Final[Mapping[str, int]] = MappingProxyType({"K": 2_200_000_000} | {name: AFTER[name] for name in "MS"})
"""Costs to be reached on others."""
OVERTIME: Final = 1.05
"""By how much the limit may be exceeded."""


@dataclass(frozen=True)
class Published:
    """What is published of an instance; None where nothing is.

    Parameters
    ----------
    limit_s
        The contest's time limit.
    best
        The least cost.
    compiler
        The cost that the production compiler's solver reached in the contest.
    """

    limit_s: int | None = None
    best: int | None = None
    compiler: int | None = None


def published(name: str) -> Published:
    """Return what is published of the instance of this letter."""
    if name not in CONTEST:
        return Published()
    limit = next(60 * minutes for minutes, names in enumerate(MINUTES, start=1) if name in names)
    return Published(limit, min(CONTEST[name], AFTER.get(name, CONTEST[name])), COMPILER.get(name))


def judged(name: str, status: str, cost: int | None, wall_s: float, limit_s: float) -> str | None:
    """Return whether a run reached what the project has set itself, and what is missing; None where that is nothing."""
    missed = []
    if name in PROVEN and status != "OPTIMAL":
        missed.append("not proven optimal")
    if name in AT_MOST and (cost is None or cost > AT_MOST[name]):
        missed.append(f"above {AT_MOST[name]:,}")
    if wall_s > OVERTIME * limit_s:
        missed.append("over the time limit")
    if name not in PROVEN and name not in AT_MOST:
        return None
    return f"missed: {', '.join(missed)}" if missed else "met"
