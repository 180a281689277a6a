"""Progress on a terminal, and events as JSON lines."""

from __future__ import annotations

import json
from contextlib import contextmanager
from fractions import Fraction
from threading import Timer
from typing import IO, TYPE_CHECKING

import click

from hypar_opt.plan_file import exact
from hypar_opt.report.numbers import in_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hypar_opt.cli.options import Wanted
    from hypar_opt.run import Event, Listener

QUIET_S = 1.0
"""Work that takes less shows no progress."""


@contextmanager
def progress(title: str, *, enabled: bool) -> Iterator[Listener]:
    """Show a line with the latest phase, incumbent and bound, from the first second on, on a terminal only."""
    from rich.text import Text

    from hypar_opt.report.console import console as plain

    console = plain(stderr=True)
    if not enabled or not console.is_terminal:
        yield lambda _: None
        return
    status = console.status(Text(title))
    latest: dict[str, str] = {}

    def hear(event: Event) -> None:
        if event.kind == "phase" or latest.get("source") != event.source:
            latest.clear()
        latest["source"] = event.source
        latest[event.kind] = event.text or in_units(event.value or 0)
        parts = [latest.get("phase", "")]
        parts += [f"{kind} {latest[kind]}" for kind in ("incumbent", "bound") if kind in latest]
        status.update(Text(f"{event.source}: {', '.join(part for part in parts if part)}"))

    timer = Timer(QUIET_S, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield hear
    finally:
        timer.cancel()
        status.stop()


def event_document(event: Event) -> dict[str, object]:
    """Return an event for machines."""
    fields: dict[str, object] = {
        "event": event.kind,
        "time_s": round(event.time_s, 4),
        "source": event.source,
    }
    if event.value is not None:
        fields["value"] = exact(Fraction(event.value))
    return fields | ({"text": event.text} if event.text else {})


def echo_document(document: Mapping[str, object], wanted: Wanted) -> None:
    """Print a result for machines: alone, or as the last of the JSON lines."""
    result = {"event": "result", **document} if wanted.json_lines else document
    click.echo(json.dumps(result, indent=None if wanted.json_lines else 1))


def json_lines(write: Callable[[str], object]) -> Listener:
    """Return a listener that writes an event a line, for as long as somebody reads."""
    readers = [write]

    def hear(event: Event) -> None:
        try:
            for reader in readers:
                reader(json.dumps(event_document(event)))
        except BrokenPipeError:
            readers.clear()

    return hear


def to_file(stream: IO[bytes], warn: Callable[[str], object]) -> Listener:
    """Return a listener that appends to a log; if that fails it says so once, and the search goes on."""
    streams = [stream]

    def hear(event: Event) -> None:
        try:
            for one in streams:
                one.write(json.dumps(event_document(event)).encode() + b"\n")
        except OSError as error:
            streams.clear()
            warn(f"warning: the log cannot be written any more: {error.strerror}")

    return hear


def several(*listeners: Listener | None) -> Listener:
    """Return a listener that tells several."""
    active = [listener for listener in listeners if listener is not None]

    def hear(event: Event) -> None:
        for listener in active:
            listener(event)

    return hear
