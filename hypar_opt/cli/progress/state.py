"""What is known of a run by now, from the events that were heard."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from hypar_opt.formulation.progress import Left, Progress, within

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from hypar_opt.formulation.run import Event, Limits


@dataclass(frozen=True)
class SolverState:
    """Who is at work, on what, and how far.

    Parameters
    ----------
    instance, source
        The latest event's.
    phase
        What it is doing.
    incumbent, bound
        The latest values, None where there is none.
    weights
        What those are amounts of.
    """

    instance: str
    source: str
    phase: str = ""
    incumbent: int | Fraction | None = None
    bound: int | Fraction | None = None
    weights: Mapping[str, Fraction] | None = None


@dataclass(frozen=True)
class Track:
    """Some work of which it is known how much is done, and when that was heard."""

    progress: Progress
    heard: float


@dataclass(frozen=True)
class Seen:
    """All that is shown, at one moment.

    Parameters
    ----------
    title
        Of the work.
    elapsed_s
        Since it began.
    tracks
        How much is done, by who counts: the outermost first.
    solver
        Who is at work, if anybody said so.
    left
        Of the whole; None while nothing is known.
    stopping
        Whether it was told to stop.
    """

    title: str
    elapsed_s: float
    tracks: tuple[tuple[str, Progress], ...]
    solver: SolverState | None
    left: Left | None
    stopping: bool


class State:
    """Hears events, from whichever thread, and tells what they come to.

    Parameters
    ----------
    title
        Of the work.
    limits
        Of the whole: its deadline is the most that can be left, its flag says that it was told to stop, and it began
        when they say.
    clock
        In seconds.
    """

    def __init__(
        self, title: str, limits: Limits | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._title, self._limits, self._clock = title, limits, clock
        self._began = clock() if limits is None or limits.began is None else limits.began
        self._lock = Lock()
        self._tracks: dict[str, Track] = {}
        self._solver: SolverState | None = None

    def hear(self, event: Event) -> None:
        """Take an event in."""
        with self._lock:
            if event.progress is not None:
                self._count(event.source, event.progress)
            else:
                self._solver = _after(self._solver, event)

    def doing(self, what: str) -> None:
        """Note what is done now, after all that was counted."""
        with self._lock:
            self._tracks.clear()
            self._solver = SolverState("", what)

    def _count(self, source: str, progress: Progress) -> None:
        """Note how much is done; what counted within the unit that is done now has come to its end."""
        if source in self._tracks:
            names = list(self._tracks)
            for inner in names[names.index(source) + 1 :]:
                del self._tracks[inner]
        self._tracks[source] = Track(progress, self._clock())
        if self._solver is not None and self._solver.source != source:
            self._solver = None
        if progress.over:
            del self._tracks[source]

    def seen(self) -> Seen:
        """Return what is known now."""
        with self._lock:
            now = self._clock()
            outer = next(iter(self._tracks.values()), None)
            left = None if outer is None else outer.progress.left(now - outer.heard)
            limits = self._limits
            return Seen(
                self._title,
                now - self._began,
                tuple((source, track.progress) for source, track in self._tracks.items()),
                self._solver,
                left if limits is None else within(left, limits.remaining_s()),
                limits is not None and limits.stop.is_set(),
            )


def _after(solver: SolverState | None, event: Event) -> SolverState:
    """Return a solver's state after an event; another solver, and another phase, begin anew."""
    if solver is None or (solver.instance, solver.source, solver.weights) != (
        event.instance,
        event.source,
        event.weights,
    ):
        solver = SolverState(event.instance, event.source, weights=event.weights)
    if event.kind == "phase":
        return replace(solver, phase=event.text)
    return replace(solver, incumbent=event.value) if event.kind == "incumbent" else replace(solver, bound=event.value)
