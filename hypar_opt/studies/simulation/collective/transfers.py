"""From a schedule's sends to tasks of the simulator: what each waits for.

A send carries what the schedule says that its sender has by then, so that it waits for all that arrived there before;
what comes earlier than in the schedule is kept apart until it is its turn. Chunks of a joined message go together,
once all of them are there.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from hypar_opt.instance.collective import joined_messages
from hypar_opt.studies.simulation.tasks import ChunkTransfer, TaskGraph, watched
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.collective import Moment, Send
    from hypar_opt.studies.simulation.collective.message_format import MessageFormat

Sending: TypeAlias = Literal["lockstep", "in-order", "greedy"]
"""When a send goes: with its step, as soon as its input is there and whatever was before it on its links has left
them, or as soon as its input is there and links have room."""
SENDS: Final[tuple[Sending, ...]] = get_args(Sending)
MOST: Final = 1_000_000
"""Sends that are simulated; each takes a kilobyte or two."""
PREPARING: Final = "while sends were prepared"


def transfers_of(
    judged: JudgedCollective, sending: Sending, message: MessageFormat | None = None, limits: Limits | None = None
) -> TaskGraph:
    """Return a task a send, or a joined message: in the order of the schedule, greedy ones chunk by chunk.

    Parameters
    ----------
    judged
        The schedule, in which nothing is wrong.
    sending
        When sends go.
    message
        How links carry what is sent; None counts its bytes alone.
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
    groups = joined_messages(sends) if joins(judged) else [[number] for number in range(len(sends))]
    firsts = [sends[group[0]] for group in groups]
    inputs, ahead = _inputs(sends, groups), _ahead(firsts) if sending == "in-order" else {}
    names, use, chunk_bytes = judged.instance.machine.names, judged.use, judged.instance.chunk_bytes
    latencies = {route: use.latency(route) for route in {one.route for one in sends}}
    sizes = {
        count: count * chunk_bytes if message is None else message.bytes_on_link(count * chunk_bytes)
        for count in set(map(len, groups))
    }
    return TaskGraph(
        tuple(
            ChunkTransfer(
                f"{_named(judged, sends, groups[number])}, {names[one.route[0]]} to {names[one.route[-1]]}",
                "sum" if any(sends[other].adds for other in groups[number]) else "copy",
                0, one.route[0], one.route[-1], sizes[len(groups[number])],
                0 if judged.steps is None else int(one.begin),
                inputs[number], one.route, latencies[one.route], ahead.get(number, ()),
            )
            for number, one in watched(enumerate(firsts), limits, PREPARING)
        )
    )  # fmt: skip


def joins(judged: JudgedCollective) -> bool:
    """Return whether chunks that go the same way at once are one message; steps count none."""
    return judged.steps is None and judged.instance.messages == "joined"


def _named(judged: JudgedCollective, sends: Sequence[Send], group: Sequence[int]) -> str:
    name, more = judged.instance.chunks[sends[group[0]].chunk].name, len(group) - 1
    return f"{name} and {more:,} more" if more else name


def _ordered(judged: JudgedCollective, sending: Sending) -> list[Send]:
    """Return the sends in the order in which those go first that could go at the same time.

    Greedy ones know nothing of steps, and so that is not to depend on these: the chunk's number decides.
    """
    sends = sorted(judged.schedule.sends, key=lambda one: (one.begin, one.end, one.chunk, one.route))
    return sorted(sends, key=lambda one: one.chunk) if sending == "greedy" else sends


def _inputs(sends: Sequence[Send], groups: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return for every message those that bring what it carries: all that arrive at its sender before it begins."""
    arriving: dict[tuple[int, int], list[tuple[Moment, int]]] = {}
    for message, group in enumerate(groups):
        for one in (sends[number] for number in group):
            arriving.setdefault((one.chunk, one.route[-1]), []).append((one.end, message))
    return [
        tuple(
            dict.fromkeys(
                other
                for one in (sends[number] for number in group)
                for end, other in arriving.get((one.chunk, one.route[0]), ())
                if end <= one.begin
            )
        )
        for group in groups
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
