"""What a run is given and what it tells on the way: limits, stopping, events."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from hypar_opt.util.errors import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping
    from fractions import Fraction

    from hypar_opt.costgraph import Duals
    from hypar_opt.formulation.progress import Progress

GIB = 2**30
MOST_WORKERS = 1024


@dataclass(frozen=True)
class Event:
    """Something that happened during a run.

    Parameters
    ----------
    kind
        `phase` (with text), `incumbent` (with value and choices), `bound` (with value) or `progress` (with progress).
    time_s
        Since the run began; as `solve` passes it on, since its limits count the time.
    source
        The formulation; of progress whatever counts: `compare`, `campaign`, a formulation.
    value
        An integer in the CostGraph's unit as a formulation tells it; `solve` passes it on in the objective's.
    choices
        Of an incumbent that a formulation tells; None of a plan that is found before one runs.
    text
        Of a phase.
    instance
        The name of the instance that is being solved; nothing where it is not about one.
    weights
        By how much each component counts in the value: nothing where that is no weighted sum, None where it is a
        CostGraph's integer.
    progress
        What is done, of how much.
    """

    kind: Literal["phase", "incumbent", "bound", "progress"]
    time_s: float
    source: str
    value: int | Fraction | None = None
    choices: tuple[int, ...] | None = None
    text: str = ""
    instance: str = ""
    weights: Mapping[str, Fraction] | None = field(default=None, hash=False)
    progress: Progress | None = None


Listener: TypeAlias = "Callable[[Event], None]"
Proof: TypeAlias = "Callable[[Any], None]"
"""Takes the Potentials of a network's problem, or the Duals of a strategy graph's."""


class EitherFlag(Flag):
    """Set by itself, or where one of others is; `clear` and `wait` are of itself alone."""

    def __init__(self, *others: Flag) -> None:
        super().__init__()
        self._others = others

    def is_set(self) -> bool:
        """Return whether one of them is."""
        return super().is_set() or any(other.is_set() for other in self._others)


@dataclass(frozen=True)
class Limits:
    """What a formulation may use.

    Parameters
    ----------
    deadline
        On the clock of `time.monotonic`, or None.
    seed, workers
        Passed to solvers that take them.
    memory_bytes
        Of the tables of a dynamic programme.
    stop
        Set from outside when the run is to end with what it has.
    began
        Since when the time counts that events tell, on the same clock: a command's start; None for the call of `solve`.
    lent
        Set from outside as long as another search has one of the workers; heeded by `lagrangian` and by windows.
    """

    deadline: float | None = None
    seed: int = 0
    workers: int = 2
    memory_bytes: int = 2 * GIB
    stop: Flag = field(default_factory=Flag, compare=False)
    began: float | None = field(default=None, compare=False)
    lent: Flag = field(default_factory=Flag, compare=False)

    def __post_init__(self) -> None:
        if self.deadline is not None and not math.isfinite(self.deadline):
            raise ValueError(f"a deadline is a finite time or None, not {self.deadline}")
        for name, least, most in (("seed", 0, 2**31 - 1), ("workers", 1, MOST_WORKERS), ("memory_bytes", 1, 2**63)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"expected {name} from {least:,} to {most:,}, got {getattr(self, name)}")

    def remaining_s(self) -> float | None:
        """Return the seconds left, at least 0, or None without a deadline."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def workers_left(self) -> int:
        """The workers that are not lent by now, at least 1."""
        return max(1, self.workers - self.lent.is_set())

    def counting(self) -> Limits:
        """Return limits whose time counts from now, unless they say from when."""
        return self if self.began is not None else replace(self, began=time.monotonic())

    def elapsed_s(self) -> float:
        """Return the seconds since the time counts; 0 where nobody says since when."""
        return 0.0 if self.began is None else time.monotonic() - self.began

    def within(self, seconds: float) -> Limits:
        """Return the same limits, with a deadline that is so many seconds away at most."""
        until = time.monotonic() + seconds
        return replace(self, deadline=until if self.deadline is None else min(until, self.deadline))

    @property
    def over(self) -> bool:
        """Whether the run has to end."""
        return self.stop.is_set() or self.remaining_s() == 0.0


@dataclass(frozen=True)
class Hint:
    """What somebody else has found of the same problem.

    Parameters
    ----------
    choices
        A plan, or None.
    duals
        Prices of a bound of tables, or None.
    """

    choices: tuple[int, ...] | None = None
    duals: Duals | None = None


class Stopped(Exception):
    """Raised inside a formulation when `Limits.over` is noticed, or for the reason that it gives; never leaves it."""


def limits_of(
    limits: Limits | None, time_limit: float | None = None, seed: int | None = None, workers: int | None = None
) -> Limits:
    """Return limits with what is given one by one instead.

    Parameters
    ----------
    limits
        None for the usual ones.
    time_limit
        Seconds from now.
    seed, workers
        Instead of those of the limits.

    Raises
    ------
    TypeError
        If one of them is of another kind.
    ValueError
        If it is of no use.
    """
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits: expected hypar_opt.Limits or None, got {readable(repr(limits))}")
    given: dict[str, Any] = {name: value for name, value in (("seed", seed), ("workers", workers)) if value is not None}
    for name, value in given.items():
        if type(value) is not int:
            raise TypeError(f"{name}: expected a whole number or None, got {readable(repr(value))}")
    if time_limit is not None and (isinstance(time_limit, bool) or not isinstance(time_limit, int | float)):
        raise TypeError(f"time_limit: expected a number of seconds or None, got {readable(repr(time_limit))}")
    if time_limit is not None and not 0 <= time_limit < math.inf:
        raise ValueError(f"time_limit: expected a finite number of seconds, at least 0, got {time_limit}")
    found = replace(limits or Limits(), **given)
    return found if time_limit is None else found.within(time_limit)


Spread: TypeAlias = (
    "Callable[[Callable[[Any, Limits], Any], Iterable[Any], Limits], Generator[tuple[Any, Any, str], None, None]]"
)
"""Has others call a module's function with every piece, by itself, and with the limits of all. Pieces are values that
can be pickled, drawn a few ahead of what is done. Yields, in no order, a piece, what came of it, and nothing; or one
that killed whoever ran it, None, and why it was set aside. Ends when all is done or the limits are over; closed before,
it has those told to stop who still run some."""


@dataclass(frozen=True)
class Run:
    """One call of a formulation: its limits, its start and its listener.

    Parameters
    ----------
    source
        The formulation's name.
    limits
        What it may use.
    start
        A plan to start from: a value for every variable.
    listener
        Called with every event, from whichever thread the solver calls back on.
    proof
        Called with the potentials of a proof of optimality, or with the prices of the best bound of tables, if
        somebody wants them; a formulation whose capabilities say that it certifies does so before it returns.
    others
        Asked by a formulation that can use it for what those have found that search beside it.
    began
        On the clock of `time.monotonic`.
    spread
        Runs pieces of the search elsewhere; None where nobody would. A formulation that uses it says so in its
        capabilities, and finds the same with it and without.
    """

    source: str
    limits: Limits = field(default_factory=Limits)
    start: tuple[int, ...] | None = None
    listener: Listener | None = None
    proof: Proof | None = None
    others: Callable[[], Hint] | None = None
    began: float = field(default_factory=time.monotonic)
    spread: Spread | None = None

    def hint(self) -> Hint:
        """Return the best that others have found so far; nothing where nobody searches beside this run."""
        return Hint() if self.others is None else self.others()

    def phase(self, text: str) -> None:
        """Say what begins now."""
        self._emit("phase", text=text)

    def incumbent(self, value: int | Fraction, choices: tuple[int, ...]) -> None:
        """Tell of a better plan."""
        self._emit("incumbent", value=value, choices=choices)

    def bound(self, value: int | Fraction) -> None:
        """Tell of a better bound."""
        self._emit("bound", value=value)

    def check(self) -> None:
        """Raise `Stopped` if the run has to end."""
        if self.limits.over:
            raise Stopped

    def _emit(self, kind: Literal["phase", "incumbent", "bound"], **told: Any) -> None:
        if self.listener is not None:
            self.listener(Event(kind, time.monotonic() - self.began, self.source, **told))
