"""Watching long work: signals, events for machines, and progress on a terminal or in a log."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from hypar_opt.cli.json_lines import json_lines, several
from hypar_opt.cli.progress.display import drawn, logged, may_be_drawn
from hypar_opt.cli.progress.state import State
from hypar_opt.cli.signals import Caught, stopping
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.cli.options import Wanted
    from hypar_opt.formulation.run import Limits, Listener

__all__ = ["STOPPED", "Watch", "showing", "watching"]

STOPPED: Final = 3
"""The exit code of what stopped at a limit and has nothing to show."""


@dataclass(frozen=True)
class Watch:
    """A run that is watched.

    Parameters
    ----------
    listener
        To be called with the run's events.
    caught
        The signal that came, if one did.
    shown
        What is shown to people only.
    """

    listener: Listener
    caught: Caught
    shown: State

    @property
    def exit_code(self) -> int | None:
        """Of what ended the run before its end, a signal or a fault; None if nothing did."""
        return self.caught.exit_code

    def hear_fault(self, fault: Exception) -> None:
        """Note the fault that ends the run, to be said at its end; the first, as others come of it."""
        self.caught.fault = self.caught.fault or fault

    def doing(self, what: str) -> None:
        """Show people what is done now, where it has no events of its own."""
        self.shown.doing(what)


@contextmanager
def watching(title: str, limits: Limits, wanted: Wanted, *others: Listener) -> Iterator[Watch]:
    """Watch a run: stop it at a signal, write its events, and show how far it is once it takes a second.

    Parameters
    ----------
    title
        What is shown of what it is.
    limits
        Whose flag a signal sets, and whose deadline is the most that can be left.
    wanted
        Quiet shows nothing; JSON lines are events on the standard output, and nothing else is shown.
    others
        Who hears the events too.

    Raises
    ------
    click.exceptions.Exit
        If the work was interrupted before it had anything to show, which is said: with the signal's code, or 3.
    """
    state = State(title, limits)
    with ExitStack() as stack:
        caught = stack.enter_context(stopping(limits.stop))
        stack.enter_context(_shown(state, caught, wanted))
        lines = json_lines(click.echo, limits) if wanted.json_lines else None
        try:
            yield Watch(several(state.hear, lines, *others), caught, state)
        except Interrupted as stop:
            stack.close()  # whatever is drawn is away before the error is written
            click.echo(f"error: {caught.fault or stop}", err=True)
            raise click.exceptions.Exit(caught.exit_code or STOPPED) from None
    if caught.fault is not None:
        click.echo(f"error: {caught.fault}; what was done by then is kept", err=True)


@contextmanager
def showing(title: str, wanted: Wanted) -> Iterator[State]:
    """Show that something is done which has no events and writes no file: a signal ends it, and the process."""
    state = State(title)
    with stopping(None) as caught, _shown(state, caught, wanted):
        yield state


@contextmanager
def _shown(state: State, caught: Caught, wanted: Wanted) -> Iterator[None]:
    """Show a run the way that suits the standard error, which the result never goes to."""
    if wanted.quiet or wanted.json_lines:
        yield
    elif may_be_drawn():
        with drawn(state) as abandon:
            caught.at_once = abandon
            yield
    elif wanted.machine:
        yield
    else:
        with logged(state, partial(click.echo, err=True)):
            yield
