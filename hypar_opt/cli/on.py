"""The option `--on`, of commands that run many independent pieces."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.options import together
from hypar_opt.executor.engines import ENGINES, EngineSpec, engine_spec, open_workers
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from hypar_opt.cli.options import Wanted
    from hypar_opt.cli.progress import Watch
    from hypar_opt.executor.workers import Workers
    from hypar_opt.formulation.run import Limits


class _On(click.ParamType[EngineSpec]):
    """What runs pieces."""

    name = "engine"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> EngineSpec:
        """Return what was named; what it needs is found out before anything is done."""
        spec = engine_spec(value)
        if ENGINES[spec.engine].extra:
            require(ENGINES[spec.engine].extra)
        return spec


on_option = together(
    click.option(
        "--on",
        type=_On(),
        metavar="ENGINE",
        help=f"Who runs the pieces: {'; '.join(one.spelt for one in ENGINES.values())}.",
    )
)
"""Becomes `on`, an EngineSpec or None."""


@contextmanager
def opened(
    on: EngineSpec | None, limits: Limits, wanted: Wanted, watch: Watch | None = None
) -> Iterator[Workers | None]:
    """Open the workers that were asked for, and say who they are; None where pieces run in this process.

    Parameters
    ----------
    watch
        Of a run that is to end with what it has if workers are lost; without it that is raised in the run.

    Raises
    ------
    InputError
        If there are no such workers, before any work is done.
    """
    if on is None:
        yield None
        return
    with open_workers(on, limits) as workers:
        if not (wanted.machine or wanted.quiet):
            click.echo(f"on {workers.text}", err=True)
        if not wanted.quiet:
            workers.say = _warn
        if watch is not None:
            workers.hear_fault = watch.hear_fault
        yield workers


def _warn(text: str) -> None:
    with suppress(OSError, ValueError):  # nobody reads it, or it is closed
        click.echo(f"warning: {text}", err=True)


def opened_or_processes(
    on: EngineSpec | None, processes: int | None, most: int, limits: Limits, wanted: Wanted
) -> Callable[[Watch], AbstractContextManager[Workers | None]]:
    """Return what opens the workers that are named, or else processes of this machine; None where this one is enough.

    It is called with the watch of the run, as `opened` takes it.

    Parameters
    ----------
    processes
        What `--workers` says; None for as many as there are processors.
    most
        How many pieces there are.

    Raises
    ------
    UsageError
        If both are given; at once.
    InputError
        If there are no such workers, when they are opened.
    """
    from hypar_opt.executor.given import workers_of

    if on is None:
        return lambda _: workers_of(processes, most)
    if processes is not None:
        raise click.UsageError(f"--workers {processes} is --on local:{processes}, and --on is given too: choose one")
    return lambda watch: opened(on, limits, wanted, watch)
