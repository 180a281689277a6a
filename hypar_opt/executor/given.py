"""Workers as callers in Python say them: open ones, or a number of processes."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.executor.engines import EngineSpec, open_workers
from hypar_opt.executor.local import processors
from hypar_opt.executor.workers import Workers
from hypar_opt.formulation.run import MOST_WORKERS, Limits
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

GivenWorkers: TypeAlias = Workers | int | None
"""Open workers, which stay open; a number of processes of this machine, 1 being this process itself; None for as many
as there are processors."""


def process_count(given: int | None) -> int:
    """Return a number of processes.

    Raises
    ------
    InputError
        If there cannot be so many.
    """
    if given is None:
        return min(MOST_WORKERS, processors())
    if not 1 <= given <= MOST_WORKERS:
        raise InputError(f"expected from 1 to {MOST_WORKERS}, got {given}", field="workers")
    return given


@contextmanager
def workers_of(given: GivenWorkers, most: int) -> Iterator[Workers | None]:
    """Lend workers for so many pieces at most; None where pieces run in this process.

    Raises
    ------
    InputError
        If there cannot be so many processes.
    """
    if isinstance(given, Workers):
        yield given
        return
    count = min(process_count(given), most)
    if count <= 1:
        yield None
        return
    with open_workers(EngineSpec("local", count), Limits()) as workers:
        yield workers
