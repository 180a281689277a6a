"""From a pipeline with a named schedule to what a batch takes: phases of groups, and messages between them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import networkx as nx

from hypar_opt.costgraph.pipeline.batch import BatchMessage, BatchTimes
from hypar_opt.costgraph.pipeline.option import integers
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator


def has_batch(instance: PipelineInstance) -> bool:
    """Return whether a batch's time by a schedule is asked for that waits for the batch's end.

    One that never does takes as long as the slowest stage for every microbatch.
    """
    return instance.goal == "batch-time" and instance.in_flight is not None and not instance.in_flight.versions


@dataclass(frozen=True, eq=False)
class BatchParts:
    """What a batch's time is made of, in fractions of a second.

    Parameters
    ----------
    instance
        Whose.
    groups
        Their operators.
    group_of
        By operator, its group.
    ways
        Kinds of devices, each with how many do a stage.
    """

    instance: PipelineInstance
    groups: Sequence[Sequence[PipelineOperator]]
    group_of: Mapping[str, int]
    ways: Sequence[tuple[DeviceKind, int]]

    @cached_property
    def _phases(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        """By way and group, the seconds of computing forward and backward."""
        return [
            (
                [self._computing(own, "forward", kind) / count for own in self.groups],
                [
                    (self._computing(own, "backward", kind) + self._addition(own, kind, count)) / count
                    for own in self.groups
                ],
            )
            for kind, count in self.ways
        ]

    def _addition(self, own: Sequence[PipelineOperator], kind: DeviceKind, count: int) -> Fraction:
        return sum((self.instance.addition(kind, one.parameters, count) for one in own), start=Fraction(0))

    def _computing(self, own: Sequence[PipelineOperator], phase: str, kind: DeviceKind) -> Fraction:
        able = [one for one in own if kind.name in one.seconds]
        found = sum((one.seconds[kind.name] for one in able if one.phase == phase), start=Fraction(0))
        return found + (sum(one.backward.get(kind.name, 0) for one in able) if phase == "backward" else 0)

    @cached_property
    def _messages(self) -> dict[BatchMessage, Fraction]:
        """Messages between groups, and the bytes of each."""
        readers: dict[str, tuple[set[int], set[int]]] = {}
        for maker, reader in self._crossing():
            readers.setdefault(maker.name, (set(), set()))[reader.phase == "backward"].add(self.group_of[reader.name])
        makers = {one.name: one for own in self.groups for one in own}
        found: dict[BatchMessage, Fraction] = {}
        for name, (forward, backward) in readers.items():
            maker = makers[name]
            if maker.output:
                both = tuple(sorted(forward)), tuple(sorted(backward))
                message = BatchMessage(self.group_of[name], maker.phase == "backward", both)
                found[message] = found.get(message, Fraction(0)) + maker.output
        return found

    def _crossing(self) -> Iterator[tuple[PipelineOperator, PipelineOperator]]:
        """Yield who makes what another group needs, and who needs it."""
        operators = {one.name: one for one in self.instance.operators}
        for reader in self.instance.operators:
            for name in reader.reads:
                if self.group_of[name] != self.group_of[reader.name]:
                    yield operators[name], reader

    @cached_property
    def _transfers(self) -> list[list[Fraction]]:
        return [[kind.transfer(size, count) for size in self._messages.values()] for kind, count in self.ways]

    @property
    def unit(self) -> Iterator[int]:
        """Denominators of all seconds."""
        for phases in self._phases:
            yield from (one.denominator for phase in phases for one in phase)
        yield from (one.denominator for transfers in self._transfers for one in transfers)

    def times(self, unit: int) -> BatchTimes:
        """Return them in units of 1 / unit seconds.

        Raises
        ------
        InputError
            If backward operators go no one way, or an operator may be done in several: names one.
        """
        instance = self.instance
        self._check_plain()
        reads = {
            (self.group_of[maker.name], self.group_of[reader.name])
            for maker, reader in self._crossing()
            if reader.phase == "forward"
        }
        self._check_backward(reads)
        assert instance.microbatches is not None  # asked for with the objective
        return BatchTimes(
            "gpipe" if instance.schedule == "gpipe" else "1f1b",
            instance.microbatches,
            tuple(integers([int(one * unit) for one in forward]) for forward, _ in self._phases),
            tuple(integers([int(one * unit) for one in backward]) for _, backward in self._phases),
            tuple(integers([int(one * unit) for one in transfers]) for transfers in self._transfers),
            tuple(self._messages),
            tuple(sorted(reads)),
            instance.overlapped,
        )

    def _check_plain(self) -> None:
        """Check that operators are done in one way, and send all readers the same."""
        instance = self.instance
        several = next((one.name for one in instance.operators if one.ways or one.read_bytes or one.sent_bytes), None)
        if several is not None or instance.recompute != "never":
            which = "stages may compute activations anew" if several is None else f"'{cut(several)}' says more"
            raise InputError(
                f"a batch's time by {instance.schedule} is of operators that are done in one way and send all readers "
                f"the same, and here {which}; expected another objective, or no schedule",
                file=instance.source,
                field="objective",
            )

    def _check_backward(self, reads: set[tuple[int, int]]) -> None:
        """Check that backward operators go back where forward ones led, whatever the stages, or all lead on with them.

        Then a stage's backward phase waits for those of the stages that read it, and for nothing else.
        """
        graph: nx.DiGraph[int] = nx.DiGraph(sorted(reads))
        graph.add_nodes_from(range(len(self.groups)))
        led = {group: nx.descendants(graph, group) for group in graph}
        back = [
            (reader, maker, self.group_of[reader.name], self.group_of[maker.name])
            for maker, reader in self._crossing()
            if reader.phase == "backward"
        ]
        turned = all(own in led[other] for _, maker, own, other in back if maker.phase == "backward")
        for reader, maker, own, other in back:
            returns = other in led[own] or (own in led[other] and (turned or maker.phase == "forward"))
            if not returns:
                raise InputError(
                    f"the backward operator '{cut(reader.name)}' reads '{cut(maker.name)}', and no forward operators "
                    f"lead from the one's to the other's: by {self.instance.schedule} a backward phase goes "
                    "the way back; try without a schedule",
                    file=self.instance.source,
                    field="operators",
                )
