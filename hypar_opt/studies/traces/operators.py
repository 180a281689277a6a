"""A training step of a plan of operators as traces: the same on all devices, with collectives in groups along axes.

Operators compute and convert in the order of the step, each node waiting for the one before it, as the analytic model
adds them up; sums of gradients of parameters are under way meanwhile, and no computing but updates waits for them.
Whatever is moved is moved in one order on all devices.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.timeline import Timeline
from hypar_opt.export.traces.nodes import COMM_TYPES, NodeKind, TraceNode, computing, idle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.evaluation.operators.movement import Movement
    from hypar_opt.evaluation.operators.operator_step import OperatorStep
    from hypar_opt.export.traces.nodes import Trace
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.util.partition import Partition

Moment = tuple[str, str]
"""A phase and an operator."""
_SIZES: Final[Mapping[str, Callable[[Fraction, int], Fraction]]] = MappingProxyType(
    {
        "all-reduce": lambda received, group: received * group / (2 * (group - 1)),
        "reduce-scatter": lambda received, group: received * group / (group - 1),
        "all-gather": lambda received, group: received / (group - 1),
        "all-to-all": lambda received, group: received * group / (group - 1),
    }
)
"""By kind, the bytes that a rank begins with, from what it receives in a group of so many; others are sent on."""


@dataclass(frozen=True)
class StepCall:
    """What every device does at a place of the step: computes, or moves something along an axis.

    Parameters
    ----------
    name
        For people.
    waits_for
        Places whose results it needs.
    seconds
        How long it computes.
    movement
        What is moved.
    behind
        The place of what is moved before it, so that all devices move in one order.
    """

    name: str
    waits_for: tuple[int, ...]
    seconds: Fraction = Fraction(0)
    movement: Movement | None = None
    behind: tuple[int, ...] = ()


@dataclass
class _Program:
    """The calls of a step, in order."""

    calls: list[StepCall] = field(default_factory=list)
    last: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()

    def compute(self, name: str, waits: tuple[int, ...], seconds: Fraction) -> tuple[int, ...]:
        """Append what computes, and return its number."""
        self.calls.append(StepCall(name, waits, seconds))
        return (len(self.calls) - 1,)

    def move(self, movement: Movement, waits: tuple[int, ...]) -> tuple[int, ...]:
        """Append what is moved, and return its number."""
        # one after the other in one order, or two devices would wait for each other, each in another group
        self.calls.append(StepCall(_said(movement), waits, movement=movement, behind=self.moved))
        self.moved = (len(self.calls) - 1,)
        return self.moved


def groups_of(partition: Partition, ranks: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return by number, from 1, the ranks of every group along an axis; those of the outermost axis come first."""
    found: dict[int, tuple[int, ...]] = {}
    for level in range(partition.levels):
        for leaf in range(partition.leaves):
            members = tuple(sorted((leaf, *partition.peers(leaf, level))))
            if members[0] == leaf:
                found[len(found) + 1] = tuple(ranks[one] for one in members)
    return found


def operator_traces(step: OperatorStep, ranks: Sequence[int], count: int) -> tuple[Trace, ...]:
    """Return by rank what it does in a step.

    Parameters
    ----------
    step
        By a plan without faults.
    ranks
        By device.
    count
        How many ranks there are.
    """
    calls, partition = step_calls(step), step.partition
    names = {axis.name: level for level, axis in enumerate(partition.axes)}
    groups = groups_of(partition, range(partition.leaves))
    found: list[Trace] = [(idle(),)] * count
    for leaf, rank in enumerate(ranks):
        own = {number: members for number, members in groups.items() if leaf in members}
        along = dict(zip(names, own.items(), strict=True))
        nodes: list[TraceNode] = []
        place: list[tuple[int, ...]] = []
        for tag, call in enumerate(calls):
            before = tuple(sorted({node for one in (*call.waits_for, *call.behind) for node in place[one]}))
            first = len(nodes)
            if call.movement is None:
                nodes.append(computing(call.name, before, call.seconds))
            else:
                group, members = along[call.movement.axis]
                nodes += _moving(call, call.movement, tag, before, (group, members, leaf), ranks)
            place.append(tuple(range(first, len(nodes))))
        found[rank] = tuple(nodes) or (idle(),)
    return tuple(found)


def _moving(
    call: StepCall,
    moved: Movement,
    tag: int,
    before: tuple[int, ...],
    group: tuple[int, tuple[int, ...], int],
    ranks: Sequence[int],
) -> list[TraceNode]:
    """Return a collective of a group; or a send to the next of it and a receive from the one before."""
    number, members, leaf = group
    size = _SIZES.get(moved.kind)
    if size is not None:
        bytes_ = max(1, ceil(size(moved.received, len(members))))
        kind = COMM_TYPES[moved.kind]  # type: ignore[index]
        attributes: dict[str, bool | int | str] = {"comm_type": kind, "comm_size": bytes_, "pg_name": str(number)}
        return [TraceNode(call.name, NodeKind.COLLECTIVE, before, attributes)]
    place, bytes_ = members.index(leaf), max(1, ceil(moved.received))
    following, previous = members[(place + 1) % len(members)], members[place - 1]
    own = ranks[leaf]
    sent = {"comm_src": own, "comm_dst": ranks[following], "comm_size": bytes_, "comm_tag": tag}
    read = {"comm_src": ranks[previous], "comm_dst": own, "comm_size": bytes_, "comm_tag": tag}
    return [
        TraceNode(f"send: {call.name}", NodeKind.SEND, before, sent),
        TraceNode(f"receive: {call.name}", NodeKind.RECEIVE, (), read),
    ]


def step_calls(step: OperatorStep) -> list[StepCall]:
    """Return what every device does in a step, each call behind those that it waits for."""
    return _program(step).calls


def _program(step: OperatorStep) -> _Program:
    moments = Timeline(step.graph, step.plan).moments
    seconds: dict[Moment, Fraction] = defaultdict(Fraction)
    for work in step.works:
        seconds[work.phase, work.operator] += work.seconds
    before, after = _placed(step, set(moments))
    updated: dict[str, list[Movement]] = defaultdict(list)
    for moved in step.movements:
        if moved.phase == "update":
            updated[_reader(step.graph, moved)].append(moved)
    program = _Program()
    summed: dict[str, tuple[int, ...]] = {}
    for moment in moments:
        phase, operator = moment
        for moved in before[moment]:
            program.last = program.move(moved, program.last)
        if seconds[moment]:
            program.last = program.compute(f"{phase} of {operator}", program.last, seconds[moment])
        for moved in after[moment]:
            program.last = program.move(moved, program.last)
        if phase == "backward":
            summed[operator] = program.last
            for moved in updated[operator]:
                summed[operator] = program.move(moved, program.last)
    for operator, waits in summed.items():
        if seconds["update", operator]:
            program.compute(f"update of {operator}", waits, seconds["update", operator])
    return program


def _placed(
    step: OperatorStep, moments: set[Moment]
) -> tuple[Mapping[Moment, list[Movement]], Mapping[Moment, list[Movement]]]:
    """Return what is moved before and after each moment, but for sums of gradients of parameters."""
    before: dict[Moment, list[Movement]] = defaultdict(list)
    after: dict[Moment, list[Movement]] = defaultdict(list)
    for moved in step.movements:
        if moved.phase == "update":
            continue
        operator, _, statistic = moved.tensor.partition(":")
        is_sum = bool(statistic) and moved.tensor not in step.graph.tensors
        owner = operator if is_sum else _reader(step.graph, moved)
        moment = (moved.phase, owner)
        if moment not in moments:
            moment = ("backward", owner)
        # values come before whoever reads them, gradients and sums after whoever computed their parts
        (after if is_sum or moved.phase == "backward" else before)[moment].append(moved)
    return before, after


def _reader(graph: OperatorGraph, moved: Movement) -> str:
    """Return who reads a tensor, or who does first; of what nobody reads who writes it."""
    if moved.reader is not None:
        return moved.reader
    readers = graph.readers.get(moved.tensor, ())
    return graph.operators[readers[0][0] if readers else graph.writers[moved.tensor]].name


def _said(moved: Movement) -> str:
    whose = "" if moved.reader is None else f" for {moved.reader}"
    return f"{moved.phase} {moved.kind} of {moved.tensor}{whose} along {moved.axis}"
