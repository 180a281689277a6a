"""A schedule of a collective as traces: what every accelerator sends, receives and adds up, and what each waits for.

Times are left out, and what they brought about is said by dependencies instead, so that any order that keeps these
ends with the same sums:

* a send waits for whatever made what its accelerator then has of the chunk, and for the sends before it on the same
  link;
* a receive waits for nothing; what arrives is added, or takes the place of what is there, in a node of its own, which
  waits for all sends that have to take along what was there before.

A receive is that node itself where nothing can come between. Chunks of a joined message are sent and received by one
node, which waits for what every one of them waits for, and are added or put into their places one by one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.export.traces.nodes import NodeKind, TraceNode, idle
from hypar_opt.instance.collective import joined_messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.export.traces.nodes import Trace
    from hypar_opt.instance.collective import Chunk, CollectiveInstance, Moment, Send, SendSchedule
    from hypar_opt.instance.hardware import Machine

RECEIVE, TAKE, SEND = range(3)
"""What is done of a send: it is received, added or put into its place, and sent; in the order of one moment."""


class _Act(NamedTuple):
    """Something that a rank does of a send, which has a number: of a joined message that of its first."""

    what: int
    send: int


def schedule_traces(instance: CollectiveInstance, schedule: SendSchedule) -> tuple[Trace, ...]:
    """Return by accelerator what it does.

    Parameters
    ----------
    instance
        The collective.
    schedule
        A valid one.
    """
    joined = instance.goal == "time" and instance.messages == "joined"
    return sends_as_traces(instance.machine, instance.chunks, chunk_sizes(instance), schedule.sends, joined=joined)


def sends_as_traces(
    machine: Machine, chunks: Sequence[Chunk], sizes: Sequence[int], every: Iterable[Send], *, joined: bool = False
) -> tuple[Trace, ...]:
    """Return the same of sends of any chunks, of so many bytes each, perhaps with joined messages."""
    sends = sorted(every, key=lambda one: (one.begin, one.end, one.chunk, one.route))
    waits: dict[_Act, list[_Act]] = {_Act(SEND, number): [] for number in range(len(sends))}
    of_chunk: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(sends):
        waits[_Act(RECEIVE, number)] = []
        of_chunk[one.chunk].append(number)
    for chunk, numbers in of_chunk.items():
        (_sum_up if chunks[chunk].summed else _pass_on)(sends, numbers, waits)
    for number, before in _queued(sends):
        waits[_Act(SEND, number)] += [_Act(SEND, one) for one in before]
    messages = joined_messages(sends) if joined else [[number] for number in range(len(sends))]
    return _Layout(machine, chunks, sizes, sends, messages).traces(_merged(messages, waits) if joined else waits)


def _merged(messages: Sequence[Sequence[int]], waits: Mapping[_Act, Sequence[_Act]]) -> Mapping[_Act, Sequence[_Act]]:
    """Return what waits for what where the sends and receives of a message are one."""
    first = {number: group[0] for group in messages for number in group}

    def merged(act: _Act) -> _Act:
        return act if act.what == TAKE else _Act(act.what, first[act.send])

    found: dict[_Act, dict[_Act, None]] = {}
    for act, before in waits.items():
        found.setdefault(merged(act), {}).update(dict.fromkeys(map(merged, before)))
    return {act: tuple(before) for act, before in found.items()}


def chunk_sizes(instance: CollectiveInstance) -> tuple[int, ...]:
    """Return whole bytes by chunk, which differ by one at most and are all bytes of the collective together."""
    count = len(instance.chunks)
    ends = [instance.bytes_ * number // count for number in range(count + 1)]
    return tuple(end - begin for begin, end in pairwise(ends))


def _pass_on(sends: Sequence[Send], numbers: Sequence[int], waits: dict[_Act, list[_Act]]) -> None:
    """Of what is nobody's sum: whoever passes it on has it as soon as the first has come."""
    first: dict[int, int] = {}
    for number in sorted(numbers, key=lambda one: (sends[one].end, one)):
        first.setdefault(sends[number].route[-1], number)
    for number in numbers:
        came = first.get(sends[number].route[0])
        # what comes to its source later is a second copy, which nobody waits for
        if came is not None and sends[came].end <= sends[number].begin:
            waits[_Act(SEND, number)].append(_Act(RECEIVE, came))


@dataclass
class _Sum:
    """What an accelerator has of a sum.

    Parameters
    ----------
    made_by
        What it waits for that needs it as it is.
    past
        The sends that went before it, anywhere, as bits.
    sent
        The sends that took it along.
    """

    made_by: _Act | None = None
    past: int = 0
    sent: list[int] = field(default_factory=list)


def _sum_up(sends: Sequence[Send], numbers: Sequence[int], waits: dict[_Act, list[_Act]]) -> None:
    """Of a sum: what arrives changes it, after all that was sent of it before."""
    bit = {number: 1 << place for place, number in enumerate(numbers)}
    past: dict[int, int] = {}
    held: dict[int, _Sum] = defaultdict(_Sum)
    arrivals = [(sends[number].end, 0, number) for number in numbers]
    for _, leaves, number in sorted(arrivals + [(sends[number].begin, 1, number) for number in numbers]):
        if leaves:
            own = held[sends[number].route[0]]
            waits[_Act(SEND, number)] += _some(own.made_by)
            own.sent.append(number)
            past[number] = own.past | bit[number]
        else:
            node = sends[number].route[-1]
            held[node] = _changed(held[node], number, sends[number].adds, past[number], bit, waits)


def _changed(
    own: _Sum, number: int, adds: bool, past: int, bit: Mapping[int, int], waits: dict[_Act, list[_Act]]
) -> _Sum:
    """Return what an accelerator has after an arrival."""
    later = [one for one in own.sent if not past & bit[one]]
    # what made it is over if something that took it along has gone before what arrives
    unmade = [] if len(later) < len(own.sent) else _some(own.made_by)
    made = _Act(RECEIVE, number)
    if adds or later or unmade:
        made = _Act(TAKE, number)
        before = _some(own.made_by) if adds else unmade
        waits[made] = [_Act(RECEIVE, number), *before, *(_Act(SEND, one) for one in later)]
    return _Sum(made, own.past | past)


def _some(act: _Act | None) -> list[_Act]:
    return [] if act is None else [act]


def _queued(sends: Sequence[Send]) -> Iterable[tuple[int, list[int]]]:
    """Yield sends with those that went last before them on the same link of their accelerator."""
    begun: dict[tuple[int, ...], tuple[Moment, list[int], list[int]]] = {}
    for number, one in enumerate(sends):
        link = one.route[:2]
        moment, own, before = begun.get(link, (None, [], []))
        if moment == one.begin:
            own.append(number)
        else:
            own, before = [number], own
        begun[link] = (one.begin, own, before)
        yield number, before


_NOUNS: Final = {RECEIVE: "receive", SEND: "send"}


@dataclass(frozen=True)
class _Layout:
    """Acts as nodes.

    Parameters
    ----------
    machine, chunks, sizes
        Of the collective, with whole bytes by chunk.
    sends, messages
        The sends in their order, and the numbers of those of each message.
    """

    machine: Machine
    chunks: Sequence[Chunk]
    sizes: Sequence[int]
    sends: Sequence[Send]
    messages: Sequence[Sequence[int]]

    @cached_property
    def message_of(self) -> Mapping[int, Sequence[int]]:
        """By send, the numbers of all sends of its message."""
        return {number: group for group in self.messages for number in group}

    def traces(self, waits: Mapping[_Act, Sequence[_Act]]) -> tuple[Trace, ...]:
        """Return the traces: by rank in the order of time, so that nobody waits for a later node."""
        order = sorted(waits, key=lambda act: (self._moment(act), act.what, act.send))
        place = dict[_Act, int]()
        found: list[list[TraceNode]] = [[] for _ in self.machine.accelerators]
        for act in order:
            one = self.sends[act.send]
            rank = one.route[0] if act.what == SEND else one.route[-1]
            place[act] = len(found[rank])
            before = tuple(sorted({place[other] for other in waits[act]}))
            found[rank].append(self._node(act, before))
        return tuple(tuple(own) if own else (idle(),) for own in found)

    def _moment(self, act: _Act) -> Moment:
        one = self.sends[act.send]
        return one.begin if act.what == SEND else one.end

    def _name(self, chunk: int) -> str:
        """Return a name without a space, which is what is between the names of a message."""
        return self.chunks[chunk].name.replace("%", "%25").replace(" ", "%20")

    def _node(self, act: _Act, before: tuple[int, ...]) -> TraceNode:
        one, group = self.sends[act.send], self.message_of[act.send]
        names, source, target = self.machine.names, one.route[0], one.route[-1]
        # the tag is the message's, whichever of its chunks is added
        message: dict[str, bool | int | str] = {"comm_src": source, "comm_tag": group[0]}
        if act.what == TAKE:
            chunk = self._name(one.chunk)
            verb = "add" if one.adds else "copy"
            return TraceNode(f"{verb} {chunk}", NodeKind.COMPUTE, before, {"chunk": chunk, **message})
        carried = [self.sends[number].chunk for number in group]
        chunk = " ".join(map(self._name, carried))
        size = sum(self.sizes[number] for number in carried)
        kind = NodeKind.SEND if act.what == SEND else NodeKind.RECEIVE
        name = f"{_NOUNS[act.what]} {chunk} {names[source]}>{names[target]}"
        return TraceNode(name, kind, before, {"chunk": chunk, **message, "comm_dst": target, "comm_size": size})
