"""What a training step consists of: tasks of accelerators and links, and what each waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.evaluation.step import StepPhase


@dataclass(frozen=True, slots=True)
class Compute:
    """One layer's share of a phase on one accelerator.

    Parameters
    ----------
    layer, phase
        What is computed.
    accelerator
        Its position in the array.
    seconds
        How long it takes; a join's tasks take none and wait for no accelerator.
    stage
        Its place in the order of the analytic model.
    waits_for
        Positions in the graph of the tasks whose results it needs.
    """

    layer: str
    phase: StepPhase
    accelerator: int
    seconds: Fraction
    stage: int
    waits_for: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.phase} of {self.layer}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """What one accelerator sends to its counterpart for one layer or boundary at one level.

    Parameters
    ----------
    part, phase
        The layer or boundary, and when.
    level
        From 0, the root's.
    source, target
        Positions of accelerators.
    amount
        Bytes, which need not be whole.
    stage
        Its place in the order of the analytic model; all transfers of one exchange share one.
    waits_for
        Positions in the graph of the tasks whose results are sent.
    """

    part: str
    phase: StepPhase
    level: int
    source: int
    target: int
    amount: Fraction
    stage: int
    waits_for: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.phase} exchange of {self.part}, level {self.level + 1}"


Task: TypeAlias = Compute | Transfer
"""Anything that takes time."""


@dataclass(frozen=True)
class TaskGraph:
    """The tasks of a training step.

    Whether they can be done at all, that is whether none waits for itself, shows when they are run.

    Parameters
    ----------
    tasks
        In any order that is deterministic: of two that become ready at once the first goes first.

    Raises
    ------
    ValueError
        If a task waits for one that is not there, or has a negative length.
    """

    tasks: tuple[Task, ...]

    def __post_init__(self) -> None:
        count = len(self.tasks)
        for number, task in enumerate(self.tasks):
            wrong = next((other for other in task.waits_for if not 0 <= other < count), None)
            if wrong is not None:
                raise ValueError(f"task {number} ({task.name}) waits for task {wrong}, there are {count:,} from 0")
            size = task.seconds if isinstance(task, Compute) else task.amount
            if size < 0:
                what = "seconds" if isinstance(task, Compute) else "bytes"
                raise ValueError(f"task {number} ({task.name}) has {size} {what}, expected at least 0")

    def __len__(self) -> int:
        return len(self.tasks)
