"""Events and results as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final

import click

from hypar_opt.formulation.progress import Progress, within
from hypar_opt.solver.threads import until_it_fails
from hypar_opt.util.numbers import exact
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from hypar_opt.cli.options import Wanted
    from hypar_opt.formulation.run import Event, Limits, Listener

BETTER: Final[Mapping[str, tuple[str, Any]]] = MappingProxyType({"incumbent": ("cost", min), "bound": ("bound", max)})
"""What the value of an event of a kind is in a log, and which of two such values is the better."""


def event_document(event: Event, limits: Limits | None = None) -> dict[str, object]:
    """Return an event for machines; the deadline of the whole is the most that can be left."""
    fields: dict[str, object] = {
        "event": event.kind,
        "time_s": round(event.time_s, 4),
        "source": event.source,
    }
    if event.value is not None:
        fields["value"] = exact(exact_number(event.value))
    fields |= {name: text for name, text in (("text", event.text), ("instance", event.instance)) if text}
    return fields if event.progress is None else fields | _progress(event, event.progress, limits)


def _progress(event: Event, progress: Progress, limits: Limits | None) -> dict[str, object]:
    """Return what is done of how much, and what is known of how long the rest takes: null where nothing is."""
    left = progress.left()
    if limits is not None and not progress.over:
        left = within(left, limits.remaining_s())
    beside = {"running": progress.running, "failed": progress.failed}
    return {
        "unit": progress.unit,
        "done": progress.done,
        "total": progress.total,
        **{name: number for name, number in beside.items() if number},
        "elapsed_s": round(event.time_s, 4),
        "eta_s": None if left is None else _rounded(left.likely_s),
        "eta_least_s": None if left is None else _rounded(left.least_s),
        "eta_most_s": None if left is None else _rounded(left.most_s),
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 2)


def echo_document(document: Mapping[str, object], wanted: Wanted) -> None:
    """Print a result for machines: alone, or as the last of the JSON lines."""
    result = {"event": "result", **document} if wanted.json_lines else document
    click.echo(json.dumps(result, indent=None if wanted.json_lines else 1))


def show_result(wanted: Wanted, document: Callable[..., Any], show: Callable[..., None], *found: Any) -> None:
    """Print a result: for machines the document of what was found, for people what shows that on a console."""
    if wanted.machine:
        echo_document(document(*found), wanted)
    else:
        from hypar_opt.report.console import console

        show(console(), *found)


def echo_rows(rows: Sequence[Mapping[str, object]], wanted: Wanted, document: object = None) -> None:
    """Print a table for machines: as one document, its rows unless another is given, or every row as a JSON line."""
    if wanted.as_json:
        click.echo(json.dumps(rows if document is None else document, indent=1))
        return
    for row in rows:
        echo_document(row, wanted)


def json_lines(write: Callable[[str], object], limits: Limits | None = None) -> Listener:
    """Return a listener that writes an event a line, for as long as somebody reads."""
    return until_it_fails(
        lambda event: write(json.dumps(event_document(event, limits))), BrokenPipeError, lambda _: None
    )


def to_file(stream: IO[bytes], warn: Callable[[str], object]) -> Listener:
    """Return a listener that appends to a log; if that fails it says so once, and the search goes on.

    Incumbents and bounds come with the least cost and the highest bound so far, so that a line can be read alone.
    """
    so_far: dict[str, int | Fraction | None] = {"cost": None, "bound": None}

    def hear(event: Event) -> None:
        document = event_document(event)
        if event.kind in BETTER and event.value is not None:
            field, better = BETTER[event.kind]
            known = so_far[field]
            so_far[field] = event.value if known is None else better(known, event.value)
            document |= {name: exact(value) for name, value in so_far.items()}
        stream.write(json.dumps(document).encode() + b"\n")

    return until_it_fails(
        hear, OSError, lambda error: warn(f"warning: the log cannot be written any more: {error.strerror}")
    )


def several(*listeners: Listener | None) -> Listener:
    """Return a listener that tells several."""
    active = [listener for listener in listeners if listener is not None]

    def hear(event: Event) -> None:
        for listener in active:
            listener(event)

    return hear
