"""From a schedule's sends to tasks of the simulator: what each waits for.

A send carries what the schedule says that its sender has by then, so that it waits for all that arrived there before;
what comes earlier than in the schedule is kept apart until it is its turn.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from hypar_opt.studies.simulation.tasks import ChunkTransfer, TaskGraph, watched
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.collective import Moment, Send

Sending: TypeAlias = Literal["lockstep", "in-order", "greedy"]
"""When a send goes: with its step, as soon as its input is there and whatever was before it on its links has left
them, or as soon as its input is there and links have room."""
SENDS: Final[tuple[Sending, ...]] = get_args(Sending)
MOST: Final = 1_000_000
"""Sends that are simulated; each takes a kilobyte or two."""
PREPARING: Final = "while sends were prepared"


def transfers_of(
    judged: JudgedCollective, sending: Sending, bytes_on_link: Fraction, limits: Limits | None = None
) -> TaskGraph:
    """Return a task a send: in the order of the schedule, greedy ones chunk by chunk.

    Parameters
    ----------
    judged
        The schedule, in which nothing is wrong.
    sending
        When sends go.
    bytes_on_link
        What a chunk takes of a link.
    limits
        Their deadline and flag end the work.

    Raises
    ------
    Refusal
        If there are too many sends, or steps are asked for of a schedule in seconds.
    SimulationStopped
        If the limits are over before the end.
    """
    if sending == "lockstep" and judged.steps is None:
        raise Refusal("a schedule in seconds has no steps to keep in lockstep; try --sends in-order or greedy")
    sends = _ordered(judged, sending)
    if len(sends) > MOST:
        raise Refusal(f"there are {len(sends):,} sends, and at most {MOST:,} are simulated")
    inputs, ahead = _inputs(sends), _ahead(sends) if sending == "in-order" else {}
    names, use, chunks = judged.instance.machine.names, judged.use, judged.instance.chunks
    latencies = {route: use.latency(route) for route in {one.route for one in sends}}
    return TaskGraph(
        tuple(
            ChunkTransfer(
                f"{chunks[one.chunk].name}, {names[one.route[0]]} to {names[one.route[-1]]}",
                "sum" if one.adds else "copy", 0, one.route[0], one.route[-1], bytes_on_link,
                0 if judged.steps is None else int(one.begin),
                inputs[number], one.route, latencies[one.route], ahead.get(number, ()),
            )
            for number, one in watched(enumerate(sends), limits, PREPARING)
        )
    )  # fmt: skip


def _ordered(judged: JudgedCollective, sending: Sending) -> list[Send]:
    """Return the sends in the order in which those go first that could go at the same time.

    Greedy ones know nothing of steps, and so that is not to depend on these: the chunk's number decides.
    """
    sends = sorted(judged.schedule.sends, key=lambda one: (one.begin, one.end, one.chunk, one.route))
    return sorted(sends, key=lambda one: one.chunk) if sending == "greedy" else sends


def _inputs(sends: Sequence[Send]) -> list[tuple[int, ...]]:
    """Return for every send those that bring what it carries: all that arrive at its sender before it begins."""
    arriving: dict[tuple[int, int], list[tuple[Moment, int]]] = {}
    for number, one in enumerate(sends):
        arriving.setdefault((one.chunk, one.route[-1]), []).append((one.end, number))
    return [
        tuple(other for end, other in arriving.get((one.chunk, one.route[0]), ()) if end <= one.begin) for one in sends
    ]


def _ahead(sends: Sequence[Send]) -> Mapping[int, tuple[int, ...]]:
    """Return for every send those that are before it on one of its links; of a step's none is before another."""
    on_link: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(sends):
        for hop in pairwise(one.route):
            on_link.setdefault(hop, []).append(number)
    found: dict[int, dict[int, None]] = {}
    for numbers in on_link.values():
        groups = [list(group) for _, group in groupby(numbers, key=lambda number: sends[number].begin)]
        for before, group in pairwise(groups):
            for number in group:
                found.setdefault(number, {}).update(dict.fromkeys(before))
    return {number: tuple(before) for number, before in found.items()}
