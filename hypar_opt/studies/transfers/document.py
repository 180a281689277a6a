"""A problem of transfers as a task graph, and messages as one whose schedule is judged by others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.tasks.schema import SCHEMA
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.transfers.messages import SentMessages
    from hypar_opt.studies.transfers.problem import TransferProblem

COMPUTE: Final = "accelerator"
LINK: Final = "link"
LONGEST_LABEL: Final = 70
"""Characters of a layer's name in the names of tasks, which have other words besides."""


def transfer_document(problem: TransferProblem, chunks: int = 1) -> dict[str, Any]:
    """Return the task graph of a problem: the backward pass, every gradient in so many equal chunks, the forward pass.

    Every chunk is a message with a start-up of its own; that several go behind one start-up, no task graph says.
    """
    labels, sends = _labels(problem), []
    waits: list[list[str]] = []
    for place, one in enumerate(problem.gradients):
        ends = [f" {number}/{chunks}" for number in range(1, chunks + 1)] if chunks > 1 else [""]
        names = [f"gradient {labels[place]}{end}" for end in ends]
        seconds = problem.start_up + one.seconds / chunks
        sends += [_task(name, seconds, LINK, [_backward(labels, place)]) for name in names]
        waits.append(names)
    return _document(problem, sends, waits)


@dataclass(frozen=True)
class ScheduledTransfers:
    """Messages as a task graph that has no other order of the link's tasks, and when each begins.

    Parameters
    ----------
    document
        The task graph, as its file has it.
    begins
        Seconds by task.
    """

    document: Mapping[str, Any]
    begins: Mapping[str, Fraction]


def scheduled_transfers(sent: SentMessages) -> ScheduledTransfers:
    """Return messages as a task graph: a task a start-up, a task a part, and both passes as early as these let them.

    A message's start-up waits for all gradients that are in it.
    """
    problem = sent.problem
    labels, tasks = _labels(problem), []
    waits: list[list[str]] = [[] for _ in problem.gradients]
    begins: dict[str, Fraction] = {}
    for number, message in enumerate(sent.messages, start=1):
        head, time = f"start-up {number}", message.begin
        ready = [_backward(labels, part.gradient) for part in message.parts]
        tasks.append(_task(head, problem.start_up, LINK, ready))
        begins[head], time = time, time + problem.start_up
        for part in message.parts:
            name = f"gradient {labels[part.gradient]} in {number}"
            tasks.append(_task(name, part.seconds, LINK, [head]))
            waits[part.gradient].append(name)
            begins[name], time = time, time + part.seconds
    earlier = [Fraction(0), *(one.ready for one in reversed(problem.gradients))]
    for place, begin in zip(reversed(range(len(labels))), earlier, strict=False):
        begins[_backward(labels, place)] = begin
    begins["backward"], time = problem.gradients[0].ready, problem.backward
    begins["forward"], time = time, time + problem.lead
    for place, one in enumerate(problem.gradients):
        begin = max(time, sent.arrivals[place])
        begins[f"forward {labels[place]}"], time = begin, begin + one.forward
    document = _document(problem, tasks, waits)
    return ScheduledTransfers(document, {one["name"]: begins[one["name"]] for one in document["tasks"]})


def _document(
    problem: TransferProblem, sends: Sequence[Mapping[str, Any]], waits: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Return a task graph of what is sent, behind the backward pass and in front of the forward pass.

    Parameters
    ----------
    waits
        By gradient, what has to be there before its layer goes forward.
    """
    labels, each = _labels(problem), problem.gradients
    passes, time = [], Fraction(0)
    before: list[str] = []
    for place in reversed(range(len(each))):
        passes.append(_task(_backward(labels, place), each[place].ready - time, COMPUTE, before))
        before, time = [_backward(labels, place)], each[place].ready
    passes.append(_task("backward", problem.backward - time, COMPUTE, before))
    forward, before = [_task("forward", problem.lead, COMPUTE, ["backward"])], ["forward"]
    for label, one, needed in zip(labels, each, waits, strict=True):
        forward.append(_task(f"forward {label}", one.forward, COMPUTE, [*before, *needed]))
        before = [f"forward {label}"]
    return {
        "schema": SCHEMA,
        "name": problem.name,
        "resources": {COMPUTE: 1, LINK: 1},
        "tasks": [*passes, *sends, *forward],
        "objective": "makespan",
    }


def _task(name: str, seconds: Fraction, resource: str, after: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "seconds": exact(seconds), "on": [resource]}
    return {**found, "after": list(after)} if after else found


def _backward(labels: Sequence[str], place: int) -> str:
    return f"backward {labels[place]}"


def _labels(problem: TransferProblem) -> list[str]:
    """Return what layers are called in the names of tasks: with a number where their own names are cut."""
    names = [one.name for one in problem.gradients]
    return [
        name if len(name) <= LONGEST_LABEL else f"{name[:LONGEST_LABEL]}... {place}"
        for place, name in enumerate(names, start=1)
    ]
