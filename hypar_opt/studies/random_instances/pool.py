"""Processes that measure chains, and what happens to them when the parent is stopped or killed."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.studies.random_instances.measurement import measure
from hypar_opt.util.errors import HyparError
from hypar_opt.util.processes import leave_signals, signals_held_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.random_instances.family import Family
    from hypar_opt.studies.random_instances.row import CampaignRow

Task: TypeAlias = tuple[int, tuple[str, ...]]
"""A chain and the accountings to measure it under."""
AHEAD: Final = 4
"""Chunks given out for every worker, so that none waits and few are lost at the end."""


def measured(
    family: Family, seed: int, chunks: Iterable[list[Task]], workers: int, limits: Limits
) -> Iterator[list[CampaignRow]]:
    """Yield the rows of every chunk, in the order in which they come, until all are done or the limits are over.

    One worker is this process itself.

    Raises
    ------
    HyparError
        If a worker process dies.
    """
    if workers == 1:
        for chunk in chunks:
            if limits.over:
                return
            yield work(family, seed, chunk)
        return
    try:
        yield from _in_processes(family, seed, chunks, workers, limits)
    except BrokenProcessPool:
        raise HyparError("a worker process was ended from outside; run it again to go on from the store") from None


def work(family: Family, seed: int, chunk: list[Task]) -> list[CampaignRow]:
    """Measure a chunk."""
    return [row for chain, accountings in chunk for row in measure(family, seed, chain, accountings)]


def _in_processes(
    family: Family, seed: int, chunks: Iterable[list[Task]], workers: int, limits: Limits
) -> Iterator[list[CampaignRow]]:
    pool = ProcessPoolExecutor(workers, get_context("spawn"), leave_signals)
    left = iter(chunks)
    running: set[Future[list[CampaignRow]]] = set()
    try:
        while not limits.over:
            for _, chunk in zip(range(AHEAD * workers - len(running)), left, strict=False):
                with signals_held_back():
                    running.add(pool.submit(work, family, seed, chunk))
            if not running:
                return
            done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
        # what has begun is ended and kept
        yield from (future.result() for future in wait(running - {x for x in running if x.cancel()}).done)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
