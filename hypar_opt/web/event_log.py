"""A worker's events as lines of a file, which its server passes on."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from threading import Event as Flag
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Any, Final

from hypar_opt.formulation.run import Event
from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.notes import bound
from hypar_opt.report.numbers import in_objective, unit_of_objective
from hypar_opt.solver.improvements import is_of
from hypar_opt.util.numbers import exact
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem

LEAST_GAP_S: Final = 0.1
"""Between two values of one kind; of those that come sooner the latest is told when the time is up."""
MOST_LINES: Final = 5000


class Teller:
    """A listener that writes; seldom enough that a job's file stays small. A context: what is held back is told."""

    def __init__(self, stream: IO[bytes], problem: Problem) -> None:
        self._stream, self._problem = stream, problem
        self._began = time.monotonic()
        self._held: dict[tuple[str, str], dict[str, Any]] = {}
        self._last: dict[tuple[str, str], Fraction] = {}
        self._lock, self._over, self._lines = Lock(), Flag(), 0
        self._thread = Thread(target=self._tell_now_and_then, name="teller", daemon=True)

    def __enter__(self) -> Teller:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._flush()

    def hear(self, event: Event) -> None:
        """Take an event of a solver, from whichever thread; values of other problems than the job's are passed over."""
        key = event.source, event.kind
        if event.value is not None:
            if not is_of(event, self._problem.objective) or self._last.get(key) == event.value:
                return
            self._last[key] = exact_number(event.value)
        with self._lock:
            self._held[key] = self._document(event)
        if event.kind == "phase":
            self._flush()

    def conclude(self, plan: Plan) -> None:
        """Tell what a formulation's plan costs and what it proves, which its search may not have told by its end."""
        if plan.objective is None or plan.status is Status.ERROR:
            return
        weights, who, least = self._problem.objective.linear, (plan.runtime_s, plan.formulation), bound(plan)
        self.hear(Event("incumbent", *who, plan.objective, weights=weights))
        if least is not None:
            self.hear(Event("bound", *who, least, weights=weights))

    def say(self, text: str) -> None:
        """Tell of a step of the worker's own."""
        with self._lock:
            self._held["job", "phase"] = {"event": "phase", "time_s": self._now(), "source": "job", "text": text}
        self._flush()

    def _tell_now_and_then(self) -> None:
        while not self._over.wait(LEAST_GAP_S):
            self._flush()

    def _flush(self) -> None:
        """Tell what was held back, in the order in which it came."""
        with self._lock:
            documents = sorted(self._held.values(), key=lambda one: one["time_s"])
            self._held.clear()
            lines = [json.dumps(one).encode() + b"\n" for one in documents]
            room = max(0, MOST_LINES - self._lines)
            self._lines += len(lines)
            if lines[:room]:
                self._stream.write(b"".join(lines[:room]))

    def _now(self) -> float:
        return round(time.monotonic() - self._began, 4)

    def _document(self, event: Event) -> dict[str, Any]:
        found: dict[str, Any] = {"event": event.kind, "time_s": self._now(), "source": event.source}
        if event.value is not None:
            value, objective = exact_number(event.value), self._problem.objective
            unit, worth = unit_of_objective(objective)
            found |= {"value": exact(value), "near": float(value / worth), "unit": unit}
            found["shown"] = in_objective(objective, value)
        text, progress = event.text, event.progress
        if progress is not None:
            text = ", ".join(filter(None, [progress.counted, progress.beside]))
        return found | ({"text": text} if text else {})
