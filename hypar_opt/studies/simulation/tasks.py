"""What is simulated: tasks of accelerators and links, what each waits for, what holds meanwhile, and what stops it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hypar_opt.evaluation.step import StepPhase
    from hypar_opt.formulation.run import Limits

SendPhase: TypeAlias = Literal["copy", "sum"]
"""What becomes of a collective's chunk where it arrives: it is kept, or added to what is there."""
WayKey: TypeAlias = tuple[int, int, tuple[int, ...]]
"""Source, target, and the nodes of a route that is given."""


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
    route
        Nodes of the way that it takes; where it is empty, the array's routing says that.
    latency
        Seconds from when the last byte has left all links until it is there; links are free meanwhile.
    behind
        Positions of transfers that have to have left their links before.
    """

    part: str
    phase: StepPhase | SendPhase
    level: int
    source: int
    target: int
    amount: Fraction
    stage: int
    waits_for: tuple[int, ...] = ()
    route: tuple[int, ...] = ()
    latency: Fraction = Fraction(0)
    behind: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.phase} exchange of {self.part}, level {self.level + 1}"

    @property
    def way(self) -> WayKey:
        """What tells its way from others."""
        return self.source, self.target, self.route


class ChunkTransfer(Transfer):
    """A chunk of a collective on its way from one accelerator to another."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.phase} of {self.part}"


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
            others = (*task.waits_for, *(() if isinstance(task, Compute) else task.behind))
            wrong = next((other for other in others if not 0 <= other < count), None)
            if wrong is not None:
                raise ValueError(f"task {number} ({task.name}) waits for task {wrong}, there are {count:,} from 0")
            size = task.seconds if isinstance(task, Compute) else task.amount
            if size < 0:
                what = "seconds" if isinstance(task, Compute) else "bytes"
                raise ValueError(f"task {number} ({task.name}) has {size} {what}, expected at least 0")

    def __len__(self) -> int:
        return len(self.tasks)


Overlap: TypeAlias = Literal["none", "full"]
"""What goes on at once."""
Hold: TypeAlias = Literal["rate", "whole"]
"""What a transfer takes of the links of its route."""
Acquire: TypeAlias = Literal["together", "ordered", "route"]
"""How it comes to them: all at once, or one after the other in some order."""


@dataclass(frozen=True)
class Options:
    """What holds in a simulation.

    Parameters
    ----------
    overlap
        `none`: a barrier after every phase of a layer and after every level of an exchange, the order of the analytic
        model. `full`: tasks wait for data and for what they run on, for nothing else.
    contention
        True: a transfer needs all links of its route at once, for its bytes over the least of their bandwidths. False:
        the links of a route each serve their share by themselves, first come first served, and the transfer ends with
        the last; what the analytic model charges.
    hold
        With contention: `rate`, of every link as much bandwidth as the slowest of the route has, so that a link twice
        as fast carries two such transfers at once; or `whole`, every link alone.
    acquire
        With contention: `together`, the whole route at a moment when all of it has room, first come first served among
        those that can go; nothing is held before, so that nobody waits for each other. Or one link after the other,
        first come first served, each kept while the next is waited for: `ordered`, in one order for all transfers, so
        that they cannot wait for each other in a circle, or `route`, from source to target as a header moves, in which
        they can.
    memory_bandwidth
        Bytes a second of every accelerator's memory port, which whatever it sends and receives crosses as if it were a
        link; None leaves memories out, as the analytic model does.

    Raises
    ------
    ValueError
        If the memory has no bandwidth.
    """

    overlap: Overlap = "none"
    contention: bool = True
    hold: Hold = "rate"
    acquire: Acquire = "together"
    memory_bandwidth: Fraction | None = None

    def __post_init__(self) -> None:
        if self.memory_bandwidth is not None and self.memory_bandwidth <= 0:
            raise ValueError(f"expected a memory bandwidth above 0, got {self.memory_bandwidth}")


T = TypeVar("T")
BETWEEN_LOOKS: Final = 256
"""Items between two looks at whether to stop."""


class SimulationStopped(Interrupted):
    """A simulation that was told to stop; there is no half a result."""


def check(limits: Limits | None, doing: str) -> None:
    """Stop if the limits are over.

    Parameters
    ----------
    limits
        None: there are none.
    doing
        What it was at, to follow `stopped`.

    Raises
    ------
    SimulationStopped
        If they are.
    """
    if limits is not None and limits.over:
        raise SimulationStopped(f"stopped {doing}; nothing is reported")


def watched(items: Iterable[T], limits: Limits | None, doing: str, every: int = BETWEEN_LOOKS) -> Iterator[T]:
    """Yield items as long as the limits are not over; see `check`."""
    for number, item in enumerate(items):
        if not number % every:
            check(limits, doing)
        yield item
