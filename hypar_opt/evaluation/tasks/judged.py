"""Whether a schedule of a task graph is one: recomputed from its begins alone."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.tasks.counted import CountedTasks
from hypar_opt.evaluation.tasks.faults import RULES, TaskFault

if TYPE_CHECKING:
    from collections.abc import Iterator


class JudgedTasks(CountedTasks):
    """A schedule, recomputed and judged."""

    @cached_property
    def fault(self) -> str | None:
        """The first thing that is wrong, or None: which task, when, and by how much."""
        found = next(self.faults(), None)
        return None if found is None else found.text

    def faults(self) -> Iterator[TaskFault]:
        """Yield all that is wrong, rule by rule; of what makes all that follows senseless, nothing else."""
        for rule in RULES:
            found = list(rule(self))
            yield from found
            if any(fault.kind == "period" for fault in found):
                return
