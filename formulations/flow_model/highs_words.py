"""HiGHS's names of how it ended, in words."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "kOptimal": "Optimal",
        "kInfeasible": "Infeasible",
        "kUnboundedOrInfeasible": "Infeasible",
        "kTimeLimit": "stopped at the time limit",
        "kIterationLimit": "stopped at a limit of iterations",
        "kSolutionLimit": "stopped at a limit of solutions",
        "kMemoryLimit": "stopped at a limit of memory",
        "kInterrupt": "stopped",
        "kHighsInterrupt": "stopped",
        "kObjectiveBound": "stopped at a bound of the objective",
        "kObjectiveTarget": "stopped at a target of the objective",
    }
)
"""By its model's status; others are errors, and are named as they are."""


def in_words(text: str) -> str:
    """Return a text with its names in words."""
    return re.sub(r"\bk[A-Z][A-Za-z]+", lambda found: WORDS.get(found[0], found[0]), text)
