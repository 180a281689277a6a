"""Schedules of a pipeline on links: on the terminal, and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_component, share
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hypar_opt.studies.schedules.links import LinkedSchedule


def show_linked(console: Console, heading: str, schedules: Sequence[LinkedSchedule]) -> None:
    """Print a row a schedule."""
    console.print(heading)
    show_folded(console, [_row(one) for one in schedules])
    console.print("on the way: what of the chain of operations that decides the batch's end is spent on links")


def _row(one: LinkedSchedule) -> dict[str, str]:
    link, busy = one.busiest or ("", 0)
    return {
        "schedule": one.name,
        "in phases": in_component(TIME, one.apart),
        "on links": in_component(TIME, one.seconds),
        "on the way": share(one.moving, one.seconds),
        "busiest link": link,
        "busy": share(busy, 1) if link else "",
    }


def linked_document(heading: str, schedules: Sequence[LinkedSchedule]) -> dict[str, Any]:
    """Return the same as plain data; exact numbers as text."""
    return {
        "of": heading,
        "schedules": [
            {
                "name": one.name,
                "apart_s": exact(one.apart),
                "seconds": exact(one.seconds),
                "moving_s": exact(one.moving),
                "busiest_link": None if one.busiest is None else one.busiest[0],
                "busy": None if one.busiest is None else exact(one.busiest[1]),
            }
            for one in schedules
        ],
    }
