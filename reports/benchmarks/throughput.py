"""Pieces and rows per second on the engines of this machine, one and two workers, all in turn."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from hypar_opt.executor import engine_spec, open_workers, run_pieces
from hypar_opt.formulation.run import Limits
from hypar_opt.studies.random_instances import family
from hypar_opt.studies.random_instances.measurement import measure
from reports.benchmarks.protocol import median, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.executor import Workers

ENGINES = ("local", "dask")
COUNTS = (1, 2)
SLEEPING_MS = (1, 5, 20, 50, 200)
COMPUTING_MS = (5, 50, 200)
RUNS = 3
WORK_S = 0.5
"""What the pieces of a run take together, a worker."""
CHAINS = 30
CALLS = 200
LIMITS = Limits(workers=1)
TITLE = "Throughput of pieces on the engines of one machine"
NOTES = (
    "Pieces per second, of `chains` rows per second (a piece is a chain, its rows its accountings); the median of "
    f"{RUNS} runs, all engines in turn in each round, after one that does not count. `dask/local`: medians of the "
    "ratios of one round, Dask's throughput over that of as many local processes. *sleeps* waits so long; *computes* "
    "spins until the processor has spent so many on it, so that two workers get no more than the processors that are "
    "free. `ideal`: what workers without any overhead would do where each has a processor to itself.",
    f"`an empty call`: one that does nothing, handed out by itself, {CALLS} of them waiting at once: calls per second.",
    "Pieces are handed out by `run_pieces`, in batches from one piece on: the first runs of small pieces are part of "
    "what is measured.",
)


def sleeping(milliseconds: int, _: Limits) -> None:
    """Wait."""
    time.sleep(milliseconds / 1000)


def computing(milliseconds: int, _: Limits) -> None:
    """Spend so much of a processor's time."""
    until = time.process_time() + milliseconds / 1000
    while time.process_time() < until:
        pass


def chain(index: int, _: Limits) -> int:
    """Measure a chain; return how many rows it has."""
    return len(measure(family("chains"), 0, index, ("published", "as-evaluated", "receiver", "leaf-exact")))


def nothing() -> None:
    """Do nothing."""


def run() -> None:
    """Measure all, and write the table."""
    with ExitStack() as stack:
        workers = {
            f"{engine}:{count}": stack.enter_context(open_workers(engine_spec(f"{engine}:{count}"), LIMITS))
            for engine in ENGINES
            for count in COUNTS
        }
        cases: list[tuple[str, Callable[[Workers], float], float | None]] = [
            (f"{name} {size} ms", _pieces(function, size), 1000 / size)
            for name, function, sizes in (("sleeps", sleeping, SLEEPING_MS), ("computes", computing, COMPUTING_MS))
            for size in sizes
        ]
        cases += [("chains", _chains, None), ("an empty call", _calls, None)]
        rows = []
        for name, measured, ideal in cases:
            for count in COUNTS:
                rows.append(_row(name, workers, count, ideal, measured))
                sys.stderr.write(f"{rows[-1]}\n")
    write("throughput", TITLE, rows, NOTES)


def _row(
    name: str, workers: Mapping[str, Workers], count: int, ideal: float | None, measured: Callable[[Workers], float]
) -> dict[str, Any]:
    rates: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    for turn in range(RUNS + 1):
        for engine in ENGINES:
            rate = measured(workers[f"{engine}:{count}"])
            if turn:
                rates[engine].append(rate)
    ratios = [dask / local for local, dask in zip(rates["local"], rates["dask"], strict=True)]
    row: dict[str, Any] = {"piece": name, "workers": count}
    row |= {engine: f"{median(of):.4g}" for engine, of in rates.items()}
    row |= {"dask/local": f"{median(ratios):.2f}", "ideal": None if ideal is None else f"{ideal * count:.4g}"}
    return row


def _pieces(function: Callable[[int, Limits], None], size: int) -> Callable[[Workers], float]:
    def measured(workers: Workers) -> float:
        count = max(4, round(WORK_S * 1000 / size)) * workers.count
        return count / _seconds(workers, function, [size] * count)

    return measured


def _chains(workers: Workers) -> float:
    began = time.perf_counter()
    rows = sum(one.result or 0 for one in run_pieces(workers, chain, range(CHAINS), LIMITS))
    return rows / (time.perf_counter() - began)


def _calls(workers: Workers) -> float:
    began = time.perf_counter()
    for future in [workers.submit(nothing) for _ in range(CALLS)]:
        future.result()
    return CALLS / (time.perf_counter() - began)


def _seconds(workers: Workers, function: Callable[[int, Limits], None], pieces: Sequence[int]) -> float:
    began = time.perf_counter()
    if len(list(run_pieces(workers, function, pieces, LIMITS))) != len(pieces):
        raise AssertionError("a piece is missing")
    return time.perf_counter() - began
