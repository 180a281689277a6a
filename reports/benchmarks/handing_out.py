"""What a scheduler's time for each batch means for many workers, by how long batches last: calculated and simulated."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from hypar_opt.executor.pieces import AHEAD, batch_s
from reports.benchmarks.protocol import REPORTS, write

if TYPE_CHECKING:
    from collections.abc import Generator

    from simpy import Environment, Event, Resource

WORKERS = (10, 100, 1000)
TASK_S = (0.0002, 0.001)
"""What a scheduler spends on a task, in seconds: Dask's documentation says 200 microseconds to a millisecond."""
BATCHES_S = (0.01, 0.05, 0.25, 1.0, 4.0)
BEFORE, WATCHED = 4, 8
"""How often a worker runs a batch before it is watched, and while it is."""
TITLE = "How long batches have to last, for a scheduler that hands out one after the other"
NOTES = (
    "One scheduler spends so many microseconds on each batch, one after the other; a worker runs one batch at a time, "
    "from half of the mean length to one and a half of it, evenly spread. `calculated`: of the workers' time what is "
    "spent in batches at most, min(1, length / (workers x scheduler)). `alone`, `ahead`: the same simulated (simpy), "
    f"the first with the next batch sent when the one before has come back, the second with {AHEAD} batches a worker "
    "given out. Begin and end of a study are not in it.",
    "`run_pieces` takes the longer of a quarter of a second and two milliseconds a worker: "
    + ", ".join(f"{batch_s(count):g} s for {count:,} workers" for count in WORKERS)
    + ". Such rows have `chosen`.",
)


def run() -> None:
    """Calculate, simulate, write a table and draw."""
    cases = [(count, task) for count in WORKERS for task in TASK_S]
    rows = [_row(count, task, length) for count, task in cases for length in sorted({*BATCHES_S, batch_s(count)})]
    write("handing_out", TITLE, rows, NOTES)
    plot(rows)


def calculated(count: int, task_s: float, length_s: float) -> float:
    """Return which part of the workers' time can be spent in batches at most."""
    return min(1.0, length_s / (count * task_s))


def simulated(count: int, task_s: float, length_s: float, ahead: int) -> float:
    """Return which part of the workers' time is spent in batches, by a simulation.

    Parameters
    ----------
    count
        Workers.
    task_s
        What the scheduler spends on a batch.
    length_s
        Of a batch, on average.
    ahead
        Batches given out to a worker at most, the one that it runs among them.
    """
    import simpy

    environment = simpy.Environment()
    shared = _Shared(environment, simpy.Resource(environment, 1), random.Random(0))
    for _ in range(count):
        environment.process(shared.work(task_s, length_s, ahead))
    round_s = max(length_s, count * task_s)
    environment.run(BEFORE * round_s)
    before = shared.spent_s()
    environment.run((BEFORE + WATCHED) * round_s)
    return (shared.spent_s() - before) / (count * WATCHED * round_s)


class _Shared:
    """The scheduler, and how long workers were in batches."""

    def __init__(self, environment: Environment, scheduler: Resource, drawn: random.Random) -> None:
        self._environment, self._scheduler, self._drawn = environment, scheduler, drawn
        self._busy, self._since, self._spent_s = 0, 0.0, 0.0

    def spent_s(self) -> float:
        """Return the seconds of all workers in batches until now."""
        now: float = self._environment.now
        self._spent_s += self._busy * (now - self._since)
        self._since = now
        return self._spent_s

    def work(self, task_s: float, length_s: float, ahead: int) -> Generator[Event, None, None]:
        """Run batches, each of which the scheduler has handed out before."""
        given = [self._environment.process(self._hand(task_s)) for _ in range(ahead)]
        while True:
            yield given.pop(0)
            self._count(1)
            yield self._environment.timeout(length_s * self._drawn.uniform(0.5, 1.5))
            self._count(-1)
            given.append(self._environment.process(self._hand(task_s)))

    def _hand(self, task_s: float) -> Generator[Event, None, None]:
        with self._scheduler.request() as turn:
            yield turn
            yield self._environment.timeout(task_s)

    def _count(self, more: int) -> None:
        self.spent_s()
        self._busy += more


def _row(count: int, task_s: float, length_s: float) -> dict[str, Any]:
    return {
        "workers": count,
        "scheduler_us": round(task_s * 1e6),
        "length_s": length_s,
        "calculated": f"{calculated(count, task_s, length_s):.3f}",
        "alone": f"{simulated(count, task_s, length_s, 1):.3f}",
        "ahead": f"{simulated(count, task_s, length_s, AHEAD):.3f}",
        "chosen": "chosen" if length_s == batch_s(count) else None,
    }


def plot(rows: list[dict[str, Any]]) -> None:
    """Draw how much of the workers' time is spent in batches, over the length of batches."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "handing_out"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for count, color in zip(WORKERS, ("tab:green", "tab:blue", "tab:red"), strict=True):
        for task_s, line in zip(TASK_S, ("--", "-"), strict=True):
            own = [row for row in rows if (row["workers"], row["scheduler_us"]) == (count, round(task_s * 1e6))]
            lengths = [row["length_s"] for row in own]
            label = f"{count:,} workers, {round(task_s * 1e6):,} µs"
            axes.plot(lengths, [100 * float(row["calculated"]) for row in own], line, color=color, label=label)
            axes.plot(lengths, [100 * float(row["ahead"]) for row in own], "o", color=color, markersize=4)
    axes.set_xscale("log")
    axes.set_xlabel("seconds that a batch lasts")
    axes.set_ylabel("% of the workers' time in batches")
    axes.set_ylim(0, 105)
    axes.set_title("calculated (lines) and simulated (dots)")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(REPORTS / "handing_out.svg", metadata={"Date": None})
    figure.savefig(REPORTS / "handing_out.png", dpi=120)
    plt.close(figure)
