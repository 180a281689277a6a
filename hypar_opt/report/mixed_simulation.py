"""A simulated step on several kinds of accelerators: on the terminal, and for machines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_si, share
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.studies.simulation.mixed_step import MixedSimulation

DOINGS: Final = ("computing", "reading", "waiting")
"""What a class spends a step with."""


def mixed_headline(name: str, found: MixedSimulation) -> tuple[str, ...]:
    """Return the simulated time and the analytic one beside it."""
    same = "the same exactly" if found.time == found.analytic else "another"
    return (
        f"{name}: a step takes {_s(found.time)} simulated (classes of accelerators, no contention)",
        f"analytic: {_s(found.analytic)}, {same}",
    )


def show_mixed_simulation(console: Console, name: str, found: MixedSimulation) -> None:
    """Print how long a step takes, and who waits."""
    from hypar_opt.report.console import show

    console.print("\n".join(mixed_headline(name, found)))
    console.print()
    show(console, [_row(found, place) for place in range(len(found.classes))])


def _row(found: MixedSimulation, place: int) -> dict[str, str]:
    each = {doing: found.seconds(place, doing) for doing in DOINGS}
    shares = {f"{doing}, of the step": share(each[doing], found.time) for doing in ("waiting",) if found.time}
    return {"class": found.classes[place]} | {doing: _s(seconds) for doing, seconds in each.items()} | shares


def mixed_simulation_document(name: str, found: MixedSimulation) -> dict[str, Any]:
    """Return a simulated step as plain data; seconds exact."""
    return {
        "instance": name,
        "time_s": exact(found.time),
        "analytic_s": exact(found.analytic),
        "classes": [
            {
                "class": one,
                **{f"{doing}_s": exact(found.seconds(place, doing)) for doing in DOINGS},
                "spans": [
                    {
                        "doing": "waiting" if span.doing is None else found.stints[span.doing].doing,
                        "wait": span.wait,
                        "begin_s": exact(span.begin),
                        "end_s": exact(span.end),
                    }
                    for span in found.spans[place]
                ],
            }
            for place, one in enumerate(found.classes)
        ],
    }


def _s(seconds: Fraction) -> str:
    return in_si(float(seconds), "s")
