"""What states, statuses and groups of instances are called, for people who know none of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.notes import DECLINED, PLACED
from hypar_opt.web.store import CANCELLED, DAMAGED, DONE, FAILED, INTERRUPTED, QUEUED, RUNNING, State

if TYPE_CHECKING:
    from collections.abc import Mapping

STATES: Final[Mapping[State, str]] = MappingProxyType(
    {
        QUEUED: "waits for its turn",
        RUNNING: "is at work",
        DONE: "ended by itself",
        FAILED: "could not be done",
        CANCELLED: "was ended from this page",
        INTERRUPTED: "the server ended before it did",
        DAMAGED: "what is stored of it cannot be read",
    }
)
"""What has become of a job, by its state."""
STATUSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        Status.OPTIMAL.value: "no plan costs less, and that is proven",
        PLACED: "these strategies cannot be placed better, and that is proven; other strategies may cost less",
        Status.FEASIBLE.value: "an allowed plan; its search does not know whether another costs less",
        Status.INFEASIBLE.value: "there is no allowed plan, and that is proven",
        Status.NO_SOLUTION.value: "it ended, mostly for lack of time, before it found a plan",
        Status.ERROR.value: "it failed, or its plan did not pass the check",
        DECLINED.lower(): "it does not take this instance; the note says why",
    }
)
"""What has come of a formulation's search, by the word in its row."""
GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hypar": "The HyPar paper's ten networks",
        "more": "Other networks",
        "accpar": "Networks of AccPar's released code",
        "altsplit": "Altsplit's two networks",
        "layers": "Single layers",
        "placed": "Where the placement matters",
        "mixed": "Accelerators of several kinds",
        "operators": "Networks of operators on arrays of axes",
        "pipeline": "Pipelines: operators with times, to be put into stages",
        "tasks": "Task graphs: what is done when, on which units",
        "collective": "Collectives: data that accelerators gather, add up or exchange",
    }
)
"""Folders of shipped instances in the order in which they are offered; what is not among them follows."""
LAST_GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {"counterexamples": "Counterexamples: small, the greedy search misses their best plan"}
)
"""Those that come after all others."""
