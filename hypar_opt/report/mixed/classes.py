"""What the classes of an array's leaves do in a step, side by side, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.mixed.array import class_text
from hypar_opt.report.numbers import in_bytes, in_si, share
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.evaluation.mixed import Number
    from hypar_opt.report.mixed.step import MixedStep


def class_rows(step: MixedStep) -> list[dict[str, str]]:
    """Return a row a doing, and a column a class: seconds of a step, for whom it waits, and memory."""

    def row(what: str, of: Callable[[int], str]) -> dict[str, str]:
        return {"": what} | {class_text(one): of(place) for place, one in enumerate(step.classes)}

    def seconds(of: Callable[[int], Number]) -> Callable[[int], str]:
        return lambda place: in_si(of(place), "s")

    return [
        row("computing", seconds(step.computing)),
        *(
            row(f"reading, level {level + 1}", seconds(lambda place, level=level: step.reading(place, level)))  # type: ignore[misc]
            for level in range(step.setting.levels)
        ),
        row("in all", seconds(step.working)),
        row("waiting", seconds(step.waiting)),
        row("for", lambda place: _waited_for(step, place)),
        row("memory", lambda place: in_bytes(step.kept[place])),
        row("of capacity", lambda place: _of_capacity(step, place)),
    ]


def _waited_for(step: MixedStep, place: int) -> str:
    ranked = sorted(step.waits_for(place).items(), key=lambda item: -item[1])
    return ", ".join(step.classes[other].name for other, _ in ranked) or "-"


def _of_capacity(step: MixedStep, place: int) -> str:
    capacity = step.capacity(place)
    return "-" if capacity is None else f"{share(step.kept[place], capacity)} of {in_bytes(capacity)}"


def wait_rows(step: MixedStep) -> list[dict[str, str]]:
    """Return a row a wait: how long every class works before it, and who is waited for; nothing of a single wait."""
    if len(step.waits) < 2:
        return []
    rows = []
    for name, seconds, last in zip(step.wait_names, step.waits, step.last, strict=True):
        each = {class_text(one): in_si(seconds[place], "s") for place, one in enumerate(step.classes)}
        waited = "-" if len(last) in (0, len(step.classes)) else ", ".join(step.classes[one].name for one in last)
        rows.append({"until": name} | each | {"waited for": waited})
    return rows


def waiting_lines(step: MixedStep) -> list[str]:
    """Return where groups wait, and a line of whoever waits: how long, and for whom."""
    lines = [f"barrier {step.setting.barrier.name}: {step.setting.barrier.summary}"]
    for place, one in enumerate(step.classes):
        if step.waiting(place) > 0:
            part = share(step.waiting(place), step.time)
            lines.append(
                f"{one.name} waits {in_si(step.waiting(place), 's')} of a step ({part}) for {_waited_for(step, place)}"
            )
    return lines


def classes_document(step: MixedStep) -> dict[str, Any]:
    """Return what every class does for machines, exact."""
    names = [one.name for one in step.classes]
    levels = range(step.setting.levels)
    return {
        "barrier": step.setting.barrier.name,
        "time_s": exact(step.time),
        "classes": [
            {
                "class": one.name,
                "kind": step.array.kinds[one.kind].name,
                "count": one.count,
                "computing_s": exact(step.computing(place)),
                "reading_s_by_level": [exact(step.reading(place, level)) for level in levels],
                "waiting_s": exact(step.waiting(place)),
                "waits_for_s": {names[other]: exact(found) for other, found in step.waits_for(place).items()},
                "memory_bytes": exact(step.kept[place]),
                "capacity_bytes": exact(step.capacity(place)),
            }
            for place, one in enumerate(step.classes)
        ],
        "waits": [
            {
                "until": name,
                "seconds": dict(zip(names, map(exact, seconds), strict=True)),
                "waited_for": [names[one] for one in last],
            }
            for name, seconds, last in zip(step.wait_names, step.waits, step.last, strict=True)
        ],
    }
