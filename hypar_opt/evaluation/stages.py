"""What a plan with stages takes, recomputed: every stage as an instance of its own, by the evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.evaluation.links import walk, weigh
from hypar_opt.instance.objective.components import COMM_TIME, COMPUTE_TIME
from hypar_opt.instance.parts import stage_of
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.legality import Split
    from hypar_opt.instance import Instance
    from hypar_opt.instance.stage_words import StageWord


@dataclass(frozen=True)
class JudgedStage:
    """Layers on accelerators of their own.

    Parameters
    ----------
    first, count
        The first leaf, and how many.
    words
        By layer, on these.
    computing, exchanging, reading, sending
        Seconds of a whole batch: inside of the stage, then for what passes through its two ends.
    bytes_inside, bytes_read
        Of a whole batch.
    resident, capacity
        Bytes on each accelerator; no capacity where any amount fits.
    """

    first: int
    count: int
    words: Mapping[str, str]
    computing: Fraction
    exchanging: Fraction
    reading: Fraction
    sending: Fraction
    bytes_inside: Fraction
    bytes_read: Fraction
    resident: Fraction
    capacity: Fraction | None

    @property
    def layers(self) -> tuple[str, ...]:
        """Their names, in topological order."""
        return tuple(self.words)

    @property
    def seconds(self) -> Fraction:
        """What it takes for a whole batch."""
        return self.computing + self.exchanging + self.reading + self.sending


@dataclass(frozen=True)
class JudgedStages:
    """What is true of a plan.

    Parameters
    ----------
    instance
        Whose.
    words
        By decided layer.
    """

    instance: Instance
    words: Mapping[str, StageWord]

    @property
    def microbatches(self) -> int:
        """Into how many the batch is cut."""
        return self.instance.microbatches or 1

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The first leaf of every stage and how many it has, in the order of the leaves."""
        return tuple(sorted({word.place for word in self.words.values()}))

    @cached_property
    def fault(self) -> str | None:
        """What is wrong with the plan, in a sentence, or None."""
        return next(self._faults(), None)

    @cached_property
    def stages(self) -> tuple[JudgedStage, ...]:
        """Stages in the order of the leaves, of a plan whose stages stand as they have to."""
        return tuple(self._stage(first, count) for first, count in self.places)

    @property
    def slowest(self) -> JudgedStage:
        """The stage that takes longest, the first of several."""
        return max(self.stages, key=lambda stage: stage.seconds)

    @property
    def objective(self) -> Fraction:
        """Seconds of a batch: all stages do a microbatch, and the slowest one all others."""
        every = sum((stage.seconds for stage in self.stages), start=Fraction(0))
        return (every + (self.microbatches - 1) * self.slowest.seconds) / self.microbatches

    @property
    def uneven_splits(self) -> tuple[Split, ...]:
        """What stages split unevenly, or into more parts than there are: of the batch, a microbatch."""
        every = (self.inside(first, count) for first, count in self.places)
        return tuple(split for words, evaluator in every for split in evaluator.uneven_splits(words))

    @property
    def bytes_moved(self) -> Fraction:
        """Bytes of a batch that are exchanged inside of stages, or go from stage to stage."""
        return sum((stage.bytes_inside + stage.bytes_read for stage in self.stages), start=Fraction(0))

    def _faults(self) -> Iterator[str]:
        standing = next(self._misplaced(), None)
        if standing is not None:  # what follows counts on it
            yield standing
            return
        for name in self.words:
            for tensor in self.instance.network.graph.nodes[name]["layer"].inputs:
                maker = self._maker(tensor)
                if maker is not None and self.words[maker].first > self.words[name].first:
                    yield f"{name} reads what {maker} makes, and stands on {self.words[name].leaves}, before it"
        for first, count in self.places:
            strategies, evaluator = self.inside(first, count)
            levels = count.bit_length() - 1
            long = next((name for name, word in strategies.items() if len(word) != levels), None)
            if long is not None:
                yield f"{long} has {len(strategies[long])} letters, and {count} accelerators are cut in {levels} levels"
                continue
            fault = evaluator.fault_of(strategies)
            if fault is not None:
                yield f"stage on {_leaves(first, count)}: {fault}"

    def _misplaced(self) -> Iterator[str]:
        """Yield what is wrong with where stages stand."""
        end = 0
        for first, count in self.places:
            here = _leaves(first, count)
            if count & (count - 1) or first % count:
                yield f"{here} are no part of an array that is halved level by level"
            if first + count > self.instance.partition.leaves:
                yield f"there are no {here}: there are {self.instance.partition.leaves} accelerators"
            if first != end:
                yield f"a stage stands on {here}, and the one before it ends at {end}"
            end = first + count

    def inside(self, first: int, count: int) -> tuple[dict[str, str], Evaluator]:
        """Return the words of the layers that stand somewhere, and what judges them.

        Parameters
        ----------
        first, count
            The first leaf, and how many.
        """
        return self._every[first, count]

    @cached_property
    def _every(self) -> Mapping[tuple[int, int], tuple[dict[str, str], Evaluator]]:
        """By place of a stage the words of its layers, and what judges them: made once, and asked for often."""
        own: dict[tuple[int, int], dict[str, str]] = {place: {} for place in self.places}
        for name, word in self.words.items():
            own[word.place][name] = word.word
        return {
            (first, count): (words, Evaluator(stage_of(self.instance, words, first, count.bit_length() - 1)))
            for (first, count), words in own.items()
        }

    def _stage(self, first: int, count: int) -> JudgedStage:
        strategies, evaluator = self.inside(first, count)
        breakdown = evaluator.bytes_of(strategies)
        costs = evaluator.costs(breakdown, evaluator.instance.placement)
        read = self._live(first)
        return JudgedStage(
            first,
            count,
            strategies,
            costs[COMPUTE_TIME],
            costs[COMM_TIME],
            self._crossing(first, count, read),
            self._crossing(first + count, count, self._live(first + count)),
            Fraction(breakdown.total),
            Fraction(read),
            sum(evaluator.resident(strategies).values(), start=Fraction(0)),
            evaluator.capacity,
        )

    def _live(self, leaf: int) -> int:
        """Return the bytes, of maps and their errors, of what is made before a leaf and read behind it."""
        network = self.instance.network
        behind = [name for name, word in self.words.items() if word.first >= leaf]
        tensors = {tensor for name in behind for tensor in network.graph.nodes[name]["layer"].inputs}
        makers = {tensor: self._maker(tensor) for tensor in tensors}
        crossing = [one for one, maker in makers.items() if maker is not None and self.words[maker].first < leaf]
        elements = sum(prod(network.shapes[tensor]) for tensor in crossing)
        return 2 * self.instance.batch * self.instance.bytes_per_element * elements

    def _maker(self, tensor: str) -> str | None:
        """Return the decided layer that a tensor comes from, if it is not the network's input."""
        graph = self.instance.network.graph
        while tensor not in self.words:
            before = list(graph.predecessors(tensor))
            if not before:
                return None
            tensor = before[0]
        return tensor

    def _crossing(self, leaf: int, count: int, size: int) -> Fraction:
        """Return the seconds of bytes that go between so many accelerators on either side of a leaf."""
        placed, leaves = self.instance.placement, self.instance.partition.leaves
        if not 0 < leaf < leaves or placed is None:
            return Fraction(0)
        sites = placed[leaf - count : leaf + count]
        levels = count.bit_length()
        walked = walk(self.instance.machine, sites, partition=halves(levels))
        return weigh(self.instance.machine, walked, [size, *[0] * (levels - 1)]).comm_time or Fraction(0)


def _leaves(first: int, count: int) -> str:
    return f"accelerator {first + 1}" if count == 1 else f"accelerators {first + 1} to {first + count}"
